"""The formats of an MSA by name: how each is written, its media type, and how its files end."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from shardwater.formats.msas.a3m import write_a3m
from shardwater.formats.msas.aligned_fasta import write_aligned_fasta
from shardwater.formats.msas.json_text import write_json
from shardwater.formats.msas.m8 import write_m8
from shardwater.formats.msas.names import MsaFormatName
from shardwater.formats.msas.stockholm import write_stockholm
from shardwater.msa.msa import Msa

__all__ = ["MSA_FORMATS", "MsaFormat", "MsaFormatName"]


@dataclass(frozen=True, slots=True)
class MsaFormat:
    """write yields small pieces of bytes (chunks.py makes large ones of them)."""

    write: Callable[[Msa], Iterator[bytes]]
    media_type: str
    ending: str


MSA_FORMATS: dict[MsaFormatName, MsaFormat] = {
    "a3m": MsaFormat(write_a3m, "text/x-a3m", ".a3m"),
    "stockholm": MsaFormat(write_stockholm, "text/x-stockholm", ".sto"),
    "fasta": MsaFormat(write_aligned_fasta, "text/x-fasta", ".fasta"),
    "m8": MsaFormat(write_m8, "text/tab-separated-values", ".m8"),
    "json": MsaFormat(write_json, "application/json", ".json"),
}
