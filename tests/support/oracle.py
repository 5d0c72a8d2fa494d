"""The arbiter of scores and alignments: Gotoh's recurrence as three plain loops, for tests alone."""

from collections.abc import Sequence, Set

from shardwater.alignment.alignment import Alignment, Run, merge_runs

Table = list[list[int]]
Pairs = Set[tuple[int, int]]
"""Places in query and subject, from 0."""
NEVER = -(10**9)
NONE: Pairs = frozenset()


def tables(
    query: Sequence[int],
    subject: Sequence[int],
    scores: Table,
    gap_open: int,
    gap_extend: int,
    *,
    forbidden: Pairs = NONE,
) -> list[Table]:
    """H, E (gap along the query) and F (gap along the subject), each (query + 1) x (subject + 1)."""
    h, e, f = ([[low] * (len(subject) + 1) for _ in range(len(query) + 1)] for low in (0, NEVER, NEVER))
    for i in range(1, len(query) + 1):
        for j in range(1, len(subject) + 1):
            e[i][j] = max(e[i - 1][j], h[i - 1][j] - gap_open) - gap_extend
            f[i][j] = max(f[i][j - 1], h[i][j - 1] - gap_open) - gap_extend
            paired = NEVER if (i - 1, j - 1) in forbidden else h[i - 1][j - 1] + scores[query[i - 1]][subject[j - 1]]
            h[i][j] = max(0, paired, e[i][j], f[i][j])
    return [h, e, f]


def best_score(query: Sequence[int], subject: Sequence[int], scores: Table, gap_open: int, gap_extend: int) -> int:
    """The best local score."""
    return max(max(row) for row in tables(query, subject, scores, gap_open, gap_extend)[0])


def best_alignment(
    query: Sequence[int],
    subject: Sequence[int],
    scores: Table,
    gap_open: int,
    gap_extend: int,
    *,
    forbidden: Pairs = NONE,
) -> Alignment | None:
    """The alignment that docs/statistics.md calls the best one: first end cell; diagonal, then I, then D."""
    h, _, _ = tables(query, subject, scores, gap_open, gap_extend, forbidden=forbidden)
    score = max(max(row) for row in h)
    if score == 0:
        return None
    end = next((i, j) for i, row in enumerate(h) for j, value in enumerate(row) if value == score)
    i, j = end
    runs = []
    while h[i][j] > 0:
        paired = h[i - 1][j - 1] + scores[query[i - 1]][subject[j - 1]]
        if (i - 1, j - 1) not in forbidden and h[i][j] == paired:
            runs.append(Run("M", 1))
            i, j = i - 1, j - 1
            continue
        up = [k for k in range(1, i + 1) if h[i - k][j] - gap_open - k * gap_extend == h[i][j]]
        left = [k for k in range(1, j + 1) if h[i][j - k] - gap_open - k * gap_extend == h[i][j]]
        runs.append(Run("I", up[0]) if up else Run("D", left[0]))
        i, j = (i - up[0], j) if up else (i, j - left[0])
    return Alignment(score, i, end[0], j, end[1], merge_runs(runs[::-1]))


def best_alignments(
    query: Sequence[int], subject: Sequence[int], scores: Table, gaps: tuple[int, int], most: int
) -> list[Alignment]:
    """So many alignments at most, each the best of those that share no pair of letters with the ones before it."""
    found: list[Alignment] = []
    forbidden: set[tuple[int, int]] = set()
    while len(found) < most:
        alignment = best_alignment(query, subject, scores, *gaps, forbidden=forbidden)
        if alignment is None:
            break
        pairs = set(pairs_of(alignment))
        assert not pairs & forbidden
        forbidden |= pairs
        found.append(alignment)
    return found


def pairs_of(alignment: Alignment) -> list[tuple[int, int]]:
    """The pairs of letters of an alignment, by their places from 0."""
    i, j, pairs = alignment.query_start, alignment.subject_start, []
    for run in alignment.runs:
        if run.kind == "M":
            pairs += [(i + k, j + k) for k in range(run.length)]
        i += run.length if run.kind != "D" else 0
        j += run.length if run.kind != "I" else 0
    return pairs


def replay(
    alignment: Alignment, query: Sequence[int], subject: Sequence[int], scores: Table, gaps: int, ext: int
) -> int:
    """The score that an alignment's runs add up to; it must consume just the ranges it names."""
    i, j, total = alignment.query_start, alignment.subject_start, 0
    for run in alignment.runs:
        if run.kind == "M":
            total += sum(scores[query[i + k]][subject[j + k]] for k in range(run.length))
        else:
            total -= gaps + run.length * ext
        i += run.length if run.kind != "D" else 0
        j += run.length if run.kind != "I" else 0
    assert (i, j) == (alignment.query_end, alignment.subject_end)
    return total
