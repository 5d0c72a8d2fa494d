"""Taxids as older interfaces name them: Entrez' queries of organisms, a menu's choice, MMseqs2's lists."""

import re

from app.compat.fields import Fields
from app.problems import InvalidParameterError
from worker.jobs.taxids import MOST_TAXIDS

LONGEST = 100 * MOST_TAXIDS
"""Letters of a query: more name too many taxids."""
_NOTHING = ("(none)", "none", "all[filter]")
_WORD = re.compile(
    r"txid(?P<taxid>\d{1,10})\s?\[(?:orgn|organism)(?::exp)?\]|(?P<all>all\s?\[filter\])|(?P<word>or|not|[()])",
    re.ASCII,
)
_SHAPES = {"or": "o", "not": "n", "(": "(", ")": ")", "all": "a"}
_QUERY = re.compile(r"(?:a|t(?:ot)*|\(t(?:ot)*\))?(?:nt|n\(t(?:ot)*\))*")
"""Words of a query, a letter each, t for a taxid."""
_MENU = re.compile(r"\(taxid:(\d{1,10})\)$|^(\d{1,10})$", re.ASCII)
_PART = re.compile(r"!?\d{1,10}", re.ASCII)

Taxa = dict[str, list[int]]
"""The fields of a search that choose taxa."""


def entrez_taxa(fields: Fields) -> Taxa:
    """What a Put of NCBI's chooses: by ENTREZ_QUERY, by its menu (EQ_MENU, ORG_EXCLUDE), or by TAXIDS."""
    wanted, others = _of_query((fields.get("ENTREZ_QUERY") or "").strip().lower())
    menu = fields.get("EQ_MENU")
    if menu is not None and menu.strip():
        found = _MENU.search(menu.strip())
        if found is None:
            raise InvalidParameterError(
                "EQ_MENU", "an organism with its taxid is needed, as `Homo sapiens (taxid:9606)`"
            )
        excluded = (fields.get("ORG_EXCLUDE") or "").strip().lower() in ("on", "true", "yes")
        (others if excluded else wanted).append(int(found[1] or found[2]))
    wanted += _listed("TAXIDS", fields.get("TAXIDS"))
    return {"taxids": wanted, "negative_taxids": others}


def listed_taxa(name: str, text: str | None) -> Taxa:
    """MMseqs2's list: `9606,10090`, joined by || or commas; with && beside it those that are not wanted, as !562."""
    wanted: list[int] = []
    others: list[int] = []
    for part in (text or "").replace(" ", "").split("&&") if text else ():
        each = re.split(r",|\|\|", part)
        if not all(map(_PART.fullmatch, each)) or (len(each) > 1 and any(one.startswith("!") for one in each)):
            raise InvalidParameterError(name, "taxids are needed, as 9606,10090 or 2&&!562")
        if each[0].startswith("!"):
            others.append(int(each[0][1:]))
        elif wanted:
            raise InvalidParameterError(
                name, "of taxids that are joined by &&, all but one are those left out, as !562"
            )
        else:
            wanted = list(map(int, each))
    return {"taxids": wanted, "negative_taxids": others}


def _listed(name: str, text: str | None) -> list[int]:
    return listed_taxa(name, text)["taxids"]


def _of_query(query: str) -> tuple[list[int], list[int]]:
    """Taxids that an Entrez query wants, and those that it does not: one or several by OR, and NOT others."""
    if query in ("", *_NOTHING):
        return [], []
    words = _words(query)
    if not _QUERY.fullmatch("".join(_SHAPES.get(word, "t") for word in words)):
        raise _no_query()
    end = words.index("not") if "not" in words else len(words)
    wanted, others = ([int(word) for word in some if word.isdigit()] for some in (words[:end], words[end:]))
    return wanted, others


def _words(query: str) -> list[str]:
    """Taxids, OR, NOT, brackets, and `all`; raises InvalidParameterError where anything else stands between."""
    if len(query) > LONGEST:
        raise InvalidParameterError("ENTREZ_QUERY", "it is too long")
    words, at = [], 0
    for found in _WORD.finditer(query):
        if query[at : found.start()].strip():
            raise _no_query()
        words.append(found["taxid"] or ("all" if found["all"] else found["word"]))
        at = found.end()
    if query[at:].strip():
        raise _no_query()
    return words


def _no_query() -> InvalidParameterError:
    return InvalidParameterError(
        "ENTREZ_QUERY", "organisms alone are chosen here, as `txid9606[ORGN] OR txid10090[ORGN] NOT txid562[ORGN]`"
    )
