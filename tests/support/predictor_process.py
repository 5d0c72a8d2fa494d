"""A published client of ColabFold's interface, in a process of its own: it gets what it wants, and no pause by itself.

Reads {"client", "arguments"} as a line, and writes {"slept": seconds} for each pause, after which it reads another line
before it goes on; in the end {"result": ...}, or {"failed": what it raised}.
"""

import importlib
import json
import sys
import time
import types
from unittest.mock import MagicMock

CLIENTS = {"colabfold": "colabfold.colabfold", "boltz": "boltz.data.msa.mmseqs2"}
NOT_NEEDED = ("matplotlib", "matplotlib.pyplot", "matplotlib.patheffects", "matplotlib.collections")
"""What modules import for other functions than the one that is called."""
BARE = ("boltz", "boltz.data", "boltz.data.msa", "colabfold")
"""Packages whose own modules are not run."""


def tell(**said: object) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def pause(seconds: float) -> None:
    tell(slept=seconds)
    sys.stdin.readline()


def load(client: str) -> types.ModuleType:
    for name in NOT_NEEDED:
        sys.modules[name] = MagicMock()
    for name in BARE:
        package = types.ModuleType(name)
        place = name.replace(".", "/")
        package.__path__ = [f"{folder}/{place}" for folder in sys.path]
        sys.modules[name] = package
    return importlib.import_module(CLIENTS[client])


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    module = load(asked["client"])
    time.sleep = pause
    try:
        tell(result=module.run_mmseqs2(**asked["arguments"]))
    except Exception as error:
        tell(failed=str(error))


if __name__ == "__main__":
    main()
