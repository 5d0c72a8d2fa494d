"""The kinds of work: how a job of each is planned, done part by part, and ended. Imports gpu nowhere."""

from worker.jobs.ids import kind_named
from worker.kinds.alignment import ALIGNMENT
from worker.kinds.comparison import COMPARISON
from worker.kinds.kind import Kind
from worker.kinds.search import SEARCH
from worker.kinds.verification import VERIFICATION

KINDS = {kind.name: kind for kind in (SEARCH, VERIFICATION, ALIGNMENT, COMPARISON)}


def kind_of(job: str) -> Kind:
    """The kind of a job, by its id."""
    return KINDS[kind_named(job)]
