"""What breaks add to pages, and the command and the control that begin and end one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from discord import app_commands

from cogs.features.breaks.break_pages import (
    BACK,
    ask_page,
    break_page,
    hand_note,
    lobby_note,
    setting_blocks,
    table_note,
)
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import ApartControl, FeatureCog, FeatureUI, OldControl
from cogs.table.commands.game_commands import with_reply
from cogs.table.pages.custom_ids import feature_id, only_value
from cogs.table.pages.feature_pages import Facts, PersonFacts
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Block, Press
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.breaks import BREAK_SECONDS, end_break, take_break
from engines.store.match_store import LIVE

VALUE = r"[a-z0-9]{1,20}"


async def ask_length(actions: TableActions, reply: InteractionReply, rest: str, values: Sequence[str]) -> None:
    """Show the user how long a break can be, or until when they are on one."""
    await reply.send_page(ask_page(await actions.matches.rests.rest_until(reply.interaction.user.id)))


async def change_break(actions: TableActions, reply: InteractionReply, length: str, values: Sequence[str]) -> None:
    """Begin a break of this length, or of the chosen one if it is empty; BACK ends the one that the user is on."""
    matches, user, length, until = actions.matches, reply.interaction.user.id, length or only_value(values), 0
    if length == BACK:
        await end_break(matches.rests, user)
    else:
        until = await take_break(matches.rests, user, length)
    reply.is_saved = True
    matches.editor.on_due(0)  # it may now be earlier
    found = await matches.lookup.find(user=user)
    titles = [f"{matches.lookup.game_title(info.game)}, match `{info.id}`" for info in found]
    await reply.show_page(break_page(until, BREAK_SECONDS.get(length, 0), found, titles))
    actions.settings.wake_hands(user, found)


class BreakCommands(FeatureCog):
    """The part of `/motley` about breaks."""

    @app_commands.command(name="break", description="Pause your clocks and pings while you are away")
    @app_commands.describe(length="How long you are away; “back” ends your break")
    @app_commands.choices(length=[app_commands.Choice(name=each, value=each) for each in (*BREAK_SECONDS, BACK)])
    @with_reply
    async def take_break(self, reply: InteractionReply, length: str) -> None:
        """`break`: begin a break, which counts in every match, or end it."""
        await change_break(self.actions, reply, length, ())


class BreaksUI(FeatureUI):
    """Breaks: who is on one, and a control in the settings."""

    name = "breaks"
    old_controls = (OldControl(rf"y:break(?:=(?P<rest>{VALUE}))?", "choose"),)
    motley_commands = BreakCommands

    def table_lines(self, facts: Facts) -> Iterable[str]:
        """Return who is on a break."""
        return filter(None, (table_note(facts.snapshot.info),))

    def hand_notes(self, facts: Facts) -> Iterable[str]:
        """Return until when the reader is on a break."""
        info = facts.snapshot.info
        seat = info.seat_of(facts.reader) if info.status in LIVE else None
        return () if seat is None else filter(None, (hand_note(info, info.seats[seat]),))

    def lobby_seat_notes(self, facts: Facts) -> Iterable[tuple[int, str]]:
        """Return who is on a break."""
        return ((number, lobby_note(seat)) for number, seat in enumerate(facts.snapshot.info.seats))

    def setting_blocks(self, facts: PersonFacts) -> Iterable[Block]:
        """Return the control that begins or ends a break."""
        return setting_blocks(facts.rest_until)

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the button that leads to a break, for players of a match that is not over."""
        info = facts.snapshot.info
        if info.status in LIVE and info.seat_of(facts.reader) is not None:
            yield MenuEntry(MenuGroup.TABLE, 20, Press("Break", feature_id("breaks", "", "ask")))

    def controls(self, actions: TableActions) -> Sequence[ApartControl]:
        """Return the button in the menu, and the list of lengths, which is also the button that ends a break."""
        return (
            ApartControl("ask", partial(ask_length, actions)),
            ApartControl("choose", partial(change_break, actions), rest=rf"(?:{VALUE})?", edits=True),
        )
