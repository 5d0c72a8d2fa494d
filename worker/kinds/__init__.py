"""The kinds of work: how a job of each is planned, done part by part, and ended. Imports gpu nowhere."""

from worker.jobs.ids import kind_named
from worker.kinds.alignment import ALIGNMENT
from worker.kinds.chain import CHAIN
from worker.kinds.comparison import COMPARISON
from worker.kinds.kind import Kind
from worker.kinds.msa import MSA
from worker.kinds.search import SEARCH
from worker.kinds.verification import VERIFICATION

KINDS = {kind.name: kind for kind in (SEARCH, VERIFICATION, ALIGNMENT, COMPARISON, MSA, CHAIN)}


def kind_of(job: str) -> Kind:
    """The kind of a job, by its id."""
    return KINDS[kind_named(job)]
