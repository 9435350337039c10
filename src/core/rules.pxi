# rules.pxi: Rules, a variant compiled into the plain data that push, pop and the kernels read.
# The Python layer (variants/definition.py) checks variants and explains what is wrong with them; here only
# what would break the core is refused.

cdef int set_square(uint64_t *board, int size, int square) except -1:
    """Add a square, given by its index, to a board in the frame."""
    if not 0 <= square < size * size:
        raise ValueError(f"square {square} is not in 0..{size * size - 1}")
    cdef int bit = BF_STRIDE * (square // size) + square % size
    board[bit >> 6] |= (<uint64_t>1) << (bit & 63)
    return 0


cdef uint64_t pack_hand(counts) except? 0xFFFFFFFFFFFFFFFF:
    """Turn 21 counts of 0 to 7 into three bit planes."""
    cdef uint64_t hand = 0
    cdef int piece, plane
    if len(counts) != BF_PIECES:
        raise ValueError(f"a hand has {BF_PIECES} counts, not {len(counts)}")
    for piece, count in enumerate(counts):
        if not 0 <= count <= 7:
            raise ValueError(f"{count} of piece {PIECE_NAMES[piece]} is not in 0..7")
        for plane in range(3):
            if (<int>count) >> plane & 1:
                hand |= (<uint64_t>1) << (21 * plane + piece)
    return hand


cdef class Rules:
    """A variant as the core reads it; made by ``Variant``, never changed.

    Parameters
    ----------
    size : int
        Rows and columns, 1 to 20.
    playable : sequence of int or None
        Indices of the squares that may be covered; None for all.
    start : sequence of sequences of int
        Per colour, the squares one of which its first piece must cover.
    order : sequence of int
        Colours in order of play.
    owners : sequence of int
        Player of each colour; -1 for a shared colour.
    players : int
        Number of players, 1 to 4.
    hands : sequence of sequences of int
        Per colour, 21 counts of 0 to 7.
    scoring : tuple of int
        Points of a placed square, of a square left, of an empty hand, and more for the monomino
        as last piece.
    first_pieces : int
        Bit p: piece p may open a colour.
    max_rounds : int
        Rounds after which the game ends; 0 for no limit.
    voluntary_pass : bool
        Whether a colour may pass after its first placement.
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
            raise ValueError(f"{n} colours and {players} players: 1 to {BF_COLORS} of each fit")
        if sorted(order) != list(range(n)) or len(start) != n or len(hands) != n:
            raise ValueError("order, start and hands must have one entry per colour")
        if not 0 <= max_rounds <= 0xFFFF:
            raise ValueError(f"max_rounds {max_rounds} is not in 0..65535")
        self.tables = tables_of(size)
        self.variant = variant
        bf_layout_fill(&c.layout, size)
        c.placements = self.tables.placements
        for square in range(size * size) if playable is None else playable:
            set_square(c.layout.playable, size, square)
        c.n_colors = n
        c.n_players = players
        for i, color in enumerate(order):
            c.order[i] = color
            c.place[color] = i
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
        c.n_actions = c.layout.n_moves
        if draft:
            # A placement with its colour, then a pick with its colour.
            c.n_actions = n * (c.layout.n_moves + BF_PIECES)
        c.pass_action = c.n_actions
        c.n_actions += voluntary_pass
        opening_state(c, &self.initial)

    @property
    def n_actions(self):
        """int: Number of action ids."""
        return self.c.n_actions

    def __reduce__(self):
        return _rules_of, (self.variant,)
