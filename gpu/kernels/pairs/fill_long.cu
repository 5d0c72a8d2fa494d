// Scores long pairs of sequences, finds where their alignments end, and where KEEPS is 1 keeps what the way back needs
// (long.cuh). The other macros are those of score_pairs.
//
// A strip hands H and E of its last column on in device memory, 8 bytes a row, which the next one overwrites with its own: a
// part of the word says whose it is, so that nothing else need be said, nor waited for.
//
// Where a way back is to be found later, in sections (gpu/pairs/sections.py), strips are stored at the beginning of each, too.
//
// A launch does so many rounds of some strips, as gpu/pairs/plan.py plans it, and is bounded so. Warps take them from a counter,
// in an order in which whatever a strip waits for is done, or under way. Strips that have not ended are stored.
//
// Limits: 16 bits above a base, and 32 bits in all, by the caller's proof (gpu/pairs/long.py).
#include "pairs/strip.cuh"

// Rounds of a strip, from one to before another; stored: where it is kept between launches.
struct Work {
    int pair, strip, stored, from, to;
};

constexpr int STORED_WORDS = (2 * ITEMS + PLACE_WORDS) * WARP;

// Strips as they are before every so many rounds, but for the first: all strips of a section together.
struct Checkpoints {
    unsigned* words;
    int rounds, strips;  // no rounds: there are none

    __device__ __forceinline__ bool before(int round) const { return rounds && round && round % rounds == 0; }
    __device__ __forceinline__ unsigned* at(int round, int strip) const {
        return words + ((size_t)(round / rounds - 1) * strips + strip) * STORED_WORDS;
    }
};

// H and E left of a strip in the rows of a round, as more than the base of place 0.
__device__ __forceinline__ Type left_of(const LongStrip<Strip>& part, const unsigned long long* edges, const int round) {
    const int row = round * WARP + part.lane, own = __shfl_sync(ALL_LANES, part.base.x, 0);
    if (row >= part.pair.rows) return MODE::local ? 0 : LOWEST * BOTH;  // anything that fits
    int2 found;
    if (part.strip == 0) {
        found = part.beside(row);
    } else {
        unsigned long long word;
        for (;;) {
            asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(word) : "l"(edges + row) : "memory");
            if (word >> 48 == (part.strip & 0xffff)) break;
            __nanosleep(100);
        }
        const int H = (int)(word & 0xffffffff);
        found = make_int2(H, H - (int)(word >> 32 & 0xffff));
    }
    return Ops::make(found.x - own, found.y - own);
}

// Hands on what has left the strip in a round.
__device__ __forceinline__ void hand_on(const LongStrip<Strip>& part, unsigned long long* edges, const int round) {
    const int row = round * WARP + part.lane - LAG, own = __shfl_sync(ALL_LANES, part.base.y, WARP - 1);
    if (row < 0 || row >= part.pair.rows || part.strip == part.pair.strips(ITEMS) - 1) return;
    const uint2 edge = part.stage.edges[STAGED - 1][part.lane];
    const unsigned H = Ops::high(edge.x) + own, less = Recurrence::affine ? Ops::high(edge.x) - Ops::high(edge.y) : 0;
    const unsigned long long word = H | (unsigned long long)(less & 0xffff) << 32 | (unsigned long long)(part.strip + 1) << 48;
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(edges + row), "l"(word) : "memory");
}

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
          const Free free, const LongMemory memory, unsigned long long* edges, unsigned* stored, const Checkpoints checkpoints, int* taken, PairEnd* ends) {
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
            const Type left = left_of(part, edges + pair.edges_at, round);
            __syncwarp();
            if constexpr (MODE::local) part.start_seeing();
            if (part.needs_care(round)) part.template work<true>(round, left);
            else part.template work<false>(round, left);
            if constexpr (MODE::local) part.end_seeing();
            __syncwarp();
            hand_on(part, edges + pair.edges_at, round);
            if (KEEPS) part.keep_columns(round);
            __syncwarp();
        }
        if (work.to == pair.rounds()) end_strip(part, ends + work.pair);
        else part.each_word([&](int i, auto& word) { own[i * WARP] = word; });
    }
}
