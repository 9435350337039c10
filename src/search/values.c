/* values.c: what final scores are worth. The only place of the search that knows who wins. */
#include "bits.h"
#include "search.h"

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
