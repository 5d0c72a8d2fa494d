"""Pictures of results: of searches, MSAs, jobs of pairs and comparisons."""

from typing import Annotated

from fastapi import Header, Query, Response

from app.middleware.matching import ALIGNMENTS, COMPARISONS, MSAS
from app.problems import documented
from app.responses.figures import (
    MEDIA_TYPES,
    Asked,
    PictureForm,
    draw_conservation,
    draw_dotplot,
    draw_hit_alignment,
    draw_hits,
    draw_pair,
    draw_rows,
    draw_scores,
    drawn,
)
from app.responses.msa_results import Wanted as WantedMsa
from app.routers import new_router
from app.routes.msas import Of, Pairs
from app.service import CurrentService
from shardwater.formats.figures.msa_rows import MOST_ROWS, ROWS
from shardwater.formats.figures.msa_rows import Wanted as WantedRows
from shardwater.formats.figures.scores import Range
from shardwater.formats.figures.svg import LEAST_WIDTH, MOST_WIDTH, WIDTH
from shardwater.formats.genomes.dotplot import LEAST_WIDTH as LEAST_PLOT

router = new_router(tags=["figures"])

SEARCHES = "/v1/searches"
_Width = Annotated[int, Query(ge=LEAST_WIDTH, le=MOST_WIDTH, description="Of the picture, in pixels.")]
_PlotWidth = Annotated[int, Query(ge=LEAST_PLOT, le=MOST_WIDTH, description="Of the picture, in pixels.")]
_OneQuery = Annotated[int | None, Query(ge=1, description="Of this query, from 1; of several queries name one.")]
_Chain = Annotated[int, Query(ge=1, description="Of this chain, from 1.")]
_Known = Annotated[str | None, Header(description="The `ETag` of a picture that is still there.")]


def _picture(form: PictureForm) -> dict[int | str, dict[str, object]]:
    content = {MEDIA_TYPES[form]: {"schema": {"type": "string", "format": "binary"}}}
    return {
        200: {"description": "The picture.", "content": content},
        304: {"description": "`If-None-Match` names this picture."},
        **documented(404, 409, 410, 422),
    }


_SVG = _picture("svg")


@router.head(f"{SEARCHES}/{{search}}/figures/hits.svg", include_in_schema=False)
@router.get(f"{SEARCHES}/{{search}}/figures/hits.svg", response_class=Response, responses=_SVG)
async def get_hits_figure(
    search: str,
    service: CurrentService,
    query: _OneQuery = None,
    hits: Annotated[
        str | None, Query(description="The hits of these ranks, as 1,5,9-12, at most 200. Default: the first 50.")
    ] = None,
    width: _Width = WIDTH,
    if_none_match: _Known = None,
) -> Response:
    """Draw where hits lie along the query, coloured by bit score, each with its name."""
    asked = Asked(service.store, search, "hits", if_none_match)
    return await drawn(service, asked, lambda: draw_hits(service, search, query, hits, width))


@router.head(f"{SEARCHES}/{{search}}/figures/scores.svg", include_in_schema=False)
@router.get(f"{SEARCHES}/{{search}}/figures/scores.svg", response_class=Response, responses=_SVG)
async def get_scores_figure(
    search: str,
    service: CurrentService,
    query: _OneQuery = None,
    shown: Annotated[
        Range,
        Query(
            alias="range",
            description="`chance`: scores that chance explains, and as much again; `all`: up to the highest one.",
        ),
    ] = "chance",
    width: _Width = WIDTH,
    if_none_match: _Known = None,
) -> Response:
    """Draw the scores of all subjects as a histogram, with what chance would give; with `score_distribution`."""
    asked = Asked(service.store, search, "scores", if_none_match)
    return await drawn(service, asked, lambda: draw_scores(service, search, query, shown, width))


@router.head(f"{SEARCHES}/{{search}}/figures/alignment.svg", include_in_schema=False)
@router.get(f"{SEARCHES}/{{search}}/figures/alignment.svg", response_class=Response, responses=_SVG)
async def get_hit_alignment_figure(
    search: str,
    service: CurrentService,
    query: _OneQuery = None,
    hit: Annotated[int, Query(ge=1, le=999_999_999, description="Of the hit of this rank.")] = 1,
    alignment: Annotated[int, Query(ge=1, le=1000, description="Of its alignments this one, the best first.")] = 1,
    if_none_match: _Known = None,
) -> Response:
    """Draw a hit's alignment in blocks of 60 columns, 7,200 at most."""
    asked = Asked(service.store, search, "alignment", if_none_match)
    return await drawn(service, asked, lambda: draw_hit_alignment(service, search, query, hit, alignment))


@router.head(f"{MSAS}/{{msas}}/figures/rows.svg", include_in_schema=False)
@router.get(f"{MSAS}/{{msas}}/figures/rows.svg", response_class=Response, responses=_SVG)
async def get_msa_rows_figure(
    msas: str,
    service: CurrentService,
    chain: _Chain = 1,
    of: Of = "databases",
    pairs: Pairs = False,
    rows: Annotated[int, Query(ge=1, le=MOST_ROWS, description="So many rows, the best, below the query.")] = ROWS,
    first: Annotated[int, Query(alias="from", ge=1, description="From this position of the query.")] = 1,
    last: Annotated[
        int | None, Query(alias="to", ge=1, description="To this one: 1,000 at most. Default: 300 positions.")
    ] = None,
    width: _Width = WIDTH,
    if_none_match: _Known = None,
) -> Response:
    """Draw rows of a chain's MSA, coloured by what residues are like, with the conservation of each column."""
    wanted = WantedMsa(chain=chain, stage=1 if of == "then" else 0, pairs=pairs)
    shown = WantedRows(rows, first, last, width)
    asked = Asked(service.msas, msas, "rows", if_none_match)
    return await drawn(service, asked, lambda: draw_rows(service, msas, wanted, shown))


@router.head(f"{MSAS}/{{msas}}/figures/conservation.svg", include_in_schema=False)
@router.get(f"{MSAS}/{{msas}}/figures/conservation.svg", response_class=Response, responses=_SVG)
async def get_msa_conservation_figure(
    msas: str,
    service: CurrentService,
    chain: _Chain = 1,
    of: Of = "databases",
    pairs: Pairs = False,
    width: _Width = WIDTH,
    if_none_match: _Known = None,
) -> Response:
    """Draw how many rows of a chain's MSA cover each position of the query, and how conserved it is."""
    wanted = WantedMsa(chain=chain, stage=1 if of == "then" else 0, pairs=pairs)
    asked = Asked(service.msas, msas, "conservation", if_none_match)
    return await drawn(service, asked, lambda: draw_conservation(service, msas, wanted, width))


@router.head(f"{ALIGNMENTS}/{{alignment}}/figures/alignment.svg", include_in_schema=False)
@router.get(f"{ALIGNMENTS}/{{alignment}}/figures/alignment.svg", response_class=Response, responses=_SVG)
async def get_pair_figure(
    alignment: str,
    service: CurrentService,
    pair: Annotated[int, Query(ge=1, description="Of this pair, in the order of the result.")] = 1,
    rank: Annotated[int, Query(ge=1, le=1000, description="Of its alignments this one, where there are several.")] = 1,
    if_none_match: _Known = None,
) -> Response:
    """Draw the alignment of a pair in blocks of 60 columns, 7,200 at most; of a job with `report=alignment`."""
    asked = Asked(service.alignments, alignment, "alignment", if_none_match)
    return await drawn(service, asked, lambda: draw_pair(service, alignment, pair, rank))


@router.head(f"{COMPARISONS}/{{comparison}}/figures/dotplot.svg", include_in_schema=False)
@router.get(f"{COMPARISONS}/{{comparison}}/figures/dotplot.svg", response_class=Response, responses=_SVG)
async def get_dotplot_svg(
    comparison: str, service: CurrentService, width: _PlotWidth = WIDTH, if_none_match: _Known = None
) -> Response:
    """Draw all HSPs as lines, the query to the right, the subject upwards; of more than 100,000 the longest."""
    asked = Asked(service.comparisons, comparison, "dotplot", if_none_match, "svg")
    return await drawn(service, asked, lambda: draw_dotplot(service, comparison, "svg", width))


@router.head(f"{COMPARISONS}/{{comparison}}/figures/dotplot.png", include_in_schema=False)
@router.get(f"{COMPARISONS}/{{comparison}}/figures/dotplot.png", response_class=Response, responses=_picture("png"))
async def get_dotplot_png(
    comparison: str, service: CurrentService, width: _PlotWidth = WIDTH, if_none_match: _Known = None
) -> Response:
    """The same as a PNG, with all HSPs."""
    asked = Asked(service.comparisons, comparison, "dotplot", if_none_match, "png")
    return await drawn(service, asked, lambda: draw_dotplot(service, comparison, "png", width))
