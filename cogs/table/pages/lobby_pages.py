"""The messages of a lobby: players, options, computers, and the question before a hasty start. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_OPTION
from cogs.screens.screen import GameScreen, LobbyAdvice, OptionSuggestion
from cogs.screens.truncation import truncate
from cogs.screens.words import pluralize
from cogs.table.pages import custom_ids
from cogs.table.pages.feature_pages import NO_ADDITIONS, Additions, FeaturePages
from cogs.table.pages.page import (
    Block,
    Line,
    Menu,
    Page,
    Press,
    Row,
    Text,
    more_press,
    press_rows,
    table_press,
    text_blocks,
)
from cogs.table.wording import match_words, table_option_words
from cogs.table.wording.player_names import computer_line, markdown_name, seat_name
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.lobbies import NO_COMPUTERS, options_stamp
from engines.hosting.timing.due_times import LOBBY_SECONDS
from engines.kit.contract import AnyGame
from engines.kit.options import (
    MAX_LISTED_VALUES,
    PRESET,
    Option,
    find_preset,
    format_value,
    has_preset,
    known_presets,
    preset_option_names,
)
from engines.store.match_store import Status
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import CLOCK, TableOption, list_all_options
from players import available_levels

MAX_OPTIONS_ON_PAGE = 7  # each takes three of the forty components of a message
MAX_OPTIONS_PAGES = 5  # as many as there are buttons in a row


def lobby_page(
    snapshot: MatchSnapshot,
    screen: GameScreen,
    server: ServerSettings = DEFAULT_SERVER_SETTINGS,
    features: Additions = NO_ADDITIONS,
) -> Page:
    """Return the lobby while people can join."""
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
    label = "Add computer" if server.computers else "Computers" if any(seat.level for seat in info.seats) else ""
    add = (table_press(info.id, label, "computers"),) if label else ()
    more = (*features.at(FeaturePages.lobby_presses, snapshot, screen), more_press(info.id))
    buttons = (*press_rows(presses), *press_rows((*options, *add)), *press_rows(more))
    blocks = text_blocks(
        (
            f"## {game.title}{match_words.practice_mark(snapshot.info)} — join the table",
            _players_text(snapshot, features.at(FeaturePages.lobby_seat_notes, snapshot, screen)),
            _option_lines(snapshot, screen, None if info.practice else server.fixed_preset(game)) + changed,
        )
    )
    last = text_blocks((f"{closing} Your hand will come by direct message.", match_words.seal_line(info)))
    return Page((*blocks, *_advice_blocks(snapshot, screen, server), *last, *buttons))


def options_page(
    snapshot: MatchSnapshot, screen: GameScreen, server: ServerSettings = DEFAULT_SERVER_SETTINGS, page: int = 1
) -> Page:
    """Return the host's page with a list of values for every option that the host can change.

    If there are many options, they are on several pages; the number of a page that does not exist means the last one.
    """
    fixed = server.fixed_preset(snapshot.game)
    pages = split_options(snapshot, server)
    number = min(page, len(pages))
    blocks: list[Block] = [
        Text(f"## Options\n-# {snapshot.game.title} · match `{snapshot.info.id}`"),
        *_advice_blocks(snapshot, screen, server),
        *(() if fixed is None else _fixed_rules_blocks(snapshot, fixed)),
    ]
    for option in pages[number - 1]:
        description = f"\n-# {option.description}" if option.description else ""
        blocks += (
            Text(f"**{option.name.capitalize()}**{description}"),
            Row(_option_menu(snapshot, screen, option, server)),
        )
    turns = [_options_press(snapshot.info.id, pages, each, number) for each in range(1, len(pages) + 1)]
    last = Text("-# Changes apply at once, and everyone who has joined gets a notice.")
    return Page((*blocks, *press_rows(turns if len(pages) > 1 else ()), last))


def chosen_options_page(snapshot: MatchSnapshot, screen: GameScreen) -> Page:
    """Return the options of a match, for somebody who cannot change them."""
    is_open = snapshot.info.status is Status.LOBBY
    last = f"{host_name(snapshot)} can change them until the start." if is_open else "They stay as they are."
    return Page((Text(f"**Options**\n{_option_lines(snapshot, screen)}\n-# {last}"),))


def split_options(
    snapshot: MatchSnapshot, server: ServerSettings = DEFAULT_SERVER_SETTINGS
) -> list[tuple[Option, ...]]:
    """Return the options that hosts can change, by page."""
    options = changeable_options(snapshot, server)
    size = ceil(len(options) / ceil(len(options) / MAX_OPTIONS_ON_PAGE))
    return [options[first : first + size] for first in range(0, len(options), size)]


def options_page_of(snapshot: MatchSnapshot, name: str, server: ServerSettings = DEFAULT_SERVER_SETTINGS) -> int:
    """Return the number of the page that has this option."""
    wanted = name.strip().lower()
    found = (
        number
        for number, page in enumerate(split_options(snapshot, server), 1)
        if any(each.name == wanted for each in page)
    )
    return next(found, 1)


def changeable_options(snapshot: MatchSnapshot, server: ServerSettings) -> tuple[Option, ...]:
    """Return the options that hosts can change: without those of the presets, if the server fixes one."""
    found = list_all_options(snapshot.game, snapshot.info.table_options.known)
    return tuple(option for option in found if not _is_fixed(snapshot.game, server, option.name))


def computers_page(
    snapshot: MatchSnapshot, screen: GameScreen, server: ServerSettings = DEFAULT_SERVER_SETTINGS
) -> Page:
    """Return the host's page about computers: those at the table, those to add, and what to expect of the match."""
    info, game = snapshot.info, snapshot.game
    computer_lines = [f"- {computer_line(seat)}" for seat in info.seats if seat.level]
    fewest, free = _fewest_seats(snapshot), game.seats[-1] - len(info.seats)
    needed, enough = max(1, fewest - len(info.seats)), len(info.seats) >= fewest
    count = "one more joins" if enough else "one joins" if needed == 1 else f"{needed} join, enough to start"
    text = (
        f"## Computers\n-# {game.title} · match `{info.id}`",
        "\n".join(computer_lines) or "There is no computer at the table yet.",
        f"Choose a level: {count}."
        if free and server.computers
        else NO_COMPUTERS
        if not server.computers
        else "All seats are taken. A person who joins replaces a computer.",
    )
    advice = screen.lobby_advice(snapshot.options, len(info.seats)) if enough else None
    can_change = advice is not None and (not advice.suggestions or bool(_free_suggestions(game, advice, server)))
    more = " You can change that under **Options**." if can_change else ""
    expected = (f"{advice.text}{more}",) if advice else ()
    known = [
        table_press(info.id, level.capitalize(), f"computer-{level}", "primary") for level in available_levels(game)
    ]
    away = (table_press(info.id, "Remove one", "no-computer"),) if computer_lines else ()
    go = [table_press(info.id, "Start", "start", "primary")] if enough else []
    go += [table_press(info.id, "Options", "options")] if can_change else []
    return Page(
        (
            *text_blocks(text),
            *press_rows(known if free and server.computers else ()),
            *text_blocks(expected),
            *press_rows((*go, *away)),
        )
    )


def confirm_start_page(snapshot: MatchSnapshot, screen: GameScreen) -> Page:
    """Return the question before a start that follows a change of options so closely that some may have missed it."""
    text = f"**The options have just changed.** The others may not have seen it yet.\n{_option_lines(snapshot, screen)}"
    presses = (
        Press("Start with these", custom_ids.start_id(snapshot.info.id, options_stamp(snapshot.info)), "danger"),
        table_press(snapshot.info.id, "Options", "options"),
    )
    return Page((Text(text), *press_rows(presses)))


def options_text(snapshot: MatchSnapshot, screen: GameScreen) -> str:
    """Return all options in one line, without those of a preset that are as in the published game."""
    usual = set(preset_option_names(snapshot.game)).difference(_differing_names(snapshot.game, snapshot.options))
    texts = _all_option_texts(snapshot, screen)
    return " · ".join(f"{name}: {text}" for name, text in texts.items() if name not in usual)


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
    if isinstance(option, TableOption):
        return [(table_option_words.option_value_text(each), each) for each in option.values]
    if option.name == PRESET:
        preset = find_preset(snapshot.game, snapshot.options)
        return [(each, each) for each in known_presets(snapshot.game) if each in option.values or each == preset]
    offered: Sequence[Any] = screen.option_values(option.name, snapshot.options, _seat_count(snapshot)) or option.values
    found = [
        (_game_option_texts(snapshot, screen, replace(snapshot.options, **{option.name: each}))[option.name], each)
        for each in offered
    ]
    now = _game_option_texts(snapshot, screen, snapshot.options)[option.name]
    if now not in (text for text, _ in found):
        found = [*found[:MAX_LISTED_VALUES], (now, getattr(snapshot.options, option.name))]
    return found


def _players_text(snapshot: MatchSnapshot, notes: Iterable[tuple[int, str]] = ()) -> str:
    """Return the number of players, the free seats, and the names, each with its notes."""
    info, most = snapshot.info, snapshot.game.seats[-1]
    fewest, player_count = _fewest_seats(snapshot), pluralize(len(info.seats), "player")
    missing = fewest - len(info.seats)
    room = f"up to {most} can play" if len(info.seats) < most else "all seats are taken"
    if missing > 0:
        count = f"{player_count}; {missing} more needed to start{f', {room}' if most > fewest else ''}."
    else:
        count = f"{player_count}; {room}. {host_name(snapshot)} can start."
    names = [
        f"{computer_line(seat) if seat.level else seat_name(seat)}{' (host)' if seat.user == info.host else ''}"
        for seat in info.seats
    ]
    for number, note in notes:
        names[number] += note
    return "\n".join([count, *(f"- {name}" for name in names)])


def _option_menu(snapshot: MatchSnapshot, screen: GameScreen, option: Option, server: ServerSettings) -> Menu:
    now = _all_option_texts(snapshot, screen)[option.name]
    default = server.clock if option is CLOCK else option.default
    is_preset = option.name == PRESET
    lines = tuple(
        Line(
            truncate(text, MAX_OPTION),
            format_value(value),
            table_option_words.option_note(value, default)
            or (preset_description(snapshot.game, screen, value, _seat_count(snapshot)) if is_preset else None),
            chosen=text == now,
        )
        for text, value in option_choices(snapshot, screen, option)
    )
    return Menu(custom_ids.option_id(snapshot.info.id, option.name), option.name.capitalize(), lines)


def _fixed_rules_blocks(snapshot: MatchSnapshot, fixed: str) -> tuple[Block, ...]:
    """Return which rules the server fixes; with a list of them alone, if the table was opened with other ones."""
    block = Text(f"**Rules**\n{_fixed_rules_text(snapshot, fixed)}")
    if has_preset(snapshot.game, snapshot.options, fixed):
        return (block,)
    line = Line(fixed, format_value(fixed))
    return block, Row(Menu(custom_ids.option_id(snapshot.info.id, PRESET), PRESET.capitalize(), (line,)))


def _fixed_rules_text(snapshot: MatchSnapshot, fixed: str) -> str:
    """Return which preset the server fixes. A table that was opened before keeps other options."""
    if has_preset(snapshot.game, snapshot.options, fixed):
        return f"-# This server plays the *{fixed}* rules."
    return f"-# New tables in this server play the *{fixed}* rules. This one was opened before that."


def _is_fixed(game: AnyGame, server: ServerSettings, option: str) -> bool:
    """Whether the host cannot change an option, because the server fixes a preset that sets it."""
    return server.fixed_preset(game) is not None and option in (PRESET, *preset_option_names(game))


def _advice_blocks(snapshot: MatchSnapshot, screen: GameScreen, server: ServerSettings) -> tuple[Block, ...]:
    """Return what to expect of the match, with buttons for the host to change it, and why it cannot start, if so."""
    trouble = _trouble_text(snapshot)
    advice = screen.lobby_advice(snapshot.options, len(snapshot.info.seats))
    if advice is None:
        return text_blocks((trouble,))
    presses = [
        Press(offer.label, custom_ids.option_id(snapshot.info.id, offer.option, format_value(offer.value)))
        for offer in _free_suggestions(snapshot.game, advice, server)
    ]
    text = f"{advice.text}\n-# {host_name(snapshot)} can change that here:" if presses else advice.text
    return (*text_blocks((trouble, text)), *press_rows(presses))


def _free_suggestions(game: AnyGame, advice: LobbyAdvice, server: ServerSettings) -> list[OptionSuggestion]:
    return [offer for offer in advice.suggestions if not _is_fixed(game, server, offer.option)]


def _trouble_text(snapshot: MatchSnapshot) -> str:
    """Return why these players cannot play with these options; empty if they can."""
    try:
        snapshot.game.validate_setup(_seat_count(snapshot), snapshot.options)
    except ValueError as error:
        return f"⚠ {error}"
    return ""


def _option_lines(snapshot: MatchSnapshot, screen: GameScreen, fixed: str | None = None) -> str:
    """Return the game's options, one per line; several of its presets in one line, and the table options in one line.

    `fixed` is the preset that the server fixes, if any.
    """
    game, texts = snapshot.game, _game_option_texts(snapshot, screen, snapshot.options)
    own = [f"{name.capitalize()}: {text}" for name, text in texts.items() if name not in _summarized_options(game)]
    table_options = snapshot.info.table_options
    shared = " · ".join(
        f"{name.capitalize()}: {text}" for name, text in table_option_words.option_texts(table_options, game).items()
    )
    server = () if fixed is None else (_fixed_rules_text(snapshot, fixed),)
    return "\n".join((*own, *_rules_lines(snapshot, screen), *server, shared))


def _summarized_options(game: AnyGame) -> tuple[str, ...]:
    """Return the options that the line of the rules stands for: those of the presets, unless it is a single one."""
    names = preset_option_names(game)
    return names if len(names) > 1 else ()


def _rules_lines(snapshot: MatchSnapshot, screen: GameScreen) -> list[str]:
    """Return the name of the rules, and what differs from the published game unless its line says so already.

    A game without presets has no such line.
    """
    if not snapshot.game.presets:
        return []
    if not _summarized_options(snapshot.game):
        return [f"Rules: {_preset_name(snapshot)}"]
    differing = _differences_text(snapshot.game, screen, snapshot.options, _seat_count(snapshot))
    return [f"Rules: {_preset_name(snapshot)}{f'. Unlike the published game: {differing}' if differing else ''}"]


def _differences_text(game: AnyGame, screen: GameScreen, options: Any, seats: int, *, is_brief: bool = False) -> str:
    """Return those options of the game's presets that differ from the published game: `hook from 2 cards on`.

    `is_brief`: with their bare values: `hook 2`.
    """
    names = _differing_names(game, options)
    if is_brief:
        texts = {name: format_value(getattr(options, name)) for name in names}
    else:
        texts = dict(screen.option_texts(options, seats))
    whole = {group: every for group, every in screen.option_groups().items() if {*every} <= {*names}}
    grouped = {name for every in whole.values() for name in every}
    return ", ".join([*whole, *(f"{name} {texts[name]}" for name in names if name not in grouped)])


def _differing_names(game: AnyGame, options: Any) -> list[str]:
    """Return the names of those options of the game's presets that differ from the published game."""
    usual = game.options()
    return [name for name in preset_option_names(game) if getattr(options, name) != getattr(usual, name)]


def _preset_name(snapshot: MatchSnapshot) -> str:
    return find_preset(snapshot.game, snapshot.options) or "your own mix"


def preset_description(game: AnyGame, screen: GameScreen, preset: str, seats: int) -> str:
    """Return what differs from the published game in a preset; empty if nothing does."""
    options = replace(game.options(), **known_presets(game)[preset])
    whole = _differences_text(game, screen, options, seats)
    if len(whole) > MAX_DESCRIPTION:
        whole = _differences_text(game, screen, options, seats, is_brief=True)
    return truncate(whole, MAX_DESCRIPTION)


def _all_option_texts(snapshot: MatchSnapshot, screen: GameScreen) -> dict[str, str]:
    """Return all options by name, with the name of the preset if the game has any."""
    preset = {PRESET: _preset_name(snapshot)} if snapshot.game.presets else {}
    own = _game_option_texts(snapshot, screen, snapshot.options)
    return preset | own | table_option_words.option_texts(snapshot.info.table_options, snapshot.game)


def _game_option_texts(snapshot: MatchSnapshot, screen: GameScreen, options: Any) -> dict[str, str]:
    """Return the game's options by name, in the screen's words for the current number of players."""
    return dict(screen.option_texts(options, _seat_count(snapshot)))


def _seat_count(snapshot: MatchSnapshot) -> int:
    return max(_fewest_seats(snapshot), len(snapshot.info.seats))


def _fewest_seats(snapshot: MatchSnapshot) -> int:
    """The fewest players that can start with these options."""
    return snapshot.game.seats_with(snapshot.options)[0]
