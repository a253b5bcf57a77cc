"""The app of players and their accounts."""

from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import append_only, letters, receivers
        from accounts.models.audit import AUDIT_PROTECTION, REASON_PROTECTION
        from accounts.samples import AccountSamples
        from accounts.services import audit, moderators
        from notifications import acts, samples, sources

        append_only.protect(AUDIT_PROTECTION)
        append_only.protect(REASON_PROTECTION)
        sources.register(letters.SOURCE, letters.AccountLetters())
        samples.register(letters.SOURCE, AccountSamples())
        receivers.connect()
        acts.register(audit.record_of_letters)
        post_migrate.connect(moderators.install)
        post_migrate.connect(append_only.install_after_migrate)
        checks.register(append_only.check, checks.Tags.database)
