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

/* Word i of the bits of a padded board from a bit on. */
static inline uint64_t cut_word(const padded_board *board, int bit, int i) {
    const uint64_t *w = board->words + (bit >> 6) + i;
    return w[0] >> (bit & 63) | w[1] << 1 << (63 - (bit & 63));
}

/* Count the squares of a board in a window around an anchor: three words from one row and one
 * column before it. */
static inline int overlap(const padded_board *board, int anchor, const uint64_t *window) {
    int bit = anchor + 64 - (BF_STRIDE + 1);
    return popcount64(cut_word(board, bit, 0) & window[0]) +
           popcount64(cut_word(board, bit, 1) & window[1]) +
           popcount64(cut_word(board, bit, 2) & window[2]);
}

/* Count the squares of a board that an orientation covers: two words from the anchor on. */
static inline int covered(const padded_board *board, int anchor, int o) {
    int bit = anchor + 64;
    return popcount64(cut_word(board, bit, 0) & bf_orientation_shape[o][0]) +
           popcount64(cut_word(board, bit, 1) & bf_orientation_shape[o][1]);
}

static void wide_features(const bf_rules *rules, const bf_state *s, int color, const int32_t *ids,
                          uint32_t n, const bf_features *out) {
    padded_board corner[BF_COLORS];
    padded_board fresh; /* squares that become corner squares when touched */
    uint64_t allowed[BF_WORDS], corners[BF_WORDS];
    int others[BF_COLORS], n_others = 0, n_corners = 0;
    int n_colors = rules->n_colors, size = rules->layout.size;
    int is_first = bf_is_empty(s->own[color]);
    int from_center[BF_MAX_SIZE + 4]; /* of a row or column, in half squares, squared */
    for (int c = 0; c < n_colors; c++) {
        rules->kernel->frontier(&rules->layout, s->own, c, allowed, corners);
        pad(corners, &corner[c]);
        if (c != color) {
            others[n_others++] = c;
            continue;
        }
        for (int w = 0; w < BF_WORDS; w++) {
            n_corners += popcount64(corners[w]);
            allowed[w] &= ~corners[w];
        }
        pad(allowed, &fresh);
    }
    for (int i = 0; i < size; i++) from_center[i] = (2 * i - (size - 1)) * (2 * i - (size - 1));
    for (uint32_t m = 0; m < n; m++) {
        int8_t *taken = out->taken + (int64_t)m * n_colors;
        if (ids[m] < 0 || ids[m] >= rules->layout.n_moves) {
            out->squares[m] = out->gained[m] = out->lost[m] = 0;
            memset(taken, 0, (size_t)n_colors);
            out->distance[m] = 0;
            continue;
        }
        uint32_t placement = rules->placements[ids[m]];
        int o = bf_placement_orientation(placement), anchor = bf_placement_bit(placement);
        int n_squares = bf_piece_size[bf_orientation_piece[o]];
        out->squares[m] = (int8_t)n_squares;
        out->gained[m] = (int8_t)overlap(&fresh, anchor, bf_corner_window[o]);
        if (is_first) {
            /* The start squares were the corner squares; only those that it touches stay. */
            out->lost[m] =
                (int8_t)(n_corners - overlap(&corner[color], anchor, bf_corner_window[o]));
        } else {
            out->lost[m] = (int8_t)overlap(&corner[color], anchor, bf_cover_window[o]);
        }
        taken[color] = 0;
        for (int i = 0; i < n_others; i++) {
            taken[others[i]] = (int8_t)covered(&corner[others[i]], anchor, o);
        }
        int row = bf_placement_row(placement), column = bf_placement_column(placement);
        int nearest = INT32_MAX;
        for (int k = 0; k < n_squares; k++) {
            int far = from_center[row + bf_orientation_cells[o][k][0]] +
                      from_center[column + bf_orientation_cells[o][k][1]];
            nearest = far < nearest ? far : nearest;
        }
        out->distance[m] = sqrtf((float)nearest) / 2;
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
