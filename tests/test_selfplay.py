"""Self-play: settings, single games, positions as columns, and what a shard says of its games."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.scoring import rewards
from blokus_fast.search import MCTS, Parameters, RootRule, default_weights
from blokus_fast.variants import Variant

pytest.importorskip("pyarrow", reason="shards are the extra `selfplay`")

from blokus_fast.selfplay import Settings
from blokus_fast.selfplay.packing import pack, unpack
from blokus_fast.selfplay.playing import GamePlayer
from blokus_fast.selfplay.schema import schema, table

VARIANTS = tuple(bf.VARIANTS)
TINY = Variant("tiny", 5, ["red", "blue"], [["a1"], ["e5"]], start="assigned")


def positions(variant: str | Variant, n: int = 40, seed: int = 1) -> bf.BatchBoard:
    """Return positions of all phases, the last ones of which may be over."""
    batch = bf.BatchBoard(n, variant)
    for ply in range(80):
        actions = batch.sample_actions(seed)
        # Game i stops at ply 2 i.
        actions[np.arange(n) * 2 <= ply] = -1
        batch.step(actions)
    return batch


class Illegal:
    """A bot that does not know the rules."""

    name = "illegal"

    def choose(self, board: bf.Board) -> int:
        return 0


class Counting:
    """A bot that plays by how often it was asked: its memory must not outlive a game."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, board: bf.Board) -> int:
        self.asked += 1
        ids = board.legal_ids()
        return int(ids[self.asked % len(ids)])


# -- settings ----------------------------------------------------------------------------------


def test_settings_go_into_plain_data_and_back() -> None:
    weights = default_weights(bf.variant("junior"))
    settings = Settings(
        bf.variant("duo", start="assigned", scoring="basic"), "mcts:3", seed=5, noise=0.1,
        temperature=0.5, weights=weights, parameters=Parameters(margin=0.5),
    )  # fmt: skip
    again = Settings.from_json(settings.to_json(), weights)
    assert again == settings
    assert hash(again) == hash(settings)
    assert again.rules == settings.rules
    assert again.parameters == settings.parameters
    assert settings.differences(replace(settings, noise=0.2, seed=6)) == [
        "seed is 5, not 6",
        "noise is 0.1, not 0.2",
    ]
    assert settings != "settings"
    with pytest.raises(ValueError, match="weights are not those"):
        Settings.from_json(settings.to_json())
    with pytest.raises(ValueError, match="weights are not those"):
        Settings.from_json(settings.to_json(), default_weights(bf.variant("duo")))
    own = Settings(TINY, "greedy")
    assert Settings.from_json(own.to_json()).rules == TINY


@pytest.mark.parametrize("data", [{}, {"weights": None}, {"bot": 3}, {"weights": 3}])
def test_data_that_are_no_settings(data: dict) -> None:
    with pytest.raises(ValueError, match=r"no settings of self-play|weights"):
        Settings.from_json(data)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"variant": "chess"}, ValueError, "unknown variant 'chess'"),
        ({"bot": "deep-blue"}, ValueError, "unknown bot 'deep-blue'"),
        ({"bot": 3}, TypeError, "bot must be a str, not int"),
        ({"bot": "mcts:time=1"}, ValueError, "time= makes games depend on the clock"),
        ({"bot": "mcts:sims=5,threads=2"}, ValueError, "several threads do not play the same"),
        ({"bot": "mcts:sims=5,seed=2"}, ValueError, "seed= would be that of every game"),
        ({"games": 0}, ValueError, r"games must be in 1..1000000000, not 0"),
        ({"games": 1.5}, TypeError, "float"),
        ({"games_per_shard": 0}, ValueError, "games_per_shard must be in 1..1000000, not 0"),
        ({"seed": -1}, ValueError, "seed must be in"),
        ({"random_plies": 101}, ValueError, r"random_plies must be in 0..100, not 101"),
        ({"drawn_plies": -1}, ValueError, "drawn_plies must be in"),
        ({"temperature": 0}, ValueError, r"temperature must be in 0.01..100, not 0"),
        ({"temperature": float("nan")}, ValueError, "not nan"),
        ({"temperature": "hot"}, TypeError, "temperature must be a number, not 'hot'"),
        ({"noise": 2}, ValueError, r"noise must be in 0..1, not 2"),
        ({"noise_alpha": 0}, ValueError, "noise_alpha must be in"),
        ({"early_stop": 1}, TypeError, "early_stop must be a bool, not int"),
        ({"weights": "w.json"}, TypeError, "weights must be a Weights, not str"),
        ({"parameters": {}}, TypeError, "parameters must be a Parameters, not dict"),
        ({"bot": "greedy", "drawn_plies": 3}, ValueError, "drawn_plies is for a search"),
        ({"bot": "greedy", "parameters": Parameters()}, ValueError, "parameters is for a search"),
    ],
    ids=str,
)
def test_bad_settings(arguments: dict, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Settings(**{"variant": "duo", **arguments})


def test_games_are_cut_into_shards() -> None:
    settings = Settings("duo", games=25, games_per_shard=10)
    assert settings.n_shards == 3
    assert [next(iter(settings.games_of(k))) for k in range(3)] == [0, 10, 20]
    assert [len(settings.games_of(k)) for k in range(4)] == [10, 10, 5, 0]
    assert (settings.noise, settings.drawn_plies) == (0.25, 8)
    other = Settings("duo", "random")
    assert (other.noise, other.drawn_plies) == (0, 0)


# -- games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_what_its_search_says(variant: str) -> None:
    """Played again with a search of one's own, move by move."""
    settings = Settings(variant, "mcts:sims=20", seed=4, random_plies=3)
    player = GamePlayer(settings)
    player.play(1)  # what came before must not count
    game = player.play(5)
    assert len(game.moves) == len(game.found)
    mcts = MCTS(variant, seed=game.seed, root=RootRule(noise=0.25))
    board = bf.Board(variant)
    for ply, (move, found) in enumerate(zip(game.moves, game.found, strict=True)):
        if ply < game.n_random:
            assert (found.best, found.actions, found.value) == (-1, None, None)
        else:
            result = mcts.search(board, simulations=20, early_stop=False)
            visited = {m: v for m, v in zip(result.moves, result.visits, strict=True) if v}
            assert dict(zip(found.actions, found.visits, strict=True)) == visited
            assert (np.diff(found.actions) > 0).all()
            assert found.best == result.move
            assert np.array_equal(found.value, result.value)
            assert (found.simulations, found.solved) == (result.simulations, result.solved)
            assert move in visited if ply < 8 else move == found.best
        board.push(move)
    assert board.is_game_over
    assert game.scores == tuple(board.player_scores())


def test_games_differ_and_follow_from_seed_and_number() -> None:
    settings = Settings("duo", "mcts:sims=10", seed=1)
    one, again = GamePlayer(settings), GamePlayer(settings)
    games = [one.play(number) for number in range(6)]
    backwards = [again.play(number) for number in reversed(range(6))][::-1]
    assert [game.moves for game in games] == [game.moves for game in backwards]
    assert len({tuple(game.moves) for game in games}) == 6
    assert len({game.seed for game in games}) == 6
    other = GamePlayer(replace(settings, seed=2))
    assert other.play(0).moves != games[0].moves


def test_openings_have_all_lengths() -> None:
    player = GamePlayer(Settings("duo", "random", seed=1, random_plies=3))
    games = [player.play(number) for number in range(60)]
    assert {game.n_random for game in games} == {0, 1, 2, 3}
    plain = GamePlayer(Settings("duo", "random", seed=1, random_plies=0))
    assert {plain.play(number).n_random for number in range(5)} == {0}


def test_temperature_decides_how_far_moves_stray() -> None:
    def strayed(**changes: float) -> float:
        player = GamePlayer(Settings("duo", "mcts:sims=40", seed=1, random_plies=0, **changes))
        games = [player.play(number) for number in range(12)]
        pairs = [
            move != found.best
            for game in games
            for move, found in zip(game.moves[:8], game.found[:8], strict=True)
        ]
        late = [
            move == found.best
            for game in games
            for move, found in zip(game.moves[8:], game.found[8:], strict=True)
        ]
        assert all(late)
        return sum(pairs) / len(pairs)

    assert strayed(drawn_plies=0) == 0
    assert strayed(temperature=0.05) < strayed() < strayed(temperature=5.0)


def test_draws_are_by_the_visits() -> None:
    """With a temperature of 1 a move is made as often as it was visited."""
    player = GamePlayer(Settings("duo", "mcts:sims=30", seed=3, random_plies=0, drawn_plies=30))
    made, expected = 0.0, 0.0
    for number in range(30):
        game = player.play(number)
        for move, found in zip(game.moves, game.found, strict=True):
            share = found.visits / found.visits.sum()
            best = int(np.argmax(share))
            made += move == found.actions[best]
            expected += share[best]
    assert abs(made / expected - 1) < 0.06


def test_a_game_that_ends_in_its_opening_begins_again() -> None:
    player = GamePlayer(Settings(TINY, "mcts:sims=5", seed=1, random_plies=100))
    games = [player.play(number) for number in range(20)]
    assert all(game.moves and len(game.moves) == len(game.found) for game in games)
    assert all(game.n_random < len(game.moves) for game in games)
    # Nothing of the opening that was thrown away is left.
    for game in games:
        assert [found.best < 0 for found in game.found].count(True) == game.n_random


@pytest.mark.parametrize("variant", ["duo", "draft-2p", "classic-3p"])
def test_any_bot_may_play(variant: str) -> None:
    game = GamePlayer(Settings(variant, "greedy", seed=1)).play(3)
    board = bf.Board(variant)
    for ply, (move, found) in enumerate(zip(game.moves, game.found, strict=True)):
        assert found.best == (-1 if ply < game.n_random else move)
        assert found.actions is None
        board.push(move)
    assert board.is_game_over


def test_a_bot_begins_every_game_anew() -> None:
    settings = Settings("duo", f"{__name__}:Counting", seed=1)
    player = GamePlayer(settings)
    first = [player.play(number).moves for number in (1, 2)]
    assert [player.play(number).moves for number in (2, 1)] == first[::-1]


def test_a_bot_that_plays_wrong_is_told() -> None:
    player = GamePlayer(Settings("duo", f"{__name__}:Illegal", seed=1))
    with pytest.raises(ValueError, match=r"bot .*:Illegal made move 0 at ply \d of game 7: "):
        player.play(7)


# -- positions as columns ----------------------------------------------------------------------


@pytest.mark.parametrize("variant", [*VARIANTS, TINY], ids=str)
def test_columns_bring_every_position_back(variant: str | Variant) -> None:
    boards = positions(variant)
    columns = pack(boards)
    assert unpack(boards.variant, columns) == boards
    for i in range(len(boards)):
        board = boards[i]
        for color in range(board.n_colors):
            mask = int.from_bytes(columns[f"squares_{color}"][i].tobytes(), "little")
            assert mask == board.own_mask(color)
            if not board.variant.draft:
                hand = int(columns[f"hand_{color}"][i])
                counts = [
                    (hand >> p & 1) + 2 * (hand >> p + 21 & 1) + 4 * (hand >> p + 42 & 1)
                    for p in range(21)
                ]
                assert tuple(counts) == board.hand(color)
    assert columns["turn"].tolist() == boards.turn.tolist()
    assert columns["ply"].tolist() == boards.ply.tolist()


def test_columns_that_are_no_position_are_refused() -> None:
    boards = positions("duo")
    columns = pack(boards)
    columns["squares_0"] = columns["squares_0"].copy()
    columns["squares_0"][7, 3] ^= 0xFF
    with pytest.raises(bf.InvalidPositionError, match="game 7: "):
        unpack(boards.variant, columns)


# -- the table ---------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", [*VARIANTS, TINY], ids=str)
@pytest.mark.parametrize("bot", ["mcts:sims=8", "random"])
def test_the_table_has_what_was_played(variant: str | Variant, bot: str) -> None:
    settings = Settings(variant, bot, seed=2)
    rules = settings.rules
    player = GamePlayer(settings)
    games = [player.play(number) for number in (3, 4, 9)]
    rows = table(rules, games)
    assert rows.schema == schema(rules)
    data = iter(rows.to_pylist())
    for game in games:
        board = bf.Board(rules)
        outcome = rewards(
            np.array(game.scores), "win", lowest_wins=rules.scoring_rule.lowest_wins
        ).tolist()
        for ply, (move, found) in enumerate(zip(game.moves, game.found, strict=True)):
            row = next(data)
            assert (row["game"], row["seed"], row["ply"]) == (game.number, game.seed, ply)
            assert (row["turn"], row["player"]) == (board.turn, board.player)
            assert int.from_bytes(row["squares_0"], "little") == board.own_mask(0)
            assert row["move"] == move
            assert row["random"] == (ply < game.n_random)
            assert row["best"] == (None if row["random"] else found.best)
            if found.actions is None:
                assert (row["actions"], row["visits"], row["value_0"]) == ([], [], None)
            else:
                assert row["actions"] == found.actions.tolist()
                assert row["visits"] == found.visits.tolist()
                assert [row[f"value_{p}"] for p in range(rules.players)] == found.value.tolist()
            assert (row["simulations"], row["solved"]) == (found.simulations, found.solved)
            assert [row[f"score_{p}"] for p in range(rules.players)] == list(game.scores)
            assert [row[f"outcome_{p}"] for p in range(rules.players)] == pytest.approx(outcome)
            board.push(move)
    assert next(data, None) is None


def test_the_columns_stay_as_they_are() -> None:
    """Files of this version are read for ever: a change of the columns needs another version."""
    assert str(schema(bf.variant("duo"))).splitlines() == [
        "game: uint32 not null",
        "seed: uint64 not null",
        "ply: uint16 not null",
        "turn: int8 not null",
        "player: int8 not null",
        "squares_0: fixed_size_binary[25] not null",
        "squares_1: fixed_size_binary[25] not null",
        "hand_0: uint64 not null",
        "hand_1: uint64 not null",
        "placed_0: uint16 not null",
        "placed_1: uint16 not null",
        "phase: uint8 not null",
        "round: uint16 not null",
        "finished: uint8 not null",
        "monomino_last: uint8 not null",
        "shared_player: uint8 not null",
        "random: bool not null",
        "move: uint16 not null",
        "best: uint16",
        "actions: list<element: uint16 not null> not null",
        "  child 0, element: uint16 not null",
        "visits: list<element: uint32 not null> not null",
        "  child 0, element: uint32 not null",
        "simulations: uint32 not null",
        "solved: bool not null",
        "value_0: float",
        "value_1: float",
        "outcome_0: float not null",
        "outcome_1: float not null",
        "score_0: int32 not null",
        "score_1: int32 not null",
    ]
    # Draft has more actions than 16 bits can tell.
    assert str(schema(bf.variant("draft")).field("move").type) == "uint32"


def test_seeds_are_drawn_as_they_always_were() -> None:
    """The seed of a game is what makes a run the same in the next release."""
    game = GamePlayer(Settings("duo", "random", seed=1, random_plies=0)).play(0)
    assert game.seed == random.Random("1/0").getrandbits(63) == 6278911005717071848
