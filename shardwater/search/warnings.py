"""What is odd about a query, beside its hits: a warning refuses nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from shardwater.plural import plural
from shardwater.search.adjusting import Adjustment
from shardwater.search.parameters import Parameters
from shardwater.sequences.fasta import Record
from shardwater.statistics.length_regression import Fit

NUCLEOTIDES = b"ACGTUNacgtun"
OF_DNA = "Translate DNA first. For genomes use Compare; for pairs of DNA use Align"
"""Advice for nucleotides in a search of proteins."""
LEAST_NUCLEOTIDES = 20
"""Shorter records are not judged: a primer has about 20 letters. None of 115,873 whole proteins of Swiss-Prot is warned
of. Of the stretches of 20 residues in the demo's 3,183 proteins, one in 7,700 looks like DNA.
"""
SHARE = 90
"""Per cent of a record's letters; some of DNA's letters stand for several bases (R, Y, K, M ...)."""
LOST = "\N{REPLACEMENT CHARACTER}"
"""What stands for bytes that are not UTF-8, whoever decoded them: the service, or a program before it."""
FEWEST_RESIDUES = 20
"""Of queries below, chance hits are rarer than E-values say: by 0.46 of fitted ones at E <= 10 for 5 to 9 residues."""
SHORT_MATRIX, SHORT_EVALUE = "PAM30", 20_000
"""What suits them: a sharp matrix, and a limit that lets pass what is identical in a database of any size."""
BELIEVED = 0.001
"""Hits with such an E-value are commonly believed: that they are left out is told."""
WITHOUT_TREE = "taxids-without-tree"
"""The code of what is told of each query of a search, and is the same of all."""
MOST_WARNINGS = 20
"""Where the warnings of all queries stand in one list."""

Count = TypeVar("Count", int, npt.NDArray[np.int64])
"""Of one record, or of many."""


@dataclass(frozen=True, slots=True)
class QueryWarning:
    """Something odd about a query: `code` is for programs, `detail` a sentence for people."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class NumberedWarning:
    """A warning in a list of several queries' warnings; `query` counts from 1."""

    query: int
    code: str
    detail: str


def query_warnings(record: Record, parameters: Parameters | None = None) -> tuple[QueryWarning, ...]:
    """What is odd about a query that is searched with these parameters, as far as its header and letters tell.

    Without parameters, of a query of MSAs: no others are advised for a short one.
    """
    return _of_header(record.header) + _of_letters(record) + _of_length(len(record.residues), parameters)


def _of_header(header: str) -> tuple[QueryWarning, ...]:
    if LOST not in header:
        return ()
    detail = "its header has letters that were not UTF-8 and are lost, U+FFFD in their place: save the text as UTF-8"
    return (QueryWarning("header-not-utf8", detail),)


def _of_length(length: int, parameters: Parameters | None) -> tuple[QueryWarning, ...]:
    if length >= FEWEST_RESIDUES or (parameters is not None and _suits_short(parameters)):
        return ()
    detail = (
        f"it is short ({plural(length, 'residue')}): next to no relative is told from chance, and of a large database "
        "not all that is identical is found"
    )
    advice = (
        f". For short queries take matrix={SHORT_MATRIX}, evalue={SHORT_EVALUE} and order=score (on the command line "
        "-task blastp-short), which put what is identical first"
    )
    return (QueryWarning("short-query", detail if parameters is None else detail + advice),)


def _suits_short(parameters: Parameters) -> bool:
    return (parameters.matrix, parameters.order) == (SHORT_MATRIX, "score") and parameters.evalue >= SHORT_EVALUE


def _of_letters(record: Record) -> tuple[QueryWarning, ...]:
    length, nucleotides = len(record.residues), count_nucleotides(record)
    if not looks_like_dna(length, nucleotides):
        return ()
    share = 100 * nucleotides // length
    detail = (
        f"{share} % of its letters are A, C, G, T, U or N: nucleotide FASTA where a protein is expected? It is "
        f"searched as a protein. {OF_DNA}"
    )
    return (QueryWarning("looks-like-dna", detail),)


def fit_warnings(fit: Fit | None, fallback_reason: str | None) -> tuple[QueryWarning, ...]:
    """What is odd about E-values that follow from a fit, or were to follow from one."""
    if fallback_reason is not None:
        return (QueryWarning("no-fit", fallback_reason),)
    if fit is None or fit.goodness is None or not fit.goodness.is_poor(fit.subjects + fit.rejected):
        return ()
    detail = (
        "the fit does not describe the scores of the database, and E-values may be wrong by orders of magnitude. If "
        "much of the database is related to the query, they are too large; if the query is of few kinds of letters, or "
        "gaps cost little, high scores are no sign of relation: look at the alignments"
    )
    return (QueryWarning("poor-fit", detail),)


def adjustment_warnings(composition: Adjustment | None, mask: Adjustment | None) -> tuple[QueryWarning, ...]:
    """What is told where what is taken off scores leaves out what would have been believed without it."""
    # What rests on masked letters is often left out by its composition as well.
    listing = "mask=none and composition=none together list them all"
    reasons = (
        ("composition", "scores their composition explains", "composition=none lists them", composition),
        ("mask", "scores rest on masked letters", listing, mask),
    )
    return tuple(
        QueryWarning(
            f"left-out-by-{name}",
            f"subjects left out whose {reason}: {found.left_out}, with E-values down to "
            f"{found.lowest_evalue:.1g} by their whole score; {advice}",
        )
        for name, reason, advice, found in reasons
        if found is not None and found.lowest_evalue is not None and found.lowest_evalue <= BELIEVED
    )


def taxid_warnings(without_tree: Sequence[str]) -> tuple[QueryWarning, ...]:
    """What is told of databases in which a taxid stands for itself alone, or for nothing."""
    if not without_tree:
        return ()
    detail = (
        f"no tree of taxids in {', '.join(without_tree)}: each taxid stands there for sequences of just this one, not "
        "for those of what descends from it (makedb --taxonomy), and for none where no sequence has a taxid"
    )
    return (QueryWarning(WITHOUT_TREE, detail),)


def pairing_warnings(without_taxids: Sequence[str]) -> tuple[QueryWarning, ...]:
    """A warning about databases without taxids, whose rows cannot be paired by organism."""
    if not without_taxids:
        return ()
    database, has, its = ("database", "has", "its") if len(without_taxids) == 1 else ("databases", "have", "their")
    detail = (
        f"{database} {', '.join(without_taxids)} {has} no taxids, so none of {its} rows are paired (chains are paired "
        "by organism). makedb reads taxids from OX= or TaxID= in headers, or from --taxid-map"
    )
    return (QueryWarning("pairing-without-taxids", detail),)


def numbered_warnings(
    records: Iterable[Record], parameters: Parameters, without_tree: Sequence[str] = ()
) -> tuple[NumberedWarning, ...]:
    """The first warnings of a search's queries."""
    found = (
        NumberedWarning(number, warning.code, warning.detail)
        for number, record in enumerate(records, start=1)
        for warning in query_warnings(record, parameters) + taxid_warnings(without_tree)
    )
    return tuple(islice(found, MOST_WARNINGS))


def count_nucleotides(record: Record) -> int:
    """How many of a record's letters are A, C, G, T, U or N."""
    return len(record.residues) - len(record.residues.translate(None, NUCLEOTIDES))


def looks_like_dna(length: Count, nucleotides: Count) -> bool | npt.NDArray[np.bool_]:
    """Whether records of so many letters, so many of them A, C, G, T, U or N, are hardly proteins: one, or each."""
    return (length >= LEAST_NUCLEOTIDES) & (100 * nucleotides >= SHARE * length)
