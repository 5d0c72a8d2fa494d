"""A PSSM from text, in whichever format it is."""

import re
from collections.abc import Callable

from shardwater.errors import ScoringError
from shardwater.formats.pssms.ascii_text import TITLE, read_ascii
from shardwater.formats.pssms.asn1 import KIND, read_asn1
from shardwater.formats.pssms.json_text import read_json
from shardwater.formats.pssms.saved import SavedPssm
from shardwater.scoring.scoring import MATRICES, OWN_NAME

_READERS: dict[str, Callable[[str], SavedPssm]] = {"{": read_json, KIND: read_asn1, TITLE: read_ascii}
"""By how a text begins."""
_MARKS = "\ufeff \t\r\n"


def is_pssm(text: str) -> bool:
    """Whether a text begins as a PSSM does, which no FASTA does."""
    return _reader(text) is not None


def read_pssm(text: str) -> SavedPssm:
    """A PSSM with its query, by how its text begins. Raises ScoringError and Asn1Error."""
    if (read := _reader(text)) is None:
        raise ScoringError(f"a PSSM is ASN.1 text ({KIND}), the table of -out_ascii_pssm, or JSON")
    saved = read(text.lstrip("\ufeff"))
    if saved.matrix.upper() not in MATRICES and not re.fullmatch(OWN_NAME, saved.matrix):
        raise ScoringError(f"unknown matrix {saved.matrix[:40]!r}; known are {', '.join(MATRICES)}")
    return saved


def _reader(text: str) -> Callable[[str], SavedPssm] | None:
    begin = text.lstrip(_MARKS)[:100]
    return next((read for start, read in _READERS.items() if begin.startswith(start)), None)
