// The cells of long pairs that score enough to be end points: rounds are done again that have such a cell, and those before
// them from where their strip was stored. What the strip before has handed on is there, so that none waits for another.
//
// The macros are those of fill_long, with PEAKS 1.
#include "pairs/handed.cuh"
#include "pairs/peaks.cuh"

// Takes in the cells of a step that are the part's own.
__device__ __forceinline__ void add_cells(const LongStrip<Strip>& strip, const int low_row, const EndPart& part, const int least, const EndCells& cells) {
    Type H[ITEMS], most = strip.tile.H[0];  // in memory, to be read by number: few steps have such a cell
#pragma unroll
    for (int j = 0; j < ITEMS; j++) H[j] = strip.tile.H[j], most = Ops::max3(most, H[j], H[j]);
    // H of a linear scheme has paid for a gap already.
    const int2 paid = make_int2(strip.base.x - strip.outside, strip.base.y - strip.outside);
    if (max(Ops::low(most) + paid.x, Ops::high(most) + paid.y) < least) return;
#pragma unroll 1
    for (int half = 0; half < 2; half++) {
        const int row = low_row - half * WARP, first = strip.first(half), all = min(ITEMS, strip.pair.columns - first);
        if (row < part.first_row || row >= strip.pair.rows) continue;
#pragma unroll 1
        for (int j = max(0, part.first_column - first); j < all; j++) {
            const int score = half ? Ops::high(H[j]) + paid.y : Ops::low(H[j]) + paid.x;
            const EndCell cell = part.cell(score, row, first + j);
            if (score >= least && cells.wants(cell, 1)) cells.add(cell);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
long_cells(const Work* __restrict__ works, const int count, const unsigned* __restrict__ letters, const void* __restrict__ table,
           const Free free, const LongMemory memory, const unsigned long long* edges, const Checkpoints checkpoints,
           const Peaks peaks, const EndPart* __restrict__ parts, const int* __restrict__ leasts, int* taken, const EndCells cells) {
    __shared__ Letters::Shared shared;
    __shared__ Stage stages[THREADS / WARP];
    extern __shared__ unsigned profiles[];
    shared.fill(table);
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (int number = next_work(taken); number < count; number = next_work(taken)) {
        const Work work = works[number];
        const LongPair pair = memory.pairs[work.pair];
        const EndPart part = parts[work.pair];
        const Kept kept{pair, memory};
        LongStrip<Strip> strip{pair, free, kept, stages[warp], Letters(shared, profiles, warp), letters + pair.rows_at, work.strip, lane};
        strip.open(letters, work.from, work.from ? checkpoints.at(work.from, work.stored) : nullptr);
        const int least = leasts[part.pair];
        for (int round = work.from; round < work.to; round++) {
            strip.rebase(round);
            const int base = __shfl_sync(ALL_LANES, strip.base.x, 0);
            const int2 beside = left_of(strip, edges, round, base);
            const Type left = Ops::make(beside.x - base, beside.y - base);
            __syncwarp();
            strip.start_seeing();
            if (peaks.at(work.stored, round).reach < least) strip.template work<false>(round, left, [](int) {});
            else strip.template work<true>(round, left, [&](int row) { add_cells(strip, row, part, least, cells); });
            __syncwarp();
        }
    }
}
