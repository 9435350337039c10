"""The recipes run, each for a moment in a process of its own; `pytest -m slow` lets them learn."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.envs.opponents import make_opponents, opponent_list
from blokus_fast.envs.views import Views

RECIPES = Path(__file__).resolve().parent.parent / "examples" / "recipes"
PAGE = RECIPES.parent.parent / "docs" / "recipes.md"

# What each needs, a short run, and a longer one with the share of games that it has to win.
SHORT = {
    "maskable_ppo": (
        ["torch", "stable_baselines3", "sb3_contrib", "gymnasium"],
        ["--steps", "128", "--rollout", "64"],
        ["--steps", "30000"],
        0.7,
    ),
    "maskable_ppo --envs 8": (
        ["torch", "stable_baselines3", "sb3_contrib", "gymnasium"],
        ["--steps", "128", "--rollout", "64"],
        ["--steps", "30000"],
        0.7,
    ),
    "selfplay_ppo": (
        ["torch", "gymnasium"],
        ["--rollouts", "2", "--envs", "4", "--steps", "16", "--minibatch", "32"],
        ["--rollouts", "30"],
        0.8,
    ),
    "rllib_ppo": (
        ["torch", "ray", "gymnasium"],
        ["--iterations", "1", "--batch", "64", "--envs", "2"],
        ["--iterations", "20"],
        0.6,
    ),
    "tianshou_dqn": (
        ["torch", "tianshou", "gymnasium"],
        ["--epochs", "1", "--steps", "200", "--envs", "2"],
        [],
        0.65,
    ),
    "openspiel_mcts": (
        ["pyspiel"],
        ["--simulations", "20"],
        ["--games", "20"],
        0.8,
    ),
    "openspiel_mcts --own": (
        ["pyspiel"],
        ["--simulations", "4"],
        ["--games", "20", "--simulations", "800"],
        0.6,
    ),
    "openspiel_dqn": (
        ["torch", "pyspiel", "tree"],
        ["--episodes", "4"],
        [],
        0.65,
    ),
}
EXTRAS = {
    "torch": "PyTorch is in the extra `learn`",
    "gymnasium": "Gymnasium is in the extra `rl`",
    "sb3_contrib": "it is in the extra `train`",
    "stable_baselines3": "it is in the extra `train`",
    "pyspiel": "OpenSpiel is the extra `openspiel`",
    "tree": "dm-tree is installed by who uses OpenSpiel's agents",
    "ray": "RLlib is installed by who uses it",
    "tianshou": "Tianshou is installed by who uses it",
}


def need(libraries):
    """Pass a test over where a library is missing; they are large, and none is imported here."""
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is missing: {EXTRAS[library]}")


def run(name, arguments, timeout):
    """Run a recipe; return what it printed."""
    script, *options = name.split()
    done = subprocess.run(
        [sys.executable, str(RECIPES / f"{script}.py"), *options, *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=os.environ | {"OMP_WAIT_POLICY": "passive"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("name", SHORT)
def test_a_short_run(name, tmp_path):
    libraries, short, _, _ = SHORT[name]
    need(libraries)
    save = {"maskable_ppo": "net.zip", "selfplay_ppo": "net.pt2"}.get(name)
    games = ["--games", "2" if "mcts" in name else "8"]
    more = ["--save", str(tmp_path / save)] if save else []
    printed = run(name, [*short, *games, *more], 300)
    assert re.search(r"[\d,]+ (steps|moves|simulations)( of the learner)? a second", printed)
    assert re.search(r"wins \d+\.\d% (of 2 games )?against random", printed)
    if save:
        # What was saved plays.
        looks = {"form": "flat", "dtype": "float32", "masks": False} if save == "net.zip" else {}
        views = Views(bf.variant("duo"), **looks)
        opponents = opponent_list(tmp_path / save, 2)
        (bot,) = make_opponents(opponents, np.random.default_rng(1), views)
        board = bf.Board("duo")
        assert board.is_legal(bot.choose(board))
        assert (opponents[0].looks or {}) == ({"view": "rotated"} if save == "net.pt2" else {})


def test_a_league_of_past_selves(tmp_path):
    """Learned against in two processes, which load them from files."""
    need(SHORT["maskable_ppo"][0])
    folder = tmp_path / "league"
    options = ["--steps", "128", "--rollout", "32", "--games", "8", "--league", str(folder)]
    printed = run("maskable_ppo --envs 2", options, 300)
    assert "128 steps: wins" in printed
    assert sorted(path.name for path in folder.iterdir()) == [
        f"past_{number}.zip" for number in range(1, 5)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_it_learns_to_beat_random(name):
    libraries, _, longer, least = SHORT[name]
    need(libraries)
    printed = run(name, longer, 1800)
    assert float(re.findall(r"wins (\d+\.\d)%", printed)[-1]) / 100 >= least


def test_the_page_names_every_recipe():
    text = PAGE.read_text(encoding="utf-8")
    for path in RECIPES.glob("*.py"):
        assert f"examples/recipes/{path.name}" in text


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.py")), ids=lambda path: path.stem)
def test_without_their_libraries(path):
    """They say what to install."""
    library = {"openspiel_mcts": "pyspiel"}.get(path.stem, "torch")
    script = (
        f"import runpy, sys; sys.modules[{library!r}] = None; sys.argv = ['recipe']\n"
        f"runpy.run_path({str(path)!r}, run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "this recipe needs" in done.stderr
    assert "pip install" in done.stderr
    assert "Traceback" not in done.stderr
