"""Numbers as clients write them: plain ASCII decimal notation. Python alone would take 1_0 and other digits too."""

import re

_WHOLE = re.compile(r"-?[0-9]{1,20}")
_DECIMAL = re.compile(r"-?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,9})?")


def is_whole(text: str) -> bool:
    """Whether a text is a whole number."""
    return _WHOLE.fullmatch(text) is not None


def is_decimal(text: str) -> bool:
    """Whether a text is a decimal number, with an exponent or without."""
    return _DECIMAL.fullmatch(text) is not None


def decimal(value: object) -> object:
    """The same; raises ValueError for text that is no decimal number, some of which would be taken for one."""
    if isinstance(value, str) and not is_decimal(value):
        raise ValueError("a decimal number is needed, as 10, 0.5 or 1e-5")
    return value
