"""The tools of EBI's Job Dispatcher that this service stands for, and what a job's form asks of each.

Gap costs: ncbiblast says them as BLAST does. fasta hands them to SSEARCH, which takes the cost of a gap of n residues
to be gapopen + n * gapext, both negative; EBI's own text still has the older reading, by which gapopen was the cost
of the first residue. E-values are of the tool's kind, too: from published parameters, or from the scores of all
subjects as SSEARCH has them, for any gap costs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.compat.fields import Fields
from app.compat.gaps import published, scoring_of
from app.problems import InvalidParameterError, NotHereError
from shardwater.scoring.scoring import MATRICES, Scoring
from shardwater.sequences.fasta import count_headers
from shardwater.statistics.evalue import Method
from worker.jobs.requests import SearchRequest
from worker.jobs.search_fields import MOST_HSPS

SCORES = 50

NAMES = {
    "databases": "database",
    "matrix": "matrix",
    "gap_open": "gapopen",
    "gap_extend": "gapext",
    "evalue": "exp",
    "max_target_seqs": "scores",
    "alignments": "alignments",
    "max_hsps": "hsps",
}
"""Their names for ours."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its programs and matrices by their names there, the first of each the default; and what it refuses.

    Passing over any of the unsupported fields would give other hits than were asked for; with one of the values named
    here they ask for nothing.
    """

    name: str
    title: str
    programs: tuple[str, ...]
    matrices: Mapping[str, str]
    expect: str
    unsupported: Mapping[str, tuple[str, ...]]

    def scoring(self, fields: Fields) -> Scoring:
        """Matrix and gap costs in our sense."""
        matrices = {name.upper(): ours for name, ours in self.matrices.items()}
        named = (fields.get("matrix") or next(iter(matrices))).strip()
        matrix = matrices.get(named.upper(), named)
        gap_open, gap_extend = fields.integer("gapopen"), fields.integer("gapext")
        if self.name == "ncbiblast":
            return published(scoring_of(matrix, _unless_default(gap_open), _unless_default(gap_extend)))
        usual_open, usual_extend = _SSEARCH_COSTS.get(matrix, (None, None))
        return scoring_of(matrix, _size(gap_open, usual_open), _size(gap_extend, usual_extend))

    def most_hsps(self, fields: Fields) -> int:
        """Alignments of a hit: so many at most, or, as fasta has it, one or all that are significant."""
        if self.name == "ncbiblast":
            given = fields.integer("hsps")
            return 1 if given is None else min(given, MOST_HSPS)
        value = (fields.get("hsps") or "false").strip().lower()
        if value not in _TRUTH:
            raise InvalidParameterError("hsps", f"{' or '.join(_TRUTH)} is needed")
        return MOST_HSPS if value == "true" else 1

    @property
    def statistics(self) -> Method:
        """Where the tool has its E-values from."""
        return "table" if self.name == "ncbiblast" else "fitted"


def _size(penalty: int | None, usual: int | None) -> int | None:
    return usual if penalty is None else abs(penalty)


def _unless_default(cost: int | None) -> int | None:
    return None if cost == -1 else cost


_SSEARCH_COSTS = {"BLOSUM50": (10, 2), "BLOSUM62": (11, 1), "BLOSUM80": (10, 2)}
"""SSEARCH's own gap costs for a matrix."""
_RANGE = ("start-end",)
_TRUTH = ("false", "true")
_SAME_NAMES: Mapping[str, str] = {"BLOSUM62": "BLOSUM62", **{name: name for name in MATRICES}}

TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            name="ncbiblast",
            title="NCBI BLAST",
            programs=("blastp",),
            matrices=_SAME_NAMES,
            expect="exp",
            unsupported={
                "task": ("blastp",),
                "seqrange": _RANGE,
                "gapalign": ("true",),
            },
        ),
        Tool(
            name="fasta",
            title="FASTA",
            programs=("ssearch", "fasta"),
            # Of FASTA's own names those whose scores are NCBI's; its P250 has others.
            matrices={
                "BL50": "BLOSUM50",
                "BL62": "BLOSUM62",
                "BP62": "BLOSUM62",
                "BL80": "BLOSUM80",
                **{name: name for name in MATRICES},
            },
            expect="expupperlim",
            unsupported={
                "explowlim": ("0",),
                "seqrange": _RANGE,
                "dbrange": _RANGE,
            },
        ),
    )
}


def tool_of(name: str) -> Tool:
    """A tool by its name in the path."""
    if name not in TOOLS:
        raise NotHereError(f"no such tool; there are: {', '.join(TOOLS)}")
    return TOOLS[name]


def search_of(tool: Tool, fields: Fields) -> SearchRequest:
    """The search that a job's form asks for; raises InvalidParameterError or a ValidationError."""
    if (fields.get("program") or tool.programs[0]).strip().lower() not in tool.programs:
        raise InvalidParameterError("program", f"this tool has {' and '.join(tool.programs)} here")
    if (fields.get("stype") or "protein").strip().lower() != "protein":
        raise InvalidParameterError("stype", "only protein is searched here")
    fields.refuse(tool.unsupported)
    scoring = tool.scoring(fields)
    most = max(SCORES if count is None else count for count in map(fields.integer, ("scores", "alignments")))
    search = SearchRequest.model_validate(
        {
            "sequence": fields.need("sequence"),
            "databases": fields.databases("database"),
            "matrix": scoring.matrix,
            "gap_open": scoring.gap_open,
            "gap_extend": scoring.gap_extend,
            "evalue": fields.number(tool.expect) or 10.0,
            "statistics": tool.statistics,
            "composition": "none",
            "order": "score",
            # The larger of the two counts, and an alignment for each: their readers take the first one of every hit.
            "max_target_seqs": most,
            "alignments": most,
            "max_hsps": tool.most_hsps(fields),
            "title": (fields.get("title") or "").strip(),
            **{name: fields.get(name) or "" for name in ("taxids", "negative_taxids")},
        }
    )
    if count_headers(search.sequence) > 1:
        raise InvalidParameterError("sequence", "a job has one sequence")
    return search
