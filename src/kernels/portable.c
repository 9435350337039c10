/* portable.c: the kernel in plain C, a word at a time. Fit for any 64-bit CPU. */
#include "bits.h"

#define VEC uint64_t
#define LANES 1

static inline uint64_t v_load(const uint64_t *p) { return *p; }
static inline void v_store(uint64_t *p, uint64_t x) { *p = x; }
static inline uint64_t v_and(uint64_t x, uint64_t y) { return x & y; }
static inline uint64_t v_or(uint64_t x, uint64_t y) { return x | y; }
static inline uint64_t v_without(uint64_t x, uint64_t y) { return x & ~y; }
static inline uint64_t v_up(uint64_t x, int n) { return x << n; }
static inline uint64_t v_down(uint64_t x, int n) { return x >> n; }
static inline unsigned v_zeros(uint64_t x) { return x == 0; }

static inline int ctz64(uint64_t x) { return bf_lowest_bit(x); }
static inline int ctz64_any(uint64_t x) { return ctz64(x | UINT64_C(1) << 63); }

static inline int popcount64(uint64_t x) {
#if defined(__aarch64__) && !defined(_MSC_VER)
    return __builtin_popcountll(x); /* one vector instruction and two moves */
#else
    return bf_count_bits(x);
#endif
}

#include "body.h"

const bf_kernel bf_kernel_portable = BODY_KERNEL("portable");
const bf_evaluator bf_evaluator_portable = EVALUATOR;
