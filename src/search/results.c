/* results.c: what a search has found. Read while threads are at work, figures are those of a
 * moment, each right for itself.
 */
#include "search.h"

#include <math.h>

uint32_t bf_root_moves(const bf_search *search) {
    return bf_node_at(&search->tree, search->tree.root)->n;
}

void bf_root_actions(const bf_search *search, int32_t *actions) {
    const bf_node *root = bf_node_at(&search->tree, search->tree.root);
    for (uint32_t i = 0; i < root->n; i++) actions[i] = (int32_t)root->candidates[i].action;
}

static double mean(uint64_t sum, double visits) { return (double)sum / BF_VALUE_ONE / visits; }

void bf_root_table(const bf_search *search, int32_t *actions, int64_t *visits, float *values,
                   float *scores, float *priors, uint8_t *exact) {
    const bf_tree *tree = &search->tree;
    bf_node *root = bf_node_at(tree, tree->root);
    uint32_t opened = bf_acquire_32(&root->opened);
    int n_players = search->rules->n_players;
    bf_walk walk = bf_first_edge(root);
    for (uint32_t i = 0; i < root->n; i++) {
        uint32_t child = i < opened ? bf_acquire_32(&walk.edge->child) : 0;
        const bf_node *node = bf_child(child) > BF_BUSY ? bf_node_at(tree, bf_child(child)) : NULL;
        uint32_t is_exact = node != NULL && bf_acquire_32(&node->exact);
        double count = node == NULL ? 0 : (double)bf_load_32(&node->visits);
        uint64_t proven[BF_COLORS];
        if (is_exact) bf_value_scores(search, node->final, proven);
        actions[i] = (int32_t)root->candidates[i].action;
        priors[i] = root->candidates[i].prior;
        visits[i] = i < opened ? bf_load_32(&walk.edge->visits) : 0;
        double known = visits[i] > 0 ? mean(bf_load_64(&walk.edge->sum), (double)visits[i]) : NAN;
        exact[i] = (uint8_t)is_exact;
        for (int p = 0; p < n_players; p++) {
            float *value = &values[i * (uint32_t)n_players + (uint32_t)p];
            float *score = &scores[i * (uint32_t)n_players + (uint32_t)p];
            /* Of a move that has no node only its player's value is known, and, of two players,
             * the other's. */
            *value = p == root->player ? (float)known : n_players == 2 ? (float)(1 - known) : NAN;
            *score = NAN;
            if (is_exact) {
                *value = (float)((double)proven[p] / BF_VALUE_ONE);
                *score = (float)node->final[p];
            } else if (count > 0) {
                *value = (float)mean(bf_load_64(&node->values[p]), count);
                *score = (float)((double)(int64_t)bf_load_64((const uint64_t *)&node->scores[p]) /
                                 bf_load_32(&node->scored));
            }
        }
        if (i < opened) bf_next_edge(tree, &walk);
    }
}

/* An edge, as far as it is a candidate for the best. */
typedef struct choice {
    uint32_t action, child, visits;
    double value;
} choice;

/* The most visited move; but of those that are exact the best comes first, unless the most visited
 * one is surely better. */
uint32_t bf_best_action(const bf_search *search, uint32_t at, uint32_t *child) {
    const bf_tree *tree = &search->tree;
    bf_node *node = bf_node_at(tree, at);
    uint32_t opened = bf_acquire_32(&node->opened);
    choice open = {UINT32_MAX, 0, 0, -1}, exact = {UINT32_MAX, 0, 0, -1};
    bf_walk walk = bf_first_edge(node);
    *child = 0;
    if (node->n == 0) return node->candidates[0].action;
    for (uint32_t i = 0; i < opened; i++) {
        uint32_t behind = bf_acquire_32(&walk.edge->child);
        choice this = {node->candidates[i].action, bf_child(behind),
                       bf_load_32(&walk.edge->visits), -1};
        if (this.visits > 0) this.value = mean(bf_load_64(&walk.edge->sum), this.visits);
        if ((behind & BF_EXACT_CHILD) != 0) {
            /* Not the mean: visits that were under way when it was proven count in it twice. */
            uint64_t values[BF_COLORS];
            bf_value_scores(search, bf_node_at(tree, bf_child(behind))->final, values);
            this.value = (double)values[node->player] / BF_VALUE_ONE;
            if (this.value > exact.value) exact = this;
        } else if (this.visits > open.visits) {
            open = this;
        }
        bf_next_edge(tree, &walk);
    }
    /* Of a position that is proven only what is proven counts. */
    if (bf_load_32(&node->exact) && exact.action != UINT32_MAX) open.visits = 0;
    double surely = open.visits > 0 ? open.value - 0.5 / sqrt(open.visits) : -1;
    choice best = exact.action != UINT32_MAX && exact.value >= surely ? exact : open;
    if (best.action == UINT32_MAX) return node->candidates[0].action;
    *child = best.child > BF_BUSY ? best.child : 0;
    return best.action;
}

/* Add the best moves from a node (0: none) on to a line of n; return its length. */
static uint32_t follow_best(const bf_search *search, uint32_t at, uint32_t *actions, uint32_t n,
                            uint32_t most) {
    while (at != 0 && n < most) {
        uint32_t action = bf_best_action(search, at, &at);
        if (action == UINT32_MAX) break;
        actions[n++] = action;
    }
    return n;
}

uint32_t bf_principal_variation(const bf_search *search, uint32_t *actions, uint32_t most) {
    uint32_t n = 0;
    for (; n < (uint32_t)search->n_solved && n < most; n++) actions[n] = search->solved[n];
    return n > 0 ? n : follow_best(search, search->tree.root, actions, 0, most);
}

uint32_t bf_line_after(const bf_search *search, uint32_t first, uint32_t *actions, uint32_t most) {
    const bf_tree *tree = &search->tree;
    bf_node *root = bf_node_at(tree, tree->root);
    uint32_t opened = bf_acquire_32(&root->opened), at = 0;
    bf_walk walk = bf_first_edge(root);
    for (uint32_t i = 0; i < opened; i++) {
        if (root->candidates[i].action == first) {
            uint32_t child = bf_child(bf_acquire_32(&walk.edge->child));
            at = child > BF_BUSY ? child : 0;
            break;
        }
        bf_next_edge(tree, &walk);
    }
    actions[0] = first;
    return follow_best(search, at, actions, 1, most);
}

int bf_is_decided(const bf_search *search, uint64_t left) {
    const bf_tree *tree = &search->tree;
    bf_node *root = bf_node_at(tree, tree->root);
    uint32_t opened = bf_acquire_32(&root->opened), first = 0, second = 0;
    bf_walk walk = bf_first_edge(root);
    for (uint32_t i = 0; i < opened; i++) {
        uint32_t visits = bf_load_32(&walk.edge->visits);
        if (visits > first) {
            second = first;
            first = visits;
        } else if (visits > second) {
            second = visits;
        }
        bf_next_edge(tree, &walk);
    }
    return first > second && (uint64_t)(first - second) > left;
}
