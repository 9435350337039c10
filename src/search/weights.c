/* weights.c: weights of the move prior as a caller gives them, made ready for sums. */
#include "weights.h"

static int is_small(const int32_t *weights, int n) {
    for (int i = 0; i < n; i++) {
        if (weights[i] > BF_MOST_WEIGHT || weights[i] < -BF_MOST_WEIGHT) return 0;
    }
    return 1;
}

int bf_make_weights(bf_weights *weights, const int32_t *numbers) {
    /* A struct of nothing but int32_t is an array of them. */
    enum { N = sizeof(bf_weights) / sizeof(int32_t) };
    if (!is_small(numbers, N)) return -1;
    memcpy(weights, numbers, sizeof *weights);
    for (int phase = 0; phase < BF_PRIOR_PHASES; phase++) {
        for (int code = 0; code < BF_CODES; code++) {
            int ring = code & 7, own_ring = code >> 3 & 3;
            if (ring == BF_NO_RING) continue;
            if (ring == 0) weights->square[phase][BF_COVERED][code] += BF_TAKEN_ONE;
            if (own_ring != 0) weights->square[phase][BF_TOUCHED][code] += BF_GAINED_ONE;
        }
    }
    return 0;
}
