// Runs of a diagonal, one after another: a warp has a diagonal. Of those that lie in the last HSP none is looked at alone.
#pragma once
#include "genomes/strand.cuh"

// The first seeds of all runs, by diagonal and place in the query; of each diagonal the first, and behind the last all.
struct Diagonals {
    const unsigned long long* __restrict__ starts;
    const int* __restrict__ firsts;
    int count, shift;

    __device__ __forceinline__ int x(const int run) const { return (int)(starts[run] & 0xffffffffu); }
    __device__ __forceinline__ int y(const int run) const { return (int)(starts[run] >> 32) - shift + x(run); }
    // The first run from this one to before `last` that begins at a place or behind it; else `last`.
    __device__ __forceinline__ int next(int run, const int last, const int place) const {
        for (; run < last; run += WARP) {
            const int own = run + threadIdx.x % WARP;
            const unsigned there = __ballot_sync(ALL_LANES, own < last && x(own) >= place);
            if (there) return run + __ffs(there) - 1;
        }
        return last;
    }
};

// HSPs by the run that they come from; a length of 0 is none.
struct Found {
    int *query, *length, *matches;

    __device__ __forceinline__ void tell(const int run, const int begin, const int letters, const int equal) const {
        if (threadIdx.x % WARP == 0) query[run] = begin, length[run] = letters, matches[run] = equal;
    }
};

// Of all lanes the greatest number, and of equal ones the smallest place, as one word.
__device__ __forceinline__ Word best_of(Word key) {
    for (int distance = WARP / 2; distance; distance /= 2) key = max(key, __shfl_xor_sync(ALL_LANES, key, distance));
    return key;
}
__device__ __forceinline__ Word key_of(const int number, const int place) { return (Word)number << 32 | (0xffffffffu - place); }
__device__ __forceinline__ int number_of(const Word key) { return (int)(key >> 32); }
__device__ __forceinline__ int place_of(const Word key) { return (int)(0xffffffffu - (unsigned)key); }

// The sum of all lanes up to this one.
__device__ __forceinline__ int sum_to(int number) {
    for (int distance = 1; distance < WARP; distance *= 2) {
        const int before = __shfl_up_sync(ALL_LANES, number, distance);
        if (threadIdx.x % WARP >= distance) number += before;
    }
    return number;
}
