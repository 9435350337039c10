/* test_key.c: that hash and equality see all that makes a position, and nothing else. That equal
 * positions have equal keys is asked of whole games in test_games.c.
 */
#include "flow.h"
#include "position.h"
#include "state.h"

/* A change that makes another position, in the key and in the equality. */
#define DIFFERS(change)                                                                        \
    do {                                                                                       \
        t = s;                                                                                 \
        change;                                                                                \
        CHECK(bf_position_key(rules, &s) != bf_position_key(rules, &t));                       \
        CHECK(!bf_equal_states(rules, &s, &t) && !bf_equal_states(rules, &t, &s));             \
    } while (0)
#define SAME(change)                                                                           \
    do {                                                                                       \
        t = s;                                                                                 \
        change;                                                                                \
        CHECK(bf_position_key(rules, &s) == bf_position_key(rules, &t));                       \
        CHECK(bf_equal_states(rules, &s, &t));                                                 \
    } while (0)

static void parts(const char *name, int plies) {
    static variant v;
    static room r;
    bf_state s, t;
    bf_rng rng;
    bf_undo undo;
    make_named(name, &v);
    const bf_rules *rules = &v.rules[0];
    seed_rng(&rng, 4);
    play_some(rules, &s, plies, &rng, &r);
    CHECK(s.phase == BF_PLAY);
    SAME(t = s);
    DIFFERS(t.turn = (int8_t)(t.turn == 1 ? 0 : 1));
    DIFFERS(t.player = (int8_t)(t.player == 1 ? 0 : 1));
    DIFFERS(t.phase = BF_OVER);
    for (int i = 0; i < rules->n_colors; i++) DIFFERS(t.hand[0][i] ^= 1);
    for (int i = 0; i < 4; i++) DIFFERS(t.monomino_last ^= (uint8_t)(1 << i));
    DIFFERS(t.shared_player ^= 1);
    DIFFERS(t.shared_player ^= 2);
    DIFFERS(bf_push(rules, &t, some_action(rules, &t, &rng, &r), &undo));
    if (rules->draft) {
        for (int i = 0; i < rules->n_players; i++) {
            DIFFERS(t.placed[i]++);
            for (int c = 0; c < rules->n_colors; c++) DIFFERS(t.hand[i][c] ^= 2);
        }
    }
    if (rules->max_rounds != 0) {
        DIFFERS(t.round++);
    } else {
        SAME(t.round++);
    }
    SAME(t.finished ^= 1);
    /* The number of moves made is no part of the hash, but of the position. */
    t = s;
    t.ply++;
    CHECK(bf_position_key(rules, &s) == bf_position_key(rules, &t));
    CHECK(!bf_equal_states(rules, &s, &t));
    /* The squares are told by the hash of placements, which pushes keep up. */
    t = s;
    t.content_key ^= 1;
    CHECK(bf_position_key(rules, &s) != bf_position_key(rules, &t));
    t = s;
    t.own[0][0] ^= 1;
    CHECK(!bf_equal_states(rules, &s, &t));
}

int main(void) {
    parts("classic-3p", 20);
    parts("capped classic-3p", 10);
    parts("duo", 8);
    parts("draft-3p", 84 + 10);
    parts("holes", 3);
    /* Orders of placements make no difference; colors and placements do. */
    expect_where = "placements";
    for (int color = 0; color < BF_COLORS; color++) {
        for (uint32_t move = 0; move < BF_MAX_MOVES; move += 7) {
            CHECK(bf_placement_key(color, move) != bf_placement_key((color + 1) % 4, move));
            CHECK(bf_placement_key(color, move) != bf_placement_key(color, move + 1));
        }
    }
    return expect_result();
}
