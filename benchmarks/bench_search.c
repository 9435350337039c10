/* bench_search.c: what a simulation is made of: nanoseconds for the whole, for an expansion, a playout,
 * a choice and a move down the tree, from positions along a game. Output: a line of JSON a variant and
 * phase. Usage: bench_search [--kernel NAME] [--simulations N].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bf_tables.h"
#include "flow.h"
#include "kernels.h"
#include "rng.h"
#include "rules_for.h"
#include "search.h"
#include "weights.h"

enum { LEAVES = 256, ROUNDS = 9, MOST_ACTIONS = BF_MAX_MOVES + 1 + BF_LIST_PADDING };

static bf_weights weights;
static bf_worker worker;
static bf_search search;
static int32_t actions[MOST_ACTIONS], logits[MOST_ACTIONS];
static float priors[MOST_ACTIONS];
static _Alignas(64) unsigned char memory[1 << 26];
static bf_state leaves[LEAVES];

static const bf_parameters PARAMETERS = {.exploration_growth = 0.2f,
                                         .exploration_base = 1,
                                         .unvisited_visits = 3,
                                         .unvisited_root = 1,
                                         .margin = 0.02f,
                                         .margin_scale = 10,
                                         .prior_temperature = 2,
                                         .candidate_logits = 7,
                                         .candidates = 80,
                                         .expand_visits = 2,
                                         .replies = 1,
                                         .local = 1,
                                         .largest_first = 1,
                                         .solve_nodes = 200,
                                         .solve_moves = 16};

static double cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof *values, by_size);
    return values[ROUNDS / 2];
}

/* Leaves as simulations meet them: positions some moves below the root. */
static int find_leaves(const bf_rules *rules) {
    int n = 0;
    for (int i = 0; i < LEAVES; i++) {
        bf_state s = search.state;
        bf_undo undo;
        uint32_t at = search.tree.root;
        while (s.phase != BF_OVER && at > BF_BUSY) {
            bf_node *node = bf_node_at(&search.tree, at);
            uint32_t action, visits;
            if (node->exact) break;
            bf_edge *edge = bf_select(&search, node, &action, &visits);
            node->visits++;
            bf_push(rules, &s, action, &undo);
            at = bf_child(edge->child);
        }
        if (s.phase != BF_OVER) leaves[n++] = s;
    }
    return n;
}

static void measure(const char *name, const bf_rules *rules, int plies, uint64_t simulations) {
    const bf_limits limits = {simulations, INT64_MAX, 0};
    const int32_t last[BF_COLORS] = {-1, -1, -1, -1};
    const bf_playout_policy policy = {1, 1, 1};
    double whole[ROUNDS], expand[ROUNDS], playout[ROUNDS], choice[ROUNDS], push[ROUNDS];
    uint32_t depth = 0, nodes = 0;
    bf_state s;
    bf_undo undo;
    bf_search_init(&search, rules, &PARAMETERS, &weights, memory, sizeof memory, 0);
    bf_worker_init(&worker, &search, 1, 0, actions, logits, priors);
    bf_open(rules, &s);
    for (int ply = 0; ply < plies && s.phase != BF_OVER; ply++) {
        const bf_limits few = {200, INT64_MAX, 0};
        uint32_t child;
        if (bf_search_start(&search, &worker, &s, last, &few) != 0) return;
        while (bf_search_work(&search, &worker, INT64_MAX)) continue;
        bf_push(rules, &s, bf_best_action(&search, search.tree.root, &child), &undo);
    }
    for (int round = 0; round < ROUNDS; round++) {
        double begin, descended = 0;
        bf_search_clear(&search);
        if (s.phase == BF_OVER || bf_search_start(&search, &worker, &s, last, &limits) != 0) return;
        begin = cpu_ns();
        while (bf_search_work(&search, &worker, INT64_MAX)) continue;
        whole[round] = (cpu_ns() - begin) / (double)search.started;
        nodes = search.tree.n_nodes;
        depth = search.depth;
        int n = find_leaves(rules);
        if (n == 0) return;
        begin = cpu_ns();
        for (int i = 0; i < n; i++) bf_expand(&search, &worker, &leaves[i], 0);
        expand[round] = (cpu_ns() - begin) / n;
        begin = cpu_ns();
        for (int i = 0; i < n; i++) {
            worker.state = leaves[i];
            worker.line.length = 0;
            memcpy(worker.line.last, last, sizeof last);
            search.evaluator->playout(rules, &worker.state, &policy, &worker.replies, &worker.line,
                                      &worker.rng);
        }
        playout[round] = (cpu_ns() - begin) / n;
        /* Choices along the most visited moves. */
        uint32_t at = search.tree.root;
        double chosen = 0, pushed = 0;
        for (int level = 0; level < 3 && at > BF_BUSY; level++) {
            bf_node *node = bf_node_at(&search.tree, at);
            uint32_t action, visits;
            if (node->exact) break;
            begin = cpu_ns();
            for (int i = 0; i < 64; i++) bf_select(&search, node, &action, &visits);
            chosen += (cpu_ns() - begin) / 64;
            bf_state t = search.state;
            bf_node *root = bf_node_at(&search.tree, search.tree.root);
            bf_select(&search, root, &action, &visits);
            begin = cpu_ns();
            for (int i = 0; i < 64; i++) {
                t = search.state;
                bf_push(rules, &t, action, &undo);
            }
            pushed += (cpu_ns() - begin) / 64;
            descended++;
            bf_best_action(&search, at, &at);
        }
        choice[round] = descended > 0 ? chosen / descended : 0;
        push[round] = descended > 0 ? pushed / descended : 0;
    }
    printf("{\"variant\": \"%s\", \"kernel\": \"%s\", \"ply\": %d, \"simulation\": %.0f, "
           "\"expansion\": %.0f, \"playout\": %.0f, \"choice\": %.0f, \"push\": %.0f, "
           "\"nodes\": %.3f, \"depth\": %u}\n",
           name, rules->kernel->name, plies, median(whole), median(expand), median(playout),
           median(choice), median(push), (double)nodes / (double)simulations, depth);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"duo", "classic-2p", "classic"};
    static const int phases[] = {0, 8, 16, 32};
    static int32_t zeros[sizeof(bf_weights) / sizeof(int32_t)];
    static variant v;
    const char *kernel = "";
    uint64_t simulations = 20000;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--kernel") == 0) kernel = argv[i + 1];
        if (strcmp(argv[i], "--simulations") == 0) simulations = strtoull(argv[i + 1], NULL, 10);
    }
    /* Large pieces and corners: a prior much like those that are learnt. */
    bf_weights *numbers = (bf_weights *)zeros;
    for (int phase = 0; phase < BF_PRIOR_PHASES; phase++) {
        for (int p = 0; p < BF_PIECES; p++) numbers->piece[phase][p] = 768 * bf_piece_size[p];
        for (int n = 0; n <= BF_MOST_GAINED; n++) numbers->gained[phase][n] = 256 * n;
        for (int n = 0; n <= BF_MOST_TAKEN; n++) numbers->taken[phase][n] = 340 * n;
    }
    if (bf_make_weights(&weights, zeros) != 0) return 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        make_named(names[i], &v);
        const bf_rules *rules = &v.rules[v.n_kernels - 1];
        for (int k = 0; k < v.n_kernels; k++) {
            if (strcmp(v.rules[k].kernel->name, kernel) == 0) rules = &v.rules[k];
        }
        for (size_t j = 0; j < sizeof phases / sizeof phases[0]; j++) {
            measure(names[i], rules, phases[j], simulations);
        }
    }
    return 0;
}
