"""Finds the match that a command means: the given one, the one in this channel, or the user's only one."""

from __future__ import annotations

import re
from dataclasses import dataclass

import discord

from cogs.screens.words import join_with_and
from cogs.table.actions.rights import Access, access_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches import Matches
from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, Status, StoreFailure

MOST_NAMED = 10
MOST_TRIED = 4  # words of a name that may be an id
_ID = re.compile(r"(?<![^\W_])[a-z0-9]{8}(?![^\W_])")


async def find_by_name(matches: Matches, text: str) -> MatchSnapshot:
    """Return the match that a text names: an id, or any name of the match that the bot shows.

    Every such name contains the id; a name of a player or a server may look like one, so the first that exists counts.
    """
    *others, last = _ID.findall(text.lower())[:MOST_TRIED] or [text.strip().lower()[:8]]
    for match in others:
        if await _exists(matches, match):
            return await matches.cache.get_fresh_snapshot(match)
    return await matches.cache.get_fresh_snapshot(last)


async def _exists(matches: Matches, match: str) -> bool:
    try:
        await matches.lookup.load_header(match)
    except RequestRefused:
        return False
    return True


def plain_name(text: str) -> str:
    """Return a typed text without the marks that stand around an id."""
    return re.sub("[`#]", "", text)


@dataclass(frozen=True, slots=True)
class MatchFinder:
    """Finds matches of one game, or of all games."""

    actions: TableActions
    game: AnyGame | None = None

    async def find_match(self, asker: discord.Interaction, match_id: str | None) -> Visit:
        """Return the visit to the match that a command means: the given one, the one here, or the user's only one.

        If the user was away, they get their seat back.
        """
        return await self._let_in(asker, await self._find(asker, match_id))

    async def _let_in(self, asker: discord.Interaction, visit: Visit, access: Access | None = None) -> Visit:
        """Let the user in for the command that they gave, whose `extras` say who may give it, and when."""
        visit = await self.actions.return_if_away(visit)
        await self.actions.context.door.admit(visit, access or access_of(asker.command), asker.id)
        return visit

    async def _find(self, asker: discord.Interaction, match_id: str | None) -> Visit:
        if match_id:
            return await self._find_named(asker, match_id)
        own = await self.own_matches(asker.user.id)
        nearby = [info for info in own if _is_here(asker, info)]
        found = self._only_match(nearby or own) if own else await self._match_here(asker)
        return await self.actions.context.door.visit(asker, found.id)

    async def find_latest(self, asker: discord.Interaction, match_id: str | None) -> Visit:
        """Return the visit to the match of `find_match`, else to the newest that the user has finished."""
        try:
            found = await self._find(asker, match_id)
        except RequestRefused:
            played = [] if match_id else await self._played_matches(asker)
            if not played:
                raise
            found = await self.actions.context.door.visit(asker, played[0].id)
        return await self._let_in(asker, found)

    async def find_finished(self, asker: discord.Interaction, match_id: str | None) -> Visit:
        """Return the visit to the finished match that a command means: the given one, or the newest of the user."""
        if match_id:
            visit = await self._find_named(asker, match_id)
        elif played := await self.finished_matches(asker):
            visit = self.actions.context.door.receive_reader(asker, played[0])
        else:
            raise RequestRefused("You have not finished a match yet. Give the id of one with the option `match`.")
        access_of(asker.command).require(visit)
        return visit

    async def find_lobby(self, asker: discord.Interaction, match_id: str | None, access: Access | None = None) -> Visit:
        """Return the visit to the lobby that a command means: the given one, or one that the user hosts.

        `access` may have other sentences than that of the command.
        """
        return await self._let_in(asker, await self._find_lobby(asker, match_id), access)

    async def _find_lobby(self, asker: discord.Interaction, match_id: str | None) -> Visit:
        own = [info for info in await self.own_matches(asker.user.id) if info.status is Status.LOBBY]
        own = [info for info in own if info.host == asker.user.id]
        if match_id or not own:
            return await self._find(asker, match_id)
        nearby = [info for info in own if asker.channel_id == info.place.channel]
        return await self.actions.context.door.visit(asker, self._only_match(nearby or own).id)

    async def find_snapshot(self, asker: discord.Interaction, *, is_lobby: bool = False) -> MatchSnapshot | None:
        """Return the match that an unfinished command means, if it is clear. For autocomplete."""
        named = getattr(asker.namespace, "match", None)
        try:
            return (await (self._find_lobby if is_lobby else self._find)(asker, named)).snapshot
        except (RequestRefused, StoreFailure):
            return None

    async def own_matches(self, user: int) -> list[MatchInfo]:
        """Return the live matches in which a user has a seat."""
        return [info for info in await self.actions.matches.lookup.find(user=user) if self._is_of_game(info)]

    def _is_of_game(self, info: MatchInfo) -> bool:
        return self.game is None or info.game == self.game.key

    async def _find_named(self, asker: discord.Interaction, name: str) -> Visit:
        """Return the visit to the match of that name. A match on another server is found only by people
        who play or have played it.
        """
        visit = self.actions.context.door.receive(asker, await find_by_name(self.actions.matches, name))
        if not self._is_of_game(visit.info):
            title, game = self.actions.matches.lookup.game_title(visit.info.game), visit.info.game
            raise RequestRefused(f"Match `{visit.match}` is a game of {title}. Use `/{game}` for it.")
        return visit

    def _only_match(self, found: list[MatchInfo]) -> MatchInfo:
        running = [info for info in found if info.status is not Status.LOBBY] or found
        if len(running) > 1:
            names = join_with_and([f"`{info.id}`" for info in running[:MOST_NAMED]])
            raise RequestRefused(f"You are in several matches: {names}. Choose one with the option `match`.")
        return running[0]

    async def _match_here(self, asker: discord.Interaction) -> MatchInfo:
        """Return this channel's only match, for a user without a seat. Raises RequestRefused if there is none."""
        found = await self.actions.matches.lookup.find(guild=asker.guild_id) if asker.guild_id else []
        nearby = [info for info in found if self._is_of_game(info) and _is_here(asker, info)]
        if len(nearby) == 1:
            return nearby[0]
        of = f" of {self.game.title}" if self.game else ""
        key = self.game.key if self.game else next(iter(self.actions.matches.games))
        raise RequestRefused(f"You are not in a match{of} right now. Start one with `/{key} new` in a channel.")

    async def _played_matches(self, asker: discord.Interaction) -> list[MatchInfo]:
        """Return the finished matches of a user without a seat in a live one."""
        return [] if await self.own_matches(asker.user.id) else await self.finished_matches(asker)

    async def finished_matches(self, asker: discord.Interaction) -> list[MatchInfo]:
        """Return the matches that a user has finished: first those in this channel, newest first."""
        finished = await self.actions.matches.lookup.find(statuses=frozenset({Status.OVER}), user=asker.user.id)
        return sorted([info for info in finished if self._is_of_game(info)], key=lambda info: not _is_here(asker, info))


def _is_here(asker: discord.Interaction, info: MatchInfo) -> bool:
    return asker.channel_id in (info.place.channel, info.place.thread)
