// The subjects whose score is at least what is wanted of their length: least[row], which is above 0.
//
// A thread walks over subjects. Keys come out in no order; the first one is their number.
#include "score/keys.cuh"
#include "score/rows.cuh"

extern "C" __global__ void wanted(const int* __restrict__ scores, const unsigned* __restrict__ lengths,
                                  const unsigned* __restrict__ edges, const int* __restrict__ least,
                                  const int subjects, unsigned long long* keys) {
    __shared__ int own[EDGES + 1];
    __shared__ int lowest;
    if (threadIdx.x == 0) lowest = 0x7fffffff;
    __syncthreads();
    for (int row = threadIdx.x; row <= EDGES; row += blockDim.x) {
        own[row] = least[row];
        atomicMin(&lowest, own[row]);
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < subjects; i += gridDim.x * blockDim.x) {
        // Most subjects are below all rows: their length need not be looked at.
        if (scores[i] < lowest || scores[i] < own[row_of(edges, lengths[i])]) continue;
        keys[1 + atomicAdd(keys, 1ull)] = key_of(scores[i], i);
    }
}
