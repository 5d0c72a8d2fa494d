"""BLAST+'s flags that `shardwater search` does not have by these names: put in our words, left out, or refused.

Each flag of blastp and psiblast is here or an option of ours. What cannot change an exact search is left out with a
warning that says why. What would change the answer, and is not done here, is refused.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from worker.cli.console import warn

_SEG_OF_BLAST = ("12", "2.2", "2.5")
_NO, _YES = ("0", "f", "false", "n", "no"), ("1", "t", "true", "y", "yes")


class Ours(NamedTuple):
    """What a flag means here: our words for it, and what the user should know."""

    words: tuple[str, ...] = ()
    told: str = ""


class RefusedFlag(Exception):
    """A flag, or its value, that would change the answer in a way that is not done here."""


@dataclass(frozen=True, slots=True)
class BlastFlag:
    """What a flag of BLAST+ means here, and whether a value follows it; `ours` raises RefusedFlag."""

    ours: Callable[[str], Ours]
    has_value: bool = True


def _left_out(why: str, *, has_value: bool = True) -> BlastFlag:
    return BlastFlag(lambda _: Ours(told=f"it changes nothing: {why}"), has_value)


def _refused(why: str, *, has_value: bool = True, unless: Collection[str] = ()) -> BlastFlag:
    """unless: the values, in small letters, that ask for what is done anyway."""

    def ours(value: str) -> Ours:
        if value.lower() not in unless:
            raise RefusedFlag(why)
        return Ours()

    return BlastFlag(ours, has_value)


def _seg(value: str) -> Ours:
    if value.lower() in _NO:
        return Ours()
    if value.lower() in _YES or tuple(value.split()) == _SEG_OF_BLAST:
        return Ours(("-mask", "seg"), "it is -mask seg: masked letters count as X in E-values, never in scores")
    raise RefusedFlag(f"SEG has the settings of BLAST+ here ({' '.join(_SEG_OF_BLAST)}): say yes or no, not {value!r}")


def _comp_based_stats(value: str) -> Ours:
    if value.lower() in ("0", "f"):
        return Ours(("-composition", "none"))
    if value.lower() in ("1", "2", "3", "t", "d"):
        told = "it is the default, -composition adjusted: it changes fitted E-values, never scores"
        return Ours(("-composition", "adjusted"), told)
    raise RefusedFlag(f"0 to 3, D, T or F, not {value!r}")


def _sorthits(value: str) -> Ours:
    if value == "0":
        return Ours(("-order", "evalue"))
    if value == "1":
        return Ours(("-order", "score"), "it is -order score: hits are also chosen by their scores")
    raise RefusedFlag("hits are in the order of E-values (0) or scores (1): sort a table (-outfmt 6) by another column")


def _sorthsps(value: str) -> Ours:
    if value in ("0", "1"):
        return Ours()
    raise RefusedFlag("alignments of a hit are in the order of scores, which is that of E-values (0, 1)")


def _soft_masking(value: str) -> Ours:
    if value.lower() in _NO:
        return Ours()
    return Ours(told="there are no seeds to mask: what -mask and -seg mask counts as X in E-values; leave them out")


_BEST_HSP = "it is the default, -max_hsps 1: one alignment of each subject"
_SOFT = "it is -mask soft: small letters count as X in E-values, never in scores"
_NO_SEEDS = "every query is compared with every sequence, without seeds"
_NO_CUTS = "alignments are optimal, and no extension is cut off"
_OWN_SPACE = (
    "no one search space serves E-values that weigh the length of each sequence: -dbsize says how large the database "
    "is taken to be"
)
_ALL_HITS = "it would leave out hits: filter the table (-outfmt 6) instead"
_NO_GIS = "list the accessions to search in -seqidlist"
_OF_PROFILES = "-in_pssm and -num_iterations are what there is for profiles"

BLAST_FLAGS: Mapping[str, BlastFlag] = {
    "-seg": BlastFlag(_seg),
    "-comp_based_stats": BlastFlag(_comp_based_stats),
    "-num_descriptions": BlastFlag(lambda value: Ours(("-max_target_seqs", value))),
    "-sorthits": BlastFlag(_sorthits),
    "-sorthsps": BlastFlag(_sorthsps),
    "-soft_masking": BlastFlag(_soft_masking),
    "-lcase_masking": BlastFlag(lambda _: Ours(("-mask", "soft"), _SOFT), False),
    "-word_size": _left_out(_NO_SEEDS),
    "-threshold": _left_out(_NO_SEEDS),
    "-window_size": _left_out(_NO_SEEDS),
    "-gap_trigger": _left_out(_NO_SEEDS),
    "-db_soft_mask": _left_out(_NO_SEEDS),
    "-xdrop_ungap": _left_out(_NO_CUTS),
    "-xdrop_gap": _left_out(_NO_CUTS),
    "-xdrop_gap_final": _left_out(_NO_CUTS),
    "-use_sw_tback": _left_out("every alignment is one of Smith and Waterman", has_value=False),
    "-subject_besthit": BlastFlag(lambda _: Ours(("-max_hsps", "1"), _BEST_HSP), False),
    "-parse_deflines": _left_out("an accession is the first word of a header", has_value=False),
    "-show_gis": _left_out("headers are shown as they are", has_value=False),
    "-html": _left_out("plain text is written", has_value=False),
    "-line_length": _left_out("lines of alignments have 60 letters"),
    "-mt_mode": _left_out("-num_threads says how many threads there are"),
    "-save_pssm_after_last_round": _left_out("-out_pssm writes the profile of the last round", has_value=False),
    "-searchsp": _refused(_OWN_SPACE, unless=("0",)),
    "-culling_limit": _refused(_ALL_HITS, unless=("0",)),
    "-best_hit_overhang": _refused(_ALL_HITS),
    "-best_hit_score_edge": _refused(_ALL_HITS),
    "-ungapped": _refused("alignments here have gaps", has_value=False),
    "-sum_stats": _refused("E-values are those of single alignments", unless=_NO),
    "-db_hard_mask": _refused("databases have no masks; -mask soft, seg or tantan masks what counts for E-values"),
    "-subject_loc": _refused("write the part of the subject into a file of its own"),
    "-gilist": _refused(_NO_GIS),
    "-ipglist": _refused(_NO_GIS),
    "-negative_gilist": _refused(_NO_GIS),
    "-negative_ipglist": _refused(_NO_GIS),
    "-negative_seqidlist": _refused(f"{_NO_GIS}, or leave out taxa (-negative_taxids)"),
    "-entrez_query": _refused("there is no Entrez here: -taxids and -seqidlist choose sequences"),
    "-remote": _refused("--server names the server to ask", has_value=False),
    "-import_search_strategy": _refused("give the parameters as flags"),
    "-export_search_strategy": _refused("-outfmt json has all parameters of a search"),
    "-in_msa": _refused(_OF_PROFILES),
    "-msa_master_idx": _refused(_OF_PROFILES),
    "-ignore_msa_master": _refused(_OF_PROFILES, has_value=False),
    "-phi_pattern": _refused("patterns are not searched for"),
    "-pseudocount": _refused("pseudocounts are BLAST+'s default", unless=("0",)),
    "-save_each_pssm": _refused("-out_pssm writes the profile of the last round", has_value=False),
}


def in_our_words(args: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """The words of a command line with BLAST+'s flags in ours, each warned of where it is not the same here.

    options: ours by name; what follows one is its value. Raises RefusedFlag, which names the flag.
    """
    kept, words = list[str](), iter(args)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            kept += [word, *words]
        elif (flag := BLAST_FLAGS.get(name)) is not None:
            value = value if equals or not flag.has_value else _value_of(name, words)
            ours = _translated(name, flag, value)
            if ours.words:
                _refuse_second(f"{name} {value}".rstrip(), ours.words, [*args, *kept], options)
            if ours.told:
                warn(f"{name}: {ours.told}")
            kept += ours.words
        else:
            kept.append(word)
            option = options.get(name)
            if option is not None and not equals and not option.is_flag:
                kept += islice(words, 1)
    return kept


def _value_of(name: str, words: Iterator[str]) -> str:
    value = next(words, None)
    if value is None:
        raise RefusedFlag(f"{name} needs a value")
    return value


def _translated(name: str, flag: BlastFlag, value: str) -> Ours:
    try:
        return flag.ours(value)
    except RefusedFlag as refused:
        raise RefusedFlag(f"{name}: {refused}") from None


def _refuse_second(asked: str, ours: Sequence[str], others: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise RefusedFlag where another word gives the same option another value."""
    option, value = ours
    names = options[option].opts
    for place, word in enumerate(others):
        name, equals, given = word.partition("=")
        if name in names and (given if equals else (*others, "")[place + 1]) != value:
            raise RefusedFlag(f"{asked} is {option} {value}: leave one of them out")
