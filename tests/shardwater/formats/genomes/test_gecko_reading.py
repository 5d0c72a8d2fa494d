"""GECKO's CSV: written, read back, and alignments printed from what was read."""

from io import BytesIO

import numpy as np
import pytest

from shardwater.formats.genomes.gecko_reading import UnreadableCsv, read_csv
from shardwater.formats.genomes.layout import Layout, Listed
from shardwater.formats.genomes.printed import print_alignments
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.comparison import Comparison
from tests.support.genome_lists import GAPPED, QUERY, SUBJECT, UNGAPPED, alignments, listed, text_of

TEXT = text_of("csv", UNGAPPED, Layout(Comparison(min_length=10)))


def test_header_has_lengths_and_limits_then_a_line_a_fragment() -> None:
    lines = TEXT.splitlines()
    assert lines[6:10] == ["SeqX length : 65", "SeqY length : 81", "Min.fragment.length : 10", "Min.Identity : 60"]
    assert lines[12] == "Total fragments : 3"
    assert lines[16] == "Type,xStart,yStart,xEnd,yEnd,strand(f/r),block,length,score,ident,similarity,%ident,SeqX,SeqY"
    assert lines[17:] == [
        "Frag,3,4,26,27,f,0,24,88,23,91.67,0.96,0,0",
        "Frag,35,52,52,35,r,0,18,72,18,100.00,1.00,1,1",
        "Frag,47,70,57,80,f,0,11,28,9,63.64,0.82,1,2",
    ]


def test_what_was_written_is_read_back() -> None:
    found = read_csv(BytesIO(TEXT.encode()), QUERY, SUBJECT)
    assert np.array_equal(Alignments.of_hsps(found).rows, alignments(UNGAPPED).rows)


def test_alignments_printed_from_it_match() -> None:
    found = read_csv(BytesIO(TEXT.replace("\n", "\r\n").encode()), QUERY, SUBJECT)
    text = "".join(print_alignments(Listed(QUERY, SUBJECT, Alignments.of_hsps(found))))
    first = "TTTGTAGCTAACTCTCGATTACAG\n|||||||||||||||| |||||||\nTTTGTAGCTAACTCTCcATTACAG\n"
    assert text.startswith(f">q1 4-27, s1 5-28: 23 of 24 equal\n{first}\n>q2 5-22 (-), s2 5-22: 18 of 18 equal\n")
    # Every row is as many bars as its CSV says.
    assert [part.count("|") for part in text.split(">")[1:]] == [23, 18, 9]
    assert "GGAC-TCGAATGCCA-TGG\n||||         |  |||\nGGACTCGA--ATGCCATGG\n" in "".join(
        print_alignments(listed(GAPPED))
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Type,xStart", "Type,x", "line 17: 16 lines and GECKO's columns do not begin it"),
        ("length : 65", "length : 66", "line 7: SeqX has 65 letters, other than it says"),
        ("length : 81", "length : 8 1", "line 8: SeqY has 81 letters, other than it says"),
        ("Frag,35,52,52,35,r", "Frag,35,52,52,35,x", "line 19: it is no fragment with GECKO's columns"),
        ("Frag,35,52", "Frag,12345678901,52", "line 19: it is no fragment"),
        ("Frag,35,52", f"Frag,{'1' * 5000},52", "line 19: it is longer than 4096 bytes"),
        ("Frag,47,70,57,80", "Frag,47,71,57,80", "line 20: its numbers contradict each other"),
        ("11,28,9", "11,28,8", "line 20: its numbers contradict"),
        ("11,28,9", "11,52,12", "line 20: its numbers contradict"),
        ("Frag,47,70,57,80", "Frag,28,70,38,80", "line 20: its numbers contradict each other, or are in no record"),
        ("0.82,1,2", "0.82,1,3", "line 20: its numbers contradict each other, or are in no record"),
        ("Frag,35,52,52,35,r", "Frag,35,35,52,52,r", "line 19: its numbers contradict"),
    ],
)
def test_what_is_wrong_is_refused_by_its_line(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(UnreadableCsv, match=f"^{message}"):
        read_csv(BytesIO(TEXT.replace(old, new).encode()), QUERY, SUBJECT)


def test_text_that_ends_too_early_is_refused() -> None:
    with pytest.raises(UnreadableCsv, match=r"^line 1: "):
        read_csv(BytesIO(b""), QUERY, SUBJECT)
    with pytest.raises(UnreadableCsv, match=r"^line 16: "):
        read_csv(BytesIO("\n".join(TEXT.splitlines()[:16]).encode()), QUERY, SUBJECT)
