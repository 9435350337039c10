/* flow.c: turns, skips, shared colors, rounds, the phases of Draft, the end; push and pop. */
#include "flow.h"

#include "state.h"

void bf_end_game(bf_state *s) {
    s->phase = BF_OVER;
    s->turn = -1;
    s->player = -1;
}

uint16_t bf_seek_color(const bf_rules *rules, bf_state *s, int place) {
    unsigned skipped = 0, n = 0;
    for (int i = 0; i < rules->n_colors; i++) {
        if (place == rules->n_colors) {
            place = 0;
            s->round++;
            if (rules->max_rounds != 0 && s->round == rules->max_rounds) break;
        }
        int color = rules->order[place++];
        if ((s->finished >> color & 1) == 0) {
            if (bf_can_place(rules, s, 0, color)) {
                s->turn = (int8_t)color;
                s->player = rules->owner[color];
                if (s->player < 0) s->player = (int8_t)s->shared_player;
                return (uint16_t)skipped;
            }
            /* A color without a placement never gets one again: its corners only get fewer. */
            s->finished |= (uint8_t)(1 << color);
        }
        skipped |= (unsigned)(color + 1) << 4 * n++;
    }
    bf_end_game(s);
    return 0;
}

uint16_t bf_seek_player(const bf_rules *rules, bf_state *s, int player) {
    unsigned skipped = 0, n = 0;
    for (int i = 0; i < rules->n_players; i++) {
        if (player == rules->n_players) {
            player = 0;
            s->round++;
            if (rules->max_rounds != 0 && s->round == rules->max_rounds) break;
        }
        for (int color = 0; color < rules->n_colors; color++) {
            if (bf_can_place(rules, s, player, color)) {
                s->turn = -1;
                s->player = (int8_t)player;
                return (uint16_t)skipped;
            }
        }
        skipped |= (unsigned)(++player) << 4 * n++;
    }
    bf_end_game(s);
    return 0;
}

uint32_t bf_pickable(const bf_rules *rules, const bf_state *s, int color) {
    uint32_t pieces = 0;
    if (color < 0) return 0;
    for (int piece = 0; piece < BF_PIECES; piece++) {
        int picked = 0;
        for (int player = 0; player < rules->n_players; player++) {
            picked += bf_hand_count(s->hand[player][color], piece);
        }
        if (picked < bf_hand_count(rules->hand[color], piece)) pieces |= UINT32_C(1) << piece;
    }
    return pieces;
}

/* Let a player pick of the color at a place in the order, or go on to the next color. */
static uint16_t seek_pick(const bf_rules *rules, bf_state *s, int place, int player) {
    while (place < rules->n_colors) {
        if (bf_pickable(rules, s, rules->order[place]) != 0) {
            s->turn = rules->order[place];
            s->player = (int8_t)(player % rules->n_players);
            return 0;
        }
        /* The first pick of each color goes to the next player in turn. */
        player = ++place;
    }
    s->phase = BF_PLAY;
    return bf_seek_player(rules, s, 0);
}

uint16_t bf_open(const bf_rules *rules, bf_state *s) {
    memset(s, 0, sizeof *s);
    if (rules->draft) {
        s->phase = BF_DRAFT;
        return seek_pick(rules, s, 0, 0);
    }
    s->phase = BF_PLAY;
    for (int color = 0; color < rules->n_colors; color++) s->hand[0][color] = rules->hand[color];
    return bf_seek_color(rules, s, 0);
}

int bf_may_pass(const bf_rules *rules, const bf_state *s) {
    /* Without a limit of rounds passing could go on for ever: it ends before the counters do. */
    return rules->voluntary_pass && s->turn >= 0 && s->ply < BF_LAST_PASS &&
           !bf_is_empty(s->own[s->turn]);
}

void bf_push(const bf_rules *rules, bf_state *s, uint32_t action, bf_undo *undo) {
    undo->action = action;
    undo->round = s->round;
    undo->turn = s->turn;
    undo->player = s->player;
    undo->phase_shared = (uint8_t)(s->phase | s->shared_player << 4);
    undo->finished_last = (uint8_t)(s->finished | s->monomino_last << 4);
    s->ply++;
    if (bf_is_placement(rules, action)) {
        int color = bf_action_color(rules, s, action);
        uint32_t move = bf_action_move(rules, action);
        bf_put_piece(rules, s, bf_holder(rules, s), color, move);
        s->content_key ^= bf_placement_key(color, move);
        if (rules->draft) {
            undo->skipped = bf_seek_player(rules, s, s->player + 1);
            return;
        }
        if (rules->owner[color] < 0) {
            s->shared_player = (uint8_t)((s->shared_player + 1) % rules->n_players);
        }
        undo->skipped = bf_seek_color(rules, s, rules->place[color] + 1);
    } else if (rules->draft) {
        int color = bf_pick_color(rules, action);
        s->hand[s->player][color] =
            bf_hand_with(s->hand[s->player][color], bf_pick_piece(rules, action));
        undo->skipped = seek_pick(rules, s, rules->place[color], s->player + 1);
    } else {
        undo->skipped = bf_seek_color(rules, s, rules->place[s->turn] + 1);
    }
}

void bf_pop(const bf_rules *rules, bf_state *s, const bf_undo *undo) {
    uint32_t action = undo->action;
    s->ply--;
    s->round = undo->round;
    s->turn = undo->turn;
    s->player = undo->player;
    s->phase = undo->phase_shared & 15;
    s->shared_player = undo->phase_shared >> 4;
    s->finished = undo->finished_last & 15;
    s->monomino_last = undo->finished_last >> 4;
    if (!rules->draft) {
        if (action == rules->pass_action) return;
        bf_take_back(rules, s, 0, s->turn, action);
        s->content_key ^= bf_placement_key(s->turn, action);
    } else if (bf_is_placement(rules, action)) {
        int color = bf_action_color(rules, s, action);
        uint32_t move = bf_action_move(rules, action);
        bf_take_back(rules, s, s->player, color, move);
        s->content_key ^= bf_placement_key(color, move);
    } else {
        int color = bf_pick_color(rules, action);
        s->hand[s->player][color] =
            bf_hand_without(s->hand[s->player][color], bf_pick_piece(rules, action));
    }
}
