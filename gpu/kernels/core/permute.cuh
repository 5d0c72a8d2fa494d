// Bytes of two words put together: the scores of two letters, a signed byte each, become a packed number of two halves.
#pragma once

// Not __byte_perm, which drops the bit that extends the sign.
__device__ __forceinline__ unsigned permute(unsigned low, unsigned high, unsigned selector) {
    unsigned picked;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(picked) : "r"(low), "r"(high), "r"(selector));
    return picked;
}

// Byte i of word j becomes byte j of word i.
__device__ __forceinline__ void transpose(const unsigned* of, unsigned* words) {
    const unsigned low = permute(of[0], of[1], 0x5140), more = permute(of[2], of[3], 0x5140);
    const unsigned high = permute(of[0], of[1], 0x7362), last = permute(of[2], of[3], 0x7362);
    words[0] = permute(low, more, 0x5410), words[1] = permute(low, more, 0x7632);
    words[2] = permute(high, last, 0x5410), words[3] = permute(high, last, 0x7632);
}

// Byte `low` of the low word and byte `high` of the high one, and of each its sign.
__device__ __forceinline__ constexpr unsigned pick(unsigned low, unsigned high) {
    return low | (low | 8) << 4 | (4 + high) << 8 | (12 + high) << 12;
}
