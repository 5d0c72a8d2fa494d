"""ASN.1 value notation (ITU-T X.680), as far as NCBI's programs write it: names, numbers, strings, bytes, braces.

A value is read as a tree of blocks; what its elements mean is the format's business. Lists of numbers stay text: all of
a long value but some lines is such lists. Reading takes linear time, and braces stand no deeper in each other than
DEEPEST.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from shardwater.errors import AlignError

DEEPEST = 32
MOST_TOKENS = 10_000
"""Of one value, a list of numbers being one: more of them are no PSSM, and would take gigabytes."""
OPENS, CLOSES = "{}"
_NUMBERS = r"\{(?:[-0-9,\s]++|\{[-0-9,\s]*+\})*+\}"
"""Whole numbers, or such lists of them as real numbers are."""
_TOKEN = re.compile(rf"({_NUMBERS})|(\"[^\"]*+\"(?:\"[^\"]*+\")*+)|('[^']*+'H)|(::=|[{{}},])|([^\s{{}},\"']++)|(\S)")


class Asn1Error(AlignError):
    """Text that is no such value, or not the one that was asked for."""


@dataclass(slots=True)
class Block:
    """What stands in braces: elements, each the words and blocks of it; a list of numbers is a word."""

    elements: list[list["str | Block"]] = field(default_factory=list)

    def find(self, name: str) -> "str | Block | None":
        """What follows a name that begins an element: its last word or block; None where there is no such element."""
        for element in self.elements:
            if element[0] == name:
                return element[-1]
        return None

    def block(self, *names: str) -> "Block":
        """The block that is found by these names, one in the other; raises Asn1Error."""
        found: str | Block | None = self
        for name in names:
            found = found.find(name) if isinstance(found, Block) else None
        if not isinstance(found, Block):
            raise Asn1Error(f"there is no {' '.join(names)} with braces")
        return found

    def word(self, name: str) -> str:
        """The word, number, string or bytes that follow a name; raises Asn1Error."""
        found = self.find(name)
        if not isinstance(found, str):
            raise Asn1Error(f"there is no {name}")
        return found


def read_value(text: str, kind: str) -> Block:
    """The value of a type, which is all of the text: `Kind ::= { ... }`. Raises Asn1Error."""
    tokens = _tokens(text)
    if [token for _, token in zip(range(3), tokens, strict=False)] != [kind, "::=", "{"]:
        raise Asn1Error(f"the text does not begin with '{kind} ::= {{'")
    value = _block(tokens)
    if next(tokens, None) is not None:
        raise Asn1Error("there is more behind the value, as where several stand in one file: give one")
    return value


def _tokens(text: str) -> Iterator[str]:
    for number, found in enumerate(_TOKEN.finditer(text)):
        if number == MOST_TOKENS:
            raise Asn1Error(f"there are more than {MOST_TOKENS:,} words and braces beside its lists of numbers")
        if found[6]:
            line = text.count("\n", 0, found.start(6)) + 1
            raise Asn1Error(f"{found[6]!r} in line {line} begins nothing, or is not closed")
        yield found[0]


def _block(tokens: Iterator[str]) -> Block:
    """What follows an opening brace."""
    open_blocks = [Block()]
    waiting: list[list[str | Block]] = [[]]
    for token in tokens:
        if token == OPENS:
            if len(open_blocks) == DEEPEST:
                raise Asn1Error(f"braces stand more than {DEEPEST} deep")
            open_blocks.append(Block())
            waiting.append([])
        elif token in (",", CLOSES):
            if waiting[-1]:
                open_blocks[-1].elements.append(waiting[-1])
            waiting[-1] = []
            if token == CLOSES:
                closed = open_blocks.pop()
                waiting.pop()
                if not open_blocks:
                    return closed
                waiting[-1].append(closed)
        else:
            waiting[-1].append(token)
    raise Asn1Error("a brace is not closed: the text ends too early")


def string(word: str) -> str:
    """A string without its quotes; it may be written over several lines."""
    if not word.startswith('"'):
        raise Asn1Error(f"{word[:20]!r} is no string")
    return word[1:-1].replace('""', '"').replace("\r", "").replace("\n", "")


def numbers(word: str) -> list[int]:
    """A list of whole numbers, as they are written in braces."""
    try:
        return [int(number) for number in word.removeprefix(OPENS).removesuffix(CLOSES).split(",")]
    except ValueError:
        raise Asn1Error(f"{word[:20]!r} are no whole numbers with commas between them") from None


def octets(word: str) -> bytes:
    """Bytes as they are written in hexadecimal digits: '0C0B'H."""
    try:
        return bytes.fromhex(word.removesuffix("'H").removeprefix("'"))
    except ValueError:
        raise Asn1Error(f"{word[:20]!r} are no bytes in hexadecimal digits") from None


def quoted(text: str) -> str:
    """A string as it is written; control characters become spaces."""
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    return '"{}"'.format(clean.replace('"', '""'))
