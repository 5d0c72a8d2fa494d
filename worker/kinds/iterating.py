"""Searches in rounds: what follows of what the shards have found in one."""

from collections.abc import Sequence

from shardwater.profiles.iterated import ended
from shardwater.search.hits import ShardResult
from shardwater.search.merge import Searched, SearchResult
from worker.jobs.round_files import RoundFiles
from worker.jobs.rounds import Round
from worker.kinds.kind import Answered, FrontEnd


def go_on(
    answered: Answered, searched: Searched, shards: Sequence[ShardResult], front_end: FrontEnd
) -> SearchResult | Round:
    """The result, where this was the last round of a search; else the next one. Raises what assemble does."""
    files = RoundFiles(front_end.files, answered.job, searched.queries)
    now = files.read(answered.round)
    after, result = ended(now, searched, shards)
    if result is not None:
        return result
    files.keep(answered.round + 1, after)
    front_end.files.remove_if_gone(front_end.store.redis, answered.job)
    return Round.repeated(front_end.store, answered.job)
