// Cells in which alignments of long pairs may end (gpu/pairs/end_points.py).
#pragma once

// pair: its number.
struct EndCell {
    int score, row, column, pair;
};

// A part of a pair that is filled by itself: the pair's number, where the part begins in it, and which row and column of the part
// are the first of its own.
struct EndPart {
    int pair, row, column, first_row, first_column;
};
