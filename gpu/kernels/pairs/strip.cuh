// A strip of a long pair under a warp, round by round (long.cuh). The numbers of a place are 16 bits more than its base:
//
// - A row, or a column, changes H by no more than the best score and a gap's first letter. So where H of a place's first column
//   lies between LOWEST and HIGHEST, all numbers of the place stay between 0 and 32,767 for a round, as gpu/pairs/long.py
//   proves for a scheme. Between rounds the base moves where it does not.
// - The floor of local alignments is 0 less the base: it is in reach where the base is 0 alone, since a base is never above the
//   least H of the round.
#pragma once
#include "pairs/columns.cuh"
#include "pairs/ends.cuh"
#include "pairs/letters.cuh"
#include "pairs/long.cuh"

using Letters = SCORES;  // a policy of letters.cuh
using Ops = OPS;
using Type = Ops::type;
using Recurrence = RECURRENCE<Ops, MODE>;
using Strip = Columns<Recurrence, OBSERVER<Ops, ITEMS>, ITEMS>;
using Codes = Letters::Codes;
using Kept = LongKept<ITEMS>;
constexpr int STRIP_COLUMNS = PLACES * ITEMS;
static_assert(LANES == WARP);

constexpr int MIDDLE = LOWEST / 2 * 3, HIGHEST = 2 * LOWEST, MOST = (1 << 15) - 1;
constexpr int KEPT_LANES = KEPT_COLUMNS / ITEMS;  // to a kept column
constexpr int STAGED = KEEPS ? WARP / KEPT_LANES : 1;
static_assert(WARP % KEPT_LANES == 0);

// What leaves the lanes whose columns are kept, the last one's in any case, in the steps of a round: H and E.
struct Stage {
    uint2 edges[STAGED][WARP];
};

template <class Strip>
struct LongStrip {
    const LongPair& pair;
    const Free& free;
    const Kept& kept;
    Stage& stage;
    Letters source;
    const unsigned* row_letters;
    const int strip, lane;
    Strip tile;
    Edge<Type> edge;  // of the last column, on its way to the next place
    int2 base;        // of both places
    Type nearer;      // what numbers of the places before gain on their way here
    FirstEnd low, high;
    Type best;        // of the round, and the rows where it was first seen
    int2 rows_of_best;

    __device__ __forceinline__ int first(int half) const { return strip * STRIP_COLUMNS + (half * WARP + lane) * ITEMS; }
    static constexpr int outside = Recurrence::affine ? 0 : (short)(GAP_NEXT & 0xffff);  // of local alignments

    // stored: what it had before a round, where that is not the first.
    __device__ __forceinline__ void open(const unsigned* letters, const int round, const unsigned* stored) {
        const unsigned* columns = letters + pair.columns_at + (size_t)strip * (WARP * ITEMS / 4) * Letters::words;
        source.begin(columns, lane * ITEMS, WARP * ITEMS, make_int2(0, 0));
        if (round) each_word([&](int i, auto& word) { word = stored[i * WARP + lane]; });
        else begin();
        set_nearer();
    }
    __device__ __forceinline__ void store(unsigned* there) {
        each_word([&](int i, auto& word) { there[i * WARP + lane] = word; });
    }
    __device__ __forceinline__ void begin() {
        base = MODE::local ? make_int2(0, 0) : make_int2(above(first(0)) - MIDDLE, above(first(1)) - MIDDLE);
        const Type start = MODE::local ? Ops::make(outside, outside) : MIDDLE * BOTH;
#pragma unroll
        for (int j = 0; j < ITEMS; j++) tile.H[j] = tile.F[j] = start;
        tile.corner = edge.H = edge.E = start;
        low = high = FirstEnd::none();
    }
    __device__ __forceinline__ int above(int column) const { return free.top + free.top_step * (column + 1); }

    // All that a strip has between rounds, a word at a time.
    template <class Visit>
    __device__ __forceinline__ void each_word(const Visit& visit) {
#pragma unroll
        for (int j = 0; j < ITEMS; j++) visit(j, tile.H[j]), visit(ITEMS + j, tile.F[j]);
        int at = 2 * ITEMS;
        visit(at++, tile.corner), visit(at++, edge.H), visit(at++, edge.E), visit(at++, base.x), visit(at++, base.y);
        visit(at++, low.score), visit(at++, low.row), visit(at++, low.column);
        visit(at++, high.score), visit(at++, high.row), visit(at++, high.column);
    }

    __device__ __forceinline__ void set_nearer() {
        const int before_low = __shfl_up_sync(ALL_LANES, base.x, 1), last_low = __shfl_sync(ALL_LANES, base.x, WARP - 1);
        const int before_high = __shfl_up_sync(ALL_LANES, base.y, 1);
        // What comes from the strip before is given as more than this base.
        nearer = lane ? Ops::make(before_low - base.x, before_high - base.y) : Ops::make(0, last_low - base.y);
    }

    // Moves bases, where they must, before a round. Places that have no row yet stay.
    __device__ __forceinline__ void rebase(const int round) {
        const int2 shift = make_int2(round > 0 ? shift_of(Ops::low(tile.H[0]), base.x) : 0,
                                     round > 1 ? shift_of(Ops::high(tile.H[0]), base.y) : 0);
        if (!__any_sync(ALL_LANES, shift.x | shift.y)) return;
        const Type less = Ops::make(-shift.x, -shift.y);
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            tile.H[j] = Ops::add(tile.H[j], less);
            tile.F[j] = Ops::add(tile.F[j], less);
        }
        tile.corner = Ops::add(tile.corner, less);
        edge.H = Ops::add(edge.H, less);
        edge.E = Ops::add(edge.E, less);
        base.x += shift.x, base.y += shift.y;
        set_nearer();
    }
    static __device__ __forceinline__ int shift_of(const int H, const int base) {
        if (H <= HIGHEST && (H >= LOWEST || (MODE::local && base == 0))) return 0;
        return MODE::local ? max(H - MIDDLE, -base) : H - MIDDLE;
    }

    // H and E left of the matrix in a row.
    __device__ __forceinline__ int2 beside(int row) const {
        if (MODE::local) return make_int2(outside, Recurrence::affine ? 0 : outside);
        const int H = free.left + free.left_step * (row + 1);
        return make_int2(H, H + (short)(GAP_FIRST & 0xffff));
    }

    // The steps of a round. left: H and E left of the strip in its rows, a row a lane, as more than the base of place 0.
    // visit: called after each, where they are to be done carefully, with the row of the low half.
    template <bool careful, class Visit>
    __device__ __forceinline__ void work(const int round, const Type left, const Visit& visit) {
        const int from = LEAD + round * WARP - lane, shift = from % 4 * 8;
        const unsigned* words = row_letters + from / 4;
        unsigned low_word = words[0], high_word = words[-WARP / 4], low_next = words[1], high_next = words[1 - WARP / 4];
#pragma unroll 1
        for (int step = 0; step < WARP; step += 4) {
            Codes codes = Letters::joined(__funnelshift_r(low_word, low_next, shift), __funnelshift_r(high_word, high_next, shift));
            // Asked for before the steps that need them.
            words++;
            low_word = low_next, high_word = high_next;
            low_next = words[1], high_next = words[1 - WARP / 4];
            Type bests[4];
#pragma unroll(careful ? 1 : 4)
            for (int u = 0; u < 4; u++, codes = Letters::next(codes)) {
                take(__shfl_sync(ALL_LANES, left, step + u));
                if (!MODE::local && careful && round < 2 && lane == step + u) enter(round);
                tile.relax(edge, source.row(codes), Gaps<Type>{GAP_FIRST, GAP_NEXT});
                const int row = round * WARP + step + u - lane;
                if constexpr (MODE::local) bests[u] = tile.observer.best;
                if constexpr (careful) visit(row);
                if (KEEPS ? lane % KEPT_LANES == KEPT_LANES - 1 : lane == WARP - 1)
                    stage.edges[lane * STAGED / WARP][step + u] = make_uint2(edge.H, edge.E);
                if (KEEPS && (row + 1 & KEPT_ROWS - 1 & ~WARP) == 0) keep_row(row);
            }
            if constexpr (MODE::local) see(bests, round * WARP + step - lane);
        }
    }

    // What the place before had one step ago; the first place, what stands left of the strip; place 32, what place 31 had.
    __device__ __forceinline__ void take(const Type left) {
        edge.H = Ops::add(permute(__shfl_sync(ALL_LANES, edge.H, (lane + WARP - 1) % WARP), left, lane ? 0x3210 : 0x1054), nearer);
        if (Recurrence::affine)
            edge.E = Ops::add(permute(__shfl_sync(ALL_LANES, edge.E, (lane + WARP - 1) % WARP), left, lane ? 0x3210 : 0x1076), nearer);
        else edge.E = edge.H;
    }

    // A place's first row: until then it had none.
    __device__ __forceinline__ void enter(const int half) {
        const int column = first(half), own = half ? base.y : base.x;
        const int gap = (short)(GAP_FIRST & 0xffff) + (short)(GAP_NEXT & 0xffff);
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            set(tile.H[j], half, above(column + j) - own);
            set(tile.F[j], half, above(column + j) - own + gap);
        }
        set(tile.corner, half, (column ? above(column - 1) : free.base) - own);
    }
    static __device__ __forceinline__ void set(Type& both, int half, int number) {
        both = permute(both, number, half ? 0x5410 : 0x3254);
    }

    // A local alignment ends in the first row that has its score, in the first of the columns that have it there: which one of
    // a place's, the way back finds.
    __device__ __forceinline__ void see(const Type (&bests)[4], const int row) {
        if (bests[3] == best) return;
#pragma unroll
        for (int u = 0; u < 4; u++) {
            const Type risen = bests[u] ^ best;
            best = bests[u];
            if (risen & 0xffff) rows_of_best.x = row + u;
            if (risen >> 16) rows_of_best.y = row + u - WARP;
        }
    }
    // Before a round of which the best is to be seen by itself, if it scores so much: what cells of it may have through gaps
    // that come from outside. By diagonal steps none has more than is seen.
    __device__ __forceinline__ int forget(const int least, const Type left) {
        low = high = FirstEnd::at(least - 1, 0, 0);
        Type most = Recurrence::affine ? edge.E : edge.H;
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            const Type coming = Recurrence::affine ? tile.F[j] : tile.H[j];
            most = Ops::max3(most, coming, coming);
        }
        const int beside = Recurrence::affine ? Ops::high(left) : Ops::low(left);
        const int reach = max(Ops::low(most) + base.x, Ops::high(most) + base.y);
        return __reduce_max_sync(ALL_LANES, max(reach, beside + __shfl_sync(ALL_LANES, base.x, 0)));
    }
    __device__ __forceinline__ void start_seeing() {
        // All numbers of a place are 0 at least.
        best = tile.observer.best = Ops::make(max(min(low.score - base.x, MOST), -1), max(min(high.score - base.y, MOST), -1));
        rows_of_best = make_int2(-1, -1);
    }
    __device__ __forceinline__ void end_seeing() {
        if (rows_of_best.x >= 0) low = FirstEnd::at(Ops::low(best) + base.x, rows_of_best.x, first(0));
        if (rows_of_best.y >= 0) high = FirstEnd::at(Ops::high(best) + base.y, rows_of_best.y, first(1));
    }

    // Takes in the cells of a step where an alignment from end to end may end.
    __device__ __forceinline__ void look(const int low_row) {
        if (!may_end(0, low_row) && !may_end(1, low_row - WARP)) return;
        Type H[ITEMS];  // in memory, to be read by number: registers are for the steps without this
#pragma unroll
        for (int j = 0; j < ITEMS; j++) H[j] = tile.H[j];
#pragma unroll 1
        for (int half = 0; half < 2; half++) {
            const int row = low_row - half * WARP, all = min(ITEMS, pair.columns - first(half));
            if (!may_end(half, row)) continue;
            const bool each = row == pair.rows - 1 && free.columns_end;
#pragma unroll 1
            for (int j = each ? 0 : last_column(half); j < all; j++) consider(half, row, j, H[j]);
        }
    }
    __device__ __forceinline__ int last_column(int half) const { return pair.columns - 1 - first(half); }
    // Whether a place has such a cell in a row: its last column, or all.
    __device__ __forceinline__ bool may_end(const int half, const int row) const {
        const int last = last_column(half);
        if (row < 0 || row >= pair.rows || last < 0) return false;
        return row == pair.rows - 1 ? last < ITEMS || free.columns_end : last < ITEMS && free.rows_end;
    }
    // One place's end is as good as the other's: both are joined at last.
    __device__ __forceinline__ void consider(const int half, const int row, const int j, const Type H) {
        const int column = first(half) + j, over = free.base + free.row_step * (row + 1) + free.column_step * (column + 1);
        low.consider(FirstEnd::at((half ? Ops::high(H) + base.y : Ops::low(H) + base.x) - over, row, column));
    }
    // Whether a round has steps for which more is to be done than the recurrence.
    __device__ __forceinline__ bool needs_care(const int round) const {
        return !MODE::local && (round < 2 || (round + 1) * WARP >= pair.rows || (free.rows_end && strip == pair.strips(ITEMS) - 1));
    }

    __device__ __forceinline__ void keep_row(const int low_row) {
        const int half = low_row + 1 & KEPT_ROWS - 1 ? 1 : 0, row = low_row - half * WARP, column = first(half);
        if (row < 0 || row + 1 >= pair.rows || column >= pair.columns) return;
        const size_t place = kept.row_place(row, column);
        uint4* to = (uint4*)(kept.memory.rows + place);
        const unsigned selector = half ? 0x7632 : 0x5410;
#pragma unroll
        for (int j = 0; j < ITEMS; j += 4)
            to[j / 4] = make_uint4(permute(tile.H[j], tile.F[j], selector), permute(tile.H[j + 1], tile.F[j + 1], selector),
                                   permute(tile.H[j + 2], tile.F[j + 2], selector), permute(tile.H[j + 3], tile.F[j + 3], selector));
        kept.memory.row_bases[place / ITEMS] = half ? base.y : base.x;
    }

    // Columns that are kept, as the stage has them of a round.
    __device__ __forceinline__ void keep_columns(const int round) const {
#pragma unroll
        for (int each = 0; each < 2 * STAGED; each++) {
            const int half = each / STAGED, place = (each + 1) * KEPT_LANES - 1;
            const int column = strip * STRIP_COLUMNS + (place + 1) * ITEMS - 1, row = round * WARP + lane - place;
            const int own = __shfl_sync(ALL_LANES, half ? base.y : base.x, place % WARP);
            if (column + 1 >= pair.columns) continue;
            const uint2 word = stage.edges[each % STAGED][lane];
            if (row >= 0 && row < pair.rows)
                kept.memory.columns[kept.column_place(row, column)] = permute(word.x, word.y, half ? 0x7632 : 0x5410);
            if (lane == 0) kept.memory.column_bases[kept.round_place(round, column)] = own;
        }
    }

    // The better end of all places.
    __device__ __forceinline__ FirstEnd joined() {
        low.consider(high);
#pragma unroll
        for (int distance = WARP / 2; distance; distance /= 2) low.consider(low.of_lane(distance));
        return low;
    }
};
