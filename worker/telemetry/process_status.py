"""What Linux tells of a process; nothing elsewhere."""

from pathlib import Path


def status_of(pid: int) -> list[str]:
    """The fields of its status, from its state on; none where there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def processor_ticks(pid: int) -> int | None:
    """The processor time that a process has used, in the system's ticks; None where the system does not say."""
    fields = status_of(pid)
    return int(fields[11]) + int(fields[12]) if fields else None
