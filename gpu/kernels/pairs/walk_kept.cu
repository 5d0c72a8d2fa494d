// The ways back through matrices of which some rows and columns were kept: the tiles that a way crosses, and no others, are
// made again between these, with their moves; a warp to a pair, one tile after the other.
//
// KEPT says what was kept: KeptHalves of two pairs together (keep_pairs), or LongKept of one (fill_long). SCORES says where scores
// come from: PickedScores of DNA, from a word a letter of the row, or ByteScores, from a profile of the tile's columns in
// shared memory. AFFINE says whether E and F were kept, or are H less a gap's letter. Numbers are those of the plain recurrence:
// what was kept is potential.base + rows * potential.row + columns * potential.column more than these.
//
// Device memory: moves of one tile, and the runs of one way, for each warp.
#include "core/moves.cuh"
#include "core/recurrence.cuh"
#include "pairs/borders.cuh"
#include "pairs/ends.cuh"
#include "pairs/halves.cuh"
#include "pairs/long.cuh"
#include "pairs/profiles.cuh"
#include "pairs/walk.cuh"

using Kept = KEPT;
using Observer = OBSERVER<OPS, MODE, PAIR_ITEMS>;
using Strip = Tile<RECURRENCE<OPS, MODE>, Observer, PAIR_ITEMS>;
static_assert(STRIP == KEPT_COLUMNS);
static_assert(KEPT_ROWS % WARP == 0);
constexpr int STEPS = KEPT_ROWS + WARP;  // of a tile: the last lane is 31 rows behind the first

struct Potential {
    int base, row, column;
};

// A pair as it was kept: columns are of the subject, rows of the query.
struct Matrix {
    const unsigned char* subject;
    const unsigned char* query;
    int columns, rows;
    Kept kept;
    Potential potential;
    Borders borders;

    __device__ __forceinline__ int plain(int value, int row, int column) const {
        return value - (potential.base + potential.row * (row + 1) + potential.column * (column + 1));
    }
    // H before the first letters of one of them, after so many of the other.
    __device__ __forceinline__ int over(int columns) const { return MODE::local ? 0 : borders.after_subject(columns); }
    __device__ __forceinline__ int beside(int rows) const { return MODE::local ? 0 : borders.after_query(rows); }

    // H above a cell of the first row of a tile, and F as it enters there.
    __device__ __forceinline__ int2 above(int row, int column) const {
        if (row == 0) return make_int2(over(column + 1), over(column + 1) + borders.gaps.first);
        const int2 found = kept.in_row(row - 1, column);
        const int H = plain(found.x, row - 1, column);
        return make_int2(H, AFFINE ? plain(found.y, row, column) : H + borders.gaps.first);
    }
    // H left of a cell of the first column of a tile, and E as it enters there.
    __device__ __forceinline__ int2 left(int row, int column) const {
        if (column == 0) return make_int2(beside(row + 1), beside(row + 1) + borders.gaps.first);
        const int2 found = kept.in_column(row, column - 1);
        const int H = plain(found.x, row, column - 1);
        return make_int2(H, AFFINE ? plain(found.y, row, column) : H + borders.gaps.first);
    }
    __device__ __forceinline__ int corner(int row, int column) const {
        if (column == 0) return beside(row);
        return row ? above(row, column - 1).x : over(column);
    }
};

// A way of which a launch goes to row `stop` or column `left`, and another one further, unless it has ended.
struct Stage {
    Way way;
    int stop, left, begun, ended;
};

using PickedBases = PickedScores<PAIR_ITEMS>;

// The scores of a lane's columns with the letter of a row, by what stands for that letter.
template <class Scores>
struct Source;

// scores: a word for each letter of a row, a signed byte in it for each of a column; such a word stands for the letter.
template <>
struct Source<PickedBases> {
    uint4 table;
    unsigned selectors[PAIR_ITEMS];

    __device__ __forceinline__ Source(const void* scores, uint2*) : table(*(const uint4*)scores) {}
    __device__ __forceinline__ void begin(const unsigned char* letters, const int columns, int lane) {
        // Columns beyond the last are worth anything: nothing flows back from them.
#pragma unroll
        for (int j = 0; j < PAIR_ITEMS; j++)
            selectors[j] = letters[min(lane * PAIR_ITEMS + j, columns - 1)] * 0x1111u | 0x8880u;
    }
    __device__ __forceinline__ unsigned of(int letter) const {
        return letter & 2 ? letter & 1 ? table.w : table.z : letter & 1 ? table.y : table.x;
    }
    __device__ __forceinline__ PickedBases row(unsigned word, int) const {
        return PickedBases{word, word, selectors, 0};
    }
};

// scores: a signed byte for each letter of a column with each of a row.
template <>
struct Source<ByteScores> {
    const signed char* scores;
    Profile<ByteScores> profile;

    __device__ __forceinline__ Source(const void* scores, uint2* shared) : scores((const signed char*)scores) {
        profile.open(shared + threadIdx.x / WARP * (Profile<ByteScores>::bytes / sizeof(uint2)), nullptr, 0);
    }
    __device__ __forceinline__ void begin(const unsigned char* letters, const int columns, int lane) {
        profile.fill(letters, columns, scores, lane);
    }
    __device__ __forceinline__ unsigned of(int letter) const { return letter; }
    __device__ __forceinline__ ByteScores row(unsigned letter, int lane) const { return profile.row(letter, lane); }
};

// A tile from its first row to some row: a lane has PAIR_ITEMS columns, and is a row behind the lane before.
struct Part {
    const Matrix& matrix;
    Source<SCORES> source;
    const Gaps<int> gaps;
    unsigned* moves;
    int lane;
    Strip tile;
    unsigned letter;  // what stands for it

    __device__ __forceinline__ void begin(const int left, const int top) {
        const int first = left + lane * PAIR_ITEMS;
        source.begin(matrix.subject + left, matrix.columns - left, lane);
#pragma unroll
        for (int j = 0; j < PAIR_ITEMS; j++) {
            const int2 above = matrix.above(top, min(first + j, matrix.columns - 1));
            tile.H[j] = above.x;
            tile.F[j] = above.y;
        }
        tile.corner = matrix.corner(top, min(first, matrix.columns - 1));
        tile.E = 0;
        letter = 0;
    }

    // Makes rows up to `last`. Returns this lane's first column from `from` on that has this H there, or far more.
    __device__ __forceinline__ int fill(const int left, const int top, const int last, const int from, const int H) {
        begin(left, top);
        int found = 1 << 30;
        for (int step = 0; step < last - top + WARP; step += WARP) {
            const int row = min(top + step + lane, last);
            const unsigned next_letter = source.of(matrix.query[row]);
            const int2 next_left = matrix.left(row, left);
#pragma unroll 1
            for (int u = 0; u < WARP; u++) {
                const int beside = take(next_letter, next_left, u), own_row = top + step + u - lane;
                if (own_row >= top) tile.relax(beside, source.row(letter, lane), gaps);
                moves[(step + u) * WARP + lane] = tile.observer.moves;
                if (MODE::local && own_row == last) found = min(found, first_of(left + lane * PAIR_ITEMS, from, H));
            }
        }
        return found;
    }

    // What the lane before had one step ago; the first lane, what stands left of the tile. Returns H.
    __device__ __forceinline__ int take(unsigned next_letter, int2 next_left, int u) {
        const unsigned first_letter = __shfl_sync(ALL_LANES, next_letter, u);
        const int first_h = __shfl_sync(ALL_LANES, next_left.x, u), first_e = __shfl_sync(ALL_LANES, next_left.y, u);
        const unsigned passed_letter = __shfl_up_sync(ALL_LANES, letter, 1);
        const int passed_h = __shfl_up_sync(ALL_LANES, tile.H[PAIR_ITEMS - 1], 1);
        const int passed_e = __shfl_up_sync(ALL_LANES, tile.E, 1);
        letter = lane ? passed_letter : first_letter;
        tile.E = lane ? passed_e : first_e;
        return lane ? passed_h : first_h;
    }

    __device__ __forceinline__ int first_of(const int column, const int from, const int H) const {
        int first = 1 << 30;
#pragma unroll
        for (int j = PAIR_ITEMS - 1; j >= 0; j--)
            if (tile.H[j] == H && column + j >= from) first = column + j;
        return first;
    }
};

// The end of all: of those before the first letters, and what was found.
__device__ __forceinline__ FirstEnd end_of(const Matrix& matrix, FirstEnd end) {
    if (MODE::local) return end;
    if (matrix.borders.may_end(false, true)) end.consider(FirstEnd{matrix.over(matrix.columns), -1, matrix.columns - 1});
    if (matrix.borders.may_end(true, false)) end.consider(FirstEnd{matrix.beside(matrix.rows), matrix.rows - 1, -1});
    return end;
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
walk_kept(const int count, const unsigned char* __restrict__ codes,
          const long long* __restrict__ column_starts, const long long* __restrict__ row_starts,
          const int* __restrict__ columns, const int* __restrict__ rows, const void* __restrict__ scores, const Potential potential,
          const int gap_first, const int gap_next, const int free_ends, const Kept::Memory memory,
          const FirstEnd* __restrict__ ends, Stage* stages, unsigned* moves,
          int* scratch, const int most_runs, int* taken, int* runs_taken, int* runs, Found* found) {
    const int lane = threadIdx.x % WARP, warp = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP;
    extern __shared__ uint2 profiles[];
    const Source<SCORES> source(scores, profiles);
    const Borders borders{free_ends, {gap_first, gap_next}};
    for (int number = next_work(taken); number < count; number = next_work(taken)) {
        if (columns[number] == 0) continue;
        const Matrix matrix{codes + column_starts[number], codes + row_starts[number], columns[number], rows[number],
                            Kept::of(memory, number), potential, borders};
        FirstEnd end = end_of(matrix, ends[number]);
        if (MODE::local && end.score == 0) {
            if (lane == 0) found[number] = Found{};
            if (Kept::by_sections && stages && lane == 0) stages[number].ended = 1;
            continue;
        }
        Part part{matrix, source, borders.gaps, moves + (size_t)warp * STEPS * WARP, lane};
        Runs ways{scratch + (size_t)warp * most_runs, 0, 0, 0};
        Way back{end.column, end.row, 0};
        bool ended = false, first = true;
        if (Kept::by_sections && stages && stages[number].begun) back = stages[number].way, first = false;
        for (; !ended && !back.at_border(); first = false) {
            if (Kept::by_sections && stages && (back.row < stages[number].stop || back.column < stages[number].left)) break;
            const int left = back.column / KEPT_COLUMNS * KEPT_COLUMNS, top = back.row / KEPT_ROWS * KEPT_ROWS;
            const int column = part.fill(left, top, back.row, end.column, end.score);
            if (MODE::local && first) back.column = end.column = __reduce_min_sync(ALL_LANES, column);
            __syncwarp();
            ended = walk<Observer::along, Observer::down>(MoveTable{part.moves, 0}, left, top, back, ways, lane);
            __syncwarp();
        }
        int column = back.column + 1, row = back.row + 1;
        if constexpr (!MODE::local) walk_border(borders, row, column, ways, lane);
        ways.flush(lane == 0);
        const int start = append_of_warp(ways, runs, runs_taken, lane);
        if (lane == 0)
            found[number] = Found{end.score, row, end.row + 1, column, end.column + 1, start, start + ways.count, 0};
        if (Kept::by_sections && stages && lane == 0) {
            stages[number].way = back, stages[number].begun = 1;
            stages[number].ended = ended || back.at_border();
        }
    }
}
