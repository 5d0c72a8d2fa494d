"""Every kernel that a device may need, by its macros: for compiling ahead, and for checks without a device."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from gpu.arithmetic import ARITHMETICS, Arithmetic, Choice
from gpu.family import (
    NEXT_PAIRS,
    PAIRS,
    Family,
    banded_pairs,
    kept_pairs,
    kept_ways,
    long_cells,
    long_kept,
    long_pairs,
    pair_scores,
    pairs,
    short_pairs,
    simt,
    striped,
    strips,
    teams,
)
from gpu.layout import (
    AMINO_ACIDS,
    CHOICE_THREADS,
    GROUP,
    LOW_BITS,
    MATRIX_LETTERS,
    PARTITION,
    SCAN_ITEMS,
    SCAN_THREADS,
    STRIPED_LANES,
    THREADS,
    WARP,
)
from gpu.pairs.classes import long_shapes, shapes, wide_shapes
from gpu.pairs.potential import form
from gpu.score.strips import MORE_LANES, Table, bordered_items, launch
from gpu.score.teams import WIDE_SHAPE, Team
from gpu.tuning import tuning
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.engines.schedules import SCHEDULES
from shardwater.scoring.scoring import Scoring
from shardwater.scoring.table import match_table, matrix_table
from shardwater.statistics.distribution import LENGTH_EDGES, SCORES

CENSUS = {"EDGES": len(LENGTH_EDGES), "SCORES": SCORES}
"""Macros of census.cu and wanted.cu."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A kernel, its option for ptxas and its macros."""

    name: str
    ptxas: str = ""
    parameters: dict[str, int | str] = field(default_factory=dict)

    @classmethod
    def of(cls, family: Family) -> "Variant":
        """A kernel that scores cells."""
        return cls(family.schedule, family.ptxas, family.macros)


def all_variants(
    capability: int, shared_bytes: int, scoring: Scoring, schedules: Sequence[str] = SCHEDULES
) -> Iterator[Variant]:
    """The kernels for any query and shard under a scoring, on a device of this capability and shared memory a block."""
    choice = Choice.of(capability)
    for letters in (AMINO_ACIDS, MATRIX_LETTERS):
        yield Variant("pack", parameters={"LETTERS": letters})
    for name in ("encode", "extent", "tally", "gather"):
        yield Variant(name)
    yield Variant.of(PAIRS)
    yield Variant.of(NEXT_PAIRS)
    yield Variant("take")
    for name in ("census", "wanted"):
        yield Variant(name, parameters=dict(CENSUS))
    # Where gaps are too dear for packed arithmetic, Short2 lists all subjects on any device.
    for arithmetic in dict.fromkeys((choice.packed, ARITHMETICS["s16x2"])):
        if arithmetic is not None:
            yield Variant("finish", parameters={"OPS": arithmetic.ops})
    if choice.packed is not None:
        if "strips" in schedules:
            for lanes in (GROUP, MORE_LANES):
                plain = Table(AMINO_ACIDS, lanes=lanes)
                for table in (plain, replace(plain, even=True), Table(MATRIX_LETTERS, lanes=lanes)):
                    yield from _strips(capability, shared_bytes, table, scoring)
        yield from _older(choice.packed, capability, scoring, schedules)
    yield from _crowds(scoring)
    # Where scores may pass what the usual arithmetic of single subjects holds, they have another.
    for wide in dict.fromkeys((choice.wide, choice.wide_for(1 << 30))):
        yield from _teams(wide, shared_bytes)


def _strips(capability: int, shared_bytes: int, table: Table, scoring: Scoring) -> Iterator[Variant]:
    packed = Choice.of(capability).packed
    assert packed is not None
    most = table.most_items(shared_bytes)
    # The table for pairs of equal length is for the one width that only it has room for.
    singles = range(replace(table, even=False).most_items(shared_bytes) + 1 if table.even else 1, most + 1)
    shapes = [(items, False) for items in singles]
    shapes += [] if table.even else [(items, True) for items in bordered_items(most)]
    for items in sorted({items for items, _ in shapes}):
        shape = {"LETTERS": table.letters, **table.macros(items)}
        yield Variant("profile", parameters={"OPS": packed.ops, **shape})
    for items, border in shapes:
        how = launch(capability, items, border, table.lanes)
        yield Variant.of(strips(packed, table, items, border, how, scoring))


def _older(packed: Arithmetic, capability: int, scoring: Scoring, schedules: Sequence[str]) -> Iterator[Variant]:
    """Those of the two designs of CUDASW++2.0."""
    measured = tuning(capability)
    if not {"simt", "striped"}.isdisjoint(schedules):
        yield Variant("byte_profile")
    for letters in (AMINO_ACIDS, MATRIX_LETTERS):
        if "simt" in schedules:
            yield Variant.of(simt(packed, letters, measured.simt, scoring))
        if "striped" in schedules:
            for vectors in range(1, PARTITION // STRIPED_LANES + 1):
                yield Variant.of(striped(packed, letters, vectors, measured.striped, scoring))


def _crowds(scoring: Scoring) -> Iterator[Variant]:
    """Those that shuffle hits and score that."""
    yield Variant("shuffle")
    how = form(Scheme.local(scoring))
    if how is not None:
        for shape in shapes(how):
            yield Variant.of(pair_scores(how, shape))
        for lanes in sorted({shape.lanes for shape in shapes(how)}):
            yield Variant("pack_pairs", parameters={"LANES": lanes, "WORDS": how.letter_words})


def _teams(wide: Arithmetic, shared_bytes: int) -> Iterator[Variant]:
    yield Variant("profile", parameters={"OPS": wide.ops, **WIDE_SHAPE})
    shapes = {Team.of(length, shared_bytes) for length in (128 << n for n in range(14))}
    # Passes are counted at run time.
    for team in sorted({(team.warps, team.block_warps) for team in shapes}):
        for letters in (AMINO_ACIDS, MATRIX_LETTERS):
            yield Variant.of(teams(wide, Team(*team, passes=1), letters))


def takes_short_pairs(capability: int) -> bool:
    """Whether a device has the arithmetic of short pairs."""
    return Choice.of(capability).packed == ARITHMETICS["s16x2"]


def pair_variants(capability: int) -> Iterator[Variant]:
    """The kernels for pairs in any mode and alphabet, on a device of this capability."""
    for mode in ("Local", "Ends"):
        for scores in ("ByteScores", "TableScores"):
            yield Variant.of(pairs(mode, scores))
    if takes_short_pairs(capability):
        yield from _pairs_of_bases()
    yield from _pair_scores()


def _pairs_of_bases() -> Iterator[Variant]:
    for bits in LOW_BITS:
        for mode, schedule in product(("Local", "Ends"), ("short_fill", "short_walk")):
            yield Variant.of(short_pairs(schedule, mode, bits))
        for schedule in ("band_fill", "band_walk"):
            yield Variant.of(banded_pairs(schedule, bits))
    yield Variant.of(banded_pairs("band_fill", LOW_BITS[0], keeps=False))


def _pair_scores() -> Iterator[Variant]:
    """Those of scores, and of long pairs: of each recurrence, for costs that are usual."""
    lanes, items = set[tuple[int, int]](), set[tuple[int, int]]()
    for mode in (Mode.LOCAL, Mode.GLOBAL):
        for table, gap_open in ((match_table(2, -1), 0), (match_table(2, -1), 1), (matrix_table("BLOSUM62"), 11)):
            how = form(Scheme(table, gap_open, 1, mode))
            assert how is not None
            for shape in shapes(how):
                yield Variant.of(pair_scores(how, shape))
                lanes.add((shape.lanes, how.letter_words))
            for shape in wide_shapes(how):
                yield Variant.of(kept_pairs(how, shape))
            yield Variant.of(kept_ways(how, "KeptHalves"))
            for shape in long_shapes(how):
                yield Variant.of(kept_ways(how, long_kept(shape)))
                for keeps in (False, True):
                    yield Variant.of(long_pairs(how, shape, keeps, prunes=how.mode == "Local" and not keeps))
                if mode.local:
                    yield Variant.of(long_pairs(how, shape, keeps=False, peaks=True))
                    yield Variant.of(long_cells(how, shape))
                items.add((shape.items, how.letter_words))
    yield Variant("row_scan", parameters={"THREADS": SCAN_THREADS, "ITEMS": SCAN_ITEMS})
    yield Variant("choose_ends", parameters={"THREADS": CHOICE_THREADS})
    for count, words in sorted(lanes):
        yield Variant("pack_pairs", parameters={"LANES": count, "WORDS": words})
    for count, words in sorted(items):
        yield Variant("pack_long", parameters={"LANES": WARP, "ITEMS": count, "WORDS": words})
    for count in sorted({count for count, _ in items}):
        for name in ("row_peaks", "peak_cells"):
            yield Variant(name, parameters={"THREADS": THREADS, "ITEMS": count})
    yield Variant("peak_works", parameters={"THREADS": THREADS})


GENOME_KERNELS = (
    "pack_genome",
    "count_words",
    "list_words",
    "match_words",
    "count_runs",
    "write_starts",
    "extend_letters",
    "extend_blocks",
)
"""Those that compare genomes, each in one variant."""


def genome_variants() -> Iterator[Variant]:
    """The kernels that compare genomes."""
    return map(Variant, GENOME_KERNELS)


def statistics_variants() -> Iterator[Variant]:
    """The kernels of simulated statistics."""
    yield from map(Variant, ("draw", "reach"))
