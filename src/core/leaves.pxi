# leaves.pxi: many trees whose priors and values come from outside, side by side and without the GIL.
# What is asked for is checked in blokus_fast/search/batch.py.

cdef extern from "leaves.h" nogil:
    enum:
        BF_LEAF
        BF_KNOWN
        BF_WAITING
        BF_ENOUGH
    ctypedef struct bf_trail:
        int depth
    ctypedef struct bf_leaf:
        bf_state state
        bf_trail trail
    void bf_reroot(bf_search *search, const bf_state *s, uint64_t simulations)
    int bf_collect(bf_search *search, bf_leaf *leaf)
    int bf_apply(
        bf_search *search, bf_leaf *leaf, const int32_t *actions, const float *priors, uint32_t n,
        const float *values
    )
    void bf_release(bf_search *search, bf_leaf *leaf)
    uint32_t bf_best_considered(const bf_search *search)
    void bf_root_policy(const bf_search *search, int improved, float *policy)
    double bf_uniform(bf_rng *rng)


cdef extern from "math.h" nogil:
    float expf(float x)
    float powf(float x, float y)
    bint isfinite(float x)


cdef int reserve(void **memory, size_t *capacity, size_t needed, size_t each) noexcept nogil:
    """Make room for so many items, and keep those that are there; return 1 if there is none."""
    cdef size_t more = max(needed, 2 * capacity[0])
    cdef void *made
    if needed <= capacity[0]:
        return 0
    made = PyMem_RawRealloc(memory[0], more * each)
    if made == NULL:
        return 1
    memory[0] = made
    capacity[0] = more
    return 0


cdef class Trees:
    """Trees side by side, one search each; see `blokus_fast.search.BatchMCTS`."""

    cdef readonly Rules rules
    cdef readonly int n
    cdef bf_search *searches
    cdef void *memory
    # Whether a position was set; leaves of each that are out.
    cdef uint8_t *is_set
    cdef int32_t *out
    # The leaves that were handed out last, the trees that they are of, and their legal actions.
    cdef bf_leaf *leaves
    cdef int32_t *trees
    cdef size_t n_leaves, capacity, trees_capacity
    cdef int32_t *ids
    cdef size_t ids_capacity
    cdef int64_t *ends
    cdef size_t ends_capacity
    cdef float *priors
    cdef size_t priors_capacity
    cdef uint16_t *scratch
    cdef int cursor
    # Whether a call is under way.
    cdef long busy
    # Memory was missing for what is seen; it stays so.
    cdef bint failed

    def __cinit__(
        self, Rules rules not None, int n, dict parameters not None, dict root not None,
        uint64_t memory, uint64_t seed,
    ):
        cdef bf_parameters c
        cdef uint64_t each = memory // <uint64_t>max(n, 1) // BF_LINE * BF_LINE
        cdef bf_search *search
        cdef int i
        fill_parameters(&c, parameters)
        self.rules = rules
        self.memory = PyMem_RawMalloc(<uint64_t>n * each + 63)
        self.searches = <bf_search *>PyMem_RawMalloc(n * sizeof(bf_search))
        self.is_set = <uint8_t *>PyMem_RawMalloc(n)
        self.out = <int32_t *>PyMem_RawMalloc(n * sizeof(int32_t))
        self.scratch = <uint16_t *>PyMem_RawMalloc(BF_LIST_SIZE * sizeof(uint16_t))
        if (
            self.memory == NULL or self.searches == NULL or self.is_set == NULL
            or self.out == NULL or self.scratch == NULL
        ):
            raise MemoryError
        for i in range(n):
            self.is_set[i] = 0
            self.out[i] = 0
            bf_search_init(
                &self.searches[i], &rules.c, &c, NULL,
                <char *>aligned(self.memory) + i * each, each, 0,
            )
            search = &self.searches[i]
            search.root_rule.noise = root["noise"]
            search.root_rule.noise_alpha = root["noise_alpha"]
            search.root_rule.considered = root["considered"]
            search.root_rule.visits_offset = root["visits_offset"]
            search.root_rule.value_scale = root["value_scale"]
            bf_rng_seed(&search.rng, seed, <uint64_t>i)
        self.n = n

    def __dealloc__(self):
        PyMem_RawFree(self.memory)
        PyMem_RawFree(self.searches)
        PyMem_RawFree(self.is_set)
        PyMem_RawFree(self.out)
        PyMem_RawFree(self.leaves)
        PyMem_RawFree(self.trees)
        PyMem_RawFree(self.ids)
        PyMem_RawFree(self.ends)
        PyMem_RawFree(self.priors)
        PyMem_RawFree(self.scratch)

    cdef int enter(self) except -1:
        """Begin a call that nobody may interfere with; `leave` ends it."""
        if bf_swap(&self.busy, 1):
            raise RuntimeError("the trees are at work in another thread")
        return 0

    cdef void leave(self) noexcept:
        bf_swap(&self.busy, 0)

    def outstanding(self):
        """Return how many leaves were handed out and not yet taken back."""
        return self.n_leaves

    def set(self, int tree, Board board not None, uint64_t simulations):
        """Give a tree a position, and so many simulations to make."""
        self.enter()
        try:
            if self.out[tree]:
                raise RuntimeError("leaves are out: call apply or release first")
            if not same_rules(board.rules, self.rules, "a board"):
                raise ValueError(
                    f"a board of {board.rules.variant.name} for trees of "
                    f"{self.rules.variant.name}: the rules must be the same"
                )
            if board.state.phase == BF_OVER:
                raise ValueError("the game is over: there is nothing to search")
            bf_reroot(&self.searches[tree], board.state, simulations)
            self.is_set[tree] = 1
        finally:
            self.leave()

    # -- leaves out ----------------------------------------------------------------------------

    cdef int step_tree(self, int i) noexcept nogil:
        """Do what has to be done before a tree is asked for a leaf; 0 if it has none."""
        return self.is_set[i]

    cdef int add_leaf(self, int tree) noexcept nogil:
        """List the actions of the leaf that was filled behind the others; 1: no memory."""
        cdef const bf_rules *rules = &self.rules.c
        cdef bf_state *s = &self.leaves[self.n_leaves].state
        cdef size_t used = self.ends[self.n_leaves]
        cdef size_t k, n, most = rules.n_actions + BF_LIST_PADDING
        if reserve(<void **>&self.ids, &self.ids_capacity, used + most, sizeof(int32_t)):
            return 1
        if bf_lists_one_color(rules, s, -1):
            n = bf_list_short(rules, s, -1, self.scratch)
            for k in range(n):
                self.ids[used + k] = self.scratch[k]
        else:
            n = bf_list(rules, s, -1, self.scratch, self.ids + used)
        self.trees[self.n_leaves] = tree
        self.n_leaves += 1
        self.out[tree] += 1
        self.ends[self.n_leaves] = <int64_t>(used + n)
        return 0

    cdef int gather(self, size_t most, int per_tree) noexcept nogil:
        """Fill the leaves; return 1 if there is no memory."""
        cdef int looked = 0, tree, found
        if (
            reserve(<void **>&self.leaves, &self.capacity, most, sizeof(bf_leaf))
            or reserve(<void **>&self.trees, &self.trees_capacity, most, sizeof(int32_t))
            or reserve(<void **>&self.ends, &self.ends_capacity, most + 1, sizeof(int64_t))
        ):
            return 1
        self.n_leaves = 0
        self.ends[0] = 0
        while self.n_leaves < most and looked < self.n:
            tree = self.cursor
            while self.n_leaves < most and self.out[tree] < per_tree and self.step_tree(tree):
                found = bf_collect(&self.searches[tree], &self.leaves[self.n_leaves])
                if found == BF_LEAF:
                    if self.add_leaf(tree):
                        return 1
                elif found == BF_WAITING or (found == BF_ENOUGH and not self.goes_on(tree)):
                    break
            self.cursor = tree + 1 if tree + 1 < self.n else 0
            looked += 1
        return 0

    cdef int goes_on(self, int tree) noexcept nogil:
        """Say whether a tree that has made its simulations has more to do."""
        return 0

    cdef int check_gathered(self) except -1:
        """Look at what was gathered; for those that always have more to do."""
        return 0

    def collect(self, size_t most, int per_tree, ids, offsets):
        """Hand out leaves: their positions, trees, legal actions and where these begin.

        The last two go into arrays of the caller's, where he has some.
        """
        cdef Batch batch
        cdef int failed
        cdef size_t i
        self.enter()
        try:
            if self.n_leaves:
                raise RuntimeError("leaves are out: call apply or release first")
            with nogil:
                failed = self.gather(most, per_tree)
            if failed or self.failed:
                self.give_back()
                raise MemoryError
            self.check_gathered()
            batch = late("learning.batch").BatchBoard(self.n_leaves, self.rules.variant)
            trees = np.empty(self.n_leaves, np.int32)
            copy_out(trees, self.trees, self.n_leaves * sizeof(int32_t))
            try:
                ids = array_for(ids, self.ends[self.n_leaves], np.int32, "ids")
                offsets = array_for(offsets, self.n_leaves + 1, np.int64, "offsets")
            except BaseException:
                self.give_back()
                raise
            copy_out(offsets, self.ends, (self.n_leaves + 1) * sizeof(int64_t))
            copy_out(ids, self.ids, self.ends[self.n_leaves] * sizeof(int32_t))
            for i in range(self.n_leaves):
                batch.states[i] = self.leaves[i].state
        finally:
            self.leave()
        return batch, trees, ids, offsets

    cdef void give_back(self) noexcept:
        cdef size_t i
        for i in range(self.n_leaves):
            bf_release(&self.searches[self.trees[i]], &self.leaves[i])
            self.out[self.trees[i]] -= 1
        self.n_leaves = 0

    def release(self):
        """Take the leaves back without their evaluations."""
        self.enter()
        self.give_back()
        self.leave()

    # -- evaluations in ------------------------------------------------------------------------

    def apply(
        self, const float[::1] priors not None, const float[:, ::1] values not None, bint logits
    ):
        """Take the evaluations of all leaves; where something is wrong, none."""
        cdef int64_t wrong
        cdef size_t i
        cdef int failed = 0
        self.enter()
        try:
            if <size_t>values.shape[0] != self.n_leaves or (
                values.shape[1] != self.rules.c.n_players
            ):
                raise ValueError(
                    f"values must have shape ({self.n_leaves}, {self.rules.c.n_players}), "
                    f"not ({values.shape[0]}, {values.shape[1]})"
                )
            if not self.n_leaves:
                if priors.shape[0]:
                    raise ValueError("there are no leaves, and so no priors")
                return
            if priors.shape[0] != self.ends[self.n_leaves]:
                raise ValueError(
                    f"there must be {self.ends[self.n_leaves]} priors, one a legal action of each "
                    f"leaf, not {priors.shape[0]}"
                )
            if reserve(
                <void **>&self.priors, &self.priors_capacity, priors.shape[0], sizeof(float)
            ):
                raise MemoryError
            with nogil:
                wrong = self.take_priors(&priors[0], logits)
            if wrong >= 0:
                raise ValueError(
                    f"priors of leaf {wrong}: "
                    + ("they must be finite" if logits else "they must be finite, 0 or more, "
                       "and not all 0")
                )
            for i in range(self.n_leaves):
                for wrong in range(values.shape[1]):
                    if not -1e-5 <= values[i, wrong] <= 1 + 1e-5:
                        raise ValueError(
                            f"value {values[i, wrong]} of leaf {i} is not in 0..1: "
                            "values are shares of the win"
                        )
            with nogil:
                failed = self.take_in(&values[0, 0])
            if failed:
                raise ValueError("memory is too small for the moves of a root")
        finally:
            self.leave()

    cdef int64_t take_priors(self, const float *given, bint logits) noexcept nogil:
        """Make priors of sum 1; return the first leaf whose priors are none, or -1."""
        cdef size_t i
        cdef int64_t k
        cdef float most, value
        cdef double total
        for i in range(self.n_leaves):
            total = 0
            most = given[self.ends[i]]
            for k in range(self.ends[i], self.ends[i + 1]):
                value = given[k]
                if not isfinite(value) or (not logits and value < 0):
                    return <int64_t>i
                self.priors[k] = value
                most = max(most, value)
            for k in range(self.ends[i], self.ends[i + 1]):
                if logits:
                    self.priors[k] = expf(self.priors[k] - most)
                total += self.priors[k]
            if not total > 0:
                return <int64_t>i
            for k in range(self.ends[i], self.ends[i + 1]):
                self.priors[k] = <float>(self.priors[k] / total)
        return -1

    cdef int take_in(self, const float *values) noexcept nogil:
        """Hand checked evaluations to the trees; return 1 if a root had no room."""
        cdef size_t i
        cdef int p, failed = 0, players = self.rules.c.n_players
        cdef float clean[4]
        for i in range(self.n_leaves):
            for p in range(players):
                clean[p] = min(max(values[i * players + p], 0), 1)
            if bf_apply(
                &self.searches[self.trees[i]], &self.leaves[i], self.ids + self.ends[i],
                self.priors + self.ends[i], <uint32_t>(self.ends[i + 1] - self.ends[i]), clean,
            ):
                failed = 1
                self.is_set[self.trees[i]] = 0
            self.out[self.trees[i]] -= 1
        self.n_leaves = 0
        return failed

    # -- results -------------------------------------------------------------------------------

    def simulations(self):
        """Return how many simulations each tree has made since its position was set."""
        self.enter()
        try:
            return np.array([self.searches[i].started for i in range(self.n)], np.int64)
        finally:
            self.leave()

    def move(self, int tree):
        """Return the best move of a tree, or -1 where nothing is known yet."""
        cdef bf_search *search = &self.searches[tree]
        cdef uint32_t child = 0
        self.enter()
        try:
            if not search.tree.root:
                return -1
            if search.root_rule.considered > 0:
                return bf_best_considered(&self.searches[tree])
            return bf_best_action(&self.searches[tree], search.tree.root, &child)
        finally:
            self.leave()

    def root(self, int tree, bint improved):
        """Return actions, visits, values, priors and policy at the root of a tree."""
        cdef bf_search *search = &self.searches[tree]
        cdef float[::1] out
        self.enter()
        try:
            actions, visits, values, _, priors, _ = root_table(search, self.rules.c.n_players)
            policy = np.empty(len(actions), np.float32)
            if len(actions):
                out = policy
                bf_root_policy(search, improved, &out[0])
        finally:
            self.leave()
        return actions, visits, values, priors, policy


cdef object array_for(given, Py_ssize_t n, dtype, str name):
    """Return a new array of so many items, or the first ones of the caller's array."""
    if given is None:
        return np.empty(n, dtype)
    if not isinstance(given, np.ndarray) or given.dtype != dtype or given.ndim != 1:
        raise ValueError(f"{name} must be an array of {np.dtype(dtype)} with one dimension")
    if not given.flags.c_contiguous or not given.flags.writeable:
        raise ValueError(f"{name} must be contiguous, and writeable")
    if len(given) < n:
        raise ValueError(f"{name} has room for {len(given)} numbers, {n} are needed")
    return given[:n]


cdef int copy_out(array, const void *source, size_t size) except -1:
    """Copy memory into a new array of just that size."""
    cdef Py_buffer view
    if not size:
        return 0
    get_buffer(array, &view, "numbers")
    memcpy(view.buf, source, size)
    PyBuffer_Release(&view)
    return 0
