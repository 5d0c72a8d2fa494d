// The words of a strand: values, and places with the letter before in the bits above; by that letter, then by place.
// A block looks at TILE places, THREADS at a time.
#include "genomes/words.cuh"

constexpr int WARPS = THREADS / WARP;

// begins: (CLASSES, blocks), where each block writes the words of a class.
extern "C" __global__ void __launch_bounds__(THREADS)
list_words(const Strand strand, const Listed listed, const int* __restrict__ begins, Word* __restrict__ values,
           unsigned* __restrict__ places) {
    __shared__ int next[CLASSES], counts[CLASSES][WARPS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    if (threadIdx.x < CLASSES) next[threadIdx.x] = begins[threadIdx.x * gridDim.x + blockIdx.x];
    for (int first = blockIdx.x * TILE; first < (blockIdx.x + 1) * TILE; first += THREADS) {
        const int place = first + threadIdx.x, before = listed.before(strand, place);
        unsigned same = 0;
#pragma unroll
        for (int kind = 0; kind < CLASSES; kind++) {
            const unsigned lanes = __ballot_sync(ALL_LANES, before == kind);
            if (before == kind) same = lanes;
            if (lane == 0) counts[kind][warp] = __popc(lanes);
        }
        __syncthreads();
        if (before != NO_WORD) {
            int at = next[before] + __popc(same & ((1u << lane) - 1));
            for (int each = 0; each < warp; each++) at += counts[before][each];
            values[at] = listed.value(strand, place), places[at] = (unsigned)before << PLACE_BITS | place;
        }
        __syncthreads();
        if (threadIdx.x < CLASSES) {
            for (int each = 0; each < WARPS; each++) next[threadIdx.x] += counts[threadIdx.x][each];
        }
        __syncthreads();
    }
}
