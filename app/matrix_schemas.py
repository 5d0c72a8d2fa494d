"""Shapes of users' own matrices over HTTP."""

from datetime import datetime

from pydantic import BaseModel, Field


class OwnMatrix(BaseModel):
    """A substitution matrix of your own; its `id` works as `matrix` of a search."""

    id: str = Field(description="It follows from the scores: equal ones have one id, whoever has sent them.")
    letters: str = Field(description="The order of the rows, and of the scores in each.")
    scores: list[list[int]] = Field(description="Those that were sent, and those of letters that were left out.")
    expires_at: datetime = Field(description="When it is removed; searches that were asked for by then go on.")
