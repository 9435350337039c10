"""Games of a bot against itself, as files of Parquet for those that learn. Needs pyarrow.

What is where; all of it is public here:

- `settings`: `Settings`, which decide every game of a run
- `playing`: one game; `packing`: positions as columns; `schema`: the columns of a file
- `shards`: files and folders, whole or not there; `running`: `run`, which fills a folder
- `positions`: `Positions`, what is read; `reading`: `read`, batches of them
"""

from __future__ import annotations

try:
    import pyarrow as _pyarrow  # noqa: F401 - all that it is for
except ImportError as _error:
    from blokus_fast.extras import install_hint as _install_hint

    raise ImportError(
        f"blokus_fast.selfplay needs pyarrow: {_install_hint('selfplay')}"
    ) from _error

from blokus_fast.selfplay.positions import Positions
from blokus_fast.selfplay.reading import Reader, read
from blokus_fast.selfplay.running import Summary, run
from blokus_fast.selfplay.settings import Settings
from blokus_fast.selfplay.shards import Description, ShardError

__all__ = [
    "Description",
    "Positions",
    "Reader",
    "Settings",
    "ShardError",
    "Summary",
    "read",
    "run",
]
