"""The messages of a lobby: who is in, its options for the host, and the question before a hasty start. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cogs.screens.control_widths import OPTION
from cogs.screens.screen import GameScreen
from cogs.screens.truncation import cut
from cogs.screens.words import counted
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Block, Line, Menu, Page, Press, Row, Text, rows, table_press, texts
from cogs.table.wording import table_option_words
from cogs.table.wording.player_names import seated, shown
from engines.hosting.due_times import LOBBY_SECONDS
from engines.hosting.lobbies import NO_COMPUTERS, stamp
from engines.hosting.match import Look
from engines.kit.options import MOST, Option, text
from engines.store.match_store import Seat
from engines.store.table_options import USUAL, House, every_option, house_options
from players import levels


def lobby(look: Look, screen: GameScreen, *, computers: bool = True) -> Page:
    """The lobby while people may join; without computers, none more of them sits down."""
    info, game = look.info, look.game
    missing = game.seats[0] - len(info.seats)
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
    more = (*options, *add, table_press(info.id, "⋯", "more"))
    buttons = (*rows(presses), *rows(more))
    said = texts((f"## {game.title} — join the table", _who(look), _lines(look, screen) + changed))
    last = Text(f"{closing} Your hand will come by direct message.")
    return Page((*said, *_advice(look, screen), last, *buttons))


def options(look: Look, screen: GameScreen, usual: House = USUAL) -> Page:
    """Every option with a list of what it can be, for the host; `usual` are the house's where it chose none."""
    blocks: list[Block] = [Text(f"## Options\n-# {look.game.title} · match `{look.info.id}`"), *_advice(look, screen)]
    for option in every_option(look.game):
        said = f"\n-# {option.said}" if option.said else ""
        blocks += (Text(f"**{option.name.capitalize()}**{said}"), Row(_menu(look, screen, option, usual)))
    return Page((*blocks, Text("-# A change counts at once; those who have joined are told of it.")))


def computers(look: Look, screen: GameScreen, *, allowed: bool = True) -> Page:
    """The computers at the table, and those that may sit down, for the host; and what to expect of the match so."""
    info, game = look.info, look.game
    there = [f"- {seated(seat)}, {seat.level}" for seat in info.seats if seat.level]
    needed, free = max(1, game.seats[0] - len(info.seats)), game.seats[-1] - len(info.seats)
    enough = len(info.seats) >= game.seats[0]
    count = (
        "one more sits down"
        if enough
        else "one sits down"
        if needed == 1
        else f"{needed} sit down, as many as it takes to start"
    )
    said = (
        f"## Computers\n-# {game.title} · match `{info.id}`",
        "\n".join(there) or "No computer sits at the table yet.",
        f"Press a level: {count}."
        if free and allowed
        else NO_COMPUTERS
        if not allowed
        else "All places are taken. Whoever joins takes that of a computer.",
    )
    advice = screen.advice(look.options, len(info.seats)) if enough else None
    expected = (f"{advice.said} **Options** changes that.",) if advice else ()
    known = [table_press(info.id, level.capitalize(), f"computer-{level}", "primary") for level in levels(game)]
    away = (table_press(info.id, "Remove one", "no-computer"),) if there else ()
    go = [table_press(info.id, "Start", "start", "primary")] if enough else []
    go += [table_press(info.id, "Options", "options")] if advice else []
    return Page((*texts(said), *rows(known if free and allowed else ()), *texts(expected), *rows((*go, *away))))


def sure(look: Look, screen: GameScreen) -> Page:
    """The question before a start so soon after a change that some may not have seen it."""
    said = f"**The options have only just changed.** The others may not have seen it yet.\n{_lines(look, screen)}"
    presses = (
        Press("Start with these", custom_ids.begin(look.info.id, stamp(look.info)), "danger"),
        table_press(look.info.id, "Options", "options"),
    )
    return Page((Text(said), *rows(presses)))


def in_words(look: Look, screen: GameScreen) -> str:
    """The options in a line."""
    return " · ".join(f"{name}: {said}" for name, said in _all_words(look, screen).items())


def host(look: Look) -> str:
    """The host's name."""
    return next(shown(seat.name) for seat in look.info.seats if seat.user == look.info.host)


def choices(look: Look, screen: GameScreen, option: Option) -> list[tuple[str, Any]]:
    """What to offer for an option, in words and as values; what it comes to now is among them."""
    if option in house_options():
        return [(table_option_words.said(each), each) for each in option.values]
    offered: Sequence[Any] = screen.values(option.name, _seats(look)) or option.values
    found = [
        (_words(look, screen, replace(look.options, **{option.name: each}))[option.name], each) for each in offered
    ]
    now = _words(look, screen, look.options)[option.name]
    if now not in (said for said, _ in found):
        found = [*found[:MOST], (now, getattr(look.options, option.name))]
    return found


def _who(look: Look) -> str:
    """How many there are and may be, and their names."""
    info, most = look.info, look.game.seats[-1]
    missing, here = look.game.seats[0] - len(info.seats), counted(len(info.seats), "player")
    room = f"up to {most} can play" if len(info.seats) < most else "all places are taken"
    if missing > 0:
        count = f"{here}; {missing} more needed to start{f', {room}' if len(look.game.seats) > 1 else ''}."
    else:
        count = f"{here}; {room}. {host(look)} can start."
    names = [f"{_called(seat)}{' (host)' if seat.user == info.host else ''}" for seat in info.seats]
    return "\n".join([count, *(f"- {name}" for name in names)])


def _called(seat: Seat) -> str:
    return f"{seated(seat)} (computer, {seat.level})" if seat.level else seated(seat)


def _menu(look: Look, screen: GameScreen, option: Option, usual: House) -> Menu:
    now = _all_words(look, screen)[option.name]
    default = getattr(usual, option.name) if option in house_options() else option.default
    lines = tuple(
        Line(cut(said, OPTION), text(value), "the default" if value == default else None, chosen=said == now)
        for said, value in choices(look, screen, option)
    )
    return Menu(custom_ids.option(look.info.id, option.name), option.name.capitalize(), lines)


def _advice(look: Look, screen: GameScreen) -> tuple[Block, ...]:
    """What to expect of the match, with buttons for the host that change it; and why it cannot be played, if so."""
    trouble = _trouble(look)
    advice = screen.advice(look.options, len(look.info.seats))
    if advice is None:
        return texts((trouble,))
    presses = [
        Press(offer.label, custom_ids.option(look.info.id, offer.option, text(offer.value))) for offer in advice.offers
    ]
    said = f"{advice.said}\n-# {host(look)} can change that here:" if presses else advice.said
    return (*texts((trouble, said)), *rows(presses))


def _trouble(look: Look) -> str:
    """Why those who have joined cannot play with these options, if so."""
    try:
        look.game.fitting(_seats(look), look.options)
    except ValueError as error:
        return f"⚠ {error}"
    return ""


def _lines(look: Look, screen: GameScreen) -> str:
    """The game's options, a line each, and those of the house in one."""
    own = [f"{name.capitalize()}: {said}" for name, said in _words(look, screen, look.options).items()]
    return "\n".join(
        (
            *own,
            " · ".join(
                f"{name.capitalize()}: {said}" for name, said in table_option_words.words(look.info.house).items()
            ),
        )
    )


def _all_words(look: Look, screen: GameScreen) -> dict[str, str]:
    return _words(look, screen, look.options) | table_option_words.words(look.info.house)


def _words(look: Look, screen: GameScreen, options: Any) -> dict[str, str]:
    """Options by name as the game's screen words them, for those who have joined."""
    return dict(screen.options(options, _seats(look)))


def _seats(look: Look) -> int:
    return max(look.game.seats[0], len(look.info.seats))
