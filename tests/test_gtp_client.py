"""The client against an engine that does everything wrong that an engine can do."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from gtp_tools import OURS, PROC, fake, in_group, nothing_left, threads
from pressing import ctrl_c_after

from blokus_fast.gtp import (
    Engine,
    EngineDiedError,
    EngineError,
    EngineProtocolError,
    EngineRefusedError,
    EngineStartError,
    EngineTimeoutError,
    command_line,
)
from blokus_fast.gtp.command_line import join_command, split_command


@pytest.fixture(autouse=True)
def watch() -> Iterator[None]:
    """Whatever goes wrong, nothing is left over."""
    with nothing_left():
        yield


def error_of(engine: Engine, command: str = "genmove b") -> str:
    """Return what the error says that a command ends in."""
    with pytest.raises(EngineError) as caught:
        engine.ask(command)
    return str(caught.value)


def test_questions_and_answers() -> None:
    with Engine(fake("move=E8,d9")) as engine:
        assert engine.name == "Fake"
        assert engine.version == "1.0"
        assert engine.ask(" set_game Blokus Duo ") == ""
        assert engine.genmove("b") == "E8,d9"
        assert engine.knows("undo") is False
        assert engine.returncode is None
        assert "running, process " in repr(engine)
    assert engine.returncode == 0
    assert "ended with 0" in repr(engine)
    assert error_of(engine).endswith("has been closed")
    engine.close()


def test_a_command_line_is_split_but_no_shell_runs() -> None:
    command = " ".join(f'"{word}"' for word in fake("move=$HOME; exit"))
    with Engine(command) as engine:
        assert engine.genmove("b") == "$HOME; exit"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\Games\engine.exe --level 1", ["C:\\Games\\engine.exe", "--level", "1"]),
        (r'"C:\Program Files\e.exe" "my book"', ["C:\\Program Files\\e.exe", "my book"]),
        (r"\\server\share\e.exe  'x y'", ["\\\\server\\share\\e.exe", "'x", "y'"]),
        (r'e "" "a b"c "say \"hi\"" \\\"x', ["e", "", "a bc", 'say "hi"', '\\"x']),
        (r'e "C:\folder\\" x', ["e", "C:\\folder\\", "x"]),
        ('e "a""b" x\t', ["e", 'a"b', "x"]),
        ("", []),
    ],
)
def test_commands_on_windows(command: str, words: list[str]) -> None:
    assert split_command(command, windows=True) == words
    if words and '""b' not in command:
        assert split_command(subprocess.list2cmdline(words), windows=True) == words


@pytest.mark.parametrize("windows", [False, True])
def test_a_command_with_an_open_quote(windows: bool) -> None:
    with pytest.raises(ValueError, match=r"not closed in the command '\"engine --x'"):
        split_command('"engine --x', windows=windows)


def test_a_command_is_split_by_the_rules_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line.os, "name", "nt")
    assert split_command(r"C:\e.exe") == [r"C:\e.exe"]
    assert join_command([r"C:\e.exe", "a b"]) == r'C:\e.exe "a b"'
    monkeypatch.setattr(command_line.os, "name", "posix")
    assert split_command(r"C:\e.exe") == ["C:e.exe"]


def test_a_command_of_paths() -> None:
    first, *rest = fake()
    with Engine([Path(first), *rest]) as engine:
        assert engine.command == (first, *rest)


@pytest.mark.parametrize("word", ["pass", "resign", "PASS", "Resign"])
def test_pass_and_resign_are_words(word: str) -> None:
    with Engine(fake(f"move={word}")) as engine:
        assert engine.genmove("b") == word.lower()


@pytest.mark.parametrize("fault", ["crlf", "no_id", "banner", "old_id", "stderr"])
def test_oddities_do_no_harm(fault: str) -> None:
    """Line ends, no numbers, a banner, answers given twice, a flood of debugging text."""
    with Engine(fake(fault)) as engine:
        assert engine.name == "Fake"
        for _ in range(3):
            assert engine.genmove("b") == "e10"
        assert engine.ask("play w j5") == ""
        # What it has written arrives when it likes; all of it is there when the engine has ended.
        engine.close(grace=60)
        if fault == "stderr":
            assert 0 < len(engine.stderr) <= 65536
            assert engine.stderr.endswith("thinking aloud\n")


def test_what_is_said_unasked_is_passed_over_once_there_are_numbers() -> None:
    with Engine(fake("unasked")) as engine:
        assert engine.name == "Fake"
        assert engine.genmove("b") == "e10"


def test_a_refusal_is_an_error_and_the_engine_goes_on() -> None:
    with Engine(fake("refuse=genmove")) as engine:
        with pytest.raises(EngineRefusedError) as caught:
            engine.genmove("b")
        assert caught.value.answer == "cannot genmove"
        assert str(caught.value).endswith("refuses 'genmove b': cannot genmove")
        assert engine.ask("name") == "Fake"


def test_a_refusal_without_a_number_is_one() -> None:
    with Engine(fake("no_id", "refuse=genmove")) as engine, pytest.raises(EngineRefusedError):
        engine.genmove("b")


def test_a_mute_engine_is_given_up_and_ended() -> None:
    began = time.monotonic()
    with Engine(fake("mute"), timeout=60, move_timeout=0.2) as engine:
        with pytest.raises(EngineTimeoutError, match=r"did not answer 'genmove b' within 0.2 s$"):
            engine.genmove("b")
        with pytest.raises(TimeoutError):
            engine.ask("name", timeout=0.1)
        assert engine.returncode is None
    assert engine.returncode not in (None, 0)
    assert time.monotonic() - began < 30


def test_an_engine_that_never_answers_is_given_up_for_good() -> None:
    with Engine(fake("mute"), timeout=0.01) as engine:
        while "did not answer" in (said := error_of(engine)):
            pass
        assert said.endswith("left 16 commands unanswered")
        assert isinstance(engine.returncode, int)
        assert error_of(engine) == said


@pytest.mark.parametrize("fault", ["", "no_id"])
def test_late_answers_are_not_taken_for_others(fault: str, tmp_path: Path) -> None:
    """The answer to the first question comes while the second one waits."""
    faults = [f"late={tmp_path / 'late'}", "move=e10", *filter(None, [fault])]
    with Engine(fake(*faults), timeout=20) as engine:
        assert engine.ask("version") == "1.0"
        with pytest.raises(EngineTimeoutError):
            engine.genmove("b", timeout=0.1)
        assert engine.ask("name") == "Fake"
        assert engine.genmove("b") == "e10"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("die", "ended (exit code 3) at 'genmove b': starting / out of memory"),
        ("mid_line", "ended (exit code 0) at 'genmove b'"),
        ("mid_answer", "ended (exit code 0) at 'genmove b'"),
        ("killed", f"ended (signal {int(getattr(signal, 'SIGKILL', 9))}) at 'genmove b'"),
    ],
)
def test_a_dead_engine_is_named(fault: str, words: str) -> None:
    with Engine(fake(fault)) as engine:
        assert engine.ask("name") == "Fake"
        with pytest.raises(EngineDiedError) as caught:
            engine.genmove("b")
        assert str(caught.value).endswith(words)
        assert isinstance(engine.returncode, int)
        # And again, without waiting for anything.
        assert error_of(engine, "name") == str(caught.value)
    if fault == "die":
        assert engine.stderr == "starting\nout of memory\n\n"


def test_an_engine_that_ends_between_questions() -> None:
    with Engine(fake("tired")) as engine:
        assert engine.ask("name") == "Fake"
        assert "ended (exit code 0) at 'genmove b'" in error_of(engine)


def test_an_engine_that_ends_at_once() -> None:
    with Engine([sys.executable, "-S", "-c", "raise SystemExit('no licence')"]) as engine:
        assert error_of(engine).endswith("ended (exit code 1) at 'genmove b': no licence")


def test_a_deaf_engine_is_named() -> None:
    with Engine(fake("deaf")) as engine:
        assert engine.genmove("b") == "e10"
        with pytest.raises(EngineDiedError, match=r"closed its input at 'name'"):
            engine.ask("name")
        assert engine.returncode is not None


def test_an_engine_without_output_is_named() -> None:
    with Engine(fake("dumb")) as engine:
        with pytest.raises(EngineDiedError, match=r"closed its output at 'genmove b'"):
            engine.genmove("b")
        assert engine.returncode is not None


@pytest.mark.parametrize(
    "fault", ["endless_line", "endless_answer", "endless_noise", "endless_answers"]
)
def test_endless_output_is_bounded(fault: str) -> None:
    began = time.monotonic()
    with Engine(fake(fault), max_output=1 << 20) as engine:
        assert engine.ask("name") == "Fake"
        with pytest.raises(EngineProtocolError, match="writes more than an answer to 'genmove b'"):
            engine.genmove("b")
        assert engine.returncode is not None
    assert time.monotonic() - began < 10


def test_an_answer_to_what_was_never_asked() -> None:
    with Engine(fake("wrong_id")) as engine:
        with pytest.raises(EngineProtocolError, match="number 999, which was never given"):
            engine.genmove("b")
        assert engine.returncode is not None


@pytest.mark.skipif(os.name == "nt", reason="there is no cat")
def test_a_program_that_speaks_something_else() -> None:
    with Engine(["cat"], timeout=0.3) as engine:
        assert "did not answer 'name' within 0.3 s; it wrote '1 name'" in error_of(engine, "name")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["no-such-program"], "cannot start no-such-program: No such file"),
        ("./no/such/program --level 1", "cannot start ./no/such/program: No such file"),
        ([str(Path(__file__).parent)], "Permission denied"),
        (["a\0b"], "cannot start a\0b: embedded null byte"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="the system has other words there")
def test_a_program_that_cannot_be_started(command: str | list[str], words: str) -> None:
    with pytest.raises(EngineStartError) as caught:
        Engine(command)
    assert words in str(caught.value)


@pytest.mark.parametrize("command", ["", "  ", [], [1]])
def test_no_program_at_all(command: str | list[str]) -> None:
    with pytest.raises(ValueError, match="an engine is started by a program"):
        Engine(command)


@pytest.mark.parametrize("command", ["", "  ", "name\nquit", "name\rquit", "na\x00me", "\x07"])
def test_a_command_is_one_line(command: str) -> None:
    with Engine(fake()) as engine:
        with pytest.raises(ValueError, match="one line of text"):
            engine.ask(command)
        assert engine.ask("name") == "Fake"


def test_a_stubborn_engine_is_ended_by_force() -> None:
    engine = Engine(fake("stubborn"))
    assert engine.ask("name") == "Fake"
    began = time.monotonic()
    engine.close(grace=0.2)
    assert time.monotonic() - began < 20
    assert engine.returncode not in (None, 0)


@pytest.mark.skipif(not PROC.exists(), reason="there is no /proc to look into")
@pytest.mark.parametrize("fault", ["move=e10", "die"])
def test_what_the_engine_has_started_ends_too(fault: str) -> None:
    with Engine(fake("grandchild", fault)) as engine:
        assert engine.ask("name") == "Fake"
        assert len(in_group(engine.pid)) == 2
        if fault == "die":
            # The pipes are still open, in other hands.
            with pytest.raises(EngineError):
                engine.ask("genmove b", timeout=0.5)
    deadline = time.monotonic() + 5
    while in_group(engine.pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert in_group(engine.pid) == set()


def test_an_exception_inside_the_with_ends_the_engine() -> None:
    with pytest.raises(KeyError), Engine(fake("mute")) as engine:
        raise KeyError
    assert engine.returncode is not None


def test_an_engine_that_is_forgotten_ends() -> None:
    engine = Engine(fake())
    assert engine.ask("name") == "Fake"
    process = engine._process
    del engine
    gc.collect()
    assert process.returncode is not None
    assert threads() == set()


def test_an_interpreter_that_ends_takes_its_engines_along(tmp_path: Path) -> None:
    code = (
        "from blokus_fast.gtp import Engine\n"
        f"engine = Engine({fake('mute')!r})\n"
        "print(engine.pid, flush=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    if PROC.exists():
        assert in_group(int(done.stdout)) == set()


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_while_it_waits() -> None:
    """The interrupt reaches the one who waits, and the engine ends with him."""
    with Engine(fake("mute")) as engine:
        assert engine.ask("name") == "Fake"
        with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.3):
            engine.genmove("b")
        assert engine.returncode is None
    assert engine.returncode is not None


def test_many_engines_at_once() -> None:
    engines = [Engine(fake(f"move={number}")) for number in range(5)]
    assert [engine.genmove("b") for engine in engines] == list("01234")
    for engine in engines:
        engine.close()


def test_folder_and_environment(tmp_path: Path) -> None:
    program = (
        "import os\nwhile True:\n"
        "    number = input().split()[0]\n"
        "    print(f'={number}', os.getcwd(), os.environ.get('GREETING'), end='\\n\\n', flush=True)"
    )
    with Engine(
        [sys.executable, "-S", "-c", program],
        cwd=tmp_path,
        env={**os.environ, "GREETING": "hello"},
    ) as engine:
        assert engine.ask("where") == f"{tmp_path.resolve()} hello"


def test_our_own_engine_answers_every_command_it_lists() -> None:
    with Engine([*OURS, "--bot", "random", "--variant", "duo"]) as engine:
        for name in engine.ask("list_commands").split():
            assert engine.knows(name)
            if name == "quit":
                continue
            with suppress(EngineRefusedError):
                engine.ask(name)
        assert engine.ask("showboard").startswith("   a b c")
        with pytest.raises(EngineRefusedError, match="missing argument 2"):
            engine.ask("play b")
