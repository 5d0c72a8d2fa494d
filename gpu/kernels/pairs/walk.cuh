// The way back: what is found, where the moves of a pair lie, and the walk over them from the alignment's last cell to its first.
#pragma once
#include "core/moves.cuh"
#include "core/warp.cuh"
#include "pairs/borders.cuh"

// A lane has PAIR_ITEMS columns: their moves fill one word, their scores two. There are PAIR_BURST rows between two
// looks at what other warps have done.
constexpr int STRIP = WARP * PAIR_ITEMS;
static_assert(PAIR_ITEMS * MOVE_BITS == 32);
static_assert(PAIR_BURST == WARP);

// Where the moves of one pair lie. A warp stores a word for each lane at every step, lane l being l rows behind the
// first: what it stores together lies together.
struct MoveTable {
    unsigned* words;
    int bursts;  // of one strip: its rows, and what the last lane is behind

    static __device__ __forceinline__ int bursts_for(int rows) { return (rows + WARP - 1 + PAIR_BURST - 1) / PAIR_BURST; }
    __device__ __forceinline__ unsigned* at(int strip, int step, int lane) const {
        return words + ((long long)strip * bursts * PAIR_BURST + step) * WARP + lane;
    }
    // Outside the matrix every way ends.
    __device__ __forceinline__ unsigned operator()(int column, int row) const {
        if (column < 0 || row < 0) return STOP | E_OPENED | F_OPENED;
        const int lane = column % STRIP / PAIR_ITEMS;
        return *at(column / STRIP, row + lane, lane) >> column % PAIR_ITEMS * MOVE_BITS & (1 << MOVE_BITS) - 1;
    }
};

// What is found of a pair.
struct Found {
    int score;
    int query_start, query_end, subject_start, subject_end;
    int runs_start, runs_end, unused;
};
static_assert(sizeof(Found) == 4 * FOUND_WORDS);

// The runs of a way back, last first, neighbours of one kind joined: a word for each, its length, and KIND_BITS of kind.
struct Runs {
    int* words;
    int count, kind, length;

    __device__ __forceinline__ void add(int more_of, int more, bool writes) {
        if (more_of != kind) flush(writes);
        kind = more_of;
        length += more;
    }
    __device__ __forceinline__ void flush(bool writes) {
        if (length == 0) return;
        if (writes) words[count] = length << KIND_BITS | kind;
        count++;
        length = 0;
    }
};

// How many lanes from the first on hold true.
__device__ __forceinline__ int leading(bool held) {
    const unsigned broken = __ballot_sync(ALL_LANES, !held);
    return broken ? __ffs(broken) - 1 : WARP;
}

// Goes back from a cell until H is 0 or no letters are left of one sequence, the whole warp along: a lane looks at the
// cell that lies its number of steps away, so that a run costs one access to memory for each 32 columns of the
// alignment. Leaves column and row after what is left.
__device__ __forceinline__ void walk(const MoveTable& moves, int& column, int& row, Runs& runs, int lane) {
    for (;;) {
        const unsigned move = moves(column - lane, row - lane);
        const int diagonal = leading((move & SOURCE) == DIAGONAL);
        if (diagonal) runs.add(DIAGONAL, diagonal, lane == 0);
        column -= diagonal;
        row -= diagonal;
        if (diagonal == WARP) continue;
        const unsigned source = __shfl_sync(ALL_LANES, move, diagonal) & SOURCE;
        if (source == STOP) break;
        // The gap is as long as the way to the nearest cell where it opened.
        const int over = source == INSERTION, down = source == DELETION;
        const unsigned opened = over ? E_OPENED : F_OPENED;
        for (int extended = WARP; extended == WARP;) {
            const unsigned passed = moves(column - over * (lane + 1), row - down * (lane + 1));
            extended = leading(!(passed & opened));
            const int steps = min(extended + 1, WARP);
            runs.add(source, steps, lane == 0);
            column -= over * steps;
            row -= down * steps;
        }
    }
    column++;
    row++;
}

// Then along a border that is not free, if need be.
__device__ __forceinline__ void walk_border(const Borders& borders, int& column, int& row, Runs& runs, int lane) {
    if (column == 0 && row > 0 && !borders.is_free(FREE_SUBJECT_BEGIN)) {
        runs.add(DELETION, row, lane == 0);
        row = 0;
    } else if (row == 0 && column > 0 && !borders.is_free(FREE_QUERY_BEGIN)) {
        runs.add(INSERTION, column, lane == 0);
        column = 0;
    }
}
