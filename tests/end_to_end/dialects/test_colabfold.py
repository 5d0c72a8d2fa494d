"""ColabFold's interface: by the clients themselves as they are published, and step by step."""

import io
import tarfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from shardwater.formats.msas.colabfold import END
from tests.support.predictors import CLIENTS, OTHERS, Failed, ask
from tests.support.server import Server, until
from worker.jobs.redis_names import SearchKeys

UNIREF, ENV = "uniref.a3m", "bfd.mgnify30.metaeuk30.smag30.a3m"
USUAL = {"iterations": 3, "evalue": 0.1, "inclusion_evalue": 0.1, "max_sequences": 10_000}


@pytest.fixture(scope="module")
def chains(queries: str) -> list[str]:
    """Three real proteins."""
    return ["".join(record.splitlines()[1:]) for record in queries.split(">")[2:]]


def names(text: str) -> list[str]:
    """The first field of each header."""
    return [line[1:].split("\t")[0] for line in text.splitlines() if line.startswith(">")]


def files(http: httpx.Client, ticket: dict[str, str]) -> dict[str, bytes]:
    """What a ticket is exchanged for, once it is complete."""

    def is_complete() -> bool:
        told = http.get(f"/ticket/{ticket['id']}").json()
        assert told["status"] in ("PENDING", "RUNNING", "COMPLETE"), told
        return bool(told["status"] == "COMPLETE")

    until(is_complete)
    reply = http.get(f"/result/download/{ticket['id']}")
    assert f'filename="mmseqs_results_{ticket["id"]}.tar.gz"' in reply.headers["Content-Disposition"]
    found = {}
    with tarfile.open(fileobj=io.BytesIO(reply.content), mode="r:gz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            found[member.name] = file.read()
    return found


def fasta(*sequences: str) -> str:
    return "".join(f">{number}\n{sequence}\n" for number, sequence in enumerate(sequences, start=101))


def our_rows(http: httpx.Client, chain: str, then: bool, **fields: Any) -> list[str]:
    """What our own interface finds in both lists of databases."""
    asked = {"queries": chain, "databases": ["demo"], "then": ["tiny"] if then else [], **USUAL, **fields}
    job = http.post("/v1/msas", json=asked, headers={"Prefer": "wait=60"}).headers["Location"]
    lists = ["databases", "then"] if then else ["databases"]
    return [name for of in lists for name in names(http.get(f"{job}/results?of={of}&format=a3m").text)[1:]]


@pytest.mark.parametrize("client", [*CLIENTS, *OTHERS])
def test_client_gets_each_chain_and_one_twice(
    server: Server, http: httpx.Client, chains: list[str], tmp_path: Path, client: str
) -> None:
    first, second, _ = chains
    options: dict[str, Any] = {"prefix": str(tmp_path), "user_agent": "test"} if client == "openfold3" else {}
    found = ask(client, server.url, [first, second, first], tmp_path, **options)
    if client == "chai":
        found, template = found
        assert template is None
    assert found[0] == found[2]
    for number, (chain, text) in enumerate(zip((first, second), found, strict=False), start=101):
        lines = text.splitlines()
        # The query begins the part of each database.
        assert lines[:2] == [f">{number}", chain]
        assert lines.count(f">{number}") == 2
        assert [name for name in names(text) if name != str(number)] == our_rows(http, chain, then=True)
        assert {len([letter for letter in line if not letter.islower()]) for line in lines[1::2]} == {len(chain)}


def test_client_that_wants_templates_finds_none(server: Server, chains: list[str], tmp_path: Path) -> None:
    found, templates = ask("colabfold", server.url, chains[:1], tmp_path, use_templates=True, use_env=False)
    assert templates == [None]
    assert found[0].startswith(f">101\n{chains[0]}\n>")
    assert (tmp_path / "out_all" / "pdb70.m8").read_bytes() == b""


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(("strategy", "partners"), [("greedy", 2), ("complete", 3)])
def test_client_gets_pairs_of_one_organism(
    server: Server, chains: list[str], tmp_path: Path, client: str, strategy: str, partners: int
) -> None:
    kinase, factor, _ = chains
    options = {"use_pairing": True, "pairing_strategy": strategy}
    found = [names(text) for text in ask(client, server.url, [kinase, kinase[:300], factor], tmp_path, **options)]
    pairs = list(zip(*found, strict=True))
    assert pairs[0] == ("101", "102", "103")
    species = [{name.rpartition("_")[2] for name in pair} - {"DUMMY"} for pair in pairs[1:]]
    assert {len(each) for each in species} <= {1}
    assert all(sum(name != "DUMMY" for name in pair) >= partners for pair in pairs)
    if strategy == "greedy":
        # Others have no taxid that is known, and the factor is bacterial.
        assert {name for each in species for name in each} == {"HUMAN", "MOUSE"}
        assert [pair[2] for pair in pairs[1:]] == ["DUMMY", "DUMMY"]
    else:
        assert species == []


@pytest.mark.parametrize("client", CLIENTS)
def test_client_is_told_of_letters_that_are_none(server: Server, tmp_path: Path, client: str) -> None:
    with pytest.raises(Failed, match=r"confirm your +input is a valid protein sequence"):
        ask(client, server.url, ["MKVL1AAGW"], tmp_path)


@pytest.mark.parametrize(
    ("mode", "there"),
    [
        ("env", [UNIREF, ENV, "pdb70.m8"]),
        ("all", [UNIREF, "pdb70.m8"]),
        ("env-nofilter", [UNIREF, ENV, "pdb70.m8"]),
        ("nofilter-notemplates", [UNIREF]),
        ("env-notemplates-taxonomy-m8output", [UNIREF, ENV]),
        ("", [UNIREF, "pdb70.m8"]),
    ],
)
def test_mode_says_which_files_there_are(http: httpx.Client, chains: list[str], mode: str, there: list[str]) -> None:
    ticket = http.post("/ticket/msa", data={"q": fasta(*chains[:2]), "mode": mode}).json()
    found = files(http, ticket)
    assert list(found) == there
    for name in there[: there.index("pdb70.m8") if "pdb70.m8" in there else None]:
        blocks = found[name].split(END)
        assert len(blocks) == 3
        assert blocks[2] == b""
        assert [block.splitlines()[0] for block in blocks[:2]] == [b">101", b">102"]
    form = "none" if "nofilter" in mode else "diverse"
    assert names(found[UNIREF].split(END)[0].decode())[1:] == our_rows(http, chains[0], then=False, filter=form)


def test_a_stop_at_the_end_of_a_chain_is_no_column(http: httpx.Client, chains: list[str]) -> None:
    form = {"mode": "all-notemplates"}
    with_stop = http.post("/ticket/msa", data=form | {"q": fasta(f"{chains[0]}*")}).json()
    lines = files(http, with_stop)[UNIREF].rstrip(END).decode().splitlines()
    assert lines[:2] == [">101", chains[0]]
    without = http.post("/ticket/msa", data=form | {"q": fasta(chains[0])}).json()
    assert files(http, without) == files(http, with_stop)


def test_pairs_of_organisms_have_no_reason(http: httpx.Client, chains: list[str]) -> None:
    ticket = http.post("/ticket/pair", data={"q": fasta(*chains[:2]), "mode": "pairgreedy"}).json()
    assert set(ticket) == {"id", "status"}


def test_the_same_form_has_the_same_ticket_in_every_encoding(http: httpx.Client, chains: list[str]) -> None:
    form = {"q": fasta(chains[0]), "mode": "all", "email": "a@b.org"}
    ticket = http.post("/ticket/msa", data=form).json()
    # What Boltz sends with a key: a form that is said to be JSON.
    boltz = http.post("/ticket/msa", data=form, headers={"Content-Type": "application/json"}).json()
    parts = http.post("/ticket/msa", data=form | {"q": ""}, files={"q": ("q.fasta", fasta(chains[0]))}).json()
    assert ticket["id"] == boltz["id"] == parts["id"]
    assert ticket["id"].startswith("msa-")
    assert http.post("/tickets", data={"tickets[]": ticket["id"]}).json()[0]["id"] == ticket["id"]
    assert http.post("/ticket/msa", data=form | {"mode": "all-notemplates"}).json()["id"] != ticket["id"]


@pytest.mark.parametrize(
    ("path", "form", "reason"),
    [
        ("/ticket/msa", {"mode": "env"}, "q: it is missing"),
        ("/ticket/msa", {"q": "MK?", "mode": "env"}, "record 1, line 1, column 3: '?' is not an amino acid letter"),
        ("/ticket/msa", {"q": "MKV", "mode": "everything"}, "mode: it is made of these words"),
        ("/ticket/msa", {"q": "MKV", "mode": "pairgreedy"}, "mode: it is made of these words"),
        ("/ticket/pair", {"q": "MK?", "mode": "pairgreedy"}, "record 1, line 1, column 3"),
        ("/ticket/pair", {"q": "MKV", "mode": "pairgreedy-paircomplete"}, "mode: one of pairgreedy and paircomplete"),
        ("/ticket/pair", {"q": ">a\nMKV\n" * 101}, "q: a complex has 100 chains at most"),
        ("/ticket/msa", {"q": ">a\nM\n" * 1001}, "max_queries"),
    ],
)
def test_errors_say_what_is_wrong(http: httpx.Client, path: str, form: dict[str, str], reason: str) -> None:
    reply = http.post(path, data=form)
    told = reply.json()
    assert (400 <= reply.status_code < 500, told["status"]) == (True, "ERROR")
    assert reason in told["reason"]


def test_tickets_that_are_gone(server: Server, http: httpx.Client, chains: list[str]) -> None:
    ticket = http.post("/ticket/msa", data={"q": fasta(chains[2]), "mode": "all"}).json()["id"]
    msas = ticket.partition(".")[0]
    with server.redis as redis:
        # As Redis does at the end of its time: the client is to submit again.
        redis.delete(*SearchKeys(msas).data)
    assert http.get(f"/ticket/{ticket}").json() == {"id": ticket, "status": "RATELIMIT"}
    assert http.delete(f"/v1/msas/{msas}").status_code == 410
    for never in (f"msa-{'W' * 34}.et", "msa-x", "unknown"):
        assert http.get(f"/ticket/{never}").json() == {"id": never, "status": "UNKNOWN"}
        assert http.get(f"/result/download/{never}").status_code == 400
    assert http.get("/ticket/no/such").json()["status"] == 404
    assert http.put("/ticket/msa").json()["status"] == "ERROR"
    assert http.get("/template/1abc_A,2xyz_B").status_code == 404


def test_cancelled_msas_are_an_error(http: httpx.Client) -> None:
    # A ticket would be held for some seconds.
    asked = {"queries": fasta("MKVLAAGWY" * 4000, "MKVLAAGWD" * 4000), "databases": ["demo"]}
    msas = http.post("/v1/msas", json=asked).json()["id"]
    ticket = f"{msas}.t"
    assert http.get(f"/ticket/{ticket}").json()["status"] in ("PENDING", "RUNNING")
    assert http.get(f"/result/download/{ticket}").status_code == 400
    assert http.post(f"/v1/msas/{msas}:cancel").status_code == 202
    assert http.get(f"/ticket/{ticket}").json()["status"] == "ERROR"
    http.delete(f"/v1/msas/{msas}")
    assert http.get(f"/ticket/{ticket}").json()["status"] == "UNKNOWN"
