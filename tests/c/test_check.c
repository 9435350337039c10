/* test_check.c: everything that is no position, one fault at a time; and set-ups. */
#include "actions.h"
#include "check.h"
#include "flow.h"
#include "hands.h"
#include "position.h"
#include "state.h"

static int seen[BF_BAD_KEY + 1];

static void expect(const bf_rules *rules, const bf_state *s, int code, int who) {
    bf_fault fault;
    memset(&fault, 77, sizeof fault);
    int found = bf_check(rules, s, &fault);
    CHECK(found == code && fault.code == code);
    CHECK(fault.who == who);
    if (found >= 0 && found <= BF_BAD_KEY) seen[found] = 1;
}

static void toggle(const bf_rules *rules, bf_state *s, int color, const char *piece, int row,
                   int column) {
    uint32_t move = placement_at(rules, orientation_of_piece(piece), row, column);
    bf_toggle_squares(s->own[color], rules->placements[move]);
    s->content_key ^= bf_placement_key(color, move);
}

static void add_square(bf_state *s, int color, int row, int column) {
    bf_add_square(s->own[color], BF_STRIDE * row + column);
}

/* A change, what is wrong afterwards, and with whom. */
#define FAULT(change, code, who)                                                               \
    do {                                                                                       \
        s = good;                                                                              \
        change;                                                                                \
        expect(rules, &s, code, who);                                                          \
    } while (0)

static void numbers(void) {
    static variant v;
    static room r;
    make_named("classic-3p", &v);
    const bf_rules *rules = &v.rules[0];
    bf_state good, s;
    bf_rng rng;
    seed_rng(&rng, 1);
    play_some(rules, &good, 30, &rng, &r);
    expect(rules, &good, BF_SOUND, -1);
    FAULT(s.turn = -2, BF_BAD_NUMBER, -1);
    FAULT(s.turn = 4, BF_BAD_NUMBER, -1);
    FAULT(s.turn = 127, BF_BAD_NUMBER, -1);
    FAULT(s.player = -2, BF_BAD_NUMBER, -1);
    FAULT(s.player = 3, BF_BAD_NUMBER, -1);
    FAULT(s.phase = 3, BF_BAD_NUMBER, -1);
    FAULT(s.phase = 255, BF_BAD_NUMBER, -1);
    FAULT(s.finished |= 16, BF_BAD_NUMBER, -1);
    FAULT(s.monomino_last |= 16, BF_BAD_NUMBER, -1);
    FAULT(s.shared_player = 3, BF_BAD_NUMBER, -1);
    FAULT(s.reserved[0] = 1, BF_BAD_NUMBER, -1);
    FAULT(s.reserved[31] = 1, BF_BAD_NUMBER, -1);
    FAULT(s.phase = BF_DRAFT, BF_BAD_DRAFT, -1);
    FAULT(s.ply++, BF_BAD_PLY, -1);
    FAULT(s.ply--, BF_BAD_PLY, -1);
    FAULT(s.placed[2]++, BF_BAD_PLACED, 2);
    FAULT(s.finished |= 1 << s.turn, BF_BAD_FINISHED, good.turn);
    FAULT(s.content_key ^= 1, BF_BAD_KEY, -1);
    FAULT(s.player = (int8_t)((s.player + 1) % 3), BF_BAD_TURN, good.turn);
    FAULT(s.player = -1, BF_BAD_TURN, -1);
    FAULT(s.turn = -1, BF_BAD_TURN, -1);
    FAULT(s.phase = BF_OVER, BF_BAD_TURN, -1);
    FAULT((s.phase = BF_OVER, s.turn = s.player = -1), BF_NOT_OVER, 0);
    FAULT(s.hand[0][good.turn] = 0, BF_STUCK, good.turn);
    FAULT(s.hand[1][0] = 1, BF_BAD_HAND, 0);
    FAULT(s.hand[0][0] |= UINT64_C(1) << 63, BF_BAD_HAND, 0);
    FAULT(s.hand[0][0] |= UINT64_C(1) << 21, BF_BAD_HAND, 0);
    /* Without a limit the round is no part of a position. */
    FAULT(s.round = 60000, BF_SOUND, -1);
    make_named("capped duo", &v);
    bf_open(rules, &good);
    FAULT(s.round = 4, BF_BAD_ROUND, -1);
    FAULT(s.round = 3, BF_BAD_ROUND, -1);
    FAULT((s.round = 3, s.phase = BF_OVER, s.turn = s.player = -1), BF_SOUND, -1);
    FAULT((s.round = 2, s.phase = BF_OVER, s.turn = s.player = -1), BF_NOT_OVER, 0);
    FAULT(s.hand[0][2] = 1, BF_BAD_HAND, -1);
    FAULT(add_square(&s, 2, 0, 0), BF_BAD_SQUARE, 2);
    FAULT(s.placed[3] = 1, BF_BAD_PLACED, 3);
    /* Where nobody shares a color, nobody is next to place it. */
    FAULT(s.shared_player = 1, BF_BAD_NUMBER, -1);
}

static void squares(void) {
    static variant v;
    bf_fault fault;
    make_named("duo-assigned", &v);
    const bf_rules *rules = &v.rules[0];
    bf_state opened, good, s;
    bf_undo undo;
    bf_open(rules, &opened);
    good = opened;
    bf_push(rules, &good, placement_at(rules, orientation_of_piece("X"), 3, 3), &undo);
    bf_push(rules, &good, placement_at(rules, orientation_of_piece("O"), 8, 8), &undo);
    expect(rules, &good, BF_SOUND, -1);
    FAULT(s.own[0][7] |= UINT64_C(1) << 63, BF_BAD_SQUARE, 0);
    FAULT(add_square(&s, 0, 0, 14), BF_BAD_SQUARE, 0);
    FAULT(add_square(&s, 1, 14, 0), BF_BAD_SQUARE, 1);
    FAULT(add_square(&s, 1, 4, 4), BF_BAD_SQUARE, 1);
    FAULT(add_square(&s, 0, 3, 3), BF_BAD_PIECE, 0);
    CHECK(bf_check(rules, &s, &fault) == BF_BAD_PIECE && fault.count == 6);
    CHECK(fault.square == 3 * 14 + 3);
    FAULT(toggle(rules, &s, 0, "1", 0, 0), BF_NOT_CONNECTED, 0);
    CHECK(bf_check(rules, &s, &fault) == BF_NOT_CONNECTED && fault.square == 0);
    FAULT((toggle(rules, &s, 0, "X", 3, 3), toggle(rules, &s, 0, "X", 0, 0)), BF_MISSED_START, 0);
    FAULT((toggle(rules, &s, 0, "1", 2, 4)), BF_BAD_PIECE, 0);
    FAULT((toggle(rules, &s, 0, "1", 2, 3)), BF_BAD_HAND, 0);
    /* On the board, and still in hand. */
    FAULT(s.hand[0][0] |= UINT64_C(1) << bf_orientation_piece[orientation_of_piece("X")],
          BF_BAD_HAND, 0);
    CHECK(bf_check(rules, &s, &fault) == BF_BAD_HAND && fault.count == 2);
    CHECK(fault.piece == bf_orientation_piece[orientation_of_piece("X")]);
    /* The monomino was not placed, so it was not the last. */
    FAULT(s.monomino_last = 2, BF_BAD_LAST, 1);
    /* Squares at the guard column or in the last row of a full board are judged as all others. */
    make_named("classic", &v);
    bf_open(rules, &good);
    FAULT(add_square(&s, 3, 0, 20), BF_BAD_SQUARE, 3);
    FAULT(s.own[2][7] = ~UINT64_C(0), BF_BAD_SQUARE, 2);
    FAULT(memset(s.own[0], 0xff, sizeof s.own[0]), BF_BAD_SQUARE, 0);
    FAULT(memcpy(s.own[0], rules->layout.playable, sizeof s.own[0]), BF_BAD_PIECE, 0);
    make_named("holes", &v);
    bf_open(rules, &good);
    FAULT(add_square(&s, 0, 6, 0), BF_BAD_SQUARE, 0);
    FAULT((toggle(rules, &s, 0, "I4", 0, 0), s.hand[0][0] = 0), BF_BAD_OPENING, 0);
}

static void drafts(void) {
    static variant v;
    static room r;
    bf_state good, s;
    bf_rng rng;
    make_named("draft-3p", &v);
    const bf_rules *rules = &v.rules[0];
    seed_rng(&rng, 3);
    play_some(rules, &good, 23, &rng, &r); /* all of the first color, and two of the second */
    expect(rules, &good, BF_SOUND, -1);
    CHECK(good.turn == 1 && good.player == 0);
    FAULT(s.ply++, BF_BAD_PLY, -1);
    FAULT(s.player = 1, BF_BAD_TURN, 1);
    FAULT(s.turn = 2, BF_BAD_TURN, 0);
    FAULT(s.round = 1, BF_BAD_DRAFT, -1);
    FAULT((s.hand[0][1] = s.hand[1][1], s.hand[1][1] = 0), BF_BAD_DRAFT, 1);
    FAULT(s.hand[0][3] = 1, BF_BAD_DRAFT, 3);
    FAULT(s.finished = 1, BF_BAD_NUMBER, -1);
    FAULT(s.hand[3][0] = 1, BF_BAD_HAND, 0);
    FAULT(s.monomino_last = 1, BF_BAD_LAST, 0);
    play_some(rules, &good, 84 + 12, &rng, &r);
    expect(rules, &good, BF_SOUND, -1);
    FAULT(s.placed[0]++, BF_BAD_PLACED, -1);
    FAULT((s.placed[3] = s.placed[2], s.placed[2] = 0), BF_BAD_PLACED, 3);
    FAULT((s.placed[0]++, s.placed[1]--), BF_SOUND, -1);
    FAULT(s.turn = 0, BF_BAD_TURN, -1);
    FAULT(memset(s.hand[s.player], 0, sizeof s.hand[0]), BF_STUCK, good.player);
    FAULT((s.phase = BF_OVER, s.turn = s.player = -1), BF_NOT_OVER, 0);
    FAULT(s.monomino_last = 7, BF_BAD_LAST, good.monomino_last == 0 ? 0 : 1);
    FAULT(s.phase = BF_DRAFT, BF_BAD_DRAFT, -1);
}

/* That set-ups are refused where bf_check would, and begin where the turn can go. */
static void set_ups(void) {
    static variant v;
    bf_state s;
    bf_fault fault;
    uint16_t skipped;
    make_named("classic-3p", &v);
    const bf_rules *rules = &v.rules[0];
    const int wrong[][2] = {{-1, 0}, {4, 0}, {0, -2}, {0, 3}};
    for (int i = 0; i < 4; i++) {
        memset(&s, 0, sizeof s);
        CHECK(bf_set_up(rules, &s, wrong[i][0], wrong[i][1], NULL, &fault) == BF_BAD_NUMBER);
    }
    memset(&s, 0, sizeof s);
    CHECK(bf_set_up(rules, &s, 2, -1, NULL, &fault) == BF_SOUND);
    CHECK(s.phase == BF_OVER && s.turn == -1); /* nobody has a piece */
    /* Two pieces of the shared color were placed: by players 0 and 1. */
    memset(&s, 0, sizeof s);
    toggle(rules, &s, 3, "1", 19, 0);
    toggle(rules, &s, 3, "O", 17, 1);
    for (int c = 0; c < 4; c++) CHECK(bf_take_rest(rules, &s, c, &fault) == BF_SOUND);
    CHECK(bf_hand_pieces(s.hand[0][0]) == BF_ALL_PIECES);
    CHECK(s.hand[0][3] == (hand_of("1 O") ^ BF_ALL_PIECES));
    CHECK(bf_shared_by_pieces(rules, &s) == 2);
    CHECK(bf_set_up(rules, &s, 3, -1, &skipped, &fault) == BF_SOUND);
    CHECK(s.turn == 3 && s.player == 2 && s.shared_player == 2 && s.ply == 2 && s.placed[3] == 5);
    CHECK(bf_set_up(rules, &s, 3, 1, &skipped, &fault) == BF_SOUND && s.player == 1);
    s.hand[0][3] = s.hand[0][0] = 0;
    CHECK(bf_set_up(rules, &s, 3, -1, &skipped, &fault) == BF_SOUND);
    CHECK(s.turn == 1 && BF_SKIPPED(skipped, 0) == 3 && BF_SKIPPED(skipped, 1) == 0);
    s.reserved[5] = 1;
    CHECK(bf_set_up(rules, &s, 3, -1, &skipped, &fault) == BF_BAD_NUMBER);
    s.reserved[5] = 0;
    s.own[3][0] |= 1;
    CHECK(bf_set_up(rules, &s, 3, -1, &skipped, &fault) == BF_NOT_CONNECTED);
    CHECK(fault.who == 3 && fault.square == 0);
    s.own[3][0] |= 6 | UINT64_C(7) << BF_STRIDE;
    CHECK(bf_take_rest(rules, &s, 3, &fault) == BF_BAD_PIECE && fault.count == 6);
    CHECK(bf_count_pieces(rules, &s, &fault) == BF_BAD_PIECE);
    CHECK(bf_set_up(rules, &s, 3, -1, &skipped, &fault) == BF_BAD_PIECE);
}

int main(void) {
    numbers();
    squares();
    drafts();
    set_ups();
    expect_where = "faults";
    for (int code = 0; code <= BF_BAD_KEY; code++) CHECK(seen[code]);
    return expect_result();
}
