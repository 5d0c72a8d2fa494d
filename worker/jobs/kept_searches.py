"""Searches as they are kept with their jobs: with all that they need, so that nothing is looked up."""

from typing import Annotated, Self

from pydantic import Field, TypeAdapter, model_validator

from shardwater.errors import ScoringError
from shardwater.scoring.scoring import Rows, Scoring, own_matrix
from shardwater.statistics.background import WithoutGaps
from worker.jobs.requests import SearchRequest


class OwnMatrixSearch(SearchRequest):
    """A search with a matrix of somebody's own, whose scores it has with it: what works on it looks nothing up."""

    matrix_scores: Rows

    @model_validator(mode="after")
    def _check_scores(self) -> Self:
        try:
            matrix = own_matrix(self.matrix_scores)
        except ScoringError as error:
            raise ValueError(str(error)) from None
        if matrix.name != self.matrix:
            raise ValueError("the scores are those of another matrix")
        if self.iterations > 1:
            # A profile's scores are in units of the matrix, which one without statistics does not have.
            try:
                WithoutGaps.of(matrix.scores)
            except ScoringError as error:
                raise ValueError(f"no profiles can be made with this matrix: {error}") from None
        return self

    @classmethod
    def of(cls, search: SearchRequest, scores: Rows) -> Self:
        """A search whose matrix has these scores."""
        return cls.model_validate({**search.model_dump(exclude_unset=True), "matrix_scores": scores})

    @property
    def scoring(self) -> Scoring:
        """The matrix and gap costs, which are given."""
        assert self.gap_open is not None
        assert self.gap_extend is not None
        return Scoring(self.matrix, self.gap_open, self.gap_extend, self.matrix_scores)


_KEPT: TypeAdapter[SearchRequest] = TypeAdapter(
    Annotated[OwnMatrixSearch | SearchRequest, Field(union_mode="left_to_right")]
)


def read_request(kept: bytes | str) -> SearchRequest:
    """A search as it is kept with its job; raises ValidationError."""
    return _KEPT.validate_json(kept)
