"""Routes every click on a button, list or modal by its custom id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

import discord
from discord.ext import commands

from cogs.table.actions.door import managed_server
from cogs.table.actions.first_steps import FirstSteps
from cogs.table.actions.rights import READERS, Who
from cogs.table.actions.server_settings_actions import OUTSIDE_TEXT
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.core_controls import MANAGER, RESETTER, CoreControl, core_controls, find_core
from cogs.table.commands.feature_ui import ApartControl, FeatureControls, FeatureUI, OwnControl
from cogs.table.pages import custom_ids, menu_pages, refusal_messages
from cogs.table.transport.interaction_response import InteractionReply, reply_boundary
from cogs.table.transport.log_context import set_log_context
from engines.hosting.match import RequestRefused
from engines.kit.errors import IllegalMove
from engines.store.match_store import LIVE, StoreFailure

NO_WAY_BACK = "You cannot take this seat any more: somebody else has it, or the match is over."
OTHER_VERSION = "This button is out of date. Use `/motley matches` to continue."
AnyControl = CoreControl | OwnControl
AdminHandler = Callable[[InteractionReply, custom_ids.Control], Awaitable[None]]


class ComponentRouter(commands.Cog):
    """Handles all clicks. A custom id only routes; permissions depend on the user who clicked."""

    def __init__(
        self,
        actions: TableActions,
        first_steps: FirstSteps,
        features: Sequence[FeatureUI],
        admin_handler: AdminHandler,
    ) -> None:
        self._actions = actions
        self._deduplicator = actions.context.deduplicator
        self._features = FeatureControls(features, actions)
        self._door = actions.context.door
        self.core = core_controls(actions, first_steps)
        for word, access in (("a", MANAGER), ("a:reset", RESETTER)):
            self.core[word] = CoreControl(lambda reply, visit, control, values: admin_handler(reply, control), access)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle a click or a submitted modal. discord.py routes commands itself."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        if not self._deduplicator.is_first(interaction.id, interaction.user.id):
            return
        data: Mapping[str, object] = interaction.data or {}
        control = self.parse(str(data.get("custom_id", "")))
        if control is not None:
            set_log_context(control.match, control.decision)
        found = OTHER_VERSION_CONTROL if control is None else self._find(control, _selected_values(data))
        async with reply_boundary(
            interaction,
            self._actions.studio,
            self._actions.clock,
            self._actions.shares,
            edits=control is not None
            and interaction.message is not None
            and not found.is_public
            and self._edits_message(control, found),
            public=found.is_public,
        ) as reply:
            self._actions.shares.require_room(interaction.user.id)
            self._actions.context.block_list.require_allowed(
                interaction.user.id, interaction.guild_id, is_own_data=found.access.who is Who.ABOUT_SELF
            )
            await self._actions.context.note_private_use(interaction)
            if control is None:
                raise RequestRefused("This button is out of date. Use `/motley matches` to continue.")
            values = [_written_text(data)] if found.is_form else _selected_values(data)
            if control.exercise:
                await self._handle_exercise(reply, control, values)
            elif not control.match:
                if found.access.who is Who.MANAGER:
                    managed_server(interaction, OUTSIDE_TEXT)
                await self._answer(reply, found, None, control, values)
            elif found.about_finished:
                visit = await self._door.visit_finished(interaction, control.match)
                found.access.require(visit)
                visit = await self._admit_poster(interaction, found, visit)
                await self._answer(reply, found, visit, control, values)
            else:
                await self._handle_match_control(reply, found, control, values)
        if reply.has_responded:
            self._actions.reconciler.connectivity.note_contact()

    def parse(self, custom_id: str) -> custom_ids.Control | None:
        """Parse a custom id, also of an older version; None if it is none."""
        return self._features.parse_old(custom_id) or custom_ids.parse_control(custom_id)

    async def _handle_exercise(self, reply: InteractionReply, control: custom_ids.Control, values: list[str]) -> None:
        """Handle a control outside a match."""
        exercises = self._features.find_exercises(control)
        if exercises is None:
            raise RequestRefused(OTHER_VERSION)
        await exercises.answer(reply, control, values)

    async def _handle_match_control(
        self, reply: InteractionReply, found: AnyControl, control: custom_ids.Control, values: list[str]
    ) -> None:
        """Handle a control. What it shows or refuses is based on the store's newest state, also after foreign changes.

        Requests that change the match skip the check for newer state, because their commit detects a conflict.
        """
        moved_on = self._actions.matches.cache.drop_if_outdated
        if not found.changes_match:
            await moved_on(control.match)
        try:
            await self._route(reply, found, control, values)
        except (RequestRefused, IllegalMove):
            if reply.is_saved:
                raise
            if await moved_on(control.match):
                await self._route(reply, found, control, values)
            elif await self._has_no_way_back(reply, control):
                await reply.update_message(menu_pages.closed_page(NO_WAY_BACK))
            else:
                raise

    async def _has_no_way_back(self, reply: InteractionReply, control: custom_ids.Control) -> bool:
        """Return whether the clicked farewell offers a way back into a match that its reader can no longer rejoin."""
        user, message = reply.interaction.user.id, reply.interaction.message
        if (control.kind, control.rest, reply.clicked_in_dm) != ("t", "seat", True) or message is None:
            return False
        for info in await self._actions.matches.lookup.find(user=user):
            hand = await self._actions.context.surfaces.find_surface(info.id, "hand", info.seat_of(user) or 0)
            if info.id == control.match or (hand and hand.message == message.id):
                return False  # the user has a seat there, or clicked a hand, which offers no way back
        try:
            info = (await self._actions.matches.cache.get_snapshot(control.match)).info
        except RequestRefused:
            return True
        left = any(seat.user == user and seat.gone for seat in info.seats)
        return info.status not in LIVE or not left

    async def _route(
        self, reply: InteractionReply, found: AnyControl, control: custom_ids.Control, values: list[str]
    ) -> None:
        """Let somebody in, answer a control, and note that they are there. A refusal may be shown in the menu."""
        visit = await self._door.visit(reply.interaction, control.match)
        if control.rest != "here":
            visit = await self._actions.return_if_away(visit)
        try:
            await self._door.admit(visit, found.access, reply.click_id)
            visit = await self._admit_poster(reply.interaction, found, visit)
            await self._answer(reply, found, visit, control, values)
        except RequestRefused as why:
            if not found.is_in_menu or not reply.clicked_ephemeral:
                raise
            if found.changes_match and await self._actions.matches.cache.drop_if_outdated(control.match):
                raise
            visit = await self._door.renew(visit)
            await self._actions.context.note_activity(visit)
            await self._actions.show_menu(reply, visit, refusal_messages.refusal_text(why))
            return
        if visit.seat in visit.snapshot.due_seats() and not (reply.is_saved or reply.noted):
            with suppress(RequestRefused, StoreFailure):
                await self._actions.context.note_activity(await self._door.renew(visit))

    async def _admit_poster(self, asker: discord.Interaction, found: AnyControl, visit: Visit) -> Visit:
        """Let somebody in who posts where the match was played, if the control does that here."""
        is_here = found.is_public and asker.guild_id is not None
        return await self._door.admit_poster(asker, visit) if found.posts and not is_here else visit

    async def _answer(
        self,
        reply: InteractionReply,
        found: AnyControl,
        visit: Visit | None,
        control: custom_ids.Control,
        values: list[str],
    ) -> None:
        if isinstance(found, CoreControl):
            await found.answer(reply, visit, control, values)
            return
        rest = control.rest.partition(":")[2]
        if isinstance(found, ApartControl):
            await found.answer(reply, rest, values)
            return
        assert visit is not None, "all other controls of features name a match"
        await found.answer(reply, visit, rest, values)

    def _find(self, control: custom_ids.Control, values: list[str]) -> AnyControl:
        """Return what answers a control; if it is of another version, that is said."""
        return self._features.find(control) or find_core(self.core, control, values) or OTHER_VERSION_CONTROL

    def _edits_message(self, control: custom_ids.Control, found: AnyControl) -> bool:
        exercises = self._features.find_exercises(control)
        return found.edits if exercises is None else control.rest not in exercises.opens


async def _refuse_control(
    reply: InteractionReply, visit: Visit | None, control: custom_ids.Control, values: Sequence[str]
) -> None:
    raise RequestRefused(OTHER_VERSION)


OTHER_VERSION_CONTROL = CoreControl(_refuse_control, READERS)


def _selected_values(data: Mapping[str, object]) -> list[str]:
    values = data.get("values")
    return [str(value) for value in values] if isinstance(values, list) else []


def _written_text(data: Mapping[str, object]) -> str:
    """Return the text of a submitted form. Raises RequestRefused if it has none, because a form can be forged."""
    parts = data.get("components")
    for part in parts if isinstance(parts, list) else []:
        field = part.get("component") if isinstance(part, dict) else None
        if isinstance(field, dict) and field.get("custom_id") == custom_ids.FORM_FIELD:
            return str(field.get("value") or "")
    raise RequestRefused("This form is out of date. Open the current one again.")
