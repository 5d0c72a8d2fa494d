"""Jobs of pairs, part by part: every pair is answered as the library answers it, in order, and nothing else counts."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from shardwater.genomes.genome import Genome
from shardwater.pairs import parts
from shardwater.pairs.align import align_named
from shardwater.pairs.columns import Way
from shardwater.pairs.cpu import CpuPairs
from shardwater.sequences.alphabets import DNA
from shardwater.sequences.named import Letters, reverse_complement
from shardwater.steps import finish
from tests.support.merging import merge_answered
from tests.support.pair_jobs import do_all, do_next, doing, files_in, submit_genomes, submit_pairs, worker_of_all
from tests.support.turns import ALONE
from worker.jobs.comparison_requests import ComparisonParameters
from worker.jobs.files import JobFiles
from worker.jobs.ids import ALIGNMENT
from worker.jobs.pair_requests import PairParameters
from worker.jobs.redis_names import SearchKeys, alive_key
from worker.jobs.results.parts import UnreadablePart
from worker.jobs.room import bytes_in, notes_in
from worker.jobs.states import DamagedJob, Failure, SearchNotFound, SearchState
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE
from worker.kinds.alignment import KeptPairs, PartNote, read_aligned, read_note

PAIRS = [("ACGTACGTTT", "ACGTCGTTT"), ("AAAA", "CCCC"), ("", "ACGT"), ("ACGTNNACGT", "ACGTACGT"), ("TTGACA", "TGTCAA")]


@pytest.fixture
def files(tmp_path: Path) -> JobFiles:
    return files_in(tmp_path)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch, store: JobStore) -> None:
    """Parts of two pairs, and a worker that is said to be there."""
    monkeypatch.setattr(parts, "PART_PAIRS", 2)
    store.redis.set(alive_key(DEVICE), "test")


def done(store: JobStore, files: JobFiles, tmp_path: Path, parameters: PairParameters) -> str:
    """A job of PAIRS that has succeeded."""
    job = submit_pairs(store, files, PAIRS, parameters)
    queue = worker_of_all(store)
    do_all(store, files, queue)
    merge_answered(store, tmp_path)
    assert bytes_in(files.folder(job)) <= 3 * notes_in(files.folder(job)).promised
    return job


@pytest.mark.parametrize(
    ("parameters", "ways"),
    [
        (PairParameters(), 1),
        (PairParameters(report="ends"), 1),
        (PairParameters(report="ends", best=3), 3),
        (PairParameters(report="ends", free_ends=["query_end"]), 0),
        (PairParameters(report="score"), 0),
        (PairParameters(mode="global", strand="both"), 1),
    ],
    ids=str,
)
def test_pairs_whose_way_back_is_found_are_work_of_their_own(
    store: JobStore, files: JobFiles, parameters: PairParameters, ways: int
) -> None:
    job = submit_pairs(store, files, PAIRS[:4], parameters)
    target = store.target(job)
    assert store.work(job).ways * target.parts == 4 * ways


@pytest.mark.parametrize(
    "parameters",
    [
        PairParameters(),
        PairParameters(mode="global", pairing="all"),
        # As many runs as there may be: a mismatch costs more than any gaps.
        PairParameters(mode="global", pairing="all", match=1, mismatch=-9, gap_open=0, gap_extend=1),
        PairParameters(strand="both", report="ends"),
        PairParameters(strand="both", report="score", mode="global"),
        PairParameters(free_ends=["query_end"], gap_open=0.5, report="score"),
    ],
    ids=str,
)
def test_pairs_are_those_of_the_library(
    store: JobStore, files: JobFiles, tmp_path: Path, parameters: PairParameters
) -> None:
    job = done(store, files, tmp_path, parameters)
    lists_done, asked = read_aligned(store.of(store.caller, ALIGNMENT).packed_result(job)), parameters.over(DNA)
    queries, subjects = (
        [Letters(f"{name}{n}", pair[place].encode()) for n, pair in enumerate(PAIRS)] for place, name in enumerate("qs")
    )
    pairs = (
        list(zip(queries, subjects, strict=True))
        if parameters.pairing == "zip"
        else [(query, subject) for query in queries for subject in subjects]
    )
    scheme = asked.scheme(DNA)
    expected = list(align_named(pairs, scheme, parameters.report, parameters.strand, CpuPairs(1)))
    found = [
        pair
        for n in range(len(lists_done.digests))
        for pair in KeptPairs.open(files, job, asked).part(n, lists_done.digests)
    ]
    assert [pair.told for pair in found] == [pair.told for pair in expected]
    alone = [KeptPairs.open(files, job, asked).pair(number, lists_done.digests) for number in range(len(expected))]
    assert [pair.told for each in alone for pair in each or ()] == [pair.told for pair in expected]
    assert KeptPairs.open(files, job, asked).pair(len(expected), lists_done.digests) is None
    certificate, strands = lists_done.certificate, 2 if parameters.strand == "both" else 1
    cells = sum(len(query.letters) * len(subject.letters) for query, subject in pairs)
    assert (certificate.pairs, certificate.exact, certificate.engines) == (len(pairs), True, ("cpu",))
    assert certificate.cells == strands * cells
    assert certificate.ways == {"cpu": len(pairs)}
    assert certificate.parts == len(lists_done.digests) == -(-len(pairs) // 2)


@pytest.mark.parametrize(
    "asked",
    [PairParameters(), PairParameters(strand="both", pairing="all"), PairParameters(report="ends", strand="both")],
)
def test_pieces_of_a_pair_are_parts_of_any_worker(
    store: JobStore, files: JobFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: PairParameters
) -> None:
    monkeypatch.setattr(parts, "PIECE_CELLS", 1_000)
    short, filler = "ACGTTGCAAC", "TTCAGGCTAA" * 40
    # Across the border of two pieces, behind it, and once more on the other strand, in the query of the second pair.
    long = filler[:296] + short + filler[:90] + short[:9] + filler
    pairs = [(short, long), (reverse_complement(long.encode()).decode(), short), ("ACGT", "ACGT")]
    job = submit_pairs(store, files, pairs, asked)
    workers = worker_of_all(store, name="a"), worker_of_all(store, name="b")
    read = parts.Parts.read(files.folder(job))
    assert {part.pieces for part in read} == {1, 3}
    for number in range(len(read)):
        do_next(store, files, workers[number % 2])
        note = store.answered_part(job, number)
        # A pair is there with its last piece; the job's last part ends the job.
        notes = [store.answered_part(job, each) for each in range(number + 1)]
        if note is not None and None not in notes:
            digests = [read_note(each, packed).sha256 for each, packed in enumerate(notes) if packed is not None]
            found = list(KeptPairs.open(files, job, asked.over(DNA)).part(number, digests))
            assert len(found) == len(read[number].answered)
    merge_answered(store, tmp_path)
    lists_done, scheme = read_aligned(store.of(store.caller, ALIGNMENT).packed_result(job)), asked.over(DNA).scheme(DNA)
    digests = list(lists_done.digests)
    found = [pair for n in range(len(digests)) for pair in KeptPairs.open(files, job, asked.over(DNA)).part(n, digests)]
    queries, subjects = (
        [Letters(f"{name}{n}", pair[place].encode()) for n, pair in enumerate(pairs)] for place, name in enumerate("qs")
    )
    named = zip(queries, subjects, strict=True) if asked.pairing == "zip" else product(queries, subjects)
    expected = list(align_named(named, scheme, asked.report, asked.strand, CpuPairs(1)))
    assert [pair.told for pair in found] == [pair.told for pair in expected]
    alone = [KeptPairs.open(files, job, asked.over(DNA)).pair(number, digests) for number in range(len(expected))]
    assert [pair.told for each in alone for pair in each or ()] == [pair.told for pair in expected]
    assert KeptPairs.open(files, job, asked.over(DNA)).pair(len(expected), digests) is None
    certificate, strands = lists_done.certificate, 2 if asked.strand == "both" else 1
    assert (certificate.pairs, certificate.parts) == (len(expected), len(read))
    assert certificate.ways == {"cpu": len(expected)}
    own = [len(pair.query.letters) * len(pair.subject.letters) for pair in expected]
    assert certificate.cells == strands * sum(own)


def test_result_of_a_job_that_ends_while_it_is_asked_for_is_there(
    store: JobStore, files: JobFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, state = submit_pairs(store, files, PAIRS), JobStore.state

    def ended_meanwhile(asked: JobStore, name: str) -> SearchState:
        monkeypatch.setattr(JobStore, "state", state)
        do_all(store, files, worker_of_all(store))
        merge_answered(store, tmp_path)
        return state(asked, name)

    monkeypatch.setattr(JobStore, "state", ended_meanwhile)
    assert read_aligned(store.packed_result(job)).certificate.pairs == len(PAIRS)


def test_answers_of_parts_can_be_read_before_the_last(store: JobStore, files: JobFiles) -> None:
    job, queue = submit_pairs(store, files, PAIRS), worker_of_all(store)
    assert store.answered_part(job, 0) is None
    do_next(store, files, queue)
    note = store.answered_part(job, 0)
    assert note is not None
    asked = store.request_read(job, PairParameters.model_validate_json)
    pairs = list(KeptPairs.open(files, job, asked).part(0, [read_note(0, note).sha256]))
    assert [pair.query.name for pair in pairs] == ["q0"]


def _changed(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1] + b"\xff")


@pytest.mark.parametrize("damage", [Path.unlink, _changed], ids=["removed", "changed"])
def test_part_that_is_not_what_it_was_is_refused(
    store: JobStore, files: JobFiles, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    job = done(store, files, tmp_path, PairParameters())
    damage(files.folder(job) / "parts" / "1")
    digests = read_aligned(store.packed_result(job)).digests
    asked = PairParameters().over(DNA)
    assert len(list(KeptPairs.open(files, job, asked).part(0, digests))) == 1
    with pytest.raises(UnreadablePart):
        list(KeptPairs.open(files, job, asked).part(1, digests))
    assert len(list(KeptPairs.open(files, job, asked).pair(0, digests) or ())) == 1
    with pytest.raises(UnreadablePart):
        KeptPairs.open(files, job, asked).pair(2, digests)


def test_part_without_all_of_its_pairs_ends_the_job(store: JobStore, files: JobFiles, tmp_path: Path) -> None:
    job, queue = submit_pairs(store, files, PAIRS), worker_of_all(store)
    (files.folder(job) / "parts.json").write_text("[0, 1, 2, 5]")
    do_all(store, files, queue)
    (files.folder(job) / "parts.json").write_text("[0, 2, 4, 5]")
    merge_answered(store, tmp_path)
    state = store.state(job)
    assert (state.state, state.error and state.error.detail) == ("failed", "part 0 has answered 1 of 2 pairs")


@pytest.mark.parametrize("ending", ["succeeded", "failed", "cancelled"])
def test_what_a_job_has_no_use_for_goes_when_it_has_ended(
    store: JobStore, files: JobFiles, tmp_path: Path, ending: str
) -> None:
    job = submit_pairs(store, files, PAIRS)
    (files.folder(job) / "unfinished" / "0").mkdir(parents=True)
    queue = worker_of_all(store)
    do_next(store, files, queue)
    files.keep_round(job, 2, b"a profile")
    kept = files.folder(job)
    inputs = {"parts.json", "queries", "subjects"}
    files.sweep(store.redis, 0)
    assert {path.name for path in kept.iterdir()} >= {"unfinished", "parts", "rounds", *inputs}
    match ending:
        case "succeeded":
            do_all(store, files, queue)
            merge_answered(store, tmp_path)
        case "failed":
            store.fail(job, Failure("shard-failed", "its reason"))
        case _:
            store.cancel(job)
    assert store.state(job).state == ending
    assert notes_in(kept).promised > bytes_in(kept)
    files.sweep(store.redis, 0)
    assert notes_in(kept).promised == 0
    left = {path.name for path in kept.iterdir()}
    assert "unfinished" not in left
    assert left >= inputs
    assert left >= {"parts", "rounds"} if ending == "succeeded" else left.isdisjoint({"parts", "rounds"})


def test_job_goes_with_its_folder_and_not_without(store: JobStore, files: JobFiles, tmp_path: Path) -> None:
    job = done(store, files, tmp_path, PairParameters())
    again = submit_pairs(store, files, PAIRS, PairParameters())
    assert again == job
    kept = tmp_path / "jobs"
    assert [path.name for path in (kept / "kept").iterdir()] == [job]
    assert list((kept / "incoming").iterdir()) == []
    store.delete(job)
    files.remove(job)
    assert list((kept / "kept").iterdir()) == []
    with pytest.raises(SearchNotFound):
        store.state(job)
    assert not store.redis.exists(SearchKeys(job).meta)


@pytest.mark.parametrize("kind", ["alignment", "comparison"])
def test_job_that_is_deleted_while_a_part_is_done_leaves_nothing(store: JobStore, files: JobFiles, kind: str) -> None:
    if kind == "alignment":
        job = submit_pairs(store, files, PAIRS)
    else:
        genome = Genome.of([Letters("a", b"ACGTTGCA" * 20)])
        job = submit_genomes(store, files, (genome, genome), ComparisonParameters())
    [part] = worker_of_all(store).lease(ALONE)
    steps = doing(store, files, part)
    next(steps)
    store.delete(job)
    files.remove(job)
    with pytest.raises(DamagedJob, match=f"the files of {job} are gone"):
        finish(steps)
    assert not files.folder(job).exists()


@pytest.mark.parametrize(
    ("ways", "engines"),
    [({"batch": 3}, {"GPU"}), ({"cpu": 2}, {"cpu"}), ({"cpu": 1, "long": 1}, {"cpu", "GPU"}), ({}, {"GPU"})],
)
def test_what_a_gpu_leaves_to_the_host_was_computed_there(ways: dict[Way, int], engines: set[str]) -> None:
    assert PartNote("digest", 3, 9, "GPU", ways).engines == engines
