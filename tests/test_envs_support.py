"""What the environments share, and what happens without the libraries that they are for."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.envs._support import illegal_reward, score_bounds
from blokus_fast.envs.images import board_image
from blokus_fast.envs.views import Views
from blokus_fast.scoring import REWARDS

MODULES = {
    "blokus_v0": ("pettingzoo", "rl"),
    "gym_v0": ("gymnasium", "rl"),
    "openspiel": ("pyspiel", "openspiel"),
}


def test_the_package_imports_none_of_them():
    script = (
        "import sys, blokus_fast, blokus_fast.envs\n"
        "names = {'gymnasium', 'pettingzoo', 'pyspiel', 'open_spiel', 'torch', 'matplotlib'}\n"
        "print(sorted(names & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("module", MODULES)
def test_a_missing_library_is_named(module):
    """Also where it is installed: the import is made to fail."""
    missing, extra = MODULES[module]
    script = (
        "import sys\n"
        f"class Refuse:\n"
        f"    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] == {missing!r}:\n"
        f"            raise ModuleNotFoundError('no module', name={missing!r})\n"
        "sys.meta_path.insert(0, Refuse())\n"
        "try:\n"
        f"    import blokus_fast.envs.{module}\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert f"needs {missing}, which is not installed" in done.stdout
    assert f"pip install '.[{extra}]'" in done.stdout


def played(variant, seed):
    board = bf.Board(variant)
    rng = np.random.default_rng(seed)
    while not board.is_game_over:
        yield board
        board.push(rng.choice(board.legal_ids()))
    yield board


@pytest.mark.parametrize("variant", list(bf.VARIANTS))
def test_every_player_sees_the_game_as_if_he_were_on_the_move(variant):
    absolute = bf.Observer(variant)
    groups = list(absolute.groups)
    views = Views(absolute.variant, groups=groups, form="planes", masks=False)
    colored = [absolute.groups[name] for name in ("own", "corner", "forbidden", "start")]
    for board in played(variant, 1):
        for player in range(board.n_players):
            seen = views.pack(views.of_player(board, player))
            assert seen.shape == views.layout["observation"][0]
            if board.player == player:
                assert (seen == bf.Observer(variant, view="mover").observe(board)).all()
            # Nothing is lost: the same planes, in another order.
            for part in colored:
                found = sorted(plane.tobytes() for plane in seen[part])
                assert found == sorted(p.tobytes() for p in absolute.observe(board)[part])
            if not board.variant.draft:
                own = {c for c in range(board.n_colors) if board.variant.owners[c] == player}
                first = seen[absolute.groups["own"]][0]
                assert any((first == (board.grid() == color)).all() for color in own) or (
                    board.player == player
                )
        assert (views.pack(views.of_board(board)) == absolute.observe(board)).all()


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("scoring", list(bf.SCORING_RULES))
def test_bounds_hold(reward, scoring):
    batch = bf.BatchBoard(20, "classic", scoring=scoring)
    while not batch.done.all():
        batch.step(batch.sample_actions(3))
    low, high = score_bounds(batch.variant)
    assert low <= batch.scores().min()
    assert batch.scores().max() <= high
    assert illegal_reward(batch.variant, reward) <= batch.rewards(reward).min()


def test_pictures():
    board = bf.Board("duo")
    empty = board_image(board)
    board.push(board.parse_move("e10"))
    one = board_image(board)
    changed = np.argwhere((empty != one).any(axis=2))
    # Row 5 from the top, column 5 from the left, and nothing else.
    assert changed.min(axis=0).tolist() == [65, 65]
    assert changed.max(axis=0).tolist() == [79, 79]
    assert len({tuple(color) for color in one.reshape(-1, 3)}) == 4
    for wrong in (1, 257):
        with pytest.raises(ValueError, match="2 to 256"):
            board_image(board, square=wrong)
    holes = bf.Variant("holes", 3, ["a", "b"], [["a3"], ["c3"]], playable=["...", ".#.", "..."])
    assert board_image(bf.Board(holes), square=2).shape == (8, 8, 3)


@pytest.mark.parametrize("square", [2, 3, 8, 15, 16, 31, 32, 48])
def test_encoders_of_videos_take_the_frames(square):
    """They want an even number of pixels; the squares stay where they are."""
    for variant in ("duo", "classic", bf.Variant("five", 5, ["a", "b"], [["a5"], ["e1"]])):
        board = bf.Board(variant)
        picture = board_image(board, square=square)
        line = max(square // 16, 1)
        assert picture.shape[0] % 2 == picture.shape[1] % 2 == 0
        assert 0 <= picture.shape[0] - (board.size * square + line) <= 1
        # The lines around the board, all of one color.
        assert len({tuple(pixel) for pixel in picture[-1]}) == 1
        assert len({tuple(pixel) for pixel in picture[:, -1]}) == 1


def test_environments_tell_how_quick_their_videos_are():
    pytest.importorskip("pettingzoo", reason="PettingZoo is in the extra `rl`")
    from blokus_fast.envs import blokus_v0, gym_v0

    made = (blokus_v0.raw_env(), gym_v0.BlokusEnv(), gym_v0.BlokusVectorEnv(1))
    assert [env.metadata["render_fps"] for env in made] == [2, 2, 2]


def test_the_benchmark_runs():
    """Whatever the figures: it prints them, with those of blokus-rl if that is there."""
    for library in ("pettingzoo", "gymnasium"):
        pytest.importorskip(library, reason=f"{library} is in the extra `rl`")
    script = Path(__file__).resolve().parent.parent / "benchmarks" / "envs"
    options = ["--rounds", "1", "--seconds", "0.01", "--games", "8", "--json"]
    done = subprocess.run(
        [sys.executable, str(script), *options], capture_output=True, text=True, check=True
    )
    result = json.loads(done.stdout)
    assert result["machine"]["kernel"]
    assert min(loop["moves_per_second"] for loop in result["loops"].values()) > 0
