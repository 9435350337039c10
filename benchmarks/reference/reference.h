/* reference.h: the frozen reference generator that speed is measured against. */
#ifndef BF_REFERENCE_H
#define BF_REFERENCE_H

#include "blokus_fast.h"

/* As the members of the same name in bf_kernel. */
uint32_t bf_reference_list(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                           uint32_t pieces, uint16_t *ids);
uint32_t bf_reference_count(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                            uint32_t pieces);

#endif
