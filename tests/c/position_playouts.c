/* position_playouts.c: draws and playouts against docs/random.md, written again here from lists
 * and pushes; see position.h.
 */
#include "actions.h"
#include "flow.h"
#include "hands.h"
#include "listing.h"
#include "playouts.h"
#include "position.h"
#include "rng.h"
#include "state.h"

/* Uniformly by index, out of what the list says. */
static uint32_t draw_listed(const int32_t *ids, uint32_t n, bf_rng *rng) {
    return (uint32_t)ids[bf_rng_below(rng, n)];
}

static uint32_t draw_by_piece(const bf_rules *rules, const int32_t *ids, uint32_t n,
                              uint32_t pieces, const uint32_t *weights, bf_rng *rng) {
    for (;;) {
        uint32_t sum = 0, first = 0, k;
        int piece = 0;
        for (int p = 0; p < BF_PIECES; p++) sum += (pieces >> p & 1) != 0 ? weights[p] : 0;
        for (k = bf_rng_below(rng, sum);; piece++) {
            if ((pieces >> piece & 1) == 0) continue;
            if (k < weights[piece]) break;
            k -= weights[piece];
        }
        /* Ids are in the order of the pieces. */
        while (first < n &&
               bf_placement_piece(rules->placements[bf_action_move(rules, (uint32_t)ids[first])]) <
                   piece) {
            first++;
        }
        uint32_t last = first;
        while (last < n &&
               bf_placement_piece(rules->placements[bf_action_move(rules, (uint32_t)ids[last])]) ==
                   piece) {
            last++;
        }
        if (last > first) return draw_listed(ids + first, last - first, rng);
        pieces &= ~(UINT32_C(1) << piece);
    }
}

static uint32_t draw_by_move(const bf_rules *rules, const int32_t *ids, uint32_t n,
                             const uint32_t *weights, bf_rng *rng) {
    uint64_t total = 0, bits = 0, k;
    for (uint32_t i = 0; i < n; i++) total += weights[bf_action_move(rules, (uint32_t)ids[i])];
    if (total == 0) return draw_listed(ids, n, rng);
    while (bits < total - 1) bits = bits << 1 | 1;
    do {
        k = bf_rng_next(rng) & bits;
    } while (k >= total);
    for (uint32_t i = 0;; i++) {
        uint64_t weight = weights[bf_action_move(rules, (uint32_t)ids[i])];
        if (k < weight) return (uint32_t)ids[i];
        k -= weight;
    }
}

static uint32_t slow_draw(const bf_rules *rules, const bf_state *s, const bf_policy *policy,
                          bf_rng *rng, room *r) {
    uint32_t n = bf_list(rules, s, -1, r->scratch, r->ids);
    int color = s->turn;
    if (s->phase == BF_DRAFT) return draw_listed(r->ids, n, rng);
    if (rules->draft) {
        color = (int)(draw_listed(r->ids, n, rng) / rules->layout.n_moves);
        n = bf_list(rules, s, color, r->scratch, r->ids);
    } else if (rules->voluntary_pass && r->ids[n - 1] == (int32_t)rules->pass_action) {
        uint32_t chosen = draw_listed(r->ids, n--, rng);
        if (chosen == rules->pass_action) return chosen;
    }
    if (policy->kind == BF_UNIFORM) return draw_listed(r->ids, n, rng);
    if (policy->kind == BF_BY_MOVE) return draw_by_move(rules, r->ids, n, policy->weights, rng);
    return draw_by_piece(rules, r->ids, n,
                         bf_placeable(rules, s, rules->draft ? s->player : 0, color),
                         policy->weights, rng);
}

void check_playouts(const variant *v, const bf_state *s, uint64_t seed, room *r) {
    static uint16_t scratch[BF_LIST_SIZE];
    static uint32_t by_piece[BF_PIECES + 3];
    static uint32_t large[BF_MAX_MOVES], small[BF_MAX_MOVES], none[BF_MAX_MOVES];
    for (uint32_t p = 0; p < BF_PIECES; p++) by_piece[p] = 1 + p * p * 40000;
    /* Large ones, whose sum needs more than 32 bits, and small ones, where a draw is often the
     * last of a share; zeros among both. */
    for (uint32_t i = 0; i < BF_MAX_MOVES; i++) {
        large[i] = i % 3 == 0 ? 0 : i * UINT32_C(2654435761);
        small[i] = i % 4;
    }
    const bf_policy policies[] = {{BF_UNIFORM, NULL, NULL},
                                  {BF_BY_PIECE, by_piece, NULL},
                                  {BF_BY_MOVE, large, scratch},
                                  {BF_BY_MOVE, small, scratch},
                                  {BF_BY_MOVE, none, scratch}};
    const bf_rules *rules = &v->rules[0];
    for (int i = 0; i < 5; i++) {
        bf_state end = *s;
        bf_undo undo;
        bf_rng rng, start;
        seed_rng(&rng, seed + (uint64_t)i);
        start = rng;
        while (end.phase != BF_OVER) {
            bf_rng before = rng;
            uint32_t action = slow_draw(rules, &end, &policies[i], &rng, r);
            for (int k = 0; k < v->n_kernels; k++) {
                bf_rng again = before;
                CHECK(bf_draw(&v->rules[k], &end, &policies[i], &again) == action);
                CHECK(again.state == rng.state && again.increment == rng.increment);
            }
            bf_push(rules, &end, action, &undo);
        }
        for (int k = 0; k < v->n_kernels; k++) {
            bf_state played = *s;
            bf_rng again = start;
            bf_playout(&v->rules[k], &played, &policies[i], &again);
            CHECK(played.phase == BF_OVER && played.turn == -1 && played.player == -1);
            CHECK(again.state == rng.state);
            CHECK(memcmp(played.own, end.own, sizeof end.own) == 0);
            CHECK(memcmp(played.hand, end.hand, sizeof end.hand) == 0);
            for (int c = 0; c < rules->n_colors; c++) {
                CHECK(rules->kernel->color_score(rules, &played, c) ==
                      rules->kernel->color_score(rules, &end, c));
            }
            for (int p = 0; p < rules->n_players; p++) {
                CHECK(rules->kernel->player_score(rules, &played, p) ==
                      rules->kernel->player_score(rules, &end, p));
            }
        }
    }
}
