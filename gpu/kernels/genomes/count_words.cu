// How many words of a strand each block has to list, by the letter before them. A block looks at TILE places.
#include "genomes/words.cuh"

// counts: (CLASSES, blocks), so that a running sum over all is where each block writes the words of a class.
extern "C" __global__ void __launch_bounds__(THREADS)
count_words(const Strand strand, const Listed listed, int* __restrict__ counts) {
    __shared__ int sums[CLASSES];
    if (threadIdx.x < CLASSES) sums[threadIdx.x] = 0;
    __syncthreads();
    int own[CLASSES] = {};
    for (int place = blockIdx.x * TILE + threadIdx.x; place < (blockIdx.x + 1) * TILE; place += THREADS) {
        const int before = listed.before(strand, place);
#pragma unroll
        for (int kind = 0; kind < CLASSES; kind++) own[kind] += before == kind;
    }
#pragma unroll
    for (int kind = 0; kind < CLASSES; kind++) {
        const int warp = __reduce_add_sync(ALL_LANES, own[kind]);
        if (threadIdx.x % WARP == 0) atomicAdd(&sums[kind], warp);
    }
    __syncthreads();
    if (threadIdx.x < CLASSES) counts[threadIdx.x * gridDim.x + blockIdx.x] = sums[threadIdx.x];
}
