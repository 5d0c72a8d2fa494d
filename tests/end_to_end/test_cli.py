"""`shardwater` as people run it: exit codes, one line for what is wrong, formats, and services put together by hand."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from redis import Redis
from redis.exceptions import AuthenticationError

from tests.support.command_line import here, refused, search, search_here, shardwater
from tests.support.server import COMMAND, FASTA, PATIENCE_S, Server, running
from worker.supervision.valkey import EmbeddedValkey

PASSWORD = "tell-nobody-7281"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with three proteins in one shard; its FASTA file lies beside it."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.fasta").write_text(FASTA)
    done = shardwater(
        "makedb", folder / "small.fasta", "--name", "small", "--title", "a title", "--out", folder / "data"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 sequences, 60 residues (longest 24) in 1 shard" in done.stdout
    return folder / "data"


def test_makedb_counts_what_looks_like_dna(tmp_path: Path) -> None:
    dna = "".join(f">d{number}\n{'ACGTNACGGT' * 30}\n" for number in range(3))
    (tmp_path / "mixed.fasta").write_text(FASTA + dna)
    done = here("makedb", tmp_path / "mixed.fasta", "--name", "mixed", "--out", tmp_path / "data")
    assert (done.returncode, done.stdout.partition(",")[0]) == (0, "mixed")
    assert done.stderr.startswith("shardwater: warning: 3 of 6 records look like DNA")
    assert done.stderr.endswith("searched as proteins; --dna builds a database of nucleotides\n")
    arguments = ("--name", "dna", "--out", tmp_path / "data", "--dna", "--ignore-invalid")
    (tmp_path / "dna.fasta").write_text(dna.replace("CGT", "-GT", 1))
    done = here("makedb", tmp_path / "dna.fasta", *arguments)
    assert done.stdout.endswith(": 3 sequences, 899 nucleotides (longest 300)\n")
    assert done.stderr == "shardwater: warning: 1 character inside sequences left out: not letters of DNA\n"


def test_names_in_latin_1_stay_two_names(tmp_path: Path) -> None:
    """Readers of headers agree on names that are not UTF-8: database, taxids, lists, SAM."""
    fasta, taxids, listed = tmp_path / "latin1.fasta", tmp_path / "taxids", tmp_path / "listed"
    fasta.write_bytes(b">lat\xe9 x\nMKVLAAGIVGLCAKNWHHEDRTY\n>lat\xe8 y\nMKVLAAGIVGLCAKNWHHEDRTYWW\n")
    taxids.write_bytes(b"lat\xe8\t9606\n")
    listed.write_bytes(b"lat\xe8\n")
    data = ("--data", tmp_path / "data")
    done = here("makedb", fasta, "--name", "latin1", "--out", tmp_path / "data", "--taxid-map", taxids)
    assert done.returncode == 0
    warning = (
        "shardwater: warning: 2 headers are not UTF-8. They were read as Windows-1252 (Latin-1). "
        f"First: {fasta}, record 1, line 1\n"
    )
    assert warning in done.stderr
    done = here("search", "-query", fasta, "-db", "latin1", *data, "-outfmt", 17)
    lines = done.stdout.splitlines()
    assert [line.split("\t")[1] for line in lines if line.startswith("@SQ")] == ["SN:lat%C3%A9", "SN:lat%C3%A8"]
    assert f"{fasta} is not UTF-8. Its other letters were read as Windows-1252 (Latin-1). First: record 1, line 1" in (
        done.stderr
    )
    of_taxon = here("search", "-query", fasta, "-db", "latin1", *data, "-taxids", "9606", "-outfmt", "6 qseqid sseqid")
    assert of_taxon.stdout == "lat\u00e9\tlat\u00e8\nlat\u00e8\tlat\u00e8\n"
    arguments = ("-seqidlist", listed, "-outfmt", "6 sseqid")
    assert here("search", "-query", fasta, "-db", "latin1", *data, *arguments).stdout == 2 * "lat\u00e8\n"
    assert here("sequence", "lat\u00e8", "-db", "latin1", *data).stdout.startswith(">lat\u00e8 y\n")


def test_makedb_says_that_there_are_more_shards_than_sequences(tmp_path: Path) -> None:
    (tmp_path / "few.fasta").write_text(">a\nMKVLAAGW\n>b\nMKVLAAGWDEHH\n")
    done = here("makedb", tmp_path / "few.fasta", "--name", "few", "--out", tmp_path / "data", "--shards", 3)
    assert (done.returncode, done.stdout.splitlines()[0].endswith("in 3 shards")) == (0, True)
    line = "shardwater: warning: 1 shard of 3 without a sequence, with nothing to do for a worker\n"
    assert done.stderr == line


def test_makedb_keeps_members_of_clusters(tmp_path: Path) -> None:
    (tmp_path / "x.fasta").write_text(FASTA + ">member\nMKVLAAGW\n")
    (tmp_path / "members.tsv").write_text(f"{FASTA[1:].split()[0]}\tmember\n")
    arguments = ("--name", "clustered", "--clusters", tmp_path / "members.tsv", "--out", tmp_path / "data")
    done = here("makedb", tmp_path / "x.fasta", *arguments)
    lines = done.stdout.splitlines()
    assert (done.returncode, "3 sequences, 60 residues" in lines[0]) == (0, True)
    assert lines[2] == "Not searched: 1 member of 8 residues, represented by 1 sequence"
    (tmp_path / "members.tsv").write_text("member\tnobody\n")
    line = refused(here("makedb", tmp_path / "x.fasta", *arguments))
    assert line.endswith("members.tsv: line 1, column 8: no sequence has the accession 'nobody', or several have")


def test_makedb_reads_a_pipe_and_leaves_out_what_is_no_letter(tmp_path: Path) -> None:
    numbered = ">a\n 1 MKISANSIRT GNILVYNNDL 20\n"
    line = refused(shardwater("makedb", "-", "--name", "piped", "--out", tmp_path / "data", input=numbered))
    assert line == (
        "/dev/stdin: record 1, line 2, column 2: '1' is not an amino acid letter: leave out the numbers of lines, as "
        "GenBank has them, or have them left out (--ignore-invalid)"
    )
    assert not (tmp_path / "data").exists()
    arguments = ("--name", "piped", "--out", tmp_path / "data", "--ignore-invalid")
    done = shardwater("makedb", "-", *arguments, input=numbered)
    assert (done.returncode, "1 sequence, 20 residues" in done.stdout) == (0, True)
    assert done.stderr == "shardwater: warning: 3 characters inside sequences left out: not amino acid letters\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (">a\nMK\n>b\nMK\n>a\nMK\n", "record 3, line 5: duplicate accession 'a'"),
        ("@read\nMKVL\n+\nIIII\n", "line 1, column 1: "),
        (">a\n>b\nMK\n", "record 1, line 1: a record with no residues"),
        ("", "no sequence"),
    ],
)
def test_makedb_refuses_and_leaves_nothing(tmp_path: Path, text: str, message: str) -> None:
    source = tmp_path / "bad.fasta"
    source.write_text(text)
    line = refused(here("makedb", source, "--name", "bad", "--out", tmp_path / "data"))
    assert line.startswith(str(source))
    assert message in line
    assert not (tmp_path / "data").exists()


def test_makedb_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    line = refused(here("makedb", tmp_path / "none.fasta", "--name", "bad", "--out", tmp_path / "data"))
    assert line == f"{tmp_path}/none.fasta: no such file"


def test_databases_are_listed_verified_and_removed(tmp_path: Path) -> None:
    (tmp_path / "small.fasta").write_text(FASTA)
    data = tmp_path / "data"
    for version in ("v1", "v2"):
        flags = ["--name", "small", "--out", data, "--version", version, "--title", f"[red]{version} [/] new"]
        assert here("makedb", tmp_path / "small.fasta", *flags).returncode == 0
    listed = shardwater("db", "list", environment={"SHARDWATER_DATA": str(data), "COLUMNS": "200"}).stdout.splitlines()
    assert [line.split()[:3] for line in listed[1:]] == [["small", "v1", "protein"], ["small", "v2", "(current)"]]
    assert [line.rstrip().partition("[")[2] for line in listed[1:]] == ["red]v1 [/] new", "red]v2 [/] new"]
    assert here("db", "verify", "small", "--data", data, "--version", "v1").stdout == "small, version v1: sound\n"
    residues = max((data / "small" / "v2").glob("*"), key=lambda path: (path.suffix != ".json", path.stat().st_size))
    content = residues.read_bytes()
    residues.chmod(0o644)
    residues.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    assert str(residues) in refused(here("db", "verify", "small", "--data", data))
    assert here("db", "use", "small", "v1", "--data", data).returncode == 0
    assert str(residues) in refused(here("db", "use", "small", "v2", "--data", data))
    assert (data / "small" / "current").read_text() == "v1\n"
    (data / "small" / "current").write_text("v2\n")
    assert "v2" in refused(here("db", "remove", "small", "--data", data, "--version", "v2"))
    assert here("db", "remove", "small", "--data", data, "--version", "v1").stdout.endswith("v1: removed\n")
    assert here("db", "remove", "small", "--data", data).stdout == "small: removed\n"
    assert "no database" in refused(here("db", "verify", "small", "--data", data))


def test_search_of_a_database_that_was_written_to_is_refused(tmp_path: Path) -> None:
    (tmp_path / "small.fasta").write_text(FASTA)
    (tmp_path / "query.fasta").write_text(">q\nMKVLAAGWDEHHKLMCCCCC\n")
    data = tmp_path / "data"
    assert here("makedb", tmp_path / "small.fasta", "--name", "small", "--out", data).returncode == 0
    assert search_here(data, tmp_path / "query.fasta").returncode == 0
    [residues] = data.glob("small/*/residues.bin")
    content = bytearray(residues.read_bytes())
    content[::50] = b"W" * len(content[::50])
    residues.chmod(0o644)
    residues.write_bytes(content)
    for form in ("0", "json", "fasta"):
        line = refused(search_here(data, tmp_path / "query.fasta", "-outfmt", form))
        assert line == f"{residues}: its SHA-256 is not the manifest's"
    assert refused(here("sequence", "two", "-db", "small", "--data", data)) == line


def test_search_writes_a_table(small: Path, query: Path) -> None:
    done = search(small, query, "-outfmt", "6", "-evalue", "1000", "-statistics", "table")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [len(row) for row in rows] == [12] * len(rows)
    assert rows[0][:10] == ["q", "one", "100.000", "15", "0", "0", "1", "15", "1", "15"]
    assert [row[1] for row in rows] == ["one", "two", "three"]


def test_search_writes_a_table_with_comments_and_columns_from_standard_input(small: Path, query: Path) -> None:
    done = search(small, "-", "-outfmt", "7 sseqid score qcovs", input=query.read_text())
    comments = [line for line in done.stdout.splitlines() if line.startswith("#")]
    rows = [line.split("\t") for line in done.stdout.splitlines() if not line.startswith("#")]
    assert "# Fields: subject id, score, % query coverage per subject" in comments
    assert rows[0][0] == "one"
    assert rows[0][2] == "75"


def test_search_writes_json_into_a_file(small: Path, query: Path) -> None:
    out = query.parent / "out.json"
    flags = ["-outfmt", "json", "-out", out, "-matrix", "pam70", "-max_target_seqs", "1", "-statistics", "table"]
    done = search(small, query, *flags)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    result = json.loads(out.read_text())
    assert (result["search"], result["database"]["name"], result["parameters"]["matrix"]) == ("local", "small", "PAM70")
    assert [hit["accession"] for hit in result["results"][0]["hits"]] == ["one"]
    assert result["certificate"]["cells"] == 20 * 60


def test_search_writes_a_report_by_default(small: Path, query: Path) -> None:
    report = search(small, query).stdout
    assert "Query= q one query" in report
    assert "\n>one first protein\n" in report
    assert report.count("MKVLAAGWDEHHKLM") == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-db", "other"], "no database 'other'"),
        (["-query", "none.fasta"], "none.fasta: No such file or directory"),
        (["-out", "none/out.txt"], "none/out.txt: No such file or directory"),
        (["-out", "/dev/full"], "/dev/full: No space left on device"),
    ],
)
def test_search_names_what_the_input_is_to_blame_for(
    small: Path, query: Path, arguments: list[str], message: str
) -> None:
    assert message in refused(search_here(small, query, *arguments))


def test_search_warns_of_dna_some_records_by_name_and_the_rest_by_number(small: Path, query: Path) -> None:
    dna = "".join(f">d{number}\n{'ACGTNACGGT' * 3}\n" for number in range(9))
    done = search(small, "-", "-outfmt", "6", "-statistics", "table", input=query.read_text() + dna)
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["shardwater"] * 6
    assert lines[0].startswith("shardwater: warning: query 2 (d0): 100 % of its letters are A, C, G, T, U or N")
    assert lines[5] == "shardwater: warning: 4 more warnings: a result in JSON (-outfmt json) has all"


def test_search_names_the_place_in_the_query(small: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.fasta").write_text(">a\r\nMKVL\r\n>b\r\nMK4\r\n")
    line = refused(search(small, tmp_path / "bad.fasta"))
    assert line == (
        f"{tmp_path}/bad.fasta: record 2, line 4, column 3: '4' is not an amino acid letter: leave out the numbers of "
        "lines, as GenBank has them"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["-outfmt", "11"],
        ["-outfmt", "5 qseqid"],
        ["-outfmt", "0 qseqid"],
        ["-outfmt", "6 nothing"],
        ["-outfmt", "6 'qseqid"],
        ["-colour", "red"],
        ["-outfile=x"],
        ["-o=x"],
        ["-quiet"],
        ["--server", "http://x"],
        ["-num_threads", "0"],
        ["-matrix", "BLOSUM61"],
        ["-gapopen", "-1"],
        ["-gapopen", "5", "-gapextend", "1", "-statistics", "table"],
        ["-evalue", "abc"],
        ["-evalue", "0"],
        ["-max_target_seqs", "0"],
        ["-query_loc", "50-40"],
    ],
)
def test_wrong_usage_ends_with_2(small: Path, query: Path, arguments: list[str], tmp_path: Path) -> None:
    done = search_here(small, query, *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage: " in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_server_out_of_reach_ends_with_3(query: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{closed.getsockname()[1]}"
        # A password in an address is nobody's business.
        for url in (f"http://{place}", f"http://user:secret@{place}"):
            line = refused(here("search", "-query", query, "-db", "small", "--server", url), 3)
            assert line.startswith(f"cannot reach http://{place}")


def test_server_that_refuses_the_input_ends_with_1(server: Server, query: Path) -> None:
    line = refused(here("search", "-query", query, "-db", "small", "--server", server.url))
    assert "no database" in line


def test_server_that_takes_too_long_ends_with_4_and_the_address_where_it_goes_on(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "long.fasta").write_text(f">long\n{'MKVLAAGW' * 6000}\n" * 4)
    query = ["search", "-query", tmp_path / "long.fasta", "-db", "demo", "--timeout", "1", "--server", server.url]
    line = refused(here(*query), 4)
    address = line.split()[-1]
    assert address.startswith(f"{server.url}/v1/searches/")
    assert httpx.get(address, timeout=PATIENCE_S).json()["state"] in ("queued", "running")
    assert httpx.post(f"{address}:cancel", timeout=PATIENCE_S).status_code == 202


@pytest.mark.parametrize("form", ["6", "json"])
def test_reader_that_has_seen_enough_is_no_error(small: Path, query: Path, form: str) -> None:
    """As `| head` does, but certainly before anything is written; json is more than a pipe holds."""
    long = query.parent / "long.fasta"
    long.write_text("".join(f">q{number}\nMKVLAAGWDEHHKLMCCCCC\n" for number in range(3 if form == "6" else 100)))
    command = [*COMMAND, "search", "-query", str(long), "-db", "small", "--data", str(small), "-outfmt", form]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""


def test_serve_without_its_folder(tmp_path: Path) -> None:
    assert "nowhere: no such folder" in refused(shardwater("serve", "--data", tmp_path / "nowhere"))


def test_serve_on_a_port_in_use(small: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused(shardwater("serve", "--data", small, "--port", port))
    assert line == f"cannot listen on 127.0.0.1:{port}: Address already in use"


@pytest.mark.parametrize(
    ("name", "value"),
    [("SHARDWATER_PORT", "banana"), ("SHARDWATER_MAX_QUERIES", "-3")],
)
def test_bad_setting_names_itself(small: Path, name: str, value: str) -> None:
    line = refused(shardwater("serve", "--data", small, environment={name: value}))
    assert line.startswith(f"{name} is '{value}'")


def test_app_alone_needs_a_redis(small: Path) -> None:
    line = refused(
        shardwater("serve", "--app-only", "--data", small, "--port", 0, environment={"SHARDWATER_REDIS_URL": ""})
    )
    assert "--redis" in line


@contextmanager
def background(*arguments: object) -> "Iterator[subprocess.Popen[str]]":
    """A command that runs until the end of the block."""
    with subprocess.Popen([*COMMAND, *map(str, arguments)], stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    embedded = EmbeddedValkey(tmp_path / "queue")
    embedded.start()
    yield embedded
    # Where it has no password, ours is refused, and there is nothing to take back.
    with Redis.from_url(embedded.url, password=PASSWORD) as redis, suppress(AuthenticationError):
        redis.config_set("requirepass", "")
    embedded.stop()


def test_front_end_and_workers_by_hand(small: Path, valkey: EmbeddedValkey) -> None:
    shared = ["--data", small, "--redis", valkey.url]
    with background("serve", "--app-only", "--port", 0, *shared) as front, httpx.Client(timeout=PATIENCE_S) as http:
        assert front.stderr is not None
        url = front.stderr.readline().split()[-2]
        body = {"sequence": "MKVLAAGWDEHHKLM", "database": "small"}
        refusal = http.post(f"{url}/v1/searches", json=body)
        assert (refusal.status_code, refusal.headers["Retry-After"]) == (503, "5")
        assert refusal.json()["type"] == "urn:shardwater:problem:shard-unavailable"
        assert http.get(f"{url}/readyz").status_code == 503
        with background("work", "--database", "small", "--shard", 0, *shared):
            deadline = time.monotonic() + PATIENCE_S
            while http.get(f"{url}/readyz").status_code == 503:
                assert time.monotonic() < deadline
            answer = http.post(f"{url}/v1/searches", json=body, headers={"Prefer": "wait=30"})
            assert [hit["accession"] for hit in answer.json()["results"][0]["hits"]] == ["one", "two", "three"]


def test_password_of_the_redis_url_is_in_no_list_of_processes(small: Path, valkey: EmbeddedValkey) -> None:
    with Redis.from_url(valkey.url) as redis:
        redis.config_set("requirepass", PASSWORD)
    environment = {"SHARDWATER_REDIS_URL": f"{valkey.url}?password={PASSWORD}"}
    with running(Server(small, environment=environment)) as service:
        # Front end and worker know it.
        assert service.search("MKVLAAGWDEHHKLMNPQRSTVWY", database="small")["results"][0]["hits"]
        assert len([*service.pids("app"), *service.pids("worker.cli")]) == 2
        for command in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                assert PASSWORD not in command.read_text(errors="replace")
            except (FileNotFoundError, ProcessLookupError):
                continue
        assert PASSWORD not in "".join(service.lines)
