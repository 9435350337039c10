/* hands.h: the pieces in hand: a count of 0 to 7 for each of the 21 as three bit planes in one
 * word. Static functions only.
 */
#ifndef BF_HANDS_H
#define BF_HANDS_H

#include "bf_tables.h"
#include "bits.h"

#define BF_ALL_PIECES ((UINT32_C(1) << BF_PIECES) - 1)

/* The set of pieces of which a hand holds at least one. */
static inline uint32_t bf_hand_pieces(uint64_t hand) {
    return (uint32_t)(hand | hand >> 21 | hand >> 42) & BF_ALL_PIECES;
}

static inline int bf_hand_count(uint64_t hand, int piece) {
    return (int)((hand >> piece & 1) | (hand >> (piece + 21) & 1) << 1 |
                 (hand >> (piece + 42) & 1) << 2);
}

/* A hand with one of a piece less; it must hold one. */
static inline uint64_t bf_hand_without(uint64_t hand, int piece) {
    /* Binary minus one across the planes: flip the lowest set plane and all below it. */
    uint64_t bit = UINT64_C(1) << piece;
    uint64_t borrow = ~hand & bit;
    hand ^= bit;
    bit = borrow << 21;
    borrow = ~hand & bit;
    hand ^= bit;
    return hand ^ borrow << 21;
}

/* A hand with one of a piece more; it must hold less than seven. */
static inline uint64_t bf_hand_with(uint64_t hand, int piece) {
    uint64_t bit = UINT64_C(1) << piece;
    uint64_t carry = hand & bit;
    hand ^= bit;
    bit = carry << 21;
    carry = hand & bit;
    hand ^= bit;
    return hand ^ carry << 21;
}

/* Pack 21 counts of 0 to 7. */
static inline uint64_t bf_hand_pack(const uint8_t *counts) {
    uint64_t hand = 0;
    for (int piece = 0; piece < BF_PIECES; piece++) {
        for (int plane = 0; plane < 3; plane++) {
            hand |= (uint64_t)(counts[piece] >> plane & 1) << (21 * plane + piece);
        }
    }
    return hand;
}

#endif
