"""Speed of batches as Python sees it: one call for a thousand games in the middle of the game.

``extra_info`` holds games a second. benchmarks/batch plays whole games.
"""

from collections.abc import Callable

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import blokus_fast as bf

N = 1024


def measure(benchmark: BenchmarkFixture, call: Callable[[], object]) -> None:
    benchmark(call)
    if benchmark.stats is not None:  # not with --benchmark-disable
        benchmark.extra_info["games_per_second"] = round(N / benchmark.stats.stats.median)


@pytest.fixture(params=["classic", "duo"])
def batch(request: pytest.FixtureRequest) -> bf.BatchBoard:
    batch = bf.BatchBoard(N, request.param)
    for _ in range(batch.n_colors * 6):
        batch.step(batch.sample_actions(1))
    return batch


@pytest.mark.benchmark(group="batch: sample")
@pytest.mark.parametrize("weights", [None, "size"])
def test_sample(benchmark, batch, weights):
    out = np.empty(N, np.int32)
    measure(benchmark, lambda: batch.sample_actions(1, weights, out))
    assert all(batch[i].is_legal(int(out[i])) for i in range(0, N, 50))


@pytest.mark.benchmark(group="batch: step and copy")
def test_step(benchmark, batch):
    """Every round steps the same positions, copied back before."""
    work, actions = batch.copy(), batch.sample_actions(1)

    def step() -> None:
        work.copy_from(batch)
        work.step(actions)

    measure(benchmark, step)
    assert (work.ply == batch.ply + 1).all()


@pytest.mark.benchmark(group="batch: ids and masks")
def test_ids(benchmark, batch):
    ids, offsets = np.empty(2000 * N, np.int32), np.empty(N + 1, np.int64)
    measure(benchmark, lambda: batch.legal_ids(ids, offsets))
    assert offsets[-1] == batch.count_legal().sum()


@pytest.mark.benchmark(group="batch: ids and masks")
def test_masks(benchmark, batch):
    mask = np.empty((N, batch.n_actions), np.bool_)
    measure(benchmark, lambda: batch.legal_mask(mask))
    assert (mask.sum(axis=1) == batch.count_legal()).all()


@pytest.mark.benchmark(group="batch: observations")
@pytest.mark.parametrize("dtype", ["uint8", "float32", "bits"])
@pytest.mark.parametrize("view", ["board", "rotated"])
def test_observe(benchmark, batch, dtype, view):
    observer = bf.Observer(batch.variant, view=view, dtype=dtype)
    out = observer.observe(batch)
    measure(benchmark, lambda: batch.observe(out, observer))
    assert observer.decode(out[:4]) == batch.take(range(4))


@pytest.mark.benchmark(group="batch: playouts")
def test_playouts(benchmark, batch):
    out = np.empty((N, 1, batch.n_players), np.int32)
    measure(benchmark, lambda: batch.playouts(1, 1, None, out))
    assert out.any()


@pytest.mark.benchmark(group="batch: symmetries")
def test_symmetries(benchmark, batch):
    group = bf.symmetries(batch.variant)
    which = np.arange(N) % len(group)
    measure(benchmark, lambda: group.apply(batch, which))
    assert group.apply(group.apply(batch, which), group.inverse(which)) == batch
