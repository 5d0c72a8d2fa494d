// A warp: its lanes, and the addresses that its loads from shared memory take. WARP is a macro, as are all numbers that
// Python knows too (gpu/layout.py).
#pragma once

constexpr unsigned ALL_LANES = 0xffffffffu;

// The next piece of work that no warp has taken, by its number.
__device__ __forceinline__ int next_work(int* taken) {
    int number = 0;
    if (threadIdx.x % WARP == 0) number = atomicAdd(taken, 1);
    return __shfl_sync(ALL_LANES, number, 0);
}

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
    return (unsigned)__cvta_generic_to_shared(pointer);
}
