"""A shard in packs and its scores by a schedule, all by the kernels' own source on the CPU (emulator.py)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gpu.arithmetic import ARITHMETICS, Arithmetic
from gpu.database.packing import PackClass, Packs, plan
from gpu.family import Family, counting_rounds, simt, striped, strips
from gpu.layout import AMINO_ACIDS, CHUNK, GROUP, GROUPS, PAD_ROWS, PIECE_WORDS, SIMT_ITEMS, THREADS, WARP
from gpu.score.partitions import partitions, runs
from gpu.score.strips import Strip, Table, cut
from gpu.tuning import Crew, Launch
from shardwater.alignment.scheme import Places, Scheme
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from tests.support.emulation.emulator import EmulatedKernel, kernel

Codes = npt.NDArray[np.uint8]
CREW = Crew(threads=2 * WARP, blocks=1, longest=0)
"""Two warps, so that they take work in turns."""
SHARED_BYTES = 100_000
CLASSES = ((PackClass.EVEN, PackClass.UNEVEN), (PackClass.AMBIGUOUS,))


@dataclass(frozen=True)
class Step:
    """A launch: its kernel, the strip's profile, and what this schedule's kernel takes besides."""

    score: EmulatedKernel
    strip: Strip
    profile: npt.NDArray[Any]
    own: tuple[np.generic, ...] = ()
    shared_bytes: int = 0


class EmulatedShard:
    """Subjects, as residue codes in any order, laid out by `plan` and pack.cu."""

    def __init__(self, subjects: Sequence[Codes]) -> None:
        self.order = sorted(range(len(subjects)), key=lambda number: len(subjects[number]))
        ordered = [subjects[number] for number in self.order]
        self.lengths = np.array([len(each) for each in ordered], np.uint32)
        ambiguous = np.array([bool((each >= AMINO_ACIDS).any()) for each in ordered])
        self.packs: Packs = plan(np, self.lengths, ambiguous, 1 << 30)
        self.codes = np.zeros((self.packs.total_rows, GROUPS), np.uint16)
        residues, ends = np.concatenate(ordered), np.cumsum(self.lengths, dtype=np.int64)
        for classes in CLASSES:
            span, letters = self.packs.span(*classes), classes[0].letters
            if span:
                self.codes[int(self.packs.starts[span.start]) - PAD_ROWS :] = letters**2
                laid = (residues, ends, self.lengths, self.packs.slots, self.packs.starts, self.packs.rows)
                kernel("pack", LETTERS=letters)(
                    (len(span),), (WARP,), (*laid, np.int32(span.start), self.codes)
                )  # fmt: skip

    def best(self, search: "Search", *, backwards: bool = False) -> npt.NDArray[np.uint32]:
        """The best value of each pair, as the schedule's kernel writes it."""
        # What a kernel must not read is no small number.
        best = np.full(len(self.packs.rows) * GROUPS, 0x7FFF7FFF, np.uint32)
        border = np.full(self.packs.total_rows * GROUPS * 2, 0x7F007F00, np.uint32)
        for classes in CLASSES:
            span = self.packs.span(*classes)
            if not span:
                continue
            order = (np.argsort(-self.packs.rows[span.start : span.stop], kind="stable") + span.start).astype(np.int32)
            steps = search.steps(classes[0].letters)
            for number, step in enumerate(steps):
                arguments = (
                    self.codes, self.packs.starts, self.packs.rows, order, np.int32(len(order)), step.profile,
                    *step.own, border, np.int32(number > 0), np.int32(number < len(steps) - 1), best,
                    counter := np.zeros(1, np.int32), *search.debug,
                )  # fmt: skip
                step.score((1,), (CREW.threads,), arguments, shared_mem=step.shared_bytes, backwards=backwards)
                shares = -(-len(order) * step.strip.lanes // GROUP)
                # Each warp that took work counts once more; where there is little, so are those warps.
                assert counter[0] == shares + min(CREW.threads // WARP, shares)
        return best

    def scores(self, search: "Search", *, backwards: bool = False) -> list[int]:
        """The score of each subject in the order they came in; -1 where 16 bits could not hold it (finish.cu)."""
        best, found = self.best(search, backwards=backwards), np.full(len(self.lengths), -1, np.int32)
        pairs, listed = len(best), np.zeros((len(self.lengths), PIECE_WORDS), np.int32)
        kernel("finish", OPS=search.packed.ops)(
            (-(-pairs // THREADS),), (THREADS,),
            (best, self.packs.slots, self.lengths, np.int32(0), np.int32(pairs),
             np.int32(search.packed.limit(max(1, search.scheme.best))), found, listed, np.zeros(1, np.int32)),
        )  # fmt: skip
        scores = np.zeros(len(found), np.int32)
        scores[self.order] = found
        return scores.tolist()

    def pair_of(self, subject: int) -> int:
        """Which pair of its pack has the subject of this number as it came in."""
        return int(np.argwhere(self.packs.slots == self.order.index(subject))[0][1])


@dataclass(frozen=True)
class Search:
    """A query under a scoring by a schedule, in an arithmetic of two subjects to a register.

    pssm: what the query's places score, where they are no letters.
    """

    schedule: str
    query: Places
    scoring: Scoring
    packed: Arithmetic = ARITHMETICS["s16x2"]
    pssm: Pssm | None = None
    debug: tuple[npt.NDArray[Any], ...] = ()
    """Of the striped schedule: where the rounds of each row and pair are counted, uint8 (rows, GROUPS)."""

    @property
    def scheme(self) -> Scheme:
        """What is found is best by this."""
        return Scheme.local(self.scoring, self.pssm)

    def steps(self, letters: int) -> list[Step]:
        """The launches over packs of codes of so many letters."""
        return {"strips": self._strips, "simt": self._simt, "striped": self._striped}[self.schedule](letters)

    def _simt(self, letters: int) -> list[Step]:
        score = _kernel(simt(self.packed, letters, CREW, self.scoring))
        steps = []
        for strip in runs(len(self.query)):
            blocks = strip.items // SIMT_ITEMS
            profile = byte_profile(self.query, self.scheme, letters, Strip(strip.first, SIMT_ITEMS, 1), blocks)
            steps.append(Step(score, strip, profile, (np.int32(blocks),)))
        return steps

    def _striped(self, letters: int) -> list[Step]:
        steps = []
        for strip in partitions(len(self.query)):
            family = striped(self.packed, letters, strip.items, CREW, self.scoring)
            score = _kernel(counting_rounds(family) if self.debug else family)
            steps.append(Step(score, strip, byte_profile(self.query, self.scheme, letters, strip, 1)))
        return steps

    def _strips(self, letters: int) -> list[Step]:
        table = Table(letters)
        cuts = cut(len(self.query), table.most_items(SHARED_BYTES), 90)
        steps = []
        for strip in cuts:
            how = Launch(threads=CREW.threads, bursts=1)
            family = strips(self.packed, table, strip.items, len(cuts) > 1, how, self.scoring)
            size = table.bytes(strip.items)
            profile = np.zeros(size, np.uint8)
            rest = self.query[strip.first :].astype(np.int32)
            blocks = -(-table.rows * table.lanes * strip.items // THREADS)
            shape = {"LETTERS": letters, **table.macros(strip.items)}
            kernel("profile", OPS=self.packed.ops, **shape)(
                (blocks, 1), (THREADS,), (self.scheme.scores, rest, np.int32(len(rest)), profile)
            )
            steps.append(Step(_kernel(family), strip, profile, (np.uint32(1),), size))
        return steps


def counting(search: Search, shard: EmulatedShard) -> Search:
    """The same search by the striped schedule's debug variant, its rounds not counted yet."""
    return replace(search, debug=(np.zeros((shard.packs.total_rows, GROUPS), np.uint8),))


def byte_profile(query: Places, scheme: Scheme, letters: int, strip: Strip, count: int) -> npt.NDArray[np.uint32]:
    """What byte_profile.cu makes of a strip, and of those of its shape behind it: uint32 (count, words)."""
    tables = np.zeros((count, (letters + 1) * -(-strip.items // CHUNK) * strip.lanes), np.uint32)
    rest = query[strip.first :].astype(np.int32)
    numbers = (np.int32(each) for each in (len(rest), letters, strip.lanes, strip.items))
    blocks = -(-tables.shape[1] // THREADS)
    kernel("byte_profile")((blocks, count), (THREADS,), (scheme.scores, rest, *numbers, tables))
    return tables


def _kernel(family: Family) -> EmulatedKernel:
    return kernel(family.schedule, family.ptxas, **family.macros)
