"""What people like, everywhere: when they are called, and how their hands look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cogs.table.pages import custom_ids
from cogs.table.pages.page import Line, Menu, Page, Press, Row, Text, rows
from cogs.table.transport.interaction_response import Answer
from engines.hosting.match import Refused
from engines.store.surface_storage import Preferences

if TYPE_CHECKING:
    from cogs.table.actions.table_actions import Desk

CALLS: Mapping[str, int | None] = {"0": 0, "60": 60, "300": 300, "never": None}
CALLS_SAID: Mapping[int | None, str] = {
    0: "At once",
    60: "After one minute",
    300: "After five minutes",
    None: "Never",
}
SWITCH = {"on": True, "off": False}


class Settings:
    """The desk's part for what people like. It is asked for and changed by each for themselves alone."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._matches = desk.matches
        self._keeper = desk.keeper

    async def show(self, answer: Answer, match: str = "") -> None:
        """All settings, with their controls; they are the same in every match."""
        await answer.page(page(await self._keeper.preferences(answer.interaction.user.id)))

    async def choose(self, answer: Answer, name: str, value: str) -> None:
        """Change one of them; it counts at once, also for the hands that are shown."""
        user = answer.interaction.user.id
        chosen = choice(name, value)
        await self._keeper.prefer(user, lambda old: replace(old, **chosen))
        answer.saved = True
        self._desk.due_changed()
        shown = page(await self._keeper.preferences(user))
        await (answer.update(shown) if answer.own else answer.page(shown))
        for info in await self._matches.find(user=user):
            self._keeper.wake(info.id, *(seat for seat, each in enumerate(info.seats) if each.user == user))


def choice(name: str, value: str) -> dict[str, Any]:
    """What such a control changes. Raises Refused."""
    if name == "call" and value in CALLS:
        return {name: CALLS[value]}
    if name in ("words", "worth") and value in SWITCH:
        return {name: SWITCH[value]}
    raise Refused("I do not know that setting any more. Use /motley settings for those there are.")


def page(preferences: Preferences) -> Page:
    """All settings as they are, with what changes them."""
    lines = tuple(Line(CALLS_SAID[call], value, chosen=call == preferences.call) for value, call in CALLS.items())
    return Page(
        (
            Text("## Your settings\n-# They hold in every match, and a change counts at once."),
            Text(
                "**When I call you.** When a match waits for you and you do not act, I send you your hand once more, "
                "so that your device tells you; and again before your time runs out, where that is an hour or more. "
                "The first turn of a match calls at once. A server may have nobody called, whatever you choose."
            ),
            Row(Menu(custom_ids.setting("call"), "When I call you", lines)),
            Text(_words(preferences)),
            *rows((_switch("words", preferences.words, "Show hands in words", "Show hands as pictures"),)),
            Text(_worth(preferences)),
            *rows(
                (_switch("worth", preferences.worth, "Say what things are worth", "Leave out what things are worth"),)
            ),
        )
    )


def _words(preferences: Preferences) -> str:
    now = "in words, beside their picture" if preferences.words else "by their picture, with few words"
    return f"**Your hands** are shown {now}."


def _worth(preferences: Preferences) -> str:
    now = "say" if preferences.worth else "do not say"
    return f"**What things are worth:** your hands {now} it in a small line."


def _switch(name: str, on: bool, turn_on: str, turn_off: str) -> Press:
    """A button that says what it does."""
    return Press(turn_off if on else turn_on, custom_ids.setting(name, "off" if on else "on"))
