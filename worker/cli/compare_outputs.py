"""What `shardwater compare` writes, and whether it can be written: looked at before anything is compared."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from shardwater.errors import AlignError
from shardwater.formats.genomes.names import GenomeFormat
from shardwater.formats.genomes.writers import columns_for
from worker.cli.run_align import check_output

Files = tuple[Path, Path]
"""Of the query and of the subject; one may be -."""

SAME = "both genomes are the same: each letter beside itself, the main diagonal, is left out"
"""What the command says then."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is written: a folder (standard output if None), the list's format and columns, a dot plot, its title.

    spreadsheet: whether names in a table are to be no formulas of spreadsheets.
    """

    folder: Path | None
    form: GenomeFormat
    columns: str | None
    dotplot: Path | None
    title: str
    spreadsheet: bool = False

    def check(self) -> None:
        """Wrong usage where something cannot be written so."""
        try:
            columns_for(self.form, self.columns)
        except AlignError as error:
            raise typer.BadParameter(str(error), param_hint="--columns") from None
        if self.spreadsheet and self.form != "tab":
            raise typer.BadParameter("only tab has cells of text", param_hint="--spreadsheet")
        if self.dotplot is not None and self.dotplot.suffix.lower() not in (".svg", ".png"):
            raise typer.BadParameter("a dot plot is a file that ends in .svg or .png", param_hint="--dotplot")
        if self.folder is not None:
            _check_folder(self.folder, "--out")
        if self.dotplot is not None:
            self._check_dotplot(self.dotplot.parent)

    def _check_dotplot(self, folder: Path) -> None:
        if self.folder is not None and folder.absolute() == self.folder.absolute():
            return
        _check_folder(folder, "--dotplot")
        if not folder.exists():
            raise typer.BadParameter(f"there is no folder {folder}", param_hint="--dotplot")

    @property
    def list(self) -> Path | None:
        """The file of the list."""
        return self.folder and self.folder / f"hsps.{self.form}"

    @property
    def summary(self) -> Path | None:
        """The file of the summary."""
        return self.folder and self.folder / "summary.json"

    def check_inputs(self, files: Sequence[Path]) -> None:
        """Wrong usage where an output would replace an input."""
        inputs = dict(zip(("QUERY", "SUBJECT"), files, strict=True))
        for out, flag in ((self.list, "--out"), (self.summary, "--out"), (self.dotplot, "--dotplot")):
            check_output(out, inputs, flag)


def _check_folder(folder: Path, flag: str) -> None:
    """Wrong usage where there is something else, or nothing can be made: not only after all has been compared."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        raise typer.BadParameter(f"{there} is no folder", param_hint=flag)
    if not os.access(there, os.W_OK | os.X_OK):
        raise typer.BadParameter(f"nothing can be written into {there}", param_hint=flag)
