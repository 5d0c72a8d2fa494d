from typing import Literal, cast

MatrixName = Literal["BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM250", "PAM30", "PAM70"]


def check_matrix_name(value: str) -> MatrixName:
    """The value as it was sent; a newer server may know more of them."""
    return cast(MatrixName, value)
