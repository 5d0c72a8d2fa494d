"""The processes of this machine: what other users see of them, and which are whose."""

from pathlib import Path


def commands() -> str:
    """The command lines of all processes."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(place.read_bytes().decode("utf-8", "replace"))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return "\n".join(found)


def children(parent: int, command: str = "") -> list[int]:
    """The processes of a parent that have not ended, oldest first; command: those whose command line has this in it."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, by, *_ = (place / "stat").read_text().rpartition(")")[2].split()
            called = (place / "cmdline").read_bytes().decode("utf-8", "replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(by) == parent and state != "Z" and command in called:
            found.append(int(place.name))
    return sorted(found)


def launchers(front_end: int) -> list[int]:
    """The process of a front end that those are forked off which merge, if it has been started."""
    return children(front_end, "app.background.launching")


def merging_processes(front_end: int) -> list[int]:
    """The processes that merge for a front end."""
    return [each for launcher in launchers(front_end) for each in children(launcher)]
