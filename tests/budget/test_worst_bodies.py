"""For each route the body that takes most: work and memory follow the body's bytes, and nothing else.

Counts stand for times: calls of functions for what Python does, bytes held for what numpy does at once.
docs/security.md has the seconds.
"""

import json
from typing import Any

import pytest

from tests.support.budgets import FrontEnd, Sent

CALLS, CALLS_A_BYTE = 60_000, 10
HELD, HELD_A_BYTE = 4_000_000, 40


def as_json(path: str, **fields: Any) -> Sent:
    return Sent(path, json.dumps(fields).encode())


SHORTEST = ">\nA\n" * 4400
PAIRS = {"queries": SHORTEST, "subjects": SHORTEST, "alphabet": "protein", "pairing": "all"}

WORST = {
    "estimate of the most pairs": (as_json("/v1/alignments:estimate", **PAIRS), 200),
    "the most pairs": (as_json("/v1/alignments", **PAIRS), 202),
}


@pytest.mark.parametrize(("sent", "status"), WORST.values(), ids=WORST)
def test_work_follows_the_bodys_bytes(front_end: FrontEnd, sent: Sent, status: int) -> None:
    cost = front_end.cost(sent)
    assert cost.reply.status_code == status, cost.reply.text[:1000]
    assert cost.calls <= CALLS + CALLS_A_BYTE * sent.size
    assert cost.held <= HELD + HELD_A_BYTE * sent.size
