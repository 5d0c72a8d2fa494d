"""Numbers that Python and CUDA share. They stand here once, and are macros of the kernels that need them.

What follows from them is worked out on both sides; where that is more than a product, the kernel asserts that it comes
out the same.
"""

from gpu.statistics import model
from shardwater.alignment.scheme import FREE_ENDS
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS
from shardwater.sequences import alphabets
from shardwater.sequences.alphabet import LETTERS
from shardwater.statistics import chance, shuffles
from shardwater.statistics.background import RESIDUES
from shardwater.statistics.importance import BAND
from shardwater.statistics.prefixes import WIDTH

WARP = 32
THREADS = 256
"""Of a block, where nothing asks for another number."""

MATRIX_LETTERS = len(LETTERS)
AMINO_ACIDS = LETTERS.index("B")
"""The letters that come first; those after them are ambiguous."""

CHUNK = 4
"""Columns whose scores are read at a time: 16 bytes."""

GROUP = 8
"""Lanes that share a strip of the query, for a pair of subjects; a lane's columns are its items. A warp has a pack."""
GROUPS = WARP // GROUP
SUBJECTS = 2 * GROUPS
BURST = 4
PAD_ROWS = 2 * BURST
ROW_BYTES = 2 * GROUPS

WIDE_ITEMS = 8
WIDE_COLUMNS = WIDE_ITEMS * WARP
WIDE_ROWS = MATRIX_LETTERS + 1
"""Rows of a profile for single letters: the last one is padding."""
WIDE_STRIP_BYTES = WIDE_ROWS * WIDE_COLUMNS * 4
RING_BYTES = 1024
"""Shared memory of sw_wide besides profiles: for each warp of a block, and as much again for its variables."""
PIECE_WORDS = 4
"""A piece of a subject: slot, first row, last row + 1, subject."""

SIMT_ITEMS = 8
"""Columns of a block where a thread has a pair of subjects."""
STRIPED_LANES = 16
PARTITION = 256
"""Of the striped schedule: lanes that are one vector for a pair of subjects, and columns of the query at a time."""

BINS = 4096
"""Counts of scores, by which the best subjects are found; the last one is for all above."""
GATHER_THREADS = 1024
SUBJECT_BITS = 32
"""Of a key: its subject counts back from LAST_SUBJECT, so that of equal scores the first subject sorts highest."""
LAST_SUBJECT = (1 << SUBJECT_BITS) - 1

PAIR_ITEMS = 8
"""A lane's columns where pairs are aligned: their moves fill a word."""
PAIR_STRIP = PAIR_ITEMS * WARP
PAIR_BURST = WARP
PAIR_WARPS = 8
FOUND_WORDS = 8
END_WORDS = 3
"""Of what is found, and of where an alignment ends (walk.cuh's Found, ends.cuh's FirstEnd)."""
KEPT_ROWS = 128
KEPT_COLUMNS = PAIR_STRIP
KEPT_PAD = 32
"""Of a large matrix a row in so many stays and a column in so many; a row is filled up to a multiple of the third."""
PLACES = 2 * WARP
"""Of a strip of a long pair, each a row behind the one before: lanes' low halves, then their high ones."""
PLACE_WORDS = 11
"""Of a lane between rounds, beside H and F of its columns."""
LOWEST = 1 << 13
"""Of H of a place's first column, in 16 bits above the place's base, where that moves (strip.cuh)."""
LOW_ITEMS = 32
"""Columns of a strip where a thread has short pairs of DNA."""
LOW_THREADS = 128
LOW_BLOCKS = 3
"""On a multiprocessor: a thread's registers, 168, are what its columns take."""
LOW_BITS = (4, 8)
"""Bits of H that may be kept of each cell."""
SCAN_THREADS, SCAN_ITEMS = 256, 8
"""Of a block that scans a row of a matrix: its threads, and the columns of each."""
CHOICE_THREADS = 512
"""Of a block that chooses end points: as many cells are looked at side by side."""
BAND_ITEMS = 16
"""A lane's cells of an antidiagonal, where pairs are aligned in a band: half of its diagonals."""
FREE_BITS = {end: 1 << number for number, end in enumerate(FREE_ENDS)}
"""The ends that an alignment may leave out, as one number says them."""

BASES = len(alphabets.BASES)
SLOT_BURST = 4
"""Rows of a pair at a time: their letters fill a word, their border 16 bytes."""
SLOT_THREADS = 128
"""Of a block that scores such pairs."""
WALK_BLOCKS = 6
"""Of such threads on a multiprocessor, where they walk back through what is kept of a pair."""
SHUFFLE_THREADS = 1024
"""Of a block that shuffles a sequence, at most: it compares two keys at a time for each."""
NOTHING = -(1 << 30)
"""The score of a pair where no cell was seen in which an alignment may end."""

REACH_THREADS = -(-WIDTH // WARP) * WARP
"""Of a block that follows a random pair of sequences: one to a column of the band."""

GENOME_LETTERS = 32
"""Of a genome, in a word; a block of GPUGECKO's."""
GENOME_TILE = 4096
"""Places or words of a genome that a block looks at."""
PLACE_BITS = 29
"""Of a place in a genome; the letter before it stands above (shardwater/genomes/genome.py: MOST_LETTERS)."""

_PACKS: dict[str, int | str] = {
    "WARP": WARP,
    "GROUP": GROUP,
    "BURST": BURST,
    "PAD_ROWS": PAD_ROWS,
    "PIECE_WORDS": PIECE_WORDS,
    "AMINO_ACIDS": AMINO_ACIDS,
}

_CHANCE: dict[str, int | str] = {
    "SPLITMIX_STEP": f"{chance.STEP}ull",
    "SPLITMIX_FIRST": f"{chance.FIRST_FACTOR}ull",
    "SPLITMIX_SECOND": f"{chance.SECOND_FACTOR}ull",
}

MACROS: dict[str, dict[str, int | str]] = {
    "database": _PACKS,
    "score": {
        **_PACKS,
        "MATRIX_LETTERS": MATRIX_LETTERS,
        "CHUNK": CHUNK,
        "WIDE_ITEMS": WIDE_ITEMS,
        "WIDE_STRIP_BYTES": WIDE_STRIP_BYTES,
        "RING_BYTES": RING_BYTES,
        "SIMT_ITEMS": SIMT_ITEMS,
        "BINS": BINS,
        "GATHER_THREADS": GATHER_THREADS,
        "SUBJECT_BITS": SUBJECT_BITS,
    },
    "pairs": {
        "WARP": WARP,
        "PACK_THREADS": THREADS,
        "BASES": BASES,
        "BURST": SLOT_BURST,
        "NOTHING": f"({NOTHING})",
        "CHUNK": CHUNK,
        "MATRIX_LETTERS": MATRIX_LETTERS,
        "PAIR_ITEMS": PAIR_ITEMS,
        "PAIR_BURST": PAIR_BURST,
        "PAIR_WARPS": PAIR_WARPS,
        "FOUND_WORDS": FOUND_WORDS,
        "END_WORDS": END_WORDS,
        "PLACES": PLACES,
        "PLACE_WORDS": PLACE_WORDS,
        "LOWEST": LOWEST,
        "KEPT_ROWS": KEPT_ROWS,
        "KEPT_COLUMNS": KEPT_COLUMNS,
        "KEPT_PAD": KEPT_PAD,
        "KIND_BITS": KIND_BITS,
        "BAND_ITEMS": BAND_ITEMS,
        "LOW_ITEMS": LOW_ITEMS,
        "LOW_THREADS": LOW_THREADS,
        "LOW_BLOCKS": LOW_BLOCKS,
        "SHUFFLE_THREADS": SHUFFLE_THREADS,
        **_CHANCE,
        "WINDOW": shuffles.WINDOW,
        "CODE_BITS": shuffles.CODE_BITS,
        "RANDOM_BITS": shuffles.RANDOM_BITS,
        **{f"KIND_{kind}": number for number, kind in enumerate(RUN_KINDS) if kind != " "},
        **{f"FREE_{end.upper()}": bit for end, bit in FREE_BITS.items()},
    },
    "statistics": {
        "WARP": WARP,
        "REACH_THREADS": REACH_THREADS,
        **_CHANCE,
        "RESIDUES": RESIDUES,
        "BAND": BAND,
        "WIDTH": WIDTH,
        "MODEL_BYTES": model.MODEL.itemsize,
    },
    "genomes": {
        "WARP": WARP,
        "THREADS": THREADS,
        "LETTERS": GENOME_LETTERS,
        "TILE": GENOME_TILE,
        "PLACE_BITS": PLACE_BITS,
    },
}
"""By the room of a kernel."""
