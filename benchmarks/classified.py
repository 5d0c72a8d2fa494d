"""Domains of known classes, and how well searches order them: which come before the first one of another fold.

Titles begin with a class as in SCOPe (a.1.1.1: class, fold, superfamily, family). A different fold is an error; the
same fold but another superfamily is ignored, and so are subjects of no class.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.database.database import Database

ERRORS = (0.01, 0.1, 1.0)
"""Errors a query, at which coverage is told."""
MOST_EVALUE = 10.0
"""E-values of the errors that are counted are far below."""
CLASS = re.compile(r"[a-z]\.\d+\.\d+\.\d+\b")

Values = npt.NDArray[np.floating[Any]]
Subjects = npt.NDArray[np.int64]


class Domains:
    """The subjects of a database by superfamily and fold, as numbers; -1 where they have none."""

    def __init__(self, database: Database) -> None:
        titles = [CLASS.match(database.title(subject)) for subject in range(len(database))]
        classes = [title[0].split(".") if title else None for title in titles]
        self.superfamilies, self.folds = (
            np.unique([".".join(each[:parts]) if each else "" for each in classes], return_inverse=True)[1]
            for parts in (3, 2)
        )
        known = np.array([each is not None for each in classes])
        self.superfamilies[~known] = self.folds[~known] = -1
        self.numbers = np.flatnonzero(known)

    def partners(self, query: int) -> int:
        """How many others there are of its superfamily."""
        return int((self.superfamilies == self.superfamilies[query]).sum()) - 1

    def right(self, query: int, subjects: Subjects) -> npt.NDArray[np.bool_]:
        """Whether they are of the query's superfamily."""
        found: npt.NDArray[np.bool_] = self.superfamilies[subjects] == self.superfamilies[query]
        return found

    def wrong(self, query: int, subjects: Subjects) -> npt.NDArray[np.bool_]:
        """Whether they are of another fold."""
        folds = self.folds[subjects]
        found: npt.NDArray[np.bool_] = (folds != self.folds[query]) & (folds >= 0)
        return found


@dataclass(eq=False)
class Tally:
    """What searches have found, in one order of their subjects."""

    domains: Domains
    sensitivities: list[float] = field(default_factory=list)
    _ranked: list[Values] = field(default_factory=list)
    _queries: int = 0
    _pairs: int = 0

    def add(self, query: int, subjects: Subjects, values: Values) -> None:
        """A query's subjects, and what they are ordered by, the best first; the query itself is left out."""
        others = subjects != query
        subjects, values = subjects[others], values[others]
        right, wrong = self.domains.right(query, subjects), self.domains.wrong(query, subjects)
        partners = self.domains.partners(query)
        if partners:
            first_wrong = values[wrong].min(initial=np.inf)
            self.sensitivities.append(int((right & (values < first_wrong)).sum()) / partners)
        kept = (right | wrong) & (values <= MOST_EVALUE)
        self._ranked.append(np.stack((values[kept], right[kept])))
        self._queries, self._pairs = self._queries + 1, self._pairs + partners

    @property
    def sensitivity(self) -> float:
        """The mean share of a superfamily that comes before the first domain of another fold."""
        return float(np.mean(self.sensitivities))

    @property
    def coverage(self) -> list[float]:
        """The share of all pairs of one superfamily that is found at each of ERRORS, over all queries."""
        values, right = np.concatenate(self._ranked, axis=1)
        right = right[np.argsort(values, kind="stable")]
        errors, hits = np.cumsum(1 - right), np.append(0, np.cumsum(right))
        found = [np.searchsorted(errors, share * self._queries, side="right") for share in ERRORS]
        return [float(hits[allowed]) / self._pairs for allowed in found]

    def told(self) -> str:
        """In words."""
        shares = ", ".join(f"{each:.4f}" for each in self.coverage)
        queries = len(self.sensitivities)
        return f"sensitivity {self.sensitivity:.4f} ({queries} queries), coverage {shares} of {self._pairs} pairs"
