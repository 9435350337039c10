/* check.h: the one judge of positions, and how a position is made from squares and hands. */
#ifndef BF_CHECK_H
#define BF_CHECK_H

#include "blokus_fast.h"

/* See bf_api: check and set_up. */
int bf_check(const bf_rules *rules, const bf_state *s, bf_fault *fault);
int bf_set_up(const bf_rules *rules, bf_state *s, int turn, int shared, uint16_t *skipped,
              bf_fault *fault);
/* Give a color what is not on the board of its set; not in Draft, where hands are players'. */
int bf_take_rest(const bf_rules *rules, bf_state *s, int color, bf_fault *fault);
/* Who places a shared color next as far as the pieces tell: the players do it in turn. 0 where no
 * color is shared. */
int bf_shared_by_pieces(const bf_rules *rules, const bf_state *s);
/* Fill in what the squares tell: the hash, the squares placed (not in Draft), and the number of
 * moves made as far as they are pieces. Return 0, or the code of what is wrong with the squares. */
int bf_count_pieces(const bf_rules *rules, bf_state *s, bf_fault *fault);

#endif
