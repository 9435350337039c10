"""docs/environments.md: its programs run, and its table is true."""

import re
from pathlib import Path

import pytest

import blokus_fast as bf
from blokus_fast.envs.views import Views

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "environments.md").read_text(
    encoding="utf-8"
)
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_programs_run(number, capsys):
    program = PROGRAMS[number]
    if "envs.make" not in program and "import" not in program.splitlines()[0]:
        program = "from blokus_fast.envs import blokus_v0\n" + program
    for library, word in (
        ("pettingzoo", "blokus_v0"),
        ("gymnasium", "gym_v0"),
        ("sb3_contrib", "sb3_contrib"),
        ("pyspiel", "pyspiel"),
    ):
        if word in program:
            pytest.importorskip(library, reason=f"{library} is an extra")
    if "sb3_contrib" in program:
        # Threads that wait for each other take a busy machine a hundred times as long.
        pytest.importorskip("torch", reason="the example learns with torch").set_num_threads(1)
    exec(compile(program, "docs/environments.md", "exec"), {})


def test_there_are_programs():
    assert len(PROGRAMS) == 7


def test_the_table_of_variants_is_true():
    rows = re.findall(
        r"^\| `([\w-]+)` \| (\d) \| (\d+) \S (\d+) \S \d+ \| (\d+) \| ([\d,]+) \|", PAGE, re.M
    )
    assert [row[0] for row in rows] == list(bf.VARIANTS)
    for name, players, planes, size, hand, actions in rows:
        board = bf.Board(name)
        layout = Views(board.variant).layout
        assert (int(planes), int(size), int(size)) == layout["observation"][0]
        assert (int(hand),) == layout["hand"][0]
        assert int(players) == board.n_players
        assert int(actions.replace(",", "")) == board.n_actions


def test_the_longest_games_are_true():
    openspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is the extra `openspiel`")
    import blokus_fast.envs.openspiel  # noqa: F401

    for name, most in re.findall(r"^\| `([\w-]+)` \| \d \| .* \| (\d+) \|$", PAGE, re.M):
        game = openspiel.load_game(f"blokus(variant={name})")
        assert game.max_game_length() == int(most)
