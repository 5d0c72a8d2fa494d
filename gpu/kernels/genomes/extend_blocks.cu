// HSPs in blocks of 32 letters, GPUGECKO's form: seeds closer than two words to the last one kept are dropped, others are
// extended to the left, then to the right. A warp has a diagonal, a lane a block.
#include "genomes/diagonals.cuh"

// Blocks that are taken on one side, and their equal letters.
struct Side {
    int blocks, equal;
};

// others: of the letters of a block, a bit for each that is not equal.
template <typename Others>
__device__ __forceinline__ Side extend(const int room, const Others& others) {
    const int lane = threadIdx.x % WARP, all = room / LETTERS;
    Side side{0, 0};
    int best = LETTERS, before = 0;  // the best score so far; equal letters before this step
    for (int step = 0; step < all; step += WARP) {
        const int blocks = step + lane + 1, own = blocks <= all ? LETTERS - __popc(others(blocks)) : 0;
        const int equal = before + sum_to(own), letters = blocks * LETTERS, score = LETTERS + 2 * equal - letters;
        const unsigned stopped = __ballot_sync(ALL_LANES, blocks > all || score <= 0);
        const bool counts = !stopped || lane < __ffs(stopped) - 1;
        const bool alike = 5 * (LETTERS / 2 + (long long)equal) >= 4 * (LETTERS / 2 + (long long)letters);
        const Word found = best_of(counts && alike && score > best ? key_of(score, blocks) : 0);
        if (found) {
            best = number_of(found), side.blocks = place_of(found);
            side.equal = (best - LETTERS + side.blocks * LETTERS) / 2;
        }
        if (stopped) break;
        before = __shfl_sync(ALL_LANES, equal, WARP - 1);
    }
    return side;
}

// How many seeds a run has: equal letters from its first seed on, less those of a word but one.
__device__ __forceinline__ int seeds_of(const Strand& query, const int x, const Strand& subject, const int y, const int room) {
    for (int step = 0; step < room; step += WARP * LETTERS) {
        const int first = step + threadIdx.x % WARP * LETTERS, count = max(0, min(LETTERS, room - first));
        unsigned bits = count ? unequal(query, x + first, subject, y + first) : 0;
        // The end of a record ends a run.
        if (count < LETTERS) bits |= count ? ~0u << count : ~0u;
        const unsigned ended = __ballot_sync(ALL_LANES, bits);
        if (ended) {
            const int lane = __ffs(ended) - 1;
            return step + lane * LETTERS + __ffs(__shfl_sync(ALL_LANES, bits, lane)) - 1 - (LETTERS - 1);
        }
    }
    return room - (LETTERS - 1);
}

// hsps: of each run the HSPs of its seeds would be many; a run has one, since seeds of a run that lie in an HSP are passed over
// and an HSP reaches to less than a block before the run's end. kept: how many seeds the filter leaves.
extern "C" __global__ void __launch_bounds__(THREADS)
extend_blocks(const Strand query, const Strand subject, const Diagonals diagonals, const int least, int* taken, const Found found,
              unsigned long long* kept) {
    for (int number = next_work(taken); number < diagonals.count; number = next_work(taken)) {
        int end = 0, next = 0;  // of the last HSP; the first place where a seed is kept
        for (int run = diagonals.firsts[number]; run < diagonals.firsts[number + 1]; run++) {
            const int first = diagonals.x(run), shift = diagonals.y(run) - first;
            const Room whole(query, first, subject, first + shift);
            const int behind = first + seeds_of(query, first, subject, first + shift, whole.right);
            int x = max(first, next);
            if (x >= behind) continue;
            const int all = (behind - 1 - x) / (2 * LETTERS) + 1;
            next = x + 2 * LETTERS * all;
            if (threadIdx.x % WARP == 0) atomicAdd(kept, (unsigned long long)all);
            if (x < end) x += (end - x + 2 * LETTERS - 1) / (2 * LETTERS) * (2 * LETTERS);
            if (x >= behind) continue;
            const int y = x + shift;
            const Room room(query, x, subject, y);
            const Side left = extend(room.left, [&](const int block) {
                return unequal(query, x - block * LETTERS, subject, y - block * LETTERS);
            });
            const Side right = extend(room.right - LETTERS, [&](const int block) {
                return unequal(query, x + block * LETTERS, subject, y + block * LETTERS);
            });
            const int length = (left.blocks + 1 + right.blocks) * LETTERS;
            end = x + (1 + right.blocks) * LETTERS;
            if (length >= least) found.tell(run, x - left.blocks * LETTERS, length, left.equal + LETTERS + right.equal);
        }
    }
}
