"""Steps on the way to a move: drawn from the path alone, which stands in custom_ids and values that Discord takes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cogs.screens.screen import Button, Buttons, Control, Option, Pick, Picks, Select, Step, Steps
from cogs.table.pages import custom_ids, hand_controls, screen_layout
from cogs.table.pages.page import Block, Menu, Press, Row, Text

MATCH = "abcd2345"
COLUMNS = "ABCDEFGHIJKLMNOPQRSTUV"
ROWS = {each: Select("Row", tuple(Option(f"{each}{i}", f"menhir {each}{i}") for i in range(1, 23))) for each in COLUMNS}
SQUARES = Steps("Column", tuple(Step(column, column, (rows,)) for column, rows in ROWS.items()))
RED, BLUE = Pick("red", "red"), Pick("blue", "blue")
DICE = Picks("Dice", "perform 7", (RED, RED, BLUE), most=3, ordered=False)
ASK = Button("Push A", "push 4H A", confirm="Over the edge?")
CONTROLS: tuple[Control, ...] = (
    Steps(
        "A card",
        (
            Step("4♥", "4H", (Buttons((ASK, Button("Push C", "push 4H C"))),), intro="It goes up."),
            Step("Menhir", "menhir", (SQUARES,)),
            Step("Performance 7", "7", (DICE,)),
        ),
    ),
    Steps("Another", (Step("Last", "last", (Buttons((Button("End", "end"),)),)),)),
    Buttons((Button("Skip", "skip"),)),
)
RANKS = Steps("Which one?", (Step("4♥", "4H", (Buttons((ASK,)),), question="4♥ moves whom?", back="Other card"),), True)
SUITS: tuple[Control, ...] = (Steps("Which suit?", (Step("♥", "H", (RANKS,)), Step("♠", "S", ())), buttons=True),)


def lay_steps(*keys: str, controls: Sequence[Control] = CONTROLS) -> tuple[Block, ...]:
    trail = hand_controls.find_steps(controls, keys) if keys else ()
    assert trail is not None
    return screen_layout.control_blocks(hand_controls.lay_out_controls(MATCH, 999_999, controls, trail))


def block_menus(blocks: Sequence[Block]) -> list[Menu]:
    return [block.items for block in blocks if isinstance(block, Row) and isinstance(block.items, Menu)]


def block_buttons(blocks: Sequence[Block]) -> list[Press]:
    return [press for b in blocks if isinstance(b, Row) and not isinstance(b.items, Menu) for press in b.items]


def labels_and_ids(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    return [(press.label, press.to) for press in block_buttons(blocks)]


def block_texts(blocks: Sequence[Block]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Text)]


def test_only_the_lists_are_drawn_at_first() -> None:
    found = lay_steps()
    assert [menu.placeholder for menu in block_menus(found)] == ["A card", "Another"]
    assert [line.label for line in block_menus(found)[0].lines] == ["4♥", "Menhir", "Performance 7"]
    assert [press.label for press in block_buttons(found)] == ["Skip"]
    assert not any(line.chosen for menu in block_menus(found) for line in menu.lines)
    assert block_texts(found) == []


def test_a_step_brings_its_own_controls_in_place_of_the_others_and_a_way_back() -> None:
    found = lay_steps("4H")
    assert labels_and_ids(found) == [
        ("Push A", custom_ids.confirm_id(MATCH, 999_999, "push 4H A")),
        ("Push C", custom_ids.move_id(MATCH, 999_999, "push 4H C")),
        ("Back to the hand", custom_ids.table_action_id(MATCH, "back")),
    ]
    assert block_texts(found) == ["**4♥**\nIt goes up."]
    (menu,) = block_menus(found)
    assert [line.label for line in menu.lines if line.chosen] == ["4♥"]


def test_every_list_on_the_way_stays_so_that_another_line_can_be_chosen() -> None:
    found = lay_steps("menhir", "K")
    cards, columns, rows = block_menus(found)
    assert [line.label for menu in (cards, columns) for line in menu.lines if line.chosen] == ["Menhir", "K"]
    assert [line.value for line in columns.lines] == [f"menhir/{column}" for column in COLUMNS]
    assert [line.value for line in rows.lines] == [f"menhir K{i}" for i in range(1, 23)]
    assert block_texts(found) == ["**Menhir · K**"]
    (back,) = block_buttons(found)
    assert (back.label, back.to) == ("Back", custom_ids.previous_step_id(MATCH, 999_999, ("menhir",)))


def test_steps_may_be_buttons_that_lead_on_and_leave_nothing_but_the_way_back() -> None:
    first, second, third = (lay_steps(*keys, controls=SUITS) for keys in ((), ("H",), ("H", "4H")))
    assert [block_menus(found) for found in (first, second, third)] == [[], [], []]
    assert labels_and_ids(first) == [
        ("♥", custom_ids.next_step_id(MATCH, 999_999, ("H",))),
        ("♠", custom_ids.next_step_id(MATCH, 999_999, ("S",))),
    ]
    assert labels_and_ids(second) == [
        ("4♥", custom_ids.next_step_id(MATCH, 999_999, ("H", "4H"))),
        ("Back to the hand", custom_ids.table_action_id(MATCH, "back")),
    ]
    assert [press.label for press in block_buttons(third)] == ["Push A", "Other card"]
    assert block_texts(third) == ["**♥ · 4♥**\n4♥ moves whom?"]


def test_a_step_that_an_older_hand_offered_at_once_is_found_behind_a_first_step() -> None:
    steps = hand_controls.find_steps(CONTROLS, ["K"])
    assert steps is not None
    assert [step.key for step in steps] == ["menhir", "K"]


@pytest.mark.parametrize("path", ["5H", "4H/K", "menhir/K/K9", "", "menhir/", "x" * 100, "🂡"])
def test_a_path_that_leads_nowhere_has_no_steps(path: str) -> None:
    assert hand_controls.find_steps(CONTROLS, path.split("/")) is None


def test_the_picks_of_a_step_are_found_by_their_verb() -> None:
    found = hand_controls.find_picks(CONTROLS, "perform 7 red blue")
    assert found is not None
    trail, picks = found
    assert ([step.key for step in trail], picks) == (["7"], DICE)
    assert hand_controls.find_picks(CONTROLS, "perform 77 red") is None
    assert hand_controls.find_picks(CONTROLS, "perform") is None


@pytest.mark.parametrize("dice", ["red blue", "red red blue", "2 red blue"])
def test_picks_in_a_step_are_shown_there_without_an_order(dice: str) -> None:
    notation, picked = f"perform 7 {dice}", dice.replace("2 red", "red red").split()
    trail, picks = hand_controls.find_picks(CONTROLS, notation) or ((), DICE)
    found = screen_layout.control_blocks(hand_controls.lay_out_picks(MATCH, 3, CONTROLS, trail, picks, notation))
    cards, colours = block_menus(found)
    assert [line.label for line in cards.lines if line.chosen] == ["Performance 7"]
    assert [line.label for line in colours.lines if line.chosen] == picked
    assert colours.to == custom_ids.picks_id(MATCH, 3, "perform 7")
    assert block_texts(found) == [f"**Confirm: {', '.join(picked)}**"]
    assert labels_and_ids(found) == [
        ("Confirm", custom_ids.move_id(MATCH, 3, notation)),
        ("Back", custom_ids.previous_step_id(MATCH, 3, ("7",))),
    ]


def test_long_lists_are_several_menus() -> None:
    many = (
        Steps("Card", tuple(Step(str(i), f"k{i}", (Buttons((Button("Go", f"go {i}"),)),)) for i in range(60))),
        Select("Move", tuple(Option(str(i), f"move {i}") for i in range(26))),
    )
    found = block_menus(lay_steps(controls=many))
    assert [len(menu.lines) for menu in found] == [25, 25, 10, 25, 1]
    assert [menu.placeholder for menu in found[:3]] == ["Card (1 of 3)", "Card (2 of 3)", "Card (3 of 3)"]
    assert len({menu.to for menu in found}) == 5
    chosen = block_menus(lay_steps("k59", controls=many))[:3]
    assert [line.label for menu in chosen for line in menu.lines if line.chosen] == ["59"]


def test_lines_that_leave_nothing_to_choose_stand_first_and_make_their_moves() -> None:
    mixed = (Steps("What?", (Step("Other dice", "dice", (DICE,)),), moves=(Option("All dice", "perform 7 red"),)),)
    (menu,) = block_menus(lay_steps(controls=mixed))
    assert [(line.label, line.value) for line in menu.lines] == [("All dice", "=perform 7 red"), ("Other dice", "dice")]
    assert [custom_ids.instant_move(line.value) for line in menu.lines] == ["perform 7 red", ""]
    (first_menu, _) = block_menus(lay_steps("dice", controls=mixed))
    assert [line.label for line in first_menu.lines if line.chosen] == ["Other dice"]


def test_the_question_of_a_button_is_found_in_its_step() -> None:
    assert [button.move for button in hand_controls.iter_buttons(CONTROLS)] == ["skip", "push 4H A", "push 4H C", "end"]
