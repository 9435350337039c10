/* check.c: what a position must be. Set-up, position text, records, planes, pickles: whatever
 * comes from outside is judged here, and only here; Python puts the codes into words.
 *
 * A position is: squares by color, hands, whose turn it is, the phase, last-piece flags, who
 * places a shared color next, squares placed per player in Draft, the round where their number is
 * limited, and the number of moves made. All the rest follows from these.
 */
#include "check.h"

#include "flow.h"
#include "shapes.h"
#include "state.h"

/* The pieces of a position, found in its squares. */
typedef struct census {
    uint8_t pieces[BF_COLORS][BF_PIECES]; /* how many of each lie on the board */
    uint16_t squares[BF_COLORS];
    int n_pieces;
    uint64_t key;
} census;

static int fail(bf_fault *fault, int code, int who, int square, int piece, int count) {
    fault->code = code;
    fault->who = who;
    fault->square = square;
    fault->piece = piece;
    fault->count = count;
    return code;
}

static int plain_fail(bf_fault *fault, int code, int who) {
    return fail(fault, code, who, -1, -1, 0);
}

/* The shared color, or -1: at most one is shared, and in Draft none. */
static int shared_color(const bf_rules *rules) {
    for (int color = 0; !rules->draft && color < rules->n_colors; color++) {
        if (rules->owner[color] < 0) return color;
    }
    return -1;
}

/* -- squares and hands ------------------------------------------------------------------------ */

static int check_squares(const bf_rules *rules, const bf_state *s, bf_fault *fault) {
    uint64_t open[BF_WORDS];
    memcpy(open, rules->layout.playable, sizeof open);
    for (int color = 0; color < BF_COLORS; color++) {
        for (int w = 0; w < BF_WORDS; w++) {
            uint64_t own = s->own[color][w], wrong = own & ~open[w];
            if (color >= rules->n_colors) wrong = own;
            if (wrong != 0) {
                int bit = 64 * w + bf_lowest_bit(wrong), size = rules->layout.size;
                int on_board = bit / BF_STRIDE < size && bit % BF_STRIDE < size;
                return fail(fault, BF_BAD_SQUARE, color,
                            on_board ? bf_square_index(bit, size) : -1, -1, 0);
            }
            open[w] &= ~own;
        }
    }
    return BF_SOUND;
}

static int take_census(const bf_rules *rules, const bf_state *s, census *c, bf_fault *fault) {
    memset(c, 0, sizeof *c);
    for (int color = 0; color < rules->n_colors; color++) {
        uint64_t left[BF_WORDS];
        memcpy(left, s->own[color], sizeof left);
        while (!bf_is_empty(left)) {
            int32_t move;
            int at = bf_square_index(bf_lowest_square(left), rules->layout.size);
            int n = bf_take_component(&rules->layout, left, &move);
            if (move < 0) return fail(fault, BF_BAD_PIECE, color, at, -1, n);
            c->pieces[color][bf_placement_piece(rules->placements[move])]++;
            c->squares[color] = (uint16_t)(c->squares[color] + n);
            c->n_pieces++;
            c->key ^= bf_placement_key(color, (uint32_t)move);
        }
    }
    return BF_SOUND;
}

/* That a color could have come to lie so: from a start square on, by corners. */
static int check_connection(const bf_rules *rules, const bf_state *s, int color,
                            bf_fault *fault) {
    const uint64_t *own = s->own[color];
    uint64_t left[BF_WORDS], reached[BF_WORDS], before[BF_WORDS];
    int found = 0, covered = 0, size = rules->layout.size;
    if (bf_is_empty(own)) return BF_SOUND;
    memcpy(left, own, sizeof left);
    while (!found && !bf_is_empty(left)) {
        int32_t move;
        uint64_t piece[BF_WORDS];
        uint64_t at_start = 0;
        memcpy(piece, left, sizeof piece);
        bf_take_component(&rules->layout, left, &move);
        for (int w = 0; w < BF_WORDS; w++) {
            piece[w] &= ~left[w];
            at_start |= piece[w] & rules->layout.start[color][w];
        }
        if (at_start == 0) continue;
        covered = 1;
        found = rules->first_pieces >> bf_placement_piece(rules->placements[move]) & 1;
        memcpy(reached, piece, sizeof reached);
    }
    if (!covered) return plain_fail(fault, BF_MISSED_START, color);
    if (!found) return plain_fail(fault, BF_BAD_OPENING, color);
    do {
        memcpy(before, reached, sizeof before);
        bf_spread(reached, own, 1);
        bf_spread(reached, own, 0);
    } while (memcmp(before, reached, sizeof before) != 0);
    for (int w = 0; w < BF_WORDS; w++) left[w] = own[w] & ~reached[w];
    if (bf_is_empty(left)) return BF_SOUND;
    return fail(fault, BF_NOT_CONNECTED, color, bf_square_index(bf_lowest_square(left), size), -1,
                0);
}

/* That no piece is there more often, on the board and in hands, than in the color's set. */
static int check_hands(const bf_rules *rules, const bf_state *s, const census *c,
                       bf_fault *fault) {
    int holders = rules->draft ? rules->n_players : 1;
    for (int color = 0; color < BF_COLORS; color++) {
        for (int holder = 0; holder < BF_COLORS; holder++) {
            uint64_t hand = s->hand[holder][color];
            if (hand >> 63 != 0 || ((holder >= holders || color >= rules->n_colors) && hand != 0)) {
                return plain_fail(fault, BF_BAD_HAND, color < rules->n_colors ? color : -1);
            }
        }
        for (int piece = 0; color < rules->n_colors && piece < BF_PIECES; piece++) {
            int n = c->pieces[color][piece];
            for (int holder = 0; holder < holders; holder++) {
                n += bf_hand_count(s->hand[holder][color], piece);
            }
            if (n > bf_hand_count(rules->hand[color], piece)) {
                return fail(fault, BF_BAD_HAND, color, -1, piece, n);
            }
        }
    }
    return BF_SOUND;
}

/* -- numbers ---------------------------------------------------------------------------------- */

static int check_ranges(const bf_rules *rules, const bf_state *s, bf_fault *fault) {
    static const uint8_t zeros[sizeof s->reserved];
    int scored = rules->draft ? rules->n_players : rules->n_colors;
    int has_shared = shared_color(rules) >= 0;
    if (s->turn < -1 || s->turn >= rules->n_colors || s->player < -1 ||
        s->player >= rules->n_players || s->phase > BF_DRAFT || s->finished >> rules->n_colors != 0 ||
        (rules->draft && s->finished != 0) || s->monomino_last >> scored != 0 ||
        s->shared_player >= (has_shared ? rules->n_players : 1) ||
        memcmp(s->reserved, zeros, sizeof zeros) != 0) {
        return plain_fail(fault, BF_BAD_NUMBER, -1);
    }
    return BF_SOUND;
}

static int check_placed(const bf_rules *rules, const bf_state *s, const census *c,
                        bf_fault *fault) {
    int all = 0, placed = 0;
    for (int i = 0; i < BF_COLORS; i++) {
        all += c->squares[i];
        placed += s->placed[i];
        if (rules->draft ? i >= rules->n_players && s->placed[i] != 0
                         : s->placed[i] != c->squares[i]) {
            return fail(fault, BF_BAD_PLACED, i, -1, -1, s->placed[i]);
        }
    }
    return placed == all ? BF_SOUND : fail(fault, BF_BAD_PLACED, -1, -1, -1, placed);
}

static int check_last(const bf_rules *rules, const bf_state *s, const census *c,
                      bf_fault *fault) {
    int on_board = 0;
    for (int color = 0; color < rules->n_colors; color++) on_board += c->pieces[color][BF_MONOMINO];
    for (int i = 0; i < BF_COLORS; i++) {
        if ((s->monomino_last >> i & 1) == 0) continue;
        /* In Draft each of the players has placed another monomino, of whatever color. */
        if (rules->draft ? on_board-- == 0 || s->placed[i] == 0 : c->pieces[i][BF_MONOMINO] == 0) {
            return plain_fail(fault, BF_BAD_LAST, i);
        }
    }
    return BF_SOUND;
}

static int picks_of(const bf_state *s, int player, int color) {
    int n = 0;
    for (int piece = 0; piece < BF_PIECES; piece++) {
        n += bf_hand_count(s->hand[player][color], piece);
    }
    return n;
}

/* Draft's first phase: that the hands can have been picked in turn, and who picks next. */
static int check_draft(const bf_rules *rules, const bf_state *s, const census *c,
                       bf_fault *fault) {
    int n = rules->n_players, turn = -1, player = -1, all = 0;
    if (!rules->draft || c->n_pieces != 0 || s->round != 0) {
        return plain_fail(fault, BF_BAD_DRAFT, -1);
    }
    for (int place = 0; place < rules->n_colors; place++) {
        int color = rules->order[place], picked = 0;
        for (int i = 0; i < n; i++) picked += picks_of(s, i, color);
        /* The first pick of the color at a place is the player's of that number. */
        for (int i = 0; i < n; i++) {
            if (picks_of(s, (place + i) % n, color) != (picked + n - 1 - i) / n) {
                return plain_fail(fault, BF_BAD_DRAFT, color);
            }
        }
        if (turn >= 0 && picked > 0) return plain_fail(fault, BF_BAD_DRAFT, color);
        if (turn < 0 && bf_pickable(rules, s, color) != 0) {
            turn = color;
            player = (place + picked) % n;
        }
        all += picked;
    }
    if (s->ply != all) return fail(fault, BF_BAD_PLY, -1, -1, -1, s->ply);
    if (turn < 0 || s->turn != turn || s->player != player) {
        return plain_fail(fault, BF_BAD_TURN, s->player);
    }
    return BF_SOUND;
}

static int check_counters(const bf_rules *rules, const bf_state *s, const census *c,
                          bf_fault *fault) {
    int exact = !rules->draft && !rules->voluntary_pass;
    if (s->ply < c->n_pieces || (exact && s->ply != c->n_pieces)) {
        return fail(fault, BF_BAD_PLY, -1, -1, -1, s->ply);
    }
    if (rules->max_rounds != 0 &&
        (s->round > rules->max_rounds || (s->phase != BF_OVER && s->round == rules->max_rounds))) {
        return fail(fault, BF_BAD_ROUND, -1, -1, -1, s->round);
    }
    return BF_SOUND;
}

/* -- the turn --------------------------------------------------------------------------------- */

/* A color that can place (in Draft: a player), or -1 if there is none. */
static int somebody(const bf_rules *rules, const bf_state *s) {
    for (int holder = 0; holder < (rules->draft ? rules->n_players : 1); holder++) {
        for (int color = 0; color < rules->n_colors; color++) {
            if (bf_can_place(rules, s, holder, color)) return rules->draft ? holder : color;
        }
    }
    return -1;
}

static int check_turn(const bf_rules *rules, const bf_state *s, bf_fault *fault) {
    int color, able = 0;
    for (color = 0; color < rules->n_colors; color++) {
        if ((s->finished >> color & 1) != 0 && bf_can_place(rules, s, 0, color)) {
            return plain_fail(fault, BF_BAD_FINISHED, color);
        }
    }
    if (s->phase == BF_OVER) {
        if (s->turn >= 0 || s->player >= 0) return plain_fail(fault, BF_BAD_TURN, -1);
        if (rules->max_rounds != 0 && s->round == rules->max_rounds) return BF_SOUND;
        int who = somebody(rules, s);
        return who < 0 ? BF_SOUND : plain_fail(fault, BF_NOT_OVER, who);
    }
    if (s->player < 0 || (s->turn < 0) != rules->draft) return plain_fail(fault, BF_BAD_TURN, -1);
    if (rules->draft) {
        for (color = 0; color < rules->n_colors; color++) {
            able |= bf_can_place(rules, s, s->player, color);
        }
        return able ? BF_SOUND
                    : fail(fault, BF_STUCK, s->player, -1, -1, somebody(rules, s) >= 0);
    }
    int owner = rules->owner[s->turn];
    if (s->player != (owner >= 0 ? owner : s->shared_player)) {
        return plain_fail(fault, BF_BAD_TURN, s->turn);
    }
    if (bf_can_place(rules, s, 0, s->turn)) return BF_SOUND;
    return fail(fault, BF_STUCK, s->turn, -1, -1, somebody(rules, s) >= 0);
}

/* -- all of it -------------------------------------------------------------------------------- */

/* Check what is the same in a position however it is given. */
static int check_pieces(const bf_rules *rules, const bf_state *s, const census *c,
                        bf_fault *fault) {
    int code = BF_SOUND;
    for (int color = 0; code == BF_SOUND && color < rules->n_colors; color++) {
        code = check_connection(rules, s, color, fault);
    }
    if (code == BF_SOUND) code = check_hands(rules, s, c, fault);
    if (code == BF_SOUND) code = check_placed(rules, s, c, fault);
    if (code == BF_SOUND) code = check_last(rules, s, c, fault);
    return code;
}

int bf_check(const bf_rules *rules, const bf_state *s, bf_fault *fault) {
    census c;
    int code = check_ranges(rules, s, fault);
    if (code == BF_SOUND) code = check_squares(rules, s, fault);
    if (code == BF_SOUND) code = take_census(rules, s, &c, fault);
    if (code == BF_SOUND) code = check_pieces(rules, s, &c, fault);
    if (code != BF_SOUND) return code;
    if (s->phase == BF_DRAFT) {
        code = check_draft(rules, s, &c, fault);
    } else {
        code = check_counters(rules, s, &c, fault);
        if (code == BF_SOUND) code = check_turn(rules, s, fault);
    }
    if (code == BF_SOUND && c.key != s->content_key) {
        code = plain_fail(fault, BF_BAD_KEY, -1);
    }
    if (code == BF_SOUND) plain_fail(fault, BF_SOUND, -1);
    return code;
}

/* Enter what a census tells. */
static void enter(const bf_rules *rules, bf_state *s, const census *c) {
    s->content_key = c->key;
    s->ply = (uint16_t)c->n_pieces;
    if (!rules->draft) memcpy(s->placed, c->squares, sizeof s->placed);
}

int bf_count_pieces(const bf_rules *rules, bf_state *s, bf_fault *fault) {
    census c;
    int code = check_squares(rules, s, fault);
    if (code == BF_SOUND) code = take_census(rules, s, &c, fault);
    if (code == BF_SOUND) enter(rules, s, &c);
    return code;
}

int bf_take_rest(const bf_rules *rules, bf_state *s, int color, bf_fault *fault) {
    census c;
    int code = take_census(rules, s, &c, fault);
    if (code != BF_SOUND) return code;
    uint64_t hand = rules->hand[color];
    for (int piece = 0; piece < BF_PIECES; piece++) {
        /* What is there too often, bf_check finds. */
        for (int n = 0; n < c.pieces[color][piece] && bf_hand_count(hand, piece) > 0; n++) {
            hand = bf_hand_without(hand, piece);
        }
    }
    s->hand[0][color] = hand;
    return BF_SOUND;
}

int bf_shared_by_pieces(const bf_rules *rules, const bf_state *s) {
    uint64_t left[BF_WORDS];
    int n = 0, color = shared_color(rules);
    if (color < 0) return 0;
    memcpy(left, s->own[color], sizeof left);
    for (; !bf_is_empty(left); n++) bf_take_piece(rules, left);
    return n % rules->n_players;
}

int bf_set_up(const bf_rules *rules, bf_state *s, int turn, int shared, uint16_t *skipped,
              bf_fault *fault) {
    census c;
    int code;
    s->round = 0;
    s->finished = s->shared_player = 0;
    s->turn = s->player = -1;
    s->phase = BF_OVER;
    if (turn < 0 || turn >= (rules->draft ? rules->n_players : rules->n_colors) || shared < -1 ||
        shared >= rules->n_players) {
        return plain_fail(fault, BF_BAD_NUMBER, -1);
    }
    code = check_squares(rules, s, fault);
    if (code == BF_SOUND) code = take_census(rules, s, &c, fault);
    if (code == BF_SOUND) enter(rules, s, &c);
    if (code == BF_SOUND) code = check_pieces(rules, s, &c, fault);
    if (code != BF_SOUND) return code;
    if (shared_color(rules) >= 0) {
        s->shared_player = (uint8_t)(shared >= 0 ? shared : bf_shared_by_pieces(rules, s));
    }
    s->phase = BF_PLAY;
    uint16_t passed_over = rules->draft ? bf_seek_player(rules, s, turn)
                                        : bf_seek_color(rules, s, rules->place[turn]);
    if (skipped != NULL) *skipped = passed_over;
    return bf_check(rules, s, fault);
}
