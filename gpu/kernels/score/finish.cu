// From the best values of slots to the scores of subjects, and the list of those to be scored again in 32 bits.
//
// A thread owns a pair. LETTERS does not matter here; OPS is a macro. `limit`: a larger value may have left the score
// type's range (docs/kernels.md, Overflow) and is no score.
#include "core/arithmetic.cuh"
#include "database/packs.cuh"

using Ops = OPS;

extern "C" __global__ void finish(const unsigned* __restrict__ best, const int* __restrict__ slots,
                                  const unsigned* __restrict__ lengths, const int first_pair, const int pairs,
                                  const int limit, int* scores, Piece* rescored, int* rescored_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    const int pair = first_pair + i;
    const unsigned word = best[pair];
    for (int half = 0; half < 2; half++) {
        const int subject = slots[2 * pair + half], score = half ? Ops::high(word) : Ops::low(word);
        if (subject < 0) continue;
        if (score <= limit)
            scores[subject] = score;
        else
            rescored[atomicAdd(rescored_count, 1)] = Piece{2 * pair + half, 0, (int)lengths[subject], subject};
    }
}
