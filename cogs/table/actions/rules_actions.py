"""The desk's part for rules: a page of them is opened, turned, or found from where somebody stands in a match."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.table.actions.context import ActionContext
from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.pages.rules_pages import RulesPages
from cogs.table.transport.interaction_response import InteractionReply
from engines.kit.contract import AnyGame


class RulesActions:
    """Whatever is asked for is shown to the asker alone, in one message whose parts are turned."""

    def __init__(self, context: ActionContext, rules: Mapping[str, RulesPages]) -> None:
        self._context = context
        self._rules = rules

    async def open_rules(self, reply: InteractionReply, game: AnyGame, typed: str | None = None) -> None:
        """The first part of a game's rules, or the one that was asked for in words."""
        rules = self._rules[game.key]
        await self._show_page(
            reply, game, await draw_in_thread(rules.render_page, rules.find_page(typed) if typed else 0)
        )

    async def turn_page(self, reply: InteractionReply, game: AnyGame, part: int) -> None:
        """Another part, in place of the one that is shown."""
        page = await draw_in_thread(self._rules[game.key].render_page, part)
        await (reply.update_message(page) if reply.clicked_ephemeral else reply.send_page(page))

    async def show_rule(self, reply: InteractionReply, game: AnyGame, rule: str) -> None:
        """The part that says a rule that forbids a move; the hand that cites it stays as it is."""
        await reply.send_page(await self._page_for_rule(game, rule))

    async def show_current_rule(self, reply: InteractionReply, match: str) -> None:
        """The part that belongs to what the asker has to decide now; for whoever has nothing to decide, the first."""
        snapshot = await self._context.matches.get_snapshot(match)
        seat = snapshot.info.seat_of(reply.interaction.user.id)
        rule = (
            ""
            if seat is None
            else await draw_in_thread(
                match_pages.current_rule, snapshot, seat, self._context.screens[snapshot.info.game]
            )
        )
        await self._show_page(reply, snapshot.game, await self._page_for_rule(snapshot.game, rule))

    async def show_offered_rules(self, reply: InteractionReply, match: str) -> None:
        """The first part, for somebody to whom a hand has offered it: from now on it does so no more."""
        await self.open_rules(reply, (await self._context.matches.get_snapshot(match)).game)

    async def _page_for_rule(self, game: AnyGame, rule: str) -> Page:
        """The part that says that rule; the first where none does."""
        rules = self._rules[game.key]
        return await draw_in_thread(rules.render_page, rules.pages_by_rule.get(rule, 0))

    async def _show_page(self, reply: InteractionReply, game: AnyGame, page: Page) -> None:
        """Show a part; the game's rules are no news to the asker any more."""
        await reply.send_page(page)
        for match in await self._context.showing.readers.note_game_met(reply.interaction.user.id, game.key):
            self._context.keeper.wake(match)

    def part_titles(self, game: AnyGame) -> list[str]:
        """What the parts of a game's rules are called."""
        return [title for title, _ in self._rules[game.key].parts]
