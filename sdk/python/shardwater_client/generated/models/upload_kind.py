from typing import Literal, cast

UploadKind = Literal["dna", "protein"]


def check_upload_kind(value: str) -> UploadKind:
    """The value as it was sent; a newer server may know more of them."""
    return cast(UploadKind, value)
