"""Reports: players ask those who rule to look at something, and one of those closes the report."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Player, Report
from accounts.services import audit
from accounts.services.errors import Gone, NotAllowed


def file_report(*, reporter: Player, reported: Player, game: int | None = None, about: str, text: str) -> Report:
    """A report of one player by another; `game` is the id of a game that the reporter may see, `about` one of Report.About.

    While such a report is open the same one is meant: what is new in the text is added to it. Raises NotAllowed (oneself),
    Gone (somebody who left).
    """
    if reporter == reported:
        raise NotAllowed(_("You cannot report yourself."))
    if reported.erased_at is not None:
        raise Gone
    asked = {"reporter": reporter, "reported": reported, "game": game, "about": about}
    try:
        with transaction.atomic():
            return Report.objects.create(**asked, text=text, at=timezone.now())
    except IntegrityError:
        with transaction.atomic():
            made = Report.objects.select_for_update(no_key=True).filter(**asked, state=Report.State.OPEN).first()
            if made is not None:
                _add(made, text)
    # It was closed between the two statements: this is news again.
    return made or Report.objects.create(**asked, text=text, at=timezone.now())


def _add(made: Report, text: str) -> None:
    if text not in made.text:
        made.text = f"{made.text}\n\n{text}".lstrip()
        made.save(update_fields=["text"])


def close_report(*, report_id: int, by: Player, reason: str) -> Report:
    """Somebody who rules has looked at it; the audit log keeps who and why. Closed before: nothing happens.

    Raises Gone, NotAllowed (a report that the closer made, or that is about him).
    """
    with transaction.atomic():
        report = Report.objects.select_for_update(no_key=True).filter(pk=report_id).first()
        if report is None:
            raise Gone
        if by.pk in (report.reporter_id, report.reported_id):
            raise NotAllowed(_("This report is yours, or about you: somebody else has to rule on it."))
        if report.state == Report.State.OPEN:
            report.state, report.closed_by, report.closed_at = Report.State.CLOSED, by, timezone.now()
            report.save(update_fields=["state", "closed_by", "closed_at"])
            audit.record(actor=by, act="close_report", subject="report", subject_id=report.pk, reason=audit.give_reason(reason))
        return report
