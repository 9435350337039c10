"""Nothing that Python can call corrupts memory or never returns; what is wrong is said in words."""

import inspect
import pickle
import signal
import sys
import threading
import time

import numpy as np
import pytest
from helpers import output_of

import blokus_fast as bf
from blokus_fast import _core, moves, scoring

# -- unchecked moves -----------------------------------------------------------------------------


def test_unchecked_actions_of_another_phase_are_refused() -> None:
    board = bf.Board("draft-2p")
    before = board._state_bytes()
    with pytest.raises(bf.IllegalMoveError, match="a placement in the draft phase"):
        board.push_unchecked(0)
    assert board._state_bytes() == before
    played = bf.Board("draft-2p", hands=[{0: ["1"]}, {0: ["2"]}])
    with pytest.raises(bf.IllegalMoveError, match="a pick in the play phase"):
        played.push_unchecked(4 * board.n_moves)
    assert bf.playouts(board, 1, seed=1).shape == (1, 2)


UNCHECKED = """
import random
import blokus_fast as bf
rng = random.Random(7)
for name in bf.VARIANTS:
    for seed in range(4):
        board = bf.Board(name)
        while not board.is_game_over and board.ply < 300:
            try:
                board.push_unchecked(rng.randrange(board.n_actions))
            except ValueError:
                board.push(int(rng.choice(board.legal_ids())))
            if rng.random() < 0.2:
                bf.playouts(board, 2, seed=seed)
                board.legal_mask(), board.key(), board.grid(), board.player_scores()
                board.count_legal(0), board.any_legal(0)
                bf.Observer(name).observe(board)
        while board.move_stack:
            board.pop()
        assert board == bf.Board(name)
"""


def test_unchecked_moves_break_a_position_but_nothing_else() -> None:
    """Pieces on top of others, pieces that nobody has: every loop ends all the same."""
    output_of(sys.executable, "-P", "-c", UNCHECKED, timeout=300)


# -- batches --------------------------------------------------------------------------------------


def test_a_batch_in_two_threads_is_refused() -> None:
    """Of many calls at once some go through and the others say why; nothing crashes."""
    batch = bf.BatchBoard(3000, "duo", threads=2)
    problems: list[BaseException] = []
    refused = 0
    stop = threading.Event()

    def work() -> None:
        nonlocal refused
        while not stop.is_set():
            try:
                ids, offsets = batch.legal_ids()
                assert offsets[-1] == len(ids)
                batch.legal_mask()
                batch.step(batch.sample_actions(3))
                batch.playouts(1)
                batch.reset()
            except RuntimeError:
                refused += 1
            except bf.IllegalMoveError:
                pass  # somebody else has moved meanwhile
            except BaseException as error:
                problems.append(error)
                return

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    # Until they have met, however little of the processor they get.
    begin = time.monotonic()
    while time.monotonic() - begin < (60 if not refused else 2) and not problems:
        time.sleep(0.1)
    stop.set()
    for worker in workers:
        worker.join(60)
    assert not problems
    assert refused > 0
    batch.reset()
    assert batch == bf.BatchBoard(3000, "duo")


IN_A_HANDLER = """
import os, signal, threading, time
import blokus_fast as bf
batch = bf.BatchBoard(4000, "classic")
seen = []
def handler(number, frame):
    try:
        batch.step(batch.sample_actions(1))
    except RuntimeError as error:
        seen.append(str(error))
signal.signal(signal.SIGUSR1, handler)
def poke():
    for _ in range(40):
        time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGUSR1)
threading.Thread(target=poke, daemon=True).start()
end = time.time() + 2
while time.time() < end:
    batch.playouts(1)
assert seen and "in the middle of another call" in seen[0], seen[:1]
"""


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="there are no such signals here")
def test_a_signal_handler_cannot_use_a_batch_in_the_middle_of_a_call() -> None:
    output_of(sys.executable, "-P", "-c", IN_A_HANDLER, timeout=120)


def test_what_another_thread_writes_meanwhile_does_no_harm() -> None:
    """Actions, ids and weights are the caller's arrays, and read without the GIL."""
    batch = bf.BatchBoard(2000, "duo")
    board = bf.Board("classic")
    actions = batch.sample_actions(1)
    good = actions.copy()
    ids = board.legal_ids()
    weights = np.ones(21, np.uint32)
    stop = threading.Event()

    def scribble() -> None:
        rng = np.random.default_rng(1)
        while not stop.is_set():
            actions[rng.integers(2000, size=50)] = rng.integers(-(2**31), 2**31 - 1, 50)
            ids[rng.integers(len(ids), size=9)] = rng.integers(-(2**31), 2**31 - 1, 9)
            weights[:] = rng.integers(0, 2**32 - 1, 21)
            actions[:] = good

    thread = threading.Thread(target=scribble)
    thread.start()
    end = time.monotonic() + 1.5
    arrays = [np.empty(len(ids), np.int8) for _ in range(3)]
    taken, distance = np.empty((len(ids), 4), np.int8), np.empty(len(ids), np.float32)
    while time.monotonic() < end:
        batch.reset()
        batch._step(actions)
        _core._move_features(board, 0, ids, *arrays, taken, distance)
        out = np.empty((20, 2), np.int32)
        _core._playouts(bf.Board("duo"), 1, 0, out, weights, None, np.zeros(1, np.uint8))
    stop.set()
    thread.join()
    batch.reset()
    assert batch == bf.BatchBoard(2000, "duo")


class Changing:
    """An integer that is another one each time it is asked."""

    def __init__(self, *values: int) -> None:
        self.values = list(values)

    def __index__(self) -> int:
        return self.values.pop(0) if len(self.values) > 1 else self.values[0]


def test_an_integer_that_changes_is_asked_once() -> None:
    board = bf.Board("duo")
    far = 10**9
    assert board.hand(Changing(0, far)) == board.hand(0)
    assert board.is_legal(Changing(60, far)) == board.is_legal(60)
    assert board.count_legal(Changing(1, far)) == board.count_legal(1)
    batch = bf.BatchBoard(3, "duo")
    assert batch[Changing(2, far)] == board
    board.push(Changing(60, far))
    assert board.peek() == 60
    draft = bf.Board("draft-2p")
    assert draft.hand(0, Changing(1, far)) == (0,) * 21


def test_arrays_that_are_not_aligned_are_refused() -> None:
    board = bf.Board("duo")
    memory = np.zeros(4 * 1000 + 1, np.uint8)
    odd = memory[1:].view(np.int32)
    assert not odd.flags.aligned
    with pytest.raises(ValueError, match="aligned"):
        board.legal_ids(out=odd)
    batch = bf.BatchBoard(10, "duo")
    for call in (
        lambda out: batch.count_legal(out),
        lambda out: batch.sample_actions(1, out=out),
        lambda out: batch.status(turn=out),
    ):
        with pytest.raises(ValueError, match="aligned"):
            call(odd[:10])


# -- values ----------------------------------------------------------------------------------------


class MyBoard(bf.Board):
    """A board of somebody's own."""


class MyBatch(bf.BatchBoard):
    """A batch of somebody's own."""


class MyGame(bf.Game):
    """A game of somebody's own."""


@pytest.mark.parametrize(
    "make", [lambda: MyBoard("duo"), lambda: MyBatch(3, "duo"), lambda: MyGame("duo")]
)
def test_copies_and_pickles_keep_the_class_and_its_attributes(make) -> None:
    import copy

    thing = make()
    thing.note = ["mine"]
    board = thing.board if isinstance(thing, bf.Game) else thing
    if isinstance(thing, bf.BatchBoard):
        thing.step(thing.sample_actions(1))
    else:
        board.push(board.parse_move("e10"))
    for again in (thing.copy(), copy.copy(thing), copy.deepcopy(thing)):
        assert type(again) is type(thing)
        assert again.note == ["mine"]
    assert copy.deepcopy(thing).note is not thing.note
    again = pickle.loads(pickle.dumps(thing))
    assert type(again) is type(thing)
    assert again.note == ["mine"]
    if isinstance(thing, bf.Game):
        assert again.history == thing.history
        assert again.play("j5") == thing.play("j5")
    else:
        assert again == thing


def changed(board: bf.Board, place: int, value: object) -> None:
    """Rebuild a board from a pickle of which one thing was changed."""
    restore, (version, variant, origin, stack) = board.__reduce__()
    values = list(origin)
    values[place] = value
    restore(version, variant, tuple(values), stack)


def test_changed_pickles_are_refused() -> None:
    board = bf.set_up("duo", {"purple": ["e10,f10"], "orange": ["j5"]}, turn="purple")
    (purple, orange), *_ = tuple(board.__reduce__()[1][2])
    full = tuple(bf.variant("duo").hands)
    with pytest.raises(bf.InvalidPositionError, match="for the second time"):
        changed(board, 0, ((*purple, *purple), orange))
    with pytest.raises(bf.InvalidPositionError, match="not this color's alone"):
        changed(board, 0, (purple, purple))
    with pytest.raises(bf.InvalidPositionError, match="2 of the piece 2 on the board and in hand"):
        changed(board, 1, full)
    with pytest.raises(bf.InvalidPositionError, match="move id 99999 is out of range"):
        changed(board, 0, ((99999,), orange))
    with pytest.raises(bf.InvalidPositionError, match="the monomino cannot be the last piece"):
        changed(board, 4, 1)
    with pytest.raises(bf.InvalidPositionError, match="do not fit the pieces"):
        changed(board, 6, (7, 0, 1, 0))
    draft = bf.Board("draft-2p", hands=[{0: ["1"]}, {0: ["2"]}])
    with pytest.raises(bf.InvalidPositionError, match="which is not how many lie on the board"):
        changed(draft, 5, (3, 0))
    with pytest.raises(bf.InvalidPositionError, match="placed 70000 is out of range"):
        changed(draft, 5, (70000, 0))


def test_the_view_of_legal_moves_is_not_pickled() -> None:
    with pytest.raises(TypeError, match="a view: pickle the board"):
        pickle.dumps(bf.Board("duo").legal_moves)


def test_symmetries_of_many_variants_are_not_kept() -> None:
    from blokus_fast.learning import symmetry

    for number in range(40):
        bf.symmetries(bf.Variant(f"own {number}", 4, ["a", "b"], [["a4"], ["d1"]]))
    assert symmetry._find.cache_info().currsize <= 16


# -- arguments -----------------------------------------------------------------------------------

ODD = [
    None,
    2**70,
    -(2**70),
    -1,
    1.5,
    "x",
    "",
    np.int8(3),
    np.uint64(2**63),
    object(),
    [],
    (),
    b"x",
]
ALLOWED = (TypeError, ValueError, IndexError, MemoryError)


def calls():
    """Yield functions of one or two odd arguments: most of what is public."""
    board, batch, game = bf.Board("duo"), bf.BatchBoard(2, "duo"), bf.Game("duo")
    observer, group = bf.Observer("duo", groups=["own"]), bf.symmetries("duo")
    draft = bf.Board("draft-2p")
    for thing in (board, draft, batch, game, observer, group, group[1], bf.variant("duo")):
        for name, method in inspect.getmembers(thing, callable):
            if not name.startswith("_") and name not in ("playouts", "reward"):
                yield f"{type(thing).__name__}.{name}", method
    for name in ("__getitem__", "__contains__"):
        yield f"batch.{name}", getattr(batch, name, len)
    yield "batch[]", lambda x: batch[x]
    yield "batch.__setitem__", lambda x: batch.__setitem__(x, board)
    yield "group[]", lambda x: group[x]
    for module in (bf, moves, scoring):
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and name not in ("playouts", "get_include", "BatchBoard"):
                yield name, thing
    yield "BatchBoard", lambda x: bf.BatchBoard(x if not isinstance(x, np.uint64) else 1, "duo")
    yield "playouts", lambda x: bf.playouts(board, x if x is not np.uint64(2**63) else 1)
    yield "playouts seed", lambda x: bf.playouts(board, 1, seed=x)
    yield "perft", lambda x: bf.perft(board, min(x, 2) if isinstance(x, np.int8) else x)
    yield "move_features", lambda x: bf.move_features(board, x)
    yield "move_features color", lambda x: bf.move_features(board, color=x)
    yield "set_up", lambda x: bf.set_up("duo", {0: x})
    yield "hands", lambda x: bf.set_up("duo", {}, hands={0: x})
    yield "set_up turn", lambda x: bf.set_up("duo", {}, turn=x)
    yield "deal", lambda x: bf.Board("draft-2p", hands=[{0: x}, {}])
    yield "step", lambda x: batch.step([x, -1])
    yield "status", lambda x: batch.status(turn=x)
    yield "take", lambda x: batch.take([x])
    yield "weights", lambda x: bf.playouts(board, 1, piece_weights=x)
    yield "parse_square", lambda x: moves.parse_square("j5", x)
    yield "square_text", lambda x: moves.square_text(5, x)
    yield "Move size", lambda x: bf.Move(5, size=x)
    yield "Move color", lambda x: board.is_legal(bf.Move(5, size=14, color=x))
    yield "Pass", lambda x: bf.Pass(x, 14)
    yield "Pick", lambda x: bf.Pick(5 * 30433, n_colors=x)


@pytest.mark.parametrize(("name", "call"), [pytest.param(*c, id=c[0]) for c in calls()])
def test_odd_arguments_raise_what_is_documented(name: str, call) -> None:
    """A result, or TypeError, ValueError (and its kind) or IndexError: nothing raw."""
    for value in ODD:
        for arguments in ((value,), (value, value)):
            try:
                call(*arguments)
            except ALLOWED:
                pass
            except (StopIteration, KeyboardInterrupt):
                raise
            except Exception as error:
                pytest.fail(f"{name}{arguments!r}: {type(error).__name__}: {error}")


def test_words_for_wrong_numbers() -> None:
    with pytest.raises(TypeError, match="n must be an integer, not float"):
        bf.BatchBoard(1.5)
    with pytest.raises(TypeError, match="threads must be an integer, not str"):
        bf.BatchBoard(1, "duo", threads="2")
    with pytest.raises(IndexError, match="is not in a batch of 2"):
        bf.BatchBoard(2, "duo")[2**70]
    with pytest.raises(ValueError, match="is no symmetry of duo"):
        bf.symmetries("duo").index_of(bf.symmetries("classic")[1])
    with pytest.raises(TypeError, match="games must be a Board or BatchBoard, not NoneType"):
        bf.Observer("duo").observe(None)
    with pytest.raises(ValueError, match=r"which must be in 0\.\."):
        bf.symmetries("duo").inverse([-1])
    assert moves.parse_square("j5", np.int8(14)) == 135
    assert bf.variant("Duo") is bf.variant("duo")
    assert bf.Board(" CLASSIC-2P ").variant.name == "classic-2p"


# -- a move knows where it belongs -----------------------------------------------------------------


def test_moves_of_another_board_or_color_are_refused() -> None:
    board = bf.Board("duo")
    before = board.copy()
    wrong = bf.Move(60)
    with pytest.raises(bf.InvalidMoveError, match="a move on another board: this one has 14 rows"):
        board.push(wrong)
    with pytest.raises(bf.InvalidMoveError, match="a move on another board"):
        board.push_unchecked(wrong)
    assert not board.is_legal(wrong)
    assert wrong not in board.legal_moves
    assert "another board" in board.why_illegal(wrong)
    others = bf.Move(60, size=14, color=1)
    with pytest.raises(bf.IllegalMoveError, match="it is purple's turn, not orange's"):
        board.push(others)
    assert not board.is_legal(others)
    assert board.is_legal(others, color=1)
    assert not board.is_legal(bf.Move(60, size=14, color=0), color=1)
    assert board == before
    board.push(bf.Move(60, size=14, color=0))
    assert board.move_text(bf.Move(60, size=14, color=0)) == "e10"


def test_moves_of_draft_and_passes_stay_where_they_belong() -> None:
    board = bf.Board("classic")
    with pytest.raises(bf.InvalidMoveError, match="is a move of Draft, not of classic"):
        board.push(bf.DraftMove(5))
    with pytest.raises(bf.IllegalMoveError, match="classic knows no pass"):
        board.push(bf.Pass(30433))
    draft = bf.Board("draft-2p", hands=[{0: ["1"], 1: ["1"]}, {0: ["2"], 1: ["2"]}])
    corner = bf.Move.parse("t20")
    draft.push(corner)  # only yellow can place it
    assert draft.move(draft.peek()).color == 1
    with pytest.raises(bf.IllegalMoveError, match="can be placed in no color"):
        draft.push(bf.Move.parse("c3"))
    with pytest.raises(bf.IllegalMoveError, match="knows no pass"):
        draft.push(bf.Pass(30433))
    with pytest.raises(bf.InvalidMoveError, match="a pick of another game"):
        board.push(bf.Pick(4 * 30433))


def test_batches_take_moves() -> None:
    batch = bf.BatchBoard(2, "duo")
    move = bf.Move.parse("e10", size=14)
    batch.step([move, -1])
    assert batch.ply.tolist() == [1, 0]
    with pytest.raises(bf.InvalidMoveError, match="another board"):
        batch.step([-1, bf.Move(60)])
    with pytest.raises(bf.IllegalMoveError, match="it is orange's turn"):
        batch.step([bf.Move(100, size=14, color=0), -1])
    assert batch.ply.tolist() == [1, 0]
    with pytest.raises(TypeError, match="must be integers or moves"):
        batch.step([None, -1])
