// A lane's columns of the matrix where both letters of a cell come in pairs (letters.cuh): one for each half of a register.
#pragma once
#include "core/observers.cuh"
#include "core/recurrence.cuh"

constexpr unsigned BOTH = 0x10001u;  // times a number that is not negative: in both halves

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
    Observer observer;

    // One row, from the edge on its left to that on its right. A diagonal step is taken before H of the row above is
    // overwritten: taken later, it would need a copy.
    template <class Scores>
    __device__ __forceinline__ void relax(Edge<type>& edge, const Scores& scores, const Gaps<type>& gaps) {
        type S = Recurrence::diagonal(corner, scores.of(0));
        corner = edge.H;
        observer.begin_row();
#pragma unroll
        for (int j = 0; j < items; j++) {
            const type next = j + 1 < items ? Recurrence::diagonal(H[j], scores.of(j + 1)) : S;
            const type E_before = edge.E, F_before = F[j];
            const type opened = Recurrence::cell(S, H[j], edge.E, F[j], gaps);
            observer.see(j, Cell<type>{S, H[j], E_before, F_before, edge.E, F[j], opened});
            S = next;
        }
        edge.H = H[items - 1];
    }
};
