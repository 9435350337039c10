/* rules_for.c: see rules_for.h. Says in C what blokus_fast/variants says in Python, so that the
 * tests need no Python.
 */
#include "rules_for.h"

#include "bf_tables.h"
#include "hands.h"
#include "kernels.h"
#include "listing.h"
#include "flow.h"
#include "rng.h"
#include "rules.h"

int expect_failures = 0;
int expect_traps = 0;
const char *expect_where = "";

enum { ASSIGNED, ANY, BORDER };
enum { ONE_EACH, JUNIOR, HANDICAP, TINY, THREE_OF_ALL };

#define PENTOMINOES "F I5 L5 N P T5 U V5 W X Y Z5"

typedef struct recipe {
    const char *name;
    int size, n_colors, n_players;
    int8_t owner[BF_COLORS], order[BF_COLORS];
    int start, hands;
    const char *first_pieces; /* NULL: any */
    int max_rounds, voluntary_pass, draft, holes;
} recipe;

#define FOUR {0, 1, 2, 3}
#define IN_ORDER {0, 1, 2, 3}

static const recipe RECIPES[] = {
    {"classic", 20, 4, 4, FOUR, IN_ORDER, ASSIGNED, ONE_EACH, NULL, 0, 0, 0, 0},
    {"classic-2p", 20, 4, 2, {0, 1, 0, 1}, IN_ORDER, ASSIGNED, ONE_EACH, NULL, 0, 0, 0, 0},
    {"classic-3p", 20, 4, 3, {0, 1, 2, -1}, IN_ORDER, ASSIGNED, ONE_EACH, NULL, 0, 0, 0, 0},
    {"classic-3p blue", 20, 4, 3, {-1, 0, 1, 2}, {1, 2, 3, 0}, ASSIGNED, ONE_EACH,
     NULL, 0, 0, 0, 0},
    {"classic-3p yellow", 20, 4, 3, {2, -1, 0, 1}, {2, 3, 0, 1}, ASSIGNED, ONE_EACH,
     NULL, 0, 0, 0, 0},
    {"classic-3p red", 20, 4, 3, {1, 2, -1, 0}, {3, 0, 1, 2}, ASSIGNED, ONE_EACH, NULL, 0, 0, 0, 0},
    {"duo", 14, 2, 2, {0, 1}, {0, 1}, ANY, ONE_EACH, NULL, 0, 0, 0, 0},
    {"duo-assigned", 14, 2, 2, {0, 1}, {0, 1}, ASSIGNED, ONE_EACH, NULL, 0, 0, 0, 0},
    {"handicap", 14, 2, 2, {0, 1}, {0, 1}, ANY, HANDICAP, NULL, 0, 0, 0, 0},
    {"junior", 14, 2, 2, {0, 1}, {0, 1}, ASSIGNED, JUNIOR, NULL, 0, 0, 0, 0},
    {"draft", 20, 4, 4, FOUR, IN_ORDER, ASSIGNED, ONE_EACH, NULL, 0, 0, 1, 0},
    {"draft-3p", 20, 4, 3, {0}, IN_ORDER, ASSIGNED, ONE_EACH, NULL, 0, 0, 1, 0},
    {"draft-2p", 20, 4, 2, {0}, IN_ORDER, ASSIGNED, ONE_EACH, NULL, 0, 0, 1, 0},
    {"software-challenge", 20, 4, 2, {0, 1, 0, 1}, IN_ORDER, BORDER, ONE_EACH,
     PENTOMINOES, 24, 1, 0, 0},
    {"software-challenge W", 20, 4, 2, {0, 1, 0, 1}, IN_ORDER, BORDER, ONE_EACH, "W", 24, 1, 0, 0},
    {"software-challenge X", 20, 4, 2, {0, 1, 0, 1}, IN_ORDER, BORDER, ONE_EACH, "X", 24, 1, 0, 0},
    /* Of our own: what no shipped variant has, or not together. */
    {"capped classic-3p", 20, 4, 3, {0, 1, 2, -1}, IN_ORDER, ASSIGNED, ONE_EACH, NULL, 5, 0, 0, 0},
    {"capped duo", 14, 2, 2, {0, 1}, {0, 1}, ANY, ONE_EACH, NULL, 3, 0, 0, 0},
    {"capped junior", 14, 2, 2, {0, 1}, {1, 0}, ANY, JUNIOR, NULL, 9, 0, 0, 0},
    {"1 round", 9, 3, 3, {0, 1, 2}, {2, 0, 1}, ASSIGNED, ONE_EACH, NULL, 1, 0, 0, 0},
    {"passes", 8, 2, 2, {0, 1}, {0, 1}, BORDER, TINY, NULL, 0, 1, 0, 0},
    {"holes", 9, 3, 2, {0, 1, -1}, {2, 0, 1}, ANY, ONE_EACH, "1 2 I3 V3 X", 0, 0, 0, 1},
    {"holes draft", 8, 3, 3, {0}, {1, 2, 0}, ANY, TINY, NULL, 0, 0, 1, 1},
    {"tiny draft", 5, 2, 3, {0}, {0, 1}, ASSIGNED, TINY, NULL, 0, 0, 1, 0},
    {"tiny draft, 1 round", 5, 2, 3, {0}, {0, 1}, ASSIGNED, TINY, NULL, 1, 0, 1, 0},
    {"lonely", 6, 1, 1, {0}, {0}, ASSIGNED, THREE_OF_ALL, NULL, 0, 0, 0, 1},
};

enum { N_RECIPES = sizeof RECIPES / sizeof RECIPES[0] };

/* Points of a square placed, a square left, an empty hand, and the monomino as last piece. */
static const int32_t SCORING[][4] = {{0, -1, 15, 5}, {1, -1, 15, 5}, {1, 0, 0, 0}, {0, -1, 0, 0}};

int variant_count(void) { return N_RECIPES + BF_MAX_SIZE; }

int orientation_of_piece(const char *name) {
    for (int piece = 0; piece < BF_PIECES; piece++) {
        if (strcmp(bf_piece_names[piece], name) == 0) return bf_piece_first[piece];
    }
    CHECK(!"a piece of that name");
    return 0;
}

uint64_t hand_of(const char *names) {
    uint64_t hand = 0;
    while (*names != 0) {
        char name[8] = {0};
        size_t n = strcspn(names, " ");
        memcpy(name, names, n);
        hand = bf_hand_with(hand, bf_orientation_piece[orientation_of_piece(name)]);
        names += n + (names[n] == ' ');
    }
    return hand;
}

static uint64_t hand_for(const recipe *from, int color) {
    uint64_t hand = BF_ALL_PIECES;
    switch (from->hands) {
    case JUNIOR:
        hand = hand_of("1 2 V3 I3 O T4 Z4 L4 I4 P L5 I5 1 2 V3 I3 O T4 Z4 L4 I4 P L5 I5");
        break;
    case HANDICAP:
        if (color == 0) hand = hand_of("1 2 V3");
        break;
    case TINY: hand = hand_of(color == 0 ? "1 I3" : "1 V3"); break;
    case THREE_OF_ALL: hand |= hand << BF_PIECES; break;
    default: break;
    }
    return hand;
}

static void set_starts(const recipe *from, bf_layout *layout) {
    int last = from->size - 1;
    /* Corners, clockwise; on boards like Duo's the two squares in the middle. */
    int corners[BF_COLORS][2] = {{0, 0}, {0, last}, {last, last}, {last, 0}};
    int inner[BF_COLORS][2] = {{4, 4}, {9, 9}, {4, 9}, {9, 4}};
    for (int color = 0; color < from->n_colors; color++) {
        for (int other = 0; other < from->n_colors; other++) {
            const int *at = from->size == 14 ? inner[other] : corners[other];
            /* Two colors sit in opposite corners. */
            if (from->size != 14 && from->n_colors == 2) at = corners[2 * other];
            if (from->start != ANY && other != color) continue;
            if (from->start == BORDER) continue;
            bf_add_square(layout->start[color], BF_STRIDE * at[0] + at[1]);
        }
        for (int row = 0; from->start == BORDER && row < from->size; row++) {
            for (int column = 0; column < from->size; column++) {
                if (row % last != 0 && column % last != 0) continue;
                bf_add_square(layout->start[color], BF_STRIDE * row + column);
            }
        }
    }
    for (int row = 0; row < from->size; row++) {
        for (int column = 0; column < from->size; column++) {
            if (from->holes && (3 * row + 5 * column) % 11 == 7) continue;
            bf_add_square(layout->playable, BF_STRIDE * row + column);
        }
    }
}

static const uint32_t *placements_for(int size) {
    static uint32_t placements[BF_MAX_SIZE + 1][BF_MAX_MOVES];
    static int filled[BF_MAX_SIZE + 1];
    if (!filled[size]) {
        uint32_t n = bf_fill_placements(placements[size], size);
        CHECK(n <= BF_MAX_MOVES);
        filled[size] = 1;
    }
    return placements[size];
}

static void cook(const recipe *from, int scoring, variant *v) {
    const bf_kernel *kernel;
    int supported;
    memset(v, 0, sizeof *v);
    v->name = from->name;
    for (uint64_t k = 0; (kernel = bf_kernel_at(k, &supported)) != NULL; k++) {
        if (!supported) continue;
        bf_rules *rules = &v->rules[v->n_kernels++];
        set_starts(from, &rules->layout);
        for (int color = 0; color < from->n_colors; color++) {
            rules->hand[color] = hand_for(from, color);
            rules->order[color] = from->order[color];
            rules->owner[color] = from->owner[color];
        }
        rules->score_placed = SCORING[scoring][0];
        rules->score_left = SCORING[scoring][1];
        rules->score_all_placed = SCORING[scoring][2];
        rules->score_monomino_last = SCORING[scoring][3];
        rules->first_pieces = BF_ALL_PIECES;
        if (from->first_pieces != NULL) rules->first_pieces = (uint32_t)hand_of(from->first_pieces);
        rules->max_rounds = (uint16_t)from->max_rounds;
        rules->n_colors = (uint8_t)from->n_colors;
        rules->n_players = (uint8_t)from->n_players;
        rules->voluntary_pass = (uint8_t)from->voluntary_pass;
        rules->draft = (uint8_t)from->draft;
        CHECK(bf_make_rules(rules, from->size, placements_for(from->size), kernel) == 0);
    }
}

void make_variant(int i, variant *v) {
    static const char *const sizes[] = {
        "size 1",  "size 2",  "size 3",  "size 4",  "size 5",  "size 6",  "size 7",
        "size 8",  "size 9",  "size 10", "size 11", "size 12", "size 13", "size 14",
        "size 15", "size 16", "size 17", "size 18", "size 19", "size 20"};
    if (i < N_RECIPES) {
        cook(&RECIPES[i], i % 4, v);
    } else {
        int size = i - N_RECIPES + 1;
        recipe from = {sizes[size - 1], size, 2,        2,    {0, 1}, {0, 1}, ASSIGNED,
                       ONE_EACH,        NULL, 0,        0,    0,      size % 2};
        cook(&from, i % 4, v);
    }
    expect_where = v->name;
}

void make_named(const char *name, variant *v) {
    for (int i = 0; i < N_RECIPES; i++) {
        if (strcmp(RECIPES[i].name, name) == 0) {
            make_variant(i, v);
            return;
        }
    }
    fprintf(stderr, "no variant %s\n", name);
    abort();
}

void seed_rng(bf_rng *rng, uint64_t seed) { bf_rng_seed(rng, seed, 0); }

uint32_t some_action(const bf_rules *rules, const bf_state *s, bf_rng *rng, room *r) {
    uint32_t n = bf_list(rules, s, -1, r->scratch, r->ids);
    CHECK(n > 0);
    return n > 0 ? (uint32_t)r->ids[bf_rng_below(rng, n)] : 0;
}

void play_some(const bf_rules *rules, bf_state *s, int plies, bf_rng *rng, room *r) {
    bf_undo undo;
    bf_open(rules, s);
    for (int i = 0; i < plies && s->phase != BF_OVER; i++) {
        bf_push(rules, s, some_action(rules, s, rng, r), &undo);
    }
}

uint32_t placement_at(const bf_rules *rules, int orientation, int row, int column) {
    int across = rules->layout.size + 1 - bf_orientation_width[orientation];
    return rules->layout.first[orientation] + (uint32_t)(row * across + column);
}
