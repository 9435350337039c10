/* values.c: what final scores are worth. The only place of the search that knows who wins. */
#include "bits.h"
#include "search.h"
#include "softmax.h"

void bf_final_scores(const bf_rules *rules, const bf_state *s, int32_t *scores) {
    for (int player = 0; player < rules->n_players; player++) {
        scores[player] = rules->kernel->player_score(rules, s, player);
    }
}

uint32_t bf_winners(const bf_search *search, const int32_t *scores) {
    const int32_t sign = search->parameters.lowest_wins ? -1 : 1;
    uint32_t winners = 0;
    int32_t best = INT32_MIN;
    for (int i = 0; i < search->rules->n_players; i++) {
        if (sign * scores[i] > best) {
            best = sign * scores[i];
            winners = 0;
        }
        winners |= (uint32_t)(sign * scores[i] == best) << i;
    }
    return winners;
}

/* A share of the win for each, mixed with the margin to the best of the others. */
void bf_value_scores(const bf_search *search, const int32_t *scores, uint64_t *values) {
    const bf_parameters *p = &search->parameters;
    int n = search->rules->n_players;
    int32_t sign = p->lowest_wins ? -1 : 1;
    uint32_t winners = bf_winners(search, scores);
    for (int i = 0; i < n; i++) {
        int32_t others = INT32_MIN;
        for (int j = 0; j < n; j++) {
            if (j != i && sign * scores[j] > others) others = sign * scores[j];
        }
        double won = (winners >> i & 1) != 0 ? 1.0 / bf_count_bits(winners) : 0.0;
        /* Alone there is nobody to beat: the score itself is all that counts. */
        double margin = n > 1 ? (double)(sign * scores[i] - others) : (double)(sign * scores[i]);
        double part = margin / (p->margin_scale + (margin < 0 ? -margin : margin));
        double weight = n > 1 ? p->margin : 1.0;
        values[i] = (uint64_t)(((1 - weight) * won + weight * 0.5 * (1 + part)) * BF_VALUE_ONE);
    }
}

/* The part of the value function falls evenly with the squares that a color has placed. */
double bf_value_part(const bf_search *search, const bf_state *s) {
    const bf_parameters *p = &search->parameters;
    int n = search->rules->n_colors, placed = 0;
    if (search->value_weights == NULL || s->phase != BF_PLAY) return 0;
    for (int color = 0; color < n; color++) placed += s->placed[color];
    double left = 1 - (double)placed / ((double)p->value_squares * n);
    double part = left > 0 ? p->value_part * left : 0;
    return part < 1 ? part : 1;
}

void bf_value_position(const bf_search *search, const bf_state *s, uint64_t *values) {
    const bf_value_weights *weights = search->value_weights;
    const int n = search->rules->n_players;
    int64_t logits[BF_COLORS], best = INT64_MIN;
    float shares[BF_COLORS], sum = 0;
    search->evaluator->value_logits(search->rules, s, weights, logits);
    for (int i = 0; i < n; i++) best = logits[i] > best ? logits[i] : best;
    for (int i = 0; i < n; i++) {
        const double unit = 1.0 / ((double)BF_VALUE_UNIT * BF_VALUE_UNIT);
        shares[i] = bf_power_of_e((float)((double)(logits[i] - best) * unit));
        sum += shares[i];
    }
    for (int i = 0; i < n; i++) {
        int player = (s->player + i) % n;
        double share = (double)(shares[i] / sum);
        values[player] = (uint64_t)(share * BF_VALUE_ONE);
    }
}
