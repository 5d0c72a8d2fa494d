"""What a search can be told, and the body that it makes."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypedDict

from attrs import fields

from shardwater_client.generated.models import (
    Composition,
    HitOrder,
    KeptScores,
    Mask,
    MatrixName,
    SearchRequest,
    Shuffle,
    StatisticsMethod,
)
from shardwater_client.generated.types import UNSET, Unset
from shardwater_client.texts import text_of


class SearchParameters(TypedDict, total=False):
    """The parameters of a search; what is left out has the server's default (`client.parameters()` lists them)."""

    databases: Sequence[str]
    """Several in place of one `database`, searched as if one held all their sequences, in this order."""
    matrix: MatrixName | str
    """By its name, or one of your own by the id that `matrix` of a client has given."""
    gap_open: int
    """A gap of n residues costs gap_open + n * gap_extend."""
    gap_extend: int
    evalue: float
    max_target_seqs: int
    min_bits: float
    min_identity: float
    min_query_coverage: float
    statistics: StatisticsMethod
    composition: Composition
    mask: Mask
    order: HitOrder
    score_distribution: bool
    alignments: int
    max_hsps: int
    """Alignments of each hit, at most: the best, and those that share no pair of letters with better ones."""
    query_loc: str
    """The part of each query that is searched, as "5-40"."""
    shuffles: int
    """Z-values of the hits that are aligned, from so many shuffles: 100 to 1,000."""
    shuffle: Shuffle
    shuffle_seed: int
    iterations: int
    """Rounds at most, each but the first with a profile of what the one before has found: up to 20."""
    inclusion_evalue: float
    pssm: str | PathLike[str]
    """A profile in place of FASTA: its text, as `pssm` of a client gives it; a file by its `pathlib.Path`."""
    scores: KeptScores
    """"all" keeps the score of every subject, for `scores` and `save_scores`."""
    taxids: Sequence[int]
    """Only sequences of these taxa are searched, and of what descends from them where the database has their tree."""
    negative_taxids: Sequence[int]
    dbsize: int
    """The residues that E-values take the database to have, in place of those that it has."""
    title: str


def search_request(
    fasta: str | PathLike[str] | None, database: str | None, parameters: Mapping[str, Any]
) -> SearchRequest:
    """The body of a search: FASTA, or a profile among the parameters, as text or by the path of a file.

    Raises TypeError for an unknown parameter, and unless there is one of both, and one database or several are named.
    """
    if (fasta is None) == (parameters.get("pssm") is None):
        raise TypeError("a search has FASTA or a pssm: give one of them")
    known = {field.name for field in fields(SearchRequest)} - {"sequence", "database"}
    if unknown := sorted(parameters.keys() - known):
        raise TypeError(f"a search has no parameter {', '.join(unknown)}; it has {', '.join(sorted(known))}")
    if (database is None) == ("databases" not in parameters):
        raise TypeError("name one database as database=, or several as databases=")
    # What is not given is not sent either: the server's defaults depend on the other parameters.
    given = {name: parameters.get(name, UNSET) for name in known}
    if database is None:
        given["databases"] = list(parameters["databases"])
    else:
        given["database"] = database
    given |= {"sequence": _text(fasta), "pssm": _text(parameters.get("pssm"))}
    return SearchRequest(**given)


def _text(given: str | PathLike[str] | None) -> str | Unset:
    return UNSET if given is None else text_of(given)
