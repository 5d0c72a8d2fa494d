// The ways back of pairs of DNA, a warp to each, through the low bits that band_fill.cu stored; none where its score was
// not enough.
#include "pairs/band.cuh"
#include "pairs/lows_walk.cuh"

// Where band_fill.cu stored the low bits of a pair, of numbers in potential form.
struct Band {
    const unsigned short* lows;
    int lowest, diagonals, base, next;

    __device__ __forceinline__ int low(int i, int j) const {
        const int cell = j - i - lowest >> 1, word = cell % BAND_ITEMS / WORD_ITEMS;
        const long long unit = ((long long)(i + j - 1) * BAND_UNITS + word / 4) * WARP + cell / BAND_ITEMS;
        return (lows[unit * 8 + word % 4 * 2] >> cell % WORD_ITEMS * LOW_BITS) - base - next * (i + j) & MASK;
    }
    __device__ __forceinline__ bool holds(int i, int j) const { return (unsigned)(j - i - lowest) < (unsigned)diagonals; }
};

// What a diagonal step adds to H, where letters are unlike, and how much more where they are equal.
struct Steps {
    int unlike, gain;

    __device__ __forceinline__ int worth(unsigned equal, int steps) const { return unlike * steps + gain * __popc(equal); }
};

// From the last cell on: lanes look at as many diagonal steps at a time, each knowing what H would be after its own.
__device__ __forceinline__ void walk_back(const Matrix<Band>& matrix, const unsigned char* query, const unsigned char* subject,
                                          const Steps& steps, int& i, int& j, int h, Runs& runs, const int lane) {
    while (i && j) {
        const int ahead = lane + 1, to_i = i - ahead, to_j = j - ahead;
        const bool here = to_i >= 0 && to_j >= 0;
        const unsigned equal = __ballot_sync(ALL_LANES, here && query[to_i] == subject[to_j]);
        const int there = h - steps.worth(equal & ALL_LANES >> WARP - ahead, ahead);
        const bool at_border = to_i == 0 || to_j == 0;
        const bool held = here && (at_border ? matrix.border(to_i, to_j) == there : (matrix.low(to_i, to_j) - there & MASK) == 0);
        const int taken = leading(held);
        runs.add(DIAGONAL, taken, lane == 0);
        i -= taken;
        j -= taken;
        h = taken ? __shfl_sync(ALL_LANES, there, taken - 1) : h;
        if (taken == WARP || !i || !j) continue;
        const int down = matrix.gap(i, j, h, 1, 0), over = down ? 0 : matrix.gap(i, j, h, 0, 1);
        // Something explains every cell; if the matrix were wrong, better a fault than a way without end.
        if (down + over == 0) __trap();
        runs.add(down ? INSERTION : DELETION, down + over, lane == 0);
        i -= down;
        j -= over;
        h -= matrix.borders.gap(down + over);
    }
}

extern "C" __global__ void __launch_bounds__(LOW_THREADS)
band_walk(const BandPair* __restrict__ pairs, const BandWarp* __restrict__ warps, const int count, const int lanes,
          const unsigned char* __restrict__ codes, const Steps steps, const int gap_first, const int gap_next, const int base,
          const unsigned short* __restrict__ lows, const int* __restrict__ scores, int* scratch, int* runs, int* taken,
          Found* found) {
    const int number = blockIdx.x * (LOW_THREADS / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (number >= count) return;
    const BandPair pair = pairs[number];
    const int score = scores[number], group = number / 2, bands = WARP / lanes;
    Runs way{scratch + pair.runs, 0, 0, 0};
    if (pair.rows && score > pair.bound) {
        const Band band{lows + (warps[group / bands].lows + group % bands * lanes) * 8 + number % 2, pair.lowest,
                        lanes * 2 * BAND_ITEMS, base, -gap_next};
        const Borders borders{0, {gap_first, gap_next}};
        const Matrix<Band> matrix{band, borders, max(0, steps.unlike + steps.gain)};
        int i = pair.rows, j = pair.columns;
        walk_back(matrix, codes + pair.query, codes + pair.subject, steps, i, j, score, way, lane);
        walk_border(borders, i, j, way, lane);
        way.flush(lane == 0);
    }
    const int first = append_of_warp(way, runs, taken, lane);
    if (lane == 0) found[number] = Found{score, 0, pair.rows, 0, pair.columns, first, first + way.count, 0};
}
