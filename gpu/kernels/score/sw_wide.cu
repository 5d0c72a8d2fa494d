// Scores single subjects in 32 bits, a team of TEAM warps to a subject: the parts of gpu/family.py, TEAM, WARPS and
// LETTERS (those of the pair codes) are macros. For subjects that 16 bits cannot hold, for those so long that a warp of
// sw_score would set the pace, and for gap costs that need the width.
//
// A lane owns ITEMS query columns, a warp a strip of 32 * ITEMS, a team TEAM strips side by side; a block is WARPS
// warps and holds the profile of a whole team. Each warp works two spans of rows behind its left neighbour, which
// leaves H and E of its last column in a ring in shared memory; a named barrier of the team parts the spans. A query
// longer than a team's strips takes several passes over the subject (the team is then the whole block), the border of
// each kept in device memory, 8 bytes a row of the longest subject for every team. Work is taken from a counter, a
// piece of a subject each.
//
// Limits: scores as the type says (Int32: 2^31; Float: 2^24).
#include "core/observers.cuh"
#include "core/recurrence.cuh"
#include "core/scores.cuh"
#include "database/packs.cuh"

using Ops = OPS;
using Type = Ops::type;
constexpr int ITEMS = WIDE_ITEMS;
constexpr int TEAMS = WARPS / TEAM;
constexpr int SPAN = 32;              // rows between two barriers
constexpr unsigned RING = 4 * SPAN;   // rows written ahead of the reader, and those being read
constexpr int PADDING = MATRIX_LETTERS;
using Row = SCORES<Type, ITEMS, WARP>;
using Layout = Row::Layout;
using Strip = Tile<RECURRENCE<Ops, MODE>, OBSERVER<Ops, ITEMS>, ITEMS>;
static_assert(Layout::bytes(PADDING + 1) == WIDE_STRIP_BYTES);
static_assert(!Ops::packed);

// H and E that cross from one strip to the next, at one row.
struct Crossing {
    Type h, e;
};
static_assert(RING * sizeof(Crossing) == RING_BYTES);

__device__ __forceinline__ void team_barrier(int team) {
    if constexpr (TEAM == 1)
        __syncwarp();
    else
        asm volatile("bar.sync %0, %1;" :: "r"(team + 1), "n"(TEAM * WARP) : "memory");
}

// The letter of a row of this subject, padding outside it.
__device__ __forceinline__ int letter_at(const unsigned short* codes, int row, int rows, bool second) {
    if (row >= rows) return PADDING;
    const int code = codes[(long long)row * GROUPS];
    const int letter = second ? PairCode<LETTERS>::second(code) : PairCode<LETTERS>::first(code);
    return letter == LETTERS ? PADDING : letter;
}

// One pass: the team's strips over all rows, each warp's rows behind its neighbour's. What enters a span from the left
// is read by all lanes at once, a row each, and reaches the first lane by shuffle.
__device__ void pass(Strip& tile, const unsigned short* codes, int rows, bool second, unsigned table,
                     Crossing (*ring)[RING], Crossing* border, bool reads, bool writes, int team,
                     const Gaps<Type>& gaps) {
    const int lane = threadIdx.x % WARP, member = threadIdx.x / WARP % TEAM;
    // A span more for the lanes' own delay.
    const int spans = (rows + SPAN - 1) / SPAN + 1;
    int letter = PADDING;
    for (int now = 0; now < spans + 2 * (TEAM - 1); now++) {
        const int span = now - 2 * member;
        if (0 <= span && span < spans) {
            const int ahead = span * SPAN + lane;
            const int entering_letter = letter_at(codes, ahead, rows, second);
            Crossing entering{Type(0), Type(0)};
            if (ahead < rows && member > 0) entering = ring[member - 1][ahead % RING];
            if (ahead < rows && member == 0 && reads) entering = border[ahead];
#pragma unroll 4
            for (int step = 0; step < SPAN; step++) {
                letter = __shfl_up_sync(ALL_LANES, letter, 1);
                Type left = __shfl_up_sync(ALL_LANES, tile.H[ITEMS - 1], 1);
                tile.E = __shfl_up_sync(ALL_LANES, tile.E, 1);
                const int first_letter = __shfl_sync(ALL_LANES, entering_letter, step);
                const Type first_h = __shfl_sync(ALL_LANES, entering.h, step);
                const Type first_e = __shfl_sync(ALL_LANES, entering.e, step);
                letter = lane == 0 ? first_letter : letter;
                left = lane == 0 ? first_h : left;
                tile.E = lane == 0 ? first_e : tile.E;
                const unsigned address = table + letter * Layout::row_bytes + lane * CHUNK * 4;
                tile.relax(left, Row{address, address}, gaps);
                // What the last lane leaves in the ring for rows outside the subject is never read.
                const int row = span * SPAN + step - (WARP - 1);
                const Crossing leaving{tile.H[ITEMS - 1], tile.E};
                if (member < TEAM - 1) {
                    if (lane == WARP - 1) ring[member][row % RING] = leaving;
                } else if (writes) {
                    if (lane == WARP - 1 && 0 <= row && row < rows) border[row] = leaving;
                }
            }
        }
        team_barrier(team);
    }
}

// pieces: `count` of them, in device memory, so that a list made there needs no way to the host and back.
// borders: `border_rows` cells for each team of the grid. passes: of TEAM strips each.
extern "C" __global__ void __launch_bounds__(WARPS * WARP)
sw_wide(const unsigned short* __restrict__ codes, const long long* __restrict__ pack_starts,
        const Piece* __restrict__ pieces, const int* __restrict__ count, const uint4* __restrict__ profile,
        const int passes, const int gap_first, const int gap_next, Crossing* borders, const int border_rows,
        int* scores, int* next_piece) {
    extern __shared__ uint4 table[];
    __shared__ Crossing rings[TEAMS][TEAM][RING];
    __shared__ int taken[TEAMS];
    const int pieces_left = *count;
    if (pieces_left == 0) return;
    const int lane = threadIdx.x % WARP, member = threadIdx.x / WARP % TEAM, team = threadIdx.x / (WARP * TEAM);
    constexpr int TABLE = TEAM * WIDE_STRIP_BYTES / 16;
    const unsigned mine = shared_address(table) + member * WIDE_STRIP_BYTES;
    Crossing* border = borders + (long long)(blockIdx.x * TEAMS + team) * border_rows;
    const Gaps<Type> gaps{Ops::make(gap_first), Ops::make(gap_next)};
    if (passes == 1)
        for (int i = threadIdx.x; i < TABLE; i += WARPS * WARP) table[i] = profile[i];
    __syncthreads();

    for (;;) {
        if (lane == 0 && member == 0) taken[team] = atomicAdd(next_piece, 1);
        team_barrier(team);
        const int number = taken[team];
        if (number >= pieces_left) break;
        const Piece piece = pieces[number];
        const int pack = piece.slot / (2 * GROUPS), group = piece.slot / 2 % GROUPS;
        const unsigned short* at = codes + (pack_starts[pack] + piece.begin) * GROUPS + group;
        Type best = Type(0);
        for (int p = 0; p < passes; p++) {
            if (passes > 1) {
                // All warps of the team have left the pass before.
                for (int i = threadIdx.x; i < TABLE; i += WARPS * WARP) table[i] = profile[p * TABLE + i];
                team_barrier(team);
            }
            Strip tile;
            tile.clear();
            tile.observer.best = best;
            pass(tile, at, piece.end - piece.begin, piece.slot % 2, mine, rings[team], border, p > 0, p < passes - 1, team,
                 gaps);
            best = tile.observer.best;
        }
        for (int distance = WARP / 2; distance; distance /= 2) {
            const Type other = __shfl_xor_sync(ALL_LANES, best, distance);
            best = Ops::max3(best, other, other);
        }
        if (lane == 0) atomicMax(scores + piece.subject, Ops::whole(best));
        // The place of the number taken is free for the next one only when all have read it.
        team_barrier(team);
    }
}
