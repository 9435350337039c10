"""Tree search: a strong player, and a search that others drive with their networks.

What is where; all of it is public here:

- `mcts`: `MCTS`, the search with an evaluation of its own; `parameters`, `result`, `weights`
- `book`: moves for the beginning of a game
- `batch`: `BatchMCTS`, many trees evaluated from outside; `selfplay`: games that use it
- `endgame`: `solve`, best play to the end where little is left
"""

from blokus_fast.search.batch import NETWORK, BatchMCTS, Leaves
from blokus_fast.search.book import Book, default_book, load_book
from blokus_fast.search.endgame import Solution, solve
from blokus_fast.search.mcts import MCTS
from blokus_fast.search.parameters import Parameters, RootRule
from blokus_fast.search.result import SearchResult
from blokus_fast.search.selfplay import Played, SelfPlay
from blokus_fast.search.weights import Weights, default_weights, load_weights

__all__ = [
    "MCTS",
    "NETWORK",
    "BatchMCTS",
    "Book",
    "Leaves",
    "Parameters",
    "Played",
    "RootRule",
    "SearchResult",
    "SelfPlay",
    "Solution",
    "Weights",
    "default_book",
    "default_weights",
    "load_book",
    "load_weights",
    "solve",
]
