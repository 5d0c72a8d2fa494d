// Rounds of a strip of a local pair that are left out: no alignment through them is worth as much as one that was seen already.
//
// An alignment through a round comes in with what stands above or left of it, or begins there with 0, and each of its further
// letters gains `gain` at most: so many as are left of the rows, or of the columns. Where that is less than the best score of
// the pair so far, all that follows the round without it is worth less than the best, too. A best alignment is never touched,
// nor the first of several. Timing changes which rounds are skipped, never the result.
//
// Of such a round gaps alone are followed, from above and from the left. So no number is above that of the whole matrix, and
// neighbours still differ by no more than a letter and a gap: the proof of strip.cuh holds.
//
// Source: Sandes and de Melo, IEEE Trans. Parallel Distrib. Syst. 24 (2013), block pruning of CUDAlign 2.1; what is handed on in
// place of a pruned block: own.
#pragma once
#include "pairs/handed.cuh"

// The best score of each pair so far, what two letters score at most, and a lower bound of the best score, of a single pair; 0
// of several.
struct Pruning {
    int* best;
    int gain, known;
};

// What entered a strip on its left, of the last rounds: E as it enters the first column, or H where gaps are linear.
struct Entered {
    int rows[4][WARP];

    __device__ __forceinline__ int& at(int round, int row) { return rows[round & 3][row]; }
};

struct Pruner {
    int* const best;
    const int gain;
    Entered& entered;
    int known, told;  // the best as this strip knows it, and as it stood there when last asked for

    static constexpr int first = (short)(GAP_FIRST & 0xffff), next = (short)(GAP_NEXT & 0xffff);
    static constexpr int paid = Recurrence::affine ? 0 : next;  // H of a linear scheme has paid for a gap already

    static constexpr int NEWS = 8;  // of so many rounds: what is known late is as right
    __device__ __forceinline__ void ask(const int round) {
        if (round % NEWS == 0) told = *(const volatile int*)best;
    }
    // After a round: what was asked for before it is there.
    __device__ __forceinline__ void learn(const LongStrip<Strip>& part, const int round) {
        if (round % NEWS) return;
        const int seen = __reduce_max_sync(ALL_LANES, max(part.low.score, part.high.score));
        // Of one lane: others may have read it later.
        known = max(known, __shfl_sync(ALL_LANES, told, 0));
        if (seen <= known) return;
        known = seen;
        if (part.lane == 0) atomicMax(best, seen);
    }

    // left: H in its rows, a row a lane.
    __device__ __forceinline__ bool leaves_out(const LongStrip<Strip>& part, const int left, const int round) const {
        const int rows = part.pair.rows - round * WARP + LAG, columns = part.pair.columns - part.strip * STRIP_COLUMNS;
        const int gained = gain * min(rows, columns);
        if (gained >= known) return false;
        Type most = part.tile.corner;
#pragma unroll
        for (int j = 0; j < ITEMS; j++) most = Ops::max3(most, part.tile.H[j], part.tile.H[j]);
        const int above = max(Ops::low(most) + part.base.x, Ops::high(most) + part.base.y);
        return __reduce_max_sync(ALL_LANES, max(above, left)) - part.outside + gained < known;
    }

    // H that leaves the strip in the rows which a round hands on, a row a lane. Before `follow_gaps`.
    __device__ __forceinline__ int handed_on(const LongStrip<Strip>& part, const int round) {
        const int from = part.lane + 1;
        const int along = entered.at(round - 2 + from / WARP, from % WARP) + (STRIP_COLUMNS - 1) * next;
        const Type last = Recurrence::affine ? part.tile.F[ITEMS - 1] : part.tile.H[ITEMS - 1];
        const int down = __shfl_sync(ALL_LANES, Ops::high(last) + part.base.y, WARP - 1) + part.lane * next;
        return max(0, max(along, down)) + paid;
    }

    // Takes a strip to the end of a round by gaps.
    __device__ __forceinline__ void follow_gaps(LongStrip<Strip>& part, const int round) {
        // The last row of a place, and what it has in its first column.
        const int row = WARP - 1 - part.lane;
        const Type along = Ops::make(within(entered.at(round, row) + part.lane * ITEMS * next - part.base.x),
                                     within(entered.at(round - 1, row) + (WARP + part.lane) * ITEMS * next - part.base.y));
        part.tile.corner = Ops::add(along, both(paid));
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            Type& H = part.tile.H[j];
            Type& F = part.tile.F[j];
            const Type down = Ops::add(Recurrence::affine ? F : H, both((WARP - 1) * next));
            H = Ops::add(Ops::max3_or_0(down, Ops::add(along, both(j * next)), down), both(paid));
            if (Recurrence::affine) F = Ops::add_max(down, both(next), Ops::add(H, both(first)));
        }
        Edge<Type>& edge = part.edge;
        edge.H = edge.E = part.tile.H[ITEMS - 1];
        if (Recurrence::affine) edge.E = Ops::add_max(edge.H, both(first), Ops::add(along, both(ITEMS * next)));
    }
    static __device__ __forceinline__ Type both(int number) { return Ops::make(number, number); }
    // Less is as right, and never the best.
    static __device__ __forceinline__ int within(int number) { return max(-LOWEST, min(number, MOST)); }
};
