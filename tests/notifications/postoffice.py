"""A mail server on the loopback: it keeps what it accepts, and refuses or hangs up when it is told to."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session


class PostOffice:
    """`at_rcpt` and `after_data` are answers other than 250; `hang_up` is when to close the line: in DATA, or once accepted."""

    def __init__(self) -> None:
        self.accepted: list[bytes] = []
        self.lines = 0
        self.at_rcpt = self.after_data = ""
        self.hang_up: str | None = None

    @property
    def letters(self) -> list[EmailMessage]:
        return [message_from_bytes(one, policy=policy.default) for one in self.accepted]

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.lines += 1
        return responses

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        envelope.rcpt_tos.append(address)
        return self.at_rcpt or "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if not self.after_data and self.hang_up != "in DATA":
            assert isinstance(envelope.content, bytes)
            self.accepted.append(envelope.content)
        if self.hang_up:
            assert server.transport is not None
            server.transport.close()
        return self.after_data or "250 accepted"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def opened(port: int) -> Iterator[PostOffice]:
    """A post office that takes letters until the block ends; whoever wants to log in has the wrong password."""
    office = PostOffice()
    nobody = AuthResult(success=False, handled=False)
    controller = Controller(office, hostname="127.0.0.1", port=port, auth_require_tls=False, authenticator=lambda *_: nobody)
    controller.start()
    try:
        yield office
    finally:
        controller.stop()
