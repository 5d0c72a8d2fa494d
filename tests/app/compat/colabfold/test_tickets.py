"""Tickets say which job and which files they are for, and are known from any other text."""

import pytest

from app.compat.colabfold.tickets import Ticket

JOB = f"msa-{'a_B-' * 8}xy"


@pytest.mark.parametrize(("env", "templates", "end"), [(True, True, ".et"), (True, False, ".e"), (False, False, ".")])
def test_ticket_is_read_as_it_was_written(env: bool, templates: bool, end: str) -> None:
    ticket = Ticket(JOB, env, templates)
    assert str(ticket) == JOB + end
    assert Ticket.read(str(ticket)) == ticket


@pytest.mark.parametrize(
    "text", [JOB, f"{JOB}.te", f"{JOB}.et\n", f"chain-{'a' * 34}.", "msa-.", f"msa-{'a' * 65}.", ""]
)
def test_other_texts_are_none(text: str) -> None:
    assert Ticket.read(text) is None
