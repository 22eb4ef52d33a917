"""Jesters' screens, beyond the laws: how what is offered is called, ordered and asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from cogs.jesters.choices import dice, tasks
from cogs.jesters.front import FRONT
from cogs.screens.screen import Button, Buttons, Control, Picks, Select, Step, Steps
from engines.game import IllegalMove
from engines.jesters import JESTERS, components
from engines.jesters.components import Extra, Opposite, Recolour
from engines.jesters.model import Perform, State
from tests.cogs.jesters.states import (
    context,
    hand,
    whole_match,
)
from tests.engines.jesters.positions import card, gift, legal, performance, play, position

OPTIONS, LABEL, PLACEHOLDER, DESCRIPTION, VALUE = 25, 80, 150, 100, 100
LONGEST = 100 - len("m:abcd2345:999999:")
SEATS = [2, 3, 4]


def walk(controls: Sequence[Control]) -> Iterator[Control]:
    """Every control, those of steps, too."""
    for control in controls:
        yield control
        if isinstance(control, Steps):
            for step in control.steps:
                yield from walk(step.controls)


def buttons(controls: Sequence[Control]) -> list[Button]:
    return [button for control in walk(controls) if isinstance(control, Buttons) for button in control.buttons]


def offered(controls: Sequence[Control]) -> list[str]:
    """The moves of buttons and lists, picks apart."""
    lists = [option.move for control in walk(controls) if isinstance(control, Select) for option in control.options]
    return [*(button.move for button in buttons(controls)), *lists]


def steps(controls: Sequence[Control]) -> Iterator[Step]:
    return (step for control in walk(controls) if isinstance(control, Steps) for step in control.steps)


def check_limits(controls: Sequence[Control]) -> None:
    for control in walk(controls):
        match control:
            case Buttons(found):
                assert found
                assert all(1 <= len(button.label) <= LABEL and len(button.move) <= LONGEST for button in found)
                assert len({button.label for button in found}) == len(found)
            case Select(placeholder, options):
                assert options
                assert len(placeholder) <= PLACEHOLDER - len(" (1 of 9)")
                assert all(1 <= len(option.label) <= LABEL and len(option.move) <= VALUE for option in options)
                assert all(len(option.description or "") <= DESCRIPTION for option in options)
                assert len({option.label for option in options}) == len(options)
            case Picks():
                assert 1 <= control.least <= control.most <= len(control.picks) <= OPTIONS
            case Steps(placeholder, found_steps):
                assert 1 <= len(found_steps) <= OPTIONS
                assert len({step.key for step in found_steps}) == len(found_steps)
                assert all(1 <= len(step.label) <= LABEL for step in found_steps)
                assert all(len(step.description or "") <= DESCRIPTION for step in found_steps)


# Turns


def test_s6_a_card_without_a_choice_is_one_line_and_any_colour_is_chosen_in_a_step() -> None:
    plain, free = card("red blue"), card("red any")
    state = position(f"hands: {plain} {free} | dice: / red blue")
    learn, choose_colour, *_ = hand(state, 0).controls
    assert isinstance(learn, Select)
    assert [(option.move, option.description) for option in learn.options] == [
        (f"learn {plain}", "takes 1 red, 1 blue")
    ]
    assert isinstance(choose_colour, Steps)
    (step,) = choose_colour.steps
    (colours,) = step.controls
    assert isinstance(colours, Select)
    assert len(colours.options) == 4
    assert "takes 1 red, 1 purple" in [option.label for option in colours.options]


def test_s7_every_performance_can_be_chosen_with_its_chance_and_all_dice() -> None:
    pair = performance("pair, one blue")
    state = position(f"dice: red 2 blue | board: {pair} 1 2 3")
    step = next(step for step in steps(hand(state, 0).controls) if step.key == str(pair))
    fame = components.performance(pair).fame
    assert step.description == f"{fame} Fame · a pair, one of them blue · 44 %"
    assert "As they fall: 2 dice 17 %, 3 dice 44 %" in step.said
    assert [button.move for button in buttons(step.controls)] == [
        f"perform {pair} 2 blue",
        f"perform {pair} red 2 blue",
    ]
    (picks,) = [control for control in step.controls if isinstance(control, Picks)]
    assert [pick.token for pick in picks.picks] == ["red", "blue", "blue"]
    assert not picks.ordered


def test_s7_with_more_dice_than_it_takes_the_natural_number_is_offered_the_fitting_colours_first() -> None:
    pair = performance("pair, one blue")
    state = position(f"dice: 2 red blue green purple | board: {pair} 1 2 3")
    step = next(step for step in steps(hand(state, 0).controls) if step.key == str(pair))
    assert [button.move for button in buttons(step.controls)] == [
        f"perform {pair} red blue",
        f"perform {pair} 2 red blue green purple",
    ]


def test_s10_the_favorite_is_offered_once_a_round() -> None:
    for done, expected in (("", True), ("0", False)):
        keys = [step.key for step in steps(hand(position(f"dice: red | done: {done}"), 0).controls)]
        assert ("f" in keys) is expected


def test_s12_passing_is_asked_for_unless_nothing_else_is_left() -> None:
    def question(line: str) -> str | None:
        return next(b.confirm for b in buttons(hand(position(line), 0).controls) if b.move == "pass")

    asked = question("dice: 2 red blue")
    assert asked is not None
    assert "2 red, 1 blue" in asked
    assert "first player card" in asked
    assert "first player card" not in (question("dice: red | passed: 1") or "")
    assert question("") is None


# Attempts


def spends(state: State) -> list[tuple[str, str | None]]:
    """What the first card can do, as it is offered: the die and its face, and what that does."""
    step = next(iter(steps(hand(state, 0).controls)))
    (ways,) = step.controls
    assert isinstance(ways, Select)
    return [(option.label, option.description) for option in ways.options]


def test_s8_what_meets_the_requirement_stands_first_then_what_brings_it_closer() -> None:
    state = position(f"perform: {performance('pair, one blue')} R4 B3 | hands: {card(bottom='±1 any')}")
    assert spends(state) == [
        ("die 1, red 4 to 3", "meets it"),
        ("die 2, blue 3 to 4", "meets it"),
        ("die 1, red 4 to 5", None),
        ("die 2, blue 3 to 2", None),
    ]
    state = position(f"perform: {performance('sum >= 9')} R3 B3 | hands: {card(bottom='±1 any')}")
    assert spends(state)[0] == ("die 1, red 3 to 4", "brings it closer")


def test_with_many_dice_the_die_is_a_step_of_its_own() -> None:
    many = " ".join(["R3"] * 5 + ["B3"] * 5 + ["G3"] * 3)
    line = f"seats: 4 | perform: {performance('3 different')} {many} | hands: {card(bottom='±1 any')}"
    state = position(line)
    (cards, *_) = hand(state, 0).controls
    assert isinstance(cards, Steps)
    (which,) = cards.steps[0].controls
    assert isinstance(which, Steps)
    assert [step.label for step in which.steps][4:6] == ["die 5, red 3", "die 6, blue 3"]
    assert [button.label for button in buttons(which.steps[0].controls)] == ["to 2", "to 4"]


def finish(state: State) -> Button:
    return next(button for button in buttons(hand(state, 0).controls) if button.move == "finish")


@pytest.mark.parametrize(
    ("line", "label", "asked"),
    [
        ("R4 B4", "Finish: a success", False),
        ("R4 B3", "Finish: a failure", True),
        ("R4 B3 | hands: ", "Finish: a failure", False),
        (f"R4 B3 | hands: | gifts: {gift(Extra())}", "Finish: a failure", True),
    ],
)
def test_s7_a_failure_that_could_still_be_averted_is_asked_for(line: str, label: str, asked: bool) -> None:
    cards = "" if "hands" in line else " | hands: 1 2"
    button = finish(position(f"perform: {performance('pair, one blue')} {line}{cards}"))
    assert button.label == label
    assert (button.confirm is not None) is asked


def test_s22_gifts_say_what_they_do() -> None:
    gifts = [gift(Opposite(1)), gift(Recolour(1)), gift(Extra())]
    line = f"perform: {performance('pair, one blue')} R4 B3 | gifts: {' '.join(map(str, gifts))}"
    lists = [c for c in hand(position(line), 0).controls if isinstance(c, Select) and c.placeholder == "Use a Gift"]
    said = [(option.label, option.description) for option in lists[0].options]
    assert said[0] == (f"Gift {gifts[0]}: die 2, blue 3 to 4", "meets it")
    assert said[1] == (f"Gift {gifts[1]} makes dice blue, for 1 Fame", None)
    assert [label for label, _ in said[2:]] == [
        f"Gift {gifts[2]} one more die: {colour}" for colour in ("red", "blue", "green", "purple")
    ]


@pytest.mark.parametrize("number", [3, 11])
def test_dice_are_marked_one_by_one_and_then_rerolled(number: int) -> None:
    dice_shown = " ".join((["R1", "B2", "G3", "P4"] * 3)[:number])
    state = position(f"perform: {performance('pair')} {dice_shown} | hands: 1 2")
    play(state, "reroll 1")
    assert "roll" not in offered(hand(state, 0).controls)
    play(state, "mark 2")
    labels = {button.move: button.label for button in buttons(hand(state, 0).controls)}
    if number == 3:
        assert labels == {
            "mark 1": "die 1, red 1",
            "unmark 2": "✓ die 2, blue 2",
            "mark 3": "die 3, green 3",
            "roll": "Reroll 1 die (33 %)",
        }
    else:
        lists = {c.placeholder: len(c.options) for c in hand(state, 0).controls if isinstance(c, Select)}
        assert lists == {"Mark a die": 10, "Take a mark back": 1}
    check_limits(hand(state, 0).controls)


def test_s22_dice_to_change_colour_are_marked_and_painted() -> None:
    paint = gift(Recolour(2))
    state = position(f"perform: {performance('pair')} R1 G2 | gifts: {paint}")
    play(state, f"gift {paint}", "mark 1")
    labels = [button.label for button in buttons(hand(state, 0).controls)]
    assert labels == ["✓ die 1, red 1", "Make 1 die green"]


# Autocomplete


@pytest.mark.parametrize("seats", SEATS)
def test_what_may_be_performed_is_offered(seats: int) -> None:
    for state in whole_match(seats):
        for seat in range(seats):
            written = [JESTERS.write(move) for move in JESTERS.moves(state, seat)]
            found = {text.split()[1] for text in written if text.startswith("perform ")}
            assert {value for _, value in tasks(JESTERS.view(state, seat))} == found


def test_moves_are_offered_with_what_they_bring() -> None:
    one = card(bottom="±1 any")
    state = position(f"perform: {performance('sum >= 9')} R4 P4 | hands: {one}")
    view, around = JESTERS.view(state, 0), context(2)
    said = [FRONT.screen.choice(view, move, around) for move in JESTERS.moves(state, 0)]
    assert f"Change die 1, red 4 to 5 by card {one} (±1 any), meets it" in said


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("", ["red blue", "2 red blue purple", "red", "blue", "purple"]),
        ("2", ["2 red"]),
        ("2 r", ["2 red"]),
        ("re", ["red"]),
        ("red", ["red", "2 red", "red blue", "red purple"]),
        ("2 red", ["2 red", "2 red blue", "2 red purple"]),
        ("red, red b", ["2 red blue"]),
        ("3", []),
        ("3 red", []),
        ("green", []),
        ("nonsense", []),
        ("nonsense red", []),
        (",", ["red", "blue", "purple"]),
        ("2 2", []),
        ("red 1", ["2 red", "red blue", "red purple"]),
        ("²", []),
    ],
)
def test_dice_are_completed_word_by_word(typed: str, values: list[str]) -> None:
    pair = performance("pair, one blue")
    state = position(f"dice: 2 red blue purple | board: {pair} 1 2 3")
    found = dice(JESTERS.view(state, 0), str(pair), typed)
    assert [value for _, value in found] == values
    for said, value in found:
        JESTERS.check(state, 0, JESTERS.read(f"perform {pair} {value}"))
        assert said.endswith("as they fall")


def test_dice_are_offered_before_it_is_said_what_for_and_to_nobody_else() -> None:
    state = position("dice: 2 red / blue")
    assert dice(JESTERS.view(state, 0), "", "")[0] == ("2 red", "2 red")
    assert dice(JESTERS.view(state, 0), "nonsense", "")[0] == ("2 red", "2 red")
    assert dice(JESTERS.view(state, 1), "", "") == []
    assert dice(JESTERS.view(state, None), "", "") == []


def test_every_kind_of_move_has_a_label_of_its_own() -> None:
    texts = [
        "learn 12",
        "learn 12 red",
        "perform 7 red",
        "perform favorite red",
        "pass",
        "spend 12 1 5",
        "spend 12 2 5",
    ]
    texts += [
        "reroll 12",
        "gift 5",
        "gift 1 3",
        "gift 23 red",
        "mark 1",
        "unmark 1",
        "roll",
        "paint",
        "finish",
        "keep 5",
    ]
    labels = [FRONT.screen.label(JESTERS.read(text)) for text in texts]
    assert len(set(labels)) == len(labels)
    assert all(labels)


def test_no_control_breaks_a_rule() -> None:
    for state in whole_match(4):
        controls = hand(state, state.turn).controls
        for move in offered(controls):
            try:
                JESTERS.check(state, state.turn, JESTERS.read(move))
            except IllegalMove as refusal:
                pytest.fail(f"{move}: {refusal}")


def test_all_dice_of_the_middle_can_be_picked() -> None:
    state = position(f"seats: 4 | dice: 5 red 5 blue 5 green 5 purple | board: {performance('3 different')} 1 2 3 4")
    step = next(step for step in steps(hand(state, 0).controls) if step.key == str(performance("3 different")))
    (picks,) = [control for control in step.controls if isinstance(control, Picks)]
    assert picks.most == len(picks.picks) == 20
    check_limits(hand(state, 0).controls)
    whole = Perform(performance("3 different"), (5, 5, 5, 5))
    assert JESTERS.write(whole) in legal(state, "perform")
    assert len(JESTERS.write(whole)) <= LONGEST
