/* avx2.c: the kernel for AVX2 with BMI1, BMI2 and LZCNT, half a board in a register.
 *
 * See docs/performance.md for how it works and what each step costs. Does without PEXT and PDEP,
 * which are slow on AMD before Zen 3. Static functions and one const table only.
 */
#include "kernels.h"

#if BF_X86_64

#include <immintrin.h>
#include <string.h>

#include "bf_tables.h"
#include "rng.h"

/* Without a conversion behind each: lists are bound by the number of instructions. */
static inline uint64_t ctz64(uint64_t x) { return _tzcnt_u64(x); }
static inline uint64_t ctz64_any(uint64_t x) { return _tzcnt_u64(x); } /* 64 for 0 */
static inline int popcount64(uint64_t x) { return (int)_mm_popcnt_u64(x); }
#include "draw.h"
#include "wide.h"
#include "wide_search.h"

#include "avx2_boards.h"

#include "avx2_count.h"

#include "avx2_legal.h"

#include "x86_list.h"

#include "avx2_sample.h"

#include "avx2_search.h"

static void kernel_frontier(const bf_layout *layout, bf_boards own, int color, uint64_t *allowed,
                            uint64_t *corner) {
    frontier f = find_frontier(layout, own, color);
    store_frame(f.allowed, allowed);
    store_frame(f.corner, corner);
}

const bf_kernel bf_kernel_avx2 = {
    "avx2",        kernel_list,     kernel_count,           kernel_any,  kernel_mask,
    kernel_sample, kernel_frontier, kernel_sample_weighted, WIDE_MEMBERS};
const bf_evaluator bf_evaluator_avx2 = EVALUATOR;

#else
typedef int bf_avx2_not_here; /* a translation unit must not be empty */
#endif
