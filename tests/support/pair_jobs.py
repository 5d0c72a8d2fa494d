"""Jobs of pairs and of genomes for tests: accepted with their folder, and done by a worker of the queue of all."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from shardwater.genomes.cpu import CpuGenomes
from shardwater.genomes.genome import Genome
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.lists import Pairing, PairLists
from shardwater.search.step import Steps
from shardwater.sequences.alphabets import ALPHABETS
from shardwater.sequences.named import Letters
from shardwater.sequences.stored import StoredSequences
from shardwater.steps import finish
from tests.support.simulators import simulator
from tests.support.turns import ALONE
from worker.jobs.comparison_requests import ComparisonParameters
from worker.jobs.files import JobFiles
from worker.jobs.genome_files import open_genomes
from worker.jobs.pair_requests import PairParameters
from worker.jobs.store import JobStore
from worker.jobs.targets import DEVICE
from worker.kinds import comparison, kind_of
from worker.kinds.alignment import plan
from worker.kinds.kind import PartAnswer, Workplace
from worker.queue.part_queue import LeasedPart, PartQueue

Names = Sequence[tuple[str, str]]


def files_in(folder: Path) -> JobFiles:
    """What jobs keep, in a folder of a test's."""
    return JobFiles(folder / "jobs", 1 << 30)


def submit_pairs(store: JobStore, files: JobFiles, pairs: Names, parameters: PairParameters | None = None) -> str:
    """Accept a job of these sequences of DNA; its id."""
    asked = (parameters or PairParameters()).over(ALPHABETS["dna"])
    with files.new() as folder:
        lists = stored(folder.path, pairs, asked)
        return store.submit(plan(asked, lists, folder.path, ""), folder=folder).id


def submit_genomes(store: JobStore, files: JobFiles, genomes: Sequence[Genome], asked: ComparisonParameters) -> str:
    """Accept a comparison of two genomes; its id."""
    with files.new() as folder:
        for side, genome in zip(("query", "subject"), genomes, strict=True):
            ends = pairwise(genome.offsets.tolist())
            letters = [genome.letters[begin:end].tobytes() for begin, end in ends]
            StoredSequences.write(folder.path / side, map(Letters, genome.names, letters))
        job = comparison.plan(asked, open_genomes(folder.path, asked), ("a", "b"), "")
        return store.submit(job, folder=folder).id


def stored(folder: Path, pairs: Names, asked: PairParameters) -> PairLists:
    """Both lists in a folder."""
    for place, name in enumerate(("queries", "subjects")):
        records = [Letters(f"{name[0]}{number}", pair[place].encode()) for number, pair in enumerate(pairs)]
        StoredSequences.write(folder / name, records)
    return PairLists.open(folder, asked.pairing)


def lists_of_sizes(folder: Path, queries: Sequence[int], subjects: Sequence[int], pairing: Pairing) -> PairLists:
    """Lists of sequences with so many letters."""
    for name, lengths in (("queries", queries), ("subjects", subjects)):
        StoredSequences.write(folder / name, [Letters(f"{name}{n}", b"A" * size) for n, size in enumerate(lengths)])
    return PairLists.open(folder, pairing)


def worker_of_all(store: JobStore, *queues: str, name: str = "x") -> PartQueue:
    """A worker of the queue of all, or of others, too."""
    first = (queues or (DEVICE,))[0]
    return PartQueue(store, queues or (DEVICE,), f"{first}.host.1.{name}")


def do_all(store: JobStore, files: JobFiles, queue: PartQueue) -> None:
    """Do all parts that wait, as a worker without a database does."""
    while parts := queue.lease(ALONE):
        _do(store, files, queue, parts)


def do_next(store: JobStore, files: JobFiles, queue: PartQueue) -> None:
    """Do the part whose turn it is."""
    _do(store, files, queue, queue.lease(ALONE))


def _do(store: JobStore, files: JobFiles, queue: PartQueue, parts: Sequence[LeasedPart]) -> None:
    [part] = parts
    answer_part(store, files, part)
    queue.finish(parts)


def doing(store: JobStore, files: JobFiles, part: LeasedPart) -> Steps[list[PartAnswer]]:
    """A part, step by step."""
    place = Workplace(None, CpuPairs(1), CpuGenomes(), simulator(), None, store, files)  # type: ignore[arg-type]  # no search is done
    return kind_of(part.search).run(place, [part])


def answer_part(store: JobStore, files: JobFiles, part: LeasedPart) -> None:
    """Do a part and keep its answer; whoever has leased it has done so still."""
    [answer] = finish(doing(store, files, part))
    store.store_part(part.search, part.number, answer.packed, part.target.parts, part.round)
