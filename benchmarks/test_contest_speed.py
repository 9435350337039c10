"""What the contest's client adds to a bot's thinking. Run ``pytest benchmarks``.

From the bytes of a state message to those of the answer, with a bot that takes the first move.
"""

from __future__ import annotations

import random
import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import blokus_fast as bf
from blokus_fast.contest import State, state_of
from blokus_fast.contest.following import said_action
from blokus_fast.contest.messages import StateSaid, read_said
from blokus_fast.contest.requests import MoveSaid
from blokus_fast.contest.stream import ElementReader
from blokus_fast.contest.thinking import Thinker


def positions() -> list[bf.Board]:
    """Return every position, but the last, of a game of uniformly random moves."""
    rng, board, found = random.Random(2026), bf.Board("software-challenge-2027"), []
    while not board.is_game_over:
        found.append(board.copy())
        board.push(rng.choice(board.legal_ids().tolist()))
    return found


class First:
    """The quickest bot."""

    def choose(self, board: bf.Board) -> int:
        return int(board.legal_ids()[0])


@pytest.mark.benchmark(group="contest: a state to an answer")
def test_from_a_state_to_an_answer(benchmark: BenchmarkFixture) -> None:
    boards = positions()
    messages = [StateSaid("7", state_of(board)).xml().encode() for board in boards]
    with Thinker(First()) as thinker:
        thinker.begin(boards[0].variant)

        def answer_all() -> int:
            reader, sent = ElementReader(), 0
            reader.feed(b"<protocol>")
            for message in messages:
                [element] = reader.feed(message)
                said = read_said(element)
                assert isinstance(said, StateSaid)
                sent += len(answer(thinker, said.state))
            return sent

        assert benchmark(answer_all) > 100 * len(boards)
    if benchmark.stats is not None:
        per_answer = benchmark.stats.stats.median / len(boards)
        benchmark.extra_info["us_per_answer"] = round(1e6 * per_answer)


def answer(thinker: Thinker, state: State) -> bytes:
    """Answer a state; it is set up anew, which takes longer than to follow a game."""
    board = state.board()
    choice = thinker.choose(board, time.monotonic() + 2)
    return MoveSaid("7", said_action(board, choice.move)).xml().encode()
