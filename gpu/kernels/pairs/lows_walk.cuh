// Ways back of pairs of DNA through the low bits of H, wherever these lie.
//
// A value is known exactly at the end, and so from cell to cell: neighbours in a row or column differ by gap_first down and
// gap_first + most up at the most, which LOW_BITS bits tell apart, and neighbours on a diagonal by a score. The gap that
// explains a cell is looked for outwards from it, and no further than H could still be high enough.
#pragma once
#include "core/moves.cuh"
#include "core/recurrence.cuh"
#include "pairs/borders.cuh"
#include "pairs/lows.cuh"
#include "pairs/walk.cuh"

constexpr int MASK = (1 << LOW_BITS) - 1;

// Cells tell the low bits of H after so many letters of each, one at least, and which cells there are.
template <class Cells>
struct Matrix {
    Cells cells;
    Borders borders;
    int most;  // the best score of a letter, 0 at least

    __device__ __forceinline__ int low(int i, int j) const { return cells.low(i, j); }
    __device__ __forceinline__ int border(int i, int j) const {
        return MODE::local ? 0 : i ? borders.after_query(i) : borders.after_subject(j);
    }
    // How much more H is at a cell than at the one before it in its row or column.
    __device__ __forceinline__ int gain(int low, int low_before) const {
        const int first = -borders.gaps.first;
        return (low - low_before + first & MASK) - first;
    }
    // The letters of the shortest gap that explains H at a cell, or 0: of the query (down 1, over 0), or of the subject.
    __device__ __forceinline__ int gap(int i, int j, const int h, const int down, const int over) const {
        int there = h, passed = low(i, j);
        for (int letters = 1; letters <= (down ? i : j); letters++) {
            const int wanted = h - borders.gap(letters), to_i = i - down * letters, to_j = j - over * letters;
            if (wanted > most * min(to_i, to_j)) return 0;
            if (!cells.holds(to_i, to_j)) return 0;
            if (to_i == 0 || to_j == 0) return border(to_i, to_j) == wanted ? letters : 0;
            const int next = low(to_i, to_j);
            there -= gain(passed, next);
            passed = next;
            if (there == wanted) return letters;
        }
        return 0;
    }
};
