"""What this service is and what a search can be told."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from app.problems import documented
from app.requests.prefer_header import LONGEST_WAIT_S
from app.responses.comparison_results import FORMATS
from app.responses.result_formats import offered
from app.schemas import GapCosts, MatrixCosts, Parameter, ParameterList, ParameterValue
from app.service import CurrentService
from app.service_schemas import (
    ComparisonBounds,
    Organization,
    PairBounds,
    ServiceInfo,
    ServiceLimits,
    ServiceType,
    SigningKey,
)
from app.upload_schemas import UploadBounds
from shardwater.formats.columns import COLUMNS
from shardwater.formats.msas.names import MSA_FORMAT_NAMES
from shardwater.formats.pairs.names import PAIR_FORMATS
from shardwater.scoring.scoring import MATRICES
from shardwater.software import software
from shardwater.statistics.evalue import METHODS, published_pairs
from worker.jobs.requests import MOST_TARGET_SEQS, SearchRequest

router = APIRouter(tags=["service"])

LETTERS = (
    "Matrices are NCBI's with the 24 letters ARNDCQEGHILKMFPSTWYVBZX*. Lower case scores as upper case; a letter "
    "without a row (U, O, J) scores as X and is counted in query.replaced; * is the matrix's own letter. In a query "
    "anything else is refused; in a database it scores as X and is counted."
)
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


@router.get("/v1/parameters", responses=documented())
def get_parameters() -> ParameterList:
    """List what a search can be told: names, defaults, bounds, values."""
    schema = SearchRequest.model_json_schema()
    required = set(schema.get("required", ()))
    parameters = [_parameter(name, field, name in required) for name, field in schema["properties"].items()]
    return ParameterList(parameters=parameters, matrices=matrix_costs())


def _parameter(name: str, field: dict[str, Any], required: bool) -> Parameter:
    """A parameter from its JSON schema, where an optional one is `anyOf` its type and null."""
    labels = _LABELS.get(name, {})
    kinds = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
    kind = kinds[0]
    return Parameter(
        name=name,
        type=kind["type"],
        description=field.get("description", ""),
        required=required,
        default=field.get("default"),
        minimum=kind.get("minimum", kind.get("exclusiveMinimum")),
        maximum=kind.get("maximum"),
        values=[ParameterValue(value=value, label=labels.get(value, value)) for value in kind.get("enum", [])],
    )


@router.get("/v1/service-info", responses=documented())
def get_service_info(service: CurrentService) -> ServiceInfo:
    """See what this service is, what it accepts, and how long it keeps results."""
    limits, made_by, signer = service.settings.limits, software(), service.signer
    return ServiceInfo(
        id="org.shardwater.search",
        name="Shardwater",
        type=ServiceType(group="org.shardwater", artifact="shardwater", version=made_by.version),
        organization=Organization(name=service.settings.organization, url=service.settings.organization_url),
        version=made_by.version,
        commit=made_by.commit,
        limits=ServiceLimits(
            max_queries=limits.max_queries,
            max_query_length=limits.max_query_length,
            max_query_residues=limits.max_query_residues,
            max_body_bytes=limits.max_body_bytes,
            max_target_seqs=MOST_TARGET_SEQS,
            max_hits=limits.max_hits,
            max_score_bytes=limits.max_score_bytes,
            max_profile_residues=limits.max_profile_residues,
            max_wait_s=LONGEST_WAIT_S,
            retention_s=service.settings.retention_s,
            uploads=UploadBounds(**asdict(service.settings.upload_limits)),
            pairs=PairBounds(**asdict(service.settings.pair_bounds)),
            comparisons=ComparisonBounds(**asdict(service.settings.comparison_bounds)),
        ),
        matrices=matrix_costs(),
        statistics=list(METHODS),
        formats=list(offered()),
        pair_formats=list(PAIR_FORMATS),
        comparison_formats=list(FORMATS.values()),
        msa_formats=list(MSA_FORMAT_NAMES),
        columns=list(COLUMNS),
        letters=LETTERS,
        signing=SigningKey(algorithm="Ed25519", key=signer.name, public_key=signer.public_key) if signer else None,
    )
