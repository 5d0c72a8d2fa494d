"""Profiles that searches are asked for with, in place of queries."""

from collections.abc import Mapping
from typing import Any

from shardwater.errors import AlignError
from shardwater.formats.pssms.json_text import write_json
from shardwater.formats.pssms.reading import read_pssm
from worker.jobs.sentences import refused

MOST_PSSM_TEXT = 8_000_000
"""Letters: a profile of 6,000 positions as PSI-BLAST writes it, with all that it knows."""


def with_profile(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a request, with the query, the matrix and the gap costs of its profile, and this as JSON.

    Raises ValidationError for text that is no profile, and for a query beside it. Fields that their own checks refuse
    are left to them.
    """
    text = fields.get("pssm")
    if not isinstance(text, str) or not 0 < len(text) <= MOST_PSSM_TEXT:
        return dict(fields)
    try:
        saved = read_pssm(text)
    except AlignError as error:
        raise refused("pssm", str(error)) from None
    sequence = f">{saved.query.header}\n{saved.query.residues.decode()}\n"
    # What is kept of a search has both.
    if fields.get("sequence") not in (None, "", sequence):
        raise refused("sequence", "pssm has its query with it: leave out sequence")
    told = {"matrix": saved.matrix, "gap_open": saved.gap_open, "gap_extend": saved.gap_extend}
    given = {name: value for name, value in fields.items() if value is not None}
    return {**told, **given, "sequence": sequence, "pssm": "".join(write_json(saved))}
