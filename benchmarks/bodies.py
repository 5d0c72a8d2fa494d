"""Memory of the front end under seven bodies of almost 16 MB at once, by kind: `python benchmarks/bodies.py`.

A real service over one short protein. All of each body but its last byte is sent, then seven last bytes at once. What
the front end's process takes is Linux's own count of resident memory (VmHWM, set back before each kind).
"""

import argparse
import socket
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier, Thread
from urllib.parse import urlsplit

from latency import start
from results import RESULTS, publish
from serving import PATIENCE_S, build

SIZE, AT_ONCE = 15_900_000, 7
PROTEIN = ">one\nMKVLAAGWDEHHKLMNPQRSTVWY\n"
JSON, RAW, FORM = "application/json", "text/x-fasta", "application/x-www-form-urlencoded"
FILE = "multipart/form-data; boundary=b"
MB = 1_000_000


@dataclass(frozen=True)
class Kind:
    """A body: its type, how it begins, what is repeated up to SIZE, and how it ends."""

    name: str
    media_type: str
    first: bytes
    again: bytes
    last: bytes = b""

    @property
    def body(self) -> bytes:
        """The whole body."""
        room = SIZE - len(self.first) - len(self.last)
        return self.first + self.again * (room // len(self.again)) + self.last


RECORD = b">%s\n%s\n" % (b"a header " * 1300, b"MKVLAAGW" * 600)
TWO_FACES = "é\U0001f600".encode()
PART = b'--b\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n'
BEFORE = PART % (b"database", b"") + b"bench\r\n"
IN_FILE, IN_FIELD = (
    BEFORE + PART % (b"sequence", b'; filename="q.fasta"\r\nContent-Type: text/plain'),
    BEFORE + PART % (b"sequence", b""),
)
IN_JSON, IN_FORM, END = b'{"database":"bench","sequence":"', b"database=bench&sequence=", b"\r\n--b--\r\n"
KINDS = (
    Kind("FASTA: bytes FF", RAW, b"", b"\xff"),
    Kind("FASTA: one long record", RAW, b">long\n", b"MKVLAAGW"),
    Kind("FASTA: a thousand records", RAW, b"", RECORD),
    Kind("FASTA: a thousand records, letters beyond the BMP in one header", RAW, b">" + TWO_FACES + b"\nM\n", RECORD),
    Kind("FASTA: records without an end", RAW, b"", b">a\nM\n"),
    Kind("JSON: bytes FF", JSON, IN_JSON, b"\xff", b'"}'),
    Kind("JSON: one long record", JSON, IN_JSON, b"MKVLAAGW", b'"}'),
    Kind("JSON: a thousand records", JSON, IN_JSON, RECORD.replace(b"\n", b"\\n"), b'"}'),
    Kind("JSON: escapes \\u0041", JSON, IN_JSON, b"\\u0041", b'"}'),
    Kind("JSON: escapes \\u00ff", JSON, IN_JSON, b"\\u00ff", b'"}'),
    Kind("JSON: lists in lists", JSON, b"", b"["),
    Kind("JSON: empty lists", JSON, IN_JSON + b'M","title":[', b"[],", b"[]]}"),
    Kind("form: bytes FF", FORM, IN_FORM, b"\xff"),
    Kind("form: escapes %FF", FORM, IN_FORM, b"%FF"),
    Kind("form: one long record", FORM, IN_FORM, b"MKVLAAGW"),
    Kind("form: a thousand records", FORM, IN_FORM, RECORD.replace(b" ", b"+")),
    Kind("form: names alone", FORM, IN_FORM, b"&a"),
    Kind("multipart, a file: bytes FF", FILE, IN_FILE, b"\xff", END),
    Kind("multipart, a file: a thousand records", FILE, IN_FILE, RECORD, END),
    Kind("multipart, a field: bytes FF", FILE, IN_FIELD, b"\xff", END),
    Kind("multipart, a field: a thousand records", FILE, IN_FIELD, RECORD, END),
    Kind("multipart: line ends", FILE, IN_FIELD, b"\r\n-", END),
)


def status_of(connection: socket.socket) -> str:
    """The status of the answer, read to its end."""
    with connection.makefile("rb") as answer:
        line = answer.readline().split()
        return line[1].decode() if len(line) > 1 else "none"


def send(address: tuple[str, int], kind: Kind) -> Counter[str]:
    """Send AT_ONCE bodies that end at the same time; the statuses of the answers."""
    body = kind.body
    path = "/v1/searches?database=bench" if kind.media_type == RAW else "/v1/searches"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind.media_type}\r\nContent-Length: "
    whole = head.encode() + b"%d\r\nConnection: close\r\n\r\n%s" % (len(body), body)
    ready, found = Barrier(AT_ONCE), list[str]()

    def one(connection: socket.socket) -> None:
        connection.sendall(whole[:-1])
        ready.wait()
        connection.sendall(whole[-1:])
        found.append(status_of(connection))

    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection(address, timeout=PATIENCE_S)) for _ in range(AT_ONCE)
        ]
        threads = [Thread(target=one, args=(each,)) for each in connections]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return Counter(found)


@dataclass(frozen=True)
class FrontEnd:
    """A front end: its address and its process."""

    address: tuple[str, int]
    pid: int

    def memory(self, name: str) -> float:
        """VmRSS or VmHWM, in MB."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        [line] = [line for line in lines if line.startswith(f"{name}:")]
        return int(line.split()[1]) * 1024 / MB

    def forget_peak(self) -> None:
        """Count the peak from here on."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")


@contextmanager
def front_end() -> Iterator[FrontEnd]:
    """The front end of a service over one protein."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "one.fasta").write_text(PROTEIN)
        build(Path(folder) / "one.fasta", Path(folder) / "data", shards=1)
        process, url = start(Path(folder) / "data")
        try:
            address = urlsplit(url)
            yield FrontEnd((address.hostname or "", address.port or 0), child(process.pid))
        finally:
            process.terminate()
            process.wait()


def child(parent: int) -> int:
    """The process of a supervisor's front end."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            above = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if above == parent and b"\0app\0" in (folder / "cmdline").read_bytes():
                return int(folder.name)
        except FileNotFoundError:
            continue
    raise SystemExit("there is no front end")


def measure(kinds: Sequence[Kind]) -> list[str]:
    """The table of all kinds."""
    lines = ["| seven at once | answers | before (MB) | peak (MB) | after (MB) |", "|---|---|---|---|---|"]
    with front_end() as served:
        for kind in kinds:
            before = served.memory("VmRSS")
            served.forget_peak()
            told = ", ".join(f"{count} x {status}" for status, count in sorted(send(served.address, kind).items()))
            figures = (before, served.memory("VmHWM"), served.memory("VmRSS"))
            lines.append(f"| {kind.name} | {told} | {' | '.join(f'{figure:.0f}' for figure in figures)} |")
            print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Measure, print, append."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="kinds whose names hold this")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file to append to")
    options = parser.parse_args()
    chosen = [kind for kind in KINDS if options.only in kind.name]
    publish("Large bodies", measure(chosen), options.results)


if __name__ == "__main__":
    main()
