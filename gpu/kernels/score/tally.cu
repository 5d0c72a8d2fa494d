// How many subjects have each score: BINS counts, the last for that score and all above it.
//
// A thread walks over subjects; a block counts in shared memory, since most subjects share few scores.
extern "C" __global__ void tally(const int* __restrict__ scores, const int subjects, int* counts) {
    __shared__ int own[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) own[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < subjects; i += gridDim.x * blockDim.x)
        atomicAdd(own + min(scores[i], BINS - 1), 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        if (own[bin]) atomicAdd(counts + bin, own[bin]);
}
