/* test_actions.c: ids of actions and of placements, on boards of all sizes; what rules refuse. */
#include "actions.h"
#include "bits.h"
#include "kernels.h"
#include "rules.h"
#include "rules_for.h"
#include "state.h"

static void ids_stand_for_one_thing(const bf_rules *rules) {
    for (uint32_t id = 0; id < rules->n_actions; id++) {
        bf_action a = bf_decode(rules, id);
        CHECK(a.kind != BF_NO_ACTION);
        CHECK(bf_encode(rules, &a) == id);
        CHECK(bf_is_placement(rules, id) == (a.kind == BF_PLACEMENT));
        CHECK(bf_is_pick(rules, id) == (a.kind == BF_PICK));
        CHECK((a.color >= 0) == (rules->draft != 0));
        CHECK((a.piece >= 0) == (a.kind != BF_PASS));
        CHECK((a.move >= 0) == (a.kind == BF_PLACEMENT));
    }
    CHECK(bf_decode(rules, rules->n_actions).kind == BF_NO_ACTION);
    CHECK(bf_decode(rules, UINT32_MAX).kind == BF_NO_ACTION);
    CHECK((rules->pass_action < rules->n_actions) == (rules->voluntary_pass != 0));
}

static void nothing_else_has_an_id(const bf_rules *rules) {
    int n_moves = rules->layout.n_moves, n_colors = rules->n_colors;
    const bf_action wrong[] = {
        {BF_NO_ACTION, 0, 0, 0},
        {99, 0, 0, 0},
        {-1, 0, 0, 0},
        {BF_PLACEMENT, 0, 0, -1},
        {BF_PLACEMENT, 0, 0, n_moves},
        {BF_PICK, 0, -1, -1},
        {BF_PICK, 0, BF_PIECES, -1},
        {BF_PICK, -1, 0, -1},
        {BF_PICK, n_colors, 0, -1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK(bf_encode(rules, &wrong[i]) == UINT32_MAX);
    }
    const bf_action colorless = {BF_PLACEMENT, -1, 0, 0}, pass = {BF_PASS, -1, -1, -1};
    const bf_action pick = {BF_PICK, 0, 0, -1}, beyond = {BF_PLACEMENT, n_colors, 0, 0};
    CHECK((bf_encode(rules, &colorless) == UINT32_MAX) == (rules->draft != 0));
    CHECK((bf_encode(rules, &beyond) == UINT32_MAX) == (rules->draft != 0));
    CHECK((bf_encode(rules, &pass) == UINT32_MAX) == (rules->voluntary_pass == 0));
    CHECK((bf_encode(rules, &pick) == UINT32_MAX) == (rules->draft == 0));
}

/* Placements are in the order by orientation, row and column; every table tells the same. */
static void placements_are_in_order(const bf_rules *rules) {
    const bf_layout *layout = &rules->layout;
    int size = layout->size;
    uint32_t id = 0;
    for (int o = 0; o < BF_ORIENTATIONS; o++) {
        CHECK(layout->first[o] == id);
        for (int row = 0; row + bf_orientation_height[o] <= size; row++) {
            for (int column = 0; column + bf_orientation_width[o] <= size; column++, id++) {
                uint32_t placement = rules->placements[id];
                int bit = BF_STRIDE * row + column;
                uint64_t board[BF_WORDS] = {0};
                CHECK(bf_placement_orientation(placement) == o);
                CHECK(bf_placement_row(placement) == row);
                CHECK(bf_placement_column(placement) == column);
                CHECK(bf_placement_bit(placement) == bit);
                CHECK(layout->first[o] + row * (size + 1 - bf_orientation_width[o]) + column == (int)id);
                bf_toggle_squares(board, placement);
                int n = bf_piece_size[bf_orientation_piece[o]];
                CHECK(bf_count_squares(board) == n);
                for (int k = 0; k < n; k++) {
                    int down = bf_orientation_cells[o][k][0], right = bf_orientation_cells[o][k][1];
                    CHECK(bf_has_square(board, bit + BF_STRIDE * down + right));
                }
                bf_toggle_squares(board, placement);
                CHECK(bf_is_empty(board));
            }
        }
    }
    CHECK(layout->first[BF_ORIENTATIONS] == id && layout->n_moves == id);
}

static void unsound_rules_are_refused(void) {
    variant v;
    make_named("classic", &v);
    const bf_rules good = v.rules[0];
    bf_rules bad;
#define REFUSED(change)                                                                        \
    do {                                                                                       \
        bad = good;                                                                            \
        change;                                                                                \
        CHECK(bf_make_rules(&bad, 20, good.placements, NULL) == -1);                           \
    } while (0)
    bad = good;
    CHECK(bf_make_rules(&bad, 20, good.placements, NULL) == 0);
    CHECK(bad.kernel == bf_kernel_best());
    CHECK(bf_make_rules(&bad, 0, good.placements, NULL) == -1);
    CHECK(bf_make_rules(&bad, 21, good.placements, NULL) == -1);
    CHECK(bf_make_rules(&bad, 20, NULL, NULL) == -1);
    /* Squares in play outside a smaller board. */
    CHECK(bf_make_rules(&bad, 19, good.placements, NULL) == -1);
    REFUSED(bad.n_colors = 0);
    REFUSED(bad.n_colors = 5);
    REFUSED(bad.n_players = 0);
    REFUSED(bad.n_players = 5);
    REFUSED(bad.draft = bad.voluntary_pass = 1);
    REFUSED(bad.order[1] = 0);
    REFUSED(bad.order[1] = 4);
    REFUSED(bad.order[1] = -1);
    REFUSED(bad.owner[1] = 4);
    REFUSED(bad.owner[1] = -2);
    REFUSED(bad.hand[2] |= UINT64_C(1) << 63);
    REFUSED(bf_add_square(bad.layout.start[3], 20));
    REFUSED(bf_add_square(bad.layout.playable, 20 * BF_STRIDE));
#undef REFUSED
}

int main(void) {
    static variant v;
    for (int i = 0; i < variant_count(); i++) {
        make_variant(i, &v);
        ids_stand_for_one_thing(&v.rules[0]);
        nothing_else_has_an_id(&v.rules[0]);
        placements_are_in_order(&v.rules[0]);
    }
    unsound_rules_are_refused();
    return expect_result();
}
