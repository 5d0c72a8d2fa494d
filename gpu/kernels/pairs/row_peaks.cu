// The best column of kept rows of a long pair, between two columns: where a way back is likely to cross them
// (gpu/pairs/tile_rows.py). A block has a row.
#include "pairs/long.cuh"

constexpr int WARPS = THREADS / WARP;
using Cell = long long;  // H in its upper half, the column in its lower one

// H is `step` more for each column, where it is kept in potential form.
extern "C" __global__ void __launch_bounds__(THREADS)
row_peaks(const LongMemory memory, const int first_row, const int first, const int columns, const int step, int* __restrict__ found) {
    __shared__ Cell bests[WARPS];
    const LongPair pair = memory.pairs[0];
    const LongKept<ITEMS> kept{pair, memory};
    const int row = first_row - (int)blockIdx.x * KEPT_ROWS;
    Cell best = -(1ll << 62);
    for (int column = first + threadIdx.x; column < columns; column += THREADS) {
        const Cell H = kept.in_row(row, column).x - (Cell)step * (column + 1);
        best = max(best, (H << 32) + column);
    }
    for (int distance = WARP / 2; distance; distance /= 2) best = max(best, __shfl_xor_sync(ALL_LANES, best, distance));
    if (threadIdx.x % WARP == 0) bests[threadIdx.x / WARP] = best;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int warp = 1; warp < WARPS; warp++) best = max(best, bests[warp]);
    found[blockIdx.x] = (int)(best & 0xffffffff);
}
