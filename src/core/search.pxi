# search.pxi: the tree search as an object: its memory, its threads, its results as arrays. What is
# asked for is checked in blokus_fast/search/, which also makes the arguments.

cdef extern from "tree.h" nogil:
    enum:
        BF_LINE
    const double BF_VALUE_ONE
    ctypedef struct bf_node:
        uint32_t n
        uint32_t visits
        uint32_t scored
        uint32_t exact
        uint64_t values[4]
        int64_t scores[4]
        int32_t final[4]
    ctypedef struct bf_tree:
        uint32_t used
        uint32_t full
        uint32_t n_nodes
        uint32_t root
    bf_node *bf_node_at(const bf_tree *tree, uint32_t line)


cdef extern from "search.h" nogil:
    enum:
        BF_MOST_DEPTH
        BF_RUNNING
        BF_MOST_CONSIDERED
    ctypedef struct bf_parameters:
        float exploration
        float exploration_growth
        float exploration_base
        float unvisited_visits
        int32_t unvisited_root
        float unvisited_reduction
        float value_part
        float value_squares
        float margin
        float margin_scale
        float prior_temperature
        float candidate_logits
        int32_t candidates
        int32_t expand_visits
        int32_t replies
        int32_t local
        int32_t largest_first
        int32_t solve_nodes
        int32_t solve_moves
        int32_t lowest_wins
    ctypedef struct bf_limits:
        uint64_t simulations
        int64_t deadline
        int32_t early
    ctypedef struct bf_root:
        float noise
        float noise_alpha
        int32_t considered
        float visits_offset
        float value_scale
    ctypedef struct bf_search:
        bf_tree tree
        const bf_value_weights *value_weights
        bf_state state
        bf_root root_rule
        bf_rng rng
        uint64_t started
        uint64_t reused
        uint32_t reason
        uint32_t depth
    ctypedef struct bf_worker:
        int32_t *actions
        int32_t *logits
        float *priors
    void bf_search_init(
        bf_search *search, const bf_rules *rules, const bf_parameters *parameters,
        const bf_weights *weights, void *memory, uint64_t bytes, int shared
    )
    void bf_search_clear(bf_search *search)
    int bf_search_start(
        bf_search *search, bf_worker *worker, const bf_state *s, const int32_t *last,
        const bf_limits *limits
    )
    void bf_worker_init(
        bf_worker *worker, const bf_search *search, uint64_t seed, uint64_t stream,
        int32_t *actions, int32_t *logits, float *priors
    )
    int bf_search_work(bf_search *search, bf_worker *worker, int64_t until)
    void bf_search_stop(bf_search *search)
    uint32_t bf_root_moves(const bf_search *search)
    void bf_root_table(
        const bf_search *search, int32_t *actions, int64_t *visits, float *values,
        float *scores, float *priors, uint8_t *exact
    )
    void bf_root_actions(const bf_search *search, int32_t *actions)
    uint32_t bf_best_action(const bf_search *search, uint32_t node, uint32_t *child)
    uint32_t bf_principal_variation(
        const bf_search *search, uint32_t *actions, uint32_t most
    )
    uint32_t bf_line_after(
        const bf_search *search, uint32_t first, uint32_t *actions, uint32_t most
    )
    void bf_value_scores(const bf_search *search, const int32_t *scores, uint64_t *values)


cdef extern from "stdint.h" nogil:
    const int64_t INT64_MAX
    const uint64_t UINT64_MAX


cdef extern from "clock.h" nogil:
    int64_t bf_now()


cdef extern from "atomics.h" nogil:
    uint32_t bf_load_32(const uint32_t *at)


cdef enum:
    # How long a search runs before Ctrl-C is looked for, in nanoseconds.
    SLICE = 5000000
    # Which stream of the seed is the root's noise: no thread has it.
    NOISE_STREAM = 0x6E6F6973

# Why a search ended, by its number.
cdef tuple STOP_REASONS = ("running", "simulations", "time", "decided", "stop", "solved")
# What a search takes at most, and of memory at least: visits are counted in 32 bits, lines of memory in 30.
LIMITS = {
    "simulations": 2**31 - 1, "threads": MOST_THREADS, "memory": 2**46 - 1, "least_memory": 2**14,
}


cdef struct SearchWork:
    bf_search *search
    bf_worker **workers


cdef int search_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef SearchWork *w = <SearchWork *>work
    while bf_search_work(w.search, w.workers[part], INT64_MAX):
        pass
    return 0


cdef void *aligned(void *memory) noexcept nogil:
    """Return the first line of 64 bytes of some memory that has 63 bytes more than needed."""
    return <void *>((<size_t>memory + 63) & ~<size_t>63)


cdef bf_worker *open_worker(
    const bf_search *search, const bf_rules *rules, uint64_t seed, uint64_t stream
) except NULL:
    """Make what one thread needs: one piece of memory."""
    cdef size_t n = (rules.n_actions + BF_LIST_PADDING + 15) & ~<size_t>15
    cdef size_t head = (sizeof(bf_worker) + 63) & ~<size_t>63
    cdef char *memory = <char *>PyMem_RawMalloc(head + 3 * n * sizeof(int32_t))
    if memory == NULL:
        raise MemoryError
    bf_worker_init(
        <bf_worker *>memory, search, seed, stream, <int32_t *>(memory + head),
        <int32_t *>(memory + head) + n, <float *>(memory + head) + 2 * n,
    )
    return <bf_worker *>memory


cdef int fill_parameters(bf_parameters *c, dict values) except -1:
    """Fill the parameters from numbers by name; all of them must be there."""
    c.exploration = values["exploration"]
    c.exploration_growth = values["exploration_growth"]
    c.exploration_base = values["exploration_base"]
    c.unvisited_visits = values["unvisited_visits"]
    c.unvisited_root = values["unvisited_root"]
    c.unvisited_reduction = values["unvisited_reduction"]
    c.value_part = values["value_part"]
    c.value_squares = values["value_squares"]
    c.margin = values["margin"]
    c.margin_scale = values["margin_scale"]
    c.prior_temperature = values["prior_temperature"]
    c.candidate_logits = values["candidate_logits"]
    c.candidates = values["candidates"]
    c.expand_visits = values["expand_visits"]
    c.replies = values["replies"]
    c.local = values["local"]
    c.largest_first = values["largest_first"]
    c.solve_nodes = values["solve_nodes"]
    c.solve_moves = values["solve_moves"]
    c.lowest_wins = values["lowest_wins"]
    return 0


cdef tuple root_table(const bf_search *search, int players):
    """Return actions, visits, values, scores, priors and proofs of a root's moves."""
    cdef uint32_t n = bf_root_moves(search) if search.tree.root else 0
    actions = np.empty(n, np.int32)
    visits = np.empty(n, np.int64)
    values = np.empty((n, players), np.float32)
    scores = np.empty((n, players), np.float32)
    priors = np.empty(n, np.float32)
    exact = np.empty(n, np.bool_)
    cdef int32_t[::1] a = actions
    cdef int64_t[::1] v = visits
    cdef float[:, ::1] w = values
    cdef float[:, ::1] s = scores
    cdef float[::1] p = priors
    cdef uint8_t[::1] e = exact.view(np.uint8)
    if n:
        bf_root_table(search, &a[0], &v[0], &w[0, 0], &s[0, 0], &p[0], &e[0])
    return actions, visits, values, scores, priors, exact


cdef class Search:
    """A tree search of one variant: memory, threads and results; see `blokus_fast.search.MCTS`."""

    cdef readonly Rules rules
    cdef bf_search c
    cdef Weights weights
    cdef void *memory
    cdef bf_worker **workers
    cdef readonly int threads
    cdef Pool pool
    # Whether a search is under way, and whether somebody wants it to stop.
    cdef long busy
    cdef long stopping
    # Whether the tree is being changed from below, which readers may not see; how many there are.
    cdef long starting
    cdef long readers

    def __cinit__(
        self, Rules rules not None, dict parameters not None, Weights weights not None,
        uint64_t memory, int threads, uint64_t seed, float noise, float noise_alpha,
    ):
        cdef bf_parameters c
        cdef int i
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"threads must be in 1..{MOST_THREADS}, not {threads}")
        fill_parameters(&c, parameters)
        self.rules = rules
        self.weights = weights
        self.pool = Pool()
        self.memory = PyMem_RawMalloc(memory + 63)
        if self.memory == NULL:
            raise MemoryError
        bf_search_init(
            &self.c, &rules.c, &c, &weights.c, aligned(self.memory), memory, threads > 1
        )
        if weights.is_for(&rules.c):
            self.c.value_weights = &weights.value
        self.c.root_rule.noise = noise
        self.c.root_rule.noise_alpha = noise_alpha
        bf_rng_seed(&self.c.rng, seed, NOISE_STREAM)
        self.workers = <bf_worker **>PyMem_RawMalloc(threads * sizeof(bf_worker *))
        if self.workers == NULL:
            raise MemoryError
        for i in range(threads):
            self.workers[i] = open_worker(&self.c, &rules.c, seed, i)
            self.threads = i + 1

    def __dealloc__(self):
        cdef int i
        # The threads of the pool are idle: nobody searches an object that nobody has.
        for i in range(self.threads):
            PyMem_RawFree(self.workers[i])
        PyMem_RawFree(self.workers)
        PyMem_RawFree(self.memory)

    def stop(self):
        """End the search that runs, from any thread."""
        bf_swap(&self.stopping, 1)
        bf_search_stop(&self.c)

    cdef int begin_reading(self) except -1:
        """Refuse to read the tree while it is thrown away or moved; `end_reading` follows."""
        bf_add(&self.readers, 1)
        if bf_load(&self.starting):
            self.end_reading()
            raise RuntimeError("a search is just beginning in another thread")
        return 0

    cdef void end_reading(self) noexcept:
        bf_add(&self.readers, -1)

    cdef int enter(self, str why) except -1:
        """Keep others from searching, and wait for who reads; `leave` follows."""
        if bf_swap(&self.busy, 1):
            raise RuntimeError(why)
        bf_swap(&self.starting, 1)
        with nogil:
            while bf_load(&self.readers):
                bf_yield()
        return 0

    cdef void leave(self) noexcept:
        bf_swap(&self.starting, 0)
        bf_swap(&self.busy, 0)

    def clear(self, seed):
        """Forget the tree; with a seed that is not None also good replies, as a new object does."""
        cdef uint64_t number = 0 if seed is None else seed
        cdef bf_worker *worker
        cdef int i
        self.enter("the search is at work")
        bf_search_clear(&self.c)
        if seed is not None:
            bf_rng_seed(&self.c.rng, number, NOISE_STREAM)
            for i in range(self.threads):
                worker = self.workers[i]
                bf_worker_init(
                    worker, &self.c, number, i, worker.actions, worker.logits, worker.priors
                )
        self.leave()

    cdef int check(self, Board board) except -1:
        if not same_rules(board.rules, self.rules, "a board"):
            raise ValueError(
                f"this search is for {self.rules.variant.name}, with its start and scoring; "
                f"the board is of {board.rules.variant.name}"
            )
        if board.state.phase == BF_OVER:
            raise ValueError("the game is over: there is nothing to search")
        return 0

    def run(self, Board board not None, simulations, seconds, bint early, tick, double every):
        """Search a position; `tick` is called now and then, from this thread.

        Returns the exception that ended the search, or None. Raises where it came to no search.
        """
        cdef bf_limits limits
        cdef SearchWork work
        cdef int32_t last[4]
        cdef bf_state_room room
        cdef bf_state *s = state_in(&room)
        cdef Helper helper
        cdef int64_t until, next_tick
        cdef int i, more, sleeping
        self.check(board)
        limits.simulations = UINT64_MAX if simulations is None else simulations
        limits.deadline = INT64_MAX
        limits.early = early
        s[0] = board.state[0]
        last_placements(board, last)
        self.enter("the search is at work in another thread")
        bf_swap(&self.stopping, 0)
        error = None
        try:
            if seconds is not None and seconds < 1e9:
                limits.deadline = bf_now() + <int64_t>(1e9 * <double>seconds)
            with nogil:
                more = bf_search_start(&self.c, self.workers[0], s, last, &limits)
            bf_swap(&self.starting, 0)
            if bf_load(&self.stopping):
                bf_search_stop(&self.c)
            if more:
                raise ValueError(
                    "memory is too small for the moves of this position: give the search more"
                )
            work.search = &self.c
            work.workers = self.workers
            if self.threads > 1:
                self.pool.prepare(self.threads - 1)
            for i in range(1, self.threads):
                helper = <Helper>self.pool.helpers[i - 1]
                bf_swap(&helper.looks, 0)
                helper.run = search_part
                helper.work = &work
                helper.part = i
                helper.hand_out()
            next_tick = bf_now() + <int64_t>(1e9 * every)
            more = 1
            while more:
                until = bf_now() + SLICE
                with nogil:
                    more = bf_search_work(&self.c, self.workers[0], until)
                try:
                    PyErr_CheckSignals()
                    if tick is not None and more and bf_now() >= next_tick:
                        tick()
                        next_tick = bf_now() + <int64_t>(1e9 * every)
                except BaseException as raised:
                    error = raised
                    bf_search_stop(&self.c)
            for i in range(1, self.threads):
                helper = <Helper>self.pool.helpers[i - 1]
                sleeping = more = False
                while not more:
                    with nogil:
                        more = helper.is_done(sleeping)
                    sleeping = True
        finally:
            self.leave()
        return error

    def table(self):
        """Return actions, visits, values, scores, priors and proofs of the root's moves."""
        self.begin_reading()
        try:
            return root_table(&self.c, self.rules.c.n_players)
        finally:
            self.end_reading()

    def root(self):
        """Return value and score of each player at the root, and whether they are proven."""
        self.begin_reading()
        try:
            return self.root_figures()
        finally:
            self.end_reading()

    cdef object root_figures(self):
        cdef bf_node *node
        cdef uint64_t values[4]
        cdef int players = self.rules.c.n_players
        cdef double visits, scored
        if not self.c.tree.root:
            return None
        node = bf_node_at(&self.c.tree, self.c.tree.root)
        if bf_load_32(&node.exact):
            bf_value_scores(&self.c, node.final, values)
            return (
                np.array([values[i] / BF_VALUE_ONE for i in range(players)], np.float32),
                np.array([node.final[i] for i in range(players)], np.float32), True,
            )
        visits = max(node.visits, <uint32_t>1)
        scored = node.scored if node.scored else float("nan")
        return (
            np.array([node.values[i] / BF_VALUE_ONE / visits for i in range(players)], np.float32),
            np.array([node.scores[i] / scored for i in range(players)], np.float32), False,
        )

    def best(self):
        """Return the principal variation, from the best move on."""
        cdef uint32_t actions[BF_MOST_DEPTH]
        cdef uint32_t n = 0
        self.begin_reading()
        if self.c.tree.root:
            n = bf_principal_variation(&self.c, actions, BF_MOST_DEPTH)
        self.end_reading()
        return [actions[i] for i in range(n)]

    def line(self, int32_t first):
        """Return the line that is expected after a move of the root, which it begins with.

        It is empty where there is no root, and None if the root has no such move.
        """
        cdef uint32_t actions[BF_MOST_DEPTH]
        cdef uint32_t n = 0
        cdef int32_t[::1] moves
        known = True
        self.begin_reading()
        try:
            if self.c.tree.root:
                moves = np.empty(bf_root_moves(&self.c), np.int32)
                if moves.shape[0]:
                    bf_root_actions(&self.c, &moves[0])
                known = first in np.asarray(moves)
                if known:
                    n = bf_line_after(&self.c, <uint32_t>first, actions, BF_MOST_DEPTH)
        finally:
            self.end_reading()
        return [actions[i] for i in range(n)] if known else None

    def values_of(self, scores):
        """Return what final scores are worth to each player."""
        cdef int32_t final[4]
        cdef uint64_t values[4]
        cdef int i
        cdef int players = self.rules.c.n_players
        if len(scores) != players:
            raise ValueError(f"there must be {players} scores, not {len(scores)}")
        for i in range(players):
            final[i] = scores[i]
        bf_value_scores(&self.c, final, values)
        return [values[i] / BF_VALUE_ONE for i in range(players)]

    def figures(self):
        """Return simulations, visits from before, depth, nodes, bytes, full, and the reason."""
        self.begin_reading()
        try:
            return (
                self.c.started, self.c.reused, self.c.depth, self.c.tree.n_nodes,
                self.c.tree.used * BF_LINE, bool(self.c.tree.full),
                STOP_REASONS[bf_load_32(&self.c.reason)],
            )
        finally:
            self.end_reading()


cdef void last_placements(Board board, int32_t *last) noexcept:
    """Find the last placement of each color among the moves that the board remembers."""
    cdef int c
    cdef uint32_t i = board.n_undo
    cdef bf_undo *undo
    for c in range(4):
        last[c] = -1
    if board.c_rules.draft:
        return
    while i > 0 and board.n_undo - i < 8:
        i -= 1
        undo = &board.undo[i]
        if undo.turn >= 0 and undo.action < board.c_rules.layout.n_moves and last[undo.turn] < 0:
            last[undo.turn] = <int32_t>undo.action
