"""benchmarks/soak: a short run finds nothing, and a fault is found and can be played again."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

import blokus_fast as bf

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

from soaking import command, playing  # noqa: E402
from soaking.odd import odd_variant  # noqa: E402


@pytest.mark.costly
def test_a_short_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    # In a few seconds caches fill, and this process has the memory of other tests besides.
    monkeypatch.setattr(command, "memory", lambda: 100.0)
    assert command.main(["--minutes", "0.1", "--variant", "odd", "--warm-up", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    games, moves, comparisons, playouts, mismatches = (
        int(number.replace(",", ""))
        for number in re.findall(
            r"([\d,]+) (?:games|moves|comparisons|playouts|mismatches)", lines[-3]
        )
    )
    assert games > 1
    assert moves > games
    assert comparisons > 50 * moves
    assert playouts >= 3 * games
    assert mismatches == 0
    assert "odd" in lines[-2]
    assert re.fullmatch(r"memory: [+-][\d.]+ MB since game 1, at most 24 MB", lines[-1])


@pytest.mark.parametrize("variant", ["duo", "draft-2p", "software-challenge-2027"])
def test_a_few_moves_of_shipped_variants(variant: str) -> None:
    """Whole games take the reference too long for an ordinary test."""
    totals = playing.Totals()
    game = playing._Game(bf.variant(variant), "seed", totals)
    for _ in range(4):
        game.compare()
        game.by_text()
        move = playing.step.choose(game.twin, game.rng, 0.1)
        game.states.append(playing.helpers.state_bytes(game.board))
        game.board.push(playing.step.id_of(move, game.board))
        playing.step.play_twin(game.twin, move)
    game.take_back()
    game.playouts()
    game.batches()
    assert totals.comparisons > 400


def test_a_fault_is_found_and_can_be_played_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel = bf.cpu_info()["kernel"]
    right = playing.helpers.none_is_minus_one

    def wrong(number: int | None) -> int:
        return right(number) + 1

    monkeypatch.setattr(playing.helpers, "none_is_minus_one", wrong)
    options = ["--minutes", "1", "--seed", "3", "--variant", "odd"]
    assert command.main([*options, "--most", "1"]) == 1
    output = capsys.readouterr().out
    assert "MISMATCH at ply 0: turn: " in output
    assert "1 mismatches" in output
    again = re.search(r"again: python benchmarks/soak (.*)", output)
    assert again is not None
    assert command.main([*again[1].split(), "--minutes", "1"]) == 1
    repeated = capsys.readouterr().out
    assert repeated.splitlines()[:4] == output.splitlines()[:4]
    monkeypatch.undo()
    assert command.main([*again[1].split(), "--minutes", "1"]) == 0
    assert bf.cpu_info()["kernel"] == kernel


def test_growing_memory_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = iter(range(100, 10_000, 50))
    monkeypatch.setattr(command, "memory", lambda: float(next(figures)))
    options = ["--variant", "odd", "--games", "2", "--warm-up", "1", "--minutes", "1"]
    assert command.main(options) == 1
    assert "MORE THAN 24 MB" in capsys.readouterr().out


def test_ctrl_c_ends_with_the_summary(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "play", interrupted)
    assert command.main(["--minutes", "1"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("interrupted\n")
    assert "0 games" in output


def test_made_up_variants_are_of_all_kinds() -> None:
    found = [odd_variant(random.Random(seed)) for seed in range(200)]
    assert {variant.draft for variant in found} == {True, False}
    assert {variant.start for variant in found} == {"assigned", "any", "border"}
    assert any(variant.playable for variant in found)
    assert any(variant.voluntary_pass for variant in found)
    assert any(variant.max_rounds for variant in found)
    assert any(None in variant.owners for variant in found if not variant.draft)
    assert any(max(hand) == 7 for variant in found for hand in variant.hands)
