"""The benchmark's input: of the sizes asked for, with what is planted where it says."""

import numpy as np
import pytest

from shardwater.ssca1.forms import ACIDS, CODONS, FORMS, Form
from shardwater.ssca1.problem import FLANKS, Problem


@pytest.mark.parametrize(("scale", "query", "subject"), [(14, 128, 128), (15, 128, 256), (22, 2048, 2048)])
def test_sequences_have_the_length_of_the_scale(scale: int, query: int, subject: int) -> None:
    problem = Problem.of(scale, 1)
    assert (len(problem.query), len(problem.subject)) == (query, subject)
    assert max(problem.query.max(), problem.subject.max()) < len(CODONS.acids)


@pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))
@pytest.mark.parametrize("seed", range(20))
def test_strings_stand_where_it_says_with_flanks_around_them(seed: int, form: Form) -> None:
    problem = Problem.of(14, seed, form)
    texts = form.translate(problem.query), form.translate(problem.subject)
    for planted in problem.planted:
        sides = (planted.query, planted.query_start), (planted.subject, planted.subject_start)
        for text, (before, after), (string, start) in zip(texts, FLANKS, sides, strict=True):
            assert text[start - len(before) :].startswith(f"{before}{string}{after}")
    rows = [planted.query_start for planted in problem.planted]
    columns = [-planted.subject_start for planted in problem.planted]
    assert np.argsort(rows).tolist() == np.argsort(columns).tolist()


def test_a_seed_makes_the_same_again_and_another_one_others() -> None:
    one, same, other = Problem.of(16, 3), Problem.of(16, 3), Problem.of(16, 4)
    assert np.array_equal(one.query, same.query)
    assert one.planted == same.planted
    assert not np.array_equal(one.query, other.query)


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [("TTT", "TTT", 5), ("TTT", "TTC", 4), ("TAA", "TGA", 4), ("TTT", "TTA", -3), ("ATG", "TGG", -3)],
)
def test_codons_score_by_what_they_stand_for(one: str, other: str, score: int) -> None:
    codes = [16 * "TCAG".index(a) + 4 * "TCAG".index(b) + "TCAG".index(c) for a, b, c in (one, other)]
    assert CODONS.scheme.table.rows[codes[0]][codes[1]] == score


def test_amino_acids_are_spelled_by_codons_for_them() -> None:
    for form in FORMS.values():
        assert form.translate(form.spell("*STARTGAPMIDSTEND*")) == "*STARTGAPMIDSTEND*"
        with pytest.raises(ValueError, match="not found"):
            form.spell("JAR")


def test_amino_acids_score_as_the_paper_has_it() -> None:
    scores = ACIDS.scheme.table.scores
    assert (scores.diagonal() == 5).all()
    assert (scores[~np.eye(len(scores), dtype=bool)] == -3).all()
    assert (ACIDS.scheme.gap_open, ACIDS.scheme.gap_extend, len(scores)) == (8, 1, 21)
