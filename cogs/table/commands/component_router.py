"""Every click on every message of a match comes in here, and is routed by its custom_id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import discord
from discord.ext import commands

from cogs.table.actions.table_actions import Desk
from cogs.table.pages import custom_ids, menu_pages, refusal_messages
from cogs.table.pages.custom_ids import Control
from cogs.table.transport.deduplication import Once
from cogs.table.transport.interaction_response import Answer, answering
from cogs.table.transport.log_context import about
from engines.hosting.match import Refused
from engines.kit.contract import AnyGame, IllegalMove
from engines.store.match_store import LIVE
from players import LEVELS

IN_MENUS = frozenset({"hint", "leave", "leave-on", "leave-ask", "seat", "stop", "stop-ask", "cancel"}) | {
    *("cancel-ask", "keep", "host"),
}
EDITING = IN_MENUS | {
    *("join", "start", "back", "return", "here", "no-computer"),
    *(f"computer-{level}" for level in LEVELS),
}
CHANGES = frozenset({"join", "leave", "leave-on", "start", "no-computer", "cancel", "seat", "stop", "host"}) | {
    f"computer-{level}" for level in LEVELS
}
"""What changes a match, or is refused, and shows nothing but what has become of it."""
NO_WAY_BACK = "This seat is not to be had any more: somebody else sits there, or the match is over."
Admin = Callable[[Answer, Control], Awaitable[None]]


class Controls(commands.Cog):
    """The one handler of clicks. A custom_id is routing; who may do what is decided by who clicked."""

    def __init__(self, desk: Desk, once: Once) -> None:
        self._desk = desk
        self._once = once
        self.admin: Admin | None = None  # answers an admin's confirmations
        self._table: Mapping[str, Callable[[Answer, str], Awaitable[None]]] = {
            "join": desk.join,
            "leave": desk.leave,
            "leave-on": desk.leave_to_computer,
            "leave-ask": desk.ask_leave,
            "start": desk.lobbies.start,
            "options": desk.lobbies.options,
            "computers": desk.lobbies.computers,
            "no-computer": desk.lobbies.remove_computer,
            **{f"computer-{level}": partial(desk.lobbies.add_computers, level=level) for level in LEVELS},
            "cancel-ask": desk.ask_cancel,
            "cancel": desk.cancel,
            "keep": desk.keep,
            "hand": desk.hands.show,
            "here": desk.here,
            "back": desk.hands.back,
            "return": desk.hands.again,
            "sheet": desk.sheet,
            "record": desk.listing.record,
            "words": desk.words,
            "hint": desk.hints.hint,
            "review": desk.hints.review,
            "rule": desk.rulebook.here,
            "minute": desk.rulebook.minute,
            "status": desk.status,
            "more": desk.more,
            "seat": desk.take_seat,
            "stop": desk.stop,
            "stop-ask": desk.ask_stop,
            "again": desk.lobbies.again,
            "settings": desk.settings.show,
        }

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """A click, or the submission of a modal; commands are discord.py's to route."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        if not self._once.first(interaction.id):
            return
        data: Mapping[str, object] = interaction.data or {}
        control = custom_ids.read(str(data.get("custom_id", "")))
        if control is not None:
            about(control.match, control.decision)
        async with answering(interaction, self._desk.studio, edits=control is not None and _edits(control)) as answer:
            if control is None:
                raise Refused("This control is of an older version of me. Use /motley matches to go on.")
            if control.match and control.rest != "here":
                await self._desk.back_if_away(interaction.user.id, control.match)
            await self._judged(answer, control, _values(data))
            if control.match and not answer.saved and not answer.noted:
                await self._desk.active(interaction.user.id, control.match)
        if answer.given:
            self._desk.keeper.outage.reached()

    async def _judged(self, answer: Answer, control: Control, values: list[str]) -> None:
        """Do what is asked. Nothing is shown or refused that is not as the store has it, whoever has changed that.

        A change is made without asking: its commit tells.
        """
        moved_on = self._desk.matches.moved_on
        if control.match and not _changes(control, values):
            await moved_on(control.match)
        try:
            await self._route(answer, control, values)
        except (Refused, IllegalMove):
            if answer.saved or not control.match:
                raise
            if await moved_on(control.match):
                await self._route(answer, control, values)
            elif await self._no_way_back(answer, control):
                await answer.update(menu_pages.past(NO_WAY_BACK))
            else:
                raise

    async def _no_way_back(self, answer: Answer, control: Control) -> bool:
        """Whether a farewell offers the way back to a match in which there is none for its reader any more."""
        user, message = answer.interaction.user.id, answer.interaction.message
        if (control.kind, control.rest, answer.in_private) != ("t", "seat", True) or message is None:
            return False
        for info in await self._desk.matches.find(user=user):
            hand = await self._desk.keeper.surface(info.id, "hand", info.seat_of(user) or 0)
            if info.id == control.match or (hand and hand.message == message.id):
                return False  # they sit there; or it is a hand of theirs, which offers no such thing
        try:
            info = (await self._desk.matches.look(control.match)).info
        except Refused:
            return True
        left = any(seat.user == user and seat.gone for seat in info.seats)
        return info.status not in LIVE or not left

    async def _route(self, answer: Answer, control: Control, values: list[str]) -> None:
        if control.match:
            await self._desk.admit(answer.interaction, control.match)
        match control.kind:
            case "m":
                await self._desk.hands.move(answer, control.match, control.decision, control.rest)
            case "c":
                await self._desk.hands.ask(answer, control.match, control.decision, control.rest)
            case "s":
                await self._desk.hands.move(answer, control.match, control.decision, _one(values))
            case "p":
                await self._desk.hands.pick(answer, control.match, control.decision, control.rest, values)
            case "o":
                await self._desk.hands.order(answer, control.match, control.decision, control.rest)
            case "f" if notation := custom_ids.made(_one(values)):
                await self._desk.hands.move(answer, control.match, control.decision, notation)
            case "f" | "n" | "g":
                path = _one(values) if control.kind == "f" else control.rest
                await self._desk.hands.step(answer, control.match, control.decision, path)
            case "r":
                key, _, turned = control.rest.partition(":")
                part = turned or _one(values)
                await self._desk.rulebook.turn(answer, self._game(key), int(part) if part.isdecimal() else 0)
            case "u":
                game, _, rule = control.rest.partition(":")
                await self._desk.rulebook.rule(answer, self._game(game), rule)
            case "v":
                option, _, value = control.rest.partition("=")
                await self._desk.lobbies.choose(answer, control.match, option, value or _one(values))
            case "b":
                await self._desk.lobbies.start(answer, control.match, control.rest)
            case "l":
                await self._desk.listing.show(answer, int(control.rest))
            case "a":
                if self.admin is not None:
                    await self.admin(answer, control)
            case "y":
                name, _, value = control.rest.partition("=")
                await self._desk.settings.choose(answer, name, value or _one(values))
            case "h":
                name, _, value = control.rest.partition("=")
                await self._desk.servers.choose(answer, name, [value] if value else values)
            case "q":
                what, _, number = control.rest.partition(":")
                await self._desk.privacy.press(answer, what, int(number or 0))
            case "t":
                await self._at_table(answer, control, values)

    async def _at_table(self, answer: Answer, control: Control, values: list[str]) -> None:
        if control.rest == "rules":
            look = await self._desk.matches.look(control.match)
            await self._desk.rulebook.open(answer, look.game)
        elif control.rest in IN_MENUS:
            await self._in_menu(answer, control, values)
        elif action := self._table.get(control.rest):
            await action(answer, control.match)
        else:
            raise Refused("This control is of another version of me. Use /motley matches to go on.")

    async def _in_menu(self, answer: Answer, control: Control, values: list[str]) -> None:
        """What a menu offers; where that is past, the menu says so and offers what there is now."""
        try:
            if control.rest == "host":
                user = _one(values)
                await self._desk.hand_over(answer, control.match, int(user) if user.isdecimal() else 0)
            else:
                await self._table[control.rest](answer, control.match)
        except Refused as why:
            message = answer.interaction.message
            if message is None or not message.flags.ephemeral:
                raise
            await self._desk.go_on(answer, control.match, refusal_messages.sentence(why))

    def _game(self, key: str) -> AnyGame:
        game = self._desk.matches.games.get(key)
        if game is None:
            raise Refused("I do not know that game any more.")
        return game


def _changes(control: Control, values: list[str]) -> bool:
    """Whether it asks for a change of the match, a move most of all."""
    if control.kind == "f":
        return len(values) == 1 and bool(custom_ids.made(values[0]))
    return control.kind in "msbv" or (control.kind == "t" and control.rest in CHANGES)


def _edits(control: Control) -> bool:
    """Whether the answer changes the message that was clicked."""
    return control.kind in "mcspofngrvblhyq" or (control.kind == "t" and control.rest in EDITING)


def _values(data: Mapping[str, object]) -> list[str]:
    values = data.get("values")
    return [str(value) for value in values] if isinstance(values, list) else []


def _one(values: list[str]) -> str:
    if len(values) != 1:
        raise Refused("Pick one line of the list.")
    return values[0]
