// Chooses end points from the cells of pairs, the best of each first: every cell that is far enough from all that were chosen
// before (shardwater/alignment/ends.py). A block takes a pair.
//
// Threads look at so many cells side by side. Those that are far enough from what was chosen before them are then chosen one by
// one, the first first, and take those out that are too close.
#include "core/warp.cuh"
#include "pairs/end_cells.cuh"

constexpr int WARPS = THREADS / WARP;

// 0 apart is no condition.
__device__ __forceinline__ bool far(const EndCell& one, const EndCell& other, const int rows_apart, const int columns_apart) {
    return (rows_apart == 0 || abs(one.row - other.row) >= rows_apart) &&
           (columns_apart == 0 || abs(one.column - other.column) >= columns_apart);
}

// The number of the first thread of the block for which something holds; THREADS where it holds for none.
__device__ __forceinline__ int first_thread(const bool holds, int* firsts) {
    const unsigned lanes = __ballot_sync(ALL_LANES, holds);
    const int warp = threadIdx.x / WARP;
    if (threadIdx.x % WARP == 0) firsts[warp] = lanes ? warp * WARP + __ffs(lanes) - 1 : THREADS;
    __syncthreads();
    int first = THREADS;
    for (int each = 0; each < WARPS; each++) first = min(first, firsts[each]);
    return first;
}

// begins: of each pair, its first cell, and behind the last pair the number of all. chosen: room for `most` of each pair.
extern "C" __global__ void __launch_bounds__(THREADS)
choose_ends(const EndCell* __restrict__ cells, const long long* __restrict__ begins, const int most, const int rows_apart,
            const int columns_apart, EndCell* chosen, int* counts) {
    __shared__ int firsts[WARPS];
    __shared__ EndCell latest;
    const long long end = begins[blockIdx.x + 1];
    EndCell* const own = chosen + (size_t)blockIdx.x * most;
    int count = 0;
    for (long long start = begins[blockIdx.x]; start < end && count < most; start += THREADS) {
        const long long place = start + threadIdx.x;
        bool left = place < end;
        const EndCell cell = cells[left ? place : start];
        for (int each = 0; each < count && left; each++) left = far(cell, own[each], rows_apart, columns_apart);
        while (count < most) {
            const int first = first_thread(left, firsts);
            if (first == THREADS) break;
            if (threadIdx.x == first) latest = own[count] = cell, left = false;
            count++;
            __syncthreads();
            left = left && far(cell, latest, rows_apart, columns_apart);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) counts[blockIdx.x] = count;
}
