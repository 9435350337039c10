/* leaves.c: leaves handed out and taken back. */
#include "leaves.h"

#include <string.h>

#include "flow.h"
#include "state.h"

void bf_reroot(bf_search *search, const bf_state *s, uint64_t simulations) {
    bf_tree *tree = &search->tree;
    uint32_t kept = 0;
    /* Sequential halving counts the visits of one search. */
    if (search->has_state && search->root_rule.considered == 0) {
        kept = bf_tree_find(tree, search->rules, &search->state, s);
    }
    if (kept != 0 && bf_node_at(tree, kept)->exact) kept = 0;
    if (kept != 0) {
        bf_tree_keep(tree, kept);
        search->reused = bf_node_at(tree, tree->root)->visits;
        bf_add_noise(search);
    } else {
        bf_tree_clear(tree);
        search->reused = 0;
    }
    search->state = *s;
    search->has_state = 1;
    search->root_asked = 0;
    search->limits.simulations = simulations;
    search->started = 0;
    search->depth = 0;
    search->reason = BF_RUNNING;
}

static void undo_visits(bf_search *search, const bf_trail *trail) {
    for (int i = 0; i < trail->depth; i++) {
        bf_node_at(&search->tree, trail->nodes[i])->visits--;
        trail->edges[i]->visits--;
    }
}

/* Simulations that end at nodes that are exact, or at the end of the game. */
static int end_at(bf_search *search, bf_trail *trail, uint32_t at) {
    bf_node *node = bf_node_at(&search->tree, at);
    trail->nodes[trail->depth] = at;
    node->visits++;
    bf_back_up_scores(search, trail, node->final);
    bf_settle(search, trail);
    return BF_KNOWN;
}

static int end_of_game(bf_search *search, bf_leaf *leaf, bf_edge *edge) {
    int32_t scores[BF_COLORS];
    uint32_t at;
    bf_final_scores(search->rules, &leaf->state, scores);
    at = bf_new_exact(search, &leaf->state, scores, UINT32_MAX);
    if (at != 0) {
        edge->child = at;
        return end_at(search, &leaf->trail, at);
    }
    leaf->trail.nodes[leaf->trail.depth] = 0;
    bf_back_up_scores(search, &leaf->trail, scores);
    return BF_KNOWN;
}

int bf_collect(bf_search *search, bf_leaf *leaf) {
    const bf_rules *rules = search->rules;
    bf_trail *trail = &leaf->trail;
    uint32_t at = search->tree.root;
    trail->depth = 0;
    trail->nodes[0] = 0;
    if (search->reason != BF_RUNNING || search->started >= search->limits.simulations) {
        return BF_ENOUGH;
    }
    leaf->state = search->state;
    if (at == 0) {
        if (search->root_asked) return BF_WAITING;
        search->root_asked = 1;
        return BF_LEAF; /* the root itself is no simulation */
    }
    for (;;) {
        bf_node *node = bf_node_at(&search->tree, at);
        uint32_t action, visits;
        bf_edge *edge;
        bf_undo undo;
        if (node->exact || trail->depth == BF_MOST_DEPTH) {
            /* A game is never that deep, but for passes without end. */
            search->started++;
            if (node->exact) return end_at(search, trail, at);
            undo_visits(search, trail);
            return BF_KNOWN;
        }
        if (trail->depth == 0 && search->root_rule.considered > 0) {
            edge = bf_select_considered(search, node, &action);
        } else {
            edge = bf_select(search, node, &action, &visits);
        }
        node->visits++;
        trail->nodes[trail->depth] = at;
        trail->edges[trail->depth++] = edge;
        bf_push(rules, &leaf->state, action, &undo);
        if (search->depth < (uint32_t)trail->depth) search->depth = (uint32_t)trail->depth;
        at = bf_child(edge->child);
        if (at == BF_BUSY) {
            undo_visits(search, trail);
            return BF_WAITING;
        }
        if (at == 0) {
            search->started++;
            if (leaf->state.phase == BF_OVER) return end_of_game(search, leaf, edge);
            edge->child = BF_BUSY;
            trail->nodes[trail->depth] = 0;
            return BF_LEAF;
        }
    }
}

void bf_release(bf_search *search, bf_leaf *leaf) {
    bf_trail *trail = &leaf->trail;
    if (trail->depth == 0) {
        search->root_asked = 0;
        return;
    }
    trail->edges[trail->depth - 1]->child = 0;
    undo_visits(search, trail);
    search->started--;
}

int bf_apply(bf_search *search, bf_leaf *leaf, const int32_t *actions, const float *priors,
             uint32_t n, const float *values) {
    bf_trail *trail = &leaf->trail;
    uint64_t parts[BF_COLORS];
    uint32_t at = bf_new_node(&search->tree, n);
    for (int p = 0; p < search->rules->n_players; p++) {
        parts[p] = (uint64_t)((double)values[p] * BF_VALUE_ONE);
    }
    if (at != 0) {
        bf_node *node = bf_node_at(&search->tree, at);
        for (uint32_t i = 0; i < n; i++) {
            node->candidates[i].prior = priors[i];
            node->candidates[i].action = (uint32_t)actions[i];
        }
        bf_raise_best(node, 0);
        node->n_legal = n;
        node->player = leaf->state.player;
        node->turn = leaf->state.turn;
        node->visits = 1;
    }
    trail->nodes[trail->depth] = at;
    if (trail->depth > 0) {
        trail->edges[trail->depth - 1]->child = at;
    } else {
        search->root_asked = 0;
        if (at == 0) return -1;
        search->tree.root = at;
        search->root_rule.value = values[leaf->state.player];
        if (search->root_rule.considered > 0) {
            bf_consider(search);
        } else {
            bf_add_noise(search);
        }
    }
    bf_back_up(search, trail, parts, NULL);
    return 0;
}
