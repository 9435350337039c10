/* portable.c: the kernel in plain C, a word at a time. Fit for any 64-bit CPU. */
#include <stdint.h>
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

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

static inline int ctz64(uint64_t x) {
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long index;
    _BitScanForward64(&index, x);
    return (int)index;
#else
    return __builtin_ctzll(x);
#endif
}

static inline int ctz64_any(uint64_t x) { return ctz64(x | UINT64_C(1) << 63); }

static inline int popcount64(uint64_t x) {
#if defined(__aarch64__) && !defined(_MSC_VER)
    return __builtin_popcountll(x); /* one vector instruction and two moves */
#else
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(x * UINT64_C(0x0101010101010101) >> 56);
#endif
}

static inline int select64(uint64_t x, unsigned k) {
    for (; k > 0; k--) x &= x - 1;
    return ctz64(x);
}

#include "body.h"

const bf_kernel bf_kernel_portable = BODY_KERNEL("portable");
