// Scores pairs as score_pairs does, a warp to two of them, finds where their alignments end, and keeps what the way
// back needs (kept.cuh). Rows are of the queries, columns of the subjects: the first row that has the best score is
// where the query's part ends.
//
// Device memory per packed cell: 8 / KEPT_ROWS + 8 / KEPT_COLUMNS bytes, half of the latter where gaps are linear.
#include "pairs/kept.cuh"
#include "pairs/scored.cuh"

static_assert(LANES == WARP);
static_assert(KEPT_COLUMNS % ITEMS == 0 && WIDTH % KEPT_COLUMNS == 0 && KEPT_PAD % ITEMS == 0);

// The keeper of all that kept.cuh names, and of the row where each half's best score was first seen.
struct Kept {
    using End = FirstEnd;
    static constexpr bool keeps = true;
    uint2* rows;
    uint4* columns;
    int width, bursts;
    int2 rows_of_best;
    Type best;

    __device__ __forceinline__ void clear() {
        best = 0;
        rows_of_best = make_int2(0, 0);
    }
    __device__ __forceinline__ void see(const Type now, const int row) {
        const Type risen = now ^ best;
        best = now;
        if (risen & 0xffff) rows_of_best.x = row;
        if (risen >> 16) rows_of_best.y = row;
    }

    __device__ __forceinline__ uint4* before(int column, int burst) const {
        return columns + ((size_t)(column / KEPT_COLUMNS - 1) * bursts + burst) * WORDS;
    }
    __device__ __forceinline__ const uint4* left_of(int column, int burst, int) const { return before(column, burst); }
    __device__ __forceinline__ uint4* right_of(int column, int burst, int) const { return before(column, burst); }
    static __device__ __forceinline__ bool leaves(int, int first, int columns) {
        return (first + ITEMS) % KEPT_COLUMNS == 0 && first + ITEMS < columns;
    }

    __device__ __forceinline__ void keep(const Strip& tile, int first, int burst, const Set& set) const {
        const int next = (burst + 1) * BURST;
        if (next % KEPT_ROWS || next >= set.rows || first >= set.columns) return;
        uint4* to = (uint4*)(rows + (size_t)(next / KEPT_ROWS - 1) * width + first);
#pragma unroll
        for (int j = 0; j < ITEMS; j += 2) to[j / 2] = make_uint4(tile.H[j], tile.F[j], tile.H[j + 1], tile.F[j + 1]);
    }
};

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
keep_pairs(const Set* __restrict__ sets, const int count, const unsigned* __restrict__ letters,
           const int2* __restrict__ columns, const int2* __restrict__ rows, const void* __restrict__ table, const Free free,
           const KeptPlace* __restrict__ places, uint2* kept_rows, uint4* kept_columns, int* taken, FirstEnd* ends) {
    __shared__ Source::Shared shared;
    extern __shared__ unsigned profiles[];
    shared.fill(table);
    const Source source(shared, profiles, threadIdx.x / WARP);
    const int lane = threadIdx.x % WARP;
    for (int number = next_work(taken); number < count; number = next_work(taken)) {
        const Set set = sets[number];
        const KeptPlace place = places[number];
        Kept kept{kept_rows + place.rows, kept_columns + place.columns, kept_width(set.columns), kept_bursts(set.rows)};
        kept.clear();
        Scored<Strip, Kept> part{set, letters, free, kept, source, lane, 0, columns[number], rows[number]};
        part.run();
        part.join();
        if (lane == 0) {
            ends[2 * number] = part.low;
            ends[2 * number + 1] = part.high;
        }
    }
}
