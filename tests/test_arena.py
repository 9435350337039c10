"""The arena's plan of a run: settings, seats, openings; and what games add up to."""

import json
import math
import random
from collections import Counter

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.arena import SPRT, Opening, Settings, read_openings, run
from blokus_fast.arena.openings import draw
from blokus_fast.arena.ratings import rate, score_interval
from blokus_fast.arena.running import tasks_of
from blokus_fast.arena.seating import seatings, set_size, tables
from blokus_fast.arena.sequential import expected_score
from blokus_fast.arena.tally import Tally
from blokus_fast.bots import Clock
from blokus_fast.bots.titles import labels_of

DUO = bf.variant("duo")


# -- seats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("n_bots", [2, 3, 4, 5])
def test_every_bot_sits_everywhere_as_often(n_bots, players):
    variant = {2: "duo", 3: "classic-3p", 4: "classic"}[players]
    settings = Settings.make(["random"] * n_bots, variant, 3 * set_size(n_bots, players))
    at = Counter()
    for task in tasks_of(settings):
        assert len(task.seats) == players
        at.update((bot, player) for player, bot in enumerate(task.seats))
    assert len(at) == n_bots * players
    assert len(set(at.values())) == 1


def test_two_against_two_in_all_seatings():
    assert tables(2, 4) == ((0, 0, 1, 1),)
    assert len(seatings((0, 0, 1, 1), random.Random(1))) == 6
    assert seatings((0, 1, 1, 1), random.Random(1)) == (
        (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0),
    )  # fmt: skip
    # Who follows whom is drawn where there are too many orders to play them all.
    drawn = {seatings((0, 1, 2, 3), random.Random(seed))[0] for seed in range(50)}
    assert len(drawn) > 10


@pytest.mark.parametrize("seats", ["ABB", "AAAA", "ABBC", "abbb", "ABBBB", ""])
def test_seats_that_do_not_fit(seats):
    with pytest.raises(
        ValueError, match=r"seats are 4 letters, A for the first bot to B, each at least once"
    ):
        Settings.make(["greedy", "random"], "classic", seats=seats)


def test_seats_for_more_bots_than_players():
    with pytest.raises(ValueError, match="no more bots than the 2 players, not 3"):
        Settings.make(["greedy", "random", "corner"], "duo", seats="AB")


# -- openings ------------------------------------------------------------------------------------


def test_all_games_of_a_set_have_one_opening_and_sets_differ():
    tasks = list(tasks_of(Settings.make(["greedy", "random"], "duo", 40, seed=3)))
    assert [task.number for task in tasks] == list(range(40))
    assert [task.opening_number for task in tasks] == [number // 2 for number in range(40)]
    openings = {task.opening_number: task.opening for task in tasks}
    assert all(task.opening == openings[task.opening_number] for task in tasks)
    assert len(set(openings.values())) == 20
    assert all(len(opening.moves) == 2 for opening in openings.values())
    again = list(tasks_of(Settings.make(["greedy", "random"], "duo", 40, seed=3)))
    assert again == tasks
    other = list(tasks_of(Settings.make(["greedy", "random"], "duo", 40, seed=4)))
    assert [task.opening for task in other] != [task.opening for task in tasks]


def test_the_number_of_games_is_kept_even_if_it_leaves_a_set_unfinished():
    assert len(list(tasks_of(Settings.make(["greedy", "random"], "duo", 7)))) == 7


def test_openings_are_drawn_uniformly():
    first = Counter(draw(DUO, 1, 1, number).moves[0] for number in range(4000))
    board = bf.Board("duo")
    assert set(first) <= set(board.legal_ids().tolist())
    # With 828 moves and 4,000 draws, none is drawn thirty times but by a fault.
    assert max(first.values()) < 30
    assert len(first) > 750


def test_no_opening_is_the_end_of_the_game():
    for number in range(20):
        assert (
            not draw(bf.variant("junior"), 12, 1, number).board(bf.variant("junior")).is_game_over
        )
    with pytest.raises(ValueError, match="after 100 random plies of duo the game is over"):
        draw(DUO, 100, 1, 0)


def test_openings_of_a_file_are_taken_in_turn(tmp_path):
    board = bf.Board("duo")
    lines = ["# two", ""]
    for text in ("e10", "j5"):
        board.push(board.parse_move(text))
        lines.append(bf.position_text(board))
    path = tmp_path / "openings.txt"
    path.write_text("\n".join(lines))
    openings = read_openings(path, DUO)
    assert [opening.board(DUO).ply for opening in openings] == [1, 2]
    settings = Settings.make(["greedy", "random"], "duo", 8, openings=openings)
    assert settings.random_plies == 0
    places = [task.opening.board(DUO).ply for task in tasks_of(settings)]
    assert places == [1, 1, 2, 2, 1, 1, 2, 2]
    more = Settings.make(["greedy", "random"], "duo", 8, openings=openings, random_plies=3)
    drawn = list(tasks_of(more))
    assert [task.opening.board(DUO).ply for task in drawn] == [4, 4, 5, 5, 4, 4, 5, 5]
    assert drawn[0].opening != drawn[4].opening


def test_openings_that_other_systems_wrote(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_bytes(b"\xef\xbb\xbf" + bf.position_text(bf.Board("duo")).encode() + b"\r\n\r\n")
    assert len(read_openings(path, DUO)) == 1
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"openings.txt is no text in UTF-8"):
        read_openings(path, DUO)


def test_openings_of_records_keep_their_moves(tmp_path):
    game = bf.Game("duo")
    for text in ("e10", "j5"):
        game.play(text)
    set_up = bf.set_up("duo", {"purple": ["e10"], "orange": ["j5"]}, turn="purple")
    path = tmp_path / "openings.blksgf"
    bf.records.write([bf.Record.from_game(game), bf.Record.from_board(set_up)], path)
    one, two = read_openings(path, DUO)
    assert one == Opening(tuple(game.board.move_stack))
    assert two.moves == ()
    assert two.board(DUO) == set_up


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.txt", "", "there is no opening in it"),
        ("a.txt", "# nothing\n\nduo 14 b", "line 3: "),
        ("a.txt", bf.position_text(bf.Board("junior")), "line 1: column 1: the position is not"),
        ("a.blksgf", "(;GM[Blokus Junior])", "game 1: an opening is of junior, not of duo"),
        ("a.blksgf", "(;GM[Blokus Duo];B[e10];W[a1])", "game 1: "),
        ("a.blksgf", "", "no "),
    ],
)
def test_files_without_openings(tmp_path, name, text, told):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ValueError, match=told):
        read_openings(path, DUO)


# -- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"bots": []}, "at least 2 bots, not 0"),
        ({"bots": ["greedy"]}, "at least 2 bots, not 1: greedy"),
        ({"bots": ["greedy", "deep-blue"]}, "unknown bot 'deep-blue'; valid: random"),
        ({"bots": ["random"] * 101}, "at most 100 bots, not 101"),
        ({"variant": "chess"}, "chess"),
        ({"games": 0}, r"games must be in 1\.\.1000000000, not 0"),
        ({"random_plies": -1}, r"random_plies must be in 0\.\.100, not -1"),
        ({"margin": 0.0}, "margin must be a positive number, not 0.0"),
        ({"patience": float("nan")}, "patience must be a positive number"),
        ({"sprt": (10, 0)}, "must ascend"),
        ({"sprt": (0, 10), "bots": ["greedy"] * 3}, "compares 2 bots, not 3"),
        ({"openings": [Opening((0, 0))]}, "misses the start square"),
    ],
)
def test_settings_that_are_not_possible(arguments, told):
    arguments = {"bots": ["greedy", "random"], "variant": "duo", "games": 2, **arguments}
    with pytest.raises(ValueError, match=told):
        Settings.make(**arguments)


def test_bots_are_named():
    with pytest.raises(TypeError, match=r"bots are named, such as 'my_bots:Patient', not <"):
        Settings.make(["greedy", object()], "duo")


def test_settings_go_through_json_and_tell_where_they_differ():
    settings = Settings.make(
        ["greedy", "random"],
        bf.variant("duo", start="any", scoring="basic"),
        np.int64(6),
        seed=np.int64(3),
        openings=[Opening((), bf.position_text(bf.Board(bf.variant("duo", scoring="basic"))))],
        clock=Clock.game(60, 1),
        sprt=(0, 20),
    )
    again = Settings.from_json(json.loads(json.dumps(settings.to_json())))
    assert again == settings
    assert settings.difference(again) == ""
    other = Settings.make(["greedy", "random"], "duo", 6, seed=3)
    assert settings.difference(other).startswith("variant is ")
    with pytest.raises(ValueError, match="form 99, not 1"):
        Settings.from_json({**settings.to_json(), "format": 99})


# -- sums ----------------------------------------------------------------------------------------


def result(seats, scores, *, opening=0, number=0, lowest=False, failure=None, cpu=None):
    """What a game's result must have for a tally."""
    order = sorted(scores, reverse=not lowest)
    ranking = [1 + order.index(score) for score in scores]
    winners = [player for player, place in enumerate(ranking) if place == 1]
    return {
        "number": number, "opening": opening, "seats": seats, "scores": scores,
        "ranking": ranking, "winners": winners, "failure": failure, "cpu_seconds": cpu,
    }  # fmt: skip


def test_seats_of_one_bot_count_together():
    tally = Tally(2)
    # Bot 0 has both first places, then one of two that share it, then none.
    tally.add(result([0, 0, 1, 1], [9, 9, 3, 1], cpu=[1.0, 2.0, 4.0, 8.0]))
    tally.add(result([0, 1, 1, 0], [9, 9, 3, 1]))
    tally.add(result([1, 0, 0, 1], [9, 8, 8, 0]))
    first, second = tally.counts
    assert (first.games, first.wins, first.draws, first.losses, first.score) == (3, 1, 1, 1, 1.5)
    assert (second.wins, second.draws, second.losses) == (1, 1, 1)
    assert first.mean_margin == pytest.approx((7 + -1 + 3.5) / 3)
    assert second.mean_margin == -first.mean_margin
    assert tally.cpu_seconds == [3.0, 12.0]
    assert tally.timed == [1, 1]
    # Of the pairs of seats in the three games bot 0 has won 4, 1.5 and 2, of 4 each.
    assert tally.points[0][0, 1] == pytest.approx([7.5 / 4, 4.5 / 4])


def test_few_points_are_good_where_they_win():
    tally = Tally(2, lowest_wins=True)
    tally.add(result([1, 0], [5, 20], lowest=True))
    assert tally.counts[1].wins == 1
    assert tally.counts[1].mean_margin == 15


def test_whoever_wins_is_ahead_under_reverse_scoring():
    variant = bf.variant("duo", scoring="reverse")
    report = run(["random", "random"], variant, 8, seed=2, workers=1)
    for game in report.games:
        tally = Tally(2, lowest_wins=True)
        tally.add(game)
        first = tally.counts[0]
        assert (first.mean_margin > 0, first.mean_margin < 0) == (first.wins, first.losses)


def test_a_game_that_was_broken_off_has_no_margin():
    tally = Tally(2)
    failure = {"player": 1, "bot": "b", "kind": "crash", "text": "its process ended"}
    broken = result([0, 1], [1, 0], failure=failure, number=4) | {"scores": None}
    tally.add(broken)
    assert tally.counts[0].wins == tally.counts[1].losses == 1
    assert tally.counts[0].mean_margin is None
    assert tally.failures == [{"game": 4, "bot": "b", "kind": "crash", "text": "its process ended"}]


def test_the_cross_table_goes_by_places():
    tally = Tally(3)
    tally.add(result([2, 0, 1], [10, 5, 5]))
    assert [tally.against[2][bot].wins for bot in (0, 1)] == [1, 1]
    assert tally.against[0][1].draws == tally.against[1][0].draws == 1
    assert tally.against[0][2].losses == 1
    # A game counts one, whatever the number of its pairs.
    assert sum(map(sum, tally.points[0].values())) == pytest.approx(1)


def test_openings_that_come_again_are_one_observation():
    once, again = Tally(2, n_openings=1), Tally(2)
    for tally in (once, again):
        for number in range(40):
            tally.add(result([0, 1], [1, 0] if number % 4 else [0, 1], opening=number))
    assert once.counts == again.counts
    assert len(once.scores) == 1
    width = [high - low for low, high in (score_interval(tally, 0) for tally in (once, again))]
    assert width[0] > 0 < width[1]
    board = bf.Board("duo")
    openings = [Opening((int(move),)) for move in board.legal_ids()[:2]]
    report = run(["greedy", "random"], "duo", 8, openings=openings, workers=1)
    assert len(report.tally.scores) == 2
    assert any("2 openings were played again and again" in note for note in report.notes())


def test_for_two_bots_rating_and_score_say_the_same():
    tally = played([40, -40], 200, seed=3)
    rating, interval = rate(tally).ratings[0], rate(tally).intervals[0]
    low, high = (400 * math.log10(share / (1 - share)) / 2 for share in score_interval(tally, 0))
    assert interval == pytest.approx((low, high), abs=0.5)
    low, high = (400 * math.log10(share / (1 - share)) / 2 for share in score_interval(tally, 1))
    assert rate(tally).intervals[1] == pytest.approx((low, high), abs=0.5)
    assert interval[0] < rating < interval[1]


# -- ratings -------------------------------------------------------------------------------------


def played(strengths, games, *, seed=0, advantage=0.0, paired=True):
    """Return a tally of games between two bots of known strength, with an advantage of seat 1."""
    rng = random.Random(seed)
    tally = Tally(len(strengths))
    for number in range(games):
        seats = [0, 1] if number % 2 == 0 else [1, 0]
        elo = strengths[seats[0]] - strengths[seats[1]] + advantage
        first = rng.random() < expected_score(elo)
        opening = number // 2 if paired else number
        tally.add(result(seats, [1, 0] if first else [0, 1], opening=opening))
    return tally


def test_ratings_find_the_strength():
    ratings = rate(played([60, -60], 20000))
    assert ratings.ratings[0] == pytest.approx(60, abs=10)
    assert sum(ratings.ratings) == pytest.approx(0, abs=0.2)
    low, high = ratings.intervals[0]
    assert low < 60 < high
    assert high - low < 12


def test_intervals_of_independent_games_are_those_of_jeffreys():
    from scipy.stats import beta

    tally = Tally(2)
    for number in range(30):
        tally.add(result([0, 1], [1, 0] if number < 21 else [0, 1], opening=number))
    low, high = score_interval(tally, 0)
    assert (low, high) == pytest.approx(beta.ppf([0.025, 0.975], 21.5, 9.5), abs=0.02)


def test_intervals_hold_what_they_say():
    held = sum(
        low <= 0.5 <= high
        for low, high in (
            score_interval(played([0, 0], 100, seed=seed, advantage=300), 0) for seed in range(200)
        )
    )
    # 95 of 100; fewer than 90 or all of 200 would be a fault.
    assert 180 <= held < 200


def test_pairs_take_the_advantage_of_a_seat_out():
    """A strong first move makes single games noisy, and pairs of them not."""
    widths = {}
    for paired in (True, False):
        low, high = score_interval(played([0, 0], 400, advantage=600, paired=paired), 0)
        widths[paired] = high - low
    assert widths[True] < 0.5 * widths[False]


def test_nobody_is_infinitely_strong():
    tally = Tally(2)
    for number in range(10):
        tally.add(result([0, 1], [1, 0], opening=number))
    ratings = rate(tally)
    assert 100 < ratings.ratings[0] < 1000
    assert all(np.isfinite(ratings.intervals).ravel())
    assert rate(tally) == ratings


@pytest.mark.parametrize("n_bots", [3, 4, 6, 10])
def test_a_run_that_has_just_begun_has_ratings(n_bots):
    tally = Tally(n_bots)
    tally.add(result([0, 1], [1, 0]))
    ratings = rate(tally)
    assert ratings.ratings[0] > ratings.ratings[2] > ratings.ratings[1]
    assert np.isfinite(ratings.intervals).all()


def test_labels_are_all_different():
    assert labels_of(["a", "a", "a 1"]) == ("a 2", "a 3", "a 1")
    assert labels_of(["a 1", "a", "a 2", "a"]) == ("a 1", "a 3", "a 2", "a 4")


def test_bots_that_have_not_met_are_rated_by_those_between():
    tally = Tally(3)
    for number in range(200):
        tally.add(result([0, 1], [1, 0] if number % 4 else [0, 1], opening=number))
        tally.add(result([1, 2], [1, 0] if number % 4 else [0, 1], opening=number))
    one, two, three = rate(tally).ratings
    assert one - two == pytest.approx(two - three, abs=5)
    assert one - two == pytest.approx(190, abs=15)


# -- the sequential test -------------------------------------------------------------------------


def scores_of_pairs(elo, advantage, rng):
    """Yield scores of pairs in which whoever begins wins more often by `advantage`."""
    while True:
        one = rng.random() < expected_score(elo) + advantage
        two = rng.random() < expected_score(elo) - advantage
        yield (one + two) / 2


@pytest.mark.parametrize(("elo", "right"), [(0, "low"), (60, "high")])
def test_the_test_errs_as_rarely_as_it_says(elo, right):
    wrong, length = 0, 0
    test = SPRT(0, 60)
    for seed in range(150):
        scores, decision = [], None
        for score in scores_of_pairs(elo, 0.25, random.Random(seed)):
            scores.append(score)
            decision = test.state(scores).decision
            if decision:
                break
        wrong += decision != right
        length += len(scores)
    assert wrong <= 15
    assert 20 < length / 150 < 200


def test_pairs_that_are_all_split_say_that_nobody_is_stronger():
    state = SPRT(0, 50).state([0.5] * 10)
    assert state.decision is None
    assert SPRT(0, 50).state([0.5] * 60).decision == "low"
    assert -1 < SPRT(0, 50).state([0.5]).llr < 0
    assert SPRT(0, 50).state([]).llr == 0
    assert SPRT(0, 20).state([1.0] * 3).decision is None
    with pytest.raises(ValueError, match=r"within -800\.\.800, not -2000 and 2000"):
        SPRT(-2000, 2000)


def test_whoever_swaps_the_bots_swaps_the_test():
    scores = [1.0, 0.5, 0.5, 0.75, 0.25, 1.0]
    one = SPRT(-10, 10).state(scores).llr
    assert SPRT(-10, 10).state([1 - score for score in scores]).llr == pytest.approx(-one)


@pytest.mark.parametrize("error", [0, 0.5, 1, float("nan")])
def test_errors_of_a_test(error):
    with pytest.raises(ValueError, match=r"from 1e-06 to below 0\.5, not"):
        SPRT(0, 10, error)
