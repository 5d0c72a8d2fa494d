// Of each round of each strip of a long pair its best cell, by which its end points are found (gpu/pairs/end_points.py).
#pragma once
#include "pairs/end_cells.cuh"
#include "pairs/ends.cuh"

// Of all strips, so many rounds of each; with the score that a cell needs.
struct Peaks {
    Peak* all;
    int rounds, least;

    __device__ __forceinline__ Peak& at(int strip, int round) const { return all[(size_t)strip * rounds + round]; }
    __device__ __forceinline__ void tell(int strip, int round, const FirstEnd& best, int reach, int lane) const {
        if (lane == 0) at(strip, round) = Peak{max(best.score, reach), best.score, best.row, best.column};
    }
};
