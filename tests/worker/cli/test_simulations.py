from pathlib import Path

import pytest

from shardwater.scoring.scoring import Scoring
from shardwater.statistics.karlin_altschul import KarlinAltschul, Simulated
from worker.cli import simulations
from worker.cli.simulations import simulated_here

SIMULATED = Simulated(KarlinAltschul(0.3, 0.1, 0.25, 1.2, -6.0, 11.0, 11.5, -6.0, -150.0, -160.0), 0.001, 0.002)
SCORING = Scoring("BLOSUM62", 10, 3)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Scoring]:
    """The scorings that were simulated."""
    scorings: list[Scoring] = []

    def simulate(scoring: Scoring, threads: int | None) -> Simulated:
        scorings.append(scoring)
        return SIMULATED

    monkeypatch.setattr(simulations, "_simulate", simulate)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return scorings


def test_a_scoring_is_simulated_once(asked: list[Scoring], tmp_path: Path) -> None:
    assert simulated_here(SCORING, None) == simulated_here(SCORING, 2) == SIMULATED
    assert asked == [SCORING]
    [kept] = (tmp_path / "shardwater" / "simulated").iterdir()
    assert kept.suffix == ".json"
    simulated_here(Scoring("BLOSUM62", 10, 4), None)
    assert len(asked) == 2


def test_what_cannot_be_read_is_simulated_anew(asked: list[Scoring], tmp_path: Path) -> None:
    simulated_here(SCORING, None)
    [kept] = (tmp_path / "shardwater" / "simulated").iterdir()
    kept.write_bytes(b"{}")
    assert simulated_here(SCORING, None) == SIMULATED
    assert asked == [SCORING, SCORING]


def test_no_folder_is_needed(asked: list[Scoring], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert simulated_here(SCORING, None) == SIMULATED
