"""The learning example: its parts, and a short run. `pytest -m slow` lets it learn for a minute."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import blokus_fast as bf

torch = pytest.importorskip("torch", reason="PyTorch is in the extra `learn`")

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "learn_duo"


@pytest.fixture
def parts(monkeypatch):
    """The modules of the example, which are beside its main program."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import learning
    import network
    import play

    torch.manual_seed(1)
    torch.set_num_threads(1)
    return network, play, learning


def played(n, plies):
    batch = bf.BatchBoard(n, "duo")
    for _ in range(plies):
        batch.step(batch.sample_actions(3))
    return batch


def test_the_policy_is_one(parts):
    network, _, _ = parts
    net = network.Net()
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    seen = network.observe(played(7, 8))
    x = net.inside(seen.planes, seen.hands)
    row = torch.from_numpy(seen.row)
    ids = torch.from_numpy(seen.ids.astype(np.int64))
    logits = net.policy(x, seen.planes, seen.hands, ids, row)
    sums = torch.zeros(7).index_add(0, row, logits.exp())
    assert torch.allclose(sums, torch.ones(7), atol=1e-4)
    assert net.value(x, seen.hands).shape == (7,)


def test_neighborhoods(parts):
    network, _, _ = parts
    table = network._neighborhoods()
    move = bf.Board("duo").parse_move("b2")
    squares = {kind: set() for kind in range(3)}
    for mark in table[move].tolist():
        if mark < 3 * 196:
            squares[mark // 196].add(mark % 196)
    # b2 is row 12, column 1.
    assert squares[0] == {12 * 14 + 1}
    assert squares[1] == {11 * 14, 11 * 14 + 2, 13 * 14, 13 * 14 + 2}
    assert squares[2] == {11 * 14 + 1, 13 * 14 + 1, 12 * 14, 12 * 14 + 2}


@pytest.mark.parametrize("plies", [0, 9])
def test_turned_boards_are_those_of_turned_games(parts, plies):
    network, _, learning = parts
    batch = played(5, plies)
    for number, symmetry in enumerate(learning.SYMMETRIES):
        seen = network.observe(batch)
        planes, ids = learning.turned(seen.planes, seen.ids, seen.row, np.full(5, number))
        there = network.observe(symmetry.apply(batch))
        assert torch.allclose(planes, there.planes)
        for i, (a, b) in enumerate(zip(seen.offsets[:-1], seen.offsets[1:], strict=True)):
            own = there.ids[there.offsets[i] : there.offsets[i + 1]]
            assert sorted(ids[a:b].tolist()) == own.tolist()


def test_games_are_legal_and_end_with_their_results(parts):
    network, play, learning = parts
    net = network.Net()
    random = np.random.default_rng(1)
    samples = play.self_play(net, 6, 3, 40.0, random, patience=1.0)
    lengths = int(np.sum(samples.counts > 0))
    assert lengths == len(samples.values) == len(samples.planes)
    # Without patience for thoughts, what a position is worth is the result of its game.
    assert np.allclose(samples.values * play.POINTS, np.rint(samples.values * play.POINTS))
    sums = np.add.reduceat(samples.wanted, np.cumsum(samples.counts) - samples.counts)
    assert np.allclose(sums, 1, atol=1e-4)
    optimizer = torch.optim.AdamW(net.parameters(), 1e-3)
    first = learning.learn(net, optimizer, samples, random, size=32)
    for _ in range(5):
        last = learning.learn(net, optimizer, samples, random, size=32)
    assert last[1] < first[1]


def test_win_rate(parts):
    _, play, _ = parts
    share, low, high = play.win_rate(np.array([1.0] * 80 + [0.0] * 10 + [-1.0] * 10, np.float32))
    assert share == pytest.approx(0.85)
    assert (low, high) == pytest.approx((0.767, 0.907), abs=1e-3)


def run(folder, options, **files):
    files = {"log": folder / "log.json", **files}
    named = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLE), *named, *options.split()],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "log.json").read_text()), done.stdout


def test_a_short_run(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is in the extra `learn`")
    picture, net = tmp_path / "plot.png", tmp_path / "net.pt"
    options = "--rounds 2 --games 10 --candidates 2 --measure 2 --final 4 --every 1 --threads 1"
    log, text = run(tmp_path, options, plot=picture, save=net)
    assert [entry["games"] for entry in log["rounds"]] == [10, 20]
    assert log["rounds"][-1]["against"]["greedy"]["games"] == 4
    assert "against random" in text
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert torch.load(net)


@pytest.mark.slow
def test_it_beats_greedy_after_a_minute(tmp_path):
    log, _ = run(tmp_path, "--rounds 8 --every 8 --final 200")
    against = log["rounds"][-1]["against"]
    assert against["random"]["score"] > 0.97
    assert against["greedy"]["low"] > 0.5


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
