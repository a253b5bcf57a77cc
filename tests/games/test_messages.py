"""Messages: what I write to the others with a move or alone, who reads it, and that it goes with me."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from accounts.services import erasure, suspension
from accounts.services.blocks import unblock
from games.models import Game, LogEntry, Message
from games.rules.position import IllegalMove
from games.rules.ruleset import AnyRuleset
from games.selectors import words_of
from games.services import messages, moves
from games.services.errors import KeyReused, NotAllowed, Refused, StalePosition
from tests.factories import BlockFactory, GameFactory, MessageFactory, ModeratorFactory, PlayerFactory, play
from tests.games.postbag import sent, text
from tests.games.visits import of, page, press

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Player, bob: Player) -> Game:
    made: Game = GameFactory.create(players=[alice, bob])
    return made


def move(game: Game, move: str, message: str, **change: Any) -> Any:
    """The seat to move plays with a message."""
    game.refresh_from_db()
    given = {"seat": game.to_move, "position_number": game.position_number, "via": "web", "key": f"{move}{game.head}", **change}
    return moves.play_move(game=game.pk, text=move, message=message, **given)


def texts(reader: Player, game: Game) -> list[str]:
    words = words_of(game.pk, reader)
    assert words is not None
    return [one.text for one in words.said]


def test_I_write_with_a_move_and_my_opponent_reads_it_under_the_log(game: Game, alice: Player, bob: Player) -> None:
    assert 'name="message"' in page(of(alice), "game", game.pk, move="1"), "the confirm form asks"
    press(of(alice), "move", game, move="1", message="Good luck,\r\nBob!")
    assert "Good luck,<br>Bob!" in page(of(bob), "game", game.pk)
    kept = Message.objects.get()
    entry = LogEntry.objects.filter(game=game).latest("number")
    assert entry.number == kept.entry
    assert (entry.kind, entry.seat, entry.at) == ("move", 0, kept.at)


def test_I_write_without_a_move_whosever_turn_it_is_and_after_the_end(game: Game, alice: Player, bob: Player) -> None:
    assert "Your message is sent." in press(of(bob), "say", game, message="Hello")
    moves.resign(game=game.pk, seat=0, via="web", key="r")
    press(of(bob), "say", game, message="Thank you for the game")
    assert texts(alice, game) == ["Hello", "Thank you for the game"]
    assert list(Message.objects.values_list("entry", flat=True)) == [None, None]


def test_a_message_goes_only_with_a_move_that_is_played(game: Game) -> None:
    with pytest.raises(IllegalMove):
        move(game, "1-2", "so there")
    with pytest.raises(StalePosition):
        move(game, "1", "so there", position_number=1)
    assert not Message.objects.exists()


def test_a_move_goes_only_with_a_message_that_may_be_sent(game: Game, alice: Player) -> None:
    said = press(of(alice), "move", game, status=400, move="1", message="x" * 1001)
    assert "A message has at most 1000 characters." in said
    assert "x" * 1001 in said, "what I wrote is not lost"
    game.refresh_from_db()
    assert game.plies == 0


def test_the_same_form_again_says_it_once_and_with_another_text_is_refused(game: Game) -> None:
    number = game.position_number
    for _ in range(2):
        move(game, "1", "Hello", seat=0, position_number=number, key="k")
    with pytest.raises(KeyReused):
        move(game, "1", "Good bye", seat=0, position_number=number, key="k")
    for _ in range(2):
        messages.say(game=game.pk, seat=0, text="Again", key="s")
    assert list(Message.objects.values_list("text", flat=True)) == ["Hello", "Again"]


def test_the_same_move_from_a_second_tab_brings_only_what_is_new(game: Game) -> None:
    number = game.position_number
    for key, message in (("a", "Hello"), ("b", "Hello"), ("c", "Ah, and thank you"), ("d", "")):
        move(game, "1", message, seat=0, position_number=number, key=key)
    assert list(Message.objects.values_list("text", flat=True)) == ["Hello", "Ah, and thank you"]


@pytest.mark.parametrize("nothing", ["", "  \n ", "\u200b\u200b", "\x00\x07", "\u202e"])
def test_a_message_that_nobody_sees_is_none(game: Game, alice: Player, nothing: str) -> None:
    with pytest.raises(Refused, match="Write something first"):
        messages.say(game=game.pk, seat=0, text=nothing, key="k")
    assert "Write something first." in press(of(alice), "say", game, status=400, message=nothing)
    move(game, "1", nothing)
    assert not Message.objects.exists()


def test_a_text_is_kept_plain(game: Game, alice: Player) -> None:
    MessageFactory.create(game=game, text="a\r\nb\u2028c\x00\x1b[31m\n\n\n\n\u202ed\ud800")
    assert texts(alice, game) == ["a\nb\nc[31m\n\nd"]


def test_a_thousand_characters_fit_however_their_lines_end(game: Game, alice: Player) -> None:
    press(of(alice), "say", game, message="\r\n".join(["x"] * 500) + "y")
    assert len(texts(alice, game)[0]) == 1000


def test_spectators_and_visitors_read_nothing_and_write_nothing(game: Game, charlie: Player) -> None:
    MessageFactory.create(game=game, text="Between us")
    for client in (of(charlie), Client()):
        seen = page(client, "game", game.pk)
        assert "Between us" not in seen
        assert reverse("games:say", args=[game.pk]) not in seen
    assert words_of(game.pk, charlie) is None
    press(of(charlie), "say", game, status=404, message="Hello")
    assert "Log in" in press(Client(), "say", game, message="Hello")
    assert Message.objects.count() == 1


def test_of_a_table_with_hidden_things_all_players_read_messages_and_nobody_else(toy: AnyRuleset, charlie: Player) -> None:
    players = PlayerFactory.create_batch(3)
    game = GameFactory.create(players=players, ruleset="toy")
    MessageFactory.create(game=game, text="Good luck to all")
    assert [texts(player, game) for player in players] == [["Good luck to all"]] * 3
    assert "Good luck to all" not in page(of(charlie), "game", game.pk)


def test_S5_markup_and_links_in_a_message_are_inert_on_the_page_and_in_letters(game: Game, bob: Player) -> None:
    sent()
    nasty = "<script>alert(1)</script> {{ page.pk }} {% now %} <a href='http://evil.example'>http://evil.example/x</a> %(who)s"
    move(game, "1", nasty)
    [letter] = [one for one in sent() if one["To"] == bob.email]
    seen = page(of(bob), "game", game.pk)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ page.pk }} {% now %} &lt;a href=" in seen
    assert 'href="http' not in seen
    for kind in ("plain", "html"):
        assert "http://evil" not in text(letter, kind)
        assert "evil.example" not in text(letter, kind)
        assert "{{ page. pk }}" in text(letter, kind).replace("\n> ", " ")
    assert "<script" not in text(letter, "html")


def test_a_message_cannot_pass_for_a_line_of_the_letter(game: Game, bob: Player) -> None:
    sent()
    move(game, "1", "Thanks.\n\nTo move, open the game:\nhere")
    [letter] = [one for one in sent() if one["To"] == bob.email]
    assert "Alice writes:\n> Thanks.\n> \n> To move, open the game:\n> here\n" in text(letter)


def test_the_next_letter_brings_what_was_written_since_the_last_one(game: Game, alice: Player, bob: Player) -> None:
    with time_machine.travel("2026-12-01T12:00Z", tick=False) as clock:

        def later() -> None:
            clock.shift(timedelta(minutes=1))

        game = GameFactory.create(players=[alice, bob])
        sent()
        later()
        move(game, "1", "one")
        [letter] = sent()
        assert "> one" in text(letter)
        later()
        MessageFactory.create(game=game, text="two, while it is your turn")
        MessageFactory.create(game=game, seat=1, text="mine")
        assert sent() == [], "a message alone sends no letter"
        later()
        play(game, "2")
        [letter] = sent()
        assert "> mine" in text(letter)
        later()
        move(game, "2", "three")
        [letter] = sent()
        said = text(letter)
        assert "> two, while it is your turn" in said
        assert "> three" in said
        assert "> one" not in said
        assert "> mine" not in said


def test_a_letter_quotes_the_latest_ten_and_counts_the_rest(game: Game, bob: Player) -> None:
    sent()
    for number in range(12):
        MessageFactory.create(game=game, text=f"message {number}.")
    play(game, "1")
    [letter] = [one for one in sent() if one["To"] == bob.email]
    assert "2 earlier messages are on the page of the game." in text(letter)
    assert "> message 1." not in text(letter)
    assert "> message 2." in text(letter)


def test_whom_a_block_keeps_apart_do_not_write_to_each_other(game: Game, alice: Player, bob: Player) -> None:
    MessageFactory.create(game=game, text="Cabbage!")
    BlockFactory.create(player=bob, other=alice)
    for player in (alice, bob):
        assert reverse("games:say", args=[game.pk]) not in page(of(player), "game", game.pk)
        assert "You cannot write to each other" in press(of(player), "say", game, status=403, message="Hello")
    assert "Cabbage!" not in page(of(bob), "game", game.pk)
    said = press(of(alice), "move", game, status=403, move="1", message="Hello")
    assert "You cannot write to each other in this game." in said
    press(of(alice), "move", game, move="1")
    unblock(player=bob, other=alice)
    assert "Cabbage!" in page(of(bob), "game", game.pk)


def test_at_a_larger_table_only_those_two_do_not_hear_each_other(toy: AnyRuleset, alice: Player, bob: Player) -> None:
    charlie = PlayerFactory.create()
    game = GameFactory.create(players=[alice, bob, charlie], ruleset="toy")
    BlockFactory.create(player=bob, other=alice)
    MessageFactory.create(game=game, text="Hello all")
    assert [texts(player, game) for player in (alice, bob, charlie)] == [["Hello all"], [], ["Hello all"]]
    sent()
    play(game, "pass")
    assert "Hello all" not in "".join(text(letter) for letter in sent() if letter["To"] == bob.email)


@pytest.mark.django_db(transaction=True)
def test_who_is_suspended_neither_writes_nor_is_written_to(game: Game, alice: Player, bob: Player) -> None:
    suspension.suspend(player_id=alice.pk, by=ModeratorFactory.create(), reason="insults")
    alice.refresh_from_db()
    for player in (alice, bob):
        assert reverse("games:say", args=[game.pk]) not in page(of(player), "game", game.pk)
    with pytest.raises(NotAllowed, match="suspended"):
        messages.say(game=game.pk, seat=0, text="Hello", key="a")
    with pytest.raises(NotAllowed, match="cannot write to each other"):
        messages.say(game=game.pk, seat=1, text="Hello", key="b")


@pytest.mark.django_db(transaction=True)
def test_S11_my_messages_go_with_me_and_my_name_goes_out_of_those_of_others(game: Game, alice: Player, bob: Player) -> None:
    MessageFactory.create(game=game, text="I am Alice from Izmir")
    MessageFactory.create(game=game, seat=1, text="Hello Alice, nice to meet you")
    erasure.ask_erasure(player=alice)
    erasure.erase(player_id=alice.pk)
    assert [one.text for one in Message.objects.order_by("pk")] == ["", "Hello …, nice to meet you"]
    seen = page(of(bob), "game", game.pk)
    assert "Izmir" not in seen
    assert "Hello …, nice" in seen


def test_I_report_a_message_with_its_text(game: Game, alice: Player, bob: Player) -> None:
    said = MessageFactory.create(game=game, text="Cabbage!\nTwice!")
    link = f"{reverse('games:report_game', args=[game.pk])}?message={said.pk}"
    assert link in page(of(bob), "game", game.pk)
    assert link not in page(of(alice), "game", game.pk), "not one's own"
    form = of(bob).get(link).content.decode()
    assert "&gt; Cabbage!\n&gt; Twice!" in form
    assert 'value="conduct" required id="id_about_2" checked' in form


@pytest.mark.parametrize("number", ["0", "x", "9" * 30, "-1", "²"])
def test_a_report_of_a_message_that_is_not_there_quotes_nothing(game: Game, bob: Player, number: str) -> None:
    said = of(bob).get(reverse("games:report_game", args=[game.pk]), {"message": number})
    assert said.status_code == 200
    assert "&gt;" not in said.content.decode()


def test_nobody_quotes_a_message_of_another_table(game: Game, charlie: Player) -> None:
    said = MessageFactory.create(game=game, text="Between us")
    seen = of(charlie).get(reverse("games:report_game", args=[game.pk]), {"message": said.pk})
    assert "Between us" not in seen.content.decode()


def test_too_many_messages_wait_and_the_move_that_one_came_with_is_not_played(game: Game, alice: Player, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "message": "1/h/user"}
    client = of(alice)
    press(client, "say", game, message="one")
    said = press(client, "move", game, status=429, move="1", message="two")
    assert "You have written many messages." in said
    assert ">two</textarea>" in said
    press(client, "move", game, move="1")
    assert Message.objects.count() == 1


def test_a_get_leads_to_the_page(game: Game, alice: Player) -> None:
    for name in ("say", "note"):
        assert of(alice).get(reverse(f"games:{name}", args=[game.pk]))["Location"] == reverse("games:game", args=[game.pk])


def test_a_form_without_its_key_is_refused(game: Game, alice: Player) -> None:
    press(of(alice), "say", game, status=400, message="Hello", key="")
    assert not Message.objects.exists()
