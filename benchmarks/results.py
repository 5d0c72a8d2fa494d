"""Where measurements are kept: a section of RESULTS.md for each run, with its command, machine and commit."""

import platform
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from shardwater.software import software

RESULTS = Path(__file__).with_name("RESULTS.md")


def machine() -> str:
    """Devices and driver as nvidia-smi tells them, or the processor."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        lines = subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()
    except (FileNotFoundError, subprocess.CalledProcessError):
        return platform.processor() or platform.machine()
    return f"{len(lines)} x {lines[0].replace(', ', ', driver ')}"


def publish(title: str, lines: Sequence[str], results: Path) -> None:
    """Print a section of results, and append it to the file."""
    command = f"    python {' '.join(sys.argv)}"
    head = f"## {title}, {date.today()}, commit {software().commit[:7]}"
    text = "\n".join(["", head, "", command, "", f"{machine()}.", "", *lines, ""])
    print(text)
    with results.open("a", encoding="utf-8") as file:
        file.write(text)
