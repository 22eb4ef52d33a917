"""Handles what a player chooses for all their matches: pings, and how their hands look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cogs.table.actions.context import ActionContext
from cogs.table.pages import custom_ids
from cogs.table.pages.feature_pages import PersonFacts
from cogs.table.pages.page import Block, Line, Menu, Page, Press, Row, Text, press_rows
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused
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


class PlayerSettingsActions:
    """Requests to show and change settings. Players reach only their own."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context

    async def show_settings(self, reply: InteractionReply) -> None:
        """Show all settings with their controls. They are the same in every match."""
        await reply.send_page(await self._settings_page(reply.interaction.user.id))

    async def change_setting(self, reply: InteractionReply, name: str, value: str) -> None:
        """Change one setting. It applies at once, also to hands that are already shown."""
        await self.change_preferences(reply, **parse_choice(name, value))

    async def change_preferences(self, reply: InteractionReply, **chosen: Any) -> None:
        """Change these fields of the user's preferences, and show all settings."""
        user = reply.interaction.user.id
        await self._context.surfaces.change_preferences(user, lambda old: replace(old, **chosen))
        reply.is_saved = True
        self._context.matches.editor.on_due(0)  # it may now be earlier
        await reply.show_page(await self._settings_page(user))
        self.wake_hands(user, await self._context.matches.lookup.find(user=user))

    async def _settings_page(self, user: int) -> Page:
        preferences = await self._context.surfaces.preferences(user)
        facts = PersonFacts(preferences, await self._context.matches.rests.rest_until(user))
        return settings_page(preferences, self._context.surface_sync.features.setting_blocks(facts))

    def wake_hands(self, user: int, found: Sequence[MatchInfo]) -> None:
        """Redraw a player's matches, their own hands first."""
        for info in found:
            self._context.reconciler.wake(info.id, *(seat for seat, each in enumerate(info.seats) if each.user == user))


def parse_choice(name: str, value: str) -> dict[str, Any]:
    """Return the changed fields of a control's value. Raises RequestRefused if the setting or value is unknown."""
    if name == "call" and value in CALL_VALUES:
        return {name: CALL_VALUES[value]}
    if name in ("words", "worth") and value in SWITCH:
        return {name: SWITCH[value]}
    raise RequestRefused("I no longer have that setting. Use `/motley settings` to see the current ones.")


def settings_page(preferences: Preferences, of_features: Sequence[Block] = ()) -> Page:
    """Return the page of all settings with their controls, and with what features add."""
    lines = tuple(
        Line(CALL_LABELS[call], value, chosen=call == preferences.call) for value, call in CALL_VALUES.items()
    )
    return Page(
        (
            Text("## Your settings\n-# They apply in every match, and a change takes effect at once."),
            Text(
                "**When I ping you.** When a match is waiting for you, I send you your hand again so that you get a "
                "notification. If the clock is an hour or longer, I remind you again before your time runs "
                "out. The first "
                "turn of a match pings you at once. A server can turn all pings off."
            ),
            Row(Menu(custom_ids.player_setting_id("call"), "When I ping you", lines)),
            *of_features,
            Text(_words_text(preferences)),
            *press_rows((_switch_press("words", preferences.words, "Show hands in words", "Show hands as pictures"),)),
            Text(_worth_text(preferences)),
            *press_rows((_switch_press("worth", preferences.worth, "Show point values", "Hide point values"),)),
        )
    )


def _words_text(preferences: Preferences) -> str:
    now = "in words, next to their picture" if preferences.words else "as a picture, with few words"
    return f"**Your hands** are shown {now}."


def _worth_text(preferences: Preferences) -> str:
    now = "show" if preferences.worth else "do not show"
    return f"**Point values:** your hands {now} them in small print."


def _switch_press(name: str, is_on: bool, turn_on: str, turn_off: str) -> Press:
    """Return a button that is labelled with what it does."""
    return Press(turn_off if is_on else turn_on, custom_ids.player_setting_id(name, "off" if is_on else "on"))
