"""HMMER's table of hits (`--tblout`), a line a row of an MSA, for readers of jackhmmer's.

Columns are HMMER's 18 and the title (HMMER User's Guide, "Tabular output formats"). What its models say of domains is
not known here: each row counts as a sequence with the one domain that it shows, and no score is corrected for bias.
"""

from collections.abc import Iterator

from shardwater.formats.msas.stockholm import query_name, subject_name
from shardwater.formats.titles import one_line
from shardwater.msa.msa import Msa, Row

_HEAD = (
    "#                                                              --- full sequence ---- --- best 1 domain ---- "
    "--- domain number estimation ----",
    "# target name        accession  query name           accession    E-value  score  bias   E-value  score  bias   "
    "exp reg clu  ov env dom rep inc description of target",
    "#------------------- ---------- -------------------- ---------- --------- ------ ----- --------- ------ -----   "
    "--- --- --- --- --- --- --- --- ---------------------",
)
_DOMAINS = "1.0   1   0   0   1   1   1   1"
NOTHING = "-"


def write_tblout(msa: Msa) -> Iterator[bytes]:
    """The table; `-` where there is no title, bit score or E-value."""
    for line in _HEAD:
        yield line.encode() + b"\n"
    for row in msa:
        yield _line(msa, row).encode() + b"\n"


def _line(msa: Msa, row: Row) -> str:
    evalue = NOTHING if row.evalue is None else f"{row.evalue:.2g}"
    bits = NOTHING if row.bits is None else f"{row.bits:.1f}"
    figures = f"{evalue:>9} {bits:>6} {0:5.1f}"
    names = f"{subject_name(row):<20} {NOTHING:<10} {query_name(msa):<20} {NOTHING:<10}"
    return f"{names} {figures} {figures}   {_DOMAINS} {one_line(row.title) or NOTHING}"
