"""`shardwater align --server`: what it answers is what it answers here, and nothing of it stays."""

import gzip
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.support.command_line import here, refused, shardwater
from tests.support.guarded import standing
from tests.support.relay import relaying
from tests.support.server import Server, until

QUERIES, SUBJECTS = ">a x\nACGTTGCAAC\n>b\nAAACCC\n", ">s1\nTTACGTTCAACT\n>s2\nGGGTTT\n"


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    (tmp_path / "q.fa.gz").write_bytes(gzip.compress(QUERIES.encode()))
    (tmp_path / "s.fa").write_text(SUBJECTS)
    (tmp_path / "t.txt").write_text("   A  C  G  T\nA  3 -2 -2 -2\nC -2  3 -2 -2\nG -2 -2  3 -2\nT -2 -2 -2  3\n")
    return ["-query", tmp_path / "q.fa.gz", "-subject", tmp_path / "s.fa"]


@pytest.mark.parametrize(
    "flags",
    [
        ["--strand", "both"],
        ["--pairing", "all", "--mode", "global", "-outfmt", "ndjson", "--alphabet", "dna"],
        ["--match", "3", "-gapopen", "0", "-gapextend", "0.5", "--free-ends", "query_end", "-outfmt", "sam"],
        ["-outfmt", "tab", "--columns", "score,query", "--report", "score", "--match", "2"],
        ["--best", "3", "--query-apart", "0", "--columns", "rank,query,score,cigar", "--match", "2"],
    ],
    ids=" ".join,
)
def test_answer_is_that_of_the_engine_here(server: Server, files: list[object], flags: list[str]) -> None:
    local, remote = here("align", *files, *flags), shardwater("align", *files, *flags, "--server", server.url)
    assert (remote.returncode, remote.stdout) == (0, local.stdout)
    assert remote.stdout.count("\n") >= 1


def test_jobs_are_listed_fetched_cancelled_and_deleted(server: Server, files: list[object], tmp_path: Path) -> None:
    out, place = tmp_path / "out.paf", ["--server", server.url]
    assert here("align", *files, "--report", "alignment", "-outfmt", "paf", "-out", out, *place).returncode == 0
    heading, newest, *_ = here("list", "--pairs", *place).stdout.splitlines()
    assert heading.split() == ["id", "state", "done", "report", "created", "title"]
    job, state, done, report, *_ = newest.split()
    assert (job.startswith("alignment-"), state, done, report) == (True, "succeeded", "100%", "alignment")
    assert here("fetch", job, *place, "-outfmt", "paf").stdout == out.read_text()
    assert here("fetch", job, *place).stdout.startswith("#query")
    assert "pairs are told as json, " in here("fetch", job, *place, "-outfmt", "0").stderr
    assert "has ended" in refused(here("cancel", job, *place))
    assert here("delete", job, *place).stderr == f"{job} deleted\n"
    assert refused(here("fetch", job, *place)) == f"no {job}"


def test_table_goes_along_and_a_file_is_whole(server: Server, files: list[object], tmp_path: Path) -> None:
    flags = ["--table", tmp_path / "t.txt", "-outfmt", "json", "-out", tmp_path / "out.json", "--server", server.url]
    assert here("align", *files, *flags).returncode == 0
    found = (tmp_path / "out.json").read_text()
    # 9 letters that are the same, and a gap of one: 9 x 3 - 1 - 1.
    assert found.count('"score": 25') == 1
    assert '"table": "   A  C  G  T' in found


def jobs(http: httpx.Client) -> set[str]:
    """The newest of all."""
    return {each["id"] for each in http.get("/v1/alignments").json()["items"]}


def test_uploads_go_and_jobs_stay(server: Server, http: httpx.Client, files: list[object], tmp_path: Path) -> None:
    def uploads() -> set[str]:
        return {each["id"] for each in http.get("/v1/uploads").json()["items"]}

    # Other tests may have left some, of jobs more than a page has.
    known, others = jobs(http), uploads()
    mine = http.post("/v1/uploads", content=SUBJECTS.encode()).json()["id"]
    assert here("align", *files, "--mode", "semi-global", "--server", server.url).returncode == 0
    assert uploads() == others | {mine}
    assert len(jobs(http) - known) == 1
    http.delete(f"/v1/uploads/{mine}")


def test_broken_connections_lose_and_repeat_no_line(server: Server, tmp_path: Path) -> None:
    names = [f"q{number}" for number in range(2000)]
    for name, text in (("q.fa", "ACGTACGTTTG"), ("s.fa", "ACGTCGTTTG")):
        (tmp_path / name).write_text("".join(f">{each}\n{text}\n" for each in names))
    with relaying(server.url) as relay:
        # The job, then its lines: whole uploads, and a reply of which half comes, twice.
        relay.faults = ["none"] * 5 + ["cut", "none", "drop"]
        files = ["-query", tmp_path / "q.fa", "-subject", tmp_path / "s.fa"]
        done = shardwater("align", *files, "--report", "score", "-outfmt", "ndjson", "--server", relay.url)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["query"] for line in done.stdout.splitlines()] == names
    assert relay.faults == []
    assert done.stderr == "shardwater: the letters look like dna; --alphabet decides\n"


def test_job_that_somebody_else_cancels_is_told(server: Server, http: httpx.Client, tmp_path: Path) -> None:
    for name in ("q.fa", "s.fa"):
        (tmp_path / name).write_text("".join(f">{number}\n{'ACGT' * 40}\n" for number in range(300)))
    files = ["-query", tmp_path / "q.fa", "-subject", tmp_path / "s.fa", "--pairing", "all", "--mode", "global"]
    known = jobs(http)
    with standing(server), ThreadPoolExecutor(1) as other:
        asked = other.submit(shardwater, "align", *files, "-outfmt", "ndjson", "--server", server.url)
        new = set[str]()
        until(lambda: new.update(jobs(http) - known) or new)
        assert http.post(f"/v1/alignments/{new.pop()}:cancel").status_code == 202
        done = asked.result()
    assert (done.returncode, done.stderr.splitlines()[-1]) == (3, "shardwater: the alignment was cancelled")


def test_fault_of_a_file_names_it(server: Server, files: list[object], tmp_path: Path) -> None:
    (tmp_path / "s.fa").write_text(">s1\nACGT\n>s2\nAC\nG!\n")
    told = refused(here("align", *files, "--server", server.url))
    assert f"{tmp_path / 's.fa'}: record 2, line 5, column 2" in told
    (tmp_path / "s.fa").write_text(">s1\nMKVQ\n>s2\nMK\n")
    told = refused(here("align", *files, "--match", "2", "--server", server.url))
    place = "record 1, line 2, column 4"
    assert told == f"{tmp_path / 's.fa'}: {place}: 'Q' is no letter of DNA: this looks like a protein"


def test_server_that_is_not_there_is_told(files: list[object]) -> None:
    assert "cannot reach" in refused(here("align", *files, "--server", "http://127.0.0.1:9"), 3)


def test_threads_are_for_here(files: list[object], server: Server) -> None:
    done = here("align", *files, "--threads", "2", "--server", server.url)
    assert done.returncode == 2
    assert "--threads" in done.stderr
