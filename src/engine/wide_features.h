/* wide_features.h: what placements are worth, and what a color can reach. Part of wide.h.
 *
 * Boards are cut into windows around each placement, so that the cost of one is a handful of
 * words, whatever its shape.
 */
#include <math.h>

/* A board with a word of zeros before and words of zeros behind it: windows may begin above its
 * first row and end below its last one. */
typedef struct padded_board {
    uint64_t words[BF_WORDS + 4];
} padded_board;

static void pad(const uint64_t *board, padded_board *padded) {
    memset(padded, 0, sizeof *padded);
    memcpy(padded->words + 1, board, 8 * BF_WORDS);
}

/* Chunk i, of 56 bits, of a padded board from a bit on; what stands above them is of the next. */
static inline uint64_t chunk(const padded_board *board, size_t bit, unsigned i) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    const uint64_t *w;
    bit += 56 * i;
    w = board->words + (bit >> 6);
    return w[0] >> (bit & 63) | w[1] << 1 << (63 - (bit & 63));
#else
    uint64_t bits;
    memcpy(&bits, (const uint8_t *)board->words + (bit >> 3) + 7 * i, 8);
    return bits >> (bit & 7);
#endif
}

/* Count the squares of a board around a placement: three chunks. */
static inline int overlap(const padded_board *board, size_t anchor, const uint64_t *window) {
    size_t bit = anchor + 64 - (BF_STRIDE + 1);
    return popcount64(chunk(board, bit, 0) & window[0]) +
           popcount64(chunk(board, bit, 1) & window[1]) +
           popcount64(chunk(board, bit, 2) & window[2]);
}

/* Count the squares of a board that a placement covers: two chunks. */
static inline int covered(const padded_board *board, size_t anchor, int o) {
    return popcount64(chunk(board, anchor + 64, 0) & bf_square_chunk[o][0]) +
           popcount64(chunk(board, anchor + 64, 1) & bf_square_chunk[o][1]);
}

/* Squared distances of the frame's squares from the center, in half squares. */
static void measure(int size, uint16_t *far) {
    for (int row = 0; row < size; row++) {
        int down = 2 * row - (size - 1);
        for (int column = 0; column < size; column++) {
            int right = 2 * column - (size - 1);
            far[BF_STRIDE * row + column] = (uint16_t)(down * down + right * right);
        }
    }
}

static void wide_features(const bf_rules *rules, const bf_state *s, int color, const int32_t *ids,
                          uint32_t n, const bf_features *out) {
    padded_board corner[BF_COLORS];
    padded_board fresh; /* squares that become corner squares when touched */
    uint64_t allowed[BF_WORDS], corners[BF_WORDS];
    uint16_t far[BF_STRIDE * BF_MAX_SIZE];
    int n_corners = 0, n_colors = rules->n_colors;
    int is_first = bf_is_empty(s->own[color]);
    /* The first piece keeps of the start squares, which were the corner squares, only those that
     * it touches; later ones lose what they cover and what shares an edge with them. */
    const uint64_t (*lost_chunk)[3] = is_first ? bf_corner_chunk : bf_cover_chunk;
    int lost_sign = is_first ? -1 : 1;
    for (int c = 0; c < n_colors; c++) {
        rules->kernel->frontier(&rules->layout, s->own, c, allowed, corners);
        pad(corners, &corner[c]);
        if (c != color) continue;
        for (int w = 0; w < BF_WORDS; w++) {
            n_corners += is_first ? popcount64(corners[w]) : 0;
            allowed[w] &= ~corners[w];
        }
        pad(allowed, &fresh);
    }
    measure(rules->layout.size, far);
    int8_t *squares = out->squares, *gained = out->gained, *lost = out->lost;
    for (uint32_t m = 0; m < n; m++) {
        uint32_t id = (uint32_t)ids[m]; /* read once: whose memory it is may change it */
        int8_t *taken = out->taken + (int64_t)m * n_colors;
        if (id >= rules->layout.n_moves) {
            squares[m] = gained[m] = lost[m] = 0;
            memset(taken, 0, (size_t)n_colors);
            out->distance[m] = 0;
            continue;
        }
        uint32_t placement = rules->placements[id];
        int o = bf_placement_orientation(placement);
        size_t anchor = (size_t)bf_placement_bit(placement);
        const uint8_t *bits = bf_orientation_bits[o];
        unsigned nearest = far[anchor + bits[0]];
        for (int k = 1; k < 5; k++) {
            unsigned next = far[anchor + bits[k]];
            nearest = next < nearest ? next : nearest;
        }
        squares[m] = (int8_t)bf_piece_size[bf_orientation_piece[o]];
        gained[m] = (int8_t)overlap(&fresh, anchor, bf_corner_chunk[o]);
        int n_lost = n_corners + lost_sign * overlap(&corner[color], anchor, lost_chunk[o]);
        lost[m] = (int8_t)(n_lost < INT8_MAX ? n_lost : INT8_MAX); /* of very many start squares */
        for (int c = 0; c < n_colors; c++) taken[c] = (int8_t)covered(&corner[c], anchor, o);
        taken[color] = 0;
        out->distance[m] = sqrtf((float)(int)nearest) / 2;
    }
}

static void wide_reach(const bf_rules *rules, const bf_state *s, int color, int placements,
                       int steps, uint64_t *squares) {
    uint64_t allowed[BF_WORDS];
    memset(squares, 0, 8 * BF_WORDS);
    if (placements > 0) {
        rules->kernel->frontier(&rules->layout, s->own, color, allowed, squares);
    }
    /* More placements than squares reach nothing new. */
    for (int k = 0; k < placements && k < BF_MAX_SIZE * BF_MAX_SIZE; k++) {
        if (k > 0) bf_spread(squares, allowed, 1);
        for (int i = 0; i < steps; i++) bf_spread(squares, allowed, 0);
    }
}
