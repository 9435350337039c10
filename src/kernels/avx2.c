/* avx2.c: the kernel for AVX2 with BMI1, BMI2 and LZCNT, four words at a time.
 *
 * Does without PEXT and PDEP, which are slow on AMD before Zen 3.
 */
#include "kernels.h"

#if BF_X86_64

#include <immintrin.h>

#include "bits.h"

#define VEC __m256i
#define LANES 4

static inline __m256i v_load(const uint64_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline void v_store(uint64_t *p, __m256i x) { _mm256_storeu_si256((__m256i *)p, x); }
static inline __m256i v_and(__m256i x, __m256i y) { return _mm256_and_si256(x, y); }
static inline __m256i v_or(__m256i x, __m256i y) { return _mm256_or_si256(x, y); }
static inline __m256i v_without(__m256i x, __m256i y) { return _mm256_andnot_si256(y, x); }
static inline __m256i v_up(__m256i x, int n) { return _mm256_slli_epi64(x, n); }
static inline __m256i v_down(__m256i x, int n) { return _mm256_srli_epi64(x, n); }
static inline unsigned v_zeros(__m256i x) {
    __m256i zero = _mm256_cmpeq_epi64(x, _mm256_setzero_si256());
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(zero));
}

static inline int ctz64(uint64_t x) { return (int)_tzcnt_u64(x); }
static inline int ctz64_any(uint64_t x) { return (int)_tzcnt_u64(x); }
static inline int popcount64(uint64_t x) { return (int)_mm_popcnt_u64(x); }

static inline int select64(uint64_t x, unsigned k) { return bf_select_bit(x, k); }

#include "body.h"

const bf_kernel bf_kernel_avx2 = BODY_KERNEL("avx2");
const bf_evaluator bf_evaluator_avx2 = EVALUATOR;

#else
typedef int bf_avx2_not_here; /* a translation unit must not be empty */
#endif
