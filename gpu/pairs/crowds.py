"""Scores of sequences with shuffles of others: these are made on the device, and never leave it.

What is sent are the sequences alone. Units, a sequence with all shuffles of another one, go in chunks; a chunk is
planned and queued while the one before it is computed.
"""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import cupy
import numpy as np
import numpy.typing as npt

from gpu.compile import kernel
from gpu.layout import NOTHING, SHUFFLE_THREADS, SLOT_BURST, WARP
from gpu.pairs.budgets import CHUNK_LETTERS, CHUNK_PAIRS
from gpu.pairs.classes import Class, Shape, classes, narrowest, shapes
from gpu.pairs.found import fetching, pinned, sending
from gpu.pairs.potential import Form
from gpu.pairs.scores import Launch
from gpu.pairs.slots import Slots
from shardwater.engines.engine import Crowd
from shardwater.pairs.batch import Numbers
from shardwater.sequences.alphabet import Codes

MOST_SHUFFLED = 1 << 14
"""Letters that a block can sort: their keys are half of its shared memory."""
AHEAD = 2
"""Chunks under way."""
KEY_BYTES = 8
JOB = np.dtype(
    [
        *(("stream", np.uint64), ("from", np.int64), ("to", np.int64)),
        *((name, np.int32) for name in ("letters", "count", "windows", "unused")),
    ]
)
"""shuffle.cu's Job."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Sequences, each with all shuffles of another one: the numbers of their crowds, and their places in these.

    columns and rows: their letters, and those of a shuffle; counts: the shuffles.
    """

    crowds: Numbers
    places: Numbers
    columns: Numbers
    rows: Numbers
    counts: Numbers

    @classmethod
    def of(cls, crowds: Sequence[Crowd]) -> Self:
        """All of some crowds."""
        places = [(number, place) for number, crowd in enumerate(crowds) for place in range(len(crowd.ones))]
        numbers, own = np.array(places, np.int64).reshape(-1, 2).T
        columns = np.fromiter((len(crowds[number].ones[place]) for number, place in places), np.int64, len(places))
        rows = np.array([len(crowd.shuffled) for crowd in crowds], np.int64)
        counts = np.array([crowd.shuffling.count for crowd in crowds], np.int64)
        return cls(numbers, own, columns, rows[numbers], counts[numbers])

    def __len__(self) -> int:
        return len(self.crowds)

    @property
    def cells(self) -> int:
        """Of all pairs."""
        return int((self.columns * self.rows * self.counts).sum())

    def select(self, chosen: slice | Numbers | npt.NDArray[np.bool_]) -> "Units":
        """Some of them."""
        return Units(*(getattr(self, name)[chosen] for name in self.__slots__))

    def held(self, how: Form) -> npt.NDArray[np.bool_]:
        """Which of them 16 bits are proved for, and a block's shared memory has room for."""
        return how.holds(np.stack((self.columns, self.rows)), narrowest(shapes(how))) & (self.rows <= MOST_SHUFFLED)

    def chunks(self) -> Iterator["Units"]:
        """In runs that a device has room for; one that is too large alone."""
        letters = np.cumsum((self.columns + self.rows) * self.counts)
        pairs = np.cumsum(self.counts)
        first = 0
        while first < len(self):
            before = (letters[first - 1], pairs[first - 1]) if first else (0, 0)
            stop = min(
                int(np.searchsorted(ends, begin + most, side="right"))
                for ends, begin, most in zip((letters, pairs), before, (CHUNK_LETTERS, CHUNK_PAIRS), strict=True)
            )
            stop = max(first + 1, stop)
            yield self.select(slice(first, stop))
            first = stop


_UnderWay = tuple[Units, npt.NDArray[np.int32], Any, list[Any]]
Scored = tuple[Units, npt.NDArray[np.int32]]
"""Units of a chunk, and the scores of all their pairs, unit after unit; NOTHING where one was not scored."""


def score_crowds(crowds: Sequence[Crowd], units: Units, how: Form) -> Generator[Scored, None, None]:
    """The scores of units that are held, on the current stream."""
    under_way = deque[_UnderWay]()
    stream = cupy.cuda.get_current_stream()
    try:
        for chunk in units.chunks():
            if len(under_way) == AHEAD:
                yield _ended(under_way)
            letters = _Letters.of(crowds, chunk)
            scores = fetching(_scores(chunk, letters, how), stream)
            under_way.append((chunk, scores, stream.record(), letters.sent))
        while under_way:
            yield _ended(under_way)
    finally:
        # Memory must outlast what is done with it.
        stream.synchronize()


def _ended(under_way: deque[_UnderWay]) -> Scored:
    units, scores, done, _ = under_way.popleft()
    done.synchronize()
    return units, scores[:-1]


@dataclass(frozen=True, slots=True, eq=False)
class _Letters:
    """The codes of a chunk on the device, shuffles too, and where those of units begin, and those of first shuffles.

    sent: pinned memory on its way to the device.
    """

    codes: Any
    ones: Numbers
    shuffles: Numbers
    sent: list[Any]

    @classmethod
    def of(cls, crowds: Sequence[Crowd], units: Units) -> Self:
        """Send the sequences, and queue what shuffles them, on the current stream."""
        numbers, own = np.unique(units.crowds, return_inverse=True)
        shuffled = [crowds[number] for number in numbers.tolist()]
        places = zip(units.crowds.tolist(), units.places.tolist(), strict=True)
        ones = [crowds[number].ones[place] for number, place in places]
        sequences: list[Codes] = [*(crowd.shuffled for crowd in shuffled), *ones]
        lengths = np.array([len(each) for each in sequences], np.int64)
        starts = np.cumsum(lengths) - lengths
        room = np.array([len(crowd.shuffled) * crowd.shuffling.count for crowd in shuffled], np.int64)
        to = int(lengths.sum()) + np.cumsum(room) - room
        codes = cupy.empty(int(lengths.sum() + room.sum()), np.uint8)
        letters = pinned(np.concatenate(sequences))
        codes[: len(letters)].set(letters, cupy.cuda.get_current_stream())
        jobs = np.zeros(len(shuffled), JOB)
        jobs["from"], jobs["to"], jobs["letters"] = starts[: len(jobs)], to, lengths[: len(jobs)]
        for job, crowd in zip(jobs, shuffled, strict=True):
            how = crowd.shuffling
            job["stream"], job["count"], job["windows"] = (
                how.stream(crowd.shuffled),
                how.count,
                how.shuffle == "windows",
            )
        return cls(codes, starts[len(shuffled) :], to[own], [letters, *_shuffle(jobs, codes)])


def _shuffle(jobs: npt.NDArray[Any], codes: Any) -> list[Any]:
    """Queue what makes all shuffles: those of like lengths in a launch. Returns what is being sent."""
    sizes = np.maximum(2 * WARP, 1 << np.ceil(np.log2(jobs["letters"])).astype(np.int64))
    sent = []
    for size in np.unique(sizes).tolist():
        some = pinned(jobs[sizes == size])
        sent.append(some)
        shuffle = kernel("shuffle")
        shuffle.max_dynamic_shared_size_bytes = KEY_BYTES * MOST_SHUFFLED
        grid, threads = (int(some["count"].max()), len(some)), min(SHUFFLE_THREADS, size // 2)
        shuffle(grid, (threads,), (sending(some), np.int32(size), codes), shared_mem=KEY_BYTES * size)
    return sent


def _scores(units: Units, letters: _Letters, how: Form) -> Any:
    """The scores of all pairs, unit after unit, and one more, once the current stream has come so far."""
    pairs = int(units.counts.sum())
    # One more: the score of no pair goes there.
    scores = cupy.full(pairs + 1, NOTHING, cupy.int32)
    places = np.stack((letters.ones, letters.shuffles, np.cumsum(units.counts) - units.counts))
    lengths = np.repeat(np.stack((units.columns, units.rows)), units.counts, axis=1)
    for each in classes(lengths, how, shapes(how)):
        chosen = np.flatnonzero((units.columns > each.above) & (units.columns <= each.most))
        work = -(-units.columns[chosen] // each.shape.width) * units.rows[chosen]
        chosen = chosen[np.argsort(-work, kind="stable")]
        sets = _Sets.of(units.select(chosen), places[:, chosen], each.shape, how.letter_words)
        letters.sent.append(sets.sent)
        sets.launch(each, pairs).run(sets.words, letters.codes, how, scores)
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """The sets of some units, each of pairs of one unit: (fields, sets) of 64 bits, those of shuffles from `first` on.

    Fields: where the words of columns and of rows begin, both lengths, `first` and all shuffles of the unit, where its
    one and its first shuffle begin, and where its first score belongs.
    """

    sent: npt.NDArray[np.int64]
    words: int
    together: int

    @classmethod
    def of(cls, units: Units, places: Numbers, shape: Shape, letter_words: int) -> Self:
        """In the order of units, the most work first."""
        together = 2 * shape.slots
        sets = -(-units.counts // together)
        unit = np.repeat(np.arange(len(units)), sets)
        first = together * (np.arange(len(unit)) - np.repeat(np.cumsum(sets) - sets, sets))
        lengths = np.stack((units.columns[unit], units.rows[unit]))
        words = (-(-lengths // SLOT_BURST) * shape.slots * letter_words).T
        ends = np.cumsum(words).reshape(words.shape)
        fields = (*(ends - words).T, *lengths, first, units.counts[unit], *places[:, unit])
        return cls(pinned(np.stack(fields)), int(words.sum()), together)

    def launch(self, each: Class, nothing: int) -> Launch:
        """What scores them; nothing: where the score of no pair belongs."""
        fields = sending(self.sent).view(cupy.int64).reshape(self.sent.shape)
        columns, rows, first, counts, ones, shuffles, targets = fields[2:, :, None]
        numbers = first + cupy.arange(self.together)
        real = numbers < counts

        def of_pairs(values: Any, nothing: int = 0) -> Any:
            return cupy.where(real, values, nothing).ravel()

        queries, subjects = (of_pairs(each).astype(cupy.int32) for each in (columns, rows))
        # score_pairs.cu's Set: two places, and two lengths of 32 bits.
        sets = cupy.column_stack((fields[0], fields[1], fields[2] | fields[3] << 32))
        starts = of_pairs(ones), of_pairs(shuffles + numbers * rows)
        targets = of_pairs(targets + numbers, nothing)
        return Launch(each, Slots(targets, queries, subjects, sets, self.words), starts, targets)
