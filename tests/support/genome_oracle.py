"""The list of HSPs of two genomes as decision 042 defines it: dictionaries and loops, nothing skipped, nothing fast."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from math import isqrt

from shardwater.genomes.comparison import Comparison
from shardwater.genomes.counts import Counts

BEFORE = "ACGT "
"""Letters before a word in their order; a blank is none."""
BLOCK = 32
POWERS = [1 << power for power in range(20)]

Seed = tuple[int, int]
Row = tuple[int, int, int, int, bool]
"""Query, subject (forward), length, matches, reverse."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where it begins on both strands, how long it is, and how many letters are equal."""

    x: int
    y: int
    length: int
    matches: int

    def holds(self, other: "Stretch") -> bool:
        """Whether another one of the same diagonal lies in it."""
        return self.x <= other.x and other.x + other.length <= self.x + self.length

    def overlaps(self, other: "Stretch") -> bool:
        """Whether it shares letters with another one of the same diagonal."""
        return self.x < other.x + other.length and other.x < self.x + self.length


@dataclass(frozen=True, slots=True)
class Strand:
    """Records one after another: text of A, C, G, T and ?; of each place where its record begins, and ends."""

    text: str
    begins: list[int]
    ends: list[int]

    @classmethod
    def of(cls, records: Sequence[str], *, reverse: bool = False) -> "Strand":
        texts = ["".join(letter if letter in "ACGT" else "?" for letter in _upper(each)) for each in records]
        if reverse:
            complements = str.maketrans("ACGT", "TGCA")
            texts = [each.translate(complements)[::-1] for each in reversed(texts)]
        begins, ends = list[int](), list[int]()
        for each in texts:
            first = len(begins)
            begins += [first] * len(each)
            ends += [first + len(each)] * len(each)
        return cls("".join(texts), begins, ends)

    def words(self, letters: int) -> dict[str, list[int]]:
        """Where each word begins."""
        places = defaultdict(list)
        for place, end in enumerate(self.ends):
            word = self.text[place : place + letters]
            if place + letters <= end and "?" not in word:
                places[word].append(place)
        return dict(places)

    def before(self, place: int) -> str:
        """The letter before a place, a blank where there is none."""
        letter = self.text[place - 1] if place > self.begins[place] else "?"
        return " " if letter == "?" else letter

    def ranked(self, places: list[int]) -> list[int]:
        """Places of a word by the letter before, then by place."""
        return sorted(places, key=lambda place: (BEFORE.index(self.before(place)), place))


def _upper(letters: str) -> str:
    return letters.upper().replace("U", "T")


def value_of(word: str) -> int:
    return sum(4**place * "ACGT".index(letter) for place, letter in enumerate(word))


def unit_of(word: str) -> int:
    return (value_of(word) * 0x9E3779B97F4A7C15 % 2**64) >> 56


@dataclass(frozen=True, slots=True)
class Compared:
    """A strand of the subject beside the query: all seeds, first seeds of the runs taken, HSPs before any merging."""

    seeds: set[Seed]
    starts: list[Seed]
    stretches: list[Stretch]
    counts: Counts


def compare(
    queries: Sequence[str], subjects: Sequence[str], comparison: Comparison, unit_runs: int = 1 << 18
) -> tuple[list[Row], tuple[Counts, ...]]:
    """The list of HSPs, and the counts of each strand."""
    rows, counts = list[Row](), list[Counts]()
    for reverse in comparison.both:
        query, subject = Strand.of(queries), Strand.of(subjects, reverse=reverse)
        compared = compare_strands(query, subject, comparison, unit_runs)
        counts.append(compared.counts)
        left_out = list(queries) == list(subjects) and not reverse
        listed = [each for each in chosen(compared.stretches) if not (left_out and each.x == each.y)]
        for each in [part for whole in listed for part in cut(query, subject, whole, comparison)]:
            if bounded(each, comparison):
                y = len(subject.text) - each.y - each.length if reverse else each.y
                rows.append((each.x, y, each.length, each.matches, reverse))
    return sorted(rows, key=lambda row: (row[4], *row[:3])), tuple(counts)


def compare_strands(query: Strand, subject: Strand, comparison: Comparison, unit_runs: int = 1 << 18) -> Compared:
    """All that two strands have in common."""
    ours, theirs = query.words(comparison.word), subject.words(comparison.word)
    words = [word for word in ours if word in theirs]
    seeds = {(x, y) for word in words for x in ours[word] for y in theirs[word]}
    begins = {(x, y) for x, y in seeds if (x - 1, y - 1) not in seeds}
    every = {word: sum((x, y) in begins for x in ours[word] for y in theirs[word]) for word in words}
    sampled = {
        word: _sampled(query.ranked(ours[word]), subject.ranked(theirs[word]), begins, comparison) for word in words
    }
    limits = _limits({word: len(starts) for word, starts in sampled.items()}, comparison, unit_runs)
    taken = {}
    for word in words:
        limit = min(limits.get(unit_of(word), len(sampled[word])), comparison.max_frequency or len(sampled[word]))
        taken[word] = sampled[word][:: max(1, -(-len(sampled[word]) // max(1, limit)))]
    starts = [start for word in words for start in taken[word]]
    if comparison.extension == "blocks":
        stretches, kept = _blocks(query, subject, seeds, starts)
    else:
        stretches, kept = [extended(query, subject, *start, comparison.word) for start in starts], len(starts)
    counts = Counts(
        query_words=sum(map(len, ours.values())),
        subject_words=sum(map(len, theirs.values())),
        seeds=len(seeds),
        runs=len(begins),
        kept=kept,
        sampled_words=sum(len(taken[word]) < every[word] for word in words),
        least_frequency=min(limits.values(), default=0),
    )
    return Compared(seeds, starts, stretches, counts)


def _sampled(ours: list[int], theirs: list[int], begins: set[Seed], comparison: Comparison) -> list[Seed]:
    """The first seeds that a word has where its places, which are ranked, are taken as the sensitivity says."""
    if comparison.sensitivity != "sensitive":
        ours, theirs = ours[:: isqrt(4 * len(ours))], theirs[:: isqrt(4 * len(theirs))]
    if comparison.sensitivity == "hyperfast":
        theirs = theirs[:1]
    return [(x, y) for x in ours for y in theirs if (x, y) in begins]


def _limits(runs: dict[str, int], comparison: Comparison, unit_runs: int) -> dict[int, int]:
    """The limits of those units that have too many runs."""
    units = defaultdict(list)
    for word, own in runs.items():
        units[unit_of(word)].append(min(own, comparison.max_frequency or own))
    limits = {}
    for unit, counts in units.items():
        if sum(counts) > unit_runs:
            powers = [1 << power for power in range(40)]
            limits[unit] = max(
                (each for each in powers if sum(min(one, each) for one in counts) <= unit_runs), default=1
            )
    return limits


def equal(query: Strand, subject: Strand, x: int, y: int) -> bool:
    return query.text[x] == subject.text[y] != "?"


def extended(query: Strand, subject: Strand, x: int, y: int, word: int) -> Stretch:
    """The HSP of a run letter by letter, from its first seed."""

    def side(score: int, room: int, first: int, way: int) -> tuple[int, int]:
        best, letters = score, 0
        for number in range(room):
            score += 1 if equal(query, subject, x + first + way * number, y + first + way * number) else -1
            if score < 0:
                break
            if score > best:
                best, letters = score, number + 1
        return best, letters

    best, right = side(word, min(query.ends[x] - x, subject.ends[y] - y) - word, word, 1)
    _, left = side(best, min(x - query.begins[x], y - subject.begins[y]), -1, -1)
    return stretch(query, subject, x - left, y - left, left + word + right)


def stretch(query: Strand, subject: Strand, x: int, y: int, length: int) -> Stretch:
    """A stretch with its equal letters."""
    return Stretch(x, y, length, sum(equal(query, subject, x + each, y + each) for each in range(length)))


def _blocks(query: Strand, subject: Strand, seeds: set[Seed], starts: list[Seed]) -> tuple[list[Stretch], int]:
    """HSPs in blocks of 32, from all seeds of these runs, and how many seeds the filter keeps."""
    diagonals = defaultdict(list)
    for x, y in starts:
        along = takewhile(lambda seed: seed in seeds, zip(count(x), count(y), strict=True))
        diagonals[y - x] += [place for place, _ in along]
    found, kept = list[Stretch](), 0
    for diagonal, places in diagonals.items():
        last, end = -2 * BLOCK, 0
        for x in sorted(places):
            if x - last < 2 * BLOCK:
                continue
            last, kept = x, kept + 1
            if x >= end:
                found.append(_in_blocks(query, subject, x, x + diagonal))
                end = found[-1].x + found[-1].length
    return found, kept


def _in_blocks(query: Strand, subject: Strand, x: int, y: int) -> Stretch:
    def side(room: int, way: int) -> int:
        score = best = BLOCK
        letters = matches = taken = 0
        while score > 0 and letters + BLOCK <= room:
            at = BLOCK + letters if way > 0 else -BLOCK - letters
            more = sum(equal(query, subject, x + at + each, y + at + each) for each in range(BLOCK))
            letters, matches, score = letters + BLOCK, matches + more, score + 2 * more - BLOCK
            if score > best and 5 * (16 + matches) >= 4 * (16 + letters):
                best, taken = score, letters
        return taken

    left = side(min(x - query.begins[x], y - subject.begins[y]), -1)
    right = side(min(query.ends[x] - x, subject.ends[y] - y) - BLOCK, 1)
    return stretch(query, subject, x - left, y - left, left + BLOCK + right)


def cut(query: Strand, subject: Strand, whole: Stretch, comparison: Comparison) -> list[Stretch]:
    """An HSP, or where its score falls too far the longest stretches in which it does not, from every letter on."""
    if comparison.extension == "blocks" or comparison.x_drop == 0:
        return [whole]
    sums = [0]
    for place in range(whole.length):
        sums.append(sums[-1] + (4 if equal(query, subject, whole.x + place, whole.y + place) else -4))
    if _ends(sums, 0, comparison.x_drop)[-1:] == [whole.length]:
        return [whole]
    stretches = [
        stretch(query, subject, whole.x + begin, whole.y + begin, end - begin)
        for begin in range(whole.length)
        for end in _ends(sums, begin, comparison.x_drop)[-1:]
        if sums[end] - sums[begin] >= 4 * comparison.word
    ]
    return [each for each in stretches if not any(other != each and other.holds(each) for other in stretches)]


def _ends(sums: list[int], begin: int, x_drop: int) -> list[int]:
    """Where a stretch from here may end, so that no sum falls too far or lies outside of those at its ends."""
    highest, ends = sums[begin], list[int]()
    for place in range(begin + 1, len(sums)):
        highest = max(highest, sums[place])
        if sums[place] < sums[begin] or highest - sums[place] > x_drop:
            break
        if sums[place] == highest:
            ends.append(place)
    return ends


def bounded(each: Stretch, comparison: Comparison) -> bool:
    """Whether it is as long and as equal as is asked for."""
    return each.length >= comparison.min_length and 100 * each.matches >= comparison.min_identity * each.length


def chosen(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Of each diagonal those that are in no other one, of overlapping ones the longest."""
    diagonals = defaultdict(set)
    for each in stretches:
        diagonals[each.y - each.x].add(each)
    found = list[Stretch]()
    for several in diagonals.values():
        maximal = [each for each in several if not any(other != each and other.holds(each) for other in several)]
        taken = list[Stretch]()
        for each in sorted(maximal, key=lambda each: (-each.length, each.x)):
            if not any(each.overlaps(other) for other in taken):
                taken.append(each)
        found += taken
    return found
