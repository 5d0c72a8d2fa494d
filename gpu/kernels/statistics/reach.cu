// Follows samples of random sequences row by row, as shardwater/statistics/prefixes.py does: a block to a sample, a thread
// to a column of the band. The numbers are numpy's to the last bit: sums go in the order of columns, by one thread each,
// and no product is fused with a sum (gpu/compile.py).
#include "statistics/model.cuh"

// By their last step, as Paths has them. sums: of matches that a gap in the first sequence may follow.
struct Paths {
    double match[WIDTH + 1], gap[WIDTH + 1], other[WIDTH], sums[WIDTH], left;
};

// queries: (samples, rows), subjects: (samples, rows + BAND); levels: count of them.
// weights, at_rows, at_columns, at_scores: (samples, count); what is not reached is not written.
extern "C" __global__ void __launch_bounds__(REACH_THREADS)
reach(const Model* __restrict__ model, const unsigned char* __restrict__ queries,
      const unsigned char* __restrict__ subjects, const int rows, const int* __restrict__ levels, const int count,
      double* weights, double* at_rows, double* at_columns, double* at_scores) {
    __shared__ int best[WIDTH + 1], gap[WIDTH + 1], across[WIDTH], reached;
    __shared__ Paths paths[LAWS];
    const int column = threadIdx.x, open = model->open, extend = model->extend;
    const bool mine = column < WIDTH;
    const long long sample = blockIdx.x;
    const unsigned char *query = queries + sample * rows, *subject = subjects + sample * (rows + BAND);
    const double extended = model->extended;
    if (column <= WIDTH) {
        best[column] = model->best[column];
        gap[column] = model->best[WIDTH];
        for (int law = 0; law < LAWS; law++) {
            paths[law].match[column] = mine ? model->match[column] : 0;
            paths[law].gap[column] = 0;
            if (mine) paths[law].other[column] = model->other[law][column];
        }
    }
    if (column == 0) paths[0].left = paths[1].left = reached = 0;
    __syncthreads();
    int following = 0;
    for (int row = 1; row <= rows; row++) {
        int now = 0, now_gap = 0;
        double match[LAWS], match_gap[LAWS];
        if (mine) {
            const int place = row - BAND - 1 + column;
            const int pair = place < 0 ? PAIRS : RESIDUES * query[row - 1] + subject[place];
            now_gap = max(gap[column + 1] - extend, best[column + 1] - (open + extend));
            now = max(best[column] + model->scores[pair], now_gap);
            for (int law = 0; law < LAWS; law++) {
                Paths& before = paths[law];
                const double opened = model->opened[law];
                if (column == 0) {
                    before.left += opened * before.match[WIDTH - 1] + extended * before.other[WIDTH - 1];
                    before.left += opened * before.match[0] + extended * before.gap[0];
                }
                match_gap[law] = opened * before.match[column + 1] + extended * before.gap[column + 1];
                const double ended = (1 - extended) * (before.gap[column] + before.other[column]);
                match[law] = (ended + (1 - 2 * opened) * before.match[column]) * model->ratios[pair];
            }
        }
        __syncthreads();
        if (mine) {
            best[column] = now;
            gap[column] = now_gap;
            across[column] = now + model->ramp[column];
            for (int law = 0; law < LAWS; law++) {
                paths[law].match[column] = match[law];
                paths[law].gap[column] = match_gap[law];
                paths[law].sums[column] = match[law] * model->rising[column];
            }
        }
        __syncthreads();
        // A warp to each.
        if (column == 0)
            for (int i = 1; i < WIDTH; i++) across[i] = max(across[i], across[i - 1]);
        for (int law = 0; law < LAWS; law++)
            if (column == (1 + law) * WARP)
                for (int i = 1; i < WIDTH; i++) paths[law].sums[i] += paths[law].sums[i - 1];
        __syncthreads();
        if (mine && column > 0) {
            best[column] = max(now, across[column - 1] - model->ramp[column] - open);
            for (int law = 0; law < LAWS; law++)
                paths[law].other[column] = paths[law].sums[column - 1] * model->falling[law][column];
        }
        if (!__syncthreads_or(mine && best[column] >= levels[following])) continue;
        if (column == 0) {
            int most = 0;
            for (int i = 1; i < WIDTH; i++)
                if (best[i] > best[most]) most = i;
            double likelier = 0;
            for (int law = 0; law < LAWS; law++) {
                double sum = 0;
                for (int i = 0; i < WIDTH; i++) sum += paths[law].match[i] + paths[law].gap[i];
                likelier += sum + paths[law].left;
            }
            for (; reached < count && best[most] >= levels[reached]; reached++) {
                weights[sample * count + reached] = 1 / (likelier / LAWS);
                at_rows[sample * count + reached] = row;
                at_columns[sample * count + reached] = row - BAND + most;
                at_scores[sample * count + reached] = best[most];
            }
        }
        __syncthreads();
        following = reached;
        if (following == count) return;
    }
}
