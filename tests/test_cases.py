"""Mistakes that Blokus programs have made, each as the smallest input that shows it.

Many of them would fail wider tests of this suite, too; here each stands alone and by name.
"""

from __future__ import annotations

import json
import pickle
from itertools import pairwise

import numpy as np
import pytest
import reference
from figures import PASS, games
from helpers import CLASSIC_3P, board_after, move_id, play, snapshot

import blokus_fast as bf
from blokus_fast.bots import make
from blokus_fast.moves import parse_move

CORNERS = ["a20", "t20", "t1", "a1"]
FOUR = ["blue", "yellow", "red", "green"]


def names(squares) -> set[str]:
    return {reference.square_name(divmod(int(square), 20), 20) for square in squares}


class TestPiecesAndIds:
    @pytest.mark.parametrize(
        ("text", "piece"),
        [
            ("a1,b1,b2,c2", "Z4"),
            ("b1,c1,a2,b2", "Z4"),  # mirrored: the same piece
            ("a1,b1,b2,b3,c3", "Z5"),
            ("a1,b1,c1,b2", "T4"),
            ("a1,a2,a3,b1", "L4"),
            ("a1,b1,c1,d1,b2", "Y"),
            ("a1,b1,c1,b2,b3", "T5"),
            ("a1,b1,b2,c2,c3", "W"),
            ("b1,a2,b2,b3,c3", "F"),
            ("b1,a2,b2,c2,b3", "X"),
        ],
    )
    def test_pieces_that_tables_mixed_up(self, text: str, piece: str) -> None:
        assert bf.Move.parse(text).piece == piece

    def test_a_set_has_89_squares_and_no_piece_twice(self) -> None:
        """58 first moves and 91 orientations hold for some wrong sets, too."""
        pieces = bf.Board("classic").pieces_left(0)
        assert len(set(pieces)) == len(pieces) == 21
        assert sum(reference.SIZES[piece] for piece in pieces) == 89

    def test_there_are_91_orientations(self) -> None:
        orientations = {bf.Move(number, 5).orientation for number in range(bf_count(5))}
        assert orientations == set(range(91))

    def test_ids_decode_and_encode_to_themselves(self) -> None:
        for number in range(0, 30_433, 11):
            assert parse_move(bf.Move(number).text) == number

    def test_ids_mean_the_same_after_pieces_are_used(self) -> None:
        board = bf.Board("classic")
        before = {number: board.move_text(number) for number in range(0, 30_433, 101)}
        play(board, "a20,a19,a18,b18,c18", *CORNERS[1:], "d17", "s19,r19")
        assert {number: board.move_text(number) for number in before} == before
        assert "V5" not in board.pieces_left(0)
        assert not any(bf.Move(number).piece == "V5" for number in board.legal_ids(color=0))

    @pytest.mark.parametrize("length", [2, 4])
    def test_pieces_without_a_middle_square_fit_at_every_rim(self, length: int) -> None:
        """Wherever its square of reference may be, a bar lies along all four sides."""
        piece = {2: "2", 4: "I4"}[length]
        board = bf.Board(bf.Variant("bars", 20, FOUR, start="border", first_pieces=[piece]))
        bars = [
            frozenset(20 * (row + down * step) + column + across * step for step in range(length))
            for down, across in ((0, 1), (1, 0))
            for row in range(21 - down * (length - 1) - 1)
            for column in range(21 - across * (length - 1) - 1)
        ]
        rim = {s for s in range(400) if {s // 20, s % 20} & {0, 19}}
        legal = [frozenset(bf.Move(number).squares) for number in board.legal_ids().tolist()]
        assert sorted(map(sorted, legal)) == sorted(sorted(bar) for bar in bars if bar & rim)
        # Two sides of each kind, along which it lies, and two that it meets with an end.
        along, meeting = 4 * (21 - length), 4 * 18
        assert len(legal) == along + meeting

    def test_the_square_tetromino_is_one_move_in_all_eight_positions(self) -> None:
        cells = np.array([[1, 1], [1, 1]])
        ids = set()
        for image in (cells, np.fliplr(cells)):
            for quarter in range(4):
                squares = np.argwhere(np.rot90(image, quarter)) + 7
                text = ",".join(reference.square_name((r, c), 20) for r, c in squares.tolist())
                ids.add(parse_move(text))
        assert len(ids) == 1

    def test_w_has_272_first_moves_at_the_rim(self) -> None:
        """Counted side by side the corners would be counted twice, which gives 288."""
        variant = bf.Variant("w", 20, FOUR, start="border", first_pieces=["W"])
        assert bf.Board(variant).count_legal() == 272

    def test_random_moves_are_legal_and_all_legal_moves_can_be_drawn(self) -> None:
        bot = make("random", seed=1)
        board = play(bf.Board("classic"), *CORNERS)
        drawn = {bot.choose(board) for _ in range(1500)}
        assert drawn == set(board.legal_moves)


def bf_count(size: int) -> int:
    return len(reference.placements(size))


class TestPlacing:
    def test_the_board_is_20_by_20_with_30433_placements(self) -> None:
        """A board of 21 has 33,854."""
        board = bf.Board("classic")
        assert (board.size, board.n_moves) == (20, 30_433)
        assert bf.Board("duo").n_moves == 13_729

    def test_corners_go_clockwise_and_lie_on_the_board(self) -> None:
        """Not top left, bottom right; not left to right and line by line; not on column 20."""
        board = bf.Board("classic")
        corners = [board.corner_squares(color).tolist() for color in range(4)]
        assert corners == [[0], [19], [399], [380]]

    def test_duo_starts_in_the_field_and_not_in_the_corners(self) -> None:
        board = bf.Board("duo", start="assigned")
        assert board.corner_squares(0).tolist() == [4 * 14 + 4]
        assert board.corner_squares(1).tolist() == [9 * 14 + 9]
        for text in ("a14", "n1"):
            with pytest.raises(bf.IllegalMoveError):
                board.push(board.parse_move(text))

    def test_first_duo_color_has_e10_and_second_j5(self) -> None:
        board = bf.Board("duo", start="assigned")
        assert not board.is_legal(board.parse_move("j5"))
        play(board, "e10")
        assert board.is_legal(board.parse_move("j5"))

    def test_first_duo_player_may_take_either_start_square(self) -> None:
        board = bf.Board("duo")
        assert board.count_legal() == 828
        play(board, "j5")
        assert not board.is_legal(board.parse_move("j6"))
        assert board.is_legal(board.parse_move("e10"))

    def test_the_first_piece_of_classic_covers_the_own_corner(self) -> None:
        board = bf.Board("classic")
        for corner in CORNERS[1:]:
            assert not board.is_legal(move_id(corner))
        assert board.is_legal(move_id(CORNERS[0]))

    def test_a_late_first_piece_still_has_to_cover_the_start_square(self) -> None:
        """However many pieces the others have on the board by then."""
        line = ["a20", "b19,c19", "d18,e18,f18", "g17,h17"]
        others = {0: line[:1], 2: ["t1"], 3: ["a1"]}
        boards = [bf.set_up("classic", others, turn=1)]
        others = {0: line[:3], 2: ["t1", "s2,r2", "q3,p3,o3"], 3: ["a1", "b2,c2", "d3,e3,f3"]}
        boards.append(bf.set_up("classic", others, turn=1))
        for board in boards:
            covering = {number for number in range(board.n_moves) if 19 in bf.Move(number).squares}
            assert len(covering) == 58
            assert set(board.legal_ids().tolist()) == covering
            assert not board.is_legal(move_id("r18,r19"))
            assert "start square" in str(board.why_illegal(move_id("r18,r19")))
        assert [board.ply for board in boards] == [3, 9]

    def test_a_piece_is_gone_once_it_is_placed(self) -> None:
        board = play(bf.Board("classic"), "a20,a19,a18,a17,b17", *CORNERS[1:])
        again = board.parse_move("c16,c15,c14,c13,d13")
        assert bf.Move(again).piece == "L5"
        assert "L5" in str(board.why_illegal(again))
        with pytest.raises(bf.IllegalMoveError):
            board.push(again)

    def test_a_monomino_cannot_be_placed_twice(self) -> None:
        board = bf.Board("classic")
        with pytest.raises(bf.IllegalMoveError):
            play(board, "a1")  # not blue's corner
        play(board, *CORNERS)
        with pytest.raises(bf.IllegalMoveError):
            play(board, "b19")

    def test_columns_do_not_wrap_from_t_to_a(self) -> None:
        board = play(bf.Board("classic"), "a20", "t20,t19,t18,t17,t16")
        assert names(board.corner_squares(1)) == {"s15"}
        edges = names(board.forbidden_squares(1)) - names(board.own_squares(1)) - {"a20"}
        assert edges == {"s20", "s19", "s18", "s17", "s16", "t15"}
        for row in (14, 15, 16, 17, 18, 19):
            assert not board.is_legal(move_id(f"a{row}"), color=1)
            assert not board.is_legal(move_id(f"a{row},b{row}"), color=1)

    def test_columns_do_not_wrap_from_a_to_t(self) -> None:
        board = play(bf.Board("classic"), "a20,a19,a18,a17,a16")
        assert names(board.corner_squares(0)) == {"b15"}
        edges = names(board.forbidden_squares(0)) - names(board.own_squares(0))
        assert edges == {"b20", "b19", "b18", "b17", "b16", "a15"}
        for row in (14, 15, 16, 17, 18, 19, 20):
            assert not board.is_legal(move_id(f"t{row}"), color=0)

    @pytest.mark.parametrize("size", [14, 20])
    def test_bounds_hold_on_both_axes(self, size: int) -> None:
        last = chr(96 + size)
        beyond = chr(97 + size)
        for text in (f"{last}1,{beyond}1", f"a{size},a{size + 1}", "a0,a1", f"{last}2,a1"):
            with pytest.raises(bf.InvalidMoveError):
                parse_move(text, size)

    def test_the_own_corner_is_asked_for_after_the_first_move_as_well(self) -> None:
        board = play(bf.Board("classic"), *CORNERS)
        assert "corner" in str(board.why_illegal(move_id("j10,j11")))
        assert "corner" in str(board.why_illegal(move_id("c18,c17")))
        assert board.why_illegal(move_id("b19,b18")) is None

    def test_corners_of_other_colors_do_not_count_and_their_edges_do_not_hurt(self) -> None:
        variant = bf.Variant("near", 6, ["blue", "red"], [["a6"], ["c6"]])
        board = play(bf.Board(variant), "a6", "c6,c5")
        assert board.is_legal(board.parse_move("b5,b4"))  # beside red, at blue's own corner
        assert not board.is_legal(board.parse_move("d4,d3"))  # at red's corner only

    def test_players_of_two_player_classic_have_opposite_corners(self) -> None:
        """A: blue and red, B: yellow and green, and they alternate."""
        board = bf.Board("classic-2p")
        assert board.variant.owners == (0, 1, 0, 1)
        seen = []
        for corner in CORNERS:
            seen.append((board.turn, board.player))
            play(board, corner)
        assert seen == [(0, 0), (1, 1), (2, 0), (3, 1)]


class TestTurnsAndTheEnd:
    def test_three_players_play_on_after_the_first_round(self) -> None:
        board = bf.Board(CLASSIC_3P)
        seen = []
        for text in (*CORNERS, "b19,c19", "s19,r19", "s2,r2", "b2,c2", "d18,d17,d16"):
            seen.append((board.turn, board.player))
            play(board, text)
        assert seen == [
            *[(0, 0), (1, 1), (2, 2), (3, 0)],
            *[(0, 0), (1, 1), (2, 2), (3, 1)],
            (0, 0),
        ]

    def test_the_player_to_move_is_not_the_color_to_move(self) -> None:
        board = play(bf.Board(CLASSIC_3P), *CORNERS[:3])
        assert (board.turn, board.player) == (3, 0)
        board = play(bf.Board("classic-2p"), *CORNERS[:2])
        assert (board.turn, board.player) == (2, 0)

    def test_ply_counts_moves_and_the_history_counts_turns(self) -> None:
        recorded = games("bonus_duo")[0]
        game = bf.Game("duo", start="assigned")
        for text in recorded.moves:
            if text != PASS:
                game.play(text)
        assert game.board.ply == len(recorded.moves) - recorded.moves.count(PASS)
        assert len(game.history) == len(recorded.moves)

    def test_the_game_is_over_when_everybody_is_stuck(self) -> None:
        for seed in range(5):
            board = board_after("classic", "assigned", seed, 1000)
            assert board.is_game_over
            assert not any(board.any_legal(color=color) for color in range(4))

    def test_a_cap_of_25_rounds_plays_the_25th(self) -> None:
        variant = bf.Variant(
            "cap", 20, FOUR, [[c] for c in CORNERS], max_rounds=25, voluntary_pass=True
        )
        board = play(bf.Board(variant), *CORNERS)
        while board.ply < 96:
            board.push(board.n_moves)
        assert not board.is_game_over
        assert board.turn == 0
        for _ in range(4):
            board.push(board.n_moves)
        assert board.is_game_over

    def test_a_round_cap_does_not_end_in_the_middle_of_a_round(self) -> None:
        variant = bf.Variant("cap", 20, FOUR, [[c] for c in CORNERS], max_rounds=1)
        board = bf.Board(variant)
        for corner in CORNERS:
            assert not board.is_game_over
            play(board, corner)
        assert board.is_game_over

    def test_nobody_may_pass_in_the_first_round_or_while_he_can_place(self) -> None:
        game = bf.Game("classic")
        for corner in CORNERS:
            with pytest.raises(bf.IllegalMoveError):
                game.play("pass")
            game.play(corner)
        with pytest.raises(bf.IllegalMoveError):
            game.play("pass")
        assert game.board.turn == 0

    def test_the_color_that_is_stuck_is_the_one_that_is_skipped(self) -> None:
        variant = bf.Variant(
            "short", 8, ["blue", "red"], [["a8"], ["h1"]], pieces=[["1"], ["1", "2", "I3"]]
        )
        game = bf.Game(variant)
        for text in ("a8", "h1", "g2,f2", "e3,d3,c3"):
            game.play(text)
        written = [
            f"{'skip' if isinstance(entry, bf.Skip) else entry} {entry.color}"
            for entry in game.history
        ]
        assert written == ["a8 0", "h1 1", "skip 0", "f2,g2 1", "skip 0", "c3,d3,e3 1"]
        assert [e.ply for e in game.history if isinstance(e, bf.Skip)] == [2, 3]

    def test_no_other_move_is_played_in_place_of_an_illegal_one(self) -> None:
        board = bf.Board("classic")
        with pytest.raises(bf.IllegalMoveError):
            play(board, "j10")
        assert board == bf.Board("classic")

    @pytest.mark.parametrize("seed", range(4))
    def test_whoever_is_to_move_has_a_move(self, seed: int) -> None:
        board = board_after("classic", "assigned", seed, 0)
        for move in board_after("classic", "assigned", seed, 1000).move_stack:
            assert board.legal_mask().any()
            assert board.count_legal() > 0
            board.push(move)
        assert not board.legal_mask().any()

    def test_games_are_as_long_as_they_are(self) -> None:
        """No limit of plies: 84 placements are the most, and nothing ends before all are stuck."""
        lengths = [board_after("classic", "assigned", seed, 1000).ply for seed in range(6)]
        assert max(lengths) <= 84
        assert len(set(lengths)) > 1

    def test_one_player_may_move_several_times_in_a_row(self) -> None:
        board = bf.Board("duo", start="assigned")
        movers = []
        for text in games("bonus_duo")[0].moves:
            if text != PASS:
                movers.append(board.turn)
                play(board, text)
        assert any(one == other for one, other in pairwise(movers))


class TestScores:
    def test_the_monomino_bonus_outlives_skipped_turns(self) -> None:
        """It is about a color's last piece, not about its last turn, which was a skip."""
        variant = bf.Variant(
            "long", 8, ["A", "B"], [["a8"], ["h1"]], pieces=[["1", "2"], ["2", "1", "I3", "V3"]]
        )
        game = bf.Game(variant, scoring="advanced")
        for text in ("a8,b8", "h1,g1", "c7", "f2", "e3,d3,c3", "b4,a4,b5"):
            game.play(text)
        skipped = [entry.color for entry in game.history if isinstance(entry, bf.Skip)]
        assert skipped == [0, 0]
        assert game.is_over
        assert game.scores == (20, 15)

    def test_109_points_are_89_squares_and_15_and_5(self) -> None:
        for recorded in games("bonus_classic"):
            game = bf.Game("classic", scoring="advanced")
            for text in recorded.moves:
                if text != PASS:
                    game.play(text)
            for score, bonus in zip(game.color_scores, recorded.bonus, strict=True):
                assert (score > 0) == (bonus > 0)
                assert bonus == 0 or score + 89 == 89 + bonus

    def test_monomino_last_beats_another_piece_last(self) -> None:
        variant = bf.Variant("two", 8, ["A", "B"], [["a8"], ["h1"]], pieces=[["1", "2"]] * 2)
        results = {}
        for scoring in ("advanced", "basic"):
            game = bf.Game(variant, scoring=scoring)
            for text in ("a8,b8", "h1", "c7", "g2,f2"):
                game.play(text)
            assert game.is_over
            results[scoring] = (game.scores, tuple(game.winners))
        assert results["advanced"] == ((20, 15), (0,))
        assert results["basic"] == ((0, 0), (0, 1))

    def test_everything_placed_without_the_monomino_last_is_15(self) -> None:
        recorded = next(g for g in games("bonus_classic") if 15 in g.bonus)
        board = bf.Board("classic")
        play(board, *(text for text in recorded.moves if text != PASS))
        assert board.color_scores()[recorded.bonus.index(15)] == 15

    def test_nothing_counts_but_squares_and_bonus(self) -> None:
        """No points for corners of the board or for its centre."""
        board = play(bf.Board("classic", scoring="placed"), *CORNERS)
        assert board.color_scores() == (1, 1, 1, 1)

    def test_one_piece_short_of_everything_gets_no_bonus(self) -> None:
        variant = bf.Variant("two", 8, ["A"], [["a8"]], pieces=[["1", "2", "I5"]])
        board = play(bf.Board(variant), "a8,b8", "c7")
        assert board.color_scores() == (-5,)

    def test_ties_are_shared(self) -> None:
        variant = bf.Variant(
            "tie", 8, FOUR, [["a8"], ["h8"], ["h1"], ["a1"]], pieces=[["1"], ["1"], ["1"], ["2"]]
        )
        game = bf.Game(variant)
        for text in ("a8", "h8", "h1", "a1,a2"):
            game.play(text)
        assert list(game.winners) == [0, 1, 2]
        assert list(game.ranking) == [1, 1, 1, 4]

    def test_junior_gives_no_bonus(self) -> None:
        variant = bf.VARIANTS["junior"]
        assert set(variant.pieces[0]) == set(reference.variants.JUNIOR_PIECES)
        assert all(variant.pieces[0].count(piece) == 2 for piece in variant.pieces[0])
        small = bf.Variant("j", 8, ["A"], [["a8"]], pieces=[["1", "1"]], scoring=variant.scoring)
        board = play(bf.Board(small), "a8", "b7")
        assert board.is_game_over
        assert board.color_scores() == (0,)

    def test_the_shared_color_scores_for_nobody_and_cannot_win(self) -> None:
        recorded = max(games("classic_3"), key=lambda g: g.points[3] - max(g.points[:3]))
        assert recorded.points[3] > max(recorded.points[:3])
        game = bf.Game(CLASSIC_3P)
        for text in recorded.moves:
            if text != PASS:
                game.play(text)
        assert game.scores == tuple(points - 89 for points in recorded.points[:3])
        assert 3 not in game.winners
        assert len(game.ranking) == 3

    def test_the_last_move_counts(self) -> None:
        variant = bf.Variant("last", 8, ["A", "B"], [["a8"], ["h1"]], pieces=[["2"], ["1"]])
        game = bf.Game(variant)
        game.play("a8,b8")
        assert game.scores == (15, -1)
        game.play("h1")
        assert game.is_over
        assert game.scores == (15, 20)
        assert list(game.winners) == [1]

    def test_the_two_conventions_differ_by_a_constant(self) -> None:
        """Minus the squares left, or the squares placed: never both in one table."""
        for seed in range(3):
            boards = []
            for scoring in ("basic", "placed"):
                board = bf.Board("classic", scoring=scoring)
                for move in board_after("classic", "assigned", seed, 1000).move_stack:
                    board.push(move)
                boards.append(board.color_scores())
            assert {placed - basic for basic, placed in zip(*boards, strict=True)} == {89}

    def test_a_draw_is_a_result_and_zero_is_a_score(self) -> None:
        variant = bf.Variant("draw", 8, ["A", "B"], [["a8"], ["h1"]], pieces=[["2"], ["2"]])
        game = bf.Game(variant, scoring="basic")
        game.play("a8,b8")
        assert game.outcome is None
        game.play("h1,g1")
        assert game.outcome is not None
        assert game.scores == (0, 0)
        assert list(game.winners) == [0, 1]

    def test_the_last_square_of_a_full_board_can_win(self) -> None:
        variant = bf.Variant(
            "full", 2, ["A", "B"], [["a2"], ["b2"]], pieces=[["1", "1"], ["1", "1", "2"]]
        )
        game = bf.Game(variant)
        for text in ("a2", "b2", "b1", "a1"):
            game.play(text)
        assert game.is_over
        assert (game.board.grid() >= 0).all()
        assert game.scores == (20, -2)
        assert list(game.winners) == [0]


class TestUndoCopyEquality:
    def test_a_monomino_taken_back_is_not_the_last_piece(self) -> None:
        variant = bf.Variant("two", 8, ["A"], [["a8"]], pieces=[["1", "2"]])
        board = play(bf.Board(variant), "a8,b8", "c7")
        assert board.color_scores() == (20,)
        board.pop()
        board.pop()
        play(board, "a8", "b7,c7")
        assert board.color_scores() == (15,)

    def test_playing_on_a_copy_leaves_the_original_alone(self) -> None:
        board = play(bf.Board("classic"), *CORNERS)
        before = snapshot(board)
        copy = board.copy()
        while not copy.is_game_over:
            copy.push(int(copy.legal_ids()[0]))
        assert snapshot(board) == before
        assert len(board.pieces_left(0)) == 20

    def test_new_boards_are_equal(self) -> None:
        assert bf.Board() == bf.Board()
        assert (bf.Board() != bf.Board()) is False
        with pytest.raises(TypeError):
            hash(bf.Board())

    def test_equality_is_more_than_equality_of_keys(self) -> None:
        """The same squares under another scoring rule are another game."""
        one, other = bf.Board("duo", scoring="advanced"), bf.Board("duo", scoring="reverse")
        assert one != other
        pushed = play(bf.Board("duo"), "e10")
        popped = pushed.copy()
        popped.pop()
        assert popped == bf.Board("duo")
        assert pushed != popped

    def test_moves_are_told_apart_in_dicts(self) -> None:
        board = bf.Board("duo")
        moves = {bf.Move(number, 14): number for number in board.legal_moves}
        assert len(moves) == 828
        assert all(int(move) == number for move, number in moves.items())

    def test_a_position_survives_json_and_pickle(self) -> None:
        board = board_after("classic", "assigned", 3, 21)
        text = json.dumps({"moves": [board.move_text(move) for move in board.move_stack]})
        again = play(bf.Board("classic"), *json.loads(text)["moves"])
        assert again == board
        unpickled = pickle.loads(pickle.dumps(board))
        assert unpickled == board
        assert unpickled.ply == 21
        assert unpickled.legal_ids().tolist() == board.legal_ids().tolist()
