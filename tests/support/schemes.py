"""Schemes in all modes and short sequences of DNA, for properties."""

from itertools import product

from hypothesis import strategies as st

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.scoring.table import bases_table, match_table

MODES = [Mode.LOCAL, *(Mode(*flags) for flags in product((False, True), repeat=4))]
TABLES = [
    *(match_table(*scores) for scores in [(2, -1), (1, -3), (5, -4), (1, 0), (0, -1)]),
    # No table need be the same both ways.
    bases_table([[3, -2, 1, -4], [0, 2, -3, -1], [-1, 1, 4, -2], [-5, 0, -2, 1]]),
]
GAPS = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (5, 2), (11, 1), (300, 40)]
bases = st.lists(st.integers(0, 3), max_size=20)
few = st.lists(st.integers(0, 1), max_size=24)
dna = st.one_of(bases, few)
schemes = st.builds(
    lambda table, gaps, mode: Scheme(table, *gaps, mode),
    st.sampled_from(TABLES),
    st.sampled_from(GAPS),
    st.sampled_from(MODES),
)
