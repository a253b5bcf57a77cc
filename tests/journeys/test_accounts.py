"""A player sets up a passkey and logs in with it; no page of the account asks a browser for what its policy forbids."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.factories import PASSWORD
from tests.journeys.conftest import somebody
from tests.stack.whole import Stack

pytestmark = pytest.mark.browser

PAGES = [
    "settings/",
    "email/",
    "password/change/",
    "2fa/",
    "2fa/totp/activate/",
    "2fa/webauthn/add/",
    "2fa/webauthn/",
    "sessions/",
]


def test_a_player_logs_in_with_a_passkey_and_every_page_keeps_its_policy(browser: Browser, stack: Stack) -> None:
    with somebody(browser, stack, "Dora", width=360) as dora:
        page, broken = dora.page, list[str]()
        page.on("console", lambda said: broken.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: broken.append(str(error)))
        keys = page.context.new_cdp_session(page)
        keys.send("WebAuthn.enable")
        described = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
        keys.send("WebAuthn.addVirtualAuthenticator", {"options": {**described, "isUserVerified": True}})
        for path in ("login/", "signup/", "password/reset/", "login/code/"):
            dora.go(f"/accounts/{path}")
            dora.fits()

        dora.signs_up()
        dora.go("/accounts/2fa/webauthn/add/")
        page.get_by_label("Password").fill(PASSWORD)
        dora.press("Confirm")
        page.get_by_label("Use it as a passkey").check()
        dora.press("Add the key")
        page.wait_for_url("**/recovery-codes/**")
        for path in PAGES:
            dora.go(f"/accounts/{path}")
            dora.fits()

        dora.go("/accounts/logout/")
        dora.press("Log out")
        dora.go("/accounts/login/")
        dora.press("Log in with a passkey")
        page.wait_for_url("**/my/")
        dora.go("/mailbox/")
        page.get_by_role("link", name="security key").first.click()
        page.frame_locator("iframe.letter").get_by_text("Something was changed").wait_for()
        assert broken == []
