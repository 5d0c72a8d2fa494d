"""Comparisons of genomes, part by part: the list is the library's, and what is damaged is found again or named."""

from pathlib import Path

import numpy as np
import pytest

from shardwater.genomes import comparison as rules
from shardwater.genomes.compare import Compared, compare
from shardwater.genomes.cpu import CpuGenomes
from shardwater.genomes.gapped import align_boxes, distinct
from shardwater.genomes.genome import Genome
from shardwater.genomes.regions import within
from shardwater.genomes.summary import summarise
from shardwater.pairs.cpu import CpuPairs
from shardwater.search.search import finish
from shardwater.sequences.named import Letters, reverse_complement
from tests.support.merging import merge_answered
from tests.support.pair_jobs import do_all, files_in, submit_genomes, worker_of_all
from worker.jobs.comparison_requests import ComparisonParameters
from worker.jobs.files import JobFiles
from worker.jobs.genome_files import ComparisonFiles, DamagedComparison
from worker.jobs.ids import COMPARISON
from worker.jobs.redis_names import alive_key
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE
from worker.kinds.comparison import ComparedGenomes, read_compared
from worker.queue.recovery import recover

RNG = np.random.default_rng(15)
FIRST = RNG.choice(np.frombuffer(b"ACGT", np.uint8), 3000).tobytes()
QUERY = Genome.of([Letters("one", FIRST), Letters("two", FIRST[:500])])
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
    assert found.certificate.parts == (2 if letters > 1000 else 14)
    assert (found.certificate.exact, found.certificate.engines, found.alignments) == (True, ("cpu",), "")


def test_second_round_aligns_what_the_first_has_found(store: JobStore, files: JobFiles, tmp_path: Path) -> None:
    asked = ComparisonParameters(gapped="exact", min_length=50)
    job, found = done(store, files, tmp_path, asked)
    hsps = expected(asked).hsps
    whole = distinct(finish(align_boxes(QUERY, SUBJECT, hsps, asked.scoring, CpuPairs(1))))
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
