"""What `acceptance.py` does with an installed wheel: a step a process, each in an empty folder.

Run with the environment's Python, as ``acceptance_steps.py NAME``. The last line that a step prints
is its result; exit code 77 says that it cannot be done here, and the last line then says why. What
a step needs beside the wheel and its extra `cli` it installs itself. It must not know where the
repository is: the consumers in C and Cython lie beside this file.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

import blokus_fast as bf
from blokus_fast.moves import moves_to_placements

SKIPPED = 77


def skip(reason: str) -> NoReturn:
    """Say that a step cannot be done here, and end it."""
    print(reason)
    raise SystemExit(SKIPPED)


def call(*command: str) -> str:
    """Run a command; return what it prints, or fail with it."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        print("$", shlex.join(command), *lines, sep="\n")
        raise SystemExit(f"exit code {done.returncode}: {lines[-1] if lines else command[0]}")
    return done.stdout


def program() -> str:
    """Return the installed program `blokus-fast`."""
    found = shutil.which("blokus-fast", path=str(Path(sys.executable).parent))
    assert found is not None, "the program blokus-fast is not installed"
    return found


def need(what: str) -> None:
    """Install what a step needs, binaries only; skip the step where there are none."""
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-compile", "--only-binary", ":all:"]
    done = subprocess.run([*pip, what], capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        print(done.stdout, done.stderr)
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        skip(f"{what} cannot be had: {errors[-1].removeprefix('ERROR: ') if errors else 'no pip'}")


def look() -> str:
    """Import it: this version, from the environment, with moves in it."""
    place = Path(bf.__file__).resolve()
    assert place.is_relative_to(Path(sys.prefix).resolve()), f"imported from {place}"
    assert bf.__version__ == metadata.version("blokus-fast"), f"this is {bf.__version__}"
    assert bf.perft(bf.Board("duo"), 1) == 828, "other moves"
    return f"{bf.__version__}, kernel {bf.cpu_info()['kernel']}"


def play() -> str:
    """Let two bots play by command line; make the moves again, and a page of the game."""
    command = (program(), "play", "--variant", "duo", "--bots", "greedy,random", "--seed", "1")
    said = json.loads(call(*command, "--json", "--save", "game.blksgf"))["games"][0]
    game = bf.Game("duo")
    for move in said["moves"]:
        game.play(move)
    saved = bf.records.read("game.blksgf", strict=True).end().board()
    assert game.board == saved, "the file has another game"
    assert list(game.board.player_scores()) == said["scores"], "another score"
    call(program(), "replay", "game.blksgf", "-o", "game.html")
    assert "greedy" in Path("game.html").read_text(encoding="utf-8"), "no page of the game"
    return f"{len(said['moves'])} moves, {said['scores'][0]} to {said['scores'][1]}"


PIECES = moves_to_placements(np.arange(bf.Board("duo").n_moves), 14)[:, 0]


def choose(
    batch: bf.BatchBoard, weights: npt.NDArray[Any], rng: np.random.Generator
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Draw a move in each game, likelier by its piece's weight; return the gradients, too."""
    ids, offsets = batch.legal_ids()
    game = np.repeat(np.arange(len(batch)), np.diff(offsets))
    likely = np.exp(weights[PIECES[ids]])
    likely /= np.bincount(game, likely, len(batch))[game]
    # Of moves with times that are drawn by their rates, the first is as likely as its rate.
    times = rng.exponential(size=len(ids)) / likely
    first = np.lexsort((times, game))[offsets[:-1][np.diff(offsets) > 0]]
    actions = np.full(len(batch), -1, np.int32)
    actions[game[first]] = ids[first]
    gradients = np.zeros((len(batch), len(weights)))
    np.subtract.at(gradients, (game, PIECES[ids]), likely)
    np.add.at(gradients, (game[first], PIECES[ids[first]]), 1)
    return actions, gradients


def learn() -> str:
    """Learn by self-play which pieces to place first (REINFORCE): a weight for each of them."""
    rng, weights, n = np.random.default_rng(1), np.zeros(len(bf.PIECES)), 64
    for _ in range(30):
        batch, gradients = bf.BatchBoard(n, "duo"), np.zeros((n, 2, len(weights)))
        while not batch.done.all():
            # Where a game is over there is no player, and no gradient either.
            player = batch.player
            actions, gradient = choose(batch, weights, rng)
            gradients[np.arange(n), player] += gradient
            batch.step(actions)
        leads = batch.scores() - batch.scores()[:, ::-1]
        weights += 0.1 * ((leads - leads.mean(axis=0))[:, :, None] * gradients).mean(axis=(0, 1))
    batch, learner = bf.BatchBoard(400, "duo"), np.arange(400) % 2
    while not batch.done.all():
        learned, _ = choose(batch, weights, rng)
        untaught, _ = choose(batch, np.zeros(len(weights)), rng)
        batch.step(np.where(batch.player == learner, learned, untaught))
    # Boards of their own tell who has won: a batch that counts wrong would learn to lose.
    scores = np.array([batch[i].player_scores() for i in range(400)])
    leads = (scores - scores[:, ::-1])[np.arange(400), learner]
    won = float(((leads > 0) + 0.5 * (leads == 0)).mean())
    # Chance alone would get there once in a thousand million times.
    assert won > 0.65, f"it wins {won:.1%} against one that has learned nothing"
    return f"{won:.1%} against one that has learned nothing"


def consume(name: str) -> str:
    """Compile a consumer against the installed headers; it must play what `playouts` plays."""
    if os.name == "nt":
        skip("the consumers use POSIX threads")
    if not any(map(shutil.which, (os.environ.get("CC", "").split(" ")[0], "cc", "gcc", "clang"))):
        skip("there is no C compiler")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        skip("Python's headers are not installed")
    need("setuptools")
    (found,) = Path(__file__).parent.glob(f"{name}.*")
    source = Path(shutil.copy(found, "."))
    if source.suffix == ".pyx":
        need("cython>=3.1")
        call(sys.executable, "-P", "-m", "cython", str(source))
    setup = (
        "import blokus_fast, setuptools as s; s.setup(name='consumer', ext_modules=["
        f"s.Extension({name!r}, ['{name}.c'], include_dirs=[blokus_fast.get_include()])],"
        "script_args=['build_ext', '--inplace'])"
    )
    call(sys.executable, "-P", "-c", setup)
    sys.path.insert(0, os.getcwd())
    consumer = __import__(name)
    for board in (bf.Board("duo"), bf.Board("classic-3p")):
        expected, scores = bf.playouts(board, 60, seed=1), np.empty((60, board.n_players), np.int32)
        if source.suffix == ".pyx":
            scores = consumer.play(board, 60, 1, 3)
        else:
            consumer.play(board, 1, 3, scores)
        assert (scores == expected).all(), f"other games in {board.variant.name}"
    return "120 games in three threads, as `playouts`"


def gtp() -> str:
    """Let two of our GTP engines play in the arena."""
    need("blokus-fast[arena]")
    quoted = subprocess.list2cmdline if os.name == "nt" else shlex.join
    bots = [f"gtp:{quoted([program(), 'gtp', '--bot', bot])}" for bot in ("greedy", "random")]
    command = [program(), "arena", *bots, "--variant", "duo", "--games", "4", "--seed", "1"]
    said = json.loads(call(*command, "--workers", "1", "--json"))
    assert said["failures"] == [], said["failures"][0]["text"]
    assert said["games"] == 4, f"{said['games']} games"
    return f"{said['bots'][0]}: {said['results'][0]['score']:g} of 4"


def contest() -> str:
    """Play a game as the contest has it: a server, its bot, and a client, by command line."""
    command = [program(), "contest-server", "--port", "0", "--bot", "random", "--seed", "1"]
    command += ["--games", "1", "--save", "game.blksgf"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as server:
        try:
            assert server.stdout is not None
            port = server.stdout.readline().split()[-1:]
            assert port, "the server does not say its port"
            client = [program(), "contest", "--bot", "mcts:sims=100", "--seed", "1"]
            said = call(*client, "--host", "127.0.0.1", "--port", port[0]).strip()
            assert server.wait(60) == 0, "the server's exit code is not 0"
        finally:
            server.kill()
    board = bf.records.read("game.blksgf", strict=True).end().board()
    assert board.is_game_over, "the game was not played to its end"
    return said


STEPS: dict[str, Callable[[], str]] = {
    "import": look,
    "play": play,
    "learn": learn,
    "C": lambda: consume("consumer_c"),
    "Cython": lambda: consume("consumer_cython"),
    "GTP": gtp,
    "contest": contest,
}


def main() -> None:
    """Do a step, and see that a Python without the GIL is still without."""
    note = STEPS[sys.argv[1]]()
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert not getattr(sys, "_is_gil_enabled", bool)(), "the GIL was switched on"
        note += ", the GIL is off"
    print(note)


if __name__ == "__main__":
    main()
