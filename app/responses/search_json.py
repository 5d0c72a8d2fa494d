"""What goes out in more than one place: a search in replies, lists and events; the headers of a page."""

from collections.abc import Iterable

from fastapi import Request

from app.problems import problem_of
from app.schemas import DatabaseName, Links, Search, SearchWarning, Shards
from shardwater.search.databases import DatabaseUsed, together
from shardwater.search.warnings import NumberedWarning
from worker.jobs.states import SearchState

SOONEST_S, LATEST_S = 1, 30


def root_of(request: Request) -> str:
    """The sub-path under which a proxy shows the service."""
    return str(request.scope.get("root_path", ""))


def path_of(root: str, search: str) -> str:
    """A search's address on this server."""
    return f"{root}/v1/searches/{search}"


def page_headers(request: Request, next_token: str, total: int | None) -> dict[str, str]:
    """Where the page after this one is, and how many items all pages have."""
    headers = {} if total is None else {"X-Total-Results": str(total)}
    if next_token:
        following = request.url.include_query_params(page_token=next_token)
        path = request.scope["path"].removeprefix(root_of(request))
        headers["Link"] = f'<{root_of(request)}{path}?{following.query}>; rel="next"'
    return headers


def shown(root: str, state: SearchState, *, reused: bool = False) -> Search:
    """A search of the service below `root`."""
    path = path_of(root, state.id)
    return Search(
        id=state.id,
        state=state.state,
        title=state.title,
        database=shown_database(together(state.databases)),
        databases=[shown_database(together([each])) for each in state.databases],
        created_at=state.created_at,
        finished_at=state.finished_at,
        expires_at=state.expires_at,
        progress=state.progress,
        phase=state.phase,
        shards=Shards(done=state.shards.done, total=state.shards.total),
        error=problem_of(state.error) if state.error else None,
        position=state.position,
        estimate_s=state.estimate_s,
        reused=reused,
        warnings=shown_warnings(state.warnings),
        links=Links(self=path, results=f"{path}/results", events=f"{path}/events", cancel=f"{path}:cancel"),
    )


def shown_database(used: DatabaseUsed) -> DatabaseName:
    """The version of a database."""
    return DatabaseName(name=used.name, version=used.version, checksum=used.checksum)


def retry_after(position: int | None, estimate_s: float | None) -> int:
    """Seconds after which to ask again: half of what is left, so that a thousand that wait do not ask all the time.

    What stands far behind is dear to look up, too.
    """
    place = position or 0
    left = place if estimate_s is None else estimate_s
    return max(SOONEST_S, min(LATEST_S, place // 10, round(left / 2)))


def shown_warnings(warnings: Iterable[NumberedWarning]) -> list[SearchWarning]:
    """What is odd about a search's queries."""
    return [SearchWarning(query=each.query, code=each.code, detail=each.detail) for each in warnings]
