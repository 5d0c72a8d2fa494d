"""Parts of stored lists: what is told of them by columns is what is told of each pair by itself."""

from itertools import product
from pathlib import Path

import pytest

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.pairs.writers import WRITERS, columns_for
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.found import FoundPart, FoundParts
from shardwater.pairs.lists import Pairing, PairLists
from shardwater.pairs.stored import Answers
from shardwater.pairs.strands import Strands, align_strands
from shardwater.scoring.table import match_table
from shardwater.sequences.alphabets import DNA, UnknownLetter
from shardwater.sequences.named import Letters
from shardwater.sequences.stored import StoredSequences

QUERIES = ["ACGTACGTTT", "acgtTGCA", "", "GGGGTTTT", "ACGTNNACGTRY"]
SUBJECTS = ["ACGTCGTTT", "TGCAACGT", "ACGT", "", "AAAACCCC"]


@pytest.fixture
def lists(tmp_path: Path):
    """lists(pairing): queries and subjects with names that JSON and tables have to look at."""
    for name, sequences in (("queries", QUERIES), ("subjects", SUBJECTS)):
        named = [Letters(f'{name} "{number}"\té', text.encode()) for number, text in enumerate(sequences)]
        StoredSequences.write(tmp_path / name, named)
    return lambda pairing: PairLists.open(tmp_path, pairing)


def part(lists: PairLists, numbers: range, scheme: Scheme, report, strand: Strands) -> FoundPart:
    aligned = align_strands(lists.batch(numbers, DNA), scheme, report, strand, CpuPairs(1))
    found = [each.answers for each in aligned if each.answers is not None]
    return FoundPart(lists, numbers, Answers.gathered(scheme.mode.local, found), scheme, report)


def written(name, pairs, report) -> bytes:
    pieces = WRITERS[name].write(pairs, Layout("", columns_for(name, report, None)))
    return b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)


@pytest.mark.parametrize("pairing", ["zip", "all"])
@pytest.mark.parametrize("strand", ["forward", "both"])
@pytest.mark.parametrize("report", ["score", "ends", "alignment"])
@pytest.mark.parametrize("name", ["json", "ndjson", "tab"])
def test_parts_are_written_as_their_pairs_are(lists, name, report, strand: Strands, pairing: Pairing) -> None:
    for mode, gaps in product((Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL), ((1, 1), (0.5, 0.5))):
        scheme = Scheme.of(match_table(2, -1), *gaps, mode)
        both = lists(pairing)
        parts = [part(both, numbers, scheme, report, strand) for numbers in (range(3), range(3, len(both)))]
        one_by_one = [pair for each in parts for pair in each]
        assert written(name, FoundParts(parts), report) == written(name, one_by_one, report)
        letters = [(pair.query.letters.decode(), pair.subject.letters.decode()) for pair in one_by_one]
        expected = zip(QUERIES, SUBJECTS, strict=True) if pairing == "zip" else product(QUERIES, SUBJECTS)
        assert letters == list(expected)


@pytest.mark.parametrize("name", ["json", "ndjson"])
def test_pieces_are_no_longer_than_a_line(lists, name) -> None:
    # All of a part at once would take as much memory as its names, however long these are.
    every = part(lists("all"), range(25), Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL), "score", "forward")
    pieces = list(WRITERS[name].write(FoundParts([every]), Layout("", ())))
    assert len(pieces) >= 25
    assert max(piece.count("\n") for piece in pieces) <= 2


def test_letter_that_there_is_not_is_told_by_its_sequence(tmp_path: Path) -> None:
    StoredSequences.write(tmp_path / "queries", [Letters("one", b"ACGT"), Letters("two", b"ACGT!T")])
    StoredSequences.write(tmp_path / "subjects", [Letters("three", b"A")])
    for numbers in (range(2), range(1, 2)):
        with pytest.raises(UnknownLetter, match="sequence two: '!' at letter 5 "):
            PairLists.open(tmp_path, "all").batch(numbers, DNA)


@pytest.mark.parametrize("numbers", [range(2, 4), range(1, 9), range(0, 3), range(5, 9), range(0, 1)])
def test_some_pairs_of_a_part_are_told_alone(lists, numbers: range) -> None:
    own = range(1, 5)
    whole = part(lists("zip"), own, Scheme.of(match_table(2, -1), 1, 1, Mode.LOCAL), "alignment", "both")
    some, told = whole.only(numbers), whole.told
    kept = [place for place, number in enumerate(own) if number in numbers]
    assert some.told == {name: [values[place] for place in kept] for name, values in told.items()}
    assert [pair.query.letters.decode() for pair in some] == [QUERIES[own[place]] for place in kept]


@pytest.mark.parametrize("pairing", ["zip", "all"])
@pytest.mark.parametrize("strand", ["forward", "both"])
def test_a_pair_alone_is_as_among_the_others(lists, strand: Strands, pairing: Pairing) -> None:
    stored = lists(pairing)
    numbers = range(1, min(len(stored), 19))
    scheme = Scheme(match_table(2, -1), 1, 1)
    whole = part(stored, numbers, scheme, "alignment", strand)
    expected = list(whole)
    for number, pair in zip(numbers, expected, strict=True):
        [alone] = whole.only(range(number, number + 1))
        assert (alone, alone.told, alone.rows) == (pair, pair.told, pair.rows)
