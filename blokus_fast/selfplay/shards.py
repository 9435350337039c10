"""Files and folders of self-play: written whole, looked at before they are believed.

Owns what a shard file says of itself, and which folder a run may use. What the columns are is in
`schema`.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from blokus_fast import __version__, files
from blokus_fast.search.weights import default_weights, load_weights
from blokus_fast.selfplay import schema
from blokus_fast.selfplay.playing import Game
from blokus_fast.selfplay.settings import Settings
from blokus_fast.variants import Variant
from blokus_fast.variants.text import parse_variant

__all__ = [
    "Description",
    "ShardError",
    "describe",
    "encode",
    "find_shards",
    "load_run",
    "look",
    "read_table",
    "shard_path",
    "take",
]

_KEY: Final = b"blokus_fast"
_FORMAT: Final = "blokus-fast selfplay"
_RUN_FORMAT: Final = "blokus-fast selfplay run"
_RUN: Final = "run.json"
_WEIGHTS: Final = "weights.json"
_NAME: Final = re.compile(r"shard-(\d{6,})\.parquet")
# Columns with few values, or long runs of one; elsewhere a dictionary costs more than it saves.
_REPEATED: Final = re.compile(
    r"game|seed|ply|turn|player|phase|round|finished|monomino_last|shared_player|simulations"
    r"|placed_.*|outcome_.*|score_.*"
)


class ShardError(ValueError):
    """A file or a folder of self-play is not what it should be."""


@dataclass(frozen=True)
class Description:
    """What a shard says of itself.

    Attributes
    ----------
    path : Path
        The file.
    variant : Variant
        The rules.
    settings : dict
        The settings of its run, as plain data, without the number of games.
    weights : dict or None
        Name and checksum of the weights that played; None where no search did.
    package : str
        The release that has played it.
    shard, n_games, n_positions : int
        Its number, games and positions.

    Examples
    --------
    >>> import tempfile
    >>> from blokus_fast.selfplay import Settings, read, run
    >>> settings = Settings("duo", "random", games=3, games_per_shard=2, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = run(settings, folder, workers=1)
    ...     shards = read(folder).shards
    >>> [(each.shard, each.n_games, each.weights) for each in shards]
    [(0, 2, None), (1, 1, None)]
    """

    path: Path
    variant: Variant
    settings: dict[str, Any]
    weights: dict[str, str] | None
    package: str
    shard: int
    n_games: int
    n_positions: int


def shard_path(folder: str | PathLike[str], shard: int) -> Path:
    """Return the path of a shard.

    Parameters
    ----------
    folder : str or path
        Folder of the run.
    shard : int
        Number of the shard.

    Returns
    -------
    Path
        Its file.

    Examples
    --------
    >>> from blokus_fast.selfplay.shards import shard_path
    >>> shard_path("games", 3).name
    'shard-000003.parquet'
    """
    return Path(folder) / f"shard-{shard:06d}.parquet"


def encode(settings: Settings, shard: int, games: Sequence[Game]) -> bytes:
    """Turn the games of a shard into its file: the same games, the same bytes.

    Parameters
    ----------
    settings : Settings
        Settings of the run.
    shard : int
        Number of the shard.
    games : sequence of Game
        Its games.

    Returns
    -------
    bytes
        The file.
    """
    rows = schema.table(settings.rules, games)
    weights = None
    if settings.is_search:
        used = settings.weights or default_weights(settings.rules)
        weights = {"name": used.name, "checksum": used.checksum}
    about = {
        "format": _FORMAT,
        "version": schema.VERSION,
        "package": __version__,
        **_shared(settings),
        "weights": weights,
        "shard": shard,
        "games": len(games),
        "positions": len(rows),
    }
    rows = rows.replace_schema_metadata(
        {_KEY: json.dumps(about, separators=(",", ":"), allow_nan=False)}
    )
    buffer = io.BytesIO()
    pq.write_table(
        rows,
        buffer,
        compression="zstd",
        compression_level=3,
        use_dictionary=[name for name in rows.column_names if _REPEATED.fullmatch(name)],
        write_page_checksum=True,
    )
    return buffer.getvalue()


def describe(path: str | PathLike[str]) -> Description:
    """Read what a shard says of itself, without its columns.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Description
        What it says.

    Raises
    ------
    ShardError
        It is damaged, no shard, or of another version.
    OSError
        It cannot be read.
    """
    place = Path(path)
    with _told(place), pq.ParquetFile(place) as file:
        return _description(place, file)


def read_table(path: str | PathLike[str], columns: Sequence[str] | None = None) -> pa.Table:
    """Read the columns of a shard, and see that they are as they were written.

    Parameters
    ----------
    path : str or path
        The file.
    columns : sequence of str, optional
        Which columns. Default: all.

    Returns
    -------
    pyarrow.Table
        The columns.

    Raises
    ------
    ShardError, OSError
        As for `describe`.
    """
    place = Path(path)
    with _told(place), pq.ParquetFile(place, page_checksum_verification=True) as file:
        about = _description(place, file)
        rows = file.read(columns=None if columns is None else list(columns))
        wanted = schema.schema(about.variant)
        for name in rows.column_names if columns is None else columns:
            if (
                name not in rows.column_names
                or rows.schema.field(name).type != wanted.field(name).type
            ):
                raise ShardError(f"{place}: the column {name} is missing or of another type")
        if len(rows) != about.n_positions:
            raise ShardError(
                f"{place}: it has {len(rows)} positions, and says that it has {about.n_positions}"
            )
        return rows


class _told:  # noqa: N801 - it reads as a function
    """Turn what Arrow raises about a file into `ShardError`; leave errors of the system alone."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        # Arrow does not tell a folder, or a file that is not there, from one that is damaged.
        with open(self.path, "rb"):
            pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, ShardError):
            return
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno):
            return
        if isinstance(error, Exception):
            first = (str(error) or type(error).__name__).splitlines()[0][:200]
            raise ShardError(f"{self.path}: damaged, or no file of self-play: {first}") from None


def _description(path: Path, file: pq.ParquetFile) -> Description:
    data = json.loads((file.metadata.metadata or {}).get(_KEY, b"null"))
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise ShardError(f"{path}: a Parquet file, but not one of self-play")
    if data["version"] != schema.VERSION:
        raise ShardError(
            f"{path}: of version {data['version']!r}; this release reads {schema.VERSION}"
        )
    return Description(
        path=path,
        variant=parse_variant(data["settings"]["variant"]),
        settings=data["settings"],
        weights=data["weights"],
        package=data["package"],
        shard=data["shard"],
        n_games=data["games"],
        n_positions=data["positions"],
    )


def find_shards(folder: str | PathLike[str]) -> list[Path]:
    """Return the shards in a folder in the order of their numbers.

    Parameters
    ----------
    folder : str or path
        The folder.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    OSError
        There is no such folder.
    """
    found = [path for path in Path(folder).iterdir() if _NAME.fullmatch(path.name)]
    return sorted(found, key=lambda path: (len(path.name), path.name))


def load_run(folder: str | PathLike[str]) -> Settings:
    """Read the settings of the run in a folder.

    Parameters
    ----------
    folder : str or path
        The folder.

    Returns
    -------
    Settings
        Its settings.

    Raises
    ------
    ShardError
        There is no run, or what is said about it is damaged.
    """
    place = Path(folder)
    try:
        data = json.loads((place / _RUN).read_text(encoding="utf-8"))
        if data["format"] != _RUN_FORMAT or data["version"] != schema.VERSION:
            raise ValueError(f"format {data['format']!r}, version {data['version']!r}")
        named = data["settings"]["weights"]
        weights = None if named is None else load_weights(place / _WEIGHTS)
        return Settings.from_json(data["settings"], weights)
    except FileNotFoundError as error:
        raise ShardError(f"{folder}: no run to resume: there is no {error.filename}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ShardError(f"{place / _RUN}: damaged, or of another release: {error}") from None


def look(
    folder: str | PathLike[str], settings: Settings | None, *, resume: bool = False
) -> tuple[Settings, list[Description]]:
    """See whether a run may use a folder, and change nothing.

    Parameters
    ----------
    folder : str or path
        The folder. For a new run it must be empty, or not be there.
    settings : Settings, optional
        Settings of the run. Default, where it goes on: as they are. More games may be asked for
        than before, if the last shard is full.
    resume : bool
        Whether to go on.

    Returns
    -------
    settings : Settings
        Those of the run.
    found : list of Description
        The shards that are there.

    Raises
    ------
    ShardError
        The folder is not empty, or it is of another run, or a shard in it is damaged.
    OSError
        The folder cannot be read.
    """
    place = Path(folder)
    if not resume:
        if settings is None:
            raise ValueError("a new run needs settings")
        _check_empty(place)
        return settings, []
    before = load_run(place)
    settings = before if settings is None else settings
    other = settings.with_games(before.games).differences(before)
    if other:
        raise ShardError(f"{folder} is of a run with other settings: {'; '.join(other)}")
    if settings.games < before.games:
        raise ShardError(f"{folder} is of a run of {before.games} games: they cannot become fewer")
    if settings.games > before.games and before.games % before.games_per_shard:
        raise ShardError(
            f"{folder} is of a run of {before.games} games, and its last shard, with fewer than "
            f"{before.games_per_shard}, cannot get more: begin another run with another seed"
        )
    found = [describe(path) for path in find_shards(place)]
    for each in found:
        _check_shard(each, settings)
    return settings, found


def take(folder: str | PathLike[str], settings: Settings) -> None:
    """Take a folder for a run, after a look at it: make it, and note the settings.

    Parameters
    ----------
    folder : str or path
        The folder.
    settings : Settings
        Settings of the run.

    Raises
    ------
    OSError
        It cannot be made or written.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files.remove_leftovers(place)
    if not (place / _RUN).exists() or load_run(place) != settings:
        _write_run(place, settings)


def _check_empty(place: Path) -> None:
    """See that there is nothing that a new run would be mixed with."""
    if not place.exists():
        return
    if (place / _RUN).exists():
        raise ShardError(f"{place} holds a run: resume it, or choose another folder")
    there = [path.name for path in place.iterdir() if not path.name.startswith(files.PREFIX)]
    if there:
        raise ShardError(f"{place} is not empty, it has {min(there)}: choose another folder")


def _check_shard(found: Description, settings: Settings) -> None:
    """See that a shard is what the run would write in its place."""
    expected = _shared(settings)["settings"]
    games = len(settings.games_of(found.shard)) if found.shard < settings.n_shards else 0
    if (
        found.path.name != shard_path("", found.shard).name
        or found.settings != expected
        or found.n_games != games
    ):
        raise ShardError(f"{found.path} is of another run: take it away")


def _shared(settings: Settings) -> dict[str, Any]:
    """Return the settings that all shards of a run share, however many there are."""
    data = json.loads(json.dumps(settings.to_json(), allow_nan=False))
    del data["games"]
    return {"settings": data}


def _write_run(place: Path, settings: Settings) -> None:
    if settings.weights is not None:
        settings.weights.save(place / _WEIGHTS)
    data = {
        "format": _RUN_FORMAT,
        "version": schema.VERSION,
        "package": __version__,
        "settings": settings.to_json(),
    }
    files.write_file(place / _RUN, (json.dumps(data, indent=2, allow_nan=False) + "\n").encode())
