// A warp: its lanes, and the addresses that its loads from shared memory take. WARP is a macro, as are all numbers that
// Python knows too (gpu/layout.py).
#pragma once

constexpr unsigned ALL_LANES = 0xffffffffu;

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
    return (unsigned)__cvta_generic_to_shared(pointer);
}
