/* search.h: a tree search: its parameters, its state, and what can be done with it. Plain C on the
 * engine: no Python, no allocation, no threads of its own. docs/mcts.md explains it.
 *
 * Order of calls: bf_search_init once, then for each position bf_search_start, bf_search_work in
 * as many threads as there are workers (each until it returns 0), and what results.c answers.
 */
#ifndef BF_SEARCH_H
#define BF_SEARCH_H

#include "evaluation.h"
#include "solve.h"
#include "tree.h"

enum {
    BF_MOST_DEPTH = 256,
    BF_ENDING_SLOTS = 1 << 13, /* of a thread's memory for exact endings */
    BF_ENDING_ROOM = 1 << 15
};

/* What can be switched, swept and measured. The defaults are Python's (parameters.py), which says
 * what each is. */
typedef struct bf_parameters {
    float exploration;         /* of the prior, at first, and how it grows with the visits: */
    float exploration_growth;  /* exploration + growth * log(1 + (visits + 1) / base) */
    float exploration_base;
    float unvisited_visits;    /* pseudo-visits that an edge begins with, of the value that */
    int32_t unvisited_root;    /* 1: follows from the root's, by the square root of the prior; */
    float unvisited_reduction; /* 0: is the node's own less this */
    float value_part;          /* part of the value that the value function says, at first: */
    float value_squares;       /* none once so many squares of a color are on the board */
    float margin;              /* part of the value that is the margin of the score */
    float margin_scale;        /* points at which half of it is won */
    float prior_temperature;   /* of the softmax of the prior */
    float candidate_logits;    /* moves this far below the best one are no candidates, */
    int32_t candidates;        /* nor those beyond so many; 0: all are, as they are at the root */
    int32_t expand_visits;     /* visits of an edge until there is a node behind it */
    int32_t replies;           /* last good replies in playouts */
    int32_t local;             /* near the opponents' last placements in playouts */
    int32_t largest_first;     /* large pieces first in playouts */
    int32_t solve_nodes;       /* nodes that an exact ending may cost in the tree; 0: none */
    int32_t solve_moves;       /* legal moves up to which one is tried */
    int32_t lowest_wins;       /* the lowest score is the best */
} bf_parameters;

/* Why a search ended. */
enum {
    BF_RUNNING = 0,
    BF_BY_SIMULATIONS,
    BF_BY_TIME,
    BF_DECIDED,
    BF_STOPPED,
    BF_SOLVED
};

typedef struct bf_limits {
    uint64_t simulations; /* UINT64_MAX: no limit */
    int64_t deadline;     /* of bf_now(); INT64_MAX: none */
    int32_t early;        /* stop when the best move cannot change */
} bf_limits;

/* What is special at the root. Noise is for every search, the rest for one whose evaluation comes
 * from outside. */
enum { BF_MOST_CONSIDERED = 64 };
typedef struct bf_root {
    float noise;         /* part of the priors that is Dirichlet noise, 0: none */
    float noise_alpha;   /* its concentration, over the number of moves if negative */
    int32_t considered;  /* moves for sequential halving with Gumbel noise; 0: PUCT */
    float visits_offset; /* how much values count beside logits: */
    float value_scale;   /* (offset + most visits) * scale */
    float logits[BF_MOST_CONSIDERED]; /* with noise, of those that are considered */
    float value;         /* of the root, from outside, of its player */
} bf_root;

typedef struct bf_search {
    bf_tree tree;
    bf_parameters parameters;
    const bf_rules *rules;
    const bf_evaluator *evaluator;
    const bf_weights *weights;
    const bf_value_weights *value_weights; /* NULL: no value function */
    bf_state state;         /* the root */
    int32_t last[BF_COLORS]; /* last placements before it, as far as they are known */
    bf_limits limits;
    bf_root root_rule;      /* what is special about choices at the root */
    bf_rng rng;             /* of the root's noise */
    unsigned char between[BF_LINE]; /* what follows is written all the time */
    uint64_t started;       /* simulations begun in this search */
    unsigned char behind[BF_LINE];
    uint64_t reused;        /* visits of the root before it */
    int64_t begin;
    uint32_t reason;        /* why it ended */
    uint32_t depth;
    uint32_t has_state;
    uint32_t root_asked;    /* the root is being evaluated from outside */
    int32_t n_solved;       /* the actions of best play from the root, where it was solved at once */
    uint32_t solved[BF_ENDING_PLIES];
} bf_search;

/* The way from the root to a leaf: nodes (0: none yet), and the edges between them. */
typedef struct bf_trail {
    int depth;
    uint32_t nodes[BF_MOST_DEPTH + 1];
    bf_edge *edges[BF_MOST_DEPTH];
} bf_trail;

/* What a thread needs for itself. */
typedef struct bf_worker {
    bf_rng rng;
    bf_state state;
    bf_line line;
    bf_trail trail;
    uint16_t ids[BF_LIST_SIZE];
    bf_replies replies;
    bf_solver solver;
    bf_solution solution;
    bf_solve_entry endings[BF_ENDING_SLOTS];
    uint64_t ending_room[BF_ENDING_ROOM];
    int32_t *actions; /* of the caller's: n_actions + BF_LIST_PADDING each */
    int32_t *logits;
    float *priors;
} bf_worker;

/* Begin with nothing. `memory` begins at a line of 64 bytes. */
void bf_search_init(bf_search *search, const bf_rules *rules, const bf_parameters *parameters,
                    const bf_weights *weights, void *memory, uint64_t bytes, int shared);
/* Forget the tree. */
void bf_search_clear(bf_search *search);
/* Make a position, which is not over, the root; what is known below it is kept. `last` are the
 * last placements of the colors, or -1. Return 0, or -1 where there is no room for its moves. */
int bf_search_start(bf_search *search, bf_worker *worker, const bf_state *s, const int32_t *last,
                    const bf_limits *limits);
void bf_worker_init(bf_worker *worker, const bf_search *search, uint64_t seed, uint64_t stream,
                    int32_t *actions, int32_t *logits, float *priors);
/* Search until a limit, or until a time. Return 1 if there is more to do, 0 at the end. */
int bf_search_work(bf_search *search, bf_worker *worker, int64_t until);
/* End it; from any thread. */
void bf_search_stop(bf_search *search);

/* -- parts of it, for those that evaluate by other means -- */

/* One choice: which edge to follow. Counts the visit; *action is its action. NULL where there is
 * no room for it. */
bf_edge *bf_select(bf_search *search, bf_node *node, uint32_t *action, uint32_t *visits);
/* Add values (multiples of 2^-32, one a player) and final scores (NULL: unknown) along a path. */
void bf_back_up(bf_search *search, const bf_trail *trail, const uint64_t *values,
                const int32_t *scores);
/* The same for a simulation that has come to final scores. */
void bf_back_up_scores(bf_search *search, const bf_trail *trail, const int32_t *scores);
/* What final scores are worth to each player. */
void bf_value_scores(const bf_search *search, const int32_t *scores, uint64_t *values);
/* The part of a position's value that the value function says, 0 to 1; the rest a playout does. */
double bf_value_part(const bf_search *search, const bf_state *s);
/* What the value function says of a position that is in play. */
void bf_value_position(const bf_search *search, const bf_state *s, uint64_t *values);
/* Who has won, a bit for each player. */
uint32_t bf_winners(const bf_search *search, const int32_t *scores);
void bf_final_scores(const bf_rules *rules, const bf_state *s, int32_t *scores);
/* An edge leads to a node that is exact: tell the nodes above it. */
void bf_settle(bf_search *search, const bf_trail *trail);
/* A node without moves, whose scores are known; 0 if there is no room. */
uint32_t bf_new_exact(bf_search *search, const bf_state *s, const int32_t *scores,
                      uint32_t action);

/* A node for a position that is not over, with the own prior; 0 if there is no room. Where little
 * is left, and `all` moves are not asked for, it may be an exact one. */
uint32_t bf_expand(bf_search *search, bf_worker *worker, const bf_state *s, int all);

/* Solve a position into worker->solution; return 1 if that took no more than so many nodes. */
int bf_solve_within(bf_search *search, bf_worker *worker, const bf_state *s, uint64_t nodes,
                    uint32_t placements, int (*stop)(void *context));

/* -- results.c -- */

/* The edges of the root, tried or not: number of them. Arrays have room for that many (values and
 * scores: players each), and may be NULL. */
uint32_t bf_root_moves(const bf_search *search);
void bf_root_table(const bf_search *search, int32_t *actions, int64_t *visits, float *values,
                   float *scores, float *priors, uint8_t *exact);
void bf_root_actions(const bf_search *search, int32_t *actions);
/* The best action of a node, or UINT32_MAX; *child is the node behind it, or 0. */
uint32_t bf_best_action(const bf_search *search, uint32_t node, uint32_t *child);
/* The principal variation; return its length. */
uint32_t bf_principal_variation(const bf_search *search, uint32_t *actions, uint32_t most);
/* The line that is expected after an action of the root, which it begins with; its length. */
uint32_t bf_line_after(const bf_search *search, uint32_t first, uint32_t *actions, uint32_t most);
/* Whether no simulation that is left can change the best move. */
int bf_is_decided(const bf_search *search, uint64_t left);

#endif
