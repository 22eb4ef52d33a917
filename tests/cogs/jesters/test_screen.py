"""Jesters' screens, beyond the laws: labels, order and confirmations of controls."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cogs.jesters.choices import dice_offers, task_offers
from cogs.jesters.controls import hand_controls
from cogs.jesters.drawing.emoji import EMOJI
from cogs.jesters.drawing.spec import Stage
from cogs.jesters.game_ui import GAME_UI
from cogs.jesters.labels import card_label
from cogs.jesters.pictures import hand_picture
from cogs.jesters.words import card_bottom_text, jest_card_text, target_task
from cogs.screens import words
from cogs.screens.emoji import Emoji
from cogs.screens.screen import Button, Buttons, Control, Option, Pick, Picks, Select, Step, Steps
from cogs.table.pages.hand_controls import find_steps as find_path
from engines.jesters import JESTERS, prospects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import COLOURS, Extra, Opposite, Recolour
from engines.jesters.model import Perform, State
from tests.cogs.jesters.states import BENCH, keep_position, whole_match
from tests.cogs.screen_bench import spec_of, walk_buttons, walk_controls, walk_steps
from tests.engines.jesters.positions import card_with, gift_with, parse_position, performance_with, play_moves

OPTIONS = 25
LONGEST = 100 - len("m:abcd2345:999999:")
PAIR = performance_with("pair, one blue")
SUM = performance_with("sum >= 9")
ANY = card_with(bottom="±1 any")
TRYING = f"perform: {PAIR} R4 B3"


def find_steps(state: State) -> Steps:
    """The list that the hand itself has."""
    return next(
        control for control in BENCH.hand(state, 0).controls if isinstance(control, Steps) and not control.buttons
    )


def action_of(state: State, label: str) -> Step:
    """What a button of a turn or an attempt opens: `Learn`, `Perform` or `Change dice`."""
    (found,) = [step for step in walk_steps(BENCH.hand(state, 0).controls) if step.label == label]
    return found


def list_options(state: State) -> dict[str, Option]:
    """The lines of the list behind *Perform*."""
    (listed,) = [control for control in action_of(state, "Perform").controls if isinstance(control, Steps)]
    return {option.move: option for option in listed.moves}


def list_steps(state: State) -> dict[str, Step]:
    return {step.key: step for step in walk_steps(BENCH.hand(state, 0).controls)}


def labels_of(controls: Sequence[Control]) -> dict[str, str]:
    return {button.move: button.label for button in walk_buttons(controls)}


def test_learning_performing_and_passing_are_three_buttons_and_without_dice_the_cards_are_listed_at_once() -> None:
    actions, passing = BENCH.hand(parse_position("hands: 1 2 | dice: red"), 0).controls
    assert isinstance(actions, Steps)
    assert actions.buttons
    assert [step.label for step in actions.steps] == ["Learn", "Perform"]
    assert [*labels_of([passing])] == ["pass"]
    listed, passing = BENCH.hand(parse_position("hands: 1 2"), 0).controls
    assert isinstance(listed, Steps)
    assert not listed.buttons
    assert {option.move.split()[0] for option in listed.moves} == {"learn"}
    assert [*labels_of([passing])] == ["pass"]


def test_neither_learning_lists_performances_nor_performing_cards() -> None:
    for state in (state for seats in (2, 3, 4) for state in whole_match(seats) if state.phase == "turn"):
        view = JESTERS.view(state, state.turn)
        for step in walk_steps(hand_controls(view, JESTERS.moves(state, state.turn))):
            verb = {"l": "learn", "p": "perform"}.get(step.key)
            assert verb is None or {move.split()[0] for move in moves_behind(step.controls)} <= {verb}


def test_s6_a_card_without_a_choice_is_one_button_and_any_colour_is_chosen_in_a_step() -> None:
    plain, free = card_with("red blue"), card_with("red any")
    learn = action_of(parse_position(f"hands: {plain} {free} | dice: red / red blue"), "Learn")
    choices, cards = learn.controls
    assert labels_of([cards]) == {f"learn {plain}": "1 red, 1 blue"}
    assert isinstance(choices, Steps)
    (step,) = choices.steps
    assert step.label == "1 red, 1 of any colour"
    assert [button.label for button in walk_buttons(step.controls)] == ["Red", "Blue", "Green", "Purple"]


def test_with_many_cards_or_without_dice_a_list_says_what_each_card_gives_up_and_which_dice_are_lacking() -> None:
    red, many = card_with("red"), " ".join(map(str, range(15, 21)))
    (listed,) = action_of(parse_position(f"hands: {many} | dice: red"), "Learn").controls
    assert isinstance(listed, Steps)
    assert len(listed.moves) == 6
    (line,) = find_steps(parse_position(f"hands: {red}")).moves
    assert (line.label, line.description) == ("1 red", f"gives up {card_bottom_text(red)}")
    both = card_with("red blue")
    for owned, label, lacking in (("4 red", "1 blue", "no red left"), ("3 red", "1 red, 1 blue", "")):
        (line,) = find_steps(parse_position(f"hands: {both} | dice: / {owned}")).moves
        gives_up = f"gives up {card_bottom_text(both)}"
        assert (line.label, line.description) == (label, f"{lacking} · {gives_up}" if lacking else gives_up)
    two = card_with("red red blue")
    (line,) = find_steps(parse_position(f"hands: {two} | dice: / 3 red")).moves
    assert line.label == "1 red, 1 blue"
    assert (line.description or "").startswith("only 1 red left · ")


@pytest.mark.parametrize("owned", ["", " | dice: red"])
def test_s6_cards_that_teach_alike_are_told_apart_by_their_places_in_the_hand(owned: str) -> None:
    state = parse_position(f"hands: 19 23 15{owned}")
    labels = (
        [*labels_of(action_of(state, "Learn").controls).values()]
        if owned
        else [option.label for option in find_steps(state).moves]
    )
    assert len(set(labels)) == 3
    assert sorted(label.partition("(")[2] for label in labels) == ["", "2nd card)", "3rd card)"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_three_best_performances_come_first_by_the_chance_that_is_shown(seats: int) -> None:
    turns = [state for state in whole_match(seats) if state.phase == "turn" and any(state.dice[state.turn])]
    assert len(turns) > 5
    for state in turns:
        view = JESTERS.view(state, state.turn)
        picture = hand_picture(view, BENCH.context(seats))
        (perform,) = [s for s in walk_steps(hand_controls(view, JESTERS.moves(state, state.turn))) if s.key == "p"]
        assert isinstance(picture.spec, Stage)
        chance_of = {task.name: task.chance for task in picture.spec.tasks if task.chance not in ("–", "done")}
        buttons = [control.buttons for control in perform.controls if isinstance(control, Buttons)]
        offered = [button.label.rpartition(": ")[::2] for some in buttons for button in some]
        assert [button.move for some in buttons for button in some] == [
            JESTERS.format_move(Perform(target, tuple(view.dice[state.turn])))
            for name, _ in offered
            for target in (0, *view.board)
            if target_task(view, target).name == name
        ]
        chances = [short(chance) for _, chance in offered]
        assert [chance_of[name] for name, _ in offered] == chances
        others = [chance for name, chance in chance_of.items() if name not in dict(offered)]
        assert len(offered) == min(3, len(chance_of))
        order = [*chances, *sorted(others, key=as_number, reverse=True)]
        assert [as_number(chance) for chance in order] == sorted(map(as_number, chance_of.values()), reverse=True)


def short(chance: str) -> str:
    return chance.replace("under ", "<").replace("over ", ">")


def as_number(chance: str) -> float:
    """The number of a shown chance; `<1%` is below `1%`, and `>99%` above `99%`."""
    return float(chance.strip("<>%")) + {"<": -0.5, ">": 0.5}.get(chance[0], 0)


def test_s7_every_performance_can_be_chosen_with_its_chance_and_all_dice_or_says_how_many_it_takes() -> None:
    state = parse_position(f"dice: red 2 blue | board: {PAIR} 1 2 3")
    name, fame = catalogue.performance(PAIR).name, catalogue.performance(PAIR).fame
    assert labels_of(action_of(state, "Perform").controls)[f"perform {PAIR} red 2 blue"] == f"{name}: 44%"
    two = list_options(state)[f"perform {PAIR} 2 blue"]
    assert (two.label, two.description) == (f"{name}: 2 dice", f"17% · {fame} Fame · 2 blue")
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


def test_s7_with_more_dice_than_it_takes_the_natural_number_is_listed_too_the_likelier_roll_first() -> None:
    state = parse_position(f"dice: 2 red blue green purple | board: {PAIR} 1 2 3")
    assert f"perform {PAIR} red blue" in list_options(state)
    natural = [line.description or "" for move, line in list_options(state).items() if "2 red blue green" not in move]
    chances = [as_number(short(text.partition(" · ")[0])) for text in natural if "%" in text.partition(" · ")[0]]
    assert len(chances) > 1
    assert chances == sorted(chances, reverse=True)


def test_what_is_opened_shows_what_one_chooses_from() -> None:
    state = parse_position(f"hands: 1 2 | dice: red blue | gifts: {gift_with(Extra())} | board: {PAIR} 1 2 3")
    perform, learn = action_of(state, "Perform"), action_of(state, "Learn")
    assert (perform.question, learn.question) == (
        "Perform what? You roll both dice.",
        "Learn: which card do you discard?",
    )
    tasks, cards = spec_of(perform, Stage), spec_of(learn, Stage)
    assert (len(tasks.tasks), tasks.own, tasks.middle) == (5, None, ())
    assert cards.own is not None
    assert (cards.tasks, len(cards.own.cards), cards.own.gifts) == ((), 2, ())
    assert cards.middle


@pytest.mark.parametrize(
    ("owned", "dice_text"), [("red", "your die"), ("red blue", "both dice"), ("3 red", "all 3 dice")]
)
def test_performing_says_how_many_dice_a_button_rolls(owned: str, dice_text: str) -> None:
    question = action_of(parse_position(f"dice: {owned}"), "Perform").question
    assert question == f"Perform what? You roll {dice_text}."


def moves_behind(controls: Sequence[Control]) -> list[str]:
    """The moves of all buttons and lines, and the verbs of picks, also behind steps."""
    found = [button.move for button in walk_buttons(controls)]
    for control in walk_controls(controls):
        match control:
            case Select(_, options) | Steps(moves=options):
                found += [option.move for option in options]
            case Picks():
                found.append(control.verb)
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_line_of_a_list_has_a_card_or_dice_before_it(seats: int) -> None:
    lines: list[Option | Step | Pick] = []
    ten, twenty = (" ".join(f"{colour}3" for colour in colours for _ in range(5)) for colours in ("RB", "RBGP"))
    crowded = [
        parse_position(f"seats: 4 | perform: {performance_with('3 different')} {dice_shown} | hands: {cards}")
        for dice_shown, cards in ((ten, "5 6"), (twenty, str(ANY)))
    ]
    for state in (*whole_match(seats), *crowded):
        view = JESTERS.view(state, state.turn)
        for control in walk_controls(hand_controls(view, JESTERS.moves(state, state.turn))):
            match control:
                case Select(_, options):
                    lines += options
                case Steps(_, steps, False, moves):
                    lines += [*steps, *moves]
                case Picks():
                    lines += control.picks
    assert len(lines) > 100
    for line in lines:
        assert isinstance(line.emoji, Emoji), line
        assert line.emoji.key in EMOJI
        assert line.emoji.fallback, "without the application's emoji, the line would have no picture"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_and_performances_on_buttons_have_their_pictures(seats: int) -> None:
    for state in (state for state in whole_match(seats) if state.phase == "turn"):
        for button in walk_buttons(hand_controls(JESTERS.view(state, state.turn), JESTERS.moves(state, state.turn))):
            assert button.move == "pass" or (isinstance(button.emoji, Emoji) and button.emoji.fallback), button


FAILING = [
    "1st failure costs you 3 Fame: 2 at the end instead of 5. You keep your dice and draw 1 Jest card.",
    "2nd failure costs you 4 Fame: −2 at the end instead of 2. You keep your dice and draw 3 Jest cards.",
    "third failure puts you out of play and costs you 3 Fame: −5 at the end instead of −2.",
]


@pytest.mark.parametrize(("failures", "sentence"), [*enumerate(FAILING)])
def test_a_failure_that_could_be_averted_is_asked_for_with_what_it_brings(failures: int, sentence: str) -> None:
    state = parse_position(f"{TRYING} | hands: {card_with(bottom='±1 green')}")
    state.failures[0] = failures
    question_text = (
        "**The dice do not meet the requirement yet**, and you could still reroll dice. "
        f"Your {sentence} Finish as a failure?"
    )
    assert finish_button(state).confirm == question_text


def test_a_choice_that_meets_the_task_has_a_button_and_a_gift_comes_before_a_card() -> None:
    gift, line = gift_with(Opposite(1)), f"{TRYING} | hands: {ANY}"
    first, *_ = BENCH.hand(parse_position(line), 0).controls
    assert [*labels_of([first])] == [f"spend {ANY} 1 3"]
    first, *_ = BENCH.hand(parse_position(f"{line} | gifts: {gift}"), 0).controls
    assert labels_of([first]) == {f"gift {gift} 2": "Success: Gift, die 2, blue 3 to 4"}


def test_also_with_very_many_cards_no_list_is_too_long() -> None:
    many = " ".join(map(str, range(15, 33)))
    state = parse_position(f"seats: 4 | dice: 2 red blue green purple | hands: {many}")
    lists = [each for each in walk_controls(BENCH.hand(state, 0).controls) if isinstance(each, Steps)]
    assert max(len(each.moves) + len(each.steps) for each in lists) <= OPTIONS
    for each in lists:
        labels = [*(line.label for line in each.moves), *(step.label for step in each.steps)]
        assert len(set(labels)) == len(labels)


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
        ("±1: die 1, red 4 to 3", f"succeeds · gives up {colours_text}"),
        ("±1: die 2, blue 3 to 4", f"succeeds · gives up {colours_text}"),
        ("±1: die 1, red 4 to 5", f"gives up {colours_text}"),
        ("±1: die 2, blue 3 to 2", f"gives up {colours_text}"),
    ]
    state = parse_position(f"perform: {SUM} R3 B3 | hands: {ANY}")
    assert attempt_options(state)[0] == ("±1: die 1, red 3 to 4", f"gets closer · gives up {colours_text}")


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


MET = f"perform: {PAIR} R4 B4"


def test_when_the_dice_meet_it_finishing_is_highlighted_and_what_uses_something_up_is_behind_a_step() -> None:
    state = parse_position(f"{MET} | hands: {ANY} 1 | gifts: {gift_with(Opposite(1))}")
    done, other = BENCH.hand(state, 0).controls
    assert isinstance(done, Buttons)
    assert [(button.move, button.label, button.highlighted) for button in done.buttons] == [
        ("finish", "Finish: a success", True)
    ]
    assert isinstance(other, Steps)
    (step,) = other.steps
    assert (other.buttons, step.label, step.back) == (True, "Change dice", "Back")
    assert step.question == "Requirement met. Change the dice?"
    assert {move.split()[0] for move in moves_behind(step.controls)} == {"spend", "gift", "reroll"}
    missing = BENCH.hand(parse_position(f"{TRYING} | hands: {ANY} 1"), 0).controls
    assert not any(button.highlighted for button in walk_buttons(missing))
    assert {move.split()[0] for move in moves_behind(missing)} == {"spend", "reroll", "finish"}
    (alone,) = BENCH.hand(parse_position(f"{MET} | hands: "), 0).controls
    assert [*labels_of([alone])] == ["finish"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_when_the_dice_meet_it_no_move_of_the_hand_itself_uses_anything_up(seats: int) -> None:
    found = 0
    for state in whole_match(seats):
        view = JESTERS.view(state, state.turn)
        if state.phase == "attempt" and prospects.meets_requirement(view):
            found += 1
            direct = [each for each in hand_controls(view, JESTERS.moves(state, state.turn)) if not_a_step(each)]
            assert moves_behind(direct) == ["finish"]
    assert found > 2


def not_a_step(control: Control) -> bool:
    return not (isinstance(control, Steps) and control.buttons)


def test_steps_of_older_hands_are_found_behind_the_buttons() -> None:
    controls = BENCH.hand(parse_position(f"hands: {ANY} 1 | dice: red blue | board: {PAIR} 1 2 3"), 0).controls
    for older, now in (
        ("f", ["p", "f"]),
        (str(PAIR), ["p", str(PAIR)]),
        (f"p/{PAIR}", ["p", str(PAIR)]),
        (f"l{ANY}", ["l", f"l{ANY}"]),
        (f"l/l{ANY}", ["l", f"l{ANY}"]),
    ):
        found = find_path(controls, older.split("/"))
        assert found is not None
        assert [step.key for step in found] == now
    assert find_path(controls, ["x"]) is None
    many = " ".join(["R3"] * 5 + ["B3"] * 5 + ["G4"] * 5 + ["P5"] * 5)
    met = parse_position(f"seats: 4 | perform: {performance_with('3 different')} {many} | hands: {ANY}")
    found = find_path(BENCH.hand(met, 0).controls, [f"s{ANY}"])
    assert found is not None
    assert [step.key for step in found] == ["c", f"s{ANY}"]


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
        ("Gift: die 2, blue 3 to 4", "turns a blue die over · succeeds"),
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
    assert "Change die 1, red 4 to 5 by your 1st card (±1 any), succeeds" in labels
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
