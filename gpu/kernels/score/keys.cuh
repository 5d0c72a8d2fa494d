// Keys that sort subjects as results are: the score in the high bits, the larger for the lower subject in the low ones.
#pragma once

__device__ __forceinline__ unsigned long long key_of(const int score, const unsigned subject) {
    constexpr unsigned LAST_SUBJECT = (1ull << SUBJECT_BITS) - 1;
    return (unsigned long long)score << SUBJECT_BITS | (LAST_SUBJECT - subject);
}
