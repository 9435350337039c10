"""The loop of learning: games of self-play, weights that are fitted to them, a search with them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="training/fit.py needs pyarrow")
pytest.importorskip("numba", reason="training/fit.py needs numba")
pytest.importorskip("scipy", reason="training/fit.py needs scipy")

import blokus_fast as bf
from blokus_fast import _core
from blokus_fast.search import MCTS, Weights, default_weights, load_weights
from blokus_fast.selfplay import Settings, read, shards
from blokus_fast.selfplay.running import Task, play_shard

FIT = Path(__file__).resolve().parents[1] / "training" / "fit.py"

pytestmark = pytest.mark.skipif(not FIT.exists(), reason="training/ is in a checkout only")


def fill(folder: Path, settings: Settings) -> Path:
    shards.take(folder, settings)
    for k in range(settings.n_shards):
        shards.shard_path(folder, k).write_bytes(play_shard(Task(settings, k)).data)
    return folder


def fit(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run(FIT.name, *arguments)


def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", str(FIT.parent / program), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )


def test_weights_are_fitted_to_what_the_search_thought_best(tmp_path: Path) -> None:
    """From a prior that knows nothing to one that expects more of what was best."""
    settings = Settings("duo", "mcts:sims=60", games=40, games_per_shard=20, seed=1)
    folder = fill(tmp_path / "games", settings)
    output = tmp_path / "fitted.json"
    done = fit("fitted", output, folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("40 games, ")
    weights = load_weights(output)
    assert (weights.name, weights.origin) == ("fitted", "40 games")
    nothing = Weights({key: array * 0 for key, array in weights.arrays.items()})
    # On games that it has not seen.
    other = fill(tmp_path / "other", Settings("duo", "mcts:sims=60", games=4, seed=2))

    def of_the_best(tried: Weights) -> float:
        found = []
        for batch in read(other, searched=True):
            for i in range(0, len(batch), 5):
                result = MCTS("duo", weights=tried, seed=1).search(batch.boards[i], simulations=1)
                found.append(np.log(result.priors[result.moves == batch.best[i]][0]))
        return float(np.mean(found))

    assert of_the_best(weights) > of_the_best(nothing) + 1


def test_a_value_function_is_fitted_to_who_won(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training/fit_value.py needs PyTorch")
    settings = Settings("duo", "mcts:sims=20", games=60, games_per_shard=30, seed=1)
    folder = fill(tmp_path / "games", settings)
    plain = {
        key: array
        for key, array in default_weights(bf.variant("duo")).arrays.items()
        if not key.startswith("value")
    }
    Weights(plain, "plain", "somewhere").save(tmp_path / "plain.json")
    output = tmp_path / "valued.json"
    done = run("fit_value.py", tmp_path / "plain.json", output, folder, "--epochs", "6")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("60 games, ")
    weights = load_weights(output)
    assert (weights.name, weights.origin) == ("plain", "somewhere")
    assert all((weights.arrays[key] == plain[key]).all() for key in plain)
    # On games that it has not seen: nearer to who won than to say nothing.
    other = fill(tmp_path / "other", Settings("duo", "mcts:sims=20", games=20, seed=2))
    losses = []
    for batch in read(other):
        for i in range(0, len(batch), 3):
            board = batch.boards[i]
            logits = _core._value_logits(board, weights._core) / 4096**2
            shares = np.exp(logits - logits.max())
            won = np.roll(batch.outcomes[i], -board.player)
            losses.append(-(won * np.log(shares / shares.sum())).sum())
    assert np.mean(losses) < np.log(2) - 0.05


def test_what_begins_with_weights_stays_near_them(tmp_path: Path) -> None:
    """Few games are not all that is known: a large penalty holds to what was known before."""
    folder = fill(tmp_path / "games", Settings("duo", "mcts:sims=20", games=6, seed=1))
    known = default_weights(bf.variant("duo"))
    known.save(tmp_path / "known.json")

    def way(*arguments: str | Path) -> float:
        done = fit("fitted", tmp_path / "fitted.json", folder, *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        fitted = load_weights(tmp_path / "fitted.json").arrays
        return max(float(abs(fitted[key] - known.arrays[key]).max()) for key in ("piece", "square"))

    start = ("--start", tmp_path / "known.json")
    assert way(*start, "--penalty", "1000") <= 2
    assert way(*start) > 50
    assert way("--penalty", "1000") > 500


def test_a_value_function_that_is_better_already_is_kept(tmp_path: Path) -> None:
    """Fitted to two games it would be worse on the one that is held out, and says so."""
    pytest.importorskip("torch", reason="training/fit_value.py needs PyTorch")
    folder = fill(tmp_path / "games", Settings("duo", "mcts:sims=20", games=12, seed=4))
    known, output = tmp_path / "known.json", tmp_path / "valued.json"
    default_weights(bf.variant("duo")).save(known)
    options = ("--start", known, "--rate", "0.3", "--epochs", "2")
    done = run("fit_value.py", known, output, folder, *options)
    assert (done.returncode, done.stderr) == (0, "")
    assert "before it: held out 0." in done.stdout
    old, new = load_weights(known).arrays, load_weights(output).arrays
    # But for rounding: the fit is in other units.
    assert all(abs(new[key] - old[key]).max() <= 1 for key in old)

    plain = {key: array for key, array in old.items() if not key.startswith("value")}
    Weights(plain).save(tmp_path / "plain.json")
    done = run("fit_value.py", known, output, folder, "--start", tmp_path / "plain.json")
    assert done.returncode == 1
    assert "plain.json has no value function to begin with" in done.stderr


@pytest.mark.parametrize(
    ("variant", "games", "words"), [("draft-2p", 2, "Draft has no value"), ("duo", 1, "two games")]
)
def test_games_that_teach_no_value(tmp_path: Path, variant: str, games: int, words: str) -> None:
    pytest.importorskip("torch", reason="training/fit_value.py needs PyTorch")
    folder = fill(tmp_path / "games", Settings(variant, "random", games=games))
    default_weights(bf.variant("duo")).save(tmp_path / "plain.json")
    done = run("fit_value.py", tmp_path / "plain.json", tmp_path / "valued.json", folder)
    assert done.returncode == 1
    assert words in done.stderr
    assert not (tmp_path / "valued.json").exists()


@pytest.mark.parametrize(
    ("variant", "games", "words"),
    [("draft-2p", 2, "Draft has no move prior"), ("duo", 1, "two games at least")],
)
def test_games_that_teach_nothing(tmp_path: Path, variant: str, games: int, words: str) -> None:
    folder = fill(tmp_path / "games", Settings(variant, "random", games=games))
    done = fit("fitted", tmp_path / "fitted.json", folder)
    assert done.returncode == 1
    assert words in done.stderr
    assert not (tmp_path / "fitted.json").exists()


def learn(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    quick = (
        "--games", "6", "--simulations", "12", "--deep", "15", "--shard", "3",
        "--arena-games", "4", "--arena-simulations", "5", "--workers", "1", "--hours", "1e-9",
    )  # fmt: skip
    return run("learn.py", "duo", folder, *quick, *more)


def test_generations_follow_one_another_and_go_on_where_they_stopped(tmp_path: Path) -> None:
    pytest.importorskip("choix", reason="training/learn.py needs the extra arena")
    pytest.importorskip("torch", reason="training/learn.py needs PyTorch")
    folder = tmp_path / "learnt"
    done = learn(folder)
    assert done.returncode == 0, done.stderr
    first = json.loads((folder / "generations.jsonl").read_text())
    assert first["generation"] == 0
    assert first["kept"] == (first["decision"] == "high" or first["score"] > 0.5)
    weights = (folder / "000" / "weights.json").read_bytes()
    # What a run that was killed has left is used: here all but the comparison.
    (folder / "generations.jsonl").unlink()
    games = {path: path.read_bytes() for path in (folder / "000" / "games").iterdir()}
    done = learn(folder)
    assert done.returncode == 0, done.stderr
    again = json.loads((folder / "generations.jsonl").read_text())
    assert {**again, "seconds": 0} == {**first, "seconds": 0}
    assert {path: path.read_bytes() for path in (folder / "000" / "games").iterdir()} == games
    assert (folder / "000" / "weights.json").read_bytes() == weights
    done = learn(folder)
    lines = (folder / "generations.jsonl").read_text().splitlines()
    assert [json.loads(line)["generation"] for line in lines] == [0, 1]
    # The next one plays with what was kept.
    settings = shards.load_run(folder / "001" / "games")
    assert (settings.weights is not None) == first["kept"]
    assert settings.bot == "mcts:sims=15"
    assert settings.games == 2
    assert (folder / "curve.svg").exists()
