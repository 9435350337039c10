"""The command line and the variants beyond Classic and Duo: bots, people, picks, passes."""

from __future__ import annotations

import pytest
from cli_tools import json_of, run

import blokus_fast as bf

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")


NEW = ("classic-3p", "draft", "draft-3p", "draft-2p", "software-challenge-2027")


@pytest.mark.parametrize("bots", ["random", "greedy"])
@pytest.mark.parametrize("variant", NEW)
def test_bots_play_every_variant(variant: str, bots: str) -> None:
    report = json_of("play", "--variant", variant, "--bots", bots, "--seed", "1", "--json")
    played = report["games"][0]
    game = bf.Game(variant)
    for text in played["moves"]:
        game.play(text)
    assert game.is_over
    assert list(game.movers) == played["players"]
    assert list(game.scores) == played["scores"]
    skips = [(e.ply, e.color, e.player) for e in game.history if isinstance(e, bf.Skip)]
    assert [(s["ply"], s["color"], s["player"]) for s in played["skips"]] == skips


@pytest.mark.parametrize("variant", NEW)
def test_every_move_can_be_shown(variant: str) -> None:
    result = run("play", "--variant", variant, "--bots", "random", "--seed", "3", "--show")
    assert result.exit_code == 0
    moves = int(result.output.rpartition("after ")[2].split()[0])
    assert f"\n{moves}. " in result.output
    if variant.startswith("draft"):
        assert "1. random 1: pick blue " in result.output
        assert "pieces left" in result.output


def test_a_contest_game_has_passes_to_show() -> None:
    for seed in range(60):
        result = run(
            *("play", "--variant", "software-challenge-2027", "--bots", "random"),
            *("--seed", str(seed), "--show", "--opening", "W"),
        )
        if ") passes" in result.output:
            assert ": W at " in result.output
            return
    pytest.fail("nobody passed in 60 games")


@pytest.mark.parametrize(
    ("args", "nodes"),
    [
        (("software-challenge-2027", "1", "--opening", "w"), 272),
        (("software-challenge-2027", "1"), 4308),
        (("classic-3p", "2"), 3364),
        (("draft-2p", "2"), 420),
        (("classic", "1", "--start", "border", "--opening", "W"), 272),
    ],
)
def test_perft(args: tuple[str, ...], nodes: int) -> None:
    assert json_of("perft", *args, "--json")["nodes"] == nodes


def test_divide_names_picks() -> None:
    report = json_of("perft", "draft-3p", "2", "--divide", "--json")
    assert report["divide"] == {f"pick {piece}": 20 for piece in bf.PIECES}


def test_an_opening_piece_that_does_not_fit() -> None:
    for args in (
        ("perft", "junior", "1", "--opening", "W"),
        ("perft", "duo", "1", "--opening", "Q"),
    ):
        result = run(*args)
        assert result.exit_code == 2
        assert "Traceback" not in result.output


# A person at the keyboard

DRAFT = ("play", "--variant", "draft-2p", "--bots", "human,greedy", "--seed", "3")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("pick F", "1. you: pick blue F"),
        ("PICK f", "1. you: pick blue F"),
        ("pick Q", "No: 'pick Q' is not a pick"),
        ("blue a20", "No: blue a20 (move 0): a placement in the draft phase"),
        ("a20", "a placement in the draft phase"),
        ("pass", "No: a player who can pick or place must do so"),
        ("hint", "pick "),
        ("list", "21 moves"),
        ("list F", "pick F"),
        ("undo", "no move"),
        ("help", "pick F"),
        ("board", "to pick: blue"),
    ],
)
def test_what_a_person_types_while_drafting(line: str, answer: str) -> None:
    result = run(*DRAFT, stdin=f"{line}\nquit\n")
    assert result.exit_code == 0
    assert answer in result.output.split('or "help".', 1)[1]


def test_undo_takes_back_a_pick() -> None:
    result = run(*DRAFT, stdin="pick F\nundo\npick F\nquit\n")
    assert result.exit_code == 0
    assert result.output.count("1. you: pick blue F") == 2
    assert "No:" not in result.output


@pytest.mark.parametrize("variant", NEW)
def test_a_person_can_play_to_the_end(variant: str) -> None:
    report = json_of("play", "--variant", variant, "--bots", "random", "--seed", "5", "--json")
    moves = report["games"][0]["moves"]
    result = run("play", "--variant", variant, "--bots", "human", stdin="\n".join(moves) + "\n")
    assert result.exit_code == 0
    assert f"after {len(moves)} moves" in result.output
    assert "No:" not in result.output


def test_undo_of_the_shared_color() -> None:
    """The person is player 0 and places green; undo takes that back, and not blue's move."""
    keys = "a20\na1\nundo\na1,b1\nquit\n"
    bots = ("play", "--variant", "classic-3p", "--bots", "human,random,random", "--seed", "1")
    result = run(*bots, stdin=keys)
    assert result.exit_code == 0
    assert "4. green (you): 1 at a1" in result.output
    assert "4. green (you): 2 at a1,b1" in result.output
