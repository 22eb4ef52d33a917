"""Lobbies as pages: what is offered can be chosen, in every game and with any number of players."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import pytest

from cogs.screens.control_widths import LABEL, OPTION
from cogs.screens.screen import GameScreen
from cogs.table.pages import custom_ids, lobby_pages, match_pages
from cogs.table.pages.page import Menu, Page, Press, Row, Text
from cogs.table.wording import table_option_words
from engines.hosting.match import Look
from engines.kit.contract import AnyGame
from engines.kit.options import changed, options_of, text
from engines.store.match_store import Info, Place, Seat, Status
from engines.store.table_options import House, every_option, house_options
from engines.store.table_options import changed as house_changed
from engines.wizard.game import WizardGame
from tests.fronts import SCREENS
from tests.games import GAMES

COMPONENTS = 40
NAMES = ("Ada", "Bela", "*Chidi*", "Dora", "Emil", "W" * 32)
TABLES = [(game, seats) for game in GAMES.values() for seats in range(1, game.seats[-1] + 1)]


def look(game: AnyGame, seats: int, options: Any = None, **changes: Any) -> Look:
    """A lobby with so many people."""
    options = options or game.options()
    people = tuple(Seat(i + 1, name) for i, name in enumerate(NAMES[:seats]))
    kept = game.settings.dump_json(options).decode()
    info = Info("abcd2345", game.key, game.version, kept, Status.LOBBY, 1, Place(1, 2), people, created=1000)
    return Look(replace(info, **changes), game, options, None)


def shown(draw: Callable[[Look, GameScreen], Page], at: Look) -> Page:
    return draw(at, SCREENS[at.game.key])


def every(game: AnyGame) -> Iterator[Any]:
    """Options of every kind."""
    named = [[(option.name, value) for value in option.values] for option in options_of(game)]
    return (replace(game.options(), **dict(chosen)) for chosen in product(*named))


def presses(page: Page) -> list[Press]:
    found = [row.items for row in page.blocks if isinstance(row, Row)]
    return [press for items in found if not isinstance(items, Menu) for press in items]


def menus(page: Page) -> list[Menu]:
    return [row.items for row in page.blocks if isinstance(row, Row) and isinstance(row.items, Menu)]


def said(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks if isinstance(block, Text))


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game.key}-{seats}" for game, seats in TABLES])
def test_all_that_a_lobby_offers_can_be_chosen_and_fits(game: AnyGame, seats: int) -> None:
    for options in every(game):
        at = look(game, seats, options)
        chosen_from, lobby = shown(lobby_pages.options, at), shown(lobby_pages.lobby, at)
        words = SCREENS[game.key].options(options, max(seats, game.seats[0]))
        assert set(words) == {option.name for option in options_of(game)}
        for name, word in words.items():
            assert f"{name.capitalize()}: {word}" in said(lobby)
        every_name = [*words, *table_option_words.words(at.info.house)]
        assert [menu.to for menu in menus(chosen_from)] == [custom_ids.option("abcd2345", name) for name in every_name]
        for menu, option in zip(menus(chosen_from), options_of(game), strict=False):
            assert 2 <= len(menu.lines) <= 25
            assert len({line.label for line in menu.lines}) == len(menu.lines)
            (chosen,) = [line.label.removesuffix("…") for line in menu.lines if line.chosen]
            assert words[option.name].startswith(chosen)
            for line in menu.lines:
                assert len(line.label) <= OPTION
                assert text(getattr(changed(game, options, option.name, line.value), option.name)) == line.value
        advised = [press for press in presses(lobby) if press.to.startswith("v:")]
        assert advised == [press for press in presses(chosen_from) if press.to.startswith("v:")]
        for press in advised:
            control = custom_ids.read(press.to)
            assert control is not None
            name, _, value = control.rest.partition("=")
            assert changed(game, options, name, value) != options
            assert len(press.label) <= LABEL
        for page in (chosen_from, lobby, shown(lobby_pages.sure, at)):
            assert len(page.blocks) + len(presses(page)) + 1 <= COMPONENTS


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_lobby_offers_and_tells_the_options_of_the_house(game: AnyGame) -> None:
    assert not {option.name for option in options_of(game)} & {option.name for option in house_options()}
    for chosen in product(*(option.values for option in house_options())):
        at = look(game, game.seats[0], house=House(*chosen))
        for page in (shown(lobby_pages.lobby, at), shown(lobby_pages.sure, at)):
            for name, word in table_option_words.words(House(*chosen)).items():
                assert f"{name.capitalize()}: {word}" in said(page)
        assert "Options" in {press.label for press in presses(shown(lobby_pages.lobby, at))}
        lists = menus(shown(lobby_pages.options, at))[len(options_of(game)) :]
        for menu, option, now in zip(lists, house_options(), chosen, strict=True):
            (marked,) = [line for line in menu.lines if line.chosen]
            assert marked.value == text(now)
            for line in menu.lines:
                assert len(line.label) <= OPTION
                made = house_changed(game, at.options, at.info.house, option.name, line.value)
                assert text(getattr(made[1], option.name)) == line.value


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_lobby_of_the_published_rules_says_when_nothing_was_changed(game: AnyGame) -> None:
    assert "Options changed" not in said(shown(lobby_pages.lobby, look(game, 2)))
    assert "Options changed <t:1234:R>" in said(shown(lobby_pages.lobby, look(game, 2, chosen=1234)))


class Picky(WizardGame):
    """Wizard that is not played by four."""

    def fitting(self, seats: int, options: Any) -> Any:
        if seats == 4:
            raise ValueError("Four players cannot play like that.")
        return super().fitting(seats, options)


def test_options_that_do_not_fit_those_who_have_joined_are_said_in_the_lobby() -> None:
    for seats in (2, 3, 4, 5):
        for page in (shown(lobby_pages.lobby, look(Picky(), seats)), shown(lobby_pages.options, look(Picky(), seats))):
            assert ("⚠ Four players cannot play like that." in said(page)) is (seats == 4)


def test_a_value_that_is_not_offered_but_chosen_stands_in_the_list() -> None:
    at = look(GAMES["court"], 2, replace(GAMES["court"].options(), turns=137))
    (chosen,) = [line for line in menus(shown(lobby_pages.options, at))[1].lines if line.chosen]
    assert (chosen.label, chosen.value) == ("at most 137, all players' together", "137")


def test_the_default_is_marked() -> None:
    for game in GAMES.values():
        for menu, option in zip(menus(shown(lobby_pages.options, look(game, 2))), every_option(game), strict=True):
            assert [line.value for line in menu.lines if line.description == "the default"] == [text(option.default)]


def test_names_are_safe_where_options_are_told() -> None:
    at = look(GAMES["court"], 4, host=3)
    assert "\\*Chidi\\* can change that here" in said(shown(lobby_pages.lobby, at))
    assert "\\*Chidi\\* starts" in said(match_pages.hand(at, 0, match_pages.Setting(SCREENS[at.game.key])))


@dataclass(frozen=True, slots=True)
class Expected:
    seats: int
    options: dict[str, Any]
    advised: bool


@pytest.mark.parametrize(
    "case",
    [
        Expected(4, {}, True),
        Expected(3, {}, False),
        Expected(2, {}, False),
        Expected(4, {"banners": 3}, False),
        Expected(4, {"banners": 2}, False),
        Expected(4, {"turns": 500}, False),
    ],
)
def test_the_court_is_advised_with_four_players_at_its_defaults(case: Expected) -> None:
    court = GAMES["court"]
    page = shown(lobby_pages.lobby, look(court, case.seats, replace(court.options(), **case.options)))
    assert ("very long match" in said(page)) is case.advised
    assert ({"3 banners", "At most 120 turns"} < {press.label for press in presses(page)}) is case.advised


@pytest.mark.parametrize("changes", [{}, {"banners": 3}])
def test_where_computers_sit_down_the_same_is_said_beside_start(changes: dict[str, Any]) -> None:
    court = GAMES["court"]
    at = look(court, 1, replace(court.options(), **changes))
    for seats in range(1, 5):
        computers = tuple(Seat(0, name, level="easy") for name in NAMES[1:seats])
        page = shown(lobby_pages.computers, replace(at, info=replace(at.info, seats=at.info.seats + computers)))
        advised = seats == 4 and not changes
        assert ("very long match" in said(page)) is advised
        assert ("Options" in {press.label for press in presses(page)}) is advised
