"""Tickets for MSAs: the id of our job, and which files the client expects, so that nothing need be kept beside it."""

import re
from dataclasses import dataclass
from typing import Literal, Self

from app.service import Service
from worker.jobs.ids import MSA
from worker.jobs.states import SearchExpired, SearchNotFound, State

Status = Literal["PENDING", "RUNNING", "COMPLETE", "ERROR", "UNKNOWN", "RATELIMIT"]

_STATUS: dict[State, Status] = {
    "queued": "PENDING",
    "running": "RUNNING",
    "succeeded": "COMPLETE",
    "failed": "ERROR",
    "cancelled": "ERROR",
}
_TICKET = re.compile(rf"({MSA}-[A-Za-z0-9_-]{{1,64}})\.(e?)(t?)")


@dataclass(frozen=True, slots=True)
class Ticket:
    """A job of MSAs; env, templates: whether there are files for them."""

    msas: str
    env: bool = False
    templates: bool = False

    def __str__(self) -> str:
        """As the client sends it again."""
        return f"{self.msas}.{'e' * self.env}{'t' * self.templates}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """None for what is no ticket of ours, but perhaps one of MMseqs2-App's."""
        found = _TICKET.fullmatch(text)
        return cls(found[1], bool(found[2]), bool(found[3])) if found else None


def status_of(service: Service, ticket: Ticket) -> Status:
    """How a ticket stands, in the clients' words."""
    try:
        return _STATUS[service.msas.state(ticket.msas).state]
    except SearchExpired:
        # After UNKNOWN clients that follow a ticket ask for ever; after this they submit again.
        return "RATELIMIT"
    except SearchNotFound:
        return "UNKNOWN"
