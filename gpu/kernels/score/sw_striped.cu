// Scores every pack of a list against one partition of the query, LANES lanes as one vector to a pair of subjects: the
// parts of gpu/family.py, ITEMS (vectors), LANES, LETTERS, THREADS, BLOCKS (on a multiprocessor), GAP_FIRST and GAP_NEXT
// (two costs to a word, negative) and LAZY_ROUNDS are macros.
//
// The partitioned vectorised design of CUDASW++2.0 (Liu, Schmidt, Maskell 2010), after Farrar's striped Smith-Waterman:
// element v of vector t is the query's column v * ITEMS + t, so lane v has ITEMS consecutive columns, and all lanes are
// at the same row. E that leaves a lane's last column, which the paper calls F, comes late to the next lane: first it is
// taken for nothing, then a loop hands it on, lane by lane and for LANES - 1 rounds at most, until a vote finds none that
// counts. What is new: a register has the cells of two subjects, lanes hand on by shuffle, scores of a pair are put
// together from bytes. A warp has two pairs, half a pack, and takes its work from a counter.
//
// Between partitions, a launch each, H and E of the last column wait in device memory, 8 bytes a row and pair, in place.
// LAZY_ROUNDS 1 counts the rounds of each row.
#include "core/observers.cuh"
#include "core/recurrence.cuh"
#include "core/scores.cuh"
#include "database/packs.cuh"

using Ops = OPS;
using Type = Ops::type;
constexpr int CHUNKS = (ITEMS + CHUNK - 1) / CHUNK;
using Row = SCORES<Ops, CHUNKS>;
using Recurrence = RECURRENCE<Ops, MODE>;
using Vectors = Tile<Recurrence, OBSERVER<Ops, ITEMS>, ITEMS>;
using Code = PairCode<LETTERS>;
constexpr int SHARERS = LANES / GROUP;  // warps to a pack
static_assert(Ops::packed && WARP % LANES == 0);

// What the lane on the left has; 0, which counts for nothing, in the first lane.
__device__ __forceinline__ Type shifted(Type value, int lane) {
    const Type left = __shfl_up_sync(ALL_LANES, value, 1, LANES);
    return lane == 0 ? Type(0) : left;
}

// The lazy loop, over all pairs of the warp at once, since some more rounds change nothing. Rounds are counted as this
// pair alone needs them: as long as one of its lanes has voted for going on each time.
__device__ __forceinline__ int hand_on(Vectors& row, const Gaps<Type>& gaps, int lane) {
    const unsigned own = (ALL_LANES >> (WARP - LANES)) << (threadIdx.x % WARP - lane);
    bool counting = true;
    int rounds = 0;
    Type late = shifted(row.E, lane);
#pragma unroll 1
    for (int round = 1; round < LANES; round++) {
#pragma unroll
        for (int t = 0; t < ITEMS; t++) {
            const bool counts = Recurrence::take_late(row.H[t], late, row.F[t], gaps);
            const unsigned votes = __ballot_sync(ALL_LANES, counts);
            counting = counting && votes & own;
            if (t == 0) rounds += counting;
            if (!votes) return rounds;
        }
        row.E = Ops::max3(row.E, late, late);
        late = shifted(late, lane);
    }
    return rounds;
}

// profile: a word for each letter, padding last, chunk and lane (byte_profile.cu).
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
sw_striped(const unsigned short* __restrict__ codes, const long long* __restrict__ pack_starts,
           const int* __restrict__ pack_rows, const int* __restrict__ packs, const int pack_count,
           const unsigned* __restrict__ profile, uint2* border, const int reads_border, const int writes_border,
           unsigned* best, int* next_share
#if LAZY_ROUNDS
           , unsigned char* lazy_rounds
#endif
) {
    const int lane = threadIdx.x % LANES;
    const Gaps<Type> gaps{GAP_FIRST, GAP_NEXT};
    const int shares = pack_count * SHARERS;
    const bool reads = reads_border && lane == 0, writes = writes_border && lane == LANES - 1;
    const auto scores_of = [&](int letter, int chunk) { return __ldg(profile + (letter * CHUNKS + chunk) * LANES + lane); };
    // Where packs are few, so are the warps that take some: those of all multiprocessors alike.
    if (threadIdx.x / WARP * gridDim.x >= shares) return;
    for (int taken; (taken = next_work(next_share)) < shares;) {
        const int pack = packs[taken / SHARERS], rows = pack_rows[pack];
        const int group = taken % SHARERS * (WARP / LANES) + threadIdx.x % WARP / LANES;
        long long at = pack_starts[pack] * GROUPS + group;
        Vectors row;
        row.clear();
        int code = codes[at];
        uint2 entering = make_uint2(0, 0);
        if (reads) entering = border[at];
        // A row of padding stands behind the last one.
#pragma unroll 1
        for (int left = rows; left > 0; left--, at += GROUPS) {
            Row scores;
            const int first = Code::first(code), second = Code::second(code);
#pragma unroll
            for (int chunk = 0; chunk < CHUNKS; chunk++) {
                scores.low[chunk] = scores_of(first, chunk);
                scores.high[chunk] = scores_of(second, chunk);
            }
            code = codes[at + GROUPS];
            const uint2 edge = entering;
            if (reads) entering = border[at + GROUPS];
            const Type above = __shfl_up_sync(ALL_LANES, row.H[ITEMS - 1], 1, LANES);
            if (lane > 0) row.corner = above;
            row.E = edge.y;
            row.relax(edge.x, scores, gaps);
            [[maybe_unused]] const int rounds = hand_on(row, gaps, lane);
            if (writes) border[at] = make_uint2(row.H[ITEMS - 1], row.E);
#if LAZY_ROUNDS
            if (lane == 0) lazy_rounds[at] = rounds;
#endif
        }
        row.observer.join<LANES>();
        if (lane == 0) {
            unsigned* stored = best + pack * GROUPS + group;
            Type own = row.observer.best;
            if (reads_border) own = Ops::max3(own, *stored, *stored);
            *stored = own;
        }
    }
}
