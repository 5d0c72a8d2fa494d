"""BLAST XML, format 5, after NCBI's BlastOutput document type.

Numbers have all their digits. What the document type demands and a search without statistics does not have is NaN,
and -1 among the constants, as BLAST puts it.
"""

from collections.abc import Iterator
from html import escape

from shardwater.formats.blast import (
    NO_CONSTANT,
    NO_HITS,
    NOT_MASKED,
    PROGRAM,
    REFERENCE,
    UNKNOWN,
    Stat,
    database,
    version,
)
from shardwater.formats.titles import names_of, one_line, query_name
from shardwater.search.hits import Hsp
from shardwater.search.merge import Hit, QueryResult, Report

DOCTYPE = (
    '<!DOCTYPE BlastOutput PUBLIC "-//NCBI//NCBI BlastOutput/EN" '
    '"http://www.ncbi.nlm.nih.gov/dtd/NCBI_BlastOutput.dtd">'
)


def write_xml(report: Report) -> Iterator[str]:
    """One Iteration a query, whose number is the query's place."""
    for number, one in enumerate(report.results, start=1):
        if number == 1:
            yield _head(report, one)
        yield from _iteration(report, number, one)
    yield "</BlastOutput_iterations>\n</BlastOutput>\n"


def _head(report: Report, first: QueryResult) -> str:
    parameters = report.parameters
    return "".join(
        (
            f'<?xml version="1.0" encoding="UTF-8"?>\n{DOCTYPE}\n<BlastOutput>\n',
            _element("BlastOutput_program", PROGRAM),
            _element("BlastOutput_version", version(report)),
            _element("BlastOutput_reference", REFERENCE),
            _element("BlastOutput_db", database(report)),
            _element("BlastOutput_query-ID", "Query_1"),
            _element("BlastOutput_query-def", query_name(first.query)),
            _element("BlastOutput_query-len", first.query.length),
            "<BlastOutput_param>\n<Parameters>\n",
            _element("Parameters_matrix", parameters.matrix),
            _element("Parameters_expect", parameters.evalue),
            _element("Parameters_gap-open", parameters.gap_open),
            _element("Parameters_gap-extend", parameters.gap_extend),
            _element("Parameters_filter", NOT_MASKED),
            "</Parameters>\n</BlastOutput_param>\n<BlastOutput_iterations>\n",
        )
    )


def _iteration(report: Report, number: int, one: QueryResult) -> Iterator[str]:
    yield "<Iteration>\n"
    yield _element("Iteration_iter-num", number)
    yield _element("Iteration_query-ID", f"Query_{number}")
    yield _element("Iteration_query-def", query_name(one.query))
    yield _element("Iteration_query-len", one.query.length)
    yield "<Iteration_hits>\n"
    yield from map(_hit, one.hits)
    yield "</Iteration_hits>\n<Iteration_stat>\n<Statistics>\n"
    stat = Stat.of(report, one)
    yield _element("Statistics_db-num", report.certificate.subjects)
    yield _element("Statistics_db-len", report.certificate.residues)
    yield _element("Statistics_hsp-len", stat.hsp_len)
    yield _element("Statistics_eff-space", stat.eff_space)
    for name, value in (("kappa", stat.kappa), ("lambda", stat.lambda_), ("entropy", stat.entropy)):
        yield _element(f"Statistics_{name}", NO_CONSTANT if value is None else value)
    yield "</Statistics>\n</Iteration_stat>\n"
    if not one.hits:
        yield _element("Iteration_message", NO_HITS)
    yield "</Iteration>\n"


def _hit(hit: Hit) -> str:
    first, *others = names_of(hit)
    return "".join(
        (
            "<Hit>\n",
            _element("Hit_num", hit.rank),
            _element("Hit_id", first.id),
            _element("Hit_def", " >".join((first.title, *map(str, others)))),
            _element("Hit_accession", first.id),
            _element("Hit_len", hit.length),
            "<Hit_hsps>\n",
            *(_hsp(number, hsp) for number, hsp in enumerate(hit.hsps, start=1)),
            "</Hit_hsps>\n</Hit>\n",
        )
    )


def _hsp(number: int, hsp: Hsp) -> str:
    values: tuple[tuple[str, str | int | float | None], ...] = (
        ("num", number),
        ("bit-score", hsp.bits),
        ("score", hsp.score),
        ("evalue", hsp.evalue),
        ("query-from", hsp.query_from),
        ("query-to", hsp.query_to),
        ("hit-from", hsp.hit_from),
        ("hit-to", hsp.hit_to),
        ("query-frame", 0),
        ("hit-frame", 0),
        ("identity", hsp.identity),
        ("positive", hsp.positive),
        ("gaps", hsp.gaps),
        ("align-len", hsp.align_len),
        ("qseq", hsp.qseq),
        ("hseq", hsp.hseq),
        ("midline", hsp.midline),
    )
    elements = (_element(f"Hsp_{name}", UNKNOWN if value is None else value) for name, value in values)
    return f"<Hsp>\n{''.join(elements)}</Hsp>\n"


def _element(name: str, value: str | float) -> str:
    text = escape(one_line(value), quote=False) if isinstance(value, str) else value
    return f"<{name}>{text}</{name}>\n"
