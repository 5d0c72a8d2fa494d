"""Where `shardwater search -scores` writes the score of every subject, and in which of its formats."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from shardwater.database.joined import Joined
from shardwater.formats.chunks import in_chunks
from shardwater.formats.parquet import MISSING, ParquetMissing, installed
from shardwater.formats.scores import AllScores, ScoreFormat, write_parquet, write_raw, write_tab
from shardwater.search.merge import SearchResult
from shardwater.search.scores import Cut, Keep, KeptScores, ScoreWriter
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
    databases: Joined
    kept: KeptScores
    writers: Sequence[ScoreWriter]

    @property
    def keeps(self) -> list[Keep]:
        """What gets those of each database."""
        return [writer.keep for writer in self.writers]

    def write(self, result: SearchResult) -> None:
        """Write them out; the result is that of their search."""
        for writer in self.writers:
            writer.finish()
        scores = AllScores(result, self.kept)
        with whole_output(self.output.path) as file:
            if self.output.form == "raw":
                file.writelines(write_raw(scores))
            else:
                write = write_tab if self.output.form == "tab" else write_parquet
                file.writelines(in_chunks(write(scores, self.databases)))


@contextmanager
def kept_scores(output: ScoreOutput | None, databases: Joined, request: SearchRequest) -> Iterator[ScoresHere | None]:
    """Room for the scores of a search beside their file, until the end of the block; None where none are asked for."""
    if output is None:
        yield None
        return
    queries = len(request.records())
    with tempfile.TemporaryDirectory(prefix=".shardwater-", dir=output.path.parent) as folder, ExitStack() as stack:
        kept = KeptScores(Path(folder), tuple(Cut(len(part.database), 1) for part in databases.parts), queries)
        files = [stack.enter_context(kept.path(shard).open("w+b")) for shard in kept.shards]
        writers = [ScoreWriter(file, kept.size(shard), queries) for shard, file in enumerate(files)]
        yield ScoresHere(output, databases, kept, writers)
