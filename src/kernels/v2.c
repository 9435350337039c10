/* v2.c: the kernel for x86-64-v2, two words at a time, with POPCNT. */
#include "kernels.h"

#if BF_X86_64

#include <nmmintrin.h>

#include "bits.h"

#define VEC __m128i
#define LANES 2

static inline __m128i v_load(const uint64_t *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void v_store(uint64_t *p, __m128i x) { _mm_storeu_si128((__m128i *)p, x); }
static inline __m128i v_and(__m128i x, __m128i y) { return _mm_and_si128(x, y); }
static inline __m128i v_or(__m128i x, __m128i y) { return _mm_or_si128(x, y); }
static inline __m128i v_without(__m128i x, __m128i y) { return _mm_andnot_si128(y, x); }
static inline __m128i v_up(__m128i x, int n) { return _mm_slli_epi64(x, n); }
static inline __m128i v_down(__m128i x, int n) { return _mm_srli_epi64(x, n); }
static inline unsigned v_zeros(__m128i x) {
    __m128i zero = _mm_cmpeq_epi64(x, _mm_setzero_si128());
    return (unsigned)_mm_movemask_pd(_mm_castsi128_pd(zero));
}

static inline int ctz64(uint64_t x) { return bf_lowest_bit(x); }
static inline int ctz64_any(uint64_t x) { return ctz64(x | UINT64_C(1) << 63); }
static inline int popcount64(uint64_t x) { return (int)_mm_popcnt_u64(x); }

#define OWN_LIST
#include "body.h"

#include "x86_list.h"

const bf_kernel bf_kernel_v2 = BODY_KERNEL("v2");
const bf_evaluator bf_evaluator_v2 = EVALUATOR;

#else
typedef int bf_v2_not_here; /* a translation unit must not be empty */
#endif
