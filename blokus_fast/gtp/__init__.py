"""The Go Text Protocol as Pentobi speaks it: a bot as an engine, and an engine as a bot.

`Engine` starts any program that speaks it, `EngineBot` makes a bot of one. `Session` and `serve`
are the other way round: they are behind ``blokus-fast gtp``.

Examples
--------
>>> import sys
>>> import blokus_fast as bf
>>> from blokus_fast.gtp import Engine
>>> with Engine([sys.executable, "-m", "blokus_fast", "gtp", "--bot", "random"]) as engine:
...     engine.name
'blokus-fast random'
"""

from __future__ import annotations

from blokus_fast.gtp.bot import EngineBot
from blokus_fast.gtp.client import Engine
from blokus_fast.gtp.engine import Session, serve
from blokus_fast.gtp.errors import (
    EngineDiedError,
    EngineError,
    EngineMoveError,
    EngineProtocolError,
    EngineRefusedError,
    EngineResignedError,
    EngineStartError,
    EngineTimeoutError,
)

__all__ = [
    "Engine",
    "EngineBot",
    "EngineDiedError",
    "EngineError",
    "EngineMoveError",
    "EngineProtocolError",
    "EngineRefusedError",
    "EngineResignedError",
    "EngineStartError",
    "EngineTimeoutError",
    "Session",
    "serve",
]
