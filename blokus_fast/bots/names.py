"""Names of bots: what they mean, which there are, and `make`.

Owns the forms of a name. Imports what a name stands for when the bot is made or checked.
"""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from blokus_fast._core import LIMITS
from blokus_fast.bots.corner import CornerBot
from blokus_fast.bots.protocol import AnyBot, Bot, Player
from blokus_fast.bots.searching import LEVELS, MCTSBot
from blokus_fast.bots.simple import GreedyBot, RandomBot
from blokus_fast.checking import integer_or_none

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "BOTS",
    "ENTRY_POINTS",
    "FORMS",
    "GTP",
    "MCTS",
    "SEARCH",
    "available",
    "check",
    "is_search",
    "make",
    "split",
    "words",
]

BOTS: Mapping[str, Callable[[int | None], Bot]] = MappingProxyType(
    {"random": RandomBot, "greedy": GreedyBot, "corner": CornerBot}
)
"""What makes a bot out of a seed, by the bot's name (read-only)."""

GTP: Final = "gtp:"
"""What a bot's name begins with if it is the command of a GTP engine."""

MCTS: Final = "mcts:"
"""What a bot's name begins with if it is a level or options of the tree search."""

ENTRY_POINTS: Final = "blokus_fast.bots"
"""The group of entry points in which installed packages name bots of their own."""

SEARCH: Final = "mcts"
"""The name of the tree search without options: on one thread, with all the time that a clock gives,
and without a clock at level 7."""

FORMS: Final = (
    f"{SEARCH}, {MCTS}{min(LEVELS)} to {MCTS}{max(LEVELS)}, {MCTS}OPTIONS, {GTP}COMMAND, "
    "MODULE:CLASS"
)
"""What else a name may be, beside words, as messages say it."""

_CLASS: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_OPTION: Final = re.compile(r"[a-z_]+=.*")


def make(name: str | Sequence[str | PathLike[str]], *, seed: SupportsIndex | None = None) -> Bot:
    """Make a bot.

    Parameters
    ----------
    name : str or sequence of str or path
        A name that `available` lists; ``mcts:`` and a level or options; ``gtp:`` and the command
        of a GTP engine, see `blokus_fast.gtp.EngineBot`; or ``module:Class`` of any class, which
        is called with a `seed` if it takes one. A sequence is the program of an engine and its
        arguments.
    seed : int, optional
        Seed of its random numbers; with the same seed it plays the same. Default: by chance.

    Returns
    -------
    Bot
        The bot. One that thinks in time is a `ThinkingBot`; `Player` drives both.

    Raises
    ------
    ValueError
        There is no bot of that name, and the message lists the names; an option is wrong; a
        module or class cannot be had. Or a quote in a command is not closed.
    EngineError
        The GTP engine cannot be started, or does not answer.
    TypeError
        `name` is neither text nor a sequence, or `seed` no integer.

    Examples
    --------
    >>> from blokus_fast import bots
    >>> bots.make("greedy", seed=1).name, bots.make("mcts:time=0.5").name
    ('greedy', 'mcts:time=0.5')
    >>> bots.make("mcts:10")
    Traceback (most recent call last):
    ...
    ValueError: bot 'mcts:10': level 10 is not in 1..9
    >>> bots.make("deep-blue")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: unknown bot 'deep-blue'; valid: random, greedy, corner, ... MODULE:CLASS
    """
    number = integer_or_none(seed, "seed")
    if not isinstance(name, str):
        if not isinstance(name, Sequence):
            raise TypeError(f"a bot has a name or a command, not {name!r}")
        return _engine(name, number)
    if name.startswith(GTP):
        return _engine(_command(name), number)
    if is_search(name):
        return _searcher(name, number)
    if name in BOTS:
        return BOTS[name](number)
    return _built(_maker(name), name, number)


def check(name: str) -> None:
    """Check a name without making the bot: no engine is started.

    Parameters
    ----------
    name : str
        The name.

    Raises
    ------
    ValueError
        As `make` raises it.

    Examples
    --------
    >>> from blokus_fast.bots.names import check
    >>> check("mcts:sims=5000,threads=2")
    >>> check("mcts:sims=many")
    Traceback (most recent call last):
    ...
    ValueError: bot 'mcts:sims=many': sims is a whole number, not 'many'
    """
    if name.startswith(GTP):
        from blokus_fast.gtp.command_line import split_command

        split_command(_command(name))
    elif is_search(name):
        _options(name)
    elif name not in BOTS:
        _takes_seed(_maker(name), name)


def available() -> tuple[str, ...]:
    """Return the names of bots that need nothing more: ours, the search, and of packages.

    Returns
    -------
    tuple of str
        Ours first.

    Examples
    --------
    >>> from blokus_fast import bots
    >>> names = bots.available()
    >>> names[:3], names[-2:]
    (('random', 'greedy', 'corner'), ('mcts:8', 'mcts:9'))
    """
    return (*words(), SEARCH, *(f"{MCTS}{level}" for level in LEVELS))


def words() -> tuple[str, ...]:
    """Return the names that are one word: our bots without search, and those of other packages.

    Examples
    --------
    >>> from blokus_fast.bots.names import words
    >>> words()[:3]
    ('random', 'greedy', 'corner')
    """
    return (*BOTS, *sorted(_entry_points()))


def is_search(name: str) -> bool:
    """Tell whether a name is that of the tree search, with options or without.

    Examples
    --------
    >>> from blokus_fast.bots.names import is_search
    >>> is_search("mcts"), is_search("mcts:3"), is_search("greedy")
    (True, True, False)
    """
    return name == SEARCH or name.startswith(MCTS)


def split(names: Sequence[str]) -> list[str]:
    """Put names together again that were split at commas within the options of a search.

    Examples
    --------
    >>> from blokus_fast.bots.names import split
    >>> split("mcts:sims=50,threads=2,greedy".split(","))
    ['mcts:sims=50,threads=2', 'greedy']
    """
    whole: list[str] = []
    for name in names:
        if whole and whole[-1].startswith(MCTS) and _OPTION.fullmatch(name):
            whole[-1] += f",{name}"
        else:
            whole.append(name)
    return whole


def _entry_points() -> dict[str, EntryPoint]:
    """Return what installed packages add. Names of ours are ours."""
    # It takes as long to import as all the rest, and few ask.
    from importlib.metadata import entry_points

    found = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
    return {
        name: entry
        for name, entry in found.items()
        if name not in (*BOTS, SEARCH) and ":" not in name
    }


def _command(name: str) -> str:
    command = name.removeprefix(GTP).strip()
    if not command:
        raise ValueError(f"there is no command behind {GTP} it is {GTP}COMMAND")
    return command


def _engine(command: str | Sequence[str | PathLike[str]], seed: int | None) -> Bot:
    if not command:
        raise ValueError(f"there is no command behind {GTP} it is {GTP}COMMAND")
    from blokus_fast.gtp.bot import EngineBot

    return EngineBot(command, seed=seed)


# The options of a search: what each is called in `MCTSBot`, its kind in words, and how it is read.
def _whole(text: str) -> int:
    """Read digits, and nothing else that Python takes for a number."""
    if not (text.isascii() and text.removeprefix("-").isdigit()):
        raise ValueError(text)
    return int(text)


def _bytes(mebibytes: int) -> int:
    most = LIMITS["memory"] >> 20
    if not 1 <= mebibytes <= most:
        raise ValueError(f"memory must be in 1..{most} MiB, not {mebibytes}")
    return mebibytes << 20


def _flag(text: str) -> bool:
    return bool(("0", "1").index(text))


_SEARCH: Final[Mapping[str, tuple[str, str, Callable[[str], Any]]]] = MappingProxyType(
    {
        "level": ("level", "a whole number", _whole),
        "sims": ("simulations", "a whole number", _whole),
        "growing": ("growing", "0 or 1", _flag),
        "time": ("seconds", "a number of seconds", float),
        "threads": ("threads", "a whole number", _whole),
        "memory": ("memory", "a whole number of MiB", _whole),
        "seed": ("seed", "a whole number", _whole),
        "weights": ("weights", "a file", str),
        "book": ("book", "0 or 1", _flag),
    }
)


def _parameters() -> Mapping[str, tuple[str, str, Callable[[str], Any]]]:
    """Return the same for what `search.Parameters` has: only who tunes a search needs them."""
    from blokus_fast.search import Parameters

    kinds: dict[str, tuple[str, Callable[[str], Any]]] = {
        "int": ("a whole number", _whole),
        "float": ("a number", float),
        "bool": ("0 or 1", _flag),
    }
    return {field.name: (field.name, *kinds[str(field.type)]) for field in fields(Parameters)}


def _options(name: str) -> dict[str, Any]:
    """Read the options of a search; whatever is wrong is told with the name."""
    options: dict[str, Any] = {}
    if name == SEARCH:
        return options
    text = name.removeprefix(MCTS)
    try:
        for number, part in enumerate(text.split(",")):
            key, equals, value = (word.strip() for word in part.partition("="))
            if not equals and not number:
                key, value = "level", key
            known = _SEARCH if key in _SEARCH else _parameters()
            if key not in known or not value:
                raise ValueError(
                    f"{part.strip()!r} is neither a level, {min(LEVELS)} to {max(LEVELS)}, nor one "
                    f"of the options {', '.join(f'{name}=' for name in _SEARCH)} "
                    "or the parameters of a search"
                )
            argument, kind, read = known[key]
            if argument in options:
                raise ValueError(f"{key} stands there twice")
            try:
                options[argument] = read(value)
            except (ValueError, OverflowError):
                raise ValueError(f"{key} is {kind}, not {value[:60]!r}") from None
            if key == "memory":
                options[argument] = _bytes(options[argument])
        MCTSBot(**options)
        if "weights" in options:
            from blokus_fast.search import load_weights

            load_weights(options["weights"])
    except (ValueError, OSError) as error:
        raise ValueError(f"bot {name[:200]!r}: {error}") from None
    return options


def _searcher(name: str, seed: int | None) -> Bot:
    options = _options(name)
    # What the name says holds.
    options.setdefault("seed", seed)
    return MCTSBot(**options)


def _maker(name: str) -> Callable[..., AnyBot]:
    """Find what a name of somebody else's stands for."""
    found: Any
    entry = _entry_points().get(name)
    if entry is not None:
        try:
            found = entry.load()
        except (Exception, SystemExit) as error:
            raise ValueError(
                f"bot {name!r} is {entry.value}, which cannot be imported: {_told(error)}"
            ) from error
    elif _CLASS.fullmatch(name):
        module, _, path = name.partition(":")
        try:
            found = import_module(module)
        except (Exception, SystemExit) as error:
            raise ValueError(f"bot {name!r}: cannot import {module}: {_told(error)}") from error
        try:
            found = operator.attrgetter(path)(found)
        except AttributeError:
            raise ValueError(f"bot {name!r}: there is no {path} in {module}") from None
    else:
        raise ValueError(f"unknown bot {name[:200]!r}; valid: {', '.join(words())}, {FORMS}")
    if not callable(found):
        raise ValueError(f"bot {name!r} is no class, but {type(found).__name__}")
    return found  # type: ignore[no-any-return]


def _built(maker: Callable[..., AnyBot], name: str, seed: int | None) -> Bot:
    """Call what makes a bot with a seed, if it takes one, and see that it is a bot."""
    bot: Any = maker(seed=seed) if _takes_seed(maker, name) else maker()
    try:
        Player(bot)
    except TypeError as error:
        raise ValueError(f"bot {name!r}: {error}") from None
    return bot  # type: ignore[no-any-return]


def _takes_seed(maker: Callable[..., AnyBot], name: str) -> bool:
    """Tell whether what makes a bot has a parameter for the seed; it must need nothing else."""
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        parameters = ()  # type: ignore[assignment]
    needed = [
        one.name
        for one in parameters
        if one.default is one.empty
        and one.name != "seed"
        and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    if needed:
        raise ValueError(f"bot {name!r} is made with a seed or nothing, not {', '.join(needed)}")
    return any(one.name == "seed" for one in parameters)


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
