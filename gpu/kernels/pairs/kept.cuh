// What stays of a large matrix, so that any part of it can be made again: a row in KEPT_ROWS, and a column in KEPT_COLUMNS.
//
// keep_pairs.cu writes it, for two pairs at a time: of a row H, and F as it enters the next one; of a column H and, where
// gaps are affine, E as it enters the next one. walk_kept.cu reads one half of each word.
#pragma once
#include "core/warp.cuh"

static_assert(KEPT_ROWS % BURST == 0);

// Where the numbers of a set begin, in their own units; KEPT_PAD columns at a time have room in a row.
struct KeptPlace {
    long long rows, columns;
};

__device__ __forceinline__ int kept_width(int columns) { return (columns + KEPT_PAD - 1) / KEPT_PAD * KEPT_PAD; }
__device__ __forceinline__ int kept_bursts(int rows) { return (rows + BURST - 1) / BURST; }
