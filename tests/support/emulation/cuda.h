// What stands for CUDA where a kernel's source runs on the CPU: its words, its types and its built-in functions, for the
// kernels that tests/support/emulation/emulator.py compiles.
//
// Blocks run one after the other. Each thread of a block is a fibre; fibres run in turn, each until it waits for others.
#pragma once
#include <string.h>
#include "fibres.h"

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct int2 { int x, y; };
struct uint2 { unsigned x, y; };
struct uint4 { unsigned x, y, z, w; };
inline int2 make_int2(int x, int y) { return {x, y}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// CUDA's have the types of both arguments too.
template <class A, class B>
auto max(A a, B b) -> decltype(true ? A() : B()) { return a < b ? b : a; }
template <class A, class B>
auto min(A a, B b) -> decltype(true ? A() : B()) { return b < a ? b : a; }
inline int abs(int value) { return __builtin_abs(value); }
inline int __ffs(int word) { return __builtin_ffs(word); }
inline float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }

template <class Type>
Type __ldg(const Type* address) { return *address; }
inline long long __cvta_generic_to_shared(const void* pointer) { return (const char*)pointer - fibres::shared; }

// Votes and shuffles: each lane leaves what it has, waits for the others, and looks at what they left.

template <class Type>
Type left_by(unsigned mask, Type value, unsigned source) {
    static_assert(sizeof(Type) <= 8);
    uint64_t word = 0;
    memcpy(&word, &value, sizeof value);
    const uint64_t* words = fibres::exchange(mask, word);
    memcpy(&value, words + source, sizeof value);
    return value;
}
inline unsigned own_lane() { return threadIdx.x % WARP; }

template <class Type>
Type __shfl_sync(unsigned mask, Type value, int source, int width = WARP) {
    return left_by(mask, value, own_lane() / width * width + source % width);
}
template <class Type>
Type __shfl_up_sync(unsigned mask, Type value, unsigned distance, int width = WARP) {
    return left_by(mask, value, own_lane() % width < distance ? own_lane() : own_lane() - distance);
}
template <class Type>
Type __shfl_down_sync(unsigned mask, Type value, unsigned distance) {
    return left_by(mask, value, own_lane() + distance < WARP ? own_lane() + distance : own_lane());
}
template <class Type>
Type __shfl_xor_sync(unsigned mask, Type value, int distance) {
    return left_by(mask, value, own_lane() ^ distance);
}
inline unsigned __ballot_sync(unsigned mask, bool vote) {
    const uint64_t* votes = fibres::exchange(mask, vote);
    unsigned found = 0;
    for (int lane = 0; lane < WARP; lane++) found |= (unsigned)votes[lane] << lane;
    return found;
}
inline bool __any_sync(unsigned mask, bool vote) { return __ballot_sync(mask, vote) != 0; }
inline int __reduce_max_sync(unsigned mask, int value) {
    const uint64_t* values = fibres::exchange(mask, (uint32_t)value);
    int found = (int32_t)values[own_lane()];
    for (int lane = 0; lane < WARP; lane++)
        if (mask >> lane & 1) found = max(found, (int32_t)values[lane]);
    return found;
}
inline void __syncwarp(unsigned mask = 0xffffffffu) { fibres::exchange(mask, 0); }
inline void __syncthreads() { fibres::wait_at(0, blockDim.x); }
inline int __syncthreads_or(int vote) {
    static int any;
    __syncthreads();
    any = 0;
    __syncthreads();
    any |= vote != 0;
    __syncthreads();
    return any;
}

// No fibre comes in between.

template <class Type, class Added>
Type atomicAdd(Type* address, Added value) {
    const Type before = *address;
    *address += value;
    return before;
}
inline unsigned atomicOr(unsigned* address, unsigned value) {
    const unsigned before = *address;
    *address |= value;
    return before;
}
inline int atomicMax(int* address, int value) {
    const int before = *address;
    *address = max(before, value);
    return before;
}

// Two 16-bit integers in a word: sums wrap around.

template <class Function>
unsigned by_halves(Function function, unsigned a, unsigned b, unsigned c) {
    const auto low = [](unsigned word) { return (int)(int16_t)word; };
    const auto high = [](unsigned word) { return (int)(int16_t)(word >> 16); };
    return (uint16_t)function(low(a), low(b), low(c)) | (unsigned)(uint16_t)function(high(a), high(b), high(c)) << 16;
}
inline int wrapped(int sum) { return (int16_t)sum; }
inline unsigned __vadd2(unsigned a, unsigned b) {
    return by_halves([](int a, int b, int) { return a + b; }, a, b, 0);
}
inline unsigned __viaddmax_s16x2(unsigned a, unsigned b, unsigned c) {
    return by_halves([](int a, int b, int c) { return max(wrapped(a + b), c); }, a, b, c);
}
inline unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c) {
    return by_halves([](int a, int b, int c) { return max(max(a, b), c); }, a, b, c);
}
inline unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return by_halves([](int a, int b, int c) { return max(max(max(a, b), c), 0); }, a, b, c);
}
inline int __vimax3_s32(int a, int b, int c) { return max(max(a, b), c); }
inline int __vimax3_s32_relu(int a, int b, int c) { return max(max(max(a, b), c), 0); }
inline int __viaddmax_s32(int a, int b, int c) { return max(a + b, c); }

// What stands for lines of PTX; emulator.py says which.
namespace ptx {
inline unsigned prmt(unsigned low, unsigned high, unsigned selector) {
    const uint64_t bytes = (uint64_t)high << 32 | low;
    unsigned picked = 0;
    for (int i = 0; i < 4; i++, selector >>= 4) {
        const uint8_t byte = bytes >> 8 * (selector & 7);
        picked |= (unsigned)(uint8_t)(selector & 8 ? (int8_t)byte >> 7 : byte) << 8 * i;
    }
    return picked;
}

inline _Float16 half_of(uint16_t bits) {
    _Float16 half;
    memcpy(&half, &bits, 2);
    return half;
}
inline uint16_t bits_of(_Float16 half) {
    uint16_t bits;
    memcpy(&bits, &half, 2);
    return bits;
}
inline unsigned short cvt_half(int value) { return bits_of((_Float16)value); }
inline int cvt_whole(unsigned short bits) { return (int)__builtin_nearbyintf((float)half_of(bits)); }
// A float has bits enough that its sum, rounded again, is the sum rounded once.
inline unsigned add_halves(unsigned a, unsigned b) {
    const auto sum = [](uint16_t a, uint16_t b) { return bits_of((_Float16)((float)half_of(a) + (float)half_of(b))); };
    return sum(a, b) | (unsigned)sum(a >> 16, b >> 16) << 16;
}
inline unsigned max_halves(unsigned a, unsigned b) {
    const auto larger = [](uint16_t a, uint16_t b) { return half_of(a) < half_of(b) ? b : a; };
    return larger(a, b) | (unsigned)larger(a >> 16, b >> 16) << 16;
}

// A word in shared memory, by its address there.
inline unsigned& shared(unsigned address, int word = 0) { return ((unsigned*)(fibres::shared + address))[word]; }
}  // namespace ptx
