"""Letters of challenges by name: who gets them, while what holds, and what they say."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services import blocks
from games.letters.challenges import ChallengeLetters
from games.models import Challenge
from games.rules.ruleset import AnyRuleset
from games.services import challenge as challenges
from notifications.models import Letter
from notifications.sources import Waiting
from tests.factories import ChallengeFactory, PlayerFactory, deserted
from tests.games.postbag import sent, text
from tests.games.visits import of

pytestmark = pytest.mark.django_db


def test_a_challenge_by_name_is_told_with_its_terms_and_a_link_to_its_page(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob, public=False)
    [letter] = sent()
    assert letter["To"] == bob.email
    assert letter["Subject"] == "Alice challenges you: Mangala"
    for kind in ("plain", "html"):
        said = text(letter, kind)
        for words in ("Bob, Alice challenges you to a game.", "3 days", "Only the players see the game", "stands until"):
            assert words in said
        assert f"http://localhost:8000/challenges/{made.pk}/" in said
        assert "alice@example.org" not in said


def test_the_link_of_a_challenge_by_name_leads_through_the_login_to_its_page(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    path = reverse("games:challenge", args=[made.pk])
    assert Client().get(path)["Location"] == f"{reverse('account_login')}?next={path}"
    shown = of(bob).get(path).content.decode()
    assert "Accept" in shown
    assert f'href="{reverse("games:player", args=[alice.pk])}"' in shown


def test_a_suspended_player_is_told_so_at_the_form(alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(suspended_at=timezone.now())
    form = {"option_end": "playout", "reflection": "86400", "begins": "lot", "public": "on", "key": "k", "opponent": ""}
    response = of(alice).post(reverse("games:challenge_new"), form)
    assert response.status_code == 403
    assert "suspended" in response.content.decode()


def test_an_open_challenge_is_told_to_nobody() -> None:
    ChallengeFactory.create()
    assert not Letter.objects.exists()


def test_each_reads_in_his_language_and_zone(alice: Player, bob: Player) -> None:
    bob.language, bob.time_zone = "ru", "Europe/Istanbul"
    bob.save()
    ChallengeFactory.create(challenger=alice, opponent=bob)
    [letter] = sent()
    assert '<div lang="ru">' in text(letter, "html")
    assert "+03" in text(letter)
    assert "<hr>" not in text(letter, "html")


@pytest.mark.parametrize("end", ["accept", "decline", "withdraw"])
def test_what_was_answered_before_the_letter_went_is_not_told_any_more(alice: Player, bob: Player, end: str) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    by = alice if end == "withdraw" else bob
    getattr(challenges, f"{end}_challenge")(challenge_id=made.pk, player=by)
    assert all("challenges you" not in letter["Subject"] for letter in sent())


def test_no_letter_from_a_blocked_or_suspended_challenger(alice: Player, bob: Player, charlie: Player) -> None:
    ChallengeFactory.create(challenger=alice, opponent=bob)
    ChallengeFactory.create(challenger=charlie, opponent=bob)
    blocks.block(player=bob, other=alice)
    Player.objects.filter(pk=charlie.pk).update(suspended_at=timezone.now())
    assert sent() == []


def test_F40_the_challenger_hears_once_who_declined(alice: Player, bob: Player) -> None:
    made = ChallengeFactory.create(challenger=alice, opponent=bob)
    sent()
    for _ in range(2):
        challenges.decline_challenge(challenge_id=made.pk, player=bob)
    [letter] = sent()
    assert letter["To"] == alice.email
    assert letter["Subject"] == "Your challenge was declined: Mangala"
    assert "Alice, your challenge was declined by Bob." in text(letter)


def test_a_rematch_is_told_to_the_others_and_its_refusal_to_who_offered_it(toy: AnyRuleset) -> None:
    players = PlayerFactory.create_batch(3)
    game = deserted(*players)
    sent()
    offered = challenges.offer_rematch(game_id=game.pk, player=players[2])
    assert {letter["To"] for letter in sent()} == {players[0].email, players[1].email}
    challenges.decline_challenge(challenge_id=offered.pk, player=players[0])
    assert not sent(), "two may still play"
    challenges.decline_challenge(challenge_id=offered.pk, player=players[1])
    [letter] = sent()
    assert letter["To"] == players[2].email
    assert f"declined by {players[1].name}" in text(letter)


def test_a_letter_about_nothing_is_not_wanted(alice: Player) -> None:
    for kind in ChallengeLetters.kinds:
        assert not ChallengeLetters().still_wanted(Waiting("key", kind, {"challenge": 0}, alice, timezone.now()))


@pytest.mark.parametrize("name", ["a\r\nBcc: all@example.org", "<img src=x>", "{{ 7|add:7 }}", "\u202elana", "%(who)s %s"])
def test_S5_a_hostile_name_is_inert(alice: Player, bob: Player, name: str) -> None:
    Player.objects.filter(pk=alice.pk).update(display_name=name)
    ChallengeFactory.create(challenger=Player.objects.get(pk=alice.pk), opponent=bob)
    ChallengeFactory.create(challenger=Player.objects.get(pk=alice.pk), address="dan@example.org")
    letters = sent()
    assert {letter["To"] for letter in letters} == {bob.email, "dan@example.org"}
    for letter in letters:
        assert letter["Bcc"] is None
        assert "<img" not in text(letter, "html")
        assert "\u202e" not in text(letter) + text(letter, "html")
        assert "14" not in text(letter).split("\n", 1)[0]
    assert Challenge.objects.count() == 2
