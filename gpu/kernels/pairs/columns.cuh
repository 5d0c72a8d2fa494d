// A lane's columns of the matrix where both letters of a cell come in pairs: one letter for each half of a register.
//
// A row's pair code (slots.cuh) makes four signed bytes for each half, the scores of its letter with A, C, G and T; a
// column's selector picks one of each and extends its sign, so that one byte permutation makes the scores of a cell.
// With padding they are 0 or -1: nothing local gains by it.
#pragma once
#include "core/observers.cuh"
#include "core/recurrence.cuh"
#include "pairs/slots.cuh"

constexpr unsigned BOTH = 0x10001u;  // times a number that is not negative: in both halves

// Not __byte_perm, which drops the bit that extends the sign.
__device__ __forceinline__ unsigned permute(unsigned low, unsigned high, unsigned selector) {
    unsigned picked;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(picked) : "r"(low), "r"(high), "r"(selector));
    return picked;
}

// Bytes 0 to 3 are the low half's scores, 4 to 7 the high half's; 8 more is that byte's sign. Only the lower 16 bits
// count: the signs of the upper two bytes mark the last column of a half's query.
constexpr unsigned LAST_LOW = 1u << 23, LAST_HIGH = 1u << 31, LAST_MASK = 0xbbaau;

__device__ __forceinline__ unsigned selector_of(int code) {
    const unsigned low = code % CODES, high = code / CODES;
    const unsigned lows = low < BASES ? low | (low | 8) << 4 : 0x88;
    const unsigned highs = high < BASES ? (4 + high) | (12 + high) << 4 : 0xcc;
    return lows | highs << 8;
}

// The scores of a row.
struct BaseScores {
    uint2 bytes;

    __device__ __forceinline__ unsigned of(unsigned selector) const { return permute(bytes.x, bytes.y, selector); }
};

// What crosses from one lane's columns to the next at a row: H, and E as it enters there.
template <class Type>
struct Edge {
    Type H, E;
};

template <class Recurrence, class Observer, int items>
struct Columns {
    using Ops = typename Recurrence::Ops;
    using type = typename Ops::type;
    type H[items], F[items];  // of the row above
    type corner;              // H left of the first column, in the row above
    unsigned selectors[items];
    Observer observer;

    // One row, from the edge on its left to that on its right. A diagonal step is taken before H of the row above is
    // overwritten: taken later, it would need a copy.
    template <class Scores>
    __device__ __forceinline__ void relax(Edge<type>& edge, const Scores& scores, const Gaps<type>& gaps) {
        type S = Recurrence::diagonal(corner, scores.of(selectors[0]));
        corner = edge.H;
        observer.begin_row();
#pragma unroll
        for (int j = 0; j < items; j++) {
            const type next = j + 1 < items ? Recurrence::diagonal(H[j], scores.of(selectors[j + 1])) : S;
            const type E_before = edge.E, F_before = F[j];
            const type opened = Recurrence::cell(S, H[j], edge.E, F[j], gaps);
            observer.see(j, Cell<type>{S, H[j], E_before, F_before, edge.E, F[j], opened});
            S = next;
        }
        edge.H = H[items - 1];
    }
};
