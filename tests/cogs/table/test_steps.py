"""Steps on the way to a move: drawn from the path alone, which stands in custom_ids and values that Discord takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from cogs.screens.screen import Button, Buttons, Control, Option, Pick, Picks, Select, Step, Steps
from cogs.table.pages import custom_ids, hand_controls, screen_layout
from cogs.table.pages.page import Block, Menu, Press, Row, Text

MATCH = "abcd2345"
COLUMNS = "ABCDEFGHIJKLMNOPQRSTUV"
SQUARES = Steps(
    "Column",
    tuple(
        Step(
            column, column, (Select("Row", tuple(Option(f"{column}{i}", f"menhir {column}{i}") for i in range(1, 23))),)
        )
        for column in COLUMNS
    ),
)
DICE = Picks(
    "Dice", "perform 7", tuple(Pick(colour, colour) for colour in ("red", "red", "blue")), most=3, ordered=False
)
ASK = Button("Push A", "push 4H A", confirm="Over the edge?")
CONTROLS: tuple[Control, ...] = (
    Steps(
        "A card",
        (
            Step("4♥", "4H", (Buttons((ASK, Button("Push C", "push 4H C"))),), said="It goes up."),
            Step("Menhir", "menhir", (SQUARES,)),
            Step("Performance 7", "7", (DICE,)),
        ),
    ),
    Steps("Another", (Step("Last", "last", (Buttons((Button("End", "end"),)),)),)),
    Buttons((Button("Skip", "skip"),)),
)


RANKS = Steps("Which one?", (Step("4♥", "4H", (Buttons((ASK,)),), asks="4♥ moves whom?", back="Other card"),), True)
SUITS: tuple[Control, ...] = (Steps("Which suit?", (Step("♥", "H", (RANKS,)), Step("♠", "S", ())), buttons=True),)


def laid(*keys: str, controls: Sequence[Control] = CONTROLS) -> tuple[Block, ...]:
    trail = hand_controls.trail(controls, keys) if keys else ()
    assert trail is not None
    return screen_layout.told(hand_controls.laid(MATCH, 999_999, controls, trail))


def menus(blocks: Sequence[Block]) -> list[Menu]:
    return [block.items for block in blocks if isinstance(block, Row) and isinstance(block.items, Menu)]


def presses(blocks: Sequence[Block]) -> list[Press]:
    return [press for b in blocks if isinstance(b, Row) and not isinstance(b.items, Menu) for press in b.items]


def said(blocks: Sequence[Block]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Text)]


def paths(controls: Sequence[Control], keys: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every path that can be gone."""
    yield keys
    for control in controls:
        for step in control.steps if isinstance(control, Steps) else ():
            yield from paths(step.controls, (*keys, step.key))


def test_at_first_nothing_but_the_lists_is_drawn() -> None:
    found = laid()
    assert [menu.placeholder for menu in menus(found)] == ["A card", "Another"]
    assert [line.label for line in menus(found)[0].lines] == ["4♥", "Menhir", "Performance 7"]
    assert [press.label for press in presses(found)] == ["Skip"]
    assert not any(line.chosen for menu in menus(found) for line in menu.lines)
    assert said(found) == []


def test_a_step_brings_its_own_controls_in_place_of_the_others_and_a_way_back() -> None:
    found = laid("4H")
    assert [(press.label, press.to) for press in presses(found)] == [
        ("Push A", custom_ids.ask(MATCH, 999_999, "push 4H A")),
        ("Push C", custom_ids.move(MATCH, 999_999, "push 4H C")),
        ("Back to the hand", custom_ids.table(MATCH, "back")),
    ]
    assert said(found) == ["**4♥**\nIt goes up."]
    (menu,) = menus(found)
    assert [line.label for line in menu.lines if line.chosen] == ["4♥"]


def test_every_list_on_the_way_stays_so_that_another_line_can_be_chosen() -> None:
    found = laid("menhir", "K")
    cards, columns, rows = menus(found)
    assert [line.label for menu in (cards, columns) for line in menu.lines if line.chosen] == ["Menhir", "K"]
    assert [line.value for line in columns.lines] == [f"menhir/{column}" for column in COLUMNS]
    assert [line.value for line in rows.lines] == [f"menhir K{i}" for i in range(1, 23)]
    assert said(found) == ["**Menhir · K**"]
    (back,) = presses(found)
    assert (back.label, back.to) == ("Back", custom_ids.step(MATCH, 999_999, ("menhir",)))


def test_steps_may_be_buttons_that_lead_on_and_leave_nothing_but_the_way_back() -> None:
    first, second, third = laid(controls=SUITS), laid("H", controls=SUITS), laid("H", "4H", controls=SUITS)
    assert [menus(found) for found in (first, second, third)] == [[], [], []]
    assert [(press.label, press.to) for press in presses(first)] == [
        ("♥", custom_ids.onward(MATCH, 999_999, ("H",))),
        ("♠", custom_ids.onward(MATCH, 999_999, ("S",))),
    ]
    assert [(press.label, press.to) for press in presses(second)] == [
        ("4♥", custom_ids.onward(MATCH, 999_999, ("H", "4H"))),
        ("Back to the hand", custom_ids.table(MATCH, "back")),
    ]
    assert [press.label for press in presses(third)] == ["Push A", "Other card"]
    assert said(third) == ["**♥ · 4♥**\n4♥ moves whom?"]


def test_what_a_line_or_a_button_sends_leads_to_its_step() -> None:
    for keys in paths(CONTROLS):
        found = laid(*keys)
        for menu in menus(found):
            control = custom_ids.read(menu.to)
            assert control is not None
            if control.kind == "f":
                for line in menu.lines:
                    trail = hand_controls.trail(CONTROLS, custom_ids.keys(line.value))
                    assert trail is not None
                    assert trail[-1].label == line.label
        if len(keys) > 1:
            back = custom_ids.read(presses(found)[-1].to)
            assert back is not None
            assert (back.kind, tuple(custom_ids.keys(back.rest))) == ("g", keys[:-1])


@pytest.mark.parametrize("keys", list(paths(CONTROLS)), ids="/".join)
def test_custom_ids_are_readable_short_and_unlike_each_other(keys: tuple[str, ...]) -> None:
    found = laid(*keys)
    sent = [menu.to for menu in menus(found)] + [press.to for press in presses(found)]
    assert len(set(sent)) == len(sent)
    for custom_id in sent:
        assert len(custom_id) <= custom_ids.LONGEST
        assert custom_ids.read(custom_id) is not None
    for menu in menus(found):
        values = [line.value for line in menu.lines]
        assert 1 <= len(values) == len(set(values)) <= 25
        assert max(map(len, values)) <= 100


@pytest.mark.parametrize(
    "keys", [("5H",), ("4H", "K"), ("menhir", "K", "K9"), ("",), ("menhir", ""), ("K",), ("x" * 100,), ("🂡",)], ids=str
)
def test_a_path_that_leads_nowhere_has_no_steps(keys: tuple[str, ...]) -> None:
    assert hand_controls.trail(CONTROLS, keys) is None


def test_the_picks_of_a_step_are_found_by_their_verb() -> None:
    found = hand_controls.picks_of(CONTROLS, "perform 7 red blue")
    assert found is not None
    trail, picks = found
    assert ([step.key for step in trail], picks) == (["7"], DICE)
    assert hand_controls.picks_of(CONTROLS, "perform 77 red") is None
    assert hand_controls.picks_of(CONTROLS, "perform") is None


def test_picks_in_a_step_are_shown_there_and_without_an_order_where_none_counts() -> None:
    notation = "perform 7 red blue"
    trail, picks = hand_controls.picks_of(CONTROLS, notation) or ((), DICE)
    found = screen_layout.told(hand_controls.picked(MATCH, 3, CONTROLS, trail, picks, notation))
    cards, dice = menus(found)
    assert [line.label for line in cards.lines if line.chosen] == ["Performance 7"]
    assert [line.label for line in dice.lines if line.chosen] == ["red", "blue"]
    assert dice.to == custom_ids.picks(MATCH, 3, "perform 7")
    assert said(found) == ["**Confirm: red, blue**"]
    assert [(press.label, press.to) for press in presses(found)] == [
        ("Confirm", custom_ids.move(MATCH, 3, notation)),
        ("Back", custom_ids.step(MATCH, 3, ("7",))),
    ]


def test_a_number_in_the_notation_stands_for_as_many_picks() -> None:
    for notation in ("perform 7 red red blue", "perform 7 2 red blue"):
        trail, picks = hand_controls.picks_of(CONTROLS, notation) or ((), DICE)
        found = screen_layout.told(hand_controls.picked(MATCH, 3, CONTROLS, trail, picks, notation))
        assert [line.label for line in menus(found)[1].lines if line.chosen] == ["red", "red", "blue"]
        assert said(found) == ["**Confirm: red, red, blue**"]
        assert presses(found)[0].to == custom_ids.move(MATCH, 3, notation)


def test_long_lists_are_several_menus() -> None:
    many = (
        Steps("Card", tuple(Step(str(i), f"k{i}", (Buttons((Button("Go", f"go {i}"),)),)) for i in range(60))),
        Select("Move", tuple(Option(str(i), f"move {i}") for i in range(26))),
    )
    found = menus(laid(controls=many))
    assert [len(menu.lines) for menu in found] == [25, 25, 10, 25, 1]
    assert [menu.placeholder for menu in found[:3]] == ["Card (1 of 3)", "Card (2 of 3)", "Card (3 of 3)"]
    assert len({menu.to for menu in found}) == 5
    first, second, third = menus(laid("k59", controls=many))
    assert [line.label for menu in (first, second, third) for line in menu.lines if line.chosen] == ["59"]


def test_lines_that_leave_nothing_to_choose_stand_first_and_make_their_moves() -> None:
    mixed = (Steps("What?", (Step("Other dice", "dice", (DICE,)),), moves=(Option("All dice", "perform 7 red"),)),)
    (menu,) = menus(laid(controls=mixed))
    assert [(line.label, line.value) for line in menu.lines] == [("All dice", "=perform 7 red"), ("Other dice", "dice")]
    assert [custom_ids.made(line.value) for line in menu.lines] == ["perform 7 red", ""]
    (again, _) = menus(laid("dice", controls=mixed))
    assert [line.label for line in again.lines if line.chosen] == ["Other dice"]


def test_the_question_of_a_button_is_found_in_its_step() -> None:
    assert [button.move for button in hand_controls.buttons(CONTROLS)] == ["skip", "push 4H A", "push 4H C", "end"]
