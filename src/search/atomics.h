/* atomics.h: what several threads do to one tree: loads, stores and sums without a lock, a lock of
 * one word, and the time. Static functions only.
 *
 * Sums are only exact where threads may meet (`shared`); one thread alone adds plainly.
 */
#ifndef BF_ATOMICS_H
#define BF_ATOMICS_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static inline uint32_t bf_load_32(const uint32_t *at) { return *(const volatile uint32_t *)at; }
static inline uint64_t bf_load_64(const uint64_t *at) { return *(const volatile uint64_t *)at; }
static inline uint32_t bf_acquire_32(const uint32_t *at) {
    return (uint32_t)_InterlockedOr((volatile long *)at, 0);
}
static inline void bf_release_32(uint32_t *at, uint32_t value) {
    _InterlockedExchange((volatile long *)at, (long)value);
}
static inline void bf_store_64(uint64_t *at, uint64_t value) {
    _InterlockedExchange64((volatile long long *)at, (long long)value);
}
static inline uint32_t bf_atomic_add_32(uint32_t *at, uint32_t n) {
    return (uint32_t)_InterlockedExchangeAdd((volatile long *)at, (long)n);
}
static inline uint64_t bf_atomic_add_64(uint64_t *at, uint64_t n) {
    return (uint64_t)_InterlockedExchangeAdd64((volatile long long *)at, (long long)n);
}
static inline uint32_t bf_atomic_or_32(uint32_t *at, uint32_t bits) {
    return (uint32_t)_InterlockedOr((volatile long *)at, (long)bits);
}
static inline int bf_swap_if_32(uint32_t *at, uint32_t old, uint32_t value) {
    return (uint32_t)_InterlockedCompareExchange((volatile long *)at, (long)value, (long)old) ==
           old;
}
#if defined(_M_X64)
static inline void bf_relax(void) { _mm_pause(); }
#else
static inline void bf_relax(void) { __yield(); }
#endif
#else
static inline uint32_t bf_load_32(const uint32_t *at) {
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}
static inline uint64_t bf_load_64(const uint64_t *at) {
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}
static inline uint32_t bf_acquire_32(const uint32_t *at) {
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
static inline void bf_release_32(uint32_t *at, uint32_t value) {
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
}
static inline void bf_store_64(uint64_t *at, uint64_t value) {
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}
static inline uint32_t bf_atomic_add_32(uint32_t *at, uint32_t n) {
    return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
}
static inline uint64_t bf_atomic_add_64(uint64_t *at, uint64_t n) {
    return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
}
static inline uint32_t bf_atomic_or_32(uint32_t *at, uint32_t bits) {
    return __atomic_fetch_or(at, bits, __ATOMIC_ACQ_REL);
}
static inline int bf_swap_if_32(uint32_t *at, uint32_t old, uint32_t value) {
    return __atomic_compare_exchange_n(at, &old, value, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
static inline void bf_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}
#endif

/* Add, and return what was there before. */
static inline uint32_t bf_add_32(uint32_t *at, uint32_t n, int shared) {
    uint32_t before;
    if (shared) return bf_atomic_add_32(at, n);
    before = *at;
    *at = before + n;
    return before;
}

static inline void bf_add_64(uint64_t *at, uint64_t n, int shared) {
    if (shared) {
        bf_atomic_add_64(at, n);
    } else {
        *at += n;
    }
}

#endif
