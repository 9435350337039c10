"""A bot as a GTP engine: `Session` answers commands, `serve` connects it to streams.

Speaks as Pentobi's engine does, so that Pentobi's controller can pair the two. Whatever comes in,
an answer goes out and the session goes on; only ``quit`` and the end of the input end it. What is
about time and search is in `thinking`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import BinaryIO, Final, SupportsIndex, TextIO

from blokus_fast._core import Board
from blokus_fast.bots import AnyBot, Clock, make
from blokus_fast.checking import expect
from blokus_fast.errors import IllegalMoveError, InvalidMoveError
from blokus_fast.gtp.dialect import find_game, played_variant, points, side_number
from blokus_fast.gtp.protocol import Command, parse_command, response
from blokus_fast.gtp.thinking import Thinker
from blokus_fast.moves import PASS_TEXT
from blokus_fast.moves.actions import resolve
from blokus_fast.records import Record, read, write
from blokus_fast.render import board_text
from blokus_fast.scoring import ranking
from blokus_fast.variants import variant as find_variant
from blokus_fast.words import counted

__all__ = ["LONGEST_LINE", "Session", "serve"]

LONGEST_LINE: Final = 65536
"""Bytes of a command line; a longer one is refused."""

_MOST_WARNINGS: Final = 10

# Pentobi's basic parameters, and the only value that they have here.
_PARAMETERS: Final = {"accept_illegal": "0", "resign": "0"}


class Session:
    r"""A bot with a board, who answers commands.

    Parameters
    ----------
    bot : str, Bot or ThinkingBot
        A name for `bots.make`, or a bot.
    variant : str
        Name of the variant to begin with. The start rule is ``assigned`` where the variant's
        own is ``any``, since that is what Pentobi plays.
    seed : int, optional
        Seed of the bot's random numbers. Default: by chance.
    clock : Clock, optional
        What a player has for a game, unless ``time_settings`` says something else. Default: no
        limit.
    log : text stream, optional
        Where a bot that searches reports how it stands. Default: nowhere.
    name : str, optional
        What is answered to ``name``. Default: this package and the name of the bot.

    Attributes
    ----------
    board : Board
        The position.
    thinker : Thinker
        The bot with its clocks.
    finished : bool
        Whether ``quit`` was said.

    Raises
    ------
    ValueError
        A name is unknown.

    Examples
    --------
    >>> from blokus_fast.gtp import Session
    >>> session = Session("greedy", "duo", seed=1)
    >>> session.answer("1 play b e8,d9,e9,f9,e10")
    '=1 \n\n'
    >>> session.answer("play x j5")
    "? invalid color argument 'x'; valid: b, w, purple, orange\n\n"
    >>> session.answer("# a comment")
    ''
    """

    def __init__(
        self,
        bot: str | AnyBot = "greedy",
        variant: str = "classic",
        *,
        seed: SupportsIndex | None = None,
        clock: Clock | None = None,
        log: TextIO | None = None,
        name: str | None = None,
    ) -> None:
        self.board = Board(played_variant(find_variant(variant).name))
        made: AnyBot = make(bot, seed=seed) if isinstance(bot, str) else bot
        self._bot_name = bot if isinstance(bot, str) else None
        self._own_name = name
        self.thinker = Thinker(made, self.board.variant, clock=clock, log=log)
        self.finished = False
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "all_legal": self._all_legal,
            "clear_board": self._clear_board,
            "cputime": self._cputime,
            "final_score": self._final_score,
            "g": self._g,
            "genmove": self._genmove,
            "get_place": self._get_place,
            "get_value": self._get_value,
            "known_command": self._known_command,
            "list_commands": self._list_commands,
            "loadsgf": self._loadsgf,
            "move_values": self._move_values,
            "name": self._name,
            "p": self._p,
            "param": self._param,
            "param_base": self._param_base,
            "play": self._play,
            "protocol_version": self._protocol_version,
            "quit": self._quit,
            "reg_genmove": self._reg_genmove,
            "savesgf": self._savesgf,
            "set_game": self._set_game,
            "set_random_seed": self._set_random_seed,
            "showboard": self._showboard,
            "time_left": self._time_left,
            "time_settings": self._time_settings,
            "undo": self._undo,
            "version": self._version,
        }

    def __repr__(self) -> str:
        """Show the bot and the position."""
        return f"<Session of {self.thinker.player.name}: {self.board!r}>"

    @property
    def bot(self) -> AnyBot:
        """The bot. Another one takes over the game, and its predecessor is closed."""
        return self.thinker.player.bot

    @bot.setter
    def bot(self, bot: AnyBot) -> None:
        self.thinker.replace(bot, self.board.variant)
        self._bot_name = None

    def answer(self, line: str) -> str:
        r"""Answer a line.

        Parameters
        ----------
        line : str
            The line, with or without its end.

        Returns
        -------
        str
            The whole answer with the empty line behind it; nothing for a line without a command.

        Examples
        --------
        >>> from blokus_fast.gtp import Session
        >>> Session().answer("play"), Session().answer("dance")
        ('? missing argument 1\n\n', '? unknown command (dance)\n\n')
        """
        expect(line, str, "line")
        command = parse_command(line)
        if command is None:
            return ""
        try:
            text, ok = self._carry_out(command), True
        except (ValueError, OSError) as error:
            text, ok = _message(error), False
        except Exception as error:
            # A bot of somebody's own may fail in any way; the controller wants an answer.
            text, ok = f"{type(error).__name__}: {_message(error)}", False
        return response(text, id=command.id, ok=ok)

    def _carry_out(self, command: Command) -> str:
        work = self._commands.get(command.name)
        if not command.name:
            raise ValueError("there is no command behind the number")
        if work is None:
            raise ValueError(f"unknown command ({command.name[:60]})")
        return work(command.words())

    # Commands about the engine.

    def _name(self, words: list[str]) -> str:
        _count(words, 0)
        return self._own_name or f"blokus-fast {self.thinker.player.name}"

    def _version(self, words: list[str]) -> str:
        _count(words, 0)
        import blokus_fast

        return str(blokus_fast.__version__)

    def _protocol_version(self, words: list[str]) -> str:
        _count(words, 0)
        return "2"

    def _list_commands(self, words: list[str]) -> str:
        _count(words, 0)
        return "\n".join(self._commands)

    def _known_command(self, words: list[str]) -> str:
        _count(words, 1)
        return "true" if words[0] in self._commands else "false"

    def _quit(self, words: list[str]) -> str:
        _count(words, 0)
        self.finished = True
        return ""

    def _cputime(self, words: list[str]) -> str:
        _count(words, 0)
        return f"{time.process_time():.3f}"

    def _set_random_seed(self, words: list[str]) -> str:
        _count(words, 1)
        try:
            seed = int(words[0])
        except ValueError:
            raise ValueError(f"{words[0][:60]!r} is not a seed") from None
        if self._bot_name is None:
            raise ValueError("this bot takes no seed")
        self.thinker.replace(make(self._bot_name, seed=seed), self.board.variant)
        return ""

    def _param(self, words: list[str]) -> str:
        _count(words, 0, 2)
        known = self.thinker.parameters()
        if not words:
            return "\n".join(f"{key} {value}" for key, value in known.items())
        if words[0] in known and len(words) < 2:
            raise ValueError("missing argument 2")
        self.thinker.set_parameter(words[0], words[-1])
        return ""

    def _param_base(self, words: list[str]) -> str:
        _count(words, 0, 2)
        if not words:
            return "\n".join(f"{key} {value}" for key, value in _PARAMETERS.items())
        if len(words) < 2:
            raise ValueError("missing argument 2")
        key, value = words
        if key not in _PARAMETERS:
            raise ValueError(f"unknown parameter {key[:60]!r}; valid: {', '.join(_PARAMETERS)}")
        # It never resigns, so permission to do so changes nothing.
        if value != _PARAMETERS[key] and (key, value) != ("resign", "1"):
            raise ValueError(f"{key} can only be {_PARAMETERS[key]}")
        return ""

    # Commands about the game.

    def _set_game(self, words: list[str]) -> str:
        if not words:
            raise ValueError("missing argument 1")
        return self._begin(Board(find_game(" ".join(words))))

    def _begin(self, board: Board) -> str:
        """Begin a game with a position; if the bot cannot play it, all stays as it was."""
        self.thinker.start(board.variant)
        self.board = board
        return ""

    def _clear_board(self, words: list[str]) -> str:
        _count(words, 0)
        return self._begin(Board(self.board.variant))

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise ValueError(f"missing argument {len(words) + 1}")
        return self._place(side_number(words[0], self.board.variant), " ".join(words[1:]))

    def _p(self, words: list[str]) -> str:
        if not words:
            raise ValueError("missing argument 1")
        if self.board.is_game_over:
            raise ValueError("the game is over")
        return self._place(self._side(), " ".join(words))

    def _place(self, side: int, text: str) -> str:
        board = self.board
        if text.strip().lower() == PASS_TEXT and not self._may_place(side):
            # Some controllers tell a skip. The rules have seen to it already.
            return ""
        self._check_turn(side)
        try:
            board.push(resolve(board, text))
        except InvalidMoveError as error:
            raise ValueError(f"invalid move: {error}") from None
        except IllegalMoveError as error:
            raise ValueError(f"illegal move: {error}") from None
        return ""

    def _genmove(self, words: list[str]) -> str:
        _count(words, 1)
        return self._generate(side_number(words[0], self.board.variant), play=True)

    def _reg_genmove(self, words: list[str]) -> str:
        _count(words, 1)
        return self._generate(side_number(words[0], self.board.variant), play=False)

    def _g(self, words: list[str]) -> str:
        _count(words, 0)
        return PASS_TEXT if self.board.is_game_over else self._generate(self._side(), play=True)

    def _generate(self, side: int, *, play: bool) -> str:
        if not self._may_place(side):
            return PASS_TEXT
        self._check_turn(side)
        # A move that is only asked for costs nothing.
        move = self.thinker.choose(self.board, timed=play)
        reason = self.board.why_illegal(move)
        if reason is not None:
            raise ValueError(f"{self.thinker.player.name} chose the illegal move {move}: {reason}")
        text = self.board.move_text(move)
        if play:
            self.board.push(move)
        return text

    def _side(self) -> int:
        """Whose turn it is: the color, in Draft the player."""
        return self.board.player if self.board.variant.draft else self.board.turn

    def _may_place(self, side: int) -> bool:
        """Whether a color (in Draft: a player) can place anything now or when its turn comes."""
        board = self.board
        if board.is_game_over:
            return False
        if board.variant.draft:
            # A player who cannot place now may be able to later; only his turn tells.
            return side == board.player
        return bool(board.any_legal(side))

    def _check_turn(self, side: int) -> None:
        board = self.board
        if board.is_game_over:
            raise ValueError("the game is over")
        if side == self._side():
            return
        if board.variant.draft:
            raise ValueError(f"it is player {board.player + 1}'s turn, not player {side + 1}'s")
        names = board.variant.color_names
        raise ValueError(f"it is {names[board.turn]}'s turn, not {names[side]}'s")

    # Commands about time and search.

    def _time_settings(self, words: list[str]) -> str:
        _count(words, 3)
        self.thinker.set_time(words)
        return ""

    def _time_left(self, words: list[str]) -> str:
        _count(words, 3)
        side = side_number(words[0], self.board.variant)
        owner = side if self.board.variant.draft else self.board.variant.owners[side]
        # A shared color is placed by the player whose turn it is.
        self.thinker.set_left(self.board.player if owner is None else owner, words[1], words[2])
        return ""

    def _get_value(self, words: list[str]) -> str:
        _count(words, 0)
        return self.thinker.value()

    def _move_values(self, words: list[str]) -> str:
        _count(words, 0)
        return self.thinker.move_values()

    def _undo(self, words: list[str]) -> str:
        _count(words, 0)
        if not self.board.move_stack:
            raise ValueError("cannot undo")
        self.board.pop()
        return ""

    def _all_legal(self, words: list[str]) -> str:
        _count(words, 1)
        board = self.board
        side = side_number(words[0], board.variant)
        if board.variant.draft:
            ids = board.legal_ids().tolist() if side == board.player else []
        else:
            ids = board.legal_ids(color=side).tolist()
        return "\n".join(board.move_text(number) for number in ids)

    def _showboard(self, words: list[str]) -> str:
        _count(words, 0)
        return "\n" + board_text(self.board)

    def _final_score(self, words: list[str]) -> str:
        _count(words, 0)
        return points(self.board)

    def _get_place(self, words: list[str]) -> str:
        _count(words, 1)
        board = self.board
        side = side_number(words[0], board.variant)
        player = side if board.variant.draft else board.variant.owners[side]
        if player is None:
            raise ValueError(f"{board.variant.color_names[side]} is shared, and has no place")
        lowest = board.variant.scoring_rule.lowest_wins
        places = ranking(board.player_scores(), lowest_wins=lowest)
        place = places[player]
        return f"{place} shared" if places.count(place) > 1 else str(place)

    # Files.

    def _savesgf(self, words: list[str]) -> str:
        _count(words, 1)
        write(Record.from_board(self.board), words[0])
        return ""

    def _loadsgf(self, words: list[str]) -> str:
        _count(words, 1, 2)
        node = (record := read(words[0])).end()
        if len(words) > 1:
            number = _move_number(words[1])
            moves = [node for node in record.main_line() if node.move is not None]
            if number > len(moves):
                raise ValueError(f"the main line has only {counted(len(moves), 'move')}")
            parent = moves[number - 1].parent
            node = record.root if parent is None else parent
        self._begin(node.board())
        # What was passed over is worth knowing.
        return "\n".join(f"warning: {warning}" for warning in record.warnings[:_MOST_WARNINGS])


def _move_number(text: str) -> int:
    number = int(text) if re.fullmatch("[0-9]{1,9}", text) else 0
    if number < 1:
        raise ValueError(f"{text[:60]!r} is not the number of a move, from 1")
    return number


def _count(words: list[str], least: int, most: int | None = None) -> None:
    """Check the number of arguments."""
    most = least if most is None else most
    if len(words) < least:
        raise ValueError(f"missing argument {len(words) + 1}")
    if len(words) > most:
        raise ValueError("too many arguments" if most else "no arguments allowed")


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        name = "" if error.filename is None else f": {error.filename!r}"
        return f"{error.strerror}{name}"
    return str(error) or type(error).__name__


def serve(session: Session, source: BinaryIO, sink: BinaryIO) -> None:
    r"""Answer the commands of a stream until ``quit`` or its end.

    Parameters
    ----------
    session : Session
        Who answers.
    source : binary stream
        Where the commands come from. They are read as UTF-8; a file's name keeps bytes that
        are not.
    sink : binary stream
        Where the answers go, each as soon as it is there.

    Examples
    --------
    >>> import io
    >>> from blokus_fast.gtp import Session, serve
    >>> sink = io.BytesIO()
    >>> serve(Session(), io.BytesIO(b"1 known_command genmove\r\nquit\nname\n"), sink)
    >>> sink.getvalue()
    b'=1 true\n\n= \n\n'
    """
    try:
        while not session.finished:
            line = source.readline(LONGEST_LINE)
            if not line:
                break
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(source)
                answer = response(f"the line is longer than {LONGEST_LINE} bytes", ok=False)
            else:
                answer = session.answer(line.decode("utf-8", "surrogateescape"))
            if answer:
                sink.write(answer.encode("utf-8", "surrogateescape"))
                sink.flush()
    except BrokenPipeError:
        # Nobody listens any more, which is as good as `quit`.
        pass
    finally:
        session.thinker.close()


def _skip_line(source: BinaryIO) -> None:
    while True:
        line = source.readline(LONGEST_LINE)
        if not line or line.endswith(b"\n"):
            return
