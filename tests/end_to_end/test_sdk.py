"""The Python client against a real server; every test holds for `Client` and for `AsyncClient`."""

import asyncio
import csv
import io
import json
import logging
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shardwater.scoring.scoring import FOLDER
from shardwater_client import (
    AlreadyFinishedError,
    AsyncClient,
    ExpiredError,
    InvalidRequestError,
    InvalidSequenceError,
    LimitError,
    NotFoundError,
    NotReadyError,
    SearchFailedError,
    SearchParameters,
    SearchTimeoutError,
    VerificationTimeoutError,
)
from tests.support.guarded import standing
from tests.support.searches import LONG, NOBODY, QUERY
from tests.support.server import PATIENCE_S, Server, until
from tests.support.twins import Make
from worker.jobs.redis_names import SearchKeys


@pytest.fixture(scope="module")
def client(server: Server, make: Make) -> Iterator[Any]:
    with closing(make(server.url)) as made:
        yield made


@pytest.fixture
def long_search(client: Any) -> Iterator[str]:
    """The id of a search that does not end by itself during its test."""
    search = client.submit(LONG, database="demo").id
    yield search
    client.delete(search)


@pytest.fixture(scope="module")
def result(client: Any, queries: str) -> Any:
    return client.search(queries, database="demo", max_target_seqs=7, timeout=PATIENCE_S)


def test_result_is_what_the_server_answers(server: Server, result: Any, queries: str) -> None:
    assert result.data.to_dict() == server.search(queries, max_target_seqs=7)
    assert (len(result.results), result.certificate.exact, result.database.name) == (4, True, "demo")
    assert (result.parameters.max_target_seqs, result.software.version) == (7, "0.1.0")
    [efp] = [one for one in result.results if one.query.id == "sp|Q4UKM7|EFP_RICFE"]
    assert list(result.hits(3)) == list(result.hits("sp|Q4UKM7|EFP_RICFE")) == efp.hits
    assert len(list(result.hits())) == sum(len(one.hits) for one in result.results)
    for missing in (0, 5, "nobody"):
        with pytest.raises(LookupError):
            list(result.hits(missing))


def test_file_is_given_by_its_path(client: Any, result: Any, tmp_path: Path, queries: str) -> None:
    (tmp_path / "queries.fasta").write_text(queries)
    assert client.search(tmp_path / "queries.fasta", database="demo", max_target_seqs=7).id == result.id


def test_other_formats_are_the_servers_to_the_byte(server: Server, client: Any, result: Any, tmp_path: Path) -> None:
    with server.http as http:
        place = f"/v1/searches/{result.id}/results"
        assert result.download() == http.get(place, params={"format": "tab"}).content
        chosen = http.get(place, params={"format": "csv", "columns": "qseqid,evalue", "query": 2}).content
    assert result.download(format="csv", columns=["qseqid", "evalue"], query=2) == chosen
    result.save(tmp_path / "hits.csv", format="csv", columns=["qseqid", "evalue"], query=2)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("hits.csv", chosen)]
    with pytest.raises(InvalidRequestError, match="columns"):
        client.save(result.id, tmp_path / "none.tsv", columns=["nothing"])
    assert len(list(tmp_path.iterdir())) == 1


def test_all_scores_are_the_servers_to_the_byte(server: Server, client: Any, tmp_path: Path) -> None:
    search = client.search(QUERY, database="demo", scores="all").id
    with server.http as http:
        place = f"/v1/searches/{search}/scores"
        every = http.get(place, params={"format": "raw"}).content
        some = http.get(place, params={"query": 1, "min_score": 30, "max_evalue": 500}).content
    assert client.scores(search, format="raw") == every
    assert client.scores(search, query=1, min_score=30, max_evalue=500) == some
    client.save_scores(search, tmp_path / "some.tsv", min_score=30, max_evalue=500, query=1)
    assert (tmp_path / "some.tsv").read_bytes() == some


def test_rounds_are_told_and_their_profile_searches_in_place_of_fasta(
    server: Server, client: Any, queries: str, tmp_path: Path
) -> None:
    result = client.search(">" + queries.split(">")[4] + ">none\nWWWWCCCCWWWW\n", database="demo", iterations=3)
    told = [each.to_dict() for each in result.rounds()]
    assert told == json.loads(result.download(format="json"))["results"][0]["rounds"]
    assert len(told) > 1
    assert [each.included for each in result.rounds("none")] == [0]
    with server.http as http:
        place = f"/v1/searches/{result.id}/pssm"
        ours, table = (http.get(place, params={"format": form}).text for form in ("asn1", "ascii"))
    assert (result.pssm(), client.pssm(result.id, query=1, format="ascii")) == (ours, table)
    client.save_pssm(result.id, tmp_path / "p.asn")
    assert (tmp_path / "p.asn").read_text() == ours
    with pytest.raises(NotFoundError, match="query 2 was searched for as it is"):
        client.pssm(result.id, query=2)
    for pssm in (ours, tmp_path / "p.asn"):
        again = client.search(database="demo", pssm=pssm)
        assert (again.results[0].hits, again.rounds()) == (result.results[0].hits, [])
    assert client.estimate(database="demo", pssm=ours).residues == 230
    for given in ({}, {"fasta": "MKVL", "pssm": ours}):
        with pytest.raises(TypeError, match="give one of them"):
            client.submit(database="demo", **given)


def test_matrix_of_ones_own_finds_what_the_published_one_finds(client: Any, queries: str) -> None:
    costs = {"gap_open": 13, "gap_extend": 2, "statistics": "none", "alignments": 0}
    own = client.matrix(FOLDER / "BLOSUM50.txt")
    found, expected = (client.search(queries, database="demo", matrix=each, **costs) for each in (own, "BLOSUM50"))
    assert found.parameters.matrix == own != "BLOSUM50"
    hits = [[(hit.accession, hit.score) for hit in each.hits()] for each in (found, expected)]
    assert hits[0] == hits[1] != []


def test_table_has_the_figures_of_the_servers_table(result: Any) -> None:
    table = result.to_pandas()
    rows = list(csv.DictReader(io.StringIO(result.download(format="csv").decode())))
    assert len(table) == len(rows)
    named = {"query": "qseqid", "accession": "sseqid", "align_len": "length", "query_from": "qstart", "hit_to": "send"}
    for name, other in named.items():
        assert [str(value) for value in table[name]] == [row[other] for row in rows]
    assert table["identity"].tolist() == pytest.approx([float(row["pident"]) for row in rows], abs=5e-4)
    assert table["evalue"].tolist() == [hit.evalue for hit in result.hits()]


def test_table_has_holes_where_nothing_is_aligned(client: Any) -> None:
    table = client.search(QUERY, database="demo", evalue=1e6, alignments=1, max_target_seqs=3).to_pandas()
    assert table["identity"].isna().tolist() == table["query_from"].isna().tolist() == [False, True, True]
    assert table["rank"].tolist() == [1, 2, 3]
    empty = client.search("MKV", database="demo", evalue=1e-9).to_pandas()
    assert (len(empty), list(empty.columns)) == (0, list(table.columns))


def test_search_is_submitted_followed_and_fetched(client: Any) -> None:
    search = client.submit(QUERY, database="demo", title="followed by a client", fresh=True)
    states = list(client.events(search.id))
    assert (states[-1].state, states[-1].progress, states[-1].title) == ("succeeded", 1.0, "followed by a client")
    assert client.status(search.id).state == "succeeded"
    assert client.result(search.id).id == search.id
    assert (client.request(search.id).sequence, client.request(search.id).title) == (QUERY, "followed by a client")
    client.delete(search.id)
    with pytest.raises(NotFoundError, match=search.id):
        client.status(search.id)


def test_time_that_is_over_leaves_a_search_to_come_back_to(client: Any, long_search: str) -> None:
    with pytest.raises(SearchTimeoutError) as caught:
        client.search(LONG, database="demo", timeout=0.1)
    assert caught.value.search_id == long_search
    with pytest.raises(TimeoutError):
        client.result(long_search, timeout=0)
    with pytest.raises(NotReadyError):
        client.download(long_search)


def test_cancelled_search_has_no_result(client: Any, long_search: str) -> None:
    heard = []
    events = client.events(long_search)
    first = next(events)
    assert client.cancel(long_search).state == "cancelled"
    assert client.cancel(long_search).state == "cancelled"
    assert [*events][-1].state == "cancelled"
    assert first.state in ("queued", "running")
    with pytest.raises(SearchFailedError, match="cancelled") as caught:
        client.result(long_search, progress=heard.append)
    assert (caught.value.search_id, [search.state for search in heard]) == (long_search, ["cancelled"])


def test_result_is_verified(client: Any, result: Any) -> None:
    whole = client.verify(result.id, timeout=PATIENCE_S)
    assert (whole.search, whole.sample, whole.state) == (result.id, None, "succeeded")
    assert whole.database.to_dict() == result.database.to_dict()
    assert (whole.report.equal, whole.report.total, whole.report.differences) == (True, 0, [])
    assert (whole.report.cells, whole.report.stored_digest) == (result.certificate.cells, result.digest)


def test_sample_of_a_result_is_verified(client: Any, result: Any) -> None:
    part = client.verify(result.id, sample=20, timeout=PATIENCE_S)
    assert (part.sample, part.report.equal, part.report.subjects) == (20, True, 20)
    assert 0 < part.report.cells < result.certificate.cells
    with pytest.raises(InvalidRequestError) as caught:
        client.verify(result.id, sample=-1)
    assert [each.field for each in caught.value.errors] == ["sample"]


def test_search_without_a_result_cannot_be_verified(client: Any, long_search: str) -> None:
    with pytest.raises(NotFoundError):
        client.verify(NOBODY)
    with pytest.raises(NotReadyError):
        client.verify(long_search)
    client.cancel(long_search)
    with pytest.raises(SearchFailedError):
        client.verify(long_search)


def test_verification_goes_on_when_nobody_waits_for_it(server: Server, client: Any, result: Any) -> None:
    with standing(server), pytest.raises(VerificationTimeoutError) as caught:
        client.verify(result.id, timeout=0)
    path = f"/v1/verifications/{caught.value.verification_id}"
    with server.http as http:
        until(lambda: http.get(path).json()["state"] == "succeeded")
        assert http.get(path).json()["search"] == result.id


def test_progress_is_told(client: Any, long_search: str) -> None:
    heard = []

    def hear(search: Any) -> None:
        heard.append(search)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.search(LONG, database="demo", progress=hear)
    [search] = heard
    assert (search.id, search.state in ("queued", "running"), search.progress < 1) == (long_search, True, True)


def test_finished_search_cannot_be_cancelled(client: Any, result: Any) -> None:
    with pytest.raises(AlreadyFinishedError) as caught:
        client.cancel(result.id)
    assert (caught.value.status, caught.value.retryable) == (409, False)
    assert caught.value.request_id in str(caught.value)


def test_hits_and_searches_are_paged(client: Any, result: Any) -> None:
    for number, one in enumerate(result.results, start=1):
        assert list(client.hits(result.id, query=number, page_size=3)) == one.hits
    with pytest.raises(InvalidRequestError, match="query"):
        next(iter(client.hits(result.id)))
    others = {client.search(QUERY, database="demo", title=f"another {number}").id for number in range(2)}
    ids = [search.id for search in client.searches()]
    assert {result.id, *others} <= set(ids)
    assert [search.id for search in client.searches(page_size=1)] == ids
    assert [search.id for search in client.searches(ids=[NOBODY, result.id])] == [result.id]
    assert {search.state for search in client.searches(state="succeeded")} == {"succeeded"}
    assert list(client.searches(created_after=datetime.now(UTC) + timedelta(minutes=1))) == []


def test_server_describes_itself(client: Any, queries: str) -> None:
    [demo] = client.databases()
    assert (demo.name, demo.state, demo.sequences) == ("demo", "ready", 3183)
    assert client.database("demo") == demo
    one = client.sequence("demo", "sp|B4RQP4|OBG_NEIG2")
    assert one.length == 384
    assert client.sequences("demo", [one.accession] * 2) == [one, one]
    assert client.service_info().limits.max_queries == 1000
    estimate = client.estimate(queries, database="demo")
    assert (estimate.queries, estimate.cells) == (4, estimate.residues * demo.residues)


def test_parameters_are_those_of_the_server(client: Any) -> None:
    known = {parameter.name for parameter in client.parameters().parameters}
    assert {"sequence", "database", *SearchParameters.__annotations__} == known


def test_figures_may_be_left_out_altogether(client: Any) -> None:
    found = client.search(QUERY, database="demo", statistics="none", gap_open=3, gap_extend=3, max_target_seqs=2)
    assert [hit.evalue for hit in found.hits()] == [None, None]


def test_errors_say_what_and_where(client: Any) -> None:
    with pytest.raises(InvalidSequenceError) as sequence:
        client.search(">a\nMKV\n>b\nMK@L\n", database="demo")
    [place] = sequence.value.errors
    assert (place.field, place.record, place.line, place.column) == ("sequence", 2, 4, 3)
    with pytest.raises(InvalidRequestError, match="there are: demo") as database:
        client.estimate("MKV", database="none")
    assert [each.field for each in database.value.errors] == ["database"]
    with pytest.raises(LimitError) as limit:
        client.submit("M" * 50_001, database="demo")
    assert (limit.value.limit, limit.value.actual) == (50_000, 50_001)
    with pytest.raises(NotFoundError):
        client.sequence("demo", "nobody/at all?")


def test_expired_search_is_told_from_an_unknown_one(server: Server, client: Any) -> None:
    search = client.search(QUERY, database="demo", title="to expire in a client", fresh=True).id
    with server.redis as redis:
        redis.delete(*SearchKeys(search).data)
    with pytest.raises(ExpiredError):
        client.result(search)


def test_no_secret_is_shown_or_logged(server: Server, make: Make, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with closing(make(server.url, api_key="key-of-mine")) as keyed:
        assert keyed.search(QUERY, database="demo").id
        shown = repr(getattr(keyed, "inner", keyed))
    with closing(make(server.url.replace("http://", "http://me:word-of-mine@"))) as named:
        assert named.databases()
        shown += repr(getattr(named, "inner", named))
        assert named.base_url == server.url
    assert server.url in shown
    assert "/v1/searches" in caplog.text
    for secret in ("key-of-mine", "word-of-mine", QUERY.splitlines()[1]):
        assert secret not in shown + caplog.text


@pytest.mark.parametrize("address", ["localhost:8000", "ftp://server", "/v1", "http://"])
def test_address_that_is_none_is_refused(make: Make, address: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        make(address)


def test_key_and_password_do_not_go_together(make: Make) -> None:
    with pytest.raises(ValueError, match="not both"):
        make("http://me:word@server", "key")


def test_many_searches_run_at_once(server: Server) -> None:
    async def search_all() -> list[Any]:
        async with AsyncClient(server.url) as client:
            queries = [f">q{number}\nMKISANSIRTGNILVYNNDLWVV\n" for number in range(12)]
            return await asyncio.gather(*(client.search(query, database="demo") for query in queries))

    found = asyncio.run(search_all())
    assert [each.results[0].query.id for each in found] == [f"q{number}" for number in range(12)]
