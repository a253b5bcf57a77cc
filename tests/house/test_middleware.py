"""Requests that no browser sends."""

from __future__ import annotations

import pytest
from django.test import Client

BODY = b'--x\r\nContent-Disposition: form-data; name="login"\r\n\r\n+2AA-@example.org\r\n--x--\r\n'


@pytest.mark.parametrize("charset", ["utf-7", "unicode_escape", "undefined", "idna", "hex", "no-such-thing"])
def test_a_form_in_another_charset_is_refused_before_it_is_read(charset: str) -> None:
    sent = Client().generic("POST", "/accounts/login/", BODY, content_type=f"multipart/form-data; boundary=x; charset={charset}")
    assert sent.status_code == 415


@pytest.mark.django_db
@pytest.mark.parametrize("charset", ["utf-8", "UTF8"])
def test_a_form_in_utf_8_is_read(charset: str) -> None:
    sent = Client().generic("POST", "/accounts/login/", BODY, content_type=f"multipart/form-data; boundary=x; charset={charset}")
    assert sent.status_code == 200
