# board.pxi: Board, the position for machines. Checked at its edge (arguments.pxi); the rules
# themselves are in state.pxi and flow.pxi.

cdef enum:
    OWN = 0
    CORNER = 1
    FORBIDDEN = 2


# no_gc: a board refers to its Rules and to tuples of ints, which never refer back.
@cython.freelist(64)
@cython.no_gc
cdef class Board:
    """A position: squares, hands and turn, with a stack of moves to take back.

    See the stubs (`_core.pyi`) for signatures and `blokus_fast.Game` for names, history and
    results. A board belongs to one thread at a time.

    Parameters
    ----------
    variant : str or Variant
        Name of a variant, or one of the user's own.
    start : {'assigned', 'any', 'border'}, optional
        Start rule, if not the variant's own.
    scoring : str, optional
        Scoring rule, if not the variant's own.
    hands : sequence of mapping, optional
        Draft only: per player, from colour (number or name) to the names of his pieces, or to
        21 counts. The game then begins without the draft phase.

    Raises
    ------
    ValueError
        If a name is unknown; the message lists the known ones. If the hands do not fit.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> board = bf.Board("classic")
    >>> board.count_legal()
    58
    >>> board.push(board.parse_move("a20"))
    >>> board.turn, board.ply
    (1, 1)
    """

    def __cinit__(self):
        # The state lies on a cache line of its own, wherever Python puts the object.
        self.state = <bf_state *>((<size_t>&self.room + 63) & ~<size_t>63)
        self.undo = self.undo_memory
        self.undo_capacity = 96
        self.n_undo = 0
        self.rules = None
        self.origin = None
        if _default_rules is not None:
            set_rules(self, <Rules>_default_rules)

    def __init__(self, variant="classic", *, start=None, scoring=None, hands=None):
        cdef Rules rules = resolve(variant, start, scoring)
        # Before anything changes: the hands may not fit.
        dealt = None if hands is None else _deal(rules.variant, hands)
        set_rules(self, rules)
        self.state[0] = rules.initial
        self.origin = None
        self.n_undo = 0
        if dealt is not None:
            self.set_position(((),) * rules.c.n_colors, dealt, -1, 0, 0, (0,) * len(dealt))

    def __dealloc__(self):
        if self.undo != self.undo_memory:
            PyMem_RawFree(self.undo)

    cdef int reserve_undo(self, uint32_t capacity) except -1:
        """Make room on the stack of undone moves; only very long games ever need it."""
        cdef bf_undo *undo
        if capacity <= self.undo_capacity:
            return 0
        capacity = max(capacity, 2 * self.undo_capacity)
        undo = <bf_undo *>PyMem_RawMalloc(capacity * sizeof(bf_undo))
        if undo == NULL:
            raise MemoryError
        memcpy(undo, self.undo, self.n_undo * sizeof(bf_undo))
        if self.undo != self.undo_memory:
            PyMem_RawFree(self.undo)
        self.undo = undo
        self.undo_capacity = capacity
        return 0

    # -- moving --------------------------------------------------------------------------------

    cdef int c_push(self, uint32_t action) except -1:
        if self.n_undo == self.undo_capacity:
            self.reserve_undo(self.n_undo + 1)
        push_state(self.c_rules, self.state, action, &self.undo[self.n_undo])
        self.n_undo += 1
        return 0

    cdef uint32_t c_pop(self) noexcept nogil:
        self.n_undo -= 1
        pop_state(self.c_rules, self.state, &self.undo[self.n_undo])
        return self.undo[self.n_undo].action

    def push(self, action, /):
        """Make a move, after checking it; then it is the turn of whoever can move next."""
        cdef int64_t checked = as_id(action)
        cdef int where = -1
        cdef int code = NO_SUCH_ACTION
        if checked >= 0:
            code = action_illegality(self.c_rules, self.state, <uint32_t>checked, &where)
        if code != LEGAL:
            raise_illegal(self, action, code, where)
        self.c_push(<uint32_t>checked)

    def push_unchecked(self, action, /):
        """Make a move that the caller knows to be legal; any other id breaks the position."""
        cdef int64_t checked = as_id(action)
        # Even unchecked, no id may reach beyond the tables.
        if not 0 <= checked < self.c_rules.n_actions:
            raise_illegal(self, action, NO_SUCH_ACTION, -1)
        if self.state.phase == BF_OVER:
            raise_illegal(self, action, GAME_OVER, -1)
        self.c_push(<uint32_t>checked)

    def pop(self):
        """Take back the last move and return its id."""
        if self.n_undo == 0:
            raise IndexError("pop from a board without moves")
        return self.c_pop()

    def peek(self):
        """Return the id of the last move."""
        if self.n_undo == 0:
            raise IndexError("peek at a board without moves")
        return self.undo[self.n_undo - 1].action

    @property
    def move_stack(self):
        return [self.undo[i].action for i in range(self.n_undo)]

    # -- whose turn ----------------------------------------------------------------------------

    @property
    def variant(self):
        return self.rules.variant

    @property
    def size(self):
        return self.c_rules.layout.size

    @property
    def n_moves(self):
        return self.c_rules.layout.n_moves

    @property
    def n_actions(self):
        return self.c_rules.n_actions

    @property
    def n_colors(self):
        return self.c_rules.n_colors

    @property
    def n_players(self):
        return self.c_rules.n_players

    @property
    def turn(self):
        return self.state.turn

    @property
    def player(self):
        return self.state.player

    @property
    def ply(self):
        return self.state.ply

    @property
    def round(self):
        return self.state.round

    @property
    def is_game_over(self):
        return self.state.phase == BF_OVER

    @property
    def is_drafting(self):
        return self.state.phase == BF_DRAFT

    # -- legal moves ---------------------------------------------------------------------------

    @property
    def legal_moves(self):
        cdef LegalMoves view = LegalMoves.__new__(LegalMoves)
        view.board = self
        return view

    def legal_ids(self, out=None, *, color=None):
        """Return the ids of all legal moves, ascending, or write them into a buffer."""
        cdef uint16_t scratch[LIST_SIZE]
        cdef const bf_rules *rules = self.c_rules
        cdef const bf_state *s = self.state
        cdef int c = as_color(color, rules)
        cdef uint32_t n
        cdef int32_t *ids
        if not lists_one_color(rules, s, c):
            n = count_actions(rules, s, c)
            ids = <int32_t *>PyMem_RawMalloc(sizeof(int32_t) * (n + 1))
            if ids == NULL:
                raise MemoryError
            try:
                list_actions(rules, s, c, scratch, ids)
                return export_ids(<const int32_t *>ids, n, out)
            finally:
                PyMem_RawFree(ids)
        c = c if c >= 0 else s.turn
        n = 0
        if s.phase != BF_OVER:
            n = kernel.list(
                &rules.layout, <bf_boards>s.own, c, placeable(rules, s, 0, c), scratch
            )
        return export_ids(<const uint16_t *>scratch, n, out)

    def legal_mask(self, out=None, *, color=None):
        """Return which actions are legal, a byte for each, or write them into a buffer."""
        cdef int c = as_color(color, self.c_rules)
        cdef Py_buffer view
        array = np.empty(self.c_rules.n_actions, dtype=np.bool_) if out is None else out
        get_buffer(array, &view, f"{self.c_rules.n_actions} bytes")
        try:
            if not has_format(&view, "?bB", 1) or view.len != self.c_rules.n_actions:
                raise ValueError(
                    f"out must have {self.c_rules.n_actions} items of bool, int8 or uint8, not "
                    f"{view.len // max(view.itemsize, 1)} of format "
                    f"{(<bytes>view.format).decode()!r}"
                )
            mask_actions(self.c_rules, self.state, c, <uint8_t *>view.buf)
        finally:
            PyBuffer_Release(&view)
        return array

    def count_legal(self, color=None):
        """Return the number of legal moves."""
        return count_actions(self.c_rules, self.state, as_color(color, self.c_rules))

    def any_legal(self, color=None):
        """Say whether there is a legal move."""
        return bool(any_action(self.c_rules, self.state, as_color(color, self.c_rules)))

    cdef int illegality(self, int64_t action, int color, int *where) noexcept nogil:
        """Say why a colour (-1: the side to move) may not make a move."""
        cdef const bf_rules *rules = self.c_rules
        cdef const bf_state *s = self.state
        where[0] = -1
        if action < 0:
            return NO_SUCH_ACTION
        if color < 0 or color == s.turn or s.phase == BF_OVER:
            return action_illegality(rules, s, <uint32_t>action, where)
        if action >= rules.n_actions:
            return NO_SUCH_ACTION
        if not is_placement(rules, <uint32_t>action):
            return NO_PASS if action == rules.pass_action else OTHER_COLOR
        if rules.draft:
            if s.phase == BF_DRAFT:
                return DRAFT_PHASE
            if action // rules.layout.n_moves != color:
                return OTHER_COLOR
        return placement_illegality(
            rules, s, holder_of(rules, s), color, <uint32_t>(action % rules.layout.n_moves), where
        )

    def is_legal(self, action, /, color=None):
        """Say whether a move is legal, without generating others."""
        cdef int where = -1
        return self.illegality(as_id(action), as_color(color, self.c_rules), &where) == LEGAL

    def why_illegal(self, action, /, color=None):
        """Return the rule that a move breaks, in words, or None if it is legal."""
        cdef int where = -1
        cdef int code = self.illegality(as_id(action), as_color(color, self.c_rules), &where)
        return None if code == LEGAL else reason_text(self, action, code, where)

    # -- looking at the position ---------------------------------------------------------------

    def hand(self, color, /, player=None):
        """Return how many of each of the 21 pieces are in hand."""
        cdef uint64_t hand = self.hand_bits(color, player)
        return tuple([count_of(hand, piece) for piece in range(BF_PIECES)])

    def pieces_left(self, color, /, player=None):
        """Return the names of the pieces in hand, each as often as it is there."""
        cdef uint64_t hand = self.hand_bits(color, player)
        names = []
        for piece in range(BF_PIECES):
            names.extend([PIECE_NAMES[piece]] * count_of(hand, piece))
        return tuple(names)

    cdef uint64_t hand_bits(self, color, player) except? 0xFFFFFFFFFFFFFFFF:
        cdef int c = as_color(color, self.c_rules)
        cdef int64_t holder
        if c < 0:
            raise TypeError("color must be an integer, not None")
        if not self.c_rules.draft:
            return self.state.hand[0][c]
        if player is None and self.state.phase == BF_OVER:
            raise ValueError("the game is over: say which player's hand")
        holder = self.state.player if player is None else as_id(player)
        if not 0 <= holder < self.c_rules.n_players:
            raise ValueError(f"player {player} is not in 0..{self.c_rules.n_players - 1}")
        return self.state.hand[holder][c]

    def grid(self):
        """Return the board as an int8 array (size, size)."""
        cdef int size = self.c_rules.layout.size
        cdef int row, column, color, bit
        cdef int8_t[:, ::1] out = np.empty((size, size), dtype=np.int8)
        for row in range(size):
            for column in range(size):
                bit = BF_STRIDE * row + column
                out[row, column] = -1 if has_square(self.c_rules.layout.playable, bit) else -2
                for color in range(self.c_rules.n_colors):
                    if has_square(self.state.own[color], bit):
                        out[row, column] = color
        return np.asarray(out)

    cdef int fill_board(self, color, int which, uint64_t *board) except -1:
        """Fill a board with the own, corner or forbidden squares of a colour."""
        cdef uint64_t allowed[8]
        cdef uint64_t corner[8]
        cdef int i
        cdef int c = as_color(color, self.c_rules)
        if c < 0:
            raise TypeError("color must be an integer, not None")
        kernel.frontier(&self.c_rules.layout, <bf_boards>self.state.own, c, allowed, corner)
        for i in range(BF_WORDS):
            if which == OWN:
                board[i] = self.state.own[c][i]
            elif which == CORNER:
                board[i] = corner[i]
            else:
                board[i] = self.c_rules.layout.playable[i] & ~allowed[i]
        return 0

    def own_squares(self, color, /):
        """Return the squares of a colour as ascending indices."""
        cdef uint64_t board[8]
        self.fill_board(color, OWN, board)
        return squares_of(board, self.c_rules.layout.size)

    def own_mask(self, color, /):
        """Return the squares of a colour as an int; bit i is square i."""
        cdef uint64_t board[8]
        self.fill_board(color, OWN, board)
        return mask_of(board, self.c_rules.layout.size)

    def corner_squares(self, color, /):
        """Return the squares at which a colour may connect as ascending indices."""
        cdef uint64_t board[8]
        self.fill_board(color, CORNER, board)
        return squares_of(board, self.c_rules.layout.size)

    def corner_mask(self, color, /):
        """Return the squares at which a colour may connect as an int; bit i is square i."""
        cdef uint64_t board[8]
        self.fill_board(color, CORNER, board)
        return mask_of(board, self.c_rules.layout.size)

    def forbidden_squares(self, color, /):
        """Return the squares that a colour can never cover (again) as ascending indices."""
        cdef uint64_t board[8]
        self.fill_board(color, FORBIDDEN, board)
        return squares_of(board, self.c_rules.layout.size)

    def forbidden_mask(self, color, /):
        """Return the squares that a colour can never cover (again) as an int; bit i is square i."""
        cdef uint64_t board[8]
        self.fill_board(color, FORBIDDEN, board)
        return mask_of(board, self.c_rules.layout.size)

    def color_scores(self):
        """Return the score of every colour."""
        return tuple(
            [color_score(self.c_rules, self.state, c) for c in range(self.c_rules.n_colors)]
        )

    def player_scores(self):
        """Return the score of every player."""
        return tuple(
            [player_score(self.c_rules, self.state, p) for p in range(self.c_rules.n_players)]
        )

    def key(self):
        """Return a 64-bit hash, equal for equal positions."""
        return position_key(self.c_rules, self.state)

    # -- text ----------------------------------------------------------------------------------

    def move(self, action, /):
        """Return the readable view of a move of the side to move."""
        cdef int64_t checked = as_id(action)
        if not 0 <= checked < self.c_rules.n_actions:
            raise_illegal(self, action, NO_SUCH_ACTION, -1)
        return _describe(checked, self.rules.variant, self.state.turn)

    def move_text(self, action, /):
        """Return the canonical text of a move."""
        return self.move(action).text

    def parse_move(self, text, /):
        """Return the id of the move that a text stands for, legal or not."""
        return _parse(text, self)

    @staticmethod
    def from_text(text, variant=None):
        """Read a position from its text, as ``repr`` shows it and `position_text` writes it."""
        return _read_text(text, variant)

    def __repr__(self):
        return f"Board.from_text({_write_text(self)!r})"

    def _repr_svg_(self):
        """Draw it for notebooks."""
        from blokus_fast import svg

        return svg.board(self)

    # -- values --------------------------------------------------------------------------------

    cpdef Board copy(self):
        """Return an independent copy, with the moves that can be taken back."""
        cdef Board other = Board.__new__(Board)
        set_rules(other, self.rules)
        other.origin = self.origin
        other.state[0] = self.state[0]
        if self.n_undo > other.undo_capacity:
            other.reserve_undo(self.n_undo)
        memcpy(other.undo, self.undo, self.n_undo * sizeof(bf_undo))
        other.n_undo = self.n_undo
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        return same_position(self, <Board>other)

    __hash__ = None

    def __reduce__(self):
        # Moves and not bytes: they are checked when they are played again, whoever wrote them.
        return _restore_board, (PICKLE_VERSION, self.rules.variant, self.origin, self.move_stack)

    def _rest(self):
        """Return what else is in a position: last-piece flags, shared player, placed, phase."""
        cdef const bf_state *s = self.state
        placed = tuple([s.placed[i] for i in range(BF_COLORS)])
        return s.monomino_last, s.shared_player, placed, s.phase

    def _state_bytes(self):
        """Return the bytes of the state, for tests: a pop must restore every one."""
        return (<const char *>self.state)[: sizeof(bf_state)]

    @staticmethod
    def _from_placements(
        variant, placements, hands, int turn, int player, int monomino_last, placed=(), rest=None
    ):
        """Set up a position from placements per colour; setup.py has checked it.

        In Draft, hands and squares placed are per player, and `turn` is not looked at. `rest` is
        what the pieces do not tell: ply, round, phase, and the turn in the draft phase.
        """
        cdef Board board = Board(variant)
        board.set_position(placements, hands, turn, player, monomino_last, placed)
        if rest is not None:
            board.set_rest(player, rest)
        return board

    cdef int set_rest(self, int player, rest) except -1:
        """Put ply, round and phase in place of what `set_position` made of them."""
        cdef bf_state *s = self.state
        cdef int ply, round, phase, turn
        ply, round, phase, turn = rest
        if not (0 <= ply <= 0xFFFF and 0 <= round <= 0xFFFF and BF_OVER <= phase <= BF_DRAFT):
            raise InvalidPositionError(f"ply {ply}, round {round} or phase {phase} out of range")
        if phase == BF_PLAY and s.phase != BF_PLAY:
            raise InvalidPositionError("nobody can place")
        if phase == BF_DRAFT and not (self.c_rules.draft and 0 <= turn < self.c_rules.n_colors):
            raise InvalidPositionError(f"turn {turn} in the draft phase")
        self.origin = (*self.origin[:6], (ply, round, phase, turn))
        s.ply = ply
        s.round = round
        if phase == BF_OVER:
            end_game(s)
        elif phase == BF_DRAFT:
            s.phase = BF_DRAFT
            s.turn = turn
            s.player = player
            if not pickable(self.c_rules, s, turn):
                raise InvalidPositionError("no piece is left to pick")
        return 0

    cdef int set_position(
        self, placements, hands, int turn, int player, int monomino_last, placed
    ) except -1:
        """Put a position in place of the beginning of a game."""
        cdef const bf_rules *rules = self.c_rules
        cdef bf_state *s = self.state
        cdef int color, holder
        cdef int n_holders = rules.n_players if rules.draft else 1
        cdef uint32_t move
        dealt = tuple([tuple(hand) for hand in hands])
        held = dealt if rules.draft else (dealt,)
        if len(placements) != rules.n_colors or len(held) != n_holders:
            raise InvalidPositionError(f"placements and hands must have {rules.n_colors} entries")
        for each in held:
            if len(each) != rules.n_colors:
                raise InvalidPositionError(f"hands must have {rules.n_colors} entries")
        if not rules.draft and not 0 <= turn < rules.n_colors:
            raise InvalidPositionError(f"turn {turn} is not in 0..{rules.n_colors - 1}")
        if rules.draft and not (0 <= player < n_holders and len(placed) == n_holders):
            raise InvalidPositionError(f"player and placed must fit {n_holders} players")
        self.origin = (
            tuple([tuple(moves) for moves in placements]),
            tuple([tuple([tuple(hand) for hand in each]) for each in dealt]) if rules.draft
            else dealt,
            turn, player, monomino_last, tuple(placed),
        )
        memset(s.hand, 0, sizeof(s.hand))
        s.finished = 0
        s.ply = 0
        for color in range(rules.n_colors):
            for move in placements[color]:
                if move >= rules.layout.n_moves:
                    raise InvalidPositionError(f"move id {move} is too large")
                if s.ply == BF_MAX_SIZE * BF_MAX_SIZE:
                    raise InvalidPositionError("more placements than squares")
                s.hand[0][color] = with_piece(0, placement_piece(rules.placements[move]))
                put_piece(rules, s, 0, color, move)
                s.content_key ^= placement_key(color, move)
                s.ply += 1
        for holder in range(n_holders):
            for color in range(rules.n_colors):
                s.hand[holder][color] = pack_hand(held[holder][color])
            if rules.draft:
                s.placed[holder] = placed[holder]
        s.phase = BF_PLAY
        if rules.draft:
            s.monomino_last = monomino_last & ((1 << n_holders) - 1)
            seek_player(rules, s, player)
            return 0
        s.monomino_last = monomino_last & ((1 << rules.n_colors) - 1)
        if player >= 0:
            s.shared_player = player % rules.n_players
        seek_color(rules, s, rules.place[turn])
        return 0


cdef enum:
    PICKLE_VERSION = 1

cdef inline void set_rules(Board board, Rules rules):
    board.rules = rules
    board.c_rules = &rules.c


cdef bint same_position(Board a, Board b):
    cdef const bf_state *s = a.state
    cdef const bf_state *t = b.state
    if memcmp(s.own, t.own, sizeof(s.own)) or memcmp(s.hand, t.hand, sizeof(s.hand)):
        return False
    if (
        s.ply != t.ply or s.turn != t.turn or s.player != t.player or s.phase != t.phase
        or s.monomino_last != t.monomino_last or s.shared_player != t.shared_player
        or (a.c_rules.max_rounds and s.round != t.round)
        or memcmp(s.placed, t.placed, sizeof(s.placed))
    ):
        return False
    return a.rules is b.rules or a.rules.variant == b.rules.variant


def _restore_board(int version, variant, origin, moves):
    """Rebuild a pickled board by playing its moves again."""
    cdef Board board
    if version != PICKLE_VERSION:
        raise ValueError(f"a board pickled in format {version}; this release reads {PICKLE_VERSION}")
    board = Board(variant) if origin is None else Board._from_placements(variant, *origin)
    for action in moves:
        board.push(action)
    return board
