import json
from dataclasses import replace

from shardwater.formats.blast_json import write_blast_json
from shardwater.search.merge import QueryResult
from tests.support.example_results import (
    ALIGNED,
    LONG,
    NO_STATISTICS,
    QUERY,
    RESULT,
    STRANGE,
    TWICE,
    UNALIGNED,
    one_hit,
    result_of,
    text,
)


def reports(result):
    return [each["report"] for each in json.loads(text(write_blast_json(result)))["BlastOutput2"]]


def test_each_query_has_a_report():
    first, second = reports(RESULT)
    assert list(first) == ["program", "version", "reference", "search_target", "params", "results"]
    assert (first["program"], first["version"]) == ("blastp", "Shardwater 1.2.3")
    assert first["search_target"] == {"db": "swiss 2026_01"}
    assert first["params"] == {
        "matrix": "BLOSUM62", "expect": 10, "gap_open": 11, "gap_extend": 1, "filter": "F", "cbs": 0,
    }  # fmt: skip
    searches = [each["results"]["search"] for each in (first, second)]
    assert [(each["query_id"], each["query_title"], each["query_len"]) for each in searches] == [
        ("Query_1", "q1 my query", 101),
        ("Query_2", "q2", 30),
    ]
    assert (searches[1]["hits"], searches[1]["message"]) == ([], "No hits found")
    assert "message" not in searches[0]


def test_hit_has_blasts_members():
    hit, unaligned = reports(RESULT)[0]["results"]["search"]["hits"]
    assert hit == {
        "num": 1,
        "description": [
            {
                "id": "sp|P1|A",
                "accession": "sp|P1|A",
                "title": "Alpha, the first",
                "taxid": 9606,
                "sciname": "Homo sapiens",
            }
        ],
        "len": 300,
        "hsps": [
            {
                "num": 1,
                "bit_score": 123.98,
                "score": 310,
                "evalue": 1.7e-30,
                "identity": 61,
                "positive": 62,
                "query_from": 5,
                "query_to": 67,
                "hit_from": 101,
                "hit_to": 164,
                "align_len": 65,
                "gaps": 3,
                "qseq": LONG.qseq,
                "hseq": LONG.hseq,
                "midline": LONG.midline,
            }
        ],
    }
    assert (unaligned["num"], unaligned["hsps"]) == (2, [])


def test_hsps_of_a_hit_have_their_own_figures():
    [hit] = reports(one_hit(TWICE))[0]["results"]["search"]["hits"]
    names = "num", "score", "bit_score", "evalue", "query_from", "hit_to"
    assert [[hsp[name] for name in names] for hsp in hit["hsps"]] == [
        [1, 310, 123.98, 1.7e-30, 5, 164],
        [2, 22, 13.08, 0.75, 3, 13],
    ]


def test_merged_records_are_descriptions_of_their_own():
    [report] = reports(result_of(QueryResult(QUERY, NO_STATISTICS, (UNALIGNED,))))
    [hit] = report["results"]["search"]["hits"]
    assert [(each["id"], each["title"]) for each in hit["description"]] == [("P2", "beta chain"), ("sp|P3", "gamma")]


def test_figures_that_there_are_not_are_null():
    [report] = reports(
        result_of(QueryResult(QUERY, NO_STATISTICS, (replace(ALIGNED, bits=None, evalue=None, hsps=(LONG,)),)))
    )
    search = report["results"]["search"]
    [hsp] = search["hits"][0]["hsps"]
    assert (hsp["bit_score"], hsp["evalue"], hsp["score"]) == (None, None, 310)
    assert search["stat"] == {
        "db_num": 1234, "db_len": 456789, "hsp_len": 0, "eff_space": 0, "kappa": None, "lambda": None, "entropy": None,
    }  # fmt: skip


def test_any_title_comes_through():
    [report] = reports(result_of(STRANGE))
    [hit] = report["results"]["search"]["hits"]
    assert hit["description"][0]["title"] == '<b> & "c" é ]]>'
