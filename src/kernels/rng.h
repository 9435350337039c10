/* rng.h: the random numbers of playouts, the same on every platform and kernel.
 *
 * SplitMix64: the state moves on by an odd increment, the output is a mix of the state. Every
 * stream number gives another increment, hence another sequence over all 2^64 states, so that
 * streams can be split off without a jump. Static functions only.
 */
#ifndef BF_RNG_H
#define BF_RNG_H

#include "blokus_fast.h"

/* A bijection of 64-bit words that spreads every bit (Stafford's variant 13). */
static inline uint64_t bf_mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Start a generator. The increment is the golden ratio's for stream 0; for others a mix of the
 * stream number, made odd, and sparse bit patterns broken up as SplitMix64 does. */
static inline void bf_rng_seed(bf_rng *rng, uint64_t seed, uint64_t stream) {
    uint64_t gamma = bf_mix64(stream * UINT64_C(0x9e3779b97f4a7c15)) | 1;
    uint64_t flips = gamma ^ (gamma >> 1);
    int transitions = 0;
    for (; flips != 0; flips &= flips - 1) transitions++;
    if (stream == 0) {
        gamma = UINT64_C(0x9e3779b97f4a7c15);
    } else if (transitions < 24) {
        gamma ^= UINT64_C(0xaaaaaaaaaaaaaaaa);
    }
    rng->increment = gamma;
    rng->state = bf_mix64(seed) ^ bf_mix64(stream + UINT64_C(0x632be59bd9b4e019));
}

/* The next 64 random bits. */
static inline uint64_t bf_rng_next(bf_rng *rng) {
    rng->state += rng->increment;
    return bf_mix64(rng->state);
}

/* A number below n, n > 0, exactly uniform: the high half of 32 random bits times n, where the
 * few low halves that would favour some results are drawn again (Lemire). */
static inline uint32_t bf_rng_below(bf_rng *rng, uint32_t n) {
    uint64_t product = (bf_rng_next(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t bound = (0u - n) % n;
        while ((uint32_t)product < bound) product = (bf_rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

#endif
