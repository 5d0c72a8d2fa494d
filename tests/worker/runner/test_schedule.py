"""The schedule that an operator chooses: known names alone, and told where there is no GPU that could have it."""

import pytest
from typer.testing import CliRunner

from shardwater.engines.cpu import CpuEngine
from worker.cli.main import cli
from worker.runner import process
from worker.settings import Settings


@pytest.fixture
def without_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpu.device_count", lambda: 0)
    monkeypatch.setattr(process, "device_count", lambda: 0)


@pytest.mark.parametrize("command", ["serve", "work"])
def test_other_names_are_wrong_usage(command: str) -> None:
    done = CliRunner(env={"COLUMNS": "300"}).invoke(cli, [command, "--schedule", "fastest"])
    assert done.exit_code == 2
    assert "'fastest' is not one of 'strips', 'simt', 'striped'" in done.stderr


@pytest.mark.usefixtures("without_gpu")
def test_schedule_without_a_gpu_is_told_and_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    engine = process._open_engine(Settings(schedule="simt", threads=1))
    assert isinstance(engine, CpuEngine)
    assert [record.getMessage() for record in caplog.records] == [
        "SHARDWATER_SCHEDULE is 'simt': it is for GPUs, and there is none here"
    ]


@pytest.mark.usefixtures("without_gpu")
def test_usual_schedule_is_not_spoken_of(caplog: pytest.LogCaptureFixture) -> None:
    process._open_engine(Settings(threads=1))
    assert caplog.records == []
