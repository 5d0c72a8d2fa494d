// Arithmetic of each score type: the verbs that recurrences, modes and observers are written with.
//
// A packed type holds two cells of different subjects in one 32-bit register. `add_max` is max(a + b, c), one
// instruction where the device has DPX (sm_90); elsewhere the compiler spells it out.
#pragma once
#include "core/permute.cuh"

// Two 16-bit integers. The additions are exact while no cell passes 32,767 less the largest score of the matrix,
// which the kernel's caller can tell from the best value (docs/kernels.md, Overflow).
struct Short2 {
    using type = unsigned;
    static constexpr bool packed = true;
    static __device__ __forceinline__ type make(int low, int high) { return (low & 0xffff) | (unsigned)high << 16; }
    static __device__ __forceinline__ int low(type v) { return (short)(v & 0xffff); }
    static __device__ __forceinline__ int high(type v) { return (int)v >> 16; }
    // Byte k of either word.
    static __device__ __forceinline__ type joined(unsigned low, unsigned high, int k) {
        return permute(low, high, pick(k, k));
    }
    // Not the intrinsic: add.s16x2 runs beside the maxima, on the multiplier's pipe. Older devices do not have it.
    static __device__ __forceinline__ type add(type a, type b) {
#if __CUDA_ARCH__ < 900
        return __vadd2(a, b);
#else
        type sum;
        asm("add.s16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
        return sum;
#endif
    }
    static __device__ __forceinline__ type max3(type a, type b, type c) { return __vimax3_s16x2(a, b, c); }
    static __device__ __forceinline__ type max3_or_0(type a, type b, type c) { return __vimax3_s16x2_relu(a, b, c); }
    static __device__ __forceinline__ type add_max(type a, type b, type c) { return __viaddmax_s16x2(a, b, c); }
};

// Two binary16 numbers, for devices that would emulate Short2: whole numbers are exact to 2,048, which the caller checks.
struct Half2 {
    using type = unsigned;
    static constexpr bool packed = true;
    static __device__ __forceinline__ unsigned bits(int v) {
        unsigned short half;
        asm("cvt.rn.f16.s32 %0, %1;" : "=h"(half) : "r"(v));
        return half;
    }
    static __device__ __forceinline__ int whole(unsigned bits) {
        int v;
        asm("cvt.rni.s32.f16 %0, %1;" : "=r"(v) : "h"((unsigned short)bits));
        return v;
    }
    static __device__ __forceinline__ type make(int low, int high) { return bits(low) | bits(high) << 16; }
    static __device__ __forceinline__ int low(type v) { return whole(v & 0xffff); }
    static __device__ __forceinline__ int high(type v) { return whole(v >> 16); }
    static __device__ __forceinline__ type joined(unsigned low, unsigned high, int k) {
        return make((signed char)(low >> 8 * k), (signed char)(high >> 8 * k));
    }
    static __device__ __forceinline__ type add(type a, type b) {
        type sum;
        asm("add.rn.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
        return sum;
    }
    static __device__ __forceinline__ type max2(type a, type b) {
        type best;
        asm("max.f16x2 %0, %1, %2;" : "=r"(best) : "r"(a), "r"(b));
        return best;
    }
    static __device__ __forceinline__ type max3(type a, type b, type c) { return max2(max2(a, b), c); }
    static __device__ __forceinline__ type max3_or_0(type a, type b, type c) { return max2(max2(a, b), max2(c, 0)); }
    static __device__ __forceinline__ type add_max(type a, type b, type c) { return max2(add(a, b), c); }
};

struct Int32 {
    using type = int;
    static constexpr bool packed = false;
    static __device__ __forceinline__ type make(int v) { return v; }
    static __device__ __forceinline__ int whole(type v) { return v; }
    static __device__ __forceinline__ type add(type a, type b) { return a + b; }
    static __device__ __forceinline__ type max2(type a, type b) { return max(a, b); }
    static __device__ __forceinline__ type max3(type a, type b, type c) { return __vimax3_s32(a, b, c); }
    static __device__ __forceinline__ type max3_or_0(type a, type b, type c) { return __vimax3_s32_relu(a, b, c); }
    static __device__ __forceinline__ type add_max(type a, type b, type c) { return __viaddmax_s32(a, b, c); }
};

// Whole numbers are exact to 2^24.
struct Float {
    using type = float;
    static constexpr bool packed = false;
    static __device__ __forceinline__ type make(int v) { return (float)v; }
    static __device__ __forceinline__ int whole(type v) { return (int)v; }
    static __device__ __forceinline__ type add(type a, type b) { return a + b; }
    static __device__ __forceinline__ type max3(type a, type b, type c) { return fmaxf(fmaxf(a, b), c); }
    static __device__ __forceinline__ type max3_or_0(type a, type b, type c) {
        return fmaxf(fmaxf(a, b), fmaxf(c, 0.0f));
    }
    static __device__ __forceinline__ type add_max(type a, type b, type c) { return fmaxf(a + b, c); }
};
