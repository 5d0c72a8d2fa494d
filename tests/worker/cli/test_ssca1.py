"""`shardwater ssca1` as a user runs it."""

import json

from typer.testing import CliRunner

from shardwater.ssca1 import kernels
from worker.cli.main import cli


def test_a_run_prints_five_kernels_and_what_is_planted() -> None:
    done = CliRunner().invoke(cli, ["ssca1", "--scale", "14"])
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "SSCA#1, scale 14: 128 x 128 codons, on cpu"
    assert [line.split()[0] for line in lines[2:7]] == list("12345")
    assert all(line.rstrip().endswith("verified") for line in lines[2:7])
    assert lines[7] == "Planted: *IDENTICAL*, *MISQRMATCHES*, *STARTGAPMIDSTEND*"


def test_the_same_as_json() -> None:
    done = CliRunner().invoke(cli, ["ssca1", "--scale", "15", "--seed", "2", "--form", "amino-acids", "--json"])
    report = json.loads(done.stdout)
    assert (report["query_letters"], report["subject_letters"], report["seed"]) == (128, 256, 2)
    assert (report["form"], report["method"], report["engines"]) == ("amino-acids", "row-scan", ["cpu"])
    assert report["verified"] is True
    assert [each["kernel"] for each in report["kernels"]] == [1, 2, 3, 4, 5]
    assert all(each["seconds"] > 0 and each["found"] > 0 for each in report["kernels"])


def test_a_wrong_answer_ends_with_a_code_of_its_own(monkeypatch) -> None:
    compare = kernels.compare
    monkeypatch.setattr(kernels, "compare", lambda *given: 2 * compare(*given))
    done = CliRunner().invoke(cli, ["ssca1", "--scale", "14"])
    assert done.exit_code == 5
    assert "WRONG" in done.stdout
    assert "kernel 4: set 0: the cost of" in done.stderr


def test_a_scale_that_is_too_small_or_too_large_is_refused() -> None:
    for scale in ("13", "41"):
        done = CliRunner().invoke(cli, ["ssca1", "--scale", scale])
        assert done.exit_code == 2
        assert "a scale is 14 to 40" in done.stderr


def test_a_form_and_a_method_that_there_are_not_are_refused() -> None:
    for option in ("--form", "--method"):
        done = CliRunner().invoke(cli, ["ssca1", option, "nothing"])
        assert done.exit_code == 2
        assert "'nothing' is not one of" in done.stderr
