// The best local alignment of each pair: the matrix with its moves, then the way back (shardwater/alignment/gotoh.py's rule).
//
// A block owns a pair. The query is cut into strips of STRIP columns, which the block's warps take in turn; a lane
// owns PAIR_ITEMS consecutive columns of its warp's strip in registers and works on row t - l in step t, its left
// neighbour's H and E and the subject's letter coming by shuffle. What leaves a strip stands in `scratch`, 8 bytes
// a row, for the warp of the next strip, which follows LAG bursts of rows behind: the block meets after every burst.
// When the last strip is done, the first warp walks back and appends the runs to those of the other pairs.
//
// Device memory per cell: 1/2 byte of moves and 16 / STRIP bytes of border. Shared memory: STRIP bytes a letter and
// warp, the strip's profile.
// Limits: scores of one signed byte; 3 * (best score possible) + 3 < 2^31, the caller having cut gap costs down to
// 1 above that score each; runs shorter than 2^29.
#include "core/moves.cuh"
#include "core/recurrence.cuh"
#include "core/scores.cuh"
#include "pairs/walk.cuh"

// The parts of gpu/family.py are macros.
using Strip = Tile<RECURRENCE<OPS, MODE>, OBSERVER<OPS, PAIR_ITEMS>, PAIR_ITEMS>;

constexpr int LOW_SCORE = -128;             // of padding with any letter
constexpr unsigned LOW_SCORES = 0x80808080u;  // four of them
constexpr int LAG = 2;  // bursts: the last lane is 31 rows behind the first

// As gpu/pairs/traceback.py packs them.
struct Pair {
    long long residues;  // where the query's begin; the subject's follow
    long long query_length, subject_length;
    long long moves, scratch;  // where this pair's words begin
};

struct Found {
    int score;
    int query_start, query_end, subject_start, subject_end;
    int runs_start, runs_end, unused;
};
static_assert(sizeof(Found) == 4 * FOUND_WORDS);

// A cell that may be the end of the best alignment: the larger score, then the smaller query end, then subject end.
struct End {
    int score, column, row;

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

// Scores of each letter with the lane's columns; columns past the query's end score so low that nothing gains there.
__device__ __forceinline__ void fill_profile(uint2* profile, const unsigned char* query, const int columns,
                                             const signed char* scores, const int lane) {
    int letters[PAIR_ITEMS];
#pragma unroll
    for (int j = 0; j < PAIR_ITEMS; j++) letters[j] = lane * PAIR_ITEMS + j < columns ? query[lane * PAIR_ITEMS + j] : MATRIX_LETTERS;
    for (int letter = 0; letter < MATRIX_LETTERS; letter++) {
        unsigned words[2] = {};
#pragma unroll
        for (int j = 0; j < PAIR_ITEMS; j++) {
            const int score = letters[j] < MATRIX_LETTERS ? scores[letters[j] * MATRIX_LETTERS + letter] : LOW_SCORE;
            words[j / 4] |= (score & 0xffu) << j % 4 * 8;
        }
        profile[letter * WARP + lane] = make_uint2(words[0], words[1]);
    }
    __syncwarp();
}

// One warp's part of the matrix.
struct Strips {
    const unsigned char* query;
    const unsigned char* subject;
    int columns, rows;
    uint2* profile;
    int2* border;  // H and E that leave the strip at each row: read in place by the next strip
    MoveTable moves;
    Gaps<int> gaps;
    Strip tile;
    int letter;
    End end;

    __device__ __forceinline__ void begin(const int strip, const signed char* scores, const int lane) {
        fill_profile(profile, query + strip * STRIP, columns - strip * STRIP, scores, lane);
        tile.clear();
        letter = MATRIX_LETTERS;
    }

    // Rows before the first and after the last are of padding: a letter that scores low with all.
    __device__ __forceinline__ void burst(const int strip, const int number, const int lane) {
        const int row = number * PAIR_BURST + lane;
        const bool inside = row < rows;
        const int next_letter = inside ? subject[row] : MATRIX_LETTERS;
        const int2 next_left = strip && inside ? border[row] : make_int2(MODE::outside, MODE::outside);
        const bool hands_on = lane == WARP - 1 && (strip + 1) * STRIP < columns;
        // What no lane's best can beat need not be looked at; 1, since 0 is the score of no alignment.
        const int threshold = max(1, __reduce_max_sync(ALL_LANES, end.score));
        unsigned* words = moves.at(strip, number * PAIR_BURST, lane);
#pragma unroll 1
        for (int u = 0; u < PAIR_BURST; u++) {
            const int left = step(next_letter, next_left, u, lane);
            tile.relax(left, SCORES{row_scores(lane)}, gaps);
            words[u * WARP] = tile.observer.moves;
            const int own_row = number * PAIR_BURST + u - lane;
            if (tile.observer.row_best >= threshold) consider(strip * STRIP + lane * PAIR_ITEMS, own_row);
            if (hands_on && own_row >= 0 && own_row < rows)
                border[own_row] = make_int2(tile.H[PAIR_ITEMS - 1], tile.E);
        }
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

    // Loads whatever the letter, then selects: lanes in padding do not part from the others.
    __device__ __forceinline__ uint2 row_scores(int lane) const {
        const uint2 scores = profile[min(letter, MATRIX_LETTERS - 1) * WARP + lane];
        return letter < MATRIX_LETTERS ? scores : make_uint2(LOW_SCORES, LOW_SCORES);
    }

    // The row's first column that holds its best H. Cells of padding never come before those of the pair: their
    // value came from one of these, in an earlier row or column.
    __device__ __forceinline__ void consider(int column, int row) {
        int first = PAIR_ITEMS;
#pragma unroll
        for (int j = PAIR_ITEMS - 1; j >= 0; j--) first = tile.H[j] == tile.observer.row_best ? j : first;
        end.consider(End{tile.observer.row_best, column + first, row});
    }
};

// Appends the runs to those of all pairs, first to last.
__device__ __forceinline__ int append(const Runs& way, int* runs, int* taken, const int lane) {
    int start = 0;
    if (lane == 0) start = atomicAdd(taken, way.count);
    start = __shfl_sync(ALL_LANES, start, 0);
    __syncwarp();
    for (int i = lane; i < way.count; i += WARP) runs[start + i] = way.words[way.count - 1 - i];
    return start;
}

extern "C" __global__ void __launch_bounds__(PAIR_WARPS * WARP)
align(const Pair* __restrict__ pairs, const unsigned char* __restrict__ residues,
      const signed char* __restrict__ scores, const int gap_first, const int gap_next, unsigned* moves, int* scratch,
      int* runs, int* taken, Found* found) {
    extern __shared__ uint2 profiles[];
    const Pair pair = pairs[blockIdx.x];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    const int rows = pair.subject_length, columns = pair.query_length, bursts = MoveTable::bursts_for(rows);
    Strips part;
    part.query = residues + pair.residues;
    part.subject = part.query + columns;
    part.columns = columns;
    part.rows = rows;
    part.profile = profiles + warp * MATRIX_LETTERS * WARP;
    part.border = (int2*)(scratch + pair.scratch);
    part.moves = MoveTable{moves + pair.moves, bursts};
    part.gaps = Gaps<int>{gap_first, gap_next};
    part.end = End{0, 0, 0};

    const int strips = (columns + STRIP - 1) / STRIP, rounds = (strips + warps - 1) / warps;
    // A warp's next strip begins when its last one is done and the strip before it is LAG bursts ahead.
    const int round_bursts = max(bursts, warps * LAG);
    const int last = (rounds - 1) * round_bursts + (warps - 1) * LAG + bursts;
    for (int time = -warp * LAG, met = 0; met < last; time++, met++) {
        const int strip = time / round_bursts * warps + warp, number = time % round_bursts;
        if (time >= 0 && strip < strips && number < bursts) {
            if (number == 0) part.begin(strip, scores, lane);
            part.burst(strip, number, lane);
        }
        __syncthreads();
    }

    End* ends = (End*)profiles;
    part.end.reduce();
    if (lane == 0) ends[warp] = part.end;
    __syncthreads();
    if (warp > 0) return;
    End end = lane < warps ? ends[lane] : End{0, 0, 0};
    end.reduce();
    if (end.score == 0) {
        if (lane == 0) found[blockIdx.x] = Found{};
        return;
    }
    Runs way{scratch + pair.scratch, 0, 0, 0};
    int column = end.column, row = end.row;
    walk(part.moves, column, row, way, lane);
    const int start = append(way, runs, taken, lane);
    if (lane == 0)
        found[blockIdx.x] = Found{end.score, column, end.column + 1, row, end.row + 1, start, start + way.count, 0};
}
