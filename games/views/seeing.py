"""What a page that was looked at leaves behind: a note that its player has seen the position."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.middleware import is_looked_at
from games.selectors import GamePage
from games.services import seeing


def note(request: HttpRequest, page: GamePage) -> None:
    """Notes that the present position was served to who must move in it.

    Open pages ask only while they are visible, and what is still the same is answered before it comes here: what is served is
    seen. What a browser fetches in advance is not, nor a past position.
    """
    if page.my_turn and page.seat is not None and page.seen < page.position_number and page.step is None and _sees(request):
        seeing.note(game=page.pk, seat=page.seat, position_number=page.position_number)


def _sees(request: HttpRequest) -> bool:
    return request.method == "GET" and is_looked_at(request)
