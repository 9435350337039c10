/* neon.c: the kernel for 64-bit ARM, two words of a board in a register. NEON is part of every such
 * CPU: nothing is detected, and no flag is needed.
 *
 * See docs/performance.md for how it works and what each step costs. Static functions and one const
 * table only.
 */
#include "kernels.h"

#if BF_NEON

#include <arm_neon.h>
#include <string.h>

#include "bf_tables.h"
#include "rng.h"

static inline int ctz64(uint64_t x) { return __builtin_ctzll(x); }
static inline int popcount64(uint64_t x) { return __builtin_popcountll(x); }
#include "draw.h"
#include "wide.h"
#include "wide_search.h"

#include "neon_boards.h"

#include "neon_list.h"

#include "neon_count.h"

#include "neon_sample.h"

#include "neon_search.h"

static void kernel_frontier(const bf_layout *layout, bf_boards own, int color, uint64_t *allowed,
                            uint64_t *corner) {
    frontier f;
    find_frontier(layout, own, color, &f);
    store_frame(f.allowed, allowed);
    store_frame(f.corner, corner);
}

const bf_kernel bf_kernel_neon = {
    "neon",        kernel_list,     kernel_count,           kernel_any,  kernel_mask,
    kernel_sample, kernel_frontier, kernel_sample_weighted, WIDE_MEMBERS};
const bf_evaluator bf_evaluator_neon = EVALUATOR;

#else
typedef int bf_neon_not_here; /* a translation unit must not be empty */
#endif
