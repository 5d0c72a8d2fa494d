// What a strip of a long pair hands on to the next one, and strips as they are stored between rounds.
//
// A strip hands H and E of its last column on in device memory, 8 bytes a row; a part of the word says whose it is, so that
// nothing else need be said, nor waited for. The next strip overwrites it with its own, unless PEAKS is 1: then all stays, and
// rounds of any strip can be done again by themselves (long_cells.cu).
#pragma once
#include "pairs/strip.cuh"

// Where a strip hands on what leaves it in a row.
__device__ __forceinline__ size_t edge_place(const LongPair& pair, const int strip, const int row) {
    return pair.edges_at + (PEAKS ? (size_t)strip * pair.rows : 0) + row;
}

constexpr int STORED_WORDS = (2 * ITEMS + PLACE_WORDS) * WARP;

// Strips as they are before every so many rounds, but for the first: all strips of a section together. And what the last of
// every so many strips has handed on, where anything is asked for: a word of 8 bytes a row, each such strip by itself.
struct Checkpoints {
    unsigned* words;
    unsigned long long* edges;
    int rounds, strips;  // no rounds: there are none
    int every, unused;

    __device__ __forceinline__ bool before(int round) const { return rounds && round && round % rounds == 0; }
    __device__ __forceinline__ unsigned* at(int round, int strip) const {
        return words + ((size_t)(round / rounds - 1) * strips + strip) * STORED_WORDS;
    }
};

// H and E left of a strip in the rows of a round; own: the base of place 0.
__device__ __forceinline__ int2 left_of(const LongStrip<Strip>& part, const unsigned long long* edges, const int round, const int own) {
    const int row = round * WARP + part.lane;
    if (row >= part.pair.rows) {  // anything that fits
        const int H = MODE::local ? own : own + LOWEST;
        return make_int2(H, H);
    }
    if (part.strip == 0) return part.beside(row);
    unsigned long long word;
    const unsigned long long* from = edges + edge_place(part.pair, part.strip - 1, row);
    for (;;) {
        asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
        if (word >> 48 == (part.strip & 0xffff)) break;
        __nanosleep(100);
    }
    const int H = (int)(word & 0xffffffff);
    return make_int2(H, H - (int)(word >> 32 & 0xffff));
}

// Hands on what has left the strip in a round: H, and how much less E is.
__device__ __forceinline__ void hand_on(const LongStrip<Strip>& part, unsigned long long* edges, const Checkpoints& checkpoints,
                                        const int round, const unsigned H, const int less) {
    const int row = round * WARP + part.lane - LAG;
    if (row < 0 || row >= part.pair.rows || part.strip == part.pair.strips(ITEMS) - 1) return;
    const unsigned long long word = H | (unsigned long long)(less & 0xffff) << 32 | (unsigned long long)(part.strip + 1) << 48;
    if (checkpoints.every && (part.strip + 1) % checkpoints.every == 0)
        checkpoints.edges[(size_t)(part.strip / checkpoints.every) * part.pair.rows + row] = word;
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(edges + edge_place(part.pair, part.strip, row)), "l"(word) : "memory");
}
// The same, as the stage has it.
__device__ __forceinline__ void hand_on(const LongStrip<Strip>& part, unsigned long long* edges, const Checkpoints& checkpoints, const int round) {
    const int own = __shfl_sync(ALL_LANES, part.base.y, WARP - 1);
    const uint2 edge = part.stage.edges[STAGED - 1][part.lane];
    const int less = Recurrence::affine ? Ops::high(edge.x) - Ops::high(edge.y) : 0;
    hand_on(part, edges, checkpoints, round, Ops::high(edge.x) + own, less);
}
