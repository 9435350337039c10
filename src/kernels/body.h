/* body.h: the kernel for vectors of any width. Static functions only.
 *
 * The file that includes it says what a vector is: VEC of LANES 64-bit words (1, 2, 4 or 8),
 *   v_load(p) v_store(p, v)       unaligned
 *   v_zero() v_and(x, y) v_or(x, y) v_without(x, y)      the last is x & ~y
 *   v_up(x, n) v_down(x, n)       every word shifted left or right by n, 1 to 63
 *   v_zeros(x)                    bit i is set if word i is 0
 * and how to count: popcount64(x), ctz64(x) for x != 0, ctz64_any(x) = ctz64(x), or anything from
 * 0 to 64 for x == 0, select64(x, k) = index of set bit k.
 *
 * A board is cut into slices of LANES words. Shifted boards and logic of a slice need only the
 * two words behind it, so that one pass of straight-line code does a slice from start to end.
 * What is legal goes to legal[8 * orientation + word], in the order of the ids.
 */
#include <string.h>

#include "bf_tables.h"
#include "kernels.h"
#include "rng.h"
#include "wide.h"
#include "wide_search.h"

#define PADDED 12                      /* words of a board with room to load behind its end */
#define ALL_WORDS (8 * BF_ORIENTATIONS)
#define GROUPS 12                      /* 64-bit words of a bitmap with a bit per legal word */

typedef struct found {
    uint64_t legal[ALL_WORDS];
    uint64_t filled[GROUPS]; /* bit 8 * orientation + word: legal word that is not 0 */
} found;

/* The squares of each row move by `n` up or down, `n` below 64: words from three neighbours. */
#define MOVE_UP(n) v_or(v_up(here, n), v_down(before, 64 - (n)))
#define MOVE_DOWN(n) v_or(v_down(here, n), v_up(behind, 64 - (n)))

/* Compute both frontier boards, padded; return 1 if there is a corner square. */
static int frontier_boards(const bf_layout *layout, bf_boards own, int color,
                           uint64_t *allowed, uint64_t *corner) {
    uint64_t mine[PADDED] = {0};
    memcpy(mine + 1, own[color], sizeof own[color]);
    uint64_t any_own = 0, any_corner = 0;
    for (int w = 0; w < BF_WORDS; w++) any_own |= mine[w + 1];
    /* The first piece covers a start square instead of touching a corner. */
    uint64_t starts[BF_WORDS] = {0};
    if (any_own == 0) memcpy(starts, layout->start[color], sizeof starts);

    for (int w = 0; w < BF_WORDS; w += LANES) {
        VEC before = v_load(mine + w), here = v_load(mine + w + 1), behind = v_load(mine + w + 2);
        VEC taken = v_or(v_or(v_load(own[0] + w), v_load(own[1] + w)),
                         v_or(v_load(own[2] + w), v_load(own[3] + w)));
        VEC edges = v_or(v_or(MOVE_UP(1), MOVE_DOWN(1)),
                         v_or(MOVE_UP(BF_STRIDE), MOVE_DOWN(BF_STRIDE)));
        VEC corners = v_or(v_or(MOVE_UP(BF_STRIDE - 1), MOVE_DOWN(BF_STRIDE - 1)),
                           v_or(MOVE_UP(BF_STRIDE + 1), MOVE_DOWN(BF_STRIDE + 1)));
        VEC free_squares = v_without(v_load(layout->playable + w), v_or(taken, edges));
        v_store(allowed + w, free_squares);
        v_store(corner + w, v_and(free_squares, v_or(corners, v_load(starts + w))));
    }
    for (int w = 0; w < BF_WORDS; w++) any_corner |= corner[w];
    for (int w = BF_WORDS; w < PADDED; w++) allowed[w] = corner[w] = 0;
    return any_corner != 0;
}

/* Load a slice of a padded board, shifted by `n` squares. */
#define SHIFTED(board, w, n)                                                                   \
    ((n) == 0    ? v_load((board) + (w))                                                       \
     : (n) == 64 ? v_load((board) + (w) + 1)                                                   \
     : (n) < 64  ? v_or(v_down(v_load((board) + (w)), (n) & 63),                               \
                        v_up(v_load((board) + (w) + 1), (64 - (n)) & 63))                      \
                 : v_or(v_down(v_load((board) + (w) + 1), ((n)-64) & 63),                      \
                        v_up(v_load((board) + (w) + 2), (128 - (n)) & 63)))

#define BF_JOIN(s, x, y)                                                                       \
    VEC a_##s = v_and(a_##x, a_##y);                                                           \
    VEC c_##s = v_or(c_##x, c_##y);
#define LEGAL(o, value)                                                                        \
    do {                                                                                       \
        VEC value_ = (value);                                                                  \
        v_store(legal + 8 * (o), value_);                                                      \
        zeros[o] = (uint8_t)v_zeros(value_);                                                   \
    } while (0)
#define BF_LEGAL1(i, o, piece, x) LEGAL(o, v_and(a_##x, c_##x));
#define BF_LEGAL2(i, o, piece, x, y) LEGAL(o, v_and(v_and(a_##x, a_##y), v_or(c_##x, c_##y)));
#define BF_EIGHT(...)

/* All orientations for the words from w on. */
static void generate_slice(const uint64_t *allowed, const uint64_t *corner, int w,
                           uint64_t *legal, uint8_t *zeros) {
#define OFFSET(i, n)                                                                           \
    VEC a_##i = SHIFTED(allowed, w, n);                                                        \
    VEC c_##i = SHIFTED(corner, w, n);
    OFFSET(00, 0) OFFSET(01, 1) OFFSET(02, 2) OFFSET(03, 3) OFFSET(04, 4)
    OFFSET(05, 21) OFFSET(06, 22) OFFSET(07, 23) OFFSET(08, 24)
    OFFSET(09, 42) OFFSET(10, 43) OFFSET(11, 44)
    OFFSET(12, 63) OFFSET(13, 64) OFFSET(14, 84)
#undef OFFSET
#define BF_CODE_PROGRAM
#include "bf_program.h"
#undef BF_CODE_PROGRAM
}

/* Eight bytes as a number, the first one lowest. */
static inline uint64_t eight_bytes(const uint8_t *bytes) {
    uint64_t word = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 7; i >= 0; i--) word = word << 8 | bytes[i];
#else
    memcpy(&word, bytes, 8);
#endif
    return word;
}

/* What generate_at needs beside the boards: bytes per orientation, 0xff where its piece may be
 * placed, and room for which words are empty. */
typedef struct hand_bytes {
    uint8_t hand[8 * GROUPS + 8], zeros[8 * GROUPS];
} hand_bytes;

static inline void spread_hand(uint32_t pieces, hand_bytes *h) {
    /* No piece has more than 8 orientations, and the next piece overwrites what is too much. */
    for (int p = 0; p < BF_PIECES; p++) {
        memset(h->hand + bf_piece_first[p], (pieces >> p & 1) != 0 ? 0xff : 0, 8);
    }
    memset(h->hand + BF_ORIENTATIONS, 0, 8 * GROUPS - BF_ORIENTATIONS);
    memset(h->zeros + BF_ORIENTATIONS, 0, 8 * GROUPS - BF_ORIENTATIONS);
}

/* Compute the legal anchors of every orientation in the words from w on, whether or not its piece
 * is in hand; return 0, and compute nothing, if no corner square is within reach. */
static inline int generate_at(const uint64_t *allowed, const uint64_t *corner, int w,
                              hand_bytes *h, found *f) {
    uint64_t reach = 0;
    for (int i = w; i < w + LANES + 2; i++) reach |= corner[i];
    if (reach == 0) return 0;
    generate_slice(allowed, corner, w, f->legal + w, h->zeros);
    return 1;
}

/* Which of the words from w on, of eight orientations, generate_at has filled. */
static inline uint64_t filled_at(const hand_bytes *h, int group, int w) {
    const uint64_t lanes = UINT64_C(0x0101010101010101) * ((1u << LANES) - 1);
    return (~eight_bytes(h->zeros + 8 * group) & lanes) << w;
}

/* Compute the legal anchors of every orientation of the pieces. Words of `legal` that are not
 * marked as filled are not defined. */
static inline void generate(const uint64_t *allowed, const uint64_t *corner, uint32_t pieces,
                            found *f) {
    hand_bytes h;
    spread_hand(pieces, &h);
    memset(f->filled, 0, sizeof f->filled);
    for (int w = 0; w < BF_WORDS; w += LANES) {
        if (!generate_at(allowed, corner, w, &h, f)) continue;
        for (int i = 0; i < GROUPS; i++) f->filled[i] |= filled_at(&h, i, w);
    }
    for (int i = 0; i < GROUPS; i++) f->filled[i] &= eight_bytes(h.hand + 8 * i);
}

/* List the filled words as 8 * orientation + word, ascending; return how many. */
static int filled_words(const found *f, uint16_t *words) {
    int n = 0;
    for (int i = 0; i < GROUPS; i++) {
        for (uint64_t left = f->filled[i]; left != 0; left &= left - 1) {
            words[n++] = (uint16_t)(64 * i + ctz64(left));
        }
    }
    return n;
}

/* Write the ids of one word of anchors, and up to 3 numbers behind them. */
static inline uint16_t *expand(const bf_layout *layout, int word, uint64_t anchors,
                               uint16_t *ids) {
    int o = word >> 3;
    unsigned base = layout->first[o];
    const uint16_t *rank = layout->rank[bf_orientation_width[o] - 1] + 64 * (word & 7);
    uint64_t second = anchors & (anchors - 1);
    uint64_t third = second & (second - 1);
    uint64_t fourth = third & (third - 1);
    uint64_t more = fourth & (fourth - 1);
    /* Most words hold few anchors, and how many is hard to predict: always write four. */
    ids[0] = (uint16_t)(base + rank[ctz64(anchors)]);
    ids[1] = (uint16_t)(base + rank[ctz64_any(second)]);
    ids[2] = (uint16_t)(base + rank[ctz64_any(third)]);
    ids[3] = (uint16_t)(base + rank[ctz64_any(fourth)]);
    for (uint16_t *next = ids + 4; more != 0; more &= more - 1) {
        *next++ = (uint16_t)(base + rank[ctz64(more)]);
    }
    return ids + popcount64(anchors);
}

static uint32_t kernel_list(const bf_layout *layout, bf_boards own, int color,
                            uint32_t pieces, uint16_t *ids) {
    uint64_t allowed[PADDED], corner[PADDED];
    found f;
    if (!frontier_boards(layout, own, color, allowed, corner)) return 0;
    generate(allowed, corner, pieces, &f);
    uint16_t *end = ids;
    for (int i = 0; i < GROUPS; i++) {
        for (uint64_t left = f.filled[i]; left != 0; left &= left - 1) {
            int word = 64 * i + ctz64(left);
            end = expand(layout, word, f.legal[word], end);
        }
    }
    return (uint32_t)(end - ids);
}

static uint32_t kernel_count(const bf_layout *layout, bf_boards own, int color,
                             uint32_t pieces) {
    uint64_t allowed[PADDED], corner[PADDED];
    found f;
    uint32_t count = 0;
    if (!frontier_boards(layout, own, color, allowed, corner)) return 0;
    generate(allowed, corner, pieces, &f);
    for (int i = 0; i < GROUPS; i++) {
        for (uint64_t left = f.filled[i]; left != 0; left &= left - 1) {
            count += (uint32_t)popcount64(f.legal[64 * i + ctz64(left)]);
        }
    }
    return count;
}

/* The boards of allowed and corner squares, shifted by each offset. */
typedef struct shifted {
    uint64_t allowed[15][BF_WORDS];
    uint64_t corner[15][BF_WORDS];
} shifted;

static void shift_all(const uint64_t *allowed, const uint64_t *corner, shifted *s) {
    for (int w = 0; w < BF_WORDS; w += LANES) {
#define OFFSET(i, n)                                                                           \
    v_store(s->allowed[i] + w, SHIFTED(allowed, w, n));                                        \
    v_store(s->corner[i] + w, SHIFTED(corner, w, n));
        OFFSET(0, 0) OFFSET(1, 1) OFFSET(2, 2) OFFSET(3, 3) OFFSET(4, 4)
        OFFSET(5, 21) OFFSET(6, 22) OFFSET(7, 23) OFFSET(8, 24)
        OFFSET(9, 42) OFFSET(10, 43) OFFSET(11, 44)
        OFFSET(12, 63) OFFSET(13, 64) OFFSET(14, 84)
#undef OFFSET
    }
}

/* Compute the legal anchors of one piece, orientation after orientation; return how many
 * words were written. */
static int piece_words(const shifted *s, int piece, uint64_t *legal) {
    int n = 0;
    for (int o = bf_piece_first[piece]; o < bf_piece_first[piece + 1]; o++) {
        const uint8_t *offsets = bf_orientation_offsets[o];
        for (int w = 0; w < BF_WORDS; w += LANES, n += LANES) {
            VEC a = v_load(s->allowed[offsets[0]] + w), c = v_load(s->corner[offsets[0]] + w);
            for (int i = 1; i < 5; i++) {
                a = v_and(a, v_load(s->allowed[offsets[i]] + w));
                c = v_or(c, v_load(s->corner[offsets[i]] + w));
            }
            v_store(legal + n, v_and(a, c));
        }
    }
    return n;
}

static int kernel_any(const bf_layout *layout, bf_boards own, int color,
                      uint32_t pieces) {
    uint64_t allowed[PADDED], corner[PADDED];
    hand_bytes h;
    found f;
    if (!frontier_boards(layout, own, color, allowed, corner) || pieces == 0) return 0;
    if ((pieces & 1) != 0) return 1; /* a monomino fits on every corner square */
    spread_hand(pieces, &h);
    /* Mostly the first slice with a corner square has an answer. */
    for (int w = 0; w < BF_WORDS; w += LANES) {
        uint64_t filled = 0;
        if (!generate_at(allowed, corner, w, &h, &f)) continue;
        for (int i = 0; i < GROUPS; i++) filled |= filled_at(&h, i, w) & eight_bytes(h.hand + 8 * i);
        if (filled != 0) return 1;
    }
    return 0;
}

static uint32_t kernel_mask(const bf_layout *layout, bf_boards own, int color,
                            uint32_t pieces, uint8_t *mask) {
    enum { FULL = 256 };
    uint64_t allowed[PADDED], corner[PADDED];
    uint16_t ids[FULL + 64 + 4], *end = ids;
    found f;
    uint32_t count = 0;
    memset(mask, 0, layout->n_moves);
    if (!frontier_boards(layout, own, color, allowed, corner)) return 0;
    generate(allowed, corner, pieces, &f);
    for (int i = 0; i < GROUPS; i++) {
        for (uint64_t left = f.filled[i]; left != 0; left &= left - 1) {
            int word = 64 * i + ctz64(left);
            end = expand(layout, word, f.legal[word], end);
            if (end < ids + FULL) continue;
            for (const uint16_t *id = ids; id < end; id++) mask[*id] = 1;
            count += (uint32_t)(end - ids);
            end = ids;
        }
    }
    for (const uint16_t *id = ids; id < end; id++) mask[*id] = 1;
    return count + (uint32_t)(end - ids);
}

/* The id of set bit `k` of a legal word. */
static int32_t id_of(const bf_layout *layout, int word, uint64_t anchors, unsigned k) {
    int o = word >> 3;
    int bit = 64 * (word & 7) + select64(anchors, k);
    return (int32_t)(layout->first[o] + layout->rank[bf_orientation_width[o] - 1][bit]);
}

static int32_t kernel_sample(const bf_layout *layout, bf_boards own, int color,
                             uint32_t pieces, bf_rng *rng) {
    uint64_t allowed[PADDED], corner[PADDED];
    found f;
    uint16_t words[ALL_WORDS];
    uint32_t upto[ALL_WORDS]; /* placements up to the end of each word */
    uint32_t count = 0;
    if (!frontier_boards(layout, own, color, allowed, corner)) return -1;
    generate(allowed, corner, pieces, &f);
    int n = filled_words(&f, words);
    for (int i = 0; i < n; i++) upto[i] = count += (uint32_t)popcount64(f.legal[words[i]]);
    if (count == 0) return -1;
    uint32_t k = bf_rng_below(rng, count);
    int at = 0;
    for (int i = 0; i < n; i++) at += upto[i] <= k;
    if (at > 0) k -= upto[at - 1];
    return id_of(layout, words[at], f.legal[words[at]], k);
}

/* Draw one of the pieces by weight; return -1 if all weights are 0. */
static int draw_piece(uint32_t pieces, const uint32_t *weights, bf_rng *rng) {
    uint32_t sum = 0;
    for (uint32_t left = pieces; left != 0; left &= left - 1) sum += weights[ctz64(left)];
    if (sum == 0) return -1;
    uint32_t k = bf_rng_below(rng, sum);
    for (uint32_t left = pieces;; left &= left - 1) {
        int piece = ctz64(left);
        if (k < weights[piece]) return piece;
        k -= weights[piece];
    }
}

/* Draw one placement from the legal words of a piece; return -1 if there is none. */
static int32_t draw_placement(const bf_layout *layout, int piece, const uint64_t *legal,
                              bf_rng *rng) {
    int first = 8 * bf_piece_first[piece], n = 8 * bf_piece_first[piece + 1] - first;
    uint32_t count = 0;
    for (int i = 0; i < n; i++) count += (uint32_t)popcount64(legal[i]);
    if (count == 0) return -1;
    uint32_t k = bf_rng_below(rng, count);
    for (int i = 0;; i++) {
        uint32_t here = (uint32_t)popcount64(legal[i]);
        if (k < here) return id_of(layout, first + i, legal[i], k);
        k -= here;
    }
}

static int32_t kernel_sample_weighted(const bf_layout *layout, bf_boards own,
                                      int color, uint32_t pieces, const uint32_t *weights,
                                      bf_rng *rng) {
    uint64_t allowed[PADDED], corner[PADDED], legal[8 * BF_WORDS];
    shifted s;
    int has_corner = frontier_boards(layout, own, color, allowed, corner);
    if (!has_corner) return -1;
    bf_rng before = *rng;
    pieces &= (UINT32_C(1) << BF_PIECES) - 1;
    shift_all(allowed, corner, &s);
    for (;;) {
        int piece = draw_piece(pieces, weights, rng);
        if (piece < 0) {
            *rng = before;
            return -1;
        }
        piece_words(&s, piece, legal);
        int32_t id = draw_placement(layout, piece, legal, rng);
        if (id >= 0) return id;
        pieces &= ~(UINT32_C(1) << piece);
    }
}

static void kernel_frontier(const bf_layout *layout, bf_boards own, int color,
                            uint64_t *allowed, uint64_t *corner) {
    uint64_t padded_allowed[PADDED], padded_corner[PADDED];
    frontier_boards(layout, own, color, padded_allowed, padded_corner);
    memcpy(allowed, padded_allowed, 8 * BF_WORDS);
    memcpy(corner, padded_corner, 8 * BF_WORDS);
}

#include "body_search.h"

#define BODY_KERNEL(name)                                                                      \
    {                                                                                          \
        name, kernel_list, kernel_count, kernel_any, kernel_mask, kernel_sample,               \
            kernel_frontier, kernel_sample_weighted, WIDE_MEMBERS                              \
    }
