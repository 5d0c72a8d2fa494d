"""Where `shardwater search` writes the profiles of its last round, and in which format."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from shardwater.formats.pssms.saved import SavedPssm
from shardwater.formats.pssms.writing import PSSM_WRITERS, PssmFormat
from worker.cli.console import warn, whole_output


@dataclass(frozen=True, slots=True)
class PssmOutput:
    """A file, and what is written into it: the profiles of all queries, one after the other."""

    path: Path
    form: PssmFormat

    @classmethod
    def parse(cls, flag: str, path: Path | None) -> "PssmOutput | None":
        """What a flag asks for, if it is given; raises typer.BadParameter."""
        if path is None:
            return None
        # Before a search that may take an hour, not after it.
        if not path.parent.is_dir():
            raise typer.BadParameter(f"{path.parent}: no such folder", param_hint=flag)
        return cls(path, "ascii" if "ascii" in flag else "json" if path.suffix.lower() == ".json" else "asn1")

    def warn_of_several(self, queries: int) -> None:
        """Warn before a long search that -in_pssm cannot read a file with several queries."""
        if queries > 1:
            warn(
                f"{self.path} will have profiles of {queries:,} queries, but -in_pssm reads files with one: "
                "to use them there, search each query separately"
            )

    def write(self, profiles: Sequence[SavedPssm | None]) -> None:
        """Write those that there are; of a query that was searched for as it is there is none."""
        texts = (None if saved is None else PSSM_WRITERS[self.form](saved) for saved in profiles)
        self.write_texts([None if text is None else map(str.encode, text) for text in texts])

    def write_texts(self, texts: Sequence[Iterable[bytes] | None]) -> None:
        """The same, of their texts; no file where there is none."""
        for number, text in enumerate(texts, start=1):
            if text is None:
                warn(f"query {number} has no profile: it was searched for as it is")
        if all(text is None for text in texts):
            warn(f"{self.path} is not written: there is no profile")
            return
        with whole_output(self.path) as file:
            for text in texts:
                file.writelines(text or ())
