// Lays each query with its subject behind it, from arrays that have all queries and all subjects. A warp copies a pair,
// a byte a lane at a time.
constexpr int WARPS = PACK_THREADS / WARP;

// As gpu/pairs/short.py packs them.
struct Place {
    long long query, subject, to;  // where letters begin
    int rows, columns;             // of the query, and of the subject
};

extern "C" __global__ void __launch_bounds__(PACK_THREADS)
join_pairs(const Place* __restrict__ places, const int count, const unsigned char* __restrict__ codes,
           unsigned char* __restrict__ joined) {
    const int number = blockIdx.x * WARPS + threadIdx.x / WARP;
    if (number >= count) return;
    const Place place = places[number];
    for (int i = threadIdx.x % WARP; i < place.rows + place.columns; i += WARP)
        joined[place.to + i] = codes[i < place.rows ? place.query + i : place.subject + i - place.rows];
}
