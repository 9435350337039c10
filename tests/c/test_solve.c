/* test_solve.c: the exact ends of games, against a search that does nothing but try everything:
 * ends of games by chance of all variants, with several rules of scoring, where the highest score
 * wins and where the lowest does. Arguments: how many games of each variant, and how many
 * positions the plain search may look at.
 */
#include "solve.h"

#include "actions.h"
#include "bits.h"
#include "flow.h"
#include "legality.h"
#include "listing.h"
#include "position.h"
#include "rng.h"

enum { DEEP = 400, MOST_OUTCOMES = 24, TABLE = 1 << 12, ROOM = 1 << 22 };

/* Points of a square placed, a square left, an empty hand, and the monomino as last piece: those
 * of the shipped rules, and some that nobody would play by. */
static const int32_t SCORING[][4] = {{0, -1, 15, 5}, {1, 0, 0, 0},  {1, -1, 15, 5}, {0, -1, 0, 0},
                                     {-2, 1, 7, -9}, {0, 0, 3, 4},  {0, -1, 0, 8},  {0, 0, 0, 0},
                                     {3, 1, -20, 5}, {-1, 0, 30, 0}};
enum { N_SCORING = sizeof SCORING / sizeof SCORING[0] };

static room r;
static bf_solver solver;
static bf_solve_entry table[TABLE];
static uint64_t words[ROOM];
static long compared, solved_ends, ambiguous_ends, too_many;

/* -- the plain search ------------------------------------------------------------------------- */

/* What may come of best play: with up to two players one outcome; with more, there may be several
 * that somebody has no reason to choose between. */
typedef struct outcomes {
    int n;
    int32_t scores[MOST_OUTCOMES][BF_COLORS];
    int everywhere; /* one outcome, here and wherever the game might go */
} outcomes;

typedef struct plain {
    const bf_rules *rules;
    int lowest_wins;
    long nodes, most;
    int32_t *ids;
    int32_t *end;
} plain;

static int32_t aim(const plain *b, const int32_t *scores, int player) {
    int32_t value = scores[player];
    if (b->rules->n_players == 2) value -= scores[1 - player];
    return b->lowest_wins ? -value : value;
}

static void add_outcome(const plain *b, outcomes *to, const int32_t *scores) {
    for (int i = 0; i < to->n && i < MOST_OUTCOMES; i++) {
        if (memcmp(to->scores[i], scores, sizeof(int32_t) * b->rules->n_players) == 0) return;
    }
    if (to->n < MOST_OUTCOMES) memcpy(to->scores[to->n], scores, sizeof to->scores[0]);
    to->n++;
}

/* Return 0 if there is too much to look at. */
static int try_everything(plain *b, const bf_state *s, int32_t *ids, outcomes *found) {
    const bf_rules *rules = b->rules;
    outcomes child;
    bf_undo undo;
    found->n = 0;
    found->everywhere = 1;
    /* Passes may go on and on. */
    if (++b->nodes > b->most || s->ply > DEEP) return 0;
    if (s->phase == BF_OVER) {
        int32_t scores[BF_COLORS] = {0};
        for (int i = 0; i < rules->n_players; i++) {
            scores[i] = rules->kernel->player_score(rules, s, i);
        }
        add_outcome(b, found, scores);
        return 1;
    }
    if (ids + rules->n_actions + 1 > b->end) return 0;
    uint32_t n = bf_list(rules, s, -1, r.scratch, ids);
    int two = rules->n_players <= 2, me = s->player;
    /* What he has for certain, whatever the others choose where they do not care. */
    int32_t certain = INT32_MIN;
    for (uint32_t i = 0; i < n; i++) {
        bf_state next = *s;
        int32_t worst = INT32_MAX;
        bf_push(rules, &next, (uint32_t)ids[i], &undo);
        if (!try_everything(b, &next, ids + n, &child)) return 0;
        found->everywhere &= child.everywhere;
        for (int k = 0; k < child.n; k++) {
            int32_t value = aim(b, child.scores[k], me);
            if (value < worst) worst = value;
        }
        if (two && worst <= certain) continue;
        if (worst > certain) {
            int kept = 0;
            certain = worst;
            for (int k = 0; k < found->n; k++) {
                if (two || aim(b, found->scores[k], me) < certain) continue;
                memmove(found->scores[kept++], found->scores[k], sizeof found->scores[k]);
            }
            found->n = kept;
        }
        for (int k = 0; k < child.n; k++) {
            if (aim(b, child.scores[k], me) >= certain) add_outcome(b, found, child.scores[k]);
        }
        if (found->n > MOST_OUTCOMES) return 0; /* too many to tell apart */
    }
    if (found->n != 1) found->everywhere = 0;
    return 1;
}

/* -- comparisons ------------------------------------------------------------------------------ */

/* The line is one that can be played, and ends with the scores. */
static void check_line(const bf_rules *rules, const bf_state *s, const bf_solution *solution) {
    bf_state end = *s;
    bf_undo undo;
    for (int i = 0; i < solution->n_pv; i++) {
        CHECK(bf_is_legal(rules, &end, -1, solution->pv[i]));
        bf_push(rules, &end, solution->pv[i], &undo);
    }
    CHECK(end.phase == BF_OVER);
    for (int i = 0; i < rules->n_players; i++) {
        CHECK(rules->kernel->player_score(rules, &end, i) == solution->scores[i]);
    }
}

static void new_solver(const bf_rules *rules, int lowest_wins, uint64_t size) {
    memset(table, 0, sizeof table);
    bf_solver_init(&solver, rules, lowest_wins, table, TABLE - 1, words, size);
}

/* Compare an end; return 0 if it is too far from the end for that. */
static int compare(const bf_rules *rules, const bf_state *s, int lowest_wins, long most) {
    static int32_t ids[1 << 20];
    static outcomes expected;
    bf_solution solution;
    bf_solve_limits limits = {UINT64_C(1) << 40, 0, NULL, NULL};
    plain b = {rules, lowest_wins, 0, most, ids, ids + (sizeof ids / sizeof ids[0])};
    if (!try_everything(&b, s, ids, &expected)) return 0;
    bf_state before = *s;
    int solved = bf_solve(&solver, s, &limits, &solution);
    CHECK(memcmp(&before, s, sizeof before) == 0);
    compared++;
    solved_ends += solved;
    if (rules->voluntary_pass && rules->max_rounds == 0 && s->phase != BF_OVER) {
        CHECK(!solved);
        return 1;
    }
    ambiguous_ends += !solved && solution.nodes != 0;
    /* Whether the lists were too long, nothing else than that may have been the reason. */
    too_many += !solved && solution.nodes == 0;
    if (expected.everywhere || rules->n_players <= 2) CHECK(solved || solution.nodes == 0);
    if (!solved) return 1;
    check_line(rules, s, &solution);
    CHECK(expected.n == 1);
    if (rules->n_players == 2) {
        CHECK(solution.scores[0] - solution.scores[1] ==
              expected.scores[0][0] - expected.scores[0][1]);
    } else {
        CHECK(memcmp(solution.scores, expected.scores[0],
                     sizeof(int32_t) * rules->n_players) == 0);
    }
    return 1;
}

/* Play a game by chance and go back from its end as far as the plain search comes. Large pieces
 * come first in some games: those end with full boards. */
static void play_and_compare(bf_rules *rules, uint64_t seed, long most) {
    static bf_state states[DEEP + 1];
    bf_undo undo;
    bf_rng rng;
    int n = 0;
    seed_rng(&rng, seed);
    const int32_t *points = SCORING[bf_rng_below(&rng, N_SCORING)];
    rules->score_placed = points[0];
    rules->score_left = points[1];
    rules->score_all_placed = points[2];
    rules->score_monomino_last = points[3];
    int lowest_wins = (int)bf_rng_below(&rng, 2), greedy = (int)bf_rng_below(&rng, 2);
    bf_open(rules, &states[0]);
    while (states[n].phase != BF_OVER && n < DEEP) {
        uint32_t action = some_action(rules, &states[n], &rng, &r);
        if (greedy && states[n].phase == BF_PLAY && bf_rng_below(&rng, 8) != 0) {
            uint32_t count = bf_list(rules, &states[n], -1, r.scratch, r.ids);
            uint32_t last = (uint32_t)r.ids[count - 1 - bf_rng_below(&rng, 1 + count / 8)];
            if (bf_is_placement(rules, last)) action = last;
        }
        states[n + 1] = states[n];
        bf_push(rules, &states[++n], action, &undo);
    }
    new_solver(rules, lowest_wins, ROOM);
    for (; n >= 0 && states[n].phase != BF_DRAFT; n--) {
        if (!compare(rules, &states[n], lowest_wins, most)) return;
    }
}

/* -- limits ----------------------------------------------------------------------------------- */

static int at_once(void *context) {
    ++*(int *)context;
    return 1;
}

/* With every limit there is an end, within the limit; and what is solved with it is the same. */
static void limits_are_kept(void) {
    static variant v;
    bf_state s;
    bf_rng rng;
    bf_solution solution;
    int asked = 0, gave_up = 0, solved = 0;
    make_named("duo", &v);
    bf_rules *rules = &v.rules[v.n_kernels - 1];
    new_solver(rules, 0, ROOM);
    for (int plies = 8; plies < 40; plies += 2) {
        seed_rng(&rng, 5);
        play_some(rules, &s, plies, &rng, &r);
        for (uint64_t nodes = 0; nodes < 3000; nodes = 3 * nodes + 1) {
            bf_solve_limits limits = {nodes, 0, NULL, NULL};
            int done = bf_solve(&solver, &s, &limits, &solution);
            CHECK(solution.nodes <= nodes);
            if (done) check_line(rules, &s, &solution);
            gave_up += !done;
            solved += done;
        }
    }
    CHECK(gave_up > 0 && solved > 0);
    /* A position with much to do; somebody has enough of it. */
    seed_rng(&rng, 5);
    play_some(rules, &s, 14, &rng, &r);
    bf_solve_limits limits = {UINT64_C(1) << 40, 0, at_once, &asked};
    new_solver(rules, 0, ROOM);
    CHECK(!bf_solve(&solver, &s, &limits, &solution));
    CHECK(asked == 1);
    CHECK(solution.nodes > 0 && solution.nodes < 5000);
    /* Not more candidates than are allowed, and not more than there is room for. */
    limits.candidates = 10;
    CHECK(!bf_solve(&solver, &s, &limits, &solution));
    CHECK(solution.nodes == 0);
    limits.candidates = 0;
    for (uint64_t size = 0; size < 40000; size = 2 * size + 1) {
        new_solver(rules, 0, size);
        bf_solve(&solver, &s, &limits, &solution);
    }
}

/* Positions that are over, and those of Draft that are not yet begun. */
static void beginnings_and_ends(void) {
    static variant v;
    bf_state s;
    bf_solution solution;
    bf_rng rng;
    bf_solve_limits limits = {100, 0, NULL, NULL};
    seed_rng(&rng, 1);
    for (int i = 0; i < variant_count(); i++) {
        make_variant(i, &v);
        bf_rules *rules = &v.rules[0];
        new_solver(rules, 0, ROOM);
        bf_open(rules, &s);
        if (rules->draft) CHECK(!bf_solve(&solver, &s, &limits, &solution));
        if (rules->draft) CHECK(!bf_solve_is_small(rules, &s, 100000));
        play_some(rules, &s, 100000, &rng, &r);
        CHECK(bf_solve(&solver, &s, &limits, &solution));
        CHECK(solution.n_pv == 0);
        CHECK(bf_solve_is_small(rules, &s, 0));
        for (int player = 0; player < rules->n_players; player++) {
            CHECK(solution.scores[player] == rules->kernel->player_score(rules, &s, player));
        }
    }
}

/* The squares that bf_solve_is_small counts are those that the flood of the kernel finds. */
static void small_or_not(void) {
    static variant v;
    bf_state s;
    bf_rng rng;
    for (int i = 0; i < variant_count(); i++) {
        make_variant(i, &v);
        bf_rules *rules = &v.rules[v.n_kernels - 1];
        for (int plies = 0; plies < 100; plies += 7) {
            int total = 0;
            uint64_t reached[BF_WORDS];
            seed_rng(&rng, (uint64_t)i);
            play_some(rules, &s, plies, &rng, &r);
            if (s.phase != BF_PLAY) continue;
            for (int color = 0; color < rules->n_colors; color++) {
                if (!rules->draft && (s.finished >> color & 1) != 0) continue;
                rules->kernel->reach(rules, &s, color, 400, 1, reached);
                total += bf_count_squares(reached);
            }
            CHECK(bf_solve_is_small(rules, &s, total));
            CHECK(!bf_solve_is_small(rules, &s, total - 1));
        }
    }
}

/* As much room as is said to be enough is enough. */
static void room_is_enough(void) {
    static variant v;
    bf_state s;
    bf_rng rng;
    int seen = 0;
    for (int i = 0; i < variant_count(); i++) {
        make_variant(i, &v);
        bf_rules *rules = &v.rules[v.n_kernels - 1];
        bf_ending_init(&solver.ending, rules);
        for (int plies = 0; plies < 100; plies += 3) {
            uint32_t longest = 0;
            seed_rng(&rng, (uint64_t)i);
            play_some(rules, &s, plies, &rng, &r);
            if (s.phase != BF_PLAY) continue;
            if (!bf_ending_make(&solver.ending, &s, UINT32_MAX, 0, words, ROOM)) continue;
            for (int color = 0; color < rules->n_colors; color++) {
                if (solver.ending.n[color] > longest) longest = solver.ending.n[color];
            }
            if (longest > 256) continue;
            uint64_t size = longest <= 64 ? 1 << 14 : 1 << 16;
            CHECK(bf_ending_make(&solver.ending, &s, UINT32_MAX, 0, words, size));
            seen++;
        }
    }
    CHECK(seen > 50);
}

int main(int argc, char **argv) {
    static variant v;
    int games = argc > 1 ? atoi(argv[1]) : 2;
    long most = argc > 2 ? atol(argv[2]) : 1500;
    for (int i = 0; i < variant_count(); i++) {
        make_variant(i, &v);
        int is_small = v.rules[0].layout.size < 10;
        for (int game = 0; game < (is_small ? 4 * games : games); game++) {
            bf_rules *rules = &v.rules[game % v.n_kernels];
            play_and_compare(rules, (uint64_t)(1000 * i + game), most);
        }
    }
    expect_where = "";
    printf("%ld ends, %ld solved, %ld without defined best play, %ld with too long lists\n", compared,
           solved_ends, ambiguous_ends, too_many);
    CHECK(compared > 300);
    CHECK(10 * ambiguous_ends < compared);
    CHECK(100 * too_many < compared);
    limits_are_kept();
    beginnings_and_ends();
    small_or_not();
    room_is_enough();
    return expect_result();
}
