from typing import Literal, cast

SyntenyKind = Literal["collinear", "duplication", "inversion", "repeat", "translocation"]


def check_synteny_kind(value: str) -> SyntenyKind:
    """The value as it was sent; a newer server may know more of them."""
    return cast(SyntenyKind, value)
