# solve.pxi: the exact ends of games, for one board: memory, time, Ctrl-C. What best play is, is in
# src/search/solve.h; arguments are checked in search/endgame.py.

cdef enum:
    SOLVE_ROOM = 1 << 22  # words; pages that no list of placements needs are never touched
    SOLVE_LEAST_ENTRIES = 1 << 10
    SOLVE_MOST_ENTRIES = 1 << 20


cdef int ask_time(void *context) noexcept nogil:
    """Look for Ctrl-C and at the clock. The context is a list of when to stop and what was raised."""
    with gil:
        try:
            PyErr_CheckSignals()
            return time.monotonic() >= (<list>context)[0]
        except BaseException as error:
            (<list>context).append(error)
            return 1


def _solve(Board board not None, uint64_t nodes, double seconds, bint lowest_wins):
    """Return (scores, actions of best play, nodes), or None if it was not found out."""
    cdef const bf_rules *rules = board.c_rules
    cdef uint64_t entries = SOLVE_LEAST_ENTRIES
    cdef bf_state root = board.state[0]
    cdef bf_solver *solver
    cdef bf_solve_entry *table
    cdef uint64_t *room
    cdef bf_solve_limits limits
    cdef bf_solution solution
    cdef int solved = 0
    cdef list watch = [time.monotonic() + seconds]
    while entries < SOLVE_MOST_ENTRIES and entries < nodes:
        entries *= 2
    limits.nodes = nodes
    limits.candidates = 0
    limits.stop = ask_time
    limits.context = <void *>watch
    solver = <bf_solver *>PyMem_RawMalloc(sizeof(bf_solver))
    table = <bf_solve_entry *>PyMem_RawCalloc(entries, sizeof(bf_solve_entry))
    room = <uint64_t *>PyMem_RawMalloc(SOLVE_ROOM * sizeof(uint64_t))
    try:
        if solver == NULL or table == NULL or room == NULL:
            raise MemoryError
        with nogil:
            bf_solver_init(
                solver, rules, lowest_wins, table, <uint32_t>(entries - 1), room, SOLVE_ROOM
            )
            solved = bf_solve(solver, &root, &limits, &solution)
    finally:
        PyMem_RawFree(solver)
        PyMem_RawFree(table)
        PyMem_RawFree(room)
    if len(watch) > 1:
        raise watch[1]
    if not solved:
        return None
    return (
        tuple([solution.scores[player] for player in range(rules.n_players)]),
        tuple([solution.pv[i] for i in range(solution.n_pv)]),
        solution.nodes,
    )
