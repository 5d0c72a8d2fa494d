// How a shard's residues lie on the device (gpu/database/packing.py makes it so).
//
// A warp works on a pack: GROUPS pairs of subjects, a group of GROUP lanes for each pair. One row of a pack is a
// 16-bit code for each pair, which names both subjects' letters: one byte a residue. Rows of padding stand between
// packs: while the lanes of a group, each a row behind its neighbour, enter a pack, and while they leave it. There are
// BURST rows between two looks at the loop's counter: packs are whole bursts.
#pragma once
#include "core/warp.cuh"

constexpr int GROUPS = WARP / GROUP;
static_assert(PAD_ROWS >= GROUP - 1);

// Letters count from 0; letters itself is the letter of padding. Codes of two letters come first, then padding in
// both, then those where the shorter subject, always the second, has ended: a kernel for pairs of equal length needs
// no table for them.
template <int letters>
struct PairCode {
    static constexpr int padding = letters * letters;
    static constexpr int even_rows = padding + 1;
    static constexpr int rows = padding + 1 + letters;
    static __device__ __forceinline__ int make(int first, int second) {
        if (second < letters) return first + letters * second;
        return first < letters ? padding + 1 + first : padding;
    }
    static __device__ __forceinline__ int first(int code) {
        return code < padding ? code % letters : code == padding ? letters : code - padding - 1;
    }
    static __device__ __forceinline__ int second(int code) { return code < padding ? code / letters : letters; }
};

// What sw_wide scores at a time.
struct Piece {
    int slot;        // 2 * (pack * GROUPS + group) + which of the pair
    int begin, end;  // rows, which may be a part of the subject's
    int subject;     // whose score this is
};
static_assert(sizeof(Piece) == 4 * PIECE_WORDS);
