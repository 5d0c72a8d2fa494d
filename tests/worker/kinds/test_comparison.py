"""Comparisons of genomes, part by part: the list is the library's, and what is damaged is found again or named."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shardwater.genomes import comparison as rules
from shardwater.genomes.boxes import Boxes
from shardwater.genomes.chain_list import ChainList
from shardwater.genomes.compare import Compared, compare
from shardwater.genomes.cpu import CpuGenomes
from shardwater.genomes.gapped import align_boxes, distinct
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.regions import within
from shardwater.genomes.summary import chains_found, summarise
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.lists import PairBounds
from shardwater.sequences.named import Letters, reverse_complement
from shardwater.steps import finish
from tests.support.merging import merge_answered
from tests.support.pair_jobs import answer_part, do_all, files_in, submit_genomes, submit_pairs, worker_of_all
from tests.support.turns import ALONE, ran_for
from worker.jobs.comparison_requests import ComparisonParameters
from worker.jobs.costs import Costs, Room
from worker.jobs.files import JobFiles
from worker.jobs.genome_files import ComparisonFiles, DamagedComparison
from worker.jobs.ids import COMPARISON
from worker.jobs.progress import ShardProgress
from worker.jobs.quotas import CELLS_AN_HOUR, Intake
from worker.jobs.redis_names import alive_key, costs_key
from worker.jobs.rounds import Round, do_again
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE
from worker.kinds import comparison
from worker.kinds.comparison import ComparedGenomes, read_compared
from worker.queue.part_queue import LeasedPart
from worker.queue.recovery import recover

RNG = np.random.default_rng(15)
FIRST = RNG.choice(np.frombuffer(b"ACGT", np.uint8), 3000).tobytes()
QUERY = Genome.of([Letters("one", FIRST), Letters("two", FIRST[:500])])
GAPPED = ComparisonParameters(gapped="exact", min_length=50)
BOX_CELLS = 4_171_817
"""Of the four boxes of QUERY and SUBJECT: about 1,000 letters each way, and 500 x 600."""
SUBJECT = Genome.of([Letters("other", FIRST[:1000] + reverse_complement(FIRST[1000:2000]) + b"A" + FIRST[2000:])])


@pytest.fixture
def files(tmp_path: Path, store: JobStore) -> JobFiles:
    """Jobs' files, and a worker that is said to be there."""
    store.redis.set(alive_key(DEVICE), "test")
    return files_in(tmp_path)


def done(store: JobStore, files: JobFiles, tmp_path: Path, asked: ComparisonParameters) -> tuple[str, ComparedGenomes]:
    """A comparison that has succeeded."""
    job, queue = submit_genomes(store, files, (QUERY, SUBJECT), asked), worker_of_all(store)
    do_all(store, files, queue)
    merge_answered(store, tmp_path)
    # The second round, where there is one.
    do_all(store, files, queue)
    merge_answered(store, tmp_path)
    return job, read_compared(store.of(store.caller, COMPARISON).packed_result(job))


def expected(asked: ComparisonParameters) -> Compared:
    return compare(QUERY, SUBJECT, asked.comparison, CpuGenomes())


@pytest.mark.parametrize("letters", [1 << 27, 1000])
def test_list_and_counts_are_the_librarys_whatever_the_parts(
    store: JobStore, files: JobFiles, tmp_path: Path, letters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "PART_LETTERS", letters)
    asked = ComparisonParameters()
    job, found = done(store, files, tmp_path, asked)
    assert ComparisonFiles(files, job).hsps(found.hsps).pack() == expected(asked).hsps.pack()
    assert found.summary == summarise(expected(asked))
    kept = ComparisonFiles(files, job).chains(found.chains)
    assert kept.pack() == ChainList.of(chains_found(expected(asked))).pack()
    assert found.certificate.parts == (2 if letters > 1000 else 14)
    assert (found.certificate.exact, found.certificate.engines, found.alignments) == (True, ("cpu",), "")


@pytest.mark.parametrize(("cells", "parts"), [(1 << 40, 2), (450_000, 5)])
def test_second_round_aligns_what_the_first_has_found_whatever_the_parts(
    store: JobStore, files: JobFiles, tmp_path: Path, cells: int, parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "PART_CELLS", cells)
    job, found = done(store, files, tmp_path, GAPPED)
    hsps = expected(GAPPED).hsps
    whole = distinct(finish(align_boxes(QUERY, SUBJECT, hsps, GAPPED.scoring, CpuPairs(1))))
    assert store.state(job).shards.total == parts
    assert ComparisonFiles(files, job).alignments(found.alignments).pack() == whole.pack()
    assert found.summary.gapped is not None
    assert (found.summary.gapped.aligned, found.summary.gapped.alignments) == (len(hsps), len(whole))


def test_regions_alone_are_compared(store: JobStore, files: JobFiles, tmp_path: Path) -> None:
    regions = [{"side": "query", "record": "one", "from": 101, "to": 400}]
    asked = ComparisonParameters.model_validate({"regions": regions})
    job, found = done(store, files, tmp_path, asked)
    hsps = ComparisonFiles(files, job).hsps(found.hsps)
    assert [hsps.query.tolist(), hsps.length.tolist()] == [[100], [300]]
    masked = within(QUERY, asked.regions_of("query"))
    assert hsps.pack() == compare(masked, SUBJECT, asked.comparison, CpuGenomes()).hsps.pack()


def test_file_of_a_result_that_was_changed_is_not_read(store: JobStore, files: JobFiles, tmp_path: Path) -> None:
    job, found = done(store, files, tmp_path, ComparisonParameters())
    path = files.folder(job) / "hsps"
    content = bytearray(path.read_bytes())
    content[3] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedComparison):
        ComparisonFiles(files, job).hsps(found.hsps)


def test_part_whose_file_was_changed_is_done_once_more(store: JobStore, files: JobFiles, tmp_path: Path) -> None:
    job, queue = submit_genomes(store, files, (QUERY, SUBJECT), ComparisonParameters()), worker_of_all(store)
    do_all(store, files, queue)
    (files.folder(job) / "parts" / "1").write_bytes(b"")
    merge_answered(store, tmp_path)
    # The watchdog finds it missing.
    recover(store)
    do_all(store, files, queue)
    merge_answered(store, tmp_path)
    found = read_compared(store.of(store.caller, COMPARISON).packed_result(job))
    assert ComparisonFiles(files, job).hsps(found.hsps).pack() == expected(ComparisonParameters()).hsps.pack()


def test_progress_never_falls_from_round_to_round_and_no_part_is_lost(
    store: JobStore,
    files: JobFiles,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(comparison, "PART_CELLS", 450_000)
    job, queue = submit_genomes(store, files, (QUERY, SUBJECT), GAPPED), worker_of_all(store)
    told = [store.state(job)]
    for _ in range(2 + 5):
        [part] = queue.lease(ALONE)
        store.report(job, part.number, ShardProgress(0.7, "scoring", 1.0))
        told.append(store.state(job))
        answer_part(store, files, part)
        # While the worker has not given up its lease.
        merge_answered(store, tmp_path)
        recover(store)
        told.append(store.state(job))
        queue.finish([part])
    shares = [state.progress for state in told]
    assert (shares, shares[4]) == (sorted(shares), 0.5)
    phases = list(dict.fromkeys((state.state, state.phase) for state in told))
    assert phases == [("queued", "queued"), ("running", "scoring"), ("running", "aligning"), ("succeeded", None)]
    assert caplog.records == []


def in_second_round(
    store: JobStore, files: JobFiles, tmp_path: Path, bounds: PairBounds | None = None
) -> tuple[str, list[LeasedPart]]:
    """A comparison of which the HSPs are merged, and the parts of the first round."""
    job, queue, parts = submit_genomes(store, files, (QUERY, SUBJECT), GAPPED), worker_of_all(store), []
    while leased := queue.lease(ALONE):
        parts += leased
    for part in parts:
        answer_part(store, files, part)
    queue.finish(parts)
    merge_answered(store, tmp_path, bounds)
    return job, parts


def test_part_of_the_first_round_that_comes_late_is_not_taken_for_one_of_the_second(
    store: JobStore, files: JobFiles, tmp_path: Path
) -> None:
    job, parts = in_second_round(store, files, tmp_path)
    do_all(store, files, worker_of_all(store))
    answer_part(store, files, parts[1])
    merge_answered(store, tmp_path)
    assert store.state(job).state == "running"
    recover(store)
    do_all(store, files, worker_of_all(store))
    merge_answered(store, tmp_path)
    assert store.state(job).state == "succeeded"


def test_boxes_that_are_more_than_a_job_may_align_are_refused(store: JobStore, files: JobFiles, tmp_path: Path) -> None:
    job, _ = in_second_round(store, files, tmp_path, PairBounds(max_alignment_cells=BOX_CELLS - 1))
    error = store.state(job).error
    assert error is not None
    assert (error.type, error.detail.partition(":")[0]) == (
        "limit-exceeded",
        "the boxes around the HSPs have 4,171,817 cells, and a job may align 4,171,816 (max_alignment_cells)",
    )
    job, _ = in_second_round(store, files, tmp_path, PairBounds(max_alignment_cells=BOX_CELLS))
    assert store.state(job).state == "running"


def test_more_hsps_than_are_merged_are_refused(
    store: JobStore, files: JobFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "MOST_HSPS", 3)
    job, queue = submit_genomes(store, files, (QUERY, SUBJECT), ComparisonParameters()), worker_of_all(store)
    do_all(store, files, queue)
    merge_answered(store, tmp_path)
    error = store.state(job).error
    assert error is not None
    assert (error.type, error.detail.partition(":")[0]) == (
        "limit-exceeded", "the genomes have 4 HSPs, and 3 are merged"
    )  # fmt: skip


@pytest.mark.parametrize("left", [0, -1])
def test_cells_of_boxes_beyond_those_expected_are_charged_once(
    store: JobStore, files: JobFiles, tmp_path: Path, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "LETTER_BOX_CELLS", 10)
    letters = len(QUERY) + len(SUBJECT)
    limit = 1000 * 2 * letters + BOX_CELLS + left
    charged = JobStore(store.redis, intake=Intake({CELLS_AN_HOUR: limit}))
    job, _ = in_second_round(charged, files, tmp_path)
    error = store.state(job).error
    assert (error.type if error else "") == ("" if left == 0 else "quota-exceeded")
    do_again(charged, job, 1, Round.repeated(charged, job))
    used = sum(int(store.redis.get(key) or 0) for key in store.redis.scan_iter("*quota*"))
    assert used == (limit if left == 0 else limit + 1 - BOX_CELLS + 10 * letters)


def test_second_round_is_foreseen_and_a_short_job_goes_before_the_rest_of_it(
    store: JobStore, files: JobFiles, tmp_path: Path
) -> None:
    costs = replace(Costs.usual("cpu", 0, 0), pair_cell=1e-4, boxed=0.05)
    queue, room = worker_of_all(store), Room(0.0, costs)
    store.redis.hset(costs_key(DEVICE), queue.worker, costs.to_json())
    job = submit_genomes(store, files, (QUERY, SUBJECT), GAPPED)
    # So much for each of 6,501 letters, until the boxes are known.
    assert store.state(job).estimate_s == pytest.approx(325.1, abs=0.1)
    assert in_second_round(store, files, tmp_path)[0] == job
    assert store.state(job).estimate_s == pytest.approx(200.3, abs=0.1)
    [part] = queue.lease(room)
    # Its time counts anew from the second round on.
    ran_for(store, job, 2000, round_=2)
    assert store.state(job).estimate_s == pytest.approx(2000, rel=0.01)
    # Boxes of 200 s; a pair of one cell, and one of 1,024 s.
    short = submit_pairs(store, files, [("A", "A")])
    submit_pairs(store, files, [("ACGTACGTAC" * 320, "ACGTACGTAC" * 320)])
    assert [each.search for each in queue.lease_better(part, 0.5, room, 0.0)] == [short]
    assert queue.lease_better(part, 0.5, room, 0.0) == []


def test_of_a_long_box_whose_letters_are_equal_a_band_is_foreseen() -> None:
    lengths = np.array([100, 5_000, 5_000, 300_000])
    places, matches = np.array([1_000, 10_000, 20_000, 100_000]), np.array([100, 4_900, 3_000, 300_000])
    genome = Genome.of([Letters("long", b"A" * 500_000)])
    hsps = Hsps.of(places, places, lengths, matches, False)
    filled = comparison._filled(Boxes.around(genome, genome, hsps), hsps)
    # One that is short, one that is not alike, and one whose band memory has no room for are filled whole.
    assert filled.tolist() == [300**2, 500 * 5_200, 5_200**2, 300_200**2]
