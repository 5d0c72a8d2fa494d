"""Values as clients write them: a form sends numbers as text, and so may JSON; but true is no 1, and 1 is not true."""

from functools import cache
from typing import get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationInfo, field_validator

from worker.jobs.decimals import decimal, is_whole


class PlainValues(BaseModel):
    """A request whose numbers may be text in plain decimal notation."""

    @field_validator("*", mode="before")
    @classmethod
    def _check_plain(cls, value: object, info: ValidationInfo) -> object:
        kinds = _kinds(cls, info.field_name or "")
        if isinstance(value, bool | int | float) and isinstance(value, bool) is not (bool in kinds):
            raise ValueError("true or false is needed" if bool in kinds else "neither true nor false will do")
        if int in kinds and isinstance(value, str) and not is_whole(value):
            raise ValueError("a whole number is needed, in digits alone")
        return decimal(value) if float in kinds else value


@cache
def _kinds(request: type[BaseModel], field: str) -> tuple[type, ...]:
    """The types that a field may have, without their bounds."""
    kind = get_type_hints(request)[field]
    # What stands in a list is for the list's own validator.
    return (tuple,) if get_origin(kind) is tuple else get_args(kind) or (kind,)
