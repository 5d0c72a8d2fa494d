"""Exact alignment of sequences: searches of databases, batches of pairs, and genomes.

`align`, `compare` and what they take are loaded when they are first asked for: every process of the service loads this
package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from shardwater.alignment.ends import Selection
    from shardwater.alignment.scheme import Mode, Scheme
    from shardwater.genomes.compare import compare
    from shardwater.genomes.comparison import Comparison
    from shardwater.genomes.genome import Genome
    from shardwater.pairs.align import align
    from shardwater.scoring.table import Table, bases_table, match_table, matrix_table
    from shardwater.sequences.alphabets import Alphabet

__all__ = [
    "Alphabet",
    "Comparison",
    "Genome",
    "Mode",
    "Scheme",
    "Selection",
    "Table",
    "align",
    "bases_table",
    "compare",
    "match_table",
    "matrix_table",
]
_ROOMS = {
    "Alphabet": "sequences.alphabets",
    "Comparison": "genomes.comparison",
    "Genome": "genomes.genome",
    "Table": "scoring.table",
    "compare": "genomes.compare",
    "align": "pairs.align",
    "Mode": "alignment.scheme",
    "Scheme": "alignment.scheme",
    "Selection": "alignment.ends",
    "bases_table": "scoring.table",
    "match_table": "scoring.table",
    "matrix_table": "scoring.table",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"shardwater.{_ROOMS[name]}"), name)
