"""What stands behind ⋯: the menu for one person, and the questions before leaving and cancelling. Pure."""

from __future__ import annotations

from cogs.screens.screen import GameScreen
from cogs.table.pages import custom_ids
from cogs.table.pages.match_pages import ending, standing_now
from cogs.table.pages.page import GREY, RED, Block, Line, Menu, Page, Press, Row, Text, rows, table_press
from cogs.table.wording.player_names import shown
from engines.hosting.match import Look
from engines.store.match_store import LIVE, Info, Status


def menu(look: Look, user: int, screen: GameScreen) -> Page:
    """What else can be done now, for this person."""
    info = look.info
    seated = info.seat_of(user) is not None
    seat = info.seat_of(user)
    hint = seat is not None and info.house.hints and seat in look.decisions()
    presses = [table_press(info.id, "Hint", "hint")] if hint else []
    presses.append(table_press(info.id, "Rules", "rule" if seated else "rules"))
    if look.state is not None:
        presses.append(table_press(info.id, "Score sheet", "sheet"))
        presses.append(table_press(info.id, "In words", "words"))
    presses.append(table_press(info.id, "Settings", "settings"))
    if not seated and info.status in LIVE and any(seat.gone for seat in info.seats):
        paused = info.status is Status.PAUSED
        presses.append(table_press(info.id, "Take the empty seat" if paused else "Take a seat", "seat", "primary"))
    if seated and info.status in LIVE:
        presses += _own(look, user)
    blocks: list[Block] = [
        Text(f"**{look.game.title}**, match `{info.id}`\n{standing_now(look, screen, user)}"),
        *rows(presses),
    ]
    if info.host == user and info.status in LIVE:
        blocks += _host_part(info, user)
    return Page(tuple(blocks))


def leaving(look: Look) -> Page:
    """The question before leaving a running match; the last person at the table ends it."""
    if sum(seat.here for seat in look.info.seats) == 1:
        return _question(
            "Leave this match? Nobody else is left who plays, so it ends without a result.",
            table_press(look.info.id, "Leave the match", "leave", "danger"),
            table_press(look.info.id, "Back to the hand", "return"),
        )
    paused = "is paused until somebody takes your seat and your hand, or the others end it."
    return _question(
        f"Leave this match? The computer can play on for you, and you may come back. Else the match {paused}",
        table_press(look.info.id, "Let the computer play", "leave-on"),
        table_press(look.info.id, "Leave the match", "leave", "danger"),
        table_press(look.info.id, "Back to the hand", "return"),
    )


def stopping(look: Look) -> Page:
    """The question before the only one who plays ends a match."""
    return _question(
        "End this match? Nobody else plays, so it ends at once, without a result.",
        table_press(look.info.id, "End the match", "stop", "danger"),
        table_press(look.info.id, "Back to the hand", "return"),
    )


def cancelling(look: Look) -> Page:
    """The question before a lobby is closed."""
    others = [shown(seat.name) for seat in look.info.seats if seat.here and seat.user != look.info.host]
    joined = f" {len(others)} others have joined." if len(others) > 1 else f" {others[0]} has joined." if others else ""
    return _question(
        f"Cancel the match before it has started?{joined}",
        table_press(look.info.id, "Cancel the match", "cancel", "danger"),
        table_press(look.info.id, "Keep it", "keep"),
    )


def about(info: Info) -> tuple[Press, ...]:
    """What can be done about the news that somebody has left, or wants to end the match."""
    vote = ending(info)
    if info.status is Status.PAUSED:
        return table_press(info.id, "Take the empty seat", "seat", "primary"), vote
    if info.status is not Status.RUNNING:
        return ()
    seat = (table_press(info.id, "Take a seat", "seat", "primary"),) if any(seat.gone for seat in info.seats) else ()
    return (*seat, vote) if info.votes else seat


def farewell(look: Look, seat: int) -> Page:
    """What a hand becomes for somebody who no longer sits there; while they may come back, with the way."""
    info = look.info
    said = f"You no longer sit at this table ({look.game.title}, match `{info.id}`)."
    if look.state is None or info.status not in LIVE or info.seats[seat].gone != "left":
        return past(said)
    going = "The computer plays on with your hand." if info.seats[seat].level else "The match waits."
    more = f"{going} You may come back until somebody takes the seat."
    return Page((Text(f"{said} {more}"), *rows((table_press(info.id, "Take the seat back", "seat", "primary"),))), GREY)


def past(said: str) -> Page:
    """What a menu becomes when all is said and done."""
    return Page((Text(said),), GREY)


def _own(look: Look, user: int) -> list[Press]:
    """What only those at the table can do."""
    if look.state is None:
        return [table_press(look.info.id, "Leave the match", "leave")]
    vote = () if user in look.info.votes else (ending(look.info),)
    hand = (table_press(look.info.id, "Show my hand", "hand"),) if look.info.status is Status.PAUSED else ()
    return [*hand, table_press(look.info.id, "Leave the match", "leave-ask"), *vote]


def _host_part(info: Info, user: int) -> list[Block]:
    """What only the host can do."""
    blocks: list[Block] = []
    if info.status is Status.LOBBY:
        blocks += rows((table_press(info.id, "Cancel the match", "cancel-ask"),))
    others = [seat for seat in info.seats if seat.user != user and seat.here]
    if others:
        lines = tuple(Line(seat.name, str(seat.user)) for seat in others)
        blocks.append(Row(Menu(custom_ids.table(info.id, "host"), "Make somebody else the host", lines)))
    return blocks


def _question(said: str, *presses: Press) -> Page:
    return Page((Text(said), *rows(presses)), RED)
