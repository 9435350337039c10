"""What bots are called where people see them: short, and each in another way.

A bot's name says how to make it, and may be a whole command. Its title is a name of its own: the
one that somebody gave it, or that a GTP engine says it has, or the name of the engine's program.
"""

from __future__ import annotations

import ntpath
import os
from collections.abc import Sequence
from typing import Final

from blokus_fast.bots.names import GTP
from blokus_fast.checking import expect, iterated

__all__ = ["asked_title", "check_titles", "labels_of", "title_of"]

_LONGEST: Final = 60
# An engine that has not said its name within so many seconds goes by that of its program.
_PATIENCE: Final = 10.0


def title_of(name: str) -> str:
    """Return what a bot is called as long as nobody has asked it: no engine is started.

    Parameters
    ----------
    name : str
        Its name, see `bots.make`.

    Returns
    -------
    str
        The name, or of the command of an engine the program's.

    Examples
    --------
    >>> from blokus_fast.bots.titles import title_of
    >>> title_of("greedy"), title_of("gtp:/opt/games/pentobi-gtp --nobook --level 3")
    ('greedy', 'pentobi-gtp')
    """
    if not name.startswith(GTP):
        return name
    from blokus_fast.gtp.command_line import split_command

    try:
        words = split_command(name.removeprefix(GTP))
    except ValueError:
        words = []
    file = (ntpath if os.name == "nt" else os.path).basename(words[0]) if words else ""
    return file.removesuffix(".exe") or name


def asked_title(name: str) -> str:
    """Return what a bot is called; an engine is started, asked, and ended.

    Parameters
    ----------
    name : str
        Its name, see `bots.make`.

    Returns
    -------
    str
        Of an engine its name and version as it gives them; of one that cannot be asked, and of
        all other bots, what `title_of` returns.

    Examples
    --------
    >>> from blokus_fast.bots.titles import asked_title
    >>> asked_title("greedy"), asked_title("gtp:no-such-program --fast")
    ('greedy', 'no-such-program')
    """
    if not name.startswith(GTP):
        return name
    from blokus_fast.gtp.client import Engine
    from blokus_fast.gtp.errors import EngineError

    try:
        with Engine(name.removeprefix(GTP), timeout=_PATIENCE) as engine:
            return engine.title
    except (EngineError, ValueError):
        return title_of(name)


def check_titles(titles: Sequence[str], bots: Sequence[str]) -> list[str]:
    """Check the titles that somebody gave to the first bots of a list; return one for each bot.

    Parameters
    ----------
    titles : sequence of str
        The titles, in the order of the bots. An empty one, or none, stands for what the bot has
        by itself.
    bots : sequence of str
        The names of the bots.

    Returns
    -------
    list of str
        A title for each bot, empty where none was given.

    Raises
    ------
    ValueError
        There are more titles than bots, or one is no line of text, or too long.
    TypeError
        They are no sequence of texts.

    Examples
    --------
    >>> from blokus_fast.bots.titles import check_titles
    >>> check_titles(["old"], ["mcts:3", "mcts:4"])
    ['old', '']
    >>> check_titles(["old", "new", "best"], ["mcts:3", "mcts:4"])
    Traceback (most recent call last):
    ...
    ValueError: there are 3 names for 2 bots
    """
    titles = list(iterated(titles, "names must be a sequence of texts"))
    for title in titles:
        expect(title, str, "a name")
    if len(titles) > len(bots):
        raise ValueError(f"there are {len(titles)} names for {len(bots)} bots")
    checked = []
    for title in titles:
        text = title.strip()
        if not text.isprintable() or len(text) > _LONGEST:
            raise ValueError(
                f"a name is a line of text of at most {_LONGEST} characters, not {title!r:.80}"
            )
        checked.append(text)
    return checked + [""] * (len(bots) - len(titles))


def labels_of(titles: Sequence[str]) -> tuple[str, ...]:
    """Tell the bots of a list apart: several that are called alike are numbered.

    Parameters
    ----------
    titles : sequence of str
        What they are called.

    Returns
    -------
    tuple of str
        The same, but no two alike.

    Examples
    --------
    >>> from blokus_fast.bots.titles import labels_of
    >>> labels_of(["greedy", "random", "greedy"])
    ('greedy 1', 'random', 'greedy 2')
    >>> labels_of(["Pentobi 31.0", "Pentobi 31.0"])  # a number may belong to the title
    ('Pentobi 31.0 #1', 'Pentobi 31.0 #2')
    """
    used = {title for title in titles if titles.count(title) == 1}
    labels = []
    for title in titles:
        number, label = 0, title
        sign = "#" if any(map(str.isdigit, title.rpartition(" ")[2])) else ""
        while titles.count(title) > 1 and (not number or label in used):
            number += 1
            label = f"{title} {sign}{number}"
        labels.append(label)
        used.add(label)
    return tuple(labels)
