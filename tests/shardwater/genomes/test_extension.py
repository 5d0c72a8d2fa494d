"""HSPs letter by letter: where scores fall and rise again over many words of 32 letters, as the oracle has it."""

import numpy as np
import pytest

from shardwater.genomes import blocks, extension, walk
from shardwater.genomes.compare import compare
from shardwater.genomes.comparison import Comparison, ComparisonError, Extension
from shardwater.genomes.extension import Starts, extended
from shardwater.genomes.strands import Strand
from tests.support import genome_oracle
from tests.support.genomes import genome, random_dna, reverse_complement

SHORT = Comparison(word=9, min_length=1, min_identity=0)


def near_zero(rng: np.random.Generator, stretches: int) -> tuple[str, str]:
    """Two texts: equal stretches, and between them others, which take the score to about 0 and beside it."""
    query, subject, score = "", "", 0
    following = dict(zip("ACGT", "CGTA", strict=True))
    for _ in range(stretches):
        same = random_dna(rng, int(rng.integers(8, 400 if rng.random() < 0.2 else 30)))
        score += len(same)
        other = random_dna(rng, max(0, score + int(rng.integers(-3, 3))) if rng.random() < 0.4 else 5)
        score = max(0, score - len(other))
        query, subject = query + same + other, subject + same + "".join(following[letter] for letter in other)
    return query, subject


@pytest.mark.parametrize("seed", range(8))
def test_scores_that_fall_to_zero_and_rise_again(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    query, subject = near_zero(np.random.default_rng(seed), 30)
    if seed % 2:
        subject = reverse_complement(subject)
    expected, counts = genome_oracle.compare([query], [subject], SHORT)
    assert len(expected) > 5
    for at_once in (1 << 17, 64):
        monkeypatch.setattr(extension, "AT_ONCE", at_once)
        found = compare(genome(query), genome(subject), SHORT)
        assert [tuple(row) for row in found.hsps.rows.tolist()] == expected
        assert found.counts == counts


@pytest.mark.parametrize("seed", range(4))
def test_a_run_that_lies_in_the_hsp_of_an_earlier_one_has_its_own_within_that(seed: int) -> None:
    # So it may be passed over (decision 042).
    query, subject = (genome_oracle.Strand.of([each]) for each in near_zero(np.random.default_rng(seed + 100), 30))
    stretches = genome_oracle.compare_strands(query, subject, SHORT)
    runs = sorted(zip(stretches.starts, stretches.stretches, strict=True))
    passed = 0
    for number, ((x, y), hsp) in enumerate(runs):
        for (later, other), inner in runs[number + 1 :]:
            if other - later == y - x and later < hsp.x + hsp.length:
                assert hsp.holds(inner)
                passed += 1
    assert passed > 5


@pytest.mark.parametrize("letters", [31, 32, 33, 63, 64, 65, 1000, 4096, 4097])
def test_a_stretch_of_any_length_is_whole(letters: int) -> None:
    text = random_dna(np.random.default_rng(letters), letters)
    found = compare(genome(text), genome("", text + "N"), Comparison(word=16, min_length=1, strands="forward"))
    assert found.hsps.rows.tolist()[:1] == [(0, 0, letters, letters, False)]


def test_first_seeds_are_left_as_they_are() -> None:
    strand, other = (Strand.of(genome(each), reverse=False) for each in ("ACGTTGCA" * 4, "ACGTTGCA" * 5))
    starts = Starts.of(np.array([8, 0, 0]), np.array([0, 0, 8]), len(strand))
    assert starts.heads.tolist() == [0, 1, 2, 3]
    [found] = [each for each in extended(starts, strand, other, SHORT, reverse=False) if len(each)]
    assert found.rows.tolist() == [(8, 0, 24, 24, False), (0, 0, 32, 32, False), (0, 8, 32, 32, False)]
    assert starts.heads.tolist() == [0, 1, 2, 3]


def with_others(rng: np.random.Generator, letters: int, apart: int) -> str:
    """A text of one letter, but for others here and there."""
    text = np.full(letters, "A")
    places = rng.choice(letters, letters // apart, replace=False)
    text[places] = rng.choice(list("CGTN"), len(places))
    return "".join(text)


@pytest.mark.parametrize("extension_", ["letters", "blocks"])
def test_leaps_along_equal_letters_change_nothing(extension_: Extension, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, leap, passed = np.random.default_rng(7), walk.Walk.leap, list[int]()

    def noted(*place: object) -> int:
        passed.append(leap(*place))  # type: ignore[arg-type]
        return passed[-1]

    monkeypatch.setattr(walk.Walk, "leap", noted)
    both = [genome("", with_others(rng, 12_000, 4000)) for _ in range(2)]
    comparison, found = Comparison(extension=extension_, max_frequency=40, strands="forward"), []
    for least, runs in ((1 << 30, 1 << 30), (1 << 8, 4), (1, 1)):
        monkeypatch.setattr(walk, "LEAST", least)
        monkeypatch.setattr(blocks, "LEAPS", runs)
        passed.clear()
        compared = compare(*both, comparison)
        assert any(passed) is (least < 1 << 30)
        found.append((compared.hsps.pack(), compared.counts))
    assert len(compared.hsps) > 20
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("extension_", ["letters", "blocks"])
def test_a_repeat_along_more_letters_than_are_looked_at_is_refused(
    extension_: Extension, monkeypatch: pytest.MonkeyPatch
) -> None:
    repeat = genome("AC" * 500)
    monkeypatch.setattr(walk, "MOST_LETTERS", 60_000)
    with pytest.raises(ComparisonError, match="more than 60,000 letters, too many for a CPU: set max_frequency"):
        compare(repeat, repeat, Comparison(extension=extension_))
    assert len(compare(repeat, repeat, Comparison(extension=extension_, max_frequency=8)).hsps) > 5
