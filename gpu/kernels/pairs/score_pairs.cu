// Scores pairs of sequences, two to a register: the parts of gpu/family.py, ITEMS, LANES, THREADS,
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
#include "pairs/scored.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
score_pairs(const Set* __restrict__ sets, const int count, const unsigned* __restrict__ letters,
            const int2* __restrict__ columns, const int2* __restrict__ rows, const void* __restrict__ table, const Free free,
            uint4* border, const int border_bursts, int* taken, int2* __restrict__ scores) {
    __shared__ Source::Shared shared;
    extern __shared__ unsigned profiles[];
    shared.fill(table);
    const Source source(shared, profiles, threadIdx.x / WARP);
    const int lane = threadIdx.x % WARP, warp = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP;
    uint4* own = border + (size_t)warp * border_bursts * (WORDS * SLOTS);
    for (int number = next_work(taken); number < count; number = next_work(taken)) {
        const Set set = sets[number];
        const int slot = lane / LANES, global_slot = number * SLOTS + slot;
        Scored<Strip, Border> part{set, letters, free, Border{own}, source, lane % LANES, slot,
                                   columns[global_slot], rows[global_slot]};
        part.run();
        part.join();
        if (part.lane == 0) scores[global_slot] = make_int2(part.low.score, part.high.score);
    }
}
