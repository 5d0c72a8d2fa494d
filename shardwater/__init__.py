"""Exact alignment of sequences: searches of databases, and batches of pairs.

`align` and what it takes are loaded when they are first asked for: every process of the service loads this package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from shardwater.alignment.scheme import Mode as Mode
    from shardwater.alignment.scheme import Scheme as Scheme
    from shardwater.pairs.align import align as align
    from shardwater.scoring.table import bases_table as bases_table
    from shardwater.scoring.table import match_table as match_table
    from shardwater.scoring.table import matrix_table as matrix_table

_ROOMS = {
    "align": "pairs.align",
    "Mode": "alignment.scheme",
    "Scheme": "alignment.scheme",
    "bases_table": "scoring.table",
    "match_table": "scoring.table",
    "matrix_table": "scoring.table",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"shardwater.{_ROOMS[name]}"), name)
