/* symmetry.h: what symmetries of the rules make of positions. */
#ifndef BF_SYMMETRY_H
#define BF_SYMMETRY_H

#include "blokus_fast.h"

/* Make the image of a position under permutations of placements, colors and players. Return 1 if
 * it has none: squares that are no pieces, or a draft whose order would change. */
int bf_map_state(const bf_rules *rules, const bf_state *s, bf_state *image, const int32_t *moves,
                 const int8_t *colors, const int8_t *players);

#endif
