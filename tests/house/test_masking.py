"""Masking: no token of a link in a letter comes into a log or an error report."""

from __future__ import annotations

import io
import logging
import sys

import pytest
from django.conf import settings
from django.test import RequestFactory
from django.utils.module_loading import import_string

from config.logs import Masked, Masking
from notifications.masking import masked

TOKEN = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    "seen",
    [
        TOKEN,
        TOKEN.upper(),
        TOKEN[:-1],
        f"/rights/{TOKEN}/?at=17&move=4",
        f"next=%2Frights%2F{TOKEN}%2F",
        f"/rights/{TOKEN}Thanks",
        f"_{TOKEN}_",
        f"/rights/\\xab{TOKEN}",
    ],
)
def test_L9_a_token_is_masked_wherever_it_stands(seen: str) -> None:
    assert TOKEN[:24] not in masked(seen).lower()


def test_what_is_no_token_stays_readable() -> None:
    assert masked("Not Found: /games/12/ of 2026-11-30") == "Not Found: /games/12/ of 2026-11-30"


def test_L9_an_error_report_tells_no_token_from_address_headers_or_local_variables() -> None:
    request = RequestFactory().post(
        f"/rights/{TOKEN}/?move=4", {"typed": TOKEN}, headers={"referer": f"http://h/rights/{TOKEN}/"}
    )
    kept = {"token": TOKEN}
    try:
        raise ValueError(f"{kept['token']} broke")
    except ValueError:
        reporter = import_string(settings.DEFAULT_EXCEPTION_REPORTER)(request, *sys.exc_info())
    for report in (reporter.get_traceback_html(), reporter.get_traceback_text()):
        assert "ValueError" in report
        assert TOKEN not in report


def test_L9_an_access_log_of_the_server_names_no_token() -> None:
    log, told = logging.Logger("gunicorn.access"), io.StringIO()
    log.addHandler(logging.StreamHandler(told))
    log.addFilter(Masking())
    log.info(
        '%(h)s "%(r)s" %(s)s "%(f)s"', {"h": "::1", "r": f"GET /rights/{TOKEN}/ HTTP/1.1", "s": "200", "f": f"http://h/{TOKEN}"}
    )
    assert told.getvalue() == '::1 "GET /rights/…/ HTTP/1.1" 200 "http://h/…"\n'


def test_L9_every_handler_that_hears_of_requests_masks() -> None:
    assert logging.getLogger("django").handlers == []
    assert logging.getLogger("django.request").handlers == []
    [console] = [handler for handler in logging.getLogger().handlers if handler.name == "console"]
    assert isinstance(console.formatter, Masked)
