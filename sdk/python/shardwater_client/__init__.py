"""Client of Shardwater, the exact search of protein databases: `Client`, `AsyncClient`, and what they return and raise.

The models and one function for each operation are generated from the interface's description, in `generated`.
"""

from shardwater_client.async_client import AsyncClient, AsyncResult
from shardwater_client.client import Client, Result
from shardwater_client.digest import check_result
from shardwater_client.errors import (
    AlreadyFinishedError,
    AuthenticationError,
    ChangedResultError,
    ConflictError,
    ErrorDetail,
    ExpiredError,
    ForbiddenError,
    InvalidRequestError,
    InvalidSequenceError,
    LimitError,
    NotFoundError,
    NotReadyError,
    QuotaError,
    SearchFailedError,
    SearchTimeoutError,
    ServerError,
    ShardwaterError,
    UnavailableError,
    UnreadableReplyError,
    VerificationFailedError,
    VerificationTimeoutError,
)
from shardwater_client.generated.models import (
    AlignedPair,
    Alignment,
    AlignmentEstimate,
    DatabaseInfo,
    DatabaseSequences,
    Difference,
    Hit,
    Hsp,
    QueryResult,
    Search,
    SearchEstimate,
    UploadedSequences,
    Verification,
    VerificationReport,
)
from shardwater_client.pairs import AlignmentParameters
from shardwater_client.parameters import SearchParameters
from shardwater_client.result import FinishedVerification
from shardwater_client.version import __version__

__all__ = [
    "AlignedPair",
    "Alignment",
    "AlignmentEstimate",
    "AlignmentParameters",
    "AlreadyFinishedError",
    "AsyncClient",
    "AsyncResult",
    "AuthenticationError",
    "ChangedResultError",
    "Client",
    "ConflictError",
    "DatabaseInfo",
    "DatabaseSequences",
    "Difference",
    "ErrorDetail",
    "ExpiredError",
    "FinishedVerification",
    "ForbiddenError",
    "Hit",
    "Hsp",
    "InvalidRequestError",
    "InvalidSequenceError",
    "LimitError",
    "NotFoundError",
    "NotReadyError",
    "QueryResult",
    "QuotaError",
    "Result",
    "Search",
    "SearchEstimate",
    "SearchFailedError",
    "SearchParameters",
    "SearchTimeoutError",
    "ServerError",
    "ShardwaterError",
    "UnavailableError",
    "UnreadableReplyError",
    "UploadedSequences",
    "Verification",
    "VerificationFailedError",
    "VerificationReport",
    "VerificationTimeoutError",
    "__version__",
    "check_result",
]
