"""The value function: what it looks at, what it says, and what a search makes of it."""

import json
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import blokus_fast as bf
from blokus_fast import _core
from blokus_fast.search import MCTS, Weights, default_weights, load_weights

PLAIN = [name for name, rules in bf.VARIANTS.items() if not rules.draft]
UNIT = 4096.0**2
OWN, THEIRS, HAND = 5, 7, 35


def prior_of(variant: str) -> dict[str, npt.NDArray[np.int32]]:
    arrays = default_weights(bf.variant(variant)).arrays
    return {key: array for key, array in arrays.items() if not key.startswith("value")}


def made(variant: str, seed: int = 1, size: float = 60) -> Weights:
    """Return weights with a value function that is drawn by chance."""
    rules, rng = bf.variant(variant), np.random.default_rng(seed)
    return Weights(
        {
            **prior_of(variant),
            "value_hidden": rng.normal(0, size, (rules.n_colors, 64, 32)).astype(np.int32),
            "value_hidden_bias": rng.normal(0, 9 * size, 32).astype(np.int32),
            "value_output": rng.normal(0, 900, (rules.players, 32)).astype(np.int32),
            "value_output_bias": rng.normal(0, 900, rules.players).astype(np.int32),
        }
    )


@dataclass
class Seen:
    """A position of a random game, and what its board does not tell."""

    board: bf.Board
    finished: set[int]  # colors that were passed over
    last: dict[int, str]  # the last piece of each color


def positions(variant: str, seed: int, every: int = 5) -> Iterator[Seen]:
    """Yield positions of a random game."""
    board, rng = bf.Board(variant), np.random.default_rng(seed)
    seen = Seen(board, set(), {})
    while not board.is_game_over:
        seen.finished |= set(board.skipped)
        if board.ply % every == 0:
            yield seen
        move = board.move(int(rng.choice(board.legal_ids())))
        if isinstance(move, bf.Move):
            seen.last[board.turn] = move.piece
        board.push(move.id)


# -- what it looks at ------------------------------------------------------------------------


def beside(square: int, size: int) -> Iterator[int]:
    row, column = divmod(square, size)
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < size and 0 <= c < size:
            yield r * size + c


def distances(start: set[int], within: set[int], size: int) -> dict[int, int]:
    """Return how many steps each square of some is from others of them."""
    found, rim = dict.fromkeys(start, 0), start
    while rim:
        rim = {n for s in rim for n in beside(s, size) if n in within and n not in found}
        found |= dict.fromkeys(rim, max(found.values()) + 1)
    return found


def open_squares(seen: Seen, color: int) -> tuple[set[int], set[int]]:
    """Return the squares that a color may cover, and its corner squares, by the rules' words."""
    board = seen.board
    if color in seen.finished:
        return set(), set()
    size = board.size
    own = set(board.own_squares(color).tolist())
    taken = {s for c in range(board.n_colors) for s in board.own_squares(c).tolist()}
    free = {s for s in range(size * size) if s not in taken}
    allowed = {s for s in free if not any(n in own for n in beside(s, size))}
    if not own:
        return allowed, set(board.corner_squares(color).tolist())
    diagonal = set()
    for s in own:
        row, column = divmod(s, size)
        for r, c in ((row - 1, column - 1), (row - 1, column + 1), (row + 1, column - 1),
                     (row + 1, column + 1)):  # fmt: skip
            if 0 <= r < size and 0 <= c < size:
                diagonal.add(r * size + c)
    return allowed, diagonal & allowed


def expected_inputs(seen: Seen) -> npt.NDArray[np.int16]:
    board = seen.board
    rules, size = board.variant, board.size
    order = list(rules.order)
    at = order.index(board.turn)
    spaces = [open_squares(seen, color) for color in range(board.n_colors)]
    out = np.zeros((board.n_colors, 64), np.int16)
    for k in range(board.n_colors):
        color = order[(at + k) % len(order)]
        owner = rules.owners[color]
        others = [
            c for c in range(board.n_colors)
            if c != color and (owner is None or rules.owners[c] != owner)
        ]  # fmt: skip
        theirs: set[int] = set().union(*(spaces[c][0] for c in others))
        points: set[int] = set().union(*(spaces[c][1] for c in others))
        allowed, corner = spaces[color]
        mine, far = distances(corner, allowed, size), distances(points, theirs, size)
        for square in allowed:
            row = min(mine.get(square, OWN - 1), OWN - 1)
            column = min(far.get(square, THEIRS - 2), THEIRS - 2)
            if square not in theirs:
                column = THEIRS - 1
            out[k, row * THEIRS + column] += 1
        out[k, HAND : HAND + 21] = board.hand(color)
        out[k, 56] = len(board.own_squares(color))
        out[k, 57] = color in seen.finished
        out[k, 58] = seen.last.get(color) == "1"
    return out


@pytest.mark.parametrize("variant", PLAIN)
def test_the_inputs_are_what_the_board_shows(variant: str, kernel: str) -> None:
    tried = 0
    for seen in positions(variant, seed=3):
        found = _core._value_inputs(seen.board)
        assert found.tolist() == expected_inputs(seen).tolist(), bf.position_text(seen.board)
        tried += 1
    assert tried > 4
    assert variant == "classic" or seen.finished


def test_it_is_for_positions_in_play() -> None:
    board = bf.Board("draft")
    with pytest.raises(ValueError, match="not for Draft"):
        _core._value_inputs(board)
    game = bf.Board("duo")
    while not game.is_game_over:
        game.push(int(game.legal_ids()[0]))
    with pytest.raises(ValueError, match="positions in play"):
        _core._value_inputs(game)


# -- what it says ----------------------------------------------------------------------------


def network(weights: Weights, inputs: npt.NDArray[np.int16]) -> npt.NDArray[np.int64]:
    a = {key: array.astype(np.int64) for key, array in weights.arrays.items()}
    hidden = np.einsum("ci,cih->h", inputs.astype(np.int64), a["value_hidden"])
    hidden = np.maximum(hidden + a["value_hidden_bias"], 0)
    return a["value_output"] @ hidden + 4096 * a["value_output_bias"]


def shares(logits: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    power = np.exp((logits - logits.max()) / UNIT)
    return np.asarray(power / power.sum())


@pytest.mark.parametrize("variant", PLAIN)
def test_the_sums_are_those_of_a_network(variant: str, kernel: str) -> None:
    weights = made(variant)
    for seen in positions(variant, seed=4):
        found = _core._value_logits(seen.board, weights._core)
        assert found.tolist() == network(weights, _core._value_inputs(seen.board)).tolist()


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-2p", "classic-3p", "junior"])
def test_a_search_takes_its_word(variant: str) -> None:
    """One simulation goes as far as its line says, and there the value function is asked."""
    weights = made(variant, size=20)
    for board in [seen.board.copy() for seen in positions(variant, seed=5, every=9)][:3]:
        search = MCTS(variant, weights=weights, seed=1, value_part=1000.0, value_squares=1e6)
        result = search.search(board, simulations=1)
        assert not result.proven.any()
        mover = board.player
        assert len(result.pv) == 2
        for move in result.pv:
            board.push(move)
        logits = network(weights, _core._value_inputs(board))
        players = (board.player + np.arange(len(logits))) % len(logits)
        expected = np.empty(len(logits))
        expected[players] = shares(logits)
        assert result.value == pytest.approx(expected, abs=1e-5)
        assert result.value[mover] == pytest.approx(expected[mover], abs=1e-5)


def test_its_part_falls_with_the_squares_that_are_placed() -> None:
    """All of a value at first, none of it at the end, with an even part of both between."""
    board = bf.Board("duo")
    for _ in range(8):
        board.push(int(board.legal_ids()[-1]))
    weights = made("duo", size=20)
    # Where the first simulation comes to.
    line = MCTS("duo", weights=weights, seed=1).search(board, simulations=1).pv
    there = board.copy()
    for move in line:
        there.push(move)
    placed = sum(len(there.own_squares(color)) for color in range(2))

    def value(**changes: float) -> float:
        search = MCTS("duo", weights=weights, seed=1, margin=0.0, **changes)
        return float(search.search(board, simulations=1).value[board.player])

    alone = value(value_part=1.0, value_squares=1e9)
    without = value(value_part=0.0)
    assert without in (0.0, 0.5, 1.0)
    # At 100 squares a color a part of 1 - placed / 200 is left.
    part = 1 - placed / 200
    mixed = value(value_part=1.0, value_squares=100.0)
    assert mixed == pytest.approx(part * alone + (1 - part) * without, abs=1e-5)
    assert value(value_part=1.0, value_squares=placed / 2) == without
    # By default playouts count from the first squares on, and alone from 80 a color on.
    usual = 1 - placed / 160
    assert alone != pytest.approx(without, abs=1e-3)
    assert value() == pytest.approx(usual * alone + (1 - usual) * without, abs=1e-5)
    assert value(value_part=1 / part, value_squares=100.0) == pytest.approx(alone, abs=1e-5)


def test_without_a_value_function_nothing_is_asked() -> None:
    board = bf.Board("duo")
    plain = Weights(prior_of("duo"))
    found = [
        MCTS("duo", weights=weights, seed=1, value_part=part).search(board, simulations=300)
        for weights, part in ((plain, 2.0), (plain, 0.0), (made("duo"), 0.0))
    ]
    assert found[0].visits.tolist() == found[1].visits.tolist() == found[2].visits.tolist()
    assert found[0].score.tolist() == found[2].score.tolist()


@pytest.mark.parametrize("variant", ["duo", "classic-2p"])
def test_every_kernel_searches_the_same(variant: str) -> None:
    before, board = bf.cpu_info()["kernel"], bf.Board(variant)
    results = []
    try:
        for kernel in bf.cpu_info()["supported"]:
            _core._use_kernel(kernel)
            search = MCTS(variant, weights=made(variant, size=20), seed=2)
            results.append(search.search(board, simulations=500))
    finally:
        _core._use_kernel(before)
    assert any(result.visits.max() > 20 for result in results)
    for one, other in pairwise(results):
        assert one.visits.tolist() == other.visits.tolist()
        assert one.value.tolist() == other.value.tolist()


def test_scores_come_from_the_simulations_that_are_played_out() -> None:
    """One of 32 is, and the first one, so that there is always a score to expect."""
    search = MCTS("duo", weights=made("duo", size=20), seed=1)
    first = search.search(bf.Board("duo"), simulations=1)
    assert np.isfinite(first.score).all()
    more = search.search(bf.Board("duo"), simulations=2000, early_stop=False)
    assert np.isfinite(more.score).all()
    assert -89 <= more.score.min() <= more.score.max() <= 20
    known = np.isfinite(more.scores[:, 0])
    assert known[more.visits > 300].all()
    assert np.isnan(more.scores[more.visits == 0]).all()


# -- files of it -----------------------------------------------------------------------------


def test_it_is_written_and_read_with_the_weights(tmp_path: Path) -> None:
    weights = made("duo")
    path = tmp_path / "mine.json"
    weights.save(path)
    for again in (load_weights(path), pickle.loads(pickle.dumps(weights))):
        assert again.checksum == weights.checksum
        assert all((again.arrays[key] == weights.arrays[key]).all() for key in weights.arrays)
        board = bf.Board("duo")
        expected = _core._value_logits(board, weights._core).tolist()
        assert _core._value_logits(board, again._core).tolist() == expected
    assert Weights(prior_of("duo")).checksum != weights.checksum
    data = json.loads(path.read_text())
    data["value_output_bias"][0] += 1
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match="checksum does not fit"):
        load_weights(path)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"value_output": None}, "weights of a value function lack 'value_output'"),
        ({"value_hidden": np.zeros((2, 64, 31), int)}, r"'value_hidden' must be .*\(2, 64, 32\)"),
        ({"value_hidden": np.zeros((5, 64, 32), int)}, "1 to 4 colors and players"),
        ({"value_output": np.zeros((0, 32), int)}, "1 to 4 colors and players"),
        ({"value_output": np.zeros((3, 32), int)}, r"'value_output_bias' must be .*\(3,\)"),
        ({"value_hidden_bias": np.zeros(32)}, "must be integers of shape"),
        ({"value_hidden": 0}, "must be integers of shape|1 to 4 colors"),
        ({"value_hidden": np.full((2, 64, 32), 40_000)}, "too large"),
        ({"value_hidden": np.full((4, 64, 32), 32_767)}, "too large"),
        ({"value_output": np.full((2, 32), -40_000)}, "too large"),
        ({"value_hidden_bias": np.full(32, 2**31 - 1)}, "too large"),
        ({"value_output_bias": np.full(2, 2**40)}, "not in 32 bits"),
    ],
    ids=str,
)
def test_weights_that_are_none(changes: dict[str, object], words: str) -> None:
    arrays: dict[str, object] = {**made("duo").arrays, **changes}
    with pytest.raises(ValueError, match=words):
        Weights({key: array for key, array in arrays.items() if array is not None})  # type: ignore[misc]


def test_it_is_asked_in_games_of_its_own_kind_only() -> None:
    duo = made("duo")
    with pytest.raises(ValueError, match="no value function for so many colors and players"):
        _core._value_logits(bf.Board("classic"), duo._core)
    with pytest.raises(ValueError, match="no value function"):
        _core._value_logits(bf.Board("duo"), Weights(prior_of("duo"))._core)
    board = bf.Board("classic")
    plain, other = (
        MCTS("classic", weights=weights, seed=1).search(board, simulations=200)
        for weights in (Weights(prior_of("duo")), duo)
    )
    assert plain.visits.tolist() == other.visits.tolist()
