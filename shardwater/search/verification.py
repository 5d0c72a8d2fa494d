"""Whether a result is what its search finds when it is made again: what differs, in words.

Two results are compared by their canonical forms, of which their digests are made (digests.py): what may differ where
hits may not is no difference. Hits are told by their accessions, so that one that is missing does not make all after it
differ.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile, zip_longest
from typing import Any, Self

from shardwater.search.canonical_json import canonical
from shardwater.search.digests import covered_head, covered_part

MOST_DIFFERENCES = 20
"""Those that are kept; the others are counted."""
LONGEST_VALUE = 60
"""Letters that are shown of a longer value."""
VERSION = "software.version"
_MISSING = object()
_CUT = "..."

Plain = Mapping[str, Any]
"""An object of JSON, as json.loads gives it."""


def value_text(value: Any) -> str | None:
    """A value of JSON as text; None for none."""
    return None if value is _MISSING else canonical(value).decode("utf-8", "replace")


def _shortened(text: str | None, first: int) -> str | None:
    """As much of a value's text as a line shows, of a long one what stands about letter `first`, where it differs."""
    if text is None or len(text) <= LONGEST_VALUE + 2 * len(_CUT):
        return text
    start = max(0, min(first - LONGEST_VALUE // 2, len(text) - LONGEST_VALUE))
    before, after = _CUT if start else "", _CUT if start + LONGEST_VALUE < len(text) else ""
    return f"{before}{text[start : start + LONGEST_VALUE]}{after}"


def score_text(score: object) -> str:
    """A whole hit, or a subject that should be one, as a line shows it."""
    return f"score {score}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A member that has one value in the result and another one when it is computed anew; None where it is missing.

    query counts from 1, and is None for what belongs to the whole; rank is the hit's place in the list where it stands.
    """

    member: str
    stored: str | None
    computed: str | None
    query: int | None = None
    query_id: str = ""
    rank: int | None = None
    accession: str = ""

    def shortened(self) -> Self:
        """The same with as much of its values as a line shows: what stands about the letter where they differ."""
        letters = zip(self.stored or "", self.computed or "", strict=False)
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], letters))
        return replace(self, stored=_shortened(self.stored, alike), computed=_shortened(self.computed, alike))

    def __str__(self) -> str:
        query = f"query {self.query} ({self.query_id})" if self.query else ""
        subject = f"subject {self.accession}" if self.accession else ""
        hit = f"hit {self.rank} ({self.accession})" if self.rank else subject
        place = ", ".join(part for part in (query, hit, self.member) if part)
        shown = self.shortened()
        return f"{place}: {shown.stored or 'missing'}; computed anew: {shown.computed or 'missing'}"


@dataclass(frozen=True, slots=True)
class Differences:
    """The first differences, and how many there are."""

    first: tuple[Difference, ...]
    total: int

    @classmethod
    def of(cls, found: Iterable[Difference], most: int = MOST_DIFFERENCES) -> "Differences":
        """Those that are found; no more than `most` are held."""
        each = iter(found)
        first = tuple(islice(each, most))
        return cls(first, len(first) + sum(1 for _ in each))

    @property
    def of_version_alone(self) -> bool:
        """Whether another version of Shardwater has made the same result."""
        return self.total == 1 and self.first[0].member == VERSION


def compare(stored: Plain, computed: Plain, most: int = MOST_DIFFERENCES) -> Differences:
    """What differs between a result and the same computed anew, both as plain JSON; that of the whole comes first."""
    return Differences.of(between(stored, computed), most)


def between(stored: Plain, computed: Plain) -> Iterator[Difference]:
    """The same one by one: of the whole, then of one query after the other."""
    for member, one, other in _members(covered_head(stored), covered_head(computed)):
        yield Difference(member, value_text(one), value_text(other))
    parts, others = stored["results"], computed["results"]
    if len(parts) != len(others):
        yield Difference("queries", str(len(parts)), str(len(others)))
    for number, (part, other) in enumerate(zip(parts, others, strict=False), start=1):
        if canonical(covered_part(part)) != canonical(covered_part(other)):
            yield from _between_parts(number, part, other)


def _between_parts(number: int, stored: Plain, computed: Plain) -> Iterator[Difference]:
    query_id = str(stored["query"]["id"])
    head, other = ({name: part[name] for name in covered_part(part) if name != "hits"} for part in (stored, computed))
    for member, one, another in _members(head, other):
        yield Difference(member, value_text(one), value_text(another), number, query_id)
    for rank, accession, member, one, another in _between_hits(_listed(stored["hits"]), _listed(computed["hits"])):
        yield Difference(member, one, another, number, query_id, rank, accession)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A hit, and its place in the list, from 1."""

    place: int
    hit: Plain


def _listed(hits: Sequence[Plain]) -> dict[tuple[str, int], _Listed]:
    """Hits by accession and by how many of the same come before: none, but in a result that somebody has changed."""
    listed: dict[tuple[str, int], _Listed] = {}
    for place, hit in enumerate(hits, start=1):
        before = 0
        accession = str(hit["accession"])
        while (accession, before) in listed:
            before += 1
        listed[accession, before] = _Listed(place, hit)
    return listed


_Key = tuple[str, int]


def _between_hits(
    stored: Mapping[_Key, _Listed], computed: Mapping[_Key, _Listed]
) -> Iterator[tuple[int, str, str, str | None, str | None]]:
    """The rank, accession and member of what differs, and its two values."""
    for key, each in stored.items():
        if key not in computed:
            yield each.place, key[0], "", score_text(each.hit["score"]), None
    for key, each in computed.items():
        if key not in stored:
            yield each.place, key[0], "", None, score_text(each.hit["score"])
    order = {key: number for number, key in enumerate(key for key in computed if key in stored)}
    common = [(key, each, computed[key]) for key, each in stored.items() if key in computed]
    for number, (key, one, other) in enumerate(common):
        if not _is_merely_shifted(one, other, moved=order[key] != number):
            yield one.place, key[0], "rank", _rank(one), _rank(other)
        for member, value, another in _members(_unranked(one.hit), _unranked(other.hit)):
            yield one.place, key[0], member, value_text(value), value_text(another)


def _is_merely_shifted(one: _Listed, other: _Listed, *, moved: bool) -> bool:
    """Whether a hit stands where it should, those left out that the other list has not."""
    return not moved and _rank(one) == str(one.place) and _rank(other) == str(other.place)


def _rank(listed: _Listed) -> str | None:
    """The rank that a hit says, and its place where that is another."""
    rank = value_text(listed.hit["rank"])
    return rank if rank == str(listed.place) else f"{rank}, at place {listed.place}"


def _unranked(hit: Plain) -> Plain:
    return {name: value for name, value in hit.items() if name != "rank"}


def _members(stored: Any, computed: Any, member: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The members whose values differ, down to those that are neither objects nor lists."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        for name in sorted(stored.keys() | computed.keys()):
            inner = f"{member}.{name}" if member else name
            yield from _members(stored.get(name, _MISSING), computed.get(name, _MISSING), inner)
    elif isinstance(stored, list) and isinstance(computed, list):
        for number, (one, other) in enumerate(zip_longest(stored, computed, fillvalue=_MISSING), start=1):
            yield from _members(one, other, f"{member}[{number}]")
    elif stored is _MISSING or computed is _MISSING or canonical(stored) != canonical(computed):
        yield member, stored, computed
