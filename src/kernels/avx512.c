/* avx512.c: the kernel for AVX-512, the whole board in one register.
 *
 * See docs/performance.md for how it works and what each step costs. Static functions and one
 * const table only.
 */
#include "kernels.h"

#if BF_X86_64

#include <immintrin.h>
#include <string.h>

#include "bf_tables.h"
#include "rng.h"

static inline int popcount64(uint64_t x) { return (int)_mm_popcnt_u64(x); }
static inline int ctz64(uint64_t x) { return (int)_tzcnt_u64(x); }
#include "wide.h"
#include "wide_search.h"

#include "avx512_boards.h"

#include "avx512_list.h"

/* From here on nothing is done with eight results at a time. */
#define BF_EIGHT(...)

#include "avx512_sample.h"

#include "avx512_search.h"

static uint32_t kernel_count(const bf_layout *layout, bf_boards own, int color,
                             uint32_t pieces) {
    uint64_t buffer[24];
    frontier f = find_frontier(layout, own, color);
    if (!not_empty(f.corner)) return 0;
    const uint64_t *hand = hand_words(pieces, buffer);
    board sum_0 = _mm512_setzero_si512(), sum_1 = sum_0;
    OFFSETS(f)
#define EMIT(i, o, piece, x, y)                                                                \
    do {                                                                                       \
        board hand_ = _mm512_set1_epi64((long long)hand[piece]);                               \
        board n_ = _mm512_popcnt_epi64(_mm512_ternarylogic_epi64(x, y, hand_, AND3));          \
        if ((o) % 2 == 0) {                                                                    \
            sum_0 = _mm512_add_epi64(sum_0, n_);                                               \
            AS_WRITTEN(sum_0);                                                                 \
        } else {                                                                               \
            sum_1 = _mm512_add_epi64(sum_1, n_);                                               \
            AS_WRITTEN(sum_1);                                                                 \
        }                                                                                      \
    } while (0);
#define BF_CODE_PROGRAM
#include "bf_program.h"
#undef EMIT
    return (uint32_t)_mm512_reduce_add_epi64(_mm512_add_epi64(sum_0, sum_1));
}

static int kernel_any(const bf_layout *layout, bf_boards own, int color,
                      uint32_t pieces) {
    uint64_t buffer[24];
    frontier f = find_frontier(layout, own, color);
    if (!not_empty(f.corner)) return 0;
    if ((pieces & 1) != 0) return 1; /* a monomino fits on every corner square */
    const uint64_t *hand = hand_words(pieces, buffer);
    board all = _mm512_setzero_si512();
    OFFSETS(f)
#define EMIT(i, o, piece, x, y)                                                                \
    do {                                                                                       \
        board hand_ = _mm512_set1_epi64((long long)hand[piece]);                               \
        all = _mm512_or_si512(all, _mm512_ternarylogic_epi64(x, y, hand_, AND3));              \
        AS_WRITTEN(all);                                                                       \
    } while (0);
#define BF_CODE_PROGRAM
#include "bf_program.h"
#undef EMIT
    return not_empty(all);
}

static void kernel_frontier(const bf_layout *layout, bf_boards own, int color,
                            uint64_t *allowed, uint64_t *corner) {
    /* Back from rows of words to the frame. */
    const board down = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const board up = _mm512_setr_epi64(63, 62, 61, 60, 59, 58, 57, 56);
    frontier f = find_frontier(layout, own, color);
    _mm512_storeu_si512(allowed, _mm512_or_si512(_mm512_srlv_epi64(f.allowed, down),
                                                 _mm512_sllv_epi64(words_behind(f.allowed, 1), up)));
    _mm512_storeu_si512(corner, _mm512_or_si512(_mm512_srlv_epi64(f.corner, down),
                                                _mm512_sllv_epi64(words_behind(f.corner, 1), up)));
}

const bf_kernel bf_kernel_avx512 = {
    "avx512",      kernel_list,     kernel_count,           kernel_any,  kernel_mask,
    kernel_sample, kernel_frontier, kernel_sample_weighted, WIDE_MEMBERS};
const bf_evaluator bf_evaluator_avx512 = EVALUATOR;

#else
typedef int bf_avx512_not_here; /* a translation unit must not be empty */
#endif
