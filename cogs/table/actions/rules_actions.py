"""Handles requests for rules: opening them, turning pages, and finding the rule for a decision."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.table.actions.context import ActionContext
from cogs.table.actions.visit import Visit
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.pages.rules_pages import RulesPages
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.transport.interaction_response import InteractionReply
from engines.kit.contract import AnyGame


class RulesActions:
    """Requests for rules. The reply is one private message, in which the user turns the parts."""

    def __init__(self, context: ActionContext, rules: Mapping[str, RulesPages]) -> None:
        self._context = context
        self._rules = rules

    async def open_rules(self, reply: InteractionReply, game: AnyGame, typed: str | None = None) -> None:
        """Show the first part of a game's rules, or the part that the typed text names."""
        number = self._rules[game.key].find_page(typed) if typed else 0
        await reply.send_page(await self._render_page(reply, game, number))

    async def show_rules(self, reply: InteractionReply, visit: Visit) -> None:
        """Show the first part of the rules of a match's game."""
        await self.open_rules(reply, visit.snapshot.game)

    async def turn_page(self, reply: InteractionReply, game: AnyGame, part: int) -> None:
        """Replace the shown part with another one."""
        page = await self._render_page(reply, game, part)
        await reply.show_page(page)

    async def show_rule(self, reply: InteractionReply, game: AnyGame, rule: str) -> None:
        """Show the part with a rule that forbids a move, in a new message, so that the hand stays."""
        await reply.send_page(await self._page_for_rule(reply, game, rule))

    async def show_current_rule(self, reply: InteractionReply, visit: Visit) -> None:
        """Show the part for the user's current decision, or the first part if there is none."""
        snapshot, seat = visit.snapshot, visit.seat
        rule = (
            ""
            if seat is None
            else await draw_in_thread(
                match_pages.current_rule, snapshot, seat, self._context.screens[snapshot.info.game]
            )
        )
        await reply.send_page(await self._page_for_rule(reply, snapshot.game, rule))

    async def _page_for_rule(self, reply: InteractionReply, game: AnyGame, rule: str) -> Page:
        """Return the part with a rule, or the first part if there is none."""
        return await self._render_page(reply, game, self._rules[game.key].pages_by_rule.get(rule, 0))

    async def _render_page(self, reply: InteractionReply, game: AnyGame, number: int) -> Page:
        presses = await self._context.surface_sync.features.game_presses(game.key, reply.interaction.user.id)
        return await draw_in_thread(self._rules[game.key].render_page, number, presses)

    def part_titles(self, game: AnyGame) -> list[str]:
        """Return the titles of the parts of a game's rules."""
        return [title for title, _ in self._rules[game.key].parts]
