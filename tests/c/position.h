/* position.h: what must hold of every position: asked by the tests of whole games, and by the fuzz
 * target. Judged by slow and obvious code of its own where there is any.
 */
#ifndef BF_POSITION_H
#define BF_POSITION_H

#include "rules_for.h"

/* Check that the lists, counts, masks and answers about single actions agree, for every color,
 * with every kernel. Looks at all ids if `step` is 1, else at all legal ones and every step-th. */
void check_actions(const variant *v, const bf_state *s, uint32_t step, room *r);
/* Check that one legal action can be taken, and taken back to the byte; that those who were
 * passed over could not place, and that the next position is sound. */
void check_push(const bf_rules *rules, const bf_state *s, uint32_t action);
/* Check that the position is judged sound, and is the same if it is set up from its squares. */
void check_soundness(const bf_rules *rules, const bf_state *s);
/* Check frontiers, features, reach and scores against a slow recount, with every kernel. At most
 * `most` placements of each color are looked at. */
void check_worth(const variant *v, const bf_state *s, uint32_t most, room *r);
/* Check the planes of a position, in all forms, against what they mean. */
void check_planes(const variant *v, const bf_state *s);
/* Check that two equal positions have the same planes and the same key. */
void check_equal_views(const bf_rules *rules, const bf_state *s, const bf_state *t);
/* Check that a playout with every kind of policy is the game that docs/random.md describes. */
void check_playouts(const variant *v, const bf_state *s, uint64_t seed, room *r);
/* Check that all kernels evaluate the position alike: the prior, the value, and quick playouts. */
void check_evaluation(const variant *v, const bf_state *s, uint64_t seed, room *r);

/* Squares that a color may cover, and those of them at its corners, square by square. */
void slow_frontier(const bf_rules *rules, const bf_state *s, int color, uint64_t *allowed,
                   uint64_t *corner);

#endif
