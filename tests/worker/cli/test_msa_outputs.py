"""Where MSAs are written: names of files, lines, and what is there already."""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from shardwater.formats.msas.writers import MsaFormatName
from shardwater.sequences.fasta import Record
from worker.cli.msa_outputs import UNFINISHED, Choice, Failed, MsaFolder, MsaLines, WhichMsa, file_name
from worker.cli.msa_queries import Query

ONE = Query(1, "a/../b", (Record("a/../b x", b"MK"),))
TWO = Query(2, "c d", (Record("x", b"MK"), Record("y", b"ML")))


@dataclass
class Made:
    """Says what it is asked for; broken: it cannot be read to its end."""

    query: Query
    broken: bool = False

    def written(self, wanted: WhichMsa, form: MsaFormatName) -> Iterator[bytes]:
        yield f"{self.query.number} {wanted.chain}\n".encode()
        if self.broken:
            raise ValueError("broken")
        yield b"{}\n" if form == "json" else "\u00e9\n".encode()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_only_chains_of_complexes_are_paired() -> None:
    choice = Choice(("a3m",), then=True, pairs=True)
    assert choice.of(ONE) == [WhichMsa(1), WhichMsa(1, then=True)]
    assert choice.of(TWO) == [
        each for chain in (1, 2) for each in (WhichMsa(chain), WhichMsa(chain, then=True), WhichMsa(chain, pairs=True))
    ]


@pytest.mark.parametrize(
    ("query", "wanted", "name"),
    [
        (ONE, WhichMsa(1), "1.a_.._b"),
        (TWO, WhichMsa(2, pairs=True), "2.c_d.chain2.pairs"),
        (TWO, WhichMsa(1, then=True), "2.c_d.chain1.then"),
        (Query(7, "..", ONE.chains), WhichMsa(1), "7"),
        (Query(8, "\u65e5\u672c", ONE.chains), WhichMsa(1), "8"),
        (Query(9, "x" * 5000, ONE.chains), WhichMsa(1), "9." + "x" * 60),
    ],
)
def test_names_of_files_are_safe(query: Query, wanted: WhichMsa, name: str) -> None:
    assert file_name(query, wanted) == name


def test_a_folder_gets_whole_files_and_keeps_those_that_are_there(tmp_path: Path) -> None:
    folder = MsaFolder(tmp_path, Choice(("a3m", "json"), then=False, pairs=False))
    assert not folder.has(ONE)
    with pytest.raises(ValueError, match="broken"):
        folder.take(Made(ONE, broken=True))
    assert names(tmp_path) <= {UNFINISHED}
    folder.take(Made(ONE))
    assert folder.has(ONE)
    assert names(tmp_path) == {"1.a_.._b.a3m", "1.a_.._b.json"}
    assert (tmp_path / "1.a_.._b.a3m").read_text() == "1 1\n\u00e9\n"
    (tmp_path / "1.a_.._b.a3m").write_text("kept")
    (tmp_path / "1.a_.._b.json").unlink()
    assert not folder.has(ONE)
    folder.take(Made(ONE))
    assert (tmp_path / "1.a_.._b.a3m").read_text() == "kept"
    assert folder.has(ONE)
    folder.take(Failed(TWO, "why"))
    assert not folder.has(TWO)


def test_lines_have_all_of_a_query_or_why_there_is_nothing() -> None:
    file = io.BytesIO()
    lines = MsaLines(file, Choice(("m8", "json"), then=False, pairs=True), done=0)
    lines.take(Failed(ONE, 'why "x"'))
    # The stand-in's JSON is a number and an object: what is written of it is taken as it is.
    lines.choice = Choice(("m8",), then=False, pairs=True)
    lines.take(Made(TWO))
    assert lines.has(ONE) and lines.has(TWO) and not lines.has(Query(3, "x", ONE.chains))
    failed, made = (json.loads(line) for line in file.getvalue().splitlines())
    assert failed == {"error": 'why "x"', "number": 1, "id": "a/../b"}
    assert (made["number"], made["id"]) == (2, "c d")
    assert made["msas"] == [
        {"chain": chain, "id": id_, "of": "databases", "pairs": pairs, "m8": f"2 {chain}\n\u00e9\n"}
        for chain, id_ in ((1, "x"), (2, "y"))
        for pairs in (False, True)
    ]
