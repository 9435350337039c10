/* body.h: the kernel for vectors of any width. Static functions only.
 *
 * The file that includes it says what a vector is: VEC of LANES 64-bit words (1, 2, 4 or 8),
 *   v_load(p) v_store(p, v)       unaligned
 *   v_zero() v_and(x, y) v_or(x, y) v_without(x, y)      the last is x & ~y
 *   v_up(x, n) v_down(x, n)       every word shifted left or right by n, 1 to 63
 *   v_zeros(x)                    bit i is set if word i is 0
 * and how to count: popcount64(x), ctz64(x) for x != 0, ctz64_any(x) = ctz64(x), or anything from
 * 0 to 64 for x == 0. With OWN_LIST defined it brings kernel_list and kernel_mask along.
 *
 * A board is held in rows of words and cut into slices of LANES words. Shifted boards and logic of
 * a slice need only the two words behind it, so that one pass of straight-line code does a slice
 * from start to end.
 * What is legal goes to legal[8 * orientation + word], in the order of the ids.
 */
#include <string.h>

#include "bf_tables.h"
#include "kernels.h"
#include "rng.h"

#include "draw.h"
#include "wide.h"
#include "wide_search.h"

#define PADDED 12                      /* words of a board with room to load behind its end */
#define ALL_WORDS (8 * BF_ORIENTATIONS)
#define GROUPS 12                      /* 64-bit words of a bitmap with a bit per legal word */
#define ROW_WORDS 7                    /* words of a board in rows of words, and the eighth is 0 */
#define ROW_BITS (~UINT64_C(0) >> 1)

typedef struct found {
    uint64_t legal[ALL_WORDS];
    uint64_t filled[GROUPS]; /* bit 8 * orientation + word: legal word that is not 0 */
} found;

/* Write rows of words: word i holds rows 3i to 3i + 2 of a board in the frame, 63 bits. A shift
 * within a row then needs no neighbor, and a shift by three rows is one by a word. */
static inline void to_rows(const uint64_t *board, uint64_t *rows) {
    rows[0] = board[0] & ROW_BITS;
    for (int w = 1; w < ROW_WORDS; w++) {
        rows[w] = (board[w] << w | board[w - 1] >> (64 - w)) & ROW_BITS;
    }
    rows[ROW_WORDS] = 0;
}

/* The rows above and below: of the words here, with those before and behind. */
static inline VEC rows_beside(VEC before, VEC here, VEC behind) {
    return v_or(v_or(v_up(here, BF_STRIDE), v_down(before, 2 * BF_STRIDE)),
                v_or(v_down(here, BF_STRIDE), v_up(behind, 2 * BF_STRIDE)));
}
static inline VEC columns_beside(VEC x) { return v_or(v_up(x, 1), v_down(x, 1)); }

/* Compute both frontier boards in rows of words, padded; return 1 if there is a corner square. */
static int frontier_boards(const bf_layout *layout, bf_boards own, int color,
                           uint64_t *allowed, uint64_t *corner) {
    uint64_t open[BF_WORDS], open_rows[BF_WORDS], mine[PADDED] = {0}, starts[BF_WORDS] = {0};
    uint64_t any_corner = 0;
    for (int w = 0; w < BF_WORDS; w += LANES) {
        VEC taken = v_or(v_or(v_load(own[0] + w), v_load(own[1] + w)),
                         v_or(v_load(own[2] + w), v_load(own[3] + w)));
        v_store(open + w, v_without(v_load(layout->playable + w), taken));
    }
    to_rows(open, open_rows);
    to_rows(own[color], mine + 1);
    /* The first piece covers a start square instead of touching a corner. */
    if (bf_is_empty(own[color])) to_rows(layout->start[color], starts);
    for (int w = 0; w < ROW_WORDS; w += LANES) {
        VEC here = v_load(mine + w + 1);
        VEC near = rows_beside(v_load(mine + w), here, v_load(mine + w + 2));
        /* Bits that leave a row at either end fall on squares that are never open. */
        VEC free_squares = v_without(v_load(open_rows + w), v_or(near, columns_beside(here)));
        v_store(allowed + w, free_squares);
        v_store(corner + w, v_and(free_squares, v_or(columns_beside(near), v_load(starts + w))));
    }
    for (int w = 0; w < ROW_WORDS; w++) any_corner |= corner[w];
    for (int w = ROW_WORDS; w < PADDED; w++) allowed[w] = corner[w] = 0;
    return any_corner != 0;
}

/* Declare the boards x_00 to x_14 that the program starts from, of the words from w on. */
#define LATER(x, i, j, n) VEC x##_##j = v_down(x##_##i, n);
#define ROW(x, i, here, behind, n)                                                             \
    VEC x##_##i = v_or(v_down(here, (n) * BF_STRIDE), v_up(behind, (3 - (n)) * BF_STRIDE));
#define OFFSETS_OF(x, board, w)                                                                \
    VEC x##_00 = v_load((board) + (w)), x##_12 = v_load((board) + (w) + 1);                    \
    VEC x##_far = v_load((board) + (w) + 2);                                                   \
    ROW(x, 05, x##_00, x##_12, 1) ROW(x, 09, x##_00, x##_12, 2) ROW(x, 14, x##_12, x##_far, 1) \
    LATER(x, 00, 01, 1) LATER(x, 00, 02, 2) LATER(x, 00, 03, 3) LATER(x, 00, 04, 4)            \
    LATER(x, 05, 06, 1) LATER(x, 05, 07, 2) LATER(x, 05, 08, 3)                                \
    LATER(x, 09, 10, 1) LATER(x, 09, 11, 2) LATER(x, 12, 13, 1)

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
    OFFSETS_OF(a, allowed, w)
    OFFSETS_OF(c, corner, w)
#define BF_CODE_PROGRAM
#include "bf_program.h"
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
    for (int w = 0; w < ROW_WORDS; w += LANES) {
        if (!generate_at(allowed, corner, w, &h, f)) continue;
        for (int i = 0; i < GROUPS; i++) f->filled[i] |= filled_at(&h, i, w);
    }
    for (int i = 0; i < GROUPS; i++) f->filled[i] &= eight_bytes(h.hand + 8 * i);
}

/* Compute what is legal of the pieces; return 0, and compute nothing, if there is no corner square. */
static inline int find_legal(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                             found *f) {
    uint64_t allowed[PADDED], corner[PADDED];
    if (!frontier_boards(layout, own, color, allowed, corner)) return 0;
    generate(allowed, corner, pieces, f);
    return 1;
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

static uint32_t kernel_count(const bf_layout *layout, bf_boards own, int color,
                             uint32_t pieces) {
    found f;
    uint32_t count = 0;
    if (!find_legal(layout, own, color, pieces, &f)) return 0;
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

static void shift_board(const uint64_t *board, uint64_t (*out)[BF_WORDS]) {
    for (int w = 0; w < ROW_WORDS; w += LANES) {
        OFFSETS_OF(x, board, w)
#define STORE(i, j) v_store(out[j] + w, x_##i);
        STORE(00, 0) STORE(01, 1) STORE(02, 2) STORE(03, 3) STORE(04, 4)
        STORE(05, 5) STORE(06, 6) STORE(07, 7) STORE(08, 8)
        STORE(09, 9) STORE(10, 10) STORE(11, 11)
        STORE(12, 12) STORE(13, 13) STORE(14, 14)
#undef STORE
    }
}

static void shift_all(const uint64_t *allowed, const uint64_t *corner, shifted *s) {
    shift_board(allowed, s->allowed);
    shift_board(corner, s->corner);
}

/* Compute the legal anchors of one piece, eight words for each orientation. */
static void piece_words(const shifted *s, int piece, uint64_t *legal) {
    for (int o = bf_piece_first[piece]; o < bf_piece_first[piece + 1]; o++, legal += BF_WORDS) {
        const uint8_t *offsets = bf_orientation_offsets[o];
        legal[ROW_WORDS] = 0;
        for (int w = 0; w < ROW_WORDS; w += LANES) {
            VEC a = v_load(s->allowed[offsets[0]] + w), c = v_load(s->corner[offsets[0]] + w);
            for (int i = 1; i < 5; i++) {
                a = v_and(a, v_load(s->allowed[offsets[i]] + w));
                c = v_or(c, v_load(s->corner[offsets[i]] + w));
            }
            v_store(legal + w, v_and(a, c));
        }
    }
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
    for (int w = 0; w < ROW_WORDS; w += LANES) {
        uint64_t filled = 0;
        if (!generate_at(allowed, corner, w, &h, &f)) continue;
        for (int i = 0; i < GROUPS; i++) filled |= filled_at(&h, i, w) & eight_bytes(h.hand + 8 * i);
        if (filled != 0) return 1;
    }
    return 0;
}

#ifndef OWN_LIST
/* Write the ids of one word of anchors, and up to 3 numbers behind them. */
static inline uint16_t *expand(const bf_layout *layout, int word, uint64_t anchors,
                               uint16_t *ids) {
    unsigned base = layout->terms[word].first;
    const uint16_t *rank = bf_anchor_numbers + layout->terms[word].row;
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
    found f;
    if (!find_legal(layout, own, color, pieces, &f)) return 0;
    uint16_t *end = ids;
    for (int i = 0; i < GROUPS; i++) {
        for (uint64_t left = f.filled[i]; left != 0; left &= left - 1) {
            int word = 64 * i + ctz64(left);
            end = expand(layout, word, f.legal[word], end);
        }
    }
    return (uint32_t)(end - ids);
}

static uint32_t kernel_mask(const bf_layout *layout, bf_boards own, int color,
                            uint32_t pieces, uint8_t *mask) {
    enum { FULL = 256 };
    uint16_t ids[FULL + 64 + 4], *end = ids;
    found f;
    uint32_t count = 0;
    memset(mask, 0, layout->n_moves);
    if (!find_legal(layout, own, color, pieces, &f)) return 0;
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
#endif

static int32_t kernel_sample(const bf_layout *layout, bf_boards own, int color,
                             uint32_t pieces, bf_rng *rng) {
    found f;
    uint16_t words[ALL_WORDS];
    uint32_t upto[ALL_WORDS]; /* placements up to the end of each word */
    uint32_t count = 0;
    if (!find_legal(layout, own, color, pieces, &f)) return -1;
    int n = filled_words(&f, words);
    for (int i = 0; i < n; i++) upto[i] = count += (uint32_t)popcount64(f.legal[words[i]]);
    if (count == 0) return -1;
    uint32_t k = bf_rng_below(rng, count);
    int at = 0;
    for (int i = 0; i < n; i++) at += upto[i] <= k;
    if (at > 0) k -= upto[at - 1];
    return id_of(layout, words[at], f.legal[words[at]], k);
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

static int32_t draw_from(const void *boards, const bf_layout *layout, int piece, bf_rng *rng) {
    uint64_t legal[8 * BF_WORDS];
    piece_words(boards, piece, legal);
    return draw_placement(layout, piece, legal, rng);
}

static int32_t kernel_sample_weighted(const bf_layout *layout, bf_boards own, int color,
                                      uint32_t pieces, const uint32_t *weights, bf_rng *rng) {
    uint64_t allowed[PADDED], corner[PADDED];
    shifted s;
    if (!frontier_boards(layout, own, color, allowed, corner)) return -1;
    shift_all(allowed, corner, &s);
    return draw_by_weight(layout, pieces, weights, rng, draw_from, &s);
}

static void kernel_frontier(const bf_layout *layout, bf_boards own, int color,
                            uint64_t *allowed, uint64_t *corner) {
    uint64_t padded_allowed[PADDED], padded_corner[PADDED];
    frontier_boards(layout, own, color, padded_allowed, padded_corner);
    for (int w = 0; w < BF_WORDS; w++) {
        allowed[w] = padded_allowed[w] >> w | padded_allowed[w + 1] << (63 - w);
        corner[w] = padded_corner[w] >> w | padded_corner[w + 1] << (63 - w);
    }
}

#include "body_search.h"

#define BODY_KERNEL(name)                                                                      \
    {                                                                                          \
        name, kernel_list, kernel_count, kernel_any, kernel_mask, kernel_sample,               \
            kernel_frontier, kernel_sample_weighted, WIDE_MEMBERS                              \
    }
