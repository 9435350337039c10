"""`DaskExecutor`: the workers of a Dask cluster, on this computer or on many."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from typing import Any, Final

from blokus_fast.checking import called_back
from blokus_fast.executors.base import (
    Executor,
    ExecutorError,
    OnLost,
    WorkerLostError,
    available_cpus,
)
from blokus_fast.executors.calls import here
from blokus_fast.extras import install_hint

__all__ = ["DaskExecutor"]

# Seconds to wait for a scheduler and for its first worker.
_PATIENCE: Final = 20
# A task that has lost as many workers as Dask allows is tried so often in all.
_ATTEMPTS: Final = 3


class DaskExecutor(Executor):
    """Calls run on the workers of a Dask cluster, each in a process of its own there.

    A task whose worker is lost is given to another one.

    Parameters
    ----------
    address : str, optional
        Address of a scheduler. Default: a cluster of its own on this computer, which ends with
        this object.
    workers : int, optional
        How many calls run at the same time. Default: the threads of all workers; for a cluster
        of its own the processors that there are.

    Raises
    ------
    ExecutorError
        Dask is not installed, no scheduler answers, or its workers have another version of this
        package, or none.

    Examples
    --------
    >>> from blokus_fast.executors import open_executor
    >>> with open_executor("dask", workers=2) as executor:  # doctest: +SKIP
    ...     sorted(executor.run(abs, [-1, -2]))
    [(-2, 2), (-1, 1)]
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        try:
            import distributed
        except ImportError as error:
            raise ExecutorError(
                f"a cluster needs Dask ({error}): {install_hint('dask')}"
            ) from error
        self._distributed = distributed
        self._cluster: Any = None
        self._client: Any = None
        try:
            if address is None:
                self._cluster = distributed.LocalCluster(
                    n_workers=workers or available_cpus(),
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    host="127.0.0.1",
                )
            target = self._cluster if address is None else address
            self._client = distributed.Client(target, timeout=_PATIENCE, set_as_default=False)
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            self.close()
            where = "on this computer" if address is None else f"at {address}"
            raise ExecutorError(f"there is no Dask cluster {where}: {error}") from error
        self._check_versions(address)
        threads = sum(self._client.nthreads().values())
        self.workers = threads if workers is None else workers

    def _check_versions(self, address: str | None) -> None:
        """See that workers have the same package, where they are not of this computer's making."""
        if address is None:
            return
        own = _version()
        try:
            others = self._client.run(_version)
        except Exception as error:
            # It is not there at all, so the function cannot be found.
            self.close()
            raise ExecutorError(
                f"the workers at {address} cannot import blokus_fast: {error}"
            ) from error
        for worker, found in others.items():
            if found != own:
                self.close()
                raise ExecutorError(f"blokus-fast is {found} at {worker}, but {own} here")

    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        on_lost: OnLost | None = None,
    ) -> Iterator[tuple[Any, Any]]:
        """Call a function for every task; see `Executor.run`."""
        called_back(on_lost, "on_lost")
        if self._client is None:
            raise ExecutorError("the executor is closed")
        coming = iter(tasks)
        running: dict[Any, tuple[Any, int]] = {}
        ready = self._distributed.as_completed(loop=self._client.loop)

        def submit(task: Any, attempt: int = 1) -> None:
            call = (function, task, on_lost, tuple(sys.path))
            future = self._client.submit(here, call, pure=False)
            running[future] = task, attempt
            ready.add(future)

        try:
            # Twice as many as there are workers: a message to another computer takes its time.
            for task in islice(coming, 2 * self.workers):
                submit(task)
            while running:
                future = next(ready)
                task, attempt = running.pop(future)
                try:
                    went_well, result = future.result()
                except self._distributed.KilledWorker as error:
                    if attempt == _ATTEMPTS:
                        raise WorkerLostError(str(error)) from error
                    submit(task, attempt + 1)
                    continue
                except (OSError, self._distributed.CancelledError) as error:
                    raise ExecutorError(f"the Dask cluster is gone: {error}") from error
                if not went_well:
                    raise result
                for following in islice(coming, 1):
                    submit(following)
                yield task, result
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel(list(running), force=True)

    def close(self) -> None:
        """Leave the cluster, and end one of its own."""
        for part in (self._client, self._cluster):
            if part is not None:
                with contextlib.suppress(Exception):
                    part.close()
        self._client = self._cluster = None


def _version() -> str:
    """Return the version of this package where this is called."""
    try:
        return version("blokus-fast")
    except PackageNotFoundError:
        return "unknown"
