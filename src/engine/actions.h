/* actions.h: what the ids of actions stand for: the one codec. Static functions only.
 *
 *   all variants but Draft   0 .. n_moves - 1 the placements, then, where there is one, the pass
 *   Draft                    color * n_moves + placement, then n_colors * n_moves
 *                            + color * 21 + piece for the picks
 */
#ifndef BF_ACTIONS_H
#define BF_ACTIONS_H

#include "bf_tables.h"
#include "blokus_fast.h"

/* A placement, packed as in bf_rules.placements. */
static inline int bf_placement_orientation(uint32_t placement) { return placement & 127; }
static inline int bf_placement_bit(uint32_t placement) { return placement >> 8 & 511; }
static inline int bf_placement_row(uint32_t placement) { return placement >> 17 & 31; }
static inline int bf_placement_column(uint32_t placement) { return placement >> 22 & 31; }
static inline int bf_placement_piece(uint32_t placement) {
    return bf_orientation_piece[bf_placement_orientation(placement)];
}

/* The first id that is no placement. */
static inline uint32_t bf_first_other(const bf_rules *rules) {
    return rules->draft ? (uint32_t)rules->n_colors * rules->layout.n_moves : rules->layout.n_moves;
}

static inline int bf_is_placement(const bf_rules *rules, uint32_t action) {
    return action < bf_first_other(rules);
}

static inline int bf_is_pick(const bf_rules *rules, uint32_t action) {
    return rules->draft && action >= bf_first_other(rules) && action < rules->n_actions;
}

/* Color and piece of a pick. */
static inline int bf_pick_color(const bf_rules *rules, uint32_t pick) {
    return (int)((pick - bf_first_other(rules)) / BF_PIECES);
}
static inline int bf_pick_piece(const bf_rules *rules, uint32_t pick) {
    return (int)((pick - bf_first_other(rules)) % BF_PIECES);
}
static inline uint32_t bf_pick_id(const bf_rules *rules, int color, int piece) {
    return bf_first_other(rules) + (uint32_t)(color * BF_PIECES + piece);
}

/* Color that a placement would get, and its id without the color. */
static inline int bf_action_color(const bf_rules *rules, const bf_state *s, uint32_t action) {
    return rules->draft ? (int)(action / rules->layout.n_moves) : s->turn;
}
static inline uint32_t bf_action_move(const bf_rules *rules, uint32_t action) {
    return rules->draft ? action % rules->layout.n_moves : action;
}
static inline uint32_t bf_placement_id(const bf_rules *rules, int color, uint32_t move) {
    return rules->draft ? (uint32_t)color * rules->layout.n_moves + move : move;
}

/* The row of `hand` from which the side to move plays. */
static inline int bf_holder(const bf_rules *rules, const bf_state *s) {
    return rules->draft ? s->player : 0;
}

/* The public form of all this, see bf_api. */
bf_action bf_decode(const bf_rules *rules, uint32_t action);
uint32_t bf_encode(const bf_rules *rules, const bf_action *action);

#endif
