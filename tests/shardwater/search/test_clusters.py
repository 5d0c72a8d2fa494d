"""Members of hits' clusters: which are chosen, and what an engine must answer for each."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.engines.engine import Pair
from shardwater.errors import EngineError
from shardwater.pairs.columns import Columns
from shardwater.scoring.scoring import Scoring
from shardwater.search import clusters
from shardwater.search.clusters import Chosen, MemberHits, TracedMembers, trace_members
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Hit, Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record
from shardwater.steps import finish

SCORING = Scoring("BLOSUM62", 11, 1)
QUERY = Record("q", b"MKVLAWYHCDEFGHIKLMNPQRSTVWY")


class Forgetful(CpuEngine):
    """Answers for all pairs but the first."""

    def align(self, pairs: Sequence[Pair], scoring: Scoring) -> Generator[Columns, None, None]:
        for each in super().align(pairs, scoring):
            yield each.select(each.numbers > 0)


class Repetitive(CpuEngine):
    """Answers for the second pair in place of the first."""

    def align(self, pairs: Sequence[Pair], scoring: Scoring) -> Generator[Columns, None, None]:
        for each in super().align(pairs, scoring):
            yield each.numbered(np.maximum(1, np.arange(len(pairs))))


def built(folder: Path, name: str, behind: dict[str, int]) -> Database:
    """A database of so many members behind each of some representatives, the later ones longer."""
    fasta, table = folder / f"{name}.fasta", folder / f"{name}.tsv"
    firsts = {first: QUERY.residues.decode()[: 10 + number] for number, first in enumerate(behind)}
    members = [(first, number) for first, count in behind.items() for number in range(count)]
    records = [*firsts.items(), *((f"{first}_{number}", f"{'MKVLAWYHCD' * (1 + number)}") for first, number in members)]
    fasta.write_text("".join(f">{accession}\n{letters}\n" for accession, letters in records))
    table.write_text("".join(f"{first}\t{first}_{number}\n" for first, number in members))
    build_database([fasta], folder / "data", name=name, clusters=table if members else None)
    return Catalog(folder / "data").current(name)


@pytest.fixture
def databases(tmp_path: Path) -> list[Database]:
    """Subjects 0 and 1, 2 and 3, 4 of three databases, the second without members."""
    return [
        built(tmp_path, "one", {"a": 2, "b": 3}),
        built(tmp_path, "two", {"c": 0, "d": 0}),
        built(tmp_path, "three", {"e": 4}),
    ]


def hits(*subjects: int) -> list[Hit]:
    return [
        Hit(rank, f"s{subject}", "", 10, 50, None, None, None, None, (), subject=subject)
        for rank, subject in enumerate(subjects, start=1)
    ]


def names(databases: Sequence[Database], chosen: Chosen) -> Iterator[list[str]]:
    for database, own in zip(databases, chosen.clusters, strict=True):
        members = database.listed(own)
        yield [name for name, _ in members.names_of_all(range(len(members)))]


@pytest.mark.parametrize(
    ("most", "expected", "left_out"),
    [
        (100, [["b_0", "b_1", "b_2", "a_0", "a_1"], [], ["e_0", "e_1", "e_2", "e_3"]], 0),
        # As the hits come: e's, then b's, of which the last that fit are the longest, then a's.
        (10, [["b_1", "b_2"], [], ["e_0", "e_1", "e_2", "e_3"]], 3),
        (7, [[], [], ["e_1", "e_2", "e_3"]], 6),
        (4, [[], [], []], 9),
        (3, [[], [], []], 9),
    ],
)
def test_members_are_chosen_in_the_order_of_hits(
    databases: list[Database], most: int, expected: list[list[str]], left_out: int
) -> None:
    chosen = Chosen.of(databases, hits(4, 2, 1, 0), most)
    assert list(names(databases, chosen)) == expected
    assert (chosen.members, chosen.left_out) == (sum(map(len, expected)), left_out)
    # Each shard has those whose representatives it has.
    first = chosen.clusters[0]
    assert [first.of_shard(shard, 2).subjects.tolist() for shard in (0, 1)] == [
        [subject for subject in first.subjects.tolist() if subject % 2 == shard] for shard in (0, 1)
    ]


def test_without_hits_there_are_no_members(databases: list[Database]) -> None:
    chosen = Chosen.of(databases, [], 100)
    assert (chosen.members, chosen.left_out) == (0, 0)
    assert len(finish(trace_members(CpuEngine(1), databases[0].listed(chosen.clusters[0]), QUERY, SCORING))) == 0


def test_an_engine_answers_for_each_member(databases: list[Database]) -> None:
    members = databases[0].members_of([0, 1])
    traced = finish(trace_members(CpuEngine(1), members, QUERY, SCORING))
    assert traced.subjects.tolist() == members.numbers.tolist()
    with pytest.raises(EngineError, match="4 of 5 members were aligned"):
        finish(trace_members(Forgetful(1), members, QUERY, SCORING))
    with pytest.raises(EngineError, match="two for one"):
        finish(trace_members(Repetitive(1), members, QUERY, SCORING))


def test_many_are_aligned_in_parts(databases: list[Database], monkeypatch: pytest.MonkeyPatch) -> None:
    members = databases[0].members_of([1, 0])
    whole = finish(trace_members(CpuEngine(1), members, QUERY, SCORING))
    monkeypatch.setattr(clusters, "TOGETHER", 2)
    parts = finish(trace_members(CpuEngine(1), members, QUERY, SCORING))
    assert parts.alignments() == whole.alignments()
    assert list(whole.alignments()) == members.numbers.tolist() == parts.subjects.tolist()


def test_others_than_were_chosen_and_wrong_alignments_are_refused(databases: list[Database]) -> None:
    database, engine = databases[0], CpuEngine(1)
    shard = database.shard(0, 1)
    engine.load(shard)
    parameters = Parameters(evalue=1e9, composition="adjusted")
    searched = Searched("x", (SearchedDatabase.of(database.manifest),), parameters, [QUERY])
    result = assemble(searched, [find_hits(engine, shard, [QUERY], parameters)])
    members = database.members_of([0, 1])
    traced = finish(trace_members(engine, members, QUERY, SCORING))
    found = MemberHits.of(searched, result, [TracedMembers(0, members, traced)], 7)
    assert (found.report.aligned, found.report.rows, found.report.left_out) == (5, 5, 7)
    assert {subject: len(own) for subject, own in found.hits.items()} == {0: 2, 1: 3}
    for wrong, told in (
        (replace(traced, subjects=traced.subjects[::-1]), "other members were aligned"),
        (replace(traced, scores=traced.scores + 1), "but [0-9]+ in its alignment"),
        (replace(traced, ends=traced.ends + 1), "does not lie where it says"),
    ):
        with pytest.raises(EngineError, match=told):
            MemberHits.of(searched, result, [TracedMembers(0, members, wrong)], 0)
