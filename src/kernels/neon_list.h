/* neon_list.h: list and mask. Only for neon.c.
 *
 * Three steps: compute and store the boards of all orientations, slice by slice, with a byte for
 * each word that says whether it is empty; collect the words that are not; turn the bits of eight
 * words at a time into ids.
 */
#define MOST_WORDS (64 * EIGHTS)

/* Of eight boards, 16 bytes in order, one a word: 0 for a word that is empty. */
static inline uint8x16_t halves(slice x, slice y) {
    return vreinterpretq_u8_u32(vpmaxq_u32(vreinterpretq_u32_u64(x), vreinterpretq_u32_u64(y)));
}
static inline uint8x16_t quarters(uint8x16_t x, uint8x16_t y) {
    return vreinterpretq_u8_u16(vpmaxq_u16(vreinterpretq_u16_u8(x), vreinterpretq_u16_u8(y)));
}
#define FILLED(i0, i1, i2, i3, i4, i5, i6, i7)                                                 \
    vpmaxq_u8(quarters(halves(i0, i1), halves(i2, i3)), quarters(halves(i4, i5), halves(i6, i7)))

/* What BF_EIGHT does with eight boards legal_i: keep their bytes. i is of two digits, and 08 would not
 * be a number. */
#define KEEP_FILLED(i, i1, i2, i3, i4, i5, i6, i7)                                             \
    vst1q_u8(filled[(1##i - 100) / 8],                                                         \
             FILLED(legal_##i, legal_##i1, legal_##i2, legal_##i3, legal_##i4, legal_##i5,     \
                    legal_##i6, legal_##i7));

/* Compute and store all orientations for the words from w on. */
static void generate_slice(const frontier *f, int w, uint64_t *legal, uint8_t (*filled)[16]) {
    OFFSETS(f, w)
#define EMIT(i, o, value)                                                                      \
    slice legal_##i = (value);                                                                 \
    store(legal + 8 * (o) + w, legal_##i);
#define BF_EIGHT KEEP_FILLED
#define BF_CODE_PROGRAM
#include "bf_program.h"
    const slice legal_91 = vdupq_n_u64(0);
    BF_EIGHT(88, 89, 90, 91, 91, 91, 91, 91)
#undef BF_EIGHT
#undef EMIT
}

/* For each eight orientations 64 bits in the order of the ids, the first one highest: words that
 * are not empty. */
static inline void fill_bits(uint8_t (*filled)[EIGHTS][16], uint32_t pieces, uint64_t *bits) {
    const uint8x16x2_t hand = hand_of(pieces);
    const uint8x16_t of_word = vreinterpretq_u8_u16(vdupq_n_u16(0x55aa));
    uint8x16_t flags[EIGHTS], found[PAIRS];
    for (int i = 0; i < EIGHTS; i++) {
        /* In the byte 2 * board + word % 2, bit 7 - 2 * slice and all below it. */
#define FLAG(s) vtstq_u8(load_bytes(filled[s][i]), load_bytes(filled[s][i]))
        uint8x16_t at = vsriq_n_u8(FLAG(0), FLAG(1), 2);
        at = vsriq_n_u8(vsriq_n_u8(at, FLAG(2), 4), FLAG(3), 6);
#undef FLAG
        flags[i] = vandq_u8(at, of_word);
    }
    for (int i = 0; i < PAIRS; i++) found[i] = vpaddq_u8(flags[2 * i], flags[2 * i + 1]);
    for (int i = 0; i < PAIRS; i++) {
        uint8x16_t held = vqtbl2q_u8(hand, load_bytes(bf_orientation_piece + 16 * i));
        uint8x16_t at = vandq_u8(in_order(found, load_bytes(bf_orientation_place + 16 * i)), held);
        store(bits + 2 * i, vreinterpretq_u64_u8(vrev64q_u8(at)));
    }
}

/* The words that are not empty, padded by empty ones, and what turns their bits into ids. */
typedef struct listing {
    uint64_t anchors[MOST_WORDS + 8];
    bf_terms terms[MOST_WORDS + 8];
} listing;

static inline int collect(const bf_layout *layout, const uint64_t *legal, const uint64_t *bits,
                          listing *l) {
    const bf_terms *from = layout->terms;
    uint64_t *anchors = l->anchors;
    bf_terms *terms = l->terms;
    for (int i = 0; i < EIGHTS; i++, legal += 64, from += 64) {
        for (uint64_t left = bits[i]; left != 0;) {
            int at = __builtin_clzll(left);
            *anchors++ = legal[at];
            *terms++ = from[at];
            left &= ~(UINT64_C(1) << 63 >> at);
        }
    }
    for (int i = 0; i < 8; i += 2) store(anchors + i, vdupq_n_u64(0));
    return (int)(anchors - l->anchors);
}

/* Constants of the last step, for 16 slots: of four words, four each. */
typedef struct emit_tables {
    uint8x16_t order;    /* where the slot is in the sums of bytes */
    uint8x16_t each[2];  /* its word, of four words and of the four behind them */
    uint8x16_t first[4]; /* the 16-bit number of its word, for two words each */
    uint8x16_t slot;     /* 1 to 4 */
    uint8x16_t row[2];   /* the last bits of the rows 0 and 1 of a word */
    slice minus;         /* -1 */
} emit_tables;

static inline emit_tables make_emit_tables(void) {
#define TWICE(i) 2 * (i), 2 * (i) + 1
#define FOUR(i) TWICE(i), TWICE(i), TWICE(i), TWICE(i)
    static const uint8_t ORDER[16] = {0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15};
    static const uint8_t EACH[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    static const uint8_t FIRST[16] = {FOUR(0), FOUR(1)};
#undef FOUR
#undef TWICE
    emit_tables t;
    t.order = load_bytes(ORDER);
    t.each[0] = load_bytes(EACH);
    t.first[0] = load_bytes(FIRST);
    t.each[1] = vaddq_u8(t.each[0], vdupq_n_u8(4));
    for (int i = 1; i < 4; i++) t.first[i] = vaddq_u8(t.first[i - 1], vdupq_n_u8(4));
    t.slot = vreinterpretq_u8_u32(vdupq_n_u32(0x04030201));
    for (int i = 0; i < 2; i++) t.row[i] = vdupq_n_u8((uint8_t)(BF_STRIDE * (i + 1) - 1));
    t.minus = vdupq_n_u64(UINT64_MAX);
    return t;
}

/* Of each of four words the sums count(x - 1), count(x' - 1) and so on, where x' is x without its
 * lowest bit: the number of that bit, and how many bits are above it. */
static inline uint8x16_t lowest_four(slice x, slice y, const emit_tables *tables) {
    uint8x16_t s[4], t[4];
    for (int i = 0; i < 4; i++) {
        slice x_less = vaddq_u64(x, tables->minus), y_less = vaddq_u64(y, tables->minus);
        s[i] = vcntq_u8(bytes_of(x_less));
        t[i] = vcntq_u8(bytes_of(y_less));
        x = vandq_u64(x, x_less);
        y = vandq_u64(y, y_less);
    }
    uint8x16_t p = vpaddq_u8(vpaddq_u8(s[0], s[1]), vpaddq_u8(s[2], s[3]));
    uint8x16_t q = vpaddq_u8(vpaddq_u8(t[0], t[1]), vpaddq_u8(t[2], t[3]));
    return vqtbl1q_u8(vpaddq_u8(p, q), tables->order);
}

/* The ids of four words of eight, in four slots each; a slot behind their number of bits holds
 * anything. */
static inline void make_slots(slice x, slice y, uint8x16_t counts, uint8x16_t gap, uint8x16_t first,
                              int half, const emit_tables *t, uint16x8_t *slots) {
    uint8x16_t bit = lowest_four(x, y, t);
    bit = vsubq_u8(vaddq_u8(bit, t->slot), vqtbl1q_u8(counts, t->each[half]));
    /* The row in the word, as 0, -1 or -2. */
    uint8x16_t row = vaddq_u8(vcgtq_u8(bit, t->row[0]), vcgtq_u8(bit, t->row[1]));
    bit = vmlaq_u8(bit, row, vqtbl1q_u8(gap, t->each[half]));
#define FIRST(i) vreinterpretq_u16_u8(vqtbl1q_u8(first, t->first[2 * half + (i)]))
    slots[0] = vaddw_u8(FIRST(0), vget_low_u8(bit));
    slots[1] = vaddw_high_u8(FIRST(1), bit);
#undef FIRST
}

#define INLINE static inline __attribute__((always_inline))

/* Write the ids of eight words of which one has more than four bits. */
INLINE uint16_t *emit_many(const uint64_t *anchors, const bf_terms *terms, uint64_t counts,
                           const uint16x8_t *slots, uint16_t *ids) {
    uint16_t four[8][4];
    for (int i = 0; i < 4; i++) vst1q_u16(four[2 * i], slots[i]);
    for (int i = 0; i < 8; i++, counts >>= 8) {
        unsigned n = counts & 0xff;
        memcpy(ids, four[i], sizeof four[i]);
        if (n > 4) {
            const uint16_t *number = bf_anchor_numbers + terms[i].row;
            uint64_t left = anchors[i];
            for (int j = 0; j < 4; j++) left &= left - 1;
            for (uint16_t *id = ids + 4; left != 0; left &= left - 1) {
                *id++ = (uint16_t)(terms[i].first + number[ctz64(left)]);
            }
        }
        ids += n;
    }
    return ids;
}

/* Write the ids of eight words, and up to four numbers behind them. */
INLINE uint16_t *emit_eight(const uint64_t *anchors, const bf_terms *terms, const emit_tables *t,
                            uint16_t *ids) {
    slice x[4];
    for (int i = 0; i < 4; i++) x[i] = load(anchors + 2 * i);
#define COUNTS(i) vcntq_u8(bytes_of(x[i]))
    uint8x16_t n = vpaddq_u8(vpaddq_u8(COUNTS(0), COUNTS(1)), vpaddq_u8(COUNTS(2), COUNTS(3)));
#undef COUNTS
    n = vpaddq_u8(n, n);
    uint64_t counts = vgetq_lane_u64(vreinterpretq_u64_u8(n), 0);
    uint16x8x2_t of_words = vld2q_u16((const uint16_t *)(const void *)terms);
    uint8x16_t first = vreinterpretq_u8_u16(of_words.val[0]);
    uint8x16_t gap = vcombine_u8(vshrn_n_u16(of_words.val[1], 6), vdup_n_u8(0));
    uint16x8_t slots[4];
    make_slots(x[0], x[1], n, gap, first, 0, t, slots);
    make_slots(x[2], x[3], n, gap, first, 1, t, slots + 2);
    /* Bit 7 of a byte: more than four. */
    uint64_t more = (counts + UINT64_C(0x7b7b7b7b7b7b7b7b)) & UINT64_C(0x8080808080808080);
    if (more != 0) return emit_many(anchors, terms, counts, slots, ids);
    /* Of each word, where its ids end: sums of the counts, in bytes. */
    uint64_t ends = counts * UINT64_C(0x0202020202020202);
    char *at = (char *)ids;
#define EMIT(from, half, slots)                                                                \
    do {                                                                                       \
        uint16x4_t slots_ = vget_##half##_u16(slots);                                          \
        memcpy(at + (from), &slots_, sizeof slots_);                                           \
    } while (0)
#define END(i) (ends >> 8 * (i) & 0xff)
    EMIT(0, low, slots[0]);
    EMIT(END(0), high, slots[0]);
    EMIT(END(1), low, slots[1]);
    EMIT(END(2), high, slots[1]);
    EMIT(END(3), low, slots[2]);
    EMIT(END(4), high, slots[2]);
    EMIT(END(5), low, slots[3]);
    EMIT(END(6), high, slots[3]);
#undef EMIT
    return ids + (ends >> 57);
#undef END
}

static inline int make_listing(const bf_layout *layout, const frontier *f, uint32_t pieces,
                               listing *l) {
    _Alignas(64) uint64_t legal[MOST_WORDS], bits[EIGHTS];
    _Alignas(64) uint8_t filled[SLICES][EIGHTS][16];
    for (int s = 0; s < SLICES; s++) {
        if (is_out_of_reach(f, 2 * s)) memset(filled[s], 0, sizeof filled[s]);
        else generate_slice(f, 2 * s, legal, filled[s]);
    }
    fill_bits(filled, pieces, bits);
    return collect(layout, legal, bits, l);
}

static uint32_t kernel_list(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                            uint16_t *ids) {
    frontier f;
    listing l;
    if (!find_frontier(layout, own, color, &f)) return 0;
    int n = make_listing(layout, &f, pieces, &l);
    const emit_tables t = make_emit_tables();
    uint16_t *end = ids;
    for (int i = 0; i < n; i += 8) end = emit_eight(l.anchors + i, l.terms + i, &t, end);
    return (uint32_t)(end - ids);
}

static uint32_t kernel_mask(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                            uint8_t *mask) {
    enum { FULL = 256 };
    uint16_t ids[FULL + 512 + BF_LIST_PADDING], *end = ids;
    frontier f;
    listing l;
    uint32_t count = 0;
    memset(mask, 0, layout->n_moves);
    if (!find_frontier(layout, own, color, &f)) return 0;
    int n = make_listing(layout, &f, pieces, &l);
    const emit_tables t = make_emit_tables();
    for (int i = 0; i < n; i += 8) {
        end = emit_eight(l.anchors + i, l.terms + i, &t, end);
        if (end - ids < FULL && i + 8 < n) continue;
        for (const uint16_t *id = ids; id < end; id++) mask[*id] = 1;
        count += (uint32_t)(end - ids);
        end = ids;
    }
    return count;
}
