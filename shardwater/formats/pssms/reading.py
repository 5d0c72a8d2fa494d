"""A PSSM from text, in whichever format it is."""

from shardwater.errors import ScoringError
from shardwater.formats.pssms.ascii_text import TITLE, read_ascii
from shardwater.formats.pssms.asn1 import KIND, read_asn1
from shardwater.formats.pssms.json_text import read_json
from shardwater.formats.pssms.saved import SavedPssm


def read_pssm(text: str) -> SavedPssm:
    """A PSSM with its query, by how its text begins. Raises ScoringError and Asn1Error."""
    begin = text.lstrip("\ufeff \t\r\n")[:100]
    if begin.startswith("{"):
        return read_json(text)
    if begin.startswith(KIND):
        return read_asn1(text)
    if begin.startswith(TITLE):
        return read_ascii(text)
    raise ScoringError(f"a PSSM is ASN.1 text ({KIND}), the table of -out_ascii_pssm, or JSON")
