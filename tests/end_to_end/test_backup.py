"""A copy of the data folder is a backup: restored elsewhere it has every search until then, and takes new ones."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.end_to_end.server import Server, make_database, running

FASTA = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGWMKVLAAGW\n"
QUERY = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY"


def test_copy_of_a_running_service_restored_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "two.fasta").write_text(FASTA)
    make_database(tmp_path / "two.fasta", tmp_path / "data", shards=1)
    with running(Server(tmp_path / "data")) as first:
        result = first.search(QUERY)
        command = [sys.executable, "-m", "worker.cli", "purge", "--data", str(first.data)]
        assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "Purged.\n"
        shutil.copytree(first.data, tmp_path / "elsewhere" / "data")
        later = first.search(QUERY, title="since then")["search"]
    with running(Server(tmp_path / "elsewhere" / "data")) as second:
        with second.http as http:
            assert http.get(f"/v1/searches/{result['search']}/results").json() == result
            assert [item["id"] for item in http.get("/v1/searches").json()["items"]] == [result["search"]]
            assert http.get(f"/v1/searches/{later}").status_code == 404
        assert second.search(QUERY)["search"] == result["search"]
        assert second.search(QUERY, title="new")["results"] == result["results"]
