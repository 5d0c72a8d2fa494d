"""Hits whose E-values are adjusted to composition: who is left out, that it is told, and that shards do not show."""

from dataclasses import replace

import numpy as np
import pytest
from pydantic import TypeAdapter

from shardwater.search.adjusting import Adjustment
from shardwater.search.parameters import Parameters
from shardwater.search.query_mask import MaskedRange, QueryMask
from shardwater.sequences.fasta import Record
from shardwater.statistics.composition import BACKGROUND
from shardwater.statistics.evalue import SearchSpace, Statistics
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
    assert adjusted.statistics.composition == Adjustment("aligned-regions-and-repeats", len(evalues), min(evalues))
    [warning] = [each for each in adjusted.warnings if each.code == "left-out-by-composition"]
    assert f": {len(evalues)}, with E-values down to {min(evalues):.1g} " in warning.detail
    assert plain.statistics.composition is None
    assert "left-out-by-composition" not in {each.code for each in plain.warnings}


def paths(hit):
    """Its alignments without what they mean."""
    return [replace(hsp, bits=None, evalue=None) for hsp in hit.hsps]


def test_the_score_and_what_it_means_alone_stand_beside(biased):
    database, query = biased
    [plain], [adjusted] = (searched(database, [query], each, 1) for each in (PLAIN, ADJUSTED))
    before = {hit.accession: hit for hit in plain.hits}
    for hit in adjusted.hits:
        was = before[hit.accession]
        assert (hit.score, paths(hit)) == (was.score, paths(was))
        assert (hit.hsps[0].bits, hit.hsps[0].evalue) == (hit.bits, hit.evalue)
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


FINGERS = 6


@pytest.fixture
def repeated(build):
    """A protein of like repeats; others of such repeats, which are unlike but for what makes them; and a near copy."""
    rng = np.random.default_rng(12)

    def fingers(count):
        """Repeats of one frame, its free places drawn anew for each protein."""
        unit = np.array(list("TGEKPYKCEECGKAFSRSSHLTRHQRIH"))
        free = rng.choice(len(unit), 17, replace=False)
        unit[free] = usual(rng, len(free))
        return np.tile(unit, count)

    query = np.concatenate((usual(rng, 40), fingers(FINGERS)))
    records = [(f"chance{n}", "".join(usual(rng, rng.integers(40, 400)))) for n in range(150)]
    copy = query.copy()
    copy[rng.choice(len(copy), len(copy) // 5, replace=False)] = usual(rng, len(copy) // 5)
    records.append(("relative", "".join(copy)))
    records += [(f"alike{number}", "".join(fingers(FINGERS))) for number in range(STRANGERS)]
    return build(records), Record("q", "".join(query).encode())


def test_repeats_are_doubted_and_not_left_out(repeated):
    database, query = repeated
    wide = replace(PLAIN, evalue=10.0)
    [plain], [adjusted] = (
        searched(database, [query], each, 1) for each in (wide, replace(wide, composition="adjusted"))
    )
    before = {hit.accession: hit for hit in plain.hits}
    believed = [hit.accession for hit in named(plain, "alike") if hit.evalue < 0.001]
    assert len(believed) > 3
    doubted = {hit.accession: hit for hit in adjusted.hits if hit.accession in believed}
    assert len(doubted) == len(believed)
    assert all(before[name].evalue < hit.evalue for name, hit in doubted.items())
    assert max(hit.evalue for hit in doubted.values()) == pytest.approx(0.1, rel=0.01)
    # Who asks for all up to the limit of doubt has them.
    [strict] = searched(database, [query], replace(wide, composition="adjusted", evalue=0.1), 1)
    assert {hit.accession for hit in strict.hits} >= set(believed)
    assert adjusted.hits[0].accession == "relative"
    assert adjusted.hits[0].evalue < 1e-10


MASKS = ["seg", "tantan", "soft"]


@pytest.fixture
def soft(biased):
    """The biased protein with its stretch in lower case."""
    database, query = biased
    letters = query.residues
    return database, Record("q", letters[:60] + letters[60:150].lower() + letters[150:])


@pytest.mark.parametrize("mask", MASKS)
def test_masked_letters_count_for_nothing(soft, mask):
    database, query = soft
    [plain], [masked] = (searched(database, [query], each, 1) for each in (PLAIN, replace(PLAIN, mask=mask)))
    before = {hit.accession: hit for hit in plain.hits}
    assert (len(named(plain, "alike")), len(named(masked, "relative"))) == (STRANGERS, RELATIVES)
    assert len(named(masked, "alike")) < STRANGERS / 2
    for hit in masked.hits:
        was = before[hit.accession]
        assert (hit.score, paths(hit), hit.evalues) == (was.score, paths(was), was.evalues)
        assert hit.masked.score <= hit.score
        assert hit.evalue >= was.evalue
    gone = before.keys() - {hit.accession for hit in masked.hits}
    lowest = min(before[name].evalue for name in gone)
    assert masked.statistics.mask == Adjustment(mask, len(gone), lowest)
    [warning] = [each for each in masked.warnings if each.code == "left-out-by-mask"]
    assert warning.detail.endswith("; mask=none and composition=none together list them all")
    assert (plain.statistics.mask, plain.query.masked, plain.hits[0].masked) == (None, None, None)


def test_what_is_masked_of_the_query_is_told(soft):
    database, query = soft
    [whole] = searched(database, [query], replace(PLAIN, mask="soft"), 1)
    assert whole.query.masked == QueryMask(90, (MaskedRange(61, 150),))
    [part] = searched(database, [query.part(101, 180)], replace(PLAIN, mask="soft"), 1)
    assert part.query.masked == QueryMask(50, (MaskedRange(101, 150),))


def test_no_more_than_a_thousand_ranges_are_told():
    [found] = QueryMask.of_all([Record("q", b"aA" * 1500)], "soft")
    assert (found.letters, len(found.ranges), found.ranges[-1]) == (1500, 1000, MaskedRange(1999, 1999))


@pytest.mark.parametrize("statistics", ["table", "karlin-altschul"])
def test_published_statistics_go_by_what_is_left_too(soft, statistics):
    database, query = soft
    [masked] = searched(database, [query], replace(PLAIN, mask="seg", statistics=statistics), 1)
    assert len(masked.hits) >= RELATIVES
    space = SearchSpace(len(query.residues), database.manifest.residues, len(database))
    used = Statistics.of(statistics, PLAIN.scoring, space)
    assert [hit.evalue for hit in masked.hits] == [used.evalue(hit.masked.score, hit.length) for hit in masked.hits]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(
    "wide", [{}, {"max_target_seqs": 8, "alignments": 2, "evalue": 1e9, "composition": "adjusted"}]
)
def test_shards_do_not_show_in_masks(soft, mask, wide):
    database, query = soft
    asked = [query, query.part(20, 200)]
    parameters = replace(PLAIN, mask=mask, **wide)
    whole = searched(database, asked, parameters, 1)
    for count in (2, 5):
        assert searched(database, asked, parameters, count) == whole, count


def test_shards_do_not_show_in_repeats(repeated):
    database, query = repeated
    whole = searched(database, [query], replace(ADJUSTED, evalue=10.0), 1)
    assert searched(database, [query], replace(ADJUSTED, evalue=10.0), 5) == whole
