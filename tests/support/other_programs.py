"""Blocks of two genomes as minimap2, nucmer and lastz find them, and how much of a block others cover."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from shardwater.genomes.stretches import Stretches


@dataclass(frozen=True, slots=True)
class Block:
    """Ranges of the one record of each genome, from 0, forward; identity in per cent of all columns, gaps too."""

    query: range
    subject: range
    reverse: bool
    identity: float


def minimap2(query: Path, subject: Path) -> list[Block]:
    rows = _rows(["minimap2", "-cx", "asm20", "-t", "1", str(subject), str(query)])
    return [
        Block(range(int(row[2]), int(row[3])), range(int(row[7]), int(row[8])), row[4] == "-", _share(row[9], row[10]))
        for row in rows
    ]


def nucmer(query: Path, subject: Path) -> list[Block]:
    found = query.with_suffix(".nucmer")
    _rows(["nucmer", "--maxmatch", "-p", str(found), str(subject), str(query)])
    blocks = []
    for row in _rows(["show-coords", "-H", "-T", f"{found}.delta"]):
        begin, end, first, last = map(int, row[:4])
        reverse = last < first
        first, last = sorted((first, last))
        blocks.append(Block(range(first - 1, last), range(begin - 1, end), reverse, float(row[6])))
    return blocks


def lastz(query: Path, subject: Path) -> list[Block]:
    form = "start2+,end2+,start1,end1,strand2,nmatch,nmismatch,cgap"
    rows = _rows(["lastz", str(subject), str(query), "--step=20", "--notransition", f"--format=general-:{form}"])
    blocks = []
    for first, last, begin, end, strand, *counts in rows:
        columns = sum(map(int, counts))
        ranges = range(int(first) - 1, int(last)), range(int(begin) - 1, int(end))
        blocks.append(Block(*ranges, strand == "-", _share(counts[0], columns)))
    return blocks


PROGRAMS: dict[str, Callable[[Path, Path], list[Block]]] = {"minimap2": minimap2, "nucmer": nucmer, "lastz": lastz}


def covered(block: Block, ours: Stretches) -> float:
    """The share of a block's letters, in the genome where it is less, under what of ours lies in both its ranges."""
    same = ours.reverse == block.reverse
    x, y, length = ours.query[same], ours.subject[same], ours.length[same]
    # How many letters of each stretch lie outside at its begin and its end along the subject.
    along = x - block.query.start, block.query.stop - x - length
    before, after = along[::-1] if block.reverse else along
    first = np.maximum(0, np.maximum(-before, block.subject.start - y))
    last = length - np.maximum(0, np.maximum(-after, y + length - block.subject.stop))
    masks = np.zeros(len(block.query), bool), np.zeros(len(block.subject), bool)
    for number in np.flatnonzero(first < last).tolist():
        own = slice(int(first[number]), int(last[number]))
        turned = slice(int(length[number]) - own.stop, int(length[number]) - own.start)
        begins = x[number] - block.query.start, y[number] - block.subject.start
        for mask, begin, part in zip(masks, begins, (turned if block.reverse else own, own), strict=True):
            mask[begin + part.start : begin + part.stop] = True
    return float(min(mask.mean() for mask in masks))


def _rows(command: list[str]) -> list[list[str]]:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def _share(part: str, whole: str | int) -> float:
    return 100 * int(part) / int(whole)
