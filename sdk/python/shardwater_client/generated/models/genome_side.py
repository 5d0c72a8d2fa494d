from typing import Literal, cast

GenomeSide = Literal["query", "subject"]


def check_genome_side(value: str) -> GenomeSide:
    """The value as it was sent; a newer server may know more of them."""
    return cast(GenomeSide, value)
