"""Whatever is edited in a result, a sample finds it, or it is in a short list of what a sample cannot judge."""

import copy
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from shardwater.database.database import Database
from shardwater.database.joined import Joined
from shardwater.engines.cpu import CpuEngine
from shardwater.search.checking import Sample
from shardwater.search.databases import SearchedDatabase
from shardwater.search.expected import Answer, Expected
from shardwater.search.merge import Searched, SearchResult, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.sampling import score_subjects
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.search.verification import Differences
from shardwater.sequences.fasta import Record
from shardwater.steps import finish
from tests.support.edits import WITHOUT_LAST, Plain, edits

RESULT = TypeAdapter(SearchResult)
NOT_JUDGED = re.compile(
    "|".join(
        [
            r"search|digest|signature|software\.commit|results\.\d+\.digest",
            r"certificate\.shards\.\d+\.engine",
            # Only all scores tell these; most are seen all the same, by what follows from them.
            r"results\.\d+\.(statistics|distribution)\.fit\.(rho|mu|variance|goodness(\..*)?)",
            r"results\.\d+\.distribution\.(counts|expected)(\.\d+)?",
        ]
    )
)
"""Members, by their paths."""
LAST_HIT = re.compile(r"results\.\d+\.hits without the last")
"""Nobody knows whether it is missing where limits or filters leave out some that come before it."""
LAST_ALIGNMENT = re.compile(r"results\.\d+\.hits\.\d+\.hsps without the last")
"""What is left of a pair where its best alignment is taken is not aligned anew."""


@dataclass(frozen=True)
class Made:
    """A real result, and what it is checked with."""

    plain: Plain
    sample: Sample
    scores: Sequence[dict[int, int]]

    def cannot_judge(self, path: str) -> bool:
        """Whether a sample may miss an edit of this member."""
        parameters = self.sample.parameters
        filtered = parameters.min_identity is not None or parameters.min_query_coverage is not None
        limits_apart = filtered or (parameters.order == "score" and parameters.statistics == "table")
        if parameters.max_hsps > 1 and LAST_ALIGNMENT.fullmatch(path):
            return True
        return bool(
            NOT_JUDGED.fullmatch(path.removesuffix(WITHOUT_LAST)) or (limits_apart and LAST_HIT.fullmatch(path))
        )

    def differences(self, edited: Plain, read: SearchResult | None = None) -> Differences:
        return self.sample.differences(read or RESULT.validate_python(edited), self.scores, edited)


LETTERS = list("ARNDCQEGHILKMFPSTWYV")
TURNS = 3
"""What a case before has had edited is made again in so many turns."""
QUERY = "".join(np.random.default_rng(7).choice(LETTERS, 60))


def subjects(strangers: int) -> list[tuple[str, str]]:
    """Random proteins and pieces of the query."""
    rng = np.random.default_rng(8)
    found = ["".join(rng.choice(LETTERS, rng.integers(20, 120))) for _ in range(strangers)]
    found += [QUERY[start : start + 30] + "".join(rng.choice(LETTERS, 3)) + QUERY[start + 33 :] for start in (0, 9, 20)]
    return [(f"s{number} protein {number}", each) for number, each in enumerate(found)]


def make(database: Database, parameters: Parameters, shards: int) -> Made:
    queries = [Record("q1 a query", QUERY.encode()), Record("q2", QUERY[::-1].encode() + b"U")]
    return make_of(database, queries, parameters, shards)


def make_of(database: Database, queries: list[Record], parameters: Parameters, shards: int = 1) -> Made:
    if parameters.query_loc is not None:
        first, last = map(int, parameters.query_loc.split("-"))
        queries = [query.part(first, last) for query in queries]
    engine, found = CpuEngine(1), []
    for index in range(shards):
        shard = database.shard(index, shards)
        engine.load(shard)
        found += finish(find_all_hits(engine, shard, [ShardSearch(queries, parameters, any_line=True)]))
    result = assemble(Searched("abc", (SearchedDatabase.of(database.manifest),), parameters, queries), found)
    everyone = range(len(database))
    scores = [finish(score_subjects(each, database, everyone, parameters.scoring)) for each in queries]
    plain = json.loads(RESULT.dump_json(result))
    return Made(
        plain,
        Sample(queries, parameters, (SearchedDatabase.of(database.manifest),), Joined.of([database]), everyone),
        scores,
    )


CASES = {
    "fitted": (100, Parameters(max_target_seqs=4), 1),
    "fitted on three shards": (100, Parameters(max_target_seqs=4, alignments=2), 3),
    "adjusted": (100, Parameters(max_target_seqs=4, composition="adjusted"), 1),
    "adjusted, cut": (100, Parameters(max_target_seqs=9, alignments=1, composition="adjusted", evalue=30.0), 2),
    "counted": (100, Parameters(max_target_seqs=3, score_distribution=True), 2),
    "counted by the table": (100, Parameters(max_target_seqs=3, statistics="table", score_distribution=True), 1),
    "no fit": (20, Parameters(max_target_seqs=3, score_distribution=True), 1),
    "no fit and no table": (20, Parameters(max_target_seqs=3, gap_open=3, gap_extend=1), 1),
    "the table, by score": (100, Parameters(max_target_seqs=4, statistics="table", order="score", evalue=1e6), 1),
    "effective lengths": (100, Parameters(statistics="karlin-altschul", evalue=0.1), 1),
    "no statistics": (100, Parameters(max_target_seqs=3, statistics="none", alignments=0), 1),
    "filters": (100, Parameters(max_target_seqs=9, evalue=1e3, min_bits=9.0, min_identity=30.0), 1),
    "coverage": (100, Parameters(max_target_seqs=9, evalue=1e3, min_query_coverage=20.0), 1),
    "shuffles": (100, Parameters(max_target_seqs=4, alignments=3, shuffles=100), 2),
    "a part": (100, Parameters(max_target_seqs=3, query_loc="5-18"), 1),
    "several alignments": (100, Parameters(max_target_seqs=3, evalue=1e6, max_hsps=3, composition="adjusted"), 2),
    "no hits": (100, Parameters(evalue=0.0), 1),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def made(case: str, build: Callable[..., Database]) -> Made:
    strangers, parameters, shards = CASES[case]
    return make(build(subjects(strangers)), parameters, shards)


def test_what_is_not_edited_is_equal(made: Made) -> None:
    assert made.differences(made.plain).first == ()


@pytest.fixture
def made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an answer should be is made once for each: most edits leave that to one of two queries as it was."""
    make_expected, kept = Answer.expected, dict[tuple[int, str], Expected]()

    def expected(answer: Answer, sample: Sequence[int]) -> Expected:
        # Its text tells apart what is only equal: -0.0 and 0, or 1 and true.
        key = answer.asked.number, repr(answer.stored)
        if key not in kept:
            kept[key] = make_expected(answer, sample)
        return kept[key]

    monkeypatch.setattr(Answer, "expected", expected)


@pytest.fixture(scope="module")
def known() -> set[tuple[str, int]]:
    """The edits of the cases before: a path, and which one of it."""
    return set()


@pytest.mark.usefixtures("made_once")
def test_every_edit_is_found_or_cannot_be_judged(made: Made, case: str, known: set[tuple[str, int]]) -> None:
    # As if digests were made anew: a sample does not look at them.
    tried, missed, turn = 0, set(), list(CASES).index(case) % TURNS
    numbers = Counter[str]()
    certificate = RESULT.validate_python(made.plain).certificate
    for place, edit in enumerate(edits(made.plain)):
        numbers[edit.path] += 1
        key = edit.path, numbers[edit.path]
        if key in known and place % TURNS != turn:
            continue
        known.add(key)
        edited = edit.of(made.plain)
        try:
            result = RESULT.validate_python(edited)
        except ValidationError:
            continue
        # What is written beside a shard's numbers, or how they are, no digest covers.
        same_shards = edit.path.startswith("certificate.shards") and result.certificate == certificate
        if same_shards or not edit.changes(made.plain, edited):
            continue
        tried += 1
        if not made.differences(edited, result).total and not made.cannot_judge(edit.path):
            missed.add(edit.path)
    assert missed == set()
    assert tried > 80


@pytest.fixture
def fitted(build: Callable[..., Database]) -> Callable[..., Made]:
    """fitted(...): the result of a search of these parameters."""

    def made_by(shards: int = 1, **parameters: Any) -> Made:
        return make(build(subjects(100)), Parameters(**{"max_target_seqs": 4, **parameters}), shards)

    return made_by


def told(made: Made, edit: Callable[[Plain], object]) -> list[str]:
    """What differs in an edited result."""
    edited = copy.deepcopy(made.plain)
    edit(edited)
    return [str(each) for each in made.differences(edited).first]


def hits(edited: Plain) -> list[Plain]:
    """Those of the first query."""
    found: list[Plain] = edited["results"][0]["hits"]
    return found


def test_hits_in_another_order_with_their_ranks_are_told(fitted: Callable[..., Made]) -> None:
    found = told(fitted(), lambda edited: hits(edited).reverse())
    assert found[0].endswith("rank: 4, at place 1; computed anew: 4")
    assert len(found) == 4


def test_a_fallback_is_only_possible_where_a_fit_was_asked_for(fitted: Callable[..., Made]) -> None:
    made = fitted(statistics="karlin-altschul", evalue=1e6)
    table = fitted(statistics="table", evalue=1e6)

    def edit(edited: Plain) -> None:
        for one, other in zip(edited["results"], table.plain["results"], strict=True):
            reason = "a fit needs 50 unrelated subjects and finds 0: table is used in its place"
            one.update(copy.deepcopy(other), warnings=[{"code": "no-fit", "detail": reason}])
            one["statistics"]["fallback_reason"] = reason

    found = told(made, edit)
    assert any('statistics.method: "table"; computed anew: "karlin-altschul"' in line for line in found)
    assert any("statistics.fallback_reason: " in line for line in found)


def test_a_reason_has_to_name_what_stands_in(build: Callable[..., Database]) -> None:
    made = make(build(subjects(20)), Parameters(max_target_seqs=2), 1)

    def edit(edited: Plain) -> None:
        edited["results"][0]["statistics"]["fallback_reason"] = "because"
        edited["results"][0]["warnings"][0]["detail"] = "because"

    found = told(made, edit)
    assert any('fallback_reason: "because"; computed anew: "because: table is used' in line for line in found)


@pytest.mark.parametrize(
    ("member", "value", "line"),
    [
        ("subjects", 10**400, "one of inf and 3 subjects"),
        ("rejected", 4, "one of 100 and 4 subjects"),
        ("variance", 0.0, "one that no figure follows from"),
        ("rho", math.nan, "one that no figure follows from"),
    ],
)
def test_a_fit_that_cannot_be_is_told(fitted: Callable[..., Made], member: str, value: float, line: str) -> None:
    made = fitted()
    made.plain["results"][0]["statistics"]["fit"].update(subjects=100, rejected=3)
    [found] = told(made, lambda edited: edited["results"][0]["statistics"]["fit"].update({member: value}))
    assert found == f"query 1 (q1), statistics.fit: {line}; computed anew: one of 103 subjects"


def longer(cigar: str) -> str:
    return re.sub("^([0-9]+)", lambda length: str(int(length[0]) + 500), cigar)


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (lambda hsps: hsps.clear(), "no alignments"),
        (lambda hsps: hsps.append(hsps[0]), "2 alignments"),
        (lambda hsps: hsps[0].update(cigar=longer(hsps[0]["cigar"])), "it does not lie in both sequences as it says"),
        (lambda hsps: hsps[0].update(cigar="5M"), "it does not lie in both sequences as it says"),
        (
            lambda hsps: hsps[0].update(cigar="1=", query_to=hsps[0]["query_from"], hit_to=hsps[0]["hit_from"]),
            "its letters and gaps are worth ",
        ),
    ],
)
def test_an_alignment_that_is_none_is_told(
    fitted: Callable[..., Made], edit: Callable[[list[Plain]], object], line: str
) -> None:
    made = fitted()
    [found] = told(made, lambda edited: edit(hits(edited)[0]["hsps"]))
    assert f"hit 1 ({hits(made.plain)[0]['accession']}), hsps: {line}" in found
    assert found.endswith(f"computed anew: an alignment worth {hits(made.plain)[0]['score']}")


@pytest.fixture
def several(build: Callable[..., Database]) -> Made:
    strangers, parameters, shards = CASES["several alignments"]
    return make(build(subjects(strangers)), parameters, shards)


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (lambda hsps: hsps[1].update(score=5), "hsps[2].score: 5; computed anew: "),
        (lambda hsps: hsps[2].update(evalue=1e-9), "hsps[3].evalue: 1e-9; computed anew: "),
        (lambda hsps: hsps[1].update(qseq="W"), 'hsps[2].qseq: "W"; computed anew: '),
        (lambda hsps: hsps.insert(1, hsps.pop()), "hsps: alignment 3 is worth "),
        (lambda hsps: hsps.append(hsps[2]), "hsps: 4 alignments"),
        (lambda hsps: hsps.__setitem__(2, hsps[1]), "hsps: two alignments that share pairs of letters"),
        (lambda hsps: hsps[2].update(cigar="5D"), "hsps: it does not lie in both sequences as it says"),
    ],
)
def test_a_further_alignment_that_is_none_is_told(
    several: Made, edit: Callable[[list[Plain]], object], line: str
) -> None:
    found = told(several, lambda edited: edit(hits(edited)[0]["hsps"]))
    assert any(line in each for each in found)


def test_an_alignment_beyond_those_asked_for_is_told(fitted: Callable[..., Made]) -> None:
    made = fitted(alignments=1)
    found = told(made, lambda edited: hits(edited)[1].update(hsps=hits(edited)[0]["hsps"]))
    assert [line.split(": ")[0].split(", ")[-1] for line in found] == ["hsps[1]"]


def test_an_equally_good_alignment_will_do(build: Callable[..., Database]) -> None:
    database = build([("one", "WCHWCH" + "GGGGGGGG" + "WCHWCH")])
    queries, parameters = [Record("q", b"WCHWCH")], Parameters(statistics="none")
    made = make_of(database, queries, parameters)
    hsp = hits(made.plain)[0]["hsps"][0]
    other = {1: (15, 20), 15: (1, 6)}[hsp["hit_from"]]
    assert told(made, lambda edited: hits(edited)[0]["hsps"][0].update(hit_from=other[0], hit_to=other[1])) == []


def test_a_hit_below_a_filter_is_told(fitted: Callable[..., Made]) -> None:
    made = fitted(max_target_seqs=50, evalue=1e6)
    assert min(hit["identity"] for hit in hits(made.plain)) < 30
    strict = replace(made.sample.parameters, min_identity=30.0)
    made.plain["parameters"]["min_identity"] = 30.0
    sample = replace(made.sample, parameters=strict)
    found = told(replace(made, sample=sample), lambda edited: None)
    assert any(line.endswith("computed anew: outside the limits") for line in found)


def test_shards_may_be_cut_in_any_way_that_makes_up_the_database(fitted: Callable[..., Made]) -> None:
    def edit(edited: Plain) -> None:
        for shard, change in zip(edited["certificate"]["shards"], (-3, 3), strict=True):
            shard.update(subjects=shard["subjects"] + change, engine="another")

    assert told(fitted(shards=2), edit) == []
    [found] = told(fitted(), lambda edited: edited["certificate"]["shards"][0].update(subjects=7))
    assert found == "certificate.shards.subjects: 7 in all; computed anew: 103 in all"


def test_members_that_no_result_has_are_told(fitted: Callable[..., Made]) -> None:
    [found] = told(fitted(), lambda edited: hits(edited)[0].update(note="reviewed"))
    assert found.endswith('note: "reviewed"; computed anew: missing')
