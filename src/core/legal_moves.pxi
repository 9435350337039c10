# legal_moves.pxi: the view of a board's legal moves, and the loop over them. Both speak in ids; what
# is legal, the engine says.

cdef extern from *:
    """
    /* Threads without a GIL would wait for each other's counts of references. */
    #ifdef Py_GIL_DISABLED
    #define BF_SHARES_NUMBERS 0
    #else
    #define BF_SHARES_NUMBERS 1
    #endif
    #ifdef __GNUC__
    #define BF_FETCH(address) __builtin_prefetch(address)
    #else
    #define BF_FETCH(address) ((void)(address))
    #endif
    """
    bint BF_SHARES_NUMBERS
    void BF_FETCH(const void *address) nogil

cdef enum:
    # How many moves ahead a number is fetched: it may lie outside the caches.
    AHEAD = 16

# The ids as integers of Python, each made once: making them anew was most of what a loop cost. There
# are as many as the largest board had that was asked so far; 32 bytes each.
cdef tuple _numbers = ()


cdef tuple numbers_to(Py_ssize_t n):
    """Return the integers below n, and maybe more."""
    global _numbers
    if BF_SHARES_NUMBERS and len(_numbers) < n:
        _numbers = (*_numbers, *range(len(_numbers), n))
    return _numbers


@cython.final
@cython.internal
@cython.freelist(8)
@cython.no_gc
cdef class MoveIterator:
    """A loop over the moves that were legal when it began."""

    cdef tuple numbers
    cdef PyObject **known
    cdef Py_ssize_t n_known
    cdef int32_t *ids
    cdef uint32_t n
    cdef uint32_t place

    def __dealloc__(self):
        PyMem_RawFree(self.ids)

    cdef inline object at(self, uint32_t i):
        cdef int32_t number = self.ids[i + AHEAD]
        if number < self.n_known:
            BF_FETCH(self.known[number])
        number = self.ids[i]
        if number < self.n_known:
            return <object>self.known[number]
        return number

    def __iter__(self):
        return self

    def __next__(self):
        # Read once: whatever other threads do with the same loop, it stays within the list.
        cdef uint32_t i = self.place
        if i >= self.n:
            raise StopIteration
        self.place = i + 1
        return self.at(i)

    def __length_hint__(self):
        return self.n - self.place


@cython.nonecheck(True)
cdef MoveIterator moves_of(Board board):
    """List the legal moves of whoever is to move."""
    cdef uint16_t scratch[BF_LIST_SIZE]
    cdef const bf_rules *rules = board.c_rules
    cdef const bf_state *s = board.state
    cdef MoveIterator moves = MoveIterator.__new__(MoveIterator)
    cdef bint short = bf_lists_one_color(rules, s, -1)
    moves.n = bf_list_short(rules, s, -1, scratch) if short else bf_count(rules, s, -1)
    moves.ids = <int32_t *>PyMem_RawMalloc(sizeof(int32_t) * (moves.n + AHEAD))
    if moves.ids == NULL:
        raise MemoryError
    if short:
        widen(scratch, moves.ids, moves.n)
    else:
        bf_list(rules, s, -1, scratch, moves.ids)
    memset(&moves.ids[moves.n], 0, sizeof(int32_t) * AHEAD)
    # Placements and a pass; what Draft has behind them is made as it comes.
    moves.numbers = numbers_to(rules.layout.n_moves + 1)
    if moves.numbers:
        moves.known = PySequence_Fast_ITEMS(moves.numbers)
        moves.n_known = len(moves.numbers)
    return moves


@cython.final
@cython.freelist(8)
cdef class LegalMoves:
    """The legal moves of a board: what `Board.legal_moves` is. Boards make them, nobody else.

    A view of the ids as Python's integers, ascending, that is worked out when it is asked. It is
    looped over, forwards and ``reversed``, indexed and sliced like a list, and has a length and a
    truth value: false when the game is over. ``in`` takes an id, a `Move` or a text, as
    `Board.is_legal` does, and is false for things of any other kind. ``np.asarray`` makes the array
    of `Board.legal_ids` of it. A loop goes over the moves that were legal when it began; all else
    follows the board.

    Every question lists the moves anew: who indexes more than once takes a slice first, or `ids`.

    Raises
    ------
    IndexError
        There is no move at an index.
    InvalidMoveError
        A text that is asked for is no move.
    TypeError
        An index is neither an integer nor a slice; or a view is to be made without a board, to be
        pickled or to be copied.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> board = bf.Board("duo", start="assigned")
    >>> moves = board.legal_moves
    >>> isinstance(moves, bf.LegalMoves), len(moves), bool(moves)
    (True, 414, True)
    >>> moves[0], moves[-1], moves[100:102], next(reversed(moves))
    (60, 13635, [4583, 4584], 13635)
    >>> "e10" in moves, 60 in moves, bf.Move(60, 14) in moves, None in moves
    (True, True, True, False)
    >>> board.push(moves[0])
    >>> len(moves), 60 in moves
    (414, False)
    """

    cdef Board board

    def __init__(self, *args, **kwargs):
        raise TypeError("legal moves are those of a board: ask board.legal_moves")

    def __iter__(self):
        return moves_of(self.board)

    def __reversed__(self):
        return iter(self[::-1])

    def __getitem__(self, index):
        """Return the id at a place, ascending, or a list of those in a slice."""
        cdef MoveIterator moves
        cdef Py_ssize_t i, n
        cdef Py_ssize_t start = 0, stop = 0, step = 1
        cdef list found
        if isinstance(index, slice):
            PySlice_Unpack(index, &start, &stop, &step)
            moves = moves_of(self.board)
            n = PySlice_AdjustIndices(moves.n, &start, &stop, step)
            found = PyList_New(n)
            for i in range(n):
                number = moves.at(start + i * step)
                Py_INCREF(number)
                PyList_SET_ITEM(found, i, number)
            return found
        try:
            number = operator.index(index)
        except TypeError:
            raise TypeError(
                f"legal moves are indexed by integers and slices, not {type(index).__name__}"
            ) from None
        moves = moves_of(self.board)
        if not -<int64_t>moves.n <= number < moves.n:
            raise IndexError(f"index {number} is out of range for {moves.n} legal moves")
        i = number
        return moves.at(i if i >= 0 else i + moves.n)

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
        """Return the ids as an array, as `Board.legal_ids` does.

        Returns
        -------
        ndarray of int32
            The ids, ascending.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.Board("duo", start="assigned")
        >>> board.legal_moves.ids()[:2].tolist()
        [60, 251]
        """
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
