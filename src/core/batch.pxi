# batch.pxi: Batch, many positions of one variant side by side, and loops over a range of them
# without the GIL, shared by the threads of pool.pxi. Arguments and the words of errors are
# batch.py's.

# What a loop over games works on; each uses some of it.
cdef struct Work:
    const bf_rules *rules
    bf_state *states
    bf_undo *undo
    const uint64_t *increments
    IdRoom *rooms            # one a part
    Py_ssize_t *ends         # one a part
    const int32_t *actions
    int32_t *numbers         # written
    uint8_t *bytes           # written
    int64_t *offsets         # written
    uint64_t seed
    const uint64_t *seeds    # one a game; NULL: `seed` for all
    Policy policy
    Py_ssize_t each          # rows a game
    uint8_t stop

cdef enum:
    # With fewer games a thread, waking the thread costs more than it saves.
    FEWEST = 64
    # Games, and rows of playouts, between two looks for Ctrl-C.
    BLOCK = 1 << 16
    PLAYOUT_BLOCK = 256


cdef class Batch:
    """Games of one variant, side by side in one piece of memory; see batch.py.

    The arrays that methods take are checked for type here and for length by the caller.
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

    def __cinit__(self, n, variant="classic", *, start=None, scoring=None, threads=1):
        cdef int64_t count = as_id(n)
        cdef size_t room
        cdef Py_ssize_t i
        cdef bf_rng rng
        if count < 0:
            raise ValueError(f"n {n} is not in 0..{0x7FFFFFFF}")
        self.rules = resolve(variant, start, scoring)
        self.c_rules = &self.rules.c
        self.n = count
        # One state more than needed, so that the first can begin on a cache line.
        room = sizeof(bf_state) + sizeof(uint64_t) + sizeof(bf_undo)
        self.memory = PyMem_RawMalloc(<size_t>count * room + sizeof(bf_state))
        if self.memory == NULL:
            raise MemoryError(f"no room for {n} games of {room} bytes")
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

    @property
    def threads(self):
        return self.pool.threads

    @threads.setter
    def threads(self, threads):
        number = operator.index(threads)
        if not 1 <= number <= MOST_THREADS:
            raise ValueError(f"threads {number} is not in 1..{MOST_THREADS}")
        self.pool.threads = number

    def __len__(self):
        return self.n

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

    # -- single games --------------------------------------------------------------------------

    cdef Py_ssize_t place_of(self, index) except -1:
        cdef Py_ssize_t i = operator.index(index)
        if i < 0:
            i += self.n
        if not 0 <= i < self.n:
            raise IndexError(f"game {index} is not in a batch of {self.n}")
        return i

    cdef int check_rules(self, Rules rules, str what) except -1:
        if rules is not self.rules and rules.variant != self.rules.variant:
            raise ValueError(
                f"{what} of {rules.variant.name} in a batch of {self.rules.variant.name}: "
                "the rules must be the same"
            )
        return 0

    def __getitem__(self, index, /):
        """Return a copy of one game as a Board, without moves to take back."""
        cdef Board board = Board.__new__(Board)
        cdef Snapshot origin = Snapshot.__new__(Snapshot)
        cdef Py_ssize_t i = self.place_of(index)
        set_rules(board, self.rules)
        board.state[0] = self.states[i]
        origin.rules = self.rules
        origin.state = self.states[i]
        board.origin = origin
        return board

    def __setitem__(self, index, Board board not None, /):
        """Put the position of a board into one game."""
        cdef Py_ssize_t i = self.place_of(index)
        self.check_rules(board.rules, "a board")
        self.states[i] = board.state[0]

    def _reset(self, const int64_t[::1] games not None):
        """Begin some games again."""
        cdef Py_ssize_t i
        with nogil:
            for i in range(games.shape[0]):
                self.states[games[i]] = self.rules.initial

    def _copy_from(
        self, Batch other not None, const int64_t[::1] games not None,
        const int64_t[::1] sources not None,
    ):
        """Copy some games of another batch; never of this one, where order would matter."""
        cdef Py_ssize_t i
        self.check_rules(other.rules, "games")
        with nogil:
            for i in range(games.shape[0]):
                self.states[games[i]] = other.states[sources[i]]

    def _copy_board(self, Board board not None, const int64_t[::1] games not None):
        """Put one position into some games."""
        cdef Py_ssize_t i
        self.check_rules(board.rules, "a board")
        with nogil:
            for i in range(games.shape[0]):
                self.states[games[i]] = board.state[0]

    # -- columns -------------------------------------------------------------------------------

    def _column(self, int which, int32_t[::1] out not None):
        """Fill turn (0), player (1) or ply (2) of all games."""
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                if which == 0:
                    out[i] = self.states[i].turn
                elif which == 1:
                    out[i] = self.states[i].player
                else:
                    out[i] = self.states[i].ply

    def _done(self, uint8_t[::1] out not None):
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                out[i] = self.states[i].phase == BF_OVER

    def _scores(self, int32_t[:, ::1] out not None):
        cdef Py_ssize_t i
        cdef int player
        with nogil:
            for i in range(self.n):
                for player in range(self.c_rules.n_players):
                    out[i, player] = player_score(self.c_rules, &self.states[i], player)

    def _keys(self, uint64_t[::1] out not None):
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                out[i] = position_key(self.c_rules, &self.states[i])

    def _hands(self, uint8_t[:, :, :, ::1] out not None):
        cdef Py_ssize_t i
        cdef int holder, color, piece
        with nogil:
            for i in range(self.n):
                for holder in range(out.shape[1]):
                    for color in range(self.c_rules.n_colors):
                        for piece in range(BF_PIECES):
                            out[i, holder, color, piece] = count_of(
                                self.states[i].hand[holder][color], piece
                            )

    # -- the generator -------------------------------------------------------------------------

    cdef void fill_work(self, Work *w) noexcept:
        memset(w, 0, sizeof(Work))
        w.rules = self.c_rules
        w.states = self.states
        w.undo = self.undo
        w.increments = self.increments

    cdef int share(self, part_function run, Work *w) except -1:
        """Let the threads do a loop over all games."""
        return self.pool.run(run, w, self.n, FEWEST, BLOCK, &w.stop)

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
        cdef size_t total = 0
        cdef int i
        self.fill_work(&w)
        self.reserve_rooms()
        for i in range(self.n_rooms):
            self.rooms[i].used = self.rooms[i].games = 0
        w.rooms = self.rooms
        self.share(list_part, &w)
        for i in range(self.n_rooms):
            self.rooms[i].before = <int64_t>total
            total += self.rooms[i].used
        return total

    def _store(self, int32_t[::1] ids not None, int64_t[::1] offsets not None):
        """Write what `_list` has found."""
        cdef Work w
        self.fill_work(&w)
        w.rooms = self.rooms
        w.numbers = &ids[0] if ids.shape[0] else NULL
        w.offsets = &offsets[0]
        offsets[0] = 0
        self.share(store_part, &w)

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

    # -- moving --------------------------------------------------------------------------------

    def _step(self, const int32_t[::1] actions not None):
        """Take an action in each game; if any may not be taken, none is, and False returned."""
        cdef Work w
        cdef Py_ssize_t i
        cdef Py_ssize_t ends[MOST_THREADS]
        cdef Py_ssize_t parts = max(1, min(self.pool.threads, self.n // FEWEST))
        cdef bint all_legal = True
        if self.n == 0:
            return True
        for i in range(parts):
            ends[i] = self.n * i // parts
        self.fill_work(&w)
        w.actions = &actions[0]
        w.ends = ends
        try:
            self.share(step_part, &w)
        finally:
            for i in range(parts):
                all_legal = all_legal and ends[i] == self.n * (i + 1) // parts
            if not all_legal:
                for i in range(parts):
                    unstep(&w, self.n * i // parts, ends[i])
        return all_legal

    def _illegal(self, const int32_t[::1] actions not None):
        """Return the numbers of the games that may not take their actions."""
        cdef Py_ssize_t i
        wrong = []
        for i in range(self.n):
            if actions[i] != -1 and not may_take(
                self.c_rules, &self.states[i], <uint32_t>actions[i]
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
            self.pool.run(play_out_part, &w, out.shape[0], 1, PLAYOUT_BLOCK, &w.stop)


# -- the loops, over a part of the games -------------------------------------------------------

cdef int count_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef Py_ssize_t i
    for i in range(first, last):
        w.numbers[i] = <int32_t>count_actions(w.rules, &w.states[i], -1)
    return 0


cdef int mask_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef Py_ssize_t i
    for i in range(first, last):
        mask_actions(w.rules, &w.states[i], -1, w.bytes + i * <Py_ssize_t>w.rules.n_actions)
    return 0


cdef int stream_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    return stream_masks(
        w.rules, w.states + first, last - first, w.bytes + first * <Py_ssize_t>w.rules.n_actions
    )


cdef int list_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef Py_ssize_t i
    cdef IdRoom *room = &w.rooms[part]
    if open_room(room, <size_t>(last - first), w.rules):
        return 1
    for i in range(first, last):
        if append_ids(room, w.rules, &w.states[i]):
            return 1
    return 0


cdef int store_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef const IdRoom *room = &w.rooms[part]
    cdef size_t k
    cdef Py_ssize_t begin = first if part else 0
    # The caller's part may come in several blocks, but its ids were listed as one.
    if part == 0 and first > 0:
        return 0
    for k in range(room.games):
        w.offsets[begin + <Py_ssize_t>k + 1] = room.before + room.ends[k]
    if room.is_long:
        if room.used:
            memcpy(w.numbers + room.before, room.long_ids, room.used * sizeof(int32_t))
    else:
        widen(room.short_ids, w.numbers + room.before, room.used)
    return 0


cdef inline void widen(const uint16_t *short_ids, int32_t *ids, size_t n) noexcept nogil:
    cdef size_t k
    for k in range(n):
        ids[k] = short_ids[k]


cdef int draw_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef const bf_state *s
    cdef Py_ssize_t i
    cdef bf_rng rng
    cdef Policy policy = w.policy
    if open_scratch(&policy):
        return 1
    bf_rng_seed(&rng, 0, 0)
    for i in range(first, last):
        s = &w.states[i]
        if s.phase == BF_OVER:
            w.numbers[i] = -1
            continue
        # What bf_rng_seed(&rng, mix64(...), stream) makes, with what does not change from call
        # to call kept.
        if w.seeds != NULL:
            rng.state = mix64(mix64(w.seeds[i] + s.ply)) ^ stream_start(0)
        else:
            rng.increment = w.increments[i]
            rng.state = mix64(mix64(w.seed + s.ply)) ^ stream_start(<uint64_t>i)
        w.numbers[i] = <int32_t>draw_action(w.rules, s, &policy, &rng)
    PyMem_RawFree(policy.scratch)
    return 0


cdef int step_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    """Take actions, up to the first that may not be taken; note how far it went."""
    cdef const Work *w = <const Work *>work
    cdef Py_ssize_t i
    if w.ends[part] != first:  # an earlier block went wrong
        return 0
    for i in range(first, last):
        if w.actions[i] == -1:
            continue
        if not may_take(w.rules, &w.states[i], <uint32_t>w.actions[i]):
            last = i
            break
        push_state(w.rules, &w.states[i], <uint32_t>w.actions[i], &w.undo[i])
    w.ends[part] = last
    return 0


cdef void unstep(const Work *w, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Take back what `step_part` has done."""
    cdef Py_ssize_t i
    for i in range(first, last):
        if w.actions[i] != -1:
            pop_state(w.rules, &w.states[i], &w.undo[i])


cdef int play_out_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef Work *w = <Work *>work
    cdef bf_state_room room
    cdef bf_state *s = <bf_state *>((<size_t>&room + 63) & ~<size_t>63)
    cdef Py_ssize_t row
    cdef bf_rng rng
    cdef Policy policy = w.policy
    cdef int player
    if open_scratch(&policy):
        return 1
    for row in range(first, last):
        if w.stop:
            break
        s[0] = w.states[row // w.each]
        if w.seeds != NULL:
            bf_rng_seed(&rng, w.seeds[row // w.each], <uint64_t>(row % w.each))
        else:
            bf_rng_seed(&rng, w.seed, <uint64_t>row)
        play_out(w.rules, s, &policy, &rng)
        for player in range(w.rules.n_players):
            w.numbers[row * w.rules.n_players + player] = player_score(w.rules, s, player)
    PyMem_RawFree(policy.scratch)
    return 0


cdef inline uint64_t stream_start(uint64_t stream) noexcept nogil:
    """Return what bf_rng_seed makes of the number of a stream."""
    return mix64(stream + <uint64_t>0x632BE59BD9B4E019)
