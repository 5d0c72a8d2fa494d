"""BLAST+ itself, where it is installed: of the alignments that it finds too, its formats and ours say the same.

Its search is heuristic, so only alignments between the same places are compared; without composition-based statistics
they have the same figures.
"""

import gzip
import json
import re
import shutil
import subprocess

import pytest
from lxml import etree

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.engines.cpu import CpuEngine
from shardwater.formats.blast_json import write_blast_json
from shardwater.formats.blast_xml import write_xml
from shardwater.formats.columns import COLUMNS, STANDARD_COLUMNS
from shardwater.formats.pairwise import write_pairwise
from shardwater.formats.table import write_csv, write_tab
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import read_fasta
from tests.support.demo import DEMO
from tests.support.example_results import text

pytestmark = pytest.mark.skipif(shutil.which("blastp") is None, reason="BLAST+ is not installed")

NOT_BLASTS = {
    "qtitle",
    "sdb",
    "cigar",
    "table_evalue",
    "fitted_evalue",
    "zscore",
    "scale",
    "shuffled_z",
    "shuffled_p",
    "masked_score",
}
# The demo has none, for which BLAST has other words.
OF_TAXA = {"staxid", "staxids", "ssciname", "sscinames"}
# Of all alignments of a subject, which need not be the same.
OF_MANY = {"qcovs"}
# Of a database whose identifiers it does not parse, BLAST gives the whole header as the title.
SHARED = [name for name in COLUMNS if name not in NOT_BLASTS | OF_TAXA | OF_MANY | {"stitle", "salltitles"}]
ENOUGH = 30


@pytest.fixture(scope="module")
def blast(tmp_path_factory):
    """blast(outfmt): what blastp writes of the demo's queries against the demo's proteins."""
    folder = tmp_path_factory.mktemp("blast")
    (folder / "demo.fasta").write_bytes(gzip.decompress((DEMO / "proteins.fasta.gz").read_bytes()))
    make = ["makeblastdb", "-in", "demo.fasta", "-dbtype", "prot", "-out", "demo"]
    subprocess.run(make, cwd=folder, check=True, capture_output=True)

    def run(outfmt):
        command = ["blastp", "-query", str(DEMO / "queries.fasta"), "-db", "demo", "-outfmt", outfmt, "-seg", "no"]
        command += ["-comp_based_stats", "0", "-max_target_seqs", "100", "-evalue", "1"]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    build_database([DEMO / "proteins.fasta.gz"], folder, name="demo", shards=1)
    database = Catalog(folder).current("demo")
    queries = read_fasta((DEMO / "queries.fasta").read_bytes())
    parameters = Parameters(max_target_seqs=100, evalue=1, statistics="table", max_hsps=10)
    shard, engine = database.shard(0, 1), CpuEngine(2)
    engine.load(shard)
    found = find_hits(engine, shard, queries, parameters)
    searched = Searched("abc", (SearchedDatabase.of(database.manifest),), parameters, queries)
    return assemble(searched, [found])


PLACE = ("qseqid", "sseqid", "qstart", "qend", "sstart", "send", "qseq", "sseq")


def by_place(rows, names):
    places = [names.index(name) for name in PLACE]
    return {tuple(row[place] for place in places): row for row in rows}


def test_rows_of_the_table_are_the_same_in_every_column(blast, result):
    theirs = by_place([line.split("\t") for line in blast(f"6 {' '.join(SHARED)}").splitlines()], SHARED)
    ours = by_place([line.split("\t") for line in text(write_tab(result, SHARED)).splitlines()], SHARED)
    # BLAST's X scores -1 against everything, the X of NCBI's matrix files as the file has it.
    common = {place for place in theirs.keys() & ours.keys() if "X" not in "".join(place[-2:])}
    assert len(common) > ENOUGH
    for place in common:
        assert dict(zip(SHARED, ours[place], strict=True)) == dict(zip(SHARED, theirs[place], strict=True))


def test_headings_of_format_7_are_the_same(blast, result):
    [theirs, *_] = re.findall("# Fields: .*", blast(f"7 {' '.join(SHARED)}"))
    [ours, *_] = re.findall("# Fields: .*", text(write_tab(result, SHARED, comments=True)))
    assert ours == theirs


def test_rows_of_csv_are_the_same(blast, result):
    theirs, ours = (
        set(blast("10").splitlines()),
        set(text(write_csv(result, STANDARD_COLUMNS, header=False)).splitlines()),
    )
    assert len(theirs & ours) > ENOUGH


def alignments(report):
    """Each alignment's lines in a pairwise report, from its score to its last row."""
    return set(re.findall(r"^ Score = .*?^Sbjct  [^\n]*(?=\n\n\n|\n\n Score)", report, re.M | re.S))


def test_alignments_of_the_pairwise_report_are_the_same_to_the_byte(blast, result):
    theirs, ours = alignments(blast("0")), alignments(text(write_pairwise(result)))
    assert len(ours) == sum(len(hit.hsps) for one in result.results for hit in one.hits)
    assert len(theirs & ours) > ENOUGH


def test_frame_of_the_pairwise_report_is_the_same(blast, result):
    report = text(write_pairwise(result))
    for line in (
        *re.findall(r"^ +Score +E\nSequences producing.*$", blast("0"), re.M),
        *re.findall(r"^Effective search space used: \d+$", blast("0"), re.M),
        *re.findall(r"^Gapped\nLambda.*\n.*$", blast("0"), re.M),
        *re.findall(r"^Length=\d+\n +Score", blast("0"), re.M),
        *re.findall(r"^Matrix: .*\nGap Penalties: .*$", blast("0"), re.M),
    ):
        assert line in report


def test_xml_has_the_same_elements_in_the_same_order_and_the_same_statistics(blast, result):
    theirs, ours = etree.fromstring(blast("5").encode()), etree.fromstring(text(write_xml(result)).encode())
    for path in (".", ".//Parameters", ".//Iteration", ".//Statistics", ".//Hit", ".//Hsp"):
        assert [child.tag for child in ours.find(path)] == [child.tag for child in theirs.find(path)]
    for name in ("Iteration", "Statistics"):
        for one, other in zip(ours.iter(name), theirs.iter(name), strict=True):
            assert [child.text for child in one if not len(child)] == [child.text for child in other if not len(child)]


def test_json_has_the_same_members_and_the_same_statistics(blast, result):
    theirs, ours = (json.loads(each)["BlastOutput2"] for each in (blast("15"), text(write_blast_json(result))))
    for one, other in zip(ours, theirs, strict=True):
        assert list(one["report"]) == list(other["report"])
        # Theirs has no number for an adjustment that is not made.
        assert one["report"]["params"] == {**other["report"]["params"], "cbs": 0}
        found, wanted = one["report"]["results"]["search"], other["report"]["results"]["search"]
        assert list(found) == list(wanted)
        assert found["stat"] == wanted["stat"]
        assert list(found["hits"][0]) == list(wanted["hits"][0])
        assert list(found["hits"][0]["hsps"][0]) == list(wanted["hits"][0]["hsps"][0])
