"""A letter as MIME: whatever its source says, it goes out, and nothing of it becomes a header."""

from __future__ import annotations

from email import message_from_bytes, policy

from hypothesis import example, given
from hypothesis import strategies as st

from notifications import message
from notifications.sources import Attachment, Picture, Rendered

anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


def written(subject: str, text: str = "text", html: str = "") -> bytes:
    return message.write(Rendered(subject, text, html), recipient="bob@example.org", message_id="<1@localhost>")


@given(anything)
@example("a\r\nBcc: all@example.org")
@example("a\u2028b\u2029c\x85d\x0be")
@example("\u202eevil\u2066")
@example('"quoted", <b@c>; d: e')
@example("=?utf-8?q?encoded?= =?broken?=")
@example("ÖmerЁж" * 300)
@example("x" * 5000)
@example("\x00")
def test_any_subject_stays_one_readable_header(subject: str) -> None:
    read = message_from_bytes(written(subject), policy=policy.default)
    assert set(read.keys()) == {
        *("Content-Type", "Content-Transfer-Encoding", "MIME-Version"),
        *("Subject", "From", "To", "Date", "Message-ID", "Auto-Submitted"),
    }
    assert read["Message-ID"] == "<1@localhost>"
    if "=?" not in subject:
        assert "".join(read["Subject"].split()) == "".join(message.one_line(subject).split())


@given(anything.filter(str.strip), anything)
@example("a\u2028" * 600, "<p>" + "ж" * 2000)
@example(".\n..\nFrom here\n", "")
def test_any_text_arrives(text: str, html: str) -> None:
    read = message_from_bytes(written("subject", text, html), policy=policy.default)
    [plain, *rest] = list(read.iter_parts()) if read.is_multipart() else [read]
    arrived = plain.get_payload(decode=True)
    assert isinstance(arrived, bytes)
    assert arrived.decode().split() == text.split()
    assert [part.get_content_type() for part in rest] == (["text/html"] if html else [])


def test_a_stored_message_is_sent_byte_by_byte_with_the_line_ends_of_the_wire() -> None:
    stored = message.Verbatim(b"Subject: a\n\nb\r\nc\n")
    assert stored.as_bytes(linesep="\r\n") == b"Subject: a\r\n\r\nb\r\nc\r\n"
    assert stored.as_bytes() == b"Subject: a\n\nb\nc\n"


def test_pictures_lie_beside_the_html_that_shows_them_and_files_beside_the_letter() -> None:
    board = Picture("board-1@localhost", b"\x89PNG board", "A board.")
    record = Attachment("game-1.game", "text/plain", "1. 4-6 5 Ömer\n".encode())
    letter = Rendered("subject", "text", '<img src="cid:board-1@localhost">', pictures=[board], attachments=[record])
    whole = message_from_bytes(
        message.write(letter, recipient="bob@example.org", message_id="<1@localhost>"), policy=policy.default
    )
    assert [part.get_content_type() for part in whole.walk()] == [
        *("multipart/mixed", "multipart/alternative", "text/plain"),
        *("multipart/related", "text/html", "image/png"),
        "text/plain",
    ]
    [image] = [part for part in whole.walk() if part.get_content_type() == "image/png"]
    assert (image["Content-ID"], image.get_content_disposition()) == ("<board-1@localhost>", "inline")
    assert image.get_content() == b"\x89PNG board"
    [file] = whole.iter_attachments()
    assert (file.get_filename(), file.get_content()) == ("game-1.game", "1. 4-6 5 Ömer\n")
    assert whole["Message-ID"] == "<1@localhost>"


def test_a_picture_needs_no_file_to_come_along() -> None:
    letter = Rendered("subject", "text", "<p>", pictures=[Picture("board-1@localhost", b"\x89PNG", "A board.")])
    whole = message_from_bytes(message.write(letter, recipient="b@example.org", message_id="<1@x>"), policy=policy.default)
    assert whole.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in whole.iter_parts()] == ["text/plain", "multipart/related"]
