"""Blocks: who wants nothing to do with another."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts import selectors
from accounts.models import Block, Player
from accounts.services import blocks
from accounts.services.errors import Gone, NotAllowed
from tests.factories import BlockFactory
from tests.games.visits import of, page

pytestmark = pytest.mark.django_db


def test_a_block_keeps_both_apart(alice: Player, bob: Player, charlie: Player) -> None:
    BlockFactory.create(player=alice, other=bob)
    assert selectors.are_apart(alice, bob)
    assert selectors.are_apart(bob, alice)
    assert not selectors.are_apart(alice, charlie)
    assert not selectors.are_apart(bob, charlie)


def test_blocking_twice_is_one_block(alice: Player, bob: Player) -> None:
    assert blocks.block(player=alice, other=bob) == blocks.block(player=alice, other=bob)
    assert Block.objects.count() == 1


def test_my_unblocking_leaves_the_block_of_the_other(alice: Player, bob: Player) -> None:
    BlockFactory.create(player=alice, other=bob)
    BlockFactory.create(player=bob, other=alice)
    blocks.unblock(player=alice, other=bob)
    blocks.unblock(player=alice, other=bob)
    assert selectors.are_apart(alice, bob)
    blocks.unblock(player=bob, other=alice)
    assert not selectors.are_apart(alice, bob)


def test_nobody_blocks_himself(alice: Player) -> None:
    with pytest.raises(NotAllowed):
        blocks.block(player=alice, other=alice)


def test_who_is_gone_cannot_be_blocked(alice: Player, bob: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(erased_at=bob.date_joined)
    with pytest.raises(Gone):
        blocks.block(player=alice, other=bob)


def test_I_block_on_the_page_of_a_player_and_find_him_in_my_list(alice: Player, bob: Player) -> None:
    mine = of(alice)
    answer = mine.post(reverse("games:block", args=[bob.pk]), follow=True).content.decode()
    assert "You blocked Bob." in answer
    assert ">Unblock<" in answer
    assert "opponent=Bob" not in answer, "no challenge is offered"
    assert "Bob" in mine.get(reverse("accounts:blocks")).content.decode()
    answer = mine.post(reverse("games:unblock", args=[bob.pk]), follow=True).content.decode()
    assert "You no longer block Bob." in answer
    assert "You block nobody." in mine.get(reverse("accounts:blocks")).content.decode()


def test_who_is_blocked_is_not_told(alice: Player, bob: Player) -> None:
    before = page(of(bob), "player", alice.pk)
    BlockFactory.create(player=alice, other=bob)
    assert "block" not in page(of(bob), "player", alice.pk).lower().replace(">block<", "").replace("/block/", "")
    assert ">Challenge<" in before
    assert "You block nobody." in of(bob).get(reverse("accounts:blocks")).content.decode()


def test_a_visitor_has_to_log_in_to_block(alice: Player) -> None:
    answer = Client().post(reverse("games:block", args=[alice.pk]))
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, reverse("account_login"))
    assert not Block.objects.exists()


def test_opening_the_address_of_a_button_changes_nothing(alice: Player, bob: Player) -> None:
    answer = of(alice).get(reverse("games:block", args=[bob.pk]))
    assert answer["Location"] == reverse("games:player", args=[bob.pk])
    assert not Block.objects.exists()


def test_blocking_oneself_on_the_page_is_refused_in_words(alice: Player) -> None:
    answer = of(alice).post(reverse("games:block", args=[alice.pk]), follow=True)
    assert "You cannot block yourself." in answer.content.decode()


def test_blocking_somebody_unknown_is_not_found(alice: Player) -> None:
    assert of(alice).post(reverse("games:block", args=[10**9])).status_code == 404
