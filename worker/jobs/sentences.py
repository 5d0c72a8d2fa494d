"""What pydantic finds wrong with what somebody asks for, in plain sentences: over HTTP and on the command line."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

_WHOLE, _NUMBER, _TEXT = "a whole number is needed", "a number is needed", "text is needed"
_TRUTH, _OBJECT, _MOMENT = (
    "true or false is needed",
    "a JSON object is needed",
    "a date is needed, as 2026-01-31T12:00:00Z",
)
_SENTENCES = {
    "missing": "it is missing",
    "json_invalid": "it is not JSON",
    "extra_forbidden": "there is no such parameter",
    "value_error": "{error}",
    "greater_than": "a number above {gt:.16g} is needed",
    "greater_than_equal": "{ge:.16g} or more is needed",
    "less_than": "a number below {lt:.16g} is needed",
    "less_than_equal": "{le:.16g} or less is needed",
    "finite_number": "a finite number is needed",
    "string_too_short": "{min_length} or more characters are needed",
    "string_too_long": "{max_length} characters or fewer are needed",
    "too_short": "{min_length} or more are needed, not {actual_length}",
    "too_long": "{max_length} or fewer are needed",
    "literal_error": "{expected} is needed",
    "enum": "{expected} is needed",
    **dict.fromkeys(("list_type", "tuple_type"), "a list is needed"),
    **dict.fromkeys(("string_type", "string_unicode"), _TEXT),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), _TRUTH),
    **dict.fromkeys(("model_type", "model_attributes_type", "dict_type"), _OBJECT),
    **dict.fromkeys(("datetime_type", "datetime_parsing", "datetime_from_date_parsing"), _MOMENT),
}
"""By pydantic's type of error; what stands in braces is in the error's `ctx`."""


def sentence(error: ErrorDetails) -> str:
    """What one of a ValidationError's errors() says; pydantic's own words of a kind that nobody thought of here."""
    known = _SENTENCES.get(error["type"])
    return error["msg"] if known is None else known.format_map(error.get("ctx", {}))


def refused(field: str, error: str) -> ValidationError:
    """What a check of several fields raises where one of them is at fault."""
    fault = PydanticCustomError("value_error", "{error}", {"error": error})
    return ValidationError.from_exception_data("request", [InitErrorDetails(type=fault, loc=(field,), input="")])
