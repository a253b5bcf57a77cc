"""The app of games: challenges, logs, deadlines, pages."""

from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import letters
        from games.models import triggers
        from notifications import sources

        sources.register(letters.SOURCE, letters.GameLetters())
        post_migrate.connect(triggers.install_after_migrate, sender=self)
        checks.register(triggers.check, checks.Tags.database)
