// Scores pairs of sequences of A, C, G and T, two to a register: the parts of gpu/family.py, ITEMS, LANES, THREADS,
// BLOCKS (of a multiprocessor), GAP_FIRST and GAP_NEXT (in both halves) are macros.
//
// A slot is two pairs of like lengths, a group of LANES lanes owns a slot, and a warp a set of WARP / LANES slots, which
// it takes from a counter. A lane owns ITEMS columns of a query in registers; lane l works on burst t - l of BURST rows
// in step t, and hands H and E of its last column on by shuffle. A query longer than LANES * ITEMS takes several strips:
// what leaves one stands in `border`, 8 bytes a row and slot (4 where gaps are linear), and is read in place.
//
// Alignments from end to end are read where they may end. Bursts that hold such cells are few, and go row by row.
//
// Device memory per packed cell: 16 / (LANES * ITEMS) bytes of border, and 1 / (LANES * ITEMS) bytes of letters.
// Limits: 16 bits, by the caller's proof (gpu/pairs/potential.py). Padding follows letters; it may be worth anything
// that fits, since nothing flows back from it.
#include "pairs/columns.cuh"
#include "pairs/slots.cuh"

using Ops = OPS;
using Type = Ops::type;
using Recurrence = RECURRENCE<Ops, MODE>;
using Strip = Columns<Recurrence, OBSERVER<Ops, ITEMS>, ITEMS>;
constexpr int WIDTH = LANES * ITEMS;
constexpr int WORDS = Recurrence::affine ? 2 : 1;  // of 16 bytes for a burst of the border

// Of alignments from end to end: H beyond the matrix, and where it is read. All in potential form.
struct Free {
    int base;                   // H at the corner
    int left, left_step;        // H left of row r is left + left_step * (r + 1)
    int top, top_step;          // H above column c is top + top_step * (c + 1)
    int row_step, column_step;  // p and q
    int query_end, subject_end;
};

template <class Strip>
struct Scored {
    const Set& set;
    const unsigned* letters;
    const Free& free;
    uint4* border;
    const uint2* row_scores;
    const unsigned* selectors;
    int lane, slot;
    int2 columns, rows;  // letters of the two pairs
    int2 best;
    Strip tile;
    Edge<Type> edges[BURST];

    __device__ __forceinline__ void run() {
        const int strips = (set.columns + WIDTH - 1) / WIDTH, bursts = (set.rows + BURST - 1) / BURST;
        tile.observer.clear();
        best = make_int2(NOTHING, NOTHING);
        for (int strip = 0; strip < strips; strip++) {
            const int first = strip * WIDTH + lane * ITEMS;
            begin(first);
            for (int step = 0; step < bursts + LANES - 1; step++) {
                const int burst = step - lane;
                take(strip, burst, bursts);
                const bool inside = LANES == 1 || (burst >= 0 && burst < bursts);
                const bool ends = !MODE::local && __any_sync(ALL_LANES, inside && may_end(first, burst));
                if (inside) {
                    const unsigned codes = letters[set.rows_at + burst * SLOTS + slot];
                    if (ends) by_rows(first, burst, codes);
                    else at_once(codes);
                    if (lane == LANES - 1 && strip + 1 < strips) leave(burst);
                }
            }
            __syncwarp();
        }
    }

    __device__ __forceinline__ void begin(const int first) {
        const unsigned char* codes = (const unsigned char*)(letters + set.columns_at + slot);
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            const int column = first + j;
            const int code = column < set.columns ? codes[column / 4 * (4 * SLOTS) + column % 4] / CODE_BYTES : PADDING;
            tile.selectors[j] = selectors[code];
            if constexpr (MODE::local) {
                tile.H[j] = tile.F[j] = Recurrence::affine ? 0 : GAP_NEXT;
            } else {
                if (column == columns.x - 1) tile.selectors[j] |= LAST_LOW;
                if (column == columns.y - 1) tile.selectors[j] |= LAST_HIGH;
                tile.H[j] = above(column);
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
                const uint4* from = border + (size_t)burst * (WORDS * SLOTS) + slot;
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

    __device__ __forceinline__ void leave(const int burst) {
        uint4* to = border + (size_t)burst * (WORDS * SLOTS) + slot;
        to[0] = make_uint4(edges[0].H, edges[1].H, edges[2].H, edges[3].H);
        if constexpr (Recurrence::affine) to[SLOTS] = make_uint4(edges[0].E, edges[1].E, edges[2].E, edges[3].E);
    }

    __device__ __forceinline__ void row(Edge<Type>& edge, const unsigned code) {
        const SCORES scores{*(const uint2*)((const char*)row_scores + code)};
        tile.relax(edge, scores, Gaps<Type>{GAP_FIRST, GAP_NEXT});
    }

    __device__ __forceinline__ void at_once(const unsigned codes) {
#pragma unroll
        for (int u = 0; u < BURST; u++) row(edges[u], codes >> 8 * u & 0xff);
    }

    // Whether these columns have cells in the burst where an alignment may end.
    __device__ __forceinline__ bool may_end(const int first, const int burst) const {
        const bool last_row = (rows.x - 1) / BURST == burst || (rows.y - 1) / BURST == burst;
        return last_row || (free.subject_end && (holds(first, columns.x - 1) || holds(first, columns.y - 1)));
    }
    static __device__ __forceinline__ bool holds(int first, int column) { return column >= first && column < first + ITEMS; }

    __device__ __forceinline__ void by_rows(const int first, const int burst, unsigned codes) {
#pragma unroll 1
        for (int u = 0; u < BURST; u++) {
            row(edges[0], codes & 0xff);
            codes >>= 8;
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
        for (int j = 0; j < ITEMS; j++) last |= tile.H[j] & permute(tile.selectors[j], 0, LAST_MASK);
        const int under = free.base + free.row_step * (row + 1);
        consider(best.x, Ops::low(last) - under, first, row, columns.x, rows.x);
        consider(best.y, Ops::high(last) - under, first, row, columns.y, rows.y);
        if (!free.query_end || (row != rows.x - 1 && row != rows.y - 1)) return;
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            const int level = under + free.column_step * (first + j + 1);
            if (row == rows.x - 1 && first + j < columns.x) best.x = max(best.x, Ops::low(tile.H[j]) - level);
            if (row == rows.y - 1 && first + j < columns.y) best.y = max(best.y, Ops::high(tile.H[j]) - level);
        }
    }

    __device__ __forceinline__ void consider(int& best, int last, int first, int row, int columns, int rows) const {
        if (holds(first, columns - 1) && (row == rows - 1 || (free.subject_end && row < rows)))
            best = max(best, last - free.column_step * columns);
    }

    // The best of the group's lanes, of each pair.
    __device__ __forceinline__ int2 joined() {
        if constexpr (MODE::local) {
            tile.observer.template join<LANES>();
            return make_int2(Ops::low(tile.observer.best), Ops::high(tile.observer.best));
        } else {
#pragma unroll
            for (int distance = LANES / 2; distance; distance /= 2) {
                best.x = max(best.x, __shfl_xor_sync(ALL_LANES, best.x, distance));
                best.y = max(best.y, __shfl_xor_sync(ALL_LANES, best.y, distance));
            }
            return best;
        }
    }
};

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
score_pairs(const Set* __restrict__ sets, const int count, const unsigned* __restrict__ letters,
            const int2* __restrict__ columns, const int2* __restrict__ rows, const uint4 table, const Free free,
            uint4* border, const int border_bursts, int* taken, int2* __restrict__ scores) {
    __shared__ uint2 row_scores[PADDING + 1];
    __shared__ unsigned selectors[PADDING + 1];
    const unsigned of_letter[CODES] = {table.x, table.y, table.z, table.w, 0};
    for (int code = threadIdx.x; code < PADDING + 1; code += THREADS) {
        row_scores[code] = make_uint2(of_letter[code % CODES], of_letter[code / CODES]);
        selectors[code] = selector_of(code);
    }
    __syncthreads();
    const int lane = threadIdx.x % WARP, warp = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP;
    uint4* own = border + (size_t)warp * border_bursts * (WORDS * SLOTS);
    for (;;) {
        int number = 0;
        if (lane == 0) number = atomicAdd(taken, 1);
        number = __shfl_sync(ALL_LANES, number, 0);
        if (number >= count) return;
        const Set set = sets[number];
        const int slot = lane / LANES, global_slot = number * SLOTS + slot;
        Scored<Strip> part{set, letters, free, own, row_scores, selectors, lane % LANES, slot, columns[global_slot], rows[global_slot]};
        part.run();
        const int2 found = part.joined();
        if (part.lane == 0) scores[global_slot] = found;
    }
}
