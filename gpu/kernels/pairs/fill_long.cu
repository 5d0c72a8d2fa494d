// Scores long pairs of sequences, finds where their alignments end, and where KEEPS is 1 keeps what the way back needs
// (long.cuh). The other macros are those of score_pairs.
//
// Where PEAKS is 1 it tells of each round of each strip its best cell (peaks.cuh), from which end points follow.
//
// Where PRUNES is 1 it leaves out rounds through which no best alignment goes (prunes.cuh).
//
// Where a way back is to be found later, in sections (gpu/pairs/sections.py), strips are stored at the beginning of each, too.
//
// A launch does so many rounds of some strips, as gpu/pairs/plan.py plans it, and is bounded so. Warps take them from a counter,
// in an order in which whatever a strip waits for is done, or under way. Strips that have not ended are stored.
//
// Limits: 16 bits above a base, and 32 bits in all, by the caller's proof (gpu/pairs/long.py).
#include "pairs/handed.cuh"
#include "pairs/peaks.cuh"
#include "pairs/prunes.cuh"

// The end of a pair so far, and whether a warp is about to change it.
struct PairEnd {
    FirstEnd end;
    int taken;
};

__device__ __forceinline__ void end_strip(LongStrip<Strip>& part, PairEnd* ends) {
    const FirstEnd own = part.joined();
    if (part.lane > 0) return;
    while (atomicCAS(&ends->taken, 0, 1)) __nanosleep(100);
    __threadfence();
    volatile FirstEnd& kept = ends->end;
    FirstEnd end{kept.score, kept.row, kept.column};
    end.consider(own);
    kept.score = end.score, kept.row = end.row, kept.column = end.column;
    __threadfence();
    atomicExch(&ends->taken, 0);
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
fill_long(const Work* __restrict__ works, const int count, const unsigned* __restrict__ letters, const void* __restrict__ table,
          const Free free, const LongMemory memory, unsigned long long* edges, unsigned* stored, const Checkpoints checkpoints,
          const Peaks peaks, const Pruning pruning, int* taken, PairEnd* ends) {
    __shared__ Letters::Shared shared;
    __shared__ Stage stages[THREADS / WARP];
    __shared__ Entered entered[PRUNES ? THREADS / WARP : 1];
    extern __shared__ unsigned profiles[];
    shared.fill(table);
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (int number = next_work(taken); number < count; number = next_work(taken)) {
        const Work work = works[number];
        const LongPair pair = memory.pairs[work.pair];
        const Kept kept{pair, memory};
        LongStrip<Strip> part{pair, free, kept, stages[warp], Letters(shared, profiles, warp), letters + pair.rows_at, work.strip, lane};
        unsigned* own = stored + (size_t)work.stored * STORED_WORDS;
        part.open(letters, work.from, own);
        Pruner pruner{pruning.best + work.pair, pruning.gain, entered[PRUNES ? warp : 0], pruning.known, 0};
        for (int round = work.from; round < work.to; round++) {
            if (checkpoints.before(round)) part.store(checkpoints.at(round, work.stored));
            part.rebase(round);
            const int base = __shfl_sync(ALL_LANES, part.base.x, 0);
            const int2 beside = left_of(part, edges, round, base);
            const Type left = Ops::make(beside.x - base, beside.y - base);
            if constexpr (PRUNES) pruner.entered.at(round, lane) = beside.y, pruner.ask(round);
            __syncwarp();
            // What entered in the two rounds before is known, too.
            if (PRUNES && round > work.from + 1 && pruner.leaves_out(part, beside.x, round)) {
                hand_on(part, edges, checkpoints, round, pruner.handed_on(part, round), Recurrence::affine ? -Pruner::first : 0);
                pruner.follow_gaps(part, round);
                __syncwarp();
                pruner.learn(part, round);
                continue;
            }
            int reach = 0;
            if constexpr (PEAKS) reach = part.forget(peaks.least, left);
            if constexpr (MODE::local) part.start_seeing();
            if (part.needs_care(round)) part.template work<true>(round, left, [&](int row) { part.look(row); });
            else part.template work<false>(round, left, [](int) {});
            if constexpr (MODE::local) part.end_seeing();
            if constexpr (PEAKS) peaks.tell(work.stored, round, part.joined(), reach, lane);
            if constexpr (PRUNES) pruner.learn(part, round);
            __syncwarp();
            hand_on(part, edges, checkpoints, round);
            if (KEEPS) part.keep_columns(round);
            __syncwarp();
        }
        if (work.to < pair.rounds()) part.store(own);
        else if (!PEAKS) end_strip(part, ends + work.pair);
    }
}
