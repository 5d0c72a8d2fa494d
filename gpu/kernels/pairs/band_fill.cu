// The best alignments from end to end of pairs of DNA that are alike, two to a register: of cells in a band only, which
// is enough where the score passes all that an alignment outside of it could have (gpu/pairs/band.py).
//
// The lanes of a band go along antidiagonals, whose cells do not wait for each other: a lane has BAND_ITEMS cells of one
// antidiagonal and, between them, as many of the next. A cell takes E and F from its neighbours of the antidiagonal
// before, and H from its own place two before. Cells before the first letters are cells as any other, worth next to
// nothing but for the corner: H of the borders comes of itself.
//
// Numbers are in potential form, H + next * (row + column): a gap's further letters cost nothing. Letters are planes of
// bits, so that one comparison tells all equal ones of an antidiagonal.
//
// Device memory per cell: LOW_BITS bits where ways back are wanted (KEEPS), else none.
// Limits: letters of codes 0 to 3, one score for equal and one for other letters, numbers of 16 bits.
#include "core/recurrence.cuh"
#include "pairs/band.cuh"

using type = OPS::type;

constexpr unsigned FIRST_BITS = 0x00010001, LAST_BITS = 0x80008000;
constexpr int PLANE_LETTERS = 16;
static_assert(BAND_ITEMS == PLANE_LETTERS);

// As gpu/pairs/band.py has it. unlike: what a diagonal step adds, by one addition to both halves; gain: how much more
// where letters are equal; open: minus the cost of opening a gap; corner: H before all letters; nothing: what no cell of
// a pair is worth as little as. open, corner and nothing stand in both halves.
struct Costs {
    unsigned unlike, gain, open, corner, nothing;
    int base, next;  // what a number is more than H, at all and by a letter
};

// Bits of sixteen letters of each of two sequences, the first in the low half.
struct Planes {
    unsigned low, high;
};

struct Codes {
    const unsigned long long* words;
    long long last;  // word

    // Eight letters. Those that are nobody's may be any: no cell of a pair sees them.
    __device__ __forceinline__ unsigned long long eight(long long at) const {
        const long long word = at >> 3;
        const int shift = (at & 7) * 8;
        const unsigned long long first = words[max(0LL, min(word, last))], second = words[max(0LL, min(word + 1, last))];
        return shift ? first >> shift | second << 64 - shift : first;
    }
    // One bit of each of eight letters: the products put them side by side in the top byte.
    static __device__ __forceinline__ unsigned bits(unsigned long long letters, int bit) {
        return (letters >> bit & 0x0101010101010101ull) * 0x0102040810204080ull >> 56;
    }
    __device__ __forceinline__ void add(Planes& planes, long long at, int half) const {
        const unsigned long long first = eight(at), second = eight(at + 8);
        planes.low |= (bits(first, 0) | bits(second, 0) << 8) << half * 16;
        planes.high |= (bits(first, 1) | bits(second, 1) << 8) << half * 16;
    }
    __device__ __forceinline__ Planes of(long long first, long long second) const {
        Planes planes{0, 0};
        add(planes, first, 0);
        add(planes, second, 1);
        return planes;
    }
};

// The halves' bits in the other order.
__device__ __forceinline__ unsigned reversed(unsigned plane) {
    const unsigned all = __brev(plane);
    return all >> 16 | all << 16;
}
// Subjects' letters move towards the first bit, and queries' away from it; a new one enters.
__device__ __forceinline__ void enter_last(unsigned& plane, unsigned& next) {
    plane = plane >> 1 & ~LAST_BITS | next << 15 & LAST_BITS;
    next >>= 1;
}
__device__ __forceinline__ void enter_first(unsigned& plane, unsigned& next) {
    plane = plane << 1 & ~FIRST_BITS | next & FIRST_BITS;
    next >>= 1;
}

struct Lane {
    Costs costs;
    unsigned even[BAND_ITEMS], odd[BAND_ITEMS];  // H by diagonals, counted from the lowest
    unsigned down[BAND_ITEMS], along[BAND_ITEMS];
    Planes query, subject;
    Lows<OPS, MODE, BAND_ITEMS> lows;

    __device__ __forceinline__ void cell(unsigned& H, unsigned matches, int k, unsigned& E, unsigned F_before, unsigned& F,
                                         unsigned E_before) {
        using Recurrence = RECURRENCE<OPS, MODE>;
        const unsigned score = (matches >> k & FIRST_BITS) * costs.gain + costs.unlike;
        E = E_before;
        F = F_before;
        Recurrence::cell(Recurrence::diagonal(H, score), H, E, F, Gaps<type>{costs.open, 0});
    }
    __device__ __forceinline__ unsigned matches() const {
        return ~(query.low ^ subject.low | query.high ^ subject.high);
    }
    // Those of the odd diagonals, and of the even ones. What enters from the next lane, and from the one before.
    __device__ __forceinline__ void odd_cells(unsigned entering) {
        const unsigned equal = matches();
#pragma unroll
        for (int k = 0; k < BAND_ITEMS; k++)
            cell(odd[k], equal, k, down[k], along[k], along[k], k + 1 < BAND_ITEMS ? down[k + 1] : entering);
    }
    __device__ __forceinline__ void even_cells(unsigned entering) {
        const unsigned equal = matches();
#pragma unroll
        for (int k = BAND_ITEMS - 1; k >= 0; k--)
            cell(even[k], equal, k, down[k], k ? along[k - 1] : entering, along[k], down[k]);
    }
    // H of one of the first pair's cells, and of one of the second's.
    __device__ __forceinline__ unsigned last(int low, unsigned low_odd, int high, unsigned high_odd) const {
        const unsigned odd_halves = low_odd | high_odd << 16;
        unsigned found = 0;
#pragma unroll
        for (int k = 0; k < BAND_ITEMS; k++) {
            const unsigned here = (low == k ? 0xffffu : 0u) | (high == k ? 0xffff0000u : 0u);
            found |= here & select(odd_halves, odd[k], even[k]);
        }
        return found;
    }
    __device__ __forceinline__ void keep(const unsigned (&H)[BAND_ITEMS], uint4*& unit) {
        if (!KEEPS) return;
        lows.begin_row();
#pragma unroll
        for (int k = 0; k < BAND_ITEMS; k++) {
            Cell<type> seen{};
            seen.H = H[k];
            lows.see(k, seen);
        }
#pragma unroll
        for (int u = 0; u < BAND_UNITS; u++, unit += WARP) {
            const unsigned* words = lows.words + 4 * u;
            *unit = make_uint4(words[0], words[1], words[2], words[3]);
        }
    }
};

extern "C" __global__ void __launch_bounds__(LOW_THREADS)
band_fill(const BandPair* __restrict__ pairs, const BandWarp* __restrict__ warps, const int count, const int lanes,
          const unsigned long long* __restrict__ codes, const long long last_word, const Costs costs,
          uint4* __restrict__ lows, int* __restrict__ scores) {
    const int number = blockIdx.x * (LOW_THREADS / WARP) + threadIdx.x / WARP;
    if (number >= count) return;
    const BandWarp warp = warps[number];
    const int lane = threadIdx.x % WARP, first = lane % lanes * BAND_ITEMS;
    const bool at_low_edge = first == 0, at_high_edge = first == (lanes - 1) * BAND_ITEMS;
    const long long place = ((long long)number * WARP + lane) / lanes * 2;
    const BandPair pair[2] = {pairs[place], pairs[place + 1]};
    const Codes letters{codes, last_word};
    Lane own;
    own.costs = costs;
    int last_step[2], last_item[2], less[2];  // where the last cell is this lane's, and what its number is more than H
    unsigned odd_end[2];
    long long query[2], subject[2];  // places of the letters that its first cell has before the first step
    unsigned corner[BAND_ITEMS] = {};
#pragma unroll
    for (int which = 0; which < 2; which++) {
        const int before = -pair[which].lowest / 2, last = (pair[which].columns - pair[which].rows - pair[which].lowest >> 1) - first;
        const bool here = pair[which].rows && 0 <= last && last < BAND_ITEMS;
        last_step[which] = here ? (pair[which].rows + pair[which].columns - 1) / 2 : -1;
        last_item[which] = last;
        less[which] = costs.base + costs.next * (pair[which].rows + pair[which].columns);
        odd_end[which] = (pair[which].rows + pair[which].columns) % 2 ? 0xffff : 0;
        query[which] = pair[which].query + before - 1 - first;
        subject[which] = pair[which].subject - before - 1 + first;
#pragma unroll
        for (int k = 0; k < BAND_ITEMS; k++)
            if (first + k == before) corner[k] |= 0xffffu << which * 16;
    }
    const unsigned opened = OPS::add(costs.corner, costs.open);
#pragma unroll
    for (int k = 0; k < BAND_ITEMS; k++) {
        own.odd[k] = costs.nothing;
        own.even[k] = select(corner[k], costs.corner, costs.nothing);
        own.down[k] = own.along[k] = select(corner[k], opened, costs.nothing);
    }
    own.query = letters.of(query[0] - (PLANE_LETTERS - 1), query[1] - (PLANE_LETTERS - 1));
    own.query = Planes{reversed(own.query.low), reversed(own.query.high)};
    own.subject = letters.of(subject[0], subject[1]);
    Planes next_query, next_subject;
    uint4* unit = lows + warp.lows + lane;
    for (int step = 0; step < warp.steps; step++) {
        if (step % PLANE_LETTERS == 0) {
            next_query = letters.of(query[0] + 1 + step, query[1] + 1 + step);
            next_subject = letters.of(subject[0] + PLANE_LETTERS + step, subject[1] + PLANE_LETTERS + step);
        }
        enter_last(own.subject.low, next_subject.low);
        enter_last(own.subject.high, next_subject.high);
        const unsigned from_next = __shfl_down_sync(ALL_LANES, own.down[0], 1, lanes);
        own.odd_cells(at_high_edge ? costs.nothing : from_next);
        own.keep(own.odd, unit);
        enter_first(own.query.low, next_query.low);
        enter_first(own.query.high, next_query.high);
        const unsigned from_before = __shfl_up_sync(ALL_LANES, own.along[BAND_ITEMS - 1], 1, lanes);
        own.even_cells(at_low_edge ? costs.nothing : from_before);
        own.keep(own.even, unit);
        if (step == last_step[0] || step == last_step[1]) {
            const unsigned last = own.last(last_item[0], odd_end[0], last_item[1], odd_end[1]);
#pragma unroll
            for (int which = 0; which < 2; which++)
                if (step == last_step[which]) scores[place + which] = (which ? OPS::high(last) : OPS::low(last)) - less[which];
        }
    }
}
