"""Searching for good moves: the exact ends of games.

What is where; all of it is public here:

- `endgame`: `solve`, best play to the end where little is left
"""

from blokus_fast.search.endgame import Solution, solve

__all__ = ["Solution", "solve"]
