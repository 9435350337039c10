/* position_actions.c: the actions of a position, and its soundness; see position.h. */
#include "actions.h"
#include "check.h"
#include "flow.h"
#include "hands.h"
#include "legality.h"
#include "listing.h"
#include "position.h"
#include "state.h"

/* That what is_legal and illegality say of an id is what the list says, and that the square is
 * where the rule is broken. */
static void check_answer(const bf_rules *rules, const bf_state *s, int color, uint32_t id,
                         int listed) {
    int square, size = rules->layout.size;
    int reason = bf_illegality(rules, s, color, id, &square);
    CHECK(bf_is_legal(rules, s, color, id) == listed);
    CHECK((reason == BF_LEGAL) == listed);
    if (reason == BF_OFF_BOARD || reason == BF_OVERLAPS || reason == BF_OWN_EDGE) {
        CHECK(square >= 0 && square < size * size);
        if (square < 0 || square >= size * size) return;
        int bit = BF_STRIDE * (square / size) + square % size;
        int who = rules->draft ? (int)(id / rules->layout.n_moves) : color >= 0 ? color : s->turn;
        int taken = 0;
        for (int c = 0; c < BF_COLORS; c++) taken |= bf_has_square(s->own[c], bit);
        CHECK((reason == BF_OFF_BOARD) == !bf_has_square(rules->layout.playable, bit));
        if (reason == BF_OVERLAPS) CHECK(taken);
        if (reason == BF_OWN_EDGE) CHECK(bf_has_square(s->own[who], bit));
    } else {
        CHECK(square == -1);
    }
}

void check_actions(const variant *v, const bf_state *s, uint32_t step, room *r) {
    static uint8_t other_mask[sizeof r->mask];
    static int32_t other_ids[sizeof r->ids / sizeof r->ids[0]];
    for (int color = -1; color < v->rules[0].n_colors; color++) {
        const bf_rules *rules = &v->rules[0];
        uint32_t n_actions = rules->n_actions, sum = 0;
        uint32_t n = bf_list(rules, s, color, r->scratch, r->ids);
        CHECK(n <= n_actions);
        for (uint32_t i = 0; i < n; i++) {
            CHECK(r->ids[i] >= 0 && r->ids[i] < (int32_t)n_actions);
            CHECK(i == 0 || r->ids[i - 1] < r->ids[i]);
        }
        if (color < 0) CHECK((n > 0) == (s->phase != BF_OVER));
        CHECK(bf_count(rules, s, color) == n);
        /* To pass is no placement, and those are what is asked of a color. */
        uint32_t passes = rules->voluntary_pass && n > 0 &&
                          r->ids[n - 1] == (int32_t)rules->pass_action;
        CHECK(bf_any(rules, s, color) == (n > (color < 0 ? 0 : passes)));
        memset(r->mask, 7, n_actions + 1);
        CHECK(bf_mask(rules, s, color, r->mask) == n);
        CHECK(r->mask[n_actions] == 7);
        for (uint32_t id = 0; id < n_actions; id++) sum += r->mask[id];
        CHECK(sum == n);
        for (uint32_t i = 0; i < n; i++) CHECK(r->mask[r->ids[i]] == 1);
        for (int k = 1; k < v->n_kernels; k++) {
            rules = &v->rules[k];
            CHECK(bf_list(rules, s, color, r->scratch, other_ids) == n);
            CHECK(memcmp(other_ids, r->ids, n * sizeof r->ids[0]) == 0);
            CHECK(bf_count(rules, s, color) == n);
            CHECK(bf_any(rules, s, color) == (n > (color < 0 ? 0 : passes)));
            memset(other_mask, 7, n_actions + 1);
            CHECK(bf_mask(rules, s, color, other_mask) == n);
            CHECK(memcmp(other_mask, r->mask, n_actions + 1) == 0);
        }
        if (bf_lists_one_color(rules, s, color) && s->phase != BF_OVER) {
            CHECK(bf_list_short(rules, s, color, r->scratch) == n);
            for (uint32_t i = 0; i < n; i++) CHECK(r->scratch[i] == r->ids[i]);
        }
        for (uint32_t i = 0; i < n; i++) {
            check_answer(rules, s, color, (uint32_t)r->ids[i], 1);
        }
        for (uint32_t id = (uint32_t)s->ply % step; id < n_actions; id += step) {
            check_answer(rules, s, color, id, r->mask[id]);
        }
        check_answer(rules, s, color, n_actions, 0);
        check_answer(rules, s, color, UINT32_MAX, 0);
    }
}

/* Whether a color (Draft: a player) can place anything, asked of every placement. */
static int can_place_slowly(const bf_rules *rules, const bf_state *s, int who) {
    bf_state asked = *s;
    asked.phase = BF_PLAY;
    if (rules->draft) asked.player = (int8_t)who;
    uint32_t placements = bf_first_other(rules);
    for (uint32_t id = 0; id < placements; id++) {
        int color = rules->draft ? (int)(id / rules->layout.n_moves) : who;
        if (bf_is_legal(rules, &asked, color, id)) return 1;
    }
    return 0;
}

void check_push(const bf_rules *rules, const bf_state *s, uint32_t action) {
    bf_state next = *s;
    bf_undo undo;
    int n_who = rules->draft ? rules->n_players : rules->n_colors;
    bf_push(rules, &next, action, &undo);
    CHECK(undo.action == action);
    CHECK(next.ply == s->ply + 1);
    check_soundness(rules, &next);
    bf_action what = bf_decode(rules, action);
    /* Who should have moved, in their order, until whoever does. */
    int from = rules->draft ? s->player + 1 : rules->place[s->turn] + 1;
    if (what.kind == BF_PICK) from = 0; /* the first phase may have ended: player 0 begins */
    int skips = 0;
    for (; skips < BF_COLORS && BF_SKIPPED(undo.skipped, skips) >= 0; skips++) {
        int place = (from + skips) % n_who;
        int who = rules->draft ? place : rules->order[place];
        CHECK(BF_SKIPPED(undo.skipped, skips) == who);
        CHECK(!can_place_slowly(rules, &next, who));
    }
    if (next.phase == BF_OVER) {
        CHECK(undo.skipped == 0);
        int limited = rules->max_rounds != 0 && next.round == rules->max_rounds;
        for (int who = 0; who < n_who && !limited; who++) {
            CHECK(!can_place_slowly(rules, &next, who));
        }
    } else if (what.kind != BF_PICK) {
        int place = (from + skips) % n_who;
        CHECK(rules->draft ? next.player == place : next.turn == rules->order[place]);
        /* A round ends when the last in the order has had his turn. */
        CHECK(next.round == s->round + (from + skips >= n_who));
        if (rules->max_rounds != 0) CHECK(next.round < rules->max_rounds);
    } else if (next.phase == BF_DRAFT && next.turn == s->turn) {
        CHECK(next.player == (s->player + 1) % rules->n_players);
    }
    if (!rules->draft) {
        int shared = what.kind == BF_PLACEMENT && rules->owner[s->turn] < 0;
        CHECK(next.shared_player == (s->shared_player + shared) % rules->n_players);
        if (next.phase != BF_OVER) {
            int owner = rules->owner[next.turn];
            CHECK(next.player == (owner < 0 ? next.shared_player : owner));
        }
    }
    if (what.kind == BF_PLACEMENT) {
        CHECK(bf_position_key(rules, s) != bf_position_key(rules, &next));
    }
    bf_pop(rules, &next, &undo);
    CHECK(memcmp(&next, s, sizeof next) == 0);
}

void check_soundness(const bf_rules *rules, const bf_state *s) {
    bf_fault fault;
    bf_state again;
    uint16_t skipped;
    CHECK(bf_check(rules, s, &fault) == BF_SOUND);
    CHECK(fault.code == BF_SOUND);
    /* What the engine keeps up is what the squares tell. */
    again = *s;
    again.content_key = ~s->content_key;
    if (!rules->draft) memset(again.placed, 7, sizeof again.placed);
    again.ply = 7;
    CHECK(bf_count_pieces(rules, &again, &fault) == BF_SOUND);
    CHECK(again.content_key == s->content_key);
    CHECK(memcmp(again.placed, s->placed, sizeof s->placed) == 0);
    if (!rules->draft && !rules->voluntary_pass) CHECK(again.ply == s->ply);
    if (s->phase == BF_DRAFT || (s->phase == BF_OVER && rules->max_rounds != 0)) return;
    /* All but squares, hands, flags and squares placed in Draft is made anew. */
    memset(&again, 0, sizeof again);
    memcpy(again.own, s->own, sizeof s->own);
    memcpy(again.hand, s->hand, sizeof s->hand);
    if (rules->draft) memcpy(again.placed, s->placed, sizeof s->placed);
    again.monomino_last = s->monomino_last;
    int who = s->phase == BF_OVER ? 0 : rules->draft ? s->player : s->turn;
    int has_shared = 0;
    for (int c = 0; !rules->draft && c < rules->n_colors; c++) has_shared |= rules->owner[c] < 0;
    int code = bf_set_up(rules, &again, who, has_shared ? s->shared_player : -1, &skipped, &fault);
    CHECK(code == BF_SOUND);
    CHECK(skipped == 0);
    if (!rules->draft && !rules->voluntary_pass) CHECK(again.ply == s->ply);
    again.ply = s->ply;
    again.round = s->round;
    CHECK(bf_equal_states(rules, s, &again) && bf_equal_states(rules, &again, s));
    check_equal_views(rules, s, &again);
}
