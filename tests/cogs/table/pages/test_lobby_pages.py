"""Lobby pages: every offered value can be chosen, in every game and with any number of players."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_LABEL, MAX_OPTION
from cogs.screens.screen import GameScreen
from cogs.screens.words import COMPUTER_MARK
from cogs.table.pages import custom_ids, lobby_pages, match_pages
from cogs.table.pages.menu_pages import menu_page
from cogs.table.pages.page import Menu, Page, Text
from cogs.table.wording import table_option_words
from engines.features.registry import TABLE_OPTIONS
from engines.hosting.match import MatchSnapshot
from engines.kit.contract import AnyGame
from engines.kit.options import (
    PRESET,
    change_option,
    format_value,
    game_choices,
    game_options,
    known_presets,
    preset_option_names,
)
from engines.store.characters import CHARACTERS
from engines.store.match_store import MatchInfo, Place, Seat, Status
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import Clock, TableOptions, change_any_option, list_all_options, options_for
from engines.wizard.game import WizardGame
from engines.wizard.model import SPECIAL_NAMES
from engines.wizard.model import Options as WizardOptions
from tests.contract.shown import page_buttons, page_menus
from tests.game_uis import SCREENS
from tests.games import GAMES

COMPONENTS = 40
MIXTURES = 60
REFUSAL = re.compile(r"[A-Z].{20,200}\.")
NAMES = ("Ada", "Bela", "*Chidi*", "Dora", "Emil", "W" * 32)
TABLES = [(game, seats) for game in GAMES.values() for seats in range(1, game.seats[-1] + 1)]


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


def many_options(game: AnyGame) -> Iterator[Any]:
    """Every value of every option by itself, all presets, and a sample of all combinations that go together."""
    options, rng = game_options(game), Random(game.key)
    mixtures = [{option.name: value} for option in options for value in option.values]
    mixtures += [dict(values) for values in game.presets.values()]
    mixtures += [
        {option.name: rng.choice(option.values) for option in options} for _ in range(MIXTURES if options else 0)
    ]
    for values in ({}, *mixtures):
        with suppress(ValueError):
            yield game.validate_options(replace(game.options(), **values))


def all_options_menus(at: MatchSnapshot, server: ServerSettings = DEFAULT_SERVER_SETTINGS) -> list[Menu]:
    """The lists of all pages of options."""
    screen = SCREENS[at.game.key]
    numbers = range(1, len(lobby_pages.split_options(at, server)) + 1)
    return [menu for number in numbers for menu in page_menus(lobby_pages.options_page(at, screen, server, number))]


def try_option(game: AnyGame, options: Any, name: str, value: str) -> str:
    """The value of the option after that choice, or why it does not go with the others."""
    try:
        return format_value(getattr(change_option(game, options, name, value), name))
    except ValueError as refusal:
        return str(refusal)


def page_text(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks if isinstance(block, Text))


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game.key}-{seats}" for game, seats in TABLES])
def test_all_that_a_lobby_offers_can_be_chosen_and_fits(game: AnyGame, seats: int) -> None:
    for options in many_options(game):
        at = lobby_snapshot(game, seats, options)
        chosen_from, lobby = draw_page(lobby_pages.options_page, at), draw_page(lobby_pages.lobby_page, at)
        menus = all_options_menus(at)
        words = SCREENS[game.key].option_texts(options, max(seats, game.seats_with(options)[0]))
        assert set(words) == {option.name for option in game_options(game)}
        for name, word in words.items():
            if name not in preset_option_names(game) or len(preset_option_names(game)) == 1:
                assert f"{name.capitalize()}: {word}" in page_text(lobby)
            else:
                differs = getattr(options, name) != getattr(game.options(), name)
                (rules,) = [line for line in page_text(lobby).split("\n") if line.startswith("Rules: ")]
                groups = SCREENS[game.key].option_groups()
                naming_groups = [group for group, every in groups.items() if name in every and group in rules]
                assert (f"{name} {word}" in rules or naming_groups != []) is differs
                assert not naming_groups or f"{name} {word}" not in rules
        every_name = [option.name for option in list_all_options(game, TABLE_OPTIONS)]
        ids = [custom_ids.option_id("abcd2345", name) for name in every_name]
        assert [menu.to for menu in menus] == ids
        own = menus[len(game_choices(game)) - len(game_options(game)) :]
        for menu, option in zip(own, game_options(game), strict=False):
            assert 2 <= len(menu.lines) <= 25
            assert len({line.label for line in menu.lines}) == len(menu.lines)
            (chosen,) = [line.label.removesuffix("…") for line in menu.lines if line.chosen]
            assert words[option.name].startswith(chosen)
            for line in menu.lines:
                assert len(line.label) <= MAX_OPTION
                found = try_option(game, options, option.name, line.value)
                assert found == line.value or REFUSAL.fullmatch(found)
        for name in game.presets:
            assert change_option(game, options, PRESET, name)
        advised = [press for press in page_buttons(lobby) if press.to.startswith("v:")]
        assert advised == [press for press in page_buttons(chosen_from) if press.to.startswith("v:")]
        for press in advised:
            control = custom_ids.parse_control(press.to)
            assert control is not None
            name, _, value = control.rest.partition("=")
            assert change_option(game, options, name, value) != options
            assert len(press.label) <= MAX_LABEL
        others = [
            lobby_pages.options_page(at, SCREENS[game.key], page=number)
            for number in range(2, len(lobby_pages.split_options(at)) + 1)
        ]
        for page in (chosen_from, *others, lobby, draw_page(lobby_pages.confirm_start_page, at)):
            assert len(page.blocks) + len(page_buttons(page)) + len(page_menus(page)) + 1 <= COMPONENTS


def test_many_options_are_on_several_pages_that_lead_to_each_other() -> None:
    at, screen = lobby_snapshot(GAMES["wizard"], 3), SCREENS["wizard"]
    pages = lobby_pages.split_options(at)
    assert len(pages) in range(2, lobby_pages.MAX_OPTIONS_PAGES + 1)
    assert [option for page in pages for option in page] == [*list_all_options(at.game, TABLE_OPTIONS)]
    for number, options in enumerate(pages, 1):
        page = lobby_pages.options_page(at, screen, page=number)
        assert [menu.to for menu in page_menus(page)] == [
            custom_ids.option_id("abcd2345", option.name) for option in options
        ]
        turns = [press for press in page_buttons(page) if ":options-" in press.to]
        assert [press.to.rpartition("-")[2] for press in turns] == [str(each) for each in range(1, len(pages) + 1)]
        assert [press.idle for press in turns] == [each == number for each in range(1, len(pages) + 1)]
        assert turns[number - 1].label == f"{options[0].name.capitalize()} … {options[-1].name}"
        for option in options:
            assert lobby_pages.options_page_of(at, option.name.upper()) == number
    assert lobby_pages.options_page(at, screen, page=99) == lobby_pages.options_page(at, screen, page=len(pages))
    few = lobby_pages.options_page(lobby_snapshot(GAMES["jest"], 3), SCREENS["jest"])
    assert not [press for press in page_buttons(few) if ":options-" in press.to]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_lobby_offers_the_table_options_and_tells_defaults_and_changes(game: AnyGame) -> None:
    assert not {option.name for option in game_choices(game)} & {option.name for option in TABLE_OPTIONS}
    offered = options_for(game, TABLE_OPTIONS)
    for chosen in product(*(option.values for option in offered)):
        values = {option.name: value for option, value in zip(offered, chosen, strict=True)}
        table_options = TableOptions(known=TABLE_OPTIONS).set_values(values)
        at = lobby_snapshot(game, game.seats[0], table_options=table_options)
        for page in (draw_page(lobby_pages.lobby_page, at), draw_page(lobby_pages.confirm_start_page, at)):
            for name, word in table_option_words.option_texts(table_options, game).items():
                assert f"{name.capitalize()}: {word}" in page_text(page)
        assert "Options" in {press.label for press in page_buttons(draw_page(lobby_pages.lobby_page, at))}
        lists = all_options_menus(at)[len(game_choices(game)) :]
        for menu, option, now in zip(lists, offered, chosen, strict=True):
            (marked,) = [line for line in menu.lines if line.chosen]
            assert marked.value == format_value(now)
            for line in menu.lines:
                assert len(line.label) <= MAX_OPTION
                assert len(line.description or "") <= MAX_DESCRIPTION
                result = change_any_option(game, at.options, at.info.table_options, option.name, line.value)
                assert format_value(result[1].of(option)) == line.value
    menus = all_options_menus(lobby_snapshot(game, 2))
    defaults = [[line.value for line in menu.lines if line.description == "the default"] for menu in menus]
    assert defaults == [[format_value(option.default)] for option in list_all_options(game, TABLE_OPTIONS)]
    plain, changed = (draw_page(lobby_pages.lobby_page, lobby_snapshot(game, 2, chosen=at)) for at in (0, 1234))
    assert "Options changed" not in page_text(plain)
    assert "Options changed <t:1234:R>" in page_text(changed)


def test_a_live_clock_is_said_to_be_for_people_who_sit_together() -> None:
    defaults: tuple[Clock, ...] = ("24 hours", "60 seconds")
    for default in defaults:
        at = lobby_snapshot(GAMES["wizard"], 2)
        (menu,) = [menu for menu in all_options_menus(at, ServerSettings(clock=default)) if menu.to.endswith(":clock")]
        live = [line.value for line in menu.lines if "for people who sit here together" in (line.description or "")]
        assert live == ["30 seconds", "60 seconds", "2 minutes plus 15 seconds a move"]
        assert [line.value for line in menu.lines if "the default" in (line.description or "")] == [default]
        assert all(len(line.description or "") <= MAX_DESCRIPTION for line in menu.lines)


ALL_SPECIALS: dict[str, Any] = dict.fromkeys(SPECIAL_NAMES, True)
RULES_LINES = [
    (WizardOptions(), "as published", ""),
    (WizardOptions(rounds=5), "as published", ""),
    (WizardOptions(hook=2), "hook", "hook from 2 cards on"),
    (WizardOptions(hands="by twos"), "quick hands", "hands by twos (1, 3, 5 … 15 cards)"),
    (WizardOptions(hands="quick"), "quick", "hands quick (1, 3, 5 … 15 cards)"),  # no longer offered
    (
        WizardOptions(4, "descending", 10),
        "your own mix",
        "hands descending (4, 3, 2 … 1 card), hook from 10 cards on, which no hand has",
    ),
    (WizardOptions(hands="all cards"), "your own mix", "hands all cards (5 rounds of 15 cards)"),
    (WizardOptions(bids="hidden"), "your own mix", "bids hidden until all have bid"),
    (
        WizardOptions(bids="late", blind=True, dummy=True),
        "your own mix",
        "bids hidden until the score, blind every third round, dummy on for two players (no effect with 4)",
    ),
    (WizardOptions(mouse=True, carousel=True), "your own mix", "mouse in the pack, carousel in the pack"),
    (WizardOptions(hook=2, **ALL_SPECIALS), "your own mix", "six special cards, hook from 2 cards on"),
    (
        WizardOptions(hands="by twos", bids="hidden", **ALL_SPECIALS),
        "carnival",
        "six special cards, hands by twos (1, 3, 5 … 15 cards), bids hidden until all have bid",
    ),
]


@pytest.mark.parametrize(("options", "rules", "differing"), RULES_LINES)
def test_a_lobby_says_in_one_line_how_the_rules_differ_from_the_published_game(
    options: WizardOptions, rules: str, differing: str
) -> None:
    at = lobby_snapshot(GAMES["wizard"], 4, options)
    line = f"Rules: {rules}{f'. Unlike the published game: {differing}' if differing else ''}"
    for draw in (lobby_pages.lobby_page, lobby_pages.confirm_start_page):
        assert line in page_text(draw_page(draw, at)).split("\n")
    menu = page_menus(draw_page(lobby_pages.options_page, at))[0]
    assert menu.to == custom_ids.option_id("abcd2345", "rules")
    assert [each.value for each in menu.lines if each.chosen] == [rules] * (rules != "your own mix")
    assert f"rules: {rules} · rounds: " in lobby_pages.options_text(at, SCREENS["wizard"])


def test_w19_two_players_can_start_with_a_dummy_and_the_lobby_says_so() -> None:
    wizard = GAMES["wizard"]
    for dummy, players, sentence in (
        (False, 2, "2 players; 1 more needed to start, up to 6 can play."),
        (True, 1, "1 player; 1 more needed to start, up to 6 can play."),
        (True, 2, "2 players; up to 6 can play. Ada can start."),
    ):
        at = lobby_snapshot(wizard, players, WizardOptions(dummy=dummy))
        page = draw_page(lobby_pages.lobby_page, at)
        assert sentence in page_text(page)
        (start,) = [press for press in page_buttons(page) if press.label == "Start"]
        assert (start.style == "primary") is ("can start" in sentence)
        computers = page_text(draw_page(lobby_pages.computers_page, at))
        assert ("one more joins" if "can start" in sentence else "one joins") in computers
    assert "Rounds: 20 (the full game)" in page_text(
        draw_page(lobby_pages.lobby_page, lobby_snapshot(wizard, 2, WizardOptions(dummy=True)))
    )


def test_a_line_of_all_options_leaves_out_what_is_as_published() -> None:
    at = lobby_snapshot(GAMES["wizard"], 4, WizardOptions(bids="late"))
    assert lobby_pages.options_text(at, SCREENS["wizard"]).startswith(
        "rules: your own mix · rounds: 15 (the full game) · bids: hidden until the score · clock: "
    )


def test_each_preset_says_what_it_changes() -> None:
    menu = page_menus(draw_page(lobby_pages.options_page, lobby_snapshot(GAMES["wizard"], 3)))[0]
    assert [(each.value, each.description) for each in menu.lines] == [
        ("as published", "the default"),
        ("hook", "hook from 2 cards on"),
        ("quick hands", "hands by twos (2, 4, 6 … 20 cards)"),
        ("carnival", "six special cards, hands by twos, bids hidden"),
    ]


@pytest.mark.parametrize(
    ("rounds", "line"), [(6, "Rules: as published"), (3, "Rules: quick"), (5, "Rules: your own mix")]
)
def test_a_preset_of_a_single_option_does_not_hide_it(rounds: int, line: str) -> None:
    at = lobby_snapshot(GAMES["jokers"], 2, GAMES["jokers"].options(rounds=rounds))
    lines = page_text(draw_page(lobby_pages.lobby_page, at)).split("\n")
    assert (line in lines, f"Rounds: {rounds}" in lines) == (True, True)


WITH_PRESETS = [(game, preset) for game in GAMES.values() for preset in known_presets(game)]


@pytest.mark.parametrize(("game", "preset"), WITH_PRESETS, ids=[f"{game.key}-{name}" for game, name in WITH_PRESETS])
def test_rules_that_the_server_fixes_are_said_and_cannot_be_chosen(game: AnyGame, preset: str) -> None:
    server = DEFAULT_SERVER_SETTINGS.with_preset(game.key, preset)
    at = lobby_snapshot(game, game.seats[-1], change_option(game, game.options(), "rules", preset))
    lobby, options, computers = (
        draw(at, SCREENS[game.key], server)
        for draw in (lobby_pages.lobby_page, lobby_pages.options_page, lobby_pages.computers_page)
    )
    for page in (lobby, options):
        assert f"This server plays the *{preset}* rules." in page_text(page)
    offered = {menu.to for menu in page_menus(options)}
    offered |= {press.to.partition("=")[0] for page in (lobby, options, computers) for press in page_buttons(page)}
    set_by_it = {"rules", *preset_option_names(game)}
    for option in list_all_options(game, TABLE_OPTIONS):
        assert (custom_ids.option_id("abcd2345", option.name) in offered) is (option.name not in set_by_it)


def test_a_table_from_before_keeps_its_rules_and_can_only_change_to_those_of_the_server() -> None:
    server = DEFAULT_SERVER_SETTINGS.with_preset("wizard", "hook")
    at = lobby_snapshot(GAMES["wizard"], 3, WizardOptions(hands="quick"))
    for draw in (lobby_pages.lobby_page, lobby_pages.options_page):
        text = page_text(draw(at, SCREENS["wizard"], server))
        assert "New tables in this server play the *hook* rules. This one was opened before that." in text
    first = page_menus(lobby_pages.options_page(at, SCREENS["wizard"], server))[0]
    assert (first.to, [line.value for line in first.lines]) == (custom_ids.option_id("abcd2345", "rules"), ["hook"])


def test_a_preset_that_the_game_no_longer_has_fixes_nothing() -> None:
    at = lobby_snapshot(GAMES["wizard"], 3)
    for key, preset in (("wizard", "of old"), ("jokers", "quick")):
        server = DEFAULT_SERVER_SETTINGS.with_preset(key, preset)
        for draw in (lobby_pages.lobby_page, lobby_pages.options_page):
            assert draw(at, SCREENS["wizard"], server) == draw(at, SCREENS["wizard"], DEFAULT_SERVER_SETTINGS)


def test_a_lobby_does_not_advise_what_cannot_be_changed() -> None:
    at, server = lobby_snapshot(GAMES["court"], 4), DEFAULT_SERVER_SETTINGS.with_preset("court", "as published")
    labels = [press.label for press in page_buttons(lobby_pages.lobby_page(at, SCREENS["court"], server))]
    assert ("3 banners" in labels, "At most 120 turns" in labels) == (False, True)


@pytest.mark.parametrize("game", [game for game in GAMES.values() if not game.presets], ids=lambda game: game.key)
def test_a_game_without_presets_shows_none(game: AnyGame) -> None:
    at = lobby_snapshot(game, game.seats[0])
    assert "Rules: " not in page_text(draw_page(lobby_pages.lobby_page, at))
    menus = page_menus(draw_page(lobby_pages.options_page, at))
    assert custom_ids.option_id("abcd2345", "rules") not in {menu.to for menu in menus}
    assert "rules: " not in lobby_pages.options_text(at, SCREENS[game.key])


class PickyWizard(WizardGame):
    def validate_setup(self, seats: int, options: Any) -> Any:
        if seats == 4:
            raise ValueError("Four players cannot play like that.")
        return super().validate_setup(seats, options)


def test_options_that_do_not_fit_those_who_have_joined_are_said_in_the_lobby() -> None:
    for seats in (2, 3, 4, 5):
        for draw in (lobby_pages.lobby_page, lobby_pages.options_page):
            text = page_text(draw_page(draw, lobby_snapshot(PickyWizard(), seats)))
            assert ("⚠ Four players cannot play like that." in text) is (seats == 4)


def test_a_value_that_is_not_offered_but_chosen_stands_in_the_list() -> None:
    at = lobby_snapshot(GAMES["court"], 2, replace(GAMES["court"].options(), turns=137))
    menus = {menu.to: menu for menu in page_menus(draw_page(lobby_pages.options_page, at))}
    (chosen,) = [line for line in menus[custom_ids.option_id("abcd2345", "turns")].lines if line.chosen]
    assert (chosen.label, chosen.value) == ("at most 137, counting all players", "137")


def test_names_are_safe_where_options_are_told() -> None:
    at = lobby_snapshot(GAMES["court"], 4, host=3)
    assert "\\*Chidi\\* can change that here" in page_text(draw_page(lobby_pages.lobby_page, at))
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
    page = draw_page(lobby_pages.lobby_page, lobby_snapshot(court, seats, replace(court.options(), **options)))
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


def test_lobby_and_menu_say_who_the_computers_are_and_how_well_they_play() -> None:
    game = next(game for game in GAMES.values() if game.seats[-1] > 3)
    at = lobby_snapshot(game, 2)
    old, known = Seat(0, "Feste", level="hard"), Seat(0, CHARACTERS[0].name, level="easy")
    at = replace(at, info=replace(at.info, seats=(*at.info.seats, known, old, replace(old, user=9, name="Rob"))))
    line_ = f"- {known.name} {COMPUTER_MARK} (easy): {CHARACTERS[0].sentence}"
    for draw in (lobby_pages.lobby_page, lobby_pages.computers_page):
        lines = page_text(draw(at, screen=SCREENS[game.key])).split("\n")
        assert [line for line in lines if COMPUTER_MARK in line and line.startswith("- ")] == [
            line_,
            f"- Feste {COMPUTER_MARK} (hard)",  # named by an older version
            f"- Rob {COMPUTER_MARK} (hard)",
        ]
    menu = page_text(menu_page(at, 1, SCREENS[game.key]))
    levels = [f"{known.name} {COMPUTER_MARK} (easy)", f"Feste {COMPUTER_MARK} (hard)", f"Rob {COMPUTER_MARK} (hard)"]
    assert f"Computers: {', '.join(levels)}." in menu
    assert COMPUTER_MARK not in page_text(menu_page(lobby_snapshot(game, 2), 1, SCREENS[game.key]))
