"""`shardwater verify`: a search made again, or a sample of it scored, and what differs."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shardwater.search.digests import query_digest, result_digest
from shardwater.software import software
from tests.support.command_line import here, refused, shardwater
from tests.support.server import Server, make_database

Plain = dict[str, Any]


@pytest.fixture(scope="module")
def queries(small: Path) -> Path:
    """A file with two queries."""
    path = small.parent / "queries.fasta"
    path.write_text(">q one query\nMKVLAAGWDEHHKLMCCCCC\n>r\nWDEHHKLMKVLAAG\n")
    return path


@pytest.fixture(scope="module")
def answer(small: Path, queries: Path) -> Path:
    """The result of both as JSON."""
    path = small.parent / "two.json"
    options = ("-db", "small", "--data", small, "-outfmt", "json", "-evalue", "1000", "-out", path)
    done = shardwater("search", "-query", queries, *options)
    assert done.returncode == 0, done.stderr
    return path


def sealed(result: Plain) -> Plain:
    """The result with digests that match what is in it."""
    for part in result["results"]:
        part["digest"] = query_digest(part)
    result["digest"] = result_digest(result, [part["digest"] for part in result["results"]])
    return result


@pytest.fixture
def edited(answer: Path, tmp_path: Path) -> Callable[..., Path]:
    """edited(change): the result in a file, with a change and new digests."""

    def make(change: Callable[[Plain], object], *, seal: bool = True) -> Path:
        result = json.loads(answer.read_text())
        change(result)
        path = tmp_path / "edited.json"
        path.write_text(json.dumps(sealed(result) if seal else result))
        return path

    return make


@pytest.fixture
def verify(small: Path, queries: Path) -> Callable[..., Any]:
    """Run the command over the small database and its queries, in this process."""
    return lambda *arguments, **options: here("verify", "--query", queries, "--data", small, *arguments, **options)


def different(done: Any) -> list[str]:
    """The differences that the command tells."""
    assert (done.returncode, done.stderr) == (5, ""), done
    first, *lines = done.stdout.splitlines()
    number = len(lines)
    assert first == f"different: {number} difference{'s' if number > 1 else ''}"
    return [line.removeprefix("  ") for line in lines]


def hits(result: Plain, query: int = 0) -> list[Plain]:
    found: list[Plain] = result["results"][query]["hits"]
    return found


def test_a_result_is_what_its_search_finds(small: Path, queries: Path, answer: Path) -> None:
    done = here("verify", answer, "--query", queries, "--data", small)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "equal: every value of 2 queries with 6 hits, searched for again in 3 sequences of small, version "
    )
    assert len(done.stdout.splitlines()) == 1


def test_a_sample_is_scored_without_the_engine(verify: Callable[..., Any], answer: Path) -> None:
    done = verify(answer, "--sample", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("equal: 6 hits of 2 queries, and 2 of 3 sequences of small, version ")


def test_a_result_is_read_packed_and_from_standard_input(
    verify: Callable[..., Any], answer: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "answer.json.gz"
    packed.write_bytes(gzip.compress(answer.read_bytes()))
    assert verify(packed).returncode == 0
    assert verify("-", input=answer.read_text()).returncode == 0


@pytest.mark.parametrize("sample", [(), ("--sample", "3")])
def test_a_changed_score_is_told(edited: Callable[..., Path], verify: Callable[..., Any], sample: tuple[str]) -> None:
    path = edited(lambda result: hits(result, 1)[0].update(score=500))
    [line] = different(verify(path, *sample))
    assert line.startswith("query 2 (r), hit 1 (")
    assert "), score: 500; computed anew: " in line


@pytest.mark.parametrize("sample", [(), ("--sample", "3")])
def test_a_missing_hit_is_told(edited: Callable[..., Path], verify: Callable[..., Any], sample: tuple[str]) -> None:
    def change(result: Plain) -> None:
        del hits(result)[0]
        for rank, hit in enumerate(hits(result), start=1):
            hit["rank"] = rank

    [line] = different(verify(edited(change), *sample))
    assert line.startswith("query 1 (q), hit 1 (one): missing" if not sample else "query 1 (q), subject one: missing")


@pytest.mark.parametrize("sample", [(), ("--sample", "0")])
def test_another_order_is_told(edited: Callable[..., Path], verify: Callable[..., Any], sample: tuple[str]) -> None:
    def change(result: Plain) -> None:
        first, second, third = hits(result)
        hits(result)[:] = [{**second, "rank": 1}, {**first, "rank": 2}, third]

    assert different(verify(edited(change), *sample)) == [
        "query 1 (q), hit 1 (two), rank: 1; computed anew: 2",
        "query 1 (q), hit 2 (one), rank: 2; computed anew: 1",
    ]


def test_other_statistics_are_told(edited: Callable[..., Path], verify: Callable[..., Any]) -> None:
    path = edited(lambda result: result["results"][0]["statistics"].update(kappa=0.5))
    assert different(verify(path)) == ["query 1 (q), statistics.kappa: 0.5; computed anew: 0.041"]


def test_a_result_that_was_edited_is_told_with_what_differs(
    edited: Callable[..., Path], verify: Callable[..., Any]
) -> None:
    digest, score = different(verify(edited(lambda result: hits(result)[0].update(score=1), seal=False)))
    assert digest == "the digest of query 1 does not match: it was changed after it was made"
    assert score.startswith("query 1 (q), hit 1 (one), score: 1; computed anew: ")


@pytest.mark.parametrize("sample", [(), ("--sample", "1")])
def test_a_tampered_digest_alone_is_a_difference(
    edited: Callable[..., Path], verify: Callable[..., Any], sample: tuple[str]
) -> None:
    path = edited(lambda result: result.update(digest=f"sha256:{'0' * 64}"), seal=False)
    line = "the result's digest does not match: it was changed after it was made"
    assert different(verify(path, *sample)) == [line]


def test_another_version_is_told_apart(edited: Callable[..., Path], verify: Callable[..., Any]) -> None:
    done = verify(edited(lambda result: result["software"].update(version="0.0.1")))
    here = software().version
    line = f"different: version 0.0.1 of Shardwater has made it, this is {here}; all else is equal\n"
    assert (done.returncode, done.stdout) == (5, line)


def test_the_differences_beyond_the_first_are_counted(edited: Callable[..., Path], verify: Callable[..., Any]) -> None:
    done = verify(edited(lambda result: [hit.update(hsps=[], title="x\x9b", bits=1.0) for hit in hits(result)]))
    assert done.returncode == 5
    first, *_, last = done.stdout.splitlines()
    assert first == "different: 9 differences"
    assert "\x9b" not in done.stdout
    done = verify(edited(lambda result: [each["hsps"][0].update(dict.fromkeys(_NUMBERS, 77)) for each in hits(result)]))
    *_, last = done.stdout.splitlines()
    assert last == "  and 4 more"


_NUMBERS = ("query_from", "query_to", "hit_from", "hit_to", "identity", "positive", "gaps", "align_len")


def test_a_result_without_a_digest_is_verified_with_a_warning(
    edited: Callable[..., Path], verify: Callable[..., Any]
) -> None:
    path = edited(lambda result: [each.pop("digest") for each in (result, *result["results"])], seal=False)
    done = verify(path)
    assert (done.returncode, done.stdout[:6]) == (0, "equal:")
    assert done.stderr.startswith(f"shardwater: warning: {path}: it has no digest")


def test_a_result_that_has_lost_one_of_its_digests_differs(
    edited: Callable[..., Path], verify: Callable[..., Any]
) -> None:
    path = edited(lambda result: result.pop("digest"), seal=False)
    assert different(verify(path)) == ["a digest is missing: it was changed after it was made"]


def test_a_sample_finds_all_that_was_edited(edited: Callable[..., Path], verify: Callable[..., Any]) -> None:
    def change(result: Plain) -> None:
        result["certificate"].update(exact=False, cells=10**400)
        result["results"][0]["statistics"].update(kappa=0.5)
        result["results"][0]["query"].update(title="another")
        result["results"][0]["warnings"].clear()
        hits(result)[0].update(length=10**400, hsps=[], note="reviewed")

    told = "\n".join(different(verify(edited(change), "--sample", "0")))
    for member in ("exact", "cells", "kappa", "title", "warnings", "length", "hsps", "note"):
        assert member in told


def test_another_version_of_the_database_is_refused(
    edited: Callable[..., Path], verify: Callable[..., Any], small: Path
) -> None:
    path = edited(lambda result: result["databases"][0].update(checksum="0" * 64))
    version = json.loads(path.read_text())["database"]["version"]
    assert refused(verify(path)) == (
        f"{small}: the database that was searched is not there: small, version {version}, with the checksum {'0' * 64}"
    )


def test_the_database_is_found_by_its_checksum_when_another_version_is_current(
    answer: Path, queries: Path, small: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    make_database(small.parent / "small.fasta", data, shards=1, name="renamed")
    (tmp_path / "other.fasta").write_text(">other\nMKVLAAGW\n")
    make_database(tmp_path / "other.fasta", data, shards=1, name="renamed")
    done = here("verify", answer, "--query", queries, "--data", data)
    assert (done.returncode, done.stdout[:6]) == (0, "equal:")


@pytest.mark.parametrize(
    ("fasta", "reason"),
    [
        (">q\nMKV\n", "it has 1 sequence, the result 2"),
        (
            ">q\nMKVLAAGWDEHHKLMCCCCC\n>s\nWDEHHKLMKVLAAG\n",
            "number 2 is 's' of 14 residues, there 'r' of 14 residues",
        ),
        (">q\nMKV\n>r\nWDEHHKLMKVLAAG\n", "number 1 is 'q' of 3 residues, there 'q' of 20 residues"),
    ],
)
def test_other_queries_are_refused(answer: Path, small: Path, tmp_path: Path, fasta: str, reason: str) -> None:
    path = tmp_path / "other.fasta"
    path.write_text(fasta)
    done = here("verify", answer, "--query", path, "--data", small)
    assert refused(done) == f"{path}: not the queries of the result: {reason}"


def test_queries_of_the_same_ids_and_lengths_but_other_residues_differ(
    answer: Path, small: Path, tmp_path: Path
) -> None:
    path = tmp_path / "other.fasta"
    path.write_text(">q one query\nMKVLAAGWDEHHKLMCCCCW\n>r\nWDEHHKLMKVLAAU\n")
    done = here("verify", answer, "--query", path, "--data", small)
    assert (done.returncode, "query 2 (r), query.replaced.U: missing; computed anew: 1" in done.stdout) == (5, True)


def test_what_is_no_whole_result_is_refused(
    edited: Callable[..., Path], verify: Callable[..., Any], queries: Path
) -> None:
    assert refused(verify(queries)) == f"{queries}: not the JSON of a Shardwater result"
    page = edited(lambda result: result.update(next_page_token=""))
    assert refused(verify(page)) == f"{page}: a page of a result: the whole is needed"
    deep = edited(lambda result: result.update(more=json.loads("[" * 700 + "]" * 700)), seal=False)
    assert refused(verify(deep)) == f"{deep}: not the JSON of a Shardwater result"
    odd = edited(lambda result: result["parameters"].update(query_loc="9-2"))
    assert refused(verify(odd)) == f"{odd}: no search has its parameters: query_loc: 9-2 ends before it begins"


def test_standard_input_is_one_file(small: Path) -> None:
    done = shardwater("verify", "-", "--query", "-", "--data", small)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.fixture(scope="module")
def kept(server: Server, queries: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result that a server has made, in a file."""
    path = tmp_path_factory.mktemp("kept") / "kept.json"
    path.write_text(json.dumps(server.search(queries.read_text(), evalue=1000)))
    return path


@pytest.mark.parametrize("sample", [(), ("--sample", "10")])
def test_a_server_verifies_what_it_has_made(server: Server, kept: Path, sample: tuple[str, ...]) -> None:
    done = here("verify", kept, "--server", server.url, *sample)
    assert (done.returncode, done.stderr) == (0, "")
    hits = sum(len(part["hits"]) for part in json.loads(kept.read_text())["results"])
    scored = f"{hits} hits of 2 queries, and 10 of 3,183 sequences"
    found = f"equal: {scored if sample else f'every value of 2 queries with {hits} hits'}"
    assert done.stdout.startswith(found), done.stdout


def test_a_file_that_is_not_the_servers_is_told(server: Server, kept: Path, tmp_path: Path) -> None:
    result, path = json.loads(kept.read_text()), tmp_path / "edited.json"
    hits(result)[0]["score"] = 500
    path.write_text(json.dumps(result))
    done = here("verify", path, "--server", server.url)
    told = "  the digest of query 1 does not match: it was changed after it was made"
    assert (done.returncode, done.stdout.splitlines()[1]) == (5, told)
    path.write_text(json.dumps(sealed(result)))
    done = here("verify", path, "--server", server.url)
    assert (done.returncode, done.stdout) == (
        5,
        f"different: 1 difference\n  {path} is not the whole result that the server has kept: another one, or a part\n",
    )  # fmt: skip


def test_what_no_server_can_verify_is_refused_before_anything_is_sent(answer: Path, kept: Path) -> None:
    nobody = ("--server", "http://127.0.0.1:1")
    reason = f"{answer}: no server has made it; verify it with --query and --data"
    assert refused(here("verify", answer, *nobody)) == reason
    done = here("verify", kept, *nobody, "--sample", "10001")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--sample" in done.stderr
    assert "a server scores 10,000 subjects at most" in " ".join(done.stderr.replace("│", " ").split())


def test_a_server_has_its_own_queries(server: Server, kept: Path, queries: Path) -> None:
    for options in (("--server", server.url, "--query", queries), ("--server", server.url, "--data", "."), ()):
        assert here("verify", kept, *options).returncode == 2
