"""Stops an embedded Valkey that nobody has used for some minutes: a program, whose argument is the socket.

It outlives a supervisor that was killed, so that the next start can adopt it with all that is queued; when there is no
next start, it must not stay for ever. A process of its own, since it has to outlive everything else; it needs no more
of Redis than three commands, and imports no client.
"""

import re
import select
import socket
import sys
from contextlib import suppress

NAME = "idle-stop"
LOOK_S = 30.0
LOOKS = 10
_OTHERS = re.compile(rb"^id=\d+ (?!.* name=idle-stop ).*$", re.MULTILINE)


def keep(path: str, look_s: float = LOOK_S) -> None:
    """Return when the server is gone: by itself, or because nobody else was connected at LOOKS looks in a row."""
    with socket.socket(socket.AF_UNIX) as server, suppress(ConnectionError):
        server.connect(path)
        named, alone = _take_name(server), 0
        # It says nothing unasked: what comes is its end.
        while not select.select([server], [], [], look_s)[0]:
            named = named or _take_name(server)
            alone = alone + 1 if named and not _OTHERS.search(_ask(server, "CLIENT LIST")) else 0
            if alone == LOOKS:
                server.sendall(b"SHUTDOWN NOSAVE\r\n")


def _take_name(server: socket.socket) -> bool:
    """Whether it knows us by our name now; not while it still reads its file."""
    return _ask(server, f"CLIENT SETNAME {NAME}") == b"+OK"


def _ask(server: socket.socket, command: str) -> bytes:
    """A command's reply: a bulk string, or the line of a short one."""
    server.sendall(f"{command}\r\n".encode())
    with server.makefile("rb") as file:
        line = file.readline().rstrip()
        return file.read(int(line[1:]) + len(b"\r\n")) if line.startswith(b"$") else line


if __name__ == "__main__":
    keep(sys.argv[1])
