"""A report to read, laid out as BLAST+ lays out its format 0, so that programs which read that one read ours.

They look for the word BLASTP at the top, and for every line's place and wording below it.
"""

from collections.abc import Iterator

from shardwater.formats.blast import row_of
from shardwater.formats.columns import whole
from shardwater.formats.number_text import bits_text, evalue_text
from shardwater.formats.titles import one_line, query_name
from shardwater.search.hits import Hsp
from shardwater.search.merge import Hit, QueryResult, Report
from shardwater.statistics.karlin_altschul import published

LINE = 60
"""Letters of an alignment on one line."""
NAME = 68
"""Width of a name in the summary."""
HEAD = "{:>75}{:>6}\n{:<69}{:<8}{}\n".format(
    "Score", "E", "Sequences producing significant alignments:", "(Bits)", "Value"
)


def write_pairwise(report: Report) -> Iterator[str]:
    """BLAST's pairwise report: for each query a summary line a hit, then the alignments."""
    certificate, parameters = report.certificate, report.parameters
    yield f"BLASTP Shardwater-{report.software.version} (exact Smith-Waterman search)\n\n\n"
    yield (
        f"Database: {report.database.name}, version {report.database.version}\n"
        f"           {certificate.subjects:,} sequences; {certificate.residues:,} total letters\n\n"
    )
    for one in report.results:
        yield from _query(report, one)
    yield (
        f"\n\n  Database: {report.database.name}, version {report.database.version}\n"
        f"  Number of letters in database: {certificate.residues:,}\n"
        f"  Number of sequences in database:  {certificate.subjects:,}\n\n\n\n"
        f"Matrix: {one_line(parameters.matrix)}\nGap Penalties: Existence: {parameters.gap_open}, "
        f"Extension: {parameters.gap_extend}\nCells: {certificate.cells:,}, every subject scored\n"
    )


def _query(report: Report, one: QueryResult) -> Iterator[str]:
    if one.rounds:
        yield f"\n\nResults from round {one.rounds[-1].number}\n"
    yield f"\n\nQuery= {query_name(one.query)}\n\nLength={one.query.length}\n"
    if one.hits:
        yield HEAD + "\n"
        yield from map(_summary, one.hits)
        yield "\n"
        for hit in one.hits:
            yield from _alignments(hit)
    else:
        yield "\n\n***** No hits found *****\n\n"
    yield from _statistics(report, one)


def _summary(hit: Hit) -> str:
    name = one_line(f"{hit.accession} {hit.title}").rstrip()
    name = name if len(name) <= NAME else f"{name[: NAME - 3]}..."
    return f"{name:<{NAME}}  {bits_text(hit.bits):<6}  {evalue_text(hit.evalue):<6}\n"


def _alignments(hit: Hit) -> Iterator[str]:
    """Its name once, and what changed the figures or belongs to the whole hit beside its best alignment."""
    if hit.hsps:
        yield f"\n>{one_line(f'{hit.accession} {hit.title}').rstrip()}\nLength={hit.length}\n\n"
        yield from _alignment(hit.hsps[0], _adjusted(hit), _shuffled(hit))
    for hsp in hit.hsps[1:]:
        yield "\n"
        yield from _alignment(hsp)


def _alignment(hsp: Hsp, adjusted: str = "", shuffled: str = "") -> Iterator[str]:
    yield f" Score = {bits_text(hsp.bits).strip()} bits ({hsp.score}),  Expect = {evalue_text(hsp.evalue)}{adjusted}\n"
    counts = (("Identities", hsp.identity), ("Positives", hsp.positive), ("Gaps", hsp.gaps))
    parts = (f"{name} = {n}/{hsp.align_len} ({whole(100 * n / hsp.align_len)}%)" for name, n in counts)
    yield f" {', '.join(parts)}\n{shuffled}\n"
    query_at, hit_at = hsp.query_from, hsp.hit_from
    width = len(str(max(hsp.query_to, hsp.hit_to)))
    for start in range(0, hsp.align_len, LINE):
        query, midline, subject = (row[start : start + LINE] for row in (hsp.qseq, hsp.midline, hsp.hseq))
        yield f"Query  {_numbered(query, query_at, width)}\n{'':{width + 9}}{midline}\n"
        yield f"Sbjct  {_numbered(subject, hit_at, width)}\n\n"
        query_at, hit_at = query_at + _residues(query), hit_at + _residues(subject)


def _adjusted(hit: Hit) -> str:
    """What the E-value was before it was adjusted, where that changed it: where BLAST names its method."""
    methods = []
    if hit.masked is not None and hit.masked.score != hit.score:
        methods.append(f"masked to a score of {hit.masked.score}")
    if hit.evalues is not None and hit.evalues.scale not in (None, 1.0):
        methods.append("adjusted to composition")
    if not methods:
        return ""
    before = f", before {evalue_text(hit.evalues.fitted)}" if hit.evalues else ""
    return f", Method: {', '.join(methods)}{before}"


def _shuffled(hit: Hit) -> str:
    """A line of its own: what reads BLAST's reports passes over it."""
    if hit.shuffled is None or hit.shuffled.z is None:
        return ""
    return f" Z-value = {hit.shuffled.z:.2f}, P = {hit.shuffled.pvalue:.2e} (shuffles)\n"


def _numbered(row: str, start: int, width: int) -> str:
    """A row between the numbers of its first and last residue; a row of gaps alone has none."""
    count = _residues(row)
    return f"{start if count else '':<{width}}  {row}  {start + count - 1 if count else ''}"


def _residues(row: str) -> int:
    return len(row) - row.count("-")


def _statistics(report: Report, one: QueryResult) -> Iterator[str]:
    statistics = one.statistics
    if statistics.lambda_ is not None:
        yield from _karlin_altschul(report, one)
    if statistics.fit is not None:
        fit = statistics.fit
        yield (
            f"\nFitted: score = {fit.rho:.4f} ln(length) + {fit.mu:.4f}, variance {fit.variance:.4f}, "
            f"{fit.subjects:,} subjects, {fit.rejected:,} rejected\n"
        )
    if statistics.mask is not None:
        yield f"\nMasked by {statistics.mask.method}; left out by that: {statistics.mask.left_out:,} subjects\n"
    if statistics.composition is not None:
        yield f"\nAdjusted to composition; left out by that: {statistics.composition.left_out:,} subjects\n"
    if statistics.simulated is not None:
        errors = statistics.simulated
        yield f"\nSimulated: standard error of Lambda {errors.lambda_error:.2g}, of K {errors.kappa_error:.2g}\n"
    if statistics.fallback_reason is not None:
        yield f"\nStatistics: {statistics.fallback_reason}\n"


def _karlin_altschul(report: Report, one: QueryResult) -> Iterator[str]:
    """The constants without gaps, where the matrix has published ones, and those that the figures were made with."""
    row = row_of(one.statistics, report.parameters)
    yield "\n"
    if report.parameters.matrix_scores is None:
        ungapped = published(report.parameters.matrix).ungapped
        yield "\nLambda      K        H        a         alpha\n"
        yield _constants(ungapped.lambda_, ungapped.kappa, ungapped.entropy, ungapped.alpha, ungapped.alpha_v)
    if row is not None:
        yield "\nGapped\nLambda      K        H        a         alpha    sigma\n"
        yield _constants(row.lambda_, row.kappa, row.entropy, row.alpha, row.alpha_v, row.sigma)
    yield f"\nEffective search space used: {one.statistics.eff_space}\n"


def _constants(*values: float) -> str:
    return "".join(f"{value:#8.3g} " for value in values) + "\n"
