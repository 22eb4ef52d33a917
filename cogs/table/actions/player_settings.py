"""What people like, everywhere: when they are called, and how their hands look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cogs.table.actions.context import ActionContext
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Line, Menu, Page, Press, Row, Text, press_rows
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused
from engines.store.surface_storage import Preferences

CALL_VALUES: Mapping[str, int | None] = {"0": 0, "60": 60, "300": 300, "never": None}
CALL_LABELS: Mapping[int | None, str] = {
    0: "At once",
    60: "After one minute",
    300: "After five minutes",
    None: "Never",
}
SWITCH = {"on": True, "off": False}


class PlayerSettingsActions:
    """The desk's part for what people like. It is asked for and changed by each for themselves alone."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context
        self._matches = context.matches
        self._reconciler = context.keeper

    async def show_settings(self, reply: InteractionReply, match: str = "") -> None:
        """All settings, with their controls; they are the same in every match."""
        await reply.send_page(settings_page(await self._reconciler.preferences(reply.interaction.user.id)))

    async def change_setting(self, reply: InteractionReply, name: str, value: str) -> None:
        """Change one of them; it counts at once, also for the hands that are shown."""
        user = reply.interaction.user.id
        chosen = parse_choice(name, value)
        await self._reconciler.change_preferences(user, lambda old: replace(old, **chosen))
        reply.is_saved = True
        self._context.on_due_changed()
        shown = settings_page(await self._reconciler.preferences(user))
        await (reply.update_message(shown) if reply.clicked_ephemeral else reply.send_page(shown))
        for info in await self._matches.find(user=user):
            self._reconciler.wake(info.id, *(seat for seat, each in enumerate(info.seats) if each.user == user))


def parse_choice(name: str, value: str) -> dict[str, Any]:
    """What such a control changes. Raises Refused."""
    if name == "call" and value in CALL_VALUES:
        return {name: CALL_VALUES[value]}
    if name in ("words", "worth") and value in SWITCH:
        return {name: SWITCH[value]}
    raise RequestRefused("I do not know that setting any more. Use /motley settings for those there are.")


def settings_page(preferences: Preferences) -> Page:
    """All settings as they are, with what changes them."""
    lines = tuple(
        Line(CALL_LABELS[call], value, chosen=call == preferences.call) for value, call in CALL_VALUES.items()
    )
    return Page(
        (
            Text("## Your settings\n-# They hold in every match, and a change counts at once."),
            Text(
                "**When I call you.** When a match waits for you and you do not act, I send you your hand once more, "
                "so that your device tells you; and again before your time runs out, where that is an hour or more. "
                "The first turn of a match calls at once. A server may have nobody called, whatever you choose."
            ),
            Row(Menu(custom_ids.player_setting_id("call"), "When I call you", lines)),
            Text(_words_text(preferences)),
            *press_rows((_switch_press("words", preferences.words, "Show hands in words", "Show hands as pictures"),)),
            Text(_worth_text(preferences)),
            *press_rows(
                (
                    _switch_press(
                        "worth", preferences.worth, "Say what things are worth", "Leave out what things are worth"
                    ),
                )
            ),
        )
    )


def _words_text(preferences: Preferences) -> str:
    now = "in words, beside their picture" if preferences.words else "by their picture, with few words"
    return f"**Your hands** are shown {now}."


def _worth_text(preferences: Preferences) -> str:
    now = "say" if preferences.worth else "do not say"
    return f"**What things are worth:** your hands {now} it in a small line."


def _switch_press(name: str, is_on: bool, turn_on: str, turn_off: str) -> Press:
    """A button that says what it does."""
    return Press(turn_off if is_on else turn_on, custom_ids.player_setting_id(name, "off" if is_on else "on"))
