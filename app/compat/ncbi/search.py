"""What a Put of NCBI's URL API asks for, as a search of ours."""

import re

from app.compat.fields import Fields
from app.compat.gaps import published, scoring_of
from app.compat.taxa import entrez_taxa
from app.problems import InvalidParameterError
from shardwater.profiles.iteration import INCLUSION_EVALUE
from worker.jobs.requests import SearchRequest

NAMES = {
    "sequence": "QUERY",
    "databases": "DATABASE",
    "matrix": "MATRIX",
    "gap_open": "GAPCOSTS",
    "gap_extend": "GAPCOSTS",
    "evalue": "EXPECT",
    "max_target_seqs": "HITLIST_SIZE",
    "alignments": "HITLIST_SIZE",
    "max_hsps": "MAX_HSPS",
    "max_hits": "HITLIST_SIZE",
    "min_identity": "PERC_IDENT",
    "iterations": "NUM_ITERATIONS",
    "inclusion_evalue": "I_THRESH",
    "title": "JOB_TITLE",
    "taxids": "ENTREZ_QUERY",
    "negative_taxids": "ENTREZ_QUERY",
}
"""Their names for ours."""
HITLIST_SIZE = 100

_NO = ("no", "false", "off", "f", "0")
# Passing over any of these would give other hits than were asked for.
_UNSUPPORTED = {
    "SERVICE": ("plain", "psi"),
    "QUERY_FROM": (),
    "QUERY_TO": (),
    "PHI_PATTERN": (),
    "PSSM": (),
    # A further round of a search that is there.
    "PREV_RID": (),
    "STEP_NUMBER": ("0", "1"),
    "UNGAPPED_ALIGNMENT": _NO,
    "SEARCHSP_EFF": ("0",),
    "SHORT_QUERY_ADJUST": _NO,
    "OTHER_ADVANCED": (),
}
_COSTS = re.compile(r"\s*(\d{1,6})(?:\.0+)?[\s+]+(\d{1,6})(?:\.0+)?\s*", re.ASCII)


def search_of(fields: Fields) -> SearchRequest:
    """The search; raises InvalidParameterError or pydantic's ValidationError."""
    if fields.need("PROGRAM").strip().lower() != "blastp":
        raise InvalidParameterError("PROGRAM", "only blastp is here: this service searches proteins with proteins")
    fields.refuse(_UNSUPPORTED)
    matrix = (fields.get("MATRIX") or fields.get("MATRIX_NAME") or "BLOSUM62").strip()
    scoring = published(scoring_of(matrix, *_gap_costs(fields.get("GAPCOSTS"))))
    most = fields.integer("HITLIST_SIZE")
    identity = fields.get("PERC_IDENT")
    hsps = fields.integer("MAX_HSPS")
    rounds = fields.integer("NUM_ITERATIONS")
    return SearchRequest.model_validate(
        {
            "sequence": fields.need("QUERY"),
            "databases": fields.databases("DATABASE"),
            "matrix": scoring.matrix,
            "gap_open": scoring.gap_open,
            "gap_extend": scoring.gap_extend,
            "evalue": fields.number("EXPECT") or 10.0,
            "statistics": "table",
            "order": "score",
            "max_target_seqs": HITLIST_SIZE if most is None else most,
            # Of PSI-BLAST's rounds NCBI makes the first one, which is a plain search, unless it is told of more.
            "iterations": 1 if rounds is None else rounds,
            "inclusion_evalue": fields.number("I_THRESH") or INCLUSION_EVALUE,
            # How many alignments are shown is said when the result is fetched.
            "alignments": HITLIST_SIZE if most is None else most,
            "max_hsps": 1 if hsps is None else hsps,
            "min_identity": None if identity is None else identity.strip(),
            "title": (fields.get("JOB_TITLE") or "").strip(),
            **entrez_taxa(fields),
        }
    )


def _gap_costs(text: str | None) -> tuple[int | None, int | None]:
    """Existence and extension, as `11 1`; a plus sign that somebody encoded stands for the blank."""
    if text is None:
        return None, None
    costs = _COSTS.fullmatch(text)
    if costs is None:
        raise InvalidParameterError("GAPCOSTS", "two whole numbers are needed, as `11 1`")
    return int(costs[1]), int(costs[2])
