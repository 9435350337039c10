/* playouts.c: draws, and games played to the end by them. Results depend on neither threads,
 * kernel nor platform.
 */
#include "playouts.h"

#include "flow.h"
#include "listing.h"
#include "state.h"

uint64_t bf_below64(bf_rng *rng, uint64_t n) {
    /* As many bits as n - 1 has, until they fit. */
    uint64_t mask = n - 1, drawn;
    for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
    do {
        drawn = bf_rng_next(rng) & mask;
    } while (drawn >= n);
    return drawn;
}

/* Draw a placement with probability proportional to the weight of its id. */
static int32_t draw_by_move(const bf_rules *rules, const bf_state *s, int color, uint32_t pieces,
                            const bf_policy *policy, bf_rng *rng) {
    const uint16_t *ids = policy->scratch;
    uint32_t n = rules->kernel->list(&rules->layout, s->own, color, pieces, policy->scratch);
    uint64_t total = 0;
    if (n == 0) return -1;
    for (uint32_t i = 0; i < n; i++) total += policy->weights[ids[i]];
    if (total == 0) return ids[bf_rng_below(rng, n)];
    uint64_t left = bf_below64(rng, total);
    for (uint32_t i = 0; i + 1 < n; i++) {
        if (left < policy->weights[ids[i]]) return ids[i];
        left -= policy->weights[ids[i]];
    }
    return ids[n - 1];
}

/* Draw a placement of a color, without the color in the id; -1 if there is none. */
static inline int32_t draw_placement(const bf_rules *rules, const bf_state *s, int holder,
                                     int color, const bf_policy *policy, bf_rng *rng) {
    uint32_t pieces = bf_placeable(rules, s, holder, color);
    if (pieces == 0) return -1;
    if (policy->kind == BF_UNIFORM) {
        return rules->kernel->sample(&rules->layout, s->own, color, pieces, rng);
    }
    if (policy->kind == BF_BY_PIECE) {
        return rules->kernel->sample_weighted(&rules->layout, s->own, color, pieces,
                                              policy->weights, rng);
    }
    return draw_by_move(rules, s, color, pieces, policy, rng);
}

/* A pick, a pass, or one of several colors is drawn uniformly by the number of actions that each
 * choice has; then the placement by the policy. Where there is but one choice, nothing is drawn
 * for it. UINT32_MAX if there is nothing to draw, which no position lets happen. */
uint32_t bf_draw(const bf_rules *rules, const bf_state *s, const bf_policy *policy, bf_rng *rng) {
    if (s->phase == BF_DRAFT) {
        uint32_t pieces = bf_pickable(rules, s, s->turn);
        if (pieces == 0) return UINT32_MAX;
        uint32_t skip = bf_rng_below(rng, (uint32_t)bf_count_bits(pieces));
        while (skip-- > 0) pieces &= pieces - 1;
        return bf_pick_id(rules, s->turn, bf_lowest_bit(pieces));
    }
    if (!rules->draft && !bf_may_pass(rules, s)) {
        return (uint32_t)draw_placement(rules, s, 0, s->turn, policy, rng);
    }
    uint32_t all = bf_count(rules, s, -1), chosen = bf_rng_below(rng, all);
    if (!rules->draft) {
        if (chosen == all - 1) return rules->pass_action;
        return (uint32_t)draw_placement(rules, s, 0, s->turn, policy, rng);
    }
    int color = 0;
    for (; color < rules->n_colors - 1; color++) {
        uint32_t n = bf_count(rules, s, color);
        if (chosen < n) break;
        chosen -= n;
    }
    int32_t move = draw_placement(rules, s, s->player, color, policy, rng);
    if (move < 0) return UINT32_MAX;
    return bf_placement_id(rules, color, (uint32_t)move);
}

/* Play to the end where every turn is one color's, and it must place. */
static void play_colors(const bf_rules *rules, bf_state *s, const bf_policy *policy, bf_rng *rng) {
    const int all = (1 << rules->n_colors) - 1;
    int place = rules->place[s->turn];
    while ((s->finished & all) != all) {
        int color = rules->order[place];
        if ((s->finished >> color & 1) == 0) {
            /* Drawing tells whether the color can move: nothing has to ask beforehand. */
            int32_t move = draw_placement(rules, s, 0, color, policy, rng);
            if (move >= 0) {
                bf_put_piece(rules, s, 0, color, (uint32_t)move);
            } else {
                s->finished |= (uint8_t)(1 << color);
            }
        }
        if (++place == rules->n_colors) {
            place = 0;
            s->round++;
            if (rules->max_rounds != 0 && s->round == rules->max_rounds) break;
        }
    }
    bf_end_game(s);
}

void bf_playout(const bf_rules *rules, bf_state *s, const bf_policy *policy, bf_rng *rng) {
    bf_undo undo;
    if (s->phase == BF_OVER) return;
    if (!rules->draft && !rules->voluntary_pass) {
        play_colors(rules, s, policy, rng);
        return;
    }
    /* No game is longer, so whatever the state is, this ends. */
    for (int i = 0; i < 2 * BF_LAST_PASS && s->phase != BF_OVER; i++) {
        uint32_t action = bf_draw(rules, s, policy, rng);
        if (action == UINT32_MAX) break;
        bf_push(rules, s, action, &undo);
    }
    bf_end_game(s);
}
