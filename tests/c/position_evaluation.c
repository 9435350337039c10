/* position_evaluation.c: what every kernel has of the search's evaluation says the same as that of
 * the portable one, which the tests in Python judge by slow code of their own.
 */
#include "evaluation.h"
#include "hands.h"
#include "position.h"
#include "rng.h"

static int32_t some_number(bf_rng *rng, int32_t most) {
    return (int32_t)bf_rng_below(rng, 2 * (uint32_t)most + 1) - most;
}

/* Weights by chance, as large as they may be, and replies that may or may not be legal. */
static void fill_by_chance(const bf_rules *rules, bf_rng *rng, bf_weights *weights,
                           bf_value_weights *value, bf_replies *replies) {
    int32_t *numbers = &weights->piece[0][0];
    for (size_t i = 0; i < sizeof *weights / sizeof *numbers; i++) {
        numbers[i] = some_number(rng, BF_MOST_WEIGHT);
    }
    memset(value, 0, sizeof *value);
    for (int h = 0; h < BF_VALUE_HIDDEN; h++) {
        value->hidden_bias[h] = some_number(rng, 1 << 20);
        for (int i = 0; i < BF_COLORS; i++) {
            value->output[i][h] = (int16_t)some_number(rng, INT16_MAX);
        }
        for (int i = 0; i < BF_COLORS * BF_VALUE_INPUTS / 2; i++) {
            for (int j = 0; j < 2; j++) value->hidden[i][h][j] = (int16_t)some_number(rng, 20000);
        }
    }
    memset(replies, 0, sizeof *replies);
    for (int c = 0; c < BF_COLORS; c++) {
        for (uint32_t id = 0; id < rules->layout.n_moves; id += 2) {
            replies->after_one[c][id] = (uint16_t)(1 + bf_rng_below(rng, rules->layout.n_moves));
        }
    }
}

static void check_prior(const variant *v, const bf_state *s, const bf_weights *weights, room *r) {
    static int32_t expected[BF_MAX_MOVES], found[BF_MAX_MOVES];
    uint8_t codes[2][64 * BF_WORDS];
    for (int color = 0; color < v->rules[0].n_colors; color++) {
        const bf_rules *plain = &v->rules[0];
        const bf_evaluator *of_plain = bf_evaluator_of(plain->kernel);
        uint32_t n = plain->kernel->list(&plain->layout, s->own, color, BF_ALL_PIECES, r->scratch);
        of_plain->codes(plain, s, color, codes[0]);
        of_plain->logits(plain, s, color, weights, r->scratch, n, expected);
        for (int k = 1; k < v->n_kernels; k++) {
            const bf_evaluator *evaluator = bf_evaluator_of(v->rules[k].kernel);
            evaluator->codes(&v->rules[k], s, color, codes[1]);
            CHECK(memcmp(codes[0], codes[1], sizeof codes[0]) == 0);
            evaluator->logits(&v->rules[k], s, color, weights, r->scratch, n, found);
            CHECK(memcmp(expected, found, n * sizeof found[0]) == 0);
        }
    }
}

static void check_value(const variant *v, const bf_state *s, const bf_value_weights *value) {
    const bf_rules *plain = &v->rules[0];
    const size_t n = (size_t)plain->n_colors * BF_VALUE_INPUTS;
    int16_t inputs[2][BF_COLORS * BF_VALUE_INPUTS];
    int64_t logits[2][BF_COLORS];
    bf_evaluator_of(plain->kernel)->value_inputs(plain, s, inputs[0]);
    bf_evaluator_of(plain->kernel)->value_logits(plain, s, value, logits[0]);
    for (int k = 1; k < v->n_kernels; k++) {
        const bf_evaluator *evaluator = bf_evaluator_of(v->rules[k].kernel);
        evaluator->value_inputs(&v->rules[k], s, inputs[1]);
        CHECK(memcmp(inputs[0], inputs[1], n * sizeof inputs[0][0]) == 0);
        evaluator->value_logits(&v->rules[k], s, value, logits[1]);
        CHECK(memcmp(logits[0], logits[1], plain->n_players * sizeof logits[0][0]) == 0);
    }
}

/* Play from here by one policy; each color's last placement is anything. */
static void play_by(const bf_rules *rules, const bf_state *s, int policy, const bf_replies *replies,
                    bf_rng *rng, bf_line *line, bf_state *end) {
    const bf_playout_policy by = {policy & 1, policy >> 1 & 1, policy >> 2 & 1};
    memset(line, 0, sizeof *line);
    for (int c = 0; c < BF_COLORS; c++) {
        int is_known = c < rules->n_colors && bf_rng_below(rng, 4) > 0;
        line->last[c] = is_known ? (int32_t)bf_rng_below(rng, rules->layout.n_moves) : -1;
    }
    *end = *s;
    bf_evaluator_of(rules->kernel)->playout(rules, end, &by, replies, line, rng);
}

void check_evaluation(const variant *v, const bf_state *s, uint64_t seed, room *r) {
    static bf_weights weights;
    static bf_value_weights value;
    static bf_replies replies;
    static bf_line lines[2];
    bf_state ends[2];
    bf_rng rng;
    if (s->phase == BF_OVER) return;
    seed_rng(&rng, seed);
    fill_by_chance(&v->rules[0], &rng, &weights, &value, &replies);
    check_prior(v, s, &weights, r);
    if (v->rules[0].draft || s->phase != BF_PLAY) return;
    check_value(v, s, &value);
    for (int policy = 0; policy < 8; policy++) {
        bf_rng start = rng, after;
        play_by(&v->rules[0], s, policy, &replies, &rng, &lines[0], &ends[0]);
        for (int k = 1; k < v->n_kernels; k++) {
            after = start;
            play_by(&v->rules[k], s, policy, &replies, &after, &lines[1], &ends[1]);
            CHECK(after.state == rng.state && after.increment == rng.increment);
            CHECK(memcmp(&lines[0], &lines[1], sizeof lines[0]) == 0);
            CHECK(memcmp(&ends[0], &ends[1], sizeof ends[0]) == 0);
        }
    }
}
