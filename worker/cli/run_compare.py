"""What `shardwater compare` does here: read two genomes, compare them, write the list, the summary and the dot plot."""

import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from io import BufferedReader
from pathlib import Path
from typing import Literal

import typer
from pydantic import ValidationError

from gpu import open_genome_engine, open_pair_engine
from shardwater.formats.chunks import in_chunks
from shardwater.formats.genomes.chained import chain_blocks
from shardwater.formats.genomes.dotplot import Caption
from shardwater.formats.genomes.layout import Layout, Listed
from shardwater.formats.genomes.names import GenomeFormat
from shardwater.formats.genomes.writers import WRITERS, columns_for
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.boxes import cells_of
from shardwater.genomes.chain_list import ChainList
from shardwater.genomes.chains import Chains
from shardwater.genomes.compare import Compared, compare
from shardwater.genomes.comparison import ComparisonError
from shardwater.genomes.gapped import Gapped, align_boxes, distinct
from shardwater.genomes.genome import Genome
from shardwater.genomes.reading import read_genome
from shardwater.genomes.regions import within
from shardwater.genomes.summary import chains_found, summarise
from shardwater.steps import finish
from worker.cli.compare_outputs import SAME, Files, Outputs
from worker.cli.console import ShowProgress, progress_bar, warn, whole_output
from worker.cli.run_align import called, device_errors, interruptions, opened
from worker.jobs.comparison_requests import ComparisonParameters, RegionAsked
from worker.jobs.sentences import sentence

FINDING = 0.9
"""How much of the bar finding HSPs takes where they are not aligned then."""
MANY_CELLS = 20_000_000_000
"""Of boxes: a CPU takes minutes for more."""
_PLACE = re.compile("[0-9]{1,18}")


def asked_of(fields: Mapping[str, object], regions: Mapping[str, Sequence[str]]) -> ComparisonParameters:
    """What flags ask for; a wrong value is wrong usage."""
    every = [_region(side, text) for side, texts in regions.items() for text in texts]
    try:
        return ComparisonParameters.model_validate({**fields, "regions": every or None})
    except ValidationError as error:
        raise typer.BadParameter(_said(error)) from None


def _region(side: str, text: str) -> RegionAsked:
    record, _, places = text.rpartition(":")
    first, _, last = places.partition("-")
    flag = f"--{side}-region"
    if not record or not all(_PLACE.fullmatch(place) for place in (first, last)):
        raise typer.BadParameter(f"{text!r} is no region as chr1:1-5000", param_hint=flag)
    try:
        return RegionAsked.model_validate({"side": side, "record": record, "from": int(first), "to": int(last)})
    except ValidationError as error:
        raise typer.BadParameter(f"{text!r}: {_said(error)}", param_hint=flag) from None


def _said(error: ValidationError) -> str:
    first = error.errors()[0]
    place = "-".join(str(each) for each in first["loc"])
    return f"{place}: {sentence(first)}" if place else sentence(first)


def run_compare(files: Files, asked: ComparisonParameters, outputs: Outputs, devices: Sequence[int]) -> None:
    """The whole command; ends it with its exit code where a device fails. Raises AlignError and OSError."""
    outputs.check_inputs(files)
    with interruptions("the genomes were not compared"), progress_bar("Comparing") as show, device_errors():
        if devices:
            # What it needs takes longer to load than small genomes to compare.
            from worker.runner.devices import check_shown, pin

            pin(devices)
            check_shown(devices)
        query, subject = _genomes(files, asked)
        if query.same_as(subject):
            warn(SAME)
        engines = [open_genome_engine(number) for number in range(max(1, len(devices)))]
        whole = FINDING if asked.gapped == "none" else FINDING / 2
        compared = compare(query, subject, asked.comparison, *engines, computed=lambda share: show(whole * share, 1.0))
        gapped = _gapped(compared, asked, show) if asked.gapped == "exact" else None
        write_all(compared, gapped, outputs)


def _genomes(files: Files, asked: ComparisonParameters) -> tuple[Genome, Genome]:
    """Both genomes, read side by side."""
    with opened(files[0]) as ours, opened(files[1]) as theirs:
        sides = _GenomeFile("query", files[0], ours), _GenomeFile("subject", files[1], theirs)
        # This thread reads standard input: Ctrl-C waits for what another one reads, and a pipe may have no end.
        here, other = sides if str(files[1]) != "-" else sides[::-1]
        with ThreadPoolExecutor(1) as beside:
            reading = beside.submit(other.read, asked)
            read = here.read(asked), reading.result()
    return read if here is sides[0] else read[::-1]


@dataclass(frozen=True, slots=True)
class _GenomeFile:
    """One of the two genomes, its file, open."""

    name: Literal["query", "subject"]
    path: Path
    file: BufferedReader

    def read(self, asked: ComparisonParameters) -> Genome:
        """Its regions; errors name its file."""
        genome = read_genome(self.file, called(self.path), self.name)
        try:
            return within(genome, asked.regions_of(self.name))
        except ComparisonError as error:
            raise ComparisonError(f"{called(self.path)}: {error}") from None


def _gapped(compared: Compared, asked: ComparisonParameters, show: ShowProgress) -> Gapped:
    query, subject, hsps = compared.query, compared.subject, compared.hsps
    cells, done = max(1, cells_of(query, subject, hsps)), 0

    engine = open_pair_engine()
    if engine.name == "cpu" and cells > MANY_CELLS:
        warn(f"the boxes of {len(hsps):,} HSPs have {cells:,} cells: a core takes about a second for each 100,000,000")

    def told(some: int) -> None:
        nonlocal done
        done += some
        show(min(1.0, 0.5 + 0.5 * done / cells), 1.0)

    aligned = finish(align_boxes(query, subject, hsps, asked.scoring, engine), told)
    return Gapped(distinct(aligned), asked.scoring)


def write_all(compared: Compared, gapped: Gapped | None, outputs: Outputs) -> None:
    """Write the list, then the summary and the dot plot."""
    if outputs.folder is not None:
        outputs.folder.mkdir(parents=True, exist_ok=True)
    writer, columns = WRITERS[outputs.form], columns_for(outputs.form, outputs.columns)
    told = outputs.form == "json" or outputs.summary is not None
    chains = chains_found(compared, gapped) if told or writer.shows == "chains" else None
    summary = asdict(summarise(compared, gapped, chains)) if told else {}
    layout = Layout(compared.comparison, columns, {"summary": summary}, outputs.spreadsheet)
    with whole_output(outputs.list) as file:
        file.writelines(in_chunks(writer.write(_listed(compared, gapped, outputs.form, chains), layout)))
    if outputs.summary is not None:
        with whole_output(outputs.summary) as file:
            file.write(json.dumps(summary, indent=2).encode() + b"\n")
    if outputs.dotplot is not None:
        with whole_output(outputs.dotplot) as file:
            file.writelines(_drawn(compared, outputs.dotplot, outputs.title))


def _listed(compared: Compared, gapped: Gapped | None, form: GenomeFormat, chains: Chains | None) -> Listed:
    query, subject, shows = compared.query, compared.subject, WRITERS[form].shows
    alignments = Alignments.of_hsps(compared.hsps) if gapped is None or shows == "hsps" else gapped.alignments
    blocks = chain_blocks(query, subject, ChainList.of(chains)) if chains is not None and shows == "chains" else ()
    return Listed(query, subject, alignments, gapped is not None and shows != "hsps", blocks)


def _drawn(compared: Compared, path: Path, title: str) -> list[bytes]:
    parts = compared.query, compared.subject, compared.hsps, Caption(title)
    if path.suffix.lower() == ".png":
        # Only for those who draw: it loads an imaging library.
        from shardwater.formats.genomes.dotplot_png import dotplot_png

        return [dotplot_png(*parts)]
    from shardwater.formats.genomes.dotplot_svg import dotplot_svg

    return list(in_chunks(dotplot_svg(*parts)))
