"""Results carry digests that any change breaks, and nothing that may differ where hits may not."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from shardwater.engines.cpu import CpuEngine
from shardwater.search.canonical_json import canonical
from shardwater.search.databases import SearchedDatabase
from shardwater.search.digests import NoDigest, WrongDigest, check_digest
from shardwater.search.merge import Searched, SearchResult, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record
from shardwater.software import Software
from shardwater_client import ChangedResultError, check_result
from tests.support.databases import Build
from tests.support.example_results import FOUND, NOTHING, STRANGE, result_of
from worker.jobs.results.digested import NoResult, digested, read_result
from worker.jobs.results.packing import pack
from worker.jobs.results.stored import StoredResult

RESULT = TypeAdapter(SearchResult)
MADE = digested(result_of(FOUND, NOTHING, STRANGE))
WARNED = "it has no digest: an earlier version of Shardwater has made it"


def plain(result: SearchResult = MADE) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULT.dump_json(result))
    return found


def test_digest_is_what_the_manual_says() -> None:
    made = plain()
    parts = []
    for part in made["results"]:
        members = {name: value for name, value in part.items() if name != "digest"}
        parts.append("sha256:" + hashlib.sha256(canonical(members)).hexdigest())
    assert [part["digest"] for part in made["results"]] == parts
    whole = {
        "database": made["database"],
        "databases": made["databases"],
        "software": {"version": made["software"]["version"]},
        "parameters": made["parameters"],
        "certificate": {name: made["certificate"][name] for name in ("exact", "subjects", "residues", "cells")},
        "results": parts,
    }
    assert made["digest"] == "sha256:" + hashlib.sha256(canonical(whole)).hexdigest()


def test_result_survives_another_programs_hands() -> None:
    shuffled = json.dumps(plain(), indent=3, sort_keys=True, ensure_ascii=True)
    assert read_result(shuffled.encode()) == (MADE, "")


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made.update(search="another"),
        lambda made: made["software"].update(commit="another"),
        lambda made: made["certificate"].update(shards=[]),
    ],
    ids=["search", "commit", "shards"],
)
def test_what_may_differ_is_not_covered(change: Callable[[dict[str, Any]], None]) -> None:
    made = plain()
    change(made)
    check_digest(made)


def _swap(made: dict[str, Any]) -> None:
    made["results"][0], made["results"][1] = made["results"][1], made["results"][0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda made: made["results"][0]["hits"][0].update(score=1000), "the digest of query 1 does not match"),
        (lambda made: made["results"][0]["hits"].pop(), "the digest of query 1 does not match"),
        (lambda made: made["results"][0]["hits"][0]["hsps"][0].update(qseq="W"), "the digest of query 1 does not"),
        (lambda made: made["results"][2]["query"].update(title="another"), "the digest of query 3 does not match"),
        (lambda made: made["results"][1].update(more=1), "the digest of query 2 does not match"),
        (lambda made: made["certificate"].update(cells=1), "the result's digest does not match"),
        (lambda made: made["parameters"].update(evalue=1), "the result's digest does not match"),
        (lambda made: made["database"].update(version="another"), "the result's digest does not match"),
        (lambda made: made["software"].update(version="another"), "the result's digest does not match"),
        (lambda made: made.update(more=1), "the result's digest does not match"),
        (lambda made: made["results"].pop(), "the result's digest does not match"),
        (_swap, "the result's digest does not match"),
        (lambda made: made.pop("certificate"), "members of a result are missing"),
        (lambda made: made.update(results=7), "members of a result are missing"),
        (lambda made: made.update(software=[]), "members of a result are missing"),
    ],
)
def test_any_change_is_seen(change: Callable[[dict[str, Any]], None], message: str) -> None:
    made = plain()
    change(made)
    with pytest.raises(WrongDigest, match=message):
        check_digest(made)


def test_result_without_digests_is_told_from_a_changed_one() -> None:
    made = plain()
    for each in (made, *made["results"]):
        del each["digest"]
    with pytest.raises(NoDigest, match=f"^{WARNED}$"):
        check_digest(made)
    assert read_result(json.dumps(made).encode())[1] == WARNED


@pytest.mark.parametrize("lost", ["digest", "part"])
@pytest.mark.parametrize("by", ["null", "nothing"])
def test_result_that_has_lost_one_of_its_digests_was_changed(lost: str, by: str) -> None:
    made = plain()
    part = made if lost == "digest" else made["results"][1]
    part["digest"] = None
    if by == "nothing":
        del part["digest"]
    with pytest.raises(WrongDigest, match="a digest is missing"):
        check_digest(made)


def test_page_is_not_checked() -> None:
    with pytest.raises(NoDigest, match="it is a page of a result"):
        check_digest({**plain(), "next_page_token": ""})


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"results": 1}'])
def test_text_that_is_no_result(text: bytes) -> None:
    with pytest.raises(NoResult, match=r"^not the JSON of a Shardwater result$"):
        read_result(text)


def test_member_that_stands_twice_is_refused() -> None:
    """The last one has the digest, and other readers may take the first."""
    text = RESULT.dump_json(MADE).replace(b'"score":', b'"score":1,"score":', 1)
    assert json.loads(text) == plain()
    with pytest.raises(NoResult):
        read_result(text)
    with pytest.raises(ChangedResultError):
        check_result(text)


def test_part_has_a_digest_of_its_own_and_its_query_the_same() -> None:
    kept = StoredResult(pack(RESULT.dump_json(MADE)))
    # They come in pieces.
    for number, line in enumerate(b"".join(kept.lines()).splitlines(keepends=True), start=1):
        part = kept.part(number)
        assert part is not None
        assert part.results[0].digest == MADE.results[number - 1].digest
        assert line == RESULT.dump_json(part) + b"\n"
        assert part == digested(replace(MADE, digest=None, results=(MADE.results[number - 1],)))
        check_digest(json.loads(line))
    assert kept.report().digest == MADE.digest


def test_result_that_an_earlier_version_kept_is_given_out_as_it_is() -> None:
    before = result_of(FOUND, NOTHING)
    kept = StoredResult(pack(RESULT.dump_json(before)))
    part = kept.part(2)
    assert part is not None
    assert (part.digest, part.results[0].digest) == (None, None)
    assert b"".join(kept.lines()).splitlines(keepends=True)[1] == RESULT.dump_json(part) + b"\n"


def test_digest_does_not_depend_on_shards_nor_on_the_queries_beside(build: Build) -> None:
    database = build([(f"s{number}", "WWHCA" * (1 + number % 7) + "ARND"[: number % 4]) for number in range(80)])
    queries = [Record("q1 one", b"WWHCAWWHCA"), Record("q2", b"HCAWWARND")]

    def search(records: list[Record], shards: int, parameters: Parameters) -> SearchResult:
        engine, parts = CpuEngine(2), []
        for index in range(shards):
            engine.load(database.shard(index, shards))
            parts.append(find_hits(engine, database.shard(index, shards), records, parameters))
        one = SearchedDatabase.of(database.manifest)
        made = assemble(Searched(f"of {shards}", (one,), parameters, records), parts)
        return digested(replace(made, software=Software(made.software.version, f"commit {shards}")))

    for parameters in (Parameters(evalue=1e9), Parameters(evalue=1e9, statistics="none", score_distribution=True)):
        whole = search(queries, 1, parameters)
        assert {search(queries, shards, parameters).digest for shards in (2, 5)} == {whole.digest}
        alone = [search([query], 3, parameters).results[0].digest for query in queries]
        assert alone == [one.digest for one in whole.results]
