/* position_planes.c: positions as planes, against what docs/observations.md says of each plane;
 * see position.h.
 */
#include "bits.h"
#include "hands.h"
#include "listing.h"
#include "position.h"
#include "state.h"

/* As in src/engine/wide_observe.h and blokus_fast/learning/observation.py. */
enum { OWN, CORNER, FORBIDDEN, PLAYABLE, START, HAND, TURN, PLAYER, FINISHED, MONOMINO, DRAFTING,
       OVER, SHARED, ROUND, PLY, PLACED };
enum { UINT8, FLOAT32, BITS };
enum { MOST_PLANES = 160, SQUARES = BF_MAX_SIZE * BF_MAX_SIZE };

typedef struct planes {
    uint8_t list[MOST_PLANES][4];
    int n;
} planes;

static void add(planes *p, int kind, int a, int b, int c) {
    CHECK(p->n < MOST_PLANES);
    if (p->n >= MOST_PLANES) return;
    p->list[p->n][0] = (uint8_t)kind;
    p->list[p->n][1] = (uint8_t)a;
    p->list[p->n][2] = (uint8_t)b;
    p->list[p->n++][3] = (uint8_t)c;
}

/* All planes of the rules, but for hands only of some pieces. */
static void all_planes(const bf_rules *rules, planes *p) {
    static const int pieces[] = {0, 1, 12, 20};
    int colors = rules->n_colors, players = rules->n_players;
    p->n = 0;
    for (int a = 0; a < colors; a++) {
        for (int kind = OWN; kind <= START; kind++) add(p, kind, kind == PLAYABLE ? 0 : a, 0, 0);
        for (int h = 0; h < (rules->draft ? players : 1); h++) {
            for (int i = 0; i < 4; i++) add(p, HAND, h, a, pieces[i] << 3 | (1 + i % 2));
        }
        add(p, TURN, a, 0, 0);
        if (!rules->draft) add(p, FINISHED, a, 0, 0);
        if (!rules->draft) add(p, MONOMINO, a, 0, 0);
    }
    for (int a = 0; a < players; a++) {
        add(p, PLAYER, a, 0, 0);
        add(p, SHARED, a, 0, 0);
        if (rules->draft) add(p, MONOMINO, a, 0, 0);
        for (int b = 0; b < 9; b += 4) add(p, PLACED, rules->draft ? a : 0, b, 0);
    }
    add(p, DRAFTING, 0, 0, 0);
    add(p, OVER, 0, 0, 0);
    for (int bit = 0; bit < 16; bit += 3) {
        add(p, ROUND, bit, 0, 0);
        add(p, PLY, bit, 0, 0);
    }
}

/* The frontiers of all colors. */
typedef struct frontiers {
    uint64_t allowed[BF_COLORS][BF_WORDS], corner[BF_COLORS][BF_WORDS];
} frontiers;

/* What a plane shows at a square of the board as it lies. */
static int expected(const bf_rules *rules, const bf_state *s, const frontiers *f, int mover,
                    const uint8_t *plane, int bit) {
    int a = plane[1], b = plane[2], color = a, of = b, player = a;
    if (mover && rules->draft) {
        if (a < rules->n_colors) color = rules->order[a];
        if (b < rules->n_colors) of = rules->order[b];
        if (s->player >= 0) player = (a + s->player) % rules->n_players;
    } else if (mover) {
        int base = s->turn >= 0 ? rules->place[s->turn] : 0;
        color = rules->order[(base + a) % rules->n_colors];
        of = rules->order[(base + b) % rules->n_colors];
    }
    switch (plane[0]) {
    case OWN: return bf_has_square(s->own[color], bit);
    case CORNER: return bf_has_square(f->corner[color], bit);
    case FORBIDDEN:
        return bf_has_square(rules->layout.playable, bit) &&
               !bf_has_square(f->allowed[color], bit);
    case PLAYABLE: return bf_has_square(rules->layout.playable, bit);
    case START: return bf_has_square(rules->layout.start[color], bit);
    case HAND:
        return bf_hand_count(s->hand[rules->draft ? player : 0][of], plane[3] >> 3) >=
               (plane[3] & 7);
    case TURN: return s->turn == a;
    case PLAYER: return s->player == a;
    case FINISHED: return !bf_can_place(rules, s, 0, color);
    case MONOMINO: return s->monomino_last >> (rules->draft ? player : color) & 1;
    case DRAFTING: return s->phase == BF_DRAFT;
    case OVER: return s->phase == BF_OVER;
    case SHARED: return s->shared_player == a;
    case ROUND: return s->round >> a & 1;
    case PLY: return s->ply >> a & 1;
    default: return s->placed[player] >> b & 1;
    }
}

/* Half a turn of the board. It need not be a symmetry of the rules: squares in play stay. */
static const int16_t (*half_turn(int size))[64 * BF_WORDS] {
    static int16_t bits[BF_MAX_SIZE + 1][2][64 * BF_WORDS];
    for (int square = 0; square < size * size; square++) {
        int to = size * size - 1 - square;
        bits[size][1][BF_STRIDE * (square / size) + square % size] =
            (int16_t)(BF_STRIDE * (to / size) + to % size);
    }
    return (const int16_t(*)[64 * BF_WORDS])bits[size];
}

void check_planes(const variant *v, const bf_state *s) {
    static uint8_t want[MOST_PLANES][SQUARES], out[MOST_PLANES * SQUARES * 4 + 1];
    static const int64_t as_it_is[BF_COLORS + 1] = {0}, turned[BF_COLORS + 1] = {0, 0, 1, 1, 0};
    int size = v->rules[0].layout.size, n_squares = size * size;
    frontiers f;
    planes p;
    all_planes(&v->rules[0], &p);
    for (int c = 0; c < v->rules[0].n_colors; c++) {
        slow_frontier(&v->rules[0], s, c, f.allowed[c], f.corner[c]);
    }
    for (int mode = 0; mode < 3; mode++) {
        const int64_t *by_turn = mode == 2 ? turned : as_it_is;
        int turns = by_turn[s->turn + 1] != 0;
        for (int k = 0; k < p.n; k++) {
            for (int square = 0; square < n_squares; square++) {
                int bit = BF_STRIDE * (square / size) + square % size;
                /* Squares in play are never turned: they stay where they are. */
                int to = turns && p.list[k][0] != PLAYABLE ? n_squares - 1 - square : square;
                /* Planes of flags are the same everywhere: asked once. */
                if (p.list[k][0] >= HAND && square > 0) {
                    want[k][square] = want[k][0];
                } else {
                    to = p.list[k][0] >= HAND ? 0 : to;
                    want[k][to] =
                        (uint8_t)expected(&v->rules[0], s, &f, mode > 0, p.list[k], bit);
                }
            }
        }
        for (int cells = UINT8; cells <= BITS; cells++) {
            int width = cells == FLOAT32 ? 4 * n_squares : n_squares;
            if (cells == BITS) width = (n_squares + 7) / 8;
            const bf_view view = {(const uint8_t(*)[4])p.list, p.n, by_turn, half_turn(size), cells,
                                  width, mode > 0};
            for (int i = 0; i < v->n_kernels; i++) {
                memset(out, 0xa5, sizeof out);
                v->rules[i].kernel->observe(&v->rules[i], s, &view, out);
                CHECK(out[p.n * width] == 0xa5);
                int wrong = 0;
                for (int k = 0; k < p.n; k++) {
                    const uint8_t *plane = out + k * width;
                    for (int square = 0; square < n_squares; square++) {
                        float cell = (float)plane[square % width];
                        if (cells == FLOAT32) memcpy(&cell, plane + 4 * square, 4);
                        if (cells == BITS) cell = (float)(plane[square / 8] >> square % 8 & 1);
                        wrong += cell != (float)want[k][square];
                    }
                    /* No square stands behind the last bits. */
                    if (cells == BITS && n_squares % 8 != 0) {
                        wrong += plane[width - 1] >> n_squares % 8 != 0;
                    }
                }
                CHECK(wrong == 0);
            }
        }
    }
}

void check_equal_views(const bf_rules *rules, const bf_state *s, const bf_state *t) {
    static uint8_t of_s[MOST_PLANES * SQUARES / 8], of_t[MOST_PLANES * SQUARES / 8];
    static const int64_t by_turn[BF_COLORS + 1] = {0, 0, 1, 0, 1};
    int size = rules->layout.size, width = (size * size + 7) / 8;
    planes p;
    all_planes(rules, &p);
    for (int k = 0; k < p.n; k++) {
        /* Without a limit rounds only count: no view shows them. */
        if (p.list[k][0] == ROUND && rules->max_rounds == 0) p.list[k][0] = OVER;
    }
    for (int mover = 0; mover < 2; mover++) {
        const bf_view view = {(const uint8_t(*)[4])p.list, p.n, by_turn, half_turn(size), BITS,
                              width, mover};
        rules->kernel->observe(rules, s, &view, of_s);
        rules->kernel->observe(rules, t, &view, of_t);
        CHECK(memcmp(of_s, of_t, (size_t)(p.n * width)) == 0);
    }
    CHECK(bf_position_key(rules, s) == bf_position_key(rules, t));
}
