# board.pxi: Board, the position for machines, and the view of its legal moves. Checked at its
# edge (arguments.pxi); the rules are the engine's.

cdef enum:
    OWN = 0
    CORNER = 1
    FORBIDDEN = 2


cdef inline void set_rules(Board board, Rules rules):
    board.rules = rules
    board.c_rules = &rules.c


cdef inline int take_over(Board board, Board other) except -1:
    """Make a board what another is."""
    if other.n_undo > board.undo_capacity:
        reserve_undo(board, other.n_undo)
    set_rules(board, other.rules)
    board.origin = other.origin
    board.skipped_first = other.skipped_first
    board.state[0] = other.state[0]
    memcpy(board.undo, other.undo, other.n_undo * sizeof(bf_undo))
    board.n_undo = other.n_undo
    board.revision += 1
    return 0


cdef int reserve_undo(Board board, uint32_t capacity) except -1 nogil:
    """Make room on the stack of undone moves; only very long games ever need it."""
    cdef bf_undo *undo
    if capacity <= board.undo_capacity:
        return 0
    if capacity < 2 * board.undo_capacity:
        capacity = 2 * board.undo_capacity
    undo = <bf_undo *>PyMem_RawMalloc(capacity * sizeof(bf_undo))
    if undo == NULL:
        with gil:
            raise MemoryError
    memcpy(undo, board.undo, board.n_undo * sizeof(bf_undo))
    if board.undo != board.undo_memory:
        PyMem_RawFree(board.undo)
    board.undo = undo
    board.undo_capacity = capacity
    return 0


cdef int fill_board(Board board, color, int which, uint64_t *squares) except -1:
    """Fill in the own, corner or forbidden squares of a color."""
    cdef uint64_t allowed[8]
    cdef uint64_t corner[8]
    cdef int i
    cdef int c = as_color(color, board.c_rules)
    if c < 0:
        raise TypeError("color must be an integer, not None")
    board.c_rules.kernel.frontier(
        &board.c_rules.layout, <bf_boards>board.state.own, c, allowed, corner
    )
    for i in range(BF_WORDS):
        if which == OWN:
            squares[i] = board.state.own[c][i]
        elif which == CORNER:
            squares[i] = corner[i]
        else:
            squares[i] = board.c_rules.layout.playable[i] & ~allowed[i]
    return 0


cdef uint64_t hand_bits(Board board, color, player) except? 0xFFFFFFFFFFFFFFFF:
    cdef int c = as_color(color, board.c_rules)
    cdef int64_t holder
    if c < 0:
        raise TypeError("color must be an integer, not None")
    if not board.c_rules.draft:
        return board.state.hand[0][c]
    if player is None and board.state.phase == BF_OVER:
        raise ValueError("the game is over: say which player's hand")
    holder = board.state.player if player is None else as_number(player, "a player is a number")
    if not 0 <= holder < board.c_rules.n_players:
        raise ValueError(f"player {player} is not in 0..{board.c_rules.n_players - 1}")
    return board.state.hand[holder][c]


cdef tuple skipped_of(uint16_t skipped):
    if skipped == 0:
        return ()
    return tuple([BF_SKIPPED(skipped, i) for i in range(4) if BF_SKIPPED(skipped, i) >= 0])


# no_gc: a board refers to its Rules and to a Snapshot, which never refer back.
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
        Draft only: per player, from color (number or name) to the names of his pieces, or to
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
        self.state = state_in(&self.room)
        self.undo = self.undo_memory
        self.undo_capacity = 96
        self.n_undo = 0
        set_rules(self, _no_rules)
        self.origin = None
        self.skipped_first = 0

    def __init__(self, variant="classic", *, start=None, scoring=None, hands=None):
        cdef Rules rules = resolve(variant, start, scoring)
        cdef Board dealt
        if hands is not None:
            counts = late("setup")._deal(rules.variant, hands)
            none = ((),) * rules.c.n_colors
            dealt = _set_up(rules, none, counts, -1, 0, 0, (0,) * rules.c.n_players)
            take_over(self, dealt)
            return
        set_rules(self, rules)
        self.state[0] = rules.initial
        self.origin = None
        self.skipped_first = rules.skipped
        self.n_undo = 0
        self.revision += 1

    def __dealloc__(self):
        if self.undo != self.undo_memory:
            PyMem_RawFree(self.undo)

    # -- moving --------------------------------------------------------------------------------

    cdef int c_push(self, uint32_t action) except -1 nogil:
        if self.n_undo == self.undo_capacity:
            reserve_undo(self, self.n_undo + 1)
        bf_push(self.c_rules, self.state, action, &self.undo[self.n_undo])
        self.n_undo += 1
        self.revision += 1
        return 0

    cdef uint32_t c_pop(self) noexcept nogil:
        self.n_undo -= 1
        self.revision += 1
        bf_pop(self.c_rules, self.state, &self.undo[self.n_undo])
        return self.undo[self.n_undo].action

    def push(self, action, /):
        """Make a move, after checking it; then it is the turn of whoever can move next."""
        cdef int64_t checked = action_on(self, action, -1)
        if checked < 0 or not bf_is_legal(self.c_rules, self.state, -1, <uint32_t>checked):
            raise_illegal(self, action, checked)
        self.c_push(<uint32_t>checked)

    def push_unchecked(self, action, /):
        """Make a move that the caller knows to be legal; any other breaks the position."""
        cdef int64_t checked = action_on(self, action, -1)
        # Even unchecked, no id may reach beyond the tables or into another phase of the game.
        if (
            not 0 <= checked < self.c_rules.n_actions or self.state.phase == BF_OVER
            or not fits_phase(self.c_rules, self.state, <uint32_t>checked)
        ):
            raise_illegal(self, action, checked)
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

    @property
    def skipped(self):
        """Return whom the turn passed over after the last move: colors, in Draft players."""
        if self.n_undo == 0:
            return skipped_of(self.skipped_first)
        return skipped_of(self.undo[self.n_undo - 1].skipped)

    @property
    def _revision(self):
        return self.revision

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
        cdef uint16_t scratch[BF_LIST_SIZE]
        cdef const bf_rules *rules = self.c_rules
        cdef const bf_state *s = self.state
        cdef int c = as_color(color, rules)
        cdef uint32_t n
        cdef int32_t *ids
        if bf_lists_one_color(rules, s, c):
            n = bf_list_short(rules, s, c, scratch)
            return export_ids(<const uint16_t *>scratch, n, out)
        n = bf_count(rules, s, c)
        ids = <int32_t *>PyMem_RawMalloc(sizeof(int32_t) * (n + 1))
        if ids == NULL:
            raise MemoryError
        try:
            bf_list(rules, s, c, scratch, ids)
            return export_ids(<const int32_t *>ids, n, out)
        finally:
            PyMem_RawFree(ids)

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
            bf_mask(self.c_rules, self.state, c, <uint8_t *>view.buf)
        finally:
            PyBuffer_Release(&view)
        return array

    def count_legal(self, color=None):
        """Return the number of legal moves."""
        return bf_count(self.c_rules, self.state, as_color(color, self.c_rules))

    def any_legal(self, color=None):
        """Say whether there is a legal move."""
        return bf_any(self.c_rules, self.state, as_color(color, self.c_rules))

    def is_legal(self, action, /, color=None):
        """Say whether a move is legal, without generating others."""
        cdef int64_t checked
        cdef int c = as_color(color, self.c_rules)
        try:
            checked = action_on(self, action, c)
        except (IllegalMoveError, InvalidMoveError):
            # A text that is no move is a slip, and not a move that is illegal.
            if isinstance(action, str):
                raise
            return False
        return checked >= 0 and bf_is_legal(self.c_rules, self.state, c, <uint32_t>checked)

    def why_illegal(self, action, /, color=None):
        """Return the rule that a move breaks, in words, or None if it is legal."""
        cdef int where = -1
        cdef int code = BF_NO_SUCH_ACTION
        cdef int64_t checked
        cdef int c = as_color(color, self.c_rules)
        try:
            checked = action_on(self, action, c)
        except (IllegalMoveError, InvalidMoveError) as error:
            return str(error)
        if checked >= 0:
            code = bf_illegality(self.c_rules, self.state, c, <uint32_t>checked, &where)
        return None if code == BF_LEGAL else reason_text(self, checked, code, where)

    # -- looking at the position ---------------------------------------------------------------

    def hand(self, color, /, player=None):
        """Return how many of each of the 21 pieces are in hand."""
        cdef uint64_t hand = hand_bits(self, color, player)
        return tuple([bf_hand_count(hand, piece) for piece in range(BF_PIECES)])

    def pieces_left(self, color, /, player=None):
        """Return the names of the pieces in hand, each as often as it is there."""
        cdef uint64_t hand = hand_bits(self, color, player)
        names = []
        for piece in range(BF_PIECES):
            names.extend([PIECE_NAMES[piece]] * bf_hand_count(hand, piece))
        return tuple(names)

    def grid(self):
        """Return the board as an int8 array (size, size)."""
        cdef int size = self.c_rules.layout.size
        cdef int row, column, color, bit
        cdef int8_t[:, ::1] out = np.empty((size, size), dtype=np.int8)
        for row in range(size):
            for column in range(size):
                bit = BF_STRIDE * row + column
                out[row, column] = -1 if bf_has_square(self.c_rules.layout.playable, bit) else -2
                for color in range(self.c_rules.n_colors):
                    if bf_has_square(self.state.own[color], bit):
                        out[row, column] = color
        return np.asarray(out)

    def own_squares(self, color, /):
        """Return the squares of a color as ascending indices."""
        cdef uint64_t squares[8]
        fill_board(self, color, OWN, squares)
        return squares_of(squares, self.c_rules.layout.size)

    def own_mask(self, color, /):
        """Return the squares of a color as an int; bit i is square i."""
        cdef uint64_t squares[8]
        fill_board(self, color, OWN, squares)
        return mask_of(squares, self.c_rules.layout.size)

    def corner_squares(self, color, /):
        """Return the squares at which a color may connect as ascending indices."""
        cdef uint64_t squares[8]
        fill_board(self, color, CORNER, squares)
        return squares_of(squares, self.c_rules.layout.size)

    def corner_mask(self, color, /):
        """Return the squares at which a color may connect as an int; bit i is square i."""
        cdef uint64_t squares[8]
        fill_board(self, color, CORNER, squares)
        return mask_of(squares, self.c_rules.layout.size)

    def forbidden_squares(self, color, /):
        """Return the squares that a color can never cover (again) as ascending indices."""
        cdef uint64_t squares[8]
        fill_board(self, color, FORBIDDEN, squares)
        return squares_of(squares, self.c_rules.layout.size)

    def forbidden_mask(self, color, /):
        """Return the squares that a color can never cover (again) as an int; bit i is square i."""
        cdef uint64_t squares[8]
        fill_board(self, color, FORBIDDEN, squares)
        return mask_of(squares, self.c_rules.layout.size)

    def color_scores(self):
        """Return the score of every color."""
        cdef const bf_rules *c = self.c_rules
        return tuple([c.kernel.color_score(c, self.state, color) for color in range(c.n_colors)])

    def player_scores(self):
        """Return the score of every player."""
        cdef const bf_rules *c = self.c_rules
        return tuple([c.kernel.player_score(c, self.state, p) for p in range(c.n_players)])

    def key(self):
        """Return a 64-bit hash, equal for equal positions."""
        return bf_position_key(self.c_rules, self.state)

    def outcome(self):
        """Return the result of the game, or None as long as it is not over.

        Returns
        -------
        Outcome or None
            Winners, places and scores.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> print(board.outcome())
        None
        >>> while not board.is_game_over:
        ...     board.push(board.legal_ids()[0])
        >>> board.outcome().scores
        (-35, -35)
        """
        return late("game").outcome(self)

    # -- text ----------------------------------------------------------------------------------

    def move(self, action, /):
        """Return the readable view of a move of the side to move."""
        cdef int64_t checked
        cdef object color = getattr(action, "color", None)
        # It is only to be looked at: one that knows its color may have been made already.
        checked = action_on(self, action, -1 if color is None else as_color(color, self.c_rules))
        if not 0 <= checked < self.c_rules.n_actions:
            raise_illegal(self, action, -1)
        return late("moves.actions").view(self.rules, checked, self.state.turn)

    def move_text(self, action, /):
        """Return the canonical text of a move."""
        return self.move(action).text

    def parse_move(self, text, /):
        """Return the id of the move that a text stands for, legal or not."""
        return late("moves.actions").parse(text, self)

    @staticmethod
    def from_text(text, variant=None):
        """Read a position from its text, as ``repr`` shows it and `position_text` writes it."""
        return late("position").parse_position(text, variant)

    def __str__(self):
        return late("render").board_text(self)

    def __repr__(self):
        return f"Board.from_text({late('position').position_text(self)!r})"

    def _repr_svg_(self):
        """Draw it for notebooks."""
        return late("svg").board(self)

    # -- values --------------------------------------------------------------------------------

    cpdef Board copy(self):
        """Return an independent copy, with the moves that can be taken back."""
        cdef Board other
        if type(self) is not Board:
            return copy_subclass(self)
        other = Board.__new__(Board)
        take_over(other, self)
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        cdef Board other = self.copy()
        own = getattr(self, "__dict__", None)
        if own:
            memo[id(self)] = other
            other.__dict__.update(late_deepcopy(own, memo))
        return other

    def __eq__(self, other):
        cdef Board board
        if not isinstance(other, Board):
            return NotImplemented
        board = <Board>other
        if self.rules is not board.rules and self.rules.variant != board.rules.variant:
            return False
        return bf_equal_states(self.c_rules, self.state, board.state)

    __hash__ = None

    def __reduce__(self):
        # Moves and not bytes: they are checked when they are played again, whoever wrote them.
        arguments = (PICKLE_VERSION, self.rules.variant, self.origin, self.move_stack)
        if type(self) is Board:
            return _restore_board, arguments
        return _restore_subclass, (type(self), arguments), getattr(self, "__dict__", None)

    def placements(self, color, /):
        """Return the ids of the placements that lie on the board, the lowest squares first."""
        cdef uint64_t left[8]
        cdef int32_t move
        fill_board(self, color, OWN, left)
        moves = []
        while not bf_is_empty(left):
            move = bf_take_piece(self.c_rules, left)
            if move < 0:
                raise InvalidPositionError("squares of a color are no pieces")
            moves.append(move)
        return tuple(moves)

    def _rest(self):
        """Return what else is in a position, and what the pieces tell of it.

        Last-piece flags; who places the shared color next, and who would as far as the pieces
        tell; squares placed; phase.
        """
        cdef const bf_state *s = self.state
        placed = tuple([s.placed[i] for i in range(BF_COLORS)])
        by_pieces = bf_shared_by_pieces(self.c_rules, s)
        return s.monomino_last, s.shared_player, by_pieces, placed, s.phase

    def _state_bytes(self):
        """Return the bytes of the state, for tests: a pop must restore every one."""
        return (<const char *>self.state)[: sizeof(bf_state)]


cdef bint fits_phase(const bf_rules *rules, const bf_state *s, uint32_t action) noexcept nogil:
    """Say whether an action is of the kind that the phase of the game knows."""
    cdef bf_action what = bf_decode(rules, action)
    return (what.kind == BF_PICK) == (s.phase == BF_DRAFT)


cdef Board copy_subclass(Board board):
    """Return a copy of a board of a user's own class, with the attributes it has of its own."""
    cls = type(board)
    cdef Board other = cls.__new__(cls)
    take_over(other, board)
    own = getattr(board, "__dict__", None)
    if own:
        other.__dict__.update(own)
    return other


cdef object late_deepcopy(own, memo):
    from copy import deepcopy

    return deepcopy(own, memo)


# -- the view of the legal moves -----------------------------------------------------------------

@cython.final
cdef class LegalMoves:
    """The legal moves of a board, looked at when asked for; see ``Board.legal_moves``."""

    cdef Board board

    def __iter__(self):
        return iter(self.board.legal_ids().tolist())

    @cython.nonecheck(True)
    def __len__(self):
        return bf_count(self.board.c_rules, self.board.state, -1)

    @cython.nonecheck(True)
    def __bool__(self):
        return self.board.state.phase != BF_OVER

    def __contains__(self, action):
        try:
            return self.board.is_legal(action)
        except TypeError:
            return False

    def ids(self):
        """Return the ids as an ascending int32 array."""
        return self.board.legal_ids()

    def __array__(self, dtype=None, copy=None):
        ids = self.board.legal_ids()
        return ids if dtype is None else ids.astype(dtype)

    def __reduce__(self):
        raise TypeError("legal moves are a view: pickle the board, or legal_moves.ids()")

    def __repr__(self):
        cdef int n = len(self)
        ids = self.board.legal_ids()
        texts = ", ".join([self.board.move_text(i) for i in ids[:4].tolist()])
        return f"<LegalMoves: {n} ({texts}{', …' if n > 4 else ''})>"
