// The cells of long pairs that score enough to be end points: rounds are done again that have such a cell, and those before
// them from where their strip was stored. What the strip before has handed on is there, so that none waits for another.
//
// The macros are those of fill_long, with PEAKS 1.
#include "pairs/handed.cuh"
#include "pairs/peaks.cuh"

struct EndCell {
    int score, row, column, pair;
};

// Cells that were found, those beyond the capacity only counted.
struct EndCells {
    EndCell* all;
    unsigned long long* count;
    unsigned long long capacity;

    __device__ __forceinline__ void add(const EndCell& cell) const {
        const unsigned long long place = atomicAdd(count, 1ull);
        if (place < capacity) all[place] = cell;
    }
};

// Takes in the cells of a step.
__device__ __forceinline__ void add_cells(const LongStrip<Strip>& part, const int low_row, const int number, const int least, const EndCells& cells) {
    Type H[ITEMS], most = part.tile.H[0];  // in memory, to be read by number: few steps have such a cell
#pragma unroll
    for (int j = 0; j < ITEMS; j++) H[j] = part.tile.H[j], most = Ops::max3(most, H[j], H[j]);
    // H of a linear scheme has paid for a gap already.
    const int2 paid = make_int2(part.base.x - part.outside, part.base.y - part.outside);
    if (max(Ops::low(most) + paid.x, Ops::high(most) + paid.y) < least) return;
#pragma unroll 1
    for (int half = 0; half < 2; half++) {
        const int row = low_row - half * WARP, all = min(ITEMS, part.pair.columns - part.first(half));
        if (row < 0 || row >= part.pair.rows) continue;
#pragma unroll 1
        for (int j = 0; j < all; j++) {
            const int score = half ? Ops::high(H[j]) + paid.y : Ops::low(H[j]) + paid.x;
            if (score >= least) cells.add(EndCell{score, row, part.first(half) + j, number});
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
long_cells(const Work* __restrict__ works, const int count, const unsigned* __restrict__ letters, const void* __restrict__ table,
           const Free free, const LongMemory memory, const unsigned long long* edges, const Checkpoints checkpoints,
           const Peaks peaks, const int* __restrict__ leasts, int* taken, const EndCells cells) {
    __shared__ Letters::Shared shared;
    __shared__ Stage stages[THREADS / WARP];
    extern __shared__ unsigned profiles[];
    shared.fill(table);
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (int number = next_work(taken); number < count; number = next_work(taken)) {
        const Work work = works[number];
        const LongPair pair = memory.pairs[work.pair];
        const Kept kept{pair, memory};
        LongStrip<Strip> part{pair, free, kept, stages[warp], Letters(shared, profiles, warp), letters + pair.rows_at, work.strip, lane};
        part.open(letters, work.from, work.from ? checkpoints.at(work.from, work.stored) : nullptr);
        const int least = leasts[work.pair];
        for (int round = work.from; round < work.to; round++) {
            part.rebase(round);
            const int base = __shfl_sync(ALL_LANES, part.base.x, 0);
            const int2 beside = left_of(part, edges, round, base);
            const Type left = Ops::make(beside.x - base, beside.y - base);
            __syncwarp();
            part.start_seeing();
            if (peaks.at(work.stored, round).reach < least) part.template work<false>(round, left, [](int) {});
            else part.template work<true>(round, left, [&](int row) { add_cells(part, row, work.pair, least, cells); });
            __syncwarp();
        }
    }
}
