"""What is answered when a job was accepted: its result, if that comes in the time that the client prefers to wait."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from app.requests.prefer_header import Preferences
from app.responses.rate_limit_headers import quota_headers
from app.responses.search_json import root_of
from app.service import Service
from worker.jobs.states import Submission
from worker.telemetry.logs import search_id


@dataclass(frozen=True, slots=True)
class Replies:
    """What is answered for one kind of job: its address, its result, and how it stands, told with a status."""

    path: Callable[[str, str], str]
    whole: Callable[[Service, str], Awaitable[Response]]
    stands: Callable[[Request, Service, Submission], Response]


async def reply_to(
    request: Request, service: Service, submission: Submission, preferences: Preferences, replies: Replies
) -> Response:
    """The reply for a job that has been accepted just now."""
    search_id.set(submission.id)
    ending = None if preferences.wait is None else await service.endings.wait(submission.id, preferences.wait)
    if ending is not None:
        reply = await replies.whole(service, submission.id)
    else:
        reply = await run_in_threadpool(replies.stands, request, service, submission)
    reply.headers.update(quota_headers(submission.standings))
    reply.headers["Location"] = replies.path(root_of(request), submission.id)
    if applied := preferences.applied(ended=ending is not None):
        reply.headers["Preference-Applied"] = applied
    return reply
