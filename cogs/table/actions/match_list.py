"""Shows the list of a user's matches, live ones first, and the records of finished matches."""

from __future__ import annotations

from cogs.table.actions.context import ActionContext
from cogs.table.actions.visit import Visit
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.feature_pages import FeaturePages
from cogs.table.pages.page import Block, Page, Paper, Press, Text, press_rows, table_press
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.state.person_shares import long_turn
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import NewerMatch, RequestRefused
from engines.store.match_store import MatchInfo, Status

MATCHES_PER_PAGE = 8  # matches on one page: each takes several components


class MatchList:
    """Requests for a user's matches and records. All replies are private."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context

    async def show_matches(self, reply: InteractionReply, page: int = 0) -> None:
        """Show one page of the user's matches: first the live ones, then the finished ones, each newest first."""
        async with long_turn():
            list_page = await self._list_page(reply.interaction.user.id, page)
        await reply.show_page(list_page)

    async def _list_page(self, user: int, page: int) -> Page:
        """Return one page of a person's matches. Raises RequestRefused if there are none."""
        live = await self._context.matches.lookup.find(user=user)
        finished = await self._context.matches.lookup.find(statuses=frozenset({Status.OVER}), user=user)
        found = [*live, *finished]
        if not found:
            first = next(iter(self._context.matches.games))
            raise RequestRefused(
                "You are not in a match, and you have not finished one yet. "
                f"Start one in a server channel: `/{first} new`."
            )
        last = (len(found) - 1) // MATCHES_PER_PAGE
        now = min(max(page, 0), last)
        blocks: list[Block] = [Text(f"## Your matches\n{_count_line(live, finished)}")]
        for info in found[now * MATCHES_PER_PAGE : (now + 1) * MATCHES_PER_PAGE]:
            blocks += await self._match_entry(info, user)
        if last:
            presses = (
                Press("Back", custom_ids.list_page_id(max(now - 1, 0)), idle=now == 0),
                Press("Next", custom_ids.list_page_id(now + 1), idle=now == last),
            )
            blocks += (Text(f"-# Page {now + 1} of {last + 1}"), *press_rows(presses))
        return Page(tuple(blocks))

    async def show_record(self, reply: InteractionReply, visit: Visit) -> None:
        """Send the record of a finished match."""
        match, snapshot, info = visit.match, visit.snapshot, visit.info
        async with long_turn():
            record = await self._context.matches.records.build_record(match, draw_in_thread)
        if not record:
            raise RequestRefused("This match has no record, because the rules changed while it was being played.")
        ended = await draw_in_thread(match_pages.standing_text, snapshot, self._context.screens[info.game])
        text = f"The record of {snapshot.game.title}, match `{match}`. {ended}"
        await reply.send_page(Page((Text(text), Paper(f"{info.game}-{match}.txt", record))))

    async def _match_entry(self, info: MatchInfo, user: int) -> tuple[Block, ...]:
        """Return a match's list entry for this user, with its buttons.

        If the match cannot be loaded, the entry gives the reason.
        """
        try:
            snapshot = await self._context.matches.cache.get_snapshot(info.id)
            page_context = await self._context.surface_sync.page_context_of(snapshot)
        except NewerMatch as why:
            return (Text(f"**{self._context.matches.lookup.game_title(info.game)}** · {why}"),)
        if snapshot.info.status is Status.OVER:
            presses = [table_press(info.id, "Record", "record")]
        else:
            presses = [table_press(info.id, "Show my hand", "hand", "primary")]
        own = await self._context.surface_sync.features.additions(snapshot, user)
        presses = [*own.at(FeaturePages.list_presses, snapshot, page_context.screen), *presses]
        entry = await draw_in_thread(match_pages.list_entry, snapshot, page_context, user, own)
        return (*entry, *press_rows(presses))


def _count_line(live: list[MatchInfo], finished: list[MatchInfo]) -> str:
    parts = (f"{len(live)} running" if live else "", f"{len(finished)} finished" if finished else "")
    return f"-# {' · '.join(part for part in parts if part)}"
