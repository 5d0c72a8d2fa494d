"""Hits whose E-values are adjusted to composition: who is left out, that it is told, and that shards do not show."""

from dataclasses import replace

import numpy as np
import pytest
from pydantic import TypeAdapter

from shardwater.search.adjusting import Adjustment
from shardwater.search.parameters import Parameters
from shardwater.sequences.fasta import Record
from shardwater.statistics.composition import BACKGROUND
from tests.support.sharded import searched

LETTERS = list("ARNDCQEGHILKMFPSTWYV")
PLAIN = Parameters(max_target_seqs=60, alignments=60, evalue=1e-4)
ADJUSTED = replace(PLAIN, composition="adjusted")
RELATIVES, STRANGERS = 4, 12


def usual(rng, length):
    """Residues of usual composition."""
    return rng.choice(LETTERS, length, p=BACKGROUND / BACKGROUND.sum())


@pytest.fixture
def biased(build):
    """A protein with a long stretch of few letters; its relatives, alike by 80 %; others with the same letters."""
    rng = np.random.default_rng(11)
    stretch = rng.choice(list("GPPAKESQ"), 90)
    query = np.concatenate((usual(rng, 60), stretch, usual(rng, 60)))
    records = [(f"chance{n}", "".join(usual(rng, rng.integers(40, 400)))) for n in range(150)]
    for number in range(RELATIVES):
        copy = query.copy()
        copy[rng.choice(len(copy), len(copy) // 5, replace=False)] = usual(rng, len(copy) // 5)
        records.append((f"relative{number}", "".join(copy)))
    for number in range(STRANGERS):
        around = (usual(rng, 30), rng.permutation(stretch), usual(rng, 30))
        records.append((f"alike{number}", "".join(np.concatenate(around))))
    return build(records), Record("q", "".join(query).encode())


def named(result, kind):
    return [hit for hit in result.hits if hit.accession.startswith(kind)]


def test_relatives_stay_and_what_is_alike_by_its_letters_alone_goes(biased):
    database, query = biased
    [plain], [adjusted] = (searched(database, [query], each, 1) for each in (PLAIN, ADJUSTED))
    assert (len(named(plain, "relative")), len(named(plain, "alike"))) == (RELATIVES, STRANGERS)
    assert max(hit.evalue for hit in named(plain, "alike")) < 1e-5
    assert (len(named(adjusted, "relative")), named(adjusted, "alike")) == (RELATIVES, [])
    assert max(hit.evalue for hit in named(adjusted, "relative")) < 1e-10


def test_what_was_left_out_is_told(biased):
    database, query = biased
    [plain], [adjusted] = (searched(database, [query], each, 1) for each in (PLAIN, ADJUSTED))
    gone = {hit.accession: hit.evalue for hit in plain.hits} | {hit.accession: None for hit in adjusted.hits}
    evalues = [evalue for evalue in gone.values() if evalue is not None]
    assert adjusted.statistics.composition == Adjustment("aligned-regions", len(evalues), min(evalues))
    [warning] = [each for each in adjusted.warnings if each.code == "left-out-by-composition"]
    assert f": {len(evalues)}, with E-values down to {min(evalues):.1g} " in warning.detail
    assert plain.statistics.composition is None
    assert "left-out-by-composition" not in {each.code for each in plain.warnings}


def test_the_score_and_what_it_means_alone_stand_beside(biased):
    database, query = biased
    [plain], [adjusted] = (searched(database, [query], each, 1) for each in (PLAIN, ADJUSTED))
    before = {hit.accession: hit for hit in plain.hits}
    for hit in adjusted.hits:
        was = before[hit.accession]
        assert (hit.score, hit.hsps) == (was.score, was.hsps)
        assert hit.evalues == replace(was.evalues, scale=hit.evalues.scale)
        assert hit.evalues.fitted == was.evalue
        same = hit.evalues.scale == 1
        assert (hit.evalue == was.evalue and hit.bits == was.bits) if same else hit.evalue > was.evalue
    assert {hit.evalues.scale for hit in plain.hits} == {None}
    assert [hit.evalue for hit in adjusted.hits] == sorted(hit.evalue for hit in adjusted.hits)


@pytest.mark.parametrize("parameters", [ADJUSTED, replace(ADJUSTED, max_target_seqs=8, alignments=2, evalue=1e9)])
def test_shards_do_not_show(biased, parameters):
    database, query = biased
    part = Record("part", query.residues, 0, None).part(20, 200)
    whole = searched(database, [query, part], parameters, 1)
    for count in (2, 5):
        assert searched(database, [query, part], parameters, count) == whole, count


def test_alignments_that_are_only_looked_at_are_not_shown(biased):
    database, query = biased
    [result] = searched(database, [query], replace(ADJUSTED, alignments=1), 1)
    assert [len(hit.hsps) for hit in result.hits] == [1] + [0] * (len(result.hits) - 1)
    assert None not in {hit.evalues.scale for hit in result.hits}


@pytest.mark.parametrize("method", ["table", "karlin-altschul", "none"])
def test_other_methods_are_not_adjusted(biased, method):
    database, query = biased
    other = replace(PLAIN, statistics=method)
    assert searched(database, [query], replace(other, composition="adjusted"), 1) == searched(
        database, [query], other, 1
    )


def test_without_a_fit_nothing_is_adjusted(build):
    database = build([("one", "MKVLWAAGKLV"), ("two", "GGPPGGPPGGPP")])
    for count in (1, 2):
        [result] = searched(database, [Record("q", b"GGPPGGPPGGPPMKVLW")], replace(ADJUSTED, evalue=1e9), count)
        assert (result.statistics.method, result.statistics.composition) == ("table", None)
        assert len(result.hits) == 2


def test_results_of_earlier_versions_were_not_adjusted():
    read = TypeAdapter(Parameters).validate_json('{"matrix": "BLOSUM62", "statistics": "fitted"}')
    assert not read.adjusted
