"""The Software Challenge Germany 2027: a client for any bot, a server to practise, and a bridge.

What is where:

- `client`, `starting`: a bot plays on the contest's server
- `server`, `practice`: the server's side on this computer
- `bridge`: to and from the official Python client, `socha` (extra ``contest``; imported on its own)
- `connection`, `stream`, `messages`, `requests`, `moves`, `state`, `pieces`: the protocol, from
  bytes to positions
- `following`, `thinking`, `timing`: what keeps a client in step, legal and in time
"""

from __future__ import annotations

from blokus_fast.contest.client import Client, Report
from blokus_fast.contest.errors import (
    ConnectionBrokenError,
    ContestError,
    ProtocolError,
    RefusedError,
)
from blokus_fast.contest.messages import Prepared, Result
from blokus_fast.contest.moves import SkippedTurn
from blokus_fast.contest.pieces import PlacedPiece, placed_piece
from blokus_fast.contest.practice import practice
from blokus_fast.contest.server import Guest, Server
from blokus_fast.contest.starting import run
from blokus_fast.contest.state import State, state_of

__all__ = [
    "Client",
    "ConnectionBrokenError",
    "ContestError",
    "Guest",
    "PlacedPiece",
    "Prepared",
    "ProtocolError",
    "RefusedError",
    "Report",
    "Result",
    "Server",
    "SkippedTurn",
    "State",
    "placed_piece",
    "practice",
    "run",
    "state_of",
]
