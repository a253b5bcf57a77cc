"""Visitors who cost little: all of them in one thread, each asking for the same page again as soon as it has come."""

from __future__ import annotations

import re
from selectors import EVENT_READ, DefaultSelector
from socket import create_connection
from time import perf_counter

LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


class Visitor:
    """One connection that stays open."""

    def __init__(self, port: int, question: bytes, status: int) -> None:
        self.socket = create_connection(("127.0.0.1", port), timeout=20)
        self.question, self.expected = question, b"HTTP/1.1 %d " % status
        self.got, self.whole, self.began = b"", 0, 0.0

    def ask(self) -> None:
        """Sends the question."""
        self.got, self.whole, self.began = b"", 0, perf_counter()
        self.socket.sendall(self.question)

    def hears(self) -> bool:
        """Reads what has come; whether it is all. Raises RuntimeError for another answer than the expected one."""
        self.got += self.socket.recv(1 << 18)
        head = self.got.find(b"\r\n\r\n")
        if not self.whole and head >= 0:
            length = LENGTH.search(self.got, 0, head + 2)
            self.whole = head + 4 + (int(length[1]) if length else 0)
        if not self.got.startswith(self.expected):
            raise RuntimeError(f"not {self.expected!r}: {self.got[:80]!r}")
        return bool(self.whole) and len(self.got) >= self.whole


def visit(port: int, headers: dict[str, str], path: str, *, connections: int, seconds: float, status: int = 200) -> list[float]:
    """How long each page took, in order of size; before `seconds` begin, as long as a quarter of them is not counted."""
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in headers.items())]
    question, took = "\r\n".join([*lines, "", ""]).encode(), list[float]()
    with DefaultSelector() as selector:
        for _ in range(connections):
            visitor = Visitor(port, question, status)
            selector.register(visitor.socket, EVENT_READ, visitor)
            visitor.ask()
        counted = perf_counter() + seconds / 4
        until = counted + seconds
        while (now := perf_counter()) < until:
            for key, _events in selector.select():
                if key.data.hears():
                    if now > counted:
                        took.append(perf_counter() - key.data.began)
                    key.data.ask()
        for key in list(selector.get_map().values()):
            key.data.socket.close()
    return sorted(took)
