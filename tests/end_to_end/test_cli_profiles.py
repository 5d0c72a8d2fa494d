"""`shardwater search` in rounds and with profiles: the same here and through a server."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from shardwater.formats.pssms.reading import read_pssm
from shardwater.scoring.matrix_text import write_matrix
from shardwater.scoring.scoring import load_matrix
from tests.support.command_line import here, refused
from tests.support.families import family
from tests.support.pssms import pssm_json
from tests.support.server import Server, make_database

Plain = dict[str, Any]


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a family of proteins, whose ancestor is in the file `query.fasta` beside it."""
    folder = tmp_path_factory.mktemp("families")
    (folder / "family.fasta").write_text(family(members=20, others=60))
    (folder / "query.fasta").write_text((folder / "family.fasta").read_text().partition(">m1")[0])
    make_database(folder / "family.fasta", folder / "data", shards=1, name="family")
    return folder / "data"


@pytest.fixture(scope="module")
def query(families: Path) -> Path:
    return families.parent / "query.fasta"


@pytest.fixture(scope="module")
def result(families: Path, query: Path) -> Path:
    """The result of three rounds as JSON; beside it the profile, in every format."""
    out = families.parent / "rounds.json"
    for name, ending in (("-out_pssm", "asn"), ("-out_ascii_pssm", "pssm"), ("-out_pssm", "json")):
        flags = ["-num_iterations", "3", "-outfmt", "json", "-out", out, name, families.parent / f"profile.{ending}"]
        done = here("search", "-query", query, "-db", "family", "--data", families, *flags)
        assert (done.returncode, done.stdout) == (0, ""), done
    return out


def searched(data: Path, tmp_path: Path, *arguments: object) -> Plain:
    """The result of a search here."""
    out = tmp_path / "found.json"
    done = here("search", "-db", "family", "--data", data, "-outfmt", "json", "-out", out, *arguments)
    assert (done.returncode, done.stdout) == (0, ""), done
    found: Plain = json.loads(out.read_text())
    return found


def squeezed(text: str) -> str:
    """Text without blanks and the frame that errors of usage stand in, which break lines anywhere."""
    return re.sub(r"[\s│]", "", text)


def test_two_queries_have_the_same_rounds_and_profiles_here_and_through_a_server(
    server: Server, queries: str, tmp_path: Path
) -> None:
    # The second one is like nothing that it finds, and has no profile.
    (tmp_path / "two.fasta").write_text(">" + queries.split(">")[4] + ">q2 \u00e9\nWWWWCCCCWWWW\n")
    found = []
    for name, place in (("ours", ("--data", server.data)), ("theirs", ("--server", server.url))):
        flags = ["-query", tmp_path / "two.fasta", "-db", "demo", "-num_iterations", "4", "-inclusion_ethresh", "1e-4"]
        outputs = ["-out_pssm", tmp_path / f"{name}.asn", "-out_ascii_pssm", tmp_path / f"{name}.txt"]
        out = tmp_path / f"{name}.json"
        done = here("search", *flags, *outputs, *place, "-outfmt", "json", "-out", out)
        assert (done.returncode, done.stdout) == (0, ""), done
        # What comes before is of a short query, and of a fit.
        warning = "shardwater: warning: query 2 has no profile: it was searched for as it is"
        assert [line for line in done.stderr.splitlines() if "no profile" in line] == [warning, warning]
        found.append(json.loads(out.read_text())["results"])
    assert found[0] == found[1]
    assert len(found[0][0]["rounds"]) > 2
    for ending in ("asn", "txt"):
        ours, theirs = ((tmp_path / f"{name}.{ending}").read_text() for name in ("ours", "theirs"))
        assert ours == theirs
        assert read_pssm(ours).query.length == 230


def test_profile_of_the_last_round_finds_what_that_has_found(families: Path, result: Path, tmp_path: Path) -> None:
    rounds = json.loads(result.read_text())["results"][0]
    assert len(rounds["rounds"]) > 1
    for ending in ("asn", "json", "pssm"):
        profile = families.parent / f"profile.{ending}"
        [found] = searched(families, tmp_path, "-in_pssm", profile)["results"]
        near = [[(hit["accession"], hit["score"]) for hit in one["hits"][:10]] for one in (rounds, found)]
        assert near[0] == near[1]
        assert found["rounds"] == []
    [more] = searched(families, tmp_path, "-in_pssm", families.parent / "profile.asn", "-num_iterations", 2)["results"]
    assert [each["number"] for each in more["rounds"]] == [1, 2]
    assert {hit["accession"] for hit in rounds["hits"][:10]} <= {hit["accession"] for hit in more["hits"]}


def test_both_kinds_of_result_are_verified_with_what_was_searched_for(
    families: Path, query: Path, result: Path, tmp_path: Path
) -> None:
    profile = families.parent / "profile.json"
    given, further = tmp_path / "given.json", tmp_path / "further.json"
    for out, rounds in ((given, 1), (further, 2)):
        flags = ["-in_pssm", profile, "-num_iterations", rounds, "-outfmt", "json", "-out", out]
        assert here("search", "-db", "family", "--data", families, *flags).returncode == 0
    for stored, asked in ((result, query), (given, profile), (further, profile)):
        done = here("verify", stored, "--query", asked, "--data", families)
        assert (done.returncode, done.stderr) == (0, ""), done
        assert done.stdout.startswith("equal: every value of 1 query with ")
    done = here("verify", given, "--query", profile, "--data", families, "--sample", 5)
    assert (done.returncode, "scored again" in done.stdout) == (0, True), done
    line = refused(here("verify", given, "--query", query, "--data", families))
    assert line == f"{query}: the search was made with a profile: --query names that"
    line = refused(here("verify", result, "--query", query, "--data", families, "--sample", 5))
    assert line.endswith("verify all of it")
    # Another profile, with the same query.
    other = json.loads(profile.read_text())
    other["scores"][0][0] += 1
    (tmp_path / "other.json").write_text(json.dumps(other))
    done = here("verify", given, "--query", tmp_path / "other.json", "--data", families)
    assert (done.returncode, "query.profile" in done.stdout) == (5, True), done.stdout


def test_own_matrix_makes_profiles_that_need_its_file(families: Path, query: Path, tmp_path: Path) -> None:
    scores = load_matrix("BLOSUM62").scores.copy()
    scores[0, 0] += 1
    (tmp_path / "own.txt").write_text(write_matrix(tuple(map(tuple, scores.tolist()))))
    own = ["-matrix", tmp_path / "own.txt", "-gapopen", 11, "-gapextend", 1]
    profile = tmp_path / "own.asn"
    [first] = searched(families, tmp_path, "-query", query, *own, "-num_iterations", 2, "-out_pssm", profile)["results"]
    [again] = searched(families, tmp_path, "-in_pssm", profile, "-matrix", tmp_path / "own.txt")["results"]
    assert again["hits"] == first["hits"]
    done = here("search", "-db", "family", "--data", families, "-in_pssm", profile)
    assert (done.returncode, done.stdout) == (2, "")
    assert squeezed("Invalid value for -matrix: ") in squeezed(done.stderr)
    assert squeezed("was made with a matrix of your own: name its file") in squeezed(done.stderr)


@pytest.mark.parametrize("flag", ["-out_pssm", "-out_ascii_pssm"])
def test_where_there_is_no_profile_no_file_is_written(families: Path, query: Path, tmp_path: Path, flag: str) -> None:
    done = here("search", "-query", query, "-db", "family", "--data", families, flag, tmp_path / "p", "-outfmt", "6")
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == f"shardwater: warning: {tmp_path / 'p'} is not written: there is no profile"
    assert not list(tmp_path.glob("p*"))


def test_several_profiles_in_one_file_are_told(families: Path, query: Path, tmp_path: Path) -> None:
    twice, out = tmp_path / "twice.fasta", tmp_path / "p.asn"
    twice.write_text(query.read_text() * 2)
    flags = ["-db", "family", "--data", families, "-num_iterations", "3", "-outfmt", "6", "-out_pssm", out]
    told = (
        f"shardwater: warning: {out} will have profiles of 2 queries, but -in_pssm reads files with one: "
        "to use them there, search each query separately"
    )
    assert told in here("search", "-query", twice, *flags).stderr.splitlines()
    assert "profiles" not in here("search", "-query", query, *flags).stderr
    # Before the search, which here cannot begin.
    assert told in here("search", "-query", twice, *flags, "-db", "missing").stderr.splitlines()


@pytest.mark.parametrize("flag", ["-out_pssm", "-out_ascii_pssm"])
def test_folder_that_is_not_there_is_told_before_the_search(
    families: Path, query: Path, tmp_path: Path, flag: str
) -> None:
    flags = ["-query", query, "-db", "family", "--data", families, flag, tmp_path / "none" / "p.asn"]
    done = here("search", *flags)
    assert (done.returncode, done.stdout) == (2, "")
    assert squeezed(f"Invalid value for {flag}: {tmp_path}/none: no such folder") in squeezed(done.stderr)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (">q\nMKVL\n", "a PSSM is ASN.1 text"),
        (pssm_json() * 2, "there is more behind the PSSM"),
        (pssm_json(title="a\n>b\nMKVL"), "the title is one line of text"),
        (pssm_json(sequence="MK"), "the sequence has 2 letters for 20 positions"),
    ],
)
def test_file_that_is_no_profile_is_named(families: Path, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "p.asn").write_text(text)
    line = refused(here("search", "-in_pssm", tmp_path / "p.asn", "-db", "family", "--data", families))
    assert (line.startswith(f"{tmp_path / 'p.asn'}: "), message in line) == (True, True)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["-num_iterations", "21"], "Invalid value for -num_iterations: 20 or less is needed"),
        (["-num_iterations", "0"], "Invalid value for -num_iterations: 1 or more is needed"),
        (["-inclusion_ethresh", "0"], "Invalid value for -inclusion_ethresh: a number above 0 is needed"),
        (["-num_iterations", "2", "-statistics", "none"], "Invalid value: statistics=none gives no E-values"),
        (["-in_pssm", "p.asn"], "Invalid value: name either -query or -in_pssm"),
    ],
)
def test_wrong_flags_are_named(families: Path, query: Path, flags: list[str], message: str) -> None:
    done = here("search", "-query", query, "-db", "family", "--data", families, *flags)
    assert (done.returncode, done.stdout) == (2, "")
    assert squeezed(message) in squeezed(done.stderr)


def test_profile_of_psiblast_is_taken(families: Path, query: Path, tmp_path: Path) -> None:
    if shutil.which("psiblast") is None:
        pytest.skip("psiblast is not installed")
    subject = families.parent / "family.fasta"
    make = ["makeblastdb", "-in", subject, "-dbtype", "prot", "-out", tmp_path / "blast"]
    subprocess.run(make, capture_output=True, check=True)
    texts = ["-out_pssm", tmp_path / "p.asn", "-out_ascii_pssm", tmp_path / "p.txt", "-save_pssm_after_last_round"]
    asked = ["psiblast", "-query", query, "-db", tmp_path / "blast", "-num_iterations", "2", *texts]
    subprocess.run(asked, capture_output=True, check=True)
    found = [searched(families, tmp_path, "-in_pssm", tmp_path / name)["results"][0] for name in ("p.asn", "p.txt")]
    ours, table = ([(hit["accession"], hit["score"]) for hit in one["hits"]] for one in found)
    assert ours[:10] == table[:10]
    # With their profile they find what we find: their scores are of the same cells.
    asked = ["psiblast", "-in_pssm", tmp_path / "p.asn", "-db", tmp_path / "blast", "-outfmt", "6 saccver score"]
    lines = subprocess.run([*asked, "-comp_based_stats", "0"], capture_output=True, text=True, check=True).stdout
    theirs = [(name, int(score)) for name, score in map(str.split, lines.splitlines()) if name.startswith("m")]
    assert set(theirs) <= set(ours)
    assert len(theirs) > 10
