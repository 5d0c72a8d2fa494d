"""open_engine: an engine that finds what was planted, with nothing but numpy and the engine itself loaded."""

import subprocess
import sys
from collections.abc import Callable

from gpu import open_engine
from shardwater.database.database import Database
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.fasta import Record
from tests.support.answers import best_of

PLANTED = "WCHMYWFCHPWWKCYHMFWC"
SCORE = 11 + 9 + 8 + 5 + 7 + 11 + 6 + 9 + 8 + 7 + 11 + 11 + 5 + 9 + 7 + 8 + 5 + 6 + 11 + 9
"""The planted letters' own scores in BLOSUM62, written down from the matrix."""


def test_planted_hit_is_found(build: Callable[..., Database]) -> None:
    haystack = [(f"s{number}", "AGSTAGSTLLIVAGST" * 4) for number in range(20)]
    haystack[13] = ("planted", "AGSTAGST" + PLANTED + "LLIVAGST")
    database = build(haystack, shards=2)
    found = []
    for index in range(2):
        engine, shard = open_engine(1), database.shard(index, 2)
        engine.load(shard)
        [best] = best_of(engine, [Record("q", PLANTED.encode())], Scoring("BLOSUM62", 11, 1), 1)
        found += [(score.score, database.accession(score.subject)) for score in best]
    assert max(found) == (SCORE, "planted")


def test_gpu_loads_no_engine_and_no_service() -> None:
    """Workers import it before they know their device."""
    unwanted = ("cupy", "pyopal", "redis", "rq", "fastapi", "pydantic")
    code = f"import gpu, sys; print([name for name in {unwanted} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
