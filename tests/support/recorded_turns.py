"""Stands in for threads in which accounts take turns."""

from collections.abc import Callable

from fastapi import Response


class RecordedTurns:
    """Runs everything at once, and notes for which account."""

    def __init__(self) -> None:
        self.accounts: list[str] = []

    async def run(self, account: str, work: Callable[[], Response]) -> Response:
        self.accounts.append(account)
        return work()
