"""The problem documents that the service answers errors with."""

from typing import Any

import httpx


def problem(response: httpx.Response, status: int, name: str) -> dict[str, Any]:
    """The problem document of a response, all of whose members are as they should be."""
    assert response.status_code == status, response.text
    assert response.headers["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert (body["type"], body["status"]) == (f"urn:shardwater:problem:{name}", status)
    assert body["instance"] == response.request.url.path
    assert body["request_id"] == response.headers["X-Request-ID"]
    assert body["title"]
    assert body["detail"]
    assert body["retryable"] is (status in (503, 507))
    return body
