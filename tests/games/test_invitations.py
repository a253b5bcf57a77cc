"""Invitations: a challenge to whoever reads an e-mail address, and the letter that tells of it."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services import blocks
from games.models import Challenge, Invitation
from games.services import challenge as challenges
from games.services.errors import BadTerms, Gone, KeyReused
from games.services.terms import Terms
from notifications import addresses
from notifications.models import Letter
from tests.factories import ChallengeFactory, EmailAddressFactory, PlayerFactory
from tests.games.postbag import DAN, invite, link, path_in, sent, text
from tests.games.visits import body, of, page

pytestmark = pytest.mark.django_db

FORM = {"option_end": "playout", "reflection": "86400", "begins": "opponent", "public": "on"}


@pytest.fixture(autouse=True)
def _no_guesses_yet() -> None:
    cache.clear()


# -- making one ----------------------------------------------------------------------------------------------------------


def test_an_address_in_the_form_makes_an_invitation_and_owes_one_letter(alice: Player) -> None:
    client, form = of(alice), {**FORM, "key": "k", "opponent": " Dan@Example.org"}
    for _ in range(2):
        made = client.post(reverse("games:challenge_new"), form, follow=True)
    assert "Your invitation is on its way." in made.content.decode()
    assert DAN in made.content.decode()
    assert Invitation.objects.get().address == DAN
    [letter] = sent()
    assert letter["To"] == DAN


def test_the_form_comes_with_the_name_from_the_link(alice: Player) -> None:
    assert 'value="Bob &lt;3"' in page(of(alice), "challenge_new", opponent="Bob <3")


@pytest.mark.parametrize("address", ["alice@example.org", "ALICE@example.org", "other@example.org", "unproven@example.org"])
def test_nobody_invites_an_address_of_his_own(alice: Player, address: str) -> None:
    EmailAddressFactory.create(user=alice, email="other@example.org", primary=False)
    EmailAddressFactory.create(user=alice, email="unproven@example.org", primary=False, verified=False)
    with pytest.raises(BadTerms, match="yourself"):
        invite(alice, address)
    assert not Challenge.objects.exists()


def test_an_address_is_invited_once_at_a_time_by_one_challenger(alice: Player, bob: Player) -> None:
    first = invite(alice)
    with pytest.raises(BadTerms, match="already"):
        invite(alice, "DAN@example.org")
    invite(alice, "eve@example.org")
    invite(bob)
    challenges.withdraw_challenge(challenge_id=first.pk, player=alice)
    invite(alice)


def test_an_invitation_is_for_a_game_of_two(alice: Player, toy: object) -> None:
    with pytest.raises(BadTerms):
        ChallengeFactory.create(challenger=alice, address=DAN, ruleset="toy", seats=3)


def test_the_same_key_with_another_address_is_refused(alice: Player) -> None:
    terms = Terms("mangala", timedelta(days=1), {})
    made = {challenges.open_challenge(challenger=alice, terms=terms, address=DAN, key="k").pk for _ in range(2)}
    assert len(made) == 1
    with pytest.raises(KeyReused):
        challenges.open_challenge(challenger=alice, terms=terms, address="eve@example.org", key="k")
    with pytest.raises(KeyReused):
        challenges.open_challenge(challenger=alice, terms=terms, key="k")


def test_too_many_invitations_are_told_politely_and_the_form_keeps_what_was_written(alice: Player) -> None:
    client = of(alice)
    for number in range(11):
        form = {**FORM, "key": uuid4().hex, "opponent": f"friend{number}@example.org"}
        response = client.post(reverse("games:challenge_new"), form)
    assert response.status_code == 429
    assert "Please wait a little" in response.content.decode()
    assert "friend10@example.org" in response.content.decode()
    assert Invitation.objects.count() == 10


def test_S6_players_strangers_and_those_who_refused_make_no_difference_to_the_challenger(alice: Player, bob: Player) -> None:
    EmailAddressFactory.create(user=bob)
    addresses.refuse("refused@example.org")
    blocks.block(player=PlayerFactory.create(email="apart@example.org"), other=alice)
    told = set()
    for address in (DAN, bob.email, "refused@example.org", "apart@example.org"):
        form = {**FORM, "key": uuid4().hex, "opponent": address}
        response = of(alice).post(reverse("games:challenge_new"), form, follow=True)
        page_told = body(response).replace(address, "")
        told.add(
            (response.status_code, re.sub(r"/challenges/\d+/|[0-9:]+ \(UTC\)|value=\"\w{64}\"|data-etag=\S+", "", page_told))
        )
    assert len(told) == 1


def test_my_games_show_whom_i_invited_and_to_nobody_else(alice: Player, bob: Player) -> None:
    made = invite(alice)
    assert DAN in page(of(alice), "mine")
    assert DAN in page(of(alice), "challenge", made.pk)
    page(of(bob), "challenge", made.pk, status=404)
    for client in (Client(), of(bob)):
        assert DAN not in page(client, "challenges") + page(client, "home")
    with pytest.raises(Gone):
        challenges.accept_challenge(challenge_id=made.pk, player=bob)
    with pytest.raises(Gone):
        challenges.decline_challenge(challenge_id=made.pk, player=bob)


# -- the letter ----------------------------------------------------------------------------------------------------------


def test_the_letter_tells_who_invites_to_what_and_how_long_and_holds_one_link_and_no_address(alice: Player) -> None:
    alice.display_name = "Alice <script>"
    Player.objects.filter(pk=alice.pk).update(display_name=alice.display_name)
    with time_machine.travel("2026-12-01T12:00:00Z", tick=False):
        invite(alice)
        [letter] = sent()
    for kind in ("plain", "html"):
        said = " ".join(text(letter, kind).split())
        assert said.count("http://") == 1
        assert "alice@example.org" not in said
        assert "<script>" not in text(letter, "html")
        for words in ("Mangala", "15 December 2026, 12:00 (UTC)", "3 days", "refuses invitations to this address for good"):
            assert words in said
    assert "Alice <script> invites you to a game" in letter["Subject"]


def test_a_stranger_reads_the_challengers_language_and_english(alice: Player) -> None:
    alice.language = "tr"
    alice.save()
    invite(alice)
    [letter] = sent()
    html = text(letter, "html")
    assert html.index('<div lang="tr">') < html.index('<div lang="en">')
    assert text(letter).count("-" * 40) == 1
    assert len({path_in(letter)}) == 1


@pytest.mark.parametrize("proven", [True, False])
def test_a_player_reads_his_own_language_at_an_address_that_he_has_proved(alice: Player, bob: Player, proven: bool) -> None:
    bob.language = "ru"
    bob.save()
    EmailAddressFactory.create(user=bob, verified=proven)
    invite(alice, bob.email)
    [letter] = sent()
    assert ('<div lang="ru">' in text(letter, "html")) is proven


def test_only_the_hash_of_the_token_is_kept_and_only_the_newest_letter_counts(alice: Player) -> None:
    first = link(alice)
    token = first.split("/")[2]
    assert re.fullmatch(r"[0-9a-f]{40}", token)
    kept = Invitation.objects.get()
    assert token not in (kept.token_digest, *Letter.objects.values_list("key", flat=True))
    assert bytes(Letter.objects.get().mime) == b""
    second = Invitation.objects.all().mint(kept.pk)
    assert Client().get(first).status_code == 404
    assert Client().get(reverse("games:invitation", args=[second.upper()])).status_code == 200


def test_no_letter_goes_to_who_refused_or_to_who_blocked_the_challenger_or_of_a_suspended_one(
    alice: Player, bob: Player, charlie: Player
) -> None:
    addresses.refuse("Refused@example.org")
    EmailAddressFactory.create(user=bob)
    blocks.block(player=bob, other=alice)
    invite(alice, "refused@example.org")
    invite(alice, bob.email)
    invite(charlie)
    Player.objects.filter(pk=charlie.pk).update(suspended_at=timezone.now())
    assert sent() == []
    assert set(Letter.objects.values_list("state", flat=True)) == {"dropped"}
