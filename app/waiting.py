"""Waiting for a search to end, without asking over and over: Redis tells."""

import asyncio
import re

from app.service import Service
from worker.queues import SearchKeys

LONGEST_WAIT_S = 60

_WAIT = re.compile(r"(?:^|[,;\s])wait\s*=\s*(\d{1,9})\b", re.IGNORECASE)


def preferred_wait(header: str | None) -> int | None:
    """The seconds of a `Prefer: wait=N` header (RFC 7240), at most LONGEST_WAIT_S; None without one."""
    found = _WAIT.search(header or "")
    return min(LONGEST_WAIT_S, int(found[1])) if found else None


async def wait_until_ended(service: Service, search: str, seconds: float) -> bool:
    """Whether the search ended within so many seconds."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    async with service.events.pubsub() as channel:
        await channel.subscribe(SearchKeys(search).done)
        while (left := deadline - clock()) > 0:
            message = await channel.get_message(timeout=left)
            if message is None:
                break
            if message["type"] == "message":
                return True
            # Redis has confirmed that we listen: an end before that must be looked up, one after it will be heard.
            if await asyncio.to_thread(service.client.outcome, search) is not None:
                return True
    return await asyncio.to_thread(service.client.outcome, search) is not None
