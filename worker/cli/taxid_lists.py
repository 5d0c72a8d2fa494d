"""Taxids as BLAST+'s flags name them: by comma, or in a file."""

from pathlib import Path

import typer

from shardwater.database.header_taxids import LARGEST
from shardwater.database.line_files import fault, number_of, read_lines


def named_taxids(field: str, given: str | None, listed: Path | None) -> dict[str, object]:
    """The field of a search, where one of its two flags is given. Raises DatabaseError, with file and line."""
    if given is not None and listed is not None:
        raise typer.BadParameter(f"leave out -{field}, or -{field.removesuffix('s')}list", param_hint=f"-{field}")
    if listed is None:
        return {} if given is None else {field: given}
    found = []
    for some in read_lines(listed):
        for number, line in enumerate(some.lines, start=some.first):
            word = line.strip()
            if not word or word.startswith(b"#"):
                continue
            taxid = number_of(word, LARGEST)
            if not taxid:
                raise fault(listed, number, "a taxid is needed, one a line")
            found.append(taxid)
    if not found:
        raise typer.BadParameter(f"{listed}: no taxid in it", param_hint=f"-{field.removesuffix('s')}list")
    return {field: found}
