// HSPs letter by letter: from the first seed of a run to the right, then from the best score to the left. A warp has a
// diagonal, a lane 32 letters: 1,024 a step, two loads of 16 bytes or so a lane from each strand.
#include "genomes/diagonals.cuh"

// The best score on a way, and how many letters it takes.
struct Best {
    int score, letters;
};

// What a lane sees on its letters: the highest score, after how many letters, and whether it falls below 0 on the way.
struct Seen {
    int score, letters;
    bool falls;

    __device__ __forceinline__ Seen(unsigned others, const int count, const int before) : score(before), letters(0), falls(false) {
        int now = before, at = 0;
        while (others) {
            const int next = __ffs(others) - 1;
            now += next - at;
            if (now > score) score = now, letters = next;
            if (--now < 0) {
                falls = true;
                return;
            }
            at = next + 1, others &= others - 1;
        }
        now += count - at;
        if (now > score) score = now, letters = count;
    }
};

// From a score on through so many letters; others: of 32 letters from this one on, a bit for each that is not equal.
template <typename Others>
__device__ __forceinline__ Best extend(const int start, const int room, const Others& others) {
    const int lane = threadIdx.x % WARP;
    Word best = key_of(start, 0);
    int before = start;
    for (int step = 0; step < room; step += WARP * LETTERS) {
        const int first = step + lane * LETTERS, count = max(0, min(LETTERS, room - first));
        const unsigned bits = count ? others(first) & ~0u >> (LETTERS - count) : 0;
        const int sum = sum_to(count - 2 * __popc(bits));
        const Seen seen(bits, count, before + sum - count + 2 * __popc(bits));
        const unsigned fallen = __ballot_sync(ALL_LANES, seen.falls);
        const bool counts = !fallen || lane <= __ffs(fallen) - 1;
        best = max(best, best_of(counts ? key_of(seen.score, first + seen.letters) : 0));
        if (fallen) break;
        before += __shfl_sync(ALL_LANES, sum, WARP - 1);
    }
    return Best{number_of(best), place_of(best)};
}

extern "C" __global__ void __launch_bounds__(THREADS)
extend_letters(const Strand query, const Strand subject, const Diagonals diagonals, const int word, const int least, int* taken,
               const Found found) {
    for (int number = next_work(taken); number < diagonals.count; number = next_work(taken)) {
        const int last = diagonals.firsts[number + 1];
        int end = 0;
        for (int run = diagonals.firsts[number]; (run = diagonals.next(run, last, end)) < last; run++) {
            const int x = diagonals.x(run), y = diagonals.y(run);
            const Room room(query, x, subject, y);
            const Best right = extend(word, room.right - word, [&](const int first) {
                return unequal(query, x + word + first, subject, y + word + first);
            });
            const Best left = extend(right.score, room.left, [&](const int first) {
                return __brev(unequal(query, x - first - LETTERS, subject, y - first - LETTERS));
            });
            const int length = left.letters + word + right.letters;
            end = x + word + right.letters;
            // Its score is its equal letters less its others.
            if (length >= least) found.tell(run, x - left.letters, length, (left.score + length) / 2);
        }
    }
}
