from typing import Literal, cast

MsasPhaseType0 = Literal["aligning", "merging", "queued", "scoring"]


def check_msas_phase_type_0(value: str) -> MsasPhaseType0:
    """The value as it was sent; a newer server may know more of them."""
    return cast(MsasPhaseType0, value)
