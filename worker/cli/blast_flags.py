"""BLAST+'s flags under other names than `shardwater search` has: translated, ignored, or refused.

Each flag of blastp and psiblast is here or an option of ours. A flag that cannot change an exact search is ignored,
with a warning that says why. A flag that would change the answer, and is not supported, is refused.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from worker.cli.console import warn

_SEG_OF_BLAST = ("12", "2.2", "2.5")
_NO, _YES = ("0", "f", "false", "n", "no"), ("1", "t", "true", "y", "yes")


class Ours(NamedTuple):
    """A flag in our options, and the warning for the user."""

    words: tuple[str, ...] = ()
    told: str = ""


class RefusedFlag(Exception):
    """A flag, or a value of it, that would change the answer and is not supported."""


@dataclass(frozen=True, slots=True)
class BlastFlag:
    """What a flag of BLAST+ means here, and whether a value follows it; `ours` raises RefusedFlag."""

    ours: Callable[[str], Ours]
    has_value: bool = True


def _left_out(why: str, *, has_value: bool = True) -> BlastFlag:
    return BlastFlag(lambda _: Ours(told=f"ignored: {why}"), has_value)


def _refused(why: str, *, has_value: bool = True, unless: Collection[str] = ()) -> BlastFlag:
    """unless: the values, in lower case, that ask for the behaviour of this program."""

    def ours(value: str) -> Ours:
        if value.lower() not in unless:
            raise RefusedFlag(f"not supported: {why}")
        return Ours()

    return BlastFlag(ours, has_value)


def _seg(value: str) -> Ours:
    if value.lower() in _NO:
        return Ours()
    if value.lower() in _YES or tuple(value.split()) == _SEG_OF_BLAST:
        return Ours(("-mask", "seg"), "same as -mask seg: masked letters count as X in E-values; scores do not change")
    raise RefusedFlag(f"not supported: {value!r}. Use yes (SEG with {' '.join(_SEG_OF_BLAST)}) or no")


def _comp_based_stats(value: str) -> Ours:
    if value.lower() in ("0", "f"):
        return Ours(("-composition", "none"))
    if value.lower() in ("1", "2", "3", "t", "d"):
        told = "same as the default, -composition adjusted: it changes fitted E-values; scores do not change"
        return Ours(("-composition", "adjusted"), told)
    raise RefusedFlag(f"not supported: {value!r}. Use 0 to 3, D, T or F")


def _sorthits(value: str) -> Ours:
    if value == "0":
        return Ours(("-order", "evalue"))
    if value == "1":
        return Ours(("-order", "score"), "same as -order score: scores also decide which hits are listed")
    raise RefusedFlag("not supported: use 0 (by E-value) or 1 (by score), or sort the table (-outfmt 6) yourself")


def _sorthsps(value: str) -> Ours:
    if value in ("0", "1"):
        return Ours()
    raise RefusedFlag("not supported: use 0 or 1. Alignments of a hit are sorted by E-value, so also by score")


def _soft_masking(value: str) -> Ours:
    if value.lower() in _NO:
        return Ours()
    return Ours(told="ignored: there are no seeds to mask. With -mask or -seg, masked letters count as X in E-values")


_BEST_HSP = "same as -max_hsps 1, the default: one alignment of each subject"
_SOFT = "same as -mask soft: lower-case letters count as X in E-values; scores do not change"
_NO_SEEDS = "every query is compared with every sequence, without seeds"
_NO_CUTS = "alignments are optimal, and no extension is cut off"
_OWN_SPACE = "E-values weigh the length of each sequence. Use -dbsize to set the size of the database"
_ALL_HITS = "filter the table (-outfmt 6) instead"
_NO_GIS = "list the accessions to search in a file for -seqidlist"
_OF_PROFILES = "use -in_pssm or -num_iterations for profiles"

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
    "-use_sw_tback": _left_out("every alignment is a Smith-Waterman alignment", has_value=False),
    "-subject_besthit": BlastFlag(lambda _: Ours(("-max_hsps", "1"), _BEST_HSP), False),
    "-parse_deflines": _left_out("the accession is always the first word of a header", has_value=False),
    "-show_gis": _left_out("headers are shown unchanged", has_value=False),
    "-html": _left_out("the output is plain text", has_value=False),
    "-line_length": _left_out("lines of alignments have 60 letters"),
    "-mt_mode": _left_out("-num_threads sets the number of threads"),
    "-save_pssm_after_last_round": _left_out("-out_pssm always writes the profile of the last round", has_value=False),
    "-searchsp": _refused(_OWN_SPACE, unless=("0",)),
    "-culling_limit": _refused(_ALL_HITS, unless=("0",)),
    "-best_hit_overhang": _refused(_ALL_HITS),
    "-best_hit_score_edge": _refused(_ALL_HITS),
    "-ungapped": _refused("alignments always have gaps", has_value=False),
    "-sum_stats": _refused("E-values are for single alignments", unless=_NO),
    "-db_hard_mask": _refused("databases have no masks. Use -mask soft, seg or tantan to mask letters in E-values"),
    "-subject_loc": _refused("write this part of the subject to a separate file and search that"),
    "-gilist": _refused(_NO_GIS),
    "-ipglist": _refused(_NO_GIS),
    "-negative_gilist": _refused(_NO_GIS),
    "-negative_ipglist": _refused(_NO_GIS),
    "-negative_seqidlist": _refused(f"{_NO_GIS}, or exclude taxa with -negative_taxids"),
    "-entrez_query": _refused("use -taxids or -seqidlist to choose sequences"),
    "-remote": _refused("use --server to name a server", has_value=False),
    "-import_search_strategy": _refused("give the parameters as flags"),
    "-export_search_strategy": _refused("use -outfmt json, which has all parameters of the search"),
    "-in_msa": _refused(_OF_PROFILES),
    "-msa_master_idx": _refused(_OF_PROFILES),
    "-ignore_msa_master": _refused(_OF_PROFILES, has_value=False),
    "-phi_pattern": _refused("remove the flag to search without a pattern"),
    "-pseudocount": _refused("use 0, the default of BLAST+", unless=("0",)),
    "-save_each_pssm": _refused("use -out_pssm, which writes the profile of the last round", has_value=False),
}


def in_our_words(args: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """A command line with BLAST+'s flags translated into our options; warns of each flag that works differently.

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
            raise RefusedFlag(
                f"{asked} means {option} {value}, but the command has another {option}: remove one of the two"
            )
