"""The messages of a lobby: players, options, computers, and the question before a hasty start. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable

from cogs.screens.screen import GameScreen
from cogs.screens.words import pluralize
from cogs.table.pages import custom_ids
from cogs.table.pages.feature_pages import NO_ADDITIONS, Additions, FeaturePages
from cogs.table.pages.options_pages import (
    advice_blocks,
    fixed_rules_text,
    free_suggestions,
    host_name,
    trouble_text,
)
from cogs.table.pages.page import Page, Press, Text, more_press, press_rows, table_press, text_blocks
from cogs.table.wording import match_words
from cogs.table.wording.how_played import how_played_text
from cogs.table.wording.player_names import computer_line, seat_name
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.lobbies import NO_COMPUTERS, options_stamp
from engines.hosting.timing.due_times import LOBBY_SECONDS
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from players import available_levels


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
    fixed = None if info.practice else server.fixed_preset(game)
    rules = "" if fixed is None else f"\n{fixed_rules_text(snapshot, fixed)}"
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
            f"How it is played: {how_played_text(snapshot, screen)}.{rules}{changed}",
        )
    )
    last = text_blocks((f"{closing} Your hand will come by direct message.", match_words.seal_line(info)))
    trouble = text_blocks((trouble_text(snapshot),))
    return Page((*blocks, *trouble, *advice_blocks(snapshot, screen, server), *last, *buttons))


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
    can_change = advice is not None and (not advice.suggestions or bool(free_suggestions(game, advice, server)))
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
    now = f"How it is played now: {how_played_text(snapshot, screen)}."
    text = f"**The options have just changed.** The others may not have seen it yet.\n{now}"
    presses = (
        Press("Start with these", custom_ids.start_id(snapshot.info.id, options_stamp(snapshot.info)), "danger"),
        table_press(snapshot.info.id, "Options", "options"),
    )
    return Page((Text(text), *press_rows(presses)))


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


def _fewest_seats(snapshot: MatchSnapshot) -> int:
    """The fewest players that can start with these options."""
    return snapshot.game.seats_with(snapshot.options)[0]
