// Observers: what is kept of the cells, once H, E and F are on their way to the next ones.
//
// begin_row() comes before the cells of a row, see(j, cell) after each of them, from the first column to the last.
#pragma once
#include "core/recurrence.cuh"
#include "core/warp.cuh"

// The largest value. It is taken over S: H never passes the best S, since the best H is reached by a diagonal step or
// is 0. Using S twice also keeps the compiler from fusing its addition into a maximum, which would move work from the
// multiplier's pipe to the ALU, the pipe that limits the loop (docs/kernels.md).
template <class Ops, int items>
struct Best {
    using type = typename Ops::type;
    type best;
    type previous;  // S of the column before

    __device__ __forceinline__ void clear() { best = type(0); }
    __device__ __forceinline__ void begin_row() { previous = type(0); }
    __device__ __forceinline__ void see(int j, const Cell<type>& cell) {
        // Two columns a step: a three-way maximum costs what a two-way one does.
        if (j % 2) best = Ops::max3(best, previous, cell.S);
        else if (j == items - 1) best = Ops::max3(best, cell.S, cell.S);
        previous = cell.S;
    }
    // Takes in the best of so many neighbouring lanes.
    template <int lanes>
    __device__ __forceinline__ void join() {
#pragma unroll
        for (int distance = lanes / 2; distance; distance /= 2) {
            const type other = __shfl_xor_sync(ALL_LANES, best, distance);
            best = Ops::max3(best, other, other);
        }
    }
};

// Nothing: the schedule looks at H where alignments may end.
template <class Ops, int items>
struct Unseen {
    using type = typename Ops::type;

    __device__ __forceinline__ void clear() {}
    __device__ __forceinline__ void begin_row() {}
    __device__ __forceinline__ void see(int j, const Cell<type>& cell) {}
};
