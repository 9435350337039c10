/* evaluation.h: the search's own evaluation: the weights of the move prior, what quick playouts
 * remember, and the table of what every kernel compiles of it. Data only; docs/mcts.md explains
 * it.
 */
#ifndef BF_EVALUATION_H
#define BF_EVALUATION_H

#include "blokus_fast.h"

/* What a square is to the color that moves, in seven bits. A square that it may cover:
 *   bits 0 to 2   its distance, in steps along edges over squares that opponents may cover, from
 *                 their nearest corner square: 0 to 4; 5: farther; 6: no opponent may cover it
 *   bits 3 and 4  likewise from the own corner squares: 0 to 2; 3: farther
 *   bits 5 and 6  0: no other color of the player may cover it; 1: one may; 2: it is such a
 *                 color's corner square
 * Any other: bits 0 to 2 are 7, and bits 3 to 5 say what it is. */
enum {
    BF_CODES = 128,
    BF_NO_RING = 7,
    BF_OFF = 0,        /* not in play */
    BF_FORBIDDEN = 1,  /* empty, beside the color's own squares */
    BF_MINE = 2,
    BF_PARTNERS = 3,   /* another color of the same player */
    BF_OPPONENTS = 4
};

/* A placement is looked at through the squares that it covers, that are beside it, and that it
 * touches at a corner. */
enum { BF_COVERED = 0, BF_BESIDE = 1, BF_TOUCHED = 2, BF_PARTS = 3 };

/* Phases of the prior: one for every ten squares that the color (Draft: the player) has placed. */
enum { BF_PRIOR_PHASES = 8, BF_PHASE_SQUARES = 10 };

/* Logits are in units of 1 / BF_LOGIT_ONE; a weight is at most BF_MOST_WEIGHT of them, so that a
 * sum has room below the counts, which are added up with it. */
enum {
    BF_LOGIT_ONE = 1024,
    BF_MOST_WEIGHT = 16000,
    BF_LOGIT_BITS = 20,
    BF_GAINED_ONE = 1 << BF_LOGIT_BITS,      /* a corner square gained: up to 8, four bits */
    BF_TAKEN_ONE = 1 << (BF_LOGIT_BITS + 4), /* an opponents' corner square covered: up to 5 */
    BF_MOST_GAINED = 8,
    BF_MOST_TAKEN = 5
};

/* The weights of the move prior. The prior of a move is the softmax of the sum of the weights of
 * its piece, of all squares on and around it, and of the numbers of corner squares that it gains
 * and takes. */
typedef struct bf_weights {
    int32_t piece[BF_PRIOR_PHASES][BF_PIECES];
    int32_t square[BF_PRIOR_PHASES][BF_PARTS][BF_CODES];
    int32_t gained[BF_PRIOR_PHASES][BF_MOST_GAINED + 1];
    int32_t taken[BF_PRIOR_PHASES][BF_MOST_TAKEN + 1];
    int32_t pass;
} bf_weights;

/* What the value function looks at, for each color from the one to move on: squares that it may
 * cover, by their distance from its own corner squares (0 to 3 steps; farther) and from its
 * opponents' (0 to 4; farther; out of their reach); the pieces in hand; squares placed; whether it
 * is finished; whether its last piece was the monomino. */
enum {
    BF_VALUE_OWN = 5,
    BF_VALUE_THEIRS = 7,
    BF_VALUE_HAND = BF_VALUE_OWN * BF_VALUE_THEIRS,
    BF_VALUE_PLACED = BF_VALUE_HAND + BF_PIECES,
    BF_VALUE_FINISHED,
    BF_VALUE_MONOMINO,
    BF_VALUE_INPUTS = 64,  /* the last are 0 */
    BF_VALUE_HIDDEN = 32,
    BF_VALUE_UNIT = 4096,  /* 1.0 as a weight */
    BF_MOST_INPUT = 400
};

/* The weights of the value function: one layer of hidden units, which are sums cut off below 0. A
 * player's share is the softmax over the players, from the one to move on. */
typedef struct bf_value_weights {
    int32_t n_colors, n_players;  /* what they are for */
    int32_t hidden_bias[BF_VALUE_HIDDEN];
    int64_t output_bias[BF_COLORS];
    int16_t output[BF_COLORS][BF_VALUE_HIDDEN];
    int16_t hidden[BF_COLORS * BF_VALUE_INPUTS / 2][BF_VALUE_HIDDEN][2]; /* by pairs of inputs */
} bf_value_weights;

/* Replies that were good last time, by the color that replies and the placements before it:
 * after one, and (hashed) after two. Ids are stored with one added: 0 is none. */
enum { BF_REPLY_SLOTS = 1 << 15, BF_REPLY_SLOT_BITS = 15 };
typedef struct bf_replies {
    uint16_t after_one[BF_COLORS][BF_MAX_MOVES];
    uint32_t after_two[BF_REPLY_SLOTS]; /* 16 bits of the hash, and the reply << 16 */
} bf_replies;

/* 31 bits: the slot, and what is kept of the rest. */
static inline uint32_t bf_reply_hash(int color, uint32_t before, uint32_t last) {
    uint64_t mixed = ((uint64_t)color << 32 | before << 16 | last) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 33);
}

/* The placements of a game from the root of the search on, in turn. */
enum { BF_MOST_PLACED = BF_COLORS * 7 * BF_PIECES };
typedef struct bf_line {
    uint16_t move[BF_MOST_PLACED];
    uint8_t color[BF_MOST_PLACED];
    int length;
    int32_t last[BF_COLORS];  /* last placement of each color; -1: not known */
} bf_line;

typedef struct bf_playout_policy {
    int use_replies;   /* last good replies first */
    int use_local;     /* then what lies near the opponents' last placements */
    int largest_first; /* a piece of the largest size that can be placed; else any */
} bf_playout_policy;

/* What a kernel compiles of the evaluation. */
typedef struct bf_evaluator {
    /* What each square is to a color: 64 * BF_WORDS codes. */
    void (*codes)(const bf_rules *rules, const bf_state *s, int color, uint8_t *codes);
    /* The logits of placements of a color, ids ascending. */
    void (*logits)(const bf_rules *rules, const bf_state *s, int color, const bf_weights *weights,
                   const uint16_t *ids, uint32_t n, int32_t *logits);
    /* Play to the end by the policy, appending the placements to the line. Not for Draft. */
    void (*playout)(const bf_rules *rules, bf_state *s, const bf_playout_policy *policy,
                    const bf_replies *replies, bf_line *line, bf_rng *rng);
    /* The inputs of the value function, and what it says of each player. Not for Draft. */
    void (*value_inputs)(const bf_rules *rules, const bf_state *s, int16_t *inputs);
    void (*value_logits)(const bf_rules *rules, const bf_state *s,
                         const bf_value_weights *weights, int64_t *logits);
} bf_evaluator;

/* What a kernel compiles of it. */
const bf_evaluator *bf_evaluator_of(const bf_kernel *kernel);

/* The phase of the prior for a color, in Draft for a player. */
static inline int bf_prior_phase(const bf_state *s, int scored) {
    int phase = s->placed[scored] / BF_PHASE_SQUARES;
    return phase < BF_PRIOR_PHASES ? phase : BF_PRIOR_PHASES - 1;
}

#endif
