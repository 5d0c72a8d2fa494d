"""SAM 1.6 with the subjects as reference sequences, and DIAMOND's tags beside the standard's.

Of each query, the best alignment is the primary line and the others are secondary (0x100), as the standard asks. The
query's residues outside the alignment are clipped off (H). A query without an alignment has no line: its letters, which
an unmapped line should carry, are not in the result.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from shardwater.search.hits import Hsp
    from shardwater.search.merge import Hit, Query, QueryResult, Report

SECONDARY = 0x100
NO_QUALITY = 255
LONGEST_NAME = 254
TAGS = (
    "AS bit score (whole part)",
    "NM differing columns, gaps included",
    "ZL subject length",
    "ZR raw score",
    "ZE E-value",
    "ZI percent identity (whole part)",
    "ZF frame",
    "ZS first aligned query residue",
)
# What the standard allows in names, less the %, which stands for itself no more.
_QUERY_NAME = "!\"#$&'()*+,-./:;<=>?[\\]^_`{|}~"
_SUBJECT_NAME = "!#$&+./:;?@^_|~-*="
_CUT = re.compile(r"%[0-9A-F]?$")
_OTHER_LETTERS = re.compile(r"[^A-Za-z]")

_Subject = tuple[str | None, str]
"""A subject by its database and its accession, which several databases may have."""


def write_sam(report: "Report") -> Iterator[str]:
    """The header names each aligned subject once, so the answer is read twice."""
    yield "@HD\tVN:1.6\tSO:unsorted\tGO:query\n"
    names: dict[_Subject, str] = {}
    taken: set[str] = set()
    for one in report.results:
        for hit in (hit for hit in one.hits if hit.hsps):
            if (subject := (hit.database, hit.accession)) not in names:
                name = subject_name(hit.accession)
                while name in taken:
                    name = subject_name(f"{hit.database}:") + name
                names[subject] = name
                taken.add(name)
                yield f"@SQ\tSN:{names[subject]}\tLN:{hit.length}\n"
        # It was read, though it may have no line (chunks.py).
        yield ""
    used = report.database
    # Not in @CO lines, for which Biopython stops.
    described = "; ".join((f"exact protein search of {used.name} {used.version}", *TAGS))
    yield f"@PG\tID:shardwater\tPN:shardwater\tVN:{report.software.version}\tDS:{described}\n"
    for one in report.results:
        yield from _lines(one, names)
        yield ""


def _lines(one: "QueryResult", names: Mapping[_Subject, str]) -> Iterator[str]:
    aligned = [(hit, hsp) for hit in one.hits for hsp in hit.hsps]
    for place, (hit, hsp) in enumerate(aligned):
        fields = (
            query_name(one.query.id),
            SECONDARY if place else 0,
            names[hit.database, hit.accession],
            hsp.hit_from,
            NO_QUALITY,
            _cigar(one.query, hsp),
            *("*", 0, 0),
            sam_letters(hsp.qseq.replace("-", "")),
            "*",
            *_tags(hit, hsp),
        )
        yield "\t".join(map(str, fields)) + "\n"


def query_name(name: str) -> str:
    """A query's name in the letters that SAM allows; others, and %, are percent-encoded, each whole or not at all."""
    if name == "*":
        return "%2A"  # by itself it would say that there is no name
    return _CUT.sub("", quote(name, safe=_QUERY_NAME)[:LONGEST_NAME])


def subject_name(name: str) -> str:
    """The same of a reference sequence, for which fewer are allowed."""
    name = quote(name, safe=_SUBJECT_NAME)
    return f"%{ord(name[0]):02X}{name[1:]}" if name.startswith(("*", "=")) else name


def _cigar(query: "Query", hsp: "Hsp") -> str:
    before, after = hsp.query_from - 1, query.length - hsp.query_to
    return f"{before}H" * bool(before) + hsp.cigar + f"{after}H" * bool(after)


def sam_letters(row: str) -> str:
    """SAM has no letter for a stop, so that * is X here."""
    return _OTHER_LETTERS.sub("X", row)


def _tags(hit: "Hit", hsp: "Hsp") -> Iterator[str]:
    if hsp.bits is not None:
        yield f"AS:i:{int(hsp.bits)}"
    yield f"NM:i:{hsp.align_len - hsp.identity}"
    yield f"ZL:i:{hit.length}"
    yield f"ZR:i:{hsp.score}"
    if hsp.evalue is not None:
        yield f"ZE:f:{hsp.evalue}"
    yield f"ZI:i:{100 * hsp.identity // hsp.align_len}"
    yield "ZF:i:1"
    yield f"ZS:i:{hsp.query_from}"
