"""A GTP engine that is wrong on purpose, for the tests of the client; its faults are its arguments.

It knows no rules: what it answers to ``genmove`` is given as ``move=TEXT``. It needs nothing but
the standard library, so that it starts quickly. A fault strikes at ``genmove``, but for those that
concern every answer. With ``time`` it takes clocks, which is no fault.
"""

import os
import signal
import subprocess
import sys
import time

FAULTS = dict(text.partition("=")[::2] for text in sys.argv[1:])
COMMANDS = ("name", "version", "known_command", "set_game", "clear_board", "play", "genmove")
CHATTER = "hello\n\n=== ready ===\n# x\n"


def say(text):
    """Write something at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def log(line):
    """Write down what was asked, for the test to read."""
    if "log" in FAULTS:
        with open(FAULTS["log"], "a", encoding="utf-8") as file:
            file.write(line + "\n")


def strike(number):
    """Do what is wrong at ``genmove``; return the answer if there is to be one after all."""
    if "mute" in FAULTS:
        time.sleep(60)
    if "late" in FAULTS and not os.path.exists(FAULTS["late"]):
        with open(FAULTS["late"], "w", encoding="utf-8"):
            time.sleep(0.4)
    if "die" in FAULTS:
        print("starting\nout of memory\n", file=sys.stderr, flush=True)
        os._exit(3)
    if "killed" in FAULTS:
        os.kill(os.getpid(), signal.SIGKILL)
    if "mid_line" in FAULTS:
        say(f"={number} e8,d9")
        os._exit(0)
    if "mid_answer" in FAULTS:
        say(f"={number} e10\n")
        os._exit(0)
    while "endless_line" in FAULTS:
        say("x" * 65536)
    while "endless_answer" in FAULTS:
        say(f"={number} e10\n" + "e10\n" * 10000)
    while "endless_noise" in FAULTS:
        say("what is this?\n" * 5000)
    while "endless_answers" in FAULTS:
        say("=1 e10\n\n" * 5000)
    if "deaf" in FAULTS:
        os.close(0)
        say(f"={number} e10\n\n")
        time.sleep(60)
    if "dumb" in FAULTS:
        os.close(1)
        time.sleep(60)
    if "wrong_id" in FAULTS:
        say("=999 e10\n\n")
        return None
    if "old_id" in FAULTS:
        say("=1 a1\n\n")
    if "unasked" in FAULTS:
        say("= a1\n\n")
    return FAULTS.get("move", "e10")


def main():
    """Answer commands."""
    if "grandchild" in FAULTS:
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    if "stubborn" in FAULTS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "banner" in FAULTS:
        say(CHATTER)
    end = "\r\n" if "crlf" in FAULTS else "\n"
    for line in sys.stdin:
        number, _, command = line.strip().partition(" ")
        if not number.isdigit():
            number, command = "", line.strip()
        log(command)
        if "stderr" in FAULTS:
            sys.stderr.write("thinking aloud\n" * 100000)
        word, _, _ = command.partition(" ")
        shown = "" if "no_id" in FAULTS else number
        if word == "quit" and "stubborn" in FAULTS:
            time.sleep(60)
        timed = "time" in FAULTS and word in ("time_settings", "time_left")
        if (word not in (*COMMANDS, "quit") and not timed) or word in FAULTS.get(
            "refuse", ""
        ).split("+"):
            say(f"?{shown} cannot {word}{end}{end}")
            continue
        knows = "true" if "time" in FAULTS and "time_" in command else "false"
        answer = {"name": "Fake", "version": "1.0", "known_command": knows}.get(word, "")
        if word == "genmove":
            answer = strike(number)
            if answer is None:
                continue
        say(f"={shown} {answer}{end}{end}")
        if word == "quit":
            return
        if "tired" in FAULTS:
            return


main()
