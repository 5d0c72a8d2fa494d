"""Searches on a server by their ids, sequences, and Ctrl-C."""

import os
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.support.command_line import here, refused, shardwater
from tests.support.searches import LONG, QUERY
from tests.support.server import COMMAND, PATIENCE_S, Server, until


class Terminal:
    """`shardwater search` of a search of minutes, whose messages go to a terminal."""

    def __init__(self, server: Server, query: Path) -> None:
        query.write_text(LONG)
        ours, theirs = os.openpty()
        flags = ["-query", str(query), "-db", "demo", "-title", query.stem, "--server", server.url]
        self._process = subprocess.Popen([*COMMAND, "search", *flags], stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        self._screen, self._shown = os.fdopen(ours, "rb", buffering=0), b""

    def read_until(self, text: bytes) -> None:
        """Wait until it shows a text."""
        while text not in self._shown:
            self._shown += self._screen.read(1 << 16)

    def interrupted(self) -> str:
        """What it says last when Ctrl-C ends it."""
        self._process.send_signal(signal.SIGINT)
        with suppress(OSError):  # that of a terminal with nobody at the other end
            while shown := self._screen.read(1 << 16):
                self._shown += shown
        self._screen.close()
        assert (self._process.wait(PATIENCE_S), self._process.stdout.read()) == (130, b"")
        self._process.stdout.close()
        return self._shown.decode().rpartition("shardwater: ")[2].strip()


def test_search_is_listed_fetched_and_cancelled_by_its_id(server: Server, tmp_path: Path) -> None:
    done = server.search(QUERY, title="a [/] b [link=x]")["search"]
    # A pipe is as wide as what is in it, whatever a terminal would be.
    listed = shardwater("list", "--server", server.url, environment={"COLUMNS": "40"}).stdout.splitlines()
    [line] = [line for line in listed if done in line]
    assert line.rstrip().endswith("  a [/] b [link=x]")
    row = line.split()
    assert row[1:4] == ["succeeded", "100%", "demo"]
    fetched = here("fetch", done, "--server", server.url, "-outfmt", "6 qseqid sseqid", "-out", tmp_path / "x.tsv")
    assert (fetched.returncode, fetched.stdout, fetched.stderr) == (0, "", "")
    assert (tmp_path / "x.tsv").read_text().startswith("q\tsp|A8GMN6|EFP_RICAH\n")
    assert "has ended" in refused(here("cancel", done, "--server", server.url))
    running = server.post(LONG, title="to cancel").json()["id"]
    cancelled = here("cancel", running, "--server", server.url)
    assert (cancelled.returncode, cancelled.stderr) == (0, f"search {running} cancelled\n")
    assert server.state(running)["state"] == "cancelled"
    assert "the search was cancelled" in refused(here("fetch", running, "--server", server.url), 3)
    only = here("list", "--server", server.url, "--state", "cancelled", "--max", "1")
    assert [line.split()[1] for line in only.stdout.splitlines()[1:]] == ["cancelled"]
    deleted = here("delete", running, "--server", server.url)
    assert (deleted.returncode, deleted.stdout, deleted.stderr) == (0, "", f"search {running} deleted\n")
    assert refused(here("fetch", running, "--server", server.url)) == f"no search {running}"


def test_state_that_there_is_not_is_wrong_usage(server: Server) -> None:
    done = here("list", "--server", server.url, "--state", "foo")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'foo' is not one of" in done.stderr


@pytest.mark.parametrize("command", ["fetch", "cancel", "delete"])
def test_unknown_id_is_the_inputs_fault(server: Server, command: str) -> None:
    assert refused(here(command, "nobody", "--server", server.url)) == "no search nobody"


def test_sequence_is_the_same_from_the_folder_and_from_the_server(server: Server, data: Path) -> None:
    accession = "sp|B4RQP4|OBG_NEIG2"
    local = here("sequence", accession, "-db", "demo", "--data", data)
    there = here("sequence", accession, "-db", "demo", "--server", server.url)
    assert (local.returncode, there.returncode) == (0, 0)
    assert local.stdout == there.stdout
    assert local.stdout.startswith(f">{accession} GTPase Obg ")
    for place in (("--data", data), ("--server", server.url)):
        line = refused(here("sequence", accession, "nobody", "-db", "demo", *place))
        assert line == "no sequence 'nobody' in database demo"


def test_ctrl_c_cancels_the_search_on_the_server_and_a_bar_shows_how_far_it_is(server: Server, tmp_path: Path) -> None:
    terminal = Terminal(server, tmp_path / "first.fasta")
    terminal.read_until(b"Scoring")
    terminal.read_until(b"%")
    line = terminal.interrupted()
    found = re.fullmatch(r"search (\S{34}) cancelled", line)
    assert found is not None, line
    assert server.state(found[1])["state"] == "cancelled"


def test_ctrl_c_cancels_the_search_where_messages_go_into_a_file(server: Server, tmp_path: Path) -> None:
    (tmp_path / "filed.fasta").write_text(LONG)
    flags = ["-query", str(tmp_path / "filed.fasta"), "-db", "demo", "-title", "filed", "--server", server.url]
    with subprocess.Popen([*COMMAND, "search", *flags], stderr=subprocess.PIPE, text=True) as process:
        found: list[str] = []
        with server.http as http:
            until(lambda: found.extend(running(http)) or found)
        # It would wait some seconds more for the result.
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == f"shardwater: search {found[0]} cancelled\n"
    assert process.returncode == 130
    assert server.state(found[0])["state"] == "cancelled"


def running(http: httpx.Client) -> list[str]:
    """The search with the title `filed`, once some of it is done."""
    items = http.get("/v1/searches?state=running").json()["items"]
    return [each["id"] for each in items if each["title"] == "filed" and each["progress"] > 0]


def test_ctrl_c_leaves_a_search_that_was_there_before(server: Server, tmp_path: Path) -> None:
    search = server.post(LONG, title="shared").json()["id"]
    terminal = Terminal(server, tmp_path / "shared.fasta")
    terminal.read_until(b"Scoring")
    line, fetching = terminal.interrupted(), f"shardwater fetch {search} --server {server.url}"
    try:
        assert server.state(search)["state"] == "running"
        assert " ".join(line.split()) == f"search {search} goes on, others may wait for it too: {fetching}"
    finally:
        here("cancel", search, "--server", server.url)
