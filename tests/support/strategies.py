"""Pairs of sequences, as codes, and gap costs for hypothesis to choose from."""

from hypothesis import strategies as st

GAPS = [(11, 1), (0, 0), (0, 1), (1, 0), (2, 2), (10, 3), (40, 3), (100_000, 7), (3, 100_000)]
sequences = st.lists(st.integers(0, 23), min_size=1, max_size=60)
# Few letters: many ties, many gaps.
alike = st.lists(st.sampled_from([0, 4, 17]), min_size=1, max_size=60)
