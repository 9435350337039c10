"""The tree search: limits, results, the tree that is kept, threads, memory, bad input."""

import math
import signal
import threading
import time

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast import _core
from blokus_fast.search import MCTS, Parameters, RootRule, SearchResult
from blokus_fast.variants import Variant

VARIANTS = tuple(bf.VARIANTS)
TWO_PLAYERS = ("duo", "classic-2p", "junior", "draft-2p", "software-challenge-2027")
IN_USE = bf.cpu_info()["kernel"]


def played(variant: str | Variant, plies: int, seed: int = 1) -> bf.Board:
    """Return a board after some moves by chance."""
    rng = np.random.default_rng(seed)
    board = bf.Board(variant)
    for _ in range(plies):
        if board.is_game_over:
            break
        board.push(int(rng.choice(board.legal_ids())))
    return board


def near_the_end(variant: str | Variant, most: int, seed: int = 1) -> bf.Board:
    """Return the first position of a game by chance in which at most so many moves are legal."""
    rng = np.random.default_rng(seed)
    board = bf.Board(variant)
    while not board.is_game_over:
        counts = [board.count_legal(color=c) for c in range(board.n_colors)]
        if sum(counts) <= most:
            return board
        board.push(int(rng.choice(board.legal_ids())))
    raise AssertionError("no such position in this game")


def same(one: SearchResult, other: SearchResult) -> bool:
    """Say whether two results are the same but for their times."""
    arrays = ("moves", "visits", "values", "scores", "priors", "proven", "value", "score")
    return one.pv == other.pv and all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name != "proven")
        for name in arrays
    )


# -- results -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_results_are_whole_in_every_variant(variant: str) -> None:
    for plies in (0, 7, 30, 200):
        board = played(variant, plies)
        if board.is_game_over:
            continue
        before = board.copy()
        result = MCTS(variant, seed=3).search(board, simulations=150, early_stop=False)
        assert board == before
        assert sorted(result.moves.tolist()) == board.legal_ids().tolist()
        if len(result.moves) == 1:
            assert result.stopped == "only move"
            continue
        if result.stopped != "solved":
            assert result.simulations == 150
        assert int(result.visits.sum()) == result.simulations
        assert result.visits.tolist() == sorted(result.visits.tolist(), reverse=True)
        assert board.is_legal(result.move)
        assert math.isclose(float(result.priors.sum()), 1, rel_tol=1e-4)
        seen = result.visits > 0
        assert (np.isnan(result.values).any(axis=1) == ~seen).all()
        assert ((result.values[seen] >= 0) & (result.values[seen] <= 1)).all()
        # Shares of a win add up to 1, and so do values with a margin of two players.
        if board.n_players == 2:
            assert np.allclose(result.values[seen].sum(axis=1), 1, atol=1e-4)
        assert result.player == board.player
        assert result.turn == board.turn
        # The principal variation can be played.
        for move in result.pv:
            board.push(move)
        assert result.depth >= len(result.pv) - 1 or result.solved


def test_the_values_of_the_root_are_those_of_its_moves() -> None:
    board = bf.Board("classic-3p")
    result = MCTS("classic-3p", seed=1).search(board, simulations=3000)
    weights = result.visits[result.visits > 0]
    values = result.values[result.visits > 0]
    assert np.allclose(
        (weights[:, None] * values).sum(axis=0) / weights.sum(), result.value, atol=1e-4
    )
    scores = result.scores[result.visits > 0]
    assert np.allclose(
        (weights[:, None] * scores).sum(axis=0) / weights.sum(), result.score, atol=1e-2
    )


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-2p", "draft-3p"])
def test_every_player_goes_for_his_own_value(variant: str) -> None:
    """Whoever is to move, what is visited most is better for him than what is visited less."""
    board = bf.Board(variant)
    while board.is_drafting:
        board.push(int(board.legal_ids()[0]))
    seen = set()
    for _ in range(2 * board.n_colors):
        # Less sure of its prior, so that it looks at several moves.
        mcts = MCTS(variant, seed=1, prior_temperature=4.0)
        result = mcts.search(board, simulations=4000, early_stop=False)
        values = result.values[result.visits > 20, result.player]
        assert len(values) > 1
        assert values[0] > values.mean()
        seen.add(result.player)
        board.push(result.move)
    assert seen == set(range(board.n_players))


def test_a_move_that_wins_at_once_is_found() -> None:
    """On a tiny board: whoever places the long piece has won."""
    tiny = Variant("tiny", 5, ("a", "b"), (("a5",), ("e1",)), pieces=(("1", "I5", "2"),) * 2)
    result = MCTS(tiny, seed=1).search(bf.Board(tiny), simulations=4000)
    board = bf.Board(tiny)
    assert board.move(result.move).piece == "I5"


def test_table_and_share() -> None:
    result = MCTS("duo", seed=1).search(bf.Board("duo"), simulations=300, early_stop=False)
    rows = result.table(4)
    assert len(rows) == 4
    assert rows[0]["move"] == result.move
    assert [row["visits"] for row in rows] == result.visits[:4].tolist()
    assert math.isclose(float(result.share.sum()), 1, rel_tol=1e-5)
    assert len(result.table(10**6)) == len(result.moves)
    assert result.table(0) == []
    assert "300 simulations" in repr(result)


# -- the same again ----------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["duo", "classic", "draft-3p", "software-challenge-2027"])
def test_a_seed_decides(variant: str) -> None:
    board = played(variant, 9)
    one = MCTS(variant, seed=5).search(board, simulations=800)
    again = MCTS(variant, seed=5).search(board, simulations=800)
    other = MCTS(variant, seed=6).search(board, simulations=800)
    assert same(one, again)
    assert not same(one, other)


@pytest.mark.parametrize("variant", ["duo", "classic-2p", "junior", "software-challenge-2027"])
def test_every_kernel_finds_the_same(variant: str) -> None:
    board = played(variant, 8)
    results = {}
    try:
        for kernel in bf.cpu_info()["supported"]:
            _core._use_kernel(kernel)
            results[kernel] = MCTS(variant, seed=2).search(board, simulations=400)
    finally:
        _core._use_kernel(IN_USE)
    first = results.pop("portable")
    assert all(same(first, other) for other in results.values())


def by_move(result: SearchResult) -> np.ndarray:
    return result.priors[np.argsort(result.moves)]


@pytest.mark.parametrize("variant", ["duo", "classic-3p", "draft-2p"])
def test_noise_mixes_into_the_priors_of_every_root(variant: str) -> None:
    board = played(variant, 4)
    plain = MCTS(variant, seed=1)
    noisy = MCTS(variant, seed=1, root=RootRule(noise=0.25))
    other = MCTS(variant, seed=2, root=RootRule(noise=0.25))
    # The second time the tree is there already, and has to get noise of its own.
    for _ in range(2):
        results = [mcts.search(board, simulations=100) for mcts in (plain, noisy, other)]
        before, after, others = map(by_move, results)
        assert math.isclose(after.sum(), 1, rel_tol=1e-4)
        assert not np.allclose(before, after)
        assert not np.allclose(after, others)
        # A quarter is all that it can take away.
        assert (after >= 0.75 * before - 1e-6).all()
        board.push(results[1].move)


def test_noise_is_at_the_root_only_and_the_same_again() -> None:
    board, rule = played("duo", 4), RootRule(noise=1.0, noise_alpha=0.5)
    one, again = (MCTS("duo", seed=3, root=rule) for _ in range(2))
    assert same(one.search(board, simulations=500), again.search(board, simulations=500))
    # Below it the search decides as ever: two searches that begin below find the same.
    quiet = MCTS("duo", seed=3).search(board, simulations=500)
    assert not same(one.result, quiet)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_is_cleared_with_a_seed_is_a_new_one(threads: int) -> None:
    board = played("duo", 6)
    rule = RootRule(noise=0.25)
    new = MCTS("duo", seed=7, root=rule, threads=threads)
    used = MCTS("duo", seed=1, root=rule, threads=threads)
    for plies in (0, 10, 20):
        used.search(played("duo", plies), simulations=300)
    used.clear(seed=7)
    assert used.seed == 7
    if threads > 1:
        # Threads meet by chance: it plays, and that is all that can be said.
        assert used.search(board, simulations=300).reused == 0
        return
    for simulations in (300, 200):
        assert same(
            new.search(board, simulations=simulations), used.search(board, simulations=simulations)
        )
    # Without a seed only the tree is forgotten.
    used.clear()
    assert not same(
        new.search(played("duo", 0), simulations=99), used.search(board, simulations=99)
    )


# -- limits ------------------------------------------------------------------------------------


def test_time_is_a_limit() -> None:
    mcts = MCTS("duo", seed=1)
    begin = time.perf_counter()
    result = mcts.search(bf.Board("duo"), seconds=0.1, early_stop=False)
    assert result.stopped == "time"
    assert result.simulations > 10
    assert 0.09 < time.perf_counter() - begin < 2


@pytest.mark.parametrize("seconds", [0, 0.0, 1e-9])
def test_a_time_that_is_over_still_finds_a_move(seconds: float) -> None:
    board = bf.Board("classic")
    result = MCTS("classic", seed=1).search(board, seconds=seconds)
    assert board.is_legal(result.move)
    assert 1 <= result.simulations <= 64


def test_the_first_of_two_limits_counts() -> None:
    mcts = MCTS("duo", seed=1)
    board = bf.Board("duo")
    assert mcts.search(board, simulations=50, seconds=60).stopped == "simulations"
    assert (
        mcts.search(board, simulations=2**31 - 1, seconds=0.05, early_stop=False).stopped == "time"
    )


def test_a_search_ends_early_when_the_best_move_cannot_change() -> None:
    board = near_the_end("duo", 60)
    mcts = MCTS("duo", seed=1, solve_nodes=0)
    long = mcts.search(board, simulations=200_000)
    if long.stopped == "decided":
        assert long.simulations < 200_000
        first, second = long.visits[:2].tolist()
        assert first - second > 200_000 - long.simulations - 1000
    else:
        assert long.stopped == "solved"
    mcts.clear()
    board = bf.Board("duo")
    one = mcts.search(board, simulations=2000, early_stop=False)
    assert one.simulations == 2000


def test_one_legal_move_is_no_search() -> None:
    rng = np.random.default_rng(4)
    board = bf.Board("duo")
    while board.count_legal() != 1:
        board.push(int(rng.choice(board.legal_ids())))
        if board.is_game_over:
            board = bf.Board("duo")
    result = MCTS("duo", seed=1).search(board, seconds=60)
    assert result.stopped == "only move"
    assert result.seconds < 10
    assert result.move == board.legal_ids()[0]
    assert result.pv[0] == result.move


def test_an_ending_is_proven() -> None:
    """The exact values are those of a full search by brute force."""
    solved = 0
    for variant in ("duo", "junior", "classic-2p"):
        for seed in range(1, 6):
            board = near_the_end(variant, 14, seed)
            # With the solver, or by the tree alone.
            nodes = 200 if seed % 2 else 0
            mcts = MCTS(variant, seed=1, margin=0.5, solve_nodes=nodes)
            result = mcts.search(board, simulations=100_000)
            if len(result.moves) == 1 or not result.solved:
                continue
            solved += 1
            best = brute_force(board)
            margin = result.score[board.player] - result.score[1 - board.player]
            assert result.stopped == "solved"
            assert float(margin) == best, (variant, seed)
            assert result.proven.all() or result.proven[result.moves == result.move].all()
    assert solved >= 8


def brute_force(board: bf.Board) -> int:
    """Return the best margin of the player to move."""
    if board.is_game_over:
        raise AssertionError
    me = board.player
    best = -1000
    for move in board.legal_ids().tolist():
        board.push(move)
        if board.is_game_over:
            scores = board.player_scores()
            margin = scores[me] - scores[1 - me]
        else:
            margin = brute_force(board) * (1 if board.player == me else -1)
        board.pop()
        best = max(best, margin)
    return best


# -- the tree that is kept -----------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_tree_is_kept_from_move_to_move(variant: str) -> None:
    mcts = MCTS(variant, seed=1)
    board = bf.Board(variant)
    result = mcts.search(board, simulations=600, early_stop=False)
    assert result.reused == 0
    board.push(result.move)
    visits = int(result.visits[result.moves == result.move][0])
    again = mcts.search(board, simulations=100, early_stop=False)
    # The visit that made the position was none of its moves.
    assert visits - 1 <= again.reused <= visits
    assert int(again.visits.sum()) in (again.reused + 99, again.reused + 100)


def test_the_tree_is_kept_over_an_unexpected_move_and_over_skips() -> None:
    mcts = MCTS("duo", seed=1)
    board = played("duo", 4)
    first = mcts.search(board, simulations=3000, early_stop=False)
    unexpected = int(first.moves[2])
    board.push(unexpected)
    second = mcts.search(board, simulations=500, early_stop=False)
    assert second.reused >= int(first.visits[2]) - 1 > 0
    # Two moves at once; set up from text, so that the board knows no moves.
    board.push(second.move)
    reply = mcts.search(board, simulations=300, early_stop=False).move
    board.push(reply)
    fresh = bf.Board.from_text(bf.position_text(board))
    assert mcts.search(fresh, simulations=10, early_stop=False).reused > 0
    # A skip changes who is next: whole games with one object never lose the tree by it.
    for seed in (1, 2, 3):
        board = near_the_end("classic", 300, seed)
        mcts = MCTS("classic", seed=1)
        result = mcts.search(board, simulations=2000, early_stop=False)
        kept = 0
        while not board.is_game_over and result.stopped not in ("solved", "only move"):
            board.push(result.move)
            if board.is_game_over:
                break
            result = mcts.search(board, simulations=200, early_stop=False)
            kept += result.reused > 0
        assert kept > 0 or board.is_game_over or result.stopped in ("solved", "only move")


def test_another_position_begins_a_new_tree() -> None:
    mcts = MCTS("duo", seed=1)
    mcts.search(played("duo", 6), simulations=500)
    assert mcts.search(played("duo", 6, seed=9), simulations=50).reused == 0
    board = played("duo", 6)
    one = MCTS("duo", seed=1).search(board, simulations=50)
    mcts = MCTS("duo", seed=1)
    mcts.search(board, simulations=50)
    mcts.clear()
    assert mcts.search(board, simulations=50).reused == 0
    assert one.reused == 0


def test_what_is_kept_is_what_was_there() -> None:
    """Values and visits below the new root are those from before, in a tree that was moved."""
    mcts = MCTS("classic-2p", seed=1)
    board = bf.Board("classic-2p")
    result = mcts.search(board, simulations=20_000, early_stop=False)
    variation = result.pv
    value = result.values[result.moves == result.move][0]
    board.push(result.move)
    again = mcts.search(board, simulations=1, early_stop=False)
    assert np.allclose(again.value, value, atol=0.01)
    # The tree goes on where it was: the same replies are the best.
    assert again.pv[:3] == variation[1:4]
    assert again.nodes < result.nodes
    assert again.memory < result.memory


@pytest.mark.parametrize("variant", ["classic", "duo", "software-challenge-2027"])
def test_one_position_can_be_searched_again_and_again(variant: str) -> None:
    """The root that was made anew has edges behind its children; nothing of it is lost."""
    board = bf.Board(variant)
    mcts = MCTS(variant, seed=1)
    nodes = 0
    for number in range(6):
        result = mcts.search(board, simulations=1000, early_stop=False)
        assert result.reused == 1000 * number
        assert int(result.visits.sum()) == 1000 * (number + 1)
        assert result.nodes > nodes
        assert sorted(result.moves.tolist()) == board.legal_ids().tolist()
        nodes = result.nodes


def test_the_root_has_all_moves_again_after_it_was_kept() -> None:
    mcts = MCTS("classic", seed=1, candidates=5)
    board = bf.Board("classic")
    board.push(mcts.search(board, simulations=3000).move)
    result = mcts.search(board, simulations=50)
    assert result.reused > 0
    assert sorted(result.moves.tolist()) == board.legal_ids().tolist()


# -- memory ------------------------------------------------------------------------------------


def test_memory_is_bounded() -> None:
    mcts = MCTS("duo", seed=1, memory=2**18)
    board = bf.Board("duo")
    result = mcts.search(board, simulations=30_000, early_stop=False)
    assert result.full
    assert result.memory <= 2**18
    assert int(result.visits.sum()) == 30_000
    # It goes on from there, and from the next position.
    board.push(result.move)
    again = mcts.search(board, simulations=3000, early_stop=False)
    assert again.memory <= 2**18
    assert board.is_legal(again.move)


def test_memory_that_is_too_small_is_an_error() -> None:
    mcts = MCTS("software-challenge-2027", seed=1, memory=2**14)
    board = bf.Board("software-challenge-2027")
    assert board.count_legal() > 2**14 // 8
    with pytest.raises(ValueError, match="memory is too small"):
        mcts.search(board, simulations=10)
    assert mcts.result is None
    # It is fit for other positions.
    late = near_the_end("software-challenge-2027", 200)
    assert late.is_legal(mcts.search(late, simulations=10).move)
    with pytest.raises(ValueError, match=r"memory must be in 16384"):
        MCTS("duo", memory=2**14 - 1)


def test_whole_games_in_little_memory() -> None:
    mcts = MCTS("duo", seed=1, memory=2**17)
    board = bf.Board("duo")
    while not board.is_game_over:
        board.push(mcts.search(board, simulations=500).move)


# -- threads, and other ways to end -----------------------------------------------------------


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


def test_a_solved_position_has_its_line_to_the_end() -> None:
    ended = 0
    for seed in range(1, 9):
        board = near_the_end("duo", 12, seed)
        result = MCTS("duo", seed=1).search(board, simulations=2000)
        if result.stopped != "solved" or result.simulations > 1:
            continue
        for move in result.pv:
            board.push(move)
        assert board.is_game_over
        assert result.score.tolist() == list(board.player_scores())
        ended += 1
    assert ended > 3


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


# -- parts that can be switched ----------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"replies": False},
        {"local": False},
        {"largest_first": False},
        {"candidates": 0},
        {"candidates": 1},
        {"candidate_logits": 0.0},
        {"expand_visits": 5},
        {"unvisited_root": False},
        {"unvisited_visits": 0.0},
        {"exploration": 2.0},
        {"margin": 1.0},
        {"margin_scale": 1.0},
        {"prior_temperature": 3.0},
    ],
    ids=str,
)
def test_parameters_matter(change: dict[str, float]) -> None:
    board = played("duo", 6)
    usual = MCTS("duo", seed=1).search(board, simulations=600)
    other = MCTS("duo", seed=1, **change).search(board, simulations=600)
    assert not same(usual, other)
    assert board.is_legal(other.move)


def test_reverse_is_played_to_lose() -> None:
    """The lowest score wins: values follow the other sign."""
    board = bf.Board("duo", scoring="reverse")
    mcts = MCTS("duo", scoring="reverse", seed=1)
    with pytest.raises(ValueError, match="this search is for duo"):
        mcts.search(bf.Board("duo"), simulations=10)
    totals = [0, 0]
    for seat in (0, 1, 0, 1):
        board = bf.Board("duo", scoring="reverse")
        rng = np.random.default_rng(len(totals) + totals[0])
        while not board.is_game_over:
            move = int(rng.choice(board.legal_ids()))
            if board.player == seat:
                move = mcts.search(board, simulations=1000).move
            board.push(move)
        scores = board.player_scores()
        totals[0] += scores[seat]
        totals[1] += scores[1 - seat]
    assert totals[0] < totals[1]


def test_a_voluntary_pass_is_a_move_like_any_other() -> None:
    board = played("software-challenge-2027", 8)
    assert board.legal_ids()[-1] == board.n_moves
    result = MCTS("software-challenge-2027", seed=1).search(board, simulations=2000)
    passing = result.moves == board.n_moves
    assert passing.sum() == 1
    # Nothing is gained by it here, and the search knows.
    assert result.move != board.n_moves


# -- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, ValueError, "how long"),
        ({"simulations": 0}, ValueError, "simulations must be in 1..2147483647, not 0"),
        ({"simulations": -5}, ValueError, "not -5"),
        ({"simulations": 2**40}, ValueError, "not 1099511627776"),
        ({"simulations": 1.5}, TypeError, "float"),
        ({"seconds": "1"}, TypeError, "seconds must be a number, not '1'"),
        ({"seconds": True}, TypeError, "seconds must be a number, not True"),
        ({"seconds": -1}, ValueError, "seconds must be 0 or more, not -1"),
        ({"seconds": math.nan}, ValueError, "not nan"),
        ({"simulations": 5, "progress_every": 0}, ValueError, "progress_every must be above 0"),
        ({"simulations": 5, "on_interrupt": "ignore"}, ValueError, "not 'ignore'"),
    ],
    ids=str,
)
def test_bad_limits(arguments: dict[str, float], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        MCTS("duo", seed=1).search(bf.Board("duo"), **arguments)


def test_bad_boards() -> None:
    mcts = MCTS("duo", seed=1)
    with pytest.raises(TypeError, match="board must be a Board, not Game"):
        mcts.search(bf.Game("duo"), simulations=1)
    with pytest.raises(ValueError, match="this search is for duo"):
        mcts.search(bf.Board("classic"), simulations=1)
    over = played("duo", 500)
    assert over.is_game_over
    with pytest.raises(ValueError, match="the game is over"):
        mcts.search(over, simulations=1)
    # An infinite time ends by other means.
    assert mcts.search(bf.Board("duo"), simulations=5, seconds=math.inf).simulations == 5


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"threads": 0}, ValueError, "threads must be in 1..1024, not 0"),
        ({"threads": 5000}, ValueError, "not 5000"),
        ({"memory": 1000}, ValueError, "memory must be in"),
        ({"weights": "strong"}, TypeError, "weights must be a Weights, not str"),
        ({"parameters": {}}, TypeError, "parameters must be a Parameters, not dict"),
        ({"exploration": -1.0}, ValueError, "exploration must be in 0..1000000000, not -1"),
        ({"exploration": math.nan}, ValueError, "not nan"),
        ({"candidates": 1.5}, TypeError, "candidates must be an integer, not 1.5"),
        ({"replies": 1}, TypeError, "replies must be True or False, not 1"),
        ({"margin": "big"}, TypeError, "margin must be a number, not 'big'"),
        ({"speed": 1}, TypeError, "speed"),
        ({"root": {}}, TypeError, "root must be a RootRule, not dict"),
        ({"root": RootRule(considered=4)}, ValueError, "considered must be 0, not 4"),
    ],
    ids=str,
)
def test_bad_arguments(arguments: dict[str, object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        MCTS("duo", **arguments)


def test_parameters_take_numbers_of_any_library() -> None:
    parameters = Parameters(exploration=np.float32(0.5), candidates=np.int64(7))
    assert parameters == Parameters(exploration=0.5, candidates=7)
    assert isinstance(parameters.exploration, float)
    assert isinstance(parameters.candidates, int)
