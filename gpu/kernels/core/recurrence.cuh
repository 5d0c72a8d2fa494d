// The recurrence: one row of the items query columns that a lane holds.
//
//     S = H(i-1, j-1) + score        H = the mode's best of S, E, F
//     E = max(E - next, H - first)   along the query, handed from column to column
//     F = max(F - next, H - first)   along the subject, one for each column
//
// A row is written once, whatever it is made of (docs/kernels.md): the recurrence says what a gap costs, the mode what
// a cell is worth at least, the scores where a score comes from, the observer what is kept of a cell. A cell stands
// twice, as Affine and as AffineEarly, behind one interface: the same values by other instructions, since either would
// cost the other's kernels instructions or time.
#pragma once
#include "core/arithmetic.cuh"
#include "core/modes.cuh"
#include "core/scores.cuh"

template <class Type>
struct Gaps {
    Type first;  // minus the cost of a gap's first residue
    Type next;   // minus the cost of each further residue
};

// What an observer may look at: E and F as they enter the cell and as they leave, and what a gap is worth that opens here.
template <class Type>
struct Cell {
    Type S, H, E_before, F_before, E, F, opened;
};

// The fewest instructions: for warps enough to fill the pipes, where each one costs (docs/kernels.md, The machine).
template <class Ops_, class Mode_>
struct Affine {
    using Ops = Ops_;
    using Mode = Mode_;
    using type = typename Ops::type;

    static __device__ __forceinline__ type cell(type S, type& H, type& E, type& F, const Gaps<type>& gaps) {
        H = Mode::template best<Ops>(S, E, F);
        const type opened = Ops::add(H, gaps.first);
        E = Ops::add_max(E, gaps.next, opened);
        F = Ops::add_max(F, gaps.next, opened);
        return opened;
    }

    // A cell whose H and F were made before E came: they take it in, and E goes on to the next column, as 0 where it is
    // worth less. Says whether it counts there, in either half: not where a gap that opens here is worth as much.
    static __device__ __forceinline__ bool take_late(type& H, type& E, type& F, const Gaps<type>& gaps) {
        static_assert(Mode::local);
        const type known = Ops::add_max(H, gaps.first, gaps.next);
        const type longer = Ops::add(E, gaps.next);
        const bool counts = Ops::max3(known, longer, longer) != known;
        H = Ops::max3(H, E, E);
        F = Ops::add_max(H, gaps.first, F);
        E = Ops::max3(longer, type(0), type(0));
        return counts;
    }
};

// The shortest chain from column to column: for few warps, which wait for it. The next E is taken from T, the best
// without E, since E - first never passes E - next: E alone is waited for, one step of arithmetic. That costs two
// instructions a cell more than Affine, and so is not for all.
template <class Ops_, class Mode_>
struct AffineEarly {
    using Ops = Ops_;
    using Mode = Mode_;
    using type = typename Ops::type;

    static __device__ __forceinline__ type cell(type S, type& H, type& E, type& F, const Gaps<type>& gaps) {
        const type T = Mode::template best<Ops>(S, F, F);
        H = Ops::max2(T, E);
        const type opened = Ops::add(H, gaps.first);
        E = Ops::add_max(E, gaps.next, Ops::add(T, gaps.first));
        F = Ops::add_max(F, gaps.next, opened);
        return opened;
    }
};

// The forms for pairs of sequences (pairs/columns.cuh), which take the diagonal step too and say what crosses an edge.
template <class Ops_, class Mode_>
struct AffinePairs : Affine<Ops_, Mode_> {
    using type = typename Ops_::type;
    static constexpr bool affine = true;
    static __device__ __forceinline__ type diagonal(type H, type score) { return Ops_::add(H, score); }
};

// In potential form (gpu/pairs/potential.py), with q = next: E has nothing to subtract where it goes on, nor has F where p = next
// too; gaps.first is minus the cost of opening alone, gaps.next is p - next.
template <class Ops_, class Mode_>
struct AffinePotential {
    using Ops = Ops_;
    using Mode = Mode_;
    using type = typename Ops::type;
    static constexpr bool affine = true;

    // Plain additions of words: halves are never negative here, so nothing is carried from one to the other, and the
    // compiler cannot fuse them into a maximum, which would move work from the multiplier's pipe to the ALU.
    static __device__ __forceinline__ type diagonal(type H, type score) { return H + score; }
    static __device__ __forceinline__ type cell(type S, type& H, type& E, type& F, const Gaps<type>& gaps) {
        H = Mode::template best<Ops>(S, E, F);
        E = Ops::add_max(H, gaps.first, E);
        F = Ops::add_max(H, gaps.first, F) + gaps.next;
        return H;
    }
};

// A gap costs the same for each letter. H is kept less that cost, and the scores have as much more: whatever leaves a
// cell has paid for its gap already. E is H of the column before.
template <class Ops_, class Mode_>
struct Linear {
    using Ops = Ops_;
    using Mode = Mode_;
    using type = typename Ops::type;
    static constexpr bool affine = false;

    static __device__ __forceinline__ type diagonal(type H, type score) { return Ops::add(H, score); }
    static __device__ __forceinline__ type cell(type S, type& H, type& E, type& F, const Gaps<type>& gaps) {
        return H = E = Ops::add(Mode::template best<Ops>(S, H, E), gaps.next);
    }
};

// In potential form with p = q = next a gap costs nothing.
template <class Ops_, class Mode_>
struct LinearPotential {
    using Ops = Ops_;
    using Mode = Mode_;
    using type = typename Ops::type;
    static constexpr bool affine = false;

    static __device__ __forceinline__ type diagonal(type H, type score) { return H + score; }
    static __device__ __forceinline__ type cell(type S, type& H, type& E, type& F, const Gaps<type>& gaps) {
        return H = E = Mode::template best<Ops>(S, H, E);
    }
};

// A lane's columns of one strip.
template <class Recurrence, class Observer, int items>
struct Tile {
    using Ops = typename Recurrence::Ops;
    using type = typename Ops::type;
    type H[items], F[items];  // of the row above
    type E;                   // leaving the last column of this row
    type corner;              // H left of the first column, in the row above
    Observer observer;

    __device__ __forceinline__ void clear() {
        const type outside = type(Recurrence::Mode::outside);
#pragma unroll
        for (int j = 0; j < items; j++) H[j] = F[j] = outside;
        E = corner = outside;
        observer.clear();
    }

    // One row: `left` is H left of the first column; E is what enters there.
    template <class Scores>
    __device__ __forceinline__ void relax(type left, Scores scores, const Gaps<type>& gaps) {
        type diagonal = corner;
        corner = left;
        observer.begin_row();
        // As one loop over all columns it takes an instruction more in every eight rows where a lane has one column.
#pragma unroll
        for (int chunk = 0; chunk * CHUNK < items; chunk++) {
            scores.load(chunk);
#pragma unroll
            for (int k = 0; k < CHUNK; k++) {
                const int j = chunk * CHUNK + k;
                if (j >= items) break;
                const type S = Ops::add(diagonal, scores.of(k));
                diagonal = H[j];
                const type E_before = E, F_before = F[j];
                const type opened = Recurrence::cell(S, H[j], E, F[j], gaps);
                observer.see(j, Cell<type>{S, H[j], E_before, F_before, E, F[j], opened});
            }
        }
    }
};
