"""The pages of options: presets, then groups by intention. All that they offer can be chosen and says its effect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_LABEL, MAX_OPTION
from cogs.table.pages import custom_ids, options_pages
from cogs.table.pages.options_pages import options_page, options_page_of, split_options
from cogs.table.pages.page import Menu, Page, Press, PressSection, Text
from engines.features.registry import TABLE_OPTIONS
from engines.hosting.match import MatchSnapshot
from engines.kit.contract import AnyGame
from engines.kit.options import PRESET, START_FROM, change_option, format_value, game_choices, game_options
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import (
    PACE,
    PACES,
    Clock,
    TableOptions,
    change_any_option,
    list_all_options,
    options_for,
    set_pace,
)
from engines.wizard.model import SPECIAL_NAMES
from engines.wizard.model import Options as WizardOptions
from tests.cogs.table.pages.test_lobby_pages import lobby_snapshot
from tests.contract.shown import options_pages_of, page_buttons, page_menus, page_text
from tests.game_uis import SCREENS
from tests.games import GAMES

COMPONENTS = 40
MIXTURES = 30
SWITCH_EFFECT = 34  # characters in small type beside a button
LINE_EFFECT = 50  # characters in small type on one line of a phone
REFUSAL = re.compile(r"[A-Z].{20,200}\.")
TABLES = [(game, seats) for game in GAMES.values() for seats in range(1, game.seats[-1] + 1)]
PLAIN = TableOptions(known=TABLE_OPTIONS)
IDS = [f"{game.key}-{seats}" for game, seats in TABLES]


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


def pages_of(at: MatchSnapshot, server: ServerSettings = DEFAULT_SERVER_SETTINGS) -> list[Page]:
    screen, numbers = SCREENS[at.game.key], range(1, len(options_pages.PAGE_TITLES) + 1)
    return list(dict.fromkeys(options_page(at, screen, server, number) for number in numbers))


def menus_of(at: MatchSnapshot, server: ServerSettings = DEFAULT_SERVER_SETTINGS) -> dict[str, Menu]:
    """The lists of all pages, by what they choose."""
    return {menu.to.rpartition(":")[2]: menu for page in pages_of(at, server) for menu in page_menus(page)}


def sections_of(at: MatchSnapshot, server: ServerSettings = DEFAULT_SERVER_SETTINGS) -> dict[str, PressSection]:
    """The presets and switches of all pages, each with its text, by what they choose: `preset=quick`."""
    found = [block for page in pages_of(at, server) for block in page.blocks if isinstance(block, PressSection)]
    return {block.press.to.rpartition(":")[2]: block for block in found}


def effect_of(at: MatchSnapshot, title: str) -> str:
    """The line below the title of an option."""
    found = [
        block.text.split("\n")[1]
        for page in pages_of(at)
        for block in page.blocks
        if isinstance(block, Text | PressSection) and block.text.startswith(f"**{title}**")
    ]
    (line,) = found
    return line.removeprefix("-# ")


def try_choice(at: MatchSnapshot, name: str, value: str) -> str:
    """An empty text if that can be chosen, or why not."""
    try:
        change_any_option(at.game, at.options, at.info.table_options, name, value)
    except ValueError as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=IDS)
def test_all_that_the_pages_offer_can_be_chosen_and_fits(game: AnyGame, seats: int) -> None:
    for options in many_options(game):
        at = lobby_snapshot(game, seats, options)
        menus, sections = menus_of(at), sections_of(at)
        grouped = {name for names in game.option_groups.values() for name in names}
        switches = {option.name for option in list_all_options(game, TABLE_OPTIONS) if option.is_switch} - grouped
        others = {option.name for option in list_all_options(game, TABLE_OPTIONS)} - grouped - switches - {PRESET}
        assert menus.keys() == others | game.option_groups.keys()
        names = [name.partition("=")[0] for name in sections]
        assert sorted(names) == sorted([START_FROM] * len(game.presets) + [PACE] * len(PACES) + [*switches])
        for name, menu in menus.items():
            assert 2 <= len(menu.lines) <= 25
            assert len({line.label for line in menu.lines}) == len(menu.lines)
            assert name in game.option_groups or sum(line.chosen for line in menu.lines) == 1
            for line in menu.lines:
                assert len(line.label) <= MAX_OPTION
                assert len(line.description or "") <= MAX_DESCRIPTION
                refusal = try_choice(at, name, line.value)
                assert refusal == "" or REFUSAL.fullmatch(refusal)
        presses = [section.press for section in sections.values()]
        presses += [press for page in pages_of(at) for press in page_buttons(page) if press.to.startswith("v:")]
        for press in presses:
            control = custom_ids.parse_control(press.to)
            assert control is not None
            name, _, value = control.rest.partition("=")
            assert try_choice(at, name, value) == ""
            assert len(press.label) <= MAX_LABEL
        for page in pages_of(at):
            beside = sum(isinstance(block, PressSection) for block in page.blocks)
            assert len(page.blocks) + len(page_buttons(page)) + len(page_menus(page)) + beside + 1 <= COMPONENTS


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_pages_lead_to_each_other_and_each_option_is_on_the_page_of_its_group(game: AnyGame) -> None:
    at, screen = lobby_snapshot(game, game.seats[0]), SCREENS[game.key]
    groups, titles = split_options(at), list(options_pages.PAGE_TITLES)
    assert [*groups] == [title for title in titles if title in groups]
    every_name = {option.name for option in list_all_options(game, TABLE_OPTIONS)} - {PRESET}
    assert {option.name for options in groups.values() for option in options} == every_name
    numbers = [1, *(titles.index(group) + 1 for group in groups)]
    for number in numbers:
        page = options_page(at, screen, page=number)
        turns = [press for press in page_buttons(page) if ":options-" in press.to]
        assert [int(press.to.rpartition("-")[2]) for press in turns] == numbers
        assert [press.idle for press in turns] == [each == number for each in numbers]
        title = options_pages.PAGE_TITLES[titles[number - 1]]
        assert page_text(page).startswith(f"## {game.title.partition(',')[0]}: {title}\n")
    for group, options in groups.items():
        for option in options:
            assert options_page_of(at, option.name.upper()) == titles.index(group) + 1
    for group, names in game.option_groups.items():
        assert options_page_of(at, group) == options_page_of(at, names[0])
    assert options_page_of(at, START_FROM) == options_page_of(at, PACE) == options_page_of(at, "luck") == 1
    assert options_page(at, screen, page=99) == options_page(at, screen, page=len(titles))
    missing = [number for number in range(1, len(titles) + 1) if number not in numbers]
    assert all(options_page(at, screen, page=number) == options_page(at, screen) for number in missing)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_lobby_offers_the_table_options_and_marks_what_is_chosen_and_the_defaults(game: AnyGame) -> None:
    assert not {option.name for option in game_choices(game)} & {option.name for option in TABLE_OPTIONS}
    offered = options_for(game, TABLE_OPTIONS)
    for chosen in product(*(option.values for option in offered)):
        values = {option.name: value for option, value in zip(offered, chosen, strict=True)}
        at = lobby_snapshot(game, game.seats[0], table_options=PLAIN.set_values(values))
        menus, sections = menus_of(at), sections_of(at)
        for option, now in zip(offered, chosen, strict=True):
            if option.is_switch:
                press = sections[f"{option.name}={format_value(not now)}"].press
                assert press.label == f"{option.title}: {'on' if now else 'off'}"
                assert press.style == ("success" if now else "secondary")
            else:
                assert [line.value for line in menus[option.name].lines if line.chosen] == [format_value(now)]
    menus = menus_of(lobby_snapshot(game, 2))
    for each in [*game_options(game), *offered]:
        if each.name in menus:
            defaults = [line.value for line in menus[each.name].lines if line.description == "the default"]
            assert defaults == [format_value(each.default)]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_option_says_its_effect_in_one_line_and_whose_rule_it_is(game: AnyGame) -> None:
    grouped = {name for names in game.option_groups.values() for name in names}
    for option in [*game_options(game), *options_for(game, TABLE_OPTIONS)]:
        room = MAX_DESCRIPTION if option.name in grouped else SWITCH_EFFECT if option.is_switch else LINE_EFFECT
        assert 10 <= len(option.description) <= room, f"{option.name}: {option.description}"
        assert not option.description.endswith(".")
    text = "\n".join(page_text(page) for page in options_pages_of(lobby_snapshot(game, 3), SCREENS[game.key]))
    for option in game_options(game):
        if option.name not in grouped:
            whose = "published variant" if option.is_published else "Motley's own"
            assert f"**{option.title}** · {whose}\n" in text


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.presets], ids=lambda game: game.key)
def test_every_preset_has_a_sentence_that_speaks_for_it(game: AnyGame) -> None:
    sentences = SCREENS[game.key].preset_sentences()
    assert sentences.keys() == game.presets.keys()
    for sentence in [*sentences.values(), *PACES.values()]:
        assert sentence.endswith(".")
        assert len(sentence) <= 50


# What is said of a match


WIZARD = GAMES["wizard"]
PRESETS = [
    (WizardOptions(), "as published"),
    (WizardOptions(rounds=15), "as published"),
    (WizardOptions(rounds=1), None),
    (WizardOptions(blind=True, rounds=2), None),
    (WizardOptions(dummy=True), "as published"),
    (WizardOptions(hook=2), "hook"),
    (WizardOptions(hook=2, rounds=5), None),
    (WizardOptions(hands="by twos"), "quick hands"),
    (WizardOptions(hands="by twos", bids="hidden", **dict.fromkeys(SPECIAL_NAMES, True)), "carnival"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("options", "preset"), PRESETS)
def test_a_preset_is_marked_only_if_the_match_is_played_by_it_in_everything(
    options: WizardOptions, preset: str | None
) -> None:
    presses = {name: each.press for name, each in sections_of(lobby_snapshot(WIZARD, 4, options)).items()}
    marked = [name for name, press in presses.items() if press.idle and name.startswith(START_FROM)]
    assert marked == ([] if preset is None else [f"preset={preset}"])
    for name in marked:
        assert presses[name].label == f"✓ {str(preset).capitalize()}"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_preset_sets_everything_and_a_pace_only_what_it_is_about(game: AnyGame) -> None:
    hints_off = PLAIN.set_values({"hints": False, "breaks": "7 days"})
    for preset, values in game.presets.items():
        other = {option.name: option.values[-1] for option in game_options(game) if option.name not in values}
        start = replace(game.options(), **other)
        assert change_any_option(game, start, hints_off, START_FROM, preset) == (
            replace(game.options(), **values),
            hints_off,
        )
    for pace in PACES:
        options, table_options = change_any_option(game, game.options(), hints_off, PACE, pace)
        assert options == game.options()
        changed = {"clock", "hints"} if pace == "to-learn" else {"clock"}
        same = [option for option in TABLE_OPTIONS if option.name not in changed]
        assert all(table_options.of(option) == hints_off.of(option) for option in same)
        at = lobby_snapshot(game, game.seats[0], table_options=table_options)
        assert [name for name, each in sections_of(at).items() if each.press.idle and name.startswith(PACE)] == [
            f"{PACE}={pace}"
        ]
    for name in (PACE, START_FROM):
        assert "can be" in try_choice(lobby_snapshot(game, 2), name, "wild") or not game.presets


def test_presets_say_whose_rules_they_are_and_how_long_a_match_takes() -> None:
    texts = {name: section.text for name, section in sections_of(lobby_snapshot(WIZARD, 5)).items()}
    small = {name: text.partition("\n-# ")[2] for name, text in texts.items() if name.startswith(START_FROM)}
    assert small == {
        "preset=as published": "published, 55 min",
        "preset=hook": "published variant, 55 min",
        "preset=quick hands": "published variant, 30 min",
        "preset=carnival": "Motley's own, 30 min",
    }
    assert texts["preset=quick hands"].startswith("Half the rounds.")
    court = {name: section.text for name, section in sections_of(lobby_snapshot(GAMES["court"], 4)).items()}
    assert court["preset=as published"].endswith("published, 3 h")
    assert court["preset=quick"].endswith("Motley's own, 30 min")


@pytest.mark.parametrize(
    ("options", "seats", "title", "effect"),
    [
        (WizardOptions(rounds=2), 4, "Blind", "No effect: there is no third round"),
        (WizardOptions(rounds=2, blind=True), 4, "Blind", "No effect: there is no third round"),
        (WizardOptions(rounds=3), 4, "Blind", "Every third round, you bid blind"),
        (WizardOptions(), 3, "Dummy", "No effect: it is only for two players"),
        (WizardOptions(), 2, "Dummy", "A third hand for two players"),
        (WizardOptions(rounds=3, hook=5), 4, "Hook", "No effect: no hand has that many cards"),
        (WizardOptions(rounds=3), 4, "Hook", "The bids must not total the tricks"),
        (WizardOptions(rounds=15), 4, "Rounds", "No effect: too few cards for more rounds"),
    ],
)
def test_an_option_that_changes_nothing_says_why(options: WizardOptions, seats: int, title: str, effect: str) -> None:
    assert effect_of(lobby_snapshot(WIZARD, seats, options), title) == effect


def test_special_cards_and_values_that_change_nothing_say_why_in_their_lists() -> None:
    def cards(options: WizardOptions) -> dict[str, str]:
        menu = menus_of(lobby_snapshot(WIZARD, 4, options))["special_cards"]
        return {line.value: line.description or "" for line in menu.lines if "No effect" in (line.description or "")}

    assert cards(WizardOptions()) == {"mouse": "No effect: without the Elephant it only loses"}
    assert cards(WizardOptions(elephant=True)) == {}
    assert cards(WizardOptions(elephant=True, hands="all cards")) == {
        "chameleon": "No effect: no card is turned up to swap with"
    }
    assert cards(WizardOptions(elephant=True, rounds=1)) == {"carousel": "No effect: nobody has a card left to pass"}
    hands = menus_of(lobby_snapshot(WIZARD, 4, WizardOptions(rounds=1)))["hands"]
    idle = [line.value for line in hands.lines if line.description == "No effect: the only round has one card anyway"]
    assert idle == ["by twos", "descending"]


@pytest.mark.parametrize(
    ("clock", "effect"),
    [
        *(("30 seconds", "No effect: this clock does not stop for breaks"), ("24 hours", "How long a break can pause")),
        (None, "No effect: there is no clock"),
    ],
)
def test_breaks_say_whether_they_count_with_this_clock(clock: Clock | None, effect: str) -> None:
    at = lobby_snapshot(GAMES["jest"], 3, table_options=PLAIN.set_values({"clock": clock}))
    assert effect_of(at, "Breaks").startswith(effect)


def test_a_group_of_switches_is_one_list_with_those_that_are_on() -> None:
    at = lobby_snapshot(WIZARD, 4, WizardOptions(mouse=True, elephant=True))
    menu = menus_of(at)["special_cards"]
    assert (menu.least, menu.most, [line.value for line in menu.lines]) == (0, 6, [*SPECIAL_NAMES])
    assert [line.value for line in menu.lines if line.chosen] == ["elephant", "mouse"]
    for text, on in (("carousel mouse", {"carousel", "mouse"}), ("", set()), ("none", set())):
        options, _ = change_any_option(WIZARD, at.options, PLAIN, "special_cards", text)
        assert {name for name in SPECIAL_NAMES if getattr(options, name)} == on
    assert try_choice(at, "special_cards", "mouse hook").startswith("Special cards can be elephant, mouse, ")


def test_a_live_clock_is_said_to_be_for_people_who_sit_together() -> None:
    defaults: tuple[Clock, ...] = ("24 hours", "60 seconds")
    for default in defaults:
        menu = menus_of(lobby_snapshot(WIZARD, 2), ServerSettings(clock=default))["clock"]
        live = [line.value for line in menu.lines if "for players online together" in (line.description or "")]
        assert live == ["30 seconds", "60 seconds", "2 minutes plus 15 seconds a move"]
        assert [line.value for line in menu.lines if "the default" in (line.description or "")] == [default]


def test_a_value_that_is_not_offered_but_chosen_stands_in_the_list() -> None:
    at = lobby_snapshot(GAMES["court"], 2, replace(GAMES["court"].options(), turns=137))
    (chosen,) = [line for line in menus_of(at)["turns"].lines if line.chosen]
    assert (chosen.label, chosen.value) == ("at most 137, counting all players", "137")


# What the server fixes

WITH_PRESETS = [(game, preset) for game in GAMES.values() for preset in game.presets]


@pytest.mark.parametrize(("game", "preset"), WITH_PRESETS, ids=[f"{game.key}-{name}" for game, name in WITH_PRESETS])
def test_rules_that_the_server_fixes_are_said_and_cannot_be_chosen(game: AnyGame, preset: str) -> None:
    server = DEFAULT_SERVER_SETTINGS.with_preset(game.key, preset)
    at = lobby_snapshot(game, game.seats[-1], change_option(game, game.options(), PRESET, preset))
    pages = pages_of(at, server)
    assert f"This server plays the *{preset}* rules." in page_text(pages[0])
    assert not any(press.to.partition("=")[0].endswith(START_FROM) for page in pages for press in page_buttons(page))
    offered = {*menus_of(at, server), *(name.partition("=")[0] for name in sections_of(at, server))}
    offered |= {name for group in game.option_groups if group in offered for name in game.option_groups[group]}
    fixed = {PRESET, *game.presets[preset]}
    for option in list_all_options(game, TABLE_OPTIONS):
        assert (option.name in offered) is (option.name not in fixed)


def test_a_table_from_before_keeps_its_rules_and_can_only_change_to_those_of_the_server() -> None:
    server = DEFAULT_SERVER_SETTINGS.with_preset("wizard", "hook")
    page = options_page(lobby_snapshot(WIZARD, 3, WizardOptions(hands="quick")), SCREENS["wizard"], server)
    assert "New tables on this server play the *hook* rules. This one was opened before that." in page_text(page)
    (press,) = [press for press in page_buttons(page) if f":{PRESET}=" in press.to]
    assert press == Press("Hook", custom_ids.option_id("abcd2345", PRESET, "hook"), "primary")


def test_a_preset_that_the_game_no_longer_has_fixes_nothing() -> None:
    at = lobby_snapshot(WIZARD, 3)
    for key, preset in (("wizard", "of old"), ("jokers", "quick")):
        server = DEFAULT_SERVER_SETTINGS.with_preset(key, preset)
        assert pages_of(at, server) == pages_of(at)


def test_paces_are_values_that_their_options_have() -> None:
    for pace in PACES:
        for option in TABLE_OPTIONS:
            assert pace not in option.paces or option.accepts(option.paces[pace])
        assert {*option.paces} <= {*PACES}
    assert set_pace(PLAIN, "over-days") == PLAIN
