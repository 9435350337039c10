/* blokus_fast.h: the plain data of the engine, and everything that it can do, as a table of
 * functions. Knows nothing of Python: blokus_fast_python.h gets the table out of the package.
 *
 * Owns every struct that kernels, engine, Cython core and other programs share. Structs only grow
 * at the end; whenever one grows or changes, BF_ABI_VERSION goes up. docs/native.md is the guide.
 *
 * The frame: a board is a set of squares in 8 words of 64 bits. The square in row r (0 at the
 * top) and column c is bit 21 * r + c, whatever the size of the board: 21 and not 20, so that a
 * shift by one column never wraps into the next row.
 */
#ifndef BLOKUS_FAST_H
#define BLOKUS_FAST_H

#include <stdint.h>

#define BF_ABI_VERSION 3

#define BF_MAX_SIZE 20      /* rows and columns of the largest board */
#define BF_STRIDE 21        /* bits from a square to the one below it */
#define BF_WORDS 8          /* 64-bit words of a board */
#define BF_COLORS 4
#define BF_PIECES 21
#define BF_ORIENTATIONS 91
#define BF_MAX_MOVES 30433  /* placements on the 20 x 20 board */
/* A buffer of move ids must have room for the moves and for this many more: kernels store
 * whole vectors and may write (never read) beyond the last move. */
#define BF_LIST_PADDING 64
#define BF_LIST_SIZE (BF_MAX_MOVES + BF_LIST_PADDING)
/* No game has more actions: 84 placements, as many picks, and passes up to this ply. */
#define BF_LAST_PASS 0xF000

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bf_rules bf_rules;
typedef struct bf_state bf_state;

/* What makes ids of the anchors in a word of three rows, row 3 * word first, 63 bits. */
typedef struct bf_terms {
    uint16_t first;                        /* the id of bit 0, were it an anchor */
    uint16_t row;                          /* where the kernels' table for a row's length begins */
} bf_terms;

/* What the kernels read of a variant. The same for a whole game.
 * The anchor of a placement is the top left square of its bounding box. */
typedef struct bf_layout {
    uint64_t playable[BF_WORDS];
    uint64_t start[BF_COLORS][BF_WORDS];   /* a color's first piece covers one of these */
    /* The first id of each orientation, then the number of ids. The id of a placement is that,
     * plus row of the anchor times (size + 1 - width of the orientation), plus its column. */
    uint16_t first[BF_ORIENTATIONS + 1];
    uint16_t size;                         /* rows of the square board */
    uint16_t n_moves;                      /* placements on it */
    bf_terms terms[8 * BF_ORIENTATIONS];   /* [8 * orientation + word] */
} bf_layout;

/* The random number generator: SplitMix64 with an increment per stream. See docs/random.md. */
typedef struct bf_rng {
    uint64_t state;
    uint64_t increment;
} bf_rng;

/* The squares of the four colors. */
typedef const uint64_t (*bf_boards)[BF_WORDS];

/* Features of placements, an array each; see bf_kernel.features. */
typedef struct bf_features {
    int8_t *squares;   /* squares that it covers */
    int8_t *gained;    /* squares that become corner squares of the color */
    int8_t *lost;      /* corner squares of the color that are so no longer */
    int8_t *taken;     /* [n][n_colors]: corner squares of each other color that it covers */
    float *distance;   /* from the center of the board to that of its nearest square, in squares */
} bf_features;

/* How positions become planes of zeros and ones; see observation.py, which makes it. */
typedef struct bf_view {
    const uint8_t (*planes)[4];  /* kind of plane, and up to three numbers */
    int64_t n_planes;
    const int64_t *by_turn;      /* [turn + 1]: which row of `bits`; 0: nothing is turned */
    const int16_t (*bits)[64 * BF_WORDS]; /* where a symmetry takes each bit of the frame */
    int32_t cells;               /* 0: uint8, 1: float, 2: bits */
    int32_t width;               /* bytes of a plane */
    int32_t mover;               /* colors in the order of play, from the color to move on */
} bf_view;

/* One instruction set's way to answer what costs time: the questions of the generator, and what
 * lives on counting bits. In the first group `own` holds the squares of the four colors, `color`
 * is whose placements are asked for, bit p of `pieces` says that piece p may be placed. A color
 * without squares must cover a start square. */
typedef struct bf_kernel {
    const char *name;
    /* Write the ids of all legal placements, ascending; return how many. */
    uint32_t (*list)(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                     uint16_t *ids);
    /* Return how many legal placements there are. */
    uint32_t (*count)(const bf_layout *layout, bf_boards own, int color, uint32_t pieces);
    /* Return 1 if there is a legal placement, else 0. */
    int (*any)(const bf_layout *layout, bf_boards own, int color, uint32_t pieces);
    /* Set mask[id] to 1 for legal and 0 for illegal placements (n_moves bytes, no more);
     * return how many are legal. */
    uint32_t (*mask)(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                     uint8_t *mask);
    /* Draw one legal placement uniformly: bf_rng_below(rng, count) is its index in the
     * ascending list. Return -1, and draw nothing, if there is none. */
    int32_t (*sample)(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                      bf_rng *rng);
    /* Write the squares that a placement may cover (`allowed`: playable, empty, no own edge)
     * and those of them that touch an own square at a corner, or the start squares (`corner`). */
    void (*frontier)(const bf_layout *layout, bf_boards own, int color, uint64_t *allowed,
                     uint64_t *corner);
    /* Draw a piece with probability proportional to its weight, then one of its legal
     * placements uniformly. A piece without any drops out and another is drawn. Only pieces in
     * `pieces` with a weight above 0 take part; the sum of their weights is below 2^32. Draws:
     * bf_rng_below(rng, sum of weights) per try, in ascending order of pieces, then
     * bf_rng_below(rng, placements of the piece). Return -1, and draw nothing, if no piece is
     * left. */
    int32_t (*sample_weighted)(const bf_layout *layout, bf_boards own, int color,
                               uint32_t pieces, const uint32_t *weights, bf_rng *rng);

    /* Fill the features of n placements (ids without the color) of a color. Ids that are not
     * legal get figures that mean nothing; an id that is out of range gets zeros. */
    void (*features)(const bf_rules *rules, const bf_state *s, int color, const int32_t *ids,
                     uint32_t n, const bf_features *out);
    /* Write the squares that a color could cover within some placements of its own: a flood over
     * what it may cover now, `steps` squares along edges from each corner square. */
    void (*reach)(const bf_rules *rules, const bf_state *s, int color, int placements, int steps,
                  uint64_t *squares);
    /* Write the planes of a position, view->n_planes times view->width bytes. */
    void (*observe)(const bf_rules *rules, const bf_state *s, const bf_view *view, uint8_t *out);
    /* Score of a color; in Draft, where no bonus belongs to it, without bonus. */
    int32_t (*color_score)(const bf_rules *rules, const bf_state *s, int color);
    /* Score of a player: of his colors together, or of his own hand in Draft. */
    int32_t (*player_score)(const bf_rules *rules, const bf_state *s, int player);
} bf_kernel;

/* Phases of a game. A state of zeros is a game that is over, which nothing can be done to. */
enum { BF_OVER = 0, BF_PLAY = 1, BF_DRAFT = 2 };

/* A variant, compiled: everything that stays the same during a game. Hands hold a count of 0 to 7
 * per piece as three bit planes: bit p, 21 + p and 42 + p are the count of piece p. Never
 * changed once it is finished, so that any number of threads can read it. */
struct bf_rules {
    bf_layout layout;
    const uint32_t *placements;  /* per id: orientation, anchor's bit << 8, row << 17, column << 22 */
    const bf_kernel *kernel;     /* what answers the questions of the generator */
    uint64_t hand[BF_COLORS];    /* the pieces that each color starts with */
    int32_t score_placed;        /* a square on the board */
    int32_t score_left;          /* a square in hand */
    int32_t score_all_placed;    /* an empty hand */
    int32_t score_monomino_last; /* more, if the monomino was the last piece */
    uint32_t first_pieces;       /* pieces that may open a color */
    uint32_t pass_action;        /* id of the voluntary pass */
    uint32_t n_actions;          /* ids that a push can take are smaller */
    uint16_t max_rounds;         /* 0: no limit */
    uint8_t n_colors;
    uint8_t n_players;
    uint8_t voluntary_pass;
    uint8_t draft;
    int8_t order[BF_COLORS];     /* colors in order of play */
    int8_t owner[BF_COLORS];     /* player of a color; -1: shared, decided in rotation */
    uint8_t place[BF_COLORS];    /* inverse of order */
};

/* A position. A plain value: copy it with an assignment. */
struct bf_state {
    uint64_t own[BF_COLORS][BF_WORDS];   /* squares of each color */
    uint64_t hand[BF_COLORS][BF_COLORS]; /* [holder][color]; the holder is the player in Draft, else 0 */
    uint64_t content_key;                /* exclusive or of the keys of all placements */
    uint16_t placed[BF_COLORS];          /* squares placed from the hand of a color (Draft: player) */
    uint16_t ply;                        /* placements, picks and voluntary passes made */
    uint16_t round;                      /* finished rounds */
    int8_t turn;                         /* color to move; -1: over, or a Draft player's free choice */
    int8_t player;                       /* who decides; -1: over */
    uint8_t phase;
    uint8_t finished;                    /* bit per color that was found unable to move ever again */
    uint8_t monomino_last;               /* bit per color (Draft: player): its last piece was the monomino */
    uint8_t shared_player;               /* who places the shared color next */
    uint8_t reserved[32];                /* zero */
};

/* Room for a state on a 64-byte boundary, wherever the room itself lies. */
typedef struct bf_state_room {
    unsigned char bytes[sizeof(bf_state) + 63];
} bf_state_room;

/* What a push has to remember for its pop. */
typedef struct bf_undo {
    uint32_t action;
    uint16_t round;
    uint16_t skipped;        /* whom the turn passed over afterwards; read it with BF_SKIPPED */
    int8_t turn;
    int8_t player;
    uint8_t phase_shared;    /* phase, and shared_player << 4: twelve bytes, and no more */
    uint8_t finished_last;   /* finished, and monomino_last << 4 */
} bf_undo;

/* The i-th color (Draft: player) that was passed over, in their order, or -1: four bits each. */
#define BF_SKIPPED(skipped, i) ((int)((skipped) >> (4 * (i)) & 15) - 1)

/* What an action id stands for. */
enum { BF_NO_ACTION = 0, BF_PLACEMENT = 1, BF_PICK = 2, BF_PASS = 3 };
typedef struct bf_action {
    int32_t kind;
    int32_t color;  /* of a placement in Draft and of a pick; else -1: the color to move */
    int32_t piece;  /* of a placement or pick, else -1 */
    int32_t move;   /* id of a placement without its color, else -1 */
} bf_action;

/* Why an action is not legal. */
enum {
    BF_LEGAL = 0,
    BF_GAME_OVER,
    BF_NO_SUCH_ACTION,
    BF_NOT_IN_HAND,
    BF_NOT_AN_OPENING,
    BF_OFF_BOARD,
    BF_OVERLAPS,
    BF_OWN_EDGE,
    BF_NO_CORNER,
    BF_MISSES_START,
    BF_NO_PASS,
    BF_DRAFT_PHASE,
    BF_NOT_DRAFTING,
    BF_OTHER_COLOR,
    BF_PICK_GONE
};

/* Why something is not a position. `who` is a color, or a player where it says so. */
enum {
    BF_SOUND = 0,
    BF_BAD_NUMBER,       /* a number is out of its range: turn, player, phase, flags */
    BF_BAD_SQUARE,       /* who has a square that is not in play, or not his alone */
    BF_BAD_PIECE,        /* squares of who that hang together are no piece: `count` of them */
    BF_BAD_HAND,         /* more of a piece of who, on the board and in hand, than its set has */
    BF_MISSED_START,     /* no piece of who covers a start square */
    BF_BAD_OPENING,      /* no piece of who at its start may open */
    BF_NOT_CONNECTED,    /* a piece of who is not connected at a corner */
    BF_BAD_PLACED,       /* squares placed are not those on the board */
    BF_BAD_LAST,         /* the monomino cannot be the last piece of who (Draft: a player) */
    BF_BAD_PLY,          /* the number of moves made does not fit the board */
    BF_BAD_ROUND,        /* the round does not fit the limit */
    BF_BAD_FINISHED,     /* who is said to be finished, and can place */
    BF_BAD_TURN,         /* it cannot be the turn of who is to move */
    BF_STUCK,            /* who is to move cannot (Draft: a player) */
    BF_NOT_OVER,         /* the game is said to be over, and who can place (Draft: a player) */
    BF_BAD_DRAFT,        /* the hands are not what the players can have picked in turn */
    BF_BAD_KEY           /* the hash of the squares is another one */
};
typedef struct bf_fault {
    int32_t code;
    int32_t who;     /* -1: nobody in particular */
    int32_t square;  /* index row * size + column, or -1 */
    int32_t piece;   /* or -1 */
    int32_t count;   /* squares, or pieces */
} bf_fault;

/* How placements are drawn by chance; see docs/random.md. */
enum { BF_UNIFORM = 0, BF_BY_PIECE = 1, BF_BY_MOVE = 2 };
typedef struct bf_policy {
    int32_t kind;
    const uint32_t *weights;  /* 21 above 0 for BF_BY_PIECE, n_moves for BF_BY_MOVE */
    uint16_t *scratch;        /* BF_LIST_SIZE ids, for BF_BY_MOVE */
} bf_policy;

/* Everything that the engine does. No function allocates, changes anything but its arguments, or
 * needs the GIL, but for the two that say so. `color` is -1 for the side to move.
 *
 * Only `check` takes any bytes for a state, and `set_up` any squares, hands, flags and squares
 * placed. All others take a position: what open, push, pop and set_up made, or check found sound.
 * Nothing reads or writes out of bounds, or goes on for ever, as long as turn, player, phase and
 * shared_player are what those could have left there, whatever the squares, hands and counters
 * are: so too after a push of an action that is not legal, if it is a pick where the phase is
 * BF_DRAFT, and a placement or a pass where it is BF_PLAY. Answers then mean nothing. */
typedef struct bf_api {
    uint32_t abi_version;  /* BF_ABI_VERSION of the installed package */
    uint32_t api_size;     /* sizeof(bf_api) there: functions are only added at the end */
    uint32_t rules_size, state_size, undo_size;

    /* -- from Python objects, with the GIL -- */
    /* The rules of a Board, BatchBoard or Rules, which must live on; NULL with an error set. */
    const bf_rules *(*rules_of)(void *object);
    /* The position of a Board, to be read while nobody else uses it; NULL with an error set. */
    const bf_state *(*state_of)(void *board);

    /* -- rules without Python -- */
    /* Fill the placements of a board of `size` rows, at most BF_MAX_MOVES; return how many. */
    uint32_t (*fill_placements)(uint32_t *placements, int size);
    /* Fill rules from what the caller has set (see docs/native.md), for a board of `size` rows.
     * `placements` are those of that size, and must live on. A kernel of NULL is the best one.
     * Return 0, or -1 if something is out of range. */
    int (*make_rules)(bf_rules *rules, int size, const uint32_t *placements,
                      const bf_kernel *kernel);
    /* Kernel number `index`, slowest first, or NULL; *supported says if it runs here. */
    const bf_kernel *(*kernel_at)(uint64_t index, int *supported);

    /* -- a game -- */
    /* Set up its beginning; return who is skipped before the first move, see BF_SKIPPED. */
    uint16_t (*open)(const bf_rules *rules, bf_state *s);
    /* Take a legal action and give the turn to whoever can move next. */
    void (*push)(const bf_rules *rules, bf_state *s, uint32_t action, bf_undo *undo);
    /* Restore the state, to the byte, to what it was before a push. */
    void (*pop)(const bf_rules *rules, bf_state *s, const bf_undo *undo);

    /* -- actions -- */
    bf_action (*decode)(const bf_rules *rules, uint32_t action);
    /* The id of an action; UINT32_MAX if there is none. */
    uint32_t (*encode)(const bf_rules *rules, const bf_action *action);
    /* Write the ids of all legal actions, ascending; return how many. `scratch` holds
     * BF_LIST_SIZE ids, `ids` n_actions + 1. */
    uint32_t (*list)(const bf_rules *rules, const bf_state *s, int color, uint16_t *scratch,
                     int32_t *ids);
    uint32_t (*count)(const bf_rules *rules, const bf_state *s, int color);
    int (*any)(const bf_rules *rules, const bf_state *s, int color);
    /* Set all n_actions bytes of a mask; return how many are 1. */
    uint32_t (*mask)(const bf_rules *rules, const bf_state *s, int color, uint8_t *mask);
    /* Draw a legal action of the side to move; the game must not be over. UINT32_MAX if there is
     * none, which can only be where the state is no position. */
    uint32_t (*draw)(const bf_rules *rules, const bf_state *s, const bf_policy *policy,
                     bf_rng *rng);
    /* Whether an action (any number) is legal, quickly. */
    int (*is_legal)(const bf_rules *rules, const bf_state *s, int color, uint32_t action);
    /* The rule that an action breaks, or BF_LEGAL; *square is where, or -1. */
    int (*illegality)(const bf_rules *rules, const bf_state *s, int color, uint32_t action,
                      int *square);

    /* -- what a position is worth -- */
    int32_t (*color_score)(const bf_rules *rules, const bf_state *s, int color);
    int32_t (*player_score)(const bf_rules *rules, const bf_state *s, int player);
    uint64_t (*key)(const bf_rules *rules, const bf_state *s);
    int (*equal)(const bf_rules *rules, const bf_state *s, const bf_state *t);
    void (*features)(const bf_rules *rules, const bf_state *s, int color, const int32_t *ids,
                     uint32_t n, const bf_features *out);
    void (*reach)(const bf_rules *rules, const bf_state *s, int color, int placements, int steps,
                  uint64_t *squares);
    void (*observe)(const bf_rules *rules, const bf_state *s, const bf_view *view, uint8_t *out);

    /* -- by chance -- */
    void (*seed)(bf_rng *rng, uint64_t seed, uint64_t stream);
    uint64_t (*random)(bf_rng *rng);
    /* A number below n, n > 0, exactly uniform. */
    uint32_t (*below)(bf_rng *rng, uint32_t n);
    /* Play to the end. Hash, ply and turn of what is left mean nothing; the scores do. */
    void (*playout)(const bf_rules *rules, bf_state *s, const bf_policy *policy, bf_rng *rng);

    /* -- positions from elsewhere -- */
    /* Make a position of squares, hands, flags and, in Draft, squares placed per player: the turn
     * goes to a color (Draft: a player), or the next one that can move. `shared` is who places a
     * shared color next, -1: whoever it is by the pieces. Return 0, or the code of what is wrong,
     * with *fault filled. *skipped (may be NULL) is who was passed over. */
    int (*set_up)(const bf_rules *rules, bf_state *s, int turn, int shared, uint16_t *skipped,
                  bf_fault *fault);
    /* Judge a whole position. Return 0, or the code of what is wrong, with *fault filled. */
    int (*check)(const bf_rules *rules, const bf_state *s, bf_fault *fault);
    /* Take the piece with the lowest square off a board that is not empty; return the id of its
     * placement, or -1 if the squares that hang together there are no piece. */
    int32_t (*take_piece)(const bf_rules *rules, uint64_t *board);

    /* -- counting -- */
    /* Count the sequences of `depth` actions, 1 or more. `ids` has room for the lists of all
     * depths, depth * (n_actions + 1). `stop` (may be NULL) is asked now and then with `context`:
     * anything but 0 ends the count, whose result then means nothing. */
    uint64_t (*perft)(const bf_rules *rules, const bf_state *s, int depth, uint16_t *scratch,
                      int32_t *ids, int (*stop)(void *context), void *context);
} bf_api;

#ifdef __cplusplus
}
#endif

#endif
