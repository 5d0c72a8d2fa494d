// Binary searches in sorted numbers.
#pragma once

// The first place from `first` to before `last` whose number is not less than `number` (not above: greater); else `last`.
template <bool ABOVE, typename Number>
__device__ __forceinline__ int first_from(const Number* __restrict__ numbers, int first, int last, const Number number) {
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (ABOVE ? numbers[middle] <= number : numbers[middle] < number) first = middle + 1;
        else last = middle;
    }
    return first;
}
