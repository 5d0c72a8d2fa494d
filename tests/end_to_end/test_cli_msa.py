"""`shardwater msa`: the same bytes here and through a server, into files and lines, killed and gone on with."""

import gzip
import json
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from shardwater.database.build import build_database
from shardwater.sequences.fasta import read_fasta
from tests.support.command_line import here, refused, shardwater
from tests.support.demo import DEMO
from tests.support.server import PATIENCE_S, Server
from worker.cli.msa_runs import STATE

SEQUENCES = sorted((record.residues.decode() for record in read_fasta((DEMO / "queries.fasta").read_bytes())), key=len)
A, B = SEQUENCES[0][:60], SEQUENCES[1][:50]
ODD = f">../../etc/passwd\r\n{A[:30]}\r\n{A[30:]}\r\n>a/b dup\r\n{B.lower()}\r\n>a/b dup\r\n{B}\r\n>\r\n{A[:40]}\r\n"
ODD += f">\u65e5\u672c\r\n{A[5:]}\r\n>{'x' * 5000}\r\n{B[5:]}\r\n>AB of two\r\n{A}:\r\n{B}\r\n"
NAMES = ["1.etc_passwd", "2.a_b", "3.a_b", "4.query_4", "5", f"6.{'x' * 60}", "7.AB.chain1", "7.AB.chain2"]
DYING = """
import os, signal, sys
from worker.cli import {module} as module
written = module.{made}.written
def dying(self, wanted, form):
    pieces = written(self, wanted, form)
    yield next(pieces, b"")
    if self.query.number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    yield from pieces
module.{made}.written = dying
from worker.cli.main import main
main()
"""
"""Kills itself in the middle of the third query's file."""
PLACES = {
    "here": DYING.format(module="msas_here", made="MadeHere"),
    "server": DYING.format(module="remote_msas", made="MadeThere"),
}
Places = dict[str, list[object]]
"""The flags of each place where MSAs are made."""


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    path = tmp_path / "odd.fasta.gz"
    path.write_bytes(gzip.compress(("\ufeff" + ODD).encode()))
    return path


@pytest.fixture
def places(data: Path, server: Server) -> Places:
    """How each place is named."""
    return {"here": ["--data", data], "server": ["--server", server.url]}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != STATE}


def told(made: int, there: int = 0) -> str:
    """What a command says at its end."""
    return f"shardwater: queries whose MSAs were made: {made}; already there: {there}"


def jobs(server: Server, run: str) -> list[str]:
    """The titles of jobs that commands have left there."""
    with server.http as http:
        items = http.get("/v1/msas?page_size=1000").json()["items"]
    return [item["title"] for item in items if item["title"].startswith(f"shardwater msa {run}")]


def without_shards(content: bytes) -> object:
    told = json.loads(content)
    # As many as there are workers.
    del told["searched"]["certificate"]["shards"]
    return told


def test_files_are_the_same_here_and_through_a_server(
    places: Places, server: Server, odd: Path, tmp_path: Path
) -> None:
    asked = ["-query", odd, "-db", "demo", "-then", "demo", "-pairing", "greedy", "-num_iterations", 2]
    found = {}
    for name, place in places.items():
        done = here("msa", *asked, *place, "-outfmt", "a3m,sto m8 json", "-out", tmp_path / name)
        *_, last = done.stderr.splitlines()
        assert (done.returncode, done.stdout, last) == (0, "", told(7))
        found[name] = contents(tmp_path / name)
    kinds = [f"{name}{kind}" for name in NAMES for kind in ("", ".then", *([".pairs"] if "chain" in name else []))]
    assert sorted(found["here"]) == sorted(f"{kind}{end}" for kind in kinds for end in (".a3m", ".sto", ".m8", ".json"))
    for name, content in found["here"].items():
        if name.endswith(".json"):
            assert without_shards(content) == without_shards(found["server"][name])
        else:
            assert content == found["server"][name], name
    assert found["here"]["7.AB.chain2.a3m"].startswith(b">AB_2 of two shardwater=")
    # Nothing is left on the server.
    assert not jobs(server, "")


def test_lines_are_the_same_and_have_what_files_have(places: Places, odd: Path, tmp_path: Path) -> None:
    asked = ["msa", "-query", "-", "-db", "demo", "-num_iterations", 1, "-filter", "none", "-evalue", 1]
    text = gzip.decompress(odd.read_bytes()).decode()
    local, remote = (here(*asked, *place, input=text) for place in places.values())
    assert (local.returncode, remote.returncode) == (0, 0)
    assert local.stdout == remote.stdout
    assert here(*asked, *places["here"], "-out", tmp_path / "files", input=text).returncode == 0
    assert here(*asked, *places["here"], "-out", tmp_path / "x.ndjson", input=text).returncode == 0
    assert (tmp_path / "x.ndjson").read_text() == local.stdout
    lines = [json.loads(line) for line in local.stdout.splitlines()]
    assert [(line["number"], len(line["msas"])) for line in lines] == [
        (number, 1 + (number == 7)) for number in range(1, 8)
    ]
    assert lines[6]["msas"][1]["a3m"] == (tmp_path / "files" / "7.AB.chain2.a3m").read_text()


@pytest.mark.parametrize("place", PLACES)
def test_killed_in_the_middle_it_goes_on(places: Places, place: str, odd: Path, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    asked = ["-query", odd, "-db", "demo", "-num_iterations", 1, "-outfmt", "a3m m8"]
    assert here("msa", *asked, *places["here"], "-out", whole).returncode == 0
    command = [sys.executable, "-c", PLACES[place], "msa", *asked, *places[place], "-out", killed]
    died = subprocess.run([*map(str, command)], capture_output=True, timeout=PATIENCE_S, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr
    kept = contents(killed)
    assert set(kept) == {".unfinished", "1.etc_passwd.a3m", "1.etc_passwd.m8", "2.a_b.a3m", "2.a_b.m8"}
    before = {name: (killed / name).stat().st_mtime_ns for name in kept if name != ".unfinished"}
    # What is there was made in one place; the other one goes on.
    [other] = places.keys() - {place}
    assert "begun with evalue 0.1, not 1.0" in refused(
        here("msa", *asked, "-evalue", 1, *places[other], "-out", killed)
    )
    done = here("msa", *asked, *places[other], "-out", killed)
    assert (done.returncode, done.stderr) == (0, f"{told(5, 2)}\n")
    assert contents(killed) == contents(whole)
    assert {name: (killed / name).stat().st_mtime_ns for name in before} == before


@pytest.mark.parametrize("end", ["SIGKILL", "SIGINT"])
def test_jobs_that_a_killed_or_interrupted_command_has_left_are_removed(
    places: Places, server: Server, odd: Path, tmp_path: Path, end: str
) -> None:
    asked = ["msa", "-query", odd, "-db", "demo", "-num_iterations", 1, *places["server"], "-out", tmp_path / "out"]
    command = [sys.executable, "-c", PLACES["server"].replace("SIGKILL", end), *asked]
    subprocess.run([*map(str, command)], capture_output=True, timeout=PATIENCE_S, check=False)
    run = json.loads((tmp_path / "out" / STATE).read_text())["run"]

    assert len(jobs(server, run)) == 1
    assert here(*asked).returncode == 0
    assert jobs(server, run) == []


def test_a_query_that_is_too_long_leaves_the_others(places: Places, tmp_path: Path) -> None:
    (tmp_path / "q.fasta").write_text(f">one\n{A}\n>titin\n{'MK' * 30_000}\n>two\n{B}\n")
    asked = ["msa", "-query", tmp_path / "q.fasta", "-db", "demo", "-num_iterations", 1, *places["server"]]
    for again in (False, True):
        done = here(*asked, "-out", tmp_path / "out")
        why = "it has 60,000 residues in a chain, the server takes 50,000"
        lines = done.stderr.splitlines()
        counts = [told(0, 2) if again else told(2), "shardwater: 1 of 3 queries without MSAs"]
        assert (done.returncode, lines) == (6, [f"shardwater: warning: query 2 (titin): {why}", *counts])
        assert set(contents(tmp_path / "out")) == {"1.one.a3m", "3.two.a3m"}
    lines = here(*asked).stdout.splitlines()
    assert json.loads(lines[1]) == {"error": why, "number": 2, "id": "titin"}


def test_complexes_come_as_lines_of_json(places: Places, tmp_path: Path) -> None:
    lines = [{"id": "x/y", "chains": [A, f">second its own\n{B}\n"]}, {"chains": [B]}]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, lines)))
    asked = ["msa", "-complexes", tmp_path / "c.jsonl", "-db", "demo", "-num_iterations", 1, "-pairing", "complete"]
    for name, place in places.items():
        assert here(*asked, *place, "-out", tmp_path / name).returncode == 0
    assert contents(tmp_path / "here") == contents(tmp_path / "server")
    names = [f"1.x_y.chain{chain}{kind}.a3m" for chain in (1, 2) for kind in ("", ".pairs")]
    assert set(contents(tmp_path / "here")) == {*names, "2.complex_2.a3m"}
    assert (tmp_path / "here" / "1.x_y.chain2.a3m").read_text().startswith(">second its own shardwater=")


def test_a_bare_sequence_of_dna_is_made_and_warned_of(places: Places, tmp_path: Path) -> None:
    (tmp_path / "q").write_text("ACGT" * 20)
    for name, place in places.items():
        done = here(
            "msa", "-query", tmp_path / "q", "-db", "demo", "-num_iterations", 1, *place, "-out", tmp_path / name
        )
        line, last = done.stderr.splitlines()
        assert last == told(1)
        assert line.startswith("shardwater: warning: query 1 (query_1): 100 % of its letters are A, C, G, T, U or N")
        assert set(contents(tmp_path / name)) == {"1.query_1.a3m"}


def test_pairs_of_a_database_without_taxids_are_warned_of_once(places: Places, tmp_path: Path) -> None:
    query, subjects = tmp_path / "q.fasta", tmp_path / "s.fasta"
    query.write_text(f">a\n{A}:{B}\n>b\n{B}:{A}\n")
    subjects.write_text(f">one OX=9606\n{A}\n>two OX=9606\n{B}\n")
    build_database([subjects], tmp_path / "data", name="taxids")
    odd = "shardwater: warning: database demo has no taxids, so none of its rows are paired"
    for name, place in places.items():
        asked = ["msa", "-query", query, "-db", "demo", "-num_iterations", 1, *place, "-out", tmp_path / name]
        assert odd not in here(*asked, "-outfmt", "m8").stderr
        done = here(*asked[:-1], tmp_path / f"{name}.pairs", "-pairing", "greedy")
        assert done.stderr.count(odd) == 1
    asked = ["msa", "-query", query, "-db", "taxids", "--data", tmp_path / "data", "-pairing", "greedy"]
    assert "no taxids" not in here(*asked, "-out", tmp_path / "paired").stderr


def test_chains_that_are_alone_are_not_paired(places: Places, tmp_path: Path) -> None:
    for text, status in ((f">a\n{A}\n>b\n{B}\n", 2), (f">a\n{A}\n>b\n{A}:{B}\n", 0)):
        (tmp_path / "q.fasta").write_text(text)
        asked = ["-query", tmp_path / "q.fasta", "-db", "demo", "-num_iterations", 1, "-pairing", "greedy"]
        done = here("msa", *asked, *places["here"], "-out", tmp_path / "out")
        assert (done.returncode, "it is for complexes" in done.stderr) == (status, status == 2)
        assert (tmp_path / "out").exists() == (status == 0)


def test_what_is_wrong_is_said_before_anything_is_written(places: Places, tmp_path: Path) -> None:
    (tmp_path / "q.fasta").write_text(">a\nMKV\n>b\nMK1\n")
    (tmp_path / "good.fasta").write_text(f">a\n{A}\n")
    for place in places.values():
        wrong = here("msa", "-query", tmp_path / "q.fasta", "-db", "demo", *place, "-out", tmp_path / "out")
        assert "record 2, line 4, column 3: '1' is not an amino acid letter" in refused(wrong)
        nothing = here("msa", "-query", tmp_path / "good.fasta", "-db", "none", *place, "-out", tmp_path / "out")
        assert "no database" in refused(nothing)
    assert not (tmp_path / "out").exists()
    flags = ["msa", "-query", tmp_path / "good.fasta", "-db", "demo", *places["here"]]
    other = here(*flags, "-out", tmp_path)
    assert "has other files" in refused(other)
    gone = here("msa", "-query", tmp_path / "good.fasta", "-db", "demo", "--server", "http://127.0.0.1:1")
    assert "cannot reach" in refused(gone, 3)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["-db", "demo"], "name either -query or -complexes"),
        (["-db", "demo demo", "-query", "q"], "-db"),
        (["-db", "demo", "-query", "q", "-evalue", 0], "-evalue"),
        (["-db", "demo", "-query", "q", "-max_target_seqs", 0], "-max_target_seqs"),
        (["-db", "demo", "-query", "q", "-outfmt", "a3m clustal"], "clustal"),
        (["-db", "demo", "-query", "q", "-outfmt", ""], "-outfmt"),
        (["-db", "demo", "-query", "q", "-evalue", "x"], "'--evalue': a number is needed"),
        (["-db", "demo", "-query", "q", "-filter", "x"], "'--filter': 'x' is not one of"),
        (["-db", "demo", "-query", "q", "-out", "leg.a3m"], "would be a folder"),
        (["-db", "demo", "-query", "q", "-num_threads", 0], "'--num_threads': 1 or more is needed"),
        (["-db", "demo", "-query", "q", "-num_threads", 1, "--server", "http://127.0.0.1:1"], "-num_threads"),
    ],
    ids=str,
)
def test_wrong_flags_are_wrong_usage(flags: list[object], words: str) -> None:
    done = here("msa", *flags)
    assert (done.returncode, words in done.stderr) == (2, True)


def test_jobs_are_listed_fetched_cancelled_and_deleted(server: Server, tmp_path: Path) -> None:
    asked = {"queries": f">a\n{A}\n>b/c\n{B}\n", "databases": ["demo"], "iterations": 1, "title": "two of them"}
    place = ["--server", server.url]
    with server.http as http:
        job = http.post("/v1/msas", json=asked).json()["id"]
        # One that runs is waited for.
        done = here("fetch", job, *place, "-out", tmp_path / "all.tar.gz")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        with tarfile.open(tmp_path / "all.tar.gz") as archive:
            assert archive.getnames() == ["1.a.a3m", "2.b_c.a3m"]
        one = http.post("/v1/msas", json={**asked, "queries": A}, headers={"Prefer": "wait=60"})
        lines = here("fetch", job, *place, "-outfmt", "json").stdout.splitlines()
        assert [json.loads(line)["query"]["header"] for line in lines] == ["a", "b/c"]
    heading, *rows = here("list", "--msas", *place).stdout.splitlines()
    assert heading.split() == ["id", "state", "done", "created", "title"]
    alone, listed = (row.rstrip().split(maxsplit=5) for row in rows[:2])
    assert (listed[:3], listed[5]) == ([job, "succeeded", "100%"], "two of them")
    assert here("fetch", alone[0], *place).stdout == one.text
    stockholm = [here("fetch", alone[0], *place, "-outfmt", name).stdout for name in ("sto", "stockholm")]
    assert stockholm[0] == stockholm[1] != ""
    assert "MSAs are told as a3m, " in here("fetch", job, *place, "-outfmt", "tab").stderr
    assert "has ended" in refused(here("cancel", job, *place))
    assert here("delete", job, *place).stderr == f"{job} deleted\n"
    assert refused(here("fetch", job, *place)) == f"no {job}"
    assert "one of them" in here("list", "--pairs", "--msas", *place).stderr


def test_the_command_runs_as_it_is_installed(data: Path, odd: Path, tmp_path: Path) -> None:
    done = shardwater(
        "msa", "-query", odd, "-db", "demo", "--data", data, "-num_iterations", 1, "-out", tmp_path / "out"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"{told(7)}\n")
    assert len(contents(tmp_path / "out")) == len(NAMES)
