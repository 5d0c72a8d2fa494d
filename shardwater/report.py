"""Results as text: BLAST's tables and pairwise report, CSV and FASTA.

Every writer yields pieces of text, so that a long report need not stand in memory whole.
"""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from shardwater.database import Database
from shardwater.errors import AlignError
from shardwater.hits import Hsp
from shardwater.number_text import NOT_AVAILABLE, bits_text, evalue_text, percent_text
from shardwater.results import Hit, Query, QueryResult, SearchResult

LINE = 60
"""Letters of an alignment on one line."""
NOT_ALIGNED = "N/A"


def btop(hsp: Hsp) -> str:
    """BLAST's trace-back operations: counts of identical columns, and the two letters of each other one."""
    parts = []
    pairs_of_letters = zip(hsp.qseq.upper(), hsp.hseq.upper(), strict=True)
    for same, columns in groupby(pairs_of_letters, key=lambda pair: pair[0] == pair[1]):
        pairs = list(columns)
        parts.append(str(len(pairs)) if same else "".join(query + subject for query, subject in pairs))
    return "".join(parts)


# What each column shows, with BLAST's name for it in the comment lines of format 7.
_FROM_HIT: dict[str, tuple[str, Callable[[Query, Hit], str]]] = {
    "qseqid": ("query id", lambda query, hit: query.id),
    "sseqid": ("subject id", lambda query, hit: hit.accession),
    "qlen": ("query length", lambda query, hit: str(query.length)),
    "slen": ("subject length", lambda query, hit: str(hit.length)),
    "evalue": ("evalue", lambda query, hit: evalue_text(hit.evalue, table=True)),
    "bitscore": ("bit score", lambda query, hit: bits_text(hit.bits).strip()),
    "score": ("score", lambda query, hit: str(hit.score)),
    "table_evalue": (
        "evalue by table",
        lambda query, hit: evalue_text(hit.evalues.table if hit.evalues else None, table=True),
    ),
    "fitted_evalue": (
        "evalue by fit",
        lambda query, hit: evalue_text(hit.evalues.fitted if hit.evalues else None, table=True),
    ),
    "zscore": ("z-score", lambda query, hit: f"{hit.evalues.zscore:.1f}" if hit.evalues else NOT_AVAILABLE),
    "qcovs": ("% query coverage per subject", lambda query, hit: _whole(hit.query_coverage)),
    "pident": ("% identity", lambda query, hit: percent_text(hit.identity)),
    "qtitle": ("query title", lambda query, hit: _one_line(query.title)),
    "stitle": ("subject title", lambda query, hit: _one_line(hit.title)),
}
_FROM_HSP: dict[str, tuple[str, Callable[[Hsp], str]]] = {
    "length": ("alignment length", lambda hsp: str(hsp.align_len)),
    "mismatch": ("mismatches", lambda hsp: str(hsp.align_len - hsp.identity - hsp.gaps)),
    "gapopen": ("gap opens", lambda hsp: str(sum(hsp.cigar.count(kind) for kind in "ID"))),
    "qstart": ("q. start", lambda hsp: str(hsp.query_from)),
    "qend": ("q. end", lambda hsp: str(hsp.query_to)),
    "sstart": ("s. start", lambda hsp: str(hsp.hit_from)),
    "send": ("s. end", lambda hsp: str(hsp.hit_to)),
    "nident": ("identical", lambda hsp: str(hsp.identity)),
    "positive": ("positives", lambda hsp: str(hsp.positive)),
    "gaps": ("gaps", lambda hsp: str(hsp.gaps)),
    "ppos": ("% positives", lambda hsp: f"{100 * hsp.positive / hsp.align_len:.2f}"),
    "btop": ("BTOP", btop),
    "cigar": ("CIGAR", lambda hsp: hsp.cigar),
    "qseq": ("query seq", lambda hsp: hsp.qseq),
    "sseq": ("subject seq", lambda hsp: hsp.hseq),
}
COLUMNS = (*_FROM_HIT, *_FROM_HSP)
STANDARD_COLUMNS = (
    "qseqid",
    "sseqid",
    "pident",
    "length",
    "mismatch",
    "gapopen",
    "qstart",
    "qend",
    "sstart",
    "send",
    "evalue",
    "bitscore",
)


class UnknownColumn(AlignError):
    """A table column that we do not have."""


def parse_columns(text: str) -> tuple[str, ...]:
    """Column names separated by commas or blanks; `std` is BLAST's twelve, and nothing at all means `std`."""
    columns: list[str] = []
    for name in text.replace(",", " ").split() or ["std"]:
        if name != "std" and name not in COLUMNS:
            raise UnknownColumn(f"unknown column {name!r}; known are std, {', '.join(COLUMNS)}")
        columns.extend(STANDARD_COLUMNS if name == "std" else [name])
    return tuple(columns)


def write_tab(result: SearchResult, columns: Sequence[str], *, comments: bool = False) -> Iterator[str]:
    """BLAST's tabular format: 6, or 7 with comment lines. Columns of an alignment not made say N/A."""
    for one in result.results:
        if comments:
            yield from _comments(result, one, columns)
        for hit in one.hits:
            yield "\t".join(_cells(one.query, hit, columns)) + "\n"
    if comments:
        yield f"# Shardwater processed {len(result.results)} queries\n"


def write_csv(result: SearchResult, columns: Sequence[str]) -> Iterator[str]:
    """The same table with commas and a header line (RFC 4180)."""
    line = io.StringIO()
    writer = csv.writer(line)
    rows = (_cells(one.query, hit, columns) for one in result.results for hit in one.hits)
    for row in (list(columns), *rows):
        writer.writerow(row)
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def write_fasta_hits(result: SearchResult, database: Database) -> Iterator[str]:
    """The whole sequence of each hit as it came into the database, best first, each subject once."""
    written: set[str] = set()
    for hit in (hit for one in result.results for hit in one.hits):
        subject = database.find(hit.accession)
        if hit.accession not in written and subject is not None:
            written.add(hit.accession)
            yield fasta_text(database.header(subject), database.sequence(subject))


def fasta_text(header: str, residues: bytes) -> str:
    """One record, 60 letters a line."""
    letters = residues.decode("ascii")
    return "".join((f">{header}\n", *(f"{letters[i : i + LINE]}\n" for i in range(0, len(letters), LINE))))


def write_pairwise(result: SearchResult) -> Iterator[str]:
    """A report to read: for each query a summary line a hit, then the alignments."""
    certificate = result.certificate
    yield f"Shardwater {result.software.version}, exact Smith-Waterman search\n\n"
    yield (
        f"Database: {result.database.name}, version {result.database.version}\n"
        f"           {certificate.subjects:,} sequences; {certificate.residues:,} total letters\n"
    )
    for one in result.results:
        yield from _pairwise_query(result, one)
    parameters = result.parameters
    yield (
        f"\n\nMatrix: {parameters.matrix}\nGap Penalties: Existence: {parameters.gap_open}, "
        f"Extension: {parameters.gap_extend}\nCells: {certificate.cells:,}, every subject scored\n"
    )


def _pairwise_query(result: SearchResult, one: QueryResult) -> Iterator[str]:
    yield f"\n\nQuery= {' '.join(part for part in (one.query.id, one.query.title) if part)}\n\n"
    yield f"Length={one.query.length}\n"
    if not one.hits:
        yield "\n\n***** No hits found *****\n"
        return
    yield f"{'Score':>72}{'E':>9}\n{'Sequences producing significant alignments:':<66}{'(Bits)':>6}{'Value':>9}\n\n"
    for hit in one.hits:
        name = _one_line(f"{hit.accession} {hit.title}")
        name = name if len(name) <= 65 else f"{name[:62]}..."
        yield f"{name:<66}{bits_text(hit.bits):>6}{evalue_text(hit.evalue):>9}\n"
    yield "\n"
    for hit in one.hits:
        for hsp in hit.hsps:
            yield from _pairwise_hit(hit, hsp)
    statistics = one.statistics
    if statistics.lambda_ is not None:
        yield (
            f"\nGapped\nLambda      K        H\n   {statistics.lambda_:.3f}   {statistics.kappa:.4f}"
            f"    {statistics.entropy:.3f}\n\nEffective search space used: {statistics.eff_space}\n"
        )
    if statistics.fit is not None:
        fit = statistics.fit
        yield (
            f"\nFitted: score = {fit.rho:.4f} ln(length) + {fit.mu:.4f}, variance {fit.variance:.4f}, "
            f"{fit.subjects:,} subjects, {fit.rejected:,} rejected\n"
        )
    if statistics.fallback_reason is not None:
        yield f"\nStatistics: {statistics.fallback_reason}\n"


def _pairwise_hit(hit: Hit, hsp: Hsp) -> Iterator[str]:
    yield f"\n> {' '.join(part for part in (hit.accession, hit.title) if part)}\nLength={hit.length}\n\n"
    yield f" Score = {bits_text(hit.bits).strip()} bits ({hit.score}),  Expect = {evalue_text(hit.evalue)}\n"
    counts = (("Identities", hsp.identity), ("Positives", hsp.positive), ("Gaps", hsp.gaps))
    parts = (f"{name} = {n}/{hsp.align_len} ({_whole(100 * n / hsp.align_len)}%)" for name, n in counts)
    yield f" {', '.join(parts)}\n"
    query_at, hit_at = hsp.query_from, hsp.hit_from
    width = max(5, len(str(hsp.query_to)), len(str(hsp.hit_to)))
    for start in range(0, hsp.align_len, LINE):
        query, midline, subject = (row[start : start + LINE] for row in (hsp.qseq, hsp.midline, hsp.hseq))
        yield f"\nQuery  {_numbered(query, query_at, width)}\n{'':{width + 8}}{midline}\n"
        yield f"Sbjct  {_numbered(subject, hit_at, width)}\n"
        query_at, hit_at = query_at + _residues(query), hit_at + _residues(subject)


def _numbered(row: str, start: int, width: int) -> str:
    """A row between the numbers of its first and last residue; a row of gaps alone has none."""
    count = _residues(row)
    return f"{start:<{width}} {row}  {start + count - 1}" if count else f"{'':{width}} {row}"


def _residues(row: str) -> int:
    return len(row) - row.count("-")


def _comments(result: SearchResult, one: QueryResult, columns: Sequence[str]) -> Iterator[str]:
    names = {name: text for name, (text, _) in (*_FROM_HIT.items(), *_FROM_HSP.items())}
    yield f"# Shardwater {result.software.version}\n"
    yield f"# Query: {_one_line(f'{one.query.id} {one.query.title}'.strip())}\n"
    yield f"# Database: {result.database.name} {result.database.version}\n"
    if one.hits:
        yield f"# Fields: {', '.join(names[column] for column in columns)}\n"
    yield f"# {len(one.hits)} hits found\n"


def _cells(query: Query, hit: Hit, columns: Sequence[str]) -> list[str]:
    return [_cell(query, hit, column) for column in columns]


def _cell(query: Query, hit: Hit, column: str) -> str:
    if column in _FROM_HIT:
        return _FROM_HIT[column][1](query, hit)
    return _FROM_HSP[column][1](hit.hsps[0]) if hit.hsps else NOT_ALIGNED


def _whole(percent: float | None) -> str:
    """Rounded half up, but never to 100 what is less: as BLAST has it."""
    if percent is None:
        return NOT_ALIGNED
    return "100" if percent >= 100 else str(min(99, int(percent + 0.5)))


def _one_line(text: str) -> str:
    """A title may hold tabs and NCBI's control-A separators, which would break a table."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
