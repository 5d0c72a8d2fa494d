"""`shardwater format`, and the formats of `shardwater search`."""

import json
import os
from pathlib import Path

import pytest
from pyarrow import parquet

from shardwater.search.digests import result_digest
from tests.support.command_line import here, refused, search, search_here, shardwater


@pytest.fixture(scope="module")
def answer(small: Path, query: Path) -> Path:
    """A result as JSON: one query, three hits."""
    path = query.parent / "answer.json"
    done = search(small, query, "-outfmt", "json", "-evalue", "1000", "-out", path)
    assert done.returncode == 0, done.stderr
    return path


FIRST_LINES = [
    ("0", "BLASTP Shardwater-"),
    ("5", '<?xml version="1.0" encoding="UTF-8"?>'),
    ("6", "q\tone\t100.000\t15\t"),
    ("7", "# Shardwater "),
    ("10", "q,one,100.000,15,"),
    ("15", '{"BlastOutput2":[{"report":{'),
    ("16", '<?xml version="1.0"?>\n<BlastXML2\n'),
    ("17", "@HD\tVN:1.6\t"),
    ("json", "{"),
    ("ndjson", '{"search":"local",'),
    ("pairwise", "BLASTP Shardwater-"),
    ("xml", '<?xml version="1.0" encoding="UTF-8"?>'),
    ("tab", "q\tone\t100.000\t15\t"),
    ("csv", "qseqid,sseqid,pident,length,"),
    ("blast-json", '{"BlastOutput2":[{"report":{'),
    ("sam", "@HD\tVN:1.6\t"),
    ("6 sseqid cigar", "one\t15="),
    ("csv cigar", "cigar"),
    ("10 delim=; sseqid score", "one;"),
    ("6 'delim= ' sseqid cigar", "one 15="),
]


@pytest.mark.parametrize(("outfmt", "begin"), FIRST_LINES)
def test_format_writes_what_search_would(small: Path, query: Path, answer: Path, outfmt: str, begin: str) -> None:
    done = here("format", answer, "-outfmt", outfmt)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(begin)
    if outfmt in ("0", "5", "6 sseqid cigar", "17", "ndjson"):
        assert done.stdout == search_here(small, query, "-outfmt", outfmt, "-evalue", "1000").stdout


def test_default_columns_of_format_7_are_named_as_blasts(answer: Path) -> None:
    assert "# Fields: query acc.ver, subject acc.ver, % identity," in here("format", answer, "-outfmt", "7").stdout


def test_format_writes_parquet_and_fasta(small: Path, answer: Path, tmp_path: Path) -> None:
    table, fasta = tmp_path / "hits.parquet", tmp_path / "hits.fasta"
    assert here("format", answer, "-outfmt", "parquet sseqid score", "-out", table).returncode == 0
    assert [row["sseqid"] for row in parquet.read_table(table).to_pylist()] == ["one", "two", "three"]
    assert here("format", answer, "-outfmt", "fasta", "--data", small, "-out", fasta, "--hits", "2").returncode == 0
    assert fasta.read_text() == ">two\nMKVLAAGWMKVLAAGW\n"


def test_format_selects_hits_and_reads_standard_input(answer: Path) -> None:
    done = shardwater("format", "-", "-outfmt", "6 sseqid", "--query", "1", "--hits", "3,1", input=answer.read_text())
    assert (done.stdout, done.stderr) == ("one\nthree\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hits", "4"], "there is no hit of rank 4: the query has 3"),
        (["--query", "2"], "there is no query 2: the result has 1"),
    ],
)
def test_format_names_what_there_is_not(answer: Path, arguments: list[str], message: str) -> None:
    assert refused(here("format", answer, *arguments)).startswith(message)


def test_format_of_what_is_no_result(query: Path, answer: Path, tmp_path: Path) -> None:
    assert refused(here("format", query)) == f"{query}: not the JSON of a Shardwater result"
    two = tmp_path / "two.json"
    content = json.loads(answer.read_text())
    content["results"] *= 2
    two.write_text(json.dumps(content))
    line = f"{two}: the result's digest does not match: it was changed after it was made"
    assert refused(here("format", two)) == line
    content["digest"] = result_digest(content, [one["digest"] for one in content["results"]])
    two.write_text(json.dumps(content))
    assert refused(here("format", two, "--hits", "1")) == "--hits needs --query: the result has 2 queries"
    assert here("format", two, "-outfmt", "fasta").returncode == 2


def test_format_refuses_a_result_that_was_edited_and_says_where_it_cannot_tell(answer: Path, tmp_path: Path) -> None:
    edited, older = tmp_path / "edited.json", tmp_path / "older.json"
    content = json.loads(answer.read_text())
    for each in (content, *content["results"]):
        del each["digest"]
    older.write_text(json.dumps(content))
    done = here("format", older, "-outfmt", "6")
    assert (done.returncode, done.stdout) == (0, here("format", answer, "-outfmt", "6").stdout)
    warned = "it has no digest: an earlier version of Shardwater has made it"
    assert done.stderr == f"shardwater: warning: {older}: {warned}\n"
    content = json.loads(answer.read_text())
    content["results"][0]["hits"][0]["score"] += 1
    edited.write_text(json.dumps(content))
    line = f"{edited}: the digest of query 1 does not match: it was changed after it was made"
    for form in ("6", "json"):
        assert refused(here("format", edited, "-outfmt", form)) == line


def test_part_that_is_formatted_as_json_has_a_digest_of_its_own(answer: Path, tmp_path: Path) -> None:
    part = tmp_path / "part.json"
    assert here("format", answer, "--hits", "1", "-outfmt", "json", "-out", part).returncode == 0
    again = here("format", part, "-outfmt", "json")
    assert (again.stdout, again.stderr) == (part.read_text(), "")


def test_parquet_without_its_extra_is_refused_before_the_search(small: Path, query: Path, tmp_path: Path) -> None:
    """As where pyarrow is not installed: a finder ahead of all others that has none."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['pyarrow'] = None\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    out = tmp_path / "hits.parquet"
    done = search(small, query, "-outfmt", "parquet", "-out", out, environment={"PYTHONPATH": path})
    assert "extra `parquet`" in refused(done)
    assert not out.exists()
