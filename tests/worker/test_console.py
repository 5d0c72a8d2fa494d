"""What others wrote is shown as it is: no markup, no command to the terminal."""

import pytest
from rich.text import Text

from worker.console import print_table


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
