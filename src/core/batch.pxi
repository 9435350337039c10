# batch.pxi: BatchBoard, many positions of one variant side by side, and the generator's questions
# asked of all of them in one loop without the GIL. Bit for bit what n single boards do.

cdef class BatchBoard:
    """Games of one variant, side by side in one piece of memory.

    Parameters
    ----------
    n : int
        Number of games, 0 or more.
    variant : str or Variant
        Name of a variant, or one of the user's own.
    start : {'assigned', 'any', 'border'}, optional
        Start rule, if not the variant's own.
    scoring : str, optional
        Scoring rule, if not the variant's own.

    Raises
    ------
    ValueError
        If a name is unknown, or `n` is negative.
    MemoryError
        If there is no room for `n` games.

    Notes
    -----
    Every array that a method returns can be the caller's: pass it as ``out``. No method makes a
    Python object per game. A batch belongs to one thread at a time.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> batch = bf.BatchBoard(3, "duo")
    >>> batch.count_legal().tolist()
    [828, 828, 828]
    >>> batch.step(batch.sample_actions(seed=1))
    >>> batch.ply.tolist()
    [1, 1, 1]
    """

    def __cinit__(self, n, variant="classic", *, start=None, scoring=None):
        cdef int64_t count = as_id(n)
        cdef Py_ssize_t i
        if count < 0:
            raise ValueError(f"n {n} is not in 0..{0x7FFFFFFF}")
        self.rules = resolve(variant, start, scoring)
        self.c_rules = &self.rules.c
        self.n = count
        # One state more than needed, so that the first can begin on a cache line.
        self.memory = PyMem_RawMalloc((<size_t>count + 1) * sizeof(bf_state))
        if self.memory == NULL:
            raise MemoryError(f"no room for {n} games of {sizeof(bf_state)} bytes")
        self.states = <bf_state *>((<size_t>self.memory + 63) & ~<size_t>63)
        for i in range(self.n):
            self.states[i] = self.rules.initial

    def __dealloc__(self):
        PyMem_RawFree(self.memory)

    def __len__(self):
        return self.n

    @property
    def variant(self):
        return self.rules.variant

    @property
    def n_actions(self):
        return self.c_rules.n_actions

    def __getitem__(self, index, /):
        """Return a copy of one game as a Board, without moves to take back."""
        cdef Board board = Board.__new__(Board)
        cdef Py_ssize_t i = operator.index(index)
        if i < 0:
            i += self.n
        if not 0 <= i < self.n:
            raise IndexError(f"game {index} is not in a batch of {self.n}")
        set_rules(board, self.rules)
        board.state[0] = self.states[i]
        return board

    def __setitem__(self, index, Board board not None, /):
        """Put the position of a board into one game."""
        cdef Py_ssize_t i = operator.index(index)
        if i < 0:
            i += self.n
        if not 0 <= i < self.n:
            raise IndexError(f"game {index} is not in a batch of {self.n}")
        if board.rules is not self.rules and board.rules.variant != self.rules.variant:
            raise ValueError(
                f"a board of {board.rules.variant.name} in a batch of {self.rules.variant.name}"
            )
        self.states[i] = board.state[0]

    # -- columns -------------------------------------------------------------------------------

    cdef object column(self, int which):
        cdef int32_t[::1] out = np.empty(self.n, dtype=np.int32)
        cdef Py_ssize_t i
        cdef const bf_state *s
        for i in range(self.n):
            s = &self.states[i]
            if which == COLUMN_TURN:
                out[i] = s.turn
            elif which == COLUMN_PLAYER:
                out[i] = s.player
            elif which == COLUMN_PLY:
                out[i] = s.ply
            else:
                out[i] = s.phase == BF_OVER
        return np.asarray(out)

    @property
    def turn(self):
        return self.column(COLUMN_TURN)

    @property
    def player(self):
        return self.column(COLUMN_PLAYER)

    @property
    def ply(self):
        return self.column(COLUMN_PLY)

    @property
    def done(self):
        return self.column(COLUMN_DONE).astype(np.bool_)

    def scores(self, out=None):
        """Return the scores of the players as an int32 array (n, n_players)."""
        cdef int32_t[:, ::1] view
        cdef Py_ssize_t i
        cdef int player
        array = np.empty((self.n, self.c_rules.n_players), dtype=np.int32) if out is None else out
        view = array
        if view.shape[0] != self.n or view.shape[1] != self.c_rules.n_players:
            raise ValueError(
                f"out must have shape ({self.n}, {self.c_rules.n_players}), "
                f"not ({view.shape[0]}, {view.shape[1]})"
            )
        with nogil:
            for i in range(self.n):
                for player in range(self.c_rules.n_players):
                    view[i, player] = player_score(self.c_rules, &self.states[i], player)
        return array

    # -- the generator -------------------------------------------------------------------------

    def count_legal(self, out=None):
        """Return the number of legal actions of each game as an int32 array (n,)."""
        cdef int32_t[::1] view
        cdef Py_ssize_t i
        array = np.empty(self.n, dtype=np.int32) if out is None else out
        view = array
        self.check_length(view.shape[0])
        with nogil:
            for i in range(self.n):
                view[i] = count_actions(self.c_rules, &self.states[i], -1)
        return array

    def legal_mask(self, out=None):
        """Return which actions are legal as a bool array (n, n_actions)."""
        cdef Py_buffer view
        cdef Py_ssize_t i
        cdef Py_ssize_t width = self.c_rules.n_actions
        array = np.empty((self.n, width), dtype=np.bool_) if out is None else out
        get_buffer(array, &view, f"{self.n} x {width} bytes")
        try:
            if not has_format(&view, "?bB", 1) or view.len != self.n * width:
                raise ValueError(
                    f"out must have shape ({self.n}, {width}) of bool, int8 or uint8, not "
                    f"{view.len // max(view.itemsize, 1)} items of format "
                    f"{(<bytes>view.format).decode()!r}"
                )
            with nogil:
                for i in range(self.n):
                    mask_actions(
                        self.c_rules, &self.states[i], -1, <uint8_t *>view.buf + i * width
                    )
        finally:
            PyBuffer_Release(&view)
        return array

    def legal_ids(self):
        """Return the legal actions of all games, one after the other, and where each begins.

        Returns
        -------
        ids : ndarray of int32, shape (m,)
            Ascending within a game.
        offsets : ndarray of int64, shape (n + 1,)
            Game i has ``ids[offsets[i]:offsets[i + 1]]``.
        """
        cdef int64_t[::1] offsets = np.zeros(self.n + 1, dtype=np.int64)
        cdef int32_t[::1] ids
        cdef uint16_t scratch[LIST_SIZE]
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                offsets[i + 1] = offsets[i] + count_actions(self.c_rules, &self.states[i], -1)
        # One more, since an empty array has no address.
        ids = np.empty(offsets[self.n] + 1, dtype=np.int32)
        with nogil:
            for i in range(self.n):
                list_actions(self.c_rules, &self.states[i], -1, scratch, &ids[offsets[i]])
        return np.asarray(ids)[: offsets[self.n]], np.asarray(offsets)

    def sample_actions(self, uint64_t seed, out=None):
        """Draw a legal action of each game uniformly; -1 where the game is over.

        Game i at ply p draws from stream i of a seed that `seed` and p make, so one seed serves
        for whole games, and a game's draws do not depend on the others.
        """
        cdef int32_t[::1] view
        cdef Py_ssize_t i
        cdef bf_rng rng
        cdef Policy policy
        policy.kind = UNIFORM
        policy.weights = NULL
        policy.scratch = NULL
        array = np.empty(self.n, dtype=np.int32) if out is None else out
        view = array
        self.check_length(view.shape[0])
        with nogil:
            for i in range(self.n):
                if self.states[i].phase == BF_OVER:
                    view[i] = -1
                    continue
                bf_rng_seed(&rng, mix64(seed + self.states[i].ply), <uint64_t>i)
                view[i] = draw_action(self.c_rules, &self.states[i], &policy, &rng)
        return array

    def step(self, actions, /):
        """Make a move in each game; -1 leaves a game as it is. On an error nothing is done."""
        cdef const int32_t[::1] chosen = action_array(actions)
        cdef Py_ssize_t i
        cdef Py_ssize_t wrong = -1
        cdef int where = -1
        cdef bf_undo undo
        self.check_length(chosen.shape[0])
        with nogil:
            for i in range(self.n):
                if chosen[i] != -1 and action_illegality(
                    self.c_rules, &self.states[i], <uint32_t>chosen[i], &where
                ):
                    wrong = i
                    break
        if wrong >= 0:
            self.raise_wrong(chosen)
        with nogil:
            for i in range(self.n):
                if chosen[i] != -1:
                    push_state(self.c_rules, &self.states[i], <uint32_t>chosen[i], &undo)

    cdef int raise_wrong(self, const int32_t[::1] chosen) except -1:
        """Name the games whose actions are illegal."""
        cdef Py_ssize_t i
        cdef int where = -1
        wrong = []
        for i in range(self.n):
            if chosen[i] != -1 and action_illegality(
                self.c_rules, &self.states[i], <uint32_t>chosen[i], &where
            ):
                wrong.append(i)
        i = wrong[0]
        more = f" and {len(wrong) - 10} more" if len(wrong) > 10 else ""
        raise IllegalMoveError(
            f"illegal action in games {wrong[:10]}{more}; game {i}, action {chosen[i]}: "
            f"{self[i].why_illegal(chosen[i])}"
        )

    cdef int check_length(self, Py_ssize_t length) except -1:
        if length != self.n:
            raise ValueError(f"{length} items for a batch of {self.n} games")
        return 0


cdef enum:
    COLUMN_TURN
    COLUMN_PLAYER
    COLUMN_PLY
    COLUMN_DONE


cdef object action_array(actions):
    """Return actions as a contiguous int32 array; only integers are taken."""
    array = np.asarray(actions)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"actions must be integers, not {array.dtype}")
    if array.ndim != 1:
        raise ValueError(f"actions must have shape (n,), not {array.shape}")
    if array.dtype != np.int32 and array.size and not (
        -1 <= array.min() and array.max() <= 0x7FFFFFFF
    ):
        raise InvalidMoveError(f"actions from {array.min()} to {array.max()} are out of range")
    return np.ascontiguousarray(array, dtype=np.int32)
