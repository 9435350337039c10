/* perft.h: counting sequences of actions, the classic test of a generator. */
#ifndef BF_PERFT_H
#define BF_PERFT_H

#include "blokus_fast.h"

/* See bf_api. Skipped colors cost no depth; the last ply is counted without listing it. */
uint64_t bf_perft(const bf_rules *rules, const bf_state *s, int depth, uint16_t *scratch,
                  int32_t *ids, int (*stop)(void *context), void *context);

#endif
