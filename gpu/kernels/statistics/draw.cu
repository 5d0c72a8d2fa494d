// Draws samples of a trial law as shardwater/statistics/importance.py does (Trial.draw), a block to a sample.
#include "core/splitmix.cuh"
#include "statistics/model.cuh"

// How many of these rising thresholds a number has reached.
__device__ int passed(const double* thresholds, int count, double number) {
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (thresholds[middle] <= number) low = middle + 1;
        else high = middle;
    }
    return low;
}

// queries: (samples, rows), subjects: (samples, rows + BAND).
extern "C" __global__ void __launch_bounds__(REACH_THREADS)
draw(const Model* __restrict__ model, const unsigned long long* __restrict__ streams, const int rows,
     unsigned char* queries, unsigned char* subjects) {
    const unsigned long long stream = streams[blockIdx.x];
    unsigned char *query = queries + (long long)blockIdx.x * rows;
    unsigned char *subject = subjects + (long long)blockIdx.x * (rows + BAND);
    const int steps = 2 * rows + BAND;
    for (int i = threadIdx.x; i < steps; i += blockDim.x) {
        const int letter = passed(model->letters, RESIDUES - 1, splitmix_uniform(stream, i));
        if (i < rows) query[i] = letter;
        else subject[i - rows] = letter;
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    const double opened = model->opened[blockIdx.x % LAWS], extended = model->extended;
    enum { MATCH, GAP, OTHER_GAP } step = MATCH;
    int row = 0, column = 0;
    for (int i = 0; row < rows && abs(column - row) <= BAND; i++) {
        const double chance = splitmix_uniform(stream, steps + i);
        if (step == MATCH) step = chance < opened ? GAP : chance < 2 * opened ? OTHER_GAP : MATCH;
        else if (chance >= extended) step = MATCH;
        if (step == MATCH) {
            const int pair = passed(model->chosen, PAIRS - 1, splitmix_uniform(stream, 2 * steps + i));
            query[row] = pair / RESIDUES;
            subject[column] = pair % RESIDUES;
        }
        row += step != OTHER_GAP;
        column += step != GAP;
    }
}
