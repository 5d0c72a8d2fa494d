// The recurrence with its moves: four bits a cell, from which the way back is read.
//
//     T = max(0, S, F)        H = max(T, E)
//     E' = max(E - next, T - first)    along the query (I); taken from T, since E - first never passes E - next:
//                                      from column to column E alone is waited for, one step of arithmetic
//     F' = max(F - next, H - first)    along the subject (D), one for each column
//
// A cell's move says where its H comes from, a diagonal before I before D, and for the gaps that leave the cell
// whether they opened here. One that both opened and went on counts as opened, so that walks find the shortest gap.
#pragma once
#include "score_ops.cuh"

constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xffffffffu;
constexpr int ITEMS = 8;  // columns of a lane: their moves fill one word, their scores two
constexpr int STRIP = WARP * ITEMS;
constexpr int BURST = WARP;  // rows between two looks at what other warps have done

enum Move : unsigned { STOP = 0, DIAGONAL = 1, INSERTION = 2, DELETION = 3, SOURCE = 3, E_OPENED = 4, F_OPENED = 8 };
constexpr int MOVE_BITS = 4;
static_assert(ITEMS * MOVE_BITS == 32);

struct Gaps {
    int first;  // minus the cost of a gap's first residue
    int next;   // minus the cost of each further residue
};

// A lane's columns of one strip.
struct Tile {
    int H[ITEMS], F[ITEMS];  // of the row above
    int E;                   // leaving the last column
    int corner;              // H left of the first column, in the row above
    int row_best;            // the largest H of this row

    // Above the first row H is 0, and no gap is worth more than one that opens there.
    __device__ __forceinline__ void clear(const Gaps gaps) {
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            H[j] = 0;
            F[j] = gaps.first;
        }
        E = gaps.first;
        corner = row_best = 0;
    }

    // One row, and its moves: `left` is H left of the first column, E what enters it; a byte for each score.
    __device__ __forceinline__ unsigned relax(const int left, const uint2 scores, const Gaps gaps) {
        unsigned moves = 0;
        int diagonal = corner;
        corner = left;
        row_best = 0;
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            const unsigned word = j < 4 ? scores.x : scores.y;
            const int S = diagonal + (signed char)(word >> j % 4 * 8);
            const int T = Int32::max3_or_0(S, F[j], F[j]);
            diagonal = H[j];
            H[j] = max(T, E);
            unsigned move = H[j] == S ? DIAGONAL : H[j] == E ? INSERTION : DELETION;
            if (H[j] == 0) move = STOP;
            const int opened = H[j] + gaps.first;
            E = Int32::add_max(E, gaps.next, T + gaps.first);
            F[j] = Int32::add_max(F[j], gaps.next, opened);
            move |= (E == opened ? E_OPENED : 0) | (F[j] == opened ? F_OPENED : 0);
            moves |= move << j * MOVE_BITS;
            row_best = max(row_best, H[j]);
        }
        return moves;
    }
};

// Where the moves of one pair lie. A warp stores a word for each lane at every step, lane l being l rows behind the
// first: what it stores together lies together.
struct Moves {
    unsigned* words;
    int bursts;  // of one strip: its rows, and what the last lane is behind

    static __device__ __forceinline__ int bursts_for(int rows) { return (rows + WARP - 1 + BURST - 1) / BURST; }
    __device__ __forceinline__ unsigned* at(int strip, int step, int lane) const {
        return words + ((long long)strip * bursts * BURST + step) * WARP + lane;
    }
    // Outside the matrix every way ends.
    __device__ __forceinline__ unsigned operator()(int column, int row) const {
        if (column < 0 || row < 0) return STOP | E_OPENED | F_OPENED;
        const int lane = column % STRIP / ITEMS;
        return *at(column / STRIP, row + lane, lane) >> column % ITEMS * MOVE_BITS & 15;
    }
};

// The runs of a way back, last first, neighbours of one kind joined: a word for each, its length and two bits of kind.
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
        if (writes) words[count] = length << 2 | kind;
        count++;
        length = 0;
    }
};

// How many lanes from the first on hold true.
__device__ __forceinline__ int leading(bool held) {
    const unsigned broken = __ballot_sync(ALL_LANES, !held);
    return broken ? __ffs(broken) - 1 : WARP;
}

// Goes back from a cell until H is 0, the whole warp along: a lane looks at the cell that lies its number of steps
// away, so that a run costs one access to memory for each 32 columns of the alignment. Leaves column and row where
// the alignment starts.
__device__ __forceinline__ void walk(const Moves& moves, int& column, int& row, Runs& runs, int lane) {
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
    runs.flush(lane == 0);
}
