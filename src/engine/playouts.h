/* playouts.h: actions and whole games by chance. How they are drawn is the promise of
 * docs/random.md: change nothing here without changing it there.
 */
#ifndef BF_PLAYOUTS_H
#define BF_PLAYOUTS_H

#include "blokus_fast.h"

/* See bf_api: draw and playout. */
uint32_t bf_draw(const bf_rules *rules, const bf_state *s, const bf_policy *policy, bf_rng *rng);
void bf_playout(const bf_rules *rules, bf_state *s, const bf_policy *policy, bf_rng *rng);
/* A number below n, n > 0, exactly uniform. */
uint64_t bf_below64(bf_rng *rng, uint64_t n);

#endif
