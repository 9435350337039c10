"""Records that commands read, and files that they write."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from blokus_fast.errors import RecordError
from blokus_fast.files import same_file, write_file
from blokus_fast.records import Record, read_all

__all__ = ["read_game", "target_of", "write_output"]


def target_of(file: Path, output: Path | None, suffix: str) -> Path:
    """Return where to write; never over the record itself."""
    target = output or file.with_suffix(suffix)
    if str(target) != "-" and same_file(file, target):
        hint = "" if output else ": name another file with -o"
        raise click.UsageError(f"{target} is the record itself, and would be overwritten{hint}")
    return target


def read_game(file: Path, number: int) -> Record:
    """Read a game of a file; what was wrong in it is told, and passed over."""
    count = 0
    passed: list[object] = []
    try:
        with read_all(file) as reader:
            for record in reader:
                count += 1
                if count == number:
                    for warning in (*reader.warnings, *record.warnings):
                        click.echo(f"{file}: {warning}", err=True)
                    return record
            passed = [*reader.warnings]
    except RecordError as error:
        text = str(error)
        prefix = "" if str(file) in text else f"{file}: "
        raise click.ClickException(f"{prefix}{text}") from None
    except OSError as error:
        raise click.ClickException(str(error)) from None
    for told in passed:
        click.echo(f"{file}: {told}", err=True)
    if count == 0:
        raise click.ClickException(f"{file}: there is no game of Blokus in it")
    raise click.UsageError(f"there is no game {number}: the file has {count}")


def write_output(target: Path, data: bytes) -> None:
    """Write a file, or the standard output."""
    if str(target) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        write_file(target, data)
    except OSError as error:
        raise click.ClickException(f"cannot write {target}: {error.strerror}") from None
