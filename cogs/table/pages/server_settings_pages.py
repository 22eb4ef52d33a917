"""The settings of a server in words, with what changes them; and where tables may be opened. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cogs.screens.words import join_with_and
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Block, ChannelMenu, Line, Menu, Page, Press, Row, Text, press_rows
from cogs.table.wording import table_option_words
from engines.hosting.match import RequestRefused
from engines.kit.options import format_value
from engines.store.match_store import TableLimits
from engines.store.server_settings import ServerSettings
from engines.store.table_options import list_table_options

LIMIT_CHOICES = (1, 2, 3, 5, 10, 25, 50, 100)
NO_OWN_LIMIT = "most"  # the value of a limit that is none of the server's own
EVERYWHERE = "everywhere"
SWITCH = {"on": True, "off": False}
MAX_NAMED = 5  # channels in a sentence
(CLOCK,) = (option for option in list_table_options() if option.name == "clock")
LIMIT_LABELS = {
    "own_lobbies": "Waiting, of one host",
    "lobbies": "Waiting, in all",
    "own_tables": "With matches, of one host",
    "tables": "With matches, in all",
}


@dataclass(frozen=True, slots=True)
class ChannelAccess:
    """A channel of a server, and which permissions the bot lacks there to host a match."""

    channel: int
    missing: tuple[str, ...] = ()


def settings_page(server: ServerSettings, rooms: Sequence[ChannelAccess], limits: TableLimits) -> Page:
    """All settings as they are; `rooms` are those of its channels that there are, `limits` what the bot allows."""
    return Page(
        (
            Text(
                "## Settings of this server\n-# For those with **Manage Server**. A change counts at once, for what is "
                "opened or started from then on. A match that has begun stays as it is; calls alone change there, too."
            ),
            *_channel_blocks(server, rooms),
            *_switch_blocks(server),
            Text("**Clock of a new table.** How long one decision may take. The host may choose another one."),
            Row(_clock_menu(server)),
            Text(
                "**Limits.** A table waits for people until its host starts it; then it is a match. So many may wait "
                "at once, and so many may there be with the matches that go on:"
            ),
            *(Row(menu) for menu in _limit_menus(server, limits)),
        )
    )


def parse_choice(name: str, values: Sequence[str]) -> dict[str, Any]:
    """What such a control changes. Raises Refused."""
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
    raise RequestRefused("I do not know that setting any more. Use /motley server for those there are.")


def elsewhere_text(rooms: Sequence[ChannelAccess], hidden: bool) -> str:
    """That no table may be opened in a channel, and where one may be: in those rooms; `hidden`: in others, too."""
    refused = "Tables may not be opened in this channel"
    fit = [room for room in rooms if not room.missing]
    if fit:
        return f"{refused}. Open yours in {_channel_mentions(fit)}."
    if rooms:
        return f"{refused}, only in {_channel_mentions(rooms)}, where I lack permissions: use `/motley check` there."
    if hidden:
        return f"{refused}, only in some that you do not see. Ask somebody who manages this server."
    return (
        f"{refused}, and those for it are gone. Somebody who manages this server can choose others: `/motley server`."
    )


def _channel_blocks(server: ServerSettings, rooms: Sequence[ChannelAccess]) -> Iterator[Block]:
    """Where tables may be opened, what is wrong with that, and how it is changed."""
    where = "in every channel in which I may write"
    if server.channels:
        where = f"in {_channel_mentions(rooms)}, and in threads there" if rooms else "nowhere"
    yield Text("\n".join((f"**Tables may be opened** {where}.", *_channel_warnings(server, rooms))))
    yield ChannelMenu(
        custom_ids.server_setting_id("channels"), "Only in some channels", tuple(room.channel for room in rooms)
    )
    if server.channels:
        yield from press_rows((Press("Allow every channel", custom_ids.server_setting_id("channels", EVERYWHERE)),))


def _channel_warnings(server: ServerSettings, rooms: Sequence[ChannelAccess]) -> Iterator[str]:
    if server.channels and not rooms:
        yield "⚠ The channels that were chosen are gone. Choose others, or allow every channel."
    elif gone := len(server.channels) - len(rooms):
        yield f"⚠ {'A channel that was chosen is' if gone == 1 else f'{gone} channels that were chosen are'} gone."
    for room in [room for room in rooms if room.missing][:MAX_NAMED]:
        lacking = join_with_and([f"**{name}**" for name in room.missing])
        yield f"⚠ In <#{room.channel}> I lack {lacking}, so no table can be opened there."


def _switch_blocks(server: ServerSettings) -> Iterator[Block]:
    """What is on or off, each with a button that says what it does."""
    yield Text(
        "**Threads.** Each match gets a thread of its own, where I may make one."
        if server.threads
        else "**Threads.** Matches are played in the channel itself."
    )
    yield from _switch_row("threads", server.threads, "Give each match a thread", "Play in the channel itself")
    yield Text(
        "**Calls.** Who keeps a match waiting is called, by direct message or else by a mention at the table. "
        "Everybody can have fewer calls for themselves: `/motley settings`."
        if server.calls
        else "**Calls.** Nobody is called, neither by direct message nor by a mention. Hands still come, and "
        "stay up to date."
    )
    yield from _switch_row("calls", server.calls, "Call those who are awaited", "Call nobody")
    yield Text(
        "**Computers** may sit down at a table."
        if server.computers
        else "**Computers** do not sit down at a table. For who leaves, stays away or lets the clock run out, the "
        "computer still plays, so that nobody has to wait for ever."
    )
    yield from _switch_row("computers", server.computers, "Let computers sit down", "Have no computers sit down")


def _switch_row(name: str, is_on: bool, turn_on: str, turn_off: str) -> tuple[Row, ...]:
    return press_rows(
        (Press(turn_off if is_on else turn_on, custom_ids.server_setting_id(name, "off" if is_on else "on")),)
    )


def _clock_menu(server: ServerSettings) -> Menu:
    lines = (
        Line(
            "No clock" if each is None else table_option_words.option_value_text(each),
            format_value(each),
            chosen=each == server.clock,
        )
        for each in CLOCK.values
    )
    return Menu(custom_ids.server_setting_id("clock"), "Clock of a new table", tuple(lines))


def _limit_menus(server: ServerSettings, limits: TableLimits) -> Iterator[Menu]:
    """A list of what each may be; of those that the bot limits itself, no more than that."""
    most = {"own_lobbies": limits.per_person, "lobbies": limits.per_server}
    for name, said in LIMIT_LABELS.items():
        bound, own = most.get(name), getattr(server, name)
        counts = [count for count in LIMIT_CHOICES if bound is None or count < bound]
        last = Line(
            f"{said}: no limit" if bound is None else f"{said}: {bound}, my limit",
            NO_OWN_LIMIT,
            chosen=own not in counts,
        )
        lines = (Line(f"{said}: {count}", str(count), chosen=count == own) for count in counts)
        yield Menu(custom_ids.server_setting_id(name), said, (*lines, last))


def _channel_mentions(rooms: Sequence[ChannelAccess]) -> str:
    names = [f"<#{room.channel}>" for room in rooms[:MAX_NAMED]]
    return join_with_and([*names, f"{len(rooms) - MAX_NAMED} more"] if len(rooms) > MAX_NAMED else names)
