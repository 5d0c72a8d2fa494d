"""Profiles as text that somebody sends: refused soon where they are none, charged for each round where they are."""

import pytest

from shardwater.scoring.scoring import FOLDER
from tests.support.guarded import LIMITS, QUERY, Guarded, search
from tests.support.problems import problem
from tests.support.pssms import pssm_json

OWN = (FOLDER / "PAM30.txt").read_bytes()
TABLE = "Last position-specific scoring matrix computed\n"


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("PssmWithParameters ::= { " + "a," * 1_000_000, "more than 10,000 words and braces"),
        ("PssmWithParameters ::= " + "{ a " * 500_000, "braces stand more than 32 deep"),
        ("PssmWithParameters ::= { " + '"' * 2_000_000, "a brace is not closed"),
        ("PssmWithParameters ::= { a {" + "1," * 1_000_000 + "x", "more than 10,000 words and braces"),
        ('{"a": [' + "[]," * 700_000 + "1]}", "more strings and lists"),
        ('{"scores": [' + "1," * 1_000_000 + "1]}", "an object with title"),
        (TABLE + "\n" * 2_000_000, "more than 200,000 lines"),
        (TABLE + "1 A" + " 1" * 1_000_000 + "\n2 A", "line 3: a position has a letter"),
        (pssm_json(title="a\n>b\nMKVL"), "one line of text"),
        (pssm_json(title="\ud800"), "halves of letters"),
        ("{" + " " * 8_000_000, "8000000 characters or fewer"),
    ],
    ids=lambda text: text[:30].strip(),
)
def test_text_that_is_no_profile_is_refused_by_its_fault_alone(guarded: Guarded, text: str, detail: str) -> None:
    reply = guarded.client("lab").post("/v1/searches", json={"database": "demo", "pssm": text})
    told = problem(reply, 422, "invalid-parameter")
    assert [each["pointer"] for each in told["errors"]][-1] == "/pssm"
    assert detail in str(told["detail"])
    # Nothing of what was sent goes back, and into somebody's log.
    assert len(reply.content) < 2_000


def test_every_round_is_charged_before_the_first(limited: Guarded) -> None:
    http = limited.client("rounds")
    long = f">long\n{'MKVLAAGWDE' * 4900}\n"
    body = problem(search(http, long, iterations=2), 413, "limit-exceeded")
    assert (body["limit"], body["actual"]) == (LIMITS["cells"], 2 * 49_000 * 59)
    assert search(http, QUERY, iterations=20).status_code == 200


def test_profile_of_a_matrix_gives_nothing_of_anothers(guarded: Guarded) -> None:
    owner, stranger = guarded.client("lab"), guarded.client("other")
    matrix = owner.post("/v1/matrices", content=OWN, headers={"Content-Type": "text/plain"}).json()["id"]
    asked = [
        stranger.post("/v1/searches", json={"database": "demo", "pssm": pssm_json(matrix=name)})
        for name in (matrix, f"matrix-{'0' * 32}")
    ]
    details = [problem(reply, 422, "invalid-parameter")["detail"] for reply in asked]
    assert details[0].replace(matrix, "") == details[1].replace(f"matrix-{'0' * 32}", "")
    assert owner.post("/v1/searches", json={"database": "demo", "pssm": pssm_json(matrix=matrix)}).status_code == 202
