"""All scores as a table: every subject, with the figures that its hit has, by any statistics; cut at thresholds."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from shardwater.database.joined import Joined
from shardwater.engines.cpu import CpuEngine
from shardwater.formats import scores as module
from shardwater.formats.scores import (
    COLUMNS,
    EVERYONE,
    AllScores,
    Threshold,
    UnfitThreshold,
    write_parquet,
    write_raw,
    write_tab,
)
from shardwater.search import scores as kept_scores
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.scores import Cut, KeptScores, ScoreWriter
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.sequences.fasta import Record
from shardwater.steps import finish

LETTERS = list("ARNDCQEGHILKMFPSTWYV")
QUERIES = [Record("q0 first", b"MKVLAAGWDEHHKLMNPQRSTVWY"), Record("q1", b"WCHHACDEFGHIKLMKKWYV")]
PART = QUERIES[0].part(3, 24)


@pytest.fixture
def crowd(build):
    """300 proteins, enough for a fit."""
    rng = np.random.default_rng(3)
    return build([(f"s{n} a title", "".join(rng.choice(LETTERS, rng.integers(20, 200)))) for n in range(300)])


def searched(database, folder: Path, queries, parameters) -> AllScores:
    shard, engine = database.shard(0, 1), CpuEngine(2)
    engine.load(shard)
    kept = KeptScores(folder, (Cut(len(database), 1),), len(queries))
    with kept.path(0).open("w+b") as file:
        writer = ScoreWriter(file, len(database), len(queries))
        found = finish(find_all_hits(engine, shard, [ShardSearch(queries, parameters, keep=writer.keep)]))
        writer.finish()
    asked = Searched("x", (SearchedDatabase.of(database.manifest),), parameters, queries)
    return AllScores(assemble(asked, found), kept)


def table_of(scores, database, threshold=EVERYONE):
    return parquet.read_table(io.BytesIO(b"".join(write_parquet(scores, Joined.of([database]), threshold)))).to_pylist()


@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(max_target_seqs=300, evalue=1e9),
        Parameters(max_target_seqs=300, evalue=1e9, statistics="table"),
        Parameters(max_target_seqs=300, evalue=1e9, statistics="karlin-altschul"),
        Parameters(max_target_seqs=300, statistics="none"),
        Parameters(max_target_seqs=300, evalue=1e9, gap_open=5, gap_extend=5),
    ],
    ids=str,
)
def test_figures_are_those_of_the_hits(crowd, tmp_path, monkeypatch, parameters):
    monkeypatch.setattr(kept_scores, "BLOCK", 100)
    scores = searched(crowd, tmp_path, QUERIES, parameters)
    rows = table_of(scores, crowd)
    assert [list(row) for row in rows] == [list(COLUMNS)] * 600
    assert [row["accession"] for row in rows] == [crowd.accession(subject) for subject in range(300)] * 2
    found = {(row["query"], row["accession"]): row for row in rows}
    for one in scores.report.results:
        assert len(one.hits) > 250
        for hit in one.hits:
            expected = one.query.id, hit.accession, hit.length, hit.score, hit.bits, hit.evalue, hit.database
            assert tuple(found[one.query.id, hit.accession].values()) == expected


def test_part_of_a_query_is_judged_as_in_its_search(crowd, tmp_path):
    scores = searched(crowd, tmp_path, [PART], Parameters(statistics="table", query_loc="3-30", evalue=1e9))
    found = {row["accession"]: row["evalue"] for row in table_of(scores, crowd)}
    [one] = scores.report.results
    assert one.query.length == 24
    assert {hit.accession: hit.evalue for hit in one.hits}.items() <= found.items()


def test_text_has_the_same_rows_and_no_line_of_another(crowd, tmp_path):
    scores = searched(crowd, tmp_path, QUERIES, Parameters())
    header, *lines = "".join(write_tab(scores, Joined.of([crowd]))).splitlines()
    assert header == "#" + "\t".join(COLUMNS)
    rows = table_of(scores, crowd)
    assert [line.split("\t")[:4] for line in lines] == [
        [row["query"], row["accession"], str(row["length"]), str(row["score"])] for row in rows
    ]
    number = int(np.argmin([row["evalue"] for row in rows]))
    assert lines[number].split("\t")[5] == module.evalue_text(rows[number]["evalue"], table=True)


@pytest.mark.parametrize("threshold", [Threshold(40), Threshold(0, 3.0), Threshold(30, 50.0), Threshold(99_999)])
def test_thresholds_leave_out_the_others(crowd, tmp_path, threshold):
    scores = searched(crowd, tmp_path, QUERIES, Parameters())
    wanted = [
        row
        for row in table_of(scores, crowd)
        if row["score"] >= threshold.min_score
        and (threshold.max_evalue is None or row["evalue"] <= threshold.max_evalue)
    ]
    assert len(wanted) < 600
    assert table_of(scores, crowd, threshold) == wanted
    lines = "".join(write_tab(scores, Joined.of([crowd]), threshold)).splitlines()[1:]
    assert [line.split("\t")[1] for line in lines] == [row["accession"] for row in wanted]


def test_subjects_of_which_none_is_wanted_are_pieces_all_the_same(crowd, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_scores, "BLOCK", 100)
    scores = searched(crowd, tmp_path, QUERIES, Parameters())
    databases, nobody = Joined.of([crowd]), Threshold(99_999)
    assert list(write_tab(scores, databases, nobody))[1:] == [""] * 6
    # Then the table's end, with what it was made of.
    assert len(list(write_parquet(scores, databases, nobody))) == 6 + 1
    assert table_of(scores, crowd, nobody) == []


def test_threshold_that_cannot_be_kept_is_refused(crowd, tmp_path):
    scores = searched(crowd, tmp_path, QUERIES, Parameters(statistics="none"))
    for write in (write_tab, write_parquet):
        with pytest.raises(UnfitThreshold, match="no E-values") as caught:
            write(scores, Joined.of([crowd]), Threshold(0, 5.0))
        assert caught.value.threshold == "max_evalue"
    for threshold, name in ((Threshold(5), "min_score"), (Threshold(0, 5.0), "max_evalue")):
        with pytest.raises(UnfitThreshold) as caught:
            write_raw(scores, threshold)
        assert caught.value.threshold == name


def test_numbers_alone_are_of_32_bits(crowd, tmp_path):
    scores = searched(crowd, tmp_path, QUERIES, Parameters())
    found = np.frombuffer(b"".join(write_raw(scores)), "<i4")
    assert found.tolist() == [row["score"] for row in table_of(scores, crowd)]
    second = AllScores(replace(scores.report, results=scores.report.results[1:]), scores.kept, 1)
    assert np.array_equal(np.frombuffer(b"".join(write_raw(second)), "<i4"), found[300:])
