"""The types of problem that a reply may be: a closed list, which docs/api.md and the clients have, too."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of problem: its name (urn:shardwater:problem:<name>), title and status; docs/api.md lists them all."""

    name: str
    title: str
    status: int

    @property
    def retryable(self) -> bool:
        """Whether the very same request may succeed later."""
        return self.status in (429, 502, 503, 504, 507)


KINDS = {
    kind.name: kind
    for kind in (
        Kind("malformed-request", "The request cannot be read", 400),
        Kind("unauthenticated", "Authentication required", 401),
        Kind("forbidden", "This is not allowed", 403),
        Kind("not-found", "Not found", 404),
        Kind("method-not-allowed", "The method is not allowed here", 405),
        Kind("not-acceptable", "None of the formats asked for can be had", 406),
        Kind("request-timeout", "The request did not come in time", 408),
        Kind("not-ready", "The job has not ended", 409),
        Kind("already-finished", "The job has ended", 409),
        Kind("search-failed", "The job has no result", 409),
        Kind("expired", "The result has been removed", 410),
        Kind("data-lost", "The queue has lost its data", 410),
        Kind("limit-exceeded", "A published limit is passed", 413),
        Kind("unsupported-media-type", "The body's type is not supported", 415),
        Kind("misdirected-request", "This name is not served here", 421),
        Kind("invalid-sequence", "The sequences cannot be read", 422),
        Kind("invalid-parameter", "A parameter has no valid value", 422),
        Kind("idempotency-key-reused", "The key came with another request", 422),
        Kind("quota-exceeded", "A quota is used up", 429),
        Kind("internal-error", "The server failed", 500),
        Kind("service-unavailable", "The service cannot answer now", 503),
        Kind("queue-full", "The queue is full", 503),
        Kind("shard-unavailable", "There is no worker for a part of it", 503),
        Kind("shard-failed", "A part of the job failed", 500),
        Kind("search-timeout", "The job took too long", 504),
        Kind("storage-full", "There is no room to keep it", 507),
    )
}
