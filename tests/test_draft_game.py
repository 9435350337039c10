"""Draft as people play it: picks and placements in a Game, text, skips, given hands, set-ups."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
from helpers import state_bytes
from step import (
    assert_same,
    boards_along,
    choose,
    id_of,
    play_in_step,
    play_twin,
    skips_of,
    twin_for,
)

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.render import board_text, hand_text

N = 30_433
PICKS = 4 * N
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
DEALT = [{"blue": ["1", "F"], "red": ["I5"]}, {"blue": ["2"], 3: ["X"]}]
# Player 1 has a piece that only fits beyond the second square of the diagonal.
DIAGONAL = bf.Variant(
    "diagonal",
    6,
    ["blue"],
    [["a6"]],
    players=2,
    pieces=[["1", "1", "I3"]],
    draft=True,
    playable=[".#####", "#.####", "##...#", "######", "######", "######"],
)


def whole_game(players: int, seed: int) -> bf.Game:
    rng = random.Random(seed)
    game = bf.Game(bf.variants.draft(players))
    while not game.is_over:
        game.play(int(rng.choice(game.board.legal_ids())))
    return game


def picture(game: bf.Game) -> tuple[Any, ...]:
    """Return everything that can be seen of a game."""
    return (
        state_bytes(game.board),
        game.board.move_stack,
        game.history,
        game.movers,
        game.scores,
        game.color_scores,
        game.ranking,
        game.winners,
        game.outcome,
        pickle.dumps(game.board),
    )


# Both phases in one game


@PLAYERS
def test_history_movers_and_skips(players: int) -> None:
    """A whole game in step with the twin, which knows who did what."""
    rng = random.Random(players)
    game = bf.Game(bf.variants.draft(players))
    twin = twin_for(game.variant)
    while not twin.is_over:
        move = choose(twin, rng, 0)
        played = game.play(id_of(move, game.board))
        play_twin(twin, move)
        assert played.color == move[0]
        assert isinstance(played, bf.Pick if played.id >= PICKS else bf.DraftMove)
    assert len(game.moves) == len(twin.history)
    assert game.movers == tuple(player for player, _ in twin.history)
    assert skips_of(game.history, True) == [s for s in twin.skips if s[0] < len(twin.history)]
    assert game.is_over
    assert game.scores == twin.player_scores
    assert [isinstance(move, bf.Pick) for move in game.moves[:85]] == [True] * 84 + [False]


@PLAYERS
def test_undo_through_both_phases(players: int) -> None:
    game = whole_game(players, 7)
    moves, pictures = game.moves, []
    again = bf.Game(game.variant)
    for move in moves:
        pictures.append(picture(again))
        assert again.play(move) == move
    assert picture(again) == picture(game)
    for move in reversed(moves):
        assert again.undo() == move
        assert picture(again) == pictures.pop()
    with pytest.raises(IndexError):
        again.undo()
    assert again.board == bf.Board(game.variant)


@PLAYERS
def test_the_texts_of_a_game_play_it_again(players: int) -> None:
    game = whole_game(players, 2)
    plain, shouted = bf.Game(game.variant), bf.Game(game.variant)
    for move in game.moves:
        assert plain.play(move.text) == move
        assert shouted.play(f"  {move.text.upper().replace(',', ' , ')} ") == move
    assert plain.history == shouted.history == game.history
    assert plain.scores == game.scores


def test_moves_on_the_board_itself_are_seen() -> None:
    game = whole_game(3, 1)
    other = bf.Game("draft-3p")
    for move in game.moves:
        other.board.push(move.id)
    assert other.history == game.history
    assert other.movers == game.movers
    for made in (bf.Game.from_board(other.board), other.copy(), copy.deepcopy(other)):
        assert picture(made) == picture(game)


def test_the_turn_is_a_color_while_drafting_and_nobodys_afterwards() -> None:
    for board in boards_along(bf.variant("draft"), 4, 9):
        assert board.is_drafting == (board.ply < 84)
        if board.is_game_over:
            assert (board.turn, board.player) == (-1, -1)
        else:
            assert board.turn == (board.ply // 21 if board.is_drafting else -1)
            assert board.player >= 0


# Actions and their texts


def test_what_the_ids_stand_for() -> None:
    board = bf.Board("draft")
    pick = board.move(PICKS + 2 * 21 + 9)
    assert isinstance(pick, bf.Pick)
    assert (pick.color, pick.piece, pick.text, pick.squares) == (2, "F", "pick F", ())
    assert (pick.orientation, pick.row, pick.column) == (-1, -1, -1)
    move = board.move(3 * N + 400)
    assert isinstance(move, bf.DraftMove)
    assert (move.color, move.piece, move.text) == (3, "2", "green a20,b20")
    plain = bf.Move(400)
    assert move.placement == plain
    same = (move.squares, move.orientation, move.row, move.column)
    assert same == (plain.squares, plain.orientation, plain.row, plain.column)
    assert move != plain
    for view in (pick, move):
        assert board.parse_move(view.text) in (view.id, PICKS + 9)
        assert pickle.loads(pickle.dumps(view)) == view
        assert eval(repr(view), {"Pick": bf.Pick, "DraftMove": bf.DraftMove}) == view
        assert int(view) == view.id
        assert hash(view) == hash(copy.copy(view))
    for wrong in (-1, PICKS, 10**12):
        with pytest.raises(bf.InvalidMoveError):
            bf.DraftMove(wrong)
    for wrong in (-1, 0, PICKS - 1, PICKS + 84):
        with pytest.raises(bf.InvalidMoveError):
            bf.Pick(wrong)


def test_variants_of_ones_own_use_their_own_names() -> None:
    variant = bf.Variant("mine", 6, ["sky", "sky blue"], [["a6"], ["f1"]], players=2, draft=True)
    hands = [{"sky": ["1"]}, {"sky blue": ["1"]}]
    game = bf.Game(variant, hands=hands)
    assert game.play("sky a6").text == "sky a6"
    assert game.play("SKY BLUE F1").color == 1
    assert game.is_over
    board = bf.Board(variant)
    assert [board.move_text(number) for number in board.legal_ids()[:2]] == ["pick 1", "pick 2"]


def test_squares_alone_are_enough_where_one_color_fits() -> None:
    game = bf.Game("draft-2p", hands=[{"blue": ["1"], "yellow": ["1"]}, {"red": ["1"]}])
    assert game.play("t20").text == "yellow t20"
    assert game.play(bf.Move.parse("t1")).text == "red t1"
    assert game.play("A20").text == "blue a20"


def test_squares_that_fit_several_colors_need_one() -> None:
    variant = bf.variant("draft-2p", start="any")
    game = bf.Game(variant, hands=[{"blue": ["1"], "red": ["1"]}, {"red": ["2"]}])
    with pytest.raises(bf.InvalidMoveError, match="blue or red"):
        game.play("a20")
    with pytest.raises(bf.InvalidMoveError, match="blue or red"):
        game.play(bf.Move.parse("a20"))
    assert game.history == ()
    assert game.copy().play("a20", color="Red").text == "red a20"
    assert game.copy().play(bf.Move.parse("a20"), color=2).text == "red a20"
    assert game.copy().play(bf.Move.parse("a20", color=2)).text == "red a20"
    assert game.play("red a20", color=2).text == "red a20"


# Players who are skipped, and come back


def test_a_player_comes_back() -> None:
    hands = [{"blue": ["1", "1"]}, {"blue": ["I3"]}]
    game = bf.Game(DIAGONAL, hands=hands)
    first = game.play("a6")
    assert game.history == (first, bf.Skip(color=None, player=1, ply=1))
    assert (game.board.player, game.is_over) == (0, False)
    second = game.play("b5")
    assert game.board.player == 1
    third = game.play("c4,d4,e4")
    assert game.history == (first, bf.Skip(None, 1, 1), second, third)
    assert game.movers == (0, 0, 1)
    assert game.is_over
    assert game.scores == (20, 15)
    twin = play_in_step(DIAGONAL, 1, hands=[{0: ["1", "1"]}, {0: ["I3"]}])
    assert twin.came_back == 1  # type: ignore[union-attr]
    assert [type(game.undo()) for _ in range(3)] == [bf.DraftMove] * 3
    assert (game.history, game.board.player) == ((), 0)


def test_the_first_player_may_be_skipped_at_once() -> None:
    game = bf.Game(DIAGONAL, hands=[{"blue": ["I3"]}, {"blue": ["1", "1"]}])
    assert game.board.player == 1
    assert game.history == (bf.Skip(None, 0, 0),)
    drafted = bf.Game(DIAGONAL)
    for text in ("pick I3", "pick 1", "pick 1"):
        drafted.play(text)
    # Player 0 has I3 and one monomino, so he can begin.
    assert drafted.board.player == 0
    assert drafted.movers == (0, 1, 0)


def test_came_back_in_random_games() -> None:
    found = 0
    for seed in range(8):
        game = whole_game(4, seed)
        skipped: set[int] = set()
        movers = iter(game.movers)
        for entry in game.history:
            if isinstance(entry, bf.Skip):
                assert entry.player is not None
                skipped.add(entry.player)
            else:
                found += next(movers) in skipped
    assert found > 0


# Scores


def test_bonus_is_about_the_players_own_hand() -> None:
    hands = [{"blue": ["2"], "yellow": ["1"]}, {"red": ["1"], "green": ["2", "I5"]}]
    game = bf.Game("draft-2p", hands=hands)
    for text in ("blue a20,b20", "red t1", "yellow t20", "green a1,b1"):
        game.play(text)
    assert game.scores == (20, -5)
    assert game.color_scores == (-87, -88, -88, -87)
    assert game.undo().text == "green a1,b1"
    assert game.scores == (20, -7)


# From given hands


def test_given_hands_are_held_and_played() -> None:
    board = bf.Board("draft-2p", hands=DEALT)
    assert not board.is_drafting
    assert (board.turn, board.player, board.ply) == (-1, 0, 0)
    assert board.pieces_left(0) == ("1", "F")
    assert board.pieces_left(2, player=0) == ("I5",)
    assert [board.pieces_left(c, player=1) for c in range(4)] == [("2",), (), (), ("X",)]
    counts = [{c: board.hand(c, player=p) for c in range(4)} for p in range(2)]
    assert bf.Board("draft-2p", hands=counts) == board
    again = bf.Board("draft-2p", hands=[{c: np.array(h) for c, h in d.items()} for d in counts])
    assert again == board
    assert again.key() == board.key()
    assert again != bf.Board("draft-2p")


@PLAYERS
def test_hands_that_were_drafted_play_on_the_same(players: int) -> None:
    """The play phase after a draft, and from the same hands without it."""
    drafted = bf.Board(bf.variants.draft(players))
    rng = random.Random(players)
    while drafted.is_drafting:
        drafted.push(int(rng.choice(drafted.legal_ids())))
    hands = [{c: drafted.pieces_left(c, player=p) for c in range(4)} for p in range(players)]
    board = bf.Board(drafted.variant, hands=hands)
    assert board.key() == drafted.key()
    while not drafted.is_game_over:
        assert board.legal_ids().tolist() == drafted.legal_ids().tolist()
        assert (board.player, board.player_scores()) == (drafted.player, drafted.player_scores())
        move = int(rng.choice(board.legal_ids()))
        board.push(move)
        drafted.push(move)
        again = pickle.loads(pickle.dumps(board))
        assert again == board
        assert again.move_stack == board.move_stack
    assert board.is_game_over
    start = board.copy()
    while start.move_stack:
        start.pop()
    assert start == bf.Board(drafted.variant, hands=hands)


def test_playouts_and_batches_from_given_hands() -> None:
    board = bf.Board("draft-2p", hands=DEALT)
    batch = bf.BatchBoard(2, "draft-2p")
    batch[0] = board
    assert batch[0] == board
    assert batch.count_legal().tolist() == [board.count_legal(), 21]
    scores = bf.playouts(board, 50, seed=1)
    assert set(scores.ravel().tolist()) <= {20, 15, *range(-11, 0)}


IMPOSSIBLE: dict[str, tuple[Any, str]] = {
    "too few hands": ([{"blue": ["1"]}], "2 players.*1"),
    "too many hands": ([{}, {}, {}], "2 players.*3"),
    "the same piece twice": ([{"blue": ["F", "F"]}, {}], "blue: 2 of the piece F"),
    "a piece in two hands": ([{"red": ["X"]}, {"red": ["X"]}], "red: 2 of the piece X"),
    "unknown piece": ([{"blue": ["Q"]}, {}], "'Q'"),
    "unknown color": ([{"pink": ["1"]}, {}], "pink"),
    "color twice": ([{"blue": ["1"], 0: ["2"]}, {}], "player 0, blue stands twice"),
    "too few counts": ([{"blue": [1, 1]}, {}], "21 counts"),
    "negative count": ([{"blue": [-1] + [0] * 20}, {}], "player 0, blue: -1 of the piece 1"),
    "huge count": ([{"blue": [10**30] + [0] * 20}, {}], "of the piece 1"),
    "a text": ("blue", "mapping per player"),
    "a mapping": ({"blue": ["1"]}, "mapping per player"),
    "no mapping": ([["1"], ["2"]], "player 0"),
    "a piece alone": ([{"blue": "I5"}, {}], "player 0, blue"),
    "a number": (3, "mapping per player"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_hands(name: str) -> None:
    hands, message = IMPOSSIBLE[name]
    for make in (bf.Board, bf.Game):
        with pytest.raises((ValueError, TypeError), match=message):
            make("draft-2p", hands=hands)
    with pytest.raises((ValueError, TypeError), match=message):
        bf.set_up("draft-2p", {}, hands=hands)


def test_hands_are_for_draft_only() -> None:
    with pytest.raises(ValueError, match=r"draft.*with_pieces"):
        bf.Board("duo", hands=[{}, {}])
    with pytest.raises(ValueError, match="draft"):
        bf.Game("duo", hands=[{}, {}])


def test_all_hands_empty_is_a_game_that_is_over() -> None:
    game = bf.Game("draft-3p", hands=[{}, {}, {}])
    assert game.is_over
    assert game.scores == (0, 0, 0)
    assert game.history == ()


# Positions set up from squares


@PLAYERS
def test_positions_of_games_can_be_set_up(players: int) -> None:
    for board in boards_along(bf.variant(bf.variants.draft(players), scoring="net"), 3, 17):
        if board.is_drafting or board.is_game_over:
            continue
        game = bf.Game.from_board(board)
        placed, last = [0] * players, [""] * players
        for move, mover in zip(game.moves, game.movers, strict=True):
            if not isinstance(move, bf.Pick):
                placed[mover] += len(move.squares)
                last[mover] = move.piece
        again = bf.set_up(
            board.variant,
            board.grid(),
            player=board.player,
            hands=[{c: board.hand(c, player=p) for c in range(4)} for p in range(players)],
            placed=placed,
            monomino_last=[player for player, piece in enumerate(last) if piece == "1"],
        )
        assert again.key() == board.key()
        assert again.player_scores() == board.player_scores()
        assert again.legal_ids().tolist() == board.legal_ids().tolist()
        assert pickle.loads(pickle.dumps(again)) == again


def test_who_placed_what_is_part_of_a_position() -> None:
    """Squares and hands are the same, but not the scores that may follow."""
    boards = [
        bf.set_up(
            "draft-2p",
            {"blue": ["a20"], "red": ["t1"]},
            hands=[{}, {"red": ["2"]}],
            placed=placed,
            monomino_last=last,
        )
        for placed in ([2, 0], [1, 1], [0, 2])
        for last in ([], [0], [1], [0, 1])
        if all(placed[player] for player in last)
    ]
    assert len({board.key() for board in boards}) == len(boards)
    for board in boards:
        assert sum(board == other for other in boards) == 1
        assert pickle.loads(pickle.dumps(board)) == board
    assert [board.player_scores()[0] for board in boards[:2]] == [15, 20]
    assert len(boards) == 2 + 4 + 2


def test_what_cannot_be_set_up_in_draft() -> None:
    hands = [{"blue": ["2"]}, {"red": ["X"]}]
    squares = {"blue": ["a20"]}
    good: dict[str, Any] = {"hands": hands, "placed": [1, 0]}
    assert bf.set_up("draft-2p", squares, **good).player == 0
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"hands": None}, "hands"),
        ({"hands": [{"blue": ["1"]}, {}]}, "blue: 2 of the piece 1"),
        ({"placed": None}, "placed"),
        ({"placed": [1]}, "placed"),
        ({"placed": [2, 0]}, "placed"),
        ({"placed": [2, -1]}, "placed"),
        ({"turn": "blue"}, "turn"),
        ({"player": 2}, "player"),
        ({"monomino_last": [0, 1]}, "monomino"),
        ({"monomino_last": ["blue"]}, "monomino_last"),
        ({"monomino_last": [1]}, "player 1: the monomino cannot"),
        ({"monomino_last": [2]}, "player"),
    ]
    for changes, message in wrong:
        with pytest.raises(ValueError, match=message):
            bf.set_up("draft-2p", squares, **{**good, **changes})
    with pytest.raises(ValueError, match="placed"):
        bf.set_up("duo", {}, placed=[0, 0])


# What is not allowed, and that it changes nothing


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("blue a20", "a placement in the draft phase"),
        ("a20", "a placement in the draft phase"),
        ("red t1", "a placement in the draft phase"),
        ("pick F", "the piece is gone"),
        ("PICK f", "the piece is gone"),
        ("pick Q", "not a pick"),
        ("pick", "not a pick such as 'pick F'"),
        ("pass", "must"),
        ("blue", "not a pick"),
        ("pink a20", "such as 'pick F'"),
    ],
)
def test_wrong_moves_in_the_draft_phase(text: str, message: str) -> None:
    game = bf.Game("draft")
    game.play("pick F")
    before = picture(game)
    with pytest.raises((bf.IllegalMoveError, bf.InvalidMoveError), match=message):
        game.play(text)
    assert picture(game) == before


def test_a_pick_of_another_color_or_for_another_color() -> None:
    game = bf.Game("draft")
    with pytest.raises(bf.IllegalMoveError, match="another colo"):
        game.play(PICKS + 21)
    with pytest.raises(bf.IllegalMoveError, match="blue's, not red's"):
        game.play(PICKS, color="red")
    with pytest.raises(bf.IllegalMoveError, match="another colo"):
        game.play("pick F", color="red")
    assert game.play("pick F", color="blue").color == 0
    assert len(game.history) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pick F", "a pick in the play phase"),
        ("blue b19", "misses the start square"),
        ("blue a20,b20", "not in hand"),
        ("b19", "no color: blue: misses the start square; yellow: .*not in hand"),
        ("yellow t20", "not in hand"),
        ("pass", "must"),
        ("blue a20,a18", "not a piece"),
    ],
)
def test_wrong_moves_in_the_play_phase(text: str, message: str) -> None:
    game = bf.Game("draft-2p", hands=DEALT)
    before = picture(game)
    with pytest.raises((bf.IllegalMoveError, bf.InvalidMoveError), match=message):
        game.play(text)
    with pytest.raises(bf.IllegalMoveError, match="not red's"):
        game.play("blue a20", color="red")
    assert picture(game) == before


def test_nothing_goes_when_the_game_is_over() -> None:
    game = whole_game(2, 3)
    before = picture(game)
    for move in ("blue a20", "a20", "pick F", "pass", 0, PICKS, bf.Move(0)):
        with pytest.raises(bf.IllegalMoveError, match="over"):
            game.play(move)
    for wrong in (-1, PICKS + 84, "rubbish", bf.Move(0, 14)):
        with pytest.raises(bf.InvalidMoveError):
            game.play(wrong)
    assert picture(game) == before
    with pytest.raises(ValueError, match="player"):
        game.board.hand(0)
    with pytest.raises(ValueError, match="player"):
        game.board.hand(0, player=2)


# Bots and pictures


@pytest.mark.parametrize("name", bots.BOTS)
@PLAYERS
def test_bots_play_draft(players: int, name: str) -> None:
    bot = bots.make(name, seed=1)
    game = bf.Game(bf.variants.draft(players))
    while not game.is_over:
        before = state_bytes(game.board)
        move = bot.choose(game.board)
        assert type(move) is int
        assert state_bytes(game.board) == before
        game.play(move)


def test_greedy_picks_and_places_the_largest_first() -> None:
    bot = bots.make("greedy", seed=4)
    game = bf.Game("draft")
    while game.board.is_drafting:
        left = {game.board.move(number).piece for number in game.board.legal_ids().tolist()}
        pick = game.play(bot.choose(game.board))
        sizes = dict(zip(bf.PIECES, (1, 2, 3, 3, 4, 4, 4, 4, 4, *[5] * 12), strict=True))
        assert sizes[pick.piece] == max(sizes[piece] for piece in left)
    for _ in range(20):
        largest = max(
            len(game.board.move(number).squares) for number in game.board.legal_ids().tolist()
        )
        values = {}
        for number in game.board.legal_ids().tolist():
            move = game.board.move(number)
            if len(move.squares) == largest:
                after = game.board.copy()
                after.push(number)
                values[number] = len(after.corner_squares(move.color))
        choice = bot.choose(game.board)
        assert values[choice] == max(values.values())
        game.play(choice)


def test_pictures_of_both_phases() -> None:
    game = bf.Game("draft-2p", names=["Ann", "Bob"])
    lines = hand_text(game.board, names=game.names)
    assert lines[0] == "> Ann     0  nothing yet"
    assert lines[-1] == f"  to pick: blue {' '.join(bf.PIECES)}"
    game.play("pick F")
    lines = hand_text(game.board)
    assert lines[0].split() == ["player", "1", "-5", "blue", "F"]
    assert " F " not in lines[-1]
    board = bf.Board("draft-2p", hands=DEALT)
    assert hand_text(board) == [
        "> player 1   -11  blue 1 F, red I5",
        "  player 2    -7  blue 2, green X",
    ]
    assert board_text(board, hands=False).count("*") == 4
    corners = board_text(board, hands=False, corners=True)
    assert (corners.count("*"), corners.count("+")) == (2, 2)
    over = whole_game(2, 5)
    assert "+" not in board_text(over.board, corners=True)
    assert str(over)
    assert "\x1b" in board_text(over.board, color=True)


def test_every_position_can_be_asked_everything() -> None:
    """No method chokes on a phase: views, features, perft, divide."""
    twin = twin_for(bf.variant("draft-3p"))
    rng = random.Random(6)
    board = bf.Board("draft-3p")
    while not twin.is_over:
        if board.ply in (0, 30, 83, 84, 100):
            assert_same(board, twin)
            assert len(board.legal_moves) == bf.perft(board, 1)
            assert list(bf.divide(board, 1)) == board.legal_ids().tolist()
            assert len(bf.move_features(board, color=1).ids) == sum(
                not board.is_drafting and number // N == 1 for number in board.legal_moves
            )
            assert board.move_text(next(iter(board.legal_moves))) in repr(board.legal_moves)
        move = choose(twin, rng, 0)
        board.push(id_of(move, board))
        play_twin(twin, move)
