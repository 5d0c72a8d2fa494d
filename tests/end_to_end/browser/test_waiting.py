"""A search that runs, fails, was cancelled, has expired or never was, in a browser."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.end_to_end.browser.stalling import Line, stalling
from tests.support.browser import Begin, Visit, send_form
from tests.support.hit_table import show_scores
from tests.support.long_queries import long_query
from tests.support.server import Server
from worker.jobs.redis_names import SearchKeys
from worker.jobs.states import Failure
from worker.jobs.store import JobStore

GLOBIN = ">globin\nMGFTEKQEALVNSSSQLFKQNPSNYSVLFYTIILQKAPTAKAMFSFLKDSAGVVDSPKLGAHAEKVFGMV\n"
FACTOR = ">factor\nMKISANSIRTGNILVYNNDLWVVSKTPEHTQPGKGGAYVQVEMKNLKTGTKRNERFSSSDYLEKAELEQKDYQFLYFEGDDLVLMDTKHFEQI"


@pytest.fixture
def store(server: Server) -> Iterator[JobStore]:
    redis = server.redis
    yield JobStore(redis)
    redis.close()


def begun(server: Server, letter: str) -> str:
    return str(server.post(long_query(letter)).json()["id"])


def share(page: Page) -> float:
    return float(page.locator("progress").evaluate("(bar) => bar.value"))


def test_progress_is_shown_and_a_cancel_ends_it(visit: Visit, server: Server) -> None:
    search = begun(server, "A")
    page = visit.open(f"/searches/{search}")
    page.wait_for_function("() => document.querySelector('progress')?.value > 0.02")
    first = share(page)
    page.wait_for_function("(first) => document.querySelector('progress').value > first", arg=first)
    expect(page.locator(".facts")).to_contain_text(re.compile(r"Shards done\s*0 of 2"))
    visit.shoot("waiting")
    expect(page).to_have_title(re.compile(r"^\d+ % - "))
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("main")).to_contain_text("This search was cancelled")
    expect(page).to_have_title("Cancelled - Search - Shardwater")
    expect(page.locator("main > [role=status]")).to_have_text("The search has been cancelled.")
    assert server.state(search)["state"] == "cancelled"


def test_a_result_comes_in_the_place_of_the_waiting(visit: Visit, server: Server) -> None:
    sequence = ">middling\n" + "MKVLCAGWDERTYHIPSNQCF" * 200
    search = server.post(sequence).json()["id"]
    page = visit.open(f"/searches/{search}")
    expect(page.locator(".certificate")).to_contain_text("Exact and complete")
    assert page.url == f"{visit.url}/searches/{search}"
    # For those who cannot see it: in a region that was there before.
    expect(page.locator("main > [role=status]")).to_have_text("The search has succeeded: its result is shown.")


def test_alignments_are_work_of_their_own(visit: Visit, server: Server, store: JobStore) -> None:
    visit.refusals.add(503)
    search = begun(server, "F")
    told = {**server.state(search), "state": "running", "phase": "aligning", "progress": 0.9, "estimate_s": 0.0004}
    visit.page.route("**/events", lambda route: route.fulfill(status=503))
    visit.page.route(f"**/v1/searches/{search}", lambda route: route.fulfill(json=told))
    page = visit.open(f"/searches/{search}")
    expect(page.locator(".progress-line")).to_contain_text("Aligning the best hits")
    expect(page.locator(".facts")).to_contain_text("Leftunder 1 s")
    expect(page.locator(".percent")).to_have_text("90.0 %")
    told |= {"phase": "merging", "estimate_s": 119.6}
    expect(page.locator(".progress-line")).to_contain_text("Putting the result together")
    expect(page.locator(".facts")).to_contain_text("2 min 0 s")
    store.cancel(search)


def test_a_server_that_falls_silent_is_said_to_until_it_answers(visit: Visit, server: Server) -> None:
    search = begun(server, "G")
    visit.refusals.add(503)
    page = visit.page
    page.route("**/events", lambda route: route.fulfill(status=503))
    visit.open(f"/searches/{search}")
    status = page.locator(".progress-line [role=status]")
    expect(status).to_have_text("Comparing with all sequences")
    page.route("**/v1/searches/*", lambda route: route.fulfill(status=503))
    expect(status).to_have_text("The server does not answer. Reconnecting…")
    page.unroute("**/v1/searches/*")
    expect(status).to_have_text("Comparing with all sequences")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("main")).to_contain_text("This search was cancelled")


HASTE = "() => { const set = setTimeout; window.setTimeout = (then, wait, ...rest) => set(then, wait / 8, ...rest) }"
"""The page's time runs eight times as fast."""


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    """A line to the server; asked for before `begin`, so that it outlives the pages that load over it."""
    with stalling(server.url) as line:
        yield line


def test_a_connection_that_goes_dead_is_noticed(line: Line, begin: Begin, server: Server, store: JobStore) -> None:
    visit = begin(line.url)
    visit.page.add_init_script(f"({HASTE})()")
    search = begun(server, "H")
    page = visit.open(f"/searches/{search}")
    status = page.locator(".progress-line [role=status]")
    expect(status).to_have_text("Comparing with all sequences")
    line.stall()
    store.cancel(search)
    expect(status).to_have_text("The server does not answer. Reconnecting…")
    line.resume()
    expect(page.locator("main")).to_contain_text("This search was cancelled")
    visit.open("/")
    page.get_by_label("Protein sequences in FASTA").fill(FACTOR)
    expect(page.locator(".estimate")).to_contain_text("cells")
    line.stall()
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("button", name="Sending…")).to_be_disabled()
    expect(page.get_by_role("alert")).to_contain_text("No answer has come within 30 seconds.")
    # The estimate's request may have been given up first, and the search's go through yet.
    expect(page.get_by_role("button", name="Search", exact=True)).to_be_enabled()
    line.resume()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("table", name="Hits").wait_for()


def test_a_message_that_the_server_is_away_goes_when_it_is_back(visit: Visit) -> None:
    page = visit.open("/")
    page.route("**/v1/**", lambda route: route.abort())
    page.route("**/healthz", lambda route: route.abort())
    page.get_by_label("Protein sequences in FASTA").fill(FACTOR[:-2])
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    visit.errors = [error for error in visit.errors if "ERR_FAILED" not in error]
    page.unroute("**/v1/**")
    page.unroute("**/healthz")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".estimate")).to_contain_text("cells")
    visit.errors = [error for error in visit.errors if "ERR_FAILED" not in error]


def test_without_events_the_page_asks_again_and_again(visit: Visit, server: Server) -> None:
    visit.refusals.add(503)
    visit.page.route("**/events", lambda route: route.fulfill(status=503))
    search = begun(server, "D")
    page = visit.open(f"/searches/{search}")
    page.wait_for_function("() => document.querySelector('progress')?.value > 0.02")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("main")).to_contain_text("This search was cancelled")


def test_a_failed_search_says_what_to_do_and_runs_again(visit: Visit, server: Server, store: JobStore) -> None:
    search = begun(server, "E")
    store.fail(search, Failure("shard-failed", "shard 1 of database demo failed: no memory left", 1))
    page = visit.open(f"/searches/{search}")
    expect(page.get_by_role("alert")).to_contain_text("shard 1 of database demo failed: no memory left")
    expect(page.get_by_role("alert")).to_contain_text("Nothing is wrong with the request. Run it again")
    visit.shoot("failed")
    page.get_by_role("button", name="Run it again").click()
    page.locator("progress").wait_for()
    again = page.url.rpartition("/")[2]
    assert again != search
    assert server.state(again)["state"] in ("queued", "running")
    # It has the name that this browser's list has for it.
    expect(page.locator("h1")).to_have_text("long_E")
    expect(page).to_have_title(re.compile(r"^\d+ % - long_E - Shardwater$"))
    store.cancel(again)
    expect(page).to_have_title("Cancelled - long_E - Shardwater")
    expect(page.locator("h1")).to_have_text("long_E")
    # It is found again, as any search of this browser's, until it is deleted.
    visit.open("/")
    expect(page.locator(".recent-title").first).to_have_attribute("href", f"/searches/{again}")
    visit.open(f"/searches/{again}")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog", name="Delete this search?").get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile("/history$"))
    expect(page.locator(f"a[href='/searches/{again}']")).to_have_count(0)
    with server.http as http:
        assert http.get(f"/v1/searches/{again}").status_code in (404, 410)


def as_kept_for_ninety_minutes(route: Route) -> None:
    """A page of a server that keeps its results for less than a day."""
    reply = route.fetch()
    route.fulfill(response=reply, body=re.sub(r'"retention_s": \d+', '"retention_s": 5400', reply.text()))


def test_an_expired_search_runs_again_where_this_browser_knows_it(
    begin: Begin, server: Server, store: JobStore
) -> None:
    mine, other = begin(), begin()
    mine.refusals.add(410)
    other.refusals.add(410)
    search = mine.search(GLOBIN)
    # What Redis does by itself at the end of the retention.
    store.redis.delete(*SearchKeys(search).data)
    page = mine.open(f"/searches/{search}")
    expect(page.locator("h1")).to_have_text("This result has been removed")
    expect(page.locator("main")).to_contain_text("Results are kept for 7 days on this server")
    mine.shoot("expired")
    page.get_by_role("button", name="Run it again").click()
    page.get_by_role("table", name="Hits").wait_for()
    assert search not in page.url
    other.page.route("**/searches/*", as_kept_for_ninety_minutes)
    there = other.open(f"/searches/{search}")
    expect(there.locator("main")).to_contain_text("Results are kept for 1.5 hours on this server")
    expect(there.locator("h1")).to_have_text("This result has been removed")
    expect(there.get_by_role("button", name="Run it again")).to_have_count(0)
    expect(there.get_by_role("link", name="New search").last).to_be_visible()


def test_an_unknown_search_is_said_to_be_unknown(visit: Visit) -> None:
    visit.refusals.add(404)
    page = visit.open("/searches/AAAAAAAAAAAAAAAAAAAAAAAA")
    expect(page.locator("h1")).to_have_text("No such search")


IDLE: dict[str, object] = {"seconds": 0.01, "queue_seconds": 0.0}


def let_estimates_say(visit: Visit, said: dict[str, object]) -> None:
    """The server's estimates, but for this: a machine busy with other tests may be slower than the limit."""

    def answer(route: Route) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, json={**reply.json(), **said})

    visit.page.route("**/v1/searches:estimate", answer)


def asks_for(request: Request, sequence: str) -> bool:
    """Whether a request submits a search with these queries."""
    return request.url.endswith("/v1/searches") and request.post_data_json["sequence"] == sequence


def test_hits_follow_the_query_as_it_is_typed(visit: Visit, server: Server) -> None:
    # A search may end before its cancel comes.
    visit.refusals.add(409)
    let_estimates_say(visit, IDLE)
    page = visit.open("/")
    page.get_by_label("Instant hits while typing").check()
    area = page.get_by_label("Protein sequences in FASTA")
    area.fill(FACTOR)
    first = page.locator(".instant tbody tr").first
    expect(first).to_contain_text("EFP_")
    # Letter by letter, as one types; the table follows the last state.
    more = "NVPKEILEEKLPFLTENMIVK"
    area.press("End")
    with page.expect_request(lambda request: asks_for(request, FACTOR + more)) as asked:
        area.press_sequentially(more, delay=5)
    search = asked.value.response().json()["id"]
    expect(page.get_by_role("link", name="Open this result")).to_have_attribute("href", f"/searches/{search}")
    whole = server.search(FACTOR + more, max_target_seqs=50, alignments=50)
    rows = page.locator(".instant tbody tr").all_inner_texts()
    assert [row.split("\t")[0] for row in rows] == [hit["accession"] for hit in whole["results"][0]["hits"]]
    visit.shoot("instant")
    # Nothing is remembered of what was typed on the way; what is opened is, and has all that a search has.
    page.get_by_role("link", name="Open this result").click()
    show_scores(page)
    visit.open("/")
    expect(page.locator(".recent-title")).to_have_count(1)
    expect(page.locator(".recent-title")).to_have_attribute("href", f"/searches/{search}")


def test_a_result_that_is_opened_in_another_tab_is_remembered(visit: Visit) -> None:
    visit.refusals.add(409)
    let_estimates_say(visit, IDLE)
    page = visit.open("/")
    page.get_by_label("Instant hits while typing").check()
    page.get_by_label("Protein sequences in FASTA").fill(FACTOR)
    with page.context.expect_page():
        page.get_by_role("link", name="Open this result").click(button="middle")
    page.reload()
    expect(page.locator(".recent-title")).to_have_count(1)


def test_what_a_link_fills_in_is_searched_for_once_somebody_types(visit: Visit) -> None:
    visit.refusals.add(409)
    let_estimates_say(visit, IDLE)
    page, sent = visit.open("/"), list[str]()
    page.get_by_label("Instant hits while typing").check()
    page.on("request", lambda request: sent.append(urlsplit(request.url).path) if request.method == "POST" else None)
    # The draft of this tab is what the link before has left.
    for path in (f"/?database=demo&sequence={FACTOR.rsplit(maxsplit=1)[-1]}", "/", ""):
        if path:
            visit.open(path)
        else:
            send_form(page, f"{visit.url}/", {"sequence": FACTOR, "database": "demo"})
        expect(page.locator(".instant-status")).to_have_text("Change the query, and its hits follow.")
        assert "/v1/searches" not in sent
    page.get_by_label("Protein sequences in FASTA").press("End")
    page.keyboard.insert_text("K")
    expect(page.locator(".instant tbody tr").first).to_contain_text("EFP_")
    # It is the same page once more: what was typed counts, not the form that it came from.
    typed = page.get_by_label("Protein sequences in FASTA").input_value()
    assert typed != FACTOR
    page.reload()
    expect(page.get_by_label("Protein sequences in FASTA")).to_have_value(typed)


WATCHED = """() => {
    const list = document.querySelector(".instant-list");
    const seen = window.seen = new Set();
    const look = () => {
        seen.add([list.children.length, list.offsetHeight, list.offsetTop, getComputedStyle(list).opacity].join());
        requestAnimationFrame(look);
    };
    look();
}"""


def test_the_list_stands_still_until_the_next_one_is_there(visit: Visit) -> None:
    visit.refusals.add(409)
    told = dict(IDLE)
    let_estimates_say(visit, told)
    page = visit.open("/")
    page.get_by_label("Instant hits while typing").check()
    area = page.get_by_label("Protein sequences in FASTA")
    area.fill(FACTOR[:-3])
    expect(page.locator(".instant tbody tr").first).to_contain_text("EFP_")
    page.evaluate(WATCHED)
    area.press("End")
    area.press_sequentially("NVPKEIL", delay=60)
    expect(page.locator(".instant-status")).to_contain_text("sequences scored")
    assert page.evaluate("() => window.seen.size") == 1
    # Too slow, by another database or other parameters: no list of what was asked for before.
    told |= {"seconds": 9.0, "reused": False}
    page.get_by_label("Matrix").select_option("BLOSUM45")
    expect(page.locator(".instant-status")).to_contain_text("This query takes about 9 s")
    expect(page.locator(".instant tbody tr")).to_have_count(0)


def test_hits_follow_once_the_queue_is_short_enough(visit: Visit) -> None:
    told = IDLE | {"queue_seconds": 8.0}
    let_estimates_say(visit, told)
    page = visit.open("/")
    page.get_by_label("Instant hits while typing").check()
    page.get_by_label("Protein sequences in FASTA").fill(FACTOR[:-1])
    # It moves on only once that has been seen: the page asks again within half a second.
    expect(page.locator(".instant")).to_contain_text("This query takes about 8")
    told |= {"queue_seconds": 0.4}
    expect(page.locator(".instant")).to_contain_text("This query takes about 410 ms")
    told |= {"queue_seconds": 0.0}
    expect(page.locator(".instant tbody tr").first).to_contain_text("EFP_")


def test_a_long_query_gets_no_instant_hits_and_is_told_why(visit: Visit) -> None:
    page = visit.open("/")
    page.get_by_label("Instant hits while typing").check()
    page.get_by_label("Protein sequences in FASTA").fill(long_query("K"))
    expect(page.locator(".instant")).to_contain_text("hits follow where it is under 300 ms")
