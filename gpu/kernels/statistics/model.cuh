// What gpu/statistics/model.py says of a trial law.
#pragma once

// The two halves of samples differ in how often gaps open.
constexpr int LAWS = 2, PAIRS = RESIDUES * RESIDUES;

// letters, chosen: thresholds between residues, and between matched pairs of them.
// The row before the first one is as Best and Paths have it; of pairs, the last is of no letters. falling: by the column
// that it makes.
struct Model {
    double letters[RESIDUES - 1], chosen[PAIRS - 1], opened[LAWS], extended;
    double ratios[PAIRS + 1], match[WIDTH], other[LAWS][WIDTH], rising[WIDTH], falling[LAWS][WIDTH];
    int scores[PAIRS + 1], open, extend, best[WIDTH + 1], ramp[WIDTH];
};
static_assert(sizeof(Model) == MODEL_BYTES);
