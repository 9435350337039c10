"""Reading shards: what was played comes back, in any order, under symmetries that fit."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.variants import Variant

pytest.importorskip("pyarrow", reason="shards are the extra `selfplay`")

import pyarrow.parquet as pq

from blokus_fast.selfplay import Positions, Settings, ShardError, read, shards
from blokus_fast.selfplay.playing import Game, GamePlayer
from blokus_fast.selfplay.positions import concatenate
from blokus_fast.selfplay.reading import load

VARIANTS = tuple(bf.VARIANTS)
ARRAYS = [
    field.name
    for field in fields(Positions)
    if field.name != "variant" and not field.name.startswith("_")
]


def play(folder: Path, settings: Settings) -> list[Game]:
    """Fill a folder with a run, and return its games."""
    player, games = GamePlayer(settings), []
    shards.take(folder, settings)
    for k in range(settings.n_shards):
        part = [player.play(number) for number in settings.games_of(k)]
        shards.shard_path(folder, k).write_bytes(shards.encode(settings, k, part))
        games += part
    return games


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "duo"
    play(path, Settings("duo", "mcts:sims=10", games=11, games_per_shard=3, seed=1))
    return path


def equal(one: Positions, other: Positions) -> bool:
    return one.boards == other.boards and all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name == "values")
        for name in ARRAYS
    )


def keys(batches: Sequence[Positions]) -> list[tuple[int, int]]:
    """Say which positions there are, by game and ply."""
    return [
        pair
        for batch in batches
        for pair in zip(batch.games.tolist(), batch.ply.tolist(), strict=True)
    ]


def check_types(batch: Positions) -> None:
    n, players = len(batch), batch.variant.players
    expected: dict[str, tuple[type, tuple[int, ...]]] = {
        "games": (np.int64, (n,)), "seeds": (np.uint64, (n,)), "ply": (np.int32, (n,)),
        "turn": (np.int32, (n,)), "player": (np.int32, (n,)), "random": (np.bool_, (n,)),
        "move": (np.int32, (n,)), "best": (np.int32, (n,)), "offsets": (np.int64, (n + 1,)),
        "actions": (np.int32, (batch.offsets[-1],)), "visits": (np.uint32, (batch.offsets[-1],)),
        "simulations": (np.int32, (n,)), "solved": (np.bool_, (n,)),
        "values": (np.float32, (n, players)), "outcomes": (np.float32, (n, players)),
        "scores": (np.int32, (n, players)),
    }  # fmt: skip
    assert set(expected) == set(ARRAYS)
    for name, (kind, shape) in expected.items():
        array = getattr(batch, name)
        assert (array.dtype, array.shape) == (np.dtype(kind), shape), name
    assert batch.offsets[0] == 0
    assert len(batch.boards) == n


# -- what was played ---------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("bot", ["mcts:sims=8", "greedy"])
def test_what_is_read_is_what_was_played(tmp_path: Path, variant: str, bot: str) -> None:
    """Every game played again, and compared with every row."""
    settings = Settings(variant, bot, games=3, games_per_shard=2, seed=3)
    games = play(tmp_path, settings)
    reader = read(tmp_path, 17)
    assert reader.variant == settings.rules
    assert (reader.n_games, reader.n_positions) == (3, sum(len(game.moves) for game in games))
    batches = list(reader)
    assert [len(batch) for batch in batches[:-1]] == [17] * (len(batches) - 1)
    assert sum(map(len, batches)) == reader.n_positions
    rows = ((batch, i) for batch in batches for i in range(len(batch)))
    for batch in batches:
        check_types(batch)
    for game in games:
        board = bf.Board(settings.rules)
        for ply, (move, found) in enumerate(zip(game.moves, game.found, strict=True)):
            batch, i = next(rows)
            assert batch.boards[i] == board
            assert (batch.games[i], batch.seeds[i], batch.ply[i]) == (game.number, game.seed, ply)
            assert (batch.turn[i], batch.player[i]) == (board.turn, board.player)
            assert (batch.move[i], batch.best[i]) == (move, found.best)
            assert batch.random[i] == (ply < game.n_random)
            part = slice(batch.offsets[i], batch.offsets[i + 1])
            actions = [] if found.actions is None else found.actions.tolist()
            visits = [] if found.visits is None else found.visits.tolist()
            assert batch.actions[part].tolist() == actions
            assert batch.visits[part].tolist() == visits
            assert (batch.simulations[i], batch.solved[i]) == (found.simulations, found.solved)
            if found.value is None:
                assert np.isnan(batch.values[i]).all()
            else:
                assert np.array_equal(batch.values[i], found.value)
            assert batch.scores[i].tolist() == list(game.scores)
            board.push(move)
        assert batch.outcomes[i].sum() == pytest.approx(1)


def test_the_size_of_batches_changes_nothing(folder: Path) -> None:
    whole = concatenate([load(path) for path in shards.find_shards(folder)])
    for size in (1, 7, 64, 100, 10**6):
        batches = list(read(folder, size))
        assert equal(concatenate(batches), whole)
        assert max(map(len, batches)) <= size


def test_a_reader_can_be_used_again(folder: Path) -> None:
    reader = read(folder, 50, shuffle=3)
    first, second = list(reader), list(reader)
    assert all(equal(one, other) for one, other in zip(first, second, strict=True))
    assert repr(reader).startswith("<Reader of duo: ")
    assert repr(first[0]) == "<Positions: 50 of duo>"


def test_files_and_folders_may_be_mixed(folder: Path, tmp_path: Path) -> None:
    play(tmp_path, Settings("duo", "greedy", games=2, seed=8))
    files = shards.find_shards(folder)
    reader = read([files[0], tmp_path, str(files[2])], 10**6)
    assert reader.n_games == 8
    (batch,) = reader
    assert len(batch) == reader.n_positions
    assert len(np.unique(batch.seeds)) == 8
    play(tmp_path / "junior", Settings("junior", "greedy", games=1))
    with pytest.raises(ShardError, match=r"is of junior, with its rules, and .* of duo"):
        read([folder, tmp_path / "junior"])


def test_shuffled_batches_have_the_same_rows_in_another_order(folder: Path) -> None:
    plain = list(read(folder, 40))
    for mixed in (1, 2, 99):
        one = list(read(folder, 40, shuffle=1, mixed=mixed))
        other = list(read(folder, 40, shuffle=2, mixed=mixed))
        assert sorted(keys(one)) == sorted(keys(plain))
        assert keys(one) != keys(other)
        assert keys(one) != keys(plain)
        assert [len(batch) for batch in one] == [len(batch) for batch in plain]
    # Each row is still what it was.
    whole = concatenate(plain)
    place = {key: i for i, key in enumerate(keys([whole]))}
    for batch in one:
        assert equal(batch, whole.take([place[key] for key in keys([batch])]))
    # With all shards together no two neighbors need be of one game.
    games = np.concatenate([batch.games for batch in one])
    assert (games[1:] == games[:-1]).mean() < 0.3


def test_random_moves_can_be_left_out(folder: Path) -> None:
    whole = concatenate(list(read(folder)))
    assert whole.random.any()
    searched = concatenate(list(read(folder, 33, searched=True)))
    assert equal(searched, whole.take(~whole.random))
    assert (searched.best >= 0).all()


def test_readers_leave_no_threads_behind(folder: Path) -> None:
    batches = iter(read(folder, 10))
    assert len(next(batches)) == 10
    batches.close()
    assert not [each for each in threading.enumerate() if "blokus-fast" in each.name]


# -- policies ----------------------------------------------------------------------------------


def test_policies_add_up_to_one_where_somebody_was_asked(folder: Path) -> None:
    (batch,) = read(folder, 10**6)
    sums = [batch.policy[batch.offsets[i] : batch.offsets[i + 1]].sum() for i in range(len(batch))]
    assert np.allclose(sums, np.where(batch.random, 0, 1), atol=1e-6)
    dense = batch.dense_policy()
    assert dense.shape == (len(batch), 13729)
    assert np.allclose(dense.sum(axis=1), np.where(batch.random, 0, 1), atol=1e-6)
    mask = batch.boards.legal_mask()
    assert not dense[~mask].any()
    assert not batch.take([]).dense_policy().size


def test_a_bot_without_visits_teaches_its_moves(tmp_path: Path) -> None:
    play(tmp_path, Settings("duo", "greedy", games=2, seed=1))
    (batch,) = read(tmp_path, 10**6)
    assert len(batch.actions) == len(batch.policy) == 0
    dense = batch.dense_policy()
    asked = np.flatnonzero(~batch.random)
    assert (dense[asked, batch.move[asked]] == 1).all()
    assert dense.sum() == len(asked)


# -- rows --------------------------------------------------------------------------------------


def test_rows_can_be_taken_in_any_way(folder: Path) -> None:
    (whole,) = read(folder, 10**6)
    n = len(whole)
    for rows in (slice(3, 9), slice(-5, None), slice(9, 3), slice(None)):
        assert equal(whole.take(rows), whole.take(np.arange(n)[rows]))
    odd = np.arange(n) % 2 == 1
    assert equal(whole.take(odd), whole.take(np.flatnonzero(odd)))
    twice = whole.take([4, 4, 2])
    assert keys([twice]) == [keys([whole])[i] for i in (4, 4, 2)]
    assert twice.boards == whole.boards.take([4, 4, 2])
    assert len(whole.take([])) == 0
    with pytest.raises(ValueError, match="a slice of positions has a step of 1, not 2"):
        whole.take(slice(0, 9, 2))
    with pytest.raises(IndexError):
        whole.take([n])


# -- symmetries --------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_images_are_positions_of_the_same_rules(tmp_path: Path, variant: str) -> None:
    """Moves are legal in them, and lead to the images of the next positions."""
    play(tmp_path, Settings(variant, "mcts:sims=8", games=2, seed=5))
    (plain,) = read(tmp_path, 10**6)
    group = bf.symmetries(variant)
    drafting = np.array([plain.boards[i].is_drafting for i in range(len(plain))])
    plain = plain.take(~drafting)
    n = len(plain)
    for which in range(len(group)):
        image = plain.mapped(which)
        check_types(image)
        assert image.boards == group.apply(plain.boards, which)
        mask = image.boards.legal_mask()
        assert mask[np.arange(n), image.move].all()
        assert mask[np.repeat(np.arange(n), np.diff(image.offsets)), image.actions].all()
        assert image.turn.tolist() == image.boards.turn.tolist()
        assert image.player.tolist() == image.boards.player.tolist()
        # Who was to move has the same to hope for, and what he gets.
        rows = np.arange(n)
        for name in ("values", "outcomes", "scores"):
            assert np.array_equal(
                getattr(image, name)[rows, image.player],
                getattr(plain, name)[rows, plain.player],
                equal_nan=name == "values",
            )
        after, expected = image.boards.copy(), plain.boards.copy()
        after.step(image.move)
        expected.step(plain.move)
        assert after == group.apply(expected, which)
        # And back again.
        back = group.map_actions(image.best, np.full(n, group.inverse(which)))
        assert back.tolist() == plain.best.tolist()
        assert (image.best[plain.random] == -1).all()


def test_the_scores_of_the_end_belong_to_who_won_in_the_image(folder: Path) -> None:
    """Seen from the board itself: the last move of a game, made in the image."""
    (plain,) = read(folder, 10**6)
    last = np.flatnonzero(np.diff(plain.games, append=-1) != 0)
    for which in range(len(bf.symmetries("duo"))):
        image = plain.mapped(which).take(last)
        boards = image.boards
        boards.step(image.move)
        assert boards.done.all()
        assert np.array_equal(boards.scores(), image.scores)
        assert np.array_equal(boards.rewards("win"), image.outcomes)


def test_random_symmetries_are_all_of_them_and_follow_from_the_seed(folder: Path) -> None:
    plain = concatenate(list(read(folder, 64, shuffle=4)))
    batches = list(read(folder, 64, shuffle=4, symmetries="random"))
    again = list(read(folder, 64, shuffle=4, symmetries="random"))
    assert all(equal(one, other) for one, other in zip(batches, again, strict=True))
    group = bf.symmetries("duo")
    used: set[int] = set()
    begin = 0
    for batch in batches:
        part = plain.take(slice(begin, begin + len(batch)))
        begin += len(batch)
        which = batch._which
        assert which is not None
        used |= set(which.tolist())
        assert equal(batch, part.mapped(which))
    assert used == set(range(len(group)))
    fixed = concatenate(list(read(folder, 10**6)))
    assert equal(next(iter(read(folder, 10**6, symmetries=3))), fixed.mapped(3))


def test_picks_in_draft_stay_as_they_are(tmp_path: Path) -> None:
    play(tmp_path, Settings("draft-2p", "random", games=2, seed=1))
    (batch,) = read(tmp_path, 10**6, symmetries="random")
    drafting = np.array([batch.boards[i].is_drafting for i in range(len(batch))])
    assert drafting.any()
    assert batch._which is not None
    assert not batch._which[drafting].any()
    assert batch._which[~drafting].any()
    mask = batch.boards.legal_mask()
    assert mask[np.arange(len(batch)), batch.move].all()


def test_variants_of_ones_own_come_back(tmp_path: Path) -> None:
    tiny = Variant("tiny", 5, ["red", "blue"], [["a1"], ["e5"]], start="assigned")
    play(tmp_path, Settings(tiny, "mcts:sims=5", games=4, seed=1))
    reader = read(tmp_path, 8, symmetries="random", shuffle=0)
    assert reader.variant == tiny
    for batch in reader:
        assert batch.boards.legal_mask()[np.arange(len(batch)), batch.move].all()


# -- bad arguments -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"batch_size": 0}, ValueError, "batch_size must be 1 or more, not 0"),
        ({"batch_size": 1.5}, TypeError, "float"),
        ({"mixed": 0}, ValueError, "mixed must be 1 or more, not 0"),
        ({"shuffle": -1}, ValueError, "shuffle must be 0 or more, not -1"),
        ({"shuffle": "yes"}, TypeError, "str"),
        ({"symmetries": "all"}, ValueError, "symmetries must be 'random' or a number, not 'all'"),
        ({"symmetries": 8}, ValueError, r"symmetries of duo are 0..7, not 8"),
    ],
    ids=str,
)
def test_bad_arguments(
    folder: Path, arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        read(folder, **arguments)


def test_images_have_no_images(folder: Path) -> None:
    (batch,) = read(folder, 10**6)
    with pytest.raises(ValueError, match="images already"):
        batch.mapped(1).mapped(1)
    with pytest.raises(ValueError, match=r"which must be in 0..7"):
        batch.mapped(9)
    with pytest.raises(ValueError, match="which must have shape"):
        batch.mapped([1, 2])


def test_a_shard_that_is_damaged_is_told_when_its_turn_comes(tmp_path: Path) -> None:
    play(tmp_path, Settings("duo", "random", games=4, games_per_shard=2, seed=1))
    path = shards.shard_path(tmp_path, 1)
    with pq.ParquetFile(path) as file:
        group = file.metadata.row_group(0)
        found = [group.column(i) for i in range(group.num_columns)]
    (column,) = [each for each in found if each.path_in_schema == "move"]
    data = bytearray(path.read_bytes())
    data[column.data_page_offset + column.total_compressed_size - 5] ^= 1
    path.write_bytes(data)
    batches = iter(read(tmp_path, 10))
    assert len(next(batches)) == 10
    with pytest.raises(ShardError, match=r"shard-000001.parquet: damaged"):
        list(batches)


# -- other programs ----------------------------------------------------------------------------


def test_duckdb_reads_shards(folder: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is no part of any extra")
    with duckdb.connect() as base:
        found = base.sql(
            f"""
            SELECT count(*), count(DISTINCT game), sum(len(actions)), sum(list_sum(visits)),
                   count(best), avg(value_0)
            FROM '{folder}/*.parquet'
            """
        ).fetchall()[0]
        rows = base.sql(
            f"SELECT move, squares_0 FROM '{folder}/*.parquet' ORDER BY game, ply"
        ).fetchall()
    (batch,) = read(folder, 10**6)
    assert found[:5] == (
        len(batch), 11, len(batch.actions), int(batch.visits.sum()), int((batch.best >= 0).sum()),
    )  # fmt: skip
    assert found[5] == pytest.approx(np.nanmean(batch.values[:, 0]), rel=1e-5)
    assert [move for move, _ in rows] == batch.move.tolist()
    for i in (0, 40, len(batch) - 1):
        assert int.from_bytes(rows[i][1], "little") == batch.boards[i].own_mask(0)


def test_polars_reads_shards(folder: Path) -> None:
    polars = pytest.importorskip("polars", reason="Polars is no part of any extra")
    rows = polars.scan_parquet(folder / "*.parquet").sort("game", "ply").collect()
    (batch,) = read(folder, 10**6)
    assert rows["move"].to_list() == batch.move.tolist()
    assert rows["actions"].explode().drop_nulls().to_list() == batch.actions.tolist()
    assert rows["best"].fill_null(-1).to_list() == batch.best.tolist()
    assert rows["outcome_1"].to_list() == batch.outcomes[:, 1].tolist()
    assert int.from_bytes(rows["squares_1"][30], "little") == batch.boards[30].own_mask(1)
