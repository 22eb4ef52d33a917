"""The list of one's matches, live ones first, and the records of those that are over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Block, Page, Paper, Press, Text, rows, table_press
from cogs.table.pages.page_drawing import drawn
from cogs.table.transport.interaction_response import Answer
from engines.hosting.match import BeingUpdated, Refused
from engines.store.match_store import Info, Status

if TYPE_CHECKING:
    from cogs.table.actions.table_actions import Desk

MOST = 8  # matches on one page: each takes several components


class Listing:
    """The desk's part for what somebody plays and has played. It is for their eyes alone."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._matches = desk.matches

    async def show(self, answer: Answer, page: int = 0) -> None:
        """One page of the asker's matches: those that go on, then those that are over, newest first each."""
        user = answer.interaction.user.id
        live = await self._matches.find(user=user)
        over = await self._matches.find(statuses=frozenset({Status.OVER}), user=user)
        found = [*live, *over]
        if not found:
            first = next(iter(self._matches.games))
            raise Refused(
                f"You sit at no table, and have finished no match. Start one in a server's channel: `/{first} new`."
            )
        last = (len(found) - 1) // MOST
        now = min(max(page, 0), last)
        blocks: list[Block] = [Text(f"## Your matches\n{_counted(live, over)}")]
        for info in found[now * MOST : (now + 1) * MOST]:
            blocks += await self._entry(info)
        if last:
            presses = (
                Press("Back", custom_ids.listing(max(now - 1, 0)), idle=now == 0),
                Press("Next", custom_ids.listing(now + 1), idle=now == last),
            )
            blocks += (Text(f"-# Page {now + 1} of {last + 1}"), *rows(presses))
        shown = Page(tuple(blocks))
        await (answer.update(shown) if answer.own else answer.page(shown))

    async def record(self, answer: Answer, match: str) -> None:
        """The readable record of a match that is over, for those who have played it, and on its own server."""
        look = await self._matches.look(match)
        asker, info = answer.interaction, look.info
        if info.seat_of(asker.user.id) is None and info.place.guild != asker.guild_id:
            raise Refused("There is no such match here.")
        record = await self._matches.record(match)
        if not record:
            raise Refused("This match has no record: it was begun under older rules, which changed on the way.")
        ended = await drawn(match_pages.standing_now, look, self._desk.screens[info.game])
        said = f"The record of {look.game.title}, match `{match}`. {ended}"
        await answer.page(Page((Text(said), Paper(f"{info.game}-{match}.txt", record))))

    async def _entry(self, info: Info) -> tuple[Block, ...]:
        """A match in the list, with what there is to press; one that cannot be looked at just now says why."""
        try:
            look = await self._matches.look(info.id)
            setting = await self._desk.showing.setting(look)
        except BeingUpdated as why:
            return (Text(f"**{self._matches.title(info.game)}** · {why}"),)
        if look.info.status is Status.OVER:
            press = table_press(info.id, "Record", "record")
        else:
            press = table_press(info.id, "Show my hand", "hand", "primary")
        return (*await drawn(match_pages.entry, look, setting), *rows((press,)))


def _counted(live: list[Info], over: list[Info]) -> str:
    """How many there are of both kinds."""
    said = (f"{len(live)} going on" if live else "", f"{len(over)} over" if over else "")
    return f"-# {' · '.join(part for part in said if part)}"
