"""Jobs of every kind done again: by the programs that their pages show, and by their forms, filled once more."""

import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from shardwater.sequences.fasta import read_fasta
from tests.support.accessibility import faults
from tests.support.browser import Begin, Visit
from tests.support.guarded import guarding, small_data
from tests.support.planted_genomes import CHR1
from tests.support.server import Server

SDK = Path(__file__).parents[3] / "sdk" / "python"
LANGUAGES = ("curl", "Python", "shardwater_client")
GENOMES = {"query.fasta": f">a\n{CHR1[:1500]}\n", "subject.fasta": f">b\n{CHR1[:700]}\n{CHR1[710:1500]}\n"}
READS = {"queries.fasta": ">r1\nACGTACGTTAGCCATTACGA\n", "subjects.fasta": ">t1\nACGTACGTAGCCATTACGA\n"}


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def records(queries: str) -> list[str]:
    """The demo's proteins in FASTA, one by one."""
    return [f">{each.header}\n{each.residues.decode()}\n" for each in read_fasta(queries.encode())]


@dataclass
class Made:
    """A job that is there, and the files that it was made of."""

    kind: str
    id: str
    files: dict[str, str]

    @property
    def path(self) -> str:
        return f"/{self.kind}/{self.id}"

    def results(self, http: httpx.Client, asked: str) -> bytes:
        return http.get(f"/v1{self.path}/results?{asked}").content


def make(http: httpx.Client, kind: str, request: dict[str, Any], files: dict[str, str]) -> Made:
    """Have a job done."""
    reply = http.post(f"/v1/{kind}", json=request, headers={"Prefer": "wait=60"})
    assert reply.status_code == 200, reply.text
    job = http.get(f"/v1/{kind}").json()["items"][0]["id"]
    return Made(kind, job, files)


def comparison(http: httpx.Client) -> Made:
    query, subject = GENOMES.values()
    asked = {"min_length": 120, "gapped": "exact", "word": 16, "title": "It's two strains"}
    return make(http, "comparisons", {"query": query, "subject": subject, **asked}, GENOMES)


def programs(page: Page, folder: Path, **environment: str) -> Iterator[tuple[str, str]]:
    """Run each program that a page shows where its files are; its language, and what it prints."""
    for language in LANGUAGES:
        page.get_by_role("group", name="Language").get_by_role("button", name=language).click()
        program = page.locator(".code").inner_text()
        command = ["bash", "-euc", program] if language == "curl" else [sys.executable, "-c", program]
        own = {**os.environ, "PYTHONPATH": str(SDK), **environment}
        done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, env=own)
        yield language, done.stdout


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)


def saved(page: Page, folder: Path, name: str) -> None:
    """The file that the page makes."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    download.value.save_as(folder / name)


def taken(path: Path) -> bytes:
    """A file's content; the file goes, so that the next program has to make it."""
    content = path.read_bytes()
    path.unlink()
    return content


def unpacked(archive: bytes) -> list[bytes]:
    """The files of an archive."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        return [file.read() for member in files if (file := files.extractfile(member))]


def test_a_comparison_is_done_again_by_programs(visit: Visit, http: httpx.Client, tmp_path: Path) -> None:
    made = comparison(http)
    page = visit.open(made.path)
    expect(page.locator(".methods")).to_contain_text("Seeds were all pairs of equal words of 16 letters")
    expect(page.locator(".methods")).to_contain_text("match 2, mismatch -3, a gap of n letters costing 5 + 2n")
    write(tmp_path, made.files)
    expected = made.results(http, "format=tab")
    assert b"\n" in expected
    for _ in programs(page, tmp_path):
        assert taken(tmp_path / "hsps.tsv") == expected
    # Below the summary and the list: what was done, how to do it again, by which parameters.
    names = ["Blocks of synteny", "Methods", "The same comparison, without this page", "Parameters"]
    assert [text for text in page.get_by_role("heading", level=2).all_inner_texts() if text in names] == names
    assert faults(page) == []


def test_pairs_of_dna_are_done_again_by_programs(visit: Visit, http: httpx.Client, tmp_path: Path) -> None:
    queries, subjects = READS.values()
    asked = {"queries": queries, "subjects": subjects, "free_ends": ["query_end"], "strand": "both", "gap_open": 0}
    made = make(http, "alignments", asked, READS)
    page = visit.open(made.path)
    write(tmp_path, made.files)
    [pair] = http.get(f"/v1{made.path}/results?format=json").json()["alignments"]
    line = "\t".join(str(pair[name]) for name in ("query", "subject", "score", "cigar"))
    for language, printed in programs(page, tmp_path):
        if language == "curl":
            assert json.loads(taken(tmp_path / "result.json"))["alignments"] == [pair]
        else:
            assert printed.splitlines() == [line]


def test_an_msa_is_done_again_by_programs(visit: Visit, http: httpx.Client, records: list[str], tmp_path: Path) -> None:
    asked = {"queries": records[2], "databases": ["demo"], "iterations": 2, "evalue": 0.05, "title": 'An "MSA"'}
    made = make(http, "msas", asked, {})
    page = visit.open(made.path)
    methods = page.locator(".methods")
    expect(methods).to_contain_text("in up to 2 rounds, each but the first with a position-specific scoring matrix")
    expect(methods).to_contain_text("3,183 sequences, 1,230,410 residues")
    expect(page.get_by_role("region", name="Parameters of this MSA")).to_contain_text("0.05evalue")
    saved(page, tmp_path, "chains.fasta")
    for _ in programs(page, tmp_path):
        assert taken(tmp_path / "msa.a3m") == made.results(http, "format=a3m")
    assert faults(page) == []


def test_complexes_are_done_again_by_programs(
    visit: Visit, http: httpx.Client, records: list[str], tmp_path: Path
) -> None:
    asked = {"queries": [{"chains": records[1:3]}, {"chains": [records[3]]}], "databases": ["demo"], "iterations": 1}
    made = make(http, "msas", {**asked, "pairing": "greedy"}, {})
    page = visit.open(made.path)
    page.get_by_role("application").wait_for()
    saved(page, tmp_path, "complexes.json")
    for _ in programs(page, tmp_path):
        assert unpacked(taken(tmp_path / "msas.tar.gz")) == unpacked(made.results(http, "format=a3m"))
    # Why none are paired is told once.
    page.get_by_role("button", name="Paired rows").click()
    expect(page.locator(".query-head .notes")).to_contain_text("Database demo has no taxids")
    expect(page.get_by_text("There are no paired rows.")).to_be_visible()
    expect(page.get_by_text("No organism has")).to_have_count(0)
    # One form takes one complex.
    page.get_by_role("link", name="Edit MSA").click()
    expect(page.locator(".notes").first).to_contain_text("the form takes one at a time")
    expect(page.get_by_label("Chains")).to_have_value("none")


def test_programs_work_with_a_key_and_below_a_path(begin: Begin, tmp_path: Path) -> None:
    for guarded in guarding(small_data(tmp_path), root_path="/lab"):
        key = guarded.key("lab")
        made = comparison(guarded.client("lab"))
        visit = begin(guarded.server.url)
        visit.refusals.add(401)
        page = visit.open(f"/lab{made.path}")
        page.get_by_label("API key").fill(key)
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator(".repeat")).to_contain_text("It takes your API key from the variable SHARDWATER_API_KEY")
        assert key not in page.content()
        write(tmp_path, made.files)
        for _ in programs(page, tmp_path, SHARDWATER_API_KEY=key):
            assert b"\n" in taken(tmp_path / "hsps.tsv")


def test_an_msa_is_edited_with_its_chains(visit: Visit, http: httpx.Client, records: list[str]) -> None:
    asked = {"queries": [{"chains": records[2:4]}], "databases": ["demo"], "pairing": "complete"}
    made = make(http, "msas", {**asked, "evalue": 0.01, "iterations": 1, "title": "Two chains"}, {})
    page = visit.open(made.path)
    page.get_by_role("link", name="Edit MSA").click()
    area = page.get_by_label("Protein sequences in FASTA")
    expect(area).not_to_have_value("")
    first, second = read_fasta(area.input_value().encode())
    assert [first, second] == read_fasta("".join(records[2:4]).encode())
    expect(page.get_by_label("E-value of a row")).to_have_value("0.01")
    expect(page.get_by_label("Chains")).to_have_value("complete")
    expect(page.get_by_label("Name of this MSA")).to_have_value("Two chains")
    assert page.url == f"{visit.url}/msas"
    page.get_by_role("button", name="Build").click()
    page.wait_for_url("**/msas/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("Two chains")
    expect(page.get_by_role("button", name="Paired rows")).to_be_visible()


def test_a_comparison_is_edited_with_its_genomes_where_it_was_made(visit: Visit, http: httpx.Client) -> None:
    made = comparison(http)
    page = visit.open(f"{made.path}")
    page.get_by_role("link", name="Edit comparison").click()
    expect(page.get_by_label("Length at least")).to_have_value("120")
    expect(page.get_by_label("Gaps")).to_have_value("exact")
    expect(page.locator(".notes").first).to_contain_text("this browser has not kept them")
    query, subject = (page.get_by_label(f"{side}: DNA in FASTA") for side in ("Query", "Subject"))
    expect(query).to_have_value("")
    query.fill(GENOMES["query.fasta"])
    subject.fill(GENOMES["subject.fasta"])
    expect(page.locator(".notes")).to_have_count(0)
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_url(f"**{made.path}")
    page.get_by_role("application").wait_for()
    # What another form holds meanwhile is not in the way.
    page.evaluate("sessionStorage.clear()")
    page.get_by_role("link", name="Edit comparison").click()
    expect(query).to_have_value(GENOMES["query.fasta"])
    expect(subject).to_have_value(GENOMES["subject.fasta"])
    expect(page.get_by_label("Word, letters")).to_have_value("16")
    expect(page.locator(".notes")).to_have_count(0)


def test_pairs_are_edited_with_all_that_they_asked_for(visit: Visit, http: httpx.Client) -> None:
    queries, subjects = READS.values()
    asked = {"free_ends": ["query_end", "subject_end"], "match": 3, "strand": "both", "pairing": "all"}
    made = make(http, "alignments", {"queries": queries, "subjects": subjects, "alphabet": "dna", **asked}, READS)
    page = visit.open(made.path)
    page.get_by_role("link", name="Edit alignment").click()
    expect(page.get_by_label("the query's end")).to_be_checked()
    expect(page.get_by_label("the query's begin")).not_to_be_checked()
    expect(page.get_by_label("Match", exact=True)).to_have_value("3")
    expect(page.get_by_label("Strands of the query")).to_have_value("both")
    page.get_by_label("Queries: sequences in FASTA").fill(queries)
    page.get_by_label("Subjects: sequences in FASTA").fill(subjects)
    page.get_by_role("button", name="Align", exact=True).click()
    page.wait_for_url(f"**{made.path}")


def test_a_job_that_is_not_there_cannot_be_edited(visit: Visit) -> None:
    visit.refusals.add(404)
    for form in ("compare", "align", "msas"):
        page = visit.open(f"/{form}?edit=Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
        expect(page.get_by_role("alert")).to_be_visible()
        assert page.url == f"{visit.url}/{form}"
