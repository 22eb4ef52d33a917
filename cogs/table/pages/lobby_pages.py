"""The messages of a lobby: players, options, computers, and the question before a hasty start. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_OPTION
from cogs.screens.screen import GameScreen
from cogs.screens.truncation import truncate
from cogs.screens.words import pluralize
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Block, Line, Menu, Page, Press, Row, Text, press_rows, table_press, text_blocks
from cogs.table.wording import break_words, table_option_words
from cogs.table.wording.player_names import markdown_name, seat_name
from engines.hosting.due_times import LOBBY_SECONDS
from engines.hosting.lobbies import NO_COMPUTERS, options_stamp
from engines.hosting.match import MatchSnapshot
from engines.kit.contract import AnyGame
from engines.kit.options import (
    MAX_LISTED_VALUES,
    PRESET,
    Option,
    find_preset,
    format_value,
    preset_option_names,
)
from engines.store.match_store import Seat
from engines.store.table_options import DEFAULT_TABLE_OPTIONS, TableOptions, list_all_options, list_table_options
from players import available_levels

MAX_OPTIONS_ON_PAGE = 7  # each takes three of the forty components of a message
MAX_OPTIONS_PAGES = 5  # as many as there are buttons in a row


def lobby_page(snapshot: MatchSnapshot, screen: GameScreen, *, computers: bool = True) -> Page:
    """Return the lobby while people can join. If `computers` is false, no more computers can be added."""
    info, game = snapshot.info, snapshot.game
    missing = _fewest_seats(snapshot) - len(info.seats)
    changed = f"\n-# Options changed <t:{info.chosen}:R>." if info.chosen else ""
    hours, until = LOBBY_SECONDS // 3600, f"<t:{info.created + LOBBY_SECONDS}:R>"
    closing = f"-# If nobody starts it, this lobby closes after {hours} hours ({until})."
    presses = (
        table_press(info.id, "Join", "join", "primary" if len(info.seats) < game.seats[-1] else "secondary"),
        table_press(info.id, "Leave", "leave"),
        table_press(info.id, "Start", "start", "primary" if missing <= 0 else "secondary"),
        table_press(info.id, "Rules", "rules"),
    )
    options = (table_press(info.id, "Options", "options"),)
    there = "Add computer" if computers else "Computers" if any(seat.level for seat in info.seats) else ""
    add = (table_press(info.id, there, "computers"),) if there else ()
    learn = table_press(info.id, "Learn it first", "learn")
    more = (learn, table_press(info.id, "⋯", "more"))
    buttons = (*press_rows(presses), *press_rows((*options, *add)), *press_rows(more))
    said = text_blocks(
        (f"## {game.title} — join the table", _players_text(snapshot), _option_lines(snapshot, screen) + changed)
    )
    last = Text(f"{closing} Your hand will come by direct message.")
    return Page((*said, *_advice_blocks(snapshot, screen), last, *buttons))


def options_page(
    snapshot: MatchSnapshot, screen: GameScreen, defaults: TableOptions = DEFAULT_TABLE_OPTIONS, page: int = 1
) -> Page:
    """Return the host's page with a list of values for every option. `defaults` are the server's table options.

    If there are many options, they are on several pages; the number of a page that does not exist means the last one.
    """
    pages = split_options(snapshot.game)
    number = min(page, len(pages))
    blocks: list[Block] = [
        Text(f"## Options\n-# {snapshot.game.title} · match `{snapshot.info.id}`"),
        *_advice_blocks(snapshot, screen),
    ]
    for option in pages[number - 1]:
        said = f"\n-# {option.description}" if option.description else ""
        blocks += (Text(f"**{option.name.capitalize()}**{said}"), Row(_option_menu(snapshot, screen, option, defaults)))
    turns = [_options_press(snapshot.info.id, pages, each, number) for each in range(1, len(pages) + 1)]
    last = Text("-# Changes apply at once, and everyone who has joined gets a notice.")
    return Page((*blocks, *press_rows(turns if len(pages) > 1 else ()), last))


def split_options(game: AnyGame) -> list[tuple[Option, ...]]:
    """Return all options of a lobby, by page."""
    options = list_all_options(game)
    size = ceil(len(options) / ceil(len(options) / MAX_OPTIONS_ON_PAGE))
    return [options[first : first + size] for first in range(0, len(options), size)]


def options_page_of(game: AnyGame, name: str) -> int:
    """Return the number of the page that has this option."""
    wanted = name.strip().lower()
    found = (number for number, page in enumerate(split_options(game), 1) if any(each.name == wanted for each in page))
    return next(found, 1)


def computers_page(snapshot: MatchSnapshot, screen: GameScreen, *, allowed: bool = True) -> Page:
    """Return the host's page about computers: those at the table, those to add, and what to expect of the match."""
    info, game = snapshot.info, snapshot.game
    there = [f"- {seat_name(seat)}, {seat.level}" for seat in info.seats if seat.level]
    fewest, free = _fewest_seats(snapshot), game.seats[-1] - len(info.seats)
    needed, enough = max(1, fewest - len(info.seats)), len(info.seats) >= fewest
    count = "one more joins" if enough else "one joins" if needed == 1 else f"{needed} join, enough to start"
    said = (
        f"## Computers\n-# {game.title} · match `{info.id}`",
        "\n".join(there) or "There is no computer at the table yet.",
        f"Choose a level: {count}."
        if free and allowed
        else NO_COMPUTERS
        if not allowed
        else "All seats are taken. A person who joins replaces a computer.",
    )
    advice = screen.lobby_advice(snapshot.options, len(info.seats)) if enough else None
    expected = (f"{advice.text} You can change that under **Options**.",) if advice else ()
    known = [
        table_press(info.id, level.capitalize(), f"computer-{level}", "primary") for level in available_levels(game)
    ]
    away = (table_press(info.id, "Remove one", "no-computer"),) if there else ()
    go = [table_press(info.id, "Start", "start", "primary")] if enough else []
    go += [table_press(info.id, "Options", "options")] if advice else []
    return Page(
        (
            *text_blocks(said),
            *press_rows(known if free and allowed else ()),
            *text_blocks(expected),
            *press_rows((*go, *away)),
        )
    )


def confirm_start_page(snapshot: MatchSnapshot, screen: GameScreen) -> Page:
    """Return the question before a start that follows a change of options so closely that some may have missed it."""
    said = f"**The options have just changed.** The others may not have seen it yet.\n{_option_lines(snapshot, screen)}"
    presses = (
        Press("Start with these", custom_ids.start_id(snapshot.info.id, options_stamp(snapshot.info)), "danger"),
        table_press(snapshot.info.id, "Options", "options"),
    )
    return Page((Text(said), *press_rows(presses)))


def options_text(snapshot: MatchSnapshot, screen: GameScreen) -> str:
    """Return all options in one line, without those of a preset that are as in the published game."""
    usual = set(preset_option_names(snapshot.game)).difference(_differing_names(snapshot.game, snapshot.options))
    texts = _all_option_texts(snapshot, screen)
    return " · ".join(f"{name}: {said}" for name, said in texts.items() if name not in usual)


def _options_press(match: str, pages: Sequence[Sequence[Option]], number: int, current: int) -> Press:
    """The button that turns to a page of options; it says which they are."""
    first, last = pages[number - 1][0].name, pages[number - 1][-1].name
    label = first.capitalize() if first == last else f"{first.capitalize()} … {last}"
    return replace(table_press(match, label, f"options-{number}"), idle=number == current)


def host_name(snapshot: MatchSnapshot) -> str:
    """Return the host's name, escaped for markdown."""
    return next(markdown_name(seat.name) for seat in snapshot.info.seats if seat.user == snapshot.info.host)


def option_choices(snapshot: MatchSnapshot, screen: GameScreen, option: Option) -> list[tuple[str, Any]]:
    """Return the values to offer for an option, each with its words. The current value is always among them."""
    if option in list_table_options():
        return [(table_option_words.option_value_text(each), each) for each in option.values]
    if option.name == PRESET:
        return [(format_value(each), each) for each in option.values]
    offered: Sequence[Any] = screen.option_values(option.name, snapshot.options, _seat_count(snapshot)) or option.values
    found = [
        (_game_option_texts(snapshot, screen, replace(snapshot.options, **{option.name: each}))[option.name], each)
        for each in offered
    ]
    now = _game_option_texts(snapshot, screen, snapshot.options)[option.name]
    if now not in (said for said, _ in found):
        found = [*found[:MAX_LISTED_VALUES], (now, getattr(snapshot.options, option.name))]
    return found


def _players_text(snapshot: MatchSnapshot) -> str:
    """Return the number of players, the free seats, and the names."""
    info, most = snapshot.info, snapshot.game.seats[-1]
    fewest, here = _fewest_seats(snapshot), pluralize(len(info.seats), "player")
    missing = fewest - len(info.seats)
    room = f"up to {most} can play" if len(info.seats) < most else "all seats are taken"
    if missing > 0:
        count = f"{here}; {missing} more needed to start{f', {room}' if most > fewest else ''}."
    else:
        count = f"{here}; {room}. {host_name(snapshot)} can start."
    names = [f"{_seat_label(seat)}{' (host)' if seat.user == info.host else ''}" for seat in info.seats]
    return "\n".join([count, *(f"- {name}" for name in names)])


def _seat_label(seat: Seat) -> str:
    if seat.level:
        return f"{seat_name(seat)} (computer, {seat.level})"
    return f"{seat_name(seat)} (on a break, back <t:{seat.break_until}:R>)" if seat.is_on_break else seat_name(seat)


def _option_menu(snapshot: MatchSnapshot, screen: GameScreen, option: Option, defaults: TableOptions) -> Menu:
    now = _all_option_texts(snapshot, screen)[option.name]
    default = getattr(defaults, option.name) if option in list_table_options() else option.default
    lines = tuple(
        Line(
            truncate(said, MAX_OPTION),
            format_value(value),
            table_option_words.option_note(value, default) or _preset_description(snapshot, screen, option, value),
            chosen=said == now,
        )
        for said, value in option_choices(snapshot, screen, option)
    )
    return Menu(custom_ids.option_id(snapshot.info.id, option.name), option.name.capitalize(), lines)


def _advice_blocks(snapshot: MatchSnapshot, screen: GameScreen) -> tuple[Block, ...]:
    """Return what to expect of the match, with buttons for the host to change it, and why it cannot start, if so."""
    trouble = _trouble_text(snapshot)
    advice = screen.lobby_advice(snapshot.options, len(snapshot.info.seats))
    if advice is None:
        return text_blocks((trouble,))
    presses = [
        Press(offer.label, custom_ids.option_id(snapshot.info.id, offer.option, format_value(offer.value)))
        for offer in advice.suggestions
    ]
    said = f"{advice.text}\n-# {host_name(snapshot)} can change that here:" if presses else advice.text
    return (*text_blocks((trouble, said)), *press_rows(presses))


def _trouble_text(snapshot: MatchSnapshot) -> str:
    """Return why these players cannot play with these options; empty if they can."""
    try:
        snapshot.game.validate_setup(_seat_count(snapshot), snapshot.options)
    except ValueError as error:
        return f"⚠ {error}"
    return ""


def _option_lines(snapshot: MatchSnapshot, screen: GameScreen) -> str:
    """Return the game's options, one per line; those of its presets in one line, and the table options in one line."""
    game, texts = snapshot.game, _game_option_texts(snapshot, screen, snapshot.options)
    own = [f"{name.capitalize()}: {said}" for name, said in texts.items() if name not in preset_option_names(game)]
    house = snapshot.info.house
    shared = " · ".join(f"{name.capitalize()}: {said}" for name, said in table_option_words.option_texts(house).items())
    note = break_words.lobby_note(house)
    return "\n".join((*own, *_rules_lines(snapshot, screen), shared, *((f"-# {note}",) if note else ())))


def _rules_lines(snapshot: MatchSnapshot, screen: GameScreen) -> list[str]:
    """Return the name of the rules and what differs from the published game; nothing for a game without presets."""
    if not snapshot.game.presets:
        return []
    differing = _differences_text(snapshot, screen, snapshot.options)
    return [f"Rules: {_preset_name(snapshot)}{f'. Unlike the published game: {differing}' if differing else ''}"]


def _differences_text(snapshot: MatchSnapshot, screen: GameScreen, options: Any, *, is_brief: bool = False) -> str:
    """Return those options of the game's presets that differ from the published game: `hook from 2 cards on`.

    `is_brief`: with their bare values: `hook 2`.
    """
    names = _differing_names(snapshot.game, options)
    if is_brief:
        texts = {name: format_value(getattr(options, name)) for name in names}
    else:
        texts = _game_option_texts(snapshot, screen, options)
    whole = {group: every for group, every in screen.option_groups().items() if {*every} <= {*names}}
    grouped = {name for every in whole.values() for name in every}
    return ", ".join([*whole, *(f"{name} {texts[name]}" for name in names if name not in grouped)])


def _differing_names(game: AnyGame, options: Any) -> list[str]:
    """Return the names of those options of the game's presets that differ from the published game."""
    usual = game.options()
    return [name for name in preset_option_names(game) if getattr(options, name) != getattr(usual, name)]


def _preset_name(snapshot: MatchSnapshot) -> str:
    return find_preset(snapshot.game, snapshot.options) or "your own mix"


def _preset_description(snapshot: MatchSnapshot, screen: GameScreen, option: Option, value: Any) -> str | None:
    """Return what differs from the published game in a preset; None for other options."""
    if option.name != PRESET:
        return None
    options = replace(snapshot.options, **snapshot.game.presets[value])
    whole = _differences_text(snapshot, screen, options)
    if len(whole) > MAX_DESCRIPTION:
        whole = _differences_text(snapshot, screen, options, is_brief=True)
    return truncate(whole, MAX_DESCRIPTION)


def _all_option_texts(snapshot: MatchSnapshot, screen: GameScreen) -> dict[str, str]:
    """Return all options by name, with the name of the preset if the game has any."""
    preset = {PRESET: _preset_name(snapshot)} if snapshot.game.presets else {}
    own = _game_option_texts(snapshot, screen, snapshot.options)
    return preset | own | table_option_words.option_texts(snapshot.info.house)


def _game_option_texts(snapshot: MatchSnapshot, screen: GameScreen, options: Any) -> dict[str, str]:
    """Return the game's options by name, in the screen's words for the current number of players."""
    return dict(screen.option_texts(options, _seat_count(snapshot)))


def _seat_count(snapshot: MatchSnapshot) -> int:
    return max(_fewest_seats(snapshot), len(snapshot.info.seats))


def _fewest_seats(snapshot: MatchSnapshot) -> int:
    """The fewest players that can start with these options."""
    return snapshot.game.seats_with(snapshot.options)[0]
