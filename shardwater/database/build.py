"""FASTA files in, a database folder out: exact, whole or not at all, in memory that does not grow with the input.

Blocks of text are taken apart (blocks), sorted by length into runs (sorter), merged (runs), and indexed (accessions)
in a hidden folder beside the final one, which then gets its name.
"""

import shutil
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from shardwater.database.accessions import DuplicateAccessionError, write_index
from shardwater.database.catalog import PARTIAL, Catalog, check_label, discard, sweep
from shardwater.database.database import Database, Progress
from shardwater.database.manifest import MANIFEST, Manifest, content_checksum, is_text
from shardwater.database.runs import Budgets, Run, merge_runs
from shardwater.database.sorter import Sorter
from shardwater.database.storage import (
    DigestedFile,
    FileDigest,
    locked,
    read_numbers,
    read_slice,
    replace_text,
    sync,
    write_file,
)
from shardwater.database.taxa_files import TaxonSources, WrittenTaxa, write_taxa
from shardwater.database.verified import verify_once
from shardwater.errors import DatabaseError, FastaFormatError
from shardwater.sequences.alphabet import replaced_letters
from shardwater.sequences.alphabets import ALPHABETS, AlphabetName
from shardwater.sequences.blocks import Batch, IrregularTextError, parse_block, read_blocks
from shardwater.sequences.fasta import INNER_BLANKS, NO_LETTERS, FaultFinder, Rules, first_word
from shardwater.sequences.foreign import is_pir
from shardwater.sequences.sources import Source, check_sources, open_sources

_READ_AHEAD = 3


@dataclass(frozen=True, slots=True)
class Built:
    """A database version that was built; like_dna: how many records of one of proteins look like DNA.

    ignored: how many letters were left out of its sequences; taxa: what its records' taxids gave, None without any.
    """

    manifest: Manifest
    like_dna: int
    ignored: int
    taxa: WrittenTaxa | None


def build_database(  # noqa: PLR0913 labels are keywords
    sources: Sequence[Path],
    data: Path,
    *,
    name: str,
    title: str = "",
    version: str | None = None,
    shards: int = 1,
    alphabet: AlphabetName = "protein",
    ignore_invalid: bool = False,
    taxon_sources: TaxonSources = TaxonSources(),  # noqa: B008 frozen
    progress: Progress | None = None,
    budgets: Budgets = Budgets(),  # noqa: B008 frozen
) -> Built:
    """Build a database version from FASTA files or pipes, plain or gzip, and make it the current one.

    alphabet: `dna` keeps nucleotides, of IUPAC's codes. ignore_invalid leaves out what is no letter of a sequence
    (digits, gaps), which is a fault otherwise. Taxids are those of headers, unless taxon_sources says more. progress
    gets the bytes of the sources read so far and in all.
    """
    check_label("name", name)
    if version is not None:
        check_label("version", version)
    if shards < 1:
        raise DatabaseError(f"a database has at least 1 shard, not {shards}")
    if not is_text(title):
        raise DatabaseError("the title is not UTF-8")
    check_sources(sources)
    if alphabet == "dna" and shards > 1:
        raise DatabaseError("a nucleotide database is not searched, and has no shards")
    rules = _rules(budgets, alphabet, ignore_invalid=ignore_invalid)
    try:
        with _new_folder(data / name), _partial_folder(data / name) as work:
            opened = open_sources(sources, work)
            run, ignored = _sort(opened, work, budgets, rules, progress)
            try:
                files = _finish(run, work / "database", budgets)
            except DuplicateAccessionError as error:
                _report_duplicate(opened, error.accession, budgets)
            manifest = Manifest(
                name=name,
                title=title,
                version=version or "",
                checksum="",
                subjects=run.table.subjects,
                residues=int(run.table.column_sizes("residues").sum()),
                longest=int(run.table.lengths[-1]),
                shortest=int(run.table.lengths[0]),
                shards=shards,
                # In DNA the letters of IUPAC stand for themselves.
                replaced=replaced_letters(run.strangers) if alphabet == "protein" else {},
                files=files,
                alphabet=alphabet,
            )
            # Maps name subjects by accession: the files that find these are there.
            database = Database.mapped(work / "database", manifest)
            taxa = write_taxa(run.path("taxids"), database, taxon_sources, budgets.subjects)
            like_dna = run.like_dna if alphabet == "protein" else 0
            return Built(_install(work / "database", data, _whole(manifest, taxa)), like_dna, ignored, taxa)
    except OSError as error:
        raise DatabaseError(f"{error.filename or data / name}: {error.strerror or error}") from error


def _whole(manifest: Manifest, taxa: WrittenTaxa | None) -> Manifest:
    """The manifest with the files of taxa, and what follows from all files."""
    if taxa is not None:
        manifest = replace(manifest, files=manifest.files | taxa.files, taxa=taxa.rows, tree=taxa.has_tree)
    checksum = content_checksum(manifest.files)
    return replace(manifest, checksum=checksum, version=manifest.version or checksum[:12])


def _rules(budgets: Budgets, alphabet: AlphabetName, *, ignore_invalid: bool) -> Rules:
    return Rules(
        needs_accession=True,
        longest_header=budgets.header,
        ignored=NO_LETTERS if ignore_invalid else b"",
        advice=", or have them left out (--ignore-invalid)",
        alphabet=ALPHABETS[alphabet],
    )


@contextmanager
def _new_folder(folder: Path) -> Iterator[None]:
    """A folder with those above it; what was not there before goes again where nothing is built in it."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        for each in new:
            with suppress(OSError):  # it is not empty
                each.rmdir()


@contextmanager
def _partial_folder(parent: Path) -> Iterator[Path]:
    """A hidden folder to work in, locked so that the next build can tell whether its builder lives."""
    with ExitStack() as stack:
        with locked(parent):
            sweep(parent)
            folder = Path(tempfile.mkdtemp(prefix=PARTIAL, dir=parent))
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            stack.enter_context(locked(folder))
        yield folder


def _sort(
    sources: Sequence[Source], work: Path, budgets: Budgets, rules: Rules, progress: Progress | None
) -> tuple[Run, int]:
    """All records of all sources, sorted by length, and how many letters were left out of them."""
    sizes = [source.path.stat().st_size for source in sources]
    done = ignored = 0
    with closing(Sorter(work, budgets.run)) as sorter, ThreadPoolExecutor(1) as pool:
        for source, size in zip(sources, sizes, strict=True):
            try:
                for batch in _parse_ahead(source, budgets, rules, pool):
                    sorter.add(batch)
                    ignored += batch.ignored
                    if progress:
                        progress(done + batch.position, sum(sizes))
                sorter.end_file()
            except IrregularTextError:
                _report_fault(source, budgets, rules)
            done += size
        return merge_runs(work / "merged", sorter.finish(), budgets.merge), ignored


def _parse_ahead(source: Source, budgets: Budgets, rules: Rules, pool: ThreadPoolExecutor) -> Iterator[Batch]:
    """The batches of a file; one thread takes text apart while this one reads on. More would only wait for the GIL."""
    pending: deque[Future[Batch]] = deque()
    for number, block in enumerate(read_blocks(source, budgets.block, budgets.header)):
        if number == 0 and is_pir(block.text):
            raise IrregularTextError
        pending.append(pool.submit(parse_block, block, rules))
        if len(pending) == _READ_AHEAD:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


def _report_fault(source: Source, budgets: Budgets, rules: Rules) -> NoReturn:
    FaultFinder(rules, source.name).report(block.text for block in read_blocks(source, budgets.block, budgets.header))


def _report_duplicate(sources: Sequence[Source], accession: bytes, budgets: Budgets) -> NoReturn:
    first, second, *_ = _locations(sources, accession, budgets)
    shown = accession.decode("utf-8", "replace")
    detail = f"duplicate accession {shown!r} (first at {first.file} line {first.line})"
    raise FastaFormatError(detail, file=second.file, record=second.record, line=second.line)


@dataclass(frozen=True, slots=True)
class _Location:
    file: str
    record: int
    line: int


def _locations(sources: Sequence[Source], accession: bytes, budgets: Budgets) -> Iterator[_Location]:
    """Where the records with this accession are."""
    for source in sources:
        line, record = 1, 0
        for block in read_blocks(source, budgets.block, budgets.header):
            for number, whole in enumerate(block.text.split(b"\n")):
                line += number > 0
                text = whole.lstrip(INNER_BLANKS)
                if text[:1] == b">" and (number or block.opens_line):
                    record += 1
                    if first_word(text[1:]) == accession:
                        yield _Location(source.name, record, line)


def _finish(run: Run, folder: Path, budgets: Budgets) -> dict[str, FileDigest]:
    """Make the files of a database from a run of everything; syncing goes on while the next file is made."""
    folder.mkdir()
    digests: dict[str, FileDigest] = {}
    with ThreadPoolExecutor() as pool:
        syncs: list[Future[None]] = []
        for column in ("residues", "names"):
            digests[f"{column}.bin"] = run.digests[column]
            run.path(column).rename(folder / f"{column}.bin")
            syncs.append(pool.submit(sync, folder / f"{column}.bin"))
        for name, digest in _write_arrays(run, folder, budgets.subjects):
            digests[name] = digest
            syncs.append(pool.submit(sync, folder / name))
        for each in syncs:
            each.result()
    return digests


def _write_arrays(run: Run, folder: Path, size: int) -> Iterator[tuple[str, FileDigest]]:
    lengths = (block.astype("<u4") for block in run.table.blocks(size))
    yield "lengths.bin", write_file(folder / "lengths.bin", lengths)
    yield "offsets.bin", write_file(folder / "offsets.bin", _offsets(run.table.blocks(size)))
    name_lengths = read_numbers(run.path("name_lengths"), np.dtype("<u4"), size)
    yield "name_offsets.bin", write_file(folder / "name_offsets.bin", _offsets(name_lengths))
    hashes, subjects = "accession_hashes.bin", "accession_subjects.bin"
    accession_of = partial(_accession, folder)
    with DigestedFile(folder / hashes) as hash_file, DigestedFile(folder / subjects) as subject_file:
        write_index(run.path("hashes"), accession_of, hash_file, subject_file, size)
        digests = hash_file.digest(), subject_file.digest()
    yield hashes, digests[0]
    yield subjects, digests[1]


def _offsets(lengths: Iterable[npt.NDArray[Any]]) -> Iterator[npt.NDArray[np.int64]]:
    """0, then where each thing ends that has one of these lengths."""
    end = np.zeros(1, dtype="<i8")
    yield end
    for block in lengths:
        ends = end[-1] + np.cumsum(block, dtype="<i8")
        yield ends
        end = ends


def _accession(folder: Path, subject: int) -> bytes:
    start, stop = np.frombuffer(read_slice(folder / "name_offsets.bin", subject * 8, 16), dtype="<i8").tolist()
    return first_word(read_slice(folder / "names.bin", start, stop - start))


def _install(folder: Path, data: Path, manifest: Manifest) -> Manifest:
    """Give a finished folder its final name, and make it current; the same content again only changes labels."""
    final = data / manifest.name / manifest.version
    with locked(final.parent):
        if final.exists() and not _is_sound(final, manifest):
            discard(final)
        if final.exists():
            if Manifest.read(final / MANIFEST) != manifest:
                replace_text(final / MANIFEST, manifest.to_json())
        else:
            replace_text(folder / MANIFEST, manifest.to_json())
            folder.rename(final)
            sync(final.parent)
        Catalog(data).make_current(manifest.name, manifest.version)
    return manifest


def _is_sound(final: Path, manifest: Manifest) -> bool:
    """Whether the same content is there undamaged; raises DatabaseError where other content has its name."""
    if Manifest.read(final / MANIFEST).checksum != manifest.checksum:
        raise DatabaseError(f"version {manifest.version!r} of {manifest.name!r} is already there with other content")
    try:
        verify_once(Database.open(final))
    except DatabaseError:
        return False
    return True
