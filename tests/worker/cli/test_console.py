"""What others wrote is shown as it is: no markup, no command to the terminal."""

import os
import pty
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.text import Text

from worker.cli import console
from worker.cli.console import print_table, progress_bar, search_bar, whole_output


def test_brackets_in_a_cell_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("title",), [["a [/] b"], ["[red]c[/red]"], ["[link=https://evil.example]d"], [Text("e")]])
    assert [line.strip() for line in capsys.readouterr().out.splitlines()] == [
        "title",
        "a [/] b",
        "[red]c[/red]",
        "[link=https://evil.example]d",
        "e",
    ]


def test_control_characters_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("title",), [["a\x1b]0;b\x07\x9bc"]])
    assert capsys.readouterr().out.splitlines()[1].strip() == "a\N{REPLACEMENT CHARACTER}]0;b" + (
        2 * "\N{REPLACEMENT CHARACTER}" + "c"
    )


ROWS = [["a" * 34, "succeeded", "demo", "2026-11-22 10:00", "a title of several words " * 3]]
COLUMNS = ("id", "state", "database", "created", "title")


def test_nothing_is_cut_in_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    print_table(COLUMNS, ROWS)
    [_, line] = capsys.readouterr().out.splitlines()
    assert line.split() == " ".join(ROWS[0]).split()


@pytest.mark.parametrize("width", [20, 80])
def test_first_column_is_whole_on_a_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal, monkeypatch.context() as patch:
        patch.setattr("sys.stdout", terminal)
        print_table(COLUMNS, ROWS)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "a" * 34 in shown
    assert "\N{HORIZONTAL ELLIPSIS}" not in shown


def test_without_a_terminal_a_line_now_and_then_says_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(console, "time", SimpleNamespace(monotonic=lambda: now))
    with progress_bar("MSAs") as show, search_bar("Comparing") as show_search:
        for now in (110.0, 129.0, 131.0, 150.0, 162.0):
            show(now - 100, 200)
            show_search((now - 100) / 200, "aligning" if now > 150 else "", now)
        show(1, 0)
    assert capsys.readouterr().err.splitlines() == [
        "shardwater: MSAs: 16 %",
        "shardwater: Comparing: 16 %, 0:02:11 left",
        "shardwater: MSAs: 31 %",
        "shardwater: Aligning: 31 %, 0:02:42 left",
    ]


def test_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for out in (tmp_path / "none" / "out", tmp_path / "file" / "out", tmp_path / (250 * "x")):
        with pytest.raises(OSError, match=r"No such|Not a dir|too long") as caught, whole_output(out):
            pass
        assert caught.value.filename == str(out)


def test_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.touch(0o600)
    with whole_output(out) as file:
        file.write(b"new")
    assert (out.read_bytes(), out.stat().st_mode & 0o777) == (b"new", 0o600)
