// What of long pairs is to be done again: of each strip and section of its rounds, where it has a cell that may be chosen, up to the
// last such round. A warp takes a section of a strip.
#include "pairs/end_cells.cuh"
#include "pairs/long.cuh"

// strips: of each, the number of its part, and its own in that. section: rounds of one. leasts: what cells of each pair score at
// least.
extern "C" __global__ void __launch_bounds__(THREADS)
peak_works(const Peak* __restrict__ peaks, const int count, const int rounds, const int section, const int2* __restrict__ strips,
           const EndPart* __restrict__ parts, const int* __restrict__ leasts, Work* works, int* taken) {
    const int sections = (rounds + section - 1) / section, lane = threadIdx.x % WARP;
    const long long number = ((long long)blockIdx.x * THREADS + threadIdx.x) / WARP;
    const int strip = (int)(number / sections), first = (int)(number % sections) * section;
    if (strip >= count) return;
    const int2 own = strips[strip];
    const int least = leasts[parts[own.x].pair], end = min(rounds, first + section);
    int last = -1;
    for (int round = first + lane; round < end; round += WARP)
        if (peaks[(size_t)strip * rounds + round].reach >= least) last = round;
    last = __reduce_max_sync(ALL_LANES, last);
    if (lane == 0 && last >= 0) works[atomicAdd(taken, 1)] = Work{own.x, own.y, strip, first, last + 1};
}
