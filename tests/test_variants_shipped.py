"""The variants beyond Classic and Duo: what they say, their figures, and what cannot be one."""

from __future__ import annotations

import csv
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from figures import PASS, games
from helpers import state_bytes
from perft_positions import POSITIONS
from reference.scoring import places
from step import boards_along, play_in_step, twin_for, twin_perft

import blokus_fast as bf
from blokus_fast.variants import VARIANTS, draft, software_challenge_2027, three_players

PERFT_FILE = Path(__file__).parent / "data" / "perft.csv"
PERFT = list(csv.reader(PERFT_FILE.read_text(encoding="ascii").splitlines()))
ALL = pytest.mark.parametrize("name", VARIANTS)
CORNERS = (("a20",), ("t20",), ("t1",), ("a1",))


def random_game(variant: bf.Variant, seed: int) -> bf.Game:
    rng = random.Random(seed)
    game = bf.Game(variant)
    while not game.is_over:
        game.play(int(rng.choice(game.board.legal_ids())))
    return game


# What they say


def test_the_functions_make_what_is_shipped() -> None:
    assert VARIANTS["classic-3p"] == three_players() == three_players("Green") == three_players(3)
    assert VARIANTS["draft"] == draft() == draft(4)
    assert VARIANTS["draft-3p"] == draft(3)
    assert VARIANTS["draft-2p"] == draft(2)
    assert VARIANTS["software-challenge-2027"] == software_challenge_2027()
    assert list(VARIANTS) == [variant.name for variant in VARIANTS.values()]


@pytest.mark.parametrize("shared", range(4))
def test_any_color_can_be_the_shared_one(shared: int) -> None:
    variant = three_players(shared)
    assert variant.owners[shared] is None
    assert variant.order[-1] == shared
    assert variant.order == tuple((shared + step) % 4 for step in (1, 2, 3, 4))
    assert [variant.owners[color] for color in variant.order] == [0, 1, 2, None]
    assert variant.start_squares == CORNERS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_draft_is_four_sets_that_belong_to_nobody(players: int) -> None:
    variant = draft(players)
    assert (variant.players, variant.draft, variant.owners) == (players, True, (None,) * 4)
    assert variant.pieces == (bf.PIECES,) * 4
    assert variant.start_squares == CORNERS
    assert bf.Board(variant).n_actions == 4 * 30_433 + 4 * 21


def test_the_contest() -> None:
    variant = software_challenge_2027("W")
    assert (variant.start, variant.max_rounds, variant.voluntary_pass) == ("border", 24, True)
    assert (variant.players, variant.owners) == (2, (0, 1, 0, 1))
    assert variant.first_pieces == ("W",)
    assert bf.Board(variant).n_actions == 30_433 + 1
    undrawn = VARIANTS["software-challenge-2027"]
    sizes = dict(zip(bf.PIECES, (len(squares) for squares in _shapes()), strict=True))
    assert undrawn.first_pieces == tuple(name for name in bf.PIECES if sizes[name] == 5)
    assert software_challenge_2027(max_rounds=0).max_rounds == 0
    assert {replace(undrawn, max_rounds=9), software_challenge_2027(max_rounds=9)} == {
        software_challenge_2027(max_rounds=9)
    }


def _shapes() -> list[tuple[int, ...]]:
    first = {}
    for number in range(30_433):
        move = bf.Move(number)
        first.setdefault(move.piece, move.squares)
    return [first[name] for name in bf.PIECES]


@ALL
def test_variants_are_values_with_a_repr(name: str) -> None:
    variant = VARIANTS[name]
    assert eval(repr(variant), {"Variant": bf.Variant}) == variant
    assert replace(variant, scoring="net") == bf.variant(name, scoring="net")


@ALL
def test_the_state_fits_in_512_bytes(name: str) -> None:
    assert len(state_bytes(bf.Board(name))) <= 512


# Figures


def test_first_moves_with_w_demanded() -> None:
    board = bf.Board(software_challenge_2027("W"))
    assert board.count_legal() == 272
    assert {board.move(number).piece for number in board.legal_moves} == {"W"}


def test_the_opening_piece_is_demanded_of_every_color_and_only_once() -> None:
    board = bf.Board(software_challenge_2027("W"))
    rng = random.Random(2)
    for color in range(4):
        assert board.turn == color
        assert {board.move(number).piece for number in board.legal_moves} == {"W"}
        with pytest.raises(bf.IllegalMoveError, match="open"):
            board.push(board.parse_move("k20"))
        board.push(int(rng.choice(board.legal_ids())))
    assert "W" not in {board.move(number).piece for number in board.legal_moves}


@pytest.mark.parametrize("line", PERFT, ids=" ".join)
def test_perft(line: list[str]) -> None:
    """Figures that the slow twin counted."""
    name, depth, nodes = line
    variant, hands, _ = POSITIONS[name]
    assert bf.perft(bf.Board(variant, hands=hands), int(depth)) == int(nodes)


def test_perft_has_figures_of_every_position() -> None:
    assert {line[0] for line in PERFT} == set(POSITIONS)
    shipped = {variant for variant, _, _ in POSITIONS.values()}
    assert {VARIANTS[name] for name in list(VARIANTS) if name[:2] in ("dr", "so")} <= shipped


@pytest.mark.parametrize(
    "line",
    [line for line in PERFT if int(line[2]) < 1000],
    ids=" ".join,
)
def test_the_twin_still_counts_the_same(line: list[str]) -> None:
    name, depth, nodes = line
    variant, hands, _ = POSITIONS[name]
    assert twin_perft(twin_for(variant, hands), int(depth)) == int(nodes)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [line for line in PERFT if int(line[2]) >= 1000],
    ids=" ".join,
)
def test_the_twin_still_counts_the_same_far(line: list[str]) -> None:
    name, depth, nodes = line
    variant, hands, _ = POSITIONS[name]
    assert twin_perft(twin_for(variant, hands), int(depth)) == int(nodes)


# Three players


@pytest.mark.parametrize("name", ["classic_3", "bonus_classic_3"])
def test_recorded_games_of_three_players(name: str) -> None:
    """Scores, skips and the player to decide at every ply, from the shipped variant."""
    for recorded in games(name):
        game = bf.Game("classic-3p")
        shared = 0
        for text in recorded.moves:
            if text == PASS:
                continue
            board = game.board
            assert board.player == (shared % 3 if board.turn == 3 else board.turn)
            shared += board.turn == 3
            game.play(text)
        written = [PASS if isinstance(entry, bf.Skip) else entry.text for entry in game.history]
        assert written == list(recorded.moves)
        assert game.is_over
        assert game.color_scores == tuple(points - 89 for points in recorded.points)
        assert game.scores == tuple(points - 89 for points in recorded.player_points)


def test_whose_turn_the_shared_color_is_is_part_of_the_position() -> None:
    boards = [
        bf.set_up("classic-3p", {"green": ["a1"]}, turn="green", player=player)
        for player in range(3)
    ]
    assert [board.player for board in boards] == [0, 1, 2]
    assert len({board.key() for board in boards}) == 3
    for board in boards:
        assert sum(board == other for other in boards) == 1


# Scoring


@ALL
def test_reverse_goes_with_every_variant(name: str) -> None:
    """The same moves; the fewest squares placed win."""
    game = random_game(bf.variant(name, scoring="reverse"), 3)
    usual = bf.Game(bf.variant(name, scoring="placed"))
    for move in game.moves:
        usual.play(move)
    assert game.scores == usual.scores
    assert min(game.scores) >= 0
    assert game.ranking == places("reverse", game.scores)
    fewest = min(game.scores)
    assert game.winners == tuple(p for p, score in enumerate(game.scores) if score == fewest)
    if name.startswith("draft"):
        placed = [0] * game.variant.players
        for move, mover in zip(game.moves, game.movers, strict=True):
            placed[mover] += len(move.squares)
        assert game.scores == tuple(placed)


# Handicaps and opening pieces


def test_a_handicap_is_a_smaller_set() -> None:
    variant = bf.variant("classic").without_pieces("blue", ["I5", "X"])
    assert set(variant.pieces[0]) == set(bf.PIECES) - {"I5", "X"}
    assert variant.pieces[1:] == (bf.PIECES,) * 3
    assert bf.Board(variant).color_scores() == (-79, -89, -89, -89)
    assert variant.with_pieces(0, bf.PIECES) == bf.variant("classic")
    play_in_step(variant, 4, every=9)


def test_all_placed_means_the_smaller_set() -> None:
    variant = bf.variant("duo", start="assigned").with_pieces("purple", ["2", "1"])
    game = bf.Game(variant)
    for text in ("e9,e10", "j5", "d8", "i6,i7"):
        game.play(text)
    assert game.color_scores[0] == 20
    assert bf.Game(variant).color_scores == (-3, -89)


@pytest.mark.parametrize("pieces", [["I5", "I5"], ["Q"], list(bf.PIECES), "1"])
def test_handicaps_that_cannot_be(pieces: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"blue|pieces"):
        bf.variant("classic").without_pieces("blue", pieces)
    with pytest.raises((ValueError, TypeError)):
        bf.variant("classic").with_pieces("pink", ["1"])


def test_opening_pieces_can_be_forbidden() -> None:
    variant = bf.variant("classic").without_first_pieces(["1", "O"])
    board = bf.Board(variant)
    pieces = {board.move(number).piece for number in board.legal_moves}
    assert pieces == {bf.Move(n).piece for n in bf.Board("classic").legal_moves} - {"1", "O"}
    assert set(variant.first_pieces or ()) == set(bf.PIECES) - {"1", "O"}
    further = variant.without_first_pieces(["2"])
    assert set(further.first_pieces or ()) == set(bf.PIECES) - {"1", "O", "2"}
    with pytest.raises(ValueError, match="first_pieces"):
        variant.without_first_pieces(bf.PIECES)
    with pytest.raises(ValueError, match="'S'"):
        variant.without_first_pieces(["S"])


# Passing


def test_a_pass_is_allowed_after_the_first_piece_only() -> None:
    game = bf.Game(software_challenge_2027("W"))
    with pytest.raises(bf.IllegalMoveError, match="pass"):
        game.play("pass")
    rng = random.Random(1)
    for _ in range(4):
        game.play(int(rng.choice(game.board.legal_ids())))
    before = game.board.copy()
    passed = game.play("PASS")
    assert isinstance(passed, bf.Pass)
    assert (passed.id, passed.color, str(passed)) == (30_433, 0, "pass")
    assert (game.board.turn, game.board.player, game.board.ply) == (1, 1, 5)
    assert game.undo() == passed
    assert game.board == before


@ALL
def test_no_other_variant_knows_a_pass(name: str) -> None:
    if VARIANTS[name].voluntary_pass:
        return
    for board in boards_along(VARIANTS[name], 2, 31):
        game = bf.Game.from_board(board)
        before = (state_bytes(game.board), game.history)
        with pytest.raises(bf.IllegalMoveError):
            game.play("pass")
        assert (state_bytes(game.board), game.history) == before


# What cannot be a variant

BOARD: dict[str, Any] = {
    "name": "mine",
    "size": 6,
    "color_names": ["blue", "red"],
    "start_squares": [["a6"], ["f1"]],
}
HOLE = ["######", "#....#", "#....#", "#....#", "#....#", "######"]
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "overlapping start squares": ({"start_squares": [["a6"], ["f1", "A6"]]}, "'A6'.*blue.*red"),
    "no start squares": ({"start_squares": []}, "blue has no start square"),
    "a mask over the start squares": ({"playable": HOLE}, "a6.*blue.*not in play"),
    "a mask without a rim": (
        {"playable": HOLE, "start_squares": [], "start": "border"},
        "rim",
    ),
    "five colors": ({"color_names": list("abcde"), "start_squares": []}, "1 to 4 colors"),
    "draft without players": ({"draft": True}, "players"),
    "draft for five": ({"draft": True, "players": 5}, "players"),
    "draft with owners": ({"draft": True, "players": 2, "owners": [0, 1]}, "owners"),
    "draft with a pass": ({"draft": True, "players": 2, "voluntary_pass": True}, "voluntary"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_a_variant(name: str) -> None:
    changes, message = BAD[name]
    bf.Variant(**BOARD)
    with pytest.raises(ValueError, match=message):
        bf.Variant(**{**BOARD, **changes})


@pytest.mark.parametrize("players", [0, 1, 5, -2, "3"])
def test_draft_is_for_two_to_four(players: Any) -> None:
    with pytest.raises(ValueError, match="2, 3 or 4"):
        draft(players)


@pytest.mark.parametrize("opening", ["1", "I4", "Q", "w", ""])
def test_the_opening_piece_is_a_pentomino(opening: str) -> None:
    with pytest.raises(ValueError, match="pentomino"):
        software_challenge_2027(opening)


def test_wrong_parameters_of_presets() -> None:
    with pytest.raises(ValueError, match="max_rounds"):
        software_challenge_2027(max_rounds=-1)
    for shared in ("purple", 4, -1):
        with pytest.raises(ValueError, match=r"blue.*green"):
            three_players(shared)


# Everywhere else: batches and playouts


@ALL
def test_batches_play_what_single_boards_play(name: str) -> None:
    batch = bf.BatchBoard(3, name)
    boards = [bf.Board(name) for _ in range(3)]
    for _ in range(100):
        actions = batch.sample_actions(4)
        for board, action in zip(boards, actions.tolist(), strict=True):
            if action >= 0:
                board.push(action)
        batch.step(actions)
    assert [batch[i].key() for i in range(3)] == [board.key() for board in boards]
    assert batch.player.tolist() == [board.player for board in boards]
    assert batch.scores().tolist() == [list(board.player_scores()) for board in boards]


@ALL
def test_playouts_from_every_phase(name: str) -> None:
    for board in boards_along(VARIANTS[name], 1, 30):
        scores = bf.playouts(board, 20, seed=3)
        assert scores.shape == (20, board.n_players)
        assert (scores == bf.playouts(board, 20, seed=3, threads=2)).all()
        if board.is_game_over:
            assert (scores == board.player_scores()).all()
        else:
            assert len({tuple(row) for row in scores.tolist()}) > 1 or board.ply > 30
