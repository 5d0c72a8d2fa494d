// The row of a length among counts by length: the number of the EDGES ascending borders that it has reached.
#pragma once

__device__ inline int row_of(const unsigned* __restrict__ edges, const unsigned length) {
    int low = 0, high = EDGES;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (length < edges[middle]) high = middle;
        else low = middle + 1;
    }
    return low;
}
