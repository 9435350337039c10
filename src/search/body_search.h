/* body_search.h: what wide_search.h asks of a kernel, for those that share body.h. Static
 * functions only.
 */

/* Eight bits as eight bytes of 0 or 1. */
static inline uint64_t eight_flags(uint64_t bits) {
    const uint64_t each = UINT64_C(0x8040201008040201), ones = UINT64_C(0x0101010101010101);
    uint64_t picked = bits * ones & each, rest = ones * 0x7f;
    return (((picked & rest) + rest) | picked) >> 7 & ones;
}

static void planes_to_bytes(const uint64_t (*planes)[BF_WORDS], uint8_t *bytes) {
    for (int i = 0; i < 8 * BF_WORDS; i++) {
        uint64_t word = 0;
        for (int k = 0; k < 7; k++) {
            word |= eight_flags(planes[k][i >> 3] >> (8 * (i & 7)) & 0xff) << k;
        }
        for (int j = 0; j < 8; j++) bytes[8 * i + j] = (uint8_t)(word >> (8 * j));
    }
}

static void add_products(const int16_t *inputs, int n, const int16_t (*weights)[BF_VALUE_HIDDEN][2],
                         int32_t *sums) {
    for (int i = 0; i < n; i++) {
        const int16_t x = inputs[2 * i], y = inputs[2 * i + 1];
        if ((x | y) == 0) continue;
        for (int h = 0; h < BF_VALUE_HIDDEN; h++) {
            sums[h] += x * weights[i][h][0] + y * weights[i][h][1];
        }
    }
}

/* Take of the legal words of a piece those anchors where it covers a square of a board, given
 * shifted by each offset; change nothing if there is none. */
static void keep_near(const uint64_t (*targets)[BF_WORDS], int piece, uint64_t *legal) {
    uint64_t near[8 * BF_WORDS], any = 0;
    int n = 0;
    for (int o = bf_piece_first[piece]; o < bf_piece_first[piece + 1]; o++, n += BF_WORDS) {
        const uint8_t *offsets = bf_orientation_offsets[o];
        for (int w = 0; w < ROW_WORDS; w++) {
            uint64_t hit = 0;
            for (int i = 0; i < 5; i++) hit |= targets[offsets[i]][w];
            near[n + w] = legal[n + w] & hit;
            any |= near[n + w];
        }
        near[n + ROW_WORDS] = 0;
    }
    if (any != 0) memcpy(legal, near, 8 * (size_t)n);
}

/* The allowed squares that are targets or beside one, in rows of words. */
static void near_squares(const uint64_t *targets, const uint64_t *allowed, uint64_t *near) {
    uint64_t at[PADDED] = {0};
    to_rows(targets, at + 1);
    for (int w = 0; w < ROW_WORDS; w += LANES) {
        VEC here = v_load(at + w + 1);
        VEC around = v_or(rows_beside(v_load(at + w), here, v_load(at + w + 2)), columns_beside(here));
        v_store(near + w, v_and(v_load(allowed + w), v_or(here, around)));
    }
}

/* The shifted boards, and those of the squares to be preferred. */
typedef struct close_boards {
    shifted boards;
    uint64_t near[15][BF_WORDS];
} close_boards;

static int32_t draw_close(const void *boards, const bf_layout *layout, int piece, bf_rng *rng) {
    const close_boards *b = boards;
    uint64_t legal[8 * BF_WORDS];
    piece_words(&b->boards, piece, legal);
    keep_near((const uint64_t(*)[BF_WORDS])b->near, piece, legal);
    return draw_placement(layout, piece, legal, rng);
}

static int32_t near_sample(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                           const uint64_t *targets, int largest_first, bf_rng *rng) {
    uint64_t allowed[PADDED], corner[PADDED], near[PADDED] = {0};
    close_boards b;
    if (!frontier_boards(layout, own, color, allowed, corner)) return -1;
    shift_all(allowed, corner, &b.boards);
    if (targets == NULL) return draw_by_size(layout, pieces, largest_first, rng, draw_from, &b.boards);
    near_squares(targets, allowed, near);
    shift_board(near, b.near);
    return draw_by_size(layout, pieces, largest_first, rng, draw_close, &b);
}
