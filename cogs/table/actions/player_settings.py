"""Handles what a player chooses for all their matches: pings, breaks, and how their hands look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cogs.table.actions.context import ActionContext
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Line, Menu, Page, Press, Row, Text, press_rows
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording import break_words
from engines.hosting.match import RequestRefused
from engines.hosting.matches.breaks import BREAK_SECONDS
from engines.store.match_store import MatchInfo
from engines.store.surface_storage import Preferences

CALL_VALUES: Mapping[str, int | None] = {"0": 0, "60": 60, "300": 300, "never": None}
CALL_LABELS: Mapping[int | None, str] = {
    0: "At once",
    60: "After one minute",
    300: "After five minutes",
    None: "Never",
}
SWITCH = {"on": True, "off": False}
BREAK, BACK = "break", "back"  # the setting, and the value that ends a break
MAX_LISTED_TABLES = 10  # tables with a limit of their own that a reply lists


class PlayerSettingsActions:
    """Requests to show and change settings. Players reach only their own."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context
        self._matches = context.matches
        self._reconciler = context.keeper

    async def show_settings(self, reply: InteractionReply) -> None:
        """Show all settings with their controls. They are the same in every match."""
        await reply.send_page(await self._settings_page(reply.interaction.user.id))

    async def change_setting(self, reply: InteractionReply, name: str, value: str) -> None:
        """Change one setting. It applies at once, also to hands that are already shown."""
        user = reply.interaction.user.id
        if name == BREAK:
            await self.change_break(reply, value)
            return
        chosen = parse_choice(name, value)
        await self._reconciler.change_preferences(user, lambda old: replace(old, **chosen))
        reply.is_saved = True
        self._matches.editor.on_due(0)  # it may now be earlier
        await self._show_page(reply, await self._settings_page(user))
        self._wake_hands(user, await self._matches.lookup.find(user=user))

    async def change_break(self, reply: InteractionReply, length: str) -> None:
        """Begin a break of this length, or end the one that the player is on."""
        user = reply.interaction.user.id
        if length == BACK:
            await self._matches.breaks.end_break(user)
            until = 0
        else:
            until = await self._matches.breaks.take_break(user, length)
        reply.is_saved = True
        self._matches.editor.on_due(0)  # it may now be earlier
        found = await self._matches.lookup.find(user=user)
        titles = [f"{self._matches.lookup.game_title(info.game)}, match `{info.id}`" for info in found]
        await self._show_page(reply, break_page(until, BREAK_SECONDS.get(length, 0), found, titles))
        self._wake_hands(user, found)

    async def _settings_page(self, user: int) -> Page:
        return settings_page(await self._reconciler.preferences(user), await self._matches.breaks.rest_until(user))

    async def _show_page(self, reply: InteractionReply, page: Page) -> None:
        """Show a page in the clicked message if that is private, else in a new message."""
        await (reply.update_message(page) if reply.clicked_ephemeral else reply.send_page(page))

    def _wake_hands(self, user: int, found: Sequence[MatchInfo]) -> None:
        """Redraw a player's matches, their own hands first."""
        for info in found:
            self._reconciler.wake(info.id, *(seat for seat, each in enumerate(info.seats) if each.user == user))


def parse_choice(name: str, value: str) -> dict[str, Any]:
    """Return the changed fields of a control's value. Raises RequestRefused if the setting or value is unknown."""
    if name == "call" and value in CALL_VALUES:
        return {name: CALL_VALUES[value]}
    if name in ("words", "worth", "take_backs") and value in SWITCH:
        return {name: SWITCH[value]}
    raise RequestRefused("I no longer have that setting. Use `/motley settings` to see the current ones.")


def break_page(until: int, seconds: int, matches: Sequence[MatchInfo], titles: Sequence[str]) -> Page:
    """Return the answer to a change of a break of so many seconds. Without `until` it has ended.

    The answer names the player's matches whose tables do not allow a decision to rest that long.
    """
    if not until:
        return Page((Text("**Your break is over.** Your clocks run again, and I ping you again."),))
    limits = [
        f"- {title}: {break_words.limit_text(info.house)}."
        for title, info in zip(titles, matches, strict=True)
        if info.house.rest_seconds is not None and info.house.rest_seconds < seconds
    ]
    more = [f"- and {len(limits) - MAX_LISTED_TABLES} more"] if len(limits) > MAX_LISTED_TABLES else []
    said = (
        f"**You are on a break until {break_words.break_end(until)}.** Until then I do not ping you about your turns, "
        "and your clocks rest; afterwards each starts from the beginning. Your tables show that you are on a break.\n"
        "You can still make moves. That does not end your break: only **End my break** does, or its time."
    )
    listed = "**Limits of your tables:**\n" + "\n".join([*limits[:MAX_LISTED_TABLES], *more])
    return Page((Text(said), *([Text(listed)] if limits else []), *press_rows((_end_press(),))))


def settings_page(preferences: Preferences, rest_until: int = 0) -> Page:
    """Return the page of all settings with their controls."""
    lines = tuple(
        Line(CALL_LABELS[call], value, chosen=call == preferences.call) for value, call in CALL_VALUES.items()
    )
    return Page(
        (
            Text("## Your settings\n-# They apply in every match, and a change takes effect at once."),
            Text(
                "**When I ping you.** If a match waits for you, I send you your hand again so that you get a "
                "notification. I remind you again before your time runs out if you have an hour or more. The first "
                "turn of a match pings you at once. A server can turn all pings off."
            ),
            Row(Menu(custom_ids.player_setting_id("call"), "When I ping you", lines)),
            Text(_break_text(rest_until)),
            *_break_rows(rest_until),
            Text(_words_text(preferences)),
            *press_rows((_switch_press("words", preferences.words, "Show hands in words", "Show hands as pictures"),)),
            Text(_worth_text(preferences)),
            *press_rows(
                (_switch_press("worth", preferences.worth, "Show what things are worth", "Hide what things are worth"),)
            ),
            Text(_take_back_text(preferences)),
            *press_rows(
                (_switch_press("take_backs", preferences.take_backs, "Let others ask me", "Do not let others ask me"),)
            ),
        )
    )


def _break_text(rest_until: int) -> str:
    if rest_until:
        return f"**You are on a break** until {break_words.break_end(rest_until)}."
    return "**A break** rests your clocks and pings while you are away, as far as each table allows."


def _break_rows(rest_until: int) -> Sequence[Row]:
    """Return the control that begins a break, or the one that ends it."""
    if rest_until:
        return press_rows((_end_press(),))
    lines = tuple(Line(length.capitalize(), length) for length in BREAK_SECONDS)
    return (Row(Menu(custom_ids.player_setting_id(BREAK), "Take a break …", lines)),)


def _end_press() -> Press:
    return Press("End my break", custom_ids.player_setting_id(BREAK, BACK), "primary")


def _words_text(preferences: Preferences) -> str:
    now = "in words, next to their picture" if preferences.words else "as a picture, with few words"
    return f"**Your hands** are shown {now}."


def _worth_text(preferences: Preferences) -> str:
    now = "show" if preferences.worth else "do not show"
    return f"**What things are worth:** your hands {now} it in a small line."


def _take_back_text(preferences: Preferences) -> str:
    now = "can ask you to let them" if preferences.take_backs else "cannot ask you to let them"
    return f"**Taking moves back:** the others at your tables {now} take a move back."


def _switch_press(name: str, is_on: bool, turn_on: str, turn_off: str) -> Press:
    """Return a button that is labelled with what it does."""
    return Press(turn_off if is_on else turn_on, custom_ids.player_setting_id(name, "off" if is_on else "on"))
