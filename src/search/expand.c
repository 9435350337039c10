/* expand.c: new nodes: their legal actions, the own prior, which of them are candidates. */
#include <string.h>

#include "actions.h"
#include "flow.h"
#include "listing.h"
#include "search.h"
#include "softmax.h"
#include "state.h"

enum {
    BUCKETS = 128,
    BUCKET_BITS = 7,
    SOLVED_PLACEMENTS = 100 /* with more that colors may come to make nothing is solved quickly */
};

/* Placements of a color that a holder has: actions and logits behind those that are there. */
static uint32_t add_placements(const bf_search *search, bf_worker *worker, const bf_state *s,
                               int color, uint32_t n) {
    const bf_rules *rules = search->rules;
    uint32_t pieces = bf_placeable(rules, s, bf_holder(rules, s), color), found;
    if (pieces == 0) return n;
    found = rules->kernel->list(&rules->layout, s->own, color, pieces, worker->ids);
    search->evaluator->logits(rules, s, color, search->weights, worker->ids, found,
                              worker->logits + n);
    for (uint32_t i = 0; i < found; i++) {
        worker->actions[n + i] = (int32_t)bf_placement_id(rules, color, worker->ids[i]);
    }
    return n + found;
}

/* List the legal actions; and their logits. */
static uint32_t list_actions(const bf_search *search, bf_worker *worker, const bf_state *s) {
    const bf_rules *rules = search->rules;
    int32_t *logits = worker->logits;
    uint32_t n = 0;
    if (s->phase == BF_DRAFT) {
        for (uint32_t left = bf_pickable(rules, s, s->turn); left != 0; left &= left - 1) {
            int piece = bf_lowest_bit(left);
            worker->actions[n] = (int32_t)bf_pick_id(rules, s->turn, piece);
            logits[n++] = search->weights->piece[0][piece];
        }
        return n;
    }
    if (rules->draft) {
        for (int color = 0; color < rules->n_colors; color++) {
            n = add_placements(search, worker, s, color, n);
        }
        return n;
    }
    n = add_placements(search, worker, s, s->turn, 0);
    if (bf_may_pass(rules, s)) {
        worker->actions[n] = (int32_t)rules->pass_action;
        logits[n++] = search->weights->pass;
    }
    return n;
}

/* Keep the actions whose logits are the highest: within a distance of the best, and `most` of
 * them at most. Return how many. */
static uint32_t keep_best(const bf_parameters *p, bf_worker *worker, uint32_t n) {
    const uint32_t most = (uint32_t)p->candidates;
    int32_t *logits = worker->logits, best = INT32_MIN, lowest, surely;
    uint32_t counts[BUCKETS + 1], room = most, kept = 0;
    for (uint32_t i = 0; i < n; i++) best = logits[i] > best ? logits[i] : best;
    lowest = best - (int32_t)(p->candidate_logits * BF_LOGIT_ONE);
    surely = lowest;
    if (n > most) {
        /* In steps of an eighth; of the last step those that come first. */
        int step = 0;
        memset(counts, 0, sizeof counts);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t bucket = (uint32_t)(best - logits[i]) >> BUCKET_BITS;
            counts[bucket < BUCKETS ? bucket : BUCKETS]++;
        }
        while (step <= BUCKETS && counts[step] <= room) room -= counts[step++];
        if (step <= BUCKETS && best - (step << BUCKET_BITS) + 1 > lowest) {
            surely = best - (step << BUCKET_BITS) + 1;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        int32_t logit = logits[i];
        uint32_t wanted = logit >= surely, perhaps = !wanted && logit >= lowest && room > 0;
        room -= perhaps;
        worker->actions[kept] = worker->actions[i];
        logits[kept] = logit;
        kept += wanted | perhaps;
    }
    return kept;
}

/* Turn logits into priors of sum 1. */
static void soften(const bf_parameters *p, const int32_t *logits, float *priors, uint32_t n) {
    const float unit = 1.0f / (BF_LOGIT_ONE * p->prior_temperature);
    int32_t best = INT32_MIN;
    float sum = 0;
    for (uint32_t i = 0; i < n; i++) best = logits[i] > best ? logits[i] : best;
    for (uint32_t i = 0; i < n; i++) priors[i] = bf_power_of_e((float)(logits[i] - best) * unit);
    for (uint32_t i = 0; i < n; i++) sum += priors[i];
    for (uint32_t i = 0; i < n; i++) priors[i] /= sum;
}

/* Whether to go for the best score is to go for the best value: with two players it is, and with
 * more where just one of them still has something to do. */
static int scores_decide(const bf_rules *rules, const bf_state *s) {
    int player = -1;
    if (rules->n_players <= 2) return 1;
    if (rules->draft) return 0;
    for (int color = 0; color < rules->n_colors; color++) {
        if ((s->finished >> color & 1) != 0) continue;
        if (rules->owner[color] < 0 || (player >= 0 && rules->owner[color] != player)) return 0;
        player = rules->owner[color];
    }
    return 1;
}

int bf_solve_within(bf_search *search, bf_worker *worker, const bf_state *s, uint64_t nodes,
                    uint32_t placements, int (*stop)(void *context)) {
    const bf_solve_limits limits = {nodes, placements, stop, search};
    if (s->phase != BF_PLAY || nodes == 0 || !scores_decide(search->rules, s)) return 0;
    return bf_solve(&worker->solver, s, &limits, &worker->solution);
}

uint32_t bf_expand(bf_search *search, bf_worker *worker, const bf_state *s, int all) {
    const bf_parameters *p = &search->parameters;
    uint32_t n_legal = list_actions(search, worker, s), n = n_legal, at;
    if (!all && n_legal <= (uint32_t)p->solve_moves &&
        bf_solve_within(search, worker, s, (uint64_t)p->solve_nodes, SOLVED_PLACEMENTS, NULL)) {
        return bf_new_exact(search, s, worker->solution.scores, worker->solution.pv[0]);
    }
    if (!all && p->candidates != 0) n = keep_best(p, worker, n);
    soften(p, worker->logits, worker->priors, n);
    at = bf_new_node(&search->tree, n);
    if (at == 0) return 0;
    bf_node *node = bf_node_at(&search->tree, at);
    for (uint32_t i = 0; i < n; i++) {
        node->candidates[i].prior = worker->priors[i];
        node->candidates[i].action = (uint32_t)worker->actions[i];
    }
    bf_raise_best(node, 0);
    node->n_legal = n_legal;
    node->player = s->player;
    node->turn = s->turn;
    return at;
}
