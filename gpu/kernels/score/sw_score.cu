// Scores every pack of a list against one strip of the query: the parts of gpu/family.py, ROWS, ITEMS, LANES, BORDER,
// THREADS, BURSTS (those of the loop's body), GAP_FIRST and GAP_NEXT (two costs to a word, negative) and TABLE_BYTES
// are macros.
//
// A lane owns ITEMS consecutive query columns in registers; a group of LANES lanes owns the strip of LANES * ITEMS
// columns for one pair of subjects, two cells to a register. A warp owns a pack, or half of one where LANES is 16: for
// packs too few to go round. It takes its work from a counter, so that the list should begin with the longest. Lane l
// works on row t - l in step t, and hands H and E of its last column on by shuffle. A block owns the strip's profile, a
// row of scores for each of ROWS pair codes, in shared memory: for wide strips that is all there is, and one block runs
// on each multiprocessor.
//
// A query longer than one strip takes several launches (BORDER 1): the last lane of a group stores what leaves the
// strip, 8 bytes a row and pair, and the first lane of the next launch reads it in place.
//
// Device memory per packed cell: 2 / (LANES * ITEMS) bytes of codes, and 16 / (LANES * ITEMS) bytes of border.
// Limits: scores as the score type says; the caller redoes pairs whose best value passes its limit.
#include "core/observers.cuh"
#include "core/recurrence.cuh"
#include "core/scores.cuh"
#include "database/packs.cuh"

using Ops = OPS;
using Type = Ops::type;
using Row = SCORES<Type, ITEMS, LANES>;
using Layout = Row::Layout;
using Strip = Tile<RECURRENCE<Ops, MODE>, OBSERVER<Ops, ITEMS>, ITEMS>;
constexpr int SHARERS = LANES / GROUP;  // warps to a pack
static_assert(Ops::packed);
static_assert(BURSTS == 1 || BURSTS == 2 || BURSTS == 4);
static_assert(LANES == GROUP || LANES == 2 * GROUP);
static_assert(Layout::bytes(ROWS) == TABLE_BYTES);

// Few warps do not hide the way to memory: where packs are few, codes and border are asked for long before their loads.
constexpr bool FEW = LANES > GROUP;
constexpr int BURSTS_AHEAD = 4;

// Loads straight into 32 bits: a 16-bit variable would cost two ALU instructions a row.
__device__ __forceinline__ unsigned load_code(const unsigned short* address) {
    unsigned code;
    if constexpr (FEW)
        asm volatile("ld.global.nc.L2::256B.u16 %0, [%1];" : "=r"(code) : "l"(address));
    else
        asm volatile("ld.global.nc.u16 %0, [%1];" : "=r"(code) : "l"(address));
    return code;
}

// H and E that cross from one strip to the next, of two rows. Where the predicate is off, the registers keep what they
// hold: no copies, and no second line of cache for the lanes that read nothing.
__device__ __forceinline__ void load_border(uint4& left, const uint4* address, int predicate) {
    asm volatile("{.reg .pred on; setp.ne.s32 on, %5, 0; @on ld.global.v4.u32 {%0, %1, %2, %3}, [%4];}"
                 : "+r"(left.x), "+r"(left.y), "+r"(left.z), "+r"(left.w) : "l"(address), "r"(predicate) : "memory");
}

__device__ __forceinline__ void fetch_border(const uint4* address, int predicate) {
    asm volatile("{.reg .pred on; setp.ne.s32 on, %1, 0; @on prefetch.global.L2 [%0];}"
                 :: "l"(address), "r"(predicate) : "memory");
}

__device__ __forceinline__ void store_border(uint4* address, uint4 right, int predicate) {
    asm volatile("{.reg .pred on; setp.ne.s32 on, %5, 0; @on st.global.v4.u32 [%0], {%1, %2, %3, %4};}"
                 :: "l"(address), "r"(right.x), "r"(right.y), "r"(right.z), "r"(right.w), "r"(predicate) : "memory");
}

__device__ __forceinline__ int take(int* counter, int lane) {
    int taken = 0;
    if (lane == 0) taken = atomicAdd(counter, 1);
    return __shfl_sync(ALL_LANES, taken, 0);
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
sw_score(const unsigned short* __restrict__ codes, const long long* __restrict__ pack_starts,
         const int* __restrict__ pack_rows, const int* __restrict__ packs, const int pack_count,
         const uint4* __restrict__ profile, const unsigned one, uint4* border,
         const int reads_border, const int writes_border, unsigned* best, int* next_share) {
    extern __shared__ uint4 table[];
    for (int i = threadIdx.x; i < TABLE_BYTES / 16; i += THREADS) table[i] = profile[i];
    __syncthreads();

    const int lane = threadIdx.x % LANES, own_group = threadIdx.x % WARP / LANES;
    const unsigned row_base = shared_address(table) + lane * CHUNK * 4;
    const unsigned rest_base = shared_address(table) + ROWS * Layout::row_bytes + lane * Layout::rest_words * 4;
    // `one` is 1, which the compiler must not know: it would select on the ALU what a multiplication does elsewhere.
    const unsigned inner = lane == 0 ? 0 : one;
    // Macros, so that they are immediate operands, which need no register port: a sixth of the loop's reads.
    const Gaps<Type> gaps{GAP_FIRST, GAP_NEXT};

    // Where packs are few, so are the warps that take some: those of all multiprocessors alike.
    const int shares = pack_count * SHARERS;
    if (threadIdx.x / WARP * gridDim.x >= shares) return;
    for (int taken; (taken = take(next_share, threadIdx.x % WARP)) < shares;) {
        const int pack = packs[taken / SHARERS], bursts = pack_rows[pack] / BURST;
        const int group = taken % SHARERS * (WARP / LANES) + own_group;
        const long long start = pack_starts[pack];
// The preprocessor tells them apart where a condition would change the machine code of 8 lanes.
#if LANES == GROUP
        const unsigned short* code_at = codes + (start - lane) * GROUPS + group;
#else
        // Rows further out than the padding are another pack's: the outermost ones of padding stand for them.
        int code_row = -lane;
        const unsigned short* row_0 = codes + start * GROUPS + group;
        const int first = -PAD_ROWS, last = bursts * BURST + PAD_ROWS - BURST;
        const unsigned short* code_at = row_0 + min(max(code_row, first), last) * GROUPS;
#endif
        Strip tile;
        tile.clear();
        unsigned code[BURST];
#pragma unroll
        for (int u = 0; u < BURST; u++) code[u] = load_code(code_at + u * GROUPS);
#if BORDER
        // The last lane ends row r in step r + LANES - 1 and stores two rows after every odd step: the pairs are rows
        // ... (-5, -4), (-3, -2), ... of the pack, and the first lane takes row 0 from the second half of one.
        uint4* border_at = border + ((start - LANES) / 2 * GROUPS + group);
        const uint4* border_in = border_at + (LANES - 1) / 2 * GROUPS;
        // The first lane's rows of border still to be read, in bursts.
        int unread = lane == 0 && reads_border ? bursts : 0;
        uint4 left[2] = {make_uint4(0, 0, 0, 0), make_uint4(0, 0, 0, 0)};
        load_border(left[0], border_in, unread);
        load_border(left[1], border_in + GROUPS, unread);
        uint4 right;
        const int writes = lane == LANES - 1 ? writes_border : 0;
#endif
        int bursts_left = bursts + LANES / BURST;
        const auto relax_burst = [&] {
#if LANES == GROUP
            code_at += BURST * GROUPS;
#else
            code_row += BURST;
            code_at = row_0 + min(max(code_row, first), last) * GROUPS;
#endif
#if BORDER
            border_in += BURST / 2 * GROUPS;
#endif
#pragma unroll
            for (int u = 0; u < BURST; u++) {
                const unsigned row = code[u] * Layout::row_bytes + row_base;
                const unsigned rest_row = code[u] * Layout::rest_row_bytes + rest_base;
                code[u] = load_code(code_at + u * GROUPS);
                const unsigned h = __shfl_up_sync(ALL_LANES, tile.H[ITEMS - 1], 1, LANES);
                const unsigned e = __shfl_up_sync(ALL_LANES, tile.E, 1, LANES);
#if BORDER
                // Rows 0 and 3 of a burst are halves of one buffer, a burst apart; rows 1 and 2 are the other.
                uint4& pair = left[(u + 1) / 2 % 2];
                const unsigned left_h = h * inner + (u % 2 ? pair.x : pair.z);
                tile.E = e * inner + (u % 2 ? pair.y : pair.w);
                if (u % 2 == 0) load_border(pair, border_in + u / 2 * GROUPS, unread);
                if (FEW && u % 2 == 0)
                    fetch_border(border_in + (BURSTS_AHEAD * BURST + u) / 2 * GROUPS, unread > BURSTS_AHEAD + 1);
                // Only the first of these loads is of this burst's own rows. What stays in the registers after the last
                // one belongs to this pack, and cannot raise its best value, since padding scores low.
                if (u == 0) unread = max(unread - 1, 0);
#else
                const unsigned left_h = h * inner;
                tile.E = e * inner;
#endif
                tile.relax(left_h, Row{row, rest_row}, gaps);
#if BORDER
                if (u % 2 == 0) {
                    right.x = tile.H[ITEMS - 1];
                    right.y = tile.E;
                } else {
                    right.z = tile.H[ITEMS - 1];
                    right.w = tile.E;
#if LANES == GROUP
                    const int stores = writes;
#else
                    // Rows before the padding are another pack's.
                    const int stores = bursts_left <= bursts + PAD_ROWS / BURST ? writes : 0;
#endif
                    store_border(border_at + u / 2 * GROUPS, right, stores);
                }
#endif
            }
#if BORDER
            border_at += BURST / 2 * GROUPS;
#endif
            return --bursts_left == 0;
        };
        // The registers of H change places from row to row, and are copied back where the loop closes: the more rows
        // it holds, the fewer copies.
        // Written out: as a loop over bursts the compiler would give up keeping H in registers.
        if constexpr (BURSTS == 4) {
#pragma unroll 1
            while (!relax_burst() && !relax_burst() && !relax_burst() && !relax_burst()) {}
        } else if constexpr (BURSTS == 2) {
#pragma unroll 1
            while (!relax_burst() && !relax_burst()) {}
        } else {
#pragma unroll 1
            while (!relax_burst()) {}
        }
        tile.observer.join<LANES>();
        if (lane == 0) {
            unsigned* stored = best + pack * GROUPS + group;
            Type own = tile.observer.best;
#if BORDER
            if (reads_border) own = Ops::max3(own, *stored, *stored);
#endif
            *stored = own;
        }
    }
}
