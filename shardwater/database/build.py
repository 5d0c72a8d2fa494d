"""FASTA files in, a database folder out: exact, whole or not at all, in memory that does not grow with the input.

Blocks of text are taken apart (blocks), sorted by length into runs (sorter), merged (runs), and indexed (accessions)
in a hidden folder beside the final one, which then gets its name.
"""

import shutil
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np

from shardwater.database.accessions import DuplicateAccessionError
from shardwater.database.catalog import PARTIAL, Catalog, check_label, discard, sweep
from shardwater.database.cluster_files import Divided, divide, write_members
from shardwater.database.cluster_table import UNNAMED, read_clusters
from shardwater.database.database import Database, Progress
from shardwater.database.files import write_files
from shardwater.database.manifest import MANIFEST, MEMBER, Manifest, content_checksum, is_text
from shardwater.database.runs import Budgets, Run, merge_runs
from shardwater.database.sorter import Sorter
from shardwater.database.storage import (
    FileDigest,
    locked,
    replace_text,
    sync,
)
from shardwater.database.taxa_files import TaxonSources, WrittenTaxa, map_headers, write_taxa
from shardwater.database.verified import verify_once
from shardwater.errors import DatabaseError, FastaFormatError
from shardwater.sequences.alphabet import replaced_letters
from shardwater.sequences.alphabets import ALPHABETS, AlphabetName
from shardwater.sequences.blocks import Batch, IrregularTextError, parse_block, read_blocks
from shardwater.sequences.encoding import as_utf8, decoded, is_utf8
from shardwater.sequences.fasta import INNER_BLANKS, NO_LETTERS, FaultFinder, Rules, first_word
from shardwater.sequences.foreign import is_pir
from shardwater.sequences.sources import Source, check_sources, open_sources

_READ_AHEAD = 3


@dataclass(frozen=True, slots=True)
class Built:
    """A database version that was built; like_dna: how many records of one of proteins look like DNA.

    ignored: how many letters were left out of its sequences; recoded: headers that were not UTF-8, None without any;
    taxa: what its subjects' taxids gave, None without any; clusters: how many subjects have members behind them.
    """

    manifest: Manifest
    like_dna: int
    ignored: int
    recoded: "Recoded | None"
    taxa: WrittenTaxa | None
    clusters: int


@dataclass(frozen=True, slots=True)
class Recoded:
    """The number of headers that were read as Windows-1252 (encoding.py), and where the first one is."""

    headers: int
    file: str
    record: int
    line: int


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
    clusters: Path | None = None,
    taxon_sources: TaxonSources = TaxonSources(),  # noqa: B008 frozen
    progress: Progress | None = None,
    budgets: Budgets = Budgets(),  # noqa: B008 frozen
) -> Built:
    """Build a database version from FASTA files or pipes, plain or gzip, and make it the current one.

    alphabet: `dna` keeps nucleotides, of IUPAC's codes. ignore_invalid leaves out what is no letter of a sequence
    (digits, gaps), which is a fault otherwise. clusters: a file of representatives and of the members that stand behind
    them. Taxids are those of headers, unless taxon_sources says more. progress gets the bytes of the sources read so
    far and in all.
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
    if clusters is not None:
        if alphabet == "dna":
            raise DatabaseError("clusters are of proteins: a nucleotide database is not searched")
        check_sources([clusters])
    _check_alphabet(data, name, alphabet)
    labels = Manifest(name, title, version or "", "", 0, 0, 0, 0, shards, {}, {}, alphabet)
    rules = _rules(budgets, alphabet, ignore_invalid=ignore_invalid)
    try:
        with _new_folder(data / name), _partial_folder(data / name) as work:
            opened = open_sources(sources, work)
            run, ignored, recoded = _sort(opened, work, budgets, rules, progress)
            try:
                made = _make(run, _Order(labels, clusters, taxon_sources, work, budgets))
            except DuplicateAccessionError as error:
                _report_duplicate(opened, error.accession, budgets)
            like_dna = run.like_dna if alphabet == "protein" else 0
            odd = _first_recoded(opened, recoded, budgets) if recoded else None
            manifest = _install(work / "database", data, made.manifest)
            return Built(manifest, like_dna, ignored, odd, made.taxa, made.clusters)
    except OSError as error:
        raise DatabaseError(f"{error.filename or data / name}: {error.strerror or error}") from error


@dataclass(frozen=True, slots=True)
class _Made:
    """What the files of a database hold, whole in their folder; taxa and clusters as Built has them."""

    manifest: Manifest
    taxa: WrittenTaxa | None
    clusters: int


@dataclass(frozen=True, slots=True)
class _Order:
    """What is to be made of all records, and in which folder."""

    labels: Manifest
    clusters: Path | None
    sources: TaxonSources
    work: Path
    budgets: Budgets

    @property
    def folder(self) -> Path:
        """That of the database."""
        return self.work / "database"


def _make(run: Run, order: _Order) -> _Made:
    """Make the files of a database of a run of all records."""
    divided = None if order.clusters is None else _divide(run, order, order.clusters)
    subjects, size = run if divided is None else divided.subjects, order.budgets.subjects
    manifest = _described(order.labels, subjects, write_files(subjects, order.folder, order.budgets))
    database = Database.mapped(order.folder, manifest, datetime.now(UTC))
    if divided is None and order.sources.taxid_map is not None:
        # Maps name subjects by accession: the files that find these are there.
        map_headers(order.sources.taxid_map, subjects.path("taxids"), database, size)
    taxonomy = order.sources.taxonomy
    taxa = write_taxa(subjects.path("taxids"), database.lengths, order.folder, taxonomy, size)
    if taxa is not None:
        manifest = replace(manifest, files=manifest.files | taxa.files, taxa=taxa.rows, tree=taxa.has_tree)
    elif taxonomy is not None:
        detail = "no sequence has a taxid to look up: OX= or TaxID= in its header, or a taxid map"
        raise DatabaseError(f"{taxonomy}: {detail}")
    if divided is not None and divided.members:
        manifest = _with_members(manifest, divided, order)
    checksum = content_checksum(manifest.files)
    manifest = replace(manifest, checksum=checksum, version=manifest.version or checksum[:12])
    return _Made(manifest, taxa, 0 if divided is None else divided.clusters)


def _described(labels: Manifest, run: Run, files: dict[str, FileDigest]) -> Manifest:
    """The labels with what files of a run hold."""
    return replace(
        labels,
        subjects=run.table.subjects,
        residues=int(run.table.column_sizes("residues").sum()),
        longest=int(run.table.lengths[-1]),
        shortest=int(run.table.lengths[0]),
        # In DNA the letters of IUPAC stand for themselves.
        replaced=replaced_letters(run.strangers) if labels.alphabet == "protein" else {},
        files=files,
    )


def _divide(run: Run, order: _Order, clusters: Path) -> Divided:
    """Divide a run into subjects and members, by the accessions of all its records."""
    folder, budgets = order.work / "whole", order.budgets
    manifest = _described(order.labels, run, write_files(run, folder, budgets))
    whole = Database.mapped(folder, manifest, datetime.now(UTC))
    if order.sources.taxid_map is not None:
        map_headers(order.sources.taxid_map, run.path("taxids"), whole, budgets.subjects)
    representatives = np.memmap(order.work / "representatives", "<i8", "w+", shape=len(whole))
    representatives[:] = UNNAMED
    read_clusters(clusters, whole, representatives)
    divided = divide(run, whole, representatives, order.work, budgets)
    # It is needed no more, and the disk may be.
    shutil.rmtree(folder)
    return divided


def _with_members(manifest: Manifest, divided: Divided, order: _Order) -> Manifest:
    """The manifest with the files of members, which come to lie beside those of subjects."""
    folder = order.work / "members"
    files = write_members(divided, folder, order.budgets)
    lengths = np.memmap(folder / "lengths.bin", "<u4", "r")
    taxa = write_taxa(folder / "taxids", lengths, folder, order.sources.taxonomy, order.budgets.subjects)
    if taxa is not None:
        files |= taxa.files
    for name in files:
        (folder / name).rename(order.folder / f"{MEMBER}{name}")
    return replace(
        manifest,
        files=manifest.files | {f"{MEMBER}{name}": digest for name, digest in files.items()},
        members=divided.members,
        member_residues=divided.residues,
        member_taxa=0 if taxa is None else taxa.rows,
    )


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


class _Sorted(NamedTuple):
    """All records, how many letters were left out of them, and how many headers were not UTF-8."""

    run: Run
    ignored: int
    recoded: int


def _sort(sources: Sequence[Source], work: Path, budgets: Budgets, rules: Rules, progress: Progress | None) -> _Sorted:
    """All records of all sources, sorted by length."""
    sizes = [source.path.stat().st_size for source in sources]
    done = ignored = recoded = 0
    with closing(Sorter(work, budgets.run)) as sorter, ThreadPoolExecutor(1) as pool:
        for source, size in zip(sources, sizes, strict=True):
            try:
                for batch in _parse_ahead(source, budgets, rules, pool):
                    sorter.add(batch)
                    ignored += batch.ignored
                    recoded += batch.recoded
                    if progress:
                        progress(done + batch.position, sum(sizes))
                sorter.end_file()
            except IrregularTextError:
                _report_fault(source, budgets, rules)
            done += size
        return _Sorted(merge_runs(work / "merged", sorter.finish(), budgets.merge), ignored, recoded)


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
    same = (each for each in _headers(sources, budgets) if as_utf8(first_word(each.header)) == accession)
    first, second, *_ = same
    shown = decoded(accession)
    detail = f"duplicate accession {shown!r} (first at {first.file} line {first.line})"
    raise FastaFormatError(detail, file=second.file, record=second.record, line=second.line)


def _first_recoded(sources: Sequence[Source], count: int, budgets: Budgets) -> Recoded:
    first = next(each for each in _headers(sources, budgets) if not is_utf8(each.header))
    return Recoded(count, first.file, first.record, first.line)


@dataclass(frozen=True, slots=True)
class _Header:
    file: str
    record: int
    line: int
    header: bytes


def _headers(sources: Sequence[Source], budgets: Budgets) -> Iterator[_Header]:
    """All headers as the files have them."""
    for source in sources:
        line, record = 1, 0
        for block in read_blocks(source, budgets.block, budgets.header):
            for number, whole in enumerate(block.text.split(b"\n")):
                line += number > 0
                text = whole.lstrip(INNER_BLANKS)
                if text[:1] == b">" and (number or block.opens_line):
                    record += 1
                    yield _Header(source.name, record, line, text[1:])


def _check_alphabet(data: Path, name: str, alphabet: AlphabetName) -> None:
    """Raise DatabaseError if the name belongs to a database of the other alphabet: its users would lose it."""
    known: AlphabetName = alphabet
    # One that is damaged may be built anew.
    with suppress(DatabaseError):
        known = Manifest.read(data / name / Catalog(data).current_version(name) / MANIFEST).alphabet
    if known != alphabet:
        was, is_now = ("proteins", "nucleotides") if alphabet == "dna" else ("nucleotides", "proteins")
        raise DatabaseError(
            f"database {name!r} in {data} contains {was}: build {is_now} under another name, or remove it first "
            f"(shardwater db remove {name} --data {data})"
        )


def _install(folder: Path, data: Path, manifest: Manifest) -> Manifest:
    """Give a finished folder its final name, and make it current; the same content again only changes labels."""
    final = data / manifest.name / manifest.version
    with locked(final.parent):
        # Another build may have ended meanwhile.
        _check_alphabet(data, manifest.name, manifest.alphabet)
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
