/* select.c: which move a simulation follows. */
#include <math.h>

#include "search.h"

/* What a visit is expected to be worth before there were any. */
static float value_of_none(const bf_search *search, const bf_node *node, uint32_t visits) {
    const bf_parameters *p = &search->parameters;
    const bf_node *from = node;
    if (p->unvisited_root) {
        from = bf_node_at(&search->tree, search->tree.root);
        visits = bf_load_32(&from->visits);
    }
    float mean = 0.5f;
    int player = node->player < 0 ? 0 : node->player;
    if (visits > 0) {
        double sum = (double)bf_load_64(&from->values[player]);
        mean = (float)(sum / BF_VALUE_ONE / visits);
    }
    return p->unvisited_root ? mean : mean - p->unvisited_reduction;
}

/* What a prior makes of the root's value; priors may be larger than the first one, after noise. */
static inline float expected(float prior, float first) {
    float part = prior * first;
    return part < 1 ? sqrtf(part) : 1;
}

static int lock(bf_node *node, int shared) { return !shared || bf_swap_if_32(&node->lock, 0, 1); }
static void unlock(bf_node *node, int shared) {
    if (shared) bf_release_32(&node->lock, 0);
}

/* The edge that was opened last, or NULL: another thread was quicker, or there is no room. */
static bf_edge *open_next(bf_search *search, bf_node *node, uint32_t opened) {
    int shared = search->tree.shared;
    bf_edge *edge = NULL;
    if (!lock(node, shared)) return NULL;
    if (node->opened == opened) edge = bf_open_edge(&search->tree, node, 1);
    unlock(node, shared);
    return edge;
}

bf_edge *bf_select(bf_search *search, bf_node *node, uint32_t *action, uint32_t *visits) {
    const bf_parameters *p = &search->parameters;
    const float pseudo = p->unvisited_visits, scale = (float)(1 / BF_VALUE_ONE);
    uint32_t opened = bf_acquire_32(&node->opened), before = bf_load_32(&node->visits);
    float total = (float)(before > 0 ? before : 1);
    float none = value_of_none(search, node, before);
    float spread = (p->exploration + p->exploration_growth *
                    logf(1 + (total + 1) / p->exploration_base)) * sqrtf(total);
    /* Priors may be 0, where noise took all of them or a network gave none. */
    float best_prior = node->candidates[0].prior;
    float first = best_prior > 1e-20f ? 1 / best_prior : 0;
    for (;;) {
        float best = -1e30f;
        bf_edge *chosen = NULL;
        uint32_t number = 0;
        bf_walk walk = bf_first_edge(node);
        for (uint32_t i = 0; i < opened; i++) {
            float prior = node->candidates[i].prior, n = (float)bf_load_32(&walk.edge->visits);
            float sum = (float)bf_load_64(&walk.edge->sum) * scale;
            float value = none;
            if (p->unvisited_root) value *= expected(prior, first);
            if (pseudo + n > 0) value = (pseudo * value + sum) / (pseudo + n);
            value += spread * prior / (1 + n);
            if (value > best || chosen == NULL) {
                best = value;
                chosen = walk.edge;
                number = i;
            }
            bf_next_edge(&search->tree, &walk);
        }
        if (opened < node->n) {
            float prior = node->candidates[opened].prior, value = none;
            if (p->unvisited_root) value *= expected(prior, first);
            if (value + spread * prior > best || chosen == NULL) {
                bf_edge *edge = open_next(search, node, opened);
                if (edge != NULL) {
                    chosen = edge;
                    number = opened;
                } else if (chosen == NULL) {
                    /* Another thread is just opening the first edge, or there is no room: the
                     * first four edges always have some. */
                    bf_relax();
                    opened = bf_acquire_32(&node->opened);
                    continue;
                }
            }
        }
        *action = node->candidates[number].action;
        *visits = bf_add_32(&chosen->visits, 1, search->tree.shared);
        return chosen;
    }
}
