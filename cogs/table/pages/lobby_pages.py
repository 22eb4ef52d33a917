"""The pages of a lobby's host about computers, and the question before a hasty start. Pure functions."""

from __future__ import annotations

from cogs.screens.screen import GameScreen
from cogs.table.pages import custom_ids
from cogs.table.pages.options_pages import (
    free_suggestions,
)
from cogs.table.pages.page import Page, Press, Text, press_rows, table_press, text_blocks
from cogs.table.wording.how_played import how_played_text
from cogs.table.wording.player_names import computer_line
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.lobbies import NO_COMPUTERS, options_stamp
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from players import available_levels

COUNTS = ("no", "one", "two", "three", "four", "five", "six")


def computers_page(
    snapshot: MatchSnapshot, screen: GameScreen, server: ServerSettings = DEFAULT_SERVER_SETTINGS
) -> Page:
    """Return the host's page about computers: those at the table, those to add, and what to expect of the match."""
    info, game = snapshot.info, snapshot.game
    computer_lines = [f"- {computer_line(seat)}" for seat in info.seats if seat.level]
    fewest, free = fewest_seats(snapshot), game.seats[-1] - len(info.seats)
    needed, enough = max(1, fewest - len(info.seats)), len(info.seats) >= fewest
    joining = "one more computer" if enough else "one computer" if needed == 1 else f"{COUNTS[needed]} computers"
    text = (
        f"## Computers\n-# {game.title} · match `{info.id}`",
        "\n".join(computer_lines) or "There is no computer at the table yet.",
        f"Choose a level. {joining.capitalize()} will join{'' if enough else ', enough to start'}."
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
    text = f"**The options have just changed.** The others may not have noticed yet.\n{now}"
    presses = (
        Press("Start with these", custom_ids.start_id(snapshot.info.id, options_stamp(snapshot.info)), "danger"),
        table_press(snapshot.info.id, "Options", "options"),
    )
    return Page((Text(text), *press_rows(presses)))


def fewest_seats(snapshot: MatchSnapshot) -> int:
    """Return the fewest players that can start with these options."""
    return snapshot.game.seats_with(snapshot.options)[0]
