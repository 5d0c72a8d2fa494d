"""Pictures of results, drawn by threads that write results: of large ones that takes seconds."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from fastapi import Response
from fastapi.concurrency import run_in_threadpool

from app.problems import InvalidParameterError, NotHereError
from app.responses.alignment_json import aligned, parameters_of
from app.responses.alignment_results import undamaged
from app.responses.ended_comparison import EndedComparison
from app.responses.ended_msas import EndedMsas
from app.responses.file_names import file_name
from app.responses.http_cache import is_known, result_headers
from app.responses.msa_results import Wanted as WantedMsa
from app.responses.query_parts import named_part
from app.service import Service
from shardwater.formats.figures.alignment import hit_alignment_svg, pair_svg
from shardwater.formats.figures.conservation import conservation_svg
from shardwater.formats.figures.hits import HITS, hits_svg
from shardwater.formats.figures.msa_rows import Wanted as WantedRows
from shardwater.formats.figures.msa_rows import rows_svg
from shardwater.formats.figures.scores import Range, scores_svg
from shardwater.formats.figures.svg import UnfitFigure
from shardwater.formats.genomes.dotplot import Caption
from shardwater.formats.genomes.dotplot_svg import dotplot_svg
from shardwater.formats.selection import InvalidRanks, select_hits
from shardwater.msa.conservation import conservation
from shardwater.msa.msa import Msa
from shardwater.plural import plural
from shardwater.search.merge import SearchResult
from worker.jobs.genome_files import Databases
from worker.jobs.store import JobStore
from worker.kinds.alignment import KeptPairs

PictureForm = Literal["svg", "png"]
MEDIA_TYPES: dict[PictureForm, str] = {"svg": "image/svg+xml", "png": "image/png"}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, and the name of its file without its ending."""

    content: bytes
    name: str

    @classmethod
    def of(cls, pieces: Iterable[str], name: str) -> "Picture":
        """An SVG."""
        return cls("".join(pieces).encode(), name)

    def reply(self, headers: dict[str, str], form: PictureForm) -> Response:
        """As it goes out."""
        named = {"Content-Disposition": f'attachment; filename="{self.name}.{form}"'}
        return Response(self.content, media_type=MEDIA_TYPES[form], headers=headers | named)


@dataclass(frozen=True, slots=True)
class Asked:
    """A picture that is asked for: of a job of a kind, by its name, and by a tag that the client may have."""

    jobs: JobStore
    job: str
    figure: str
    known: str | None
    form: PictureForm = "svg"

    def headers(self) -> dict[str, str]:
        """Those of a picture, which is the same as long as the result; raises what JobStore.time_left does."""
        told = result_headers(self.job, f"figures.{self.figure}.{self.form}", self.jobs.time_left(self.job))
        return told | {"Vary": "Accept-Encoding"}


async def drawn(service: Service, asked: Asked, draw: Callable[[], Picture]) -> Response:
    """A picture, drawn for the caller, unless he has it; raises what drawing it does."""
    headers = await run_in_threadpool(asked.headers)
    if is_known(asked.known, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    picture = await service.writers.run(asked.jobs.caller.account, draw)
    return picture.reply(headers, asked.form)


@contextmanager
def _fitting() -> Iterator[None]:
    """Raise InvalidParameterError for what makes no picture."""
    try:
        yield
    except UnfitFigure as error:
        raise InvalidParameterError(error.parameter, str(error)) from None


def draw_hits(service: Service, search: str, query: int | None, ranks: str | None, width: int) -> Picture:
    """The hits of these ranks, or the first ones.

    Raises what JobStore.stored does, as the next two do, InvalidParameterError and InvalidRanks.
    """
    part, number = _part(service, search, query)
    one = part.results[0]
    chosen = replace(one, hits=one.hits[:HITS]) if ranks is None else select_hits(one, ranks)
    with _fitting():
        pieces = hits_svg(replace(part, results=(chosen,)), len(one.hits), width)
    return Picture.of(pieces, _named(service, part, number, "hits", selected=ranks is not None))


def draw_scores(service: Service, search: str, query: int | None, shown: Range, width: int) -> Picture:
    """The scores of all subjects; raises NotHereError where they were not counted."""
    part, number = _part(service, search, query)
    counted = part.results[0].distribution
    if counted is None:
        raise NotHereError("the scores were not counted: send the search again with score_distribution=true")
    return Picture.of(scores_svg(part, counted, shown, width), _named(service, part, number, "scores"))


def draw_hit_alignment(service: Service, search: str, query: int | None, hit: int, alignment: int) -> Picture:
    """An alignment of a hit, by both their ranks."""
    part, number = _part(service, search, query)
    try:
        part = replace(part, results=(select_hits(part.results[0], str(hit)),))
    except InvalidRanks as error:
        raise InvalidParameterError("hit", str(error)) from None
    with _fitting():
        pieces = hit_alignment_svg(part, alignment)
    which = f"hit-{hit}" if alignment == 1 else f"hit-{hit}.{alignment}"
    return Picture.of(pieces, _named(service, part, number, f"{which}.alignment"))


def _part(service: Service, search: str, query: int | None) -> tuple[SearchResult, int]:
    """The result with one query alone, and its number."""
    return named_part(service.store.stored(search), query, "query"), query or 1


def _named(service: Service, part: SearchResult, number: int, what: str, *, selected: bool = False) -> str:
    title = service.store.state(part.search).title
    return f"{file_name(title, part.search, f'{number}_{part.results[0].query.id}', selected=selected)}.{what}"


def draw_rows(service: Service, job: str, wanted: WantedMsa, rows: WantedRows) -> Picture:
    """The first rows of one chain's MSA; raises what JobStore.packed_result does, as the next one does, DamagedJob,
    NotHereError and InvalidParameterError.
    """
    ended, msa = _msa(service, job, wanted)
    with _fitting():
        # Before its columns are counted, which may be long.
        rows.positions(msa)
        return Picture.of(rows_svg(msa, conservation(msa), rows), _chain_named(service, ended, wanted, "rows"))


def draw_conservation(service: Service, job: str, wanted: WantedMsa, width: int) -> Picture:
    """The columns of one chain's MSA."""
    ended, msa = _msa(service, job, wanted)
    pieces = conservation_svg(msa, conservation(msa), width)
    return Picture.of(pieces, _chain_named(service, ended, wanted, "conservation"))


def _msa(service: Service, job: str, wanted: WantedMsa) -> tuple[EndedMsas, Msa]:
    ended = EndedMsas.of(service, job)
    return ended, next(wanted.msas(ended, wanted.one(ended)))


def _chain_named(service: Service, ended: EndedMsas, wanted: WantedMsa, what: str) -> str:
    chain = wanted.chain or 1
    called = file_name(service.msas.state(ended.id).title, ended.id, f"{chain}.{ended.chains[chain - 1].id}")
    of = ".pairs" if wanted.pairs else ".then" if wanted.stage else ""
    return f"{called}{of}.{what}"


def draw_pair(service: Service, alignment: str, pair: int, rank: int) -> Picture:
    """An alignment of a pair, by its number, from 1.

    Raises what JobStore.packed_result does, DamagedJob, NotHereError where alignments were not asked for, and
    InvalidParameterError.
    """
    lists, parameters = aligned(service.alignments, alignment), parameters_of(service.alignments, alignment)
    if parameters.report != "alignment":
        raise NotHereError("the job has no alignments: send it again with report=alignment")
    with undamaged(alignment), _fitting():
        part = KeptPairs.open(service.files, alignment, parameters).pair(pair - 1, lists.digests)
        if part is None:
            told = f"there is no pair {pair:,}: the job has {plural(lists.certificate.pairs, 'pair')}"
            raise InvalidParameterError("pair", told)
        if rank > len(part.answers.columns):
            raise InvalidParameterError("rank", "the pair has fewer alignments")
        content = "".join(pair_svg(part.together, rank - 1)).encode()
    named = file_name(service.alignments.state(alignment).title, alignment, f"{pair}")
    return Picture(content, f"{named}.alignment" if rank == 1 else f"{named}.{rank}.alignment")


def draw_dotplot(service: Service, comparison: str, form: PictureForm, width: int) -> Picture:
    """The plot of a comparison's HSPs; raises what JobStore.packed_result does, and DamagedJob."""
    ended = EndedComparison.of(service, comparison)
    genomes, hsps = ended.genomes(), ended.hsps()
    title = service.comparisons.state(comparison).title
    named = f"{file_name(title, comparison)}.dotplot"
    caption = Caption(title, _told(ended.databases()))
    if form == "svg":
        return Picture.of(dotplot_svg(genomes.query, genomes.subject, hsps, caption, width), named)
    from shardwater.formats.genomes.dotplot_png import dotplot_png  # noqa: PLC0415  Pillow is loaded by who draws

    return Picture(dotplot_png(genomes.query, genomes.subject, hsps, caption, width), named)


def _told(databases: Databases) -> str:
    """Which side is of which database, with their versions."""
    return "; ".join(f"{side} of {used.name}, version {used.version}" for side, used in databases.items())
