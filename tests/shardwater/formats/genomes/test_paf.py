"""PAF, read back by what minimap2's manual and D-GENIES' documentation say of its columns."""

import re

from shardwater.sequences.named import reverse_complement
from tests.support.genome_lists import GAPPED, QUERY, SUBJECT, UNGAPPED, letters, text_of


def test_a_line_has_twelve_columns_and_tags() -> None:
    assert text_of("paf", UNGAPPED).splitlines()[1] == (
        "q2\t34\t4\t22\t-\ts2\t22\t4\t22\t18\t18\t255\tNM:i:0\tAS:i:72\tcg:Z:18="
    )


def test_another_reader_finds_places_identity_and_letters() -> None:
    rows = UNGAPPED + GAPPED
    lines = (text_of("paf", UNGAPPED) + text_of("paf", GAPPED)).splitlines()
    for line, row in zip(lines, rows, strict=True):
        name, size, begin, end, strand, target, target_size, target_begin, target_end, same, columns, _, *tags = (
            line.split("\t")
        )
        assert (name, int(begin), int(end), strand) == (row.query, row.query_begin, row.query_end, row.strand)
        assert (target, int(target_begin), int(target_end)) == (row.subject, row.begin, row.end)
        query, subject = letters(QUERY, name), letters(SUBJECT, target)
        assert (int(size), int(target_size)) == (len(query), len(subject))
        # D-GENIES colours a match by column 10 / column 11.
        assert int(same) / int(columns) == row.columns.count("=") / len(row.columns)
        cigar = dict(tag.split(":", 1) for tag in tags)["cg"].removeprefix("Z:")
        part = query[int(begin) : int(end)]
        part, other = reverse_complement(part) if strand == "-" else part, subject[int(target_begin) : int(target_end)]
        for length, kind in re.findall(r"(\d+)([=XID])", cigar):
            count = int(length)
            if kind == "=":
                assert part[:count].upper() == other[:count].upper()
            part, other = part[count * (kind != "D") :], other[count * (kind != "I") :]
        assert (part, other) == (b"", b"")
