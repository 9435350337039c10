"""Executors: results as they come, processes that end or hang, clusters."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import worker_tasks as tasks
from helpers import local_cluster

from blokus_fast.executors import ExecutorError, WorkerLostError, open_executor
from blokus_fast.executors.calls import Child
from blokus_fast.executors.child import NOTES_SIZE, Notes


class Here:
    """What workers' processes do not find: this file is no module of theirs."""


@pytest.fixture
def executor():
    with open_executor("processes", workers=2) as executor:
        yield executor


def alive(pid):
    with contextlib.suppress(OSError):
        os.kill(pid, 0)
        return True
    return False


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_every_task_has_its_result(executor):
    results = list(executor.run(tasks.square, range(50)))
    assert sorted(results) == [(number, number * number) for number in range(50)]
    assert list(executor.run(tasks.square, [])) == []


def test_tasks_are_taken_as_workers_become_free(executor):
    taken = []

    def coming():
        for number in range(100):
            taken.append(number)
            yield number

    running = executor.run(tasks.square, coming())
    next(running)
    assert len(taken) <= 4
    running.close()
    assert len(taken) <= 4


def test_two_work_at_the_same_time_in_two_processes(executor, tmp_path):
    """Each waits for the other: one after the other, the first would wait for nothing."""
    assert [found for _, found in executor.run(tasks.meet, [str(tmp_path)] * 2)] == [2, 2]
    found = {result for _, result in executor.run(tasks.pid, range(20))}
    assert 1 <= len(found) <= 2
    assert os.getpid() not in found


def test_an_error_comes_back_as_it_is_with_its_trace(executor):
    with pytest.raises(KeyError, match="7") as caught:
        list(executor.run(tasks.fail, [7]))
    assert "worker_tasks.py" in caught.value.__notes__[0]
    with pytest.raises(RuntimeError, match="OddError: 1"):
        list(executor.run(tasks.fail_oddly, [1]))
    with pytest.raises(RuntimeError, match="SystemExit: 3"):
        list(executor.run(tasks.quit_, [3]))
    # What the other side cannot import is an error of the call, not the end of the worker.
    with pytest.raises(ImportError, match="No module named"):
        list(executor.run(str, [Here()]))
    assert list(executor.run(tasks.square, [3])) == [(3, 9)]


def test_an_unpicklable_task_is_an_error_at_once(executor):
    with pytest.raises((TypeError, AttributeError), match="pickle"):
        list(executor.run(tasks.square, [threading.Lock()]))
    assert list(executor.run(tasks.square, [3])) == [(3, 9)]


@pytest.mark.parametrize(
    ("task", "told"),
    [
        (("signal", signal.SIGSEGV), ("its process ended by signal 11", False, 11, None, False)),
        (("signal", signal.SIGKILL), ("its process ended by signal 9", False, 9, None, True)),
        (("code", 7), ("its process ended with exit code 7", False, None, 7, False)),
        (("hang", 0.2), ("gave no answer", True, 9, None, False)),
    ],
)
def test_what_ends_a_process_is_told(executor, task, told):
    [(_, found)] = executor.run(tasks.end, [task], on_lost=tasks.tell)
    text, hung, number, code, noted, errors, by_others = found
    assert (text, hung, number, code, by_others) == told
    assert noted == ((3, 4, 5) if task[0] == "hang" else ())
    assert ("the last words" in errors) == (task[0] == "code")
    assert list(executor.run(tasks.square, [3])) == [(3, 9)]


def test_a_task_whose_process_ends_is_done_again(executor, tmp_path):
    path = tmp_path / "once"
    assert list(executor.run(tasks.end_once, [str(path)])) == [(str(path), "done")]
    path.unlink()
    again = executor.run(tasks.end_once, [str(path)], on_lost=tasks.retry)
    assert list(again) == [(str(path), "done")]


def test_but_not_without_end(executor):
    with pytest.raises(WorkerLostError, match=r"exit code 5, 3 times: the last words"):
        list(executor.run(tasks.end, [("code", 5)]))


def test_closing_ends_what_runs(tmp_path):
    executor = open_executor(workers=1)
    path = tmp_path / "pid"
    caught = []

    def work():
        try:
            list(executor.run(tasks.write_pid, [str(path)]))
        except Exception as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(lambda: path.exists() and path.read_text())
    pid = int(path.read_text())
    executor.close()
    thread.join(20)
    assert not thread.is_alive()
    assert isinstance(caught[0], ExecutorError)
    wait_until(lambda: not alive(pid))
    with pytest.raises(ExecutorError, match="closed"):
        next(executor.run(tasks.square, [1]))
    executor.close()


def test_processes_end_with_the_one_that_started_them(tmp_path):
    path = tmp_path / "pid"
    code = (
        "import worker_tasks as tasks; from blokus_fast.executors import open_executor\n"
        f"list(open_executor(workers=1).run(tasks.write_pid, [{str(path)!r}]))"
    )
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(tasks.__file__)}
    with subprocess.Popen([sys.executable, "-P", "-c", code], env=environment) as parent:
        wait_until(lambda: path.exists() and path.read_text())
        parent.kill()
    wait_until(lambda: not alive(int(path.read_text())))


@pytest.mark.skipif(sys.platform != "linux", reason="the system ends them on Linux only")
def test_even_if_they_never_let_go_of_the_interpreter(tmp_path):
    path = tmp_path / "pid"
    code = (
        "import worker_tasks as tasks; from blokus_fast.executors import open_executor\n"
        f"list(open_executor(workers=1).run(tasks.hold, [{str(path)!r}]))"
    )
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(tasks.__file__)}
    with subprocess.Popen([sys.executable, "-P", "-c", code], env=environment) as parent:
        wait_until(lambda: path.exists() and path.read_text())
        time.sleep(0.2)
        parent.kill()
    wait_until(lambda: not alive(int(path.read_text())))


def test_notes_take_what_there_is_room_for():
    notes = Notes(memoryview(bytearray(NOTES_SIZE)).cast("q"))
    for number in range(5000):
        notes.add(number)
    assert notes.numbers == tuple(range(NOTES_SIZE // 8 - 3))
    notes.begin([9, 8])
    notes.put(1, -1)
    assert notes.numbers == (9, -1)
    assert not notes.overdue(0)
    notes.wait_for(0.0)
    time.sleep(0.01)
    assert notes.overdue(0)
    assert not notes.overdue(60)
    notes.wait_for(None)
    assert not notes.overdue(0)
    # Who said how long rests may last is watched while he rests.
    notes.begin([1], idle=0.0)
    time.sleep(0.01)
    assert notes.overdue(0)
    notes.end()
    assert not notes.overdue(0)


def test_a_child_is_started_when_it_is_needed():
    child = Child()
    child.close()
    with pytest.raises(ExecutorError, match="closed"):
        child.call(tasks.square, 1)


@pytest.mark.parametrize("workers", [0, -1, 1025])
def test_numbers_of_workers(workers):
    with pytest.raises(ValueError, match=rf"1\.\.1024, not {workers}"):
        open_executor("processes", workers)


def test_what_there_is_not():
    with pytest.raises(ExecutorError, match=r"unknown executor 'abacus'; valid: processes, dask"):
        open_executor("abacus")


# -- Dask ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    with local_cluster() as cluster:
        yield cluster


@pytest.fixture
def on_cluster(cluster):
    with open_executor(cluster.scheduler_address) as executor:
        yield executor


def test_a_cluster_does_the_same(on_cluster):
    assert on_cluster.workers == 3
    results = list(on_cluster.run(tasks.square, range(20)))
    assert sorted(results) == [(number, number * number) for number in range(20)]
    with pytest.raises(KeyError, match="7"):
        list(on_cluster.run(tasks.fail, [7]))
    [(_, found)] = on_cluster.run(tasks.end, [("code", 7)], on_lost=tasks.tell)
    assert found[0] == "its process ended with exit code 7"
    with pytest.raises(WorkerLostError, match="3 times"):
        list(on_cluster.run(tasks.end, [("code", 5)]))


def test_what_a_worker_had_is_given_to_another(cluster, on_cluster):
    def kill_one():
        time.sleep(0.5)
        pids = on_cluster._client.run(os.getpid)
        os.kill(next(iter(pids.values())), signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    done = sorted(on_cluster.run(tasks.nap, [0.1 + number / 1000 for number in range(30)]))
    killer.join()
    assert done == [(0.1 + number / 1000, 0.1 + number / 1000) for number in range(30)]


def test_a_cluster_that_is_not_there(monkeypatch):
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.setattr("blokus_fast.executors.cluster._PATIENCE", 1)
    with pytest.raises(ExecutorError, match=r"no Dask cluster at tcp://127\.0\.0\.1:1"):
        open_executor("tcp://127.0.0.1:1")


def test_workers_with_another_version(cluster, monkeypatch):
    monkeypatch.setattr("blokus_fast.executors.cluster.version", lambda name: "0.0.7")
    with pytest.raises(ExecutorError, match=r"but 0\.0\.7 here"):
        open_executor(cluster.scheduler_address)


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match=r"pip install '\.\[dask\]'"):
        open_executor("dask")
