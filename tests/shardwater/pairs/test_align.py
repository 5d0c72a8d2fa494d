"""shardwater.align: what a Python user gets, against the oracle and by what must hold of any alignment."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shardwater
from shardwater import Mode, Scheme, match_table, matrix_table
from shardwater.alignment import striped
from shardwater.alignment.alignment import Alignment
from shardwater.errors import EngineError, ScoringError
from shardwater.pairs import align as batches
from shardwater.pairs.aligned import AlignedPair, Rows
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.engine import Checkpoints
from shardwater.pairs.strands import Strands
from shardwater.scoring.table import Table, bases_table
from shardwater.sequences.alphabets import DNA, Alphabet, UnknownLetter
from shardwater.sequences.named import Letters, reverse_complement
from tests.support.pair_oracle import best
from tests.support.pairs import aligned
from tests.support.schemes import MODES, dna, schemes

READS = Scheme(match_table(2, -1), 1, 1, Mode.GLOBAL)


def spelled(codes: Sequence[int]) -> str:
    return "".join(DNA.letters[code] for code in codes)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(dna, dna), max_size=6), schemes)
def test_every_report_equals_the_oracle(pairs: list[tuple[list[int], list[int]]], scheme: Scheme) -> None:
    coded = [CodedPair(np.array(query, np.uint8), np.array(subject, np.uint8)) for query, subject in pairs]
    expected = [best(query, subject, scheme) for query, subject in pairs]
    reports: dict[Report, list[Alignment | None]] = {
        "score": [found and Alignment(found.score, 0, 0, 0, 0, ()) for found in expected],
        "ends": [found and replace(found, runs=()) for found in expected],
        "alignment": expected,
    }
    for with_parasail in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            if not with_parasail:
                patch.setattr(striped, "parasail", None)
            for report, wanted in reports.items():
                assert aligned(CpuPairs(1), coded, scheme, report) == wanted


@settings(max_examples=150, deadline=None)
@given(dna, dna, schemes)
def test_what_is_told_replays(query: list[int], subject: list[int], scheme: Scheme) -> None:
    [found] = shardwater.align([(spelled(query), spelled(subject))], scheme)
    if found.cigar is None:
        assert (scheme.mode.local, found.score) == (True, 0)
        return
    assert replayed(found, spelled(query), spelled(subject), scheme) == found.score


def replayed(found: AlignedPair, query: str, subject: str, scheme: Scheme) -> int:
    """What a CIGAR is worth, read letter by letter; = and X are checked against the letters."""
    assert found.query_from is not None
    assert found.subject_from is not None
    i, j, worth, length = found.query_from - 1, found.subject_from - 1, 0, 0
    for count, kind in runs_of(found.cigar or ""):
        length += count
        if kind in "=X":
            for k in range(count):
                one, other = query[i + k], subject[j + k]
                assert (kind == "=") == (one == other)
                worth += scheme.table.rows[DNA.letters.index(one)][DNA.letters.index(other)]
        else:
            worth -= scheme.gap(count)
        i += count if kind in "=XI" else 0
        j += count if kind in "=XD" else 0
    assert (i, j, length) == (found.query_to, found.subject_to, found.align_len)
    return worth


def runs_of(cigar: str) -> list[tuple[int, str]]:
    runs, digits = [], ""
    for letter in cigar:
        if letter.isdigit():
            digits += letter
        else:
            runs.append((int(digits), letter))
            digits = ""
    return runs


@settings(max_examples=150, deadline=None)
@given(dna, dna, schemes)
def test_scores_of_reversed_and_exchanged_sequences(query: list[int], subject: list[int], scheme: Scheme) -> None:
    mode = scheme.mode
    backwards = replace(
        mode,
        query_begin=mode.query_end, query_end=mode.query_begin,
        subject_begin=mode.subject_end, subject_end=mode.subject_begin,
    )  # fmt: skip
    exchanged = replace(
        mode,
        query_begin=mode.subject_begin, query_end=mode.subject_end,
        subject_begin=mode.query_begin, subject_end=mode.query_end,
    )  # fmt: skip
    one, other = spelled(query), spelled(subject)
    turned = Table(scheme.table.alphabet, tuple(zip(*scheme.table.rows, strict=True)))
    changed = (
        ((one, other), scheme),
        ((one[::-1], other[::-1]), replace(scheme, mode=backwards)),
        ((other, one), replace(scheme, mode=exchanged, table=turned)),
    )
    assert len({next(shardwater.align([pair], each, "score")).score for pair, each in changed}) == 1


@settings(max_examples=10, deadline=None)
@given(dna, dna, schemes)
def test_a_free_end_never_lowers_a_score(query: list[int], subject: list[int], scheme: Scheme) -> None:
    def score(mode: Mode) -> float:
        return next(shardwater.align([(spelled(query), spelled(subject))], replace(scheme, mode=mode), "score")).score

    for mode in MODES:
        for end in ("query_begin", "query_end", "subject_begin", "subject_end"):
            if not mode.local:
                assert score(replace(mode, **{end: True})) >= score(mode)
        assert score(mode) <= score(Mode.LOCAL)


def test_forty_thousand_letters_pass_sixteen_bits_both_ways() -> None:
    length = 40_000
    pairs = [("A" * length, "A" * length), ("A" * length, "C" * length)]
    scheme = Scheme(match_table(2, -1), 1_000_000, 1, Mode.GLOBAL)
    found = [(each.score, each.cigar) for each in shardwater.align(pairs, scheme)]
    assert found == [(2 * length, f"{length}="), (-length, f"{length}X")]


def test_numbers_beyond_32_bits_are_told_whole() -> None:
    scheme = Scheme(match_table(100_000, -1), 1, 1_000_000, Mode.GLOBAL)
    [found] = shardwater.align([("ACGT", "ACGT" + "C" * 3_000)], scheme)
    assert (found.score, found.cigar) == (4 * 100_000 - 1 - 3_000 * 1_000_000, "4=3000D")


def test_scores_are_whole_numbers_and_costs_have_one_digit_at_most() -> None:
    with pytest.raises(ScoringError, match="scores are whole numbers"):
        match_table(2.5, -1)  # type: ignore[arg-type]
    with pytest.raises(ScoringError, match="no whole number"):
        Scheme(match_table(2, -1), 0.5, 1)  # type: ignore[arg-type]
    with pytest.raises(ScoringError, match="further from 0 than 100,000"):
        match_table(100_001, -1)
    # The limit is the user's, in whatever units numbers are kept.
    scheme = Scheme.of(match_table(100_000, -1), 0.5, 0.5, Mode.GLOBAL)
    assert [found.score for found in shardwater.align([("ACG", "AG")], scheme)] == [200_000 - 1]
    rows = np.array([[2, 0], [0, 2]])
    [found] = shardwater.align([("AB", "AB")], Scheme(Table(Alphabet.of("two", "AB"), rows), 1, 1))  # type: ignore[arg-type]
    assert found.score == 4


def test_alphabets_of_more_letters_than_parasail_knows() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    table = Table(Alphabet.of("many", letters), tuple(tuple(3 * (a == b) - 1 for b in letters) for a in letters))
    [found] = shardwater.align([("xyz0123", "XYZ123")], Scheme(table, 1, 1, Mode.GLOBAL))
    assert (found.score, found.cigar) == (6 * 2 - 2, "3=1I3=")


def test_half_costs_are_exact() -> None:
    scheme = Scheme.of(matrix_table("BLOSUM62"), 9.5, Decimal("0.5"), Mode.GLOBAL)
    [found] = shardwater.align([("WWWWCCCCHHHH", "WWWWHHHH")], scheme)
    assert (found.score, found.cigar) == (4 * 11 + 4 * 8 - 9.5 - 4 * 0.5, "4=4I4=")
    with pytest.raises(ScoringError, match="at most one digit"):
        Scheme.of(matrix_table("BLOSUM62"), 9.25, 1)


def test_strand_both_takes_the_better_and_counts_along_the_query_as_given() -> None:
    subject = "ACCGTTTGACATTACGGA"
    query = reverse_complement(subject[3:13].encode()).decode()
    both = Scheme(match_table(2, -1), 1, 1, Mode.LOCAL)
    found = list(shardwater.align([(query + "CC", subject), (subject, subject)], both, strand="both"))
    assert found[0] == AlignedPair("1", "1", 20, 1, 10, 4, 13, "-", "10=", 10, 10, 0, 10)
    assert (found[1].strand, found[1].cigar) == ("+", "18=")
    with pytest.raises(ScoringError, match="two strands"):
        shardwater.align([("W", "W")], Scheme(matrix_table("BLOSUM62"), 11, 1), strand="both")


def test_letters_are_as_the_alphabet_has_them() -> None:
    [found] = shardwater.align([("acgun", "ACGTN")], READS)
    assert (found.score, found.cigar) == (4 * 2 - 1, "5=")
    with pytest.raises(UnknownLetter, match=r"sequence 2: 'E' at letter 3 is no letter of DNA"):
        list(shardwater.align([("ACG", "ACG"), ("ACEG", "ACG")], READS))
    with pytest.raises(UnknownLetter, match=r"'é' at letter 2 is no letter of DNA"):
        list(shardwater.align([("AéG", "ACG")], READS))
    [found] = shardwater.align([("MUOJ", "MXXX")], Scheme(matrix_table("BLOSUM62"), 11, 1, Mode.GLOBAL))
    assert (found.score, found.cigar) == (5 - 3, "1=3X")


def test_any_alphabet_and_table() -> None:
    table = Table(Alphabet.of("chess", "KQR"), ((9, -2, 0), (-2, 5, 1), (0, 1, 3)))
    [found] = shardwater.align([("kqr", "KRR")], Scheme(table, 2, 1, Mode.GLOBAL))
    assert (found.score, found.cigar, found.positive) == (9 + 1 + 3, "1=1X1=", 3)
    [found] = shardwater.align([("AC", "GN")], Scheme(bases_table([[1, 0, 4, 0]] * 4), 9, 9, Mode.GLOBAL))
    assert found.score == 4


def test_batches_answer_in_order_and_hold_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_PAIRS", 3)
    read = []

    def pairs() -> object:
        for number in range(10):
            read.append(number)
            yield "ACGT" * (number + 1), "ACGT"

    answers = shardwater.align(pairs(), READS, "score")  # type: ignore[arg-type]
    assert next(answers).score == 8
    assert len(read) == 4
    assert [each.score for each in answers] == [8 - (1 + 4 * number) for number in range(1, 10)]


@dataclass
class Lying(CpuPairs):
    """An engine that changes what is found."""

    change: Callable[[Columns], Columns]

    def __post_init__(self) -> None:
        super().__init__(1)

    def align_batch(
        self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
    ) -> Generator[Columns, None, None]:
        yield from map(self.change, super().align_batch(batch, scheme, report))


PLACES = "the sequences of an alignment have an alignment that is not from where to where it says"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda columns: replace(columns, scores=columns.scores + 1),
            "the sequences of an alignment scored 9, but 8 in their alignment",
        ),
        # What no sample has is found out where it is told.
        (
            lambda columns: replace(columns, scores=columns.scores + np.array([0, 1])),
            "2 and 2 scored 4, but 3 in their alignment",
        ),
        (lambda columns: replace(columns, places=columns.places - [0, 1, 0, 1]), PLACES),
        (lambda columns: replace(columns, places=columns.places - [-5, -5, 0, 0]), PLACES),
        (lambda columns: replace(columns, places=columns.places - [1, 1, 1, 1]), PLACES),
        (lambda columns: columns[:1], "the engine has left out 1 of 2 pairs"),
        (lambda columns: columns.select(np.array([0, 0, 1])), "the engine has answered a pair twice"),
        (
            lambda columns: replace(columns, cells=columns.cells - 1),
            "has counted other cells than a pair has",
        ),
    ],
)
def test_an_engine_that_errs_is_found_out(change: Callable[[Columns], Columns], message: str) -> None:
    with pytest.raises(EngineError, match=message):
        list(shardwater.align([("ACGT", "ACGT"), ("TTACG", "AACG")], READS, engine=Lying(change)))


def test_an_alignment_that_its_mode_does_not_allow_is_found_out() -> None:
    class Local(CpuPairs):
        def align_batch(
            self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
        ) -> Generator[Columns, None, None]:
            local = Scheme(scheme.table, scheme.gap_open, scheme.gap_extend)
            yield from (replace(each, local=False) for each in super().align_batch(batch, local, report))

    for mode in (Mode.GLOBAL, Mode.free(["query_begin"]), Mode.free(["query_end", "subject_end"])):
        with pytest.raises(EngineError, match=PLACES):
            list(shardwater.align([("GGACGTGG", "TTACGTTT")], replace(READS, mode=mode), engine=Local(1)))


def test_an_alignment_with_another_score_than_its_strand_was_chosen_by_is_found_out() -> None:
    class Two(CpuPairs):
        def align_batch(
            self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
        ) -> Generator[Columns, None, None]:
            for each in super().align_batch(batch, scheme, report):
                yield replace(each, scores=each.scores + 1) if report == "score" else each

    with pytest.raises(EngineError, match="has given a pair two scores"):
        list(shardwater.align([("ACGT", "ACGT")], READS, "ends", strand="both", engine=Two(1)))


@pytest.mark.parametrize("strand", ["forward", "both"])
def test_pairs_left_out_are_missed_where_scores_alone_are_asked_for(strand: Strands) -> None:
    with pytest.raises(EngineError, match="left out 1 of 2 pairs"):
        pairs = [("ACGT", "ACGT"), ("TTACG", "AACG")]
        list(shardwater.align(pairs, READS, "score", strand=strand, engine=Lying(lambda columns: columns[1:])))


def test_scores_beyond_32_bits() -> None:
    letters = "ACGTTGCAAC" * 220
    scheme = Scheme.of(match_table(100_000, -100_000), 1.5, 0.5, Mode.GLOBAL)
    [found] = shardwater.align([(letters, letters)], scheme, "score")
    assert found.score == 220_000_000


@pytest.mark.parametrize("report", ["score", "alignment"])
def test_the_dearest_gaps_of_local_alignments(report: Report) -> None:
    [found] = shardwater.align([("ACGTACGT", "ACGTTACGT")], Scheme.of(match_table(2, -1), 10**15, 10**15), report)
    assert found.score == 10
    with pytest.raises(ScoringError, match="gap_open is not a cost from 0 to 1,000,000,000,000,000"):
        Scheme.of(match_table(2, -1), 10**15 + 1, 1)


def test_a_letter_that_is_no_base_scores_a_mismatch_even_where_that_is_better() -> None:
    [found] = shardwater.align([("N", "A")], Scheme(match_table(1, 5), 9, 9, Mode.GLOBAL))
    assert found.score == 5


@pytest.mark.parametrize("wrong", [{"report": "cigar"}, {"strand": "-"}])
def test_words_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ScoringError, match="is one of"):
        shardwater.align([("ACG", "ACG")], READS, **wrong)


def test_rows_of_an_alignment() -> None:
    pairs = [(Letters("q", b"WLAAH"), Letters("s", b"wiH")), (Letters("q", b"W"), Letters("s", b"A"))]
    scheme = Scheme(matrix_table("BLOSUM62"), 1, 1, Mode.GLOBAL)
    [found, _] = batches.align_named(pairs, scheme, "alignment", "forward", CpuPairs(1))
    assert found.rows == Rows("WLAAH", "|+  |", "wi--H")
    assert found.told.cigar == "1=1X2I1="
    [_, nothing] = batches.align_named(pairs, replace(scheme, mode=Mode.LOCAL), "alignment", "forward", CpuPairs(1))
    assert nothing.rows is None
