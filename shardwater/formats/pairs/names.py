"""The formats of pairs by name: the one list of them, which loads no writer and no engine."""

from typing import Literal, get_args

PairFormat = Literal["json", "ndjson", "tab", "paf", "sam", "srspair", "fasta"]
PAIR_FORMATS: tuple[PairFormat, ...] = get_args(PairFormat)
