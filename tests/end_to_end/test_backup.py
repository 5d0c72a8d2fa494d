"""A copy of the data folder is a backup: restored elsewhere it has every search until then, and takes new ones."""

import shutil
import subprocess
from pathlib import Path

from tests.support.server import COMMAND, Server, running

QUERY = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY"


def test_copy_of_a_running_service_restored_elsewhere(server: Server, tmp_path: Path) -> None:
    result = server.search(QUERY, title="kept")
    command = [*COMMAND, "purge", "--data", str(server.data)]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "Purged.\n"
    shutil.copytree(server.data, tmp_path / "elsewhere")
    later = server.search(QUERY, title="since then")["search"]
    with running(Server(tmp_path / "elsewhere")) as second:
        with second.http as http:
            assert http.get(f"/v1/searches/{result['search']}/results").json() == result
            assert http.get("/v1/searches").json()["items"][0]["id"] == result["search"]
            assert http.get(f"/v1/searches/{later}").status_code == 404
        assert second.search(QUERY, title="kept")["search"] == result["search"]
        assert second.search(QUERY, title="new")["results"] == result["results"]
