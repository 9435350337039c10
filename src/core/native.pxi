# native.pxi: which kernels there are, which one is used, and why; and the engine as a table of
# functions, for extensions (a capsule) and for whatever calls functions by their address. The
# kernel is chosen when the module is imported; nothing changes it later, but for the tests that
# compare kernels.

cdef list kernel_names(bint supported_only):
    """Return the names of the kernels in this build, slowest first."""
    cdef const bf_kernel *found
    cdef int supported = 0
    cdef size_t i = 0
    names = []
    while True:
        found = bf_kernel_at(i, &supported)
        if found == NULL:
            return names
        if supported or not supported_only:
            names.append(found.name.decode())
        i += 1


def _use_kernel(str name):
    """Use a kernel by name; for tests and benchmarks, while no other thread runs the engine."""
    global kernel
    cdef const bf_kernel *found = bf_kernel_by_name(name.encode())
    if found == NULL:
        raise ValueError(f"unknown kernel {name!r}: choose from {', '.join(kernel_names(False))}")
    if not bf_kernel_supported(found.name):
        raise ValueError(
            f"kernel {name!r} needs instructions that this computer does not offer; "
            f"it can use {', '.join(kernel_names(True))}"
        )
    kernel = found
    # Rules keep the kernel that they were made with.
    for rules in list(_all_rules):
        (<Rules>rules).c.kernel = found


cdef int choose_kernel() except -1:
    """Take the kernel that BLOKUS_FAST_KERNEL names, or the best one."""
    global kernel
    forced = os.environ.get("BLOKUS_FAST_KERNEL", "auto")
    if forced in ("", "auto"):
        kernel = bf_kernel_best()
        return 0
    try:
        _use_kernel(forced)
    except ValueError as error:
        raise ImportError(f"BLOKUS_FAST_KERNEL: {error}") from None
    return 0


def cpu_info():
    """Tell which kernel is in use and what this computer can run.

    Returns
    -------
    dict
        ``kernel``: name of the kernel in use; ``supported``: names of those that this computer
        can run; ``kernels``: names of all in this build; ``features``: the instruction sets
        found, as far as a kernel asks for them.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> info = bf.cpu_info()
    >>> info["kernel"] in info["supported"]
    True
    """
    cdef char features[256]
    return {
        "kernel": kernel.name.decode(),
        "supported": kernel_names(True),
        "kernels": kernel_names(False),
        "features": bf_cpu_features(features, sizeof(features)).decode().split(),
    }


choose_kernel()


# The rules of a board that nobody has initialised: a state of zeros is a game that is over, and
# with these rules every question about it has an answer.
_no_rules = Rules(
    1, None, ((0,),), (0,), (0,), 1, ((0,) * BF_PIECES,), (0, 0, 0, 0), 0, 0, False, False, None
)


# -- the engine as a table of functions ----------------------------------------------------------

cdef bf_api _api


cdef const bf_rules *rules_of(void *given) except NULL:
    """Return the rules of an object, which keeps them alive."""
    thing = <object>given
    if isinstance(thing, Rules):
        return &(<Rules>thing).c
    rules = getattr(thing, "rules", None)
    if not isinstance(rules, Rules):
        raise TypeError(
            f"a Board, BatchBoard or its rules are needed, not {type(thing).__name__}"
        )
    return &(<Rules>rules).c


cdef const bf_state *state_of(void *given) except NULL:
    """Return the position of a board."""
    thing = <object>given
    if not isinstance(thing, Board):
        raise TypeError(f"a Board is needed, not {type(thing).__name__}")
    return (<Board>thing).state


bf_fill_api(&_api)
_api.rules_of = rules_of
_api.state_of = state_of
_C_API = PyCapsule_New(&_api, "blokus_fast._core._C_API", NULL)


def _addresses():
    """Return the address of every function of the table, by name; see native.py."""
    return {
        "fill_placements": <size_t>_api.fill_placements,
        "open": <size_t>_api.open,
        "push": <size_t>_api.push,
        "pop": <size_t>_api.pop,
        "list": <size_t>_api.list,
        "count": <size_t>_api.count,
        "any": <size_t>_api.any,
        "mask": <size_t>_api.mask,
        "draw": <size_t>_api.draw,
        "is_legal": <size_t>_api.is_legal,
        "illegality": <size_t>_api.illegality,
        "color_score": <size_t>_api.color_score,
        "player_score": <size_t>_api.player_score,
        "key": <size_t>_api.key,
        "equal": <size_t>_api.equal,
        "features": <size_t>_api.features,
        "reach": <size_t>_api.reach,
        "observe": <size_t>_api.observe,
        "seed": <size_t>_api.seed,
        "random": <size_t>_api.random,
        "below": <size_t>_api.below,
        "playout": <size_t>_api.playout,
        "set_up": <size_t>_api.set_up,
        "check": <size_t>_api.check,
        "take_piece": <size_t>_api.take_piece,
    }


def _sizes():
    """Return the sizes of the structs in bytes, by name, and the version of the table."""
    return {
        "abi": _api.abi_version,
        "rules": sizeof(bf_rules),
        "state": sizeof(bf_state),
        "undo": sizeof(bf_undo),
        "rng": sizeof(bf_rng),
        "policy": sizeof(bf_policy),
        "features": sizeof(bf_features),
        "fault": sizeof(bf_fault),
    }


def _rules_address(thing):
    """Return where the rules of an object are; it must live on."""
    return <size_t>rules_of(<void *>thing)


def _state_address(Board board not None):
    """Return where the position of a board is; it must live on."""
    return <size_t>board.state
