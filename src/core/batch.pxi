# batch.pxi: Batch, many positions of one variant side by side. The loops over games are in
# loops.pxi, shared by the threads of pool.pxi; arguments and the words of errors are batch.py's.

cdef enum:
    # With fewer games a thread, waking the thread costs more than it saves.
    FEWEST = 64
    # Games, and rows of playouts, between two looks for Ctrl-C.
    BLOCK = 1 << 16
    PLAYOUT_BLOCK = 256


cdef class Batch:
    """Games of one variant, side by side in one piece of memory; see batch.py.

    The arrays that methods take are checked for type here and for length by the caller. One call
    at a time: a second one, from another thread or a signal handler, raises RuntimeError.
    """

    cdef readonly Rules rules
    cdef const bf_rules *c_rules
    cdef Py_ssize_t n
    cdef void *memory
    cdef bf_state *states
    # Per game the increment of its stream of random numbers, and what a step has to undo.
    cdef uint64_t *increments
    cdef bf_undo *undo
    cdef Pool pool
    cdef IdRoom *rooms
    cdef int n_rooms
    # How many ids `_list` has found and `_store` may write; -1 for none.
    cdef Py_ssize_t listed
    # Whether a call is under way.
    cdef long busy

    def __cinit__(self, n, variant="classic", *, start=None, scoring=None, threads=1):
        cdef int64_t count = as_number(n, "n must be an integer")
        cdef size_t room
        cdef Py_ssize_t i
        cdef bf_rng rng
        self.listed = -1
        if count < 0:
            raise ValueError(f"n {n} is not in 0..{0x7FFFFFFF}")
        self.rules = resolve(variant, start, scoring)
        self.c_rules = &self.rules.c
        # One state more than needed, so that the first can begin on a cache line.
        room = sizeof(bf_state) + sizeof(uint64_t) + sizeof(bf_undo)
        self.memory = PyMem_RawMalloc(<size_t>count * room + sizeof(bf_state))
        if self.memory == NULL:
            raise MemoryError(f"no room for {n} games of {room} bytes")
        self.n = count
        self.states = <bf_state *>((<size_t>self.memory + 63) & ~<size_t>63)
        self.increments = <uint64_t *>(self.states + self.n)
        self.undo = <bf_undo *>(self.increments + self.n)
        for i in range(self.n):
            self.states[i] = self.rules.initial
            bf_rng_seed(&rng, 0, <uint64_t>i)
            self.increments[i] = rng.increment
        self.pool = Pool()
        self.threads = threads

    def __dealloc__(self):
        cdef int i
        for i in range(self.n_rooms):
            close_room(&self.rooms[i])
        PyMem_RawFree(self.rooms)
        PyMem_RawFree(self.memory)

    cdef int enter(self) except -1:
        """Begin a call that nobody may interfere with; `leave` ends it."""
        if bf_swap(&self.busy, 1):
            raise RuntimeError(
                "the batch is in the middle of another call: it belongs to one thread at a time, "
                "and a signal handler must leave it alone"
            )
        return 0

    cdef void leave(self) noexcept:
        bf_swap(&self.busy, 0)

    @property
    def threads(self):
        """Number of threads that share the work of a call, an int from 1; it may be set.

        Results do not depend on it. Other numbers than 1 to 1,024 raise ValueError.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> batch = bf.BatchBoard(1000, "duo")
        >>> batch.threads = 2
        >>> batch.threads
        2
        """
        return self.pool.threads

    @threads.setter
    def threads(self, threads):
        number = as_number(threads, "threads must be an integer")
        if not 1 <= number <= MOST_THREADS:
            raise ValueError(f"threads {threads} is not in 1..{MOST_THREADS}")
        self.enter()
        self.pool.threads = number
        self.leave()

    def __len__(self):
        return self.n

    @property
    def variant(self):
        """The `Variant` of all games, with the start and the scoring rule in force.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "duo").variant.name
        'duo'
        """
        return self.rules.variant

    @property
    def size(self):
        """Rows of the boards, and columns, an int.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "duo").size
        14
        """
        return self.c_rules.layout.size

    @property
    def n_moves(self):
        """Number of placements that fit on a board, an int.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "duo").n_moves
        13729
        """
        return self.c_rules.layout.n_moves

    @property
    def n_actions(self):
        """Number of ids that `step` knows, an int: the columns of a mask.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "draft").n_actions
        121816
        """
        return self.c_rules.n_actions

    @property
    def n_colors(self):
        """Number of colors, an int from 1 to 4.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "classic-2p").n_colors
        4
        """
        return self.c_rules.n_colors

    @property
    def n_players(self):
        """Number of players, an int from 1 to 4.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.BatchBoard(2, "classic-2p").n_players
        2
        """
        return self.c_rules.n_players

    # -- single games --------------------------------------------------------------------------

    cdef Py_ssize_t place_of(self, index) except -1:
        cdef Py_ssize_t i
        number = operator.index(index)
        try:
            i = number
        except OverflowError:
            i = self.n
        if i < 0:
            i += self.n
        if not 0 <= i < self.n:
            raise IndexError(f"game {index} is not in a batch of {self.n}")
        return i

    cdef int check_rules(self, Rules rules, str what) except -1:
        if not same_rules(rules, self.rules, what):
            raise ValueError(
                f"{what} of {rules.variant.name} in a batch of {self.rules.variant.name}: "
                "the rules must be the same"
            )
        return 0

    def __getitem__(self, index, /):
        """Return a copy of one game as a Board, without moves to take back."""
        cdef Board board = Board.__new__(Board)
        cdef Py_ssize_t i = self.place_of(index)
        self.enter()
        set_rules(board, self.rules)
        board.state[0] = self.states[i]
        self.leave()
        board.from_start = False
        return board

    def __setitem__(self, index, Board board not None, /):
        """Put the position of a board into one game."""
        cdef Py_ssize_t i = self.place_of(index)
        self.check_rules(board.rules, "a board")
        self.enter()
        self.states[i] = board.state[0]
        self.leave()

    def _reset(self, const int64_t[::1] games not None):
        """Begin some games again."""
        cdef Py_ssize_t i
        self.enter()
        with nogil:
            for i in range(games.shape[0]):
                self.states[games[i]] = self.rules.initial
        self.leave()

    def _copy_from(
        self, Batch other not None, const int64_t[::1] games not None,
        const int64_t[::1] sources not None,
    ):
        """Copy some games of another batch; never of this one, where order would matter."""
        cdef Py_ssize_t i
        self.check_rules(other.rules, "games")
        self.enter()
        try:
            other.enter()
            with nogil:
                for i in range(games.shape[0]):
                    self.states[games[i]] = other.states[sources[i]]
            other.leave()
        finally:
            self.leave()

    def _copy_board(self, Board board not None, const int64_t[::1] games not None):
        """Put one position into some games."""
        cdef Py_ssize_t i
        self.check_rules(board.rules, "a board")
        self.enter()
        with nogil:
            for i in range(games.shape[0]):
                self.states[games[i]] = board.state[0]
        self.leave()

    # -- columns -------------------------------------------------------------------------------

    def _column(self, int which, int32_t[::1] out not None):
        """Fill turn (0), player (1) or ply (2) of all games."""
        cdef Py_ssize_t i
        self.enter()
        with nogil:
            for i in range(self.n):
                if which == 0:
                    out[i] = self.states[i].turn
                elif which == 1:
                    out[i] = self.states[i].player
                else:
                    out[i] = self.states[i].ply
        self.leave()

    def _done(self, uint8_t[::1] out not None):
        cdef Py_ssize_t i
        self.enter()
        with nogil:
            for i in range(self.n):
                out[i] = self.states[i].phase == BF_OVER
        self.leave()

    def _scores(self, int32_t[:, ::1] out not None):
        cdef Py_ssize_t i
        cdef int player
        cdef const bf_rules *rules = self.c_rules
        self.enter()
        with nogil:
            for i in range(self.n):
                for player in range(rules.n_players):
                    out[i, player] = rules.kernel.player_score(rules, &self.states[i], player)
        self.leave()

    def _keys(self, uint64_t[::1] out not None):
        cdef Py_ssize_t i
        self.enter()
        with nogil:
            for i in range(self.n):
                out[i] = bf_position_key(self.c_rules, &self.states[i])
        self.leave()

    def _hands(self, uint8_t[:, :, :, ::1] out not None):
        cdef Py_ssize_t i
        cdef int holder, color, piece
        self.enter()
        with nogil:
            for i in range(self.n):
                for holder in range(out.shape[1]):
                    for color in range(self.c_rules.n_colors):
                        for piece in range(BF_PIECES):
                            out[i, holder, color, piece] = bf_hand_count(
                                self.states[i].hand[holder][color], piece
                            )
        self.leave()

    # -- the generator -------------------------------------------------------------------------

    cdef void fill_work(self, Work *w) noexcept:
        memset(w, 0, sizeof(Work))
        w.rules = self.c_rules
        w.states = self.states
        w.undo = self.undo
        w.increments = self.increments

    cdef int share(self, part_function run, Work *w) except -1:
        """Let the threads do a loop over all games."""
        self.enter()
        try:
            return self.pool.run(run, w, self.n, FEWEST, BLOCK, &w.stop)
        finally:
            self.leave()

    def _count(self, int32_t[::1] out not None):
        cdef Work w
        if self.n:
            self.fill_work(&w)
            w.numbers = &out[0]
            self.share(count_part, &w)

    def _mask(self, uint8_t[:, ::1] out not None, bint stream):
        """Fill the masks; `stream` is for masks that no cache can hold."""
        cdef Work w
        if self.n:
            self.fill_work(&w)
            w.bytes = &out[0, 0]
            self.share(stream_part if stream else mask_part, &w)

    def _list(self):
        """List the legal actions of all games, to be stored by `_store`; return how many."""
        cdef Work w
        cdef Py_ssize_t total = 0
        cdef int i
        self.enter()
        try:
            self.listed = -1
            self.fill_work(&w)
            self.reserve_rooms()
            for i in range(self.n_rooms):
                self.rooms[i].used = self.rooms[i].games = 0
            w.rooms = self.rooms
            self.pool.run(list_part, &w, self.n, FEWEST, BLOCK, &w.stop)
            for i in range(self.n_rooms):
                self.rooms[i].before = total
                total += <Py_ssize_t>self.rooms[i].used
            self.listed = total
        finally:
            self.leave()
        return total

    def _store(self, int32_t[::1] ids not None, int64_t[::1] offsets not None):
        """Write what `_list` has found."""
        cdef Work w
        self.enter()
        try:
            if ids.shape[0] != self.listed or offsets.shape[0] != self.n + 1:
                raise RuntimeError("the batch was used by somebody else in the middle of a call")
            self.fill_work(&w)
            w.rooms = self.rooms
            w.numbers = &ids[0] if ids.shape[0] else NULL
            w.offsets = &offsets[0]
            offsets[0] = 0
            self.pool.run(store_part, &w, self.n, FEWEST, BLOCK, &w.stop)
        finally:
            self.leave()

    cdef int reserve_rooms(self) except -1:
        """Have a room for the ids of every thread."""
        cdef void *memory
        if self.n_rooms < self.pool.threads:
            memory = PyMem_RawRealloc(self.rooms, self.pool.threads * sizeof(IdRoom))
            if memory == NULL:
                raise MemoryError
            self.rooms = <IdRoom *>memory
            memset(
                &self.rooms[self.n_rooms], 0, (self.pool.threads - self.n_rooms) * sizeof(IdRoom)
            )
            self.n_rooms = self.pool.threads
        return 0

    def _draw(
        self, uint64_t seed, const uint64_t[::1] seeds, const uint32_t[::1] piece_weights,
        const uint32_t[::1] move_weights, int32_t[::1] out not None,
    ):
        """Draw an action of each game; -1 where it is over."""
        cdef Work w
        self.fill_work(&w)
        fill_policy(&w.policy, self.c_rules, piece_weights, move_weights)
        if self.n:
            w.seed = seed
            if seeds is not None:
                w.seeds = &seeds[0]
            w.numbers = &out[0]
            self.share(draw_part, &w)

    def _observe(
        self, const uint8_t[:, ::1] planes not None, bint mover,
        const int64_t[::1] by_turn not None, const int16_t[:, ::1] bits not None, int cells,
        uint8_t[:, :, :] out not None,
    ):
        """Fill the planes of all games: out[game, plane] is the memory of one.

        The planes of a game lie one behind the other; between games there may be something else.
        by_turn[turn + 1] says which row of `bits` takes each bit of the frame to where it goes; no
        square moves where that is 0.
        """
        cdef Work w
        if self.n and planes.shape[0]:
            if (
                out.shape[0] != self.n or out.shape[1] != planes.shape[0]
                or out.strides[2] != 1 and out.shape[2] > 1
                or out.strides[1] != out.shape[2] and out.shape[1] > 1
                or out.strides[0] < out.shape[1] * out.shape[2] and self.n > 1
            ):
                raise ValueError("the array does not fit")
            self.fill_work(&w)
            fill_view(&w.view, planes, mover, by_turn, bits, cells, out.shape[2])
            w.each = out.strides[0]
            w.bytes = &out[0, 0, 0]
            self.share(observe_part, &w)

    # -- moving --------------------------------------------------------------------------------

    def _step(self, const int32_t[::1] actions not None):
        """Take an action in each game; if any may not be taken, none is, and its game returned.

        Returns -1 if all were taken.
        """
        cdef Work w
        cdef Py_ssize_t i
        cdef Py_ssize_t wrong = -1
        cdef Py_ssize_t ends[MOST_THREADS]
        cdef Py_ssize_t parts
        if self.n == 0:
            return -1
        self.enter()
        try:
            parts = max(1, min(self.pool.threads, self.n // FEWEST))
            for i in range(parts):
                ends[i] = self.n * i // parts
            self.fill_work(&w)
            w.actions = &actions[0]
            w.ends = ends
            try:
                self.pool.run(step_part, &w, self.n, FEWEST, BLOCK, &w.stop)
            finally:
                for i in range(parts - 1, -1, -1):
                    if ends[i] != self.n * (i + 1) // parts:
                        wrong = ends[i]
                if wrong >= 0:
                    for i in range(parts):
                        unstep(&w, self.n * i // parts, ends[i])
        finally:
            self.leave()
        return wrong

    def _illegal(self, const int32_t[::1] actions not None):
        """Return the numbers of the games that may not take their actions."""
        cdef Py_ssize_t i
        wrong = []
        for i in range(self.n):
            if actions[i] != -1 and not bf_is_legal(
                self.c_rules, &self.states[i], -1, <uint32_t>actions[i]
            ):
                wrong.append(i)
        return wrong

    def _play_out(
        self, Py_ssize_t each, uint64_t seed, const uint64_t[::1] seeds,
        const uint32_t[::1] piece_weights, const uint32_t[::1] move_weights,
        int32_t[:, ::1] out not None,
    ):
        """Fill rows of `out` with the scores of playouts, `each` from every game."""
        cdef Work w
        self.fill_work(&w)
        fill_policy(&w.policy, self.c_rules, piece_weights, move_weights)
        if out.shape[0]:
            w.seed = seed
            if seeds is not None:
                w.seeds = &seeds[0]
            w.each = each
            w.numbers = &out[0, 0]
            self.enter()
            try:
                self.pool.run(play_out_part, &w, out.shape[0], 1, PLAYOUT_BLOCK, &w.stop)
            finally:
                self.leave()
