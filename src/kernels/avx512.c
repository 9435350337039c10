/* avx512.c: the kernel for AVX-512, the whole board in one register.
 *
 * See docs/performance.md for how it works and what each step costs. Static functions and one
 * const table only.
 */
#include "kernels.h"

#if BF_X86_64

#include <immintrin.h>
#include <string.h>

#include "bf_kernel_code.h"
#include "rng.h"

typedef __m512i board;

#define ROWS_OF_8 12                 /* groups of 8 orientations */
#define ALL_ORIENTATIONS (8 * ROWS_OF_8)
#define ZERO_WORD 727                /* the last word of the last orientation is always 0 */

/* Truth tables of vpternlog for inputs x, y, z. */
enum { AND3 = 0x80, OR3 = 0xfe, OR_AND = 0xa8 /* (x | y) & z */, OR_NOT_AND = 0x02 /* ~(x|y)&z */ };

typedef struct frontier {
    board allowed, corner;
} frontier;

static inline board load(const void *p) { return _mm512_loadu_si512(p); }
static inline board or3(board x, board y, board z) {
    return _mm512_ternarylogic_epi64(x, y, z, OR3);
}
static inline int not_empty(board x) { return _mm512_test_epi64_mask(x, x) != 0; }
static inline board words_behind(board x, int n) {
    board zero = _mm512_setzero_si512();
    return n == 1 ? _mm512_alignr_epi64(zero, x, 1) : _mm512_alignr_epi64(zero, x, 2);
}

/* From the frame to rows of words: word i holds rows 3i to 3i + 2 (63 bits). A shift within a
 * row then needs no neighbour, and a shift by three rows is a shift by a word. */
static inline board to_rows(board x) {
    const board up = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const board down = _mm512_setr_epi64(64, 63, 62, 61, 60, 59, 58, 57);
    board before = _mm512_alignr_epi64(x, _mm512_setzero_si512(), 7);
    return _mm512_ternarylogic_epi64(_mm512_sllv_epi64(x, up), _mm512_srlv_epi64(before, down),
                                     _mm512_set1_epi64(INT64_MAX), OR_AND);
}

static inline frontier find_frontier(const bf_layout *layout, const uint64_t (*own)[BF_WORDS],
                                     int color) {
    board taken = or3(_mm512_or_si512(load(own[0]), load(own[1])), load(own[2]), load(own[3]));
    board open = to_rows(_mm512_andnot_si512(taken, load(layout->playable)));
    board framed = load(own[color]), mine = to_rows(framed);
    board before = _mm512_alignr_epi64(mine, _mm512_setzero_si512(), 7);
    /* Bits that leave a row at either end fall on squares that are never open. */
    board near = or3(or3(_mm512_slli_epi64(mine, 21), _mm512_srli_epi64(before, 42),
                         _mm512_srli_epi64(mine, 21)),
                     _mm512_slli_epi64(words_behind(mine, 1), 42), _mm512_setzero_si512());
    board beside = _mm512_or_si512(_mm512_slli_epi64(mine, 1), _mm512_srli_epi64(mine, 1));
    board corners = _mm512_or_si512(_mm512_slli_epi64(near, 1), _mm512_srli_epi64(near, 1));
    /* The first piece covers a start square instead of touching a corner. */
    if (!not_empty(framed)) corners = to_rows(load(layout->start[color]));
    frontier f;
    f.allowed = _mm512_ternarylogic_epi64(near, beside, open, OR_NOT_AND);
    f.corner = _mm512_and_si512(f.allowed, corners);
    return f;
}

/* Declare the boards a_00 to a_14 and c_00 to c_14 that the program starts from. */
#define LATER(x, i, j, n)                                                                      \
    board x##_##j = _mm512_srli_epi64(x##_##i, n);
#define ROW(x, i, here, behind, n)                                                             \
    board x##_##i = _mm512_or_si512(_mm512_srli_epi64(here, n), _mm512_slli_epi64(behind, 63 - (n)));
#define OFFSETS_OF(x, first)                                                                   \
    board x##_00 = (first);                                                                    \
    board x##_12 = words_behind(x##_00, 1), x##_3 = words_behind(x##_00, 1);                   \
    ROW(x, 05, x##_00, x##_3, 21) ROW(x, 09, x##_00, x##_3, 42)                                \
    board x##_6 = words_behind(x##_00, 2);                                                     \
    ROW(x, 14, x##_3, x##_6, 21)                                                               \
    LATER(x, 00, 01, 1) LATER(x, 00, 02, 2) LATER(x, 00, 03, 3) LATER(x, 00, 04, 4)            \
    LATER(x, 05, 06, 1) LATER(x, 05, 07, 2) LATER(x, 05, 08, 3)                                \
    LATER(x, 09, 10, 1) LATER(x, 09, 11, 2) LATER(x, 12, 13, 1)
#define OFFSETS(f)                                                                             \
    OFFSETS_OF(a, (f).allowed)                                                                 \
    OFFSETS_OF(c, (f).corner)

/* Keep the compiler from regrouping sums and products: it runs out of registers then. */
#if defined(__GNUC__)
#define AS_WRITTEN(x) __asm__("" : "+v"(x))
#else
#define AS_WRITTEN(x)
#endif

#define BF_JOIN(s, x, y)                                                                       \
    board a_##s = _mm512_and_si512(a_##x, a_##y);                                              \
    board c_##s = _mm512_or_si512(c_##x, c_##y);                                               \
    AS_WRITTEN(a_##s);                                                                         \
    AS_WRITTEN(c_##s);
#define BF_LEGAL1(i, o, piece, x) EMIT(i, o, piece, a_##x, c_##x)
#define BF_LEGAL2(i, o, piece, x, y)                                                           \
    EMIT(i, o, piece, _mm512_ternarylogic_epi64(c_##x, c_##y, a_##x, OR_AND), a_##y)

/* -------- list -------- */

typedef struct found {
    uint64_t legal[ALL_ORIENTATIONS][BF_WORDS];
    uint64_t filled[16]; /* byte i, bit w: word w of the i-th computed orientation is not 0 */
} found;

#define ORDER(b) \
    2 * (b), 2 * (b) + 1, 16 + 2 * (b), 17 + 2 * (b), 32 + 2 * (b), 33 + 2 * (b), 48 + 2 * (b), 49 + 2 * (b)
static const uint8_t IN_ORDER[64] = {ORDER(0), ORDER(1), ORDER(2), ORDER(3),
                                     ORDER(4), ORDER(5), ORDER(6), ORDER(7)};
#undef ORDER

static inline void generate(frontier f, found *out) {
    OFFSETS(f)
#define EMIT(i, o, piece, x, y)                                                                \
    board legal_##i = _mm512_and_si512(x, y);                                                  \
    _mm512_store_si512(out->legal[o], legal_##i);
/* Packing with signed saturation keeps what is not 0 from becoming 0: three rounds turn eight
 * boards into a byte per word. */
#define PACK4(x, y, z, t)                                                                      \
    _mm512_packs_epi16(_mm512_packs_epi32(x, y), _mm512_packs_epi32(z, t))
#define BF_EIGHT(i0, i1, i2, i3, i4, i5, i6, i7)                                               \
    {                                                                                          \
        board flags_ = _mm512_packs_epi16(PACK4(legal_##i0, legal_##i1, legal_##i2, legal_##i3),  \
                                          PACK4(legal_##i4, legal_##i5, legal_##i6, legal_##i7)); \
        flags_ = _mm512_permutexvar_epi8(in_order, flags_);                                    \
        out->filled[(1##i0 - 100) / 8] = _mm512_test_epi8_mask(flags_, flags_);                \
    }
    /* Packing leaves byte 2 * board + word % 2 in the 128-bit lane word / 2. */
    const board in_order = load(IN_ORDER);
#define BF_CODE_PROGRAM
#include "bf_kernel_code.h"
#undef BF_CODE_PROGRAM
#undef EMIT
    const board legal_91 = _mm512_setzero_si512(), legal_92 = legal_91, legal_93 = legal_91;
    const board legal_94 = legal_91, legal_95 = legal_91;
    BF_EIGHT(88, 89, 90, 91, 92, 93, 94, 95)
#undef BF_EIGHT
}

/* The filled flags in the order of the orientations, only those of the pieces. */
static inline void filled_words(const found *f, uint32_t pieces, uint64_t *bits) {
    board hand = _mm512_set1_epi64((long long)pieces);
    board low = load(f->filled), high = load(f->filled + 8);
    for (int i = 0; i < 2; i++) {
        __mmask64 held = _mm512_bitshuffle_epi64_mask(hand, load(bf_orientation_piece + 64 * i));
        board place = load(bf_orientation_place + 64 * i);
        _mm512_storeu_si512(bits + 8 * i,
                            _mm512_maskz_permutex2var_epi8(held, low, place, high));
    }
}

/* List the filled words as 8 * orientation + word, ascending; return how many. */
static inline int list_words(const uint64_t *bits, uint16_t *words) {
    static const uint8_t IOTA[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const board iota = load(IOTA);
    int n = 0;
    for (int i = 0; i < ROWS_OF_8; i++) {
        board at = _mm512_maskz_compress_epi8(bits[i], iota);
        board from = _mm512_set1_epi16((short)(64 * i));
        board low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(at));
        _mm512_storeu_si512(words + n, _mm512_add_epi16(low, from));
        int count = (int)_mm_popcnt_u64(bits[i]);
        if (count > 32) {
            board high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(at, 1));
            _mm512_storeu_si512(words + n + 32, _mm512_add_epi16(high, from));
        }
        n += count;
    }
    return n;
}

#ifdef STATS
long bf_groups, bf_over4, bf_over8, bf_words;
#endif

static const uint16_t REPLICATE[32] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
                                       4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7};

/* What turns a bit of a filled word into an id, for 16-bit lanes of many words. A word holds
 * three rows of 21 bits: id = first - 21 * row + bit + row * across, row being that in the word.
 */
typedef struct id_terms {
    uint16_t first[8 * ALL_ORIENTATIONS + 64]; /* id of bit 0, were it an anchor */
    uint16_t gap[8 * ALL_ORIENTATIONS + 64];   /* 21 - anchors across */
} id_terms;

/* Look up 16-bit values by orientation, in three registers of 32. */
static inline board look_up(board o, __mmask32 last, board t0, board t1, board t2) {
    return _mm512_mask_permutexvar_epi16(_mm512_permutex2var_epi16(t0, o, t1), last, o, t2);
}

static inline void find_terms(const bf_layout *layout, const uint16_t *words, int n, id_terms *t) {
    const board first_0 = load(layout->first), first_1 = load(layout->first + 32);
    const board first_2 = load(layout->first + 64);
    const board width_0 = load(bf_orientation_width), width_1 = load(bf_orientation_width + 32);
    const board width_2 = load(bf_orientation_width + 64);
    const board widest = _mm512_set1_epi16((short)(layout->size + 1));
    for (int i = 0; i < n; i += 32) {
        board word = load(words + i);
        board o = _mm512_srli_epi16(word, 3);
        __mmask32 last = _mm512_test_epi16_mask(o, _mm512_set1_epi16(64));
        board across = _mm512_sub_epi16(widest, look_up(o, last, width_0, width_1, width_2));
        board row = _mm512_and_si512(word, _mm512_set1_epi16(7));
        row = _mm512_add_epi16(row, _mm512_add_epi16(row, row));
        board first = _mm512_add_epi16(look_up(o, last, first_0, first_1, first_2),
                                       _mm512_mullo_epi16(row, across));
        _mm512_store_si512(t->first + i, first);
        _mm512_store_si512(t->gap + i, _mm512_sub_epi16(_mm512_set1_epi16(BF_STRIDE), across));
    }
}

typedef struct lowest {
    board slots; /* four 16-bit indices per word, 64 for none */
    board rest;
} lowest;

static inline lowest lowest_four(board x) {
    const board minus = _mm512_set1_epi64(-1);
    lowest out;
#define STEP(i, x, next)                                                                       \
    board less_##i = _mm512_add_epi64(x, minus);                                               \
    board n_##i = _mm512_popcnt_epi64(_mm512_andnot_si512(x, less_##i));                       \
    board next = _mm512_and_si512(x, less_##i);
    STEP(0, x, x1) STEP(1, x1, x2) STEP(2, x2, x3) STEP(3, x3, x4)
#undef STEP
    board s = or3(n_0, _mm512_slli_epi64(n_1, 16), _mm512_slli_epi64(n_2, 32));
    out.slots = _mm512_or_si512(s, _mm512_slli_epi64(n_3, 48));
    out.rest = x4;
    return out;
}

/* Write the ids of the slots in use, ascending. */
static inline uint16_t *emit(board slots, board first, board gap, uint16_t *ids) {
    __mmask32 valid = _mm512_testn_epi16_mask(slots, _mm512_set1_epi16(64));
    board row = _mm512_mulhi_epu16(slots, _mm512_set1_epi16(3121)); /* slots / 21 */
    board id = _mm512_sub_epi16(_mm512_add_epi16(first, slots), _mm512_mullo_epi16(row, gap));
    _mm512_storeu_si512(ids, _mm512_maskz_compress_epi16(valid, id));
    return ids + _mm_popcnt_u32(valid);
}

static uint16_t *emit_slowly(const uint64_t *x, const uint16_t *first, const uint16_t *gap,
                             uint16_t *ids) {
    for (int i = 0; i < 8; i++) {
        for (uint64_t left = x[i]; left != 0; left &= left - 1) {
            unsigned bit = (unsigned)_tzcnt_u64(left);
            *ids++ = (uint16_t)(first[i] + bit - bit / BF_STRIDE * gap[i]);
        }
    }
    return ids;
}

/* Write the ids of eight words. */
static inline uint16_t *emit_eight(const uint64_t *anchors, const uint16_t *first_at,
                                   const uint16_t *gap_at, uint16_t *ids) {
    const board replicate = load(REPLICATE);
    board x = load(anchors);
    board first = _mm512_castsi128_si512(_mm_load_si128((const __m128i *)first_at));
    board gap = _mm512_castsi128_si512(_mm_load_si128((const __m128i *)gap_at));
    first = _mm512_permutexvar_epi16(replicate, first);
    gap = _mm512_permutexvar_epi16(replicate, gap);
    lowest l = lowest_four(x);
    if (!not_empty(l.rest)) return emit(l.slots, first, gap, ids);
    lowest m = lowest_four(l.rest);
    if (not_empty(m.rest)) return emit_slowly(anchors, first_at, gap_at, ids);
    const board low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const board high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    ids = emit(_mm512_permutex2var_epi64(l.slots, low, m.slots),
               _mm512_permutex2var_epi64(first, low, first),
               _mm512_permutex2var_epi64(gap, low, gap), ids);
    return emit(_mm512_permutex2var_epi64(l.slots, high, m.slots),
                _mm512_permutex2var_epi64(first, high, first),
                _mm512_permutex2var_epi64(gap, high, gap), ids);
}

/* All filled words and what turns their bits into ids. */
typedef struct listing {
    uint64_t anchors[8 * ALL_ORIENTATIONS + 64];
    id_terms terms;
    int n;
} listing;

static inline void make_listing(const bf_layout *layout, frontier front, uint32_t pieces,
                                listing *l) {
    _Alignas(64) found f;
    _Alignas(64) uint16_t words[8 * ALL_ORIENTATIONS + 64];
    uint64_t bits[16];
    generate(front, &f);
    filled_words(&f, pieces, bits);
    int n = list_words(bits, words);
    _mm512_storeu_si512(words + n, _mm512_set1_epi16(ZERO_WORD));
    find_terms(layout, words, n, &l->terms);
    const uint64_t *legal = &f.legal[0][0];
    for (int i = 0; i < n; i += 8) {
        for (int j = 0; j < 8; j++) l->anchors[i + j] = legal[words[i + j]];
    }
    l->n = n;
}

static uint32_t kernel_list(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                            uint32_t pieces, uint16_t *ids) {
    _Alignas(64) listing l;
    frontier front = find_frontier(layout, own, color);
    if (!not_empty(front.corner)) return 0;
    make_listing(layout, front, pieces, &l);
    uint16_t *end = ids;
    for (int i = 0; i < l.n; i += 8) {
        end = emit_eight(l.anchors + i, l.terms.first + i, l.terms.gap + i, end);
    }
    return (uint32_t)(end - ids);
}

static uint32_t kernel_mask(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                            uint32_t pieces, uint8_t *mask) {
    enum { FULL = 256 };
    _Alignas(64) listing l;
    uint16_t ids[FULL + 512 + BF_LIST_PADDING];
    uint32_t count = 0;
    frontier front = find_frontier(layout, own, color);
    memset(mask, 0, layout->n_moves);
    if (!not_empty(front.corner)) return 0;
    make_listing(layout, front, pieces, &l);
    uint16_t *end = ids;
    for (int i = 0; i < l.n; i += 8) {
        end = emit_eight(l.anchors + i, l.terms.first + i, l.terms.gap + i, end);
        if (end - ids < FULL && i + 8 < l.n) continue;
        for (const uint16_t *id = ids; id < end; id++) mask[*id] = 1;
        count += (uint32_t)(end - ids);
        end = ids;
    }
    return count;
}

/* -------- count and any -------- */

/* All ones for every piece in hand, else 0. The compiler must not see through the memory: an
 * operand from there costs nothing. */
static inline const uint64_t *hand_words(uint32_t pieces, uint64_t *hand) {
    for (int i = 0; i < 24; i += 8) {
        _mm512_storeu_si512(hand + i, _mm512_movm_epi64((__mmask8)(pieces >> i)));
    }
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(hand) : : "memory");
#endif
    return hand;
}

#define BF_EIGHT(...)

static uint32_t kernel_count(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                             uint32_t pieces) {
    uint64_t buffer[24];
    frontier f = find_frontier(layout, own, color);
    if (!not_empty(f.corner)) return 0;
    const uint64_t *hand = hand_words(pieces, buffer);
    board sum_0 = _mm512_setzero_si512(), sum_1 = sum_0;
    OFFSETS(f)
#define EMIT(i, o, piece, x, y)                                                                \
    do {                                                                                       \
        board hand_ = _mm512_set1_epi64((long long)hand[piece]);                               \
        board n_ = _mm512_popcnt_epi64(_mm512_ternarylogic_epi64(x, y, hand_, AND3));          \
        if ((o) % 2 == 0) {                                                                    \
            sum_0 = _mm512_add_epi64(sum_0, n_);                                               \
            AS_WRITTEN(sum_0);                                                                 \
        } else {                                                                               \
            sum_1 = _mm512_add_epi64(sum_1, n_);                                               \
            AS_WRITTEN(sum_1);                                                                 \
        }                                                                                      \
    } while (0);
#define BF_CODE_PROGRAM
#include "bf_kernel_code.h"
#undef BF_CODE_PROGRAM
#undef EMIT
    return (uint32_t)_mm512_reduce_add_epi64(_mm512_add_epi64(sum_0, sum_1));
}

static int kernel_any(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                      uint32_t pieces) {
    uint64_t buffer[24];
    frontier f = find_frontier(layout, own, color);
    if (!not_empty(f.corner)) return 0;
    if ((pieces & 1) != 0) return 1; /* a monomino fits on every corner square */
    const uint64_t *hand = hand_words(pieces, buffer);
    board all = _mm512_setzero_si512();
    OFFSETS(f)
#define EMIT(i, o, piece, x, y)                                                                \
    do {                                                                                       \
        board hand_ = _mm512_set1_epi64((long long)hand[piece]);                               \
        all = _mm512_or_si512(all, _mm512_ternarylogic_epi64(x, y, hand_, AND3));              \
        AS_WRITTEN(all);                                                                       \
    } while (0);
#define BF_CODE_PROGRAM
#include "bf_kernel_code.h"
#undef BF_CODE_PROGRAM
#undef EMIT
    return not_empty(all);
}

/* -------- sample -------- */

#define IN_EACH_16 UINT64_C(0x0001000100010001)
#define TOP_OF_16 UINT64_C(0x8000800080008000)

/* Find where number k falls in rows of counts, each of 4 x 16 bits, all sums below 2^15.
 * `sums` holds the inclusive prefix sums; k becomes the number within what is found. */
static inline unsigned find_16(const uint64_t *sums, int rows, uint32_t *k) {
    unsigned at = 0;
    uint16_t before[16] = {0};
    for (int i = 0; i < rows; i++) {
        /* Bit 15 of a field stays set if k is not below the sum. */
        uint64_t passed = ((*k * IN_EACH_16 | TOP_OF_16) - sums[i]) & TOP_OF_16;
        at += (unsigned)_mm_popcnt_u64(passed);
        memcpy(before + 1 + 4 * i, &sums[i], 8);
    }
    *k -= before[at];
    return at;
}

/* Add the four 128-bit lanes; 16-bit sums. */
static inline __m128i add_lanes(board x) {
    __m256i half = _mm256_add_epi16(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    return _mm_add_epi16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

/* Choose among eight counts of 16 bits by number. */
static inline unsigned find_8(__m128i counts, uint32_t *k) {
    uint64_t sums[2];
    sums[0] = (uint64_t)_mm_cvtsi128_si64(counts) * IN_EACH_16;
    sums[1] = (uint64_t)_mm_extract_epi64(counts, 1) * IN_EACH_16 + (sums[0] >> 48) * IN_EACH_16;
    return find_16(sums, 2, k);
}

/* The counts of eight boards, 16 bits each. */
static inline __m128i count_eight(const uint64_t (*boards)[BF_WORDS]) {
#define COUNT(i) _mm512_popcnt_epi64(load(boards[i]))
    board bytes = _mm512_packus_epi16(
        _mm512_packus_epi16(_mm512_packus_epi32(COUNT(0), COUNT(1)),
                            _mm512_packus_epi32(COUNT(2), COUNT(3))),
        _mm512_packus_epi16(_mm512_packus_epi32(COUNT(4), COUNT(5)),
                            _mm512_packus_epi32(COUNT(6), COUNT(7))));
#undef COUNT
    /* Bytes 2i and 2i + 1 of a lane are two words of board i. */
    return add_lanes(_mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1)));
}

/* The id of placement number k of an orientation. */
static inline int32_t kth_id(const bf_layout *layout, unsigned o, const uint64_t *legal,
                             uint32_t k) {
    unsigned word = find_8(_mm512_cvtepi64_epi16(_mm512_popcnt_epi64(load(legal))), &k);
    unsigned bit = (unsigned)_tzcnt_u64(_pdep_u64(UINT64_C(1) << k, legal[word]));
    unsigned across = layout->size + 1u - bf_orientation_width[o];
    return (int32_t)(layout->first[o] + (3 * word + bit / BF_STRIDE) * across + bit % BF_STRIDE);
}

static int32_t kernel_sample(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                             uint32_t pieces, bf_rng *rng) {
    uint64_t buffer[24];
    _Alignas(64) uint64_t legal[ALL_ORIENTATIONS][BF_WORDS];
    frontier f = find_frontier(layout, own, color);
    if (!not_empty(f.corner)) return -1;
    const uint64_t *hand = hand_words(pieces, buffer);
    OFFSETS(f)
#define EMIT(i, o, piece, x, y)                                                                \
    do {                                                                                       \
        board hand_ = _mm512_set1_epi64((long long)hand[piece]);                               \
        _mm512_store_si512(legal[o], _mm512_ternarylogic_epi64(x, y, hand_, AND3));            \
    } while (0);
#define BF_CODE_PROGRAM
#include "bf_kernel_code.h"
#undef BF_CODE_PROGRAM
#undef EMIT
    for (int o = BF_ORIENTATIONS; o < ALL_ORIENTATIONS; o++) {
        _mm512_store_si512(legal[o], _mm512_setzero_si512());
    }
    /* Count eight orientations together, then look for number k among the 12 sums. */
    board sum[ROWS_OF_8];
    for (int i = 0; i < ROWS_OF_8; i++) {
        board n[8];
        for (int j = 0; j < 8; j++) n[j] = _mm512_popcnt_epi64(load(legal[8 * i + j]));
        for (int j = 0; j < 4; j++) n[j] = _mm512_add_epi64(n[j], n[j + 4]);
        sum[i] = _mm512_add_epi64(_mm512_add_epi64(n[0], n[1]), _mm512_add_epi64(n[2], n[3]));
    }
    uint64_t sums[3], total = 0;
    for (int i = 0; i < 3; i++) {
        board pairs = _mm512_packus_epi32(_mm512_packus_epi32(sum[4 * i], sum[4 * i + 1]),
                                          _mm512_packus_epi32(sum[4 * i + 2], sum[4 * i + 3]));
        /* 16-bit counts of even and odd words, side by side. */
        __m128i both = add_lanes(pairs);
        __m128i counts = _mm_madd_epi16(both, _mm_set1_epi16(1));
        counts = _mm_packus_epi32(counts, counts);
        sums[i] = (uint64_t)_mm_cvtsi128_si64(counts) * IN_EACH_16 + total * IN_EACH_16;
        total = sums[i] >> 48;
    }
    if (total == 0) return -1;
    uint32_t k = bf_rng_below(rng, (uint32_t)total);
    unsigned group = find_16(sums, 3, &k);
    unsigned o = 8 * group + find_8(count_eight((const uint64_t(*)[BF_WORDS])legal + 8 * group), &k);
    return kth_id(layout, o, legal[o], k);
}

/* -------- sample by weight -------- */

/* Inclusive prefix sums of 16 numbers. */
static inline board prefix_sums(board x) {
    board zero = _mm512_setzero_si512();
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    return _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}

/* Draw one of the pieces by weight; return -1 if all weights are 0. */
static inline int draw_piece(uint32_t pieces, const uint32_t *weights, bf_rng *rng) {
    const board last = _mm512_set1_epi32(15);
    board low = prefix_sums(_mm512_maskz_loadu_epi32((__mmask16)pieces, weights));
    board high = prefix_sums(_mm512_maskz_loadu_epi32((__mmask16)(pieces >> 16 & 31), weights + 16));
    high = _mm512_add_epi32(high, _mm512_permutexvar_epi32(last, low));
    uint32_t sum = (uint32_t)_mm_cvtsi128_si32(
        _mm512_castsi512_si128(_mm512_permutexvar_epi32(last, high)));
    if (sum == 0) return -1;
    board k = _mm512_set1_epi32((int)bf_rng_below(rng, sum));
    return (int)(_mm_popcnt_u32(_mm512_cmple_epu32_mask(low, k)) +
                 _mm_popcnt_u32(_mm512_cmple_epu32_mask(high, k)));
}

typedef struct shifted {
    uint64_t allowed[16][BF_WORDS];
    uint64_t corner[16][BF_WORDS];
} shifted;

static inline void shift_all(frontier f, shifted *s) {
    OFFSETS(f)
#define KEEP(i, n)                                                                             \
    _mm512_store_si512(s->allowed[n], a_##i);                                                  \
    _mm512_store_si512(s->corner[n], c_##i);
    KEEP(00, 0) KEEP(01, 1) KEEP(02, 2) KEEP(03, 3) KEEP(04, 4) KEEP(05, 5) KEEP(06, 6)
    KEEP(07, 7) KEEP(08, 8) KEEP(09, 9) KEEP(10, 10) KEEP(11, 11) KEEP(12, 12) KEEP(13, 13)
    KEEP(14, 14)
#undef KEEP
    _mm512_store_si512(s->allowed[15], _mm512_setzero_si512());
    _mm512_store_si512(s->corner[15], _mm512_setzero_si512());
}

static inline void piece_boards(const shifted *s, int piece, uint64_t (*legal)[BF_WORDS]) {
    const uint8_t *cell = bf_piece_cells + 40 * piece;
    for (int i = 0; i < 8; i++, cell += 5) {
#define A(j) load(s->allowed[cell[j]])
#define C(j) load(s->corner[cell[j]])
        board touches = or3(or3(C(0), C(1), C(2)), C(3), C(4));
        board fits = _mm512_ternarylogic_epi64(A(0), A(1), A(2), AND3);
        fits = _mm512_ternarylogic_epi64(fits, A(3), A(4), AND3);
        _mm512_store_si512(legal[i], _mm512_and_si512(fits, touches));
#undef A
#undef C
    }
}

static int32_t kernel_sample_weighted(const bf_layout *layout, const uint64_t (*own)[BF_WORDS],
                                      int color, uint32_t pieces, const uint32_t *weights,
                                      bf_rng *rng) {
    _Alignas(64) uint64_t legal[8][BF_WORDS];
    _Alignas(64) shifted s;
    bf_rng before = *rng;
    frontier f = find_frontier(layout, own, color);
    if (!not_empty(f.corner)) return -1;
    shift_all(f, &s);
    for (;;) {
        int piece = draw_piece(pieces, weights, rng);
        if (piece < 0) {
            *rng = before;
            return -1;
        }
        piece_boards(&s, piece, legal);
        __m128i counts = count_eight((const uint64_t(*)[BF_WORDS])legal);
        uint64_t both = (uint64_t)_mm_cvtsi128_si64(counts) + (uint64_t)_mm_extract_epi64(counts, 1);
        uint32_t total = (uint32_t)((both * IN_EACH_16) >> 48);
        if (total != 0) {
            uint32_t k = bf_rng_below(rng, total);
            unsigned i = find_8(counts, &k);
            return kth_id(layout, bf_piece_first[piece] + i, legal[i], k);
        }
        pieces &= ~(UINT32_C(1) << piece);
    }
}

static void kernel_frontier(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                            uint64_t *allowed, uint64_t *corner) {
    /* Back from rows of words to the frame. */
    const board down = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const board up = _mm512_setr_epi64(63, 62, 61, 60, 59, 58, 57, 56);
    frontier f = find_frontier(layout, own, color);
    _mm512_storeu_si512(allowed, _mm512_or_si512(_mm512_srlv_epi64(f.allowed, down),
                                                 _mm512_sllv_epi64(words_behind(f.allowed, 1), up)));
    _mm512_storeu_si512(corner, _mm512_or_si512(_mm512_srlv_epi64(f.corner, down),
                                                _mm512_sllv_epi64(words_behind(f.corner, 1), up)));
}

const bf_kernel bf_kernel_avx512 = {
    "avx512",      kernel_list,   kernel_count,    kernel_any,
    kernel_mask,   kernel_sample, kernel_frontier, kernel_sample_weighted};

#else
typedef int bf_avx512_not_here; /* a translation unit must not be empty */
#endif
