"""Jesters by the book: an attempt, Jest cards and Gifts in it (S7, S8, S13, S22), and what refusals say (C3)."""

from __future__ import annotations

import pytest

from engines.jesters import JESTERS, effects
from engines.jesters import events as event_types
from engines.jesters.components.catalogue import Extra, FameForColour, FameForSymbol, Opposite, Recolour, Reroll
from engines.jesters.model import FAVORITE_TARGET, Die, UseGift
from tests.engines.jesters import positions

RED, BLUE, GREEN, PURPLE = range(4)
PAIR, BLUE_PAIR = positions.performance_with("pair"), positions.performance_with("pair, one blue")
OPPOSITE, PAINT = positions.gift_with(Opposite(RED)), positions.gift_with(Recolour(GREEN))
EXTRA, REROLL = positions.gift_with(Extra()), positions.gift_with(Reroll())
BLUE_FAME = positions.gift_with(FameForColour(BLUE))
ALL_DICE = "4 red 4 blue 4 green 4 purple"
ANY_BY_ONE = positions.card_with(bottom="±1 any")


def test_s7_the_techniques_named_are_rolled_openly() -> None:
    state = positions.parse_position(f"dice: 3 red blue purple | board: {PAIR} 1", rolls="3 5 6")
    dice = (Die(RED, RED, 3), Die(RED, RED, 5), Die(PURPLE, PURPLE, 6))
    assert positions.play_moves(state, f"perform {PAIR} 2 red purple") == [
        event_types.AttemptStarted(seat=0, target=PAIR, dice=dice)
    ]
    assert positions.attempt_dice_text(state) == "R3 R5 P6"
    assert positions.asked_decision(state) == "attempt"
    assert positions.seat_to_act(state) == 0
    assert positions.owned_dice_text(state) == "3 red blue purple"  # they stay one's own while they lie there
    state = positions.parse_position("dice: red", rolls="2")
    started = event_types.AttemptStarted(seat=0, target=FAVORITE_TARGET, dice=(Die(RED, RED, 2),))
    assert positions.play_moves(state, "perform favorite red") == [started]


def test_s7_a_jest_card_may_be_spent_for_its_bottom_half_on_one_die_that_matches_it() -> None:
    number = positions.card_with(bottom="±2 red")
    state = positions.parse_position(f"hands: {number} | perform: {PAIR} R3 B3 R4")
    moves = [f"spend {number} {die} {face}" for die, faces in ((1, "1245"), (3, "2356")) for face in faces]
    assert positions.legal_notations(state, "spend") == moves
    assert positions.refusal_reason(state, f"spend {number} 2 4") == "Die 2 is blue, but this only works on red dice."
    assert positions.play_moves(state, f"spend {number} 3 2") == [
        event_types.CardSpent(seat=0, card=number, die=3, before=4, face=2)
    ]
    assert positions.attempt_dice_text(state) == "R3 B3 R2"
    assert positions.table_view(state).discard == (number,)
    assert JESTERS.view(state, 0).hand == ()
    assert positions.asked_decision(state) == "attempt"
    assert positions.seat_to_act(state) == 0


@pytest.mark.parametrize("bottom", ["±1 any", "±2 red", "±3 red", "turn red"])
@pytest.mark.parametrize("face", range(1, 7))
def test_s7_s8_a_die_is_changed_by_up_to_so_much_within_1_to_6_or_turned_over(bottom: str, face: int) -> None:
    number = positions.card_with(bottom=bottom)
    state = positions.parse_position(f"hands: {number} | perform: {PAIR} R{face} B1 R1")
    if bottom == "turn red":
        moves = [f"{number} 1 {7 - face}", f"{number} 3 6"]
    else:
        dice = ((1, face), (2, 1), (3, 1)) if bottom == "±1 any" else ((1, face), (3, 1))
        amount = int(bottom[1])
        moves = [f"{number} {die} {to}" for die, own in dice for to in range(1, 7) if 0 < abs(to - own) <= amount]
    assert positions.legal_notations(state, "spend") == [f"spend {way}" for way in moves]


def test_s8_a_die_cannot_be_changed_to_anything_else() -> None:
    number = positions.card_with(bottom="±3 red")
    state = positions.parse_position(f"hands: {number} | perform: {PAIR} R5")
    for face in (0, 1, 5, 7, 8):
        refusal = positions.expect_refusal(state, f"spend {number} 1 {face}")
        assert refusal.rule == "S8"
        assert refusal.reason == "Die 1 shows 5. With this card you can make it show 2 or 3 or 4 or 6."


def test_s7_only_cards_of_ones_own_hand_and_dice_of_the_attempt_may_be_used() -> None:
    state = positions.parse_position(f"hands: {ANY_BY_ONE} / 50 | perform: {PAIR} R1 B2")
    for move in ("spend 50 1 2", "reroll 50"):
        assert positions.refusal_reason(state, move) == "You do not have Jest card 50."
    for die in (0, 3):
        assert positions.refusal_reason(state, f"spend {ANY_BY_ONE} {die} 2") == "There are dice 1 to 2."
    one = positions.parse_position(f"hands: {ANY_BY_ONE} | perform: {PAIR} R1")
    assert positions.refusal_reason(one, f"spend {ANY_BY_ONE} 2 2") == "There is only die 1."


def test_s7_any_jest_card_may_be_discarded_for_a_reroll_of_any_dice() -> None:
    number = positions.card_with(bottom="±3 purple")
    state = positions.parse_position(f"hands: {number} | perform: {PAIR} R1 B2 G3", rolls="6 5")
    assert f"reroll {number}" in positions.legal_notations(state)
    assert positions.play_moves(state, f"reroll {number}") == [event_types.RerollBought(seat=0, card=number)]
    assert positions.asked_decision(state) == "mark"
    assert positions.table_view(state).discard == (number,)
    assert positions.legal_notations(state) == ["mark 1", "mark 2", "mark 3"]
    assert positions.refusal_reason(state, "roll") == "Mark at least one die."
    assert positions.play_moves(state, "mark 3") == [event_types.DieMarked(seat=0, die=3, marked=True)]
    assert positions.legal_notations(state) == ["mark 1", "mark 2", "unmark 3", "roll"]
    assert positions.play_moves(state, "mark 1", "mark 2", "unmark 2")[-1] == event_types.DieMarked(
        seat=0, die=2, marked=False
    )
    attempt = positions.table_view(state).attempt
    assert attempt is not None
    assert (attempt.marked, attempt.marking) == ((1, 3), 0)
    assert positions.play_moves(state, "roll") == [event_types.DiceRerolled(seat=0, dice=(1, 3), faces=(6, 5))]
    assert positions.attempt_dice_text(state) == "R6 B2 G5"
    assert positions.asked_decision(state) == "attempt"


def test_s7_marks_are_for_the_dice_there_are_and_for_nothing_else() -> None:
    number = positions.card_with("red")
    start = f"hands: {number} 1 | gifts: {OPPOSITE} | perform: {PAIR} R1 B2"
    state = positions.position_after(start, f"reroll {number}", "mark 1")
    assert positions.refusal_reason(state, "mark 1") == "Die 1 is already marked."
    assert positions.refusal_reason(state, "unmark 2") == "Die 2 is not marked."
    assert (
        positions.refusal_reason(state, "mark 3")
        == positions.refusal_reason(state, "mark 0")
        == "There are dice 1 to 2."
    )
    for move in ("finish", "spend 1 1 2", f"gift {OPPOSITE} 1", "paint", "pass", "learn 1", "keep 1"):
        assert positions.refusal_reason(state, move) == "Mark the dice to reroll, then roll them."


def test_s7_in_an_attempt_nothing_else_may_be_done() -> None:
    state = positions.parse_position(f"hands: 1 | dice: red | perform: {PAIR} R1 B2")
    for move in ("learn 1", f"perform {PAIR} red", "pass", "mark 1", "roll", "paint", "keep 1"):
        assert positions.refusal_reason(state, move) == "You have rolled your dice. Change them, or finish the attempt."


def test_s7_it_is_finished_by_choice_and_never_by_itself() -> None:
    state = positions.position_after(f"dice: 2 red | board: {PAIR}", f"perform {PAIR} 2 red", rolls="3 3")
    assert positions.asked_decision(state) == "attempt"
    assert positions.legal_notations(state) == ["finish"]
    state = positions.position_after(
        f"hands: {ANY_BY_ONE} | perform: {PAIR} R2 B3", "finish"
    )  # with a card left to try
    assert positions.table_view(state).failures == (1, 0, 0)


@pytest.mark.parametrize(
    ("task", "dice", "succeeds"),
    [
        (PAIR, "R2 B2", True),
        (PAIR, "R2 B3 G2", True),  # further dice do no harm
        (PAIR, "R2 B3", False),
        (PAIR, "R2", False),
        (BLUE_PAIR, "R2 B2", True),
        (BLUE_PAIR, "R2 G2 B3", False),  # the blue die is not of the pair
    ],
)
def test_s7_it_succeeds_when_some_of_the_dice_meet_the_requirement(task: int, dice: str, succeeds: bool) -> None:
    state = positions.position_after(f"board: {task} | perform: {task} {dice}", "finish")
    assert positions.table_view(state).failures[0] == (not succeeds)
    assert positions.table_view(state).completed[0] == ((task,) if succeeds else ())


def test_s13_a_gift_may_be_used_once_a_round_and_as_many_as_one_likes() -> None:
    blue = positions.gift_with(Opposite(BLUE))
    start = f"gifts: {OPPOSITE} {blue} / {REROLL} | perform: {PAIR} R1 B2 R2"
    state = positions.position_after(start, f"gift {blue} 2", f"gift {OPPOSITE} 1")
    assert positions.attempt_dice_text(state) == "R6 B5 R2"
    assert positions.table_view(state).used == tuple(sorted((OPPOSITE, blue)))
    assert positions.legal_notations(state) == ["finish"]
    assert positions.refusal_reason(state, f"gift {OPPOSITE} 3") == "You have already used this Gift in this round."
    assert positions.refusal_reason(state, f"gift {REROLL}") == f"You do not have Gift {REROLL}."


@pytest.mark.parametrize("colour", range(4))
def test_s22_a_gift_turns_a_die_of_its_colour_to_the_opposite_side(colour: int) -> None:
    number, die = positions.gift_with(Opposite(colour)), colour + 1
    state = positions.parse_position(f"gifts: {number} | perform: {PAIR} R1 B2 G3 P4")
    assert positions.legal_notations(state, "gift") == [f"gift {number} {die}"]
    event = event_types.DieTurned(seat=0, gift=number, die=die, before=die, face=7 - die)
    assert positions.play_moves(state, f"gift {number} {die}") == [event]
    assert positions.attempt_dice_text(state).split()[colour] == f"{'RBGP'[colour]}{7 - die}"


def test_s22_it_must_be_told_which_die() -> None:
    state = positions.parse_position(f"gifts: {OPPOSITE} | perform: {PAIR} R1 B2")
    for move, reason in (
        (f"gift {OPPOSITE}", "Name the die to turn."),
        (f"gift {OPPOSITE} 2", "Die 2 is blue, but this only works on red dice."),
        (f"gift {OPPOSITE} 3", "There are dice 1 to 2."),
        (UseGift(OPPOSITE, die=1, colour=RED), "This Gift needs no colour, so do not name one."),
    ):
        assert positions.refusal_reason(state, move) == reason


def test_s22_a_gift_changes_any_of_the_dice_to_one_colour() -> None:
    state = positions.parse_position(f"gifts: {PAINT} | perform: {PAIR} R1 G2 P3")
    assert positions.legal_notations(state, "gift") == [f"gift {PAINT}"]
    assert positions.play_moves(state, f"gift {PAINT}") == [event_types.GiftUsed(seat=0, gift=PAINT)]
    assert positions.asked_decision(state) == "mark"
    assert positions.legal_notations(state) == ["mark 1", "mark 3"]
    assert positions.refusal_reason(state, "mark 2") == "Die 2 is green already."
    assert positions.refusal_reason(state, "paint") == "Mark at least one die."
    positions.play_moves(state, "mark 3", "mark 1")
    assert positions.legal_notations(state) == ["unmark 1", "unmark 3", "paint"]
    assert positions.refusal_reason(state, "roll") == "Mark the dice whose colour should change, then paint them."
    assert positions.play_moves(state, "paint") == [event_types.DicePainted(seat=0, dice=(1, 3), colour=GREEN)]
    assert positions.attempt_dice_text(state) == "G1 G2 G3"
    assert positions.table_view(state).used == (PAINT,)
    state = positions.parse_position(f"gifts: {PAINT} | perform: {PAIR} G1 G2")
    assert positions.legal_notations(state) == ["finish"]
    assert positions.refusal_reason(state, f"gift {PAINT}") == "All your dice are already green."


def test_s22_a_changed_colour_counts_for_manipulations_and_requirements() -> None:
    number, gift = positions.card_with(bottom="±2 green"), positions.gift_with(Opposite(GREEN))
    cards = f"gifts: {PAINT} {gift} | hands: {number} {positions.card_with(bottom='±2 red')}"
    state = positions.position_after(f"{cards} | perform: {PAIR} R1 P3", f"gift {PAINT}", "mark 1", "paint")
    assert positions.legal_notations(state, "spend") == [f"spend {number} 1 2", f"spend {number} 1 3"]
    assert positions.legal_notations(state, "gift") == [f"gift {gift} 1"]
    paint = positions.gift_with(Recolour(BLUE))
    start = f"board: {BLUE_PAIR} | gifts: {paint} | perform: {BLUE_PAIR} R1 P1"
    state = positions.position_after(start, f"gift {paint}", "mark 2", "paint", "finish")
    assert positions.table_view(state).completed[0] == (BLUE_PAIR,)
    assert positions.middle_dice_text(state) == ALL_DICE  # dice go back in their true colour


def test_s22_a_changed_colour_lasts_for_the_attempt_and_rerolls_in_it() -> None:
    start = f"hands: 1 | gifts: {PAINT} | perform: {PAIR} R1 P2 | passed: 1 2"
    state = positions.position_after(
        start, f"gift {PAINT}", "mark 1", "paint", "reroll 1", "mark 1", "roll", rolls="5 3"
    )
    assert positions.attempt_dice_text(state) == "G5 P2"
    positions.play_moves(state, "finish")
    assert positions.owned_dice_text(state) == "red purple"
    positions.play_moves(state, "perform favorite red")
    assert positions.attempt_dice_text(state) == "R3"


def test_s22_an_extra_technique_of_a_colour_in_the_middle_is_rolled_at_once() -> None:
    start = f"board: {PAIR} | gifts: {EXTRA} | dice: / 4 blue | perform: {PAIR} R1 R2"
    state = positions.parse_position(start, rolls="6")
    assert positions.legal_notations(state, "gift") == [
        f"gift {EXTRA} {colour}" for colour in ("red", "green", "purple")
    ]
    assert positions.refusal_reason(state, f"gift {EXTRA} blue") == "There is no blue Technique in the middle."
    assert positions.refusal_reason(state, f"gift {EXTRA}") == "Name the colour of the extra Technique."
    assert positions.refusal_reason(state, f"gift {EXTRA} 1") == "This Gift needs no die, so do not name one."
    added = event_types.TechniqueAdded(seat=0, gift=EXTRA, die=3, colour=PURPLE, face=6)
    assert positions.play_moves(state, f"gift {EXTRA} purple") == [added]
    assert positions.attempt_dice_text(state) == "R1 R2 P6"
    assert positions.owned_dice_text(state) == "2 red purple"
    assert positions.middle_dice_text(state) == "2 red 4 green 3 purple"
    for face, left in ((6, "2 red purple"), (1, "")):  # kept on failure, and returned on success
        state = positions.position_after(start, f"gift {EXTRA} purple", "finish", rolls=str(face))
        assert positions.owned_dice_text(state) == left


def test_s22_a_gift_rolls_all_dice_again() -> None:
    state = positions.parse_position(f"gifts: {REROLL} | perform: {PAIR} R1 G2 P3", rolls="6 5 4")
    rolled = event_types.DiceRerolled(seat=0, dice=(1, 2, 3), faces=(6, 5, 4))
    assert positions.play_moves(state, f"gift {REROLL}") == [event_types.GiftUsed(seat=0, gift=REROLL), rolled]
    assert positions.asked_decision(state) == "attempt"
    assert positions.attempt_dice_text(state) == "R6 G5 P4"
    assert positions.expect_refusal(state, f"gift {REROLL}").rule == "S13"


def test_s22_fame_gifts_are_used_by_themselves_on_the_first_success_that_meets_them() -> None:
    state = positions.parse_position(f"board: {BLUE_PAIR} | gifts: {BLUE_FAME} | perform: {BLUE_PAIR} B1 R1")
    assert positions.legal_notations(state) == ["finish"]
    assert positions.refusal_reason(state, f"gift {BLUE_FAME}") == "This Gift gives its Fame automatically."
    events = positions.play_moves(state, "finish")
    assert events[0] == event_types.TaskCompleted(seat=0, target=BLUE_PAIR, dice=(Die(1, 1, 1), Die(0, 0, 1)))
    assert events[1] == event_types.FameGained(seat=0, gift=BLUE_FAME, fame=2)
    assert positions.table_view(state).fame == (2, 0, 0)
    assert positions.table_view(state).used == (BLUE_FAME,)


@pytest.mark.parametrize(
    ("task", "dice", "gifts"),
    [
        (BLUE_PAIR, "B1 R1", f"{BLUE_FAME} | used: {BLUE_FAME}"),  # once a round
        (BLUE_PAIR, "R1 B2", f"{BLUE_FAME}"),  # not on a failure
        (BLUE_PAIR, "R1 B1", f"/ {BLUE_FAME}"),  # not for others
        (PAIR, "R1 R1", f"{positions.gift_with(FameForColour(RED))}"),  # a colour that is not asked for
        (PAIR, "G1 G1", f"{PAINT}"),  # no die was painted
    ],
)
def test_s22_some_gifts_bring_no_fame(task: int, dice: str, gifts: str) -> None:
    state = positions.position_after(f"board: {task} | gifts: {gifts} | perform: {task} {dice}", "finish")
    assert positions.table_view(state).fame == (0, 0, 0)


@pytest.mark.parametrize("die", [1, 3])  # needed or not, like any die
def test_s22_one_fame_for_completing_with_a_die_that_a_gift_has_painted(die: int) -> None:
    state = positions.parse_position(f"board: {PAIR} | gifts: {PAINT} | perform: {PAIR} R1 R1 B5")
    events = positions.play_moves(state, f"gift {PAINT}", f"mark {die}", "paint", "finish")
    assert event_types.FameGained(seat=0, gift=PAINT, fame=1) in events
    assert positions.table_view(state).fame == (1, 0, 0)
    assert positions.table_view(state).used == (PAINT,)


def test_s22_no_fame_for_painting_in_a_failure_nor_in_a_later_attempt() -> None:
    start = f"board: {PAIR} 1 2 3 | gifts: {PAINT} | perform: {PAIR} R1 P2"
    state = positions.position_after(start, f"gift {PAINT}", "mark 1", "paint", "finish", rolls="3 3")
    assert positions.table_view(state).fame == (0, 0, 0)
    positions.play_moves(state, "pass", "pass", f"perform {PAIR} red purple", "finish")
    assert positions.table_view(state).completed[0] == (PAIR,)
    assert positions.table_view(state).fame == (0, 0, 0)


def test_s22_two_fame_for_every_gift_whose_symbol_or_colour_the_task_has() -> None:
    six, coloured = positions.favorite_with("sum >= 9"), positions.favorite_with("2 dice sum <= 5, one green")
    for task, favorite, place in (
        (PAIR, 1, f"board: {PAIR} | perform: {PAIR} R1 R1"),
        (FAVORITE_TARGET, six, f"favorite: {six} | perform: favorite R6 R6"),
        (FAVORITE_TARGET, coloured, f"favorite: {coloured} | perform: favorite R1 G1"),
    ):
        found, owners = effects.task(task, favorite), {GREEN} if favorite == coloured else set()
        for number in range(10):
            state = positions.position_after(f"{place} | gifts: {positions.gift_with(FameForSymbol(number))}", "finish")
            assert positions.table_view(state).fame[0] == 2 * (number in found.symbols)
        for number in range(4):
            state = positions.position_after(f"{place} | gifts: {positions.gift_with(FameForColour(number))}", "finish")
            assert positions.table_view(state).fame[0] == 2 * (number in owners)
    symbols = (positions.gift_with(FameForSymbol(symbol)) for symbol in effects.task(BLUE_PAIR, 1).symbols)
    owned = " ".join(map(str, (positions.gift_with(FameForColour(RED)), BLUE_FAME, *symbols)))
    state = positions.position_after(
        f"board: {BLUE_PAIR} | gifts: {owned} | fame: 2 | perform: {BLUE_PAIR} R1 B1", "finish"
    )
    assert positions.table_view(state).fame[0] == 8  # three of them
