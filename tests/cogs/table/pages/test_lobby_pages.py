"""Lobby pages: who has joined, what is missing, and advice about the match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cogs.screens.screen import GameScreen
from cogs.screens.words import COMPUTER_MARK
from cogs.table.pages import lobby_invitation, lobby_pages, match_pages, options_pages
from cogs.table.pages.menu_pages import menu_page
from cogs.table.pages.page import Page
from engines.features.registry import TABLE_OPTIONS
from engines.hosting.match import MatchSnapshot
from engines.kit.contract import AnyGame
from engines.store.characters import CHARACTERS
from engines.store.match_store import MatchInfo, Place, Seat, Status
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.wizard.game import WizardGame
from engines.wizard.model import Options as WizardOptions
from tests.contract.shown import page_buttons, page_text
from tests.game_uis import SCREENS
from tests.games import GAMES

NAMES = ("Ada", "Bela", "*Chidi*", "Dora", "Emil", "W" * 32)


def lobby_snapshot(game: AnyGame, seats: int, options: Any = None, **changes: Any) -> MatchSnapshot:
    options = options or game.options()
    people = tuple(Seat(i + 1, name) for i, name in enumerate(NAMES[:seats]))
    dumped = game.options_adapter.dump_json(options).decode()
    info = MatchInfo("abcd2345", game.key, game.version, dumped, Status.LOBBY, 1, Place(1, 2), people, created=1000)
    info = replace(info, seal="5e" * 32, **changes)
    return MatchSnapshot(
        replace(info, table_options=replace(info.table_options, known=TABLE_OPTIONS)), game, options, None
    )


def draw_page(draw: Callable[[MatchSnapshot, GameScreen], Page], at: MatchSnapshot) -> Page:
    return draw(at, SCREENS[at.game.key])


def draw_length_page(at: MatchSnapshot, server: ServerSettings = DEFAULT_SERVER_SETTINGS) -> Page:
    number = options_pages.options_page_of(at, "turns", server)
    return options_pages.options_page(at, SCREENS[at.game.key], server, number)


def test_w19_two_players_can_start_with_a_dummy_and_computers_are_counted_so() -> None:
    for dummy, players, expected in (
        (False, 2, "One computer will join"),
        (True, 1, "One computer will join"),
        (True, 2, "One more computer will join"),
    ):
        at = lobby_snapshot(GAMES["wizard"], players, WizardOptions(dummy=dummy))
        assert expected in page_text(draw_page(lobby_pages.computers_page, at))


def test_options_do_not_advise_what_cannot_be_changed() -> None:
    at, server = lobby_snapshot(GAMES["court"], 4), DEFAULT_SERVER_SETTINGS.with_preset("court", "as published")
    labels = [press.label for press in page_buttons(draw_length_page(at, server))]
    assert ("3 banners" in labels, "At most 120 turns" in labels) == (False, True)


class PickyWizard(WizardGame):
    def validate_setup(self, seats: int, options: Any) -> Any:
        if seats == 4:
            raise ValueError("Four players cannot play like that.")
        return super().validate_setup(seats, options)


def test_options_that_do_not_fit_those_who_have_joined_are_said_in_the_lobby() -> None:
    for seats in (2, 3, 4, 5):
        for draw in (lobby_invitation.lobby_page, options_pages.options_page):
            text = page_text(draw_page(draw, lobby_snapshot(PickyWizard(), seats)))
            assert ("⚠ Four players cannot play like that." in text) is (seats == 4)


def test_names_are_safe_where_options_are_told() -> None:
    at = lobby_snapshot(GAMES["court"], 4, host=3)
    hand = match_pages.hand_page(at, 0, match_pages.PageContext(SCREENS[at.game.key]))
    assert "\\*Chidi\\* starts" in page_text(hand)


@pytest.mark.parametrize(
    ("seats", "options", "advised"),
    [
        *((4, {}, True), (3, {}, False), (2, {}, False)),
        *((4, {"banners": 3}, False), (4, {"banners": 2}, False), (4, {"turns": 500}, False)),
    ],
)
def test_four_at_the_court_get_advice(seats: int, options: dict[str, Any], advised: bool) -> None:
    court = GAMES["court"]
    page = draw_length_page(lobby_snapshot(court, seats, replace(court.options(), **options)))
    assert ("very long match" in page_text(page)) is advised
    assert ({"3 banners", "At most 120 turns"} < {press.label for press in page_buttons(page)}) is advised


@pytest.mark.parametrize("changes", [{}, {"banners": 3}])
def test_the_same_stands_beside_start_if_computers_sit_down(changes: dict[str, Any]) -> None:
    court = GAMES["court"]
    at = lobby_snapshot(court, 1, replace(court.options(), **changes))
    for seats in range(1, 5):
        computers = tuple(Seat(0, name, level="easy") for name in NAMES[1:seats])
        full = replace(at, info=replace(at.info, seats=at.info.seats + computers))
        page = draw_page(lobby_pages.computers_page, full)
        advised = seats == 4 and not changes
        assert ("very long match" in page_text(page)) is advised
        assert ("Options" in {press.label for press in page_buttons(page)}) is advised


def test_pages_of_a_lobby_say_who_the_computers_are_and_how_well_they_play() -> None:
    game = next(game for game in GAMES.values() if game.seats[-1] > 3)
    at = lobby_snapshot(game, 2)
    old, known = Seat(0, "Feste", level="hard"), Seat(0, CHARACTERS[0].name, level="easy")
    at = replace(at, info=replace(at.info, seats=(*at.info.seats, known, old, replace(old, user=9, name="Rob"))))
    line_ = f"- {known.name} {COMPUTER_MARK} (easy): {CHARACTERS[0].sentence}"
    lines = page_text(lobby_pages.computers_page(at, SCREENS[game.key])).split("\n")
    assert [line for line in lines if COMPUTER_MARK in line and line.startswith("- ")] == [
        line_,
        f"- Feste {COMPUTER_MARK} (hard)",  # named by an older version
        f"- Rob {COMPUTER_MARK} (hard)",
    ]
    menu = page_text(menu_page(at, 1, SCREENS[game.key]))
    levels = [f"{known.name} {COMPUTER_MARK} (easy)", f"Feste {COMPUTER_MARK} (hard)", f"Rob {COMPUTER_MARK} (hard)"]
    assert f"Computers: {', '.join(levels)}." in menu
    assert COMPUTER_MARK not in page_text(menu_page(lobby_snapshot(game, 2), 1, SCREENS[game.key]))
