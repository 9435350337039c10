/* rules.h: rules finished from what their maker has set. */
#ifndef BF_RULES_H
#define BF_RULES_H

#include "blokus_fast.h"

/* See bf_api.make_rules. */
int bf_make_rules(bf_rules *rules, int size, const uint32_t *placements,
                  const bf_kernel *kernel);
/* Fill all of a layout but `playable` and `start`, for a square board of 1 to 20 rows. */
void bf_fill_layout(bf_layout *layout, int size);
/* Fill the packed placements of a board size by id; return how many there are. */
uint32_t bf_fill_placements(uint32_t *placements, int size);

#endif
