import threading
from dataclasses import replace

import pytest

from shardwater.errors import SearchCancelled
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import Hsp, SubjectHit
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, find_all_hits, find_hits
from shardwater.search.step import Step
from shardwater.search.writing import WritesHits
from shardwater.sequences.fasta import Record
from shardwater.steps import finish

QUERIES = [Record("q1 first", b"WWHWW"), Record("q2", b"ccc")]
# By length: d (0), c (1), b (2), a (3).
FOUR = [("a of all", "GGWWhWWCC"), ("b", "WWPWWP"), ("c long  title ", "AAAW"), ("d", "GGG")]


def search(engine, shard, parameters=Parameters(), queries=QUERIES):  # noqa: B008 frozen
    engine.load(shard)
    return find_hits(engine, shard, queries, parameters)


def places(hits):
    return [(hit.accession, hit.score, len(hit.hsps)) for hit in hits]


def test_hits_of_a_whole_database(engine, build):
    found = search(engine, build(FOUR).shard(0, 1))
    assert (found.index, found.subjects, found.residues, found.cells) == (0, 4, 22, 22 * 8)
    assert found.engine == engine.name
    best = Hsp(1, 5, 3, 7, 5, 5, 0, 5, "5=", "WWHWW", "WWHWW", "WWhWW", 52)
    second = Hsp(1, 5, 1, 5, 4, 4, 0, 5, "2=1X2=", "WWHWW", "WW WW", "WWPWW", 42)
    third = Hsp(1, 1, 4, 4, 1, 1, 0, 1, "1=", "W", "W", "W", 11)
    two = Hsp(1, 2, 8, 9, 2, 2, 0, 2, "2=", "cc", "CC", "CC", 18)
    assert found.queries == (
        (
            SubjectHit(3, "a", "of all", 9, 52, (best,)),
            SubjectHit(2, "b", "", 6, 42, (second,)),
            SubjectHit(1, "c", "long  title", 4, 11, (third,)),
        ),
        (SubjectHit(3, "a", "of all", 9, 18, (two,)),),
    )


def test_gaps_cost_what_the_parameters_say(engine, build):
    shard = build([("s", "WWWWWHHHHH")]).shard(0, 1)
    query = [Record("q", b"WWWWWGGHHHHH")]
    [[hit]] = search(engine, shard, Parameters(gap_open=11, gap_extend=1), query).queries
    assert (hit.score, hit.hsps[0].cigar) == (55 + 40 - 13, "5=2I5=")
    [[hit]] = search(engine, shard, Parameters(gap_open=5, gap_extend=2, statistics="none"), query).queries
    assert (hit.score, hit.hsps[0].cigar) == (55 + 40 - 9, "5=2I5=")
    cheap = Parameters(matrix="BLOSUM50", gap_open=5, gap_extend=2, statistics="none")
    [[hit]] = search(engine, shard, cheap, query).queries
    assert hit.score == 5 * 15 + 5 * 10 - 9


def test_shards_count_their_own_subjects_and_number_them_as_the_database_does(engine, build):
    database = build(FOUR)
    even, odd = (search(engine, database.shard(index, 2)) for index in range(2))
    assert (even.index, even.subjects, even.residues, even.cells) == (0, 2, 3 + 6, 9 * 8)
    assert (odd.index, odd.subjects, odd.residues, odd.cells) == (1, 2, 4 + 9, 13 * 8)
    assert [(hit.subject, hit.accession) for hit in even.queries[0]] == [(2, "b")]
    assert [(hit.subject, hit.accession) for hit in odd.queries[0]] == [(3, "a"), (1, "c")]


def test_empty_shard_finds_nothing_and_says_so(engine, build):
    found = search(engine, build(FOUR).shard(7, 8))
    assert (found.subjects, found.residues, found.cells, found.queries) == (0, 0, 0, ((), ()))


def test_only_the_best_are_kept_and_only_the_best_of_them_aligned(engine, build):
    shard = build(FOUR).shard(0, 1)
    first, second = search(engine, shard, Parameters(max_target_seqs=2, alignments=1, statistics="table")).queries
    assert places(first) == [("a", 52, 1), ("b", 42, 0)]
    assert places(second) == [("a", 18, 1)]
    first, _ = search(engine, shard, Parameters(alignments=0)).queries
    assert places(first) == [("a", 52, 0), ("b", 42, 0), ("c", 11, 0)]


@pytest.mark.parametrize("name", ["min_identity", "min_query_coverage"])
def test_filters_that_look_at_alignments_have_all_made(engine, build, name):
    parameters = replace(Parameters(alignments=0), **{name: 0.0})
    first, _ = search(engine, build(FOUR).shard(0, 1), parameters).queries
    assert places(first) == [("a", 52, 1), ("b", 42, 1), ("c", 11, 1)]


@pytest.mark.parametrize(
    ("parameters", "aligned"),
    [
        (Parameters(), 100),
        (Parameters(alignments=5), 5),
        (Parameters(max_target_seqs=3), 3),
        (Parameters(alignments=0, min_bits=50.0), 0),
        (Parameters(alignments=0, min_identity=0.0), 100),
        (Parameters(alignments=0, min_query_coverage=50.0, max_target_seqs=7), 7),
    ],
)
def test_how_many_are_aligned(parameters, aligned):
    assert parameters.aligned == aligned


def test_scoring_of_the_parameters():
    assert Parameters().scoring == Scoring("BLOSUM62", 11, 1)
    assert Parameters("pam30", 9, 2).scoring == Scoring("PAM30", 9, 2)


def steps_of(engine, shard, queries=QUERIES, parameters=Parameters()):  # noqa: B008 frozen
    engine.load(shard)
    return find_all_hits(engine, shard, [ShardSearch(queries, parameters)])


@pytest.mark.parametrize("queries", [QUERIES[:1], QUERIES], ids=["one", "two"])
@pytest.mark.parametrize("parameters", [Parameters(), Parameters(alignments=0), Parameters(evalue=1e-99)])
def test_steps_add_up_to_the_cells_and_all_alignments(engine, build, queries, parameters):
    steps = []
    [found] = finish(steps_of(engine, build(FOUR).shard(0, 1), queries, parameters), steps.append)
    assert sum(step.cells for step in steps) == found.cells > 0
    assert sum(step.aligned for step in steps) == pytest.approx(1)
    assert min(step.aligned for step in steps) >= 0


@pytest.mark.parametrize("stage", ["scoring", "aligning"])
@pytest.mark.parametrize("queries", [QUERIES[:1], QUERIES], ids=["one", "two"])
def test_search_is_given_up_in_every_stage(engine, build, queries, stage):
    def cancel(step):
        if step.cells if stage == "scoring" else step.aligned:
            raise SearchCancelled

    shard = build(FOUR).shard(0, 1)
    with pytest.raises(SearchCancelled):
        finish(steps_of(engine, shard, queries), cancel)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("hits")]
    assert len(find_hits(engine, shard, queries, Parameters()).queries) == len(queries)


def test_queries_together_find_what_each_finds_alone(engine, build):
    shard = build(FOUR).shard(0, 1)
    engine.load(shard)
    queries = [Record(f"q{number}", letters) for number, letters in enumerate([b"WWCH", b"CHW", b"HHW", b"WW", b"GGC"])]
    together = find_hits(engine, shard, queries, Parameters())
    alone = [find_hits(engine, shard, [query], Parameters()) for query in queries]
    assert together.queries == tuple(hits for found in alone for hits in found.queries)
    assert together.extents == tuple(extent for found in alone for extent in found.extents)
    assert together.histograms == tuple(histogram for found in alone for histogram in found.histograms)


def test_scoring_waits_where_writing_out_takes_longer(engine, build, monkeypatch):
    monkeypatch.setattr("shardwater.search.search.MOST_WAITING", 2)
    scored, most = [], []
    written = threading.Semaphore(0)

    class Slow(WritesHits):
        def write(self, waiting):
            most.append(len(waiting))
            written.acquire()
            return (yield from super().write(waiting))

    monkeypatch.setattr("shardwater.search.search.WritesHits", Slow)
    queries = [Record(f"q{number}", b"WWHWW") for number in range(9)]

    def between(step):
        scored.append(step.cells)
        if step == Step():
            # It waits: the writer may go on.
            written.release()

    [found] = finish(steps_of(engine, build(FOUR).shard(0, 1), queries), between)
    assert len(found.queries) == 9
    assert sum(most) == 9
    assert max(most) <= 3


def test_fault_while_hits_are_written_out_ends_the_search(engine, build, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("shardwater.search.aligning.aligned_rows", fail)
    with pytest.raises(ZeroDivisionError):
        finish(steps_of(engine, build(FOUR).shard(0, 1)))
