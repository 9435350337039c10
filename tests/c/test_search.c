/* test_search.c: the tree of a search: what must hold of every node and edge of it, after searches
 * of all variants, kept from move to move, in much and in little memory, with several threads, and
 * with evaluations from outside. `test_search threads` is what the thread sanitizer runs.
 */
#include "leaves.h"
#include "flow.h"
#include "listing.h"
#include "rng.h"
#include "rules_for.h"
#include "search.h"
#include "weights.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

enum { MOST_ACTIONS = BF_COLORS * (BF_MAX_MOVES + BF_PIECES) + 1 + BF_LIST_PADDING, THREADS = 4 };

static bf_weights weights;
static bf_worker workers[THREADS];
static int32_t actions[THREADS][MOST_ACTIONS], logits[THREADS][MOST_ACTIONS];
static float priors[THREADS][MOST_ACTIONS];
static _Alignas(64) unsigned char memory[1 << 23];
static bf_search search;

static const bf_parameters PLAYOUTS = {.exploration_growth = 0.2f,
                                       .exploration_base = 1,
                                       .unvisited_visits = 3,
                                       .unvisited_root = 1,
                                       .value_part = 1.5f,
                                       .value_squares = 40,
                                       .margin = 0.1f,
                                       .margin_scale = 10,
                                       .prior_temperature = 1,
                                       .candidate_logits = 7,
                                       .candidates = 80,
                                       .expand_visits = 2,
                                       .replies = 1,
                                       .local = 1,
                                       .largest_first = 1,
                                       .solve_nodes = 200,
                                       .solve_moves = 16};
static const bf_parameters NETWORK = {.exploration = 1.25f,
                                      .exploration_growth = 1,
                                      .exploration_base = 19652,
                                      .margin_scale = 10,
                                      .prior_temperature = 1,
                                      .candidate_logits = 7,
                                      .expand_visits = 1};

static void begin(const bf_rules *rules, const bf_parameters *parameters, uint64_t bytes,
                  int threads) {
    bf_search_init(&search, rules, parameters, &weights, memory, bytes, threads > 1);
    for (int i = 0; i < threads; i++) {
        bf_worker_init(&workers[i], &search, 1, (uint64_t)i, actions[i], logits[i], priors[i]);
    }
}

/* -- what must hold -- */

static void node_holds(const bf_tree *tree, uint32_t at, const bf_parameters *p) {
    bf_node *node = bf_node_at(tree, at);
    uint64_t visits = 0;
    uint32_t n_exact = 0;
    float sum = 0;
    bf_walk walk = bf_first_edge(node);
    CHECK(node->opened <= node->n && node->n <= node->n_legal + (node->exact != 0));
    CHECK(node->lock == 0);
    for (uint32_t i = 0; i < node->n; i++) {
        CHECK(node->candidates[i].prior >= 0 && node->candidates[i].prior <= 1);
        sum += node->candidates[i].prior;
        /* Those that sequential halving considers are opened all at once. */
        if (i > node->opened && (at != tree->root || search.root_rule.considered == 0)) {
            CHECK(node->candidates[i].prior <= node->candidates[node->opened].prior);
        }
    }
    CHECK(node->n == 0 || (sum > 0.99f && sum < 1.01f));
    for (uint32_t i = 0; i < node->opened; i++) {
        uint32_t child = bf_child(walk.edge->child);
        CHECK(child != BF_BUSY && child < tree->used);
        /* Visits that were under way when their edge became exact may count twice. */
        uint64_t most = walk.edge->visits + (search.tree.shared && child != 0 ? THREADS : 0);
        CHECK(walk.edge->sum <= (most << 32) + most);
        visits += walk.edge->visits;
        if (child != 0) {
            bf_node *below = bf_node_at(tree, child);
            CHECK(below->kind == BF_KIND_NODE);
            CHECK(below->visits <= walk.edge->visits);
            CHECK((walk.edge->child & BF_EXACT_CHILD) == 0 || below->exact);
            n_exact += (walk.edge->child & BF_EXACT_CHILD) != 0;
        }
        bf_next_edge(tree, &walk);
    }
    CHECK(n_exact == node->n_exact);
    /* The visit that came with an evaluation from outside followed no edge. */
    uint64_t own = p->expand_visits == 1 && !p->largest_first;
    if (!node->exact) CHECK(visits + own == node->visits);
    for (int i = 0; i < BF_COLORS; i++) {
        CHECK(node->values[i] <= ((uint64_t)node->visits << 32) + node->visits);
    }
}

/* All items lie one behind the other, and what is counted is there. */
static void tree_holds(const bf_tree *tree, const bf_parameters *p) {
    uint32_t nodes = 0, at = BF_FIRST_LINE;
    CHECK(tree->used <= tree->capacity);
    while (at < tree->used) {
        bf_node *item = bf_node_at(tree, at);
        CHECK(item->lines > 0 && (item->kind == BF_KIND_NODE || item->kind == BF_KIND_BLOCK));
        if (item->lines == 0) return;
        if (item->kind == BF_KIND_NODE) {
            nodes++;
            node_holds(tree, at, p);
        }
        at += item->lines;
    }
    CHECK(at == tree->used);
    CHECK(nodes == tree->n_nodes);
}

/* -- with playouts -- */

static void *work(void *worker) {
    while (bf_search_work(&search, worker, INT64_MAX)) continue;
    return NULL;
}

static void search_with(int threads) {
#if defined(_WIN32)
    for (int i = 0; i < threads; i++) work(&workers[i]);
#else
    pthread_t handles[THREADS];
    for (int i = 1; i < threads; i++) pthread_create(&handles[i], NULL, work, &workers[i]);
    work(&workers[0]);
    for (int i = 1; i < threads; i++) pthread_join(handles[i], NULL);
#endif
}

static int32_t value_numbers[BF_COLORS * BF_VALUE_INPUTS * BF_VALUE_HIDDEN + BF_VALUE_HIDDEN +
                             BF_COLORS * (BF_VALUE_HIDDEN + 1)];
static bf_value_weights value_weights;

/* A value function that is drawn by chance, for these rules; one whose sums may overflow is none. */
static const bf_value_weights *some_value(const bf_rules *rules) {
    const int64_t n = bf_value_numbers(rules->n_colors, rules->n_players);
    bf_rng rng;
    seed_rng(&rng, 11);
    CHECK(n <= (int64_t)(sizeof value_numbers / sizeof *value_numbers));
    for (int64_t i = 0; i < n; i++) value_numbers[i] = (int32_t)bf_rng_below(&rng, 101) - 50;
    value_numbers[0] = INT16_MAX + 1;
    CHECK(bf_make_value_weights(&value_weights, rules->n_colors, rules->n_players,
                                value_numbers) == -1);
    value_numbers[0] = INT16_MAX;
    CHECK(bf_make_value_weights(&value_weights, rules->n_colors, rules->n_players,
                                value_numbers) == 0);
    return rules->draft ? NULL : &value_weights;
}

/* Play a game, searching at every move; the moves are the best, or others. */
static void play_through(const bf_rules *rules, uint64_t bytes, uint64_t simulations, int threads,
                         int valued, room *r) {
    const bf_limits limits = {simulations, INT64_MAX, 0};
    const int32_t last[BF_COLORS] = {-1, -1, -1, -1};
    bf_rng rng;
    bf_state s;
    bf_undo undo;
    seed_rng(&rng, 7);
    begin(rules, &PLAYOUTS, bytes, threads);
    if (valued) search.value_weights = some_value(rules);
    bf_open(rules, &s);
    while (s.phase != BF_OVER) {
        uint32_t child, action;
        if (bf_search_start(&search, &workers[0], &s, last, &limits) != 0) {
            CHECK(bytes < sizeof memory);
            action = some_action(rules, &s, &rng, r);
        } else {
            uint64_t before = search.reused;
            search_with(threads);
            tree_holds(&search.tree, &PLAYOUTS);
            const bf_node *root = bf_node_at(&search.tree, search.tree.root);
            CHECK(root->n == bf_count(rules, &s, -1));
            CHECK(root->exact || search.started == simulations);
            CHECK(root->visits == before + search.started);
            CHECK(root->scored > 0 && root->scored <= root->visits);
            CHECK((valued && !rules->draft) || root->scored == root->visits);
            action = bf_best_action(&search, search.tree.root, &child);
            CHECK(bf_root_moves(&search) == root->n);
            /* Now and then the same position once more. */
            if (bf_rng_below(&rng, 3) == 0) continue;
            if (bf_rng_below(&rng, 4) == 0) action = some_action(rules, &s, &rng, r);
        }
        bf_push(rules, &s, action, &undo);
    }
}

/* -- with evaluations from outside -- */

static bf_leaf leaves[8];

static void evaluate(const bf_rules *rules, bf_leaf *leaf, bf_rng *rng, room *r) {
    float values[BF_COLORS];
    float sum = 0;
    uint32_t n = bf_list(rules, &leaf->state, -1, r->scratch, r->ids);
    for (uint32_t i = 0; i < n; i++) sum += priors[0][i] = 0.1f + (float)bf_uniform(rng);
    for (uint32_t i = 0; i < n; i++) priors[0][i] /= sum;
    for (int p = 0; p < BF_COLORS; p++) values[p] = (float)bf_uniform(rng);
    if (bf_apply(&search, leaf, r->ids, priors[0], n, values) != 0) CHECK(leaf->trail.depth == 0);
}

static void play_outside(const bf_rules *rules, uint64_t bytes, int considered, room *r) {
    bf_rng rng;
    bf_state s;
    bf_undo undo;
    seed_rng(&rng, 3);
    begin(rules, &NETWORK, bytes, 1);
    search.root_rule.considered = considered;
    search.root_rule.noise = 0.25f;
    search.root_rule.noise_alpha = -10;
    search.root_rule.visits_offset = 50;
    search.root_rule.value_scale = 1;
    bf_rng_seed(&search.rng, 1, 0);
    bf_open(rules, &s);
    while (s.phase != BF_OVER) {
        int found = BF_KNOWN, n, rounds = 0;
        uint32_t child, action;
        bf_reroot(&search, &s, 60);
        do {
            n = 0;
            while (n < 8 && (found = bf_collect(&search, &leaves[n])) != BF_ENOUGH) {
                if (found == BF_WAITING) break;
                n += found == BF_LEAF;
            }
            for (int i = 0; i < n; i++) {
                CHECK(leaves[i].state.phase != BF_OVER);
                /* Now and then nobody knows: the leaf is given back. */
                if (bf_rng_below(&rng, 16) == 0) {
                    bf_release(&search, &leaves[i]);
                } else {
                    evaluate(rules, &leaves[i], &rng, r);
                }
            }
        } while (found != BF_ENOUGH && ++rounds < 1000);
        CHECK(found == BF_ENOUGH || search.tree.root == 0);
        if (search.tree.root == 0) {
            CHECK(bytes < sizeof memory);
            action = some_action(rules, &s, &rng, r);
        } else {
            tree_holds(&search.tree, &NETWORK);
            action = considered ? bf_best_considered(&search)
                                : bf_best_action(&search, search.tree.root, &child);
            bf_root_policy(&search, considered, priors[0]);
            float sum = 0;
            for (uint32_t i = 0; i < bf_root_moves(&search); i++) sum += priors[0][i];
            CHECK(sum > 0.99f && sum < 1.01f);
        }
        bf_push(rules, &s, action, &undo);
    }
}

int main(int argc, char **argv) {
    static variant v;
    static room r;
    static int32_t zeros[sizeof(bf_weights) / sizeof(int32_t)];
    const char *what = argc > 1 ? argv[1] : "playouts";
    int by_threads = strcmp(what, "threads") == 0;
    CHECK(bf_make_weights(&weights, zeros) == 0);
    zeros[5] = BF_MOST_WEIGHT + 1;
    CHECK(bf_make_weights(&weights, zeros) == -1);
    for (int i = 0; i < variant_count(); i++) {
        make_variant(i, &v);
        expect_where = v.name;
        const bf_rules *rules = &v.rules[v.n_kernels - 1];
        if (strcmp(what, "playouts") == 0) {
            play_through(rules, sizeof memory, 150, 1, 0, &r);
            play_through(rules, sizeof memory, 150, 1, 1, &r);
            play_through(rules, 1 << 16, 100, 1, 1, &r);
        } else if (by_threads) {
            play_through(rules, sizeof memory, 100, THREADS, 0, &r);
            play_through(rules, sizeof memory, 100, THREADS, 1, &r);
            play_through(rules, 1 << 16, 60, THREADS, 1, &r);
        } else {
            play_outside(rules, sizeof memory, 0, &r);
            play_outside(rules, sizeof memory, 16, &r);
            play_outside(rules, 1 << 16, 0, &r);
        }
    }
    return expect_result();
}
