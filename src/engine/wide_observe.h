/* wide_observe.h: a position as planes of zeros and ones for networks. Part of wide.h. Which
 * planes there are, their order and their names are observation.py's.
 *
 * Every plane follows from what a position is (check.c): two positions that are equal look equal.
 */
enum {
    PLANE_OWN,
    PLANE_CORNER,
    PLANE_FORBIDDEN,
    PLANE_PLAYABLE,
    PLANE_START,
    /* From here on all squares of a plane are the same. */
    PLANE_HAND,
    PLANE_TURN,
    PLANE_PLAYER,
    PLANE_FINISHED,
    PLANE_MONOMINO,
    PLANE_DRAFTING,
    PLANE_OVER,
    PLANE_SHARED,
    PLANE_ROUND,
    PLANE_PLY,
    PLANE_PLACED
};

enum { CELL_UINT8, CELL_FLOAT32, CELL_BITS };

/* What planes are made from: the boards of a position, colors in the order of the view. */
typedef struct scene {
    uint64_t own[BF_COLORS][BF_WORDS];
    uint64_t corner[BF_COLORS][BF_WORDS];
    uint64_t forbidden[BF_COLORS][BF_WORDS];
    uint64_t start[BF_COLORS][BF_WORDS];
    uint64_t playable[BF_WORDS];
    uint64_t frame[BF_WORDS]; /* all squares, in play or not */
    int colors[BF_COLORS]; /* by place in the view */
    int players[BF_COLORS];
} scene;

/* The bits of a row of a board, the guard column's among them. */
static inline uint32_t row_bits(const uint64_t *board, int row) {
    int bit = BF_STRIDE * row, shift = bit & 63;
    uint64_t bits = board[bit >> 6] >> shift;
    if (shift > 64 - BF_STRIDE) bits |= board[(bit >> 6) + 1] << (64 - shift);
    return (uint32_t)bits & ((UINT32_C(1) << BF_STRIDE) - 1);
}

/* Move every square of a board to where a symmetry takes it. */
static void turn_board(uint64_t *board, const int16_t *bits) {
    uint64_t turned[BF_WORDS] = {0};
    for (int w = 0; w < BF_WORDS; w++) {
        for (uint64_t left = board[w]; left != 0; left &= left - 1) {
            bf_add_square(turned, bits[64 * w + ctz64(left)]);
        }
    }
    memcpy(board, turned, sizeof turned);
}

/* Compute the boards that planes of these kinds show, a bit for each kind; `bits` is NULL where
 * nothing is to be turned. */
static void set_scene(const bf_rules *rules, const bf_state *s, int mover, uint32_t kinds,
                      const int16_t *bits, scene *to) {
    uint64_t allowed[BF_WORDS];
    const uint32_t frontier = 1u << PLANE_CORNER | 1u << PLANE_FORBIDDEN;
    int base = s->turn >= 0 ? rules->place[s->turn] : 0;
    for (int i = 0; i < rules->n_players; i++) {
        to->players[i] =
            mover && rules->draft && s->player >= 0 ? (s->player + i) % rules->n_players : i;
    }
    for (int k = 0; k < rules->n_colors; k++) {
        int color = k;
        if (mover) color = rules->order[rules->draft ? k : (base + k) % rules->n_colors];
        to->colors[k] = color;
        if (kinds >> PLANE_HAND << PLANE_HAND == kinds) continue;
        memcpy(to->own[k], s->own[color], 8 * BF_WORDS);
        memcpy(to->start[k], rules->layout.start[color], 8 * BF_WORDS);
        if ((kinds & frontier) != 0) {
            rules->kernel->frontier(&rules->layout, s->own, color, allowed, to->corner[k]);
            for (int w = 0; w < BF_WORDS; w++) {
                to->forbidden[k][w] = rules->layout.playable[w] & ~allowed[w];
            }
        }
        if (bits != NULL) {
            turn_board(to->own[k], bits);
            turn_board(to->start[k], bits);
            if ((kinds & frontier) != 0) {
                turn_board(to->corner[k], bits);
                turn_board(to->forbidden[k], bits);
            }
        }
    }
    memset(to->frame, 0, sizeof to->frame);
    for (int row = 0; row < rules->layout.size; row++) {
        int bit = BF_STRIDE * row, shift = bit & 63;
        uint64_t squares = (UINT64_C(1) << rules->layout.size) - 1;
        to->frame[bit >> 6] |= squares << shift;
        if (shift > 64 - BF_STRIDE) to->frame[(bit >> 6) + 1] |= squares >> (64 - shift);
    }
    /* A symmetry leaves the squares in play where they are. */
    memcpy(to->playable, rules->layout.playable, 8 * BF_WORDS);
}

/* The board that a plane shows; NULL if all its squares are the same. */
static const uint64_t *plane_board(const scene *from, const uint8_t *plane) {
    switch (plane[0]) {
    case PLANE_OWN: return from->own[plane[1]];
    case PLANE_CORNER: return from->corner[plane[1]];
    case PLANE_FORBIDDEN: return from->forbidden[plane[1]];
    case PLANE_START: return from->start[plane[1]];
    case PLANE_PLAYABLE: return from->playable;
    default: return NULL;
    }
}

/* What all squares of a plane are. */
static int plane_flag(const bf_rules *rules, const bf_state *s, const scene *from,
                      const uint8_t *plane) {
    int a = plane[1], b = plane[2];
    /* `a` is a place in the view only where it is asked for one: else it may be any bit. */
    switch (plane[0]) {
    case PLANE_HAND: {
        uint64_t hand = s->hand[rules->draft ? from->players[a] : 0][from->colors[b]];
        return bf_hand_count(hand, plane[3] >> 3) >= (plane[3] & 7);
    }
    case PLANE_TURN: return s->turn == a;
    case PLANE_PLAYER: return s->player == a;
    case PLANE_FINISHED:
        /* Whether the flow has found out yet depends on how the position was reached. */
        return (s->finished >> from->colors[a] & 1) != 0 ||
               !bf_can_place(rules, s, 0, from->colors[a]);
    case PLANE_MONOMINO:
        return s->monomino_last >> (rules->draft ? from->players[a] : from->colors[a]) & 1;
    case PLANE_DRAFTING: return s->phase == BF_DRAFT;
    case PLANE_OVER: return s->phase == BF_OVER;
    case PLANE_SHARED: return s->shared_player == a;
    case PLANE_ROUND: return s->round >> a & 1;
    case PLANE_PLY: return s->ply >> a & 1;
    default: return s->placed[from->players[a]] >> b & 1;
    }
}

/* The squares of a board as bits, rows one after the other; `frame` has all squares. */
#if defined(__AVX512BW__) && defined(__BMI2__)
static void pack_rows(const uint64_t *board, const uint64_t *frame, int size, uint64_t *packed) {
    int at = 0;
    (void)size;
    memset(packed, 0, 8 * BF_WORDS);
    for (int w = 0; w < BF_WORDS && frame[w] != 0; w++) {
        uint64_t bits = _pext_u64(board[w], frame[w]);
        int shift = at & 63;
        packed[at >> 6] |= bits << shift;
        if (shift != 0) packed[(at >> 6) + 1] |= bits >> (64 - shift);
        at += popcount64(frame[w]);
    }
}
#else
static void pack_rows(const uint64_t *board, const uint64_t *frame, int size, uint64_t *packed) {
    (void)frame;
    memset(packed, 0, 8 * BF_WORDS);
    for (int row = 0; row < size; row++) {
        int at = row * size, shift = at & 63;
        uint64_t bits = row_bits(board, row);
        packed[at >> 6] |= bits << shift;
        if (shift > 64 - BF_STRIDE) packed[(at >> 6) + 1] |= bits >> (64 - shift);
    }
}
#endif

/* Write the squares of a board as numbers. */
#if defined(__AVX512BW__)
static void write_cells(const uint64_t *board, const uint64_t *frame, int size, int cells,
                        uint8_t *out) {
    uint64_t packed[BF_WORDS];
    int n = size * size;
    pack_rows(board, frame, size, packed);
    if (cells == CELL_UINT8) {
        for (int i = 0; i < n; i += 64) {
            __mmask64 fits = n - i >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (n - i)) - 1;
            __m512i bytes = _mm512_maskz_set1_epi8(packed[i >> 6], 1);
            _mm512_mask_storeu_epi8(out + i, fits, bytes);
        }
        return;
    }
    for (int i = 0; i < n; i += 16) {
        uint64_t fits = n - i >= 16 ? 0xffff : (UINT64_C(1) << (n - i)) - 1;
        __mmask16 ones = (__mmask16)(packed[i >> 6] >> (i & 63));
        _mm512_mask_storeu_ps(out + 4 * i, (__mmask16)fits,
                              _mm512_maskz_mov_ps(ones, _mm512_set1_ps(1)));
    }
}
#else
enum { ROW_BYTES = 32 };

/* The bits of a row as bytes, lowest first; no more than ROW_BYTES are written. */
#if defined(__AVX2__)
static inline void spread_row(uint32_t bits, uint8_t *out) {
    /* Each byte of the bits eight times, and of each one bit. */
    const __m256i places = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202,
                                              0x0303030303030303);
    const __m256i own = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), places);
    spread = _mm256_cmpeq_epi8(_mm256_and_si256(spread, own), own);
    _mm256_storeu_si256((__m256i *)out, _mm256_and_si256(spread, _mm256_set1_epi8(1)));
}
#else
/* The eight bits of a byte as bytes, lowest first. */
static inline void spread_byte(uint32_t byte, uint8_t *out) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 0; i < 8; i++) out[i] = byte >> i & 1;
#else
    /* A copy of the byte in each byte, in which one bit stays, pushed up to the top. */
    uint64_t spread = (byte * UINT64_C(0x0101010101010101)) & UINT64_C(0x8040201008040201);
    spread = (spread + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
    memcpy(out, &spread, 8);
#endif
}

static inline void spread_row(uint32_t bits, uint8_t *out) {
    spread_byte(bits & 255, out);
    spread_byte(bits >> 8 & 255, out + 8);
    spread_byte(bits >> 16, out + 16);
}
#endif

static void write_cells(const uint64_t *board, const uint64_t *frame, int size, int cells,
                        uint8_t *out) {
    uint8_t bytes[BF_MAX_SIZE * BF_MAX_SIZE + ROW_BYTES];
    (void)frame;
    for (int row = 0; row < size; row++) {
        /* The next row overwrites what is too much. */
        spread_row(row_bits(board, row), bytes + row * size);
    }
    if (cells == CELL_UINT8) {
        memcpy(out, bytes, (size_t)(size * size));
        return;
    }
    for (int i = 0; i < size * size; i++) {
        float cell = bytes[i];
        memcpy(out + 4 * i, &cell, 4);
    }
}
#endif

/* Write the squares of a board as bits, the lowest of each byte first. */
static void write_bits(const uint64_t *board, const uint64_t *frame, int size, uint8_t *out) {
    uint64_t packed[BF_WORDS];
    pack_rows(board, frame, size, packed);
    for (int i = 0; i < (size * size + 7) >> 3; i++) {
        out[i] = (uint8_t)(packed[i >> 3] >> 8 * (i & 7));
    }
}

/* Write a plane all of whose squares are the same: as many as the view has room for, so that one
 * number can stand for all of them. */
static void fill_plane(int flag, int size, int cells, int width, uint8_t *out) {
    if (cells == CELL_FLOAT32) {
        float cell = (float)flag;
        for (int at = 0; at < width; at += 4) memcpy(out + at, &cell, 4);
        return;
    }
    if (width == 1 && cells == CELL_UINT8) {
        *out = (uint8_t)flag;
        return;
    }
    memset(out, cells == CELL_UINT8 ? flag : 255 * flag, (size_t)width);
    if (cells == CELL_BITS && (size * size & 7) != 0) {
        /* No square stands behind the last bits. */
        out[width - 1] &= (uint8_t)((1 << (size * size & 7)) - 1);
    }
}

static void wide_observe(const bf_rules *rules, const bf_state *s, const bf_view *view,
                         uint8_t *out) {
    int size = rules->layout.size;
    int64_t row = view->by_turn[s->turn + 1];
    uint32_t kinds = 0;
    scene from;
    for (int64_t k = 0; k < view->n_planes; k++) kinds |= 1u << (view->planes[k][0] & 31);
    set_scene(rules, s, view->mover, kinds, row != 0 ? view->bits[row] : NULL, &from);
    for (int64_t k = 0; k < view->n_planes; k++, out += view->width) {
        const uint8_t *plane = view->planes[k];
        const uint64_t *board = plane_board(&from, plane);
        if (board == NULL) {
            fill_plane(plane_flag(rules, s, &from, plane), size, view->cells, view->width, out);
        } else if (view->cells == CELL_BITS) {
            write_bits(board, from.frame, size, out);
        } else {
            write_cells(board, from.frame, size, view->cells, out);
        }
    }
}
