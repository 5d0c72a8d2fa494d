"""JSON, lines of JSON and tables of genomes, and what formats are given."""

import json
from dataclasses import replace

import numpy as np
import pytest

from shardwater.errors import UnknownColumn
from shardwater.formats.genomes import chain, layout, members, paf
from shardwater.formats.genomes.layout import Layout, Listed
from shardwater.formats.genomes.names import GENOME_FORMATS, GenomeFormat
from shardwater.formats.genomes.replayed import cigars
from shardwater.formats.genomes.writers import WRITERS, UnfitColumns, columns_for
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.sequences.named import Letters
from tests.support.genome_lists import GAPPED, QUERY, SUBJECT, UNGAPPED, text_of

SECOND = {
    **{"query": "q2", "subject": "s2", "query_from": 5, "query_to": 22, "subject_from": 5, "subject_to": 22},
    **{"strand": "-", "score": 72, "length": 18, "matches": 18, "identity": 100.0, "cigar": None},
}


def test_every_format_has_a_writer() -> None:
    assert set(WRITERS) == set(GENOME_FORMATS)


def test_json_and_its_lines_hold_all_members() -> None:
    text = text_of("json", UNGAPPED, Layout(head={"id": "comparison-1", "strands": "both"}))
    told = json.loads(text)
    assert [*told] == ["id", "strands", "hsps"]
    assert told["hsps"][1] == SECOND
    assert [json.loads(line) for line in text_of("ndjson", UNGAPPED).splitlines()] == told["hsps"]


@pytest.mark.parametrize("name", ["json", "ndjson", "tab", "paf"])
def test_so_many_columns_become_cigars_at_a_time(name: GenomeFormat, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few alignments of long repeats have as many columns as a million short ones."""
    seen = list[int]()

    def counted(listed: Listed, some: Alignments) -> list[bytes]:
        seen.append(int(some.column("columns").sum()))
        return cigars(listed, some)

    module = paf if name == "paf" else members
    monkeypatch.setattr(module, "AT_ONCE", 50)
    monkeypatch.setattr(module, "cigars", counted)
    layout = Layout(columns=columns_for("tab", "query,cigar") if name == "tab" else ())
    text_of(name, GAPPED * 5, layout)
    assert sum(seen) == 5 * sum(len(row.columns) for row in GAPPED)
    assert max(seen) <= 50


def test_cigars_are_told_where_gaps_were_asked_for() -> None:
    told = [json.loads(line) for line in text_of("ndjson", GAPPED).splitlines()]
    assert [(each["cigar"], each["length"], each["matches"]) for each in told] == [
        ("16=1X7=", 24, 23),
        ("9=2D5=2I6=2X3=", 29, 23),
        ("4=1D3X2I3X1=1X1D3=", 19, 8),
    ]
    assert [each["identity"] for each in told] == [95.83, 79.31, 42.11]


def test_table_has_the_columns_that_are_named() -> None:
    columns = columns_for("tab", "query subject_from,strand, cigar")
    layout = Layout(columns=columns)
    lines = ["#query\tsubject_from\tstrand\tcigar", "q1\t5\t+\t16=1X7=", "q2\t1\t+\t9=2D5=2I6=2X3="]
    assert text_of("tab", GAPPED, layout).splitlines() == [*lines, "q2\t6\t-\t4=1D3X2I3X1=1X1D3="]
    assert text_of("tab", UNGAPPED, layout).splitlines()[1] == "q1\t5\t+\tN/A"


def test_usual_columns_are_all() -> None:
    heading, first, *_ = text_of("tab", UNGAPPED).splitlines()
    assert dict(zip(heading[1:].split("\t"), first.split("\t"), strict=True)) == {
        **{"query": "q1", "query_from": "4", "query_to": "27"},
        **{"subject": "s1", "subject_from": "5", "subject_to": "28"},
        **{"strand": "+", "score": "88", "length": "24", "matches": "23", "identity": "95.83", "cigar": "N/A"},
    }


def test_names_for_spreadsheets_are_no_formulas() -> None:
    genomes = [Genome.of([Letters(name, b"ACGT" * 8)]) for name in ("=cmd", "+1")]
    at, length = np.array([0]), np.array([32])
    found = Listed(*genomes, Alignments.of_hsps(Hsps.of(at, at, length, length, True)))
    layout = Layout(columns=("query", "subject", "strand"), for_spreadsheets=True)
    assert text_of("tab", found, layout).splitlines()[1] == "'=cmd\t'+1\t-"
    assert text_of("tab", found, replace(layout, for_spreadsheets=False)).splitlines()[1] == "=cmd\t+1\t-"


def test_nothing_shared_is_an_empty_list() -> None:
    nothing = Listed(QUERY, SUBJECT, Alignments.of_hsps(Hsps.joined([])))
    assert json.loads(text_of("json", nothing)) == {"hsps": []}
    for name in GENOME_FORMATS:
        lines = text_of(name, nothing).splitlines()
        assert len(lines) == {"json": 2, "csv": 17, "tab": 1, "maf": 1, "psl": 5}.get(name, 0), name


def test_names_break_no_format() -> None:
    strange = Genome.of([Letters('a"b\t\x01c\u00e9\n<&>', b"ACGT" * 8), Letters("long" * 100, b"ACGT" * 8)])
    places, lengths = np.array([0, 32]), np.array([32, 32])
    hsps = Hsps.of(places, places, lengths, lengths, False)
    shown = Listed(strange, strange, Alignments.of_hsps(hsps))
    told = json.loads(text_of("json", shown))["hsps"]
    assert [each["query"] for each in told] == list(strange.names)
    for name in ("paf", "psl", "tab", "bed"):
        cells = [line.split("\t") for line in text_of(name, shown).splitlines()[-2:]]
        assert any(cell.startswith('a"b_c\u00e9_<&>') for cell in cells[0]), name
        assert any(cell.startswith("long" * 100) for cell in cells[1]), name
        assert len(cells[0]) == len(cells[1])


def test_columns_that_there_are_not() -> None:
    with pytest.raises(UnknownColumn, match=r"^unknown column 'evalue'; known are query, subject, query_from"):
        columns_for("tab", "query,evalue")
    with pytest.raises(UnknownColumn, match=r"^101 columns are asked for; at most 100"):
        columns_for("tab", "query " * 101)
    with pytest.raises(UnfitColumns, match=r"^format paf has no columns; tab has$"):
        columns_for("paf", "query")


@pytest.mark.parametrize("name", GENOME_FORMATS)
def test_text_does_not_depend_on_how_many_rows_are_written_together(
    name: GenomeFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = UNGAPPED if name == "csv" else UNGAPPED + GAPPED
    whole = text_of(name, rows)
    monkeypatch.setattr(layout, "ROWS", 2)
    monkeypatch.setattr(chain, "BLOCKS", 2)
    assert text_of(name, rows) == whole
