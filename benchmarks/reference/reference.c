/* reference.c: a legal move generator in ordinary portable C. FROZEN: the yardstick of every
 * speed claim, so never tune it, and compile it with -O3 for the plain baseline only.
 *
 * It does what a careful author would write first: bitboards of 64-bit words, plain loops over
 * orientations and cells, shifts computed once, bits taken out one by one. It shares no code and
 * no table with src/kernels, so that it is also a check on them.
 */
#include "reference.h"

#include <string.h>

typedef struct orientation {
    int piece;
    int n_cells;
    int cells[5][2]; /* row, column from the top left of the bounding box */
} orientation;

static const orientation ORIENTATIONS[BF_ORIENTATIONS] = {
    {0, 1, {{0, 0}}},
    {1, 2, {{0, 0}, {0, 1}}},
    {1, 2, {{0, 0}, {1, 0}}},
    {2, 3, {{0, 0}, {0, 1}, {0, 2}}},
    {2, 3, {{0, 0}, {1, 0}, {2, 0}}},
    {3, 3, {{0, 0}, {0, 1}, {1, 0}}},
    {3, 3, {{0, 0}, {0, 1}, {1, 1}}},
    {3, 3, {{0, 0}, {1, 0}, {1, 1}}},
    {3, 3, {{0, 1}, {1, 0}, {1, 1}}},
    {4, 4, {{0, 0}, {0, 1}, {0, 2}, {0, 3}}},
    {4, 4, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}},
    {5, 4, {{0, 0}, {0, 1}, {0, 2}, {1, 0}}},
    {5, 4, {{0, 0}, {0, 1}, {0, 2}, {1, 2}}},
    {5, 4, {{0, 0}, {0, 1}, {1, 0}, {2, 0}}},
    {5, 4, {{0, 0}, {0, 1}, {1, 1}, {2, 1}}},
    {5, 4, {{0, 0}, {1, 0}, {1, 1}, {1, 2}}},
    {5, 4, {{0, 0}, {1, 0}, {2, 0}, {2, 1}}},
    {5, 4, {{0, 1}, {1, 1}, {2, 0}, {2, 1}}},
    {5, 4, {{0, 2}, {1, 0}, {1, 1}, {1, 2}}},
    {6, 4, {{0, 0}, {0, 1}, {0, 2}, {1, 1}}},
    {6, 4, {{0, 0}, {1, 0}, {1, 1}, {2, 0}}},
    {6, 4, {{0, 1}, {1, 0}, {1, 1}, {1, 2}}},
    {6, 4, {{0, 1}, {1, 0}, {1, 1}, {2, 1}}},
    {7, 4, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
    {8, 4, {{0, 0}, {0, 1}, {1, 1}, {1, 2}}},
    {8, 4, {{0, 0}, {1, 0}, {1, 1}, {2, 1}}},
    {8, 4, {{0, 1}, {0, 2}, {1, 0}, {1, 1}}},
    {8, 4, {{0, 1}, {1, 0}, {1, 1}, {2, 0}}},
    {9, 5, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 1}}},
    {9, 5, {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 1}}},
    {9, 5, {{0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 1}}},
    {9, 5, {{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 0}}},
    {9, 5, {{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 2}}},
    {9, 5, {{0, 1}, {1, 0}, {1, 1}, {2, 1}, {2, 2}}},
    {9, 5, {{0, 1}, {1, 1}, {1, 2}, {2, 0}, {2, 1}}},
    {9, 5, {{0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 1}}},
    {10, 5, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}}},
    {10, 5, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}}},
    {11, 5, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}}},
    {11, 5, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 3}}},
    {11, 5, {{0, 0}, {0, 1}, {1, 0}, {2, 0}, {3, 0}}},
    {11, 5, {{0, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 1}}},
    {11, 5, {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {1, 3}}},
    {11, 5, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}}},
    {11, 5, {{0, 1}, {1, 1}, {2, 1}, {3, 0}, {3, 1}}},
    {11, 5, {{0, 3}, {1, 0}, {1, 1}, {1, 2}, {1, 3}}},
    {12, 5, {{0, 0}, {0, 1}, {0, 2}, {1, 2}, {1, 3}}},
    {12, 5, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {1, 3}}},
    {12, 5, {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {3, 1}}},
    {12, 5, {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {3, 1}}},
    {12, 5, {{0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}}},
    {12, 5, {{0, 1}, {1, 0}, {1, 1}, {2, 0}, {3, 0}}},
    {12, 5, {{0, 1}, {1, 1}, {2, 0}, {2, 1}, {3, 0}}},
    {12, 5, {{0, 2}, {0, 3}, {1, 0}, {1, 1}, {1, 2}}},
    {13, 5, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}}},
    {13, 5, {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}}},
    {13, 5, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}}},
    {13, 5, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}}},
    {13, 5, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 1}}},
    {13, 5, {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}},
    {13, 5, {{0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}},
    {13, 5, {{0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}},
    {14, 5, {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {2, 1}}},
    {14, 5, {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 0}}},
    {14, 5, {{0, 1}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}},
    {14, 5, {{0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 2}}},
    {15, 5, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 2}}},
    {15, 5, {{0, 0}, {0, 1}, {1, 0}, {2, 0}, {2, 1}}},
    {15, 5, {{0, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}}},
    {15, 5, {{0, 0}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}},
    {16, 5, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, 0}}},
    {16, 5, {{0, 0}, {0, 1}, {0, 2}, {1, 2}, {2, 2}}},
    {16, 5, {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}}},
    {16, 5, {{0, 2}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}},
    {17, 5, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}}},
    {17, 5, {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}}},
    {17, 5, {{0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}}},
    {17, 5, {{0, 2}, {1, 1}, {1, 2}, {2, 0}, {2, 1}}},
    {18, 5, {{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}}},
    {19, 5, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}}},
    {19, 5, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 2}}},
    {19, 5, {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {3, 0}}},
    {19, 5, {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {3, 0}}},
    {19, 5, {{0, 1}, {1, 0}, {1, 1}, {1, 2}, {1, 3}}},
    {19, 5, {{0, 1}, {1, 0}, {1, 1}, {2, 1}, {3, 1}}},
    {19, 5, {{0, 1}, {1, 1}, {2, 0}, {2, 1}, {3, 1}}},
    {19, 5, {{0, 2}, {1, 0}, {1, 1}, {1, 2}, {1, 3}}},
    {20, 5, {{0, 0}, {0, 1}, {1, 1}, {2, 1}, {2, 2}}},
    {20, 5, {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 2}}},
    {20, 5, {{0, 1}, {0, 2}, {1, 1}, {2, 0}, {2, 1}}},
    {20, 5, {{0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}}},
};

typedef struct board {
    uint64_t words[BF_WORDS];
} board;

/* Every square moves `by` squares on (or back, if negative). */
static void shift(const board *from, int by, board *to) {
    int back = by < 0 ? -by : by, whole = back >> 6, part = back & 63;
    for (int w = 0; w < BF_WORDS; w++) {
        int near = by < 0 ? w + whole : w - whole, far = by < 0 ? near + 1 : near - 1;
        uint64_t a = near >= 0 && near < BF_WORDS ? from->words[near] : 0;
        uint64_t b = far >= 0 && far < BF_WORDS ? from->words[far] : 0;
        if (part == 0) {
            to->words[w] = a;
        } else if (by < 0) {
            to->words[w] = (a >> part) | (b << (64 - part));
        } else {
            to->words[w] = (a << part) | (b >> (64 - part));
        }
    }
}

static int is_empty(const board *b) {
    uint64_t any = 0;
    for (int w = 0; w < BF_WORDS; w++) any |= b->words[w];
    return any == 0;
}

/* Squares that may be covered, and those of them of which one must be. */
static void frontier(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                     board *allowed, board *corner) {
    static const int EDGES[4] = {-BF_STRIDE, -1, 1, BF_STRIDE};
    static const int DIAGONALS[4] = {-BF_STRIDE - 1, -BF_STRIDE + 1, BF_STRIDE - 1, BF_STRIDE + 1};
    board mine, moved, near = {{0}};
    memcpy(mine.words, own[color], sizeof mine.words);
    for (int w = 0; w < BF_WORDS; w++) {
        uint64_t taken = own[0][w] | own[1][w] | own[2][w] | own[3][w];
        allowed->words[w] = layout->playable[w] & ~taken;
    }
    for (int i = 0; i < 4; i++) {
        shift(&mine, EDGES[i], &moved);
        for (int w = 0; w < BF_WORDS; w++) allowed->words[w] &= ~moved.words[w];
        shift(&mine, DIAGONALS[i], &moved);
        for (int w = 0; w < BF_WORDS; w++) near.words[w] |= moved.words[w];
    }
    if (is_empty(&mine)) memcpy(near.words, layout->start[color], sizeof near.words);
    for (int w = 0; w < BF_WORDS; w++) corner->words[w] = allowed->words[w] & near.words[w];
}

/* The boards shifted to the top left by every offset within 5 rows and columns that is in use. */
typedef struct shifted {
    board allowed[5][5];
    board corner[5][5];
} shifted;

static void shift_all(const board *allowed, const board *corner, shifted *s) {
    for (int row = 0; row < 5; row++) {
        for (int column = 0; row + column < 5; column++) {
            shift(allowed, -(BF_STRIDE * row + column), &s->allowed[row][column]);
            shift(corner, -(BF_STRIDE * row + column), &s->corner[row][column]);
        }
    }
    shift(allowed, -(BF_STRIDE * 2 + 2), &s->allowed[2][2]);
    shift(corner, -(BF_STRIDE * 2 + 2), &s->corner[2][2]);
}

static void legal_anchors(const shifted *s, const orientation *o, board *legal) {
    for (int w = 0; w < BF_WORDS; w++) {
        uint64_t fits = ~UINT64_C(0), touches = 0;
        for (int i = 0; i < o->n_cells; i++) {
            fits &= s->allowed[o->cells[i][0]][o->cells[i][1]].words[w];
            touches |= s->corner[o->cells[i][0]][o->cells[i][1]].words[w];
        }
        legal->words[w] = fits & touches;
    }
}

static int lowest_bit(uint64_t x) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(x);
#else
    int n = 0;
    for (; (x & 1) == 0; x >>= 1) n++;
    return n;
#endif
}

static uint32_t count_bits(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

uint32_t bf_reference_list(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                           uint32_t pieces, uint16_t *ids) {
    board allowed, corner, legal;
    shifted s;
    uint32_t n = 0;
    frontier(layout, own, color, &allowed, &corner);
    if (is_empty(&corner)) return 0;
    shift_all(&allowed, &corner, &s);
    for (int i = 0; i < BF_ORIENTATIONS; i++) {
        const orientation *o = &ORIENTATIONS[i];
        if ((pieces >> o->piece & 1) == 0) continue;
        int width = 1;
        for (int j = 0; j < o->n_cells; j++) {
            if (o->cells[j][1] >= width) width = o->cells[j][1] + 1;
        }
        legal_anchors(&s, o, &legal);
        for (int w = 0; w < BF_WORDS; w++) {
            for (uint64_t left = legal.words[w]; left != 0; left &= left - 1) {
                int bit = 64 * w + lowest_bit(left);
                int row = bit / BF_STRIDE, column = bit % BF_STRIDE;
                ids[n++] = (uint16_t)(layout->first[i] + row * (layout->size + 1 - width) + column);
            }
        }
    }
    return n;
}

uint32_t bf_reference_count(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                            uint32_t pieces) {
    board allowed, corner, legal;
    shifted s;
    uint32_t n = 0;
    frontier(layout, own, color, &allowed, &corner);
    if (is_empty(&corner)) return 0;
    shift_all(&allowed, &corner, &s);
    for (int i = 0; i < BF_ORIENTATIONS; i++) {
        if ((pieces >> ORIENTATIONS[i].piece & 1) == 0) continue;
        legal_anchors(&s, &ORIENTATIONS[i], &legal);
        for (int w = 0; w < BF_WORDS; w++) n += count_bits(legal.words[w]);
    }
    return n;
}
