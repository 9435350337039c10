/* test_shapes.c: squares back to placements, and images of positions under symmetries. */
#include "actions.h"
#include "flow.h"
#include "listing.h"
#include "position.h"
#include "rng.h"
#include "shapes.h"
#include "state.h"
#include "symmetry.h"

/* Every placement is found again; beside another one, the one with the lowest square first. */
static void placements_are_found(const bf_rules *rules) {
    for (uint32_t move = 0; move < rules->layout.n_moves; move++) {
        uint64_t board[BF_WORDS] = {0};
        int32_t found;
        bf_toggle_squares(board, rules->placements[move]);
        CHECK(bf_take_component(&rules->layout, board, &found) ==
              bf_piece_size[bf_placement_piece(rules->placements[move])]);
        CHECK(found == (int32_t)move);
        CHECK(bf_is_empty(board));
    }
}

/* Anything at all is taken apart, squares outside the board too; only pieces have an id. */
static void anything_is_taken_apart(const bf_rules *rules) {
    bf_rng rng;
    seed_rng(&rng, rules->layout.size);
    for (int i = 0; i < 300; i++) {
        uint64_t board[BF_WORDS];
        int n = 0;
        for (int w = 0; w < BF_WORDS; w++) {
            board[w] = bf_rng_next(&rng);
            for (int thin = 0; thin < i % 4; thin++) board[w] &= bf_rng_next(&rng);
        }
        if (bf_is_empty(board)) board[0] = 1;
        int all = bf_count_squares(board);
        while (!bf_is_empty(board)) {
            uint64_t before[BF_WORDS], again[BF_WORDS] = {0};
            int lowest = bf_lowest_square(board);
            memcpy(before, board, sizeof before);
            int32_t move = bf_take_piece(rules, board);
            CHECK(!bf_has_square(board, lowest));
            n += bf_count_squares(before) - bf_count_squares(board);
            CHECK(move >= -1 && move < (int32_t)rules->layout.n_moves);
            if (move < 0) continue;
            bf_toggle_squares(again, rules->placements[move]);
            for (int w = 0; w < BF_WORDS; w++) CHECK((before[w] ^ board[w]) == again[w]);
        }
        CHECK(n == all);
    }
}

/* Classic, turned by a quarter: colors, players and moves go round, and nothing else changes. */
static void quarter_turns(void) {
    static variant v;
    static room r;
    static int32_t moves[BF_MAX_MOVES], by_hand[BF_MAX_MOVES];
    const int8_t next[BF_COLORS] = {1, 2, 3, 0};
    make_named("classic", &v);
    const bf_rules *rules = &v.rules[0];
    for (uint32_t move = 0; move < rules->layout.n_moves; move++) {
        uint64_t board[BF_WORDS] = {0}, turned[BF_WORDS] = {0};
        bf_toggle_squares(board, rules->placements[move]);
        for (int row = 0; row < 20; row++) {
            for (int column = 0; column < 20; column++) {
                if (!bf_has_square(board, BF_STRIDE * row + column)) continue;
                bf_add_square(turned, BF_STRIDE * column + 19 - row);
            }
        }
        moves[move] = bf_take_piece(rules, turned);
        CHECK(moves[move] >= 0);
        by_hand[move] = 0;
    }
    for (uint32_t move = 0; move < rules->layout.n_moves; move++) by_hand[moves[move]]++;
    for (uint32_t move = 0; move < rules->layout.n_moves; move++) CHECK(by_hand[move] == 1);
    bf_rng rng;
    seed_rng(&rng, 9);
    for (int plies = 0; plies < 90; plies += 7) {
        bf_state s, image, turned;
        play_some(rules, &s, plies, &rng, &r);
        image = s;
        for (int turn = 0; turn < 4; turn++) {
            turned = image;
            CHECK(bf_map_state(rules, &turned, &image, moves, next, next) == 0);
            /* The images are positions, but that another color begins. */
            CHECK(bf_count(rules, &image, -1) == bf_count(rules, &s, -1));
            CHECK(image.phase == BF_OVER || image.turn == (s.turn + turn + 1) % 4);
            check_soundness(rules, &image);
        }
        CHECK(memcmp(&image, &s, sizeof s) == 0);
    }
}

static void no_image(void) {
    static variant v;
    static int32_t moves[BF_MAX_MOVES];
    const int8_t swapped[BF_COLORS] = {1, 0, 2, 3}, same[BF_COLORS] = {0, 1, 2, 3};
    bf_state s, image;
    for (int32_t move = 0; move < BF_MAX_MOVES; move++) moves[move] = move;
    make_named("draft", &v);
    bf_open(&v.rules[0], &s);
    CHECK(bf_map_state(&v.rules[0], &s, &image, moves, swapped, same) == 1);
    CHECK(bf_map_state(&v.rules[0], &s, &image, moves, same, same) == 0);
    CHECK(memcmp(&image, &s, sizeof s) == 0);
    s.own[0][0] = 0xff; /* eight in a row */
    CHECK(bf_map_state(&v.rules[0], &s, &image, moves, same, same) == 1);
}

int main(void) {
    static variant v;
    for (int i = 0; i < variant_count(); i++) {
        make_variant(i, &v);
        placements_are_found(&v.rules[0]);
        anything_is_taken_apart(&v.rules[0]);
    }
    quarter_turns();
    no_image();
    return expect_result();
}
