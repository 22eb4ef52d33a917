"""The page of server settings with its controls, and messages about where tables can be opened. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cogs.screens.screen import GameScreen
from cogs.screens.words import join_with_and
from cogs.table.pages import custom_ids, options_pages
from cogs.table.pages.page import Block, ChannelMenu, Line, Menu, Page, Press, Row, Text, press_rows
from cogs.table.wording import table_option_words
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.options import format_value, known_presets
from engines.store.match_store import TableLimits
from engines.store.server_settings import ServerSettings
from engines.store.table_options import CLOCK

LIMIT_CHOICES = (1, 2, 3, 5, 10, 25, 50, 100)
NO_OWN_LIMIT = "most"  # the value that removes the server's own limit
EVERYWHERE = "everywhere"
RULES_PREFIX = "rules_"  # how the names of the settings begin that fix a preset; the game's key follows
HOST_DECIDES = "the host decides"
SWITCH = {"on": True, "off": False}
HERE, WHERE_PLAYED = "this channel", "the channel where this match was played"
MAX_NAMED = 5  # channels named in a sentence
LIMIT_LABELS = {
    "own_lobbies": "Lobbies per host",
    "lobbies": "Lobbies in total",
    "own_tables": "Tables per host",
    "tables": "Tables in total",
}


@dataclass(frozen=True, slots=True)
class ChannelAccess:
    """A channel of a server, and the permissions that the bot lacks there."""

    channel: int
    missing: tuple[str, ...] = ()


def settings_page(
    server: ServerSettings,
    rooms: Sequence[ChannelAccess],
    limits: TableLimits,
    games: Sequence[tuple[AnyGame, GameScreen]],
    of_features: Sequence[Block] = (),
) -> Page:
    """Return the page with all settings.

    `rooms` are the chosen channels that exist, `limits` the bot's own limits, `games` all games with their screens.
    `of_features` is what features add.
    """
    return Page(
        (
            Text(
                "## Server settings\n-# For members with **Manage Server**. Changes apply at once to new tables and "
                "matches. Matches that have already started stay as they are, except that pings change at once."
            ),
            *_channel_blocks(server, rooms),
            *_switch_blocks(server),
            Text(
                "**Clock for new tables.** Time per move; then the computer moves. The host can choose another clock."
            ),
            Row(_clock_menu(server)),
            *_rules_blocks(server, games),
            Text(
                "**Limits.** A table is a lobby until its host starts the match. You can limit the lobbies, and all "
                "open tables, running matches included:"
            ),
            *(Row(menu) for menu in _limit_menus(server, limits)),
            *of_features,
        )
    )


def apply_choice(
    server: ServerSettings, games: Mapping[str, AnyGame], name: str, values: Sequence[str]
) -> ServerSettings:
    """Return the settings after a control was used. Raises RequestRefused if it is unknown."""
    game, value = games.get(name.removeprefix(RULES_PREFIX)), values[0] if len(values) == 1 else ""
    if name.startswith(RULES_PREFIX) and game is not None and value in (HOST_DECIDES, *known_presets(game)):
        return server.with_preset(game.key, None if value == HOST_DECIDES else value)
    return replace(server, **_parse_choice(name, values))


def _parse_choice(name: str, values: Sequence[str]) -> dict[str, Any]:
    """Return the setting that a control changes, with its new value. Raises RequestRefused if it is unknown."""
    value = values[0] if len(values) == 1 else ""
    if name in ("threads", "calls", "computers") and value in SWITCH:
        return {name: SWITCH[value]}
    if name in LIMIT_LABELS and (value == NO_OWN_LIMIT or value in map(str, LIMIT_CHOICES)):
        return {name: None if value == NO_OWN_LIMIT else int(value)}
    clocks = {format_value(each): each for each in CLOCK.values}
    if name == "clock" and value in clocks:
        return {name: clocks[value]}
    if name == "channels" and (value == EVERYWHERE or all(each.isascii() and each.isdecimal() for each in values)):
        return {name: frozenset() if value == EVERYWHERE else frozenset(map(int, values))}
    raise RequestRefused("That setting no longer exists. Use /motley server to see the current ones.")


def elsewhere_text(rooms: Sequence[ChannelAccess], hidden: bool, where: str = HERE) -> str:
    """Return why no table can be opened in a channel, `where`, and where one can: in `rooms`.

    `hidden` is true if there are further channels that the reader cannot see.
    """
    refused = f"Tables cannot be opened in {where}"
    fit = [room for room in rooms if not room.missing]
    if fit:
        return f"{refused}. Open yours in {_channel_mentions(fit)}."
    if rooms:
        return f"{refused}, only in {_channel_mentions(rooms)}, but I lack permissions there: use `/motley check`."
    if hidden:
        return f"{refused}, only in channels that you cannot see. Ask somebody who manages this server."
    return (
        f"{refused}, and the chosen channels are gone. Somebody who manages this server can choose others with "
        "`/motley server`."
    )


def _channel_blocks(server: ServerSettings, rooms: Sequence[ChannelAccess]) -> Iterator[Block]:
    """Return where tables can be opened, warnings about that, and the controls to change it."""
    place = "in every channel where I may write"
    if server.channels:
        place = f"in {_channel_mentions(rooms)}, and in threads there" if rooms else "nowhere"
    yield Text("\n".join((f"**Tables can be opened** {place}.", *_channel_warnings(server, rooms))))
    yield ChannelMenu(
        custom_ids.server_setting_id("channels"), "Only in some channels", tuple(room.channel for room in rooms)
    )
    if server.channels:
        yield from press_rows((Press("Allow every channel", custom_ids.server_setting_id("channels", EVERYWHERE)),))


def _channel_warnings(server: ServerSettings, rooms: Sequence[ChannelAccess]) -> Iterator[str]:
    if server.channels and not rooms:
        yield "⚠ The chosen channels are gone. Choose others, or allow every channel."
    elif missing := len(server.channels) - len(rooms):
        yield f"⚠ {'One of the chosen channels is' if missing == 1 else f'{missing} of the chosen channels are'} gone."
    for room in [room for room in rooms if room.missing][:MAX_NAMED]:
        lacking = join_with_and([f"**{name}**" for name in room.missing])
        yield f"⚠ In <#{room.channel}> I lack {lacking}, so no table can be opened there."


def _switch_blocks(server: ServerSettings) -> Iterator[Block]:
    """Return the settings that are on or off, each with a button to change it."""
    yield Text(
        "**Threads.** Each match gets its own thread, if I may create one."
        if server.threads
        else "**Threads.** Matches are played in the channel itself."
    )
    yield from _switch_row("threads", server.threads, "Give each match a thread", "Play in the channel itself")
    yield Text(
        "**Pings.** Players who keep a match waiting get a ping: a direct message or, if I cannot send one, a mention "
        "at the table. Everybody can choose fewer pings: `/motley settings`."
        if server.calls
        else "**Pings.** Nobody gets a ping, neither by direct message nor by a mention. Players still get their "
        "hands, and these stay up to date."
    )
    yield from _switch_row("calls", server.calls, "Ping players whose turn it is", "Ping nobody")
    yield Text(
        "**Computers** can join a table."
        if server.computers
        else "**Computers** cannot join a table. The computer still plays for players who leave, stay away or run out "
        "of time, so that nobody waits forever."
    )
    yield from _switch_row("computers", server.computers, "Allow computers", "Do not allow computers")


def _switch_row(name: str, is_on: bool, turn_on: str, turn_off: str) -> tuple[Row, ...]:
    return press_rows(
        (Press(turn_off if is_on else turn_on, custom_ids.server_setting_id(name, "off" if is_on else "on")),)
    )


def _clock_menu(server: ServerSettings) -> Menu:
    lines = (
        Line(
            "No clock" if each is None else table_option_words.option_value_text(each),
            format_value(each),
            table_option_words.option_note(each, CLOCK.default),
            chosen=each == server.clock,
        )
        for each in CLOCK.values
    )
    return Menu(custom_ids.server_setting_id("clock"), "Clock for new tables", tuple(lines))


def _rules_blocks(server: ServerSettings, games: Sequence[tuple[AnyGame, GameScreen]]) -> Iterator[Block]:
    found = [(game, screen) for game, screen in games if game.presets]
    if found:
        yield Text("**Rules for new tables.** The host decides, or you choose the rules of a game for everyone here:")
    for game, screen in found:
        fixed = server.fixed_preset(game)
        lines = (
            Line(
                f"{game.key.capitalize()}: {preset}",
                preset,
                options_pages.preset_description(game, screen, preset, game.seats[0]) or None,
                chosen=preset == fixed,
            )
            for preset in known_presets(game)
            if preset in game.presets or preset == fixed
        )
        first = Line(f"{game.key.capitalize()}: {HOST_DECIDES}", HOST_DECIDES, chosen=fixed is None)
        yield Row(
            Menu(custom_ids.server_setting_id(RULES_PREFIX + game.key), f"Rules of {game.title}", (first, *lines))
        )


def _limit_menus(server: ServerSettings, limits: TableLimits) -> Iterator[Menu]:
    """Return a list of values for each limit, up to the bot's own limit if there is one."""
    most = {"own_lobbies": limits.per_person, "lobbies": limits.per_server, "own_tables": limits.matches_per_person}
    for name, label in LIMIT_LABELS.items():
        bound, own = most.get(name), getattr(server, name)
        counts = [count for count in LIMIT_CHOICES if bound is None or count < bound]
        last = Line(
            f"{label}: no limit" if bound is None else f"{label}: {bound} (bot's limit)",
            NO_OWN_LIMIT,
            chosen=own not in counts,
        )
        lines = (Line(f"{label}: {count}", str(count), chosen=count == own) for count in counts)
        yield Menu(custom_ids.server_setting_id(name), label, (*lines, last))


def _channel_mentions(rooms: Sequence[ChannelAccess]) -> str:
    names = [f"<#{room.channel}>" for room in rooms[:MAX_NAMED]]
    return join_with_and([*names, f"{len(rooms) - MAX_NAMED} more"] if len(rooms) > MAX_NAMED else names)
