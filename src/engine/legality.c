/* legality.c: one action tested. The fast test cuts out the few words around a placement; the slow
 * one goes from square to square, so that it can say where a rule is broken. tests/c holds them
 * against each other.
 */
#include "legality.h"

#include "flow.h"
#include "state.h"

/* The 192 bits of a board from one row and one column before an anchor. */
typedef struct window {
    uint64_t words[3];
} window;

static inline window cut_out(const uint64_t *board, int anchor) {
    int bit = anchor + 64 - (BF_STRIDE + 1), w = (bit >> 6) - 1, shift = bit & 63;
    uint64_t words[4];
    window cut;
    for (int i = 0; i < 4; i++) {
        words[i] = w + i >= 0 && w + i < BF_WORDS ? board[w + i] : 0;
    }
    for (int i = 0; i < 3; i++) {
        cut.words[i] = words[i] >> shift | words[i + 1] << 1 << (63 - shift);
    }
    return cut;
}

static inline int meets(const window *cut, const uint64_t *other) {
    return ((cut->words[0] & other[0]) | (cut->words[1] & other[1]) |
            (cut->words[2] & other[2])) != 0;
}

/* Whether a placement of a color from a holder's hand is legal. */
static int may_place(const bf_rules *rules, const bf_state *s, int holder, int color,
                     uint32_t move) {
    uint32_t placement = rules->placements[move];
    int o = bf_placement_orientation(placement), piece = bf_orientation_piece[o];
    int w = bf_placement_bit(placement) >> 6;
    uint64_t words[3];
    if ((bf_hand_pieces(s->hand[holder][color]) >> piece & 1) == 0) return 0;
    bf_placement_words(placement, words);
    /* No placement reaches beyond the last word: what would lie there is 0. */
    for (int i = 0; i < 3 && w + i < BF_WORDS; i++) {
        uint64_t taken = s->own[0][w + i] | s->own[1][w + i] | s->own[2][w + i] |
                         s->own[3][w + i] | ~rules->layout.playable[w + i];
        if ((taken & words[i]) != 0) return 0;
    }
    if (!bf_is_empty(s->own[color])) {
        window cut = cut_out(s->own[color], bf_placement_bit(placement));
        return !meets(&cut, bf_edge_window[o]) && meets(&cut, bf_corner_window[o]);
    }
    if ((rules->first_pieces >> piece & 1) == 0) return 0;
    uint64_t covered = 0;
    for (int i = 0; i < 3 && w + i < BF_WORDS; i++) {
        covered |= rules->layout.start[color][w + i] & words[i];
    }
    return covered != 0;
}

/* Which rule a placement breaks, and at which square. */
static int broken_rule(const bf_rules *rules, const bf_state *s, int holder, int color,
                       uint32_t move, int *square) {
    uint32_t placement = rules->placements[move];
    int o = bf_placement_orientation(placement), piece = bf_orientation_piece[o];
    int top = bf_placement_row(placement), left = bf_placement_column(placement);
    int size = rules->layout.size;
    const uint64_t *own = s->own[color];
    int is_first = bf_is_empty(own);
    if ((bf_hand_pieces(s->hand[holder][color]) >> piece & 1) == 0) return BF_NOT_IN_HAND;
    if (is_first && (rules->first_pieces >> piece & 1) == 0) return BF_NOT_AN_OPENING;
    for (int k = 0; k < bf_piece_size[piece]; k++) {
        int row = top + bf_orientation_cells[o][k][0], column = left + bf_orientation_cells[o][k][1];
        int bit = BF_STRIDE * row + column;
        *square = row * size + column;
        if (!bf_has_square(rules->layout.playable, bit)) return BF_OFF_BOARD;
        for (int c = 0; c < BF_COLORS; c++) {
            if (bf_has_square(s->own[c], bit)) return BF_OVERLAPS;
        }
    }
    *square = -1;
    if (is_first) {
        for (int k = 0; k < bf_piece_size[piece]; k++) {
            int bit = bf_placement_bit(placement) + BF_STRIDE * bf_orientation_cells[o][k][0] +
                      bf_orientation_cells[o][k][1];
            if (bf_has_square(rules->layout.start[color], bit)) return BF_LEGAL;
        }
        return BF_MISSES_START;
    }
    for (int k = 0; k < bf_orientation_n_edges[o]; k++) {
        int row = top + bf_orientation_edges[o][k][0], column = left + bf_orientation_edges[o][k][1];
        if (row < 0 || row >= size || column < 0 || column >= size) continue;
        if (bf_has_square(own, BF_STRIDE * row + column)) {
            *square = row * size + column;
            return BF_OWN_EDGE;
        }
    }
    for (int k = 0; k < bf_orientation_n_corners[o]; k++) {
        int row = top + bf_orientation_corners[o][k][0];
        int column = left + bf_orientation_corners[o][k][1];
        if (row < 0 || row >= size || column < 0 || column >= size) continue;
        if (bf_has_square(own, BF_STRIDE * row + column)) return BF_LEGAL;
    }
    return BF_NO_CORNER;
}

/* The color of a placement that a color (-1: the side to move) is asked about, with the reason
 * why it is out of the question, if it is. */
static int color_asked(const bf_rules *rules, const bf_state *s, int color, uint32_t action,
                       int *reason) {
    int own = bf_action_color(rules, s, action);
    *reason = BF_LEGAL;
    if (s->phase == BF_DRAFT) *reason = BF_DRAFT_PHASE;
    if (!rules->draft) return color >= 0 ? color : own;
    if (*reason == BF_LEGAL && color >= 0 && color != own) *reason = BF_OTHER_COLOR;
    return own;
}

/* What is wrong with an action that is no placement. */
static int wrong_with_other(const bf_rules *rules, const bf_state *s, int color, uint32_t action) {
    int others_turn = color >= 0 && color != s->turn;
    if (!rules->draft) {
        /* A pass: only whoever is to move can. */
        return !others_turn && bf_may_pass(rules, s) ? BF_LEGAL : BF_NO_PASS;
    }
    if (s->phase != BF_DRAFT) return others_turn ? BF_OTHER_COLOR : BF_NOT_DRAFTING;
    if (others_turn || bf_pick_color(rules, action) != s->turn) return BF_OTHER_COLOR;
    return bf_pickable(rules, s, s->turn) >> bf_pick_piece(rules, action) & 1 ? BF_LEGAL
                                                                              : BF_PICK_GONE;
}

int bf_is_legal(const bf_rules *rules, const bf_state *s, int color, uint32_t action) {
    int reason;
    if (action >= rules->n_actions || s->phase == BF_OVER) return 0;
    if (!bf_is_placement(rules, action)) {
        return wrong_with_other(rules, s, color, action) == BF_LEGAL;
    }
    color = color_asked(rules, s, color, action, &reason);
    return reason == BF_LEGAL && may_place(rules, s, bf_holder(rules, s), color,
                                           bf_action_move(rules, action));
}

int bf_illegality(const bf_rules *rules, const bf_state *s, int color, uint32_t action,
                  int *square) {
    int reason;
    *square = -1;
    if (action >= rules->n_actions) return BF_NO_SUCH_ACTION;
    if (s->phase == BF_OVER) return BF_GAME_OVER;
    if (!bf_is_placement(rules, action)) return wrong_with_other(rules, s, color, action);
    color = color_asked(rules, s, color, action, &reason);
    if (reason != BF_LEGAL) return reason;
    return broken_rule(rules, s, bf_holder(rules, s), color, bf_action_move(rules, action), square);
}
