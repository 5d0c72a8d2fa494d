"""The formats of compared genomes by name: the one list of them, which loads no writer and no engine."""

from typing import Literal, get_args

GenomeFormat = Literal["json", "ndjson", "csv", "paf", "maf", "psl", "chain", "bed", "tab"]
GENOME_FORMATS: tuple[GenomeFormat, ...] = get_args(GenomeFormat)
