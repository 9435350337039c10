"""The AlphaZero example: its parts, and a short run. `pytest -m slow` lets it learn for minutes."""

import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.moves import moves_to_squares
from blokus_fast.search import RootRule, SelfPlay

torch = pytest.importorskip("torch", reason="PyTorch is in the extra `learn`")

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "alphazero.py"
VARIANTS = ("duo", "junior", "classic-2p", "classic")


@pytest.fixture
def example(monkeypatch):
    """The example as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLE.parent))
    import alphazero

    torch.manual_seed(1)
    torch.set_num_threads(1)
    return alphazero


def random_games(variant, n, plies):
    """Return games that are at different plies."""
    batch = bf.BatchBoard(n, variant)
    for ply in range(plies):
        actions = batch.sample_actions(3)
        actions[: n * ply // plies] = -1
        batch.step(actions)
    return batch.take(np.flatnonzero(~batch.done))


def says_something(example, variant):
    """Return a model whose heads are not zero."""
    model = example.Model(variant, channels=4, depth=1)
    for parameter in model.net.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    return model


def rows(offsets):
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def self_played(variant="duo", games=4, rule=None):
    play = SelfPlay(variant, games, simulations=8, seed=1, root=rule or RootRule(considered=4))
    while play.n_finished < games:
        leaves = play.collect()
        values = np.full((len(leaves), play.variant.players), 1 / play.variant.players)
        values[:, 0] += 0.01
        play.apply(np.ones(len(leaves.ids)), values)
    return play.take()


def test_marks_of_a_placement(example):
    squares = moves_to_squares(np.arange(bf.Board("duo").n_moves), 14).astype(np.int64)
    marks = example.marks_of(squares, 14)
    for move in (0, 700, 5000, len(squares) - 1):
        covered = {divmod(s, 14) for s in squares[move].tolist() if s >= 0}
        beside = {(r + a, c + b) for r, c in covered for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        corners = {(r + a, c + b) for r, c in covered for a in (-1, 1) for b in (-1, 1)}
        parts = (covered, corners - beside - covered, beside - covered)
        wanted = {
            kind * 196 + 14 * r + c
            for kind, part in enumerate(parts)
            for r, c in part
            if 0 <= r < 14 and 0 <= c < 14
        }
        found = [mark for mark in marks[move].tolist() if mark < 3 * 196]
        assert sorted(found) == sorted(wanted)
        assert set(marks[move].tolist()) <= wanted | {3 * 196}


@pytest.mark.parametrize("variant", VARIANTS)
def test_actions_of_the_view_are_legal_where_the_mover_is_first(example, variant):
    view = example.View(variant)
    batch = random_games(variant, 24, 24)
    ids, offsets = batch.legal_ids()
    seen = view.actions(batch, ids, rows(offsets))
    turned = view.group.apply(batch, view.observer.which(batch))
    assert set(turned.turn.tolist()) == {view.variant.order[0]}
    for i, (a, b) in enumerate(pairwise(offsets)):
        assert sorted(seen[a:b].tolist()) == turned[i].legal_ids().tolist()


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_players_see_the_same_network(example, variant):
    """The game turned so that the mover is the first color gets the same logits and values."""
    model = says_something(example, variant)
    view = model.view
    batch = random_games(variant, 24, 24)
    assert len(set(batch.turn.tolist())) == view.variant.n_colors
    ids, offsets = batch.legal_ids()
    logits, values = model.evaluate(batch, ids, offsets)
    which = view.observer.which(batch)
    turned = view.group.apply(batch, which)
    mapped = view.group.map_actions(ids, which[rows(offsets)])
    there, shares = model.evaluate(turned, mapped, offsets)
    assert np.allclose(there, logits, atol=1e-5)
    # Who was player p is players[p] there.
    players = np.array([each.players for each in view.group])[which]
    assert np.allclose(np.take_along_axis(shares, players, 1), values, atol=1e-6)
    assert logits.std() > 0
    assert np.abs(values - 1 / view.players).max() > 1e-3
    assert np.allclose(values.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("variant", VARIANTS)
def test_values_go_to_the_right_players(example, variant):
    view = example.View(variant)
    batch = random_games(variant, 16, 16)
    values = np.random.default_rng(1).random((len(batch), view.players), np.float32)
    seen = view.from_mover(values, batch.player)
    assert np.array_equal(seen[:, 0], values[np.arange(len(batch)), batch.player])
    for i, player in enumerate(batch.player.tolist()):
        for k in range(view.players):
            assert seen[i, k] == values[i, (player + k) % view.players]
    assert np.array_equal(view.to_players(seen, batch.player), values)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_policy_at_an_image_is_the_image_of_the_policy(example, variant):
    played = self_played(variant, 2)
    view = example.View(variant)
    samples = example.Samples.of(view, played, 0.0)
    dense = played.dense_policy()
    turned = view.group.permute(dense, view.observer.which(played.boards))
    row = rows(samples.offsets)
    found = np.zeros_like(dense)
    found[row, samples.ids] = samples.policy
    assert np.array_equal(found, turned)
    assert np.allclose(found.sum(axis=1), 1, atol=1e-4)
    assert np.array_equal(np.diff(samples.offsets), played.boards.count_legal())
    games = np.arange(len(played))
    assert np.array_equal(samples.values[:, 0], played.outcomes[games, played.boards.player])


def test_a_policy_of_visits_is_laid_among_all_legal_actions(example):
    played = self_played("duo", 2, RootRule(noise=0.25))
    samples = example.Samples.of(example.View("duo"), played, 1.0)
    assert len(samples.ids) > len(played.actions)
    assert np.allclose(np.add.reduceat(samples.policy, samples.offsets[:-1]), 1, atol=1e-4)
    games = np.arange(len(played))
    assert np.allclose(samples.values[:, 0], played.values[games, played.boards.player])


def test_images_of_samples_are_those_of_the_game(example):
    model = says_something(example, "duo")
    view = model.view
    played = self_played("duo", 2)
    samples = example.Samples.of(view, played, 0.5)
    assert len(view.images) == 4
    for number, symmetry in enumerate(view.images):
        games = example.Played(
            symmetry.apply(played.boards),
            symmetry.map_actions(played.actions),
            *(
                getattr(played, name)
                for name in ("policy", "offsets", "values", "outcomes", "scores", "games")
            ),
        )
        # The view may turn an image in another way than the position; all ways are images.
        there = example.Samples.of(view, games, 0.5)
        first = np.flatnonzero(played.boards.turn == view.variant.order[0])
        one = example.loss_of(model, samples.take(first), number)
        other = example.loss_of(model, there.take(first))
        assert one.item() == pytest.approx(other.item(), rel=1e-5)


def test_the_loss_is_the_cross_entropy_of_what_the_search_is_told(example):
    model = says_something(example, "duo")
    played = self_played("duo", 2)
    ids, offsets = played.boards.legal_ids()
    logits, values = model.evaluate(played.boards, ids, offsets)
    dense, wanted = played.dense_policy(), 0.25 * played.values + 0.75 * played.outcomes
    total = -(wanted * np.log(values)).sum()
    for i, (a, b) in enumerate(pairwise(offsets)):
        chances = np.exp(logits[a:b].astype(float))
        total -= (dense[i, ids[a:b]] * np.log(chances / chances.sum())).sum()
    samples = example.Samples.of(model.view, played, 0.25)
    loss = example.loss_of(model, samples).item()
    assert loss == pytest.approx(total / len(played), rel=1e-4)


def test_samples_are_taken_and_joined(example):
    view = example.View("duo")
    samples = example.Samples.of(view, self_played("duo", 2), 0.5)
    order = np.random.default_rng(1).permutation(len(samples.bits))
    halves = [samples.take(order[:20]), samples.take(order[20:])]
    back = example.Samples.join(halves).take(np.argsort(order))
    for name in ("bits", "ids", "policy", "offsets", "values"):
        assert np.array_equal(getattr(back, name), getattr(samples, name)), name


def test_learning_lowers_the_loss(example):
    model = example.Model("duo", channels=4, depth=1)
    samples = example.Samples.of(model.view, self_played("duo", 4), 0.0)
    optimizer = torch.optim.AdamW(model.net.parameters(), 1e-2)
    losses = []
    for step in range(24):
        loss = example.loss_of(model, samples, step % 4)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert np.mean(losses[-4:]) < np.mean(losses[:4]) - 0.3
    assert all(parameter.grad is not None for parameter in model.net.parameters())


def test_matches_are_paired(example):
    """Who plays in the same way as his opponents gets his share of every opening."""
    for variant in ("duo", "classic"):

        def first(boards):
            ids, offsets = boards.legal_ids()
            return ids[offsets[1:] - 1]

        rules = bf.variant(variant)
        shares = example.match(rules, first, first, 8, 1)
        assert len(shares) == 8
        per_opening = shares.reshape(-1, rules.players).sum(axis=1)
        assert np.allclose(per_opening, 1)


def test_wilson(example):
    found = example.wilson(np.array([1.0] * 80 + [0.5] * 10 + [0.0] * 10, np.float32))
    assert found["share"] == pytest.approx(0.85)
    assert (found["low"], found["high"]) == pytest.approx((0.767, 0.907), abs=1e-3)


SHORT = (
    "--round=4", "--lockstep=4", "--simulations=4", "--measure=2", "--final=2", "--strength=4",
    "--channels=4", "--depth=1",
)  # fmt: skip


def run(example, capsys, *options):
    assert example.main([*SHORT, *map(str, options)]) == 0
    return capsys.readouterr().out


def test_a_short_run_that_goes_on(example, capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is in the extra `learn`")
    picture, net = tmp_path / "plot.png", tmp_path / "net.pt"
    text = run(example, capsys, "--games", 8, "--save", net, "--plot", picture)
    assert "search against policy" in text
    assert "search against untrained search" in text
    assert picture.read_bytes().startswith(b"\x89PNG")
    kept = torch.load(net)
    assert kept["games"] >= 8
    assert kept["seconds"] > 0
    again = run(example, capsys, "--games", kept["games"] + 4, "--load", net, "--save", net)
    later = torch.load(net)
    assert f" {later['games']} games: loss" in again
    assert later["games"] >= kept["games"] + 4
    assert later["seconds"] > kept["seconds"]
    assert len(later["measured"]) > len(kept["measured"])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["net.pt", "plot.png"]


@pytest.mark.parametrize("variant", ["junior", "classic-2p", "classic"])
def test_short_runs_of_other_variants(example, capsys, variant):
    options = ("--games", 4, "--variant", variant, "--final", 0, "--every", 9)
    assert "loss" in run(example, capsys, *options)


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way")
def test_an_interrupt_saves(tmp_path):
    net = tmp_path / "net.pt"
    command = [sys.executable, "-W", "error", str(EXAMPLE), *SHORT, "--save", str(net)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as at:
        for line in at.stdout:
            if "loss" in line:
                break
        time.sleep(0.2)
        at.send_signal(signal.SIGINT)
        _, problems = at.communicate(timeout=120)
    assert at.returncode == 130, problems
    assert "Traceback" not in problems
    assert torch.load(net)["games"] >= 4


def test_a_network_is_the_same_after_loading(example, tmp_path):
    one = example.Run("duo", 4, 1, 1)
    for parameter in one.model.net.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    one.save_if(tmp_path / "net.pt")
    other = example.Run.load(tmp_path / "net.pt")
    batch = random_games("duo", 8, 8)
    for a, b in zip(
        one.model.evaluate(batch, *batch.legal_ids()),
        other.model.evaluate(batch, *batch.legal_ids()),
        strict=True,
    ):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("variant", ["draft", "classic-3p"])
def test_variants_that_it_cannot_learn(example, variant, capsys):
    with pytest.raises(SystemExit):
        example.arguments(["--variant", variant])
    assert variant in capsys.readouterr().err


def test_files_that_cannot_be_written_are_found_first(example, capsys, tmp_path):
    with pytest.raises(SystemExit):
        example.arguments(["--save", str(tmp_path / "nowhere" / "net.pt")])
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.slow
def test_it_gets_stronger_with_search_than_without(example, tmp_path):
    net = tmp_path / "net.pt"
    options = ["--minutes", "6", "--every", "99", "--save", str(net)]
    assert example.main(options) == 0
    last = torch.load(net)["measured"][-1]
    assert last["search against policy"]["low"] > 0.5
    assert last["search against greedy"]["low"] > 0.5
    assert last["search against untrained search"]["low"] > 0.5


def test_the_hint_without_torch():
    script = (
        "import runpy, sys\n"
        "sys.modules['torch'] = None\n"
        f"runpy.run_path({str(EXAMPLE)!r}, run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "pip install '.[learn]'" in done.stderr
