# selfplay.pxi: games that play themselves in lockstep, on trees that are evaluated from outside:
# what they see, which moves they make, and what they hand out. What is asked for is checked in
# blokus_fast/search/selfplay.py.

# What was seen in a game, or in all finished games.
cdef struct Seen:
    bf_state *states
    size_t n, capacity
    int64_t *ends          # of the actions of each position
    size_t ends_capacity
    int32_t *actions
    size_t used, actions_capacity
    float *policy
    size_t policy_capacity
    float *values          # of the root, one a player
    size_t values_capacity


cdef void close_seen(Seen *seen) noexcept nogil:
    PyMem_RawFree(seen.states)
    PyMem_RawFree(seen.ends)
    PyMem_RawFree(seen.actions)
    PyMem_RawFree(seen.policy)
    PyMem_RawFree(seen.values)


cdef int grow_seen(Seen *seen, size_t positions, size_t actions, int players) noexcept nogil:
    """Make room for so many more; return 1 if there is none."""
    cdef size_t n = seen.n + positions, m = seen.used + actions
    return (
        reserve(<void **>&seen.states, &seen.capacity, n, sizeof(bf_state))
        or reserve(<void **>&seen.ends, &seen.ends_capacity, n, sizeof(int64_t))
        or reserve(<void **>&seen.actions, &seen.actions_capacity, m, sizeof(int32_t))
        or reserve(<void **>&seen.policy, &seen.policy_capacity, m, sizeof(float))
        or reserve(<void **>&seen.values, &seen.values_capacity, n * players, sizeof(float))
    )


cdef class Plays(Trees):
    """Games that play themselves, in lockstep; see `blokus_fast.search.SelfPlay`."""

    cdef Seen *seen           # one a game
    cdef Seen finished
    # Of the finished positions: final scores, which game, at what ply.
    cdef int32_t *scores
    cdef size_t scores_capacity
    cdef int64_t *games
    cdef size_t games_capacity
    cdef int64_t *numbers     # of the games that are played
    cdef int64_t started
    cdef uint64_t per_move
    cdef int drawn_plies, random_plies
    cdef float temperature
    cdef readonly int64_t n_finished

    def begin(self, uint64_t per_move, int drawn_plies, float temperature, int random_plies):
        """Begin all games."""
        cdef int i
        if self.seen != NULL:
            raise RuntimeError("the games have begun")
        self.numbers = <int64_t *>PyMem_RawMalloc(self.n * sizeof(int64_t))
        if self.numbers == NULL:
            raise MemoryError
        self.seen = <Seen *>PyMem_RawMalloc(self.n * sizeof(Seen))
        if self.seen == NULL:
            raise MemoryError
        memset(self.seen, 0, self.n * sizeof(Seen))
        self.per_move = per_move
        self.drawn_plies = drawn_plies
        self.random_plies = random_plies
        self.temperature = temperature
        for i in range(self.n):
            self.new_game(i)

    def __dealloc__(self):
        cdef int i
        if self.seen != NULL:
            for i in range(self.n):
                close_seen(&self.seen[i])
        close_seen(&self.finished)
        PyMem_RawFree(self.seen)
        PyMem_RawFree(self.scores)
        PyMem_RawFree(self.games)
        PyMem_RawFree(self.numbers)

    cdef void new_game(self, int i) noexcept nogil:
        """Begin a game: some moves by chance, then the search."""
        cdef bf_state_room room
        cdef bf_state *s = state_in(&room)
        cdef bf_search *search = &self.searches[i]
        cdef bf_policy uniform
        cdef bf_undo undo
        cdef int plies = 0
        uniform.kind = BF_UNIFORM
        uniform.weights = NULL
        uniform.scratch = NULL
        s[0] = self.rules.initial
        if self.random_plies:
            plies = <int>bf_rng_below(&search.rng, <uint32_t>self.random_plies + 1)
        while plies > 0 and s.phase != BF_OVER:
            bf_push(&self.rules.c, s, bf_draw(&self.rules.c, s, &uniform, &search.rng), &undo)
            plies -= 1
        if s.phase == BF_OVER:
            s[0] = self.rules.initial
        self.seen[i].n = self.seen[i].used = 0
        self.numbers[i] = self.started
        self.started += 1
        bf_search_clear(&self.searches[i])
        bf_reroot(&self.searches[i], s, self.per_move)
        self.is_set[i] = 1

    cdef int check_gathered(self) except -1:
        """Games never end to play: where there is nothing to do, no root had room."""
        if not self.n_leaves:
            raise ValueError(
                "memory is too small for the moves of positions: give the games more"
            )
        return 0

    cdef int goes_on(self, int tree) noexcept nogil:
        """Make the move that a tree has found; 0 where leaves are out, or memory is."""
        cdef bf_search *search = &self.searches[tree]
        cdef bf_state_room room
        cdef bf_state *s = state_in(&room)
        cdef uint32_t action
        cdef bf_undo undo
        if self.out[tree] or self.failed or not search.tree.root:
            return 0
        s[0] = search.state
        action = self.record(tree, s)
        if self.failed:
            return 0
        bf_push(&self.rules.c, s, action, &undo)
        if s.phase == BF_OVER:
            self.finish(tree, s)
            self.new_game(tree)
        else:
            bf_reroot(search, s, self.per_move)
        return 1

    cdef uint32_t record(self, int tree, const bf_state *s) noexcept nogil:
        """Note a position and what its search has found; choose the move."""
        cdef bf_search *search = &self.searches[tree]
        cdef Seen *seen = &self.seen[tree]
        cdef int players = self.rules.c.n_players
        cdef uint32_t n = bf_root_moves(search), i, kept = 0, child = 0, action
        cdef bint gumbel = search.root_rule.considered > 0
        cdef bf_node *root = bf_node_at(&search.tree, search.tree.root)
        cdef int32_t *actions
        cdef float *policy
        cdef double total = 0, drawn
        if grow_seen(seen, 1, n, players):
            self.failed = True
            return 0
        actions = seen.actions + seen.used
        policy = seen.policy + seen.used
        bf_root_policy(search, gumbel, policy)
        bf_root_actions(search, actions)
        action = (
            bf_best_considered(search) if gumbel
            else bf_best_action(search, search.tree.root, &child)
        )
        for i in range(n):
            if policy[i] > 0:
                actions[kept] = actions[i]
                policy[kept] = policy[i]
                kept += 1
        if not gumbel and s.ply < self.drawn_plies and self.temperature > 0:
            for i in range(kept):
                total += powf(policy[i], 1 / self.temperature)
            drawn = total * bf_uniform(&search.rng)
            for i in range(kept):
                drawn -= powf(policy[i], 1 / self.temperature)
                action = <uint32_t>actions[i]
                if drawn <= 0:
                    break
        seen.states[seen.n] = s[0]
        for i in range(<uint32_t>players):
            seen.values[seen.n * players + i] = <float>(
                <double>root.values[i] / BF_VALUE_ONE / root.visits
            )
        seen.used += kept
        seen.ends[seen.n] = <int64_t>seen.used
        seen.n += 1
        return action

    cdef void finish(self, int tree, const bf_state *s) noexcept nogil:
        """Put a game that has ended with the finished ones."""
        cdef Seen *seen = &self.seen[tree]
        cdef Seen *all = &self.finished
        cdef int players = self.rules.c.n_players
        cdef size_t i
        cdef int p
        if (
            grow_seen(all, seen.n, seen.used, players)
            or reserve(
                <void **>&self.scores, &self.scores_capacity, (all.n + seen.n) * players,
                sizeof(int32_t),
            )
            or reserve(
                <void **>&self.games, &self.games_capacity, all.n + seen.n, sizeof(int64_t)
            )
        ):
            self.failed = True
            return
        memcpy(all.states + all.n, seen.states, seen.n * sizeof(bf_state))
        memcpy(all.actions + all.used, seen.actions, seen.used * sizeof(int32_t))
        memcpy(all.policy + all.used, seen.policy, seen.used * sizeof(float))
        memcpy(all.values + all.n * players, seen.values, seen.n * players * sizeof(float))
        for i in range(seen.n):
            all.ends[all.n + i] = <int64_t>all.used + seen.ends[i]
            self.games[all.n + i] = self.numbers[tree]
            for p in range(players):
                self.scores[(all.n + i) * players + p] = (
                    self.rules.c.kernel.player_score(&self.rules.c, s, p)
                )
        all.n += seen.n
        all.used += seen.used
        self.n_finished += 1

    def take(self):
        """Hand out what was seen in the games that have ended, and forget it."""
        cdef Batch batch
        cdef Seen *all = &self.finished
        cdef int players = self.rules.c.n_players
        cdef size_t i
        self.enter()
        try:
            batch = late("learning.batch").BatchBoard(all.n, self.rules.variant)
            offsets = np.zeros(all.n + 1, np.int64)
            actions = np.empty(all.used, np.int32)
            policy = np.empty(all.used, np.float32)
            values = np.empty((all.n, players), np.float32)
            scores = np.empty((all.n, players), np.int32)
            games = np.empty(all.n, np.int64)
            copy_out(offsets[1:], all.ends, all.n * sizeof(int64_t))
            copy_out(actions, all.actions, all.used * sizeof(int32_t))
            copy_out(policy, all.policy, all.used * sizeof(float))
            copy_out(values, all.values, all.n * players * sizeof(float))
            copy_out(scores, self.scores, all.n * players * sizeof(int32_t))
            copy_out(games, self.games, all.n * sizeof(int64_t))
            for i in range(all.n):
                batch.states[i] = all.states[i]
            all.n = all.used = 0
        finally:
            self.leave()
        return batch, offsets, actions, policy, values, scores, games
