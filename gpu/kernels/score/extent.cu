// How much was scored: the subjects that have a score, and their residues.
//
// A subject's slot holds -1 until a kernel writes its score. Those that nobody has written are left out of `counted`
// (subjects, residues), and become 0, so that what reads scores after this meets none below.
#include "core/warp.cuh"

extern "C" __global__ void extent(int* scores, const unsigned* __restrict__ lengths, const int subjects,
                                  unsigned long long* counted) {
    unsigned long long scored = 0, residues = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < subjects; i += gridDim.x * blockDim.x) {
        if (scores[i] < 0) {
            scores[i] = 0;
        } else {
            scored++;
            residues += lengths[i];
        }
    }
    for (int distance = WARP / 2; distance; distance /= 2) {
        scored += __shfl_down_sync(ALL_LANES, scored, distance);
        residues += __shfl_down_sync(ALL_LANES, residues, distance);
    }
    if (threadIdx.x % WARP == 0 && scored) {
        atomicAdd(counted, scored);
        atomicAdd(counted + 1, residues);
    }
}
