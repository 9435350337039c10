/* test_perft.c: numbers of sequences of actions: those of tests/data/perft.csv, which a slow twin
 * has counted, and the known ones of the shipped variants. The argument is the file.
 */
#include "perft.h"

#include <inttypes.h>

#include "actions.h"
#include "check.h"
#include "flow.h"
#include "position.h"

/* Larger ones belong to the tests in Python, without sanitizers. */
enum { MOST_NODES = 400000, DEEPEST = 9 };

static room r;

static int never(void *context) {
    (void)context;
    return 0;
}
static int at_once(void *context) {
    ++*(int *)context;
    return 1;
}

static void expect(const variant *v, const bf_state *s, int depth, uint64_t nodes) {
    const bf_rules *rules = &v->rules[v->n_kernels - 1];
    int32_t *ids = malloc(sizeof *ids * (size_t)depth * (rules->n_actions + 1));
    CHECK(ids != NULL);
    if (ids == NULL) return;
    uint64_t found = bf_perft(rules, s, depth, r.scratch, ids, NULL, NULL);
    if (found != nodes) {
        fprintf(stderr, "%s, depth %d: %" PRIu64 " and not %" PRIu64 "\n", v->name, depth, found,
                nodes);
    }
    CHECK(found == nodes);
    CHECK(bf_perft(rules, s, depth, r.scratch, ids, never, NULL) == nodes);
    free(ids);
}

/* The hands that "draft-3p from hands" begins with; see tests/perft_positions.py. */
static void mixed_hands(const bf_rules *rules, bf_state *s) {
    bf_fault fault;
    memset(s, 0, sizeof *s);
    s->hand[0][0] = hand_of("1 F I5");
    s->hand[0][1] = hand_of("V3");
    s->hand[1][1] = hand_of("2 T4");
    s->hand[1][2] = hand_of("1");
    s->hand[2][3] = hand_of("L4 P");
    CHECK(bf_set_up(rules, s, 0, -1, NULL, &fault) == BF_SOUND);
}

static void position_of(const char *name, variant *v, bf_state *s) {
    static const char *const others[][2] = {{"classic-3p green", "classic-3p"},
                                            {"software-challenge-2027", "software-challenge"},
                                            {"software-challenge-2027 W", "software-challenge W"},
                                            {"software-challenge-2027 X", "software-challenge X"},
                                            {"draft-3p from hands", "draft-3p"}};
    const char *mine = name;
    for (int i = 0; i < 5; i++) {
        if (strcmp(name, others[i][0]) == 0) mine = others[i][1];
    }
    make_named(mine, v);
    if (strcmp(name, "draft-3p from hands") == 0) {
        mixed_hands(&v->rules[0], s);
    } else {
        bf_open(&v->rules[0], s);
    }
}

static void counted_by_the_twin(const char *file) {
    static variant v;
    char line[128];
    int lines = 0;
    FILE *figures = fopen(file, "r");
    CHECK(figures != NULL);
    if (figures == NULL) return;
    while (fgets(line, sizeof line, figures) != NULL) {
        char name[64];
        int depth;
        uint64_t nodes;
        /* A name with a comma in it stands in quotes. */
        const char *format = line[0] == '"' ? "\"%63[^\"]\",%d,%" SCNu64 : "%63[^,],%d,%" SCNu64;
        if (sscanf(line, format, name, &depth, &nodes) != 3) continue;
        bf_state s;
        lines++;
        CHECK(depth >= 1 && depth <= DEEPEST);
        if (nodes > MOST_NODES) continue;
        position_of(name, &v, &s);
        expect(&v, &s, depth, nodes);
    }
    fclose(figures);
    CHECK(lines > 30);
}

static void known_ones(void) {
    static const struct {
        const char *name;
        int depth;
        uint64_t nodes;
    } known[] = {{"classic", 1, 58},        {"classic", 2, 3364},     {"classic", 3, 195112},
                 {"classic-2p", 3, 195112}, {"duo", 1, 828},          {"duo-assigned", 1, 414},
                 {"duo-assigned", 2, 171396}, {"junior", 1, 189},     {"junior", 2, 35721}};
    static variant v;
    bf_state s;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        make_named(known[i].name, &v);
        bf_open(&v.rules[0], &s);
        expect(&v, &s, known[i].depth, known[i].nodes);
    }
}

/* Whoever is asked whether to stop is obeyed. */
static void stopping(void) {
    static variant v;
    static int32_t ids[4 * (BF_MAX_MOVES + 1)];
    bf_state s;
    int asked = 0;
    make_named("classic", &v);
    bf_open(&v.rules[0], &s);
    bf_perft(&v.rules[0], &s, 4, r.scratch, ids, at_once, &asked);
    CHECK(asked == 1);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: test_perft perft.csv\n");
        return 2;
    }
    counted_by_the_twin(argv[1]);
    known_ones();
    stopping();
    return expect_result();
}
