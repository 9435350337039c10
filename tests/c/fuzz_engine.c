/* fuzz_engine.c: a fuzz target over actions, set-ups and whole states. The bytes of an input are a
 * program: a variant, then steps that push, pop, change and set up, each followed by what must
 * hold. What is broken ends the process, so that the fuzzer keeps the input.
 *
 * With clang and libFuzzer (-fsanitize=fuzzer) this is LLVMFuzzerTestOneInput. Anything else gets
 * a main: `fuzz_engine FILE...` runs inputs from files, `fuzz_engine --seconds N [--seed S]` runs
 * random ones, `fuzz_engine --corpus FOLDER` writes some for libFuzzer to begin with.
 */
#include "check.h"
#include "flow.h"
#include "hands.h"
#include "legality.h"
#include "listing.h"
#include "position.h"
#include "rng.h"
#include "state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is asked of a position takes most of the time: inputs are to stay below a second or so. */
enum { MOST_STEPS = 64, MOST_STACK = 256, MOST_ASKED = 10 };
enum {
    PUSH_ANY, PUSH_LISTED, PUSH_MORE, POP, ASK, CHANGE_AND_SET_UP, CHANGE_BYTES, ALL_BYTES, N_STEPS
};

typedef struct input {
    const uint8_t *data;
    size_t left;
} input;

typedef struct game {
    const variant *v;
    const bf_rules *rules;
    bf_state s;
    bf_state before[MOST_STACK];
    bf_undo undo[MOST_STACK];
    int depth;
    int asked;
} game;

static room r;

/* The next byte; zeros behind the end. */
static uint8_t next_byte(input *in) {
    if (in->left == 0) return 0;
    in->left--;
    return *in->data++;
}

static uint32_t next_number(input *in, int bytes) {
    uint32_t number = 0;
    for (int i = 0; i < bytes; i++) number = number << 8 | next_byte(in);
    return number;
}

static void push(game *g, uint32_t action) {
    if (g->depth == MOST_STACK) return;
    g->before[g->depth] = g->s;
    bf_push(g->rules, &g->s, action, &g->undo[g->depth++]);
    bf_fault fault;
    CHECK(bf_check(g->rules, &g->s, &fault) == BF_SOUND);
}

static void pop(game *g) {
    if (g->depth == 0) return;
    bf_pop(g->rules, &g->s, &g->undo[--g->depth]);
    CHECK(memcmp(&g->s, &g->before[g->depth], sizeof g->s) == 0);
}

/* An action by its id, and what is said of it. */
static void push_any(game *g, uint32_t id) {
    int square;
    int legal = bf_is_legal(g->rules, &g->s, -1, id);
    CHECK(legal == (bf_illegality(g->rules, &g->s, -1, id, &square) == BF_LEGAL));
    CHECK(square >= -1 && square < g->rules->layout.size * g->rules->layout.size);
    if (legal) push(g, id);
}

static void push_listed(game *g, uint32_t number) {
    uint32_t n = bf_list(g->rules, &g->s, -1, r.scratch, r.ids);
    CHECK((n > 0) == (g->s.phase != BF_OVER));
    if (n > 0) push(g, (uint32_t)r.ids[number % n]);
}

static void ask(game *g, uint8_t what) {
    const bf_state *s = &g->s;
    if (g->asked++ >= MOST_ASKED) return;
    switch (what % 8) {
    case 0: check_worth(g->v, s, 3, &r); break;
    case 1: check_playouts(g->v, s, what, &r); break;
    case 2: check_planes(g->v, s); break;
    case 3:
        if (bf_list(g->rules, s, -1, r.scratch, r.ids) > 0) {
            check_push(g->rules, s, (uint32_t)r.ids[0]);
        }
        break;
    case 4: check_actions(g->v, s, 997, &r); break;
    default: check_soundness(g->rules, s); break;
    }
}

/* Change a state a little in what a set-up takes from outside. */
static void change(const game *g, bf_state *s, input *in) {
    int n = next_byte(in) % 8, color = next_byte(in) % BF_COLORS;
    for (int i = 0; i < n; i++) {
        uint8_t what = next_byte(in);
        uint32_t number = next_number(in, 2);
        int holder = what >> 3 & 3;
        switch (what % 8) {
        case 0: color = (int)(number % BF_COLORS); break;
        case 1: s->own[color][number >> 6 & 7] ^= UINT64_C(1) << (number & 63); break;
        case 2: s->hand[holder][color] ^= UINT64_C(1) << (number & 63); break;
        case 3: s->hand[holder][color] = 0; break;
        case 4: s->monomino_last ^= (uint8_t)(1 << number % 8); break;
        case 5: s->placed[holder] = (uint16_t)(s->placed[holder] + number % 11 - 5); break;
        case 6: memset(s->own[color], 0, sizeof s->own[color]); break;
        default: /* a piece, or one less */
            bf_toggle_squares(s->own[color],
                              g->rules->placements[number % g->rules->layout.n_moves]);
            break;
        }
    }
}

static void begin_from(game *g, const bf_state *s) {
    g->s = *s;
    g->depth = 0;
}

static void change_and_set_up(game *g, input *in) {
    bf_state s = g->s;
    bf_fault fault;
    uint16_t skipped;
    change(g, &s, in);
    int turn = next_byte(in) % 6 - 1, shared = next_byte(in) % 6 - 2;
    if (next_byte(in) % 2 == 0 && !g->rules->draft) {
        for (int c = 0; c < g->rules->n_colors; c++) bf_take_rest(g->rules, &s, c, &fault);
    }
    int code = bf_set_up(g->rules, &s, turn, shared, &skipped, &fault);
    CHECK(code == fault.code);
    if (code != BF_SOUND) return;
    begin_from(g, &s);
    ask(g, 4);
}

/* Whether a state is a position is for bf_check alone to say: then everything must hold of it. */
static void change_bytes(game *g, input *in, int all) {
    union {
        bf_state s;
        uint8_t bytes[sizeof(bf_state)];
    } u;
    bf_fault fault;
    u.s = g->s;
    if (all) {
        for (size_t i = 0; i < sizeof u.bytes; i++) u.bytes[i] = next_byte(in);
    } else {
        for (int n = next_byte(in) % 8; n > 0; n--) {
            uint32_t at = next_number(in, 2);
            u.bytes[at % sizeof u.bytes] ^= next_byte(in);
        }
        /* The squares' hash is hard to guess. */
        if (next_byte(in) % 2 == 0) {
            bf_state counted = u.s;
            if (bf_count_pieces(g->rules, &counted, &fault) == BF_SOUND) {
                u.s.content_key = counted.content_key;
            }
        }
    }
    CHECK(bf_check(g->rules, &u.s, &fault) == fault.code);
    if (fault.code != BF_SOUND) return;
    begin_from(g, &u.s);
    ask(g, 4);
    ask(g, next_byte(in));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static variant *variants;
    static game g;
    input in = {data, size};
    if (variants == NULL) {
        variants = malloc((size_t)variant_count() * sizeof *variants);
        if (variants == NULL) return 0;
        for (int i = 0; i < variant_count(); i++) make_variant(i, &variants[i]);
        expect_traps = 1;
    }
    g.v = &variants[next_byte(&in) % variant_count()];
    g.rules = &g.v->rules[next_byte(&in) % g.v->n_kernels];
    g.depth = g.asked = 0;
    expect_where = g.v->name;
    bf_open(g.rules, &g.s);
    for (int step = 0; step < MOST_STEPS && in.left > 0; step++) {
        switch (next_byte(&in) % N_STEPS) {
        case PUSH_ANY: push_any(&g, next_number(&in, 3) % (g.rules->n_actions + 3)); break;
        case PUSH_LISTED: push_listed(&g, next_number(&in, 2)); break;
        case PUSH_MORE: {
            /* So that the end of a game is a few bytes away. */
            uint32_t number = next_number(&in, 2);
            for (int n = next_byte(&in) % 32; n > 0; n--) push_listed(&g, number += 12345);
            break;
        }
        case POP:
            for (int n = next_byte(&in) % 8; n >= 0; n--) pop(&g);
            break;
        case ASK: ask(&g, next_byte(&in)); break;
        case CHANGE_AND_SET_UP: change_and_set_up(&g, &in); break;
        case CHANGE_BYTES: change_bytes(&g, &in, 0); break;
        default: change_bytes(&g, &in, 1); break;
        }
    }
    while (g.depth > 0) pop(&g);
    return 0;
}

#ifdef BF_FUZZ_MAIN

#include <time.h>

enum { MOST_BYTES = 1024, CORPUS = 200 };

static size_t random_input(uint64_t number, uint8_t *bytes) {
    bf_rng rng;
    bf_rng_seed(&rng, 7, number);
    size_t size = 8 + bf_rng_below(&rng, 120);
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)bf_rng_next(&rng);
    /* Not only the first actions of a game. */
    if (number % 2 == 0) bytes[2] = PUSH_MORE;
    return size;
}

static int run_files(int n, char **names) {
    static uint8_t bytes[1 << 16];
    for (int i = 0; i < n; i++) {
        FILE *file = fopen(names[i], "rb");
        if (file == NULL) {
            perror(names[i]);
            return 1;
        }
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("%d files, nothing broken\n", n);
    return 0;
}

static int write_corpus(const char *folder) {
    uint8_t bytes[MOST_BYTES];
    for (int i = 0; i < CORPUS; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%d", folder, i);
        FILE *file = fopen(name, "wb");
        if (file == NULL) {
            perror(name);
            return 1;
        }
        size_t size = random_input((uint64_t)i, bytes);
        bytes[0] = (uint8_t)(i % variant_count());
        size_t written = fwrite(bytes, 1, size, file);
        if (fclose(file) != 0 || written != size) return 1;
    }
    return 0;
}

static int run_seconds(int seconds, uint64_t first) {
    uint8_t bytes[MOST_BYTES];
    uint64_t n = 0;
    time_t end = time(NULL) + seconds;
    while (time(NULL) < end) {
        size_t size = random_input(first + n++, bytes);
        /* In the order of their numbers: what breaks can be run again with --seed. */
        if (n % 256 == 1) {
            printf("inputs from %llu on\n", (unsigned long long)(first + n - 1));
            fflush(stdout);
        }
        LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("%llu random inputs, nothing broken\n", (unsigned long long)n);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--corpus") == 0) return write_corpus(argv[2]);
    if ((argc == 3 || (argc == 5 && strcmp(argv[3], "--seed") == 0)) &&
        strcmp(argv[1], "--seconds") == 0) {
        return run_seconds(atoi(argv[2]), argc == 5 ? strtoull(argv[4], NULL, 10) : 0);
    }
    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: fuzz_engine FILE... | --seconds N [--seed S] | --corpus FOLDER\n");
        return 2;
    }
    return run_files(argc - 1, argv + 1);
}

#endif
