"""What this service is, and what jobs can be told."""

from dataclasses import asdict

from app.problems import documented
from app.requests.prefer_header import LONGEST_WAIT_S
from app.responses.comparison_results import FORMATS
from app.responses.parameters import all_parameters, matrix_costs
from app.responses.result_formats import offered
from app.routers import new_router
from app.schemas import ParameterList
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
from shardwater.software import software
from shardwater.statistics.evalue import METHODS
from worker.jobs.search_fields import MOST_TARGET_SEQS

router = new_router(tags=["service"])

LETTERS = (
    "Matrices are NCBI's with the 24 letters ARNDCQEGHILKMFPSTWYVBZX*. Lower case scores as upper case; a letter "
    "without a row (U, O, J) scores as X and is counted in query.replaced; * is the matrix's own letter. In a query "
    "anything else is refused; in a database it scores as X and is counted."
)


@router.get("/v1/parameters", responses=documented())
def get_parameters() -> ParameterList:
    """List what a job of each kind can be told: names, defaults, bounds, values, and what each is for."""
    return all_parameters()


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
