// How many subjects have each score, by length: SCORES counts for each of EDGES + 1 rows, the last one of a row for that
// score and all above it.
//
// A block takes subjects that follow one another. They are sorted by length, so that nearly all blocks have one row or
// two: for each row a block counts in shared memory, and adds that to the counts of all. Eight bytes are read of a
// subject.
#include "score/rows.cuh"

extern "C" __global__ void census(const int* __restrict__ scores, const unsigned* __restrict__ lengths,
                                  const unsigned* __restrict__ edges, const int subjects, int* counts) {
    __shared__ int own[SCORES];
    __shared__ int first, last;  // rows of this block's subjects
    const int share = (subjects + gridDim.x - 1) / gridDim.x;
    const int begin = min(blockIdx.x * share, subjects), end = min(begin + share, subjects);
    if (threadIdx.x == 0) first = EDGES, last = 0;
    __syncthreads();
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
        const int row = row_of(edges, lengths[i]);
        atomicMin(&first, row);
        atomicMax(&last, row);
    }
    __syncthreads();
    for (int row = first; row <= last; row++) {
        for (int score = threadIdx.x; score < SCORES; score += blockDim.x) own[score] = 0;
        __syncthreads();
        for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
            if (row_of(edges, lengths[i]) == row) atomicAdd(own + min(scores[i], SCORES - 1), 1);
        __syncthreads();
        for (int score = threadIdx.x; score < SCORES; score += blockDim.x)
            if (own[score]) atomicAdd(counts + row * SCORES + score, own[score]);
        __syncthreads();
    }
}
