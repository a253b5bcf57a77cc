"""`manage.py outbox`: lists letters, keeps them back, lets them go, tries failed ones again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from notifications import delivery, holds, listing

MOST: Final = 100_000
EPILOG: Final = "Addresses are masked: the desk shows them to who may see them."


class Command(BaseCommand):
    """What an operator does with outgoing mail."""

    help = "Lists letters, keeps them back, lets them go, tries failed ones again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One subcommand for each verb."""
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="list|hold|release|retry")
        listed = verbs.add_parser("list", help="letters that are not done, those due first on top", epilog=EPILOG)
        listed.add_argument("--state", choices=listing.STATES, help="only those in this state; also those that are done")
        listed.add_argument("--limit", type=int, default=50, help="so many at most (50)")
        for verb, told in (("hold", "keeps letters back until they are released"), ("release", "lets them go again")):
            chosen = verbs.add_parser(verb, help=told, description=f"{told}; all of them if neither is named")
            chosen.add_argument("--kind", default="", choices=listing.kinds(), metavar="KIND", help="those of this kind")
            chosen.add_argument("--to", default="", metavar="ADDRESS", help="those to this address")
        again = verbs.add_parser("retry", help="queues failed letters anew")
        which = again.add_mutually_exclusive_group(required=True)
        which.add_argument("key", nargs="?", metavar="KEY", help="the letter of this key")
        which.add_argument("--failed", action="store_true", help="every letter that has failed and is still wanted")

    def handle(self, *args: Any, verb: str, **given: Any) -> None:
        """Raises CommandError for what cannot be done."""
        if verb == "list":
            self._list(given["state"], min(max(0, given["limit"]), MOST))
        elif verb == "retry":
            self._retry(given["key"])
        elif verb == "hold":
            made = holds.hold(kind=given["kind"], address=given["to"], by=None)
            self.stdout.write("They wait until they are released." if made else "They wait already.")
        elif holds.release(kind=given["kind"], address=given["to"], by=None):
            self.stdout.write("They go out again.")
        else:
            raise CommandError("nothing is held by these words; `outbox list` says what is")

    def _list(self, state: str | None, limit: int) -> None:
        if holds.is_held():
            self.stdout.write("all letters wait: the service is frozen\n\n")
        for hold in holds.of_operators():
            self.stdout.write(f"held since {hold.at:%Y-%m-%d %H:%M} UTC: {listing.held_in_words(hold)}\n")
        for line in listing.lines(state, limit):
            self.stdout.write(line)
        self.stdout.write(", ".join(f"{count} {name}" for name, count in listing.counts()) or "no letters")

    def _retry(self, key: str | None) -> None:
        numbers = listing.failed(key)
        if not numbers:
            raise CommandError("no such letter has failed" if key else "no letter has failed")
        refused = 0
        for number in numbers:
            try:
                delivery.try_again(letter_id=number, by=None)
            except delivery.CannotTryAgain as why:
                if key:
                    raise CommandError(str(why)) from why
                refused += 1
        self.stdout.write(f"{len(numbers) - refused} queued, {refused} cannot be tried again")
