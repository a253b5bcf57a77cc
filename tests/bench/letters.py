"""Letters a second that one and two workers drain, beside smtplib alone, which draws, builds and sends the same ones."""

from __future__ import annotations

import multiprocessing
import os
import smtplib
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from multiprocessing.synchronize import Barrier
from random import Random
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils import timezone

from tests.stack.whole import free_port

WORKERS = (1, 2)
LETTERS = 120
"""Turns of as many games, each on a board of its own, so that no picture is drawn for two."""
PLIES = 10
"""So many at least, and then up to the end of a turn: whoever has moved in a turn gets no letter about it."""
GOAL = 0.7


@dataclass(frozen=True)
class Contents:
    """What a message is built of."""

    headers: dict[str, str]
    text: str
    html: str
    svg: str
    content_id: str


Work = Callable[[int, int], int]
"""Sends the share of one of so many workers; how many letters that were."""


def main() -> None:
    """A line for each number of workers."""
    warnings.simplefilter("ignore")
    port = free_port()
    with sink(port):
        os.environ["EMAIL_URL"] = f"smtp://127.0.0.1:{port}"
        django.setup()
        from django.core.management import call_command

        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        call_command("migrate", verbosity=0)
        make_letters()
        messages = [contents(pk) for pk in owed()]

        def bare(number: int, workers: int) -> int:
            return send(messages[number::workers], port)

        for workers in WORKERS:
            queue_again()
            drained, alone = rate(workers, drain), rate(workers, bare)
            print(
                f"{connection.vendor}, {workers} workers: {drained:.1f} letters a second; "
                f"smtplib alone {alone:.1f}: {drained / alone:.0%} of it, goal {GOAL:.0%}",
                flush=True,
            )


@contextmanager
def sink(port: int) -> Iterator[None]:
    """A mail server in a process of its own that takes everything and keeps nothing."""
    server = multiprocessing.get_context("spawn").Process(target=swallow, args=(port,), daemon=True)
    server.start()
    try:
        until = time.monotonic() + 30
        while not answers(port):
            if time.monotonic() > until:
                raise RuntimeError("the mail server did not start")
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.join()


def swallow(port: int) -> None:
    """The mail server's process."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.handlers import Sink

    Controller(Sink, hostname="127.0.0.1", port=port).start()
    while True:
        time.sleep(60)


def answers(port: int) -> bool:
    """Whether the mail server takes calls."""
    try:
        smtplib.SMTP("127.0.0.1", port, timeout=5).quit()
    except OSError:
        return False
    return True


def make_letters() -> None:
    """Games of random moves; of all their letters those are kept that tell whose turn it is now."""
    from games.models import Game
    from games.rules.entry import MOVE
    from games.services.log import opened
    from notifications.models import Letter
    from tests.factories import GameFactory, PlayerFactory

    players, random = PlayerFactory.create_batch(8), Random(1)
    for _ in range(LETTERS):
        game = GameFactory.create(players=random.sample(players, 2))
        with opened(game.pk) as log:
            while log.standing.plies < PLIES or log.standing.turn_number != log.standing.position_number:
                move = random.choice(list(log.ruleset.legal_moves(log.standing.position)))
                log.append(MOVE, seat=log.to_move, text=move, via="web")
    turns = Game.objects.values_list("pk", "turn_number", "seat__player").filter(seat__number=F("to_move"))
    Letter.objects.exclude(key__in=[f"turn:{game}:{turn}:{player}" for game, turn, player in turns]).delete()


def owed() -> list[int]:
    """The letters that are there."""
    from notifications.models import Letter

    return list(Letter.objects.order_by("pk").values_list("pk", flat=True))


def queue_again() -> None:
    """As if none had been tried, and no picture been drawn."""
    from games.letters import pictures
    from notifications.models import Letter

    again = {"state": Letter.State.QUEUED, "due_at": timezone.now(), "attempts": 0, "mime": b"", "sent_at": None}
    Letter.objects.update(**again)
    pictures.drawn.cache_clear()


def contents(pk: int) -> Contents:
    """What the letter says, and the picture that goes with it."""
    from games import selectors
    from notifications import delivery
    from notifications.models import Letter

    letter: Any = Letter.objects.select_related("recipient").get(pk=pk)
    message = message_from_bytes(delivery.written(letter), policy=policy.default)
    plain, html = (message.get_body((kind,)) for kind in ("plain", "html"))
    if plain is None or html is None:
        raise RuntimeError(f"letter {pk} is not whole")
    [picture] = [part for part in message.walk() if part["Content-ID"]]
    page: Any = selectors.game_page(letter.about["game"], letter.recipient)
    return Contents(
        {name: str(value) for name, value in message.items() if not name.startswith(("Content-", "MIME-"))},
        plain.get_content(),
        html.get_content(),
        page.svg,
        str(picture["Content-ID"]),
    )


def rate(workers: int, work: Work) -> float:
    """Letters a second of all workers together."""
    connection.close()
    fork = multiprocessing.get_context("fork")
    line, done = fork.Barrier(workers + 1), fork.SimpleQueue()
    started = [fork.Process(target=run, args=(work, number, workers, line, done)) for number in range(workers)]
    for one in started:
        one.start()
    line.wait()
    began = time.perf_counter()
    sent = sum(done.get() for _ in started)
    took = time.perf_counter() - began
    for one in started:
        one.join()
    if sent != LETTERS:
        raise RuntimeError(f"{sent} letters of {LETTERS} were sent")
    return LETTERS / took


def run(work: Work, number: int, workers: int, line: Barrier, done: Any) -> None:
    """One worker, in a process of its own."""
    line.wait()
    done.put(work(number, workers))


def drain(_number: int, _workers: int) -> int:
    """What a worker does with whatever is due."""
    from notifications import delivery

    sent = 0
    while now := delivery.deliver_waiting():
        sent += now
    return sent


def send(messages: list[Contents], port: int) -> int:
    """Draws, builds and sends them over one connection, with the library alone."""
    from games.letters import pictures

    with smtplib.SMTP("127.0.0.1", port) as line:
        for one in messages:
            message = EmailMessage()
            for name, value in one.headers.items():
                message[name] = value
            message.set_content(one.text)
            message.add_alternative(one.html, subtype="html")
            body: Any = message.get_body(("html",))
            body.add_related(pictures.pixels(one.svg), "image", "png", cid=one.content_id)
            line.send_message(message)
    return len(messages)


if __name__ == "__main__":
    main()
