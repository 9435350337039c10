# rules.pxi: the tables of a board size by move id, and Rules: a variant compiled into the plain
# data that the engine reads. The Python layer checks variants and explains what is wrong with
# them; here only what would break the core is refused.

cdef dict _tables_by_size = {}
# For the tests that compare kernels: rules keep the one that they were made with.
cdef object _all_rules = weakref.WeakSet()


cdef class Tables:
    """Placements of one board size, by move id; constant once they are made."""

    def __cinit__(self, int size):
        if not 1 <= size <= BF_MAX_SIZE:
            raise ValueError(f"board size {size} is not in 1..{BF_MAX_SIZE}")
        self.size = size
        self.placements = <uint32_t *>PyMem_RawMalloc(sizeof(uint32_t) * n_placements(size))
        if self.placements == NULL:
            raise MemoryError
        bf_fill_placements(self.placements, size)

    def __dealloc__(self):
        PyMem_RawFree(self.placements)


cdef Tables tables_of(int size):
    """Return the tables of a size; each is made once."""
    found = _tables_by_size.get(size)
    if found is None:
        found = _tables_by_size.setdefault(size, Tables(size))
    return <Tables>found


def n_placements(int size):
    """Return how many placements fit the board of a size: one more than the largest id."""
    cdef bf_layout layout
    if not 1 <= size <= BF_MAX_SIZE:
        raise ValueError(f"board size {size} is not in 1..{BF_MAX_SIZE}")
    bf_fill_layout(&layout, size)
    return layout.n_moves


def placement_info(int size):
    """Return an int16 array (n, 4): piece, orientation, row and column of the anchor by id."""
    cdef Tables tables = tables_of(size)
    cdef int n = n_placements(size)
    cdef int16_t[:, ::1] out = np.empty((n, 4), dtype=np.int16)
    cdef int i
    cdef uint32_t placement
    for i in range(n):
        placement = tables.placements[i]
        out[i, 0] = bf_placement_piece(placement)
        out[i, 1] = bf_placement_orientation(placement)
        out[i, 2] = bf_placement_row(placement)
        out[i, 3] = bf_placement_column(placement)
    return np.asarray(out)


cdef int fill_cells(
    int16_t[:, ::1] out, Tables tables, const int8_t *cells, const uint8_t *n_cells, int most
) except -1:
    """Write the on-board squares around or under each placement, ascending, padded with -1."""
    cdef int i, k, row, column, used, o
    cdef uint32_t placement
    for i in range(out.shape[0]):
        placement = tables.placements[i]
        o = bf_placement_orientation(placement)
        used = 0
        for k in range(n_cells[o]):
            row = bf_placement_row(placement) + cells[(o * most + k) * 2]
            column = bf_placement_column(placement) + cells[(o * most + k) * 2 + 1]
            if 0 <= row < tables.size and 0 <= column < tables.size:
                out[i, used] = row * tables.size + column
                used += 1
        for k in range(used, most):
            out[i, k] = -1
    return 0


def placement_squares(int size):
    """Return an int16 array (n, 5): the squares of each placement, padded with -1."""
    cdef uint8_t n_cells[BF_ORIENTATIONS]
    cdef int o
    for o in range(BF_ORIENTATIONS):
        n_cells[o] = bf_piece_size[bf_orientation_piece[o]]
    out = np.empty((n_placements(size), 5), dtype=np.int16)
    fill_cells(out, tables_of(size), &bf_orientation_cells[0][0][0], n_cells, 5)
    return out


def placement_edges(int size):
    """Return an int16 array (n, 12): squares sharing an edge with each placement, -1 padded."""
    out = np.empty((n_placements(size), BF_MAX_EDGES), dtype=np.int16)
    fill_cells(
        out, tables_of(size), &bf_orientation_edges[0][0][0], bf_orientation_n_edges, BF_MAX_EDGES
    )
    return out


def placement_corners(int size):
    """Return an int16 array (n, 8): squares touching each placement at a corner, -1 padded."""
    out = np.empty((n_placements(size), BF_MAX_CORNERS), dtype=np.int16)
    fill_cells(
        out,
        tables_of(size),
        &bf_orientation_corners[0][0][0],
        bf_orientation_n_corners,
        BF_MAX_CORNERS,
    )
    return out


cdef int set_square(uint64_t *board, int size, int square) except -1:
    """Add a square, given by its index, to a board in the frame."""
    if not 0 <= square < size * size:
        raise ValueError(f"square {square} is not in 0..{size * size - 1}")
    bf_add_square(board, BF_STRIDE * (square // size) + square % size)
    return 0


cdef uint64_t pack_hand(counts) except? 0xFFFFFFFFFFFFFFFF:
    """Turn 21 counts of 0 to 7 into three bit planes."""
    cdef uint8_t packed[BF_PIECES]
    cdef int piece
    if len(counts) != BF_PIECES:
        raise ValueError(f"a hand has {BF_PIECES} counts, not {len(counts)}")
    for piece, count in enumerate(counts):
        if not 0 <= count <= 7:
            raise ValueError(f"{count} of piece {PIECE_NAMES[piece]} is not in 0..7")
        packed[piece] = count
    return bf_hand_pack(packed)


cdef class Rules:
    """A variant as the core reads it; made by ``Variant``, never changed.

    Parameters
    ----------
    size : int
        Rows and columns, 1 to 20.
    playable : sequence of int or None
        Indices of the squares that may be covered; None for all.
    start : sequence of sequences of int
        Per color, the squares one of which its first piece must cover.
    order : sequence of int
        Colors in order of play.
    owners : sequence of int
        Player of each color; -1 for a shared color.
    players : int
        Number of players, 1 to 4.
    hands : sequence of sequences of int
        Per color, 21 counts of 0 to 7.
    scoring : tuple of int
        Points of a placed square, of a square left, of an empty hand, and more for the monomino
        as last piece.
    first_pieces : int
        Bit p: piece p may open a color.
    max_rounds : int
        Rounds after which the game ends; 0 for no limit.
    voluntary_pass : bool
        Whether a color may pass after its first placement.
    draft : bool
        Whether hands are picked and mixed.
    variant : object
        What these rules were made from.
    """

    def __cinit__(
        self, int size, playable, start, order, owners, int players, hands, scoring,
        uint32_t first_pieces, int max_rounds, bint voluntary_pass, bint draft, variant,
    ):
        cdef bf_rules *c = &self.c
        cdef int i, color, square, n = len(owners)
        memset(c, 0, sizeof(bf_rules))
        if not (1 <= n <= BF_COLORS and 1 <= players <= BF_COLORS):
            raise ValueError(f"{n} colors and {players} players: 1 to {BF_COLORS} of each fit")
        if sorted(order) != list(range(n)) or len(start) != n or len(hands) != n:
            raise ValueError("order, start and hands must have one entry per color")
        if not 0 <= max_rounds <= 0xFFFF:
            raise ValueError(f"max_rounds {max_rounds} is not in 0..65535")
        self.tables = tables_of(size)
        self.variant = variant
        for square in range(size * size) if playable is None else playable:
            set_square(c.layout.playable, size, square)
        c.n_colors = n
        c.n_players = players
        for i, color in enumerate(order):
            c.order[i] = color
        for color in range(n):
            if not -1 <= owners[color] < players:
                raise ValueError(f"owner {owners[color]} is not in -1..{players - 1}")
            c.owner[color] = owners[color]
            c.hand[color] = pack_hand(hands[color])
            for square in start[color]:
                set_square(c.layout.start[color], size, square)
        c.score_placed, c.score_left, c.score_all_placed, c.score_monomino_last = scoring
        c.first_pieces = first_pieces
        c.max_rounds = max_rounds
        c.voluntary_pass = voluntary_pass
        c.draft = draft
        if bf_make_rules(c, size, self.tables.placements, kernel):
            raise ValueError("a draft and a voluntary pass exclude each other")
        self.skipped = bf_open(c, &self.initial)
        _all_rules.add(self)

    def __repr__(self):
        return f"<Rules of {getattr(self.variant, 'name', None)}>"

    @property
    def n_actions(self):
        """int: Number of action ids."""
        return self.c.n_actions

    @property
    def pass_action(self):
        """int or None: Id of the voluntary pass, where there is one."""
        return self.c.pass_action if self.c.voluntary_pass else None

    def placement_action(self, int color, int move):
        """Return the id of the action that places something; the color counts in Draft only."""
        return self.encode(BF_PLACEMENT, color, -1, move)

    def pick_action(self, int color, int piece):
        """Return the id of the action that picks a piece, in Draft."""
        return self.encode(BF_PICK, color, piece, -1)

    cdef object encode(self, int kind, int color, int piece, int move):
        cdef bf_action action
        cdef uint32_t number
        action.kind, action.color, action.piece, action.move = kind, color, piece, move
        number = bf_encode(&self.c, &action)
        if number == <uint32_t>0xFFFFFFFF:
            raise InvalidMoveError(
                f"no action of {self.variant.name} has color {color}, piece {piece}, move {move}"
            )
        return number

    def decode_action(self, uint32_t number):
        """Return what an action is, as `decode_actions` tells it of many."""
        cdef bf_action action = bf_decode(&self.c, number)
        return action.kind, action.color, action.piece, action.move

    def decode_actions(self, const int32_t[::1] actions not None):
        """Return what actions are, int32 (n, 4): kind, color, piece, move.

        The kind is 0 for no action, 1 for a placement, 2 for a pick, 3 for a pass. Color is -1
        where the id does not tell it, piece and move are -1 where there is none.
        """
        cdef int32_t[:, ::1] out = np.empty((actions.shape[0], 4), dtype=np.int32)
        cdef bf_action action
        cdef Py_ssize_t i
        for i in range(actions.shape[0]):
            action = bf_decode(&self.c, <uint32_t>actions[i])
            out[i, 0], out[i, 1] = action.kind, action.color
            out[i, 2], out[i, 3] = action.piece, action.move
        return np.asarray(out)

    def encode_actions(self, const int32_t[:, ::1] parts not None):
        """Return the ids of actions, int32 (n,), from what `decode_actions` tells of them."""
        cdef int32_t[::1] out = np.empty(parts.shape[0], dtype=np.int32)
        cdef Py_ssize_t i
        if parts.shape[1] != 4:
            raise ValueError(f"parts must have shape (n, 4), not (n, {parts.shape[1]})")
        for i in range(parts.shape[0]):
            out[i] = self.encode(parts[i, 0], parts[i, 1], parts[i, 2], parts[i, 3])
        return np.asarray(out)

    def __reduce__(self):
        return _rules_of, (self.variant,)


# -- from names -------------------------------------------------------------------------------

cdef Rules resolve(variant, start, scoring):
    """Return the rules of a variant or its name, with another start or scoring rule."""
    if isinstance(variant, Rules) and start is None and scoring is None:
        return <Rules>variant
    return <Rules?>late("variants.shipped")._resolve(variant, start, scoring)


cdef bint same_rules(Rules given, Rules wanted, str what) except -1:
    """Say whether something of somebody's has the rules that are wanted."""
    if given is _no_rules:
        raise ValueError(f"{what} that was never initialised")
    return given is wanted or given.variant == wanted.variant


def _rules_of(variant):
    return resolve(variant, None, None)
