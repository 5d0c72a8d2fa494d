// Where alignments of pairs may begin and end, and which end is taken.
#pragma once
#include "core/modes.cuh"
#include "core/warp.cuh"

// Of alignments from end to end: H beyond the matrix, and where it is read. All in potential form.
struct Free {
    int base;                   // H at the corner
    int left, left_step;        // H left of row r is left + left_step * (r + 1)
    int top, top_step;          // H above column c is top + top_step * (c + 1)
    int row_step, column_step;  // p and q
    int columns_end, rows_end;  // whether letters may be left out there
};

// A score, wherever it was seen.
struct BestScore {
    int score;

    static __device__ __forceinline__ BestScore none() { return BestScore{NOTHING}; }
    __device__ __forceinline__ void consider(const BestScore& other) { score = max(score, other.score); }
    static __device__ __forceinline__ BestScore at(int score, int, int) { return BestScore{score}; }
    __device__ __forceinline__ BestScore of_lane(int distance) const {
        return BestScore{__shfl_xor_sync(ALL_LANES, score, distance)};
    }
};

// The cell where an alignment ends, or the first of those columns where it may: the larger score, then the smaller row,
// then the smaller column.
struct FirstEnd {
    int score, row, column;

    static __device__ __forceinline__ FirstEnd none() { return FirstEnd{MODE::local ? 0 : NOTHING, 0, 0}; }
    static __device__ __forceinline__ FirstEnd at(int score, int row, int column) { return FirstEnd{score, row, column}; }
    __device__ __forceinline__ void consider(const FirstEnd& other) {
        const bool first = other.row != row ? other.row < row : other.column < column;
        if (other.score > score || (other.score == score && first)) *this = other;
    }
    __device__ __forceinline__ FirstEnd of_lane(int distance) const {
        return FirstEnd{__shfl_xor_sync(ALL_LANES, score, distance), __shfl_xor_sync(ALL_LANES, row, distance),
                        __shfl_xor_sync(ALL_LANES, column, distance)};
    }
};
static_assert(sizeof(FirstEnd) == 4 * END_WORDS);
