"""The client knows a result that is not as it was made, by the same digest as the service."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pydantic import TypeAdapter

from shardwater.search.canonical_json import canonical
from shardwater.search.merge import SearchResult
from shardwater_client import ChangedResultError, check_result
from shardwater_client.digest import _WRITERS
from tests.support.driving import RESULT, SEARCH, Driver, reply, state
from tests.support.example_results import FOUND, NOTHING, STRANGE, result_of
from worker.jobs.results.digested import digested
from worker.jobs.results.signing import Signer

TEXT = TypeAdapter(SearchResult).dump_json(digested(result_of(FOUND, NOTHING, STRANGE)))


def made() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(TEXT)
    return found


def test_result_is_checked_as_text_or_as_what_was_read() -> None:
    digest = made()["digest"]
    assert check_result(TEXT) == check_result(TEXT.decode()) == check_result(made()) == digest
    assert check_result(json.dumps(made(), indent=2, sort_keys=True)) == digest


def test_change_is_refused() -> None:
    edited = made()
    edited["results"][0]["hits"][0]["score"] += 1
    with pytest.raises(ChangedResultError, match=r"^the result was changed since it was made: in query 1$"):
        check_result(edited)
    edited = made()
    edited["certificate"]["cells"] = 1
    with pytest.raises(ChangedResultError, match=r"^the result was changed since it was made: not in a query$"):
        check_result(json.dumps(edited))


def test_result_without_a_digest_is_not_checked() -> None:
    older = made()
    for each in (older, *older["results"]):
        del each["digest"]
    assert check_result(older) is None
    assert check_result({**made(), "next_page_token": ""}) is None


@pytest.mark.parametrize("lost", ["whole", "part"])
def test_result_that_has_lost_one_of_its_digests_was_changed(lost: str) -> None:
    edited = made()
    del (edited if lost == "whole" else edited["results"][1])["digest"]
    with pytest.raises(ChangedResultError, match=r"^the result was changed since it was made: a digest is missing$"):
        check_result(edited)


@pytest.mark.parametrize("text", ["", "[]", "7", '{"results": [7]}', "[" * 100_000])
def test_what_is_no_result(text: str) -> None:
    with pytest.raises(ChangedResultError, match=r"^this is not the JSON of a result$"):
        check_result(text)


def test_values_are_written_as_the_service_writes_them() -> None:
    rng = np.random.default_rng(5)
    doubles = [value for value in np.frombuffer(rng.bytes(8 * 3000), np.float64).tolist() if math.isfinite(value)]
    doubles += (rng.uniform(-1, 1, 3000) * 10.0 ** rng.integers(-12, 25, 3000)).tolist()
    value = {
        "b": doubles,
        "\ufb33": [2**53 + 1, 10**22, -0.0],
        "\U0001f600": '\x7f\x1f"\\/é',
        "a": [None, True, {}, []],
    }
    assert _WRITERS[dict](value).encode() == canonical(value)


def test_reply_that_was_changed_on_the_way_is_refused() -> None:
    edited = made()
    edited["results"][1]["query"]["title"] = "another"
    driver = Driver([reply(200, state("succeeded")), reply(200, edited)])
    with pytest.raises(ChangedResultError, match="in query 2"):
        driver.drive(driver.calls().result(SEARCH, None, None))


def test_signature_is_that_of_the_key(tmp_path: Path) -> None:
    signers = []
    for name in ("ours", "other"):
        pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (tmp_path / name).write_bytes(pem)
        signers.append(Signer.read(tmp_path / name))
    ours, other = signers
    signed = TypeAdapter(SearchResult).dump_json(digested(result_of(FOUND), ours))
    assert check_result(signed, ours.public_key) == json.loads(signed)["digest"]
    with pytest.raises(ChangedResultError, match=r"^the result is not signed with this key$"):
        check_result(signed, other.public_key.encode())
    with pytest.raises(ChangedResultError, match=r"^the result is not signed$"):
        check_result(TEXT, ours.public_key)


def test_older_servers_results_are_read() -> None:
    assert check_result(RESULT) is None
