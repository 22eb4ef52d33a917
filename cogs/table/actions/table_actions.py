"""What people ask of a match, from clicks and commands alike, and the answers they get."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord

from cogs.table.actions.hand_actions import Hands, private
from cogs.table.actions.hint_actions import Hints, Thinking
from cogs.table.actions.lobby_actions import Lobbies
from cogs.table.actions.match_list import Listing
from cogs.table.actions.player_settings import Settings
from cogs.table.actions.privacy_actions import Privacy
from cogs.table.actions.rules_actions import Rulebook
from cogs.table.actions.server_settings_actions import Servers
from cogs.table.channels import channel_access
from cogs.table.pages import match_pages, menu_pages
from cogs.table.pages.page import Page, texts
from cogs.table.pages.page_drawing import drawn
from cogs.table.pages.rules_pages import Rules
from cogs.table.scheduling.computer_turns import INSTEAD
from cogs.table.surfaces.reconciler import Keeper
from cogs.table.transport.interaction_response import Answer
from cogs.table.wording import narration
from cogs.table.wording.player_names import clean, shown
from engines.hosting.match import Look, Refused, standing
from engines.hosting.matches import Matches
from engines.kit.contract import AnyGame
from engines.store.match_store import LIVE, Info, Place, Seat, Status, StoreFailure
from engines.store.surface_storage import Surface
from engines.store.table_options import USUAL

UNGREETED = {
    "closed": (
        "I cannot send you direct messages, so your hand cannot come to you. You can play all the same: "
        "press **Show my hand** at the table. (Or allow direct messages from this server in your settings.)"
    ),
    "later": (
        "Discord does not let me open your direct messages just now, so your hand comes a little later. "
        "Until then, press **Show my hand** at the table."
    ),
}


class Desk:
    """One answer a request. Everything here is told to the asker alone, but the lobby."""

    def __init__(
        self,
        client: discord.Client,
        matches: Matches,
        keeper: Keeper,
        rules: Mapping[str, Rules],
        clock: Callable[[], int],
        thinkers: Thinking,
    ) -> None:
        self.client = client
        self.matches = matches
        self.keeper = keeper
        self.showing = keeper.showing
        self.screens = keeper.showing.screens
        self.studio = keeper.showing.studio
        self._clock = clock
        self.lobbies = Lobbies(self)
        self.hands = Hands(self)
        self.listing = Listing(self)
        self.settings = Settings(self)
        self.servers = Servers(self)
        self.rulebook = Rulebook(self, rules)
        self.hints = Hints(self, thinkers)
        self.privacy = Privacy(self, clock)
        self.due_changed: Callable[[], None] = lambda: None  # told when somebody wants to be called at another time

    # The lobby

    async def open(self, answer: Answer, game: AnyGame, options: Any, chosen: Mapping[str, Any]) -> None:
        """A new lobby, as the public answer to a command; of the house's options, those that were chosen."""
        asker = answer.interaction
        place = _place(asker)
        lacking = channel_access.missing(asker.app_permissions, asker.channel)
        if lacking:
            raise Refused(channel_access.complaint(lacking))
        seat = Seat(asker.user.id, clean(asker.user.display_name))
        server = await self.matches.server(place.guild)
        house = replace(USUAL, **{"clock": server.clock, **chosen})
        async with self.lobbies.explained(answer):
            within = channel_access.around(asker.channel)
            info = await self.matches.open(game, options, place, seat, house=house, within=within, click=answer.click)
        async with self.showing.held(info.id, "lobby"):
            look = await self.matches.look(info.id)
            page = match_pages.lobby(look, await self.showing.setting(look))
            message = await answer.page(page, public=True)
            await self._note(info, "lobby", -1, place.channel, message, page)
        await self.opened(info)
        await self.greet(answer, info.id, asker.user)

    async def opened(self, info: Info) -> None:
        """Have whoever looks after a new match know where it is: they may not be told of that server yet."""
        if not self.showing.holds(info.id):
            with suppress(StoreFailure):  # then it is as if nobody knew
                await self.showing.around.keep(info)

    async def join(self, answer: Answer, match: str) -> None:
        """Take a place in a lobby; the click opens the person's direct messages."""
        user = answer.interaction.user
        await self.matches.join(match, user.id, clean(user.display_name), click=answer.click)
        answer.saved = True
        await self.redraw_lobby(answer, match)
        await self.greet(answer, match, user)

    async def leave_to_computer(self, answer: Answer, match: str) -> None:
        """Leave a running match, in which the computer plays on."""
        await self.leave(answer, match, INSTEAD)

    async def leave(self, answer: Answer, match: str, level: str = "") -> None:
        """Leave a lobby or a running match, with the computer of that level in one's seat, if any."""
        info = await self.matches.leave(match, answer.interaction.user.id, level, click=answer.click)
        answer.saved = True
        if info.status in (Status.LOBBY, Status.CANCELLED):
            await self._put_away(answer, "You have left the table.")
        else:
            own = told = ""
            if info.status in LIVE and level:
                own = " The computer plays on with your hand. Come back when you like, until somebody takes the seat."
                told = " The computer plays on in that seat."
            elif info.status in LIVE:
                own = " Whoever takes your seat plays on with your hand."
            await self._put_away(answer, f"You have left the match.{own}")
            name = shown(clean(answer.interaction.user.display_name))
            await self.announce(info, f"{name} has left the match.{told}", answer.click)

    async def ask_cancel(self, answer: Answer, match: str) -> None:
        """Ask the host before the lobby is closed."""
        look = await self.matches.look(match)
        if look.info.host != answer.interaction.user.id or look.info.status is not Status.LOBBY:
            await self.cancel(answer, match)  # which says why that cannot be
        else:
            await self._ask(answer, menu_pages.cancelling(look))

    async def cancel(self, answer: Answer, match: str) -> None:
        """The host closes the lobby."""
        await self.matches.cancel(match, answer.interaction.user.id, click=answer.click)
        answer.saved = True
        await self._put_away(answer, "The match is cancelled.")

    async def hand_over(self, answer: Answer, match: str, to: int) -> None:
        """The host makes somebody else the host."""
        info = await self.matches.hand_over(match, answer.interaction.user.id, to, click=answer.click)
        answer.saved = True
        seat = info.seat_of(to)
        assert seat is not None
        await self.go_on(answer, match, f"{shown(info.seats[seat].name)} is the host now.")

    # The table

    async def sheet(self, answer: Answer, match: str) -> None:
        """The score sheet."""
        look = await self.matches.look(match)
        await answer.page(await drawn(match_pages.sheet, look, self.screens[look.info.game]))

    async def words(self, answer: Answer, match: str) -> None:
        """The asker's hand in words, or the table for whoever has none."""
        look = await self.matches.look(match)
        seat = look.info.seat_of(answer.interaction.user.id)
        await answer.page(await drawn(match_pages.words, look, seat, await self.showing.setting(look)))

    async def status(self, answer: Answer, match: str) -> None:
        """How the match stands, as a spectator sees it; messages that are gone, or were given up, are posted again."""
        look = await self.matches.look(match)
        await answer.page(await drawn(match_pages.status, look, await self.showing.setting(look)))
        await self.keeper.make_sure(match)

    async def more(self, answer: Answer, match: str) -> None:
        """What else can be done."""
        look = await self.matches.look(match)
        await answer.page(self._menu(look, answer))

    async def go_on(self, answer: Answer, match: str, said: str) -> None:
        """Say something above the menu that was clicked, which then offers what can be done now; else just say it."""
        if answer.own:
            look = await self.matches.look(match)
            await answer.update(match_pages.noted(self._menu(look, answer), texts((said,))))
        else:
            await answer.say(said)

    def _menu(self, look: Look, answer: Answer) -> Page:
        """What else the asker can do."""
        return menu_pages.menu(look, answer.interaction.user.id, self.screens[look.info.game])

    async def keep(self, answer: Answer, match: str) -> None:
        """The menu again, in place of a question."""
        await self.go_on(answer, match, "The match stays as it is.")

    async def _ask(self, answer: Answer, question: Page) -> None:
        """Ask in place of the menu that was clicked, or in a message of its own."""
        await (answer.update(question) if answer.own else answer.page(question))

    async def _put_away(self, answer: Answer, said: str) -> None:
        """Say it in place of the menu or question that was clicked, or in a message of its own."""
        await (answer.update(menu_pages.past(said)) if answer.own else answer.say(said))

    # Being away

    async def here(self, answer: Answer, match: str) -> None:
        """Somebody who was away takes their seat back, and has their hand."""
        if not await self.back_if_away(answer.interaction.user.id, match, answer.click):
            await self.seat(match, answer.interaction.user.id)
            raise Refused("The computer does not play for you: your seat is yours.")
        answer.saved = True
        async with self.showing.held(match, "hand", await self.seat(match, answer.interaction.user.id)):
            await (self.hands.again if private(answer.interaction) else self.hands.show)(answer, match)

    async def back_if_away(self, user: int, match: str, click: int = 0) -> bool:
        """Whoever does something in a match is there: where the computer keeps their seat, it is theirs again."""
        try:
            info = (await self.matches.look(match)).info
            seat = info.seat_of(user)
            if seat is None or info.status not in LIVE:
                return False
            if not info.seats[seat].away:
                return await self.matches.made(match, click)
            await self.matches.back(match, user, click=click)
        except (Refused, StoreFailure):
            return False  # what they do says what is the matter
        return True

    # Leaving, ending, another match

    async def ask_leave(self, answer: Answer, match: str) -> None:
        """Ask before leaving a running match."""
        look = await self.matches.look(match)
        await self.seat(match, answer.interaction.user.id)
        if look.info.status is Status.LOBBY:
            await self.leave(answer, match)
        else:
            await self._ask(answer, menu_pages.leaving(look))

    async def ask_stop(self, answer: Answer, match: str) -> None:
        """Ask the only one who plays before the match is ended; where others play by now, it is a vote."""
        user, look = answer.interaction.user.id, await self.matches.look(match)
        await self.seat(match, user)
        if look.info.status in LIVE and not look.info.votes and look.info.ended_by(user):
            await self._ask(answer, menu_pages.stopping(look))
        else:
            await self.stop(answer, match)

    async def stop(self, answer: Answer, match: str) -> None:
        """Vote for ending the match."""
        info = await self.matches.vote_end(match, answer.interaction.user.id, click=answer.click)
        answer.saved = True
        votes = f"{len(info.votes)} of {info.voters}"
        over = info.status is Status.ENDED
        more = "The match is ended." if over else f"It takes more than half: {votes} so far."
        await self.go_on(answer, match, f"Your vote to end the match is counted. {more}")
        name = shown(clean(answer.interaction.user.display_name))
        await self.announce(info, f"{name} votes to end the match ({votes}).", answer.click)

    async def take_seat(self, answer: Answer, match: str) -> None:
        """Take a seat that somebody has left, with its hand; the computer may have played there since."""
        user = answer.interaction.user
        paused = (await self.matches.look(match)).info.status is Status.PAUSED
        info = await self.matches.take_seat(match, user.id, clean(user.display_name), click=answer.click)
        answer.saved = True
        going = "The match goes on." if info.status is Status.RUNNING else narration.escaped(info).reason
        said = f"The seat is yours, and so is its hand. {going}"
        await (answer.update(menu_pages.past(said)) if answer.in_private else self.go_on(answer, match, said))
        taken = "the empty seat" if paused else "a seat from the computer"
        await self.announce(info, f"{shown(clean(user.display_name))} has taken {taken}.", answer.click)
        await self.greet(answer, match, user)

    async def announce(self, info: Info, happened: str, click: int = 0) -> None:
        """Say what has happened where the match is played, how it stands now, and what can be done about it there.

        Once, however often Discord tells of the click that brought it, and to whomever.
        """
        going = {
            Status.RUNNING: "The match goes on.",
            Status.PAUSED: "The match is paused until somebody takes the empty seat, or those still here end it.",
        }
        said = f"{happened} {going.get(info.status) or standing(narration.escaped(info))}"
        await self.showing.notices.tell(info, said, click)

    async def active(self, user: int, match: str, way: str | None = None) -> None:
        """Whoever does something in a match is there: they are called once they have done nothing for a while.

        Their hand stands there then; None: where it stood.
        """
        with suppress(Refused, StoreFailure):
            seat = (await self.matches.look(match)).info.seat_of(user)
            if seat is not None:
                self.showing.calls.drop(match, seat)
                await self.matches.active(match, seat, way)

    async def admit(self, asker: discord.Interaction, match: str) -> None:
        """Let somebody at a match: in its own server everybody; elsewhere those alone who sit there, or did."""
        info = (await self.matches.look(match)).info
        if asker.guild_id != info.place.guild and all(seat.user != asker.user.id for seat in info.seats):
            raise Refused("There is no such match here.")

    async def seat(self, match: str, user: int) -> int:
        """The user's seat in a match."""
        info = (await self.matches.look(match)).info
        seat = info.seat_of(user)
        if seat is None:
            where = "join here" if info.status is Status.LOBBY else "watch here"
            if info.status in LIVE and any(seat.gone for seat in info.seats):
                where += ", or press ⋯ to take a seat"
            raise Refused(f"You are not sitting at this table, so there is no hand to show. You may {where}.")
        return seat

    # Inside

    async def redraw_lobby(self, answer: Answer, match: str) -> None:
        """Answer a click on a lobby with the lobby as it is now; a command with a sentence."""
        look = await self.matches.look(match)
        async with self.showing.held(match, "lobby"):
            page = match_pages.lobby(look, await self.showing.setting(look))
            surface = await self.keeper.surface(match, "lobby")
            message = answer.interaction.message
            if surface is None or message is None or surface.message != message.id:
                await answer.say("Done. The table shows it.")
                return
            await answer.update(page)
            await self.keeper.edited(replace(surface, digest=page.digest, shown=look.info.revision))

    async def greet(self, answer: Answer, match: str, user: discord.User | discord.Member) -> None:
        """Open the direct messages of somebody who has come in; where they are closed, say what to do."""
        seat = (await self.matches.look(match)).info.seat_of(user.id)
        if seat is not None and (said := UNGREETED.get(await self.showing.greet(match, seat, user))):
            await answer.say(said)

    async def _note(self, info: Info, kind: Any, seat: int, channel: int, message: int, page: Page) -> None:
        await self.keeper.note(Surface(info.id, kind, seat, channel, message, page.digest, info.revision), new=True)


def _place(interaction: discord.Interaction) -> Place:
    """Where a command was given; matches are hosted in servers."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Refused("A match starts in a server: use this command in a channel where the others can join.")
    return Place(interaction.guild_id, interaction.channel_id)
