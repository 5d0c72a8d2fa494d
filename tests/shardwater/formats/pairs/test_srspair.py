"""EMBOSS's pairwise text: written out, and as Biopython reads it."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.scoring.table import match_table, matrix_table
from tests.support.found_pairs import found, sequences, text_of

GLOBAL = Scheme.of(matrix_table("BLOSUM62"), 9.5, 0.5, Mode.GLOBAL)
# From UniProt: P69905 and P68871.
HBA = (
    "MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTP"
    "AVHASLDKFLASVSTVLTSKYR"
)
HBB = (
    "MVHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPKVKAHGKKVLGAFSDGLAHLDNLKGTFATLSELHCDKLHVDPENFRLLGNVLVCVLAHHFG"
    "KEFTPPVQAAYQKVVAGVANALAHKYH"
)


def test_globins_are_printed_as_needle_prints_them() -> None:
    """Needle's own figures of this pair: EMBOSS's manual shows length 149, 65 identical, 90 similar, score 292.5."""
    text = text_of("srspair", found([(HBA, HBB)], GLOBAL))
    assert "# Gap_penalty: 10.0\n# Extend_penalty: 0.5\n#\n# Length: 149\n" in text
    assert "# Identity:      65/149 (43.6%)\n# Similarity:    90/149 (60.4%)\n# Gaps:           9/149 ( 6.0%)\n" in text
    assert "# Score: 292.5\n# \n#\n#=======================================\n\n" in text
    assert (
        "s1                99 VDPENFRLLGNVLVCVLAHHFGKEFTPPVQAAYQKVVAGVANALAHKYH    147\n"
        "\n\n#---------------------------------------\n#---------------------------------------\n"
    ) in text
    assert "\n                     |||.||:||.:.|:..||.|...||||.|.|:..|.:|.|:..|..||.\n" in text


def test_marks_are_those_of_emboss() -> None:
    lines = text_of("srspair", found([("MKVLWS", "MRVWS")], GLOBAL)).splitlines()
    at = lines.index("q1                 1 MKVLWS      6")
    assert lines[at + 1 : at + 3] == ["                     |:| ||", "s1                 1 MRV-WS      5"]


def test_the_same_letters_without_a_score_have_no_mark_and_are_not_similar() -> None:
    text = text_of("srspair", found([("ACGTNNACGT", "ACGTNNACGT")]))
    assert "# Identity:      10/10 (100.0%)\n# Similarity:     8/10 (80.0%)\n" in text
    assert "\n                     ||||  ||||\n" in text


def test_line_without_letters_has_the_place_of_the_letter_before() -> None:
    scheme = Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL)
    text = text_of("srspair", found([("", "ACGT"), ("AC", "AC" + "G" * 100)], scheme))
    assert "q1                 0 ----      0\n" in text
    assert f"q2                 2 {'-' * 50}      2\n" in text


def test_places_run_backwards_on_the_other_strand() -> None:
    text = text_of("srspair", found([("TTTTTGACC", "GGTCAACCC")], strand="both"))
    assert (
        "q1                 9 GGTCAA      4\n                     ||||||\ns1                 1 GGTCAA      6\n" in text
    )


def test_pair_without_an_alignment_has_a_header_alone() -> None:
    text = text_of("srspair", found([("AAA", "CCC")]))
    assert "# Length: 0\n# Identity:       0/0 ( 0.0%)\n" in text
    assert "# Score: 0.0\n" in text
    assert "|" not in text


@settings(max_examples=100, deadline=None)
@given(sequences, st.sampled_from([Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL]))
def test_biopython_reads_it(pairs: list[tuple[str, str]], mode: Mode) -> None:
    reader = pytest.importorskip("Bio.AlignIO")
    scheme = Scheme(match_table(2, -1), 1, 1, mode)
    answers = [each for each in found(pairs, scheme) if each.rows is not None and each.rows.query]
    read = list(reader.parse(io.StringIO(text_of("srspair", answers)), "emboss"))
    shown = [[each.rows.query, each.rows.subject] for each in answers if each.rows is not None]
    assert [[str(record.seq) for record in one] for one in read] == shown
    assert [one.annotations["score"] for one in read] == [each.told.score for each in answers]
