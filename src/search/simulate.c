/* simulate.c: one simulation after the other: down the tree, a playout, and up again; the limits
 * of a search, and its beginning and end.
 */
#include "search.h"

#include <string.h>

#include "actions.h"
#include "clock.h"
#include "flow.h"
#include "leaves.h"
#include "listing.h"
#include "playouts.h"
#include "replies.h"
#include "state.h"

enum { LOOK_EVERY = 16, DECIDE_EVERY = 128, MOST_ROOT_NODES = 300000, PLAYED_ONE_OF = 32 };

void bf_search_init(bf_search *search, const bf_rules *rules, const bf_parameters *parameters,
                    const bf_weights *weights, void *memory, uint64_t bytes, int shared) {
    memset(search, 0, sizeof *search);
    search->rules = rules;
    search->parameters = *parameters;
    search->weights = weights;
    search->evaluator = bf_evaluator_of(rules->kernel);
    bf_tree_init(&search->tree, memory, bytes);
    search->tree.shared = shared;
}

void bf_search_clear(bf_search *search) {
    bf_tree_clear(&search->tree);
    search->has_state = 0;
}

void bf_search_stop(bf_search *search) { bf_release_32(&search->reason, BF_STOPPED); }

void bf_worker_init(bf_worker *worker, const bf_search *search, uint64_t seed, uint64_t stream,
                    int32_t *actions, int32_t *logits, float *priors) {
    memset(worker, 0, sizeof *worker);
    bf_solver_init(&worker->solver, search->rules, search->parameters.lowest_wins, worker->endings,
                   BF_ENDING_SLOTS - 1, worker->ending_room, BF_ENDING_ROOM);
    bf_rng_seed(&worker->rng, seed, stream);
    worker->actions = actions;
    worker->logits = logits;
    worker->priors = priors;
}

static void end(bf_search *search, uint32_t reason) {
    bf_swap_if_32(&search->reason, BF_RUNNING, reason);
}

/* -- up -- */

void bf_back_up(bf_search *search, const bf_trail *trail, const uint64_t *values,
                const int32_t *scores) {
    const int shared = search->tree.shared, n = search->rules->n_players;
    for (int i = 0; i <= trail->depth && trail->nodes[i] != 0; i++) {
        bf_node *node = bf_node_at(&search->tree, trail->nodes[i]);
        for (int p = 0; p < n; p++) {
            bf_add_64(&node->values[p], values[p], shared);
            if (scores == NULL) continue;
            bf_add_64((uint64_t *)&node->scores[p], (uint64_t)(int64_t)scores[p], shared);
        }
        if (scores != NULL) bf_add_32(&node->scored, 1, shared);
        if (i < trail->depth) bf_add_64(&trail->edges[i]->sum, values[node->player], shared);
    }
}

void bf_back_up_scores(bf_search *search, const bf_trail *trail, const int32_t *scores) {
    uint64_t values[BF_COLORS];
    bf_value_scores(search, scores, values);
    bf_back_up(search, trail, values, scores);
}

uint32_t bf_new_exact(bf_search *search, const bf_state *s, const int32_t *scores,
                      uint32_t action) {
    uint32_t at = bf_new_node(&search->tree, 1);
    if (at == 0) return 0;
    bf_node *node = bf_node_at(&search->tree, at);
    for (int p = 0; p < search->rules->n_players; p++) node->final[p] = scores[p];
    node->n = 0;
    node->candidates[0].action = action;
    node->candidates[0].prior = 1;
    node->player = s->player;
    node->turn = s->turn;
    node->exact = 1;
    return at;
}

/* Give a node the value of its best child, all of them being exact. */
static void prove(bf_search *search, bf_node *node) {
    bf_walk walk = bf_first_edge(node);
    const bf_node *best = NULL;
    uint64_t best_value = 0, values[BF_COLORS];
    int is_torn = 0;
    for (uint32_t i = 0; i < node->n_legal; i++) {
        const bf_node *child = bf_node_at(&search->tree, bf_child(bf_acquire_32(&walk.edge->child)));
        bf_value_scores(search, child->final, values);
        if (best == NULL || values[node->player] > best_value) {
            best = child;
            best_value = values[node->player];
            is_torn = 0;
        } else if (values[node->player] == best_value) {
            is_torn |= memcmp(best->final, child->final, sizeof best->final) != 0;
        }
        bf_next_edge(&search->tree, &walk);
    }
    /* With more than two players nobody knows which of equal moves he takes. */
    if (is_torn && search->rules->n_players > 2) return;
    memcpy(node->final, best->final, sizeof node->final);
    bf_release_32(&node->exact, 1);
}

void bf_settle(bf_search *search, const bf_trail *trail) {
    uint64_t values[BF_COLORS];
    for (int i = trail->depth; i > 0; i--) {
        bf_node *node = bf_node_at(&search->tree, trail->nodes[i]);
        bf_node *parent = bf_node_at(&search->tree, trail->nodes[i - 1]);
        bf_edge *edge = trail->edges[i - 1];
        if (!bf_acquire_32(&node->exact)) return;
        if ((bf_atomic_or_32(&edge->child, BF_EXACT_CHILD) & BF_EXACT_CHILD) != 0) return;
        /* The visits that it had count as if they had known. */
        bf_value_scores(search, node->final, values);
        bf_store_64(&edge->sum, values[parent->player] * bf_load_32(&edge->visits));
        if (bf_atomic_add_32(&parent->n_exact, 1) + 1 < parent->n_legal) return;
        prove(search, parent);
        if (i == 1 && bf_acquire_32(&parent->exact)) end(search, BF_SOLVED);
    }
}

/* -- down -- */

/* Take an action; note placements in the line. */
static void follow(const bf_rules *rules, bf_worker *worker, uint32_t action) {
    bf_state *s = &worker->state;
    bf_undo undo;
    if (bf_is_placement(rules, action)) {
        int color = bf_action_color(rules, s, action);
        uint32_t move = bf_action_move(rules, action);
        bf_line *line = &worker->line;
        if (line->length < BF_MOST_PLACED) {
            line->move[line->length] = (uint16_t)move;
            line->color[line->length++] = (uint8_t)color;
        }
        line->last[color] = (int32_t)move;
    }
    bf_push(rules, s, action, &undo);
}

/* Make the node behind an edge, unless another thread does. */
static uint32_t grow(bf_search *search, bf_worker *worker, bf_edge *edge) {
    const bf_rules *rules = search->rules;
    uint32_t at;
    if (!bf_swap_if_32(&edge->child, 0, BF_BUSY)) return 0;
    if (worker->state.phase == BF_OVER) {
        int32_t scores[BF_COLORS];
        bf_final_scores(rules, &worker->state, scores);
        at = bf_new_exact(search, &worker->state, scores, UINT32_MAX);
    } else {
        at = bf_expand(search, worker, &worker->state, 0);
    }
    bf_release_32(&edge->child, at);
    return at;
}

/* Play to the end, and learn good replies. */
static void play_out(bf_search *search, bf_worker *worker, int32_t *scores) {
    const bf_parameters *p = &search->parameters;
    const bf_rules *rules = search->rules;
    if (worker->state.phase != BF_OVER) {
        if (rules->draft) {
            bf_policy uniform = {BF_UNIFORM, NULL, NULL};
            bf_playout(rules, &worker->state, &uniform, &worker->rng);
        } else {
            bf_playout_policy policy = {p->replies, p->local, p->largest_first};
            search->evaluator->playout(rules, &worker->state, &policy, &worker->replies,
                                       &worker->line, &worker->rng);
        }
    }
    bf_final_scores(rules, &worker->state, scores);
    if (p->replies && !rules->draft) bf_learn_replies(search, worker, scores);
}

/* Whether a simulation that the value function could decide alone is played out: some are, so that
 * scores to expect and good replies are known. */
static int plays_out(bf_search *search, bf_worker *worker) {
    const bf_node *root = bf_node_at(&search->tree, search->tree.root);
    return bf_load_32(&root->scored) == 0 || bf_rng_below(&worker->rng, PLAYED_ONE_OF) == 0;
}

/* Judge the position that a simulation has come to, and tell the nodes above it. */
static void evaluate(bf_search *search, bf_worker *worker) {
    const int n = search->rules->n_players;
    const double part = bf_value_part(search, &worker->state);
    uint64_t values[BF_COLORS], played[BF_COLORS];
    int32_t scores[BF_COLORS];
    if (part > 0) bf_value_position(search, &worker->state, values);
    if (part >= 1 && !plays_out(search, worker)) {
        bf_back_up(search, &worker->trail, values, NULL);
        return;
    }
    play_out(search, worker, scores);
    if (part < 1) {
        bf_value_scores(search, scores, played);
        for (int p = 0; p < n; p++) {
            double judged = part > 0 ? part * (double)values[p] : 0;
            values[p] = (uint64_t)(judged + (1 - part) * (double)played[p]);
        }
    }
    bf_back_up(search, &worker->trail, values, scores);
}

static void simulate(bf_search *search, bf_worker *worker) {
    const bf_rules *rules = search->rules;
    const int shared = search->tree.shared;
    bf_trail *trail = &worker->trail;
    uint32_t at = search->tree.root;
    int depth = 0, exact = 0;
    worker->state = search->state;
    worker->line.length = 0;
    memcpy(worker->line.last, search->last, sizeof search->last);
    for (;;) {
        bf_node *node = bf_node_at(&search->tree, at);
        trail->nodes[depth] = at;
        bf_add_32(&node->visits, 1, shared);
        exact = bf_acquire_32(&node->exact) != 0;
        if (exact || depth == BF_MOST_DEPTH) break;
        uint32_t action, visits, child;
        bf_edge *edge = bf_select(search, node, &action, &visits);
        trail->edges[depth] = edge;
        follow(rules, worker, action);
        child = bf_child(bf_acquire_32(&edge->child));
        if (child == 0 && (depth == 0 || visits + 1 >= (uint32_t)search->parameters.expand_visits)) {
            child = grow(search, worker, edge);
        }
        depth++;
        at = child;
        if (child <= BF_BUSY) {
            trail->nodes[depth] = 0;
            break;
        }
    }
    trail->depth = depth;
    if (bf_load_32(&search->depth) < (uint32_t)depth) bf_release_32(&search->depth, (uint32_t)depth);
    if (exact) {
        bf_back_up_scores(search, trail, bf_node_at(&search->tree, at)->final);
        bf_settle(search, trail);
        return;
    }
    evaluate(search, worker);
}

/* -- a search -- */

static void set_root(bf_search *search, uint32_t at, const bf_state *s, const int32_t *last) {
    search->tree.root = at;
    search->state = *s;
    search->has_state = 1;
    memcpy(search->last, last, sizeof search->last);
}

/* Give a new root, which has all moves, the edges of the node that it takes the place of. */
static int take_edges(bf_search *search, bf_node *old, bf_node *node) {
    bf_walk walk = bf_first_edge(old);
    for (uint32_t i = 0; i < old->opened; i++) {
        uint32_t j = i;
        while (j < node->n && node->candidates[j].action != old->candidates[i].action) j++;
        if (j == node->n) return 0;
        bf_candidate moved = node->candidates[j];
        node->candidates[j] = node->candidates[i];
        node->candidates[i] = moved;
        bf_edge *edge = bf_open_edge(&search->tree, node, 0);
        if (edge == NULL) return 0;
        *edge = *walk.edge;
        bf_next_edge(&search->tree, &walk);
    }
    bf_raise_best(node, node->opened);
    node->visits = old->visits;
    node->scored = old->scored;
    node->n_exact = old->n_exact;
    memcpy(node->values, old->values, sizeof node->values);
    memcpy(node->scores, old->scores, sizeof node->scores);
    /* Nobody comes to the old one any more. */
    old->opened = old->blocks = old->visits = old->scored = old->n_exact = 0;
    memset(old->values, 0, sizeof old->values);
    memset(old->edges, 0, sizeof old->edges);
    bf_raise_best(old, 0);
    return 1;
}

static int is_ended(void *search) {
    return bf_load_32(&((const bf_search *)search)->reason) != BF_RUNNING;
}

/* Nodes that the root may cost to solve: a part of what the search may. */
static uint64_t nodes_for_root(const bf_search *search) {
    const bf_limits *limits = &search->limits;
    uint64_t nodes = MOST_ROOT_NODES;
    if (search->parameters.solve_nodes == 0) return 0;
    if (limits->simulations < nodes / 8) nodes = 8 * limits->simulations;
    if (limits->deadline != INT64_MAX) {
        /* Some 3 nodes a microsecond, for a tenth of the time. */
        int64_t time = limits->deadline - search->begin;
        uint64_t by_time = time > 0 ? (uint64_t)time / 4000 : 0;
        if (by_time < nodes) nodes = by_time;
    }
    return nodes;
}

/* If best play from the root on is known, the move that begins it has an exact node behind it. */
static void prove_root(bf_search *search, bf_worker *worker) {
    bf_tree *tree = &search->tree;
    bf_node *root = bf_node_at(tree, tree->root);
    const bf_solution *solution = &worker->solution;
    if (!bf_solve_within(search, worker, &search->state, nodes_for_root(search), 0, is_ended)) {
        return;
    }
    uint32_t i = 0, at;
    while (i < root->n && root->candidates[i].action != solution->pv[0]) i++;
    if (i == root->n) return;
    bf_walk walk = bf_first_edge(root);
    bf_edge *edge = NULL;
    if (i < root->opened) {
        for (uint32_t j = 0; j < i; j++) bf_next_edge(tree, &walk);
        edge = walk.edge;
    } else {
        bf_candidate moved = root->candidates[i];
        root->candidates[i] = root->candidates[root->opened];
        root->candidates[root->opened] = moved;
        edge = bf_open_edge(tree, root, 1);
        if (edge == NULL) bf_raise_best(root, root->opened);
    }
    bf_state s = search->state;
    bf_undo undo;
    bf_push(search->rules, &s, solution->pv[0], &undo);
    at = bf_new_exact(search, &s, solution->scores,
                      solution->n_pv > 1 ? solution->pv[1] : UINT32_MAX);
    if (edge == NULL || at == 0) return;
    /* The one simulation that it takes. */
    bf_trail *trail = &worker->trail;
    if (bf_child(edge->child) > BF_BUSY) bf_node_at(tree, at)->visits = edge->visits;
    if (edge->child & BF_EXACT_CHILD) root->n_exact--;
    edge->child = at;
    trail->depth = 1;
    trail->nodes[0] = tree->root;
    trail->nodes[1] = at;
    trail->edges[0] = edge;
    root->visits++;
    edge->visits++;
    bf_node_at(tree, at)->visits++;
    search->started++;
    search->depth = 1;
    bf_back_up_scores(search, trail, solution->scores);
    bf_settle(search, trail);
    memcpy(root->final, solution->scores, sizeof root->final);
    memcpy(search->solved, solution->pv, sizeof search->solved);
    search->n_solved = solution->n_pv;
    bf_release_32(&root->exact, 1);
    bf_release_32(&search->reason, BF_SOLVED);
}

int bf_search_start(bf_search *search, bf_worker *worker, const bf_state *s, const int32_t *last,
                    const bf_limits *limits) {
    bf_tree *tree = &search->tree;
    uint32_t kept = 0, root = 0;
    if (search->has_state) kept = bf_tree_find(tree, search->rules, &search->state, s);
    if (kept != 0 && bf_node_at(tree, kept)->exact) kept = 0;
    /* Room for as many visits again as a search may make. */
    if (kept != 0 && bf_node_at(tree, kept)->visits > INT32_MAX) kept = 0;
    if (kept != 0) {
        bf_tree_keep(tree, kept);
        root = bf_expand(search, worker, s, 1);
        if (root == 0 || !take_edges(search, bf_node_at(tree, tree->root), bf_node_at(tree, root))) {
            root = 0;
        } else {
            search->reused = bf_node_at(tree, root)->visits;
        }
    }
    if (root == 0) {
        bf_tree_clear(tree);
        search->reused = 0;
        root = bf_expand(search, worker, s, 1);
        if (root == 0) {
            search->has_state = 0;
            return -1;
        }
        tree->full = 0;
    }
    set_root(search, root, s, last);
    bf_add_noise(search);
    search->limits = *limits;
    search->started = 0;
    search->depth = 0;
    search->n_solved = 0;
    search->begin = bf_now();
    bf_release_32(&search->reason, BF_RUNNING);
    prove_root(search, worker);
    return 0;
}

/* Simulations that are left, as far as limits tell. */
static uint64_t left_to_do(const bf_search *search, uint64_t done, int64_t now) {
    uint64_t left = UINT64_MAX;
    if (search->limits.simulations != UINT64_MAX) {
        left = done < search->limits.simulations ? search->limits.simulations - done : 0;
    }
    if (search->limits.deadline != INT64_MAX && done > 0) {
        double rate = (double)done / (double)(now - search->begin + 1);
        double by_time = rate * (double)(search->limits.deadline - now);
        if (by_time < 0) by_time = 0;
        if (by_time < 1e18 && (uint64_t)by_time < left) left = (uint64_t)by_time;
    }
    return left;
}

int bf_search_work(bf_search *search, bf_worker *worker, int64_t until) {
    const int shared = search->tree.shared;
    for (uint32_t turn = 0;; turn++) {
        if (bf_load_32(&search->reason) != BF_RUNNING) return 0;
        if (turn % LOOK_EVERY == 0) {
            int64_t now = bf_now();
            if (now >= search->limits.deadline && bf_load_64(&search->started) > 0) {
                end(search, BF_BY_TIME);
                return 0;
            }
            if (now >= until) return 1;
        }
        /* By the number of simulations, so that one thread always looks at the same time. */
        if (search->limits.early && bf_load_64(&search->started) % DECIDE_EVERY == 0) {
            uint64_t done = bf_load_64(&search->started);
            if (done > 0 && bf_is_decided(search, left_to_do(search, done, bf_now()))) {
                end(search, BF_DECIDED);
                return 0;
            }
        }
        if (shared) {
            if (bf_atomic_add_64(&search->started, 1) >= search->limits.simulations) {
                bf_atomic_add_64(&search->started, UINT64_MAX);
                end(search, BF_BY_SIMULATIONS);
                return 0;
            }
        } else if (search->started >= search->limits.simulations) {
            end(search, BF_BY_SIMULATIONS);
            return 0;
        } else {
            search->started++;
        }
        simulate(search, worker);
    }
}
