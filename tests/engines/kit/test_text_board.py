"""What text boards are made of; the boards themselves are held by laws."""

from __future__ import annotations

from engines.kit.text_board import WIDTH, board, label_by_seat, labeled_line, seat_table, table, title_line


def test_a_title_says_whose_view_it_is() -> None:
    assert title_line("Wizard", "round 1", "", seat=1) == "Wizard, round 1, seen by B"
    assert title_line("Wizard", seat=None) == "Wizard, seen by a spectator"


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    assert table(("", "bid", "cards"), [("A", "10", "10H"), ("B", "-", "2")]) == [
        "   bid  cards",
        "A   10  10H",
        "B    -  2",
    ]


def test_awaited_players_are_marked() -> None:
    assert seat_table(("points",), [["5"], ["-10"], ["0"]], (0, 2)) == [
        "     points",
        "> A       5",
        "  B     -10",
        "> C       0",
    ]


def test_a_long_line_goes_on_below_and_tears_no_thing_apart() -> None:
    rows = labeled_line("taken", ["A takes B up 10H"] * 12, between=", ")
    assert len(rows) == 3
    assert all(len(row) <= WIDTH for row in rows)
    assert [row[:6] for row in rows] == ["taken:", "    A ", "    A "]
    assert rows[0].endswith(" 10H,")
    assert rows[-1].endswith(" 10H")


def test_a_missing_thing_has_a_sign() -> None:
    assert labeled_line("hand", []) == ["hand: -"]


def test_things_of_seats_are_named_by_letters() -> None:
    assert label_by_seat(["2H", "jester"]) == ["A 2H", "B jester"]


def test_a_board_has_no_empty_lines_and_no_ends_of_spaces() -> None:
    assert board("one  ", (), ["two", "", "three "], "") == "one\ntwo\nthree"
