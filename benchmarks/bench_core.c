/* bench_core.c: times the kernels against the frozen reference, without Python.
 *
 *   bench_core [--rounds N] [--variant classic|duo]
 *       checks that every kernel agrees with the reference on every position, then measures in
 *       interleaved rounds and prints medians as JSON. A ratio is the median over the rounds of
 *       (reference list / this), each taken in the same round.
 *   bench_core --fixed CASE --kernel NAME [--variant V] [--repeat N]
 *       does a fixed amount of work for an instruction counter and prints a checksum. CASE is
 *       list, count, any, mask, sample, weighted, features, playout, piece_first, or none (making
 *       the positions only).
 *
 * The positions come from random games: a fixed seed, every ply of a game. The rules are the
 * engine's, which it links without Python; the moves are drawn from the reference's lists.
 */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "flow.h"
#include "kernels.h"
#include "playouts.h"
#include "reference.h"
#include "rules.h"
#include "state.h"

#define MIN_POSITIONS 1500
#define MAX_POSITIONS 1600
#define MAX_ROUNDS 1000
#define N_PLAYOUTS 40

typedef struct position {
    uint64_t own[BF_COLORS][BF_WORDS];
    uint32_t pieces;
    int color;
} position;

typedef bf_boards own_ptr;

static bf_rules rules;
static uint32_t placements[BF_MAX_MOVES];
#define layout (rules.layout)
static position positions[MAX_POSITIONS];
static bf_state states[MAX_POSITIONS]; /* of their own: the positions alone fit a cache */
static int n_positions;
static uint16_t ids[BF_MAX_MOVES + BF_LIST_PADDING], expected[BF_MAX_MOVES + BF_LIST_PADDING];
static uint8_t mask[BF_MAX_MOVES];
static int32_t placed_ids[BF_MAX_MOVES];
static uint32_t weights[BF_PIECES]; /* squares of a piece: large pieces first */

static void set_square(uint64_t *board, int row, int column) {
    int bit = BF_STRIDE * row + column;
    board[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

static void set_up(const char *variant) {
    static const int classic[4][2] = {{0, 0}, {0, 19}, {19, 19}, {19, 0}}, duo[2][2] = {{4, 4}, {9, 9}};
    int is_duo = strcmp(variant, "duo") == 0, size = is_duo ? 14 : 20;
    memset(&rules, 0, sizeof rules);
    rules.n_colors = rules.n_players = is_duo ? 2 : 4;
    rules.score_left = -1;
    rules.first_pieces = BF_ALL_PIECES;
    for (int row = 0; row < size; row++) {
        for (int column = 0; column < size; column++) set_square(layout.playable, row, column);
    }
    for (int color = 0; color < rules.n_colors; color++) {
        rules.order[color] = rules.owner[color] = (int8_t)color;
        rules.hand[color] = BF_ALL_PIECES;
        if (is_duo) {
            for (int i = 0; i < 2; i++) set_square(layout.start[color], duo[i][0], duo[i][1]);
        } else {
            set_square(layout.start[color], classic[color][0], classic[color][1]);
        }
    }
    bf_fill_placements(placements, size);
    if (bf_make_rules(&rules, size, placements, &bf_kernel_portable) != 0) {
        fprintf(stderr, "the rules are not sound\n");
        exit(1);
    }
    for (int piece = 0; piece < BF_PIECES; piece++) weights[piece] = bf_piece_size[piece];
}

static void make_positions(void) {
    bf_rng rng;
    bf_state s;
    bf_undo undo;
    bf_rng_seed(&rng, 2026, 0);
    n_positions = 0;
    while (n_positions < MIN_POSITIONS) {
        for (bf_open(&rules, &s); s.phase != BF_OVER;) {
            position *p = &positions[n_positions];
            states[n_positions++] = s;
            memcpy(p->own, s.own, sizeof p->own);
            p->color = s.turn;
            p->pieces = bf_placeable(&rules, &s, 0, s.turn);
            uint32_t n = bf_reference_list(&layout, (own_ptr)s.own, s.turn, p->pieces, ids);
            bf_push(&rules, &s, ids[bf_rng_below(&rng, n)], &undo);
        }
    }
}

/* Play n games from the empty board; return how many squares were placed. */
static uint64_t play(const bf_kernel *kernel, int weighted, int n, bf_rng *rng) {
    bf_policy policy = {weighted ? BF_BY_PIECE : BF_UNIFORM, weights, NULL};
    uint64_t placed = 0;
    bf_state opening, s;
    rules.kernel = kernel;
    bf_open(&rules, &opening);
    while (n-- > 0) {
        s = opening;
        bf_playout(&rules, &s, &policy, rng);
        for (int color = 0; color < BF_COLORS; color++) placed += s.placed[color];
    }
    return placed;
}

/* The features of all placements of a position. */
static uint64_t find_features(const bf_kernel *kernel, const position *p) {
    static int8_t squares[BF_MAX_MOVES], gained[BF_MAX_MOVES], lost[BF_MAX_MOVES];
    static int8_t taken[BF_MAX_MOVES * BF_COLORS];
    static float distance[BF_MAX_MOVES];
    const bf_features out = {squares, gained, lost, taken, distance};
    uint32_t n = kernel->list(&layout, (own_ptr)p->own, p->color, p->pieces, ids);
    for (uint32_t i = 0; i < n; i++) placed_ids[i] = ids[i];
    rules.kernel = kernel;
    kernel->features(&rules, &states[p - positions], p->color, placed_ids, n, &out);
    return (uint64_t)(squares[n - 1] + gained[n - 1] + lost[n - 1]);
}

enum { LIST, COUNT, ANY, MASK, SAMPLE, WEIGHTED, FEATURES, PLAYOUT, PIECE_FIRST, N_CASES };
static const char *const CASES[N_CASES] = {"list",     "count",    "any",     "mask",       "sample",
                                           "weighted", "features", "playout", "piece_first"};

/* Do a case once for every position; return a checksum. */
static uint64_t run(const bf_kernel *kernel, int what) {
    uint64_t sum = 0;
    bf_rng rng;
    bf_rng_seed(&rng, 7, 1);
    if (what == PLAYOUT || what == PIECE_FIRST) {
        return play(kernel, what == PIECE_FIRST, N_PLAYOUTS, &rng);
    }
    for (const position *p = positions; p < positions + n_positions; p++) {
        own_ptr own = (own_ptr)p->own;
        switch (what) {
        case LIST: {
            uint32_t n = kernel->list(&layout, own, p->color, p->pieces, ids);
            sum += n + ids[n - 1];
            break;
        }
        case COUNT: sum += kernel->count(&layout, own, p->color, p->pieces); break;
        case ANY: sum += (uint64_t)kernel->any(&layout, own, p->color, p->pieces); break;
        case MASK: sum += kernel->mask(&layout, own, p->color, p->pieces, mask); break;
        case SAMPLE:
            sum += (uint64_t)kernel->sample(&layout, own, p->color, p->pieces, &rng);
            break;
        case FEATURES: sum += find_features(kernel, p); break;
        default:
            sum += (uint64_t)kernel->sample_weighted(&layout, own, p->color, p->pieces, weights,
                                                     &rng);
        }
    }
    return sum;
}

static void fail(const char *kernel, const char *what, int at) {
    fprintf(stderr, "%s: %s differs from the reference at position %d\n", kernel, what, at);
    exit(1);
}

/* Check every operation of a kernel against the reference, on every position. */
static void check(const bf_kernel *kernel) {
    bf_rng rng, twin;
    bf_rng_seed(&rng, 3, 2);
    for (int i = 0; i < n_positions; i++) {
        const position *p = &positions[i];
        own_ptr own = (own_ptr)p->own;
        uint32_t n = bf_reference_list(&layout, own, p->color, p->pieces, expected);
        uint32_t got = kernel->list(&layout, own, p->color, p->pieces, ids);
        if (got != n || memcmp(ids, expected, n * sizeof ids[0]) != 0) {
            fail(kernel->name, "list", i);
        }
        if (kernel->count(&layout, own, p->color, p->pieces) != n) fail(kernel->name, "count", i);
        if (bf_reference_count(&layout, own, p->color, p->pieces) != n) fail("reference", "count", i);
        if (kernel->any(&layout, own, p->color, p->pieces) != (n > 0)) fail(kernel->name, "any", i);
        memset(mask, 2, sizeof mask);
        if (kernel->mask(&layout, own, p->color, p->pieces, mask) != n) {
            fail(kernel->name, "mask", i);
        }
        for (uint32_t id = 0, at = 0; id < layout.n_moves; id++) {
            int legal = at < n && expected[at] == id;
            if (mask[id] != legal) fail(kernel->name, "mask", i);
            at += (uint32_t)legal;
        }
        twin = rng;
        if (kernel->sample(&layout, own, p->color, p->pieces, &rng) !=
            expected[bf_rng_below(&twin, n)]) {
            fail(kernel->name, "sample", i);
        }
        twin = rng;
        if (kernel->sample_weighted(&layout, own, p->color, p->pieces, weights, &rng) !=
            bf_kernel_portable.sample_weighted(&layout, own, p->color, p->pieces, weights, &twin)) {
            fail(kernel->name, "sample_weighted", i);
        }
    }
}

static double now(void) {
    struct timespec t;
    /* Of this thread: a long case is not to suffer more from other processes than a short one. */
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double median(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, compare);
    return n % 2 != 0 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static volatile uint64_t sink;

static double time_one(const bf_kernel *kernel, int what) {
    double start = now();
    sink += run(kernel, what);
    double units = what == PLAYOUT || what == PIECE_FIRST ? N_PLAYOUTS : n_positions;
    return (now() - start) / units;
}

static void measure(const char *variant, int rounds) {
    static const bf_kernel reference = {.name = "reference",
                                        .list = bf_reference_list,
                                        .count = bf_reference_count};
    static double times[8][N_CASES][MAX_ROUNDS], ratios[8][N_CASES][MAX_ROUNDS];
    const bf_kernel *kernels[8] = {&reference};
    const bf_kernel *kernel;
    int n_kernels = 1, supported;
    for (size_t i = 0; (kernel = bf_kernel_at(i, &supported)) != NULL && n_kernels < 8; i++) {
        if (!supported) continue;
        check(kernel);
        kernels[n_kernels++] = kernel;
    }
    uint64_t moves = 0;
    for (int i = 0; i < n_positions; i++) {
        moves += bf_reference_count(&layout, (own_ptr)positions[i].own, positions[i].color,
                                    positions[i].pieces);
    }
    for (int round = -1; round < rounds; round++) { /* round -1 warms up */
        for (int k = 0; k < n_kernels; k++) {
            for (int what = 0; what < (k == 0 ? COUNT + 1 : N_CASES); what++) {
                double t = time_one(kernels[k], what);
                if (round < 0) continue;
                times[k][what][round] = t;
                ratios[k][what][round] = times[0][LIST][round] / t;
            }
        }
    }
    char features[128];
    printf("{\"variant\": \"%s\", \"positions\": %d, \"mean_moves\": %.1f, \"rounds\": %d,\n"
           " \"cpu_features\": \"%s\", \"unit\": \"ns\", \"kernels\": {\n",
           variant, n_positions, (double)moves / n_positions, rounds,
           bf_cpu_features(features, sizeof features));
    for (int k = 0; k < n_kernels; k++) {
        int cases = k == 0 ? COUNT + 1 : N_CASES;
        printf("  \"%s\": {", kernels[k]->name);
        for (int what = 0; what < cases; what++) {
            double ratio = median(ratios[k][what], rounds);
            printf("%s\"%s\": {\"ns\": %.1f, \"ratio\": %.3f}", what == 0 ? "" : ",\n    ",
                   CASES[what], median(times[k][what], rounds), ratio);
        }
        printf("}%s\n", k + 1 < n_kernels ? "," : "");
    }
    printf("}}\n");
}

int main(int argc, char **argv) {
    const char *variant = "classic", *fixed = NULL, *name = "portable";
    int rounds = 25, repeat = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--variant") == 0) variant = argv[i + 1];
        else if (strcmp(argv[i], "--fixed") == 0) fixed = argv[i + 1];
        else if (strcmp(argv[i], "--kernel") == 0) name = argv[i + 1];
        else if (strcmp(argv[i], "--rounds") == 0) rounds = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--repeat") == 0) repeat = atoi(argv[i + 1]);
        else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            return 2;
        }
    }
    if (rounds < 1 || rounds > MAX_ROUNDS) {
        fprintf(stderr, "--rounds: from 1 to %d\n", MAX_ROUNDS);
        return 2;
    }
    set_up(variant);
    make_positions();
    if (fixed == NULL) {
        measure(variant, rounds);
        return 0;
    }
    const bf_kernel *kernel = bf_kernel_by_name(name);
    if (kernel == NULL || !bf_kernel_supported(name)) {
        fprintf(stderr, "kernel %s is not there or cannot run here\n", name);
        return 2;
    }
    int what = 0;
    while (what < N_CASES && strcmp(CASES[what], fixed) != 0) what++;
    if (what == N_CASES && strcmp(fixed, "none") != 0) {
        fprintf(stderr, "unknown case %s\n", fixed);
        return 2;
    }
    uint64_t sum = 0;
    for (int i = 0; i < repeat && what < N_CASES; i++) sum += run(kernel, what);
    printf("%s %s %llu\n", name, fixed, (unsigned long long)sum);
    return 0;
}
