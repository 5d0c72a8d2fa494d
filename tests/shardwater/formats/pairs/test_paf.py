"""PAF, read back by its definition."""

from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.strands import Strands
from shardwater.scoring.table import match_table
from shardwater.sequences.named import reverse_complement
from tests.support.found_pairs import found, operations, replay, sequences, text_of
from tests.support.schemes import MODES


def test_a_line_has_twelve_columns_and_tags() -> None:
    scheme = Scheme(match_table(2, -1), 1, 1)
    text = text_of("paf", found([("ACGTTGCAAC", "TTACGTTCAACT")], scheme))
    assert text == "q1\t10\t0\t10\t+\ts1\t12\t2\t11\t9\t10\t255\tNM:i:1\tAS:i:16\tcg:Z:5=1I4=\n"


def test_places_on_the_other_strand_count_along_the_query_as_it_was_given() -> None:
    text = text_of("paf", found([("TTTTTGACC", "GGTCAACCC")], strand="both"))
    assert text.split("\t")[:9] == ["q1", "9", "3", "9", "-", "s1", "9", "0", "6"]


def test_tenths_are_a_float() -> None:
    scheme = Scheme.of(match_table(2, -1), 0.5, 1, Mode.GLOBAL)
    assert "AS:f:2.5" in text_of("paf", found([("AAT", "AT")], scheme))


def test_pair_without_an_alignment_has_no_line() -> None:
    assert text_of("paf", found([("AAA", "CCC"), ("AC", "AC")])).startswith("q2\t")


@settings(max_examples=100, deadline=None)
@given(sequences, st.sampled_from(MODES), st.sampled_from(["forward", "both"]))
def test_what_is_written_is_the_alignment(pairs: list[tuple[str, str]], mode: Mode, strand: Strands) -> None:
    scheme = Scheme(match_table(2, -1), 1, 1, mode)
    answers = found(pairs, scheme, strand=strand)
    lines = [line.split("\t") for line in text_of("paf", answers).splitlines()]
    for line, answer in zip(lines, [each for each in answers if each.found and each.found.runs], strict=True):
        query_size, query_begin, query_end, subject_size, begin, end, same, columns, quality = map(
            int, line[1:4] + line[6:12]
        )
        query, subject = answer.query.letters, answer.subject.letters
        assert (line[0], line[4], line[5], quality) == (answer.query.name, answer.strand, answer.subject.name, 255)
        assert (query_size, subject_size) == (len(query), len(subject))
        tags = dict(tag.split(":", 1) for tag in line[12:])
        cigar = tags["cg"].removeprefix("Z:")
        part = query[query_begin:query_end]
        aligned = reverse_complement(part) if line[4] == "-" else part
        score, differing = replay(cigar, aligned, subject[begin:end], scheme)
        assert (tags["AS"], tags["NM"]) == (f"i:{score}", f"i:{differing}")
        assert (same, columns) == (columns - differing, sum(length for length, _ in operations(cigar)))
