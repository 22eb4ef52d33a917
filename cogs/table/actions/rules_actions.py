"""The desk's part for rules: a page of them is opened, turned, or found from where somebody stands in a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cogs.table.pages import match_pages
from cogs.table.pages.page import Page
from cogs.table.pages.page_drawing import drawn
from cogs.table.pages.rules_pages import Rules
from cogs.table.transport.interaction_response import Answer
from engines.kit.contract import AnyGame

if TYPE_CHECKING:
    from cogs.table.actions.table_actions import Desk


class Rulebook:
    """Whatever is asked for is shown to the asker alone, in one message whose parts are turned."""

    def __init__(self, desk: Desk, rules: Mapping[str, Rules]) -> None:
        self._desk = desk
        self._rules = rules

    async def open(self, answer: Answer, game: AnyGame, typed: str | None = None) -> None:
        """The first part of a game's rules, or the one that was asked for in words."""
        rules = self._rules[game.key]
        await self._tell(answer, game, await drawn(rules.page, rules.meant(typed) if typed else 0))

    async def turn(self, answer: Answer, game: AnyGame, part: int) -> None:
        """Another part, in place of the one that is shown."""
        page = await drawn(self._rules[game.key].page, part)
        await (answer.update(page) if answer.own else answer.page(page))

    async def rule(self, answer: Answer, game: AnyGame, rule: str) -> None:
        """The part that says a rule that forbids a move; the hand that cites it stays as it is."""
        await answer.page(await self._page(game, rule))

    async def here(self, answer: Answer, match: str) -> None:
        """The part that belongs to what the asker has to decide now; for whoever has nothing to decide, the first."""
        look = await self._desk.matches.look(match)
        seat = look.info.seat_of(answer.interaction.user.id)
        rule = "" if seat is None else await drawn(match_pages.rule, look, seat, self._desk.screens[look.info.game])
        await self._tell(answer, look.game, await self._page(look.game, rule))

    async def minute(self, answer: Answer, match: str) -> None:
        """The first part, for somebody to whom a hand has offered it: from now on it does so no more."""
        await self.open(answer, (await self._desk.matches.look(match)).game)

    async def _page(self, game: AnyGame, rule: str) -> Page:
        """The part that says that rule; the first where none does."""
        rules = self._rules[game.key]
        return await drawn(rules.page, rules.places.get(rule, 0))

    async def _tell(self, answer: Answer, game: AnyGame, page: Page) -> None:
        """Show a part; the game's rules are no news to the asker any more."""
        await answer.page(page)
        for match in await self._desk.showing.readers.meet(answer.interaction.user.id, game.key):
            self._desk.keeper.wake(match)

    def titles(self, game: AnyGame) -> list[str]:
        """What the parts of a game's rules are called."""
        return [title for title, _ in self._rules[game.key].parts]
