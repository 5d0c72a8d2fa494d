"""The table of hits as Parquet: typed columns, null where there is no value, and what was searched in the metadata.

pyarrow is large, so it is an extra of its own and loaded when it is asked for.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from itertools import islice
from typing import Any

from shardwater.errors import AlignError
from shardwater.formats.columns import COLUMNS, rows_of
from shardwater.search.merge import Report

MISSING = "Parquet needs pyarrow: install Shardwater's extra `parquet` (make parquet)"
GROUP = 4096
"""Rows that are written, and held, together."""


class ParquetMissing(AlignError):
    """This installation cannot write Parquet."""


def installed() -> bool:
    """Whether Parquet can be written here."""
    return find_spec("pyarrow") is not None


def write_parquet(report: Report, columns: Sequence[str]) -> Iterator[bytes]:
    """A file of one row an alignment, or a hit that has none.

    Raises ParquetMissing, before anything is written, where the extra is not installed.

    The schema's metadata has JSON under `search`, `database`, `databases`, `software`, `parameters`, `certificate` and,
    since a query without hits has no row, `queries`. A column asked for twice is there once. The answer is read twice.
    """
    if not installed():
        raise ParquetMissing(MISSING)
    return _file(report, tuple(dict.fromkeys(columns)))


def _file(report: Report, names: Sequence[str]) -> Iterator[bytes]:
    columns = [COLUMNS[name] for name in names]
    rows = (row for one in report.results for row in rows_of(one))
    groups = iter(lambda: list(islice(rows, GROUP)), [])
    values = ([[column.value(row) for row in group] for column in columns] for group in groups)
    return table_file({name: column.kind for name, column in zip(names, columns, strict=True)}, report, values)


def table_file(
    columns: Mapping[str, type[str] | type[int] | type[float]], report: Report, groups: Iterable[Sequence[Any]]
) -> Iterator[bytes]:
    """A file of these columns, with what was searched in its metadata; groups: of rows, the values of each column."""
    import pyarrow  # noqa: PLC0415
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415

    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    fields = [(name, types[kind]) for name, kind in columns.items()]
    schema = pyarrow.schema(fields, metadata=_metadata(report))
    sink = _Sink()
    with ParquetWriter(sink, schema) as writer:
        for values in groups:
            table = pyarrow.table(dict(zip(columns, values, strict=True)), schema=schema)
            if len(table):
                writer.write_table(table, len(table))
            yield sink.take()
    yield sink.take()


def _metadata(report: Report) -> dict[str, str]:
    queries = [
        {**asdict(one.query), "statistics": _plain(one.statistics), "hits": len(one.hits)} for one in report.results
    ]
    head = {name: getattr(report, name) for name in ("database", "software", "parameters", "certificate")}
    values: dict[str, Any] = {
        "search": report.search,
        "databases": [_plain(each) for each in report.databases],
        **{name: _plain(value) for name, value in head.items()},
        "queries": queries,
    }
    return {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}


def _plain(value: Any) -> dict[str, Any]:
    """A dataclass as its JSON has it."""
    return asdict(value, dict_factory=lambda pairs: {name.rstrip("_"): each for name, each in pairs})


class _Sink:
    """A file whose content is taken away piece by piece."""

    closed = False

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
