/* state.h: one position: squares, hands, hash. No flow of the game here (flow.h). */
#ifndef BF_STATE_H
#define BF_STATE_H

#include "actions.h"
#include "bits.h"
#include "hands.h"
#include "rng.h"

enum { BF_MONOMINO = 0 };

/* The 64-bit hash of a position: squares by color, hands, turn, player, last-piece flags, shared
 * player, board size, and the round where their number is limited. */
uint64_t bf_position_key(const bf_rules *rules, const bf_state *s);
/* Whether two positions of the same rules are equal: in all that the hash covers, and in the
 * number of moves made. `finished` is only what was found out so far, and `round` without a limit
 * only counts: neither is part of a position. */
int bf_equal_states(const bf_rules *rules, const bf_state *s, const bf_state *t);

/* What a placement adds to the hash. */
static inline uint64_t bf_placement_key(int color, uint32_t move) {
    return bf_mix64(UINT64_C(0x9e3779b97f4a7c15) * (1 + ((uint64_t)color << 16 | move)));
}

/* Pieces of a color that a holder may place now, as far as hands decide it. */
static inline uint32_t bf_placeable(const bf_rules *rules, const bf_state *s, int holder,
                                    int color) {
    uint32_t pieces = bf_hand_pieces(s->hand[holder][color]);
    if (rules->first_pieces != BF_ALL_PIECES && bf_is_empty(s->own[color])) {
        pieces &= rules->first_pieces;
    }
    return pieces;
}

/* Whether a holder can place anything of a color. */
static inline int bf_can_place(const bf_rules *rules, const bf_state *s, int holder, int color) {
    uint32_t pieces = bf_placeable(rules, s, holder, color);
    return pieces != 0 && rules->kernel->any(&rules->layout, s->own, color, pieces);
}

/* The three words of a board in which a placement's squares lie, from word `bit >> 6` on. */
static inline void bf_placement_words(uint32_t placement, uint64_t *words) {
    const uint64_t *shape = bf_orientation_shape[bf_placement_orientation(placement)];
    int shift = bf_placement_bit(placement) & 63;
    words[0] = shape[0] << shift;
    words[1] = shape[1] << shift | shape[0] >> 1 >> (63 - shift);
    words[2] = shape[1] >> 1 >> (63 - shift);
}

/* Add the squares of a placement, or take them away. */
static inline void bf_toggle_squares(uint64_t *board, uint32_t placement) {
    int w = bf_placement_bit(placement) >> 6;
    uint64_t words[3];
    bf_placement_words(placement, words);
    board[w] ^= words[0];
    board[w + 1] ^= words[1];
    if (w < BF_WORDS - 2) board[w + 2] ^= words[2];
}

/* Place a piece from a hand: squares, hand and last-piece flag, but not the hash. */
static inline void bf_put_piece(const bf_rules *rules, bf_state *s, int holder, int color,
                                uint32_t move) {
    uint32_t placement = rules->placements[move];
    int piece = bf_placement_piece(placement), scored = rules->draft ? holder : color;
    bf_toggle_squares(s->own[color], placement);
    s->hand[holder][color] = bf_hand_without(s->hand[holder][color], piece);
    s->placed[scored] = (uint16_t)(s->placed[scored] + bf_piece_size[piece]);
    s->monomino_last = (uint8_t)((s->monomino_last & ~(1 << scored)) |
                                 (piece == BF_MONOMINO) << scored);
}

/* Undo bf_put_piece, but for the last-piece flag. */
static inline void bf_take_back(const bf_rules *rules, bf_state *s, int holder, int color,
                                uint32_t move) {
    uint32_t placement = rules->placements[move];
    int piece = bf_placement_piece(placement), scored = rules->draft ? holder : color;
    bf_toggle_squares(s->own[color], placement);
    s->hand[holder][color] = bf_hand_with(s->hand[holder][color], piece);
    s->placed[scored] = (uint16_t)(s->placed[scored] - bf_piece_size[piece]);
}

#endif
