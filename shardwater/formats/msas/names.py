"""The formats of MSAs by name: the one list of them, which loads no writer and no engine."""

from typing import Literal, get_args

MsaFormatName = Literal["a3m", "stockholm", "fasta", "m8", "json"]
MSA_FORMAT_NAMES: tuple[MsaFormatName, ...] = get_args(MsaFormatName)
MSA_NAMES: dict[str, MsaFormatName] = {**{name: name for name in MSA_FORMAT_NAMES}, "sto": "stockholm"}
"""Formats by what they may be called on the command line: by the endings of their files, too."""
