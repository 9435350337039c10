/* leaves.h: a search whose priors and values come from outside: leaves are handed out, and their
 * evaluations taken. One thread a tree; many trees make a batch. Plain C, no allocation.
 *
 * Order of calls: bf_search_init with a tree that is not shared, bf_reroot for each position, then
 * bf_collect until it has nothing more, bf_apply (or bf_release) for each leaf that it gave out.
 */
#ifndef BF_LEAVES_H
#define BF_LEAVES_H

#include "search.h"

/* A position that waits for its evaluation. */
typedef struct bf_leaf {
    bf_state state;
    bf_trail trail;
} bf_leaf;

enum {
    BF_LEAF = 1,      /* a leaf to be evaluated */
    BF_KNOWN = 2,     /* a simulation that ended where the result is known */
    BF_WAITING = 3,   /* nothing before a leaf that was given out comes back */
    BF_ENOUGH = 0     /* as many simulations as were asked for */
};

/* Make a position, which is not over, the root of as many simulations more. */
void bf_reroot(bf_search *search, const bf_state *s, uint64_t simulations);
/* Begin a simulation. */
int bf_collect(bf_search *search, bf_leaf *leaf);
/* Take the evaluation of a leaf: a prior for each legal action, which add up to 1, and a value for
 * each player, 0 to 1. Return 0, or -1 where there is no room for the root. */
int bf_apply(bf_search *search, bf_leaf *leaf, const int32_t *actions, const float *priors,
             uint32_t n, const float *values);
/* Give a leaf back without an evaluation. */
void bf_release(bf_search *search, bf_leaf *leaf);

/* -- gumbel.c -- */

/* Mix Dirichlet noise into the priors of the root. */
void bf_add_noise(bf_search *search);
/* Choose the moves that are considered, with Gumbel noise: of a root without edges. */
void bf_consider(bf_search *search);
/* The edge at the root that sequential halving follows next; counts the visit. */
bf_edge *bf_select_considered(bf_search *search, bf_node *root, uint32_t *action);
/* The move that it ends with. */
uint32_t bf_best_considered(const bf_search *search);
/* What to teach a network: for each move of the root, in the order of bf_root_table, its share of
 * the visits, or with `improved` the policy that the values found have made better. */
void bf_root_policy(const bf_search *search, int improved, float *policy);
/* A number between 0 and 1, neither included. */
double bf_uniform(bf_rng *rng);

#endif
