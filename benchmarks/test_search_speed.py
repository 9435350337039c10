"""Simulations, leaves of a batch, and solved endings."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.search import MCTS, BatchMCTS, solve


@pytest.mark.parametrize("variant", ["duo", "classic-2p", "classic"])
def test_simulations(benchmark, variant):
    mcts, board = MCTS(variant, seed=1), bf.Board(variant)

    def search():
        mcts.clear()
        return mcts.search(board, simulations=2000, early_stop=False)

    assert benchmark(search).simulations == 2000


def test_leaves(benchmark):
    trees = BatchMCTS("duo", 64, seed=1)

    def search():
        trees.set_all(simulations=50)
        while leaves := trees.collect(64):
            trees.apply(np.ones(len(leaves.ids)), np.full((len(leaves), 2), 0.5))
        return trees.simulations

    assert benchmark(search).tolist() == [50] * 64


def test_endings(benchmark):
    board = bf.Board("duo")
    rng = np.random.default_rng(1)
    while board.count_legal() > 12:
        board.push(int(rng.choice(board.legal_ids())))
    assert benchmark(solve, board) is not None


def test_the_command_runs():
    command = [sys.executable, Path(__file__).parent / "search", "--rounds", "1"]
    options = ["--simulations", "200", "--large", "1000", "--json"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["large"]["simulations"] == 1000
