"""What a kernel that scores cells is made of, Schedule<Recurrence, Ops, Mode, Scores, Observer>: its macros.

A schedule is an entry point and says who owns which cells; the other parts are structs of kernels/core.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpu.arithmetic import Arithmetic
from gpu.layout import SLOT_THREADS, STRIPED_LANES, WALK_BLOCKS, WARP
from gpu.pairs.classes import Shape
from gpu.pairs.potential import Form
from gpu.score.strips import Table
from gpu.score.teams import Team
from gpu.tuning import Crew, Launch
from shardwater.scoring.scoring import Scoring


@dataclass(frozen=True, slots=True)
class Family:
    """A kernel's parts, the macros of its schedule beside those, and an option for ptxas (or none)."""

    schedule: str
    recurrence: str
    ops: str
    mode: str
    scores: str
    observer: str
    shape: Mapping[str, int | str]
    ptxas: str = ""

    @property
    def macros(self) -> dict[str, int | str]:
        """Everything that the kernel's source leaves open."""
        return {
            "RECURRENCE": self.recurrence,
            "OPS": self.ops,
            "MODE": self.mode,
            "SCORES": self.scores,
            "OBSERVER": self.observer,
            **self.shape,
        }


PARTS = ("RECURRENCE", "OPS", "MODE", "SCORES", "OBSERVER")
"""The macros that name structs."""


def strips(packed: Arithmetic, table: Table, items: int, border: bool, how: Launch, scoring: Scoring) -> Family:
    """Packs against a strip of so many items a lane, which has a border or is all of the query."""
    shape: dict[str, int | str] = {
        **table.macros(items),
        "BORDER": int(border),
        "THREADS": how.threads,
        "BURSTS": how.bursts,
        **_gaps(packed, scoring),
    }
    return Family("sw_score", "Affine", packed.ops, "Local", "ProfileRow", "Best", shape, how.ptxas)


def simt(packed: Arithmetic, letters: int, how: Crew, scoring: Scoring) -> Family:
    """Packs of codes of so many letters against blocks of a query, a thread to a pair."""
    shape: dict[str, int | str] = {"LETTERS": letters, **how.macros, **_gaps(packed, scoring)}
    return Family("sw_simt", "Affine", packed.ops, "Local", "PairedBytes", "Best", shape)


def striped(packed: Arithmetic, letters: int, items: int, how: Crew, scoring: Scoring) -> Family:
    """Packs of codes of so many letters against a partition of so many vectors, half a warp to a pair."""
    shape: dict[str, int | str] = {
        "LETTERS": letters,
        "LANES": STRIPED_LANES,
        "ITEMS": items,
        "LAZY_ROUNDS": 0,
        **how.macros,
        **_gaps(packed, scoring),
    }
    return Family("sw_striped", "Affine", packed.ops, "Local", "PairedBytes", "Best", shape)


def counting_rounds(family: Family) -> Family:
    """The same striped kernel, which also counts the rounds of its lazy loop for each row of a pair."""
    return replace(family, shape={**family.shape, "LAZY_ROUNDS": 1})


def _gaps(packed: Arithmetic, scoring: Scoring) -> dict[str, str]:
    return {
        "GAP_FIRST": f"{packed.word(scoring.gap_first)}u",
        "GAP_NEXT": f"{packed.word(scoring.gap_extend)}u",
    }


def teams(wide: Arithmetic, team: Team, letters: int) -> Family:
    """Single subjects by teams of warps, over codes of so many letters."""
    shape = {"TEAM": team.warps, "WARPS": team.block_warps, "LETTERS": letters}
    return Family("sw_wide", "Affine", wide.ops, "Local", "ProfileRow", "Best", shape)


def pairs(mode: str, scores: str) -> Family:
    """Alignments of pairs, a block to each."""
    return Family("align", "AffineEarly", "Int32", mode, scores, "Moves", {})


def short_pairs(schedule: str, mode: str, bits: int) -> Family:
    """Short pairs of DNA, two to a thread, of whose H so many bits are kept: `short_fill` and `short_walk`."""
    return Family(schedule, "Affine", "Short2", mode, "PickedScores", "Lows", {"LOW_BITS": bits})


def banded_pairs(schedule: str, bits: int, keeps: bool = True) -> Family:
    """Pairs of DNA that are alike, in a band: `band_fill`, and `band_walk` through so many bits of H where it keeps."""
    shape: dict[str, int | str] = {"LOW_BITS": bits, "KEEPS": int(keeps)}
    return Family(schedule, "AffinePotential", "Short2", "Ends", "PickedScores", "Lows", shape)


def pair_scores(form: Form, shape: Shape) -> Family:
    """Scores of pairs, two to a register."""
    macros: dict[str, int | str] = {
        "LANES": shape.lanes,
        "ITEMS": shape.items,
        "THREADS": SLOT_THREADS,
        "BLOCKS": shape.blocks,
        "GAP_FIRST": f"{form.gap_first}u",
        "GAP_NEXT": f"{form.gap_next}u",
    }
    return Family(
        "score_pairs",
        form.recurrence,
        "Short2",
        form.mode,
        "Bases" if form.of_bases else "Profiled",
        form.observer,
        macros,
    )


def kept_pairs(form: Form, shape: Shape) -> Family:
    """Scores of pairs, and what their ways back need."""
    return replace(pair_scores(form, shape), schedule="keep_pairs")


def long_pairs(form: Form, shape: Shape, keeps: bool, peaks: bool = False, prunes: bool = False) -> Family:
    """Scores of long pairs, a strip to a warp.

    keeps: and what ways back need. peaks: in place of ends the best of each round. prunes: what can have no best
    alignment is left out.
    """
    scores = pair_scores(form, shape)
    macros = {"KEEPS": int(keeps), "PEAKS": int(peaks), "PRUNES": int(prunes)}
    return replace(scores, schedule="fill_long", shape={**scores.shape, **macros})


def long_cells(form: Form, shape: Shape) -> Family:
    """The cells of long pairs that may be end points."""
    return replace(long_pairs(form, shape, keeps=False, peaks=True), schedule="long_cells")


def long_kept(shape: Shape) -> str:
    """The struct that reads what is kept of long pairs."""
    return f"LongKept<{shape.items}>"


def kept_ways(form: Form, kept: str) -> Family:
    """The ways back through what is kept: KeptHalves of two pairs together, LongKept of a long one."""
    shape: dict[str, int | str] = {
        "LANES": WARP,
        "THREADS": SLOT_THREADS,
        "BLOCKS": WALK_BLOCKS,
        "AFFINE": int(form.affine),
        "KEPT": kept,
    }
    return Family(
        "walk_kept",
        "AffineEarly",
        "Int32",
        form.mode,
        "PickedBases" if form.of_bases else "ByteScores",
        "MovesOfRows",
        shape,
    )


PAIRS, NEXT_PAIRS = pairs("Local", "ByteScores"), pairs("Local", "Untaken<ByteScores>")
"""Those of a search; the second where some pairs of letters are taken."""
