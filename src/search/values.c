/* values.c: what final scores are worth. The only place of the search that knows who wins. */
#include "search.h"

void bf_final_scores(const bf_rules *rules, const bf_state *s, int32_t *scores) {
    for (int player = 0; player < rules->n_players; player++) {
        scores[player] = rules->kernel->player_score(rules, s, player);
    }
}

/* A share of the win for each, mixed with the margin to the best of the others. */
void bf_value_scores(const bf_search *search, const int32_t *scores, uint64_t *values) {
    const bf_parameters *p = &search->parameters;
    int n = search->rules->n_players, winners = 0;
    int32_t sign = p->lowest_wins ? -1 : 1, best = INT32_MIN;
    for (int i = 0; i < n; i++) {
        if (sign * scores[i] > best) best = sign * scores[i];
    }
    for (int i = 0; i < n; i++) winners += sign * scores[i] == best;
    for (int i = 0; i < n; i++) {
        int32_t others = INT32_MIN;
        for (int j = 0; j < n; j++) {
            if (j != i && sign * scores[j] > others) others = sign * scores[j];
        }
        double won = sign * scores[i] == best ? 1.0 / winners : 0.0;
        /* Alone there is nobody to beat: the score itself is all that counts. */
        double margin = n > 1 ? (double)(sign * scores[i] - others) : (double)(sign * scores[i]);
        double part = margin / (p->margin_scale + (margin < 0 ? -margin : margin));
        double weight = n > 1 ? p->margin : 1.0;
        values[i] = (uint64_t)(((1 - weight) * won + weight * 0.5 * (1 + part)) * BF_VALUE_ONE);
    }
}
