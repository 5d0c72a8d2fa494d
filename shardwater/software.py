"""Which program made a result: its version and, where it can be known, its commit."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from shardwater import __version__

UNKNOWN = "unknown"
GIT = Path(__file__).parent.parent / ".git"


@dataclass(frozen=True, slots=True)
class Software:
    """The version of Shardwater and the git commit it was built from, `unknown` where nobody said."""

    version: str
    commit: str

    def __str__(self) -> str:
        """As a command line shows it: the version, and the commit where it is known, as in a checkout."""
        return self.version if self.commit == UNKNOWN else f"{self.version} ({self.commit[:12]})"


@cache
def software() -> Software:
    """This program; an image names its commit in SHARDWATER_COMMIT, a checkout's is read from git's own files."""
    return Software(__version__, os.environ.get("SHARDWATER_COMMIT") or _checked_out())


def _checked_out() -> str:
    try:
        head = (GIT / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head
        reference = head.removeprefix("ref: ")
        loose = GIT / reference
        if loose.exists():
            return loose.read_text(encoding="utf-8").strip()
        packed = (GIT / "packed-refs").read_text(encoding="utf-8").splitlines()
        return next(line.split()[0] for line in packed if line.endswith(f" {reference}"))
    except (OSError, StopIteration):
        return UNKNOWN


# Read now: a checkout may move to another commit while this process runs the code of this one.
software()
