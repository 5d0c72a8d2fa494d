"""Our clients and those of others, with a key, on a service that asks for one."""

import asyncio
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from Bio.Blast import NCBIWWW, NCBIXML

from shardwater_client import AsyncClient, AuthenticationError, Client, ForbiddenError, NotFoundError, QuotaError
from tests.support.guarded import QUERY, Guarded
from tests.support.server import COMMAND
from tests.support.twins import Blocking


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Makes a client of this kind."""
    if request.param == "sync":
        yield Client
        return
    loop = asyncio.new_event_loop()
    yield lambda *arguments, **options: Blocking(AsyncClient(*arguments, **options), loop)
    loop.close()


def test_client_with_a_key_does_all_that_it_does_without(limited: Guarded, make: Any) -> None:
    client = make(limited.server.url, limited.key(f"sdk-{make is Client}"))
    result = client.search(QUERY, database="demo")
    assert result.data.results[0].hits[0].accession == "one"
    assert [found.id for found in client.searches()] == [result.id]
    assert [found.state for found in client.events(result.id)] == ["succeeded"]
    assert b"one" in client.download(result.id, format="tab")
    stranger = make(limited.server.url, limited.key("stranger"))
    with pytest.raises(NotFoundError):
        stranger.status(result.id)
    for each in (client, stranger):
        each.close()


def test_refusals_are_exceptions_of_their_own(limited: Guarded, make: Any) -> None:
    for key, kind in ((None, AuthenticationError), ("sw_wrong", AuthenticationError)):
        client = make(limited.server.url, key)
        with pytest.raises(kind) as caught:
            client.search(QUERY, database="demo")
        assert (caught.value.status, caught.value.retryable) == (401, False)
        client.close()
    writer = make(limited.server.url, limited.key("writer", "databases:write"))
    with pytest.raises(ForbiddenError) as refused:
        writer.databases()
    assert "scope search" in str(refused.value)
    writer.close()


def test_quota_is_told_at_once_and_waited_for_where_there_is_time(limited: Guarded, make: Any) -> None:
    owner = f"quota-{make is Client}"
    client = make(limited.server.url, limited.key(owner))
    for number in range(3):
        client.search(QUERY, database="demo", title=str(number))
    with pytest.raises(QuotaError) as caught:
        client.search(QUERY, database="demo", title="fourth")
    assert caught.value.status == 429
    assert 3000 < (caught.value.retry_after or 0) <= 3600
    # Its hour is over within a second.
    redis = limited.server.redis
    for name in redis.scan_iter("shardwater:quota:*"):
        redis.expire(name, 1)
    assert client.search(QUERY, database="demo", title="fourth", timeout=60).data.results
    client.close()


def command(limited: Guarded, key: str | None, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    query = tmp_path / "query.fasta"
    query.write_text(QUERY)
    arguments = ("search", "-query", str(query), "-db", "demo", "--server", limited.server.url, "-outfmt", "6 sseqid")
    environment = {} if key is None else {"SHARDWATER_API_KEY": key}
    return subprocess.run([*COMMAND, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_command_line_takes_its_key_from_the_environment(limited: Guarded, tmp_path: Path) -> None:
    done = command(limited, limited.key("command"), tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "one")
    for key in (None, "sw_wrong"):
        refused = command(limited, key, tmp_path)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "key" in refused.stderr
        assert "sw_wrong" not in refused.stderr


def test_biopython_takes_a_key(limited: Guarded) -> None:
    opener = urllib.request.build_opener()
    opener.addheaders = [("Authorization", f"Bearer {limited.key('biopython')}")]
    urllib.request.install_opener(opener)
    try:
        NCBIWWW.qblast.previous = 0
        record = NCBIXML.read(NCBIWWW.qblast("blastp", "demo", QUERY, url_base=f"{limited.server.url}/Blast.cgi"))
    finally:
        urllib.request.install_opener(urllib.request.build_opener())
    assert record.alignments[0].hit_id == "one"
