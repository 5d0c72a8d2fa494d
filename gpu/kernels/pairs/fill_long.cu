// Scores long pairs of sequences, finds where their alignments end, and where KEEPS is 1 keeps what the way back needs
// (long.cuh). The other macros are those of score_pairs.
//
// Where PEAKS is 1 it tells of each round of each strip its best cell (peaks.cuh), from which end points follow.
//
// Where a way back is to be found later, in sections (gpu/pairs/sections.py), strips are stored at the beginning of each, too.
//
// A launch does so many rounds of some strips, as gpu/pairs/plan.py plans it, and is bounded so. Warps take them from a counter,
// in an order in which whatever a strip waits for is done, or under way. Strips that have not ended are stored.
//
// Limits: 16 bits above a base, and 32 bits in all, by the caller's proof (gpu/pairs/long.py).
#include "pairs/handed.cuh"
#include "pairs/peaks.cuh"

// Rounds of a strip, from one to before another; stored: where it is kept between launches.
struct Work {
    int pair, strip, stored, from, to;
};

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
          const Free free, const LongMemory memory, unsigned long long* edges, unsigned* stored, const Checkpoints checkpoints, const Peaks peaks, int* taken, PairEnd* ends) {
    __shared__ Letters::Shared shared;
    __shared__ Stage stages[THREADS / WARP];
    extern __shared__ unsigned profiles[];
    shared.fill(table);
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    for (;;) {
        int number = 0;
        if (lane == 0) number = atomicAdd(taken, 1);
        number = __shfl_sync(ALL_LANES, number, 0);
        if (number >= count) return;
        const Work work = works[number];
        const LongPair pair = memory.pairs[work.pair];
        const Kept kept{pair, memory};
        LongStrip<Strip> part{pair, free, kept, stages[warp], Letters(shared, profiles, warp), letters + pair.rows_at, work.strip, lane};
        unsigned* own = stored + (size_t)work.stored * STORED_WORDS + lane;
        part.open(letters);
        if (work.from) part.each_word([&](int i, auto& word) { word = own[i * WARP]; });
        else part.begin();
        part.set_nearer();
        for (int round = work.from; round < work.to; round++) {
            if (checkpoints.before(round)) {
                unsigned* there = checkpoints.at(round, work.stored) + lane;
                part.each_word([&](int i, auto& word) { there[i * WARP] = word; });
            }
            part.rebase(round);
            const Type left = left_of(part, edges, round);
            __syncwarp();
            int reach = 0;
            if constexpr (PEAKS) reach = part.forget(peaks.least, left);
            if constexpr (MODE::local) part.start_seeing();
            if (part.needs_care(round)) part.template work<true>(round, left, [&](int row) { part.look(row); });
            else part.template work<false>(round, left, [](int) {});
            if constexpr (MODE::local) part.end_seeing();
            if constexpr (PEAKS) peaks.tell(work.stored, round, part.joined(), reach, lane);
            __syncwarp();
            hand_on(part, edges, checkpoints, round);
            if (KEEPS) part.keep_columns(round);
            __syncwarp();
        }
        if (work.to < pair.rounds()) part.each_word([&](int i, auto& word) { own[i * WARP] = word; });
        else if (!PEAKS) end_strip(part, ends + work.pair);
    }
}
