/* test_hands.c: counts of pieces in three bit planes, and boards of bits. */
#include "bits.h"
#include "hands.h"
#include "rng.h"
#include "rules_for.h"

static void counts_go_up_and_down(void) {
    for (int piece = 0; piece < BF_PIECES; piece++) {
        /* Whatever the others are, they stay. */
        uint64_t others = (UINT64_C(0x5a5a5a5a5a5a5a5a) >> 1) & ~(UINT64_C(1) << piece) &
                          ~(UINT64_C(1) << (piece + 21)) & ~(UINT64_C(1) << (piece + 42));
        uint64_t hand = others;
        for (int n = 0; n <= 7; n++) {
            uint64_t mine = hand ^ others;
            CHECK(bf_hand_count(hand, piece) == n);
            CHECK((bf_hand_pieces(hand) >> piece & 1) == (n > 0));
            CHECK(bf_hand_pieces(mine) == (n > 0 ? UINT32_C(1) << piece : 0));
            if (n > 0) CHECK(bf_hand_count(bf_hand_without(hand, piece), piece) == n - 1);
            if (n < 7) hand = bf_hand_with(hand, piece);
        }
        /* What nobody may ask for wraps, and touches nothing else. */
        CHECK(bf_hand_with(hand, piece) == others);
        CHECK(bf_hand_without(others, piece) == hand);
    }
}

static void packing_is_counting(void) {
    bf_rng rng;
    seed_rng(&rng, 1);
    for (int i = 0; i < 1000; i++) {
        uint8_t counts[BF_PIECES];
        for (int piece = 0; piece < BF_PIECES; piece++) counts[piece] = bf_rng_next(&rng) >> 61;
        uint64_t hand = bf_hand_pack(counts);
        CHECK(hand >> 63 == 0);
        for (int piece = 0; piece < BF_PIECES; piece++) {
            CHECK(bf_hand_count(hand, piece) == counts[piece]);
            CHECK((bf_hand_pieces(hand) >> piece & 1) == (counts[piece] > 0));
        }
    }
}

static void boards_are_sets_of_squares(void) {
    bf_rng rng;
    seed_rng(&rng, 2);
    for (int i = 0; i < 1000; i++) {
        uint64_t board[BF_WORDS] = {0};
        int n = 0, lowest = 64 * BF_WORDS;
        CHECK(bf_is_empty(board));
        for (int k = 0; k < 1 + i % 50; k++) {
            int bit = (int)bf_rng_below(&rng, 64 * BF_WORDS);
            n += !bf_has_square(board, bit);
            lowest = bit < lowest ? bit : lowest;
            bf_add_square(board, bit);
            CHECK(bf_has_square(board, bit));
        }
        CHECK(!bf_is_empty(board));
        CHECK(bf_count_squares(board) == n);
        CHECK(bf_lowest_square(board) == lowest);
    }
    CHECK(bf_square_index(BF_STRIDE * 3 + 4, 14) == 3 * 14 + 4);
}

static void spreading_is_moving_by_one(void) {
    uint64_t everywhere[BF_WORDS];
    memset(everywhere, 0xff, sizeof everywhere);
    for (int diagonally = 0; diagonally < 2; diagonally++) {
        for (int bit = 0; bit < 64 * BF_WORDS; bit++) {
            const int steps[2][4] = {{1, -1, BF_STRIDE, -BF_STRIDE},
                                     {BF_STRIDE - 1, 1 - BF_STRIDE, BF_STRIDE + 1, -1 - BF_STRIDE}};
            uint64_t board[BF_WORDS] = {0}, want[BF_WORDS] = {0}, kept[BF_WORDS] = {0};
            bf_add_square(board, bit);
            bf_add_square(want, bit);
            memcpy(kept, board, sizeof kept);
            for (int k = 0; k < 4; k++) {
                int to = bit + steps[diagonally][k];
                if (to >= 0 && to < 64 * BF_WORDS) bf_add_square(want, to);
            }
            bf_spread(board, everywhere, diagonally);
            CHECK(memcmp(board, want, sizeof want) == 0);
            memcpy(board, kept, sizeof kept);
            bf_spread(board, kept, diagonally);
            CHECK(memcmp(board, kept, sizeof kept) == 0);
        }
    }
}

static void numbers_are_below(void) {
    bf_rng rng;
    seed_rng(&rng, 3);
    int seen[7] = {0};
    for (int i = 0; i < 1000; i++) {
        CHECK(bf_rng_below(&rng, 1) == 0);
        CHECK(bf_rng_below(&rng, UINT32_MAX) < UINT32_MAX);
        uint32_t k = bf_rng_below(&rng, 7);
        CHECK(k < 7);
        if (k < 7) seen[k]++;
    }
    for (int k = 0; k < 7; k++) CHECK(seen[k] > 80);
}

int main(void) {
    expect_where = "hands";
    counts_go_up_and_down();
    packing_is_counting();
    boards_are_sets_of_squares();
    spreading_is_moving_by_one();
    numbers_are_below();
    return expect_result();
}
