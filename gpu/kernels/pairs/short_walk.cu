// The ways back of short pairs of DNA, a thread to each, through the low bits of H that short_fill.cu stored.
#include "pairs/lows_walk.cuh"

// Where short_fill.cu stored the low bits of a pair.
struct Strips {
    const unsigned short* lows;
    int rows;  // of the warp

    __device__ __forceinline__ int low(int i, int j) const {
        const int column = (j - 1) % LOW_ITEMS, word = column / WORD_ITEMS;
        const long long unit = ((long long)((j - 1) / LOW_ITEMS) * rows + i - 1) * UNITS + word / 4;
        return lows[unit * WARP * 8 + word % 4 * 2] >> column % WORD_ITEMS * LOW_BITS & MASK;
    }
    __device__ __forceinline__ bool holds(int, int) const { return true; }
};

struct ShortMatrix : Matrix<Strips> {
    const unsigned* scores;

    __device__ __forceinline__ bool diagonal(int i, int j, int h, int score) const {
        if (i == 1 || j == 1) return h == border(i - 1, j - 1) + score;
        return (low(i - 1, j - 1) + score - h & MASK) == 0;
    }
    // The first column from this one on that has the best H of the row, to the end of the strip.
    __device__ __forceinline__ int first_best(int i, int j, const int columns) const {
        const int last = min(columns, j + LOW_ITEMS - 1);
        int h = 0, best = 0, first = j, passed = low(i, j);
        for (j++; j <= last; j++) {
            const int next = low(i, j);
            h += gain(next, passed);
            passed = next;
            if (h > best) best = h, first = j;
        }
        return first;
    }
    // The best cell of the last column, if it comes before what was found in the last row.
    __device__ __forceinline__ void look_up(int i, const int j, Start& start) const {
        int h = start.corner, passed = low(i, j);
        for (i--; i > 0; i--) {
            const int next = low(i, j);
            h -= gain(passed, next);
            passed = next;
            if (h >= start.score) start = Start{h, i, j, 0};
        }
        if (border(0, j) >= start.score) start = Start{border(0, j), 0, j, 0};
    }
};

// The letters of a sequence, read eight at a time: ways go through them one after the other.
struct Letters {
    const unsigned long long* words;
    long long first, held;
    unsigned long long word;

    __device__ __forceinline__ int operator()(int index) {
        const long long at = (first + index) / 8;
        if (at != held) word = words[held = at];
        return word >> (first + index) % 8 * 8 & 0xff;
    }
};

__device__ __forceinline__ void walk_back(const ShortMatrix& matrix, Letters query, Letters subject, int& i, int& j, int h,
                                          Runs& runs) {
    while (i && j && !(MODE::local && h == 0)) {
        const int score = (signed char)(matrix.scores[query(i - 1)] >> subject(j - 1) * 8);
        if (matrix.diagonal(i, j, h, score)) {
            runs.add(DIAGONAL, 1, true);
            i--;
            j--;
            h -= score;
            continue;
        }
        const int down = matrix.gap(i, j, h, 1, 0), over = down ? 0 : matrix.gap(i, j, h, 0, 1);
        // Something explains every cell; if the matrix were wrong, better a fault than a way without end.
        if (down + over == 0) __trap();
        runs.add(down ? INSERTION : DELETION, down + over, true);
        i -= down;
        j -= over;
        h -= matrix.borders.gap(down + over);
    }
}

// Appends each lane's runs to those of all pairs, first to last.
__device__ __forceinline__ int append(const Runs& way, int* runs, int* taken, const int lane) {
    int before = way.count;
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const int other = __shfl_up_sync(ALL_LANES, before, distance);
        if (lane >= distance) before += other;
    }
    int start = 0;
    if (lane == WARP - 1) start = atomicAdd(taken, before);
    start = __shfl_sync(ALL_LANES, start, WARP - 1) + before - way.count;
    for (int i = 0; i < way.count; i++) runs[start + i] = way.words[way.count - 1 - i];
    return start;
}

extern "C" __global__ void __launch_bounds__(LOW_THREADS)
short_walk(const Pair* __restrict__ pairs, const Warp* __restrict__ warps, const unsigned long long* __restrict__ codes,
     const unsigned* __restrict__ scores, const int gap_first, const int gap_next, const int free_ends, const int most,
     const unsigned short* __restrict__ lows, const Start* __restrict__ starts, int* scratch, int* runs, int* taken,
     Found* found) {
    // Whole blocks: there are pairs without letters behind the last.
    const int number = blockIdx.x * LOW_THREADS + threadIdx.x, lane = threadIdx.x % WARP;
    const Warp warp = warps[number / (2 * WARP)];
    const Pair pair = pairs[number];
    Start start = starts[number];
    const Letters query{codes, pair.query, -1, 0}, subject{codes, pair.subject, -1, 0};
    const Strips strips{lows + (warp.lows + number / 2 % WARP) * 8 + number % 2, warp.rows};
    const ShortMatrix matrix{{strips, Borders{free_ends, {gap_first, gap_next}}, most}, scores};
    Runs way{scratch + pair.runs, 0, 0, 0};
    int i = 0, j = 0;
    if (pair.rows && !(MODE::local && start.score == 0)) {
        if (MODE::local) start.column = matrix.first_best(start.row, start.column + 1, pair.columns);
        else if (free_ends & FREE_QUERY_END) matrix.look_up(pair.rows, pair.columns, start);
        i = start.row;
        j = start.column;
        walk_back(matrix, query, subject, i, j, start.score, way);
        if (!MODE::local) walk_border(matrix.borders, i, j, way, 0);
        way.flush(true);
    } else {
        start = Start{};
    }
    const int first = append(way, runs, taken, lane);
    found[number] = Found{start.score, i, start.row, j, start.column, first, first + way.count, 0};
}
