"""What the Python client sends of text, of files, and of lists of chains."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from shardwater_client import Complex, InvalidSequenceError, ShardwaterError
from shardwater_client.errors import UnavailableError
from shardwater_client.generated.models import AlignmentRequest
from shardwater_client.msas import MsaQueries, submit
from shardwater_client.parameters import search_request
from shardwater_client.sources import asked
from tests.support.driving import LOST, Driver

FASTA = ">a\nMKVL\n>b\nMSSS\n"


def queries_sent(queries: MsaQueries) -> Any:
    """What goes out for these."""
    driver = Driver([LOST])
    with pytest.raises(UnavailableError):
        driver.drive(submit(driver.calls(0), queries, "demo", {}, fresh=False))
    return driver.asked[0].arguments["json"]["queries"]


def test_a_string_in_a_list_is_a_chain_alone() -> None:
    assert queries_sent(["MKVL", ["MSSS", ">b\nMKV\n"], Complex(chains=["MAA"])]) == [
        {"chains": ["MKVL"]},
        {"chains": ["MSSS", ">b\nMKV\n"]},
        {"chains": ["MAA"]},
    ]


def test_a_file_may_be_gzip(tmp_path: Path) -> None:
    path = tmp_path / "x.fa.gz"
    path.write_bytes(gzip.compress(FASTA.encode()))
    assert queries_sent(path) == FASTA
    assert search_request(path, "demo", {}).sequence == FASTA


def test_a_damaged_gzip_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.fa.gz"
    path.write_bytes(gzip.compress(FASTA.encode())[:-6])
    with pytest.raises(ShardwaterError, match=r"x\.fa\.gz: corrupt or truncated gzip file"):
        search_request(path, "demo", {})


def test_letters_that_are_not_utf8_are_left_to_the_servers_warning(tmp_path: Path) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(b">caf\xe9\nMKVL\n")
    assert search_request(path, "demo", {}).sequence == ">caf\N{REPLACEMENT CHARACTER}\nMKVL\n"


@pytest.mark.parametrize("text", ["x.fa", "data/x.fa.gz", "/data/queries", "./q", "../q", "~/q", "C:\\new\\x.fasta\n"])
def test_a_path_given_as_text_is_told(text: str) -> None:
    with pytest.raises(InvalidSequenceError, match=r"pathlib\.Path\(\.\.\.\)") as caught:
        search_request(text, "demo", {})
    assert text not in str(caught.value)
    with pytest.raises(InvalidSequenceError):
        queries_sent(text)
    driver = Driver([])
    with pytest.raises(InvalidSequenceError):
        driver.drive(asked(driver.calls(), AlignmentRequest, {"query": text}, {}, lambda _: {}))


@pytest.mark.parametrize("text", ["MKVL", "MKVL*\n", FASTA, ">a/b.fa\nMKV", ">../x.fa", "mkvl\nMSSS", ""])
def test_a_sequence_is_no_path(text: str) -> None:
    assert search_request(text, "demo", {}).sequence == text
