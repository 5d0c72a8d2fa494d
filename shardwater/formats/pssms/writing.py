"""Formats of PSSMs by their names."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, get_args

from shardwater.formats.pssms.ascii_text import write_ascii
from shardwater.formats.pssms.asn1 import write_asn1
from shardwater.formats.pssms.json_text import write_json
from shardwater.formats.pssms.saved import SavedPssm

PssmFormat = Literal["asn1", "ascii", "json"]
PSSM_FORMATS: tuple[PssmFormat, ...] = get_args(PssmFormat)
PSSM_WRITERS: Mapping[PssmFormat, Callable[[SavedPssm], Iterator[str]]] = {
    "asn1": write_asn1,
    "ascii": write_ascii,
    "json": write_json,
}
