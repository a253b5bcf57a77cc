"""Processes that race: `python -m tests.games.racer READS:WRITES ...`, one for each pair of open files.

Each reads one act a line, waits for its instant, acts, tells what came.

A line is JSON: {"do": "move" | "run_out" | "accept" | ..., "at": instant of the monotonic clock, ...arguments}.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from datetime import datetime, timedelta
from itertools import chain
from time import monotonic, sleep
from typing import Any

import django


def main(*pairs: str) -> None:
    """Loads the program once, and acts in as many processes as there are pairs."""
    django.setup()
    *others, (reads, writes) = [tuple(map(int, pair.split(":"))) for pair in pairs]
    for other in others:
        if os.fork() == 0:
            _act(*other)
            return
    for file in chain(*others):
        os.close(file)
    _act(reads, writes)
    for _ in others:
        os.wait()


def _act(reads: int, writes: int) -> None:
    """Acts until its input ends."""
    from django.db import connection

    connection.ensure_connection()
    with os.fdopen(reads) as orders, os.fdopen(writes, "w", buffering=1) as answers:
        print("ready", file=answers)
        for line in orders:
            act = json.loads(line)
            sleep(max(0.0, act.pop("at") - monotonic()))
            print(_told(act), file=answers)


def _told(act: dict[str, Any]) -> str:
    from django.utils import timezone

    from accounts.models import Player
    from accounts.services import erasure, errors
    from games.rules.position import MoveRefused
    from games.services import (
        adjudicate,
        analysis,
        challenge,
        engine,
        expiry,
        guests,
        invitation,
        moves,
        proposals,
        reflection,
        room,
    )
    from games.services.errors import Refused
    from games.services.terms import Terms
    from notifications import delivery, outbox

    try:
        match act.pop("do"):
            case "move":
                moves.play_move(**{"via": "web", **act})
            case "move and die":
                # Everything is written, nothing is committed.
                outbox.post = lambda **_: os.kill(os.getpid(), signal.SIGKILL)
                moves.play_move(via="web", **act)
            case "resign":
                moves.resign(via="web", **act)
            case "adjudicate":
                adjudicate.adjudicate(by=Player.objects.get(pk=act.pop("by")), reason="Because.", **act)
            case "pause":
                adjudicate.pause_games(player=Player.objects.get(pk=act["player"]))
            case "propose":
                proposals.propose(via="web", **act)
            case "agree":
                proposals.agree(via="web", **act)
            case "run_out":
                if not reflection.run_out(game_id=act["game"], now=datetime.fromisoformat(act["now"])):
                    return "nothing"
            case "think":
                if not engine.act(game=act["game"], now=timezone.now, expired=lambda: lambda: False):
                    return "nothing"
            case "claim":
                if not guests.claim(player=Player.objects.get(pk=act["player"]), keys={act["game"]: act["key"]}):
                    return "nothing"
            case "analyse":
                analysis.ask(game=act["game"])
            case "think and die":
                vars(engine)["choose"] = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
                engine.act(game=act["game"], now=timezone.now, expired=lambda: lambda: False)
            case "work and die":
                vars(analysis)["analyse"] = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
                analysis.work(game=act["game"], now=timezone.now, left=lambda: 1.0)
            case "work":
                while not analysis.work(game=act["game"], now=timezone.now, left=lambda: 0.0):
                    sleep(0.01)
            case "accept":
                challenge.accept_challenge(challenge_id=act["challenge"], player=Player.objects.get(pk=act["player"]))
            case "begin":
                room.begin_early(challenge_id=act["challenge"], player=Player.objects.get(pk=act["player"]))
            case "take":
                invitation.accept_invitation(invitation_id=act["invitation"], player=Player.objects.get(pk=act["player"]))
            case "refuse":
                invitation.refuse_invitation(invitation_id=act["invitation"])
            case "withdraw":
                challenge.withdraw_challenge(challenge_id=act["challenge"], player=Player.objects.get(pk=act["player"]))
            case "expire":
                if not expiry.expire(datetime.fromisoformat(act["now"])):
                    return "nothing"
            case "invite":
                terms = Terms("mangala", timedelta(days=3), {})
                challenge.open_challenge(
                    challenger=Player.objects.get(pk=act["player"]), terms=terms, address=act["address"], key=act["key"]
                )
            case "rematch":
                challenge.offer_rematch(game_id=act["game"], player=Player.objects.get(pk=act["player"]))
            case "open":
                terms = Terms("mangala", timedelta(days=act["days"]), {})
                challenge.open_challenge(challenger=Player.objects.get(pk=act["player"]), terms=terms, key=act["key"])
            case "leave":
                erasure.ask_erasure(player=Player.objects.get(pk=act["player"]))
            case "erase":
                if not erasure.erase(player_id=act["player"]):
                    return "nothing"
            case "deliver":
                if not delivery.deliver(act["key"]):
                    return "nothing"
    except (Refused, MoveRefused, errors.Refused) as refused:
        return type(refused).__name__
    except Exception as problem:  # noqa: BLE001 - the test shall see what a user would get as a 500
        return f"broke: {problem!r}"
    return "done"


if __name__ == "__main__":
    main(*sys.argv[1:])
