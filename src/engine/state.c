/* state.c: hash and equality of positions. */
#include "state.h"

uint64_t bf_position_key(const bf_rules *rules, const bf_state *s) {
    uint64_t key = s->content_key;
    for (int holder = 0; holder < (rules->draft ? BF_COLORS : 1); holder++) {
        for (int color = 0; color < rules->n_colors; color++) {
            uint64_t hand = s->hand[holder][color];
            if (hand != 0) key ^= bf_mix64(hand ^ bf_mix64((uint64_t)(4 * holder + color + 1)));
        }
    }
    if (rules->draft) {
        /* Elsewhere the squares of a color tell it; here anybody may have placed them. */
        key ^= bf_mix64(UINT64_C(0xd1b54a32d192ed03) ^
                           ((uint64_t)s->placed[0] | (uint64_t)s->placed[1] << 16 |
                            (uint64_t)s->placed[2] << 32 | (uint64_t)s->placed[3] << 48));
    }
    uint64_t rest = (uint64_t)(s->turn + 1) | (uint64_t)(s->player + 1) << 3 |
                    (uint64_t)(2 - s->phase) << 6 | (uint64_t)s->monomino_last << 8 |
                    (uint64_t)s->shared_player << 12 | (uint64_t)rules->layout.size << 16 |
                    (uint64_t)rules->n_colors << 24 | (uint64_t)rules->n_players << 28;
    if (rules->max_rounds != 0) rest |= (uint64_t)s->round << 32;
    return bf_mix64(key ^ bf_mix64(rest));
}

int bf_equal_states(const bf_rules *rules, const bf_state *s, const bf_state *t) {
    return memcmp(s->own, t->own, sizeof s->own) == 0 &&
           memcmp(s->hand, t->hand, sizeof s->hand) == 0 &&
           memcmp(s->placed, t->placed, sizeof s->placed) == 0 && s->ply == t->ply &&
           s->turn == t->turn && s->player == t->player && s->phase == t->phase &&
           s->monomino_last == t->monomino_last && s->shared_player == t->shared_player &&
           (rules->max_rounds == 0 || s->round == t->round);
}
