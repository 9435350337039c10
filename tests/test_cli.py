"""The command line: what it prints, as JSON and for people, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_tools import json_of, run

import blokus_fast as bf

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")


def replay(report: dict[str, Any], played: dict[str, Any]) -> bf.Game:
    game = bf.Game(report["variant"], start=report["start"], scoring=report["scoring"])
    for text in played["moves"]:
        game.play(text)
    return game


def test_perft_prints_one_json_object() -> None:
    report = json_of("perft", "classic", "3", "--start", "assigned", "--json")
    assert (report["variant"], report["start"], report["depth"]) == ("classic", "assigned", 3)
    assert report["nodes"] == 195_112


@pytest.mark.parametrize("variant", bf.VARIANTS)
def test_perft_by_first_moves_is_perft(variant: str) -> None:
    depth = 3 if "draft" in variant else 2 if variant in ("duo", "junior") else 4
    if variant == "software-challenge-2027":
        depth = 2
    report = json_of("perft", variant, str(depth), "--divide", "--json")
    board = bf.Board(variant)
    assert report["nodes"] == sum(report["divide"].values()) == bf.perft(board, depth)
    divided = {board.move_text(move): count for move, count in bf.divide(board, depth).items()}
    assert report["divide"] == divided


def test_perft_divide_adds_up() -> None:
    report = json_of("perft", "duo", "2", "--start", "assigned", "--divide", "--json")
    assert report["nodes"] == 171_396 == sum(report["divide"].values())
    assert len(report["divide"]) == 414
    assert report["divide"]["e10"] == 414


def test_perft_for_people() -> None:
    result = run("perft", "duo", "1")
    assert result.exit_code == 0
    assert "828" in result.output


def test_play_between_bots_prints_one_json_object() -> None:
    args = ("play", "--variant", "duo", "--bots", "random,greedy", "--games", "2", "--seed", "1")
    report = json_of(*args, "--json")
    assert len(report["games"]) == 2
    for played in report["games"]:
        game = replay(report, played)
        assert game.is_over
        assert list(game.scores) == played["scores"]
        assert list(game.winners) == played["winners"]
        assert list(game.ranking) == played["ranking"]
        skips = [(e.ply, e.color) for e in game.history if isinstance(e, bf.Skip)]
        assert [(skip["ply"], skip["color"]) for skip in played["skips"]] == skips
    assert [played["bots"] for played in report["games"]] == [
        ["random", "greedy"],
        ["greedy", "random"],
    ]


def test_the_same_seed_plays_the_same_games() -> None:
    args = ("play", "--variant", "duo", "--bots", "random", "--games", "2", "--json", "--seed")
    assert json_of(*args, "7") == json_of(*args, "7")
    assert json_of(*args, "7")["games"] != json_of(*args, "8")["games"]


@pytest.mark.parametrize("variant", bf.VARIANTS)
def test_every_variant_is_played_to_its_end(variant: str) -> None:
    report = json_of("play", "--variant", variant, "--bots", "random", "--seed", "2", "--json")
    assert replay(report, report["games"][0]).is_over


def test_play_for_people_shows_board_and_scores() -> None:
    result = run("play", "--variant", "duo", "--bots", "random,greedy", "--seed", "1")
    assert result.exit_code == 0
    assert "a b c d e f g h i j k l m n" in result.output
    assert "random" in result.output
    assert "greedy" in result.output
    assert "win" in result.output


def test_info_as_json() -> None:
    report = json_of("info", "--json")
    assert report["kernel"] in report["kernels"]
    assert set(report["variants"]) == set(bf.VARIANTS)
    assert report["version"]


def test_bench_as_json() -> None:
    report = json_of("bench", "--variant", "duo", "--seconds", "0", "--json")
    assert {row["operation"] for row in report["results"]} >= {"legal list", "count", "copy"}
    assert all(row["per_second"] > 0 for row in report["results"])


def test_show_draws_every_position_once() -> None:
    result = run("play", "--variant", "duo", "--bots", "random", "--seed", "1", "--show")
    assert result.exit_code == 0
    moves = int(result.output.rpartition("after ")[2].split()[0])
    # Letters above and below each board.
    assert result.output.count("a b c d e f g h i j k l m n") == 2 * moves
    assert f"\n{moves}. " in result.output
    assert "cannot place, and is skipped" in result.output


def test_info_for_people() -> None:
    result = run("info")
    assert result.exit_code == 0
    assert bf.__version__ in result.output
    assert bf.cpu_info()["kernel"] in result.output


def test_bench_for_people() -> None:
    result = run("bench", "--variant", "duo", "--seconds", "0")
    assert result.exit_code == 0
    assert "legal list" in result.output
    assert bf.cpu_info()["kernel"] in result.output


def test_perft_divide_for_people() -> None:
    result = run("perft", "duo", "1", "--divide")
    assert result.exit_code == 0
    assert "e10: 1\n" in result.output
    assert len(result.output.splitlines()) == 829
    assert run("perft", "duo", "0", "--divide").exit_code == 2


@pytest.mark.parametrize(
    ("variant", "start", "nodes"),
    [
        ("classic", "assigned", (1, 58, 3_364, 195_112)),
        ("duo", "assigned", (1, 414, 171_396)),
        ("junior", "assigned", (1, 189, 35_721)),
    ],
)
def test_perft_figures(variant: str, start: str, nodes: tuple[int, ...]) -> None:
    for depth, count in enumerate(nodes):
        report = json_of("perft", variant, str(depth), "--start", start, "--json")
        assert report["nodes"] == count


def test_another_scoring_rule_orders_the_places() -> None:
    args = ("play", "--variant", "duo", "--bots", "random", "--seed", "4", "--json")
    usual, reverse = json_of(*args)["games"][0], json_of(*args, "--scoring", "reverse")["games"][0]
    assert usual["moves"] == reverse["moves"]
    assert reverse["scores"] == [score + 89 for score in usual["scores"]]
    assert usual["ranking"] == reverse["ranking"][::-1] != [1, 1]


def test_without_bots_a_person_meets_greedy() -> None:
    result = run("play", "--variant", "duo", stdin="quit\n")
    assert result.exit_code == 0
    assert "you" in result.output
    assert "greedy" in result.output


# A person at the keyboard

PLAYER = ("play", "--variant", "duo", "--bots", "human,random", "--seed", "3")


def test_a_person_plays_a_move_and_quits() -> None:
    result = run(*PLAYER, stdin="e8,d9,e9,f9,e10\nquit\n")
    assert result.exit_code == 0
    assert "X at e8,d9,e9,f9,e10" in result.output
    assert "Stopped" in result.output


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("a1,a3", "No"),
        ("a1", "start"),
        ("hello", "No"),
        ("pass", "pass"),
        ("list", "828 moves"),
        ("list X", "X"),
        ("list Q", "no piece"),
        ("help", "undo"),
        ("hint", " at "),
        ("undo", "no move"),
        ("board", "a b c"),
    ],
)
def test_what_a_person_types(line: str, answer: str) -> None:
    result = run(*PLAYER, stdin=f"{line}\nquit\n")
    assert result.exit_code == 0
    assert answer in result.output.split('or "help".', 1)[1]


def test_undo_takes_back_the_answer_as_well() -> None:
    result = run(*PLAYER, stdin="e10\nundo\ne9,e10\nquit\n")
    assert result.exit_code == 0
    assert "1. purple (you): 2 at e9,e10" in result.output


def test_the_end_of_the_input_ends_the_game() -> None:
    result = run(*PLAYER, stdin="e10\n")
    assert result.exit_code == 0
    assert "Stopped" in result.output


def test_a_person_can_play_to_the_end() -> None:
    moves = []
    report = json_of("play", "--variant", "duo", "--bots", "random", "--seed", "5", "--json")
    moves = report["games"][0]["moves"]
    result = run("play", "--variant", "duo", "--bots", "human", stdin="\n".join(moves) + "\n")
    assert result.exit_code == 0
    assert f"after {len(moves)} moves" in result.output


# Wrong usage


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("perft", "chess", "2"), ["classic", "duo", "junior"]),
        (("perft", "duo", "-1"), ["-1"]),
        (("perft", "duo", "x"), ["x"]),
        (("perft", "duo", "2", "--start", "free"), ["assigned", "any", "border"]),
        (("play", "--variant", "chess"), ["classic", "duo", "junior"]),
        (("play", "--bots", "deep-blue"), ["random", "greedy"]),
        (("play", "--bots", "random,greedy"), ["4 players"]),
        (("play", "--bots", "random,Greedy,random,random"), ["'Greedy'", "random", "greedy"]),
        (("play", "--bots", ""), ["random", "greedy", "human"]),
        (("play", "--start", "free"), ["assigned", "any", "border"]),
        (("play", "--bots", "random", "--json", "--show"), ["--show"]),
        (("bench", "--variant", "chess"), ["classic", "duo", "junior"]),
        (("bench", "--seconds", "-1"), ["-1"]),
        (("play", "--scoring", "golf"), ["advanced", "basic", "placed", "net", "reverse"]),
        (("play", "--games", "0"), ["games"]),
        (("play", "--seed", "-1"), ["seed"]),
        (("play", "--bots", "human", "--json"), ["human"]),
        (("fly",), ["fly"]),
        (("contest", "--port", "99999999"), ["--port", "99999999", "1<=x<=65535"]),
        (("contest", "--port", "-1"), ["--port", "-1", "1<=x<=65535"]),
        (("contest-server", "--port", "65536"), ["--port", "65536", "0<=x<=65535"]),
    ],
)
def test_wrong_usage_is_explained(args: tuple[str, ...], words: list[str]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    for word in words:
        assert word in result.output
    assert "Traceback" not in result.output


def test_one_of_something_is_singular() -> None:
    result = run("perft", "duo", "0")
    assert "1 move sequence\n" in result.output
    keys = "e8,d9,e9,f9,e10\nlist W j6\nquit\n"
    result = run("play", "--variant", "duo", "--bots", "human,random", "--seed", "1", stdin=keys)
    assert "not finished after 2 moves\n" in result.output
    record = "(;GM[Blokus Duo];B[e10])"
    result = run("analyze", "-", "--ply", "1", "--simulations", "1", stdin=record)
    assert "duo after 1 move: " in result.output
    assert "1 simulation in " in result.output


def test_python_dash_m_is_the_same_program(tmp_path: Path) -> None:
    # Elsewhere, since -m looks in the current folder first, where the uncompiled sources may be.
    command = [sys.executable, "-m", "blokus_fast", "perft", "duo", "1", "--json"]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert json.loads(result.stdout)["nodes"] == 828


def test_play_saves_its_games(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    args = ("play", "--variant", "duo", "--bots", "random")
    played = json_of(*args, "--games", "2", "--seed", "1", "--json", "--save", path)["games"]
    saved = list(bf.records.read_all(path))
    assert [[move.text for move in record.to_game().moves] for record in saved] == [
        game["moves"] for game in played
    ]
    done = run(*args, "--save", tmp_path / "no" / "x")
    assert done.exit_code == 1
    assert "cannot write" in done.stderr
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "words",
    [
        ("play", "--time", "nan"),
        ("play", "--delay", "nan"),
        ("bench", "--seconds", "nan"),
        ("analyze", "--time", "nan", "a20"),
    ],
    ids=" ".join,
)
def test_no_number_is_no_time(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert "is not a number of seconds" in result.output
