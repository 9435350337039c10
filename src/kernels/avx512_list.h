/* avx512_list.h: list and mask. Only for avx512.c.
 *
 * Four steps without a branch that depends on the position: compute and store the boards of all
 * orientations; list the words that are not 0; collect these words; turn the bits of eight words
 * at a time into ids.
 */
typedef struct found {
    uint64_t legal[ALL_ORIENTATIONS][BF_WORDS];
    board low, high; /* byte i, bit w: word w of the i-th computed orientation is not 0 */
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
    uint64_t filled_##i0;                                                                      \
    {                                                                                          \
        board flags_ = _mm512_packs_epi16(PACK4(legal_##i0, legal_##i1, legal_##i2, legal_##i3),  \
                                          PACK4(legal_##i4, legal_##i5, legal_##i6, legal_##i7)); \
        flags_ = _mm512_permutexvar_epi8(in_order, flags_);                                    \
        filled_##i0 = _mm512_test_epi8_mask(flags_, flags_);                                   \
    }
    /* Packing leaves byte 2 * board + word % 2 in the 128-bit lane word / 2. */
    const board in_order = load(IN_ORDER);
#define BF_CODE_PROGRAM
#include "bf_program.h"
#undef EMIT
    const board legal_91 = _mm512_setzero_si512(), legal_92 = legal_91, legal_93 = legal_91;
    const board legal_94 = legal_91, legal_95 = legal_91;
    BF_EIGHT(88, 89, 90, 91, 92, 93, 94, 95)
#undef BF_EIGHT
    /* Not by way of memory: a load would wait until all the boards have been stored. */
#define WORD(i) (long long)filled_##i
    out->low = _mm512_setr_epi64(WORD(00), WORD(08), WORD(16), WORD(24), WORD(32), WORD(40),
                                 WORD(48), WORD(56));
    out->high = _mm512_setr_epi64(WORD(64), WORD(72), WORD(80), WORD(88), 0, 0, 0, 0);
#undef WORD
}

/* The filled flags in the order of the orientations, only those of the pieces. */
static inline void filled_words(const found *f, uint32_t pieces, uint64_t *bits) {
    board hand = _mm512_set1_epi64((long long)pieces);
    for (int i = 0; i < 2; i++) {
        __mmask64 held = _mm512_bitshuffle_epi64_mask(hand, load(bf_orientation_piece + 64 * i));
        board place = load(bf_orientation_place + 64 * i);
        _mm512_storeu_si512(bits + 8 * i,
                            _mm512_maskz_permutex2var_epi8(held, f->low, place, f->high));
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

static uint32_t kernel_list(const bf_layout *layout, bf_boards own, int color,
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

/* Faster than memset at this length. */
static inline void clear(uint8_t *bytes, unsigned n) {
    const board zero = _mm512_setzero_si512();
    unsigned i = 0;
    for (; i + 64 <= n; i += 64) _mm512_storeu_si512(bytes + i, zero);
    _mm512_mask_storeu_epi8(bytes + i, (UINT64_C(1) << (n - i)) - 1, zero);
}

static uint32_t kernel_mask(const bf_layout *layout, bf_boards own, int color,
                            uint32_t pieces, uint8_t *mask) {
    enum { FULL = 256 };
    _Alignas(64) listing l;
    uint16_t ids[FULL + 512 + BF_LIST_PADDING];
    uint32_t count = 0;
    frontier front = find_frontier(layout, own, color);
    clear(mask, layout->n_moves);
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
