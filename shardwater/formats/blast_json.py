"""BLAST's single-file JSON, format 15: a report for each query. What there is no figure for is null."""

import json
from collections.abc import Iterator
from typing import Any

from shardwater.formats.blast import NO_HITS, NOT_MASKED, PROGRAM, REFERENCE, Stat, database, version
from shardwater.formats.titles import names_of, query_name
from shardwater.search.hits import Hsp
from shardwater.search.merge import Hit, QueryResult, Report

NO_ADJUSTMENT = 0
"""BLAST's number for scores that are not adjusted to the composition of the sequences."""


def write_blast_json(report: Report) -> Iterator[str]:
    """One object with a list; the query ids of its reports, Query_1 and so on, are the queries' places."""
    separator = '{"BlastOutput2":['
    for number, one in enumerate(report.results, start=1):
        yield separator
        yield json.dumps({"report": report_of(report, number, one)}, ensure_ascii=False, separators=(",", ":"))
        separator = ",\n"
    yield "]}\n"


def report_of(report: Report, number: int, one: QueryResult) -> dict[str, Any]:
    """One query's report, by BLAST's names; the query's place is its number."""
    parameters = report.parameters
    return {
        "program": PROGRAM,
        "version": version(report),
        "reference": REFERENCE,
        "search_target": {"db": database(report)},
        "params": {
            "matrix": parameters.matrix,
            "expect": parameters.evalue,
            "gap_open": parameters.gap_open,
            "gap_extend": parameters.gap_extend,
            "filter": NOT_MASKED,
            "cbs": NO_ADJUSTMENT,
        },
        "results": {"search": _search(report, number, one)},
    }


def _search(report: Report, number: int, one: QueryResult) -> dict[str, Any]:
    stat = Stat.of(report, one)
    return {
        "query_id": f"Query_{number}",
        "query_title": query_name(one.query),
        "query_len": one.query.length,
        "hits": [_hit(hit) for hit in one.hits],
        "stat": {
            "db_num": report.certificate.subjects,
            "db_len": report.certificate.residues,
            "hsp_len": stat.hsp_len,
            "eff_space": stat.eff_space,
            "kappa": stat.kappa,
            "lambda": stat.lambda_,
            "entropy": stat.entropy,
        },
        **({} if one.hits else {"message": NO_HITS}),
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "num": hit.rank,
        "description": _descriptions(hit),
        "len": hit.length,
        "hsps": [_hsp(number, hsp) for number, hsp in enumerate(hit.hsps, start=1)],
    }


def _descriptions(hit: Hit) -> list[dict[str, Any]]:
    """The records that a subject stands for; a database knows the taxon of the first."""
    first, *others = ({"id": name.id, "accession": name.id, "title": name.title} for name in names_of(hit))
    taxon = {"taxid": hit.taxid, "sciname": hit.organism}
    return [{**first, **{name: value for name, value in taxon.items() if value is not None}}, *others]


def _hsp(number: int, hsp: Hsp) -> dict[str, Any]:
    return {
        "num": number,
        "bit_score": hsp.bits,
        "score": hsp.score,
        "evalue": hsp.evalue,
        "identity": hsp.identity,
        "positive": hsp.positive,
        "query_from": hsp.query_from,
        "query_to": hsp.query_to,
        "hit_from": hsp.hit_from,
        "hit_to": hsp.hit_to,
        "align_len": hsp.align_len,
        "gaps": hsp.gaps,
        "qseq": hsp.qseq,
        "hseq": hsp.hseq,
        "midline": hsp.midline,
    }
