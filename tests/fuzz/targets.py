"""Bytes in, and nothing out unless there is a bug: what tests/fuzz/test_targets.py and benchmarks/fuzz_bytes.py drive.

Each target ends normally for what is read rightly or refused with the error that is documented, and raises otherwise.
"""

import atexit
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import cycle, groupby, islice
from pathlib import Path
from unittest.mock import patch

from pydantic import TypeAdapter, ValidationError

from app.responses.hit_pages import Turned, hit_page, index
from shardwater.alignment.alignment import AlignedRows, Alignment, Paths, Run, aligned_rows, merge_runs
from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.manifest import DTYPES, MANIFEST
from shardwater.errors import AlignError, DatabaseError, FastaFormatError
from shardwater.scoring.scoring import load_matrix
from shardwater.search.merge import SearchResult
from shardwater.sequences import fasta
from shardwater.sequences.alphabet import LETTERS as SCORED
from shardwater.sequences.fasta import LETTERS, NO_LETTERS, count_headers, read_fasta
from tests.fuzz.damage import KINDS, Damage, answer, read_names
from tests.fuzz.plain_fasta import is_header, lines_of, read, read_plainly
from tests.support.example_results import ALIGNED, FOUND, NOTHING, RESULT, result_of
from worker.jobs.limits import Limits
from worker.jobs.requests import SearchRequest
from worker.jobs.results import stored
from worker.jobs.results.packing import pack, unpack
from worker.jobs.results.stored import DamagedResult, StoredResult

SLICES = (1, 3, 65_536)
FILES = (MANIFEST, *DTYPES)
PROTEINS = ">sp|P1|A Alpha\nMKVLAAGIVALLLAAACSS\n>B\nGDEHHKLMNPQRSTVWY\n>C beta chain\nMKVWY\n>\u00e9 \u00b5\nacdu*\n"
MATRIX = load_matrix("BLOSUM62").scores
MOST_EXPANDED = 1100
"""Bytes that one byte of deflate stands for at most."""

_RESULT = TypeAdapter(SearchResult)


def read_text(data: bytes) -> None:
    """FASTA: the records, or the place of the fault, that a plain reader finds; and as many headers as are counted."""
    expected = read_plainly(data)
    for size in SLICES:
        with patch.object(fasta, "SLICE", size):
            assert read(data) == expected
    decoded = data.decode("utf-8", "replace")
    assert count_headers(decoded) == sum(is_header(line) for line in lines_of(decoded.removeprefix("\ufeff").encode()))
    with suppress(FastaFormatError):
        assert len(read_fasta(decoded.encode())) == max(1, count_headers(decoded))


def read_version(data: bytes) -> None:
    """A damaged file of a version: refused, or read with the right answer if it passes for sound.

    The first byte names the file, the second what is done: a damage with its place (two bytes), size and bit; or the
    rest is its new content; or the rest is written over it from a place (two bytes) on.
    """
    path, sound, expected = _version()
    head = [*data[:6], *bytes(6)]
    name, done = FILES[head[0] % len(FILES)], head[1] % (len(KINDS) + 2)
    at = int.from_bytes(data[2:4])
    if done < len(KINDS):
        changed = Damage(KINDS[done], at / 65_536, head[4] % 40 + 1, head[5] % 8).done_to(sound[name])
    elif done == len(KINDS):
        changed = data[2:]
    else:
        changed = sound[name][:at] + data[4:] + sound[name][at + len(data[4:]) :]
    _replace(path / name, changed)
    try:
        _check_version(path, name, changed == sound[name], expected)
    finally:
        _replace(path / name, sound[name])


def _check_version(path: Path, name: str, unchanged: bool, expected: object) -> None:
    found = None
    with suppress(DatabaseError):
        read_names(path)
        found = answer(path).queries
    try:
        database = Database.open(path)
        database.verify()
    except DatabaseError:
        assert not unchanged
        return
    json.dumps([database.manifest.name, database.manifest.title], ensure_ascii=False).encode()
    # A label may have changed, or a blank: none of it counts for a search.
    assert unchanged or name == MANIFEST
    assert found == expected


@cache
def _version() -> tuple[Path, dict[str, bytes], object]:
    """A small sound version, its files' contents, and the answer that it gives."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    (Path(folder.name) / "proteins.fasta").write_text(PROTEINS, encoding="utf-8")
    build_database([Path(folder.name) / "proteins.fasta"], Path(folder.name) / "data", name="demo")
    path = Catalog(Path(folder.name) / "data").current("demo").path
    return path, {name: (path / name).read_bytes() for name in FILES}, answer(path).queries


def _replace(file: Path, content: bytes) -> None:
    # In a new file: a mapped one must not be cut.
    file.unlink()
    file.write_bytes(content)


def read_request(data: bytes) -> None:
    """A search's JSON: refused in words that can be sent, or read, and read the same when it is written again."""
    try:
        request = SearchRequest.model_validate_json(data)
    except ValidationError as error:
        for each in error.errors():
            "".join([*map(str, each["loc"]), each["msg"]]).encode()
        return
    again = SearchRequest.model_validate_json(request.model_dump_json())
    assert again == request
    assert again.parameters == request.parameters
    with suppress(AlignError):
        Limits().check_text(request.sequence)
        Limits().check(request.records(), request.max_target_seqs)


def write_alignments(data: bytes) -> None:
    """Alignments made of bytes, written out together: each one's rows and counts are what its CIGAR says."""
    numbers = iter(data)
    made = [_alignment(numbers) for _ in range(next(numbers, 0) % 4 + 1)]
    pool = bytes(numbers) or b"W"
    queries = [_letters(pool, LETTERS, alignment.query_end + 3) for alignment in made]
    subjects = [_letters(pool[::-1], LETTERS + NO_LETTERS, alignment.subject_end + 3) for alignment in made]
    found = aligned_rows(Paths.of(made), queries, subjects, MATRIX)
    merged = [replace(alignment, runs=merge_runs(alignment.runs)) for alignment in made]
    assert aligned_rows(Paths.of(merged), queries, subjects, MATRIX) == found
    for alignment, query, subject, rows in zip(made, queries, subjects, found, strict=True):
        _replay(alignment, query.decode(), subject.decode(), rows)


def _alignment(numbers: Iterator[int]) -> Alignment:
    """Up to 12 runs of up to 300 columns, from places near the beginning on."""
    query_start, subject_start, count = (next(numbers, 0) % most for most in (9, 9, 12))
    runs = [
        Run("MID"[next(numbers, 0) % 3], (next(numbers, 0) + 256 * next(numbers, 0)) % 300 + 1)
        for _ in range(count + 1)
    ]
    query, subject = (sum(run.length for run in runs if run.kind != without) for without in "DI")
    return Alignment(1, query_start, query_start + query, subject_start, subject_start + subject, tuple(runs))


def _letters(pool: bytes, allowed: bytes, length: int) -> bytes:
    """Letters of a pool over and over; what is none that is allowed stands for one that is."""
    letters = bytes(byte if byte in allowed else allowed[byte % len(allowed)] for byte in pool)
    return bytes(islice(cycle(letters), length))


def _replay(alignment: Alignment, query: str, subject: str, rows: AlignedRows) -> None:
    """Walk along the CIGAR a column at a time."""
    # A database's own `-` is no gap.
    subject = subject.replace("-", "X")
    runs = [(int(length), kind) for length, kind in re.findall(r"(\d+)([=XID])", rows.cigar)]
    assert "".join(f"{length}{kind}" for length, kind in runs) == rows.cigar
    assert all(length for length, _ in runs)
    kinds = [kind for length, kind in runs for _ in range(length)]
    assert len([*groupby(kinds)]) == len(runs)
    assert [{"=": "M", "X": "M"}.get(kind, kind) for kind in kinds] == [
        kind for kind, length in ((run.kind, run.length) for run in alignment.runs) for _ in range(length)
    ]
    i, j, columns, positive = alignment.query_start, alignment.subject_start, [], 0
    for kind in kinds:
        upper, lower = "-" if kind == "D" else query[i], "-" if kind == "I" else subject[j]
        same, alike = upper.upper() == lower.upper(), kind in "=X" and MATRIX[_code(upper), _code(lower)] > 0
        assert same is (kind == "=")
        positive += same or bool(alike)
        columns.append((upper, upper.upper() if same else "+" if alike else " ", lower))
        i, j = i + (kind != "D"), j + (kind != "I")
    assert (i, j) == (alignment.query_end, alignment.subject_end)
    assert [*zip(rows.query, rows.midline, rows.subject, strict=True)] == columns
    assert rows.identity == kinds.count("=")
    assert rows.positive == positive
    assert rows.gaps == kinds.count("I") + kinds.count("D")


def _code(letter: str) -> int:
    return SCORED.find(letter.upper()) if letter.upper() in SCORED else SCORED.index("X")


def read_stored(data: bytes) -> None:
    """What may lie where a result is kept: a result comes back as it was, anything else is read or a DamagedResult.

    The first byte says what lies there: the bytes themselves; a result that was damaged; the bytes packed; a result
    with the bytes for its titles. The second says in pieces of which size it is read.
    """
    head, rest = [*data[:8], *bytes(8)], data[2:]
    with patch.object(stored, "PIECE", head[1] + 1 if head[1] < 255 else 1 << 20):
        match head[0] % 4:
            case 0:
                _read_through(rest)
            case 1:
                place = int.from_bytes(data[3:5]) / 65_536
                damage = Damage(KINDS[head[2] % len(KINDS)], place, head[5] % 40 + 1, head[6] % 8)
                _read_through(damage.done_to(pack(_RESULT.dump_json(RESULT))))
            case 2:
                _read_through(pack(rest))
            case 3:
                _read_titled(rest.decode("utf-8", "replace"))


def _read_through(kept: bytes) -> None:
    """Read in every way; what one way of reading refuses, the others refuse too."""
    found, size = StoredResult(kept), 0
    try:
        for piece in found.json():
            size += len(piece)
            assert len(piece) <= stored.PIECE
            assert size <= MOST_EXPANDED * len(kept)
    except DamagedResult:
        _refused(lambda: [*found.lines()])
        _refused(lambda: [*found.report().results])
        return
    assert b"".join(found.json()) == unpack(kept) == unpack(found.gzip)
    assert len([*found.texts()]) == len(found)
    with suppress(DamagedResult):
        assert b"".join(found.lines()).count(b"\n") == len(found)
        assert len([*found.report().results]) == len(found)
        assert found.part(len(found) + 1) is None


def _refused(read_on: Callable[[], object]) -> None:
    try:
        read_on()
    except DamagedResult:
        return
    raise AssertionError("damaged, and yet it was read")


def _read_titled(text: str) -> None:
    """A result whose names are a client's or a database's: none of them is taken for what separates its parts."""
    half = text[: len(text) // 2]
    titled = replace(ALIGNED, accession=half, title=text)
    found_two = replace(FOUND, hits=(titled, titled))
    result = result_of(found_two, replace(NOTHING, query=replace(NOTHING.query, id=text, title=half)), found_two)
    found = StoredResult(pack(_RESULT.dump_json(result)))
    assert tuple(found.report().results) == result.results
    assert [found.part(number) for number in (1, 2, 3)] == [replace(result, results=(one,)) for one in result.results]
    assert [(entry.id, entry.title, entry.hits) for entry in index(found)] == [
        (one.query.id, one.query.title, len(one.hits)) for one in result.results
    ]
    page = hit_page("s", found, 3, Turned(1))
    [one] = _RESULT.validate_json(page.body).results
    assert (page.total, one.hits) == (2, (titled,))


TARGETS: dict[str, Callable[[bytes], None]] = {
    "fasta": read_text,
    "database": read_version,
    "request": read_request,
    "alignment": write_alignments,
    "stored": read_stored,
}
"""By the names of their folders in tests/fuzz/seeds/."""
