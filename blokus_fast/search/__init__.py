"""Tree search: a strong player, and a search that others drive with their networks."""

from blokus_fast.search.batch import NETWORK, BatchMCTS, Leaves, RootRule
from blokus_fast.search.mcts import MCTS
from blokus_fast.search.parameters import Parameters
from blokus_fast.search.result import SearchResult
from blokus_fast.search.selfplay import Played, SelfPlay
from blokus_fast.search.weights import Weights, default_weights, load_weights

__all__ = [
    "MCTS",
    "NETWORK",
    "BatchMCTS",
    "Leaves",
    "Parameters",
    "Played",
    "RootRule",
    "SearchResult",
    "SelfPlay",
    "Weights",
    "default_weights",
    "load_weights",
]
