"""BioPerl's RemoteBlast, with nothing but the address changed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.server import Server

SCRIPT = Path(__file__).with_name("remote_blast.pl")
LOADS = ("perl", "-MBio::Tools::Run::RemoteBlast", "-e", "1")


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    if shutil.which("perl") is None or subprocess.run(LOADS, capture_output=True, check=False).returncode:
        pytest.skip("BioPerl's RemoteBlast is not installed")


@pytest.mark.parametrize("view", ["Pairwise", "Tabular"])
def test_remote_blast(server: Server, queries: str, tmp_path: Path, view: str) -> None:
    file = tmp_path / "queries.fasta"
    file.write_text(queries)
    command = ["perl", str(SCRIPT), f"{server.url}/Blast.cgi", str(file), view]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    # Its own defaults: E-values to 0.001, and 50 alignments; it sends each query by itself.
    found = []
    for one in server.search(queries, evalue=1e-3, statistics="table", order="score")["results"]:
        for hit in one["hits"][:50]:
            hsp = hit["hsps"][0]
            places = (hsp["query_from"], hsp["query_to"], hsp["hit_from"], hsp["hit_to"])
            found.append("\t".join(map(str, (one["query"]["id"], hit["accession"], *places))))
    assert sorted(done.stdout.splitlines()) == sorted(found)
