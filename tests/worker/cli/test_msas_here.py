"""MSAs made here: how queries go together, and one of them that fails."""

from collections.abc import Callable, Sequence
from typing import cast

import pytest

from shardwater.errors import DatabaseError, ScoringError
from shardwater.msa.built import BuiltMsa
from shardwater.msa.stacking import stacked
from shardwater.sequences.fasta import Record
from worker.cli import chains_here
from worker.cli.chains_here import ChainsHere, most_together, passes
from worker.cli.msa_outputs import Failed, Made, WhichMsa
from worker.cli.msa_queries import Query
from worker.cli.msas_here import MsasHere
from worker.cli.run_msa import request_of
from worker.jobs.chain_requests import ChainRequest


class Chains:
    """Finds nothing, and remembers what was searched for together; of a chain with W it raises."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error, self.asked = error, list[list[str]]()

    def made(self, chains: Sequence[ChainRequest], show: Callable[[float], None]) -> list[list[BuiltMsa]]:
        self.asked.append([chain.residues for chain in chains])
        show(0.5)
        if self.error and any("W" in chain.residues for chain in chains):
            raise self.error
        return [[BuiltMsa(stacked(chain.query, ()), 0, ())] for chain in chains]


def made(chains: Chains, queries: Sequence[Query], **fields: object) -> tuple[list[Made | Failed], list[float]]:
    shown = list[float]()
    here = MsasHere(cast(ChainsHere, chains), request_of({"databases": "demo", **fields}))
    return list(here.made(queries, shown.append, "")), shown


def query(number: int, *chains: str) -> Query:
    return Query(
        number, f"q{number}", tuple(Record(f"q{number}_{place} x", one.encode()) for place, one in enumerate(chains))
    )


def test_queries_go_together_in_passes_of_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains_here, "MOST_RESIDUES", 12)
    chains = Chains()
    found, shown = made(chains, [query(1, "MK"), query(2, "mk", "ML"), query(3, "MKMKMKMK"), query(4, "M" * 30)])
    # Equal chains are searched for once, in whichever case.
    assert chains.asked == [["MK", "ML"], ["MKMKMKMK"], ["M" * 30]]
    assert shown == [1.0, 2.5, 3.5]
    assert [one.query.number for one in found] == [1, 2, 3, 4]
    chains = Chains()
    made(chains, [query(number, "MK" * number) for number in range(1, 4)], max_sequences=100_000)
    assert [len(asked) for asked in chains.asked] == [2, 1]


def test_each_chain_has_its_own_name() -> None:
    [one], _ = made(Chains(), [query(1, "MK", "mk")], pairing="greedy")
    assert not isinstance(one, Failed)
    for wanted in (WhichMsa(2), WhichMsa(2, pairs=True)):
        assert b"".join(one.written(wanted, "a3m")) == b">q1_1 x\nMK\n"


def test_a_query_that_fails_leaves_the_others() -> None:
    chains = Chains(ScoringError("too odd"))
    found, _ = made(chains, [query(1, "MK"), query(2, "WW"), query(3, "ML")])
    assert [type(one) is Failed for one in found] == [False, True, False]
    assert found[1] == Failed(query(2, "WW"), "too odd")
    assert chains.asked == [["MK", "WW", "ML"], ["MK"], ["WW"], ["ML"]]


def test_a_database_that_has_changed_is_no_querys_fault() -> None:
    with pytest.raises(DatabaseError, match="written to"):
        made(Chains(DatabaseError("written to")), [query(1, "MK"), query(2, "WW")])


def test_a_pass_has_as_many_chains_as_its_hits_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [most_together(most) for most in (1, 10_000, 50_000, 1_000_000)] == [20, 20, 4, 1]
    monkeypatch.setattr(chains_here, "MOST_RESIDUES", 10)

    def together(*asked: list[int], most: int = 1) -> list[list[list[int]]]:
        return list(passes(asked, list, most))

    assert together([4], [6], [1], [30], [2]) == [[[4], [6]], [[1]], [[30]], [[2]]]
    assert together([4], [3, 4], [6, 5], [1]) == [[[4]], [[3, 4]], [[6, 5]], [[1]]]
    assert [len(group) for group in together(*[[1]] * 9, most=50_000)] == [4, 4, 1]
    assert [len(group) for group in together(*[[0]] * 45)] == [20, 20, 5]
