"""Jesters by the book: Gifts in an attempt (S13, S22), and refusals (C3)."""

from __future__ import annotations

from engines.jesters import JESTERS, effects
from engines.jesters.components.catalogue import Extra, FameForColour, FameForSymbol, Opposite, Recolour, Reroll
from engines.jesters.events import (
    DicePainted,
    DiceRerolled,
    DieTurned,
    FameGained,
    GiftUsed,
    TaskCompleted,
    TechniqueAdded,
)
from engines.jesters.model import FAVORITE_TARGET, Die, State, UseGift
from engines.jesters.view import View
from tests.engines.jesters.positions import (
    asked_decision,
    attempt_dice_text,
    card_with,
    expect_refusal,
    favorite_with,
    gift_with,
    legal_notations,
    middle_dice_text,
    owned_dice_text,
    parse_position,
    performance_with,
    play_moves,
)

RED, BLUE, GREEN, PURPLE = range(4)
PAIR, BLUE_PAIR = performance_with("pair"), performance_with("pair, one blue")
OPPOSITE, PAINT, EXTRA, REROLL = (
    gift_with(Opposite(RED)),
    gift_with(Recolour(GREEN)),
    gift_with(Extra()),
    gift_with(Reroll()),
)


def table_view(state: State) -> View:
    """What everybody sees."""
    return JESTERS.view(state, None)


# --- S13: Gifts, once a round


def test_s13_a_gift_may_be_used_once_a_round() -> None:
    state = parse_position(f"gifts: {OPPOSITE} | perform: {PAIR} R1 R2")
    play_moves(state, f"gift {OPPOSITE} 1")
    assert table_view(state).used == (OPPOSITE,)
    assert legal_notations(state) == ["finish"]
    assert expect_refusal(state, f"gift {OPPOSITE} 2").reason == "You have already used this Gift in this round."


def test_s13_as_many_gifts_as_one_likes_in_one_attempt() -> None:
    blue = gift_with(Opposite(BLUE))
    state = parse_position(f"gifts: {OPPOSITE} {blue} | perform: {PAIR} R1 B2")
    play_moves(state, f"gift {blue} 2", f"gift {OPPOSITE} 1")
    assert attempt_dice_text(state) == "R6 B5"
    assert table_view(state).used == tuple(sorted((OPPOSITE, blue)))


def test_s13_only_ones_own_gifts() -> None:
    state = parse_position(f"gifts: / {OPPOSITE} | perform: {PAIR} R1 R2")
    assert legal_notations(state) == ["finish"]
    assert expect_refusal(state, f"gift {OPPOSITE} 1").reason == f"You do not have Gift {OPPOSITE}."


def test_s13_all_gifts_are_refreshed_at_the_end_of_the_round() -> None:
    state = parse_position(f"gifts: {OPPOSITE} {EXTRA} | used: {OPPOSITE} {EXTRA} | passed: 1 2")
    play_moves(state, "pass")
    assert table_view(state).used == ()
    assert table_view(state).gifts[0] == (OPPOSITE, EXTRA)


# --- S22: what Gifts do


def test_s22_a_gift_turns_a_die_of_its_colour_to_the_opposite_side() -> None:
    for colour, letter in enumerate("RBGP"):
        number = gift_with(Opposite(colour))
        state = parse_position(f"gifts: {number} | perform: {PAIR} R1 B2 G3 P4")
        assert legal_notations(state, "gift") == [f"gift {number} {colour + 1}"]
        assert play_moves(state, f"gift {number} {colour + 1}") == [
            DieTurned(seat=0, gift=number, die=colour + 1, before=colour + 1, face=6 - colour)
        ]
        assert attempt_dice_text(state).split()[colour] == f"{letter}{6 - colour}"


def test_s22_it_must_be_told_which_die() -> None:
    state = parse_position(f"gifts: {OPPOSITE} | perform: {PAIR} R1 B2")
    assert expect_refusal(state, f"gift {OPPOSITE}").reason == "Name the die to turn."
    assert expect_refusal(state, f"gift {OPPOSITE} 2").reason == "Die 2 is blue, but this only works on red dice."
    assert expect_refusal(state, f"gift {OPPOSITE} 3").reason == "There are dice 1 to 2."
    assert (
        expect_refusal(state, UseGift(OPPOSITE, die=1, colour=RED)).reason == "This Gift needs no colour, so name none."
    )


def test_s22_a_gift_changes_any_of_the_dice_to_one_colour() -> None:
    state = parse_position(f"gifts: {PAINT} | perform: {PAIR} R1 G2 P3")
    assert legal_notations(state, "gift") == [f"gift {PAINT}"]
    assert play_moves(state, f"gift {PAINT}") == [GiftUsed(seat=0, gift=PAINT)]
    assert asked_decision(state) == "mark"
    assert legal_notations(state) == ["mark 1", "mark 3"]
    assert expect_refusal(state, "mark 2").reason == "Die 2 is green already."
    assert expect_refusal(state, "paint").reason == "Mark at least one die."
    play_moves(state, "mark 3", "mark 1")
    assert legal_notations(state) == ["unmark 1", "unmark 3", "paint"]
    assert expect_refusal(state, "roll").reason == "Mark the dice whose colour should change, then paint them."
    assert play_moves(state, "paint") == [DicePainted(seat=0, dice=(1, 3), colour=GREEN)]
    assert attempt_dice_text(state) == "G1 G2 G3"
    assert table_view(state).used == (PAINT,)


def test_s22_not_where_all_dice_have_that_colour() -> None:
    state = parse_position(f"gifts: {PAINT} | perform: {PAIR} G1 G2")
    assert legal_notations(state) == ["finish"]
    assert expect_refusal(state, f"gift {PAINT}").reason == "All your dice are already green."


def test_s22_a_changed_colour_counts_for_manipulations_and_requirements() -> None:
    number, turned = card_with(bottom="±2 green"), gift_with(Opposite(GREEN))
    state = parse_position(
        f"gifts: {PAINT} {turned} | hands: {number} {card_with(bottom='±2 red')} | perform: {PAIR} R1 P3"
    )
    play_moves(state, f"gift {PAINT}", "mark 1", "paint")
    assert legal_notations(state, "spend") == [f"spend {number} 1 2", f"spend {number} 1 3"]
    assert legal_notations(state, "gift") == [f"gift {turned} 1"]
    blue, paint = performance_with("pair, one blue"), gift_with(Recolour(BLUE))
    state = parse_position(f"board: {blue} | gifts: {paint} | perform: {blue} R1 P1")
    play_moves(state, f"gift {paint}", "mark 2", "paint", "finish")
    assert table_view(state).completed[0] == (blue,)


def test_s22_dice_go_back_in_their_true_colour() -> None:
    state = parse_position(f"board: {PAIR} | gifts: {PAINT} | perform: {PAIR} R1 P1")
    play_moves(state, f"gift {PAINT}", "mark 1", "mark 2", "paint", "finish")
    assert owned_dice_text(state) == ""
    assert middle_dice_text(state) == "4 red 4 blue 4 green 4 purple"


def test_s22_a_changed_colour_lasts_for_the_attempt() -> None:
    state = parse_position(f"gifts: {PAINT} | perform: {PAIR} R1 P2 | passed: 1 2", rolls="3")
    play_moves(state, f"gift {PAINT}", "mark 1", "paint", "finish")
    assert owned_dice_text(state) == "red purple"
    play_moves(state, "perform favorite red")
    assert attempt_dice_text(state) == "R3"


def test_s22_a_die_rerolled_keeps_its_changed_colour() -> None:
    state = parse_position(f"hands: 1 | gifts: {PAINT} | perform: {PAIR} R1 P2", rolls="5")
    play_moves(state, f"gift {PAINT}", "mark 1", "paint", "reroll 1", "mark 1", "roll")
    assert attempt_dice_text(state) == "G5 P2"


def test_s22_an_extra_technique_of_a_colour_in_the_middle_is_rolled_at_once() -> None:
    state = parse_position(f"gifts: {EXTRA} | dice: / 4 blue | perform: {PAIR} R1 R2", rolls="6")
    assert legal_notations(state, "gift") == [f"gift {EXTRA} {colour}" for colour in ("red", "green", "purple")]
    assert expect_refusal(state, f"gift {EXTRA} blue").reason == "There is no blue Technique in the middle."
    assert expect_refusal(state, f"gift {EXTRA}").reason == "Name the colour of the extra Technique."
    assert expect_refusal(state, f"gift {EXTRA} 1").reason == "This Gift needs no die, so name none."
    assert play_moves(state, f"gift {EXTRA} purple") == [
        TechniqueAdded(seat=0, gift=EXTRA, die=3, colour=PURPLE, face=6)
    ]
    assert attempt_dice_text(state) == "R1 R2 P6"
    assert owned_dice_text(state) == "2 red purple"
    assert middle_dice_text(state) == "2 red 4 green 3 purple"


def test_s22_an_extra_technique_is_kept_on_failure_and_returned_on_success() -> None:
    for face, left in ((6, "2 red purple"), (1, "")):
        state = parse_position(f"board: {PAIR} | gifts: {EXTRA} | perform: {PAIR} R1 R2", rolls=str(face))
        play_moves(state, f"gift {EXTRA} purple", "finish")
        assert owned_dice_text(state) == left


def test_s22_a_gift_rolls_all_dice_again() -> None:
    state = parse_position(f"gifts: {REROLL} | perform: {PAIR} R1 G2 P3", rolls="6 5 4")
    rolled = DiceRerolled(seat=0, dice=(1, 2, 3), faces=(6, 5, 4))
    assert play_moves(state, f"gift {REROLL}") == [GiftUsed(seat=0, gift=REROLL), rolled]
    assert asked_decision(state) == "attempt"
    assert attempt_dice_text(state) == "R6 G5 P4"
    assert expect_refusal(state, f"gift {REROLL}").rule == "S13"


def test_s22_fame_gifts_are_used_by_themselves_on_the_first_success_that_meets_them() -> None:
    number = gift_with(FameForColour(BLUE))
    state = parse_position(f"board: {BLUE_PAIR} | gifts: {number} | perform: {BLUE_PAIR} B1 R1")
    assert legal_notations(state) == ["finish"]
    assert expect_refusal(state, f"gift {number}").reason == "This Gift gives its Fame automatically."
    events = play_moves(state, "finish")
    assert events[0] == TaskCompleted(seat=0, target=BLUE_PAIR, dice=(Die(1, 1, 1), Die(0, 0, 1)))
    assert events[1] == FameGained(seat=0, gift=number, fame=2)
    assert table_view(state).fame == (2, 0, 0)
    assert table_view(state).used == (number,)


def test_s22_each_fame_gift_once_a_round() -> None:
    number = gift_with(FameForColour(BLUE))
    state = parse_position(f"board: {BLUE_PAIR} | gifts: {number} | used: {number} | perform: {BLUE_PAIR} B1 R1")
    play_moves(state, "finish")
    assert table_view(state).fame == (0, 0, 0)


def test_s22_not_on_a_failure_and_not_for_others() -> None:
    number = gift_with(FameForColour(BLUE))
    state = parse_position(f"board: {BLUE_PAIR} | gifts: {number} | perform: {BLUE_PAIR} R1 B2")
    play_moves(state, "finish")
    assert table_view(state).fame == (0, 0, 0)
    state = parse_position(f"board: {BLUE_PAIR} | gifts: / {number} | perform: {BLUE_PAIR} R1 B1")
    play_moves(state, "finish")
    assert table_view(state).fame == (0, 0, 0)


def test_s22_using_a_colour_is_completing_what_asks_for_it() -> None:
    for colour, task, dice, fame in (
        (BLUE, BLUE_PAIR, "R1 B1", 2),
        (RED, BLUE_PAIR, "R1 B1", 0),
        (RED, PAIR, "R1 R1", 0),
    ):
        state = parse_position(f"board: {task} | gifts: {gift_with(FameForColour(colour))} | perform: {task} {dice}")
        play_moves(state, "finish")
        assert table_view(state).fame[0] == fame


def test_s22_one_fame_for_completing_with_a_die_that_a_gift_has_painted() -> None:
    for marked, fame in (("mark 1", 1), ("mark 3", 1)):  # needed or not, like any die
        state = parse_position(f"board: {PAIR} | gifts: {PAINT} | perform: {PAIR} R1 R1 B5")
        events = play_moves(state, f"gift {PAINT}", marked, "paint", "finish")
        assert FameGained(seat=0, gift=PAINT, fame=1) in events
        assert table_view(state).fame == (fame, 0, 0)
        assert table_view(state).used == (PAINT,)


def test_s22_no_fame_for_painting_in_a_failure_nor_in_a_later_attempt_nor_for_dice_of_that_colour() -> None:
    state = parse_position(f"board: {PAIR} 1 2 3 | gifts: {PAINT} | perform: {PAIR} R1 P2", rolls="3 3")
    play_moves(state, f"gift {PAINT}", "mark 1", "paint", "finish")
    assert table_view(state).fame == (0, 0, 0)
    play_moves(state, "pass", "pass", f"perform {PAIR} red purple", "finish")
    assert table_view(state).completed[0] == (PAIR,)
    assert table_view(state).fame == (0, 0, 0)
    state = parse_position(f"board: {PAIR} | gifts: {PAINT} | perform: {PAIR} G1 G1")
    play_moves(state, "finish")
    assert table_view(state).fame == (0, 0, 0)


def test_s22_two_fame_for_a_performance_of_the_gifts_symbol() -> None:
    symbols = effects.task(PAIR, 1).symbols
    for symbol in range(10):
        state = parse_position(f"board: {PAIR} | gifts: {gift_with(FameForSymbol(symbol))} | perform: {PAIR} R1 R1")
        play_moves(state, "finish")
        assert table_view(state).fame[0] == (2 if symbol in symbols else 0)


def test_s22_several_fame_gifts_each_give_their_fame() -> None:
    numbers = [
        gift_with(FameForColour(RED)),
        gift_with(FameForColour(BLUE)),
        gift_with(FameForSymbol(effects.task(BLUE_PAIR, 1).symbols[0])),
        gift_with(FameForSymbol(effects.task(BLUE_PAIR, 1).symbols[1])),
    ]
    owned = " ".join(map(str, numbers))
    state = parse_position(f"board: {BLUE_PAIR} | gifts: {owned} | fame: 2 | perform: {BLUE_PAIR} R1 B1")
    play_moves(state, "finish")
    assert table_view(state).fame[0] == 8


def test_s22_fame_gifts_work_at_the_favorite_too() -> None:
    number = favorite_with("sum >= 9")
    symbols = effects.task(FAVORITE_TARGET, number).symbols
    for symbol in range(10):
        state = parse_position(
            f"favorite: {number} | gifts: {gift_with(FameForSymbol(symbol))} | perform: favorite R6 R6"
        )
        play_moves(state, "finish")
        assert table_view(state).fame[0] == 2 * (symbol in symbols)
    coloured = favorite_with("2 dice sum <= 5, one green")
    for colour in range(4):
        state = parse_position(
            f"favorite: {coloured} | gifts: {gift_with(FameForColour(colour))} | perform: favorite R1 G1"
        )
        play_moves(state, "finish")
        assert table_view(state).fame[0] == 2 * (colour == GREEN)
