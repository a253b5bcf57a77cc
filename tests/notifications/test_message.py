"""A letter as MIME: whatever its source says, it goes out, and nothing of it becomes a header."""

from __future__ import annotations

from email import message_from_bytes, policy

from hypothesis import example, given
from hypothesis import strategies as st

from notifications import message
from notifications.sources import Rendered

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
