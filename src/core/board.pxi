# board.pxi: Board, the position for machines. Checked at its edge (arguments.pxi); the rules are
# the engine's. One file, most of it docstrings, since Cython includes no file inside a class; its
# sections: moving; what is played, and whose turn it is; legal moves; squares and pieces; scores
# and the result; text; copied, compared, kept.

cdef enum:
    OWN = 0
    CORNER = 1
    FORBIDDEN = 2


cdef inline void set_rules(Board board, Rules rules) noexcept:
    board.rules = rules
    board.c_rules = &rules.c


cdef inline int take_over(Board board, Board other, bint stack) except -1:
    """Make a board what another is, with its stack of moves or with an empty one."""
    cdef uint32_t n = other.n_undo if stack else 0
    if n > board.undo_capacity:
        reserve_undo(board, n)
    set_rules(board, other.rules)
    board.revision += 1
    board.state[0] = other.state[0]
    board.n_undo = n
    board.from_start = other.from_start
    board.skipped_first = other.skipped_first
    if n:
        memcpy(board.undo, other.undo, n * sizeof(bf_undo))
    elif other.n_undo:
        board.from_start = False
        board.skipped_first = other.undo[other.n_undo - 1].skipped
    return 0


cdef int reserve_undo(Board board, uint32_t capacity) except -1 nogil:
    """Make room on the stack of undone moves; only very long games ever need it."""
    cdef const bf_undo *before = board.undo
    if capacity <= board.undo_capacity:
        return 0
    if capacity < 2 * board.undo_capacity:
        capacity = 2 * board.undo_capacity
    with gil:
        room = PyBytes_FromStringAndSize(NULL, capacity * sizeof(bf_undo))
        board.undo = <bf_undo *>PyBytes_AS_STRING(room)
        memcpy(board.undo, before, board.n_undo * sizeof(bf_undo))
        board.undo_owner = room
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


# no_gc: a board refers to its Rules and to bytes, which never refer back.
@cython.freelist(64)
@cython.no_gc
cdef class Board:
    """A position: squares, hands and turn, with a stack of moves to take back.

    `Game` has names, history and results beside it. Two boards are equal if everything that can
    still matter is, however they came about; they change, and are not hashable: use `key`. Boards
    can be pickled. A board belongs to one thread at a time.

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

    Attributes
    ----------
    rules : Rules
        The variant as the core has it: what ids of actions stand for, see docs/api.md.

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
        self.from_start = True
        self.skipped_first = 0

    def __init__(self, variant="classic", *, start=None, scoring=None, hands=None):
        cdef Rules rules = resolve(variant, start, scoring)
        cdef Board dealt
        if hands is not None:
            counts = late("setup")._deal(rules.variant, hands)
            none = ((),) * rules.c.n_colors
            dealt = _set_up(rules, none, counts, -1, 0, 0, (0,) * rules.c.n_players)
            take_over(self, dealt, True)
            return
        set_rules(self, rules)
        self.state[0] = rules.initial
        self.from_start = True
        self.skipped_first = rules.skipped
        self.n_undo = 0
        self.revision += 1

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
        """Make a move, after checking it; then it is the turn of whoever can move next.

        Parameters
        ----------
        action : int, Move or str
            Id, numpy integers too, a move, or its text.

        Raises
        ------
        InvalidMoveError
            The number is no id here, the `Move` is one of another board, or the text is no move.
        IllegalMoveError
            The move is not allowed here; the message names the rule, and the square where it is
            broken.
        TypeError
            `action` is neither an integer, a `Move` nor text.

        Notes
        -----
        After an error the board is unchanged. Colors that cannot move are passed over: see
        `skipped`.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("classic")
        >>> board.push("a19,a20")
        >>> board.turn, board.ply
        (1, 1)
        >>> board.push("a1")
        Traceback (most recent call last):
        ...
        blokus_fast.errors.IllegalMoveError: a1 (move 380): misses the start square
        """
        cdef int64_t checked = action_on(self, action, -1)
        if checked < 0 or not bf_is_legal(self.c_rules, self.state, -1, <uint32_t>checked):
            raise_illegal(self, action, checked)
        self.c_push(<uint32_t>checked)

    def push_unchecked(self, action, /):
        """Make a move that the caller knows to be legal; any other breaks the position.

        Parameters
        ----------
        action : int, Move or str
            Id, numpy integers too, a move, or its text.

        Raises
        ------
        InvalidMoveError
            The number is no id here, the `Move` is one of another board, or the text is no move.
        IllegalMoveError
            The game is over, or the id belongs to another phase of Draft.
        TypeError
            `action` is neither an integer, a `Move` nor text.

        Notes
        -----
        For ids that `legal_ids` has just returned. Whether the move is legal is the caller's to
        know: after one that is not, squares and hands no longer fit each other. The interpreter
        comes to no harm.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push_unchecked(board.legal_ids()[0])
        >>> board.ply
        1
        """
        cdef int64_t checked = action_on(self, action, -1)
        # Even unchecked, no id may reach beyond the tables or into another phase of the game.
        if (
            not 0 <= checked < self.c_rules.n_actions or self.state.phase == BF_OVER
            or not fits_phase(self.c_rules, self.state, <uint32_t>checked)
        ):
            raise_illegal(self, action, checked)
        self.c_push(<uint32_t>checked)

    def pop(self):
        """Take back the last move and return its id.

        Returns
        -------
        int
            Id of the move that was taken back.

        Raises
        ------
        IndexError
            No move is left on the stack.

        Notes
        -----
        Everything is as it was before the move, to the last bit.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push(60)
        >>> board.pop(), board == bf.Board("duo")
        (60, True)
        """
        if self.n_undo == 0:
            raise IndexError("pop from a board without moves")
        return self.c_pop()

    def peek(self):
        """Return the id of the last move.

        Returns
        -------
        int
            Id of the move that `pop` would take back.

        Raises
        ------
        IndexError
            No move is on the stack.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push(60)
        >>> board.peek(), board.ply
        (60, 1)
        """
        if self.n_undo == 0:
            raise IndexError("peek at a board without moves")
        return self.undo[self.n_undo - 1].action

    @property
    def move_stack(self):
        """Ids of the moves that can be taken back, the oldest first: a new list of int.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push(60)
        >>> board.move_stack
        [60]
        """
        return [self.undo[i].action for i in range(self.n_undo)]

    @property
    def skipped(self):
        """Whom the turn passed over after the last move, a tuple of int: colors, in Draft players.

        Empty in most positions, and when the game is over.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> sets = [["1", "1", "1"], ["2"]]
        >>> tiny = bf.Variant("tiny", 3, ["blue", "red"], [["a3"], ["c1"]], pieces=sets)
        >>> board = bf.Board(tiny)
        >>> for text in ("a3", "c1,c2", "b2"):
        ...     board.push(text)
        >>> board.turn, board.skipped
        (0, (1,))
        """
        if self.n_undo == 0:
            return skipped_of(self.skipped_first)
        return skipped_of(self.undo[self.n_undo - 1].skipped)

    @property
    def _revision(self):
        return self.revision

    # -- what is played, and whose turn it is --------------------------------------------------

    @property
    def variant(self):
        """The `Variant`, with the start and the scoring rule in force.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("duo", scoring="net").variant.scoring_name
        'net'
        """
        return self.rules.variant

    @property
    def size(self):
        """Rows of the board, and columns, an int.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("duo").size
        14
        """
        return self.c_rules.layout.size

    @property
    def n_moves(self):
        """Number of placements that fit on the board, an int: 30,433 on 20 x 20 squares.

        Ids of placements are 0 to ``n_moves - 1``.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("classic").n_moves, bf.Board("duo").n_moves
        (30433, 13729)
        """
        return self.c_rules.layout.n_moves

    @property
    def n_actions(self):
        """Number of ids that `push` knows, an int: placements, and in some variants more.

        One more where passing is a move; in Draft the placements of every color, and the picks.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> [bf.Board(name).n_actions for name in ("classic", "software-challenge-2027", "draft")]
        [30433, 30434, 121816]
        """
        return self.c_rules.n_actions

    @property
    def n_colors(self):
        """Number of colors, an int from 1 to 4.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("classic-2p").n_colors
        4
        """
        return self.c_rules.n_colors

    @property
    def n_players(self):
        """Number of players, an int from 1 to 4; one player may have several colors.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("classic-2p").n_players
        2
        """
        return self.c_rules.n_players

    @property
    def turn(self):
        """The color to move, an int; -1 when the game is over.

        -1 in the second phase of Draft too, where the player to move may place any color.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("classic")
        >>> board.push(0)
        >>> board.turn
        1
        """
        return self.state.turn

    @property
    def player(self):
        """The player to move, an int; -1 when the game is over.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("classic-2p")
        >>> for _ in range(2):
        ...     board.push(board.legal_ids()[0])
        >>> board.turn, board.player
        (2, 0)
        """
        return self.state.player

    @property
    def ply(self):
        """Number of moves made, an int; turns that were passed over do not count.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push(60)
        >>> board.ply
        1
        """
        return self.state.ply

    @property
    def round(self):
        """Number of rounds that are behind, an int: turns of all colors, those passed over too.

        In Draft only the second phase has rounds: those of the players.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> for _ in range(5):
        ...     board.push(board.legal_ids()[0])
        >>> board.ply, board.round
        (5, 2)
        """
        return self.state.round

    @property
    def is_game_over(self):
        """Whether nobody can move any more, a bool.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> while not board.is_game_over:
        ...     board.push(board.legal_ids()[0])
        >>> board.turn, board.count_legal()
        (-1, 0)
        """
        return self.state.phase == BF_OVER

    @property
    def is_drafting(self):
        """Whether it is the first phase of Draft, in which pieces are picked, a bool.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("draft").is_drafting, bf.Board("classic").is_drafting
        (True, False)
        """
        return self.state.phase == BF_DRAFT

    # -- legal moves ---------------------------------------------------------------------------

    @property
    def legal_moves(self):
        """The legal moves, a view that is worked out when it is asked.

        It has the ids as Python's integers, ascending: loop over it, index and slice it like a
        list, ask whether an id or a `Move` is ``in`` it, or for its length and truth value;
        ``ids()`` is the array of `legal_ids`. A loop goes over the moves that were legal when it
        began; all else follows the board.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> len(board.legal_moves), 60 in board.legal_moves, board.legal_moves[:2]
        (828, True, [60, 135])
        """
        cdef LegalMoves view = LegalMoves.__new__(LegalMoves)
        view.board = self
        return view

    def legal_ids(self, out=None, *, color=None):
        """Return the ids of all legal moves, ascending, or write them into a buffer.

        Parameters
        ----------
        out : ndarray of int, shape (room,), optional
            Writable, contiguous array of integers of 32 or 64 bits, or of uint16 where ids are
            small enough; its beginning is filled.
        color : int, optional
            Which color's moves, as if it were its turn. Default: the color to move; in Draft the
            colors that the player to move may place.

        Returns
        -------
        ndarray of int32, shape (m,), or int
            The ids, in a new array; with `out` how many were written. None when the game is over.

        Raises
        ------
        ValueError
            `out` has no room for all ids, or is of another type; the message says what is needed.
            Or there is no such color.
        TypeError
            `out` is no array, or `color` no integer.

        Examples
        --------
        >>> import blokus_fast as bf, numpy as np
        >>> board = bf.Board("classic")
        >>> board.legal_ids()[:5].tolist()
        [0, 400, 780, 1160, 1520]
        >>> room = np.empty(2000, np.int32)
        >>> board.legal_ids(room)
        58
        """
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
        """Return which actions are legal, a byte for each, or write them into a buffer.

        Parameters
        ----------
        out : ndarray of bool, int8 or uint8, shape (n_actions,), optional
            Writable, contiguous array that is filled and returned.
        color : int, optional
            Which color's moves, as if it were its turn. Default: the color to move; in Draft the
            colors that the player to move may place.

        Returns
        -------
        ndarray of bool, shape (n_actions,)
            True where the action with that id is legal; all False when the game is over. With
            `out`, that array.

        Raises
        ------
        ValueError
            There is no such color, or `out` has another length or type.
        TypeError
            `out` is no array, or `color` no integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> mask = bf.Board("duo").legal_mask()
        >>> mask.shape, int(mask.sum())
        ((13729,), 828)
        """
        cdef int c = as_color(color, self.c_rules)
        cdef Py_buffer view
        if out is None:
            out = new_array(NPY_BOOL, self.c_rules.n_actions)
            bf_mask(self.c_rules, self.state, c, <uint8_t *>memory_of(out))
            return out
        get_buffer(out, &view, f"{self.c_rules.n_actions} bytes")
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
        return out

    def count_legal(self, color=None):
        """Return the number of legal moves.

        Parameters
        ----------
        color : int, optional
            Which color's moves, as if it were its turn. Default: the color to move; in Draft the
            colors that the player to move may place.

        Returns
        -------
        int
            0 when the game is over.

        Raises
        ------
        ValueError
            There is no such color.
        TypeError
            `color` is not an integer.

        Notes
        -----
        Quicker than a list: nothing is listed.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("classic").count_legal(), bf.Board("classic").count_legal(color=2)
        (58, 58)
        """
        return bf_count(self.c_rules, self.state, as_color(color, self.c_rules))

    def any_legal(self, color=None):
        """Say whether there is a legal move.

        Parameters
        ----------
        color : int, optional
            Which color's moves, as if it were its turn. Default: the color to move; in Draft the
            colors that the player to move may place.

        Returns
        -------
        bool
            False when the game is over.

        Raises
        ------
        ValueError
            There is no such color.
        TypeError
            `color` is not an integer.

        Notes
        -----
        As long as the game goes on, whoever is to move has one; the answer is of interest for other
        colors.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("duo").any_legal(color=1)
        True
        """
        return bf_any(self.c_rules, self.state, as_color(color, self.c_rules))

    def is_legal(self, action, /, color=None):
        """Say whether a move is legal, without generating others.

        Parameters
        ----------
        action : int, Move or str
            Id, numpy integers too, a move, or its text.
        color : int, optional
            Which color's moves, as if it were its turn. Default: the color to move; in Draft the
            colors that the player to move may place.

        Returns
        -------
        bool
            False, too, for numbers that are no ids and for a `Move` of another board.

        Raises
        ------
        InvalidMoveError
            The text is no move.
        ValueError
            There is no such color.
        TypeError
            `action` is neither an integer, a `Move` nor text, or `color` no integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("classic")
        >>> board.is_legal("a20"), board.is_legal("t20")
        (True, False)
        >>> board.is_legal("t20", color=1)
        True
        """
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
        """Return the rule that a move breaks, in words, or None if it is legal.

        Parameters
        ----------
        action : int, Move or str
            Id, numpy integers too, a move, or its text.
        color : int, optional
            Which color's moves, as if it were its turn. Default: the color to move; in Draft the
            colors that the player to move may place.

        Returns
        -------
        str or None
            Such as ``overlaps at e10``; the first rule that is broken.

        Raises
        ------
        InvalidMoveError
            The text is no move.
        ValueError
            There is no such color.
        TypeError
            `action` is neither an integer, a `Move` nor text, or `color` no integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.why_illegal("a1")
        'misses the start square'
        >>> board.why_illegal("e10") is None
        True
        """
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

    # -- squares and pieces --------------------------------------------------------------------

    def hand(self, color, /, player=None):
        """Return how many of each of the 21 pieces are in hand.

        Parameters
        ----------
        color : int
            Number of the color, 0 to ``n_colors - 1``.
        player : int, optional
            Draft only: whose hand. Default: that of the player to move.

        Returns
        -------
        tuple of int
            21 counts, in the order of `PIECES`.

        Raises
        ------
        ValueError
            There is no such color or player; or, in Draft, the game is over and no player is given.
        TypeError
            `color` or `player` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("junior")
        >>> board.hand(0)[:5], sum(board.hand(0))
        ((2, 2, 2, 2, 2), 24)
        """
        cdef uint64_t hand = hand_bits(self, color, player)
        return tuple([bf_hand_count(hand, piece) for piece in range(BF_PIECES)])

    def pieces_left(self, color, /, player=None):
        """Return the names of the pieces in hand, each as often as it is there.

        Parameters
        ----------
        color : int
            Number of the color, 0 to ``n_colors - 1``.
        player : int, optional
            Draft only: whose hand. Default: that of the player to move.

        Returns
        -------
        tuple of str
            Names, in the order of `PIECES`.

        Raises
        ------
        ValueError
            There is no such color or player; or, in Draft, the game is over and no player is given.
        TypeError
            `color` or `player` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10")
        >>> board.pieces_left(0)[:3], len(board.pieces_left(0))
        (('2', 'I3', 'V3'), 20)
        """
        cdef uint64_t hand = hand_bits(self, color, player)
        names = []
        for piece in range(BF_PIECES):
            names.extend([PIECE_NAMES[piece]] * bf_hand_count(hand, piece))
        return tuple(names)

    def grid(self):
        """Return the board as an int8 array (size, size).

        Returns
        -------
        ndarray of int8, shape (size, size)
            The color that covers a square, -1 where it is empty, -2 where it is not in play. Row 0
            is the top one. A new array, which does not follow the board.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10,f10")
        >>> board.grid()[4, 3:7].tolist()
        [-1, 0, 0, -1]
        """
        cdef int size = self.c_rules.layout.size
        cdef int color
        out = new_square_array(NPY_INT8, size)
        cdef int8_t *squares = <int8_t *>memory_of(out)
        memset(squares, -2, size * size)
        mark_squares(self.c_rules.layout.playable, size, -1, squares)
        for color in range(self.c_rules.n_colors):
            mark_squares(self.state.own[color], size, color, squares)
        return out

    def own_squares(self, color, /):
        """Return the squares of a color as ascending indices.

        Parameters
        ----------
        color : int
            Number of the color, 0 to ``n_colors - 1``.

        Returns
        -------
        ndarray of intp, shape (k,)
            Indices ``row * size + column``, ascending.

        Raises
        ------
        ValueError
            There is no such color.
        TypeError
            `color` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10,f10")
        >>> board.own_squares(0).tolist()
        [60, 61]
        """
        cdef uint64_t squares[8]
        fill_board(self, color, OWN, squares)
        return squares_of(squares, self.c_rules.layout.size)

    def own_mask(self, color, /):
        """Return the squares of a color as an int; bit i is square i.

        The same as `own_squares`.

        Parameters
        ----------
        color : int
            Number of the color, 0 to ``n_colors - 1``.

        Returns
        -------
        int
            Bit i is square i, ``row * size + column``; as many bits as the board has squares.

        Raises
        ------
        ValueError
            There is no such color.
        TypeError
            `color` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10,f10")
        >>> board.own_mask(0) == 1 << 60 | 1 << 61
        True
        """
        cdef uint64_t squares[8]
        fill_board(self, color, OWN, squares)
        return mask_of(squares, self.c_rules.layout.size)

    def corner_squares(self, color, /):
        """Return the squares at which a color may connect as ascending indices.

        They are empty, in play, touch a square of the color at a corner and none along an edge.
        Before its first piece: the start squares that are still free.

        Parameters
        ----------
        color : int
            Number of the color, 0 to ``n_colors - 1``.

        Returns
        -------
        ndarray of intp, shape (k,)
            Indices ``row * size + column``, ascending.

        Raises
        ------
        ValueError
            There is no such color.
        TypeError
            `color` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10,f10")
        >>> board.corner_squares(0).tolist()
        [45, 48, 73, 76]
        """
        cdef uint64_t squares[8]
        fill_board(self, color, CORNER, squares)
        return squares_of(squares, self.c_rules.layout.size)

    def corner_mask(self, color, /):
        """Return the squares at which a color may connect as an int; bit i is square i.

        The same as `corner_squares`.

        Parameters
        ----------
        color : int
            Number of the color, 0 to ``n_colors - 1``.

        Returns
        -------
        int
            Bit i is square i, ``row * size + column``; as many bits as the board has squares.

        Raises
        ------
        ValueError
            There is no such color.
        TypeError
            `color` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10,f10")
        >>> board.corner_mask(1).bit_count()
        1
        """
        cdef uint64_t squares[8]
        fill_board(self, color, CORNER, squares)
        return mask_of(squares, self.c_rules.layout.size)

    def forbidden_squares(self, color, /):
        """Return the squares that a color can never cover (again) as ascending indices.

        They are covered by anybody, or next to an edge of the color's own squares.

        Parameters
        ----------
        color : int
            Number of the color, 0 to ``n_colors - 1``.

        Returns
        -------
        ndarray of intp, shape (k,)
            Indices ``row * size + column``, ascending.

        Raises
        ------
        ValueError
            There is no such color.
        TypeError
            `color` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10,f10")
        >>> board.forbidden_squares(0).tolist()
        [46, 47, 59, 60, 61, 62, 74, 75]
        """
        cdef uint64_t squares[8]
        fill_board(self, color, FORBIDDEN, squares)
        return squares_of(squares, self.c_rules.layout.size)

    def forbidden_mask(self, color, /):
        """Return the squares that a color can never cover (again) as an int; bit i is square i.

        The same as `forbidden_squares`.

        Parameters
        ----------
        color : int
            Number of the color, 0 to ``n_colors - 1``.

        Returns
        -------
        int
            Bit i is square i, ``row * size + column``; as many bits as the board has squares.

        Raises
        ------
        ValueError
            There is no such color.
        TypeError
            `color` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10,f10")
        >>> board.forbidden_mask(1) == board.own_mask(0)
        True
        """
        cdef uint64_t squares[8]
        fill_board(self, color, FORBIDDEN, squares)
        return mask_of(squares, self.c_rules.layout.size)

    def placements(self, color, /):
        """Return the ids of the placements that lie on the board, the lowest squares first.

        Parameters
        ----------
        color : int
            Number of the color, 0 to ``n_colors - 1``.

        Returns
        -------
        tuple of int
            A placement a piece of the color; in Draft too without the color.

        Raises
        ------
        ValueError
            There is no such color.
        TypeError
            `color` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10")
        >>> [bf.Move(move, size=14).text for move in board.placements(0)]
        ['e10']
        """
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

    # -- scores and the result -----------------------------------------------------------------

    def color_scores(self):
        """Return the score of every color.

        Returns
        -------
        tuple of int, length n_colors
            By the scoring rule in force, as the position stands; a shared color's too. In Draft
            that of the color's whole set, without a bonus.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push("e10")
        >>> board.color_scores()
        (-88, -89)
        """
        cdef const bf_rules *c = self.c_rules
        return tuple([c.kernel.color_score(c, self.state, color) for color in range(c.n_colors)])

    def player_scores(self):
        """Return the score of every player.

        Returns
        -------
        tuple of int, length n_players
            The sum over the player's colors, as the position stands; in Draft that of his own hand.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("classic-2p", scoring="placed")
        >>> board.push("a20")
        >>> board.player_scores()
        (1, 0)
        """
        cdef const bf_rules *c = self.c_rules
        return tuple([c.kernel.player_score(c, self.state, p) for p in range(c.n_players)])

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
        """Return the readable view of a move of the side to move.

        Parameters
        ----------
        action : int, Move or str
            Id, numpy integers too, a move, or its text.

        Returns
        -------
        Move
            With its color; in Draft a `Pick` or a `DraftMove`, and for a pass a `Pass`.

        Raises
        ------
        InvalidMoveError
            The number is no id here, the `Move` is one of another board, or the text is no move.
        TypeError
            `action` is neither an integer, a `Move` nor text.

        Notes
        -----
        The move need not be legal.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("duo").move(11916).piece
        'X'
        """
        cdef int64_t checked
        cdef object color = getattr(action, "color", None)
        # It is only to be looked at: one that knows its color may have been made already.
        checked = action_on(self, action, -1 if color is None else as_color(color, self.c_rules))
        if not 0 <= checked < self.c_rules.n_actions:
            raise_illegal(self, action, -1)
        return late("moves.actions").view(self.rules, checked, self.state.turn)

    def move_text(self, action, /):
        """Return the canonical text of a move.

        Parameters
        ----------
        action : int, Move or str
            Id, numpy integers too, a move, or its text.

        Returns
        -------
        str
            Its squares row by row from row 1, a to z within a row, joined with commas.

        Raises
        ------
        InvalidMoveError
            The number is no id here, the `Move` is one of another board, or the text is no move.
        TypeError
            `action` is neither an integer, a `Move` nor text.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("duo").move_text(11916)
        'e8,d9,e9,f9,e10'
        """
        return self.move(action).text

    def parse_move(self, text, /):
        """Return the id of the move that a text stands for, legal or not.

        Parameters
        ----------
        text : str
            Squares in any order and any case, joined with commas; ``pass``; in Draft ``pick F``, or
            the name of a color and squares.

        Returns
        -------
        int
            Id of the action.

        Raises
        ------
        InvalidMoveError
            The text is no move on this board; or, in Draft, squares that several colors could
            cover.
        TypeError
            `text` is not a str.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board("duo").parse_move("d9,e9,f9,e8,e10")
        11916
        """
        return late("moves.actions").parse(text, self)

    @staticmethod
    def from_text(text, variant=None):
        """Read a position from its text, as ``repr`` shows it and `position_text` writes it.

        Parameters
        ----------
        text : str
            One line: docs/position.md has the grammar.
        variant : Variant, optional
            A variant of your own that the text means by its name.

        Returns
        -------
        Board
            The position, without moves to take back.

        Raises
        ------
        InvalidPositionError
            The text is none, or no position that could have come about; the message has the column.
        TypeError
            `text` is not a str.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> text = "duo 14./14./14./14./4.2a8./14./14./14./14./9.b4./14./14./14./14. b"
        >>> bf.Board.from_text(text).pieces_left(1)[:2]
        ('2', 'I3')
        """
        return late("position").parse_position(text, variant)

    def __str__(self):
        return late("render").board_text(self)

    def __repr__(self):
        return f"Board.from_text({late('position').position_text(self)!r})"

    def _repr_svg_(self):
        """Draw it for notebooks."""
        return late("svg").board(self)

    # -- copied, compared, kept ----------------------------------------------------------------

    cdef Board c_copy(self, bint stack):
        cdef Board other
        if type(self) is not Board:
            return copy_subclass(self, stack)
        other = Board.__new__(Board)
        take_over(other, self, stack)
        return other

    def copy(self, *, stack=True):
        """Return an independent copy.

        Parameters
        ----------
        stack : bool
            Whether the moves made so far come along. Without them the copy is quicker to make;
            its `move_stack` is empty, and only moves made on it can be taken back. All else is
            the same: `ply`, `skipped`, key, equality.

        Returns
        -------
        Board
            Of the same class; nothing is shared with the original.

        Raises
        ------
        TypeError
            `stack` is neither True nor False.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> board.push(board.parse_move("e10"))
        >>> trial = board.copy(stack=False)
        >>> trial == board, trial.ply, trial.move_stack
        (True, 1, [])
        """
        if not PyBool_Check(stack):
            raise TypeError(f"stack must be True or False, not {type(stack).__name__}")
        return self.c_copy(stack is True)

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

    def key(self):
        """Return a 64-bit hash, equal for equal positions.

        Returns
        -------
        int
            0 to ``2**64 - 1``.

        Notes
        -----
        It covers squares, hands, turn and whatever else can still matter, but not the number of
        moves made. It is the same on every machine and in every release.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo")
        >>> before = board.key()
        >>> board.push(60)
        >>> move = board.pop()
        >>> board.key() == before
        True
        """
        return bf_position_key(self.c_rules, self.state)

    def __reduce__(self):
        # Moves and not bytes: they are checked when they are played again, whoever wrote them.
        arguments = (PICKLE_VERSION, self.rules.variant, origin_of(self), self.move_stack)
        if type(self) is Board:
            return _restore_board, arguments
        return _restore_subclass, (type(self), arguments), getattr(self, "__dict__", None)

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


cdef Board copy_subclass(Board board, bint stack):
    """Return a copy of a board of a user's own class, with the attributes it has of its own."""
    cls = type(board)
    cdef Board other = cls.__new__(cls)
    take_over(other, board, stack)
    own = getattr(board, "__dict__", None)
    if own:
        other.__dict__.update(own)
    return other


cdef object late_deepcopy(own, memo):
    from copy import deepcopy

    return deepcopy(own, memo)
