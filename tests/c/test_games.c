/* test_games.c: whole games by chance of every variant; all that must hold of each position on the
 * way, with every kernel. One program, registered once per question: the argument says which.
 */
#include "flow.h"
#include "listing.h"
#include "position.h"
#include "rng.h"

enum { ACTIONS, PUSHES, WORTH, PLANES, PLAYOUTS, EVALUATION };

static const char *const QUESTIONS[] = {"actions", "pushes",   "worth",
                                        "planes",  "playouts", "evaluation"};

/* How often a position is asked: boards are up to 400 squares, games up to 170 actions. */
static int is_asked(int question, const bf_rules *rules, int ply) {
    int large = rules->layout.size > 9;
    switch (question) {
    case ACTIONS: return ply % (!large ? 1 : rules->draft ? 23 : 9) == 0;
    case PUSHES: return ply % (large ? 3 : 1) == 0;
    case WORTH: return ply % (large ? 6 : 2) == 0;
    case PLANES: return ply % (large ? 19 : 5) == 0;
    case PLAYOUTS: return ply % (large ? 29 : 4) == 0;
    default: return ply % (large ? 5 : 2) == 0;
    }
}

static void ask(int question, const variant *v, const bf_state *s, bf_rng *rng, room *r) {
    const bf_rules *rules = &v->rules[s->ply % v->n_kernels];
    switch (question) {
    case ACTIONS: check_actions(v, s, 1, r); break;
    case PUSHES:
        check_soundness(rules, s);
        for (int i = 0; i < 4 && s->phase != BF_OVER; i++) {
            check_push(rules, s, some_action(rules, s, rng, r));
        }
        break;
    case WORTH: check_worth(v, s, 12, r); break;
    case PLANES: check_planes(v, s); break;
    case PLAYOUTS: check_playouts(v, s, bf_rng_next(rng), r); break;
    default: check_evaluation(v, s, bf_rng_next(rng), r); break;
    }
}

/* The beginning of a game, for which nobody has been passed over unless he cannot place. */
static void check_opening(const variant *v) {
    bf_state s;
    for (int k = 0; k < v->n_kernels; k++) {
        uint16_t skipped = bf_open(&v->rules[k], &s);
        for (int i = 0; i < BF_COLORS && BF_SKIPPED(skipped, i) >= 0; i++) {
            if (!v->rules[k].draft) CHECK(!bf_any(&v->rules[k], &s, BF_SKIPPED(skipped, i)));
        }
        check_soundness(&v->rules[k], &s);
    }
}

static void play(int question, const variant *v, uint64_t seed) {
    static room r;
    const bf_rules *rules = &v->rules[0];
    bf_state s;
    bf_undo undo;
    bf_rng rng;
    seed_rng(&rng, seed);
    bf_open(rules, &s);
    for (int i = 0; i < 400; i++) {
        if (is_asked(question, rules, i) || s.phase == BF_OVER) ask(question, v, &s, &rng, &r);
        if (s.phase == BF_OVER) return;
        bf_push(rules, &s, some_action(rules, &s, &rng, &r), &undo);
    }
    CHECK(!"the game ends");
}

int main(int argc, char **argv) {
    static variant v;
    int question = 0, n = sizeof QUESTIONS / sizeof QUESTIONS[0];
    while (question < n && (argc != 2 || strcmp(QUESTIONS[question], argv[1]) != 0)) question++;
    if (question == n) {
        fprintf(stderr, "usage: test_games actions|pushes|worth|planes|playouts|evaluation\n");
        return 2;
    }
    for (int i = 0; i < variant_count(); i++) {
        make_variant(i, &v);
        int small = v.rules[0].layout.size < 10;
        int games = question == PUSHES || question == PLAYOUTS ? 3 : 1;
        check_opening(&v);
        for (int game = 0; game < (small ? 6 * games : games); game++) {
            play(question, &v, (uint64_t)(1000 * question + 10 * i + game));
        }
    }
    return expect_result();
}
