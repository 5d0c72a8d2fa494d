// The peaks of long pairs that are cells which may be chosen, whichever of their ITEMS columns they are in.
#include "pairs/end_cells.cuh"
#include "pairs/long.cuh"

// strips: of each, the number of its part, and its own in that. least: what such a cell scores at least.
extern "C" __global__ void __launch_bounds__(THREADS)
peak_cells(const Peak* __restrict__ peaks, const long long count, const int rounds, const int2* __restrict__ strips,
           const EndPart* __restrict__ parts, const LongPair* __restrict__ pairs, const int least, const EndCells cells) {
    for (long long i = (long long)blockIdx.x * THREADS + threadIdx.x; i < count; i += (long long)gridDim.x * THREADS) {
        const Peak peak = peaks[i];
        if (peak.score < least) continue;
        const int number = strips[i / rounds].x;
        const EndPart part = parts[number];
        if (peak.row < part.first_row || peak.row >= pairs[number].rows) continue;
        if (peak.column < part.first_column || peak.column + ITEMS > pairs[number].columns) continue;
        const EndCell cell = part.cell(peak.score, peak.row, peak.column);
        if (cells.wants(cell, ITEMS)) cells.add(cell);
    }
}
