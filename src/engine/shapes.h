/* shapes.h: the way back from squares to placements. */
#ifndef BF_SHAPES_H
#define BF_SHAPES_H

#include "blokus_fast.h"

/* Take the squares that hang together along edges with the lowest one off a board that is not
 * empty. Return how many they were; *move is the id of the placement, or -1 if they are none. */
int bf_take_component(const bf_layout *layout, uint64_t *board, int32_t *move);
/* See bf_api. */
int32_t bf_take_piece(const bf_rules *rules, uint64_t *board);

#endif
