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
    __device__ __forceinline__ unsigned operator()(int column, int row) const {
        const int lane = column % STRIP / PAIR_ITEMS;
        return *at(column / STRIP, row + lane, lane) >> column % PAIR_ITEMS * MOVE_BITS & (1 << MOVE_BITS) - 1;
    }
    // Sets the first bit of a cell's.
    __device__ __forceinline__ void mark(int column, int row) const {
        const int lane = column % STRIP / PAIR_ITEMS;
        atomicOr(at(column / STRIP, row + lane, lane), 1u << column % PAIR_ITEMS * MOVE_BITS);
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
        if (more == 0) return;
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

// Where a way back has come to: the last letters that are left, and the gap whose next letter this may be.
struct Way {
    int column, row;
    unsigned gap;

    __device__ __forceinline__ bool at_border() const { return column < 0 || row < 0; }
};

// Goes back through the cells whose moves there are, from column `left` and row `top` on, the whole warp along: a lane
// looks at the cell that lies its number of steps away, so that a run costs one access to memory for each 32 columns of
// the alignment. True where H is 0; else the way has left these cells. `along` are gaps along a row.
template <unsigned along, unsigned down>
__device__ __forceinline__ bool walk(const MoveTable& moves, const int left, const int top, Way& way, Runs& runs, int lane) {
    for (;;) {
        const int over = way.gap != down, under = way.gap != along;
        const int column = way.column - over * lane, row = way.row - under * lane;
        const bool here = column >= left && row >= top;
        const unsigned move = here ? moves(column - left, row - top) : 0u;
        // A gap goes on up to the nearest cell where it opened.
        const unsigned opened = way.gap == along ? E_OPENED : F_OPENED;
        const int steps = leading(here && (way.gap ? !(move & opened) : (move & SOURCE) == DIAGONAL));
        runs.add(way.gap ? way.gap : DIAGONAL, steps, lane == 0);
        way.column -= over * steps;
        way.row -= under * steps;
        if (steps == WARP) continue;
        if (!__shfl_sync(ALL_LANES, here, steps)) return false;
        if (way.gap) {
            way.gap = 0;
            continue;
        }
        const unsigned source = __shfl_sync(ALL_LANES, move, steps) & SOURCE;
        if (source == STOP) return true;
        way.gap = source;
        runs.add(source, 1, lane == 0);
        way.column -= source == along;
        way.row -= source == down;
    }
}

// Then along a border that is not free, if need be, by the letters of both that are left.
__device__ __forceinline__ void walk_border(const Borders& borders, int& query, int& subject, Runs& runs, int lane) {
    if (query == 0 && subject > 0 && !borders.is_free(FREE_SUBJECT_BEGIN)) {
        runs.add(DELETION, subject, lane == 0);
        subject = 0;
    } else if (subject == 0 && query > 0 && !borders.is_free(FREE_QUERY_BEGIN)) {
        runs.add(INSERTION, query, lane == 0);
        query = 0;
    }
}

// Appends the runs of the warp's way to those of all pairs, first to last.
__device__ __forceinline__ int append_of_warp(const Runs& way, int* runs, int* taken, const int lane) {
    int start = 0;
    if (lane == 0) start = atomicAdd(taken, way.count);
    start = __shfl_sync(ALL_LANES, start, 0);
    __syncwarp();
    for (int i = lane; i < way.count; i += WARP) runs[start + i] = way.words[way.count - 1 - i];
    return start;
}
