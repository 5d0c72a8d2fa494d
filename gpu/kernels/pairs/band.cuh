// The band of a pair: the cells near the way from corner to corner, and no others. A cell's diagonal is its column less
// its row; a band has those from `lowest`, an even number, on, 2 * BAND_ITEMS for each of its lanes.
#pragma once
#include "pairs/lows.cuh"

constexpr int BAND_UNITS = BAND_ITEMS / WORD_ITEMS / 4;
static_assert(BAND_UNITS * WORD_ITEMS * 4 == BAND_ITEMS);

// As gpu/pairs/band.py packs them: rows are of the query, columns of the subject. bound: what no alignment outside of
// the band passes.
struct BandPair {
    long long query, subject;  // where letters begin
    long long runs;            // room for as many as there can be
    int rows, columns, lowest, bound;
};

// The pairs of a warp, two to each band of so many lanes.
struct BandWarp {
    long long lows;  // where they begin, in units of 16 bytes
    int steps;       // two antidiagonals each
    int unused;
};
