// Two pairs scored side by side in a register: a slot's strips, burst by burst of rows (score_pairs.cu says how).
//
// A keeper says what stays of the cells: Border, what the next strip needs; Kept (kept.cuh), what a way back needs, too.
#pragma once
#include "pairs/columns.cuh"
#include "pairs/ends.cuh"
#include "pairs/letters.cuh"
#include "pairs/slots.cuh"

using Source = SCORES;  // a policy of letters.cuh
using Ops = OPS;
using Type = Ops::type;
using Recurrence = RECURRENCE<Ops, MODE>;
using Strip = Columns<Recurrence, OBSERVER<Ops, ITEMS>, ITEMS>;
using Codes = Source::Codes;
constexpr int WIDTH = LANES * ITEMS;
constexpr int WORDS = Recurrence::affine ? 2 : 1;  // of 16 bytes for a burst of the border

// What leaves a strip, read in place by the next one.
struct Border {
    using End = BestScore;
    static constexpr bool keeps = false;
    uint4* words;

    __device__ __forceinline__ const uint4* left_of(int, int burst, int slot) const { return at(burst, slot); }
    __device__ __forceinline__ uint4* right_of(int, int burst, int slot) const { return at(burst, slot); }
    __device__ __forceinline__ uint4* at(int burst, int slot) const { return words + (size_t)burst * (WORDS * SLOTS) + slot; }
    static __device__ __forceinline__ bool leaves(int lane, int first, int columns) {
        return lane == LANES - 1 && first + ITEMS < columns;
    }
};

template <class Strip, class Keeper>
struct Scored {
    using End = typename Keeper::End;
    const Set& set;
    const unsigned* letters;
    const Free& free;
    Keeper keeper;
    Source source;
    int lane, slot;
    int2 columns, rows;  // letters of the two pairs
    End low, high;       // of them
    Strip tile;
    Edge<Type> edges[BURST];

    __device__ __forceinline__ void run() {
        const int strips = (set.columns + WIDTH - 1) / WIDTH, bursts = (set.rows + BURST - 1) / BURST;
        tile.observer.clear();
        low = high = End::none();
        for (int strip = 0; strip < strips; strip++) {
            const int first = strip * WIDTH + lane * ITEMS;
            begin(first);
            for (int step = 0; step < bursts + LANES - 1; step++) {
                const int burst = step - lane;
                take(strip, burst, bursts);
                const bool inside = LANES == 1 || (burst >= 0 && burst < bursts);
                const bool ends = !MODE::local && __any_sync(ALL_LANES, inside && may_end(first, burst));
                if (inside) {
                    const Codes codes = Source::codes(letters + set.rows_at + (burst * SLOTS + slot) * Source::words);
                    if (ends) by_rows(first, burst, codes);
                    else at_once(burst, codes);
                    if (Keeper::leaves(lane, first, set.columns)) leave(first, burst);
                    if constexpr (Keeper::keeps) keeper.keep(tile, first, burst, set);
                }
            }
            if constexpr (Keeper::keeps && MODE::local) end_strip(first);
            __syncwarp();
        }
    }

    __device__ __forceinline__ void begin(const int first) {
        source.begin(letters + set.columns_at + slot * Source::words, first, set.columns, columns);
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            if constexpr (MODE::local) {
                tile.H[j] = tile.F[j] = Recurrence::affine ? 0 : GAP_NEXT;
            } else {
                tile.H[j] = above(first + j);
                tile.F[j] = Ops::add(tile.H[j], GAP_FIRST) + GAP_NEXT;
            }
        }
        if constexpr (MODE::local) tile.corner = Recurrence::affine ? 0 : GAP_NEXT;
        else tile.corner = first ? above(first - 1) : free.base * BOTH;
    }

    __device__ __forceinline__ Type above(int column) const { return (free.top + free.top_step * (column + 1)) * BOTH; }

    // The edges on the left of a burst: of the lane before, of the strip before, or of the matrix.
    __device__ __forceinline__ void take(const int strip, const int burst, const int bursts) {
        if constexpr (LANES > 1) {
#pragma unroll
            for (int u = 0; u < BURST; u++) {
                edges[u].H = __shfl_up_sync(ALL_LANES, edges[u].H, 1);
                if (Recurrence::affine) edges[u].E = __shfl_up_sync(ALL_LANES, edges[u].E, 1);
            }
        }
        if (lane == 0 && burst < bursts) {
            if (strip) {
                const uint4* from = keeper.left_of(strip * WIDTH, burst, slot);
                const uint4 H = from[0];
                edges[0].H = H.x, edges[1].H = H.y, edges[2].H = H.z, edges[3].H = H.w;
                if constexpr (Recurrence::affine) {
                    const uint4 E = from[SLOTS];
                    edges[0].E = E.x, edges[1].E = E.y, edges[2].E = E.z, edges[3].E = E.w;
                }
            } else {
#pragma unroll
                for (int u = 0; u < BURST; u++) {
                    if constexpr (MODE::local) edges[u].H = Recurrence::affine ? 0 : GAP_NEXT;
                    else edges[u].H = (free.left + free.left_step * (burst * BURST + u + 1)) * BOTH;
                    edges[u].E = MODE::local ? 0 : Ops::add(edges[u].H, GAP_FIRST);
                }
            }
        }
        if constexpr (!Recurrence::affine) {
#pragma unroll
            for (int u = 0; u < BURST; u++) edges[u].E = edges[u].H;
        }
    }

    __device__ __forceinline__ void leave(const int first, const int burst) {
        uint4* to = keeper.right_of(first + ITEMS, burst, slot);
        to[0] = make_uint4(edges[0].H, edges[1].H, edges[2].H, edges[3].H);
        if constexpr (Recurrence::affine) to[SLOTS] = make_uint4(edges[0].E, edges[1].E, edges[2].E, edges[3].E);
    }

    __device__ __forceinline__ void row(Edge<Type>& edge, const Codes codes) {
        tile.relax(edge, source.row(codes), Gaps<Type>{GAP_FIRST, GAP_NEXT});
    }

    __device__ __forceinline__ void at_once(const int burst, Codes codes) {
#pragma unroll
        for (int u = 0; u < BURST; u++, codes = Source::next(codes)) {
            row(edges[u], codes);
            if constexpr (Keeper::keeps && MODE::local) keeper.see(tile.observer.best, burst * BURST + u);
        }
    }

    // A local alignment ends in the first row that has its score, in the first of the columns that have it there: which
    // one of a lane's, the way back finds.
    __device__ __forceinline__ void end_strip(const int first) {
        low.consider(End::at(Ops::low(tile.observer.best), keeper.rows_of_best.x, first));
        high.consider(End::at(Ops::high(tile.observer.best), keeper.rows_of_best.y, first));
        tile.observer.clear();
        keeper.clear();
    }

    // Whether these columns have cells in the burst where an alignment may end.
    __device__ __forceinline__ bool may_end(const int first, const int burst) const {
        const bool last_row = (rows.x - 1) / BURST == burst || (rows.y - 1) / BURST == burst;
        return last_row || (free.rows_end && (holds(first, columns.x - 1) || holds(first, columns.y - 1)));
    }
    static __device__ __forceinline__ bool holds(int first, int column) { return column >= first && column < first + ITEMS; }

    __device__ __forceinline__ void by_rows(const int first, const int burst, Codes codes) {
#pragma unroll 1
        for (int u = 0; u < BURST; u++) {
            row(edges[0], codes);
            codes = Source::next(codes);
            const Edge<Type> done = edges[0];
#pragma unroll
            for (int v = 0; v + 1 < BURST; v++) edges[v] = edges[v + 1];
            edges[BURST - 1] = done;
            look(first, burst * BURST + u);
        }
    }

    // Takes in the cells of a row where the alignment of either pair may end.
    __device__ __forceinline__ void look(const int first, const int row) {
        Type last = 0;
#pragma unroll
        for (int j = 0; j < ITEMS; j++) last |= tile.H[j] & source.last(j, first + j, columns);
        const int under = free.base + free.row_step * (row + 1);
        consider(low, Ops::low(last) - under, first, row, columns.x, rows.x);
        consider(high, Ops::high(last) - under, first, row, columns.y, rows.y);
        if (!free.columns_end || (row != rows.x - 1 && row != rows.y - 1)) return;
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            const int level = under + free.column_step * (first + j + 1);
            if (row == rows.x - 1 && first + j < columns.x) low.consider(End::at(Ops::low(tile.H[j]) - level, row, first + j));
            if (row == rows.y - 1 && first + j < columns.y) high.consider(End::at(Ops::high(tile.H[j]) - level, row, first + j));
        }
    }

    __device__ __forceinline__ void consider(End& end, int last, int first, int row, int columns, int rows) const {
        if (holds(first, columns - 1) && (row == rows - 1 || (free.rows_end && row < rows)))
            end.consider(End::at(last - free.column_step * columns, row, columns - 1));
    }

    // The best of the group's lanes, of each pair.
    __device__ __forceinline__ void join() {
        if constexpr (MODE::local && !Keeper::keeps) {
            tile.observer.template join<LANES>();
            low = End::at(Ops::low(tile.observer.best), 0, 0);
            high = End::at(Ops::high(tile.observer.best), 0, 0);
        } else {
#pragma unroll
            for (int distance = LANES / 2; distance; distance /= 2) {
                low.consider(low.of_lane(distance));
                high.consider(high.of_lane(distance));
            }
        }
    }
};
