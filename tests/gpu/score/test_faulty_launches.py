"""Launches on the device that are left out or do half of their work: the counts tell, and no search is certified."""

import numpy as np
import pytest

from gpu import device_count
from shardwater.errors import EngineError
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record

pytestmark = pytest.mark.gpu

AMINO_ACIDS = list("ARNDCQEGHILKMFPSTWYV")
SUBJECTS = 3001
BY_SCORE = Parameters(statistics="table", order="score")
"""Found by Engine.search; others by Engine.survey."""
FITTED = Parameters(statistics="fitted")


@pytest.fixture
def engine():
    """An engine on the device."""
    if not device_count():
        pytest.skip("no CUDA device")
    from gpu.engine import GpuEngine

    return GpuEngine()


@pytest.fixture
def shard(build):
    """3,000 subjects of 50 to 400 residues, a fifth of them with ambiguous letters, and one of 12,000."""
    rng = np.random.default_rng(4)
    sequences = [
        "".join(rng.choice(AMINO_ACIDS if number % 5 else [*AMINO_ACIDS, "B"], rng.integers(50, 400)))
        for number in range(SUBJECTS - 1)
    ]
    sequences.append("".join(rng.choice(AMINO_ACIDS, 12_000)))
    return build([(f"s{number}", sequence) for number, sequence in enumerate(sequences)]).shard(0, 1)


@pytest.fixture
def search(engine, shard):
    """search(parameters): two queries, of one strip and of several, against the shard."""
    engine.load(shard)
    rng = np.random.default_rng(5)
    queries = [Record(f"q{length}", "".join(rng.choice(AMINO_ACIDS, length)).encode()) for length in (100, 700)]
    return lambda parameters=BY_SCORE: find_hits(engine, shard, queries, parameters)


def no_launch(*_, **__):
    """In place of a kernel."""


def without(module, name, monkeypatch, left_out):
    """Let `name` of a module give a kernel that does nothing, where its arguments are such."""
    given = getattr(module, name)

    def chosen(*asked, **macros):
        found = given(*asked, **macros)
        if not left_out(*asked):
            return found
        return (no_launch, found[1]) if isinstance(found, tuple) else no_launch

    monkeypatch.setattr(module, name, chosen)


@pytest.mark.parametrize("parameters", [BY_SCORE, FITTED], ids=["search", "survey"])
def test_every_launch_is_counted(search, shard, parameters):
    assert search(parameters).cells == shard.residues * 800


def test_strip_that_is_not_launched_is_missed(search, monkeypatch):
    import gpu.score.schedules

    without(gpu.score.schedules, "strip_kernel", monkeypatch, lambda packed, table, items, border, scoring: border)
    # How many subjects are found short depends on what stood where the strip would have written; its cells tell always.
    with pytest.raises(EngineError, match=r"^query [12] was scored against [\d,]+ of 3,001 subjects, .* in [\d,]+ of "):
        search()


def test_class_of_subjects_that_is_not_launched_is_missed(search, monkeypatch):
    import gpu.score.schedules

    without(gpu.score.schedules, "strip_kernel", monkeypatch, lambda packed, table, *_: table.letters == 24)
    with pytest.raises(EngineError, match=r"^query 1 was scored against [\d,]+ of 3,001 subjects"):
        search()


def test_long_subject_that_is_not_launched_is_missed(search, monkeypatch):
    import gpu.score.scorer

    without(gpu.score.scorer, "wide_kernel", monkeypatch, lambda *_: True)
    with pytest.raises(EngineError, match=r"^query 1 was scored against 3,000 of 3,001 subjects"):
        search()


@pytest.mark.parametrize("parameters", [BY_SCORE, FITTED], ids=["search", "survey"])
def test_scores_that_are_not_written_are_missed(search, monkeypatch, parameters):
    import gpu.score.scorer

    without(gpu.score.scorer, "kernel", monkeypatch, lambda name, *_: name == "finish")
    with pytest.raises(EngineError, match=r"^query 1 was scored against 1 of 3,001 subjects, 12,000 of "):
        search(parameters)


def test_launch_over_some_of_its_packs_is_missed(search, monkeypatch):
    import gpu.score.schedules

    given = gpu.score.schedules.strip_kernel

    def strip_kernel(*asked):
        score, how = given(*asked)

        def fewer(grid, threads, arguments, **more):
            # The fifth argument says how many packs there are.
            score(grid, threads, (*arguments[:4], np.int32(arguments[4] // 2), *arguments[5:]), **more)

        return fewer, how

    monkeypatch.setattr(gpu.score.schedules, "strip_kernel", strip_kernel)
    with pytest.raises(EngineError, match=r"^query 1 was scored"):
        search()


def test_half_of_a_query_is_missed(search, monkeypatch):
    import gpu.engine

    given = gpu.engine.DeviceQuery
    monkeypatch.setattr(gpu.engine, "DeviceQuery", lambda query, scoring: given(query.part(1, 50), scoring))
    with pytest.raises(EngineError, match=r"^query 1 was scored against 3,001 of 3,001 subjects, .* in "):
        search()


def test_subjects_in_32_bits_that_are_not_launched_are_missed(search, monkeypatch):
    import gpu.score.scorer

    without(gpu.score.scorer, "wide_kernel", monkeypatch, lambda *_: True)
    # Too dear for 16 bits.
    dear = Parameters(gap_open=100_000, statistics="none")
    with pytest.raises(EngineError, match=r"^query 1 was scored against 0 of 3,001 subjects"):
        search(dear)


def test_rows_of_pieces_count_once_where_they_overlap():
    pytest.importorskip("cupy", reason="cupy is not installed")
    from gpu.score.scorer import _rows_of

    # Slot, begin, end, subject, in the order of their lengths.
    pieces = np.array([[0, 0, 5000, 7], [0, 4000, 9000, 7], [2, 0, 4500, 9], [0, 8000, 12_000, 7]], np.int32)
    assert _rows_of(pieces) == 12_000 + 4500
    assert _rows_of(pieces[:0]) == 0


def test_scoring_after_a_fault_is_sound(search, shard, monkeypatch):
    import gpu.score.scorer

    with monkeypatch.context() as patched:
        without(gpu.score.scorer, "kernel", patched, lambda name, *_: name == "finish")
        with pytest.raises(EngineError):
            search()
    assert search().cells == shard.residues * 800


def test_dear_gaps_are_counted_too(search, shard):
    assert search(Parameters(gap_open=100_000, statistics="none")).cells == shard.residues * 800
