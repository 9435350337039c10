/* legality.h: whether one action is legal, quickly; and, for one that is not, which rule it
 * breaks. Neither generates anything.
 */
#ifndef BF_LEGALITY_H
#define BF_LEGALITY_H

#include "blokus_fast.h"

/* See bf_api: is_legal and illegality. */
int bf_is_legal(const bf_rules *rules, const bf_state *s, int color, uint32_t action);
int bf_illegality(const bf_rules *rules, const bf_state *s, int color, uint32_t action,
                  int *square);

#endif
