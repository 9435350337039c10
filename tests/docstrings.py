"""Docstrings as sections, and what of the package is public; for tests of what they say."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"

# Modules that import what is in an extra, and need not be there.
NEEDED = {
    "blokus_fast.contest.bridge": "socha",
    "blokus_fast.envs.blokus_v0": "pettingzoo",
    "blokus_fast.envs.gym_v0": "gymnasium",
    "blokus_fast.envs.measuring": "gymnasium",
    "blokus_fast.envs.openspiel": "pyspiel",
    "blokus_fast.selfplay": "pyarrow",
}


def sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each section of a docstring by its title; what is before them by ""."""
    lines = inspect.cleandoc(text).splitlines() or [""]
    found: dict[str, list[str]] = {"": []}
    title = ""
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line and below == "-" * len(line):
            title = line
            found[title] = []
        elif not re.fullmatch("-{3,}", line):
            found[title].append(line)
    return found


def names_in(lines: list[str]) -> list[str]:
    """Return what is defined in a section of parameters or errors, in order."""
    heads = [line.partition(" : ")[0] for line in lines if line and not line.startswith(" ")]
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def parameters_of(thing: Any) -> list[str]:
    """Return the names of the parameters that a caller gives."""
    names = list(inspect.signature(thing).parameters)
    return [name for name in names if name not in ("self", "cls") and not name.startswith("_")]


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the public members of a class, of its bases in the package too, as they are defined."""
    for name in dir(cls):
        if name.startswith("_"):
            continue
        owner = next(base for base in cls.__mro__ if name in vars(base))
        if owner.__module__.partition(".")[0] == "blokus_fast":
            member = getattr(vars(owner)[name], "__func__", vars(owner)[name])
            kinds = (inspect.isroutine, inspect.isgetsetdescriptor)
            if isinstance(member, property) or any(is_kind(member) for is_kind in kinds):
                yield name, member


def described(cls: type) -> set[str]:
    """Return the names that a class itself describes, as parameters or attributes."""
    return {
        name
        for base in cls.__mro__
        for section in ("Parameters", "Attributes")
        for name in names_in(sections(base.__doc__ or "").get(section, []))
    }


def documented() -> dict[str, list[str]]:
    """Return the modules of the reference, and for each the names; none where it is all."""
    found: dict[str, list[str]] = {}
    for page in sorted(REFERENCE.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for kind, path in re.findall(r"^\.\. auto(\w+):: ([\w.]+)", text, flags=re.MULTILINE):
            if kind in ("method", "attribute"):
                continue
            module, name = (path, "") if kind == "module" else path.rsplit(".", 1)
            found.setdefault(module, [])
            if name:
                found[module].append(name)
    return found


def public_things(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes of a module's ``__all__``, and the classes' members."""
    for name in module.__all__:
        thing = getattr(module, name)
        if not getattr(thing, "__module__", "").startswith("blokus_fast") or not callable(thing):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member_name, member in members(thing):
                if callable(member) or member_name not in described(thing):
                    yield f"{name}.{member_name}", member


@cache
def source_of(module: str) -> ast.Module | None:
    """Return what a module of the package is written as; its stub, where it is compiled."""
    if module.partition(".")[0] != "blokus_fast":
        return None
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin)
    if path.suffix != ".py":
        path = path.with_name(f"{module.rpartition('.')[2]}.pyi")
    return ast.parse(path.read_text(encoding="utf-8"))


def defined(module: str, name: str) -> tuple[str, ast.ClassDef | ast.FunctionDef] | None:
    """Follow imports, those for types alone too, to where a name of the package is defined."""
    for node in ast.walk(source_of(module) or ast.Module([], [])):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return module, node
        if isinstance(node, ast.ImportFrom) and node.module not in (None, module):
            for each in node.names:
                if (each.asname or each.name) == name:
                    return defined(node.module, each.name)
    return None


def annotations_of(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what the signatures of a function, or of the public members of a class, say."""
    if isinstance(node, ast.FunctionDef):
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [each for each in (arguments.vararg, arguments.kwarg) if each]
        yield from (each.annotation for each in every if each.annotation)
        if node.returns:
            yield node.returns
    elif isinstance(node, ast.AnnAssign):
        yield node.annotation
    elif isinstance(node, ast.ClassDef):
        for member in node.body:
            name = getattr(member, "name", getattr(getattr(member, "target", None), "id", "_"))
            if not name.startswith("_") or (name.startswith("__") and name != "__reduce__"):
                yield from annotations_of(member)


def types_met(module: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield module and name of the package's classes in the signatures of a function or class."""
    owner, node = defined(module, name) or (module, ast.Pass())
    for annotation in annotations_of(node):
        for part in ast.walk(annotation):
            if isinstance(part, ast.Name):
                where, met = defined(owner, part.id) or ("", None)
                if isinstance(met, ast.ClassDef):
                    yield where, met.name


def load(name: str) -> ModuleType:
    """Import a module of the reference, or skip the test."""
    import pytest

    if name in NEEDED:
        pytest.importorskip(NEEDED[name], reason=f"{NEEDED[name]} is not installed")
    return importlib.import_module(name)
