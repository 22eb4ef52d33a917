"""What people ask of a lobby beyond coming and going: its options, the start, and playing again."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import discord

from cogs.table.channels import channel_access
from cogs.table.pages import lobby_pages, match_pages
from cogs.table.pages.page import Page, Text, rows, table_press
from cogs.table.transport.interaction_response import Answer
from cogs.table.transport.network_errors import NETWORK, named
from cogs.table.wording.player_names import clean, shown
from engines.hosting.lobbies import NO_COMPUTERS, Elsewhere, Hasty, TooManyLobbies
from engines.hosting.match import Look, Refused, standing
from engines.hosting.rematch import Again
from engines.store.match_store import Info, NotHeld, Status
from engines.store.surface_storage import Surface
from engines.store.table_options import USUAL, House
from players import Level, levels

if TYPE_CHECKING:
    from cogs.table.actions.table_actions import Desk

log = logging.getLogger(__name__)
MOST_LINKS = 5


class Lobbies:
    """The desk's part for lobbies. One answer a request."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._matches = desk.matches
        self._keeper = desk.keeper

    @asynccontextmanager
    async def explained(self, answer: Answer, guild: int = 0) -> AsyncIterator[None]:
        """Where no more lobbies may be open, say which ones are in the way; where none may be there, where one may."""
        try:
            yield
        except Elsewhere as refusal:
            where = guild or answer.interaction.guild_id or 0
            raise Refused(self._desk.servers.elsewhere(answer.interaction, where, refusal.channels)) from None
        except TooManyLobbies as refusal:
            lines = [
                f"- {self._matches.title(info.game)}: {await self.link(info)}" for info in refusal.lobbies[:MOST_LINKS]
            ]
            more = len(refusal.lobbies) - len(lines)
            raise Refused("\n".join([str(refusal), *lines, *([f"- and {more} more"] if more > 0 else [])])) from None

    async def options(self, answer: Answer, match: str) -> None:
        """The options of a lobby with lists of what they can be, for its host alone."""
        look = await self._matches.look(match)
        if look.info.status is Status.ASIDE:  # its options may be what is damaged
            raise Refused(standing(look.info))
        screen = self._desk.screens[look.info.game]
        said = lobby_pages.in_words(look, screen)
        if look.info.status is not Status.LOBBY:
            raise Refused(f"Options can be changed before the start only. Those of this match: {said}.")
        if look.info.host != answer.interaction.user.id:
            name = lobby_pages.host(look)
            raise Refused(f"Only the host, {name}, can change the options. They are: {said}.")
        await self._show(answer, lobby_pages.options(look, screen, await self._usual(look)))

    async def choose(self, answer: Answer, match: str, option: str, value: str) -> None:
        """The host changes an option, by a click on the lobby or on its options, or by a command."""
        await self._matches.choose(match, answer.interaction.user.id, option, value, click=answer.click)
        answer.saved = True
        look = await self._matches.look(match)
        screen = self._desk.screens[look.info.game]
        if answer.interaction.message is None:
            await answer.say(f"The options are now: {lobby_pages.in_words(look, screen)}.")
        elif answer.own:
            await answer.update(lobby_pages.options(look, screen, await self._usual(look)))
        else:
            await self._desk.redraw_lobby(answer, match)

    async def computers(self, answer: Answer, match: str) -> None:
        """Who may sit down beside people, for the host alone."""
        look = await self._matches.look(match)
        if look.info.status is not Status.LOBBY:
            raise Refused("Computers can sit down before the start only.")
        if look.info.host != answer.interaction.user.id:
            raise Refused(f"Only the host, {lobby_pages.host(look)}, can have computers sit down.")
        allowed = await self._computers_may(look)
        if not allowed and all(seat.user for seat in look.info.seats):
            raise Refused(NO_COMPUTERS)
        await self._show(answer, lobby_pages.computers(look, self._desk.screens[look.info.game], allowed=allowed))

    async def add_computers(self, answer: Answer, match: str, level: Level) -> None:
        """The host has computers of a level sit down."""
        if level not in levels((await self._matches.look(match)).game):
            raise Refused("There is no computer of that level for this game.")
        await self._matches.add_computers(match, answer.interaction.user.id, level, click=answer.click)
        await self._seated(answer, match)

    async def remove_computer(self, answer: Answer, match: str) -> None:
        """The host has the computer that sat down last get up."""
        await self._matches.remove_computer(match, answer.interaction.user.id, click=answer.click)
        await self._seated(answer, match)

    async def _seated(self, answer: Answer, match: str) -> None:
        answer.saved = True
        look = await self._matches.look(match)
        screen, allowed = self._desk.screens[look.info.game], await self._computers_may(look)
        await self._show(answer, lobby_pages.computers(look, screen, allowed=allowed))

    async def _computers_may(self, look: Look) -> bool:
        """Whether computers may sit down, for all that the server has chosen."""
        return (await self._matches.server(look.info.place.guild)).computers

    async def _usual(self, look: Look) -> House:
        """What the house's options are where a host chooses none."""
        return replace(USUAL, clock=(await self._matches.server(look.info.place.guild)).clock)

    async def start(self, answer: Answer, match: str, sure: str = "") -> None:
        """Start the game, after a question where the options are too new; the lobby's message leads to the table."""
        try:
            info = await self._matches.start(match, answer.interaction.user.id, sure, click=answer.click)
        except Hasty:
            look = await self._matches.look(match)
            await self._show(answer, lobby_pages.sure(look, self._desk.screens[look.info.game]))
            return
        answer.saved = True
        if answer.own:
            said = Text(f"The match has started: {await self.link(info)}\nYour hand comes by direct message.")
            await answer.update(Page((said, *rows((table_press(match, "Show my hand", "hand", "primary"),)))))
        else:
            await self._desk.redraw_lobby(answer, match)

    async def again(self, answer: Answer, match: str) -> None:
        """A finished match is played again: who asks first is host, the others are called and come by the same way."""
        user = answer.interaction.user
        info = (await self._matches.look(match)).info
        async with self.explained(answer, info.place.guild):
            within = (await self._desk.showing.around.of(info)).within
            name, click = clean(user.display_name), answer.click
            again = await self._matches.again(match, user.id, name, within=within, click=click)
            answer.saved = True
        called = ""
        if again.how == "opened":
            await self._desk.opened(again.info)
            await self._post(again.info)
            called = await self._call(match, again.info, user, answer.click)
        await answer.say(f"{_seated(again)} {await self.link(again.info)}\n{called}".strip())
        if again.how in ("opened", "joined"):
            await self._desk.greet(answer, again.info.id, user)

    async def link(self, info: Info) -> str:
        """Where the lobby of a match is."""
        lobby = await self._keeper.surface(info.id, "lobby")
        if lobby is None or not lobby.message:
            return f"match `{info.id}`"
        return channel_access.message_url(info.place.guild, lobby.channel, lobby.message)

    async def _show(self, answer: Answer, page: Page) -> None:
        """Show the host a page: in the message that was clicked where nobody else sees it, else in one of its own."""
        await (answer.update(page) if answer.own else answer.page(page))

    async def _post(self, info: Info) -> None:
        """Post a lobby that no command is answered with, or wait until another process has."""
        showing = self._keeper.showing
        try:
            with showing.acting(info.place.guild):
                await self._post_own(info)
        except NotHeld:  # not, or not any more
            await showing.posted(info.id, "lobby")

    async def _post_own(self, info: Info) -> None:
        """Post it, where this process looks after it. Raises NotHeld."""
        showing = self._keeper.showing
        async with showing.held(info.id, "lobby"):
            look = await self._matches.look(info.id)
            page = match_pages.lobby(look, await showing.setting(look))
            try:
                await showing.poster.post(look, Surface(info.id, "lobby", -1, info.place.channel), page)
            except NETWORK as error:
                log.info("The lobby of match %s is posted later: %s", info.id, named(error))
                self._keeper.wake(info.id)

    async def _call(self, match: str, new: Info, user: discord.abc.User, click: int) -> str:
        """Call the others of a finished match where it was played, unless they lately were; what to say of that."""
        old = (await self._matches.look(match)).info
        there = (await self._matches.look(new.id)).info
        others = [seat.user for seat in old.seats if seat.here and there.seat_of(seat.user) is None]
        if not others:
            return ""
        try:
            if not (await self._matches.server(old.place.guild)).calls:
                raise Refused("This server has me call nobody: please tell the others yourself.")
            await self._matches.call(match, user.id, click=click)
        except Refused as refusal:
            return str(refusal)
        who = " ".join(f"<@{other}>" for other in others)
        text = f"{who} {shown(clean(user.display_name))} would like to play again: {await self.link(new)}"
        if await self._keeper.announce(old.place, text, others):
            return "I have called the others."
        return "I could not call the others where you have played: please tell them yourself."


def _seated(again: Again) -> str:
    """What has become of somebody who wants to play again, before a link to the lobby."""
    running = again.info.status is not Status.LOBBY
    match again.how:
        case "opened":
            return "A new table is set, and you are its host:"
        case "joined":
            return "You have joined the new table:"
        case "there":
            return "You are already in the next match:" if running else "You already sit at the new table:"
        case "begun":
            own = f"You may watch, or open a table of your own with `/{again.info.game} new`."
            return f"The others have begun without you. {own} Their match:"
