// SplitMix64's numbers, as shardwater/statistics/chance.py has them. SPLITMIX_... are of that module.
#pragma once

// A number of a stream, counted from 0.
__device__ __forceinline__ unsigned long long splitmix(unsigned long long stream, unsigned long long number) {
    unsigned long long found = stream + (number + 1) * SPLITMIX_STEP;
    found = (found ^ found >> 30) * SPLITMIX_FIRST;
    found = (found ^ found >> 27) * SPLITMIX_SECOND;
    return found ^ found >> 31;
}

// The same, from 0 to before 1.
__device__ __forceinline__ double splitmix_uniform(unsigned long long stream, unsigned long long number) {
    return (splitmix(stream, number) >> 11) * (1.0 / (1ull << 53));
}
