"""What docs/api.md promises of docstrings: parameters, results and errors of every public name."""

from __future__ import annotations

import ast
import contextlib
import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from docstrings import (
    described,
    documented,
    load,
    members,
    names_in,
    parameters_of,
    public_things,
    sections,
)

import blokus_fast as bf
from blokus_fast import _core

# Of these every member has an example, and every error that a wrong argument leads to is named.
COMPLETE = (bf.Board, bf.BatchBoard, bf.Game, bf.Move)
MEMBERS = [
    (cls, name, member)
    for cls in COMPLETE
    for name, member in members(cls)
    if name not in described(cls) or callable(member)
]
METHODS = [(cls, name, member) for cls, name, member in MEMBERS if callable(member)]

MAKE: dict[type, Callable[[], Any]] = {
    bf.Board: lambda: bf.Board("duo"),
    bf.BatchBoard: lambda: bf.BatchBoard(2, "duo"),
    bf.Game: lambda: bf.Game("duo"),
    bf.Move: lambda: bf.Move(60, size=14),
}
# An argument that is right, for parameters that must be given.
RIGHT: dict[str, Any] = {
    "action": 60, "actions": [-1, -1], "board": bf.Board("duo"), "color": 0, "index": [0],
    "move": 60, "n": 1, "other": bf.BatchBoard(2, "duo"), "seeds": 1, "text": "e10",
}  # fmt: skip
WRONG = (object(), 10**30, -7, "?", 0.5, [99], ["?"], np.empty(3, np.float32))


def label(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else value if isinstance(value, str) else ""


def text_of(thing: Any) -> dict[str, list[str]]:
    text = inspect.getdoc(thing)
    assert text, "no docstring"
    return sections(text)


def issubclass_of_core(thing: Any) -> bool:
    """Whether it is a class whose parameters are those of a compiled one, which tells them not."""
    compiled = (bf.Board, bf.LegalMoves, _core.Batch, np.ndarray)
    return inspect.isclass(thing) and issubclass(thing, compiled)


def check_sections(thing: Any) -> None:
    """See that a docstring has what the signature asks for."""
    found = text_of(thing)
    assert found[""], "no summary"
    assert not any("---" in line for lines in found.values() for line in lines), "a title in a line"
    assert found[""][0].endswith("."), f"the summary is no sentence: {found[''][0]}"
    if not callable(thing) or (inspect.isclass(thing) and issubclass(thing, BaseException)):
        return
    described = [
        name
        for section in ("Parameters", "Other Parameters", "Attributes")
        for name in names_in(found.get(section, []))
    ]
    unsigned = getattr(thing, "_is_protocol", False) or issubclass_of_core(thing)
    parameters = [] if unsigned else parameters_of(thing)
    assert [name for name in parameters if name not in described] == [], "not in Parameters"
    if "Parameters" in found and not inspect.isclass(thing):
        assert names_in(found["Parameters"]) == parameters, "Parameters in another order"


def returns_something(thing: Any) -> bool:
    result = inspect.signature(thing).return_annotation
    return result not in (None, "None", "NoReturn", inspect.Signature.empty)


@pytest.mark.parametrize(("cls", "name", "member"), MEMBERS, ids=label)
def test_members_say_everything(cls: type, name: str, member: Any) -> None:
    check_sections(member)
    found = text_of(member)
    assert any(line.startswith(">>>") for line in found.get("Examples", [])), "no example"
    if callable(member):
        result = returns_in_stub(cls, name)
        assert ("Returns" in found) == (result != "None"), f"Returns, where {result} is returned"


def returns_in_stub(cls: type, name: str) -> str:
    """Return what the annotations say; those of compiled methods are in the stub."""
    member = dict(members(cls))[name]
    if inspect.isfunction(member):
        return str(inspect.signature(member).return_annotation)
    stub = Path(bf.__file__).with_name("_core.pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    owner = next(base.__name__ for base in cls.__mro__ if name in vars(base))
    (body,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner)
    method = next(node for node in body.body if getattr(node, "name", "") == name)
    assert isinstance(method, ast.FunctionDef)
    assert method.returns is not None
    return ast.unparse(method.returns)


def error_of(call: Callable[[], Any]) -> Exception | None:
    try:
        call()
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize(("cls", "name", "member"), METHODS, ids=label)
def test_errors_of_wrong_arguments_are_named(cls: type, name: str, member: Any) -> None:
    named = names_in(text_of(member).get("Raises", []))
    parameters = inspect.signature(member).parameters.values()
    given = [each for each in parameters if each.name not in ("self", "cls")]
    for wrong in given:
        for value in WRONG:
            positional, by_name = [], {}
            for each in given:
                if each is not wrong and each.default is not each.empty:
                    continue
                argument = value if each is wrong else RIGHT[each.name]
                if each.kind is each.POSITIONAL_ONLY:
                    positional.append(argument)
                else:
                    by_name[each.name] = argument
            method = getattr(MAKE[cls](), name)
            error = error_of(lambda: method(*positional, **by_name))  # noqa: B023 - called here
            kinds = {kind.__name__ for kind in type(error).__mro__}
            assert error is None or kinds & set(named), (wrong.name, value, error)


def test_errors_without_arguments_are_named() -> None:
    for method in (bf.Board.pop, bf.Board.peek, bf.Game.undo):
        cls = bf.Game if method is bf.Game.undo else bf.Board
        with pytest.raises(IndexError):
            method(MAKE[cls]())
        assert "IndexError" in names_in(text_of(method)["Raises"])


def raised_in(function: Any) -> set[str]:
    """Return the errors that a function's own lines raise, by their names."""
    with contextlib.suppress(OSError, TypeError):
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        raised = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise)]
        calls = [node.func if isinstance(node, ast.Call) else node for node in raised]
        return {node.id for node in calls if isinstance(node, ast.Name) and node.id[0].isupper()}
    return set()


@pytest.mark.parametrize("name", sorted(documented()))
def test_public_names_are_documented(name: str) -> None:
    module = load(name)
    faults = []
    for path, thing in public_things(module):
        try:
            check_sections(thing)
            found = text_of(thing)
            if inspect.isfunction(thing):
                if returns_something(thing):
                    assert {"Returns", "Yields"} & set(found), "no Returns"
                for error in raised_in(thing):
                    assert error in names_in(found.get("Raises", [])), f"{error} is not in Raises"
            if inspect.isfunction(thing) or inspect.isclass(thing):
                is_member = "." in path
                is_error = inspect.isclass(thing) and issubclass(thing, BaseException)
                assert is_member or is_error or "Examples" in found, "no example"
        except AssertionError as error:
            faults.append(f"{name}.{path}: {str(error).partition(chr(10))[0]}")
    assert not faults, "\n".join(faults)
