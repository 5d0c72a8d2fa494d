"""Look up every pinned requirement among the known vulnerabilities: `python requirements/audit.py FILE...`.

Ends with status 1 where one is known. Without a network it says so, and that alone is no failure.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

UNREACHABLE = ("Could not connect to", "connect timeout", "Read timed out", "Max retries exceeded")
"""What pip-audit says where it has learned nothing."""


def audit(requirements: str) -> "list[str] | None":
    """What is known against the packages of a file, a line each; None where nobody can be asked."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--timeout", "15")
        command = [
            sys.executable,
            "-m",
            "pip_audit",
            *options,
            "--format",
            "json",
            "-o",
            str(report),
            "-r",
            requirements,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if report.is_file():
            packages = json.loads(report.read_text())["dependencies"]
            # A mirror of packages alone knows of none.
            return None if all("skip_reason" in package for package in packages) else findings(packages)
    if any(words in done.stderr for words in UNREACHABLE):
        return None
    sys.exit(f"{requirements}: {done.stderr.strip()}")


def findings(packages: "list[dict[str, object]]") -> list[str]:
    """A line for each vulnerability, and for each package that could not be looked up."""
    found = []
    for package in packages:
        name = f"{package['name']} {package.get('version', '')}".strip()
        if "skip_reason" in package:
            found.append(f"{name}: not looked up: {package['skip_reason']}")
        for each in package.get("vulns", []):  # type: ignore[attr-defined]
            found.append(f"{name}: {each['id']}, mended in {', '.join(each['fix_versions']) or 'no version yet'}")
    return found


def main(files: list[str]) -> int:
    """Audit each file; the exit status."""
    status = 0
    for requirements in files:
        found = audit(requirements)
        if found is None:
            print(f"{requirements}: NOT AUDITED, the index of vulnerabilities cannot be reached")
            continue
        status |= bool(found)
        print(f"{requirements}: {f'{len(found)} findings' if found else 'nothing is known against it'}")
        for line in found:
            print(f"  {line}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
