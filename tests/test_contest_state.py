"""States of the contest: XML and boards, a game followed by them, and what makes no sense."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from contest_tools import PENTOMINOES, element, game, states

import blokus_fast as bf
from blokus_fast.contest import PlacedPiece, ProtocolError, SkippedTurn, State, state_of
from blokus_fast.contest.following import Follower, action_of, said_action
from blokus_fast.variants import software_challenge_2027

# As the server's own tests have it, with a turn in the last rounds.
LATE = """
<state startTeam="ONE" turn="70" startPiece="PENTO_L" round="18">
  <lastMove class="sc.plugin2027.SetMove">
    <piece color="BLUE" kind="MONO" rotation="NONE" isFlipped="false">
      <position x="0" y="0"/>
    </piece>
  </lastMove>
  <board>
    <field x="0" y="0" content="RED"/>
    <field x="1" y="3" content="GREEN"/>
    <field x="8" y="6" content="YELLOW"/>
    <field x="5" y="9" content="BLUE"/>
  </board>
  <lastMoveMono><entry><color>BLUE</color><boolean>true</boolean></entry></lastMoveMono>
  <blueShapes/>
  <yellowShapes><shape>MONO</shape></yellowShapes>
  <redShapes><shape>MONO</shape><shape>DOMINO</shape></redShapes>
  <greenShapes><shape>MONO</shape><shape>TRIO_L</shape></greenShapes>
  <validColors><color>YELLOW</color><color>RED</color><color>GREEN</color></validColors>
</state>
"""


def test_a_state_as_the_server_writes_it() -> None:
    state = State.read(element(LATE))
    assert (state.turn, state.round, state.color, state.opening) == (70, 18, 2, "L5")
    assert state.last_move == PlacedPiece(0, "MONO", "NONE", False, 0, 0)
    assert (state.grid[0], state.grid[61], state.grid[128], state.grid[185]) == (2, 3, 1, 0)
    assert state.grid.count(255) == 396
    assert [sum(hand) for hand in state.hands] == [0, 1, 2, 2]
    assert (state.in_game, state.monomino_last, state.problems) == ((1, 2, 3), (0,), ())
    assert State.read(element(state.xml())) == state


@pytest.mark.parametrize("opening", PENTOMINOES)
def test_every_position_can_be_said_and_set_up(opening: str) -> None:
    for board, move in game(opening, seed=1, passing=0.1):
        state = state_of(board, last_move=move)
        assert State.read(element(state.xml())) == state
        assert state.agrees(board)
        assert state.color == board.turn or board.is_game_over
        again = state.board()
        assert (again.grid() == board.grid()).all()
        assert (again.turn, again.player) == (board.turn, board.player)
        assert again.legal_ids().tolist() == board.legal_ids().tolist()
        assert again.color_scores() == board.color_scores()


@pytest.mark.parametrize("seed", range(6))
def test_moves_by_squares_alone_are_the_legal_ones(seed: int) -> None:
    for board, _ in game(PENTOMINOES[seed], seed=seed):
        if not board.is_game_over:
            ids = board.legal_ids()
            assert state_of(board).placements().tolist() == ids[ids < board.n_moves].tolist()


@pytest.mark.parametrize("passing", [0.0, 0.3, 0.9])
def test_a_game_is_followed_by_its_moves(passing: float) -> None:
    follower = Follower()
    for board, move in game("P", seed=4, passing=passing):
        state = State.read(element(state_of(board, last_move=move).xml()))
        assert follower.update(state) == ()
        assert follower.board == board
        assert follower.board is not None
        assert follower.board.move_stack == board.move_stack
        assert follower.ready == (not board.is_game_over)
        # The same once more changes nothing.
        assert follower.update(state) == ()
        assert follower.board == board


def test_the_bonus_of_the_monomino_survives() -> None:
    """A color that places everything, its monomino last."""
    variant = software_challenge_2027("I5")
    board = bf.Board(variant)
    rng = random.Random(5)
    for seed in range(200):
        board = bf.Board(variant)
        rng = random.Random(seed)
        while not board.is_game_over:
            ids = board.legal_ids()
            ids = ids[ids < board.n_moves]
            if board.turn:
                board.push(board.n_moves if board.placements(board.turn) else int(ids[0]))
                continue
            sizes = np.array([len(bf.Move(int(move)).squares) for move in ids])
            board.push(int(rng.choice(ids[sizes == sizes.max()])))
        if board.color_scores()[0] == 20:
            break
    assert board.color_scores()[0] == 20
    state = state_of(board)
    assert state.monomino_last == (0,)
    assert State.read(element(state.xml())).board().color_scores()[0] == 20
    assert replace(state, monomino_last=()).board().color_scores()[0] == 15


def test_a_game_that_has_begun_is_taken_from_the_message() -> None:
    follower, all_states = Follower(), states("Y", seed=2)
    assert follower.update(all_states[30]) == ()
    assert follower.board is not None
    assert all_states[30].agrees(follower.board)
    assert follower.update(all_states[31]) == ()


def test_a_state_that_the_moves_do_not_lead_to_is_taken_with_a_warning() -> None:
    follower, all_states = Follower(), states("Y", seed=2)
    follower.update(all_states[10])
    [problem] = follower.update(all_states[14])
    assert "played" in problem or "last move" in problem
    assert follower.board is not None
    assert all_states[14].agrees(follower.board)
    [problem] = follower.update(replace(all_states[20], last_move=None))
    assert problem == "the position has changed without a move"
    assert all_states[20].agrees(follower.board)
    assert follower.update(all_states[21]) == ()


def test_a_state_that_breaks_the_rules_leaves_the_moves_in_force() -> None:
    follower, all_states = Follower(), states("Y", seed=2)
    follower.update(all_states[20])
    # Two squares of blue that are connected to nothing.
    grid = bytearray(all_states[21].grid)
    free = [square for square in range(400) if grid[square] == 255]
    grid[free[0]] = 0
    broken = replace(all_states[21], grid=bytes(grid))
    problems = follower.update(broken)
    assert any("breaks the rules" in problem for problem in problems)
    assert follower.board is not None
    assert all_states[21].agrees(follower.board)
    assert not follower.ready
    # The next one is right again.
    assert follower.update(all_states[22]) == ()
    assert follower.ready


@pytest.mark.parametrize(
    ("last", "message"),
    [
        (PlacedPiece(0, "PENTO_X", "NONE", False, 0, 0), "against the rules"),
        (PlacedPiece(0, "PENTO_X", "NONE", False, 19, 19), "is none"),
        (PlacedPiece(1, "PENTO_X", "NONE", False, 0, 0), "out of turn"),
        (SkippedTurn(0), "against the rules"),
    ],
)
def test_a_last_move_that_cannot_have_been_made(last: PlacedPiece, message: str) -> None:
    follower, all_states = Follower(), states("W", seed=2)
    follower.update(all_states[0])
    [problem] = follower.update(replace(all_states[1], last_move=last))
    assert message in problem
    assert follower.board is not None
    assert all_states[1].agrees(follower.board)


def test_unknown_things_are_passed_over_and_told() -> None:
    text = LATE.replace("<shape>DOMINO</shape>", "<shape>HEXO</shape>")
    text = text.replace('kind="MONO"', 'kind="HEPTO"').replace("PENTO_L", "PENTO_Q")
    text = text.replace("<color>GREEN</color>", "<color>PINK</color>")
    state = State.read(element(text))
    assert state.opening is None
    assert state.last_move is None
    assert sum(state.hands[2]) == 1
    told = " ".join(state.problems)
    for word in ("PENTO_Q", "HEXO", "HEPTO", "unknown colors"):
        assert word in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('turn="70"', ""),
        ('turn="70"', 'turn="many"'),
        ('turn="70"', 'turn="-1"'),
        ('turn="70"', f'turn="{"9" * 5000}"'),
        ('turn="70"', 'turn="99999"'),
        ("board>", "bored>"),
    ],
)
def test_a_state_that_makes_no_sense_is_refused(old: str, new: str) -> None:
    assert old in LATE
    with pytest.raises(ProtocolError):
        State.read(element(LATE.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('x="1" y="3"', 'x="20" y="3"'),
        ('x="1" y="3"', 'x="-1" y="3"'),
        ('x="1" y="3"', 'x="1"'),
        ('x="1" y="3"', 'x="one" y="3"'),
        ('x="1" y="3"', f'x="{"9" * 5000}" y="3"'),
        ('content="GREEN"', 'content="PINK"'),
    ],
)
def test_a_field_that_makes_no_sense_is_passed_over_and_told(old: str, new: str) -> None:
    state = State.read(element(LATE.replace(old, new)))
    assert state.grid.count(255) == 397
    [problem] = state.problems
    assert problem.startswith("unknown field")


def test_a_message_that_was_read_in_part_is_completed_by_the_move() -> None:
    follower, all_states = Follower(), states("Y", seed=2)
    follower.update(all_states[20])
    text = all_states[21].xml().replace('<field x="', '<field x="9', 1)
    state = State.read(element(text.replace("PENTO_Y", "PENTO_Q")))
    assert len(follower.update(state)) == 2
    assert follower.board is not None
    assert all_states[21].agrees(follower.board)
    assert follower.ready
    assert follower.state is not None
    assert follower.state.opening == "Y"
    assert follower.update(all_states[22]) == ()


def test_without_a_known_opening_any_pentomino_may_begin() -> None:
    board = bf.Board(software_challenge_2027())
    assert state_of(board).placements().tolist() == board.legal_ids().tolist()


def test_a_turn_whose_color_cannot_place_goes_on_to_the_next() -> None:
    board = max(
        (b.copy() for b, _ in game("W", seed=3)), key=lambda b: b.ply * (not b.is_game_over)
    )
    state = state_of(board)
    stuck = [color for color in range(4) if not board.any_legal(color=color)]
    assert stuck
    turn = state.turn - (state.turn - stuck[0]) % 4
    found = replace(state, turn=turn).board()
    assert found.turn not in stuck


def test_moves_are_said_and_understood() -> None:
    board = bf.Board(software_challenge_2027("W"))
    board.push(int(board.legal_ids()[3]))
    for action in [*board.legal_ids().tolist(), board.n_moves]:
        said = said_action(board, action)
        assert said.color == 1
        assert action_of(board, said) == action


def test_a_board_of_another_game_is_refused() -> None:
    for name in ("duo", "draft"):
        with pytest.raises(ValueError, match="not played in the contest"):
            state_of(bf.Board(name))
