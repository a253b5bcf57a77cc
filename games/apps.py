"""The app of games: challenges, logs, deadlines, pages."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import append_only, hooks
        from games.letters import challenges, proposals, rulings, table, warnings
        from games.models.log import LOG_PROTECTION
        from games.people import GamePeople
        from notifications import sources

        sources.register(table.SOURCE, table.GameLetters())
        sources.register(challenges.SOURCE, challenges.ChallengeLetters())
        sources.register(rulings.SOURCE, rulings.RulingLetters())
        sources.register(proposals.SOURCE, proposals.ProposalLetters())
        sources.register(warnings.SOURCE, warnings.WarningLetters())
        append_only.protect(LOG_PROTECTION)
        hooks.register("games", GamePeople())
