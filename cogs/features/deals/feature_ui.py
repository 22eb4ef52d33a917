"""What players can do about the deal: cut, cut last, and check it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from discord import app_commands

from cogs.features.deals.deal_pages import (
    check_page,
    cut_form,
    cut_note,
    cut_text,
    joined_text,
)
from cogs.table.actions.rights import READERS, Access, Phase, Who, extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.feature_ui import FeatureCog, FeatureControl, FeatureUI, OldControl
from cogs.table.commands.game_commands import MATCH_DESCRIPTION, with_reply
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Press
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.state.person_shares import long_turn
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.deals.cutting import cut_deal, cut_last
from engines.hosting.match import RequestRefused
from engines.hosting.matches.records import UNFINISHED
from engines.store.match_store import ActionKind, Status

MOST_NAMED = 5  # matches that were given up
CUTTER = Access(Who.SEATED, Phase.LOBBY, not_you="Only players can cut. Press **Join** first.")


async def open_form(
    actions: TableActions, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]
) -> None:
    """Open the form in which a player cuts."""
    await reply.open_form(cut_form(visit.match))


async def save_cut(
    actions: TableActions, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]
) -> None:
    """Cut with the written digits."""
    info = await cut_deal(actions.matches.editor, visit.match, visit.user, values[0], click=reply.click_id)
    reply.is_saved = True
    seat = info.seat_of(visit.user)
    if seat is None:  # they have left since, and Discord delivered the click twice
        raise RequestRefused("You are not sitting at this table.")
    await reply.send_text(f"{cut_text(info, info.seats[seat])} **More** shows it.")


async def save_last_cut(
    actions: TableActions,
    reply: InteractionReply,
    visit: Visit,
    rest: str = "",
    values: Sequence[str] = (),
    *,
    wanted: bool,
) -> None:
    """Let the user cut after everybody else, or let nobody do so."""
    await cut_last(actions.matches.editor, visit.match, visit.user, wanted, click=reply.click_id)
    reply.is_saved = True
    text = "You cut last. The match can start once you have pressed **Cut** after everybody else has joined and cut."
    await actions.say_in_menu(reply, visit, text if wanted else "“Cut last” is cancelled.")


async def show_check(
    actions: TableActions, reply: InteractionReply, visit: Visit, rest: str = "", values: Sequence[str] = ()
) -> None:
    """Say what holds of the deal of a match, with its record as a file."""
    snapshot, matches = visit.snapshot, actions.matches
    guild = snapshot.info.place.guild
    async with long_turn():
        public = await matches.records.public_deal(snapshot.info)
        record = await matches.records.build_deal_record(snapshot, draw_in_thread)
        counts = await matches.lookup.count_matches(guild)
        given_up = await matches.lookup.newest_matches(guild, UNFINISHED, MOST_NAMED)
        messages = actions.surface_sync.deal_messages
        posted = [] if public is None else await messages.compare(snapshot, public)
    await reply.send_page(await draw_in_thread(check_page, snapshot, public, record, counts, given_up, posted))


class DealCommands(FeatureCog):
    """The part of `/motley` about the deal."""

    @app_commands.command(
        description="Cut the cards before a match starts: your digits change the deal", extras=extras_of(CUTTER)
    )
    @app_commands.describe(
        digits="One to eight digits; you can cut only once",
        last="Whether you want to cut after everybody else",
        match=MATCH_DESCRIPTION,
    )
    @app_commands.autocomplete(match=FeatureCog.complete_match)
    @with_reply
    async def cut(
        self, reply: InteractionReply, digits: str | None = None, last: bool | None = None, match: str | None = None
    ) -> None:
        """`cut`: cut with some digits, or choose to cut last."""
        visit = await self.finder.find_match(reply.interaction, match)
        if (digits is None) == (last is None):
            raise RequestRefused("Give either your digits, or whether you want to cut last.")
        if digits is not None:
            await save_cut(self.actions, reply, visit, "", (digits,))
        elif last is not None:
            await save_last_cut(self.actions, reply, visit, wanted=last)

    @app_commands.command(
        name="check-deal",
        description="Check that the deal of a match was honest, and get its record",
        extras=extras_of(READERS),
    )
    @app_commands.describe(match="The match's id; leave it out for your newest match")
    @app_commands.autocomplete(match=FeatureCog.complete_match)
    @with_reply
    async def check_deal(self, reply: InteractionReply, match: str | None = None) -> None:
        """`check-deal`: say what holds of the deal. It also works for matches that were given up."""
        visit = await self.finder.find_latest(reply.interaction, match)
        await show_check(self.actions, reply, visit)


class DealsUI(FeatureUI):
    """Deals: cutting before the start, and the check afterwards."""

    name = "deals"
    old_controls = (
        OldControl(r"k:(?P<match>[a-z0-9]{8})", "write"),
        *(OldControl(rf"k:(?P<match>[a-z0-9]{{8}}):{word}", word) for word in ("cut", "last", "free", "check")),
    )
    motley_commands = DealCommands
    action_texts: Mapping[ActionKind, str] = {"cut": "cut the deal", "cut last": "changed who cuts last"}

    def lobby_seat_notes(self, facts: Facts) -> Iterable[tuple[int, str]]:
        """Return who has cut, and who cuts last."""
        return ((number, cut_note(seat)) for number, seat in enumerate(facts.snapshot.info.seats))

    def joined_texts(self, facts: Facts) -> Iterable[str]:
        """Return the reader's cut, and that the deal is sealed."""
        return filter(None, (joined_text(facts.snapshot.info, facts.reader),))

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the entries about the deal: before the start the cut and who cuts last, afterwards the check."""
        info = facts.snapshot.info
        if not info.seal:
            return
        if info.status is not Status.LOBBY:
            yield MenuEntry(MenuGroup.LOOK, 70, Press("Check the deal", feature_id("deals", info.id, "check")))
            return
        last = next((seat.user for seat in info.seats if seat.last_cut), None)
        if info.seat_of(facts.reader) is not None:
            yield MenuEntry(MenuGroup.NOW, 10, Press("Cut", feature_id("deals", info.id, "cut")))
            if last is None:
                yield MenuEntry(MenuGroup.NOW, 20, Press("Cut last", feature_id("deals", info.id, "last")))
        if last is not None and facts.reader in (last, info.host):
            yield MenuEntry(MenuGroup.NOW, 20, Press("Cancel “cut last”", feature_id("deals", info.id, "free")))

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the buttons, and the form in which a player cuts."""
        return (
            FeatureControl("cut", partial(open_form, actions), CUTTER),
            FeatureControl("write", partial(save_cut, actions), CUTTER, is_form=True, changes_match=True),
            FeatureControl(
                "last", partial(save_last_cut, actions, wanted=True), CUTTER, edits=True, changes_match=True
            ),
            FeatureControl(
                "free", partial(save_last_cut, actions, wanted=False), CUTTER, edits=True, changes_match=True
            ),
            FeatureControl("check", partial(show_check, actions), READERS),
        )
