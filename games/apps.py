"""The app of games: challenges, logs, deadlines, pages."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import append_only
        from games.letters import table
        from games.models.log import LOG_PROTECTION
        from notifications import sources

        sources.register(table.SOURCE, table.GameLetters())
        append_only.protect(LOG_PROTECTION)
