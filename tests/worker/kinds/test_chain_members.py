"""Members of hits' clusters as rows of MSAs: aligned by workers in a round of their own, and by the command line."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from shardwater.errors import DatabaseError
from shardwater.formats.msas.writers import MSA_FORMATS
from shardwater.msa.msa import Msa
from shardwater.search.clusters import MembersReport
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import read_fasta
from tests.support.families import family
from tests.support.merging import merge_answered
from tests.support.oracle import best_alignment
from tests.support.sharded_service import ShardedService
from worker.cli.chains_here import opened_here
from worker.cli.subjects import Subjects
from worker.jobs.chain_requests import ChainRequest
from worker.jobs.msa_files import MsaFiles
from worker.jobs.results.packing import unpack
from worker.jobs.round_files import RoundFiles
from worker.jobs.store import JobStore
from worker.kinds import chain
from worker.kinds.chain import ChainResult, read_chain

FAMILY = family()
RECORDS = {record.id: record.residues for record in read_fasta(FAMILY.encode())}
QUERY = RECORDS["m0"].decode()
CLUSTERS = {"m0": ["m2", "m1", "s5"], "m4": ["m5", "m30"], "m12": ["m13"], "s1": ["s2", "m39"]}
TABLE = "".join(f"{first}\t{member}\n" for first, members in CLUSTERS.items() for member in (first, *members))
BEHIND = {member: first for first, members in CLUSTERS.items() for member in members}
ASKED = {"iterations": 2, "evalue": 0.1, "inclusion_evalue": 0.002, "max_sequences": 1000, "filter": "none"}


def request(**fields: object) -> ChainRequest:
    return ChainRequest.model_validate({"residues": QUERY, "database": "family", **ASKED, **fields})


class Service(ShardedService):
    """MSAs of the family's first member."""

    def msa(self, **fields: object) -> tuple[str, ChainResult]:
        job = self.submit(chain.plan(request(**fields), self.target))
        self.do_all()
        assert self.store.state(job).error is None
        return job, read_chain(self.store.packed_result(job))

    def rows(self, job: str, number: int = 0) -> Msa:
        return MsaFiles(self.files, job).msa(number)


@pytest.fixture
def service(store: JobStore, tmp_path: Path) -> Callable[..., Service]:
    @cache
    def make(shards: int = 1, table: str = TABLE) -> Service:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return Service(store, folder, FAMILY, shards, table)

    return make


def made_here(service: Service, stages: int = 1, **fields: object) -> list[Msa]:
    """What the command line makes, of the same database twice where there are two stages."""
    with opened_here([Subjects(service.data, ("family",))] * stages, 1) as here:
        [made] = here.made([request(**fields)])
    return [each.msa for each in made]


def names(msa: Msa) -> list[str]:
    return [row.name for row in msa]


def without_shards(msa: Msa) -> tuple[object, list[bytes]]:
    """The MSA as JSON, without what says how databases are cut."""
    head, *rows = b"".join(MSA_FORMATS["json"].write(msa)).splitlines()
    value = json.loads(head + b"]}")
    del value["searched"]["certificate"]["shards"]
    return value, rows


def test_members_follow_their_representatives_with_their_own_figures(service: Callable[..., Service]) -> None:
    job, result = service(2).msa()
    msa = service(2).rows(job)
    behind = {row.name: row.representative for row in msa}
    assert {name: first for name, first in behind.items() if first} == {
        name: first for name, first in BEHIND.items() if name[0] == "m" and first[0] == "m"
    }
    order = names(msa)
    # After m0 its members, the better one first; s5 is none of the family.
    assert order[:3] == ["m0", "m1", "m2"]
    assert order[order.index("m4") :][:2] == ["m4", "m5"]
    for first, following in (("m0", ["m1", "m2"]), ("m4", ["m5", "m30"])):
        scores = [msa.row(order.index(name)).score for name in following]
        assert scores == sorted(scores, reverse=True)
        assert all(order.index(first) < order.index(name) for name in following)
    assert all(row.evalue is not None and row.evalue <= 0.1 for row in msa)
    # The aligned: members of m0, m4, m12, and of s1 if that is a hit.
    [stage] = result.stages
    assert stage.members == MembersReport(6, 5, 0)
    assert (stage.found, stage.kept) == (len(msa), len(msa))
    assert msa.provenance is not None
    assert msa.provenance.members == stage.members
    assert msa.provenance.as_json()["members"] == {"searched": False, "aligned": 6, "rows": 5, "left_out": 0}
    # Representatives alone were searched, and made the profile.
    assert msa.provenance.certificate.subjects == len(RECORDS) - len(BEHIND)
    assert 0 < stage.rounds[0].new == stage.rounds[0].included <= len(msa) - 5


def test_each_row_is_the_oracles_alignment_with_the_profile(service: Callable[..., Service]) -> None:
    one = service()
    job, _ = one.msa()
    asked = request()
    [record] = RoundFiles(one.files, job, [asked.query]).read(3).records
    assert record.pssm is not None
    scoring = asked.parameters.scoring
    rows = [row for row in one.rows(job) if row.representative]
    assert len(rows) == 5
    for row in rows:
        best = best_alignment(
            range(len(QUERY)),
            encode(RECORDS[row.name]).tolist(),
            record.pssm.scores.tolist(),
            scoring.gap_open,
            scoring.gap_extend,
        )
        assert best is not None
        assert row.score == best.score
        assert (row.query_start, row.query_end, row.subject_start, row.subject_end) == (
            *(best.query_start, best.query_end),
            *(best.subject_start, best.subject_end),
        )
        assert row.columns == sum(run.length for run in best.runs)
        assert row.gaps == sum(run.length for run in best.runs if run.kind != "M")


def test_rows_are_those_of_a_database_of_all_sequences(service: Callable[..., Service]) -> None:
    clustered, whole = service(), service(table="")
    (job, _), (other, _) = (each.msa(iterations=1, evalue=1000) for each in (clustered, whole))
    some, all_ = clustered.rows(job), whole.rows(other)
    of_all = {row.name: (row.score, all_.a3m(number)) for number, row in enumerate(all_)}
    both = {row.name: (row.score, some.a3m(number)) for number, row in enumerate(some) if row.name in of_all}
    assert set(BEHIND) <= set(both)
    assert both == {name: of_all[name] for name in both}


def test_neither_shards_nor_the_command_line_show(service: Callable[..., Service]) -> None:
    one, three = service(1), service(3)
    for fields in ({"then": True}, {"max_sequences": 36, "filter": "diverse"}):
        found = []
        for each in (one, three):
            asked = {**fields, "then": each.target} if "then" in fields else fields
            job, result = each.msa(**asked)
            stages = range(len(result.stages))
            found.append([without_shards(each.rows(job, number)) for number in stages])
        same = {name: value for name, value in fields.items() if name != "then"}
        here = made_here(one, len(found[0]), **same)
        assert found[0] == found[1] == [without_shards(each) for each in here]
        assert all(any(b'"representative": "m' in row for row in rows) for _, rows in found[0])


def test_members_have_the_room_that_hits_leave(service: Callable[..., Service]) -> None:
    one = service(2)
    hits = [name for name in names(one.rows(one.msa()[0])) if name not in BEHIND]
    job, result = one.msa(max_sequences=len(hits) + 2)
    msa = one.rows(job)
    # Of m0's three the longest two, of which s5 is no row; nothing is left for others.
    lengths = sorted(CLUSTERS["m0"], key=lambda name: (len(RECORDS[name]), list(RECORDS).index(name)))
    taken = [name for name in names(msa) if name in BEHIND]
    assert set(taken) <= set(lengths[1:])
    assert [name for name in names(msa) if name not in BEHIND] == hits
    assert result.stages[0].members == MembersReport(2, len(taken), 4)
    # Where hits take all of it, no round aligns members, and so it is told.
    job, result = one.msa(max_sequences=5)
    msa = one.rows(job)
    assert (len(msa), msa.representatives) == (5, None)
    [stage] = result.stages
    assert stage.members == MembersReport(0, 0, sum(len(CLUSTERS.get(name, ())) for name in names(msa)))


def test_clusters_of_one_change_nothing(service: Callable[..., Service]) -> None:
    plain, singletons = service(table=""), service(table="".join(f"{name}\t{name}\n" for name in RECORDS))
    assert [list(MSA_FORMATS["json"].write(msa)) for msa in made_here(plain)] == [
        list(MSA_FORMATS["json"].write(msa)) for msa in made_here(singletons)
    ]
    job, result = singletons.msa()
    assert result.stages[0].members is None
    assert set(BEHIND) & set(names(singletons.rows(job)))
    assert chain.plan(request(), plain.target) == chain.plan(request(), singletons.target)


def test_a_bound_is_charged_and_expected_beforehand(service: Callable[..., Service]) -> None:
    clustered = service()
    target, bare = clustered.target, service(table="").target
    asked = request(iterations=3)
    plan, without = chain.plan(asked, target), chain.plan(asked, bare)
    assert (plan.rounds, without.rounds) == (4, 3)
    members = sum(len(RECORDS[name]) for name in BEHIND)
    assert plan.cells == len(QUERY) * (3 * target.size.residues + members)
    assert plan.later is not None
    assert plan.later.queries == 2
    few = chain.plan(request(max_sequences=2), target)
    assert few.cells == len(QUERY) * 2 * target.size.residues + len(QUERY) * 2 * members // len(BEHIND)


def test_members_longer_than_most_are_charged_besides(
    service: Callable[..., Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = service()
    hits = [name for name in names(one.rows(one.msa()[0])) if name not in BEHIND]
    charged: list[int] = []
    monkeypatch.setattr(one.store, "charge_cells", lambda _, cells: charged.append(cells))
    # As if the mean one had a residue, and few were expected.
    monkeypatch.setattr(chain, "_member_cells", lambda *_: 1)
    one.msa(max_sequences=len(hits) + 2)
    # Of m0's members the longest two are aligned.
    aligned = sum(sorted(len(RECORDS[name]) for name in CLUSTERS["m0"])[1:])
    assert charged[-1] == len(QUERY) * aligned - 1


def test_nothing_is_made_of_members_that_are_damaged(service: Callable[..., Service]) -> None:
    one = service()
    one.submit(chain.plan(request(iterations=1), one.target))
    one.do_round()
    file = one.database.path / "member_names.bin"
    file.write_bytes(file.read_bytes().replace(b"m1 ", b"m9 "))
    part = one.lease(0)
    assert part is not None
    with pytest.raises(DatabaseError, match=r"member_names\.bin: its SHA-256"):
        one.do(part)


def test_workers_read_a_round_once_and_nothing_of_what_was_found(
    service: Callable[..., Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = service()
    job = one.submit(chain.plan(request(iterations=1), one.target))
    one.do_round()
    rounds = one.files.folder(job) / "rounds"
    opened: list[str] = []
    read = Path.read_bytes

    def noted(path: Path) -> bytes:
        opened.append(path.name)
        return read(path)

    part = one.lease(0)
    assert part is not None
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", noted)
        answer = one.do(part)
    assert [name for name in opened if (rounds / name).exists()] == ["2"]
    assert b"found" not in unpack(one.files.round(job, 2))
    one.answer(part, answer)
    merge_answered(one.store, one.data)
    assert one.store.state(job).state == "succeeded"


def test_searches_and_members_go_in_one_pass(service: Callable[..., Service]) -> None:
    """What a worker leases together may be of several rounds."""
    one = service()
    first = one.submit(chain.plan(request(), one.target))
    for _ in range(2):
        one.do_round()
    second = one.submit(chain.plan(request(iterations=1), one.target))
    parts = []
    while part := one.lease(0):
        parts.append(part)
    assert {part.search for part in parts} == {first, second}
    for part, answer in zip(parts, one.do_together(parts), strict=True):
        one.answer(part, answer)
    merge_answered(one.store, one.data)
    one.do_all()
    for job, rounds in ((first, 2), (second, 1)):
        [here] = made_here(one, iterations=rounds)
        assert without_shards(one.rows(job)) == without_shards(here)
