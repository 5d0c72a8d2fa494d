"""The arbiter of pairs in any mode: the recurrence as plain loops, and the way back by its rules (docs/pairs.md)."""

from collections.abc import Sequence

from shardwater.alignment.alignment import Alignment, Run, merge_runs
from shardwater.alignment.scheme import Scheme

NEVER = -(10**15)


def table(query: Sequence[int], subject: Sequence[int], scheme: Scheme) -> list[list[int]]:
    """H, (query + 1) x (subject + 1)."""
    mode, scores, first, extend = scheme.mode, scheme.table.rows, scheme.gap_first, scheme.gap_extend
    h = [[0] * (len(subject) + 1) for _ in range(len(query) + 1)]
    for i in range(len(query) + 1):
        h[i][0] = 0 if mode.local or mode.query_begin else -scheme.gap(i)
    for j in range(len(subject) + 1):
        h[0][j] = 0 if mode.local or mode.subject_begin else -scheme.gap(j)
    down = [NEVER] * (len(subject) + 1)
    for i in range(1, len(query) + 1):
        along = NEVER
        for j in range(1, len(subject) + 1):
            down[j] = max(down[j] - extend, h[i - 1][j] - first)
            along = max(along - extend, h[i][j - 1] - first)
            diagonal = h[i - 1][j - 1] + scores[query[i - 1]][subject[j - 1]]
            h[i][j] = max(diagonal, down[j], along, 0 if mode.local else NEVER)
    return h


def ends(rows: int, columns: int, scheme: Scheme) -> list[tuple[int, int]]:
    """The cells where an alignment may end, in the order in which they are preferred."""
    mode = scheme.mode
    return [
        (i, j)
        for i in range(rows + 1)
        for j in range(columns + 1)
        if mode.local
        or ((i == rows or mode.query_end) and j == columns)
        or (i == rows and (j == columns or mode.subject_end))
    ]


def best(query: Sequence[int], subject: Sequence[int], scheme: Scheme) -> Alignment | None:
    """The best alignment; None where a local one has no score above 0."""
    h = table(query, subject, scheme)
    places = ends(len(query), len(subject), scheme)
    score = max(h[i][j] for i, j in places)
    if scheme.mode.local and score == 0:
        return None
    row, column = next((i, j) for i, j in places if h[i][j] == score)
    return ending_in(row, column, h, query, subject, scheme)


def ending_in(
    row: int, column: int, h: list[list[int]], query: Sequence[int], subject: Sequence[int], scheme: Scheme
) -> Alignment:
    """The best alignment of those that end in a cell."""
    runs, (i, j) = _way_back(h, query, subject, (row, column), scheme)
    return Alignment(h[row][column], i, row, j, column, merge_runs(runs[::-1]))


def _way_back(
    h: list[list[int]], query: Sequence[int], subject: Sequence[int], end: tuple[int, int], scheme: Scheme
) -> tuple[list[Run], tuple[int, int]]:
    (i, j), runs, mode = end, list[Run](), scheme.mode
    while not _begins(h, i, j, scheme):
        if i == 0 or j == 0:
            assert not mode.local
            runs.append(Run("D", j) if i == 0 else Run("I", i))
            return runs, (0, 0)
        if h[i][j] == h[i - 1][j - 1] + scheme.table.rows[query[i - 1]][subject[j - 1]]:
            runs.append(Run("M", 1))
            i, j = i - 1, j - 1
            continue
        up = [k for k in range(1, i + 1) if h[i - k][j] - scheme.gap(k) == h[i][j]]
        left = [k for k in range(1, j + 1) if h[i][j - k] - scheme.gap(k) == h[i][j]]
        runs.append(Run("I", up[0]) if up else Run("D", left[0]))
        i, j = (i - up[0], j) if up else (i, j - left[0])
    return runs, (i, j)


def _begins(h: list[list[int]], i: int, j: int, scheme: Scheme) -> bool:
    mode = scheme.mode
    if mode.local:
        return h[i][j] == 0
    return (i == 0 and (j == 0 or mode.subject_begin)) or (j == 0 and mode.query_begin)


def replayed(found: Alignment, query: Sequence[int], subject: Sequence[int], scheme: Scheme) -> int:
    """What the runs of an alignment are worth, ends that it leaves out included; they span just what it says."""
    i, j, worth = found.query_start, found.subject_start, 0
    for run in found.runs:
        if run.kind == "M":
            worth += sum(scheme.table.rows[query[i + k]][subject[j + k]] for k in range(run.length))
        else:
            worth -= scheme.gap(run.length)
        i += run.length if run.kind != "D" else 0
        j += run.length if run.kind != "I" else 0
    assert (i, j) == (found.query_end, found.subject_end)
    return worth
