"""Where work is done: in processes of this computer, or on a Dask cluster.

`open_executor` gives an `Executor`, whose `run` calls a function for many tasks and hands out the
results as they come. Every call runs in a process of its own worker, see `child`: what crashes or
hangs there takes nothing else with it. Knows nothing of games.
"""

from __future__ import annotations

from blokus_fast.executors.base import Executor, ExecutorError, Lost, WorkerLostError, open_executor

__all__ = ["Executor", "ExecutorError", "Lost", "WorkerLostError", "open_executor"]
