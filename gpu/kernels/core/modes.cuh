// Modes: what an alignment may leave out. A mode says what H is beyond the matrix, and what a cell is worth at least.
#pragma once

// The best alignment of any two stretches: it may begin at every cell, which is then worth 0, and end at every cell.
struct Local {
    static constexpr bool local = true;
    // H there, and any gap that enters: one that is worth no more than 0 is never part of an alignment.
    static constexpr int outside = 0;

    template <class Ops>
    static __device__ __forceinline__ typename Ops::type best(typename Ops::type a, typename Ops::type b,
                                                              typename Ops::type c) {
        return Ops::max3_or_0(a, b, c);
    }
};

// Both sequences whole, but for what is free at their ends. H may be below 0, and is what pairs/borders.cuh says before
// the first letters.
struct Ends {
    static constexpr bool local = false;
    static constexpr int outside = 0;  // until a lane has what stands at its border

    template <class Ops>
    static __device__ __forceinline__ typename Ops::type best(typename Ops::type a, typename Ops::type b,
                                                              typename Ops::type c) {
        return Ops::max3(a, b, c);
    }
};
