// Scores every pack of a list against a run of query blocks, a thread to a pair of subjects: the parts of gpu/family.py,
// LETTERS, THREADS, BLOCKS (on a multiprocessor), GAP_FIRST and GAP_NEXT (two costs to a word, negative) are macros.
//
// The optimised SIMT design of CUDASW++2.0 (Liu, Schmidt, Maskell 2010): an outer loop over blocks of SIMT_ITEMS
// residues of the query, a middle one over the subject's residues four at a time, an inner one over these. What is new:
// a register has the cells of two subjects, and E, H and F of a block stay in it from row to row. A thread works alone;
// what leaves a block's last column, H and E, waits in device memory for the thread's next block, in place. A warp
// takes eight packs from a counter, 32 pairs; those of the list should lie by length, since a warp ends with its longest.
//
// Device memory for a packed cell: 2 bytes of border read and written, and 0.25 of codes.
#include "core/observers.cuh"
#include "core/recurrence.cuh"
#include "core/scores.cuh"
#include "database/packs.cuh"

using Ops = OPS;
using Type = Ops::type;
constexpr int CHUNKS = SIMT_ITEMS / CHUNK;
using Row = SCORES<Ops, CHUNKS>;
using Block = Tile<RECURRENCE<Ops, MODE>, OBSERVER<Ops, SIMT_ITEMS>, SIMT_ITEMS>;
using Code = PairCode<LETTERS>;
static_assert(Ops::packed && CHUNKS == 2 && BURST == 4);
constexpr int PACKS = WARP / GROUPS;

// H and E at the border of two blocks, of a burst of rows.
struct Edge {
    uint4 of[BURST / 2];
    __device__ __forceinline__ unsigned& h(int row) { return row % 2 ? of[row / 2].z : of[row / 2].x; }
    __device__ __forceinline__ unsigned& e(int row) { return row % 2 ? of[row / 2].w : of[row / 2].y; }
};

// profile: `blocks` tables of a word for each letter, padding last, and chunk (byte_profile.cu).
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
sw_simt(const unsigned short* __restrict__ codes, const long long* __restrict__ pack_starts,
        const int* __restrict__ pack_rows, const int* __restrict__ packs, const int pack_count,
        const uint2* __restrict__ profile, const int blocks, uint4* border, const int reads_border,
        const int writes_border, unsigned* best, int* next_share) {
    const Gaps<Type> gaps{GAP_FIRST, GAP_NEXT};
    const int shares = (pack_count + PACKS - 1) / PACKS;
    // Where packs are few, so are the warps that take some: those of all multiprocessors alike.
    if (threadIdx.x / WARP * gridDim.x >= shares) return;
    for (int taken; (taken = next_work(next_share)) < shares;) {
        const int place = taken * PACKS + threadIdx.x % WARP / GROUPS, group = threadIdx.x % GROUPS;
        const int pack = place < pack_count ? packs[place] : 0, rows = place < pack_count ? pack_rows[pack] : 0;
        const long long start = pack_starts[pack];
        Type found = Type(0);
        for (int number = 0; number < blocks; number++) {
            const bool reads = reads_border || number > 0, writes = writes_border || number < blocks - 1;
            const uint2* scores = profile + number * (LETTERS + 1);
            const unsigned short* code_at = codes + start * GROUPS + group;
            uint4* edge_at = border + (start / 2 * GROUPS + group);
            Block block;
            block.clear();
            block.observer.best = found;
#pragma unroll 1
            for (int row = 0; row < rows; row += BURST, code_at += BURST * GROUPS, edge_at += BURST / 2 * GROUPS) {
                Edge edge{};
                if (reads) {
#pragma unroll
                    for (int half = 0; half < BURST / 2; half++) edge.of[half] = edge_at[half * GROUPS];
                }
                int code[BURST];
#pragma unroll
                for (int u = 0; u < BURST; u++) code[u] = code_at[u * GROUPS];
#pragma unroll
                for (int u = 0; u < BURST; u++) {
                    const uint2 first = __ldg(scores + Code::first(code[u]));
                    const uint2 second = __ldg(scores + Code::second(code[u]));
                    block.E = edge.e(u);
                    block.relax(edge.h(u), Row{{first.x, first.y}, {second.x, second.y}}, gaps);
                    edge.h(u) = block.H[SIMT_ITEMS - 1];
                    edge.e(u) = block.E;
                }
                if (writes) {
#pragma unroll
                    for (int half = 0; half < BURST / 2; half++) edge_at[half * GROUPS] = edge.of[half];
                }
            }
            found = block.observer.best;
        }
        if (place < pack_count) {
            unsigned* stored = best + pack * GROUPS + group;
            if (reads_border) found = Ops::max3(found, *stored, *stored);
            *stored = found;
        }
    }
}
