"""Several picks for one move: any order can be reached, and stands in custom_ids that Discord takes."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from cogs.screens.screen import Pick, Picks
from cogs.table.pages import custom_ids, hand_controls
from cogs.table.pages.page import Menu, Press
from cogs.table.surfaces import move_steps
from cogs.table.transport import discord_views

MATCH = "abcd2345"
HAND = ("10C", "10D", "10H", "10S", "4C", "KS", "joker", "joker")
PICKS = Picks("Pick", "trade", tuple(Pick(token.lower(), token) for token in HAND), most=8)


def pick_buttons(tokens: tuple[str, ...], picks: Picks = PICKS) -> list[Press]:
    return hand_controls.pick_presses(MATCH, 999_999, picks, tokens)


def order_of(press: Press) -> tuple[str, ...]:
    control = custom_ids.parse_control(press.to)
    assert control is not None
    assert (control.kind, control.match, control.decision) == ("o", MATCH, 999_999)
    verb, *tokens = control.rest.split()
    assert verb == "trade"
    return tuple(tokens)


def picks_menu(chosen: tuple[str, ...] = ()) -> Menu:
    found = hand_controls.picks_row(MATCH, 3, PICKS, chosen).items
    assert isinstance(found, Menu)
    return found


@pytest.mark.parametrize("tokens", [(), HAND[:1], HAND, HAND[::-1], HAND[4:], ("joker", "4C", "joker"), HAND[:2]])
def test_the_buttons_have_custom_ids_and_labels_of_their_own(tokens: tuple[str, ...]) -> None:
    presses = pick_buttons(tokens)
    found = [press.to for press in presses] + [custom_ids.move_id(MATCH, 999_999, " ".join(("trade", *tokens)))]
    assert len(set(found)) == len(found)
    assert len({press.label for press in presses}) == len(presses)
    assert max(map(len, found)) <= custom_ids.MAX_ID_LENGTH


def test_a_tap_picks_a_card_or_takes_it_back_and_the_buttons_say_the_order() -> None:
    by_label = {press.label: press for press in pick_buttons(("4C", "joker", "KS"))}
    assert [by_label[label].style for label in ("4c (1)", "joker (2)", "ks (3)")] == ["success"] * 3
    assert order_of(by_label["4c (1)"]) == ("joker", "KS")
    assert order_of(by_label["ks (3)"]) == ("4C", "joker")
    assert order_of(by_label["joker"]) == ("4C", "joker", "KS", "joker")
    assert order_of(by_label["10c"]) == ("4C", "joker", "KS", "10C")
    (only,) = [press for press in pick_buttons(("4C",)) if press.label == "4c (1)"]
    assert only.idle, "the last card is taken back by going back"
    full = pick_buttons(("4C", "KS"), replace(PICKS, most=2))
    assert [press.label for press in full if not press.idle] == ["4c (1)", "ks (2)"]


@pytest.mark.parametrize("wanted", [("4C", "KS", "10H"), ("4C", "joker", "joker", "KS"), HAND])
def test_every_order_is_reached_by_a_tap_a_card(wanted: tuple[str, ...]) -> None:
    for number in range(1, len(wanted) + 1):
        offered = [order_of(press) for press in pick_buttons(wanted[: number - 1]) if not press.idle]
        assert wanted[:number] in offered


def test_the_buttons_keep_their_places_whatever_the_order() -> None:
    labels = {tuple(press.label.split(" (")[0] for press in pick_buttons(tokens)) for tokens in permutations(HAND[:4])}
    assert len(labels) == 1


@pytest.mark.parametrize("sent", [slice(None), slice(None, None, -1), slice(1, None, 3)])
def test_simultaneous_picks_stand_in_the_order_of_the_list_whatever_a_client_sends(sent: slice) -> None:
    values = [line.value for line in picks_menu().lines]
    chosen = Random(3).sample(values[sent], len(values[sent]))
    assert custom_ids.picked(chosen) == [token for value, token in zip(values, HAND, strict=True) if value in chosen]


def test_lines_that_are_alike_have_values_of_their_own_and_older_and_forged_values_are_read_too() -> None:
    values = [line.value for line in picks_menu().lines]
    assert len(set(values)) == len(values) == 8
    assert tuple(map(custom_ids.pick_token, values)) == HAND
    assert all(len(value) <= 100 for value in values)
    assert custom_ids.picked(["KS", "4C"]) == ["KS", "4C"]
    assert custom_ids.picked(["joker~1", "joker", "4C"]) == ["joker", "4C", "joker"]
    assert custom_ids.picked(["x~" + "9" * 5000, "y~²", "~", ""]) == ["x", "y", "", ""]


def test_picks_are_buttons_if_their_order_matters_and_otherwise_a_list() -> None:
    for most, ordered in ((8, True), (1, True), (8, False), (2, False)):
        picks = replace(PICKS, most=most, ordered=ordered)
        rows = hand_controls.lay_out_controls(MATCH, 3, (picks,)).remaining
        assert [isinstance(row.items, Menu) for row in rows] == ([False] * len(rows) if ordered else [True])


@pytest.mark.parametrize(
    ("newest", "pressed", "picked"),
    [
        ("trade 4C", "trade 4C KS", "trade 4C KS"),
        ("trade 4C KS", "trade KS", "trade KS"),
        ("trade 4C KS 10H", "trade 4C 10H", "trade 4C 10H"),
        ("trade 4C", "trade KS", "trade 4C KS"),  # pressed before the hand showed the 4 of clubs
        ("trade 4C KS", "trade 4C 10H", "trade 4C KS 10H"),
        ("trade 4C KS 10H", "trade 10C", "trade 4C KS 10H 10C"),
        ("trade 4C", "trade 4C", "trade 4C"),
        ("", "trade 4C", "trade 4C"),
        ("trade KS 4C", "trade 10H 10C 10D", "trade 10H 10C 10D"),
    ],
)
def test_quick_taps_add_up_although_the_hand_does_not_show_the_newest_yet(
    newest: str, pressed: str, picked: str
) -> None:
    assert move_steps.add_tap(newest, pressed) == picked


def test_every_pick_is_a_button_that_says_its_place() -> None:
    for notation in ("trade 10C 4C KS", "trade 10C 10D 10H 10S 4C KS joker joker"):
        left = hand_controls.lay_out_picks(MATCH, 3, (PICKS,), (), PICKS, notation).remaining
        assert not any(isinstance(row.items, Menu) for row in left)
        labels = [press.label for row in left if not isinstance(row.items, Menu) for press in row.items]
        assert labels[-1] == "Confirm"
        assert {"10c (1)", "joker (7, 8)"} & set(labels)


@pytest.mark.parametrize("chosen", [(), ("joker",), ("joker", "4C", "joker"), HAND])
def test_picked_items_are_marked(chosen: tuple[str, ...]) -> None:
    marked = [custom_ids.pick_token(line.value) for line in picks_menu(chosen).lines if line.chosen]
    assert sorted(marked) == sorted(chosen)
    assert (picks_menu().least, picks_menu().most) == (1, 8)


def test_discord_is_told_how_many_may_be_picked() -> None:
    menu = discord_views._menu_json(picks_menu(("4C",)))
    assert (menu["min_values"], menu["max_values"]) == (1, 8)
    assert [option["value"] for option in menu["options"] if option["default"]] == ["4C~4"]
    assert discord_views._button_json(Press("x", "o:x", idle=True))["disabled"]
