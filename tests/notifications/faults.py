"""A mail server on the loopback that does one thing wrong, to the first letter that gives it the occasion, and then works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Final, NamedTuple

DROP: Final = "drop"
HANG: Final = "hang"


class Fault(NamedTuple):
    """`stage` is MAIL, RCPT, "in DATA", "after DATA" or "after 250"; `does` an answer, DROP or HANG. With `keeps` it has taken
    the letter all the same."""

    stage: str
    does: str
    keeps: bool = False


class Taken(NamedTuple):
    """A letter that the server took over."""

    sender: str
    recipient: str
    content: bytes


@dataclass
class Office:
    """What the server took, and the fault that is still to happen."""

    fault: Fault | None
    taken: list[Taken] = field(default_factory=list)
    closing: Event = field(default_factory=Event)

    def at(self, stage: str) -> Fault | None:
        """The fault, if this is its occasion."""
        if self.fault is None or self.fault.stage != stage:
            return None
        fault, self.fault = self.fault, None
        return fault


class Gone(Exception):
    """The line is closed."""


class Session(StreamRequestHandler):
    """One line, as far as smtplib speaks SMTP."""

    office: Office

    def handle(self) -> None:
        self.say("220 ready")
        try:
            while line := self.rfile.readline().decode().strip():
                self.answer(line)
        except (Gone, OSError):
            pass

    def answer(self, line: str) -> None:
        verb, _space, rest = line.partition(" ")
        if verb.upper() in ("EHLO", "HELO", "RSET", "NOOP"):
            self.say("250 fine")
        elif verb.upper() == "MAIL":
            self.sender = rest[rest.index("<") + 1 : rest.index(">")]
            self.go_wrong("MAIL")
            self.say("250 fine")
        elif verb.upper() == "RCPT":
            self.recipient = rest[rest.index("<") + 1 : rest.index(">")]
            if not self.go_wrong("RCPT"):
                self.say("250 fine")
        elif verb.upper() == "DATA":
            self.say("354 go on")
            self.take()
        elif verb.upper() == "QUIT":
            self.say("221 bye")
            raise Gone

    def take(self) -> None:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
            self.go_wrong("in DATA")
        if (fault := self.office.at("after DATA")) is None or fault.keeps:
            self.office.taken.append(Taken(self.sender, self.recipient, b"".join(lines)))
        if fault is not None:
            self.do(fault)
            return
        self.say("250 taken")
        self.go_wrong("after 250")

    def go_wrong(self, stage: str) -> bool:
        if (fault := self.office.at(stage)) is None:
            return False
        self.do(fault)
        return True

    def do(self, fault: Fault) -> None:
        if fault.does == HANG:
            self.office.closing.wait(5)
        if fault.does in (DROP, HANG):
            raise Gone
        self.say(fault.does)
        if fault.does.startswith("421"):
            raise Gone

    def say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())


class Server(ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


@contextmanager
def opened(port: int, fault: Fault | None = None) -> Iterator[Office]:
    """The office, until the block ends."""
    office = Office(fault)
    with Server(("127.0.0.1", port), type("OneSession", (Session,), {"office": office})) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield office
        finally:
            office.closing.set()
            server.shutdown()
            thread.join()
