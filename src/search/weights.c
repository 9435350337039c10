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

int64_t bf_value_numbers(int32_t n_colors, int32_t n_players) {
    return (int64_t)(n_colors * BF_VALUE_INPUTS + 1) * BF_VALUE_HIDDEN +
           (int64_t)n_players * (BF_VALUE_HIDDEN + 1);
}

/* Sums of a hidden unit stay within 32 bits, whatever the position. */
static int is_bounded(const bf_value_weights *weights, int h) {
    int64_t most = weights->hidden_bias[h] < 0 ? -(int64_t)weights->hidden_bias[h]
                                               : weights->hidden_bias[h];
    for (int i = 0; i < weights->n_colors * BF_VALUE_INPUTS; i++) {
        int64_t weight = weights->hidden[i / 2][h][i % 2];
        most += BF_MOST_INPUT * (weight < 0 ? -weight : weight);
    }
    return most <= INT32_MAX;
}

int bf_make_value_weights(bf_value_weights *weights, int32_t n_colors, int32_t n_players,
                          const int32_t *numbers) {
    memset(weights, 0, sizeof *weights);
    weights->n_colors = n_colors;
    weights->n_players = n_players;
    for (int i = 0; i < n_colors * BF_VALUE_INPUTS; i++) {
        for (int h = 0; h < BF_VALUE_HIDDEN; h++, numbers++) {
            if (*numbers > INT16_MAX || *numbers < -INT16_MAX) return -1;
            weights->hidden[i / 2][h][i % 2] = (int16_t)*numbers;
        }
    }
    for (int h = 0; h < BF_VALUE_HIDDEN; h++) {
        weights->hidden_bias[h] = *numbers++;
        if (!is_bounded(weights, h)) return -1;
    }
    for (int p = 0; p < n_players; p++) {
        for (int h = 0; h < BF_VALUE_HIDDEN; h++, numbers++) {
            if (*numbers > INT16_MAX || *numbers < -INT16_MAX) return -1;
            weights->output[p][h] = (int16_t)*numbers;
        }
    }
    for (int p = 0; p < n_players; p++) weights->output_bias[p] = *numbers++ * (int64_t)BF_VALUE_UNIT;
    return 0;
}
