from dataclasses import replace

import pytest

from shardwater.errors import SearchCancelled
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import Hsp, SubjectHit
from shardwater.search.parameters import Parameters
from shardwater.search.search import Watcher, find_hits
from shardwater.sequences.fasta import Record

QUERIES = [Record("q1 first", b"WWHWW"), Record("q2", b"ccc")]
# By length: d (0), c (1), b (2), a (3).
FOUR = [("a of all", "GGWWhWWCC"), ("b", "WWPWWP"), ("c long  title ", "AAAW"), ("d", "GGG")]


def search(engine, shard, parameters=Parameters(), queries=QUERIES, **watcher):  # noqa: B008 frozen
    engine.load(shard)
    return find_hits(engine, shard, queries, parameters, **watcher)


def places(hits):
    return [(hit.accession, hit.score, len(hit.hsps)) for hit in hits]


def test_hits_of_a_whole_database(engine, build):
    found = search(engine, build(FOUR).shard(0, 1))
    assert (found.index, found.subjects, found.residues, found.cells) == (0, 4, 22, 22 * 8)
    assert found.engine == engine.name
    best = Hsp(1, 5, 3, 7, 5, 5, 0, 5, "5=", "WWHWW", "WWHWW", "WWhWW")
    second = Hsp(1, 5, 1, 5, 4, 4, 0, 5, "2=1X2=", "WWHWW", "WW WW", "WWPWW")
    third = Hsp(1, 1, 4, 4, 1, 1, 0, 1, "1=", "W", "W", "W")
    two = Hsp(1, 2, 8, 9, 2, 2, 0, 2, "2=", "cc", "CC", "CC")
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


def test_progress_adds_up_to_the_cells_of_the_search_alone(engine, build):
    cells = []
    found = search(engine, build(FOUR).shard(0, 1), watcher=Watcher(cells.append))
    assert sum(cells) == found.cells == 176
    assert min(cells) > 0


@pytest.mark.parametrize("parameters", [Parameters(), Parameters(alignments=0), Parameters(evalue=1e-99)])
def test_progress_of_alignments_adds_up_to_all_of_them(engine, build, parameters):
    shares = []
    search(engine, build(FOUR).shard(0, 1), parameters, watcher=Watcher(aligned=shares.append))
    assert sum(shares) == pytest.approx(1)
    assert min(shares) > 0


@pytest.mark.parametrize("stage", ["scoring", "aligning"])
def test_progress_may_cancel(engine, build, stage):
    def cancel(_):
        raise SearchCancelled

    watcher = Watcher(scored=cancel) if stage == "scoring" else Watcher(aligned=cancel)
    with pytest.raises(SearchCancelled):
        search(engine, build(FOUR).shard(0, 1), watcher=watcher)


def test_many_queries_in_groups_give_what_one_group_gives(engine, build, monkeypatch):
    shard = build(FOUR).shard(0, 1)
    engine.load(shard)
    queries = [Record(f"q{number}", letters) for number, letters in enumerate([b"WWCH", b"CHW", b"HHW", b"WW", b"GGC"])]
    whole, cells, shares = find_hits(engine, shard, queries, Parameters()), [], []
    monkeypatch.setattr("shardwater.search.search.GROUP", 2)
    assert find_hits(engine, shard, queries, Parameters(), Watcher(cells.append, shares.append)) == whole
    assert sum(cells) == whole.cells
    assert sum(shares) == pytest.approx(1)


def test_cancel_between_groups_ends_the_search(engine, build, monkeypatch):
    shard = build(FOUR).shard(0, 1)
    engine.load(shard)
    monkeypatch.setattr("shardwater.search.search.GROUP", 1)

    def cancel(cells):
        raise SearchCancelled

    with pytest.raises(SearchCancelled):
        find_hits(engine, shard, [Record("a", b"WWCH"), Record("b", b"WWCH")], Parameters(), Watcher(cancel))
