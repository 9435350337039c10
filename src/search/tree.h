/* tree.h: the tree of a search in memory: nodes, edges, and how they are found, kept and thrown
 * away. Knows nothing of how a move is chosen or a position judged.
 *
 * All of it lies in one piece of memory of the caller's, in lines of 64 bytes, one item behind the
 * other: a node, with its first edges and its candidates, or a block of further edges of a node.
 * A line's number stands for a pointer. An item is made when it is needed, and never moves while
 * threads are at work: bf_tree_keep throws away what is no longer below the root.
 */
#ifndef BF_TREE_H
#define BF_TREE_H

#include <stddef.h>

#include "atomics.h"
#include "blokus_fast.h"

enum {
    BF_LINE = 64,
    BF_FIRST_EDGES = 4,       /* edges in a node itself */
    BF_BUSY = 1,              /* a child that somebody is making; no item has this number */
    BF_FIRST_LINE = 2,
    BF_EXACT_CHILD = 1 << 30, /* marks an edge whose child is exact */
    BF_MOST_LINES = 1 << 30,
    BF_KIND_NODE = 1,
    BF_KIND_BLOCK = 2
};

/* Values are shares of a win, 0 to 1, summed as multiples of 2^-32. */
#define BF_VALUE_ONE 4294967296.0

/* A move that could be tried, and its prior. */
typedef struct bf_candidate {
    float prior;
    uint32_t action;
} bf_candidate;

/* A move that was tried. */
typedef struct bf_edge {
    uint64_t sum;    /* of the values of the player who moves */
    uint32_t visits; /* those that are on their way included */
    uint32_t child;  /* line of the node behind it, BF_BUSY or 0 */
} bf_edge;

/* A position: `n` candidates, of which the first `opened` were tried; the best of the others is
 * the next one. Candidates beyond that are in no order, and belong to who holds the lock.
 *
 * The first line of 64 bytes is read by all threads at all times, and seldom written; what every
 * visit adds to is in lines of its own. */
typedef struct bf_node {
    uint32_t lines;   /* of 64 bytes */
    uint32_t forward; /* where it goes, while items are thrown away */
    uint32_t kind;
    uint32_t lock;
    uint32_t n;       /* candidates */
    uint32_t n_legal; /* legal actions, some of which may be no candidates */
    uint32_t opened;
    uint32_t blocks;  /* first block of further edges, or 0 */
    uint32_t n_exact; /* edges whose child is exact */
    uint32_t exact;   /* 1: final scores are proven; set last */
    int8_t player;    /* who decides, -1: nobody */
    int8_t turn;
    uint8_t noisy;    /* noise was added to the priors */
    uint8_t reserved[5];
    int32_t final[BF_COLORS];   /* those scores, one a player */
    uint64_t values[BF_COLORS]; /* sums of values, */
    int64_t scores[BF_COLORS];  /* and of final scores, */
    uint32_t visits;
    uint32_t scored;            /* of so many of the visits */
    bf_edge edges[BF_FIRST_EDGES];
    bf_candidate candidates[];
} bf_node;

typedef struct bf_block {
    uint32_t lines, forward, kind;
    uint32_t next; /* or 0 */
    bf_edge edges[];
} bf_block;

typedef struct bf_tree {
    unsigned char *memory; /* begins at a line */
    uint32_t capacity;     /* lines */
    uint32_t root;         /* or 0 */
    int shared;            /* several threads */
    uint32_t full;         /* an item was refused */
    unsigned char between[BF_LINE]; /* what follows is written all the time */
    uint32_t used;         /* may go beyond the capacity where many ask at once */
    uint32_t n_nodes;
    unsigned char behind[BF_LINE];
} bf_tree;

static inline bf_node *bf_node_at(const bf_tree *tree, uint32_t line) {
    return (bf_node *)(tree->memory + (size_t)line * BF_LINE);
}
static inline bf_block *bf_block_at(const bf_tree *tree, uint32_t line) {
    return (bf_block *)(tree->memory + (size_t)line * BF_LINE);
}
/* Edges in the block of so many lines. */
static inline uint32_t bf_block_edges(uint32_t lines) {
    return (lines * BF_LINE - (uint32_t)sizeof(bf_block)) / (uint32_t)sizeof(bf_edge);
}

/* The child of an edge, without the mark. */
static inline uint32_t bf_child(uint32_t child) { return child & ~(uint32_t)BF_EXACT_CHILD; }

/* Edges one after the other, from the first. */
typedef struct bf_walk {
    bf_edge *edge;
    uint32_t left, next;
} bf_walk;
static inline bf_walk bf_first_edge(bf_node *node) {
    bf_walk walk = {node->edges, BF_FIRST_EDGES, bf_acquire_32(&node->blocks)};
    return walk;
}
/* Go on to the next edge. Only as far as edges are opened. */
static inline void bf_next_edge(const bf_tree *tree, bf_walk *walk) {
    walk->edge++;
    if (--walk->left == 0 && walk->next != 0) {
        bf_block *block = bf_block_at(tree, walk->next);
        walk->edge = block->edges;
        walk->left = bf_block_edges(block->lines);
        walk->next = bf_acquire_32(&block->next);
    }
}

void bf_tree_init(bf_tree *tree, void *memory, uint64_t bytes);
/* Forget everything. */
void bf_tree_clear(bf_tree *tree);
/* Lines that a node with so many candidates takes. */
uint32_t bf_node_lines(uint32_t n);
/* A new node with n candidates, which the caller fills, and no edges; 0 if there is no room. */
uint32_t bf_new_node(bf_tree *tree, uint32_t n);
/* Put the best of the candidates that were not tried in its place: after they were filled. */
void bf_raise_best(bf_node *node, uint32_t from);
/* Open the next edge: only who holds the lock of the node. NULL if there is no room. With `raise`
 * the best of the other candidates becomes the next one; else that is left to the caller. */
bf_edge *bf_open_edge(bf_tree *tree, bf_node *node, int raise);

/* The node of a position below the root (whose own position is given), or 0. */
uint32_t bf_tree_find(const bf_tree *tree, const bf_rules *rules, const bf_state *root,
                      const bf_state *wanted);
/* Make a node the root, and throw away all that is not below it. */
void bf_tree_keep(bf_tree *tree, uint32_t root);

#endif
