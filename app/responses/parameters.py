"""What each kind of job can be told, as its request model says it: one source for the interface, the forms and /help.

A description's first paragraph is for everybody: what a parameter does, and when to change it. What follows is for
programs.
"""

from functools import cache
from typing import Any

from pydantic import BaseModel

from app.schemas import GapCosts, MatrixCosts, Parameter, ParameterList, ParameterValue
from shardwater.scoring.scoring import MATRICES
from shardwater.sequences.alphabets import ALPHABETS
from shardwater.statistics.evalue import published_pairs
from worker.jobs.comparison_requests import ComparisonRequest
from worker.jobs.msa_requests import MsaRequest
from worker.jobs.pair_requests import AlignmentRequest, PairParameters
from worker.jobs.requests import SearchRequest

_LABELS = {
    "statistics": {
        "table": "finite-size-corrected E-value, published parameters",
        "karlin-altschul": "plain Karlin-Altschul E-value with effective lengths",
        "simulated": "finite-size-corrected E-value, parameters simulated for any gap costs",
        "fitted": "E-value from the scores of all subjects (SSEARCH -z 1), any gap costs",
        "none": "raw scores only, any gap costs",
    },
    "composition": {
        "adjusted": "fitted E-values adjusted to the composition and the repeats of what is aligned",
        "none": "E-values of the score alone",
    },
    "mask": {
        "none": "all letters count",
        "soft": "letters in lower case count as X",
        "seg": "low complexity counts as X, by SEG's rules",
        "tantan": "repeats count as X, by tantan's rules",
    },
    "order": {"evalue": "lowest E-value first", "score": "highest score first"},
    "shuffle": {
        "uniform": "all letters of a sequence among each other",
        "windows": "letters in windows of ten",
    },
    "scores": {"none": "those of hits alone", "all": "the score of every subject is kept, too"},
    "pairing": {
        "zip": "first with first, second with second",
        "all": "each query with each subject",
        "none": "each record alone",
        "greedy": "one complex: pair organisms that two chains have",
        "complete": "one complex: pair organisms that all chains have",
    },
    "mode": {
        "local": "local: the best stretch of both",
        "global": "global: from end to end",
        "semi-global": "semi-global: all four ends are free",
    },
    "free_ends": {
        "query_begin": "the query's begin",
        "query_end": "the query's end",
        "subject_begin": "the subject's begin",
        "subject_end": "the subject's end",
    },
    "alphabet": {"protein": "proteins", "dna": "DNA"},
    "strand": {"forward": "as it is given", "both": "both, whichever scores better"},
    "report": {
        "alignment": "alignments, column by column",
        "ends": "scores and ends",
        "score": "scores alone",
    },
    "sensitivity": {
        "sensitive": "sensitive: all seeds",
        "fast": "fast: few seeds of repeats",
        "hyperfast": "hyperfast: main syntenies only",
    },
    "extension": {"letters": "letter by letter", "blocks": "blocks of 32, as GPUGECKO"},
    "strands": {"both": "both", "forward": "forward alone"},
    "gapped": {"none": "none: HSPs alone", "exact": "align each HSP's box exactly"},
    "filter": {"diverse": "keep what is unlike each other", "none": "keep all rows"},
}


def matrix_costs() -> list[MatrixCosts]:
    """Every matrix with the gap costs that have published statistics."""
    return [
        MatrixCosts(
            matrix=matrix,
            gap_costs=[
                GapCosts(gap_open=pair.gap_open, gap_extend=pair.gap_extend, recommended=pair.recommended)
                for pair in published_pairs(matrix)
            ],
        )
        for matrix in MATRICES
    ]


@cache
def all_parameters() -> ParameterList:
    """Those of every kind."""
    return ParameterList(
        parameters=_of(SearchRequest),
        matrices=matrix_costs(),
        alignments=_of(AlignmentRequest, _by_letters()),
        comparisons=_of(ComparisonRequest),
        msas=_of(MsaRequest),
    )


def by_kind() -> dict[str, list[Parameter]]:
    """The same by the name that each kind's part of /help has, and its script."""
    every = all_parameters()
    return {
        "search": every.parameters,
        "align": every.alignments,
        "compare": every.comparisons,
        "msa": every.msas,
    }


def _of(model: type[BaseModel], usual: dict[str, dict[str, Any]] | None = None) -> list[Parameter]:
    """The fields of a request; usual: defaults that depend on the letters."""
    schema = model.model_json_schema()
    required = set(schema.get("required", ()))
    return [
        _parameter(name, field, name in required, (usual or {}).get(name))
        for name, field in schema["properties"].items()
    ]


def _by_letters() -> dict[str, dict[str, Any]]:
    """What is taken by alphabet where nothing is said, of each parameter of pairs without a default of its own."""
    # Distances between alignments go with several of them.
    several = PairParameters.model_validate({"best": 2})
    used = {name: several.over(alphabet).model_dump(mode="json") for name, alphabet in ALPHABETS.items()}
    return {
        name: {letters: values[name] for letters, values in used.items()}
        for name, field in PairParameters.model_fields.items()
        if field.default is None and name != "alphabet" and any(values[name] is not None for values in used.values())
    }


def _parameter(name: str, field: dict[str, Any], required: bool, usual: dict[str, Any] | None) -> Parameter:
    """A parameter from its JSON schema, where an optional one is `anyOf` its type and null."""
    labels = _LABELS.get(name, {})
    kinds = [kind for kind in field.get("anyOf", [field]) if kind.get("type", "null") != "null"]
    kind = kinds[0]
    description = field.get("description", "")
    return Parameter(
        name=name,
        type=kind["type"],
        summary=description.partition("\n\n")[0],
        description=description,
        required=required,
        default=field.get("default"),
        usual=usual,
        minimum=kind.get("minimum", kind.get("exclusiveMinimum")),
        exclusive_minimum="exclusiveMinimum" in kind,
        maximum=kind.get("maximum"),
        values=[
            ParameterValue(value=value, label=labels.get(value, value))
            for value in kind.get("enum", kind.get("items", {}).get("enum", []))
        ],
    )
