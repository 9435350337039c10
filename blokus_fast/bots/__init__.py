"""Bots: programs that choose a move.

A bot sees a `Board` and returns a move id; one that thinks in time sees its `Clock` too. `make`
builds one by name, and `Player` drives any.
"""

from __future__ import annotations

from blokus_fast.bots.budget import seconds_for
from blokus_fast.bots.clock import Clock, Timer
from blokus_fast.bots.corner import CornerBot
from blokus_fast.bots.names import BOTS, GTP, available, make
from blokus_fast.bots.protocol import AnyBot, Bot, Player, ThinkingBot
from blokus_fast.bots.searching import LEVELS, MCTSBot, level_simulations
from blokus_fast.bots.simple import GreedyBot, RandomBot

__all__ = [
    "BOTS",
    "GTP",
    "LEVELS",
    "AnyBot",
    "Bot",
    "Clock",
    "CornerBot",
    "GreedyBot",
    "MCTSBot",
    "Player",
    "RandomBot",
    "ThinkingBot",
    "Timer",
    "available",
    "level_simulations",
    "make",
    "seconds_for",
]
