"""Results written by hand: alignments with every kind of column, hits without one, a query without hits."""

from dataclasses import replace

from shardwater.search.databases import DatabaseUsed
from shardwater.search.hits import Hsp
from shardwater.search.merge import (
    Certificate,
    Hit,
    Query,
    QueryResult,
    SearchResult,
    StatisticsUsed,
)
from shardwater.search.parameters import Parameters
from shardwater.software import Software

# 65 columns: E with D near the end is positive; two letters are missing in the query, one in the subject.
LONG = Hsp(
    query_from=5,
    query_to=67,
    hit_from=101,
    hit_to=164,
    identity=61,
    positive=62,
    gaps=3,
    align_len=65,
    cigar="22=2D10=1I26=1X3=",
    qseq="ACDEFGHIKLMNPQRSTVWYAC--FGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYHEAGA",
    midline="ACDEFGHIKLMNPQRSTVWYAC  FGHIKLMNPQ STVWYACDEFGHIKLMNPQRSTVWYH+AGA",
    hseq="ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQ-STVWYACDEFGHIKLMNPQRSTVWYHDAGA",
)
ALIGNED = Hit(
    1, "sp|P1|A", "Alpha, the first", 300, 310, 123.98, 1.7e-30, 100 * 61 / 65, 62.5, (LONG,),
    taxid=9606, organism="Homo sapiens",
)  # fmt: skip
# Of query letters 3 to 6, two of which are in the other alignment, too.
SHORT = Hsp(3, 6, 10, 13, 4, 4, 0, 4, "4=", "KLAC", "KLAC", "KLAC", 22, 13.08, 0.75)
TWICE = replace(ALIGNED, hsps=(*ALIGNED.hsps, SHORT))
"""A hit with two alignments."""
UNALIGNED = Hit(2, "P2", "beta\tchain\x01sp|P3 gamma", 40, 59, 27.34, 3.21, None, None, ())
QUERY = Query("q1", "my query", 101, {})
STATISTICS = StatisticsUsed("table", 0.267, 0.041, 0.14, 123456)


def result_of(*queries, parameters=Parameters()):  # noqa: B008 frozen
    return SearchResult(
        search="abc",
        database=DatabaseUsed("swiss", "2026_01", "0" * 64),
        software=Software("1.2.3", "unknown"),
        parameters=parameters,
        certificate=Certificate(True, 1234, 456789, 46135689, ()),
        results=queries,
    )


FOUND = QueryResult(QUERY, STATISTICS, (ALIGNED, UNALIGNED))
NOTHING = QueryResult(Query("q2", "", 30, {}), STATISTICS, ())
RESULT = result_of(FOUND, NOTHING)


def one_hit(hit, query=QUERY):
    return result_of(QueryResult(query, STATISTICS, (hit,)))


# What XML, names in SAM and tables have to take care of.
STRANGE = QueryResult(
    Query("a<b>&c@d", "\"quoted\" & 'so' é\x02", 80, {}),
    STATISTICS,
    (replace(ALIGNED, accession="=x,[y]é%", title='<b> & "c" é ]]>\x01gb|Z1 more & <less>'),),
)
NO_STATISTICS = StatisticsUsed("none", None, None, None, None)


def text(pieces):
    return "".join(pieces)
