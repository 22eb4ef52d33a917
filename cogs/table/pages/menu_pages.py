"""The menu behind *More*, and the questions before leaving, ending and cancelling a match. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cogs.screens.emoji import crest_emoji
from cogs.screens.screen import GameScreen
from cogs.table.pages import custom_ids
from cogs.table.pages.feature_pages import NO_ADDITIONS, Additions, FeaturePages
from cogs.table.pages.lobby_invitation import menu_lines
from cogs.table.pages.match_pages import end_press, standing_text
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup, entry_blocks
from cogs.table.pages.page import (
    GREY,
    RED,
    Line,
    Menu,
    Page,
    Press,
    Text,
    press_rows,
    table_press,
)
from cogs.table.wording.match_words import practice_mark
from cogs.table.wording.player_names import computer_level, markdown_name
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import LIVE, MatchInfo, Status

NOW, LOOK, TABLE = MenuGroup.NOW, MenuGroup.LOOK, MenuGroup.TABLE


def menu_page(
    snapshot: MatchSnapshot,
    user: int,
    screen: GameScreen,
    features: Additions = NO_ADDITIONS,
    refused: Collection[str] = (),
) -> Page:
    """Return the menu of further actions for this person, in groups.

    `refused` are the custom ids of entries that features offer and that would be refused now.
    """
    info = snapshot.info
    offered = features.at(FeaturePages.menu_entries, snapshot, screen)
    computers = [seat for seat in info.seats if seat.level]
    entries = [each for each in offered if not isinstance(each.control, Press) or each.control.to not in refused]
    lines = (
        f"-# {snapshot.game.title}{practice_mark(info)} · match `{info.id}`",
        f"-# {standing_text(snapshot, screen, user)}",
        f"-# Computers: {', '.join(levels)}." if (levels := [*map(computer_level, computers)]) else "",
        *(menu_lines(snapshot, screen, features) if info.status is Status.LOBBY else ()),
        *features.at(FeaturePages.menu_texts, snapshot, screen),
    )
    heading = Text("\n".join(filter(None, lines)))
    return Page((heading, *entry_blocks((*entries, *_own_entries(snapshot, user)))), reader=user)


def _own_entries(snapshot: MatchSnapshot, user: int) -> Iterator[MenuEntry]:
    """Return the entries that no feature adds."""
    info = snapshot.info
    is_seated, is_live = info.seat_of(user) is not None, info.status in LIVE
    is_host, is_begun = info.host == user and is_live, snapshot.state is not None
    if is_seated and info.status is Status.PAUSED:
        yield MenuEntry(NOW, 0, table_press(info.id, "Show my hand", "hand"))
    if not is_seated and is_live and any(seat.gone for seat in info.seats):
        label = "Take the empty seat" if info.status is Status.PAUSED else "Take a seat"
        yield MenuEntry(NOW, 0, table_press(info.id, label, "seat", "primary"))
    yield MenuEntry(LOOK, 10, table_press(info.id, "Rules", "rule" if is_seated else "rules"))
    if is_begun:
        yield MenuEntry(LOOK, 20, table_press(info.id, "Score sheet", "sheet"))
        yield MenuEntry(LOOK, 30, table_press(info.id, "Show as text", "words"))
    if info.status is not Status.ASIDE:
        changes = is_host and info.status is Status.LOBBY
        yield MenuEntry(TABLE, 30, table_press(info.id, "Options", "options" if changes else "chosen"))
    yield MenuEntry(TABLE, 40, table_press(info.id, "Settings", "settings"))
    if is_seated and is_live:
        yield MenuEntry(TABLE, 50, table_press(info.id, "Leave the match", "leave-ask" if is_begun else "leave"))
    if is_seated and is_live and is_begun and user not in info.votes:
        yield MenuEntry(TABLE, 60, end_press(info))
    if is_host:
        yield from _host_entries(info, user)


def _host_entries(info: MatchInfo, user: int) -> Iterator[MenuEntry]:
    if info.status is Status.LOBBY:
        yield MenuEntry(TABLE, 60, table_press(info.id, "Cancel the table", "cancel-ask"))
    others = [(index, seat) for index, seat in enumerate(info.seats) if seat.user != user and seat.has_owner]
    if others:
        has_crests = info.status is not Status.LOBBY  # in a lobby, seats move up when somebody leaves
        lines = tuple(
            Line(seat.name, str(seat.user), emoji=crest_emoji(index) if has_crests else None) for index, seat in others
        )
        hand_over = Menu(custom_ids.table_action_id(info.id, "host"), "Make somebody else the host", lines)
        yield MenuEntry(TABLE, 70, hand_over)


def confirm_leave_page(snapshot: MatchSnapshot) -> Page:
    """Return the question before leaving a running match. If the last person leaves, the match ends."""
    if sum(seat.has_owner for seat in snapshot.info.seats) == 1:
        return question_page(
            "Leave this match? You are its last player, so it ends without a result.",
            table_press(snapshot.info.id, "Leave the match", "leave", "danger"),
            table_press(snapshot.info.id, "Back to the hand", "return"),
        )
    paused = "pauses until somebody takes your seat and your hand, or the others end it."
    return question_page(
        "Leave this match? The computer can play for you until you come back. If you leave without it, the "
        f"match {paused}",
        table_press(snapshot.info.id, "Let the computer play", "leave-on"),
        table_press(snapshot.info.id, "Leave the match", "leave", "danger"),
        table_press(snapshot.info.id, "Back to the hand", "return"),
    )


def confirm_end_page(snapshot: MatchSnapshot) -> Page:
    """Return the question before the only player ends a match."""
    return question_page(
        "End this match? You are its only player, so it ends at once, without a result.",
        table_press(snapshot.info.id, "End the match", "stop", "danger"),
        table_press(snapshot.info.id, "Back to the hand", "return"),
    )


def confirm_cancel_page(snapshot: MatchSnapshot) -> Page:
    """Return the question before the host cancels a lobby."""
    others = [
        markdown_name(seat.name) for seat in snapshot.info.seats if seat.has_owner and seat.user != snapshot.info.host
    ]
    joined = f" {len(others)} others have joined." if len(others) > 1 else f" {others[0]} has joined." if others else ""
    return question_page(
        f"Cancel this table before the match starts?{joined}",
        table_press(snapshot.info.id, "Cancel the table", "cancel", "danger"),
        table_press(snapshot.info.id, "Keep it", "keep"),
    )


def notice_presses(info: MatchInfo) -> tuple[Press, ...]:
    """Return the buttons for a notice that somebody has left, or wants to end the match."""
    vote = end_press(info)
    if info.status is Status.PAUSED:
        return table_press(info.id, "Take the empty seat", "seat", "primary"), vote
    if info.status is not Status.RUNNING:
        return ()
    seat = (table_press(info.id, "Take a seat", "seat", "primary"),) if any(seat.gone for seat in info.seats) else ()
    return (*seat, vote) if info.votes else seat


def farewell_page(snapshot: MatchSnapshot, user: int | None) -> Page:
    """Return the hand of a person who is no longer at the table, with a button if they can come back.

    `user` is None if none of the seats was theirs, as after a lobby.
    """
    info = snapshot.info
    text = f"You are no longer at this table ({snapshot.game.title}, match `{info.id}`)."
    left = next((seat for seat in info.seats if seat.user == user and seat.gone == "left"), None)
    if snapshot.state is None or info.status not in LIVE or left is None:
        return closed_page(text).for_reader(user)
    going = "The computer plays on with your hand." if left.level else "The match is paused."
    more = f"{going} You can come back until somebody takes your seat."
    back = press_rows((table_press(info.id, "Take the seat back", "seat", "primary"),))
    return Page((Text(f"{text} {more}"), *back), GREY, reader=user)


def question_page(text: str, *presses: Press) -> Page:
    """Return a question before something that cannot be undone, with its buttons."""
    return Page((Text(text), *press_rows(presses)), RED)


def closed_page(text: str) -> Page:
    """Return a menu that is finished: text without buttons."""
    return Page((Text(text),), GREY)
