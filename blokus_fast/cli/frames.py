"""A game as one screen of text: the board, and to the right of it scores, moves and pieces.

Pure functions from a `Game` to lines. A terminal of 80 x 24 is enough for every shipped variant;
a larger one shows more. Knows nothing of terminals but their size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from rich.cells import cell_len

from blokus_fast.cli.columns import cut, padded, wrapped
from blokus_fast.cli.shapes import Drawn, draw_pieces
from blokus_fast.game import Game, Skip
from blokus_fast.moves import PIECES, Move, Pass
from blokus_fast.moves.actions import Pick
from blokus_fast.render import board_text, color_code, color_label

__all__ = ["SAID", "Look", "final_frame", "frame", "next_seat", "plain"]

_CODE: Final = re.compile(r"\x1b\[[\d;]*m")
_RESET: Final = "\x1b[0m"
_PALE: Final = "\x1b[38;5;244m"
_GAP: Final = 2
# A panel that is narrower says nothing.
_LEAST: Final = 28
SAID: Final = 2
"""Lines below the board for what is said; then comes the prompt."""
_MOST_MOVES: Final = 6


@dataclass(frozen=True, slots=True)
class Look:
    """What a terminal can show."""

    width: int
    height: int
    color: bool = False
    blocks: bool = False
    """Whether it has half blocks."""


def plain(text: str) -> str:
    """Return a text without the codes of a terminal."""
    return _CODE.sub("", text)


def frame(
    game: Game,
    look: Look,
    seat: tuple[int, int],
    *,
    asked: bool,
    said: str = "",
    marked: Sequence[int] = (),
) -> list[str] | None:
    """Compose the screen for a person, without the prompt.

    Parameters
    ----------
    game : Game
        The game.
    look : Look
        The terminal.
    seat : tuple of int
        The player, and the color, whose pieces are shown.
    asked : bool
        Whether it is that person's turn: the corner squares are marked then.
    said : str
        What to say below.
    marked : sequence of int
        Squares to mark with ``?``.

    Returns
    -------
    list of str
        At most one line less than the terminal has; None where it is too small.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.cli.frames import Look, frame
    >>> lines = frame(bf.Game("classic"), Look(80, 24), (0, 0), asked=True)
    >>> len(lines), lines[1][43:].strip()
    (23, '> blue   player 1       -89 21 left')
    """
    entries = _since(game, seat[0])
    moves = [entry.move for entry in entries if isinstance(entry.move, Move)]
    board = board_text(
        game.board, color=look.color, last=moves or None, hands=False, corners=asked,
        compact=True, marked=marked,
    )  # fmt: skip

    def panel(width: int, room: int) -> list[str]:
        scores = _scores(game, look, width)
        told = [_entry_line(game, look, entry, width) for entry in entries[-_MOST_MOVES:]]
        hand, heading = _hand(game, look, seat, asked, width)
        others = [] if game.variant.draft else _others(game, look, seat[1], width)
        return _stack(scores, told, hand, heading, others, look, width, room)

    return _beside(game, board, panel, look, said)


def final_frame(game: Game, look: Look, said: str) -> list[str] | None:
    """Compose the screen for the end of a game: places, scores, and what is left.

    Returns
    -------
    list of str
        Lines, as of `frame`; None where the terminal is too small.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.cli.frames import Look, final_frame
    >>> lines = final_frame(bf.Game("duo", names=["Ann", "Bob"]), Look(80, 24), "stopped")
    >>> lines[1][30:].split(), lines[-2:]
    (['1.', 'Ann', '-89'], ['stopped', ''])
    """
    board = board_text(game.board, color=look.color, hands=False, compact=True)

    def panel(width: int, room: int) -> list[str]:
        lines = [""]
        for player in sorted(range(len(game.names)), key=lambda player: game.ranking[player]):
            name = padded(cut(game.names[player], width - 10), width - 10)
            lines.append(f"{game.ranking[player]}. {name} {game.scores[player]:5d}")
        lines.append("")
        if game.variant.draft:
            for player, name in enumerate(game.names):
                lines += _wrapped(f"{name}: {_draft_names(game, player)}", width)
        else:
            lines += _others(game, look, None, width)
        return lines[:room]

    return _beside(game, board, panel, look, said)


def next_seat(game: Game, people: Collection[int]) -> tuple[int, int]:
    """Return the person who is asked next, and for which color.

    Parameters
    ----------
    game : Game
        The game.
    people : collection of int
        The players who are people.

    Returns
    -------
    tuple of int
        Player and color.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.cli.frames import next_seat
    >>> next_seat(bf.Game("classic-2p"), {1}), next_seat(bf.Game("draft"), {2})
    ((1, 1), (2, 0))
    """
    board, variant = game.board, game.variant
    player, color = board.player, max(board.turn, 0)
    if not people or player in people:
        return player, color
    if variant.draft:
        count = len(game.names)
        return next(
            ((player + step) % count, color)
            for step in range(count)
            if (player + step) % count in people
        )
    begin = variant.order.index(color)
    for number in (*variant.order[begin:], *variant.order[:begin]):
        owner = variant.owners[number]
        if owner is not None and owner in people:
            return owner, number
    return player, color


# Board and panel side by side.


def _beside(
    game: Game,
    board: str,
    panel: Callable[[int, int], list[str]],
    look: Look,
    said: str,
) -> list[str] | None:
    left = board.split("\n")
    wide = max(cell_len(plain(line)) for line in left)
    width, room = look.width - wide - _GAP, look.height - SAID - 1
    if width < _LEAST or room < len(left):
        return None
    right = panel(width, room)
    lines = []
    for number in range(max(len(left), len(right))):
        own = left[number] if number < len(left) else ""
        other = right[number] if number < len(right) else ""
        blank = " " * (wide + _GAP - cell_len(plain(own))) if other else ""
        lines.append(f"{own}{blank}{other}")
    below = _wrapped(said, look.width)[:SAID]
    return lines + below + [""] * (SAID - len(below))


def _stack(
    scores: list[str],
    told: list[str],
    hand: list[Drawn],
    heading: str,
    others: list[str],
    look: Look,
    width: int,
    room: int,
) -> list[str]:
    """Put the parts of the panel above each other, with as much air as there is room for."""
    names = _wrapped(_names(one.name for one in hand) or "all placed", width)
    spaced, tight = (
        draw_pieces(hand, width, blocks=look.blocks, spaced=spaced) or names
        for spaced in (True, False)
    )
    top = ["", *scores]
    for pieces, title, air in product((spaced, tight, names), ([heading], []), ([""], [])):
        if pieces is not spaced and title and not air:
            continue
        lines = [*(top if air else scores), *(air if told else []), *told, *air, *title, *pieces]
        if len(lines) <= room:
            if others and len(lines) + len(others) + 1 <= room:
                lines += ["", *others]
            return lines
    return [*scores, *told, *names][:room]


# Scores.


def _scores(game: Game, look: Look, width: int) -> list[str]:
    board, variant = game.board, game.variant
    lines = []
    if variant.draft:
        names = width - 19
        for player, name in enumerate(game.names):
            count = len(_draft_hand(game, player))
            word = "picked" if board.is_drafting else "left"
            lines.append(
                f"{'>' if player == board.player else ' '} {padded(cut(name, names), names)} "
                f"{game.scores[player]:5d} {count:2d} {word}"
            )
        return lines
    wide = max(map(len, variant.color_names))
    names = width - wide - 17
    for color in variant.order:
        owner = variant.owners[color]
        name = "shared" if owner is None else game.names[owner]
        lines.append(
            f"{'>' if color == board.turn else ' '} "
            f"{color_label(variant, color, look.color, wide)} {padded(cut(name, names), names)} "
            f"{game.color_scores[color]:4d} {len(board.pieces_left(color)):2d} left"
        )
    if any(count > 1 for count in Counter(variant.owners).values()):
        totals = zip(game.names, game.scores, strict=True)
        text = "  " + ", ".join(f"{name} {score}" for name, score in totals)
        lines.append(cut(text, width))
    return lines


# Moves.


@dataclass(frozen=True, slots=True)
class _Entry:
    """What has happened: a move, or a turn that was skipped."""

    number: int
    player: int | None
    move: Move | Skip = field(repr=False)


def _entries(game: Game) -> Iterator[_Entry]:
    number = 0
    for entry in game.history:
        if isinstance(entry, Skip):
            yield _Entry(number, entry.player, entry)
        else:
            yield _Entry(number + 1, game.movers[number], entry)
            number += 1


def _since(game: Game, player: int) -> list[_Entry]:
    """Return what has happened since a player's last move."""
    entries = list(_entries(game))
    last = [
        place
        for place, entry in enumerate(entries)
        if entry.player == player and not isinstance(entry.move, Skip)
    ]
    # With no move of others since, his own one is what there is to see.
    since = entries[last[-1] + 1 :] if last else entries
    return since or entries[-1:]


def _entry_line(game: Game, look: Look, entry: _Entry, width: int) -> str:
    variant, move = game.variant, entry.move
    name = "" if entry.player is None else game.names[entry.player]
    if isinstance(move, Skip):
        who = name if move.color is None else variant.color_names[move.color]
        return cut(f"    {who} cannot place", width)
    number = f"{entry.number:2d}. "
    color = move.color or 0
    label = color_label(variant, color, look.color)
    what = f" {move.piece}"
    if isinstance(move, Pick):
        what += f" for {name}"
    elif isinstance(move, Pass):
        what = " passes"
    elif variant.draft:
        what += f" of {name}"
    used = len(number) + cell_len(variant.color_names[color])
    if not isinstance(move, Pick | Pass) and not variant.draft:
        squares = f"{what} {move.text}"
        # They are on the board as well.
        what = squares if used + cell_len(squares) <= width else what
    return f"{number}{label}{cut(what, width - used)}"


# Pieces.


def _hand(
    game: Game, look: Look, seat: tuple[int, int], asked: bool, width: int
) -> tuple[list[Drawn], str]:
    """Return the pieces of a seat as they are drawn, and what is above them."""
    board, variant = game.board, game.variant
    player, color = seat
    playable = {
        ((move.color or 0) if variant.draft else color, move.piece)
        for move in map(board.move, board.legal_ids().tolist())
        if asked or board.is_drafting
    }
    if board.is_drafting:
        hand = sorted(playable, key=lambda one: PIECES.index(one[1]))
        heading = f"{variant.color_names[max(board.turn, 0)]}, to pick:"
    elif variant.draft:
        hand = _draft_hand(game, player)
        heading = f"{cut(game.names[player], width - 25)}:"
    else:
        hand = [(color, piece) for piece in board.pieces_left(color)]
        heading = f"{variant.color_names[color]}:"
    if asked and not board.is_drafting and hand:
        fits = sum(one in playable for one in hand)
        heading += f" {fits} of {len(hand)} can be placed"
    mixed = variant.draft and not board.is_drafting and not look.color
    drawn = []
    for own, piece in hand:
        name = f"{variant.color_names[own][0]}{piece}" if mixed else piece
        if not look.color:
            drawn.append(Drawn(name, piece))
            continue
        pale = asked and (own, piece) not in playable
        shape = _painter(color_code(variant, None if pale else own))
        drawn.append(Drawn(name, piece, shape, _painter(_PALE) if pale else str))
    return drawn, cut(heading, width)


def _draft_hand(game: Game, player: int) -> list[tuple[int, str]]:
    """Return the colors and pieces that a player of Draft has."""
    board = game.board
    return [
        (color, piece) for color in game.variant.order for piece in board.pieces_left(color, player)
    ]


def _draft_names(game: Game, player: int) -> str:
    """List by name what a player of Draft has."""
    names = game.variant.color_names
    hands = ((color, game.board.pieces_left(color, player)) for color in game.variant.order)
    parts = [f"{names[color]} {_names(hand)}" for color, hand in hands if hand]
    nothing = "nothing yet" if game.board.is_drafting else "all placed"
    return ", ".join(parts) or nothing


def _painter(code: str) -> Callable[[str], str]:
    return lambda text: f"{code}{text}{_RESET}"


def _others(game: Game, look: Look, own: int | None, width: int) -> list[str]:
    """List by name what the other colors have left."""
    board, variant = game.board, game.variant
    wide = max(map(len, variant.color_names))
    lines = []
    for color in variant.order:
        if color == own:
            continue
        text = _names(board.pieces_left(color)) or "all placed"
        first, *rest = _wrapped(text, width - wide - 1)
        lines.append(f"{color_label(variant, color, look.color, wide)} {first}")
        lines += [f"{' ' * wide} {line}" for line in rest]
    return lines


# Words.


def _names(pieces: Iterator[str] | Sequence[str]) -> str:
    counts = Counter(pieces)
    return " ".join(name if count == 1 else f"{count}x{name}" for name, count in counts.items())


def _wrapped(text: str, width: int) -> list[str]:
    return wrapped(text, max(width, 10))
