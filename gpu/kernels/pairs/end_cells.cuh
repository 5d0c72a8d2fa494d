// Cells in which alignments of long pairs may end, and what says where they are (gpu/pairs/end_points.py).
#pragma once

// Of a round of a strip. reach: no cell of it has more. The row is that of its best cell, which is in the `column` or one of the
// ITEMS - 1 after it; a score less than what was asked for says that there is none.
struct Peak {
    int reach, score, row, column;
};

// pair: its number.
struct EndCell {
    int score, row, column, pair;
};

// A part of a pair that is filled by itself: the pair's number, where the part begins in it, and which row and column of the part
// are the first of its own.
struct EndPart {
    int pair, row, column, first_row, first_column;

    __device__ __forceinline__ EndCell cell(int score, int own_row, int own_column) const {
        return EndCell{score, own_row + row, own_column + column, pair};
    }
};

// The cells that are found, those beyond the capacity only counted; and rows and columns, by their numbers in a single pair, of
// which none is wanted, or nothing.
struct EndCells {
    EndCell* all;
    unsigned long long* count;
    unsigned long long capacity;
    const unsigned char *taken_rows, *taken_columns;

    // A cell that is in its column or one of so many after it.
    __device__ __forceinline__ bool wants(const EndCell& cell, const int columns) const {
        if (!taken_rows) return true;
        bool taken = taken_rows[cell.row];
        for (int j = 0; j < columns; j++) taken |= taken_columns[cell.column + j] != 0;
        return !taken;
    }
    __device__ __forceinline__ void add(const EndCell& cell) const {
        const unsigned long long place = atomicAdd(count, 1ull);
        if (place < capacity) all[place] = cell;
    }
};
