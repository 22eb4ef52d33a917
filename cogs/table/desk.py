"""What people ask of a match, from clicks and commands alike, and the answers they get."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord

from cogs.table import ids, menus, pages, places, refusals, spoken
from cogs.table.answers import Answer
from cogs.table.computers import INSTEAD
from cogs.table.drawing import drawn
from cogs.table.hints import Hints, Thinking
from cogs.table.keeper import Keeper
from cogs.table.layout import Reader
from cogs.table.listing import Listing
from cogs.table.lobbies import Lobbies
from cogs.table.names import clean, shown
from cogs.table.page import Page, Text, rows, table_press, texts
from cogs.table.privacy import Privacy
from cogs.table.rulebook import Rulebook
from cogs.table.rules import Rules
from cogs.table.servers import Servers
from cogs.table.settings import Settings
from cogs.table.snapshots import Snapshot
from engines.game import AnyGame, IllegalMove
from engines.house import USUAL
from engines.match import Look, Refused, Stale, standing
from engines.matches import Matches
from engines.shown import Surface
from engines.store import LIVE, Info, Place, Seat, Status, StoreFailure

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
        lacking = places.missing(asker.app_permissions, asker.channel)
        if lacking:
            raise Refused(places.complaint(lacking))
        seat = Seat(asker.user.id, clean(asker.user.display_name))
        server = await self.matches.server(place.guild)
        house = replace(USUAL, **{"clock": server.clock, **chosen})
        async with self.lobbies.explained(answer):
            within = places.around(asker.channel)
            info = await self.matches.open(game, options, place, seat, house=house, within=within, click=answer.click)
        async with self.showing.held(info.id, "lobby"):
            look = await self.matches.look(info.id)
            page = pages.lobby(look, await self.showing.setting(look))
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
            await self._ask(answer, menus.cancelling(look))

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

    # The game

    async def move(self, answer: Answer, match: str, decision: int, notation: str) -> None:
        """A move by a click on a hand, which is redrawn; a click on one that is out of date shows the present hand."""
        user = answer.interaction.user.id
        seat = await self._seat(match, user)
        async with self.showing.held(match, "hand", seat):
            why: Stale | IllegalMove | None = None
            await self._moving(await self.matches.look(match), seat)
            holds = None if self.showing.holds(match) else ("hand", seat)
            try:
                await self.matches.play(match, user, decision, notation, click=answer.click, holds=holds)
                answer.saved = True
            except (Stale, IllegalMove) as refused:  # a hand offers what is legal, as long as it is up to date
                why = refused
            await self.redraw(answer, match, seat, why)

    async def redraw(self, answer: Answer, match: str, seat: int, why: Stale | IllegalMove | None = None) -> None:
        """Show the present hand in the message that was clicked; where others see that, in one for the asker alone.

        A menu beside the hand itself is taken away instead: a copy would stand there with buttons that age.
        """
        look = await self.matches.look(match)
        if why is None and await self._beside_hand(answer, match, seat):
            await answer.close()
            return
        setting = await self.showing.setting(look)
        note = refusals.told(look.game, why) if why else ()
        lasting = await self.showing.drawings.hand(look, seat, setting, await self.showing.readers.of(look, seat))
        page = pages.noted(lasting, note)
        message = answer.interaction.message
        if message is None or message.flags.ephemeral or not _private(answer.interaction):
            await self._privately(answer, self.showing.snapshots.dated(page))
            self.showing.snapshots.follow(match, seat, Snapshot(answer.interaction, lasting.digest))
            await self.showing.leave(match, "hand", seat)
            return
        await answer.update(page)
        surface = await self.keeper.surface(match, "hand", seat)
        if surface and surface.message == message.id:  # a note stays until something else changes
            await self.keeper.edited(replace(surface, digest=lasting.digest, shown=look.info.revision))
        else:
            await self.showing.leave(match, "hand", seat)

    async def _beside_hand(self, answer: Answer, match: str, seat: int) -> bool:
        """Whether what was clicked is a menu for the asker alone, where their hand stands as well."""
        message = answer.interaction.message
        if not answer.own or message is None or message.attachments:  # a copy of the hand has its picture
            return False
        surface = await self.keeper.surface(match, "hand", seat)
        return surface is not None and surface.message > 0 and surface.channel == message.channel.id

    async def _privately(self, answer: Answer, page: Page) -> None:
        """Show a page in the message that was clicked, unless others see that as well."""
        await (answer.update(page) if _private(answer.interaction) else answer.page(page))

    async def back(self, answer: Answer, match: str) -> None:
        """The hand again, in place of a question."""
        await self.redraw(answer, match, await self._seat(match, answer.interaction.user.id))

    async def ask(self, answer: Answer, match: str, decision: int, notation: str) -> None:
        """Ask before a move that its screen wants confirmed, in place of the hand."""

        def question(look: Look, seat: int, setting: pages.Setting, reader: Reader) -> Page:
            return pages.question(look, seat, setting, notation)

        await self._further(answer, match, decision, question)

    async def pick(self, answer: Answer, match: str, decision: int, verb: str, values: list[str]) -> None:
        """Several lines of a list are picked: show them in an order that can be changed. No move yet."""
        await self.order(answer, match, decision, " ".join((verb, *map(ids.token, values))))

    async def order(self, answer: Answer, match: str, decision: int, notation: str) -> None:
        """Show picks in an order, if they are a legal move; the order is kept in the message alone."""

        def ordering(look: Look, seat: int, setting: pages.Setting, reader: Reader) -> Page:
            move = look.game.read(notation)
            look.game.check(look.state, seat, move)
            return pages.ordering(look, seat, setting, look.game.write(move), reader)

        await self._further(answer, match, decision, ordering)

    async def step(self, answer: Answer, match: str, decision: int, path: str) -> None:
        """Show what a step leaves to choose, if the hand offers it; the path is kept in the message alone."""

        def step(look: Look, seat: int, setting: pages.Setting, reader: Reader) -> Page | None:
            return pages.step(look, seat, setting, ids.keys(path), reader)

        await self._further(answer, match, decision, step)

    async def _further(
        self, answer: Answer, match: str, decision: int, draw: Callable[[Look, int, pages.Setting, Reader], Page | None]
    ) -> None:
        """Show the hand on the way to a move; what comes too late or leads nowhere shows the present hand."""
        seat = await self._seat(match, answer.interaction.user.id)
        async with self.showing.held(match, "hand", seat):
            look = await self.matches.look(match)
            open_now = look.decisions().get(seat)
            page: Page | None = None
            why: Stale | IllegalMove = Stale()
            if open_now is not None and open_now.number == decision:
                try:
                    reader = await self.showing.readers.of(look, seat)
                    page = await drawn(draw, look, seat, await self.showing.setting(look), reader)
                except IllegalMove as refused:
                    why = refused
            if page is None:
                await self.redraw(answer, match, seat, why)
                return
            message = answer.interaction.message
            snapshot = message is None or message.flags.ephemeral or not _private(answer.interaction)
            await self._privately(answer, self.showing.snapshots.dated(page) if snapshot else page)

    async def command(self, answer: Answer, match: str, typed: str) -> None:
        """A move by a slash command, in the notation or in words; answered in a line, for the hand shows the rest."""
        if await self.matches.made(match, answer.click):  # Discord has told of it twice
            answer.saved = True
            await self.hand(answer, match)
            return
        look, user = await self.matches.look(match), answer.interaction.user.id
        seat, screen = look.info.seat_of(user), self.screens[look.info.game]
        decision = None if seat is None else look.decisions().get(seat)
        if seat is None or decision is None:
            await self.matches.play(match, user, None, typed, click=answer.click)  # which says why that cannot be
            await self.hand(answer, match)
            return
        notation = await drawn(spoken.meant, look, seat, screen, typed)
        await self._moving(look, seat)
        try:
            await self.matches.play(match, user, decision.number, notation, click=answer.click)
        except Stale as late:
            await self.redraw(answer, match, seat, late)
        except IllegalMove as refused:
            if refused.rule is None:
                raise
            await answer.page(Page(refusals.told(look.game, refused)))
        else:
            answer.saved = True
            said = await drawn(spoken.done, look, seat, screen, notation)
            shown = await self.keeper.shows(match, seat)
            press = () if shown else rows((table_press(match, "Show my hand", "hand"),))
            await answer.page(Page((Text(said), *press)))

    async def hand(self, answer: Answer, match: str) -> None:
        """The asker's hand, for their eyes only."""
        seat = await self._seat(match, answer.interaction.user.id)
        look = await self.matches.look(match)
        reader = await self.showing.readers.of(look, seat)
        page = await self.showing.drawings.hand(look, seat, await self.showing.setting(look), reader)
        await answer.page(self.showing.snapshots.dated(page))
        if look.info.status in LIVE:
            self.showing.snapshots.follow(match, seat, Snapshot(answer.interaction, page.digest))

    async def sheet(self, answer: Answer, match: str) -> None:
        """The score sheet."""
        look = await self.matches.look(match)
        await answer.page(await drawn(pages.sheet, look, self.screens[look.info.game]))

    async def words(self, answer: Answer, match: str) -> None:
        """The asker's hand in words, or the table for whoever has none."""
        look = await self.matches.look(match)
        seat = look.info.seat_of(answer.interaction.user.id)
        await answer.page(await drawn(pages.words, look, seat, await self.showing.setting(look)))

    async def status(self, answer: Answer, match: str) -> None:
        """How the match stands, as a spectator sees it; messages that are gone, or were given up, are posted again."""
        look = await self.matches.look(match)
        await answer.page(await drawn(pages.status, look, await self.showing.setting(look)))
        await self.keeper.make_sure(match)

    async def more(self, answer: Answer, match: str) -> None:
        """What else can be done."""
        look = await self.matches.look(match)
        await answer.page(self._menu(look, answer))

    async def go_on(self, answer: Answer, match: str, said: str) -> None:
        """Say something above the menu that was clicked, which then offers what can be done now; else just say it."""
        if answer.own:
            look = await self.matches.look(match)
            await answer.update(pages.noted(self._menu(look, answer), texts((said,))))
        else:
            await answer.say(said)

    def _menu(self, look: Look, answer: Answer) -> Page:
        """What else the asker can do."""
        return menus.menu(look, answer.interaction.user.id, self.screens[look.info.game])

    async def keep(self, answer: Answer, match: str) -> None:
        """The menu again, in place of a question."""
        await self.go_on(answer, match, "The match stays as it is.")

    async def _ask(self, answer: Answer, question: Page) -> None:
        """Ask in place of the menu that was clicked, or in a message of its own."""
        await (answer.update(question) if answer.own else answer.page(question))

    async def _put_away(self, answer: Answer, said: str) -> None:
        """Say it in place of the menu or question that was clicked, or in a message of its own."""
        await (answer.update(menus.past(said)) if answer.own else answer.say(said))

    # Being away

    async def here(self, answer: Answer, match: str) -> None:
        """Somebody who was away takes their seat back, and has their hand."""
        if not await self.back_if_away(answer.interaction.user.id, match, answer.click):
            await self._seat(match, answer.interaction.user.id)
            raise Refused("The computer does not play for you: your seat is yours.")
        answer.saved = True
        async with self.showing.held(match, "hand", await self._seat(match, answer.interaction.user.id)):
            await (self.back if _private(answer.interaction) else self.hand)(answer, match)

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
        await self._seat(match, answer.interaction.user.id)
        if look.info.status is Status.LOBBY:
            await self.leave(answer, match)
        else:
            await self._ask(answer, menus.leaving(look))

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
        going = "The match goes on." if info.status is Status.RUNNING else pages.escaped(info).reason
        said = f"The seat is yours, and so is its hand. {going}"
        await (answer.update(menus.past(said)) if answer.in_private else self.go_on(answer, match, said))
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
        said = f"{happened} {going.get(info.status) or standing(pages.escaped(info))}"
        await self.showing.notices.tell(info, said, click)

    async def active(self, user: int, match: str) -> None:
        """Whoever does something in a match is there: they are called once they have done nothing for a while."""
        with suppress(Refused, StoreFailure):
            seat = (await self.matches.look(match)).info.seat_of(user)
            if seat is not None:
                self.showing.calls.drop(match, seat)
                if await self.matches.active(match, seat):
                    self.due_changed()

    async def admit(self, asker: discord.Interaction, match: str) -> None:
        """Let somebody at a match: in its own server everybody; elsewhere those alone who sit there, or did."""
        info = (await self.matches.look(match)).info
        if asker.guild_id != info.place.guild and all(seat.user != asker.user.id for seat in info.seats):
            raise Refused("There is no such match here.")

    # Inside

    async def _moving(self, look: Look, seat: int) -> None:
        """Somebody is about to move; where that ends their being new to the game, all their hands are looked at."""
        for match in await self.showing.readers.moving(look, seat):
            self.keeper.wake(match)

    async def _seat(self, match: str, user: int) -> int:
        """The user's seat in a match."""
        info = (await self.matches.look(match)).info
        seat = info.seat_of(user)
        if seat is None:
            where = "join here" if info.status is Status.LOBBY else "watch here"
            if info.status in LIVE and any(seat.gone for seat in info.seats):
                where += ", or press ⋯ to take a seat"
            raise Refused(f"You are not sitting at this table, so there is no hand to show. You may {where}.")
        return seat

    async def redraw_lobby(self, answer: Answer, match: str) -> None:
        """Answer a click on a lobby with the lobby as it is now; a command with a sentence."""
        look = await self.matches.look(match)
        async with self.showing.held(match, "lobby"):
            page = pages.lobby(look, await self.showing.setting(look))
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


def _private(interaction: discord.Interaction) -> bool:
    """Whether the asker alone sees the message that was clicked; its custom_id, which can be forged, does not tell."""
    message = interaction.message
    return message is not None and (message.flags.ephemeral or interaction.guild_id is None)
