/* listing.c: legal actions. Placements come from the kernel; picks and passes are added here. */
#include "listing.h"

#include "flow.h"
#include "state.h"

int bf_lists_one_color(const bf_rules *rules, const bf_state *s, int color) {
    return !rules->draft && !(rules->voluntary_pass && (color < 0 || color == s->turn));
}

/* The placements of one color that a holder could place, without the color in the id. */
static inline uint32_t placements_of(const bf_rules *rules, const bf_state *s, int holder,
                                     int color, uint16_t *ids) {
    return rules->kernel->list(&rules->layout, s->own, color,
                               bf_placeable(rules, s, holder, color), ids);
}

uint32_t bf_list_short(const bf_rules *rules, const bf_state *s, int color, uint16_t *ids) {
    if (s->phase == BF_OVER) return 0;
    return placements_of(rules, s, 0, color >= 0 ? color : s->turn, ids);
}

static uint32_t list_picks(const bf_rules *rules, const bf_state *s, int32_t *ids) {
    uint32_t n = 0;
    for (uint32_t left = bf_pickable(rules, s, s->turn); left != 0; left &= left - 1) {
        ids[n++] = (int32_t)bf_pick_id(rules, s->turn, bf_lowest_bit(left));
    }
    return n;
}

uint32_t bf_list(const bf_rules *rules, const bf_state *s, int color, uint16_t *scratch,
                 int32_t *ids) {
    uint32_t n = 0;
    if (s->phase == BF_OVER) return 0;
    if (s->phase == BF_DRAFT) {
        return color < 0 || color == s->turn ? list_picks(rules, s, ids) : 0;
    }
    for (int c = 0; c < rules->n_colors; c++) {
        if (color >= 0 ? c != color : !rules->draft && c != s->turn) continue;
        uint32_t found = placements_of(rules, s, bf_holder(rules, s), c, scratch);
        uint32_t base = bf_placement_id(rules, c, 0);
        for (uint32_t i = 0; i < found; i++) ids[n + i] = (int32_t)(base + scratch[i]);
        n += found;
        if (c == s->turn && bf_may_pass(rules, s)) ids[n++] = (int32_t)rules->pass_action;
    }
    return n;
}

uint32_t bf_count(const bf_rules *rules, const bf_state *s, int color) {
    uint32_t n = 0;
    if (s->phase == BF_OVER) return 0;
    if (s->phase == BF_DRAFT) {
        if (color >= 0 && color != s->turn) return 0;
        return (uint32_t)bf_count_bits(bf_pickable(rules, s, s->turn));
    }
    for (int c = 0; c < rules->n_colors; c++) {
        if (color >= 0 ? c != color : !rules->draft && c != s->turn) continue;
        n += rules->kernel->count(&rules->layout, s->own, c,
                                  bf_placeable(rules, s, bf_holder(rules, s), c));
        n += (uint32_t)(c == s->turn && bf_may_pass(rules, s));
    }
    return n;
}

int bf_any(const bf_rules *rules, const bf_state *s, int color) {
    if (s->phase == BF_OVER) return 0;
    if (color < 0) return 1; /* the flow never stops at somebody who cannot move */
    if (s->phase == BF_DRAFT) return color == s->turn;
    return bf_can_place(rules, s, bf_holder(rules, s), color);
}

uint32_t bf_mask(const bf_rules *rules, const bf_state *s, int color, uint8_t *mask) {
    uint32_t n = 0, n_moves = rules->layout.n_moves, placements = bf_first_other(rules);
    if (s->phase != BF_PLAY) {
        memset(mask, 0, rules->n_actions);
        if (s->phase == BF_OVER || (color >= 0 && color != s->turn)) return 0;
        for (uint32_t left = bf_pickable(rules, s, s->turn); left != 0; left &= left - 1) {
            mask[bf_pick_id(rules, s->turn, bf_lowest_bit(left))] = 1;
            n++;
        }
        return n;
    }
    if (!rules->draft) {
        int c = color >= 0 ? color : s->turn;
        n = rules->kernel->mask(&rules->layout, s->own, c, bf_placeable(rules, s, 0, c), mask);
        if (rules->voluntary_pass) {
            mask[rules->pass_action] = (uint8_t)(c == s->turn && bf_may_pass(rules, s));
            n += mask[rules->pass_action];
        }
        return n;
    }
    for (int c = 0; c < rules->n_colors; c++) {
        uint8_t *part = mask + bf_placement_id(rules, c, 0);
        if (color < 0 || c == color) {
            n += rules->kernel->mask(&rules->layout, s->own, c,
                                     bf_placeable(rules, s, s->player, c), part);
        } else {
            memset(part, 0, n_moves);
        }
    }
    memset(mask + placements, 0, rules->n_actions - placements);
    return n;
}
