"""Letters of games: to whom, when, and what they say."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from django.core import mail

from accounts.models import Player
from games.rules.ruleset import AnyRuleset
from games.services import moves
from notifications import delivery
from notifications.models import Letter
from tests.factories import GameFactory, PlayerFactory, play

pytestmark = pytest.mark.django_db


def sent() -> list[EmailMessage]:
    """The letters that went out just now."""
    mail.outbox.clear()
    delivery.deliver_waiting()
    return [message_from_bytes(one.message().as_bytes(), policy=policy.default) for one in mail.outbox]


def text(message: EmailMessage, kind: str = "plain") -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def test_only_the_player_to_move_gets_a_letter_and_only_for_the_present_turn(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob], plies="4-6")
    [letter] = sent()
    assert letter["To"] == bob.email
    assert sorted(Letter.objects.values_list("state", flat=True)) == ["dropped", "sent"]


def test_an_extra_ply_makes_no_letter_and_voids_the_one_for_its_turn(alice: Player, bob: Player) -> None:
    GameFactory.create(players=[alice, bob], plies="4")
    assert sent() == []


def test_it_tells_what_was_played_shows_the_board_the_deadline_and_a_link(alice: Player, bob: Player) -> None:
    bob.time_zone = "Europe/Istanbul"
    bob.save()
    game = GameFactory.create(players=[alice, bob], plies="4-6")
    [letter] = sent()
    for kind in ("plain", "html"):
        said = text(letter, kind)
        for words in (
            "Alice played 4-6.",
            "South moves again.",
            "North, pits 1 to 6: 5, 5, 5, 4, 4, 4",
            "+03",
            "UTC",
            f"/games/{game.pk}/",
        ):
            assert words in said
    assert "S  2  |                         |  N  0" in text(letter)


def test_all_letters_of_a_game_are_one_thread(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob])
    first = sent()
    play(game, "1")
    play(game, "1")
    second = sent()
    assert first[0]["Subject"] == second[0]["Subject"] == f"Mangala no. {game.pk} against Bob"
    assert first[0]["References"] == second[0]["References"]
    assert first[0]["Message-ID"] != second[0]["Message-ID"]
    assert second[0]["Auto-Submitted"] == "auto-generated"


def test_D2_both_are_told_the_end_once(alice: Player, bob: Player) -> None:
    game = GameFactory.create(players=[alice, bob], plies="1 1")
    sent()
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    told = sent()
    assert {letter["To"] for letter in told} == {alice.email, bob.email}
    assert all("Bob won (resignation)." in text(letter) for letter in told)
    assert sent() == []


def test_each_reads_in_his_language(alice: Player, bob: Player) -> None:
    for player, language in ((alice, "ru"), (bob, "tr")):
        player.language = language
        player.save()
    game = GameFactory.create(players=[alice, bob])
    [russian] = sent()
    play(game, "1")
    [turkish] = sent()
    assert "ваш ход" in text(russian)
    assert "sıra sizde" in text(turkish)


HOSTILE = ["a\r\nBcc: x@y.z", "<script>1</script>", "{{ 7|add:7 }}", '"Q", <b@c>', "a\u202eb", "a\u2028b", "%(who)s", "Ömer Ёж"]


@pytest.mark.parametrize("name", HOSTILE)
def test_S5_a_hostile_name_is_inert_and_the_letter_goes_out(bob: Player, name: str) -> None:
    rogue = PlayerFactory.create(display_name=name)
    GameFactory.create(players=[rogue, bob], plies="4-6")
    [letter] = sent()
    assert letter["Bcc"] is None
    assert letter["To"] == bob.email
    assert "<script>" not in text(letter, "html")


def test_N25_a_letter_of_a_hidden_game_tells_nothing_of_other_hands(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(4)
    game = GameFactory.create(players=players, ruleset="toy")
    game.refresh_from_db()
    position: dict[str, Any] = game.position
    play(game, f"offer {position['hands'][0][0]}")
    play(game, "refuse")
    [letter] = sent()
    assert letter["To"] == players[1].email
    assert "offer" not in text(letter)
    hand = ", ".join(map(str, position["hands"][1]))
    assert f"Your cards: {hand}." in text(letter)
