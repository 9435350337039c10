# info.pxi: which kernels there are, which one is used, and why. Chosen when the module is
# imported; nothing changes it later, but for the tests that compare kernels.

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
