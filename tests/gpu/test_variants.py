"""Every kernel that may run is listed once."""

from gpu.variants import all_variants
from shardwater.scoring.scoring import Scoring


def test_variants_are_distinct():
    variants = list(all_variants(90, 232_448, Scoring("BLOSUM62", 11, 1)))
    named = {(variant.name, variant.ptxas, *sorted(variant.parameters.items())) for variant in variants}
    assert len(named) == len(variants)
