"""The arena on a cluster: the same games, even if a worker is killed in the middle."""

import os
import signal

import pytest
from helpers import local_cluster

from blokus_fast.arena import ArenaError, run

BOTS = ["arena_bots:Slow", "arena_bots:Drawn"]


@pytest.fixture
def cluster():
    with local_cluster() as cluster:
        yield cluster


def played(report):
    return [{k: v for k, v in game.items() if "seconds" not in k} for game in report.games]


@pytest.mark.costly
def test_a_worker_that_is_killed_changes_nothing(cluster, tmp_path):
    pids = []

    def kill(result):
        if not pids:
            worker = next(iter(cluster.workers.values()))
            pids.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    folder = tmp_path / "run"
    report = run(
        BOTS, "duo", 12, seed=1, executor=cluster.scheduler_address, output=folder, on_game=kill
    )
    assert pids
    assert len(report.games) == 12
    assert not report.tally.failures
    assert played(report) == played(run(BOTS, "duo", 12, seed=1, workers=2))
    assert len((folder / "games.jsonl").read_text().splitlines()) == 12


def test_faults_on_a_cluster_are_those_of_the_bots(cluster):
    bots = ["arena_bots:Crashes", "arena_bots:Loops", "arena_bots:First"]
    report = run(bots, "duo", 6, executor=cluster.scheduler_address, patience=0.5)
    kinds = {failure["bot"]: failure["kind"] for failure in report.tally.failures}
    assert kinds == {"arena_bots:Crashes": "crash", "arena_bots:Loops": "hang"}
    with pytest.raises(ArenaError, match="I play Classic only"):
        run(["random", "arena_bots:OnlyClassic"], "duo", 2, executor=cluster.scheduler_address)
