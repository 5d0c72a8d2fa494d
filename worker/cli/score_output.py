"""Where `shardwater search -scores` writes the score of every subject, and in which of its formats."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from shardwater.database.database import Database
from shardwater.formats.chunks import in_chunks
from shardwater.formats.parquet import MISSING, ParquetMissing, installed
from shardwater.formats.scores import AllScores, ScoreFormat, write_parquet, write_raw, write_tab
from shardwater.search.merge import SearchResult
from shardwater.search.scores import Keep, KeptScores, ScoreWriter
from worker.cli.console import whole_output
from worker.jobs.requests import SearchRequest

_BY_ENDING: dict[str, ScoreFormat] = {".tsv": "tab", ".parquet": "parquet", ".int32": "raw"}


@dataclass(frozen=True, slots=True)
class ScoreOutput:
    """A file, and what is written into it."""

    path: Path
    form: ScoreFormat

    @classmethod
    def parse(cls, path: Path, *, here: bool) -> "ScoreOutput":
        """The format that the file's ending names; another one is a usage error. here: whether it is made here."""
        form = _BY_ENDING.get(path.suffix.lower())
        if form is None:
            raise typer.BadParameter(f"{path}: one of {', '.join(_BY_ENDING)} is needed", param_hint="-scores")
        # Before a search that may take an hour, not after it.
        if not path.parent.is_dir():
            raise typer.BadParameter(f"{path.parent}: no such folder", param_hint="-scores")
        if here and form == "parquet" and not installed():
            raise ParquetMissing(MISSING)
        return cls(path, form)


@dataclass(frozen=True, slots=True)
class ScoresHere:
    """Scores of a search that is made here, on their way to the output."""

    output: ScoreOutput
    database: Database
    kept: KeptScores
    writer: ScoreWriter

    @property
    def keep(self) -> Keep:
        """What gets them."""
        return self.writer.keep

    def write(self, result: SearchResult) -> None:
        """Write them out; the result is that of their search."""
        self.writer.finish()
        scores = AllScores(result, self.kept)
        with whole_output(self.output.path) as file:
            if self.output.form == "raw":
                file.writelines(write_raw(scores))
            else:
                write = write_tab if self.output.form == "tab" else write_parquet
                file.writelines(in_chunks(write(scores, self.database)))


@contextmanager
def kept_scores(output: ScoreOutput | None, database: Database, request: SearchRequest) -> Iterator[ScoresHere | None]:
    """Room for the scores of a search beside their file, until the end of the block; None where none are asked for."""
    if output is None:
        yield None
        return
    queries = len(request.records())
    with tempfile.TemporaryDirectory(prefix=".shardwater-", dir=output.path.parent) as folder:
        kept = KeptScores(Path(folder), 1, len(database), queries)
        with kept.path(0).open("w+b") as file:
            yield ScoresHere(output, database, kept, ScoreWriter(file, len(database), queries))
