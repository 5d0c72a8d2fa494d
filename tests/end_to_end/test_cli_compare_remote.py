"""`shardwater compare --server`: what it answers is what it answers here, and no upload stays."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.command_line import here, refused, shardwater
from tests.support.genomes import fasta, generated, reverse_complement
from tests.support.guarded import standing
from tests.support.server import Server, until

GENOME = generated(1, 400)


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    (tmp_path / "x.fa.gz").write_bytes(gzip.compress(fasta({"a": GENOME}).encode()))
    turned = reverse_complement(GENOME)
    (tmp_path / "y.fa").write_text(fasta({"s1": generated(2, 99) + GENOME[:250] + "AC" + GENOME[250:], "s2": turned}))
    return [tmp_path / "x.fa.gz", tmp_path / "y.fa"]


@pytest.mark.parametrize(
    "flags",
    [
        [
            "--gapped",
            "exact",
            "-gapopen",
            "1",
            "--columns",
            "subject,score,cigar",
            "--subject-region",
            "#1:1-501",
            "--spreadsheet",
        ],
        ["--word", "11", "--min-length", "30", "--strands", "forward", "-outfmt", "paf"],
    ],
    ids=" ".join,
)
def test_answer_is_that_of_the_engine_here(
    server: Server, files: list[object], tmp_path: Path, flags: list[str]
) -> None:
    def written(name: str, *place: str) -> dict[str, str]:
        out = tmp_path / name
        told = ["--out", out, "--dotplot", out / "plot.svg", "--title", "both"]
        done = here("compare", *files, *flags, *told, *place)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        return {path.name: path.read_text() for path in out.iterdir()}

    local, remote = written("here"), written("there", "--server", server.url)
    assert local.keys() == remote.keys()
    for name, text in local.items():
        same = json.loads if name == "summary.json" else str
        assert same(remote[name]) == same(text), name


def test_jobs_are_listed_fetched_and_deleted(server: Server, files: list[object]) -> None:
    place = ["--server", server.url]
    with server.http as http:
        before = http.get("/v1/uploads").json()["items"]
        done = here("compare", *files, "--title", "stays", *place)
        # No upload stays.
        assert http.get("/v1/uploads").json()["items"] == before
    assert [line.split("\t")[1:3] for line in done.stdout.splitlines()[1:]] == [["s1", "1"], ["s1", "251"], ["s2", "1"]]
    heading, newest, *_ = here("list", "--comparisons", *place).stdout.splitlines()
    assert heading.split() == ["id", "state", "done", "gapped", "created", "title"]
    job, state, share, gapped, *_, title = newest.split()
    assert (job.startswith("comparison-"), state, share, gapped, title) == (True, "succeeded", "100%", "none", "stays")
    assert here("fetch", job, *place).stdout == done.stdout
    assert here("fetch", job, *place, "-outfmt", "bed").stdout.startswith("s1\t99\t")
    assert "comparisons are told as " in here("fetch", job, *place, "-outfmt", "0").stderr
    assert "has ended" in refused(here("cancel", job, *place))
    assert here("delete", job, *place).stderr == f"{job} deleted\n"
    assert refused(here("fetch", job, *place)) == f"no {job}"
    assert "one of them" in here("list", "--pairs", "--comparisons", *place).stderr


def test_a_genome_with_itself_is_told_of(server: Server, files: list[object]) -> None:
    done = here("compare", files[0], files[0], "--server", server.url)
    assert (done.returncode, done.stderr.startswith("shardwater: warning: both genomes are the same")) == (0, True)


def test_faults_are_told(server: Server, files: list[object], tmp_path: Path) -> None:
    (tmp_path / "odd.fa").write_text(">x\nACGT\n>y\nACLT\n")
    told = refused(here("compare", files[0], tmp_path / "odd.fa", "--server", server.url))
    assert told.startswith(f"{tmp_path}/odd.fa: record 2, line 4, column 3: 'L' is no letter of DNA")
    told = refused(here("compare", *files, "--subject-region", "s9:1-9", "--server", server.url))
    assert "no record is called s9" in told
    assert "cannot reach" in refused(here("compare", *files, "--server", "http://127.0.0.1:9"), 3)


def test_comparison_that_somebody_else_cancels_is_told(server: Server, files: list[object], tmp_path: Path) -> None:
    out = tmp_path / "out"
    with standing(server), server.http as http, ThreadPoolExecutor(1) as other:
        flags = ["--title", "cancelled", "--out", out, "--server", server.url]
        asked = other.submit(shardwater, "compare", *files, *flags)
        found = list[str]()

        def accepted() -> object:
            items = http.get("/v1/comparisons").json()["items"]
            found.extend(each["id"] for each in items if each["title"] == "cancelled")
            return found

        until(accepted)
        assert http.post(f"/v1/comparisons/{found[0]}:cancel").status_code == 202
        done = asked.result()
    assert (done.returncode, done.stderr) == (3, "shardwater: the comparison was cancelled\n")
    assert not out.exists()
