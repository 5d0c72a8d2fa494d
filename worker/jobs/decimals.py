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
