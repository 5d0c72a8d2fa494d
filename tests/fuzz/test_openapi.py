"""The service is asked all that openapi.json describes, and much that it does not allow."""

from pathlib import Path

from tests.fuzz.campaign import ask_as_described
from tests.support.server import Server


def test_no_request_fails_the_service_and_every_answer_is_as_described(server: Server, tmp_path: Path) -> None:
    campaign = ask_as_described(server.url, 1, ("--max-examples=1", "--generation-deterministic"), tmp_path)
    assert campaign.findings == (), campaign.output
    assert campaign.cases > 300
