"""The app of games: challenges, logs, deadlines, pages."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from accounts import append_only, hooks
        from games.letters import challenges, daily, manners, proposals, rulings, table, warnings
        from games.models.log import LOG_PROTECTION
        from games.people import GamePeople
        from games.samples import SAMPLES
        from games.services import freeze
        from games.views import guests
        from notifications import holds, samples, sources, topics

        sources.register(table.SOURCE, table.GameLetters())
        sources.register(challenges.SOURCE, challenges.ChallengeLetters())
        sources.register(rulings.SOURCE, rulings.RulingLetters())
        sources.register(proposals.SOURCE, proposals.ProposalLetters())
        sources.register(warnings.SOURCE, warnings.WarningLetters())
        sources.register(daily.SOURCE, daily.DailyLetters())
        for source, shown in SAMPLES.items():
            samples.register(source, shown)
        for source, filed in manners.MANNERS.items():
            topics.file(source, filed)
        holds.register("freeze", freeze.freeze_if_put_back)
        append_only.protect(LOG_PROTECTION)
        hooks.register("games", GamePeople())
        user_logged_in.connect(guests.claim, dispatch_uid="games.guests")
        hooks.keep_at_logout(guests.KEPT_IN)
