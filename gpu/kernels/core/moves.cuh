// Moves: four bits a cell, from which the way back is read.
//
// A cell's move says where its H comes from, a diagonal before I before D, and for the gaps that leave the cell
// whether they opened here. One that both opened and went on counts as opened, so that walks find the shortest gap.
#pragma once

enum Move : unsigned { STOP = 0, DIAGONAL = 1, INSERTION = 2, DELETION = 3, SOURCE = 3, E_OPENED = 4, F_OPENED = 8 };
constexpr int MOVE_BITS = 4;
