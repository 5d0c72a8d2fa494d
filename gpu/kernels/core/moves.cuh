// The observer of moves: four bits a cell, from which the way back is read.
//
// A cell's move says where its H comes from, a diagonal before I before D, and for the gaps that leave the cell
// whether they opened here. One that both opened and went on counts as opened, so that walks find the shortest gap.
#pragma once
#include "core/recurrence.cuh"

enum Move : unsigned {
    STOP = 0,
    DIAGONAL = KIND_M,
    INSERTION = KIND_I,
    DELETION = KIND_D,
    SOURCE = (1 << KIND_BITS) - 1,
    E_OPENED = 1 << KIND_BITS,
    F_OPENED = 2 << KIND_BITS
};
constexpr int MOVE_BITS = KIND_BITS + 2;

// The moves of a row, and its best H, by which the caller finds the end of the best alignment. Gaps along a row leave out
// letters of the subject where the query stands in the rows: then it is F that I comes by.
template <class Ops, class Mode, int items, bool query_in_rows = false>
struct Moves {
    using type = typename Ops::type;
    static constexpr Move along = query_in_rows ? DELETION : INSERTION, down = query_in_rows ? INSERTION : DELETION;
    unsigned moves;
    type row_best;

    __device__ __forceinline__ void clear() { begin_row(); }
    __device__ __forceinline__ void begin_row() {
        moves = 0;
        row_best = type(0);
    }
    __device__ __forceinline__ void see(int j, const Cell<type>& cell) {
        const bool inserted = cell.H == (query_in_rows ? cell.F_before : cell.E_before);
        unsigned move = cell.H == cell.S ? DIAGONAL : inserted ? INSERTION : DELETION;
        if (Mode::local && cell.H == 0) move = STOP;
        move |= (cell.E == cell.opened ? E_OPENED : 0) | (cell.F == cell.opened ? F_OPENED : 0);
        moves |= move << j * MOVE_BITS;
        row_best = Ops::max2(row_best, cell.H);
    }
};

template <class Ops, class Mode, int items>
using MovesOfRows = Moves<Ops, Mode, items, true>;
