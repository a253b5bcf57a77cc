"""Sign-ups that nobody confirmed: whoever proves an address owns it, and what strangers did with it before is void."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import hooks
from accounts.models import Player
from accounts.services import erasure
from accounts.services.unconfirmed import FORGOTTEN_AFTER, forget_unconfirmed, free
from accounts.tasks import forget_unconfirmed as forget_unconfirmed_task
from games.models import Invitation
from notifications.models import Letter
from tests.accounts.post import delivered, link, text
from tests.accounts.visitors import logged_in, proves_it_is_me, somebody
from tests.factories import PASSWORD, ChallengeFactory, EmailAddressFactory, PlayerFactory, ReportFactory

pytestmark = pytest.mark.django_db

VICTIM = "victim@example.org"


def signs_up(address: str, name: str, client: Client | None = None) -> Client:
    client = client or Client()
    form = {"email": address, "display_name": name, "password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_signup"), form)
    return client


def logs_in_by_code(address: str, client: Client | None = None) -> Client:
    client = client or Client()
    client.post(reverse("account_request_login_code"), {"email": address})
    lines = text(delivered(address)[-1]).split()
    code = next(line for line in lines if len(line) == 9 and line[4] == "-")
    client.post(reverse("account_confirm_login_code"), {"code": code})
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("games:mine")).status_code == 200


def addresses(client: Client, action: str, address: str) -> Any:
    return client.post(reverse("account_email"), {f"action_{action}": "", "email": address})


def test_a_code_gives_the_account_to_the_owner_of_the_address_and_voids_the_password_of_the_stranger_who_signed_up() -> None:
    signs_up(VICTIM, "Squatter")
    victim = logs_in_by_code(VICTIM)
    assert "Choose your own password" in victim.get(reverse("games:mine")).content.decode()
    player = Player.objects.get(email=VICTIM)
    assert not player.has_usable_password()
    assert not is_in(logged_in(player))


def test_the_higher_apps_hear_that_a_strangers_password_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Player] = []

    class Games:
        def credentials_changed(self, player: Player) -> None:
            told.append(player)

    monkeypatch.setattr(hooks, "_concerned", {"games": Games()})
    signs_up(VICTIM, "Squatter")
    logs_in_by_code(VICTIM)
    assert told == [Player.objects.get(email=VICTIM)]


def test_whoever_signed_up_in_the_same_browser_keeps_the_password_when_a_code_confirms_the_address() -> None:
    desk = signs_up("zoe@example.org", "Zoë")
    assert is_in(logs_in_by_code("zoe@example.org", desk))
    assert is_in(logged_in(Player.objects.get(email="zoe@example.org")))


def test_a_code_takes_nothing_from_somebody_who_logged_in_before() -> None:
    bob = somebody("Bob")
    logged_in(bob)
    assert is_in(logs_in_by_code(bob.email))
    assert is_in(logged_in(bob))


def test_whoever_signs_up_at_the_desk_and_confirms_on_the_telephone_keeps_the_password() -> None:
    signs_up("zoe@example.org", "Zoë")
    [letter] = delivered("zoe@example.org")
    assert "whoever signed up with it can log in" in text(letter), "the letter says what the button does"
    Client().post(link(letter))
    assert is_in(logged_in(Player.objects.get(email="zoe@example.org")))


def test_a_confirmed_address_is_freed_from_the_sign_ups_that_held_it_and_becomes_the_primary_one() -> None:
    bob = somebody("Bob")
    signs_up("bob3@example.org", "Squatter")
    with time_machine.travel(timezone.now() + timedelta(minutes=5)):
        here = logged_in(bob)
        proves_it_is_me(here)
        addresses(here, "add", "bob3@example.org")
        here.post(link(delivered("bob3@example.org")[-1]))
    assert not Player.objects.filter(display_name="Squatter").exists()
    here = logged_in(bob)
    proves_it_is_me(here)
    addresses(here, "primary", "bob3@example.org")
    bob.refresh_from_db()
    assert bob.email == "bob3@example.org"
    assert EmailAddress.objects.get(primary=True).email == "bob3@example.org"


def test_an_address_that_cannot_become_the_primary_one_changes_nothing_and_the_page_says_why() -> None:
    bob = somebody("Bob")
    PlayerFactory.create(email="root@example.org", display_name="Root", is_superuser=True)
    EmailAddressFactory.create(user=bob, email="root@example.org", primary=False)
    here = logged_in(bob)
    proves_it_is_me(here)
    answer = addresses(here, "primary", "root@example.org")
    assert "belongs to another account" in here.get(answer.headers["location"]).content.decode()
    bob.refresh_from_db()
    assert bob.email == "bob@example.org"
    assert EmailAddress.objects.get(user=bob, primary=True).email == "bob@example.org"
    assert is_in(here)
    assert delivered("bob@example.org") == []


def test_freeing_an_address_takes_it_from_nobody_who_ever_confirmed_one() -> None:
    bob = somebody("Bob")
    alice = somebody("Alice")
    EmailAddressFactory.create(user=alice, email="bob@example.org", primary=False, verified=False)
    administrator = PlayerFactory.create(email="root@example.org", is_superuser=True)
    EmailAddressFactory.create(user=administrator, verified=False)
    for address in ("bob@example.org", "root@example.org"):
        free(address, owner=bob)
    assert Player.objects.count() == 3


def test_a_sign_up_that_somebody_reported_is_emptied_where_it_cannot_be_deleted(alice: Player, bob: Player) -> None:
    signs_up(VICTIM, "Squatter")
    squatter = Player.objects.get(email=VICTIM)
    ReportFactory.create(reporter=alice, reported=squatter)
    free(VICTIM, owner=bob)
    squatter.refresh_from_db()
    assert squatter.name == "a former player"
    assert not Player.objects.filter(email=VICTIM).exists()
    assert not EmailAddress.objects.filter(email=VICTIM).exists()


def test_sign_ups_that_nobody_confirms_within_a_week_are_forgotten_and_their_names_are_free_again() -> None:
    somebody("Bob")
    PlayerFactory.create(display_name="Made by the command line")
    signs_up(VICTIM, "Squatter")
    now = timezone.now()
    assert forget_unconfirmed(now) == 0
    with time_machine.travel(now + FORGOTTEN_AFTER + timedelta(minutes=1), tick=False):
        signs_up("late@example.org", "Late")
        forget_unconfirmed_task()
    assert set(Player.objects.values_list("display_name", flat=True)) == {"Bob", "Made by the command line", "Late"}
    assert forget_unconfirmed(now + FORGOTTEN_AFTER) == 0
    schedule = settings.CELERY_BEAT_SCHEDULE["accounts.forget_unconfirmed"]
    assert (schedule["task"], schedule["schedule"]) == (forget_unconfirmed_task.name, 3600.0)


def test_S11_erasure_leaves_the_post_of_others_alone_whose_addresses_the_leaver_only_typed(alice: Player, bob: Player) -> None:
    mallory = somebody("Mallory")
    EmailAddressFactory.create(user=alice)
    for address in (alice.email, "stranger@example.org"):
        EmailAddressFactory.create(user=mallory, email=address, primary=False, verified=False)
    ChallengeFactory.create(challenger=bob, address="stranger@example.org")
    Client().post(reverse("account_reset_password"), {"email": alice.email})
    hers = Client()
    hers.post(reverse("account_request_login_code"), {"email": alice.email})
    erasure.ask_erasure(player=mallory)
    assert erasure.erase(player_id=mallory.pk)
    assert [letter.state for letter in Letter.objects.filter(address=alice.email)] == [Letter.State.QUEUED] * 2
    assert Invitation.objects.get().address == "stranger@example.org"
    code = next(line for line in text(delivered(alice.email)[-1]).split() if len(line) == 9 and line[4] == "-")
    hers.post(reverse("account_confirm_login_code"), {"code": code})
    assert is_in(hers), "her login goes on"
    assert not EmailAddress.objects.filter(user=mallory).exists()
