"""The command line in this process, for the tests of its commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from click.testing import Result


def run(*args: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run a command with what it reads; pass the test over where the extra is missing."""
    pytest.importorskip("click", reason="the command line is the extra `cli`")
    pytest.importorskip("rich", reason="the command line is the extra `cli`")
    from click.testing import CliRunner

    from blokus_fast.cli.app import cli

    return CliRunner().invoke(cli, [str(arg) for arg in args], input=stdin)


def json_of(*args: str | Path) -> dict[str, Any]:
    """Run a command that must end well, and return the object that it prints."""
    result = run(*args)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found
