"""Jesters' screens, beyond the laws: labels, order and confirmations of controls."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cogs.jesters.choices import dice_offers, task_offers
from cogs.jesters.drawing.spec import Stage
from cogs.jesters.game_ui import GAME_UI
from cogs.jesters.labels import card_label
from cogs.jesters.words import jest_card_text
from cogs.screens import words
from cogs.screens.screen import Button, Control, Option, Picks, Select, Step, Steps
from engines.jesters import JESTERS
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import COLOURS, Extra, Opposite, Recolour
from engines.jesters.model import Perform, State
from tests.cogs.jesters.states import BENCH, keep_position, whole_match
from tests.cogs.screen_bench import spec_of, walk_buttons, walk_steps
from tests.engines.jesters.positions import card_with, gift_with, parse_position, performance_with, play_moves

OPTIONS = 25
LONGEST = 100 - len("m:abcd2345:999999:")
PAIR = performance_with("pair, one blue")
SUM = performance_with("sum >= 9")
ANY = card_with(bottom="±1 any")
TRYING = f"perform: {PAIR} R4 B3"


def find_steps(state: State) -> Steps:
    return next(control for control in BENCH.hand(state, 0).controls if isinstance(control, Steps))


def list_options(state: State) -> dict[str, Option]:
    return {option.move: option for option in find_steps(state).moves}


def list_steps(state: State) -> dict[str, Step]:
    return {step.key: step for step in walk_steps(BENCH.hand(state, 0).controls)}


def labels_of(controls: Sequence[Control]) -> dict[str, str]:
    return {button.move: button.label for button in walk_buttons(controls)}


def test_s6_a_card_without_a_choice_is_one_line_and_any_colour_is_chosen_in_a_step() -> None:
    plain, free = card_with("red blue"), card_with("red any")
    state = parse_position(f"hands: {plain} {free} | dice: / red blue")
    learn = find_steps(state)
    assert learn.placeholder == "Learn"
    assert [(option.move, option.label) for option in learn.moves] == [(f"learn {plain}", "Learn 1 red, 1 blue")]
    (step,) = learn.steps
    assert step.label == "Learn 1 red, 1 of any colour"
    assert [button.label for button in walk_buttons(step.controls)] == ["Red", "Blue", "Green", "Purple"]
    state = parse_position(f"hands: {plain} {card_with('any')} | dice: red blue")
    assert find_steps(state).steps[0].label == "Learn 1 of any colour"


def test_s6_cards_that_teach_alike_are_told_apart_by_their_places_in_the_hand() -> None:
    labels = [option.label for option in list_options(parse_position("hands: 19 23 15")).values()]
    assert len(set(labels)) == 3
    assert sorted(label.partition("(")[2] for label in labels) == ["", "2nd)", "3rd)"]


def test_s7_every_performance_can_be_chosen_with_its_chance_and_all_dice_or_says_how_many_it_takes() -> None:
    state = parse_position(f"dice: red 2 blue | board: {PAIR} 1 2 3")
    name, fame = catalogue.performance(PAIR).name, catalogue.performance(PAIR).fame
    two, three = (list_options(state)[f"perform {PAIR} {dice}"] for dice in ("2 blue", "red 2 blue"))
    assert (two.label, three.label) == (f"{name}: 2 dice", f"{name}: 3 dice")
    assert three.description == f"44% · {fame} Fame · 1 red, 2 blue"
    step = list_steps(state)[str(PAIR)]
    assert step.intro == "-# Without changes: 2 dice 17%, 3 dice 44%"
    assert step.question == "Roll which dice?"
    (picks,) = [control for control in step.controls if isinstance(control, Picks)]
    assert [pick.token for pick in picks.picks] == ["red", "blue", "blue"]
    assert not picks.ordered
    assert [(task.name, task.chosen) for task in spec_of(step, Stage).tasks] == [(name, True)]
    assert step.picture is not None
    assert step.picture.alt.startswith(f"Chosen: {name}.")
    moves = list_options(parse_position(f"dice: blue | board: {PAIR} 1 2 3")).items()
    (description,) = [line.description or "" for move, line in moves if move.startswith(f"perform {PAIR}")]
    assert description.startswith("needs 2 dice")


def test_s7_with_more_dice_than_it_takes_the_natural_number_is_offered_too_the_likelier_roll_first() -> None:
    state = parse_position(f"dice: 2 red blue green purple | board: {PAIR} 1 2 3")
    found = [move for move in list_options(state) if move.startswith(f"perform {PAIR}")]
    assert found == [f"perform {PAIR} 2 red blue green purple", f"perform {PAIR} red blue"]
    mixed = performance_with("pair, one blue, one purple")  # here a third die is no help
    state = parse_position(f"dice: red blue purple | board: {mixed} 1 2 3")
    found = [move for move in list_options(state) if move.startswith(f"perform {mixed}")]
    assert found == [f"perform {mixed} blue purple", f"perform {mixed} red blue purple"]


FAILING = [
    "1st failure counts 2 Fame at the end instead of 5. You keep your dice and draw 1 Jest card.",
    "2nd failure counts −2 Fame at the end instead of 2. You keep your dice and draw 3 Jest cards.",
    "third failure puts you out of play and counts −5 Fame at the end instead of −2.",
]


@pytest.mark.parametrize(("failures", "sentence"), [*enumerate(FAILING)])
def test_a_failure_that_could_be_averted_is_asked_for_with_what_it_brings(failures: int, sentence: str) -> None:
    state = parse_position(f"{TRYING} | hands: {card_with(bottom='±1 green')}")
    state.failures[0] = failures
    question_text = (
        f"**The dice do not meet it yet**, and you could still reroll dice. Your {sentence} Finish as a failure?"
    )
    assert finish_button(state).confirm == question_text


def test_a_choice_that_meets_the_task_has_a_button_and_a_gift_comes_before_a_card() -> None:
    gift, line = gift_with(Opposite(1)), f"{TRYING} | hands: {ANY}"
    first, *_ = BENCH.hand(parse_position(line), 0).controls
    assert [*labels_of([first])] == [f"spend {ANY} 1 3"]
    first, *_ = BENCH.hand(parse_position(f"{line} | gifts: {gift}"), 0).controls
    assert labels_of([first]) == {f"gift {gift} 2": "Meets it: Gift, die 2, blue 3 to 4"}


def test_with_very_many_lines_learning_and_other_dice_are_steps_of_their_own() -> None:
    many = " ".join(map(str, range(15, 33)))
    state = parse_position(f"seats: 4 | dice: 2 red blue green purple | hands: {many}")
    listed = find_steps(state)
    assert [step.label for step in listed.steps] == ["Perform with other dice", "Learn"]
    assert len(listed.moves) + len(listed.steps) <= OPTIONS
    assert len({line.label for line in listed.moves}) == len(listed.moves)


def test_s12_passing_is_asked_for_unless_nothing_else_is_left() -> None:
    def question(line: str) -> str | None:
        return next(b.confirm for b in walk_buttons(BENCH.hand(parse_position(line), 0).controls) if b.move == "pass")

    text = question("dice: 2 red blue")
    assert text is not None
    assert "2 red, 1 blue" in text
    assert "first player card" in text
    assert "first player card" not in (question("dice: red | passed: 1") or "")
    assert question("") is None


def attempt_options(state: State) -> list[tuple[str, str | None]]:
    return [(option.label, option.description) for option in find_steps(state).moves]


def test_s8_changes_that_meet_the_requirement_stand_first_and_then_those_that_bring_it_closer() -> None:
    colours_text = ", ".join([*COLOURS, "any"][colour] for colour in catalogue.jest_card(ANY).top)
    assert attempt_options(parse_position(f"{TRYING} | hands: {ANY}")) == [
        ("±1: die 1, red 4 to 3", f"meets it · discards {colours_text}"),
        ("±1: die 2, blue 3 to 4", f"meets it · discards {colours_text}"),
        ("±1: die 1, red 4 to 5", f"discards {colours_text}"),
        ("±1: die 2, blue 3 to 2", f"discards {colours_text}"),
    ]
    state = parse_position(f"perform: {SUM} R3 B3 | hands: {ANY}")
    assert attempt_options(state)[0] == ("±1: die 1, red 3 to 4", f"brings it closer · discards {colours_text}")


def test_s8_cards_that_change_dice_alike_are_told_by_their_places_in_the_hand() -> None:
    other, third = card_with(bottom="±1 red"), card_with(bottom="±3 blue")
    state = parse_position(f"{TRYING} | hands: {ANY} {other} {third}")
    hand = JESTERS.view(state, 0).hand
    places = {ANY: "±1 ({} card)", other: "±1 ({} card)", third: "±3"}
    labels = {places[card].format(words.ordinal(hand.index(card) + 1)) for card in hand}
    assert {label.partition(":")[0] for label, _ in attempt_options(state)} == labels
    view = JESTERS.view(parse_position("hands: 5 6 15"), 0)
    expected = ["any / ±1 any (1st)", "any / ±1 any (2nd)", "red, blue, green / ±1 red"]
    assert [card_label(view, card) for card in view.hand] == expected


def test_the_list_of_changes_says_what_there_is_to_change_dice_with() -> None:
    card, gift = f"hands: {ANY}", f"gifts: {gift_with(Opposite(0))}"
    for facts, source in ((card, "a card"), (f"hands: | {gift}", "a Gift"), (f"{card} | {gift}", "a card or a Gift")):
        assert find_steps(parse_position(f"{TRYING} | {facts}")).placeholder == f"Change dice with {source}"


def test_with_many_dice_the_die_is_a_step_of_its_own() -> None:
    many = " ".join(["R3"] * 5 + ["B3"] * 5 + ["G3"] * 5 + ["P3"] * 5)
    listed = find_steps(parse_position(f"seats: 4 | perform: {performance_with('3 different')} {many} | hands: {ANY}"))
    (which,) = listed.steps[0].controls
    assert isinstance(which, Steps)
    assert [step.label for step in which.steps][4:6] == ["die 10, blue 3", "die 11, green 3"]
    assert [button.label for button in walk_buttons(which.steps[0].controls)] == ["to 2", "to 4"]
    assert len(listed.moves) + len(listed.steps) <= OPTIONS


def finish_button(state: State) -> Button:
    return next(button for button in walk_buttons(BENCH.hand(state, 0).controls) if button.move == "finish")


@pytest.mark.parametrize(
    ("line", "label", "is_confirmed"),
    [
        ("R4 B4", "Finish: a success", False),
        ("R4 B3", "Finish: a failure", True),
        ("R4 B3 | hands: ", "Finish: a failure", False),
        (f"R4 B3 | hands: | gifts: {gift_with(Extra())}", "Finish: a failure", True),
    ],
)
def test_s7_a_failure_that_could_still_be_averted_is_asked_for(line: str, label: str, is_confirmed: bool) -> None:
    cards = "" if "hands" in line else " | hands: 1 2"
    button = finish_button(parse_position(f"perform: {PAIR} {line}{cards}"))
    assert button.label == label
    assert (button.confirm is not None) is is_confirmed


def test_s22_gifts_say_what_they_do() -> None:
    gifts = f"{gift_with(Opposite(1))} {gift_with(Recolour(1))} {gift_with(Extra())}"
    assert attempt_options(parse_position(f"{TRYING} | gifts: {gifts}")) == [
        ("Gift: die 2, blue 3 to 4", "turns a blue die over · meets it"),
        ("Gift makes dice blue and adds 1 Fame", None),
        *((f"Gift brings one more die: {colour}", None) for colour in COLOURS),
    ]


def test_s10_the_gift_to_keep_is_a_button() -> None:
    state = keep_position()
    found = labels_of(BENCH.hand(state, 0).controls)
    assert set(found) == {f"keep {number}" for number in state.drawn}
    assert all(not label[0].islower() and "Gift" not in label for label in found.values())


@pytest.mark.parametrize("number", [3, 11])
def test_dice_are_marked_one_by_one_and_then_rerolled(number: int) -> None:
    dice_shown = " ".join((["R1", "B2", "G3", "P4"] * 3)[:number])
    state = parse_position(f"perform: {performance_with('pair')} {dice_shown} | hands: 1 2")
    play_moves(state, "reroll 1")
    assert "roll" not in labels_of(BENCH.hand(state, 0).controls)
    play_moves(state, "mark 2")
    controls = BENCH.hand(state, 0).controls
    if number == 3:
        marks = {"mark 1": "1: red 1", "unmark 2": "✓ 2: blue 2", "mark 3": "3: green 3"}
        assert labels_of(controls) == marks | {"roll": "Reroll 1 die (33%)"}
    else:
        lists = {control.placeholder: len(control.options) for control in controls if isinstance(control, Select)}
        assert lists == {"Mark a die": 10, "Unmark a die": 1}


def test_s22_dice_to_change_colour_are_marked_and_painted() -> None:
    paint = gift_with(Recolour(2))
    state = parse_position(f"perform: {performance_with('pair')} R1 G2 | gifts: {paint}")
    play_moves(state, f"gift {paint}", "mark 1")
    assert [*labels_of(BENCH.hand(state, 0).controls).values()] == ["✓ 1: red 1", "Make 1 die green"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_possible_performances_are_offered(seats: int) -> None:
    for state in whole_match(seats):
        for seat in range(seats):
            written = [JESTERS.format_move(move) for move in JESTERS.moves(state, seat)]
            found = {text.split()[1] for text in written if text.startswith("perform ")}
            assert {value for _, value in task_offers(JESTERS.view(state, seat))} == found


def choice_labels(state: State) -> list[str]:
    view = JESTERS.view(state, 0)
    return [GAME_UI.screen.choice_label(view, move, BENCH.context(3)) for move in JESTERS.moves(state, 0)]


def test_moves_are_offered_with_what_they_bring_and_a_gift_by_its_number_only_beside_one_like_it() -> None:
    labels = choice_labels(parse_position(f"perform: {SUM} R4 P4 | hands: {ANY}"))
    assert "Change die 1, red 4 to 5 by your 1st card (±1 any), meets it" in labels
    assert f"Discard your 1st card ({jest_card_text(ANY)}) for a reroll" in labels
    lone, twins = gift_with(Opposite(0)), f"{gift_with(Extra())} {gift_with(Extra(), 1)}"
    for gifts, beginning in ((lone, "Use the Gift that turns a red die over"), (twins, "Use Gift ")):
        offered = choice_labels(parse_position(f"perform: {SUM} R4 B4 | gifts: {gifts}"))
        found = [each for each in offered if each.startswith("Use ")]
        assert found
        assert all(each.startswith(beginning) for each in found)
        assert len(set(offered)) == len(offered)


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
    state = parse_position(f"dice: 2 red blue purple | board: {PAIR} 1 2 3")
    found = dice_offers(JESTERS.view(state, 0), str(PAIR), typed)
    assert [value for _, value in found] == values
    for label, value in found:
        JESTERS.check(state, 0, JESTERS.parse_move(f"perform {PAIR} {value}"))
        assert label.endswith("without changes")


def test_dice_are_offered_before_it_is_said_what_for_and_to_nobody_else() -> None:
    state = parse_position("dice: 2 red / blue")
    assert dice_offers(JESTERS.view(state, 0), "", "")[0] == ("2 red", "2 red")
    assert dice_offers(JESTERS.view(state, 0), "nonsense", "")[0] == ("2 red", "2 red")
    assert dice_offers(JESTERS.view(state, 1), "", "") == []
    assert dice_offers(JESTERS.view(state, None), "", "") == []


def test_every_kind_of_move_has_a_label_of_its_own() -> None:
    texts = "learn 12, learn 12 red, perform 7 red, perform favorite red, pass, spend 12 1 5, spend 12 2 5, reroll 12, "
    texts += "gift 5, gift 1 3, gift 23 red, mark 1, unmark 1, roll, paint, finish, keep 5"
    labels = [GAME_UI.screen.move_label(JESTERS.parse_move(text)) for text in texts.split(", ")]
    assert len(set(labels)) == len(labels)
    assert all(labels)


def test_all_dice_of_the_middle_can_be_picked() -> None:
    task = performance_with("3 different")
    state = parse_position(f"seats: 4 | dice: 5 red 5 blue 5 green 5 purple | board: {task} 1 2 3 4")
    (picks,) = [control for control in list_steps(state)[str(task)].controls if isinstance(control, Picks)]
    assert picks.most == len(picks.picks) == 20
    whole = Perform(task, (5, 5, 5, 5))
    assert whole in JESTERS.moves(state, 0)
    assert len(JESTERS.format_move(whole)) <= LONGEST
