"""Several picks for one move: any order can be reached, and stands in custom_ids that Discord takes."""

from __future__ import annotations

from itertools import permutations

import pytest

from cogs.screens.screen import Pick, Picks
from cogs.table import ids, offers, send
from cogs.table.ids import Control
from cogs.table.page import Menu, Press

MATCH = "abcd2345"
HAND = ("10C", "10D", "10H", "10S", "4C", "KS", "joker", "joker")
PICKS = Picks("Pick", "trade", tuple(Pick(token.lower(), token) for token in HAND), most=8, lift="on top")


def lifts(tokens: tuple[str, ...]) -> list[Press]:
    return offers.picks_lifts(MATCH, 999_999, PICKS, tokens)


def order(press: Press) -> tuple[str, ...]:
    """The order that a button leads to."""
    control = ids.read(press.to)
    assert control is not None
    assert (control.kind, control.match, control.decision) == ("o", MATCH, 999_999)
    verb, *tokens = control.rest.split()
    assert verb == "trade"
    return tuple(tokens)


def menu(chosen: tuple[str, ...] = ()) -> Menu:
    found = offers.picks_row(MATCH, 3, PICKS, chosen).items
    assert isinstance(found, Menu)
    return found


def test_custom_ids_of_picks_are_written_and_read() -> None:
    assert ids.read(ids.picks(MATCH, 3, "trade")) == Control("p", MATCH, 3, "trade")
    assert ids.read(ids.order(MATCH, 0, "trade 4C 9D")) == Control("o", MATCH, 0, "trade 4C 9D")
    assert ids.read(ids.picks(MATCH, 3, "perform 7")) == Control("p", MATCH, 3, "perform 7")
    assert ids.read(f"p:{MATCH}:3:trade 4C") is None


@pytest.mark.parametrize("tokens", [HAND, HAND[::-1], HAND[4:], ("joker", "4C", "joker"), ("joker", "joker"), HAND[:2]])
def test_the_buttons_have_custom_ids_of_their_own_that_are_short_enough(tokens: tuple[str, ...]) -> None:
    presses = lifts(tokens)
    found = [press.to for press in presses] + [ids.move(MATCH, 999_999, " ".join(("trade", *tokens)))]
    assert len(set(found)) == len(found)
    assert max(map(len, found)) <= ids.LONGEST
    assert len(presses) == len(set(tokens))
    for press in presses:
        assert sorted(order(press)) == sorted(tokens)
        assert f"{order(press)[-1].lower()} on top" == press.label
        assert press.idle is (order(press) == tokens)


def test_a_single_pick_has_no_order() -> None:
    assert lifts(("4C",)) == []


@pytest.mark.parametrize("start", [("4C", "KS", "10H"), ("4C", "joker", "joker", "KS")])
def test_every_order_can_be_reached(start: tuple[str, ...]) -> None:
    reached, fresh = {start}, [start]
    while fresh:
        found = {order(press) for press in lifts(fresh.pop()) if not press.idle} - reached
        reached |= found
        fresh += found
    assert reached == set(permutations(start))


def test_the_buttons_keep_their_places_whatever_the_order() -> None:
    assert len({tuple(press.label for press in lifts(tokens)) for tokens in permutations(HAND[:4])}) == 1


def test_lines_that_are_alike_have_values_of_their_own() -> None:
    values = [line.value for line in menu().lines]
    assert len(set(values)) == len(values) == 8
    assert tuple(map(ids.token, values)) == HAND
    assert all(len(value) <= 100 for value in values)


@pytest.mark.parametrize("chosen", [(), ("joker",), ("joker", "4C", "joker"), HAND])
def test_what_is_picked_is_marked(chosen: tuple[str, ...]) -> None:
    marked = [ids.token(line.value) for line in menu(chosen).lines if line.chosen]
    assert sorted(marked) == sorted(chosen)
    assert (menu().least, menu().most) == (1, 8)


def test_discord_is_told_how_many_may_be_picked() -> None:
    made = send._menu(menu(("4C",)))
    assert (made.min_values, made.max_values) == (1, 8)
    assert [option.value for option in made.options if option.default] == ["4C"]
    assert send._button(Press("x", "o:x", idle=True)).disabled
