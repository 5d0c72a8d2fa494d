// The best alignment of each pair, local or to the ends: the matrix with its moves, then the way back
// (shardwater/alignment/gotoh.py's rule).
//
// A block owns a pair. The query is cut into strips of STRIP columns, which the block's warps take in turn; a lane
// owns PAIR_ITEMS consecutive columns of its warp's strip in registers and works on row t - l in step t, its left
// neighbour's H and E and the subject's letter coming by shuffle. What leaves a strip stands in `scratch`, 8 bytes
// a row, for the warp of the next strip, which follows LAG bursts of rows behind: the block meets after every burst.
// When the last strip is done, the first warp walks back and appends the runs to those of the other pairs.
//
// Device memory per cell: 1/2 byte of moves and 16 / STRIP bytes of border. Shared memory: STRIP bytes a letter and
// warp, the strip's profile, where scores are of one signed byte (ByteScores); else scores are read from a table.
// Where some pairs of letters are taken (Untaken), `moves` has their marks (take.cu), and is 0 else.
// Limits: local, 3 * (best score possible) + 3 < 2^31, the caller having cut gap costs down to 1 above that score
// each; to the ends, no H, E or F may leave 32 bits, those of padding included (gpu/pairs/shapes.py counts); runs
// shorter than 2^29.
#include "core/moves.cuh"
#include "core/recurrence.cuh"
#include "pairs/borders.cuh"
#include "pairs/profiles.cuh"
#include "pairs/walk.cuh"

// The parts of gpu/family.py are macros.
using Strip = Tile<RECURRENCE<OPS, MODE>, OBSERVER<OPS, MODE, PAIR_ITEMS>, PAIR_ITEMS>;
using Rows = Profile<SCORES>;

constexpr int LAG = 2;  // bursts: the last lane is 31 rows behind the first

// As gpu/pairs/traceback.py packs them.
struct Pair {
    long long residues;  // where the query's begin; the subject's follow
    long long query_length, subject_length;
    long long moves, scratch;  // where this pair's words begin
    long long row;  // of the scores, the one of the query's first place; below 0 where each place has its letter's
};

// A cell that may be the end of the best alignment: the larger score, then the smaller query end, then subject end.
struct End {
    int score, column, row;

    // Worth less than any.
    static __device__ __forceinline__ End none() { return End{MODE::local ? 0 : -0x7fffffff, 0, 0}; }
    // The better one of those before the first letters.
    static __device__ __forceinline__ End at(const Borders& borders, int columns, int rows) {
        End end = none();
        if (MODE::local) return end;
        if (borders.may_end(false, true)) end.consider(End{borders.after_subject(rows), -1, rows - 1});
        if (borders.may_end(true, false)) end.consider(End{borders.after_query(columns), columns - 1, -1});
        return end;
    }

    __device__ __forceinline__ bool before(const End& other) const {
        if (score != other.score) return score > other.score;
        return column != other.column ? column < other.column : row < other.row;
    }
    __device__ __forceinline__ void consider(const End& other) {
        if (other.before(*this)) *this = other;
    }
    __device__ __forceinline__ void reduce() {
#pragma unroll
        for (int distance = WARP / 2; distance; distance /= 2) {
            const End other{__shfl_xor_sync(ALL_LANES, score, distance), __shfl_xor_sync(ALL_LANES, column, distance),
                            __shfl_xor_sync(ALL_LANES, row, distance)};
            consider(other);
        }
    }
};

// One warp's part of the matrix.
struct Strips {
    const unsigned char* query;
    const unsigned char* subject;
    int columns, rows;
    Rows profile;
    int2* border;  // H and E that leave the strip at each row: read in place by the next strip
    MoveTable moves;
    Gaps<int> gaps;  // beside those of the borders: read from there they cost the loop an instruction
    Borders borders;
    Strip tile;
    int letter;
    End end;

    __device__ __forceinline__ void begin(const int strip, const Rows::Score* scores, const int row, const int lane) {
        profile.fill(query + strip * STRIP, columns - strip * STRIP, scores, lane, row < 0 ? row : row + strip * STRIP);
        if constexpr (MODE::local) tile.clear();
        else begin_at_border(strip * STRIP + lane * PAIR_ITEMS);
        letter = profile.padding();
    }
    __device__ __forceinline__ void begin_at_border(const int column) {
        tile.corner = borders.after_query(column);
#pragma unroll
        for (int j = 0; j < PAIR_ITEMS; j++) {
            tile.H[j] = borders.after_query(column + j + 1);
            tile.F[j] = tile.H[j] + borders.gaps.first;
        }
        tile.observer.clear();
    }
    // H and E that enter the first column.
    __device__ __forceinline__ int2 first_left(const int row) const {
        if constexpr (MODE::local) return make_int2(MODE::outside, MODE::outside);
        else return make_int2(borders.after_subject(row + 1), borders.after_subject(row + 1) + borders.gaps.first);
    }

    // Rows after the last are of padding: a letter that gains nothing with any. So are those before the first where H
    // is 0 there; else a lane waits for its own.
    __device__ __forceinline__ void burst(const int strip, const int number, const int lane) {
        const int row = number * PAIR_BURST + lane;
        const bool inside = row < rows;
        const int next_letter = inside ? subject[row] : profile.padding();
        const int2 next_left = strip && inside ? border[row] : first_left(row);
        const bool hands_on = lane == WARP - 1 && (strip + 1) * STRIP < columns;
        // What no lane's best can beat need not be looked at; 1, since 0 is the score of no alignment.
        const int threshold = max(1, __reduce_max_sync(ALL_LANES, end.score));
        unsigned* words = moves.at(strip, number * PAIR_BURST, lane);
        const bool marked = Rows::reads_marks && any_marked(words);
#pragma unroll 1
        for (int u = 0; u < PAIR_BURST; u++) {
            const int left = step(next_letter, next_left, u, lane);
            if (MODE::local || number * PAIR_BURST + u >= lane)
                tile.relax(left, scores_of(profile, letter, lane, marked ? words[u * WARP] : 0u), gaps);
            words[u * WARP] = tile.observer.moves;
            const int own_row = number * PAIR_BURST + u - lane;
            if constexpr (!MODE::local) consider_ends(strip * STRIP + lane * PAIR_ITEMS, own_row);
            else if (tile.observer.row_best >= threshold) consider(strip * STRIP + lane * PAIR_ITEMS, own_row);
            if (hands_on && own_row >= 0 && own_row < rows)
                border[own_row] = make_int2(tile.H[PAIR_ITEMS - 1], tile.E);
        }
    }

    // Whether a cell of the warp's is marked in this burst. All words are asked for at once: one after the other, as they are
    // read where some cell is, each would be waited for.
    static __device__ __forceinline__ bool any_marked(const unsigned* words) {
        unsigned marks = 0;
#pragma unroll
        for (int u = 0; u < PAIR_BURST; u++) marks |= words[u * WARP];
        return __any_sync(ALL_LANES, marks);
    }

    // Takes what the left neighbour had one step ago; the first lane, what stands at this row. Returns H.
    __device__ __forceinline__ int step(int next_letter, int2 next_left, int u, int lane) {
        const int first_letter = __shfl_sync(ALL_LANES, next_letter, u);
        const int first_h = __shfl_sync(ALL_LANES, next_left.x, u);
        const int first_e = __shfl_sync(ALL_LANES, next_left.y, u);
        const int passed_letter = __shfl_up_sync(ALL_LANES, letter, 1);
        const int passed_h = __shfl_up_sync(ALL_LANES, tile.H[PAIR_ITEMS - 1], 1);
        const int passed_e = __shfl_up_sync(ALL_LANES, tile.E, 1);
        letter = lane ? passed_letter : first_letter;
        tile.E = lane ? passed_e : first_e;
        return lane ? passed_h : first_h;
    }

    // The row's first column that holds its best H. Cells of padding never come before those of the pair: their
    // value came from one of these, in an earlier row or column.
    __device__ __forceinline__ void consider(int column, int row) {
        int first = PAIR_ITEMS;
#pragma unroll
        for (int j = PAIR_ITEMS - 1; j >= 0; j--) first = tile.H[j] == tile.observer.row_best ? j : first;
        end.consider(End{tile.observer.row_best, column + first, row});
    }

    __device__ __forceinline__ void consider_ends(int column, int row) {
        const bool last_row = row == rows - 1, has_last = (unsigned)(columns - 1 - column) < PAIR_ITEMS;
        if (row < 0 || row >= rows || !(last_row || has_last && borders.is_free(FREE_SUBJECT_END))) return;
#pragma unroll
        for (int j = 0; j < PAIR_ITEMS; j++)
            if (column + j < columns && borders.may_end(column + j == columns - 1, last_row))
                end.consider(End{tile.H[j], column + j, row});
    }
};

extern "C" __global__ void __launch_bounds__(PAIR_WARPS * WARP)
align(const Pair* __restrict__ pairs, const unsigned char* __restrict__ residues,
      const Rows::Score* __restrict__ scores, const int gap_first, const int gap_next, const int letters,
      const int free_ends, unsigned* moves, int* scratch, int* runs, int* taken, Found* found) {
    extern __shared__ uint2 profiles[];
    const Pair pair = pairs[blockIdx.x];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    const int rows = pair.subject_length, columns = pair.query_length, bursts = MoveTable::bursts_for(rows);
    Strips part;
    part.profile.open(profiles + warp * (Rows::bytes / sizeof(uint2)), scores, letters);
    part.query = residues + pair.residues;
    part.subject = part.query + columns;
    part.columns = columns;
    part.rows = rows;
    part.border = (int2*)(scratch + pair.scratch);
    part.moves = MoveTable{moves + pair.moves, bursts};
    part.gaps = Gaps<int>{gap_first, gap_next};
    part.borders = Borders{free_ends, {gap_first, gap_next}};
    part.end = End::at(part.borders, columns, rows);

    const int strips = (columns + STRIP - 1) / STRIP, rounds = (strips + warps - 1) / warps;
    // A warp's next strip begins when its last one is done and the strip before it is LAG bursts ahead.
    const int round_bursts = max(bursts, warps * LAG);
    const int last = (rounds - 1) * round_bursts + (warps - 1) * LAG + bursts;
    for (int time = -warp * LAG, met = 0; met < last; time++, met++) {
        const int strip = time / round_bursts * warps + warp, number = time % round_bursts;
        if (time >= 0 && strip < strips && number < bursts) {
            if (number == 0) part.begin(strip, scores, pairs[blockIdx.x].row, lane);
            part.burst(strip, number, lane);
        }
        __syncthreads();
    }

    End* ends = (End*)profiles;
    part.end.reduce();
    if (lane == 0) ends[warp] = part.end;
    __syncthreads();
    if (warp > 0) return;
    End end = lane < warps ? ends[lane] : End::none();
    end.reduce();
    if (MODE::local && end.score == 0) {
        if (lane == 0) found[blockIdx.x] = Found{};
        return;
    }
    Runs way{scratch + pair.scratch, 0, 0, 0};
    Way back{end.column, end.row, 0};
    walk<INSERTION, DELETION>(part.moves, 0, 0, back, way, lane);
    int column = back.column + 1, row = back.row + 1;
    if constexpr (!MODE::local) walk_border(part.borders, column, row, way, lane);
    way.flush(lane == 0);
    const int start = append_of_warp(way, runs, taken, lane);
    if (lane == 0)
        found[blockIdx.x] = Found{end.score, column, end.column + 1, row, end.row + 1, start, start + way.count, 0};
}
