"""Searches and threads: several in one tree, and who stops, interrupts or asks from outside."""

import signal
import threading
import time

import numpy as np
import pytest
from search_tools import same

import blokus_fast as bf
from blokus_fast.search import MCTS, SearchResult
from blokus_fast.variants import Variant


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("variant", ["duo", "classic"])
def test_threads_share_a_tree(variant: str, threads: int) -> None:
    mcts = MCTS(variant, seed=1, threads=threads)
    board = bf.Board(variant)
    for _ in range(6):
        result = mcts.search(board, simulations=3000, early_stop=False)
        assert result.simulations == 3000
        assert int(result.visits.sum()) - result.reused in (2999, 3000)
        values = result.values[result.visits > 0, result.player]
        assert ((values >= 0) & (values <= 1)).all()
        board.push(result.move)


def test_stop_from_another_thread() -> None:
    mcts = MCTS("classic", seed=1, threads=2)
    timer = threading.Timer(0.2, mcts.stop)
    timer.start()
    begin = time.perf_counter()
    result = mcts.search(bf.Board(), seconds=60)
    assert result.stopped == "stop"
    assert time.perf_counter() - begin < 20
    assert result.simulations > 0
    timer.join()
    # That is over: the next search runs.
    assert mcts.search(bf.Board(), simulations=20, early_stop=False).simulations == 20


def test_stop_from_on_progress() -> None:
    mcts = MCTS("duo", seed=1)
    seen: list[SearchResult] = []

    def look(result: SearchResult) -> None:
        seen.append(result)
        if len(seen) == 3:
            mcts.stop()

    result = mcts.search(bf.Board("duo"), seconds=60, on_progress=look, progress_every=0.01)
    assert result.stopped == "stop"
    assert len(seen) == 3
    assert [r.stopped for r in seen] == ["running"] * 3
    counts = [r.simulations for r in seen] + [result.simulations]
    assert counts == sorted(counts)


def test_an_error_in_on_progress_ends_the_search() -> None:
    mcts = MCTS("duo", seed=1, threads=2)

    def fail(result: SearchResult) -> None:
        raise KeyError("seen enough")

    with pytest.raises(KeyError, match="seen enough"):
        mcts.search(bf.Board("duo"), seconds=60, on_progress=fail, progress_every=0.01)
    assert mcts.result is not None
    assert mcts.result.simulations > 0
    assert mcts.search(bf.Board("duo"), simulations=10, early_stop=False).simulations == 10


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals by time need a POSIX system")
@pytest.mark.parametrize("threads", [1, 2])
def test_interrupts(threads: int) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    mcts = MCTS("duo", seed=1, threads=threads)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        result = mcts.search(bf.Board("duo"), seconds=60, on_interrupt="return")
        assert result.stopped == "interrupt"
        assert result.simulations > 0
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            mcts.search(bf.Board("duo"), seconds=60)
        assert mcts.result is not None
        assert mcts.result.stopped == "interrupt"
    finally:
        signal.signal(signal.SIGALRM, before)


def test_one_search_at_a_time() -> None:
    mcts = MCTS("duo", seed=1)
    problems: list[BaseException] = []

    def meddle(result: SearchResult) -> None:
        for what in (lambda: mcts.search(bf.Board("duo"), simulations=1), mcts.clear):
            try:
                what()
            except RuntimeError as error:
                problems.append(error)
        mcts.stop()

    mcts.search(bf.Board("duo"), seconds=60, on_progress=meddle, progress_every=0.01)
    assert len(problems) == 2


def test_a_search_that_is_refused_leaves_the_result_alone() -> None:
    mcts = MCTS("duo", seed=1)
    other = bf.Board("duo")
    other.push(int(other.legal_ids()[0]))
    turns: list[int] = []

    def meddle(result: SearchResult) -> None:
        with pytest.raises(RuntimeError, match="at work"):
            mcts.search(other, simulations=5)
        assert mcts.result is not None
        turns.append(mcts.result.turn)
        mcts.stop()

    mcts.search(bf.Board("duo"), seconds=60, on_progress=meddle, progress_every=0.01)
    assert turns == [0]


def test_lines_can_be_read_while_searches_begin() -> None:
    mcts = MCTS("duo", seed=1)
    moves = mcts.search(bf.Board("duo"), simulations=500).moves[:10].tolist()
    done = threading.Event()
    problems: list[BaseException] = []

    def read() -> None:
        while not done.is_set():
            for move in moves:
                try:
                    mcts.line(move)
                except (RuntimeError, ValueError) as error:
                    problems.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        board = bf.Board("duo")
        for _ in range(6):
            board.push(mcts.search(board, simulations=200, early_stop=False).move)
    done.set()
    reader.join()
    assert all("just beginning" in str(p) or "move" in str(p) for p in problems)


def test_a_proven_move_is_the_best_one_with_threads_too() -> None:
    small = Variant("small", 6, ("a", "b"), (("a1",), ("f6",)))
    rng = np.random.default_rng(5)
    mcts = MCTS(small, seed=1, threads=4, solve_nodes=0, memory=2**20)
    solved = 0
    for _ in range(300):
        board = bf.Board(small)
        while not board.is_game_over and board.count_legal() > 6:
            board.push(int(rng.choice(board.legal_ids())))
        if board.is_game_over or board.count_legal() < 2:
            continue
        mcts.clear()
        result = mcts.search(board, simulations=2000, early_stop=False)
        if result.solved:
            solved += 1
            own = result.values[:, result.player]
            assert own[result.moves == result.move][0] > np.nanmax(own) - 1e-4
    assert solved > 15


def test_two_objects_search_at_the_same_time() -> None:
    board = bf.Board("duo")
    alone = MCTS("duo", seed=1).search(board, simulations=2000)
    found: list[SearchResult] = []

    def search() -> None:
        found.append(MCTS("duo", seed=1).search(board.copy(), simulations=2000))

    workers = [threading.Thread(target=search) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(same(alone, result) for result in found)
