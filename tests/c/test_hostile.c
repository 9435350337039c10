/* test_hostile.c: states that are no positions. Answers about them mean nothing, but nothing may
 * read or write out of bounds, or go on for ever: for the sanitizers to see.
 */
#include "actions.h"
#include "check.h"
#include "flow.h"
#include "hands.h"
#include "legality.h"
#include "listing.h"
#include "perft.h"
#include "playouts.h"
#include "position.h"
#include "rng.h"
#include "state.h"
#include "symmetry.h"

enum { GUARD = 0x5a };

static room r;

/* Whether an action is one of the phase: what `Board.push_unchecked` lets through. */
static int fits_phase(const bf_rules *rules, const bf_state *s, uint32_t action) {
    return rules->draft == 0 || bf_is_pick(rules, action) == (s->phase == BF_DRAFT);
}

/* Squares outside the board look different to different code; others are judged alike. */
static int is_on_board(const bf_rules *rules, const bf_state *s) {
    uint64_t outside = 0;
    for (int c = 0; c < BF_COLORS; c++) {
        for (int bit = 0; bit < 64 * BF_WORDS; bit++) {
            int row = bit / BF_STRIDE, column = bit % BF_STRIDE, size = rules->layout.size;
            if (row >= size || column >= size) outside |= (uint64_t)bf_has_square(s->own[c], bit);
        }
    }
    return outside == 0;
}

static void ask_about_actions(const bf_rules *rules, const bf_state *s, bf_rng *rng) {
    int square, on_board = is_on_board(rules, s);
    for (int color = -1; color < rules->n_colors; color++) {
        uint32_t n = bf_list(rules, s, color, r.scratch, r.ids);
        CHECK(n <= rules->n_actions);
        CHECK(bf_count(rules, s, color) == n);
        r.mask[rules->n_actions] = GUARD;
        CHECK(bf_mask(rules, s, color, r.mask) == n);
        CHECK(r.mask[rules->n_actions] == GUARD);
        bf_any(rules, s, color);
        for (int i = 0; i < 50; i++) {
            uint32_t id = bf_rng_below(rng, rules->n_actions + 1);
            int legal = bf_is_legal(rules, s, color, id);
            int reason = bf_illegality(rules, s, color, id, &square);
            CHECK(!on_board || legal == (reason == BF_LEGAL));
            CHECK(square >= -1 && square < rules->layout.size * rules->layout.size);
        }
        if (n > 0 && on_board) CHECK(bf_is_legal(rules, s, color, (uint32_t)r.ids[n - 1]));
    }
}

static void ask_about_worth(const bf_rules *rules, const bf_state *s) {
    static const uint8_t planes[][4] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0, 0, 9},
                                        {6, 0}, {7, 0}, {8, 0}, {9, 0}, {10}, {11}, {12, 0},
                                        {13, 15}, {14, 15}, {15, 0, 15}};
    static int16_t turns[2][64 * BF_WORDS];
    static const int64_t by_turn[BF_COLORS + 1] = {1, 1, 0, 1, 0};
    static uint8_t out[16 * 4 * BF_MAX_SIZE * BF_MAX_SIZE + 1];
    int8_t squares[40], gained[40], lost[40], taken[40 * BF_COLORS];
    float distance[40];
    const bf_features features = {squares, gained, lost, taken, distance};
    uint64_t board[BF_WORDS];
    int size = rules->layout.size;
    bf_position_key(rules, s);
    CHECK(bf_equal_states(rules, s, s));
    for (int c = 0; c < rules->n_colors; c++) {
        rules->kernel->color_score(rules, s, c);
        rules->kernel->reach(rules, s, c, 3, 4, board);
        /* Not only legal ones, and not only ids. */
        int32_t ids[40];
        for (int i = 0; i < 40; i++) ids[i] = i * 1021 - 1021;
        rules->kernel->features(rules, s, c, ids, 40, &features);
    }
    for (int p = 0; p < rules->n_players; p++) rules->kernel->player_score(rules, s, p);
    for (int cells = 0; cells < 3; cells++) {
        int width = cells == 2 ? (size * size + 7) / 8 : size * size * (cells == 1 ? 4 : 1);
        for (int mover = 0; mover < 2; mover++) {
            const bf_view view = {planes, 16, by_turn, (const int16_t(*)[64 * BF_WORDS])turns,
                                  cells, width, mover};
            out[16 * width] = GUARD;
            rules->kernel->observe(rules, s, &view, out);
            CHECK(out[16 * width] == GUARD);
        }
    }
}

static void ask_by_chance(const bf_rules *rules, const bf_state *s, bf_rng *rng) {
    static uint16_t scratch[BF_LIST_SIZE];
    static uint32_t weights[BF_MAX_MOVES];
    for (int i = 0; i < BF_MAX_MOVES; i++) weights[i] = i < BF_PIECES ? 3 : (uint32_t)i % 5;
    for (int kind = BF_UNIFORM; kind <= BF_BY_MOVE; kind++) {
        const bf_policy policy = {kind, weights, scratch};
        bf_state end = *s;
        if (s->phase != BF_OVER) {
            uint32_t action = bf_draw(rules, s, &policy, rng);
            CHECK(action < rules->n_actions || action == UINT32_MAX);
            CHECK((action == UINT32_MAX) == (bf_count(rules, s, -1) == 0));
        }
        bf_playout(rules, &end, &policy, rng);
        CHECK(end.phase == BF_OVER);
    }
    /* Weights whose sum does not fit: what is drawn means nothing, but it ends. */
    for (int i = 0; i < BF_PIECES; i++) weights[i] = (uint32_t)bf_rng_next(rng) | UINT32_C(1) << 31;
    const bf_policy heavy = {BF_BY_PIECE, weights, scratch};
    bf_state end = *s;
    bf_playout(rules, &end, &heavy, rng);
    CHECK(end.phase == BF_OVER);
}

static void ask_whether_sound(const bf_rules *rules, const bf_state *s) {
    static int32_t moves[BF_MAX_MOVES];
    const int8_t same[BF_COLORS] = {0, 1, 2, 3};
    bf_fault fault;
    bf_state other = *s;
    uint16_t skipped;
    for (int i = 0; i < rules->layout.n_moves; i++) moves[i] = i;
    bf_check(rules, s, &fault);
    bf_count_pieces(rules, &other, &fault);
    other = *s;
    bf_shared_by_pieces(rules, &other);
    for (int c = 0; c < rules->n_colors; c++) bf_take_rest(rules, &other, c, &fault);
    other = *s;
    bf_map_state(rules, s, &other, moves, same, same);
    for (int turn = -1; turn <= BF_COLORS; turn++) {
        other = *s;
        int code = bf_set_up(rules, &other, turn, turn - 1, &skipped, &fault);
        CHECK(code == fault.code);
        if (code == BF_SOUND) check_soundness(rules, &other);
    }
}

static void ask_everything(const bf_rules *rules, const bf_state *s, bf_rng *rng) {
    ask_about_actions(rules, s, rng);
    ask_about_worth(rules, s);
    ask_by_chance(rules, s, rng);
    ask_whether_sound(rules, s);
}

/* Pushes of what is not legal, but of the right kind: squares are toggled off, hands wrap. */
static void illegal_pushes(const variant *v, uint64_t seed) {
    enum { PLIES = 60 };
    const bf_rules *rules = &v->rules[seed % (uint64_t)v->n_kernels];
    bf_state s, before[PLIES];
    bf_undo undo[PLIES];
    bf_rng rng;
    seed_rng(&rng, seed);
    bf_open(rules, &s);
    int n = 0;
    for (; n < PLIES && s.phase != BF_OVER; n++) {
        uint32_t action;
        do {
            action = bf_rng_below(&rng, rules->n_actions);
        } while (!fits_phase(rules, &s, action));
        before[n] = s;
        bf_push(rules, &s, action, &undo[n]);
        if (n % 9 == 0 || s.phase == BF_OVER) ask_everything(rules, &s, &rng);
    }
    while (n-- > 0) {
        bf_pop(rules, &s, &undo[n]);
        CHECK(memcmp(&s, &before[n], sizeof s) == 0);
    }
}

/* Random bytes, but for what the header asks of turn, player, phase and shared player. */
static void random_bytes(const variant *v, uint64_t seed) {
    const bf_rules *rules = &v->rules[seed % (uint64_t)v->n_kernels];
    union {
        bf_state s;
        uint64_t words[sizeof(bf_state) / 8];
    } u;
    bf_rng rng;
    seed_rng(&rng, seed);
    for (int i = 0; i < 6; i++) {
        for (size_t w = 0; w < sizeof(bf_state) / 8; w++) {
            u.words[w] = bf_rng_next(&rng);
            for (int thin = 0; thin < i; thin++) u.words[w] &= bf_rng_next(&rng);
        }
        u.s.phase = (uint8_t)bf_rng_below(&rng, rules->draft ? 3 : 2);
        u.s.turn = u.s.player = -1;
        u.s.shared_player = (uint8_t)bf_rng_below(&rng, rules->n_players);
        if (u.s.phase != BF_OVER) u.s.player = (int8_t)bf_rng_below(&rng, rules->n_players);
        if (u.s.phase == BF_DRAFT || (u.s.phase == BF_PLAY && !rules->draft)) {
            u.s.turn = (int8_t)bf_rng_below(&rng, rules->n_colors);
        }
        ask_everything(rules, &u.s, &rng);
        /* And only for bf_check: anything. */
        bf_fault fault;
        u.words[bf_rng_below(&rng, sizeof(bf_state) / 8)] = bf_rng_next(&rng);
        u.s.phase = (uint8_t)bf_rng_next(&rng);
        u.s.turn = (int8_t)bf_rng_next(&rng);
        bf_check(rules, &u.s, &fault);
        memset(&u.s, 0xff, sizeof u.s);
        CHECK(bf_check(rules, &u.s, &fault) != BF_SOUND);
    }
}

int main(void) {
    static variant v;
    for (int i = 0; i < variant_count(); i++) {
        make_variant(i, &v);
        for (uint64_t seed = 0; seed < 4; seed++) {
            illegal_pushes(&v, seed);
            random_bytes(&v, seed);
        }
    }
    return expect_result();
}
