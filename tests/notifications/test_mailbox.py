"""The mailbox of development: every letter can be read in it, and none can do harm."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from notifications import delivery
from notifications.mailbox import kept
from tests.factories import LetterFactory
from tests.notifications.conftest import Source

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.MAILBOX_DIR = tmp_path / "mailbox"
    settings.EMAIL_BACKEND = "notifications.mailbox.backend.MailboxBackend"
    return tmp_path / "mailbox"


@pytest.fixture
def keep(folder: Path) -> Callable[[bytes], str]:
    """Puts a raw message into the mailbox; its name there."""

    def put(source: bytes) -> str:
        folder.mkdir(exist_ok=True)
        name = f"20261201T120000{len(list(folder.iterdir())):06}-0123abcd"
        (folder / f"{name}.eml").write_bytes(source)
        return name

    return put


def send(
    subject: str = "Confirm", text: str = "Press http://localhost:8000/confirm/1/", html: str = "", to: str = "a@b.org"
) -> None:
    message = EmailMultiAlternatives(subject, text, to=[to])
    if html:
        message.attach_alternative(html, "text/html")
    message.send()


def page(client: Client, path: str = "/mailbox/", **query: str) -> str:
    response = client.get(path, query)
    assert response.status_code == 200
    return response.content.decode()


def test_an_empty_mailbox_explains_itself(client: Client) -> None:
    assert "No letters yet. Sign up" in page(client)


def test_letters_are_listed_the_newest_first_and_by_recipient(client: Client) -> None:
    for subject, to in (("first", "alice@example.org"), ("второе", "bob@example.org"), ("third", "alice@example.org")):
        send(subject, to=to)
    shown = page(client)
    assert shown.index("third") < shown.index("второе") < shown.index("first")
    of_bob = page(client, to=" BOB@")
    assert "второе" in of_bob
    assert "third" not in of_bob
    assert "No letters to charlie." in page(client, to="charlie")


def test_a_letter_is_shown_as_html_as_text_with_its_headers_and_its_source(client: Client) -> None:
    send(text="Press http://localhost:8000/confirm/1/ now", html='<!doctype html><p><a href="/confirm/1/">Ölçü</a></p>')
    [letter] = kept.newest()
    shown = page(client, f"/mailbox/{letter.name}/")
    assert 'href="http://localhost:8000/confirm/1/"' in shown
    assert f'src="/mailbox/{letter.name}/html/"' in shown
    assert letter.header("message-id").strip("<>") in shown
    assert "Content-Type: multipart/alternative" in shown
    html = page(client, f"/mailbox/{letter.name}/html/")
    assert html == '<!doctype html><base target="_top"><p><a href="/confirm/1/">Ölçü</a></p>'


def test_the_html_of_a_letter_can_only_be_clicked(client: Client) -> None:
    send(html="<script>alert(1)</script>")
    [letter] = kept.newest()
    response = client.get(f"/mailbox/{letter.name}/html/")
    rules = response["Content-Security-Policy"]
    assert "default-src 'none'" in rules
    assert "sandbox" in rules
    assert "allow-scripts" not in rules
    assert "allow-same-origin" not in rules
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert 'sandbox="allow-top-navigation-by-user-activation' in page(client, f"/mailbox/{letter.name}/")


def test_S5_a_hostile_letter_is_inert_on_our_pages(client: Client) -> None:
    send(subject="<script>alert(1)</script>", text="<img src=x onerror=alert(1)> {{ 7|add:7 }}", to='"<b>x</b>"@example.org')
    [letter] = kept.newest()
    for path in ("/mailbox/", f"/mailbox/{letter.name}/"):
        shown = page(client, path)
        assert "<script>alert" not in shown
        assert "<img src=x" not in shown
        assert "<b>x</b>" not in shown


def test_images_that_a_letter_brings_are_shown(client: Client, keep: Callable[[bytes], str]) -> None:
    message = EmailMessage()
    message["Subject"] = "board"
    message.set_content('<img src="cid:board@x"><img src="cid:absent">', subtype="html")
    message.add_related(b"\x89PNG", "image", "png", cid="<board@x>")
    name = keep(message.as_bytes())
    html = page(client, f"/mailbox/{name}/html/")
    assert 'src="data:image/png;base64,iVBORw=="' in html
    assert 'src="cid:absent"' in html


BROKEN = {
    "nothing": b"",
    "binary": bytes(range(256)),
    "no headers": b"only text",
    "a name without an end": b"To: (c):\nFrom: \"\nSubject: a\n\nx",
    "a bracket": b"Message-ID: [<1@x>]\nSubject: a\n\nx",
    "a starred parameter": b"Content-Type: text/plain; name*=x; charset*0*=y''%\nSubject: a\n\nx",
    "an unknown charset": b"Content-Type: text/plain; charset=klingon\nSubject: =?klingon?q?a?=\n\n\xd0\xa5",
    "broken base64": b"Content-Type: text/html\nContent-Transfer-Encoding: base64\nSubject: =?utf-8?b?a?=\n\n!",
    "raw bytes in a header": b"Subject: \xcf\xf0\xe8\xe2\xe5\xf2\nTo: \xff\n\nx",
    "nesting without a bottom": b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(2000)),
}  # fmt: skip


@pytest.mark.parametrize("source", BROKEN.values(), ids=BROKEN.keys())
def test_M8_a_broken_message_breaks_no_page(client: Client, keep: Callable[[bytes], str], source: bytes) -> None:
    name = keep(source)
    keep(b"Subject: a good one\n\nx")
    assert "a good one" in page(client)
    page(client, f"/mailbox/{name}/")
    page(client, f"/mailbox/{name}/html/")


def test_M9_text_is_read_in_its_own_charset(client: Client, keep: Callable[[bytes], str]) -> None:
    name = keep("Subject: =?koi8-r?b?88nU2Q==?=\nContent-Type: text/plain; charset=windows-1251\n\nХод".encode("windows-1251"))
    shown = page(client, f"/mailbox/{name}/")
    assert "Ход" in shown
    assert "Ситы" in shown


@pytest.mark.parametrize("name", ["nothing", "20261201T120000000000-0123abcd", "..", "20261201T120000000000-0123abcd.eml"])
def test_what_is_not_there_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"/mailbox/{name}/").status_code == 404


def test_what_is_no_letter_is_not_listed(client: Client, folder: Path) -> None:
    folder.mkdir()
    (folder / ".20261201T120000000000-0123abcd").write_bytes(b"Subject: half")
    (folder / "notes.eml").write_bytes(b"Subject: notes")
    assert "No letters yet" in page(client)


def test_letters_of_many_threads_are_all_kept_whole(folder: Path) -> None:
    start = Barrier(8)

    def write() -> None:
        start.wait()
        for _ in range(10):
            mail.EmailMessage("s", "x" * 5000, to=["a@b.org"]).send()

    threads = [Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(folder.glob("*.eml"))) == len(list(folder.iterdir())) == 80
    assert {len(letter.text.strip()) for letter in kept.newest()} == {5000}


def test_a_letter_of_the_outbox_arrives_with_its_message_id(source: Source) -> None:
    letter = LetterFactory.create()
    assert delivery.deliver(letter.key)
    [found] = kept.newest()
    assert (found.header("Message-ID"), found.subject) == (letter.message_id, "Привет, Ömer")


def test_files_that_a_letter_brings_are_kept_and_not_shown(client: Client, keep: Callable[[bytes], str]) -> None:
    message = EmailMessage()
    message["Subject"] = "over"
    message.set_content("The game is over.")
    message.add_attachment("1. 4-6 <b>5</b>", filename="game-1.game")
    message.add_attachment(b"<script>alert(1)</script>", "text", "html", filename="Ход\r\n<b>.html")
    name = keep(message.as_bytes())
    shown = page(client, f"/mailbox/{name}/")
    assert f'<a href="/mailbox/{name}/files/1/" download>game-1.game</a>' in shown
    assert "The game is over." in shown
    assert "<b>5</b>" not in shown
    file = client.get(f"/mailbox/{name}/files/1/")
    assert file.content.strip() == b"1. 4-6 <b>5</b>"
    assert file["Content-Disposition"] == 'attachment; filename="game-1.game"'
    hostile = client.get(f"/mailbox/{name}/files/2/")
    assert hostile["Content-Type"] == "application/octet-stream"
    assert hostile["Content-Disposition"].startswith("attachment; ")
    for place in (0, 3):
        assert client.get(f"/mailbox/{name}/files/{place}/").status_code == 404
