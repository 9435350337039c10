"""The comparison with other engines runs with and without them, and writes its page."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from blokus_fast import cpu_info

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

from comparing import command, measuring, pages  # noqa: E402
from comparing.engines import (  # noqa: E402
    BlokusEngine,
    BlokusRl,
    MissingError,
    Official,
    Ours,
    contest_variant,
    play_records,
)
from comparing.measuring import Timing  # noqa: E402

TIMINGS = [
    Timing("list", "blokus-fast", 0.25, 1.0),
    Timing("list", "blokus-rl", 50.0, 200.0),
    Timing("copy", "blokus-fast", 0.2, 1.0),
    Timing("copy", "blokus-rl", 0.1, 0.5),
    Timing("game", "blokus-fast", 100.0, 1.0),
    Timing("game", "blokus-engine", 22222.0, 222.2),
]


def hide(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Make imports of modules fail."""
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


def test_without_the_others_it_says_so_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    hide(monkeypatch, "blokus_rl", "blokus_rl._blokus", "blokus_self_play", "matplotlib", "socha")
    assert command.main(["--games", "1", "--rounds", "1", "--docs", str(tmp_path)]) == 0
    said = capsys.readouterr()
    for package in ("blokus-rl", "blokus-engine", "matplotlib", "socha"):
        assert f"{package} is not installed (pip install {package})" in said.err
    assert "list the legal moves of a position     blokus-fast" in said.out
    page = (tmp_path / "comparison.md").read_text(encoding="utf-8")
    assert "Not compared: blokus-rl is not installed" in page
    assert not (tmp_path / "img").exists()


def test_the_table_says_slower_and_faster() -> None:
    lines = pages.text_table(TIMINGS).splitlines()
    assert lines[1].split()[-3:] == ["blokus-fast", "0.25", "4,000,000"]
    assert lines[2].endswith("200 times slower")
    assert lines[4].endswith("2.0 times faster")
    assert lines[6].endswith("222 times slower")


def test_the_page_has_all_rows() -> None:
    contest = [Timing("list", "blokus-fast", 0.5, 1.0), Timing("list", "socha", 3000.0, 6000.0)]
    page = pages.markdown(TIMINGS, contest, ["they agree"], {"CPU": "one"}, "python x", [])
    assert "| socha | 3,000.00 | 333 | 6,000 times slower |" in page
    assert "## The contest" in page
    without = pages.markdown(TIMINGS, [], ["they agree"], {"CPU": "one"}, "python x", [])
    assert "## The contest" not in without
    assert "| list the legal moves of a position | blokus-fast | 0.25 | 4,000,000 |  |" in page
    assert "|  | blokus-rl | 50.00 | 20,000 | 200 times slower |" in page
    assert "- they agree." in page
    assert "| CPU | one |" in page


def test_the_plot_is_the_same_for_the_same_figures(tmp_path: Path) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("matplotlib is not installed")
    paths = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in paths:
        pages.draw(TIMINGS, "a note", [path])
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_our_side_of_the_measurement() -> None:
    records = play_records(2, seed=1)
    assert records == play_records(2, seed=1)
    used = cpu_info()["kernel"]
    timings = measuring.measure(Ours(), [], records, rounds=1)
    best = [timing for timing in timings if timing.package == "blokus-fast"]
    assert [timing.case for timing in best] == list(measuring.CASES)
    # And what other kernels list and play, each of which is used for its own rows only.
    slower = [timing for timing in timings if timing not in best]
    assert {timing.package for timing in slower} == {
        f"blokus-fast, {name}" for name in cpu_info()["supported"] if name != used
    }
    assert {timing.case for timing in slower} == ({"list", "playout"} if slower else set())
    assert cpu_info()["kernel"] == used


def test_blokus_rl_agrees() -> None:
    try:
        engine = BlokusRl()
    except MissingError as error:
        pytest.skip(str(error))
    assert "the same legal moves" in measuring.check_positions(
        Ours(), engine, play_records(2, seed=2)
    )


def test_blokus_engine_agrees() -> None:
    try:
        engine = BlokusEngine()
    except MissingError as error:
        pytest.skip(str(error))
    assert "the same squares" in measuring.check_engine(engine, 2)


def test_the_official_client_agrees_and_is_measured() -> None:
    try:
        engine = Official()
    except MissingError as error:
        pytest.skip(str(error))
    ours, records = Ours(contest_variant()), play_records(1, 3, contest_variant())
    assert "the same legal moves" in measuring.check_positions(ours, engine, records)
    timings = measuring.measure(ours, [engine], records, rounds=1)
    assert {t.case for t in timings if t.package == "socha"} == {"list", "apply", "game"}
