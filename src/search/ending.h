/* ending.h: the end of a game, small enough to be searched: every placement that a color may yet
 * come to make, listed once, and positions as sets of bits over these lists. A placement then costs
 * a few words of logic, and no board is looked at again. Knows turn order and skips as flow.h says
 * them, since a push of the engine costs twenty times as much; the tests hold both together.
 *
 * A placement is `live` while its squares may still be covered by its color, and `linked` as soon
 * as one of them touches a corner. Live ones that can no longer be linked are dropped, so that
 * positions which leave the same to do look the same, however they came about.
 */
#ifndef BF_ENDING_H
#define BF_ENDING_H

#include "blokus_fast.h"

enum {
    BF_ENDING_PLIES = 128,    /* the longest line */
    BF_ENDING_MOST_WORDS = 64 /* of 64 placements each, per color */
};

/* What a color may do at its turn, as one number: its placement, the pass, or nothing. */
#define BF_ENDING_PASS UINT32_C(0xfffffffe)
#define BF_ENDING_NOTHING UINT32_C(0xffffffff)
#define BF_ENDING_MOVE(color, i) ((uint32_t)(color) << 16 | (uint32_t)(i))

typedef struct bf_open_placement {
    uint16_t id;
    uint8_t piece;
} bf_open_placement;

typedef struct bf_ending_position {
    uint64_t *live, *linked;                /* [color][words] */
    uint64_t hand[BF_COLORS][BF_COLORS];    /* as in bf_state */
    uint64_t covered[BF_COLORS][BF_WORDS];  /* squares of live placements, by their new numbers */
    uint64_t key[BF_COLORS];                /* of live and linked placements */
    uint32_t pieces[BF_COLORS];             /* that have live placements */
    int32_t squares[BF_COLORS];             /* not more than these can still be placed */
    uint16_t round;
    int8_t place;      /* in the order of colors (Draft: the player), where the turn is looked for */
    uint8_t shared;    /* who places the shared color next */
    uint8_t opened;    /* bit per color with a piece on the board */
    uint8_t can_empty; /* bit per color: all that is in its hand has live placements */
} bf_ending_position;

typedef struct bf_ending {
    const bf_rules *rules;
    int words;                        /* of 64 placements each, for the longest list */
    int square_words;                 /* of 64 squares each, for all that candidates cover */
    int n_holders;
    int counts_bonus;                 /* whether an empty hand is worth points */
    int many;                         /* whether a hand holds several of a piece */
    uint32_t first[BF_COLORS];        /* index of a color's first candidate */
    uint32_t n[BF_COLORS];
    const bf_open_placement *candidates;
    const uint64_t *effects;          /* [candidate][color][words]: what it rules out */
    const uint64_t *reaches;          /* [candidate]: see reach_of */
    const uint64_t *by_piece;         /* [color][piece][words] */
    uint64_t *sets;                   /* of all positions, with what is saved of them */
    bf_ending_position at[BF_ENDING_PLIES + 2];
    /* What making it needs: */
    bf_layout layout;
    uint16_t number[64 * BF_WORDS + 2 * (BF_STRIDE + 1)]; /* of squares that candidates cover */
    uint16_t ids[BF_LIST_SIZE];
} bf_ending;

/* Whose turn it is, and where that is in the order. */
typedef struct bf_ending_turn {
    int color;  /* -1 in Draft */
    int player;
    int place;
    int round;
} bf_ending_turn;

/* Once per rules, before anything else. */
void bf_ending_init(bf_ending *e, const bf_rules *rules);
/* List what colors can still place, and make e->at[0] the position. `smallest_first` is the order
 * of the lists, which is that in which moves are tried. Return 0, and make nothing, if there are
 * more than `most` candidates or `room` (of `size` words) does not hold what follows from them. */
int bf_ending_make(bf_ending *e, const bf_state *s, uint32_t most, int smallest_first,
                   uint64_t *room, uint64_t size);
/* Find out who is next among the active colors (a bit each); return 0 if nobody can move. */
int bf_ending_seek(const bf_ending *e, const bf_ending_position *p, unsigned active,
                   bf_ending_turn *turn);
/* The active colors that can still place; not for Draft, where it is players who cannot. */
unsigned bf_ending_active(const bf_ending *e, const bf_ending_position *p, unsigned active);
/* Cut the active colors into parts that cannot get into each other's way; return how many. */
int bf_ending_split(const bf_ending *e, const bf_ending_position *p, unsigned active,
                    unsigned *parts);
/* Make position number `ply` + 1 from number `ply` by a move of whoever has the turn. Only what
 * belongs to active colors is kept. Return the points that the owner of the hand gets. */
int32_t bf_ending_push(bf_ending *e, int ply, unsigned active, const bf_ending_turn *turn,
                       uint32_t move);
/* Keep what is live and linked of a color, leave placements out, and have them again; what follows
 * from the sets is that of all of them meanwhile. Can be done once at a time for each color. */
void bf_ending_save(bf_ending *e, int ply, int color);
void bf_ending_leave_out(bf_ending *e, int ply, uint32_t move);
void bf_ending_restore(bf_ending *e, int ply, int color);
/* Copy position number `from` over number `to`. */
void bf_ending_copy(bf_ending *e, int from, int to);
/* Whether a color may pass. */
static inline int bf_ending_may_pass(const bf_ending *e, const bf_ending_position *p, int color) {
    return e->rules->voluntary_pass && (p->opened >> color & 1) != 0;
}
/* Word w of the placements of a color that a holder can make now. */
uint64_t bf_ending_legal(const bf_ending *e, const bf_ending_position *p, int holder, int color,
                         int w);

#endif
