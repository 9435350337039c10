/* blokus_fast.h: the plain data of the engine and the kernel interface.
 *
 * Owns every struct that C kernels, the Cython core and other extensions share. Structs only
 * grow at the end, and then BF_ABI_VERSION goes up. Knows nothing of Python.
 *
 * The frame: a board is a set of squares in 8 words of 64 bits. The square in row r (0 at the
 * top) and column c is bit 21 * r + c, whatever the size of the board: 21 and not 20, so that a
 * shift by one column never wraps into the next row.
 */
#ifndef BLOKUS_FAST_H
#define BLOKUS_FAST_H

#include <stdint.h>

#define BF_ABI_VERSION 1

#define BF_MAX_SIZE 20      /* rows and columns of the largest board */
#define BF_STRIDE 21        /* bits from a square to the one below it */
#define BF_WORDS 8          /* 64-bit words of a board */
#define BF_COLORS 4
#define BF_PIECES 21
#define BF_ORIENTATIONS 91
#define BF_BOXES 15         /* distinct bounding boxes of the orientations */
#define BF_MAX_MOVES 30433  /* placements on the 20 x 20 board */
/* A buffer of move ids must have room for the moves and for this many more: kernels store
 * whole vectors and may write (never read) beyond the last move. */
#define BF_LIST_PADDING 64

/* What the kernels read of a variant. The same for a whole game.
 * The anchor of a placement is the top left square of its bounding box. */
typedef struct bf_layout {
    uint64_t playable[BF_WORDS];
    uint64_t start[BF_COLORS][BF_WORDS];   /* a colour's first piece covers one of these */
    uint64_t anchors[BF_BOXES][BF_WORDS];  /* anchors at which a box is on the square board */
    uint16_t base[BF_ORIENTATIONS][BF_WORDS]; /* id of the first anchor in each word */
    uint16_t first[BF_ORIENTATIONS + 1];   /* first id of each orientation, then the number of ids */
    uint16_t size;                         /* rows of the square board */
    uint16_t n_moves;                      /* placements on it */
    /* [width - 1][frame bit]: how many anchors of a box of that width come before that anchor.
     * The id of a placement is first[orientation] + rank[width of the orientation - 1][bit]. */
    uint16_t rank[5][64 * BF_WORDS];
} bf_layout;

/* The random number generator: SplitMix64 with an increment per stream. See docs/random.md. */
typedef struct bf_rng {
    uint64_t state;
    uint64_t increment;
} bf_rng;

/* The squares of the four colours. */
typedef const uint64_t (*bf_boards)[BF_WORDS];

/* One instruction set's way to answer the generator's questions. In all of them: `own` holds
 * the squares of the four colours, `color` is whose placements are asked for, bit p of `pieces`
 * says that piece p may be placed. A colour without squares must cover a start square. */
typedef struct bf_kernel {
    const char *name;
    /* Write the ids of all legal placements, ascending; return how many. */
    uint32_t (*list)(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                     uint32_t pieces, uint16_t *ids);
    /* Return how many legal placements there are. */
    uint32_t (*count)(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                      uint32_t pieces);
    /* Return 1 if there is a legal placement, else 0. */
    int (*any)(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
               uint32_t pieces);
    /* Set mask[id] to 1 for legal and 0 for illegal placements (n_moves bytes, no more);
     * return how many are legal. */
    uint32_t (*mask)(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                     uint32_t pieces, uint8_t *mask);
    /* Draw one legal placement uniformly: bf_rng_below(rng, count) is its index in the
     * ascending list. Return -1, and draw nothing, if there is none. */
    int32_t (*sample)(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                      uint32_t pieces, bf_rng *rng);
    /* Write the squares that a placement may cover (`allowed`: playable, empty, no own edge)
     * and those of them that touch an own square at a corner, or the start squares (`corner`). */
    void (*frontier)(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                     uint64_t *allowed, uint64_t *corner);
    /* Draw a piece with probability proportional to its weight, then one of its legal
     * placements uniformly. A piece without any drops out and another is drawn. Only pieces in
     * `pieces` with a weight above 0 take part; the sum of their weights is below 2^32. Draws:
     * bf_rng_below(rng, sum of weights) per try, in ascending order of pieces, then
     * bf_rng_below(rng, placements of the piece). Return -1, and draw nothing, if no piece is
     * left. */
    int32_t (*sample_weighted)(const bf_layout *layout, const uint64_t (*own)[BF_WORDS],
                               int color, uint32_t pieces, const uint32_t *weights, bf_rng *rng);
} bf_kernel;

/* Phases of a game. A state of zeros is a game that is over, which nothing can be done to. */
enum { BF_OVER = 0, BF_PLAY = 1, BF_DRAFT = 2 };

/* A variant, compiled: everything that stays the same during a game. Hands hold a count of 0 to 7
 * per piece as three bit planes: bit p, 21 + p and 42 + p are the count of piece p. */
typedef struct bf_rules {
    bf_layout layout;
    const uint32_t *placements;  /* per id: orientation, anchor's bit << 8, row << 17, column << 22 */
    uint64_t hand[BF_COLORS];    /* the pieces that each colour starts with */
    int32_t score_placed;        /* a square on the board */
    int32_t score_left;          /* a square in hand */
    int32_t score_all_placed;    /* an empty hand */
    int32_t score_monomino_last; /* more, if the monomino was the last piece */
    uint32_t first_pieces;       /* pieces that may open a colour */
    uint32_t pass_action;        /* id of the voluntary pass */
    uint32_t n_actions;          /* ids that a push can take are smaller */
    uint16_t max_rounds;         /* 0: no limit */
    uint8_t n_colors;
    uint8_t n_players;
    uint8_t voluntary_pass;
    uint8_t draft;
    int8_t order[BF_COLORS];     /* colours in order of play */
    int8_t owner[BF_COLORS];     /* player of a colour; -1: shared, decided in rotation */
    uint8_t place[BF_COLORS];    /* inverse of order */
} bf_rules;

/* A position. A plain value: copy it with an assignment. */
typedef struct bf_state {
    uint64_t own[BF_COLORS][BF_WORDS];   /* squares of each colour */
    uint64_t hand[BF_COLORS][BF_COLORS]; /* [holder][colour]; the holder is the player in Draft, else 0 */
    uint64_t content_key;                /* exclusive or of the keys of all placements */
    uint16_t placed[BF_COLORS];          /* squares placed from the hand of a colour (Draft: player) */
    uint16_t ply;                        /* placements, picks and voluntary passes made */
    uint16_t round;                      /* finished rounds */
    int8_t turn;                         /* colour to move; -1: over, or a Draft player's free choice */
    int8_t player;                       /* who decides; -1: over */
    uint8_t phase;
    uint8_t finished;                    /* bit per colour that can never move again */
    uint8_t monomino_last;               /* bit per colour (Draft: player): its last piece was the monomino */
    uint8_t shared_player;               /* who places the shared colour next */
    uint8_t reserved[32];                /* zero */
} bf_state;

/* Room for a state on a 64-byte boundary, wherever the room itself lies. */
typedef struct bf_state_room {
    unsigned char bytes[sizeof(bf_state) + 63];
} bf_state_room;

/* What a push has to remember for its pop. */
typedef struct bf_undo {
    uint32_t action;
    uint16_t round;
    int8_t turn;
    int8_t player;
    uint8_t phase;
    uint8_t finished;
    uint8_t monomino_last;
    uint8_t shared_player;
} bf_undo;

#endif
