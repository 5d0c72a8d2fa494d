"""A published client of ColabFold's interface, in a process of its own: it gets what it wants, and no pause by itself.

Reads {"client", "arguments"} as a line, and writes {"slept": seconds} for each pause, after which it reads another line
before it goes on; in the end {"result": ...}, or {"failed": what it raised}.
"""

import importlib
import json
import sys
import time
import types
from collections.abc import Callable
from typing import Any, cast
from unittest.mock import MagicMock

CLIENTS = {
    "colabfold": ("colabfold.colabfold", "run_mmseqs2"),
    "boltz": ("boltz.data.msa.mmseqs2", "run_mmseqs2"),
    "chai": ("chai_lab.data.dataset.msas.colabfold", "_run_mmseqs2"),
    "openfold3": ("openfold3.core.data.tools.colabfold_msa_server", "query_colabfold_msa_server"),
}
"""Each client's module, and the function that asks a server for MSAs."""
NOT_NEEDED = (
    *("matplotlib", "matplotlib.pyplot", "matplotlib.patheffects", "matplotlib.collections"),
    *("chai_lab.data.parsing.fasta", "chai_lab.data.parsing.msas.aligned_pqt"),
    *("chai_lab.data.parsing.msas.data_source", "chai_lab.data.parsing.templates.m8"),
    *("openfold3.core.config", "openfold3.core.data.io.sequence.msa", "openfold3.core.data.primitives.sequence.hash"),
    *("openfold3.core.data.primitives.structure.metadata", "openfold3.core.data.resources.residues"),
    *("openfold3.core.data.tools.rscb", "openfold3.projects.of3_all_atom.config.inference_query_format"),
)
"""What modules import for other functions than the one that is called."""
BARE = (
    *("boltz", "boltz.data", "boltz.data.msa", "colabfold"),
    *("chai_lab", "chai_lab.data", "chai_lab.data.dataset", "chai_lab.data.dataset.msas"),
    *("openfold3", "openfold3.core", "openfold3.core.data", "openfold3.core.data.tools"),
)
"""Packages whose own modules are not run."""


def tell(**said: object) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def pause(seconds: float) -> None:
    tell(slept=seconds)
    sys.stdin.readline()


def load(client: str) -> Callable[..., object]:
    for name in NOT_NEEDED:
        sys.modules[name] = MagicMock()
    for name in BARE:
        package: Any = types.ModuleType(name)
        package.__version__ = ""
        place = name.replace(".", "/")
        package.__path__ = [f"{folder}/{place}" for folder in sys.path]
        sys.modules[name] = package
    module, function = CLIENTS[client]
    return cast(Callable[..., object], getattr(importlib.import_module(module), function))


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    run = load(asked["client"])
    time.sleep = pause
    try:
        tell(result=run(**asked["arguments"]))
    except Exception as error:
        tell(failed=str(error))


if __name__ == "__main__":
    main()
