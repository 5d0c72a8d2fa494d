"""Searches that keep all scores, part by part: kept once all parts are done, whoever was killed, and gone otherwise."""

import os
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.genomes.cpu import CpuGenomes
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.scoring import Scoring
from shardwater.search.scores import file_bytes
from shardwater.search.step import Steps
from shardwater.sequences.fasta import Record
from shardwater.steps import finish
from tests.support.answers import scores_of
from tests.support.merging import merge_answered
from tests.support.simulators import simulator
from tests.support.turns import next_of, worker_of
from worker.jobs.files import UNFINISHED, JobFiles
from worker.jobs.folders import StorageFull
from worker.jobs.requests import SearchRequest
from worker.jobs.results.parts import UnreadablePart
from worker.jobs.score_files import ScoreFiles, score_bytes, take_room
from worker.jobs.store import JobStore
from worker.jobs.targets import SearchTarget
from worker.kinds import search as kind
from worker.kinds.kind import PartAnswer, Workplace
from worker.queue.part_queue import LeasedPart
from worker.queue.recovery import recover

QUERIES = [Record("q0", b"MKVLAAGWDEHHKLM"), Record("q1", b"WWCC")]
ASKED = SearchRequest(
    sequence="".join(f">{query.header}\n{query.residues.decode()}\n" for query in QUERIES),
    database="small",
    scores="all",
)


@pytest.fixture
def files(tmp_path: Path) -> JobFiles:
    return JobFiles(tmp_path / "jobs", 1 << 30)


def submit(store: JobStore, files: JobFiles, target: SearchTarget) -> ScoreFiles:
    """Accept the search."""
    job = kind.plan(ASKED, QUERIES, target)
    with files.new(fill=partial(take_room, target=target, queries=len(QUERIES))) as folder:
        submitted = store.submit(job, fresh=True, folder=folder)
    return ScoreFiles(files, submitted.id, target, len(QUERIES))


def lease(store: JobStore, target: SearchTarget, shard: int) -> LeasedPart:
    return next_of(worker_of(store, target, shard))


def doing(store: JobStore, files: JobFiles, database: Database, part: LeasedPart) -> Steps[list[PartAnswer]]:
    """What a worker does for a part."""
    engine, shard = CpuEngine(1), database.shard(part.number, part.target.parts)
    engine.load(shard)
    return kind.run(Workplace(engine, CpuPairs(1), CpuGenomes(), simulator(), shard, store, files), [part])


def answer(store: JobStore, files: JobFiles, database: Database, part: LeasedPart) -> None:
    [answer] = finish(doing(store, files, database, part))
    store.store_part(part.search, part.number, answer.packed, part.target.parts, part.round)


def do(store: JobStore, files: JobFiles, database: Database, target: SearchTarget, shard: int) -> None:
    queue = worker_of(store, target, shard)
    part = next_of(queue)
    answer(store, files, database, part)
    queue.finish([part])


def check_kept(found: ScoreFiles, database: Database) -> None:
    """All scores are there as the library has them."""
    engine = CpuEngine(1)
    engine.load(database.shard(0, 1))
    for number, query in enumerate(QUERIES):
        found.kept.check(number)
        read = np.concatenate([scores for _, scores in found.kept.blocks(number)])
        assert np.array_equal(read, scores_of(engine, query, Scoring("BLOSUM62", 11, 1)))


def test_scores_are_kept_once_all_parts_are_done(
    store: JobStore, files: JobFiles, database: Database, target: SearchTarget, tmp_path: Path
) -> None:
    found = submit(store, files, target)
    for shard in range(target.parts):
        assert not found.kept.folder.exists()
        do(store, files, database, target, shard)
    merge_answered(store, tmp_path)
    assert store.state(found.job).state == "succeeded"
    check_kept(found, database)
    files.sweep(store.redis, 0)
    check_kept(found, database)
    assert not (files.folder(found.job) / UNFINISHED / "scores").exists()


def test_room_is_taken_before_a_search_is_accepted(
    store: JobStore, files: JobFiles, target: SearchTarget, tmp_path: Path
) -> None:
    found = submit(store, files, target)
    taken = sum(file_bytes(found.kept.size(shard), 2) for shard in range(target.parts))
    assert score_bytes(target, 2) == 4 * 4 * 2 == taken - 32 * 2 * target.parts
    small = JobFiles(tmp_path / "jobs", taken + 50)
    small.check_room(50)
    with pytest.raises(StorageFull, match="no space is left"):
        small.check_room(51)


def test_a_repeated_search_takes_no_blocks_on_the_disk(
    store: JobStore, files: JobFiles, target: SearchTarget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, took = submit(store, files, target), []
    monkeypatch.setattr(os, "posix_fallocate", lambda *asked: took.append(asked))
    # Nor does it need any.
    full = JobFiles(tmp_path / "jobs", 1)
    with full.new(fill=partial(take_room, target=target, queries=len(QUERIES))) as folder:
        again = store.submit(kind.plan(ASKED, QUERIES, target), folder=folder)
    assert (again.id, again.reused, took) == (found.job, True, [])


def test_scores_are_written_where_their_room_was_taken_and_no_further(
    store: JobStore, files: JobFiles, target: SearchTarget, tmp_path: Path
) -> None:
    found = submit(store, files, target)
    full = ScoreFiles(JobFiles(tmp_path / "jobs", 10), found.job, target, len(QUERIES))
    with full.writing(0) as keep:
        keep(0, 0, np.zeros(2, np.int32))
        keep(1, 0, np.zeros(2, np.int32))
    (files.folder(found.job) / UNFINISHED / "scores" / "1").unlink()
    with pytest.raises(StorageFull, match="no space is left"), full.writing(1):
        pass


def test_a_disk_that_is_full_later_has_room_for_what_was_accepted(
    store: JobStore, files: JobFiles, target: SearchTarget
) -> None:
    found = submit(store, files, target)
    coming = files.folder(found.job) / UNFINISHED / "scores"
    for shard in range(target.parts):
        made = (coming / str(shard)).stat()
        assert made.st_size == file_bytes(found.kept.size(shard), 2)
        # In blocks of 512 bytes, whatever the file system's are.
        assert 512 * made.st_blocks >= made.st_size


def test_part_of_a_killed_worker_is_done_again_over_what_it_has_left(
    store: JobStore, files: JobFiles, database: Database, target: SearchTarget, tmp_path: Path
) -> None:
    found = submit(store, files, target)
    part = lease(store, target, 1)
    given_up = doing(store, files, database, part)
    next(given_up)
    answer(store, files, database, part)
    # Who was taken for dead goes on, too.
    finish(given_up)
    part = lease(store, target, 0)
    killed = doing(store, files, database, part)
    next(killed)
    killed.close()
    with pytest.raises(UnreadablePart, match="0"):
        found.complete()
    answer(store, files, database, part)
    merge_answered(store, tmp_path)
    check_kept(found, database)


def test_part_whose_file_is_not_there_is_done_again(
    store: JobStore, files: JobFiles, database: Database, target: SearchTarget, tmp_path: Path
) -> None:
    found = submit(store, files, target)
    for shard in range(target.parts):
        do(store, files, database, target, shard)
    (files.folder(found.job) / UNFINISHED / "scores" / "1").unlink()
    merge_answered(store, tmp_path)
    assert store.state(found.job).shards.done == 1
    recover(store)
    do(store, files, database, target, 1)
    merge_answered(store, tmp_path)
    check_kept(found, database)


def test_front_end_that_dies_after_the_scores_were_kept_is_followed_by_another(
    store: JobStore, files: JobFiles, database: Database, target: SearchTarget, tmp_path: Path
) -> None:
    found = submit(store, files, target)
    for shard in range(target.parts):
        do(store, files, database, target, shard)
    found.complete()
    # A worker that was taken for dead writes a file of its own then.
    with found.writing(0) as keep:
        keep(0, 0, np.zeros(2, np.int32))
    merge_answered(store, tmp_path)
    assert store.state(found.job).state == "succeeded"
    check_kept(found, database)


def test_scores_of_a_search_that_was_cancelled_are_removed(
    store: JobStore, files: JobFiles, database: Database, target: SearchTarget
) -> None:
    found = submit(store, files, target)
    do(store, files, database, target, 0)
    store.cancel(found.job)
    files.sweep(store.redis, 0)
    # Its account stays with the folder, until that goes.
    assert [path.name.partition(".")[0] for path in files.folder(found.job).rglob("*")] == ["account"]


def test_scores_that_cannot_be_written_are_told(
    store: JobStore, files: JobFiles, database: Database, target: SearchTarget
) -> None:
    found = submit(store, files, target)
    place = files.folder(found.job) / UNFINISHED / "scores" / "0"
    place.unlink()
    place.symlink_to("/dev/full")
    with pytest.raises(StorageFull, match=r"^the job could not be stored"):
        finish(doing(store, files, database, lease(store, target, 0)))
