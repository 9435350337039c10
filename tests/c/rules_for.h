/* rules_for.h: rules of all shipped variants and of some of our own, for every kernel that this
 * CPU can run; and what else the tests share: room for lists, random actions.
 */
#ifndef BF_RULES_FOR_H
#define BF_RULES_FOR_H

#include <string.h>

#include "blokus_fast.h"
#include "expect.h"

enum { MOST_KERNELS = 4 };

typedef struct variant {
    const char *name;
    int n_kernels;
    bf_rules rules[MOST_KERNELS]; /* slowest kernel first */
} variant;

/* What lists and masks are written to. */
typedef struct room {
    uint16_t scratch[BF_LIST_SIZE];
    int32_t ids[BF_COLORS * (BF_MAX_MOVES + BF_PIECES) + 1];
    uint8_t mask[BF_COLORS * (BF_MAX_MOVES + BF_PIECES) + 1];
} room;

/* How many variants there are, and number i of them. Behind the named ones come boards of all
 * sizes from 1 to 20, of two colors in opposite corners. */
int variant_count(void);
void make_variant(int i, variant *v);
/* The variant of a name, which must be one. */
void make_named(const char *name, variant *v);

/* A legal action by chance, uniformly from the list; the game must not be over. */
uint32_t some_action(const bf_rules *rules, const bf_state *s, bf_rng *rng, room *r);
/* Begin a game, and play up to `plies` actions by chance. */
void play_some(const bf_rules *rules, bf_state *s, int plies, bf_rng *rng, room *r);
void seed_rng(bf_rng *rng, uint64_t seed);

/* The id of a placement, its anchor (the top left of its box) given by row and column. */
uint32_t placement_at(const bf_rules *rules, int orientation, int row, int column);
/* The first orientation of a piece of that name. */
int orientation_of_piece(const char *name);
/* A hand with one piece of each of the names, which are separated by blanks. */
uint64_t hand_of(const char *names);

#endif
