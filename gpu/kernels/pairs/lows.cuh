// The low bits of H, from which short pairs are walked back: neighbours differ by so little that these tell by how much.
//
// A thread has the packed cells of two pairs, LOW_ITEMS columns of a strip at a time, and stores them 16 bytes at a time,
// what a warp stores together lying together.
#pragma once
#include "core/permute.cuh"
#include "core/recurrence.cuh"
#include "core/warp.cuh"

constexpr int WORD_ITEMS = 16 / LOW_BITS;  // columns of a word, whose halves are of the two pairs
constexpr int UNITS = LOW_ITEMS / WORD_ITEMS / 4;
static_assert(UNITS * WORD_ITEMS * 4 == LOW_ITEMS);
static_assert(LOW_BITS == 4 || LOW_BITS == 8);

// As gpu/pairs/short.py packs them: rows are of the query, columns of the subject.
struct Pair {
    long long query, subject;  // where letters begin
    long long runs;            // room for as many as there can be
    int rows, columns;
};

// The pairs of a warp, two to each lane.
struct Warp {
    long long lows;  // where they begin, in units of 16 bytes
    long long border;
    int rows, strips;
};

// Where a pair's way back begins: in a local alignment in some column of this strip, else in this very cell. H is that
// of the last cell of all.
struct Start {
    int score, row, column, corner;
};

// The bits of one number where the mask has ones, of the other elsewhere; written out it takes two instructions.
__device__ __forceinline__ unsigned select(unsigned mask, unsigned ones, unsigned others) {
    unsigned selected;
    asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(selected) : "r"(mask), "r"(ones), "r"(others));
    return selected;
}

// The observer: the low bits of a row, and in local mode its best S (observers.cuh says why S).
template <class Ops, class Mode, int items>
struct Lows {
    using type = typename Ops::type;
    static constexpr unsigned LOW = 0x000f000f, BYTES = 0x6240;
    unsigned words[items / WORD_ITEMS];
    type row_best, previous, before;  // S and H of the column before
    unsigned joined;                  // of the two columns before

    __device__ __forceinline__ void clear() { begin_row(); }
    __device__ __forceinline__ void begin_row() { row_best = previous = 0; }
    __device__ __forceinline__ void see(int j, const Cell<type>& cell) {
        if (Mode::local) {
            if (j % 2) row_best = Ops::max3(row_best, previous, cell.S);
            previous = cell.S;
        }
        if (LOW_BITS == 8) {
            if (j % 2) words[j / 2] = permute(before, cell.H, BYTES);
        } else if (j % 2) {
            const unsigned both = select(LOW, before, cell.H * 16);
            if (j % 4 == 3) words[j / 4] = permute(joined, both, BYTES);
            joined = both;
        }
        before = cell.H;
    }
};
static_assert(LOW_ITEMS % 4 == 0);
