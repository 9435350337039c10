"""Many threads at once: a board each, shared variants, and objects that refuse a second thread.

All of it must hold with the GIL, too; only a Python without it tries it hard (cp313t, cp314t).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.search import MCTS, BatchMCTS
from blokus_fast.variants import Variant

WITHOUT_GIL = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
THREADS = 8
# What a second thread is told.
REFUSED = "in the middle of another call|at work|just beginning"


def at_once(work: Callable[[int], Any], threads: int = THREADS) -> list[Any]:
    """Let threads begin at the same moment; return what each returned or raised."""
    found: list[Any] = [None] * threads
    barrier = threading.Barrier(threads)

    def run(number: int) -> None:
        barrier.wait()
        try:
            found[number] = work(number)
        except Exception as error:
            found[number] = error

    workers = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return found


def whole_game(variant: Any, seed: int) -> tuple[list[int], int, Any]:
    """Play a game by seed on a board of its own, some moves twice; return what came of it."""
    rng = random.Random(seed)
    board = bf.Board(variant)
    while not board.is_game_over:
        ids = board.legal_ids()
        assert board.legal_mask().sum() == len(ids) == board.count_legal()
        before = board.copy()
        board.push(rng.choice(ids.tolist()))
        if rng.random() < 0.2:
            board.pop()
            assert board == before
    return board.move_stack, board.key(), board.player_scores()


@pytest.mark.skipif(not WITHOUT_GIL, reason="this Python has a GIL")
@pytest.mark.parametrize(
    "module",
    ["blokus_fast", "blokus_fast.search", "blokus_fast.learning", "blokus_fast.records"],
)
def test_the_gil_stays_off(module: str) -> None:
    # Nobody asks for it: what would turn it on again says so with a warning, here an error.
    code = f"import sys, {module}; print(sys._is_gil_enabled())"
    variables = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    done = subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", code],
        capture_output=True, text=True, check=False, env=variables,
    )  # fmt: skip
    assert done.stdout.strip() == "False", done.stderr


@pytest.mark.parametrize("variant", ["duo", "classic", "draft"])
def test_a_board_for_every_thread(variant: str) -> None:
    def play(number: int) -> list[Any]:
        return [whole_game(variant, 10 * number + i) for i in range(3)]

    played = at_once(play)
    assert played == [play(number) for number in range(THREADS)]


@pytest.mark.parametrize("round_", range(10))
def test_threads_share_a_variant_that_nobody_has_used(round_: int) -> None:
    # What is made at first use, tables of the size and rules, is made in all threads at once.
    size = 6 + round_
    variant = Variant(
        f"shared-{round_}", size, ("a", "b"), ((f"a{size}",), (f"{chr(96 + size)}1",))
    )

    def play(number: int) -> Any:
        board = bf.Board(variant)
        batch = bf.BatchBoard(4, variant)
        assert batch[0] == board
        return board.key(), board.legal_ids().tolist(), whole_game(variant, number)

    played = at_once(play)
    assert played == [play(number) for number in range(THREADS)]


def test_one_loop_over_moves_in_many_threads() -> None:
    # Who gets which move is chance, and some may be got twice; but there are no others.
    board = bf.Board("duo")
    legal = set(board.legal_ids().tolist())
    for _ in range(50):
        moves = iter(board.legal_moves)
        found = at_once(lambda number, moves=moves: list(moves))
        assert set().union(*found) <= legal


def test_names_and_texts_from_many_threads() -> None:
    def words(number: int) -> Any:
        game = bf.Game("duo")
        for _ in range(6):
            game.play(game.board.move_text(int(game.board.legal_ids()[number])))
        return bf.position_text(game.board), repr(game.board), game.scores, str(game)

    found = at_once(words)
    assert found == [words(number) for number in range(THREADS)]


def test_a_batch_refuses_a_second_thread() -> None:
    batch = bf.BatchBoard(500, "duo", threads=2)
    expected = batch.playouts(20, seeds=3)

    def ask(number: int) -> Any:
        return batch.playouts(20, seeds=3)

    refused = 0
    for _ in range(50):
        if refused:
            break
        found = at_once(ask, 4)
        refused += sum(isinstance(answer, RuntimeError) for answer in found)
        for answer in found:
            if isinstance(answer, Exception):
                with pytest.raises(RuntimeError, match=REFUSED):
                    raise answer
            else:
                assert np.array_equal(answer, expected)
    assert refused
    assert np.array_equal(batch.playouts(20, seeds=3), expected)


def test_a_batch_makes_no_step_twice() -> None:
    for _ in range(30):
        batch = bf.BatchBoard(64, "duo")
        first = batch.sample_actions(1)

        def step(number: int, batch: bf.BatchBoard = batch, first: Any = first) -> Any:
            return batch.step(first)

        # The others are refused, or come after it: then the same moves are illegal.
        found = at_once(step, 4)
        made = [answer for answer in found if not isinstance(answer, Exception)]
        assert len(made) == 1
        others = [answer for answer in found if answer is not made[0]]
        assert all(isinstance(other, RuntimeError | bf.IllegalMoveError) for other in others)
        assert (batch.ply == 1).all()


def test_a_search_refuses_a_second_thread() -> None:
    mcts = MCTS("duo", seed=1, memory=2**24)
    board = bf.Board("duo")
    begun = threading.Event()

    def search(number: int) -> Any:
        if number == 0:
            return mcts.search(
                board, seconds=60, early_stop=False, progress_every=0.01,
                on_progress=lambda _: begun.set(),
            )  # fmt: skip
        assert begun.wait(60)
        try:
            with pytest.raises(RuntimeError, match="at work in another thread"):
                mcts.search(board.copy(), simulations=10)
            with pytest.raises(RuntimeError, match="at work"):
                mcts.clear()
        finally:
            mcts.stop()

    result, nothing = at_once(search, 2)
    assert nothing is None
    assert board.is_legal(result.move)


def test_searches_that_begin_at_once() -> None:
    mcts = MCTS("duo", seed=1, memory=2**24)
    board = bf.Board("duo")

    def search(number: int) -> Any:
        if number == 3:
            mcts.clear()
            return None
        return mcts.search(board.copy(), simulations=300, early_stop=False)

    for _ in range(30):
        for answer in at_once(search, 4):
            if isinstance(answer, Exception):
                with pytest.raises(RuntimeError, match=REFUSED):
                    raise answer
            elif answer is not None:
                assert board.is_legal(answer.move)


def test_a_tree_is_read_while_searches_begin() -> None:
    """Readers see a whole tree or are refused; never one that is thrown away below them."""
    mcts = MCTS("duo", seed=1, memory=2**24)
    moves = mcts.search(bf.Board("duo"), simulations=300).moves.tolist()
    done = threading.Event()

    def work(number: int) -> Any:
        if number == 0:
            for i in range(60):
                board = bf.Board("duo")
                board.push(moves[i % 5])
                mcts.search(board, simulations=80, early_stop=False)
                mcts.clear()
                mcts.search(bf.Board("duo"), simulations=80, early_stop=False)
            done.set()
            return 0
        read = 0
        while not done.is_set():
            for move in moves[:20]:
                try:
                    line = mcts.line(move)
                except (RuntimeError, ValueError):
                    continue
                assert line[0] == move
                read += 1
        return read

    found = at_once(work, 3)
    assert found[0] == 0, found
    assert all(isinstance(read, int) and read > 0 for read in found[1:]), found


def test_trees_refuse_a_second_thread() -> None:
    trees = BatchMCTS("duo", 8, seed=1)
    players = trees.variant.players
    taken = refused = 0
    for _ in range(30):
        trees.set_all(simulations=20)
        for answer in at_once(lambda number: trees.collect(8), 4):
            if isinstance(answer, Exception):
                with pytest.raises(RuntimeError):
                    raise answer
                refused += 1
            elif answer:
                leaves = answer
                taken += 1
        # Whoever took leaves took all: nobody was handed the same ones.
        assert sorted(leaves.trees.tolist()) == list(range(8))
        trees.apply(np.ones(len(leaves.ids)), np.full((len(leaves), players), 1 / players))
    assert taken == 30
    assert refused
