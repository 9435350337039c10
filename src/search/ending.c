/* ending.c: see ending.h. */
#include "ending.h"

#include "flow.h"
#include "state.h"

/* Squares have a number if a candidate covers them, from 1 on, and else 0. Neighbors of squares at
 * the rim are squares of the frame, or up to this many before it and behind it. */
enum { RIM = BF_STRIDE + 1 };

#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

typedef struct builder {
    bf_ending *e;
    uint64_t *room, *end;
} builder;

static uint64_t *take(builder *b, uint64_t words) {
    uint64_t *taken = b->room;
    if (words > (uint64_t)(b->end - b->room)) return NULL;
    b->room += words;
    return taken;
}

/* The placements of a color that a candidate rules out. */
static inline const uint64_t *effect_of(const bf_ending *e, uint32_t candidate, int color) {
    size_t row = candidate * (size_t)e->rules->n_colors + (size_t)color;
    return e->effects + row * (size_t)e->words;
}

/* What a candidate opens: its squares, a bit for its piece, and the placements of its color that
 * it links. */
ALWAYS_INLINE const uint64_t *reach_of(const bf_ending *e, uint32_t candidate, int words,
                                       int square_words) {
    return e->reaches + candidate * (size_t)(words + square_words + 1);
}

static inline const uint64_t *of_piece(const bf_ending *e, int color, int piece) {
    return e->by_piece + (size_t)(color * BF_PIECES + piece) * (size_t)e->words;
}

static inline int any_word(const uint64_t *bits, int words) {
    uint64_t any = 0;
    for (int w = 0; w < words; w++) any |= bits[w];
    return any != 0;
}

static inline int any_common(const uint64_t *a, const uint64_t *b, int words) {
    uint64_t any = 0;
    for (int w = 0; w < words; w++) any |= a[w] & b[w];
    return any != 0;
}

/* -- positions -------------------------------------------------------------------------------- */

static int32_t squares_of(uint64_t hand, uint32_t pieces) {
    int32_t total = 0;
    for (; pieces != 0; pieces &= pieces - 1) {
        int piece = bf_lowest_bit(pieces);
        total += bf_piece_size[piece] * bf_hand_count(hand, piece);
    }
    return total;
}

static uint64_t color_hands(const bf_ending *e, const bf_ending_position *p, int color,
                            uint32_t *pieces) {
    *pieces = 0;
    for (int holder = 0; holder < e->n_holders; holder++) {
        *pieces |= bf_hand_pieces(p->hand[holder][color]);
    }
    return p->hand[0][color];
}

/* Drop the placements of a color that can no longer be linked, and see what the others cover.
 * Inline, so that the compiler knows the numbers of words where they are small. */
ALWAYS_INLINE uint32_t drop_unlinked(const bf_ending *e, bf_ending_position *p, int color,
                                     const int words, const int square_words) {
    uint64_t *live = p->live + color * words, *linked = p->linked + color * words;
    uint64_t unlinked[BF_ENDING_MOST_WORDS], left[BF_ENDING_MOST_WORDS];
    uint64_t covered[BF_WORDS], missing = 0, pieces = 0, key = 0;
    for (int w = 0; w < square_words; w++) covered[w] = 0;
    for (int w = 0; w < words; w++) {
        left[w] = linked[w] &= live[w];
        unlinked[w] = live[w] & ~linked[w];
        missing |= unlinked[w];
    }
    for (int again = 1; again;) {
        again = 0;
        for (int w = 0; w < words; w++) {
            while (left[w] != 0) {
                uint32_t i = e->first[color] + (uint32_t)(64 * w + bf_lowest_bit(left[w]));
                const uint64_t *reach = reach_of(e, i, words, square_words);
                left[w] &= left[w] - 1;
                for (int v = 0; v < square_words; v++) covered[v] |= reach[v];
                pieces |= reach[square_words];
                /* Mostly the first ones link all others. */
                if (missing == 0) continue;
                missing = 0;
                for (int v = 0; v < words; v++) {
                    uint64_t more = reach[square_words + 1 + v] & unlinked[v];
                    unlinked[v] ^= more;
                    left[v] |= more;
                    missing |= unlinked[v];
                    if (v < w && more != 0) again = 1;
                }
            }
        }
    }
    for (int w = 0; w < words; w++) {
        live[w] &= ~unlinked[w];
        key = (key ^ live[w]) * UINT64_C(0x9e3779b97f4a7c15);
        key = (key ^ key >> 29 ^ linked[w]) * UINT64_C(0xbf58476d1ce4e5b9);
        key ^= key >> 32;
    }
    p->key[color] = key;
    for (int w = 0; w < square_words; w++) p->covered[color][w] = covered[w];
    return (uint32_t)pieces;
}

/* Bring all that follows from the live and linked placements of a color up to date. */
static void settle(const bf_ending *e, bf_ending_position *p, int color) {
    uint32_t pieces, in_hand;
    uint64_t hand = color_hands(e, p, color, &in_hand);
    if (e->words == 1 && e->square_words == 1) {
        pieces = drop_unlinked(e, p, color, 1, 1);
    } else if (e->words == 1 && e->square_words == 2) {
        pieces = drop_unlinked(e, p, color, 1, 2);
    } else if (e->words == 2 && e->square_words <= 2) {
        pieces = e->square_words == 1 ? drop_unlinked(e, p, color, 2, 1)
                                      : drop_unlinked(e, p, color, 2, 2);
    } else {
        pieces = drop_unlinked(e, p, color, e->words, e->square_words);
    }
    pieces &= in_hand;
    p->pieces[color] = pieces;
    p->can_empty &= (uint8_t)~(1 << color);
    if (e->rules->draft) return;
    if (e->counts_bonus && pieces != 0 && pieces == in_hand) p->can_empty |= (uint8_t)(1 << color);
    int32_t squares = squares_of(hand, pieces), room = 0;
    for (int w = 0; w < e->square_words; w++) room += bf_count_bits(p->covered[color][w]);
    p->squares[color] = squares < room ? squares : room;
}

uint64_t bf_ending_legal(const bf_ending *e, const bf_ending_position *p, int holder, int color,
                         int w) {
    uint64_t linked = p->linked[color * e->words + w], fits = 0;
    if (!e->rules->draft || linked == 0) return linked;
    uint32_t pieces = bf_hand_pieces(p->hand[holder][color]) & p->pieces[color];
    for (; pieces != 0; pieces &= pieces - 1) {
        fits |= of_piece(e, color, bf_lowest_bit(pieces))[w];
    }
    return linked & fits;
}

static int player_can_place(const bf_ending *e, const bf_ending_position *p, int player) {
    for (int color = 0; color < e->rules->n_colors; color++) {
        uint32_t pieces = bf_hand_pieces(p->hand[player][color]) & p->pieces[color];
        for (; pieces != 0; pieces &= pieces - 1) {
            const uint64_t *fits = of_piece(e, color, bf_lowest_bit(pieces));
            if (any_common(p->linked + color * e->words, fits, e->words)) return 1;
        }
    }
    return 0;
}

/* As bf_seek_color and bf_seek_player do it. */
int bf_ending_seek(const bf_ending *e, const bf_ending_position *p, unsigned active,
                   bf_ending_turn *turn) {
    const bf_rules *rules = e->rules;
    int n = rules->draft ? rules->n_players : rules->n_colors;
    turn->place = p->place;
    turn->round = p->round;
    for (int i = 0; i < n; i++, turn->place++) {
        if (turn->place == n) {
            turn->place = 0;
            turn->round++;
            if (rules->max_rounds != 0 && turn->round == rules->max_rounds) return 0;
        }
        if (rules->draft) {
            if (!player_can_place(e, p, turn->place)) continue;
            turn->color = -1;
            turn->player = turn->place;
            return 1;
        }
        int color = rules->order[turn->place];
        if ((active >> color & 1) == 0) continue;
        if (!any_word(p->linked + color * e->words, e->words)) continue;
        turn->color = color;
        turn->player = rules->owner[color] >= 0 ? rules->owner[color] : p->shared;
        return 1;
    }
    return 0;
}

unsigned bf_ending_active(const bf_ending *e, const bf_ending_position *p, unsigned active) {
    for (int color = 0; color < e->rules->n_colors; color++) {
        if (!any_word(p->linked + color * e->words, e->words)) active &= ~(1u << color);
    }
    return active;
}

int bf_ending_split(const bf_ending *e, const bf_ending_position *p, unsigned active,
                    unsigned *parts) {
    int n = 0;
    for (int color = 0; color < e->rules->n_colors; color++) {
        unsigned part = 1u << color;
        int kept = 0;
        if ((active & part) == 0) continue;
        for (int i = 0; i < n; i++) {
            int meets = 0;
            for (int other = 0; other < color && !meets; other++) {
                if ((parts[i] >> other & 1) == 0) continue;
                meets = any_common(p->covered[color], p->covered[other], e->square_words);
            }
            if (meets) {
                part |= parts[i];
            } else {
                parts[kept++] = parts[i];
            }
        }
        parts[kept++] = part;
        n = kept;
    }
    return n;
}

void bf_ending_copy(bf_ending *e, int from, int to) {
    uint64_t *live = e->at[to].live, *linked = e->at[to].linked;
    size_t bytes = sizeof(uint64_t) * (size_t)(e->words * e->rules->n_colors);
    e->at[to] = e->at[from];
    e->at[to].live = live;
    e->at[to].linked = linked;
    memcpy(live, e->at[from].live, bytes);
    memcpy(linked, e->at[from].linked, bytes);
}

/* Copy the sets of a color from one pair of rows to another. */
static void copy_sets(const bf_ending *e, int color, const uint64_t *from, uint64_t *to) {
    const int row = e->words * e->rules->n_colors;
    for (int w = color * e->words; w < (color + 1) * e->words; w++) {
        to[w] = from[w];
        to[row + w] = from[row + w];
    }
}

void bf_ending_save(bf_ending *e, int ply, int color) {
    const bf_ending_position *p = &e->at[ply];
    copy_sets(e, color, p->live, p->live + 2 * e->words * e->rules->n_colors);
}

void bf_ending_leave_out(bf_ending *e, int ply, uint32_t move) {
    const bf_ending_position *p = &e->at[ply];
    int w = (int)(move >> 16) * e->words + (int)((move & 0xffff) / 64);
    p->live[w] &= ~(UINT64_C(1) << move % 64);
    p->linked[w] &= ~(UINT64_C(1) << move % 64);
}

void bf_ending_restore(bf_ending *e, int ply, int color) {
    const bf_ending_position *p = &e->at[ply];
    copy_sets(e, color, p->live + 2 * e->words * e->rules->n_colors, p->live);
}

/* Let a position have its part of the room. */
static void give_sets(bf_ending *e, int ply) {
    size_t row = (size_t)(e->words * e->rules->n_colors);
    e->at[ply].live = e->sets + 4 * row * (size_t)ply;
    e->at[ply].linked = e->at[ply].live + row;
}

/* Put the head of a position and its active colors into the next one. */
static bf_ending_position *begin_push(bf_ending *e, int ply, unsigned active) {
    const bf_ending_position *p = &e->at[ply];
    bf_ending_position *q = &e->at[ply + 1];
    give_sets(e, ply + 1);
    for (int color = 0; color < e->rules->n_colors; color++) {
        if ((active >> color & 1) == 0) continue;
        for (int w = color * e->words; w < (color + 1) * e->words; w++) {
            q->live[w] = p->live[w];
            q->linked[w] = p->linked[w];
        }
        for (int w = 0; w < e->square_words; w++) q->covered[color][w] = p->covered[color][w];
        q->key[color] = p->key[color];
        q->pieces[color] = p->pieces[color];
        q->squares[color] = p->squares[color];
        q->hand[0][color] = p->hand[0][color];
        for (int h = 1; h < e->n_holders; h++) q->hand[h][color] = p->hand[h][color];
    }
    q->round = p->round;
    q->shared = p->shared;
    q->opened = p->opened;
    q->can_empty = p->can_empty;
    return q;
}

static int32_t points(const bf_ending *e, const bf_ending_position *q, int holder, int color,
                      int piece) {
    const bf_rules *rules = e->rules;
    int32_t gain = bf_piece_size[piece] * (rules->score_placed - rules->score_left);
    uint64_t left = q->hand[holder][color];
    if (!e->counts_bonus) return gain;
    for (int c = 0; rules->draft && c < rules->n_colors; c++) left |= q->hand[holder][c];
    if (left != 0) return gain;
    gain += rules->score_all_placed;
    return piece == BF_MONOMINO ? gain + rules->score_monomino_last : gain;
}

int32_t bf_ending_push(bf_ending *e, int ply, unsigned active, const bf_ending_turn *turn,
                       uint32_t move) {
    const bf_rules *rules = e->rules;
    const int words = e->words;
    bf_ending_position *q = begin_push(e, ply, active);
    q->place = (int8_t)(turn->place + 1);
    q->round = (uint16_t)turn->round;
    if (move == BF_ENDING_PASS) return 0;
    int color = (int)(move >> 16), holder = rules->draft ? turn->player : 0;
    uint32_t index = e->first[color] + (move & 0xffff);
    int piece = e->candidates[index].piece;
    q->hand[holder][color] = bf_hand_without(q->hand[holder][color], piece);
    if (rules->owner[color] < 0) q->shared = (uint8_t)((q->shared + 1) % rules->n_players);

    const uint64_t *links = reach_of(e, index, words, e->square_words) + e->square_words + 1;
    uint64_t *linked = q->linked + color * words, *live = q->live + color * words;
    /* The first piece counted by its start square: from now on by corners alone. */
    uint64_t kept = (q->opened >> color & 1) != 0 ? ~UINT64_C(0) : 0;
    for (int w = 0; w < words; w++) linked[w] = (linked[w] & kept) | links[w];
    q->opened |= (uint8_t)(1 << color);
    uint32_t in_hand;
    color_hands(e, q, color, &in_hand);
    if ((in_hand >> piece & 1) == 0) {
        const uint64_t *same = of_piece(e, color, piece);
        for (int w = 0; w < words; w++) live[w] &= ~same[w];
    }
    for (int other = 0; other < rules->n_colors; other++) {
        if ((active >> other & 1) == 0) continue;
        const uint64_t *lost = effect_of(e, index, other);
        uint64_t *theirs = q->live + other * words, changed = other == color;
        for (int w = 0; w < words; w++) {
            changed |= theirs[w] & lost[w];
            theirs[w] &= ~lost[w];
        }
        if (changed != 0) settle(e, q, other);
    }
    return points(e, q, holder, color, piece);
}

/* -- the lists -------------------------------------------------------------------------------- */

void bf_ending_init(bf_ending *e, const bf_rules *rules) {
    e->rules = rules;
    e->layout = rules->layout;
    e->n_holders = rules->draft ? rules->n_players : 1;
    e->counts_bonus = rules->score_all_placed != 0 || rules->score_monomino_last != 0;
}

/* Add the squares of a placement to a board with two words behind it. */
static inline void add_squares(uint32_t placement, uint64_t *board) {
    uint64_t words[3], *at = board + (bf_placement_bit(placement) >> 6);
    bf_placement_words(placement, words);
    for (int w = 0; w < 3; w++) at[w] |= words[w];
}

static int square_at(uint32_t placement, const int8_t *cell) {
    return bf_placement_bit(placement) + BF_STRIDE * cell[0] + cell[1];
}

/* Add the squares at corners of placements to a board, as far as they may be covered; and squares
 * beside them, which is quicker than to tell them apart, and seldom lets a placement in that
 * nothing links. */
static void add_corners(const bf_ending *e, uint32_t n, const uint64_t *allowed, uint64_t *board) {
    uint64_t squares[BF_WORDS + 2] = {0};
    for (uint32_t i = 0; i < n; i++) add_squares(e->rules->placements[e->ids[i]], squares);
    bf_spread(squares, allowed, 1);
    for (int w = 0; w < BF_WORDS; w++) board[w] |= squares[w];
}

/* Write to e->ids what a color may come to place: at its corner squares, then at those that this
 * makes, and so on. Return how many, or UINT32_MAX if they are too many. */
static uint32_t list_ids(bf_ending *e, const bf_state *s, int color, uint32_t pieces,
                         uint64_t most, const uint64_t *allowed, const uint64_t *corner) {
    static const uint64_t nobody[BF_COLORS][BF_WORDS];
    const bf_rules *rules = e->rules;
    int turns = rules->max_rounds - s->round;
    if (rules->draft) turns *= rules->n_players;
    /* A color without pieces begins at start squares: the kernel lists what covers one of them. */
    uint64_t *at = e->layout.start[color], before[BF_WORDS];
    memcpy(e->layout.playable, allowed, sizeof e->layout.playable);
    memcpy(at, corner, sizeof before);
    for (;;) {
        uint32_t n = rules->kernel->list(&e->layout, nobody, color, pieces, e->ids);
        if (n > most || n > 64 * BF_ENDING_MOST_WORDS) return UINT32_MAX;
        if (rules->max_rounds != 0 && --turns <= 0) return n;
        memcpy(before, at, sizeof before);
        add_corners(e, n, allowed, at);
        if (memcmp(before, at, sizeof before) == 0) return n;
    }
}

/* List the candidates of a color; return how many, or -1 if there is no room. */
static int64_t list_candidates(builder *b, const bf_state *s, int color, int smallest_first,
                               uint32_t n_before, uint64_t most, uint64_t *corner) {
    bf_ending *e = b->e;
    uint64_t allowed[BF_WORDS];
    uint32_t pieces = 0;
    for (int holder = 0; holder < e->n_holders; holder++) {
        pieces |= bf_hand_pieces(s->hand[holder][color]);
    }
    if (pieces == 0 || (!e->rules->draft && (s->finished >> color & 1) != 0)) return 0;
    e->rules->kernel->frontier(&e->rules->layout, s->own, color, allowed, corner);
    if (bf_is_empty(corner)) return 0;
    uint32_t n = list_ids(e, s, color, pieces, most, allowed, corner);
    if (n == UINT32_MAX) return -1;
    bf_open_placement *c = &((bf_open_placement *)(void *)b->room)[n_before];
    if ((n_before + n) * sizeof *c > (uint64_t)(b->end - b->room) * sizeof *b->room) return -1;
    for (uint32_t i = 0; i < n; i++, c++) {
        c->id = e->ids[smallest_first ? i : n - 1 - i];
        c->piece = (uint8_t)bf_placement_piece(e->rules->placements[c->id]);
    }
    return n;
}

static uint32_t placement_of(const bf_ending *e, int color, uint32_t i) {
    return e->rules->placements[e->candidates[e->first[color] + i].id];
}

/* Number the squares that candidates cover; return how many. */
static int number_squares(bf_ending *e) {
    uint64_t all[BF_WORDS + 2] = {0};
    int n = 0;
    for (int color = 0; color < e->rules->n_colors; color++) {
        for (uint32_t i = 0; i < e->n[color]; i++) {
            add_squares(placement_of(e, color, i), all);
        }
    }
    memset(e->number, 0, sizeof e->number);
    for (int w = 0; w < BF_WORDS; w++) {
        for (uint64_t left = all[w]; left != 0; left &= left - 1) {
            e->number[RIM + 64 * w + bf_lowest_bit(left)] = (uint16_t)++n;
        }
    }
    return n;
}

/* The number of a square of a placement, or beside it. */
static inline int number_at(const bf_ending *e, uint32_t placement, const int8_t *cell) {
    return e->number[RIM + square_at(placement, cell)];
}

/* Set, for every square that has a number, the bits of the placements of a color that cover it. */
static void fill_covers(const bf_ending *e, int color, uint64_t *covers) {
    for (uint32_t i = 0; i < e->n[color]; i++) {
        uint32_t placement = placement_of(e, color, i);
        int o = bf_placement_orientation(placement);
        for (int k = 0; k < bf_piece_size[bf_orientation_piece[o]]; k++) {
            int number = number_at(e, placement, bf_orientation_cells[o][k]);
            covers[(size_t)number * (size_t)e->words + i / 64] |= UINT64_C(1) << i % 64;
        }
    }
}

static inline void add_row(const bf_ending *e, const uint64_t *covers, int number, uint64_t *to) {
    const uint64_t *from = covers + (size_t)number * (size_t)e->words;
    for (int w = 0; w < e->words; w++) to[w] |= from[w];
}

/* Fill in what candidate i of a color rules out, and what it opens. `covers` are those of all
 * colors, `rows` words for each. */
static void fill_effects(const bf_ending *e, const uint64_t *covers, size_t rows, int color,
                         uint32_t i, uint64_t *effects, uint64_t *reach) {
    const int words = e->words, n_colors = e->rules->n_colors;
    uint32_t placement = placement_of(e, color, i);
    int o = bf_placement_orientation(placement);
    const uint64_t *own = covers + rows * (size_t)color;
    uint64_t *lost = effects + color * words, *links = reach + e->square_words + 1;
    for (int k = 0; k < bf_piece_size[bf_orientation_piece[o]]; k++) {
        int number = number_at(e, placement, bf_orientation_cells[o][k]);
        reach[(number - 1) / 64] |= UINT64_C(1) << (number - 1) % 64;
        for (int other = 0; other < n_colors; other++) {
            if (e->n[other] == 0) continue;
            add_row(e, covers + rows * (size_t)other, number, effects + other * words);
        }
    }
    reach[e->square_words] = UINT64_C(1) << bf_orientation_piece[o];
    for (int k = 0; k < bf_orientation_n_edges[o]; k++) {
        add_row(e, own, number_at(e, placement, bf_orientation_edges[o][k]), lost);
    }
    for (int k = 0; k < bf_orientation_n_corners[o]; k++) {
        add_row(e, own, number_at(e, placement, bf_orientation_corners[o][k]), links);
    }
    for (int w = 0; w < words; w++) links[w] &= ~lost[w];
}

static int fill_tables(builder *b, int n_squares) {
    bf_ending *e = b->e;
    const int n_colors = e->rules->n_colors;
    const uint64_t words = (uint64_t)e->words, n = e->first[n_colors - 1] + e->n[n_colors - 1];
    const uint64_t row = words * (uint64_t)n_colors, reach = words + 1 + (uint64_t)e->square_words;
    const uint64_t covered = words * (uint64_t)(n_squares + 1);
    uint64_t *effects = take(b, row * n), *reaches = take(b, reach * n);
    uint64_t *by_piece = take(b, row * BF_PIECES), *covers = take(b, covered * (uint64_t)n_colors);
    /* Up to here all begins with zeros; the sets of positions follow. */
    uint64_t *sets = take(b, 4 * row * (BF_ENDING_PLIES + 2));
    if (effects == NULL || reaches == NULL || by_piece == NULL || covers == NULL || sets == NULL) {
        return 0;
    }
    memset(effects, 0, sizeof *effects * (size_t)(sets - effects));
    e->effects = effects;
    e->reaches = reaches;
    e->by_piece = by_piece;
    e->sets = sets;
    give_sets(e, 0);
    for (int color = 0; color < n_colors; color++) {
        fill_covers(e, color, covers + covered * (uint64_t)color);
    }
    for (int color = 0; color < n_colors; color++) {
        for (uint32_t i = 0; i < e->n[color]; i++) {
            uint32_t index = e->first[color] + i;
            int piece = e->candidates[index].piece;
            fill_effects(e, covers, covered, color, i, effects + row * index,
                         reaches + reach * index);
            by_piece[(uint64_t)(color * BF_PIECES + piece) * words + i / 64] |=
                UINT64_C(1) << i % 64;
        }
    }
    return 1;
}

/* Whether a placement covers a square of a board. */
static int covers_one(uint32_t placement, const uint64_t *board) {
    int o = bf_placement_orientation(placement);
    for (int k = 0; k < bf_piece_size[bf_orientation_piece[o]]; k++) {
        if (bf_has_square(board, square_at(placement, bf_orientation_cells[o][k]))) return 1;
    }
    return 0;
}

/* Which candidates of a color can be placed at once. */
static void link_first(bf_ending *e, const uint64_t *corner, int color) {
    const bf_rules *rules = e->rules;
    bf_ending_position *p = &e->at[0];
    uint32_t pieces = (p->opened >> color & 1) != 0 ? BF_ALL_PIECES : rules->first_pieces;
    uint64_t *live = p->live + color * e->words, *linked = p->linked + color * e->words;
    memset(live, 0, sizeof *live * (size_t)e->words);
    memset(linked, 0, sizeof *linked * (size_t)e->words);
    for (uint32_t i = 0; i < e->n[color]; i++) {
        uint64_t bit = UINT64_C(1) << i % 64;
        live[i / 64] |= bit;
        if ((pieces >> e->candidates[e->first[color] + i].piece & 1) == 0) continue;
        if (covers_one(placement_of(e, color, i), corner)) linked[i / 64] |= bit;
    }
    settle(e, p, color);
}

int bf_ending_make(bf_ending *e, const bf_state *s, uint32_t most, int smallest_first,
                   uint64_t *room, uint64_t size) {
    const bf_rules *rules = e->rules;
    builder b = {e, room, room + size};
    bf_ending_position *p = &e->at[0];
    uint64_t corner[BF_COLORS][BF_WORDS];
    uint32_t n = 0, longest = 1;
    e->candidates = (const bf_open_placement *)(void *)room;
    e->many = 0;
    for (int color = 0; color < rules->n_colors; color++) {
        int64_t found =
            list_candidates(&b, s, color, smallest_first, n, most - n, corner[color]);
        if (found < 0) return 0;
        e->first[color] = n;
        e->n[color] = (uint32_t)found;
        n += (uint32_t)found;
        if (e->n[color] > longest) longest = e->n[color];
        for (int h = 0; h < e->n_holders; h++) e->many |= s->hand[h][color] >> BF_PIECES != 0;
    }
    b.room += (n * sizeof(bf_open_placement) + sizeof *b.room - 1) / sizeof *b.room;
    int n_squares = number_squares(e);
    e->words = (int)((longest + 63) / 64);
    e->square_words = (n_squares + 63) / 64;
    if (!fill_tables(&b, n_squares)) return 0;
    memcpy(p->hand, s->hand, sizeof p->hand);
    p->round = s->round;
    p->place = (int8_t)(rules->draft ? s->player : rules->place[s->turn]);
    p->shared = s->shared_player;
    p->opened = p->can_empty = 0;
    for (int color = 0; color < rules->n_colors; color++) {
        if (!bf_is_empty(s->own[color])) p->opened |= (uint8_t)(1 << color);
        link_first(e, corner[color], color);
    }
    return 1;
}
