// One row of the matrix of a local pair, all columns side by side: the reference for fill_long (gpu/pairs/row_scan.py).
//
//     F(i, j) = max(F(i-1, j), H(i-1, j) - open) - extend        down a column
//     G(i, j) = max(H(i-1, j-1) + score, F(i, j), 0)              H without gaps along the row
//     H(i, j) = max(G(i, j), max of G(i, t) + t * extend, t < j, - j * extend - open)
//
// Source: Khajeh-Saeed, Poole and Perot, J. Comput. Phys. 229 (2010). The maximum over t is a prefix maximum: of the columns
// of a block here, which leaves the most of each block; of all columns where the next row begins, which needs H. A launch for
// each row, so.
#include "core/warp.cuh"

constexpr int WARPS = THREADS / WARP, COLUMNS = THREADS * ITEMS;
constexpr int NONE = -(1 << 30);

// G and F of a row, the prefix maximum of G(t) + t * extend before each column of its block, and that of each whole block.
struct ScanRow {
    int* G;
    int* F;
    int* before;
    int* blocks;
};

__device__ __forceinline__ int block_max(int own, int* shared) {
    own = __reduce_max_sync(ALL_LANES, own);
    if (threadIdx.x % WARP == 0) shared[threadIdx.x / WARP] = own;
    __syncthreads();
    int found = shared[0];
    for (int warp = 1; warp < WARPS; warp++) found = max(found, shared[warp]);
    __syncthreads();
    return found;
}

// The most of the threads before this one in its block.
__device__ __forceinline__ int most_before(int own, int* shared) {
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (int distance = 1; distance < WARP; distance *= 2) {
        const int other = __shfl_up_sync(ALL_LANES, own, distance);
        if (lane >= distance) own = max(own, other);
    }
    if (lane == WARP - 1) shared[warp] = own;
    __syncthreads();
    int found = __shfl_up_sync(ALL_LANES, own, 1);
    if (lane == 0) found = NONE;
    for (int each = 0; each < warp; each++) found = max(found, shared[each]);
    __syncthreads();
    return found;
}

// H of the row above, finished: `blocks_before` is the most of all blocks before the column's.
__device__ __forceinline__ int finished(const ScanRow& above, int column, int blocks_before, int open, int extend) {
    const int along = max(above.before[column], blocks_before);
    return max(above.G[column], along - column * extend - open);
}

// scores: of the row's letter with each of the columns'. H: of the row above, for whoever asked.
extern "C" __global__ void __launch_bounds__(THREADS)
row_scan(const int columns, const unsigned char* __restrict__ letters, const int* __restrict__ scores, const int open,
         const int extend, const ScanRow above, const ScanRow row, int* __restrict__ H) {
    __shared__ int shared[WARPS];
    int most = NONE, nearer = NONE;
    for (int block = threadIdx.x; block < blockIdx.x; block += THREADS) {
        most = max(most, above.blocks[block]);
        if (block + 1 < blockIdx.x) nearer = max(nearer, above.blocks[block]);
    }
    // Of the blocks before this one, and before the one on its left.
    most = block_max(most, shared), nearer = block_max(nearer, shared);
    const int first = blockIdx.x * COLUMNS + threadIdx.x * ITEMS;
    int diagonal = 0, along = NONE, G[ITEMS], before[ITEMS];
    if (first > 0 && first <= columns)
        diagonal = finished(above, first - 1, threadIdx.x ? most : nearer, open, extend);
    for (int j = 0; j < ITEMS; j++) {
        const int column = first + j;
        before[j] = along;
        G[j] = 0;
        if (column >= columns) continue;
        const int own = finished(above, column, most, open, extend);
        H[column] = own;
        const int F = max(above.F[column], own - open) - extend;
        row.F[column] = F;
        G[j] = max(max(diagonal + scores[letters[column]], F), 0);
        along = max(along, G[j] + column * extend);
        diagonal = own;
    }
    const int others = most_before(along, shared);
    for (int j = 0; j < ITEMS; j++) {
        const int column = first + j;
        if (column >= columns) continue;
        row.G[column] = G[j];
        row.before[column] = max(before[j], others);
    }
    const int all = block_max(along, shared);
    if (threadIdx.x == 0) row.blocks[blockIdx.x] = all;
}
