// The candidates for the best `top` subjects: all whose score is at least the highest one that `top` subjects reach.
//
// Every block finds that score for itself, from the counts of tally.cu; then a thread walks over subjects. Candidates
// are more than `top` where scores are equal, or beyond the last bin. Their keys come out in no order; the first one is
// their number.
#include "score/keys.cuh"

constexpr int OWN = BINS / GATHER_THREADS;

extern "C" __global__ void __launch_bounds__(GATHER_THREADS)
gather(const int* __restrict__ scores, const int subjects, const int* __restrict__ counts, const int top,
       unsigned long long* keys) {
    __shared__ int reached[GATHER_THREADS];  // subjects with a score of a thread's bins or above
    __shared__ int threshold;
    const int first = OWN * threadIdx.x;
    int own = 0;
    for (int bin = first; bin < first + OWN; bin++) own += counts[bin];
    reached[threadIdx.x] = own;
    if (threadIdx.x == 0) threshold = 0;
    __syncthreads();
    for (int distance = 1; distance < GATHER_THREADS; distance *= 2) {
        const int more = threadIdx.x + distance < GATHER_THREADS ? reached[threadIdx.x + distance] : 0;
        __syncthreads();
        reached[threadIdx.x] += more;
        __syncthreads();
    }
    // Exactly one thread's bins hold the threshold, unless there are fewer subjects than asked for.
    if (reached[threadIdx.x] >= top && reached[threadIdx.x] - own < top) {
        int above = reached[threadIdx.x] - own, bin = first + OWN;
        while (above < top) above += counts[--bin];
        threshold = bin;
    }
    __syncthreads();
    // No hit scores 0.
    const int least = max(threshold, 1);
    for (int i = blockIdx.x * GATHER_THREADS + threadIdx.x; i < subjects; i += gridDim.x * GATHER_THREADS) {
        if (scores[i] < least) continue;
        keys[1 + atomicAdd(keys, 1ull)] = key_of(scores[i], i);
    }
}
