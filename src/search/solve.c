/* solve.c: see solve.h. The search over positions of ending.h: alpha-beta for one player and two,
 * max^n for more; then the line of best play, step by step through the engine itself.
 */
#include "solve.h"

#include "flow.h"
#include "state.h"

enum { EMPTY = 0, EXACT, AT_LEAST, AT_MOST, VECTOR };
enum { INFINITE = 1 << 30 };
/* How many positions are looked at between two questions whether to stop. */
enum { ASKED_EVERY = 1024 };

/* -- what all searches share ------------------------------------------------------------------ */

static int is_over_limit(bf_solver *v) {
    if (v->gave_up) return 1;
    if (v->nodes >= v->most_nodes) {
        v->gave_up = 1;
    } else if (++v->nodes >= v->asked_at) {
        v->asked_at = v->nodes + ASKED_EVERY;
        if (v->stop != NULL && v->stop(v->context) != 0) v->gave_up = 1;
    }
    return v->gave_up;
}

/* Whose favor a player's points are counted in: with two players, against the second. With more,
 * a search for one value is always of one player's points alone. */
static inline int side_of(const bf_rules *rules, int player) {
    return rules->n_players == 2 && player == 1 ? -1 : 1;
}

/* Who gets the points for a placement, or -1. */
static inline int owner_of(const bf_rules *rules, const bf_ending_turn *turn) {
    return rules->draft ? turn->player : rules->owner[turn->color];
}

static inline int32_t wanted(const bf_solver *v, int32_t points) {
    return v->lowest_wins ? -points : points;
}

/* Turns that a color still has, where rounds are limited; those that count, else. */
static int turns_left(const bf_rules *rules, const bf_ending_turn *turn, int color) {
    if (rules->max_rounds == 0) return BF_ENDING_PLIES;
    return rules->max_rounds - turn->round - (rules->place[color] < turn->place);
}

/* Squares of the largest pieces of a color, as many as it has turns. */
static int32_t squares_in(const bf_ending_position *p, int color, int turns) {
    uint64_t hand = p->hand[0][color];
    int32_t total = 0;
    for (int piece = BF_PIECES - 1; piece >= 0 && turns > 0; piece--) {
        if ((p->pieces[color] >> piece & 1) == 0) continue;
        int n = bf_hand_count(hand, piece);
        if (n > turns) n = turns;
        total += n * bf_piece_size[piece];
        turns -= n;
    }
    return total;
}

/* A span of what is wanted: from `lo` to `hi`. */
typedef struct span {
    int32_t lo, hi;
} span;

static void widen(span *s, int32_t lo, int32_t hi) {
    s->lo += lo;
    s->hi += hi;
}

/* What `squares` placed, and a hand that may become empty, can come to. */
static span span_of(const bf_solver *v, int32_t squares, int can_empty) {
    const bf_rules *rules = v->ending.rules;
    int32_t all = squares * (rules->score_placed - rules->score_left);
    span s = {all < 0 ? all : 0, all > 0 ? all : 0};
    if (can_empty) {
        int32_t one = rules->score_all_placed, other = one + rules->score_monomino_last;
        int32_t low = one < other ? one : other, high = one < other ? other : one;
        widen(&s, low < 0 ? low : 0, high > 0 ? high : 0);
    }
    if (v->lowest_wins) {
        span turned = {-s.hi, -s.lo};
        return turned;
    }
    return s;
}

/* What a color can still come to. */
static span color_span(const bf_solver *v, const bf_ending_position *p,
                       const bf_ending_turn *turn, int color) {
    const bf_rules *rules = v->ending.rules;
    int32_t squares = p->squares[color];
    if (rules->max_rounds != 0) {
        int32_t in_time = squares_in(p, color, turns_left(rules, turn, color));
        if (in_time < squares) squares = in_time;
    }
    return span_of(v, squares, p->can_empty >> color & 1);
}

/* What a Draft player can still come to. */
static span player_span(const bf_solver *v, const bf_ending_position *p, int player) {
    const bf_ending *e = &v->ending;
    int32_t squares = 0;
    for (int color = 0; color < e->rules->n_colors; color++) {
        uint64_t hand = p->hand[player][color];
        for (uint32_t left = p->pieces[color]; left != 0; left &= left - 1) {
            int piece = bf_lowest_bit(left);
            squares += bf_piece_size[piece] * bf_hand_count(hand, piece);
        }
    }
    return span_of(v, squares, e->counts_bonus && squares != 0);
}

/* What a player can still come to in a part of the position. */
static span owner_span(const bf_solver *v, const bf_ending_position *p,
                       const bf_ending_turn *turn, unsigned active, int player) {
    const bf_rules *rules = v->ending.rules;
    span total = {0, 0};
    if (rules->draft) return player_span(v, p, player);
    for (int color = 0; color < rules->n_colors; color++) {
        if ((active >> color & 1) == 0 || rules->owner[color] != player) continue;
        span s = color_span(v, p, turn, color);
        widen(&total, s.lo, s.hi);
    }
    return total;
}

/* What the value of a part can come to, for searches of one value. */
static span value_span(const bf_solver *v, const bf_ending_position *p,
                       const bf_ending_turn *turn, unsigned active) {
    const bf_rules *rules = v->ending.rules;
    span total = {0, 0};
    for (int player = 0; player < rules->n_players; player++) {
        span s = owner_span(v, p, turn, active, player);
        if (side_of(rules, player) > 0) {
            widen(&total, s.lo, s.hi);
        } else {
            widen(&total, -s.hi, -s.lo);
        }
    }
    return total;
}

static inline int is_single(unsigned active) { return (active & (active - 1)) == 0; }

/* The hash of all that the end of a part depends on. */
static uint64_t key_of(const bf_solver *v, const bf_ending_position *p,
                       const bf_ending_turn *turn, unsigned active) {
    const bf_ending *e = &v->ending;
    const bf_rules *rules = e->rules;
    uint64_t key = v->salt, shared = 0;
    for (int color = 0; color < rules->n_colors; color++) {
        if ((active >> color & 1) == 0) continue;
        key = (key ^ p->key[color]) * UINT64_C(0x9e3779b97f4a7c15);
        key ^= key >> 29;
        if (!rules->draft && rules->owner[color] < 0) shared = p->shared;
        if (!e->many && !rules->draft) continue;
        for (int h = 0; h < e->n_holders; h++) {
            /* Not what cannot be placed any more, but in Draft, where it costs a bonus. */
            uint64_t in_use = p->pieces[color], hand = p->hand[h][color];
            if (!rules->draft) hand &= in_use | in_use << 21 | in_use << 42;
            key = (key ^ hand) * UINT64_C(0xbf58476d1ce4e5b9);
            key ^= key >> 31;
        }
    }
    uint64_t rest = active | (uint64_t)(p->opened & active) << 4 |
                    (uint64_t)(p->can_empty & active) << 8 | shared << 12;
    if (!rules->draft && is_single(active)) {
        /* Whatever the others do: only how often it has its turn counts. */
        if (rules->max_rounds != 0) rest |= (uint64_t)turns_left(rules, turn, turn->color) << 24;
    } else {
        rest |= (uint64_t)(turn->place + 1) << 16;
        if (rules->max_rounds != 0) rest |= (uint64_t)turn->round << 24;
    }
    return bf_mix64(key ^ bf_mix64(rest));
}

static bf_solve_entry *find(const bf_solver *v, uint64_t key) {
    bf_solve_entry *entry = &v->table[(uint32_t)key & v->table_mask];
    if (entry->key == key && entry->kind != EMPTY) return entry;
    entry = &v->table[((uint32_t)key & v->table_mask) ^ 1];
    return entry->key == key && entry->kind != EMPTY ? entry : NULL;
}

/* The place for an entry: its own, or that of the two which was written to longer ago. */
static bf_solve_entry *place_for(const bf_solver *v, uint64_t key) {
    bf_solve_entry *first = &v->table[(uint32_t)key & v->table_mask];
    bf_solve_entry *second = &v->table[((uint32_t)key & v->table_mask) ^ 1];
    if (first->key == key && first->kind != EMPTY) return first;
    *second = *first;
    return first;
}

/* -- the moves of a position, one by one ------------------------------------------------------ */

typedef struct moves {
    uint32_t first; /* to be tried before all others, or BF_ENDING_NOTHING */
    int stage, color, last_color, word, holder;
    uint64_t left;
} moves;

enum { BEGIN, PASS_FIRST, PLACEMENTS, PASS_LAST, DONE };

static void begin_moves(const bf_ending *e, const bf_ending_turn *turn, uint32_t first,
                        moves *m) {
    m->first = first;
    m->stage = BEGIN;
    m->color = turn->color >= 0 ? turn->color : 0;
    m->last_color = turn->color >= 0 ? turn->color : e->rules->n_colors - 1;
    m->holder = turn->color >= 0 ? 0 : turn->player;
    m->word = -1;
    m->left = 0;
}

static uint32_t next_placement(const bf_ending *e, const bf_ending_position *p, moves *m) {
    while (m->left == 0) {
        if (++m->word == e->words) {
            m->word = 0;
            if (++m->color > m->last_color) return BF_ENDING_NOTHING;
        }
        m->left = bf_ending_legal(e, p, m->holder, m->color, m->word);
    }
    int bit = bf_lowest_bit(m->left);
    m->left &= m->left - 1;
    return BF_ENDING_MOVE(m->color, 64 * m->word + bit);
}

static uint32_t next_move(const bf_solver *v, const bf_ending_position *p,
                          const bf_ending_turn *turn, moves *m) {
    const bf_ending *e = &v->ending;
    int may_pass = turn->color >= 0 && bf_ending_may_pass(e, p, turn->color);
    for (;;) {
        uint32_t move = BF_ENDING_NOTHING;
        switch (m->stage) {
        case BEGIN:
            m->stage = PASS_FIRST;
            if (m->first == BF_ENDING_NOTHING) continue;
            return m->first;
        case PASS_FIRST:
            m->stage = PLACEMENTS;
            if (v->lowest_wins && may_pass) move = BF_ENDING_PASS;
            break;
        case PLACEMENTS:
            move = next_placement(e, p, m);
            if (move == BF_ENDING_NOTHING) m->stage = PASS_LAST;
            break;
        case PASS_LAST:
            m->stage = DONE;
            if (!v->lowest_wins && may_pass) move = BF_ENDING_PASS;
            break;
        default: return BF_ENDING_NOTHING;
        }
        if (move != BF_ENDING_NOTHING && move != m->first) return move;
    }
}

/* Whether only what a color places counts, and not in which order: it is alone, wants to place as
 * much as it can, and no bonus hangs on the last piece. */
static int order_is_free(const bf_solver *v, const bf_ending_position *p, int color) {
    const bf_rules *rules = v->ending.rules;
    /* The first piece links, or not, what lies at start squares. */
    if (rules->draft || (p->opened >> color & 1) == 0) return 0;
    if (wanted(v, rules->score_placed - rules->score_left) < 0) return 0;
    if ((p->can_empty >> color & 1) == 0) return 1;
    if (wanted(v, rules->score_all_placed) < 0) return 0;
    return rules->score_monomino_last == 0 || (p->pieces[color] >> BF_MONOMINO & 1) == 0;
}

/* -- one value: one player, or two ------------------------------------------------------------ */

static int32_t search(bf_solver *v, int ply, unsigned active, int32_t alpha, int32_t beta);

/* The value of several parts, which is the sum of theirs; a bound, where it is not between alpha
 * and beta. */
static int32_t search_parts(bf_solver *v, int ply, const bf_ending_turn *turn,
                            const unsigned *parts, int n, int32_t alpha, int32_t beta) {
    const bf_ending_position *p = &v->ending.at[ply];
    span spans[BF_COLORS], rest = {0, 0};
    int32_t total = 0;
    for (int i = 0; i < n; i++) {
        spans[i] = value_span(v, p, turn, parts[i]);
        widen(&rest, spans[i].lo, spans[i].hi);
    }
    if (rest.lo >= beta) return rest.lo;
    if (rest.hi <= alpha) return rest.hi;
    /* First single colors, which are quickly done. */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            if (is_single(parts[i]) != (pass == 0)) continue;
            widen(&rest, -spans[i].lo, -spans[i].hi);
            int32_t value = search(v, ply, parts[i], alpha - total - rest.hi,
                                   beta - total - rest.lo);
            if (v->gave_up) return 0;
            if (value <= alpha - total - rest.hi) return value + total + rest.hi;
            if (value >= beta - total - rest.lo) return value + total + rest.lo;
            total += value;
        }
    }
    return total;
}

/* The same with alpha and beta in any order. */
static int32_t search_between(bf_solver *v, int ply, unsigned active, int32_t a, int32_t b) {
    return a < b ? search(v, ply, active, a, b) : search(v, ply, active, b, a);
}

/* The value of what the active colors of position number `ply` still do, for player 0 (with two,
 * less what it is for player 1); a bound, where it is not between alpha and beta. */
static int32_t search(bf_solver *v, int ply, unsigned active, int32_t alpha, int32_t beta) {
    bf_ending *e = &v->ending;
    const bf_rules *rules = e->rules;
    const bf_ending_position *p = &e->at[ply];
    bf_ending_turn turn;
    unsigned parts[BF_COLORS];
    v->best = BF_ENDING_NOTHING;
    if (is_over_limit(v)) return 0;
    if (!bf_ending_seek(e, p, active, &turn)) return 0;
    if (!rules->draft) {
        active = bf_ending_active(e, p, active);
        int n = is_single(active) ? 1 : bf_ending_split(e, p, active, parts);
        if (n > 1) return search_parts(v, ply, &turn, parts, n, alpha, beta);
    }
    span possible = value_span(v, p, &turn, active);
    if (possible.lo >= beta || possible.lo == possible.hi) return possible.lo;
    if (possible.hi <= alpha) return possible.hi;
    if (ply == BF_ENDING_PLIES) {
        v->gave_up = 1;
        return 0;
    }
    uint64_t key = key_of(v, p, &turn, active);
    uint32_t first = BF_ENDING_NOTHING;
    const bf_solve_entry *known = find(v, key);
    if (known != NULL) {
        int32_t value = known->value[0];
        v->best = first = known->move;
        if (known->kind == EXACT || (known->kind == AT_LEAST && value >= beta) ||
            (known->kind == AT_MOST && value <= alpha)) {
            return value;
        }
    }

    /* From here on in the mover's favor: `low` and `high` are alpha and beta, or the other way. */
    const int side = side_of(rules, turn.player), owner = owner_of(rules, &turn);
    const int owner_side = owner >= 0 ? side_of(rules, owner) : 0;
    const int32_t top = side > 0 ? possible.hi : -possible.lo;
    int32_t low = side > 0 ? alpha : -beta, high = side > 0 ? beta : -alpha;
    const int32_t low_before = low;
    int32_t best = -INFINITE;
    uint32_t best_move = BF_ENDING_NOTHING, move;
    moves m;
    /* Where the order is free, what has been tried is left out afterwards: with it, all is seen. */
    const int in_any_order = is_single(active) && order_is_free(v, p, turn.color);
    if (in_any_order) bf_ending_save(e, ply, turn.color);
    begin_moves(e, &turn, first, &m);
    while ((move = next_move(v, p, &turn, &m)) != BF_ENDING_NOTHING) {
        int32_t value = 0;
        /* A color that nobody disturbs can do now what it would do later: to pass is to stop. */
        if (move != BF_ENDING_PASS || !is_single(active)) {
            int32_t gain = bf_ending_push(e, ply, active, &turn, move);
            gain = owner_side * wanted(v, gain);
            int32_t near = side * (low - side * gain), far = side * (high - side * gain);
            /* Most moves are no better than the first: at first it is only asked whether. */
            int32_t next = best > -INFINITE && high - low > 1 ? near + side : far;
            value = search_between(v, ply + 1, active, near, next);
            if (next != far && !v->gave_up && side * value > side * near &&
                side * value < side * far) {
                value = search_between(v, ply + 1, active, near, far);
            }
            value += gain;
            if (v->gave_up) break;
            if (in_any_order) bf_ending_leave_out(e, ply, move);
        }
        value *= side;
        if (value <= best) continue;
        best = value;
        best_move = move;
        if (best > low) low = best;
        if (best >= high || best >= top) break;
    }
    if (in_any_order) bf_ending_restore(e, ply, turn.color);
    if (v->gave_up) return 0;
    int kind = best >= high && best < top ? AT_LEAST : best > low_before ? EXACT : AT_MOST;
    if (side < 0 && kind != EXACT) kind = kind == AT_LEAST ? AT_MOST : AT_LEAST;
    bf_solve_entry *entry = place_for(v, key);
    entry->key = key;
    entry->value[0] = side * best;
    entry->move = best_move;
    entry->kind = (uint32_t)kind;
    v->best = best_move;
    return side * best;
}

/* -- a value for each of more than two players ------------------------------------------------- */

/* The player whose colors all the active ones are, or -1. */
static int only_owner(const bf_rules *rules, unsigned active) {
    int owner = -1;
    if (rules->draft) return -1;
    for (int color = 0; color < rules->n_colors; color++) {
        if ((active >> color & 1) == 0) continue;
        if (rules->owner[color] < 0 || (owner >= 0 && rules->owner[color] != owner)) return -1;
        owner = rules->owner[color];
    }
    return owner;
}

/* Fill in what each player gains with best play; return 0 if that is not defined. */
static int search_all(bf_solver *v, int ply, unsigned active, int32_t *values) {
    bf_ending *e = &v->ending;
    const bf_rules *rules = e->rules;
    const bf_ending_position *p = &e->at[ply];
    bf_ending_turn turn, next;
    unsigned parts[BF_COLORS];
    int32_t theirs[BF_COLORS];
    v->best = BF_ENDING_NOTHING;
    memset(values, 0, sizeof(int32_t) * BF_COLORS);
    if (is_over_limit(v)) return 0;
    if (!bf_ending_seek(e, p, active, &turn)) return 1;
    if (!rules->draft) {
        active = bf_ending_active(e, p, active);
        int n = bf_ending_split(e, p, active, parts), owner = only_owner(rules, active);
        for (int i = 0; n > 1 && i < n; i++) {
            if (!search_all(v, ply, parts[i], theirs)) return 0;
            for (int player = 0; player < rules->n_players; player++) {
                values[player] += theirs[player];
            }
        }
        if (n > 1) return 1;
        if (owner >= 0) {
            values[owner] = search(v, ply, active, -INFINITE, INFINITE);
            return !v->gave_up;
        }
        /* The shared color alone: what it does is worth nothing to anybody. */
        if (is_single(active)) return 1;
    }
    if (ply == BF_ENDING_PLIES) return 0;
    uint64_t key = key_of(v, p, &turn, active);
    const bf_solve_entry *known = find(v, key);
    if (known != NULL) {
        memcpy(values, known->value, sizeof known->value);
        v->best = known->move;
        return 1;
    }

    const int owner = owner_of(rules, &turn), me = turn.player;
    int torn = 0; /* between moves that are equally good for him, and not for others */
    uint32_t best_move = BF_ENDING_NOTHING, move;
    moves m;
    begin_moves(e, &turn, BF_ENDING_NOTHING, &m);
    while ((move = next_move(v, p, &turn, &m)) != BF_ENDING_NOTHING) {
        int32_t gain = wanted(v, bf_ending_push(e, ply, active, &turn, move));
        if (best_move != BF_ENDING_NOTHING) {
            /* What cannot be as good need not be defined. */
            int32_t most = owner == me ? gain : 0;
            if (bf_ending_seek(e, &e->at[ply + 1], active, &next)) {
                most += owner_span(v, &e->at[ply + 1], &next, active, me).hi;
            }
            if (most < values[me]) continue;
        }
        if (!search_all(v, ply + 1, active, theirs)) return 0;
        if (owner >= 0) theirs[owner] += gain;
        if (best_move != BF_ENDING_NOTHING && theirs[me] <= values[me]) {
            if (theirs[me] == values[me]) torn |= memcmp(theirs, values, sizeof theirs) != 0;
            continue;
        }
        memcpy(values, theirs, sizeof theirs);
        best_move = move;
        torn = 0;
    }
    if (torn) return 0;
    bf_solve_entry *entry = place_for(v, key);
    entry->key = key;
    memcpy(entry->value, values, sizeof theirs);
    entry->move = best_move;
    entry->kind = VECTOR;
    v->best = best_move;
    return 1;
}

/* -- the line of best play --------------------------------------------------------------------- */

/* The best move of whoever has the turn in position number 0; BF_ENDING_NOTHING if not found. */
static uint32_t best_move(bf_solver *v, const bf_ending_turn *turn, unsigned everybody) {
    bf_ending *e = &v->ending;
    const bf_rules *rules = e->rules;
    unsigned active = everybody, parts[BF_COLORS];
    int32_t values[BF_COLORS];
    if (!rules->draft) {
        int n = bf_ending_split(e, &e->at[0], bf_ending_active(e, &e->at[0], everybody), parts);
        for (int i = 0; i < n; i++) {
            if ((parts[i] >> turn->color & 1) != 0) active = parts[i];
        }
    }
    if (rules->n_players <= 2) {
        search(v, 0, active, -INFINITE, INFINITE);
    } else if (!search_all(v, 0, active, values)) {
        return BF_ENDING_NOTHING;
    }
    if (v->gave_up) return BF_ENDING_NOTHING;
    if (v->best != BF_ENDING_NOTHING) return v->best;
    /* Nothing that it could do makes a difference. */
    moves m;
    begin_moves(e, turn, BF_ENDING_NOTHING, &m);
    return next_move(v, &e->at[0], turn, &m);
}

static int follow(bf_solver *v, bf_state *s, bf_solution *solution) {
    bf_ending *e = &v->ending;
    const bf_rules *rules = e->rules;
    const unsigned everybody = (1u << rules->n_colors) - 1;
    bf_ending_turn turn;
    bf_undo undo;
    while (bf_ending_seek(e, &e->at[0], everybody, &turn)) {
        if (solution->n_pv == BF_ENDING_PLIES) return 0;
        uint32_t move = best_move(v, &turn, everybody), action = rules->pass_action;
        if (move == BF_ENDING_NOTHING) return 0;
        if (move != BF_ENDING_PASS) {
            int color = (int)(move >> 16);
            const bf_open_placement *c = &e->candidates[e->first[color] + (move & 0xffff)];
            action = bf_placement_id(rules, color, c->id);
        }
        bf_ending_push(e, 0, everybody, &turn, move);
        bf_ending_copy(e, 1, 0);
        bf_push(rules, s, action, &undo);
        solution->pv[solution->n_pv++] = action;
    }
    return s->phase == BF_OVER;
}

/* -- calls ------------------------------------------------------------------------------------- */

void bf_solver_init(bf_solver *v, const bf_rules *rules, int lowest_wins, bf_solve_entry *table,
                    uint32_t table_mask, uint64_t *room, uint64_t room_size) {
    v->lowest_wins = lowest_wins;
    v->table = table;
    v->table_mask = table_mask;
    v->room = room;
    v->room_size = room_size;
    v->salt = UINT64_C(0x6a09e667f3bcc908);
    v->nodes = 0;
    bf_ending_init(&v->ending, rules);
}

int bf_solve(bf_solver *v, const bf_state *s, const bf_solve_limits *limits,
             bf_solution *solution) {
    const bf_rules *rules = v->ending.rules;
    bf_state end = *s;
    uint32_t most = limits->candidates != 0 ? limits->candidates : UINT32_MAX;
    int solved = 1, per_square = rules->score_placed - rules->score_left;
    solution->n_pv = 0;
    solution->nodes = 0;
    if (s->phase == BF_DRAFT) return 0;
    if (s->phase == BF_PLAY) {
        /* Without a limit of rounds everybody could pass some ten thousand times. */
        if (rules->voluntary_pass && rules->max_rounds == 0) return 0;
        /* And there is a last pass, which ends know nothing of. */
        if (rules->voluntary_pass && s->ply + BF_ENDING_PLIES >= BF_LAST_PASS) return 0;
        v->salt = bf_mix64(v->salt + UINT64_C(0x9e3779b97f4a7c15));
        v->nodes = 0;
        v->most_nodes = limits->nodes;
        v->asked_at = ASKED_EVERY;
        v->stop = limits->stop;
        v->context = limits->context;
        v->gave_up = 0;
        solved = bf_ending_make(&v->ending, s, most, wanted(v, per_square) < 0, v->room,
                                v->room_size) &&
                 follow(v, &end, solution);
        solution->nodes = v->nodes;
    }
    for (int player = 0; solved && player < rules->n_players; player++) {
        solution->scores[player] = rules->kernel->player_score(rules, &end, player);
    }
    return solved;
}

int bf_solve_is_small(const bf_rules *rules, const bf_state *s, int most) {
    uint64_t allowed[BF_WORDS], region[BF_WORDS];
    if (s->phase != BF_PLAY) return s->phase == BF_OVER;
    for (int color = 0; color < rules->n_colors; color++) {
        if (!rules->draft && (s->finished >> color & 1) != 0) continue;
        rules->kernel->frontier(&rules->layout, s->own, color, allowed, region);
        /* Mostly the corner squares alone are too many. */
        int n = bf_count_squares(region), seen = 0;
        while (n != seen && n <= most) {
            seen = n;
            bf_spread(region, allowed, 0);
            bf_spread(region, allowed, 1);
            n = bf_count_squares(region);
        }
        most -= n;
        if (most < 0) return 0;
    }
    return 1;
}
