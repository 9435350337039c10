/* test_flow.c: turn order, skips, rounds, the shared color, Draft's phases and the end, in games
 * whose course is known.
 */
#include "actions.h"
#include "check.h"
#include "flow.h"
#include "hands.h"
#include "listing.h"
#include "position.h"
#include "state.h"

static uint16_t push(const bf_rules *rules, bf_state *s, uint32_t action) {
    bf_undo undo;
    bf_push(rules, s, action, &undo);
    return undo.skipped;
}

/* Take the hands of some colors away and go on from a place in the order. */
static void only_some_can_place(void) {
    static variant v;
    make_named("classic", &v);
    const bf_rules *rules = &v.rules[0];
    bf_state opened, s;
    bf_open(rules, &opened);
    for (int able = 0; able < 16; able++) {
        for (int place = 0; place <= 4; place++) {
            s = opened;
            for (int c = 0; c < 4; c++) {
                if ((able >> c & 1) == 0) s.hand[0][c] = 0;
            }
            uint16_t skipped = bf_seek_color(rules, &s, place);
            if (able == 0) {
                CHECK(s.phase == BF_OVER && s.turn == -1 && s.player == -1 && skipped == 0);
                CHECK(s.finished == 15);
                continue;
            }
            int skips = 0;
            while ((able >> (place + skips) % 4 & 1) == 0) {
                CHECK(BF_SKIPPED(skipped, skips) == (place + skips) % 4);
                CHECK(s.finished >> (place + skips) % 4 & 1);
                skips++;
            }
            CHECK(BF_SKIPPED(skipped, skips) == -1);
            CHECK(s.turn == (place + skips) % 4 && s.player == s.turn && s.phase == BF_PLAY);
            CHECK(s.round == (place + skips >= 4));
            /* Who is known to be finished is passed over without being asked. */
            bf_state known = s;
            known.finished = 15;
            CHECK(bf_seek_color(rules, &known, 0) == 0 && known.phase == BF_OVER);
        }
    }
}

/* Three players: the shared color goes round, and only turns in which it places count. */
static void shared_color_goes_round(void) {
    static const char *const names[] = {"classic-3p", "classic-3p blue", "classic-3p yellow",
                                        "classic-3p red", "holes", "capped classic-3p"};
    static variant v;
    static room r;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        make_named(names[i], &v);
        const bf_rules *rules = &v.rules[0];
        bf_rng rng;
        bf_state s;
        int times = 0;
        seed_rng(&rng, i);
        bf_open(rules, &s);
        CHECK(rules->owner[s.turn] == 0 || strcmp(names[i], "holes") == 0);
        while (s.phase != BF_OVER) {
            int owner = rules->owner[s.turn];
            CHECK(s.player == (owner < 0 ? times % rules->n_players : owner));
            times += owner < 0;
            push(rules, &s, some_action(rules, &s, &rng, &r));
            CHECK(s.shared_player == times % rules->n_players);
        }
        CHECK(times > 0);
    }
}

/* Rounds are counted by the turn, whether colors place, pass or are skipped. */
static void rounds_are_limited(void) {
    static const char *const names[] = {"1 round", "capped duo", "capped classic-3p",
                                        "software-challenge", "tiny draft, 1 round"};
    static variant v;
    static room r;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        make_named(names[i], &v);
        const bf_rules *rules = &v.rules[0];
        int n_who = rules->draft ? rules->n_players : rules->n_colors;
        for (uint64_t seed = 0; seed < 5; seed++) {
            bf_rng rng;
            bf_state s;
            int turns = 0;
            seed_rng(&rng, seed);
            bf_open(rules, &s);
            while (s.phase != BF_OVER) {
                int drafting = s.phase == BF_DRAFT;
                int before = rules->draft ? s.player : rules->place[s.turn];
                CHECK(drafting || s.round == turns / n_who);
                push(rules, &s, some_action(rules, &s, &rng, &r));
                if (drafting || s.phase == BF_OVER) continue;
                int now = rules->draft ? s.player : rules->place[s.turn];
                turns += (now - before + n_who - 1) % n_who + 1;
            }
            CHECK(s.round <= rules->max_rounds);
            /* All of them had their turns, or nobody can move. */
            int able = 0;
            for (int c = 0; c < rules->n_colors && !rules->draft; c++) {
                able |= bf_can_place(rules, &s, 0, c);
            }
            if (able) CHECK(s.round == rules->max_rounds && turns == n_who * rules->max_rounds - 1);
        }
    }
}

/* RULES: the first pick of each color goes to the next player in turn, and round from there. */
static void draft_goes_round(void) {
    static const char *const names[] = {"draft", "draft-3p", "draft-2p", "tiny draft",
                                        "holes draft"};
    static variant v;
    static room r;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        make_named(names[i], &v);
        const bf_rules *rules = &v.rules[0];
        bf_rng rng;
        bf_state s;
        seed_rng(&rng, i);
        bf_open(rules, &s);
        for (int place = 0; place < rules->n_colors; place++) {
            int color = rules->order[place], n = bf_count_bits(rules->hand[color]);
            for (int pick = 0; pick < n; pick++) {
                CHECK(s.phase == BF_DRAFT && s.turn == color);
                CHECK(s.player == (place + pick) % rules->n_players);
                CHECK(bf_count(rules, &s, -1) == (uint32_t)(n - pick));
                push(rules, &s, some_action(rules, &s, &rng, &r));
            }
            CHECK(bf_pickable(rules, &s, color) == 0);
        }
        CHECK(s.phase != BF_DRAFT && bf_pickable(rules, &s, -1) == 0);
        if (s.phase == BF_PLAY) CHECK(s.turn == -1);
    }
}

/* Draft: who cannot place now is skipped, without being finished. */
static void draft_players_are_skipped(void) {
    static variant v;
    make_named("tiny draft", &v);
    const bf_rules *rules = &v.rules[0];
    bf_state s;
    bf_fault fault;
    uint16_t skipped;
    memset(&s, 0, sizeof s);
    /* A monomino of the first color lies in its corner; player 1 holds its I3, player 0 all of the
     * other color, player 2 nothing. */
    bf_toggle_squares(s.own[0], rules->placements[placement_at(rules, 0, 0, 0)]);
    s.placed[0] = 1;
    s.hand[1][0] = hand_of("I3");
    s.hand[0][1] = hand_of("1 V3");
    CHECK(bf_set_up(rules, &s, 0, -1, &skipped, &fault) == BF_SOUND);
    CHECK(s.player == 0 && skipped == 0);
    uint32_t corner = bf_placement_id(rules, 1, placement_at(rules, 0, 4, 4));
    skipped = push(rules, &s, corner);
    CHECK(s.player == 1 && skipped == 0);
    /* Without the piece of the first color nobody but player 0 can place: 1 and 2 are skipped. */
    bf_state alone = s;
    alone.hand[1][0] = 0;
    skipped = bf_seek_player(rules, &alone, 1);
    CHECK(alone.player == 0 && alone.turn == -1);
    CHECK(BF_SKIPPED(skipped, 0) == 1 && BF_SKIPPED(skipped, 1) == 2 && BF_SKIPPED(skipped, 2) < 0);
    CHECK(alone.finished == 0);
}

/* Passes count as moves, and nobody can pass for ever. */
static void passing_ends(void) {
    static variant v;
    static room r;
    make_named("passes", &v);
    const bf_rules *rules = &v.rules[0];
    bf_state s;
    bf_rng rng;
    seed_rng(&rng, 5);
    bf_open(rules, &s);
    push(rules, &s, some_action(rules, &s, &rng, &r));
    push(rules, &s, some_action(rules, &s, &rng, &r));
    int passes = 0;
    while (s.phase != BF_OVER && passes < 0x20000) {
        if (bf_may_pass(rules, &s)) {
            push(rules, &s, rules->pass_action);
            passes++;
        } else {
            push(rules, &s, some_action(rules, &s, &rng, &r));
        }
    }
    CHECK(s.phase == BF_OVER && passes == BF_LAST_PASS - 2);
}

int main(void) {
    only_some_can_place();
    shared_color_goes_round();
    rounds_are_limited();
    draft_goes_round();
    draft_players_are_skipped();
    passing_ends();
    return expect_result();
}
