"""Answers that are written while they are sent: a row at a time, and the MSA of one chain open at a time."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.compat import nvidia
from app.compat.nvidia import MsaSearch, PairedSearch
from app.service import Service
from shardwater.formats.msas.writers import MSA_FORMATS
from shardwater.msa.msa import Msa
from tests.support.msas import MSA, of_rows
from worker.jobs.states import Submission

SERVICE = cast(Service, None)
SUBMITTED = [(name, 0, Submission("msa-1", reused=False)) for name in ("first", 'zweite "ö"')]
PAIRED = of_rows("MKT", "MKT", "M-T", "MK-", taxids=[1, 2, 3])
PAIRED.figures["length"], PAIRED.figures["subject_end"], PAIRED.figures["evalue"] = 3, 3, 1e-9


class Ended:
    """An ended job of several equal chains, which tells how many of them were opened."""

    def __init__(self, msa: Msa, chains: int) -> None:
        self.asked, self.opened = SimpleNamespace(pairing="greedy"), 0
        self._msa, self._chains = msa, chains

    def msa(self, chain: int, stage: int) -> Msa:
        assert (chain, stage) == (1, 0)
        return self._msa

    def each(self, stage: int) -> Iterator[Msa]:
        assert stage == 0
        for _ in range(self._chains):
            self.opened += 1
            yield self._msa


def ending(monkeypatch: pytest.MonkeyPatch, ended: Ended) -> None:
    monkeypatch.setattr(nvidia, "EndedMsas", SimpleNamespace(of=lambda *_: ended))


def whole(pieces: Iterator[str]) -> Any:
    text = "".join(pieces)
    assert text == json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    return json.loads(text)


def test_pairs_are_read_as_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    ending(monkeypatch, ended := Ended(PAIRED, 3))
    asked = PairedSearch(sequences=["MKT"] * 3, max_msa_sequences=2)
    record = {"a3m": {"alignment": ">q\nMKT\n>r1\nMKT\n>r2\nM-T\n", "format": "a3m"}}
    expected = {"alignments_by_chain": {name: {of: record for of, *_ in SUBMITTED} for name in "ABC"}}
    assert whole(nvidia._by_chain(SERVICE, asked, SUBMITTED)) == expected
    ended.opened = 0
    pieces = nvidia._by_chain(SERVICE, asked, SUBMITTED)
    assert next(piece for piece in pieces if ">r1" in piece)
    # Taxa are read of all chains of both databases, then rows of one chain.
    assert ended.opened == (3 + 1) * len(SUBMITTED)


def test_rows_are_read_as_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    ending(monkeypatch, Ended(MSA, 1))
    read = list[int]()
    a3m = Msa.a3m

    def reading(msa: Msa, number: int) -> bytes:
        read.append(number)
        return a3m(msa, number)

    monkeypatch.setattr(Msa, "a3m", reading)
    asked = MsaSearch(sequence="MKTAYIAKQR", max_msa_sequences=3, output_alignment_formats=["a3m", "fasta"])
    best = MSA.take(range(3))
    record = {
        form: {"alignment": b"".join(MSA_FORMATS[form].write(best)).decode(), "format": form}
        for form in asked.output_alignment_formats
    }
    assert whole(nvidia._alignments(SERVICE, asked, SUBMITTED)) == {"alignments": {of: record for of, *_ in SUBMITTED}}
    read.clear()
    pieces = nvidia._alignments(SERVICE, asked, SUBMITTED)
    assert next(piece for piece in pieces if "MKTAYIAKQR" in piece)
    assert len(read) <= 1
