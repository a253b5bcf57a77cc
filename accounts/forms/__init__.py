"""Forms of accounts."""

from accounts.forms.settings import SettingsForm
from accounts.forms.signup import SignupForm

__all__ = ["SettingsForm", "SignupForm"]
