"""Records that commands read, and files that they write; ``-`` is standard input or output."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from blokus_fast.errors import RecordError
from blokus_fast.files import same_file, write_file
from blokus_fast.records import Record, read_all

__all__ = ["DASH", "read_game", "target_of", "tell_written", "write_output"]

DASH = Path("-")


def target_of(file: Path, output: Path | None, suffix: str) -> Path:
    """Return where to write; never over the record itself."""
    target = output or (DASH if file == DASH else file.with_suffix(suffix))
    if target != DASH and same_file(file, target):
        hint = "" if output else ": name another file with -o"
        raise click.UsageError(f"{target} is the record itself, and would be overwritten{hint}")
    return target


def read_game(file: Path, number: int) -> Record:
    """Read a game of a file; what was wrong in it is told, and passed over."""
    count = 0
    passed: list[object] = []
    name = "standard input" if file == DASH else str(file)
    try:
        with read_all(_standard_input() if file == DASH else file) as reader:
            for record in reader:
                count += 1
                if count == number:
                    for warning in (*reader.warnings, *record.warnings):
                        click.echo(f"{name}: {warning}", err=True)
                    return record
            passed = [*reader.warnings]
    except RecordError as error:
        text = str(error)
        prefix = "" if name in text else f"{name}: "
        raise click.ClickException(f"{prefix}{text}") from None
    except OSError as error:
        raise click.ClickException(str(error)) from None
    for told in passed:
        click.echo(f"{name}: {told}", err=True)
    if count == 0:
        raise click.ClickException(f"{name}: there is no game of Blokus in it")
    raise click.UsageError(f"there is no game {number}: {_the_file(file)} has {count}")


def _the_file(file: Path) -> str:
    return "standard input" if file == DASH else "the file"


def _standard_input() -> Any:
    """Return the standard input to read bytes from, without a name of its own for messages."""
    if sys.stdin is None:
        raise click.ClickException("there is no standard input")
    return SimpleNamespace(read=sys.stdin.buffer.read)


def write_output(target: Path, data: bytes) -> None:
    """Write a file, and say so; or write the standard output."""
    if target == DASH:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        write_file(target, data)
    except OSError as error:
        raise click.ClickException(f"cannot write {target}: {error.strerror}") from None
    tell_written(target)


def tell_written(target: object) -> None:
    """Say on the standard error what was written."""
    click.echo(f"written: {target}", err=True)
