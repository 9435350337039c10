/* actions.c: ids of actions to what they stand for, and back. */
#include "actions.h"

bf_action bf_decode(const bf_rules *rules, uint32_t action) {
    bf_action a = {BF_NO_ACTION, -1, -1, -1};
    if (action >= rules->n_actions) return a;
    if (bf_is_placement(rules, action)) {
        a.kind = BF_PLACEMENT;
        a.move = (int32_t)bf_action_move(rules, action);
        a.piece = bf_placement_piece(rules->placements[a.move]);
        if (rules->draft) a.color = (int32_t)(action / rules->layout.n_moves);
    } else if (rules->draft) {
        a.kind = BF_PICK;
        a.color = bf_pick_color(rules, action);
        a.piece = bf_pick_piece(rules, action);
    } else {
        a.kind = BF_PASS;
    }
    return a;
}

uint32_t bf_encode(const bf_rules *rules, const bf_action *a) {
    int has_color = a->color >= 0 && a->color < rules->n_colors;
    switch (a->kind) {
    case BF_PLACEMENT:
        if (a->move < 0 || a->move >= rules->layout.n_moves) return UINT32_MAX;
        if (rules->draft && !has_color) return UINT32_MAX;
        return bf_placement_id(rules, a->color, (uint32_t)a->move);
    case BF_PICK:
        if (!rules->draft || !has_color || a->piece < 0 || a->piece >= BF_PIECES) return UINT32_MAX;
        return bf_pick_id(rules, a->color, a->piece);
    case BF_PASS: return rules->voluntary_pass ? rules->pass_action : UINT32_MAX;
    default: return UINT32_MAX;
    }
}
