/* test_legality.c: every reason for which an action can be illegal, in positions made for it.
 * That reasons agree with lists, for every id, is asked in test_games.c.
 */
#include "actions.h"
#include "flow.h"
#include "legality.h"
#include "position.h"
#include "state.h"

static int seen[BF_PICK_GONE + 1];

static void expect(const bf_rules *rules, const bf_state *s, int color, uint32_t action, int reason,
                   int row, int column) {
    int square = 12345;
    int found = bf_illegality(rules, s, color, action, &square);
    CHECK(found == reason);
    CHECK(square == (row < 0 ? -1 : row * rules->layout.size + column));
    CHECK(bf_is_legal(rules, s, color, action) == (reason == BF_LEGAL));
    if (found >= 0 && found <= BF_PICK_GONE) seen[found] = 1;
}

static void push(const bf_rules *rules, bf_state *s, uint32_t action) {
    bf_undo undo;
    expect(rules, s, -1, action, BF_LEGAL, -1, -1);
    bf_push(rules, s, action, &undo);
}

static void on_the_board(void) {
    static variant v;
    make_named("duo-assigned", &v);
    const bf_rules *rules = &v.rules[0];
    int one = orientation_of_piece("1"), two = orientation_of_piece("2");
    bf_state s;
    bf_open(rules, &s);
    expect(rules, &s, -1, placement_at(rules, one, 0, 0), BF_MISSES_START, -1, -1);
    expect(rules, &s, -1, placement_at(rules, one, 9, 9), BF_MISSES_START, -1, -1);
    expect(rules, &s, 1, placement_at(rules, one, 9, 9), BF_LEGAL, -1, -1);
    push(rules, &s, placement_at(rules, one, 4, 4));
    expect(rules, &s, -1, placement_at(rules, one, 4, 4), BF_OVERLAPS, 4, 4);
    push(rules, &s, placement_at(rules, one, 9, 9));
    expect(rules, &s, -1, placement_at(rules, one, 5, 5), BF_NOT_IN_HAND, -1, -1);
    expect(rules, &s, 0, placement_at(rules, one, 5, 5), BF_NOT_IN_HAND, -1, -1);
    /* The domino lies across or upright first; a square in each direction is the same for both. */
    int tall = bf_orientation_height[two] == 2;
    expect(rules, &s, -1, placement_at(rules, two, tall ? 5 : 4, tall ? 4 : 5), BF_OWN_EDGE, 4, 4);
    expect(rules, &s, -1, placement_at(rules, two, 7, 7), BF_NO_CORNER, -1, -1);
    expect(rules, &s, -1, placement_at(rules, two, tall ? 8 : 9, tall ? 9 : 8), BF_OVERLAPS, 9, 9);
    expect(rules, &s, -1, rules->n_actions, BF_NO_SUCH_ACTION, -1, -1);
    expect(rules, &s, -1, UINT32_MAX, BF_NO_SUCH_ACTION, -1, -1);
    push(rules, &s, placement_at(rules, two, 5, 5));
    bf_end_game(&s);
    expect(rules, &s, -1, placement_at(rules, two, 8, 8), BF_GAME_OVER, -1, -1);
    expect(rules, &s, 1, rules->n_actions, BF_NO_SUCH_ACTION, -1, -1);
}

static void with_holes(void) {
    static variant v;
    make_named("holes", &v);
    const bf_rules *rules = &v.rules[0];
    bf_state s;
    bf_open(rules, &s);
    /* (3 * row + 5 * column) % 11 == 7, see rules_for.c. */
    expect(rules, &s, -1, placement_at(rules, orientation_of_piece("1"), 6, 0), BF_OFF_BOARD, 6, 0);
    expect(rules, &s, -1, placement_at(rules, orientation_of_piece("Z5"), 0, 0), BF_NOT_AN_OPENING,
           -1, -1);
}

static void passes(void) {
    static variant v;
    make_named("software-challenge", &v);
    const bf_rules *rules = &v.rules[0];
    bf_state s;
    bf_open(rules, &s);
    uint32_t five = placement_at(rules, orientation_of_piece("I5"), 0, 0);
    expect(rules, &s, -1, placement_at(rules, 0, 0, 0), BF_NOT_AN_OPENING, -1, -1);
    expect(rules, &s, -1, rules->pass_action, BF_NO_PASS, -1, -1);
    push(rules, &s, five);
    expect(rules, &s, 0, rules->pass_action, BF_NO_PASS, -1, -1); /* not his turn */
    for (int i = 1; i < 4; i++) {
        room *r = malloc(sizeof *r);
        bf_rng rng;
        seed_rng(&rng, (uint64_t)i);
        push(rules, &s, some_action(rules, &s, &rng, r));
        free(r);
    }
    expect(rules, &s, 1, rules->pass_action, BF_NO_PASS, -1, -1);
    expect(rules, &s, 0, rules->pass_action, BF_LEGAL, -1, -1);
    bf_state late = s;
    late.ply = BF_LAST_PASS;
    expect(rules, &late, -1, rules->pass_action, BF_NO_PASS, -1, -1);
    late.ply = BF_LAST_PASS - 1;
    push(rules, &late, rules->pass_action);
    CHECK(late.turn == 1 && late.ply == BF_LAST_PASS);
}

static void draft(void) {
    static variant v;
    make_named("tiny draft", &v);
    const bf_rules *rules = &v.rules[0];
    int one = orientation_of_piece("1");
    bf_state s;
    bf_open(rules, &s);
    uint32_t red = bf_placement_id(rules, 1, placement_at(rules, one, 4, 4));
    expect(rules, &s, -1, placement_at(rules, one, 0, 0), BF_DRAFT_PHASE, -1, -1);
    expect(rules, &s, -1, bf_pick_id(rules, 0, 4), BF_PICK_GONE, -1, -1); /* not in the set */
    expect(rules, &s, -1, bf_pick_id(rules, 1, 0), BF_OTHER_COLOR, -1, -1);
    expect(rules, &s, 1, bf_pick_id(rules, 1, 0), BF_OTHER_COLOR, -1, -1);
    expect(rules, &s, 0, bf_pick_id(rules, 0, 0), BF_LEGAL, -1, -1);
    push(rules, &s, bf_pick_id(rules, 0, 0));
    expect(rules, &s, -1, bf_pick_id(rules, 0, 0), BF_PICK_GONE, -1, -1);
    push(rules, &s, bf_pick_id(rules, 0, bf_orientation_piece[orientation_of_piece("I3")]));
    push(rules, &s, bf_pick_id(rules, 1, 0));
    push(rules, &s, bf_pick_id(rules, 1, bf_orientation_piece[orientation_of_piece("V3")]));
    CHECK(s.phase == BF_PLAY && s.player == 0);
    expect(rules, &s, -1, bf_pick_id(rules, 0, 0), BF_NOT_DRAFTING, -1, -1);
    expect(rules, &s, 1, red, BF_NOT_IN_HAND, -1, -1);
    expect(rules, &s, 0, red, BF_OTHER_COLOR, -1, -1);
    push(rules, &s, placement_at(rules, one, 0, 0));
    /* Player 1 holds the other monomino, and the V3, both of the second color. */
    CHECK(s.player == 1);
    push(rules, &s, red);
}

int main(void) {
    on_the_board();
    with_holes();
    passes();
    draft();
    expect_where = "reasons";
    for (int reason = 0; reason <= BF_PICK_GONE; reason++) CHECK(seen[reason]);
    return expect_result();
}
