"""A search of some taxa is one of a database that has their sequences alone, whatever the shards."""

from dataclasses import replace

import numpy as np
import pytest

from shardwater.database.joined import Joined
from shardwater.database.taxa import UnknownTaxa
from shardwater.engines.cpu import MOST_PARTS, CpuEngine
from shardwater.search.among import part_of, parts_of, searched_of, size_in, subjects_at
from shardwater.search.databases import DatabasePart, DatabaseSize, SearchedDatabase, Whole, firsts_of, size_of
from shardwater.search.merge import NarrowShortlist, Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import ShardSearch, find_all_hits, find_hits
from shardwater.sequences.fasta import Record
from shardwater.steps import finish
from tests.support.taxonomies import build_with_taxa

TAXIDS = (9606, 9598, 83333, 562, None)


@pytest.fixture(scope="module")
def records():
    """400 sequences of five organisms, many like the query."""
    rng = np.random.default_rng(17)
    query = "".join(rng.choice(list("ACDEFGHIKLMNPQRSTVWY"), 60))
    found = []
    for number in range(400):
        letters = "".join(rng.choice(list("ACDEFGHIKLMNPQRSTVWY"), rng.integers(20, 90)))
        if number % 9 == 0:
            at = int(rng.integers(0, 40))
            letters += query[at : at + int(rng.integers(10, 20))]
        taxid = TAXIDS[number % len(TAXIDS)]
        found.append((f"s{number}{f' OX={taxid}' if taxid else ''}", letters))
    return query, found


@pytest.fixture(scope="module")
def database(records, tmp_path_factory):
    return build_with_taxa(tmp_path_factory.mktemp("whole"), records[1])


def result(databases, queries, parameters, count, any_line=False):
    """The result of databases that are searched as one, each in so many shards."""
    parts = parts_of(databases, parameters)
    named = tuple(
        replace(SearchedDatabase.of(each.manifest), name=f"d{number}", searched=part)
        for number, (each, part) in enumerate(zip(databases, parts, strict=True))
    )
    engine, shards = CpuEngine(2), []
    for number, (database, first) in enumerate(zip(databases, firsts_of(named), strict=True)):
        whole = Whole(size_of(named), count * len(databases), number, first)
        for index in range(count):
            shard = database.shard(index, count)
            engine.load(shard)
            asked = [ShardSearch(queries, parameters, any_line, whole=whole)]
            shards += finish(find_all_hits(engine, part_of(shard, parameters), asked))
    return assemble(Searched("s", named, parameters, queries), shards)


def searched(databases, queries, parameters, count):
    try:
        return result(databases, queries, parameters, count)
    except NarrowShortlist:
        return result(databases, queries, parameters, count, any_line=True)


CHOICES = {"a subtree": ((9604,), ()), "but for one": ((), (9606,)), "some": ((562, 9606), (83333,))}
ASKED = {
    "fitted": Parameters(composition="adjusted", score_distribution=True, evalue=1000, max_target_seqs=30),
    "table": Parameters(statistics="table", evalue=1000, max_target_seqs=30),
    "by score": Parameters(statistics="none", max_target_seqs=5),
    "filtered": Parameters(min_identity=30, evalue=1000, mask="seg"),
}


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_the_result_is_that_of_a_database_of_these_subjects(records, database, choice, asked, tmp_path):
    query, everyone = records
    queries = [Record("q", query.encode()), Record("r", query[10:40].encode())]
    parameters = replace(asked, taxids=choice[0], negative_taxids=choice[1])
    wanted = database.taxa.of(database.taxa.chosen(*choice))
    headers = {database.header(subject) for subject in np.flatnonzero(wanted).tolist()}
    own = build_with_taxa(tmp_path, [each for each in everyone if each[0] in headers])
    expected = searched([own], queries, asked, 1)
    assert 50 < len(own) < len(database)
    for count in range(1, 6):
        found = searched([database], queries, parameters, count)
        assert found.results == expected.results
        assert found.results[0].hits
        of_shards = replace(found.certificate, shards=expected.certificate.shards)
        assert of_shards == expected.certificate
        [used] = found.databases
        assert used.searched == DatabasePart(len(own), own.manifest.residues, by_tree=True)
        assert (used.subjects, used.residues) == (len(database), database.manifest.residues)


@pytest.mark.parametrize("asked", [ASKED["fitted"], ASKED["table"]], ids=["fitted", "table"])
def test_of_several_databases_it_is_that_of_what_is_left_of_each(records, asked, tmp_path):
    query, everyone = records
    queries, parameters = [Record("q", query.encode())], replace(asked, taxids=(562,), negative_taxids=(9598,))
    divided, left = [], []
    for number, some in enumerate((everyone[:150], everyone[150:300], [("x", "MKV"), *everyone[300:]])):
        (folder := tmp_path / str(number)).mkdir()
        divided.append(build_with_taxa(folder, some, tree=number != 1))
        wanted = ("OX=562", "OX=83333") if number != 1 else ("OX=562",)
        (folder / "own").mkdir()
        own = [each for each in some if each[0].endswith(wanted)]
        left.append(build_with_taxa(folder / "own", own, tree=number != 1))
    found, expected = searched(divided, queries, parameters, 2), searched(left, queries, asked, 1)
    [one], [other] = found.results, expected.results
    assert replace(one, warnings=other.warnings) == other
    assert {hit.database for hit in one.hits} == {"d0", "d1", "d2"}
    assert "taxids-without-tree" in [warning.code for warning in one.warnings]
    assert found.certificate.residues == sum(each.manifest.residues for each in left)


def test_a_taxid_need_be_in_one_database_alone(tmp_path, build):
    (tmp_path / "one").mkdir()
    some = build_with_taxa(tmp_path / "one", [("a OX=562", "MKVLAAWQ"), ("b OX=9606", "MKVLAAWQMK")])
    none = build([("c", "MKVLAAWQMKW"), ("d", "MKVLAAWQMKWW")], name="none")
    parameters = Parameters(statistics="none")
    for chosen, sizes in (
        ({"taxids": (562,)}, [(1, 8), (0, 0)]),
        ({"negative_taxids": (562,)}, [(1, 10), (2, 23)]),
    ):
        parts = parts_of([some, none], replace(parameters, **chosen))
        assert [(part.subjects, part.residues) for part in parts] == sizes
        assert [part.by_tree for part in parts] == [True, False]
        found = result([some, none], [Record("q", b"MKVLAAWQ")], replace(parameters, **chosen), 1)
        assert len(found.results[0].hits) == sum(subjects for subjects, _ in sizes)
        # One of which nothing can be found by taxid is left out in words.
        [told] = [each.detail for each in found.results[0].warnings if each.code == "taxids-without-tree"]
        assert told.startswith("no tree of taxids in d1: ")
    with pytest.raises(UnknownTaxa, match="belongs to taxid 5"):
        parts_of([some, none], replace(parameters, taxids=(5, 562)))


@pytest.mark.parametrize(
    ("taxids", "negative", "detail", "is_negative"),
    [
        ((5,), (), "no sequence of the database belongs to taxid 5", False),
        ((9606, 4294967295), (), "no sequence of the database belongs to taxid 4294967295", False),
        ((9606,), (6,), "no sequence of the database belongs to taxid 6", True),
        ((9606,), (1,), "no sequence of the database is left by these taxids", False),
    ],
)
def test_unknown_taxa_and_an_empty_choice_are_refused(database, taxids, negative, detail, is_negative):
    with pytest.raises(UnknownTaxa, match=detail) as caught:
        parts_of([database], Parameters(taxids=taxids, negative_taxids=negative))
    assert caught.value.negative is is_negative


def test_a_shard_may_have_nothing_of_them(tmp_path):
    records = [("a OX=562", "MKVLAAWQ"), ("b OX=9606", "MKVLAAWQMK"), ("c OX=9606", "MKVLAAWQMKMK")]
    database = build_with_taxa(tmp_path, records)
    parameters = Parameters(statistics="table", taxids=(562,), evalue=1000)
    found = result([database], [Record("q", b"MKVLAAWQ")], parameters, 3)
    assert [hit.accession for hit in found.results[0].hits] == ["a"]
    assert (found.certificate.subjects, found.certificate.residues, found.certificate.cells) == (1, 8, 64)
    assert [shard.subjects for shard in found.certificate.shards] == [1, 0, 0]


def test_without_a_tree_it_is_told_that_taxids_stand_for_themselves(tmp_path):
    database = build_with_taxa(tmp_path, [("a OX=562", "MKVLAAWQ" * 3), ("b OX=83333", "MKVLAAWQ" * 3)], tree=False)
    parameters = Parameters(statistics="table", taxids=(562,), evalue=1000)
    found = result([database], [Record("q", b"MKVLAAWQ" * 3)], parameters, 1)
    [one] = found.results
    assert [hit.accession for hit in one.hits] == ["a"]
    assert [warning.code for warning in one.warnings] == ["taxids-without-tree"]
    assert found.databases[0].searched == DatabasePart(1, 24, by_tree=False)
    assert not result([database], [Record("q", b"MKVLAAWQ" * 3)], replace(parameters, taxids=()), 1).results[0].warnings


def test_hits_say_where_they_come_from(database, records):
    [one] = result([database], [Record("q", records[0].encode())], Parameters(evalue=1000), 1).results
    named = {hit.taxid: hit.organism for hit in one.hits}
    assert named.items() <= {
        (9606, "Homo sapiens"),
        (9598, "Pan troglodytes"),
        (83333, "Escherichia coli K-12"),
        (562, "Escherichia coli"),
        (None, None),
    }
    assert len(named) > 2


def test_subjects_and_sizes_of_a_part(database):
    asked = Parameters(taxids=(9606,))
    part = part_of(database.shard(1, 3), asked)
    assert part_of(database.shard(1, 3), Parameters()).chosen is None
    numbers = part.numbers(np.arange(len(part))).tolist()
    joined = Joined.of([database])
    everyone = subjects_at(joined, [0], asked, range(80))
    assert numbers == [number for number in everyone if number % 3 == 1]
    assert part.lengths.tolist() == [int(database.lengths[number]) for number in numbers]
    assert part.searched == (80, int(database.lengths[everyone].sum()))
    assert size_in(joined, asked) == DatabaseSize(*part.searched)
    other = next(number for number in range(400) if number not in everyone)
    assert searched_of(joined, asked, [everyone[3], None, other]) == [everyone[3], None, None]
    assert searched_of(joined, Parameters(), [1, None]) == [1, None]
    assert subjects_at(joined, [0], Parameters(), [1, 5]) == [1, 5]
    # Of two databases, of which one is open here alone.
    second = Joined(tuple(replace(part, first=400) for part in joined.parts))
    assert subjects_at(second, [80], asked, range(70, 90)) == [400 + number for number in everyone[:10]]


def test_a_database_without_taxids_has_none_to_choose(build):
    database = build([("a", "MKV")])
    with pytest.raises(UnknownTaxa, match="no sequence of database test has a taxid"):
        parts_of([database], Parameters(taxids=(1,)))


def test_an_engine_keeps_the_parts_that_were_searched_last(database):
    engine, shard = CpuEngine(1), database.shard(0, 1)
    engine.load(shard)
    query, parts = [Record("q", b"MKV")], []
    for taxid in (9606, 9598, 562, 83333, 9604, 2):
        parameters = Parameters(statistics="none", taxids=(taxid,))
        parts.append(shard.among(database.taxa.of(database.taxa.chosen([taxid], []))))
        find_hits(engine, parts[-1], query, parameters)
    assert list(engine._parts) == parts[-MOST_PARTS:]
    engine.load(shard)
    assert not engine._parts
