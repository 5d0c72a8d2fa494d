// The matrices of short pairs of DNA, two to a thread in the halves of its registers: where their best alignments end,
// and the low bits of H, by which short_walk.cu goes back.
//
// A thread owns two pairs: a strip of LOW_ITEMS columns of their subjects in registers after the other, all rows of
// their queries. What leaves a strip at a row stands in `border`, 8 bytes, for the next. A warp's pairs have its rows
// and strips, the longest of theirs: they should be of like lengths. Columns and rows beyond a pair's own gain nothing.
//
// Device memory per cell: LOW_BITS bits, and 8 / LOW_ITEMS bytes of border.
// Limits: letters of codes 0 to 3, scores of a signed byte, numbers of 16 bits (gpu/pairs/short.py counts).
#include "core/recurrence.cuh"
#include "core/scores.cuh"
#include "pairs/borders.cuh"
#include "pairs/lows.cuh"

using Scores = SCORES<LOW_ITEMS>;
using Strip = Tile<RECURRENCE<OPS, MODE>, OBSERVER<OPS, MODE, LOW_ITEMS>, LOW_ITEMS>;

constexpr int PADDING = 4;  // the code of rows beyond the query

__device__ __forceinline__ unsigned both(int v) { return OPS::make(v, v); }
__device__ __forceinline__ int half(unsigned v, int pair) { return pair ? OPS::high(v) : OPS::low(v); }

struct Thread {
    Pair pair[2];
    const unsigned char* query[2];
    Borders borders;
    Gaps<unsigned> gaps;
    unsigned selectors[LOW_ITEMS];
    Strip tile;
    Start start[2];

    // Subjects are read here alone: where they begin would take registers all the while.
    __device__ __forceinline__ void begin(const int first, const Pair* pairs, const unsigned char* codes) {
        const unsigned char* subject[2] = {codes + pairs[0].subject, codes + pairs[1].subject};
#pragma unroll
        for (int j = 0; j < LOW_ITEMS; j++) {
            const int column = first + j;
            const unsigned low = column < pair[0].columns ? Scores::half(subject[0][column]) : Scores::NONE_LOW;
            const unsigned high = column < pair[1].columns ? Scores::half(subject[1][column] + 4) << 8 : Scores::NONE_HIGH;
            selectors[j] = low | high;
            tile.H[j] = above(column + 1);
            tile.F[j] = OPS::add(tile.H[j], gaps.first);
        }
        tile.corner = above(first);
    }
    __device__ __forceinline__ unsigned above(int column) const {
        return MODE::local ? 0 : both(borders.after_subject(column));
    }
    // H and E that enter the first column.
    __device__ __forceinline__ uint2 left(int row) const {
        const unsigned h = MODE::local ? 0 : both(borders.after_query(row + 1));
        return make_uint2(h, OPS::add(h, gaps.first));
    }
    __device__ __forceinline__ int letter(int which, int row) const {
        return row < pair[which].rows ? query[which][row] : PADDING;
    }

    // A row that is the last one of a pair, where an alignment may end. One code for both: it stands in the loop.
    __device__ __forceinline__ void last_rows(const int row, const int first) {
#pragma unroll 1
        for (int which = 0; which < 2; which++) {
            if ((which ? pair[1].rows : pair[0].rows) != row + 1) continue;
            const int columns = which ? pair[1].columns : pair[0].columns;
            Start found = which ? start[1] : start[0];
#pragma unroll
            for (int j = 0; j < LOW_ITEMS; j++) {
                const int column = first + j, h = (short)(tile.H[j] >> 16 * which);
                if (column == columns - 1) found.corner = h;
                if (column < columns && h > found.score && borders.may_end(true, column == columns - 1)) {
                    found.score = h;
                    found.column = column + 1;
                }
            }
            if (which) start[1] = found;
            else start[0] = found;
        }
    }
};

extern "C" __global__ void __launch_bounds__(LOW_THREADS, LOW_BLOCKS)
short_fill(const Pair* __restrict__ pairs, const Warp* __restrict__ warps, const int count,
     const unsigned char* __restrict__ codes, const unsigned* __restrict__ scores, const int gap_first,
     const int gap_next, const int free_ends, uint4* __restrict__ lows, uint2* __restrict__ borders,
     Start* __restrict__ starts) {
    __shared__ unsigned row_scores[PADDING + 1];
    if (threadIdx.x <= PADDING) row_scores[threadIdx.x] = scores[threadIdx.x];
    __syncthreads();
    const int number = blockIdx.x * (LOW_THREADS / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (number >= count) return;
    const Warp warp = warps[number];
    const int place = number * WARP + lane;
    Thread own;
    own.borders = Borders{free_ends, {gap_first, gap_next}};
    own.gaps = Gaps<unsigned>{both(gap_first), both(gap_next)};
#pragma unroll
    for (int which = 0; which < 2; which++) {
        own.pair[which] = pairs[2 * place + which];
        own.query[which] = codes + own.pair[which].query;
        const bool before_first = !MODE::local && own.borders.may_end(true, false);
        const int rows = own.pair[which].rows;
        own.start[which] = Start{before_first ? own.borders.after_query(rows) : MODE::local ? 0 : -0x7fffffff, rows, 0, 0};
    }
    uint2* const border = borders + warp.border + lane;
    uint4* unit = lows + warp.lows + lane;
    for (int strip = 0; strip < warp.strips; strip++) {
        own.begin(strip * LOW_ITEMS, pairs + 2 * place, codes);
        unsigned best = 0;
        int best_rows[2] = {0, 0};
        // Asked for two rows ahead: memory is that far away.
        uint2 next_left = strip ? border[0] : own.left(0), later_left = strip ? border[WARP] : own.left(1);
        int low_letter = own.letter(0, 0), high_letter = own.letter(1, 0);
#pragma unroll 2
        for (int row = 0; row < warp.rows; row++) {
            const Scores picked{row_scores[low_letter], row_scores[high_letter], own.selectors, 0};
            const uint2 left = next_left;
            low_letter = own.letter(0, row + 1);
            high_letter = own.letter(1, row + 1);
            next_left = later_left;
            later_left = strip ? border[(row + 2) * WARP] : own.left(row + 2);
            own.tile.E = left.y;
            own.tile.relax(left.x, picked, own.gaps);
#pragma unroll
            for (int u = 0; u < UNITS; u++, unit += WARP) {
                const unsigned* words = own.tile.observer.words + 4 * u;
                *unit = make_uint4(words[0], words[1], words[2], words[3]);
            }
            if (strip + 1 < warp.strips) border[row * WARP] = make_uint2(own.tile.H[LOW_ITEMS - 1], own.tile.E);
            if (MODE::local) {
                const unsigned row_best = own.tile.observer.row_best, now = OPS::max3(best, row_best, row_best);
                // By their bits: what __vibmax_s16x2 says of the halves was lost in some of these loops (NVRTC 13.0).
                const unsigned risen = now ^ best;
                best = now;
                if (risen & 0xffff) best_rows[0] = row;
                if (risen >> 16) best_rows[1] = row;
            } else {
                const bool last = row + 1 == own.pair[0].rows || row + 1 == own.pair[1].rows;
                if (last) own.last_rows(row, strip * LOW_ITEMS);
            }
        }
#pragma unroll
        for (int which = 0; MODE::local && which < 2; which++) {
            const int score = half(best, which), row = best_rows[which] + 1;
            const Start before = own.start[which];
            if (score > before.score || score == before.score && score > 0 && row < before.row)
                own.start[which] = Start{score, row, strip * LOW_ITEMS, 0};
        }
    }
    starts[2 * place] = own.start[0];
    starts[2 * place + 1] = own.start[1];
}
