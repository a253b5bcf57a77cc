"""Forms of accounts."""

from accounts.forms.reports import ReportForm
from accounts.forms.settings import SettingsForm
from accounts.forms.signup import SignupForm

__all__ = ["ReportForm", "SettingsForm", "SignupForm"]
