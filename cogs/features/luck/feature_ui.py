"""The command about luck. Matches are counted in a thread, and each of them once."""

from __future__ import annotations

from collections import OrderedDict
from typing import ClassVar

from discord import app_commands

from cogs.features.luck.luck_chart import LuckChart, lay_luck_chart
from cogs.features.luck.luck_pages import luck_page
from cogs.pictures.raster.canvas import Layouts
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureCog, FeatureUI
from cogs.table.commands.game_commands import find_game, with_reply
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.state.person_shares import long_turn
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.luck import add_up, luck_of
from engines.hosting.match import RequestRefused
from engines.kit.chance import LuckCount
from engines.kit.contract import AnyGame
from engines.store.match_store import Status

MOST_MATCHES = 100  # the newest ones of a game
MAX_CACHED = 1000  # matches, of a few kilobytes each
OVER = frozenset({Status.OVER})
NOTHING_YET = "No match of {game} has been finished on this server yet, so there are no figures yet."


class LuckActions:
    """Requests for luck charts. Replies are private."""

    def __init__(self, actions: TableActions) -> None:
        self._matches = actions.matches
        self._counted: OrderedDict[str, tuple[LuckCount, ...]] = OrderedDict()

    async def show_luck(self, reply: InteractionReply, game: AnyGame | None) -> None:
        """Show the luck chart of a game; by default, of the one that was played last on this server."""
        guild = reply.interaction.guild_id
        if guild is None:
            raise RequestRefused("Use this on a server, because it shows the luck of a server.")
        async with long_turn():
            found = game or await self._last_game(guild)
            ids = await self._matches.lookup.newest_matches(guild, OVER, MOST_MATCHES, found.key)
            counts = [counted for match in ids if (counted := await self._count(found, match))]
        if not counts:
            raise RequestRefused(NOTHING_YET.format(game=found.title))
        await reply.send_page(await draw_in_thread(luck_page, found, add_up(counts)))

    async def _last_game(self, guild: int) -> AnyGame:
        for match in await self._matches.lookup.newest_matches(guild, OVER, 1):
            saved = await self._matches.records.load_finished(match)
            if saved is not None and saved.info.game in self._matches.games:
                return self._matches.games[saved.info.game]
        raise RequestRefused(NOTHING_YET.format(game="any game"))

    async def _count(self, game: AnyGame, match: str) -> tuple[LuckCount, ...]:
        """Return the luck of a finished match, which never changes."""
        if match not in self._counted:
            saved = await self._matches.records.load_finished(match)
            counted = () if saved is None else await draw_in_thread(luck_of, game, saved)
            self._counted[match] = _add_up(counted)
            if len(self._counted) > MAX_CACHED:
                self._counted.popitem(last=False)
        return self._counted[match]


def _add_up(counts: tuple[LuckCount, ...]) -> tuple[LuckCount, ...]:
    """Return one count for each thing and column."""
    luck = add_up([counts])
    return tuple(LuckCount(thing, column, *sums) for (thing, column), sums in luck.sums.items())


class LuckCommands(FeatureCog):
    """The part of `/motley` about luck."""

    @app_commands.command(description="See how often cards and dice came up on this server, compared with chance")
    @app_commands.describe(game="Which game; leave it out for the one that was played last")
    @app_commands.autocomplete(game=FeatureCog.complete_game)
    @with_reply
    async def luck(self, reply: InteractionReply, game: str | None = None) -> None:
        """`luck`: show the luck chart of a game."""
        found = None if game is None else find_game(game, self.games)
        await self.actions.service(LuckActions).show_luck(reply, found)


class LuckUI(FeatureUI):
    """Luck: a command alone."""

    name = "luck"
    layouts: ClassVar[Layouts] = {LuckChart: lay_luck_chart}
    motley_commands = LuckCommands
