/* x86_list.h: list and mask, from the words that are not 0, for v2.c and avx2.c. Static functions
 * only; the kernel has defined
 *   found                 with legal[8 * orientation + word], and bits `filled` of words not 0
 *   find_legal(...)       which computes it, 0 if there is no corner square
 *   popcount64(x), ctz64_any(x), which is anything from 0 to 64 for x == 0
 *
 * Two steps without a branch that depends on the position, but for words with more than four bits
 * and the end: list the words; turn the bits of each into ids.
 */

/* List the words that a bit of `filled`, a byte for each of 96 orientations, is set for: as
 * 8 * orientation + word, ascending, with room for 8 more; return how many. */
static inline size_t list_words(const uint8_t *filled, uint16_t *words) {
    const __m128i next = _mm_set1_epi16(8);
    __m128i first = _mm_setzero_si128();
    uint16_t *end = words;
    for (size_t o = 0; o < 96; o += 8) {
        for (size_t i = 0; i < 8; i++) {
            const void *here = bf_set_bits[filled[o + i]];
            __m128i at = _mm_add_epi16(_mm_cvtepu8_epi16(_mm_loadl_epi64(here)), first);
            _mm_storeu_si128((__m128i *)end, at);
            first = _mm_add_epi16(first, next);
            end += popcount64(filled[o + i]);
        }
    }
    return (size_t)(end - words);
}

/* Write the ids of one word of anchors, and up to 3 numbers behind them. Most words hold few
 * anchors, and how many is hard to predict: always write four. */
static inline uint16_t *expand(uint64_t anchors, bf_terms terms, uint16_t *ids) {
    const uint16_t *number = bf_anchor_numbers + terms.row;
    uint16_t *end = ids + popcount64(anchors);
    uint32_t lowest; /* and whatever lies behind it, which the next one replaces */
    memcpy(&lowest, number + ctz64_any(anchors), sizeof lowest);
    __m128i at = _mm_cvtsi32_si128((int)lowest);
    anchors &= anchors - 1;
    at = _mm_insert_epi16(at, number[ctz64_any(anchors)], 1);
    anchors &= anchors - 1;
    at = _mm_insert_epi16(at, number[ctz64_any(anchors)], 2);
    anchors &= anchors - 1;
    at = _mm_insert_epi16(at, number[ctz64_any(anchors)], 3);
    anchors &= anchors - 1;
    _mm_storel_epi64((__m128i *)ids, _mm_add_epi16(at, _mm_set1_epi16((short)terms.first)));
    for (ids += 4; anchors != 0; anchors &= anchors - 1) {
        *ids++ = (uint16_t)(terms.first + number[ctz64_any(anchors)]);
    }
    return end;
}

static uint32_t kernel_list(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                            uint16_t *ids) {
    found f;
    uint16_t words[ALL_WORDS], *end = ids;
    if (!find_legal(layout, own, color, pieces, &f)) return 0;
    size_t n = list_words((const uint8_t *)f.filled, words);
    for (size_t i = 0; i < n; i++) {
        end = expand(f.legal[words[i]], layout->terms[words[i]], end);
    }
    return (uint32_t)(end - ids);
}

static uint32_t kernel_mask(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                            uint8_t *mask) {
    enum { FULL = 256 };
    found f;
    uint16_t words[ALL_WORDS], ids[FULL + 64 + 4], *end = ids;
    uint32_t count = 0;
    memset(mask, 0, layout->n_moves);
    if (!find_legal(layout, own, color, pieces, &f)) return 0;
    size_t n = list_words((const uint8_t *)f.filled, words);
    for (size_t i = 0; i < n; i++) {
        end = expand(f.legal[words[i]], layout->terms[words[i]], end);
        if (end < ids + FULL && i + 1 < n) continue;
        for (const uint16_t *id = ids; id < end; id++) mask[*id] = 1;
        count += (uint32_t)(end - ids);
        end = ids;
    }
    return count;
}
