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

// The moves of a row, and its best H, by which the caller finds the end of the best alignment.
template <class Ops, class Mode, int items>
struct Moves {
    using type = typename Ops::type;
    unsigned moves;
    type row_best;

    __device__ __forceinline__ void clear() { begin_row(); }
    __device__ __forceinline__ void begin_row() {
        moves = 0;
        row_best = type(0);
    }
    __device__ __forceinline__ void see(int j, const Cell<type>& cell) {
        unsigned move = cell.H == cell.S ? DIAGONAL : cell.H == cell.E_before ? INSERTION : DELETION;
        if (Mode::local && cell.H == 0) move = STOP;
        move |= (cell.E == cell.opened ? E_OPENED : 0) | (cell.F == cell.opened ? F_OPENED : 0);
        moves |= move << j * MOVE_BITS;
        row_best = Ops::max2(row_best, cell.H);
    }
};
