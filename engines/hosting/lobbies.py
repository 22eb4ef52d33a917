"""Lobbies: opened, filled, given their options, and started or closed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from engines.hosting.due_times import LOBBY_SECONDS, opened
from engines.hosting.match import Match, Refused, standing
from engines.hosting.match_changes import NOT_WRITTEN, UNSURE_TRIES, Edit, Editing, hosted, live
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.forgetting import Records
from engines.store.match_store import (
    Change,
    Conflict,
    Crowded,
    Info,
    Limits,
    Place,
    Seat,
    Status,
    StoreFailure,
    Uncertain,
)
from engines.store.server_settings import Server
from engines.store.table_options import HOUSE, USUAL, House, changed, valid

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
COMPUTERS = ("Feste", "Trinculo", "Pierrot", "Stańczyk", "Yorick", "Zanni", "Rigoletto", "Tarlo")
"""What computers are called: more names than there are seats, should people be called like that."""
NO_COMPUTERS = "In this server computers do not sit down at tables: whoever manages it has chosen so."
NEWER_CLOCK = (
    "This server's clock for new tables is one of a newer version of me: I am being updated. Please try again in a few "
    "minutes, or choose a clock yourself."
)
FRESH_SECONDS = 10  # for which a change of the options may not have been noticed


def fresh_id() -> str:
    """A new match id: eight letters and digits that are not mistaken for one another."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(8))


class TooManyLobbies(Refused):
    """No more lobbies may be open there; `lobbies` are those in the way, newest first."""

    def __init__(self, sentence: str, lobbies: list[Info]) -> None:
        super().__init__(sentence)
        self.lobbies = lobbies


class Elsewhere(Refused):
    """No table may be opened there; `channels` are those in which one may be."""

    def __init__(self, channels: frozenset[int]) -> None:
        super().__init__("Tables may not be opened in this channel.")
        self.channels = channels


class Hasty(Refused):
    """A start so soon after a change of the options that it has to be confirmed, with the `stamp` of what they are."""

    def __init__(self) -> None:
        super().__init__("The options were changed only just now. Look at them, and press Start once more.")


class Lobbies(Editing):
    """All that happens to a match before it runs."""

    def __init__(
        self,
        store: Records,
        games: Mapping[str, AnyGame],
        clock: Callable[[], int],
        *,
        seed: Callable[[], Chance] = Chance.fresh,
        new_id: Callable[[], str] = fresh_id,
        limits: Limits | None = None,
    ) -> None:
        super().__init__(store, games, clock)
        self._seed = seed
        self._new_id = new_id
        self.limits = limits or Limits()  # those of the bot: a server may allow less

    async def server(self, guild: int) -> Server:
        """What a server has chosen for its tables."""
        return await self._store.server(guild)

    async def arrange(self, guild: int, change: Callable[[Server], Server]) -> Server:
        """Change that, for whoever manages the server. What it is then; its lobbies show it."""
        server = await self._store.arrange(guild, change)
        for info in await self._lobbies(guild):
            self.changed(info.id)
        return server

    async def open(
        self,
        game: AnyGame,
        options: Any,
        place: Place,
        host: Seat,
        *,
        house: House = USUAL,
        computers: tuple[Seat, ...] = (),
        follows: str = "",
        within: int = 0,
        click: int = 0,
    ) -> Info:
        """A new lobby with its host in the first seat, and these computers, where the server has them sit down.

        The place may be a thread `within` a channel. Raises Refused, Elsewhere and TooManyLobbies.
        """
        server = await self.server(place.guild)
        if server.newer and house.clock == server.clock:
            raise Refused(NEWER_CLOCK)
        try:
            options, house = game.valid(options), valid(house)
        except ValueError as error:
            raise Refused(str(error)) from None
        if not server.opens(place.channel, within):
            raise Elsewhere(server.channels)
        now = self._clock()
        info = Info(
            id=self._new_id(),
            game=game.key,
            rules=game.version,
            options=game.settings.dump_json(options).decode(),
            status=Status.LOBBY,
            host=host.user,
            place=place,
            seats=(host, *(computers if server.computers else ())),
            created=now,
            changed=now,
            follows=follows,
            house=house,
        )
        try:
            due = await self._insert(info, self.limits.within(server), click)
        except Crowded as crowded:
            raise await self._too_many(info, crowded) from None
        except Conflict:
            if click and (made := await self._store.opened(click)):  # Discord has told of it twice
                return (await self.look(made)).info
            raise
        held = Match(game, info, options)
        held.clicks.append(click)
        self._keep(held)
        if due is not None:
            self.due_from(due)
        self.changed(info.id)
        return info

    async def _insert(self, info: Info, limits: Limits, click: int) -> int | None:
        """Keep a new lobby. Once more where it is not known what was written, and it turns out that nothing was."""
        for _ in range(UNSURE_TRIES):
            try:
                return await self._store.insert(info, info.host, limits, opened(info), click)
            except Uncertain as why:
                if await self._inserted(info.id, why):
                    return 0
        raise StoreFailure(NOT_WRITTEN)

    async def _inserted(self, match: str, why: Uncertain) -> bool:
        """Whether a lobby was kept of which that is not certain. Raises Uncertain where the store cannot be asked."""
        try:
            return await self._store.revision(match) is not None
        except StoreFailure:
            self.changed(match)  # what shows it asks until there is an answer
            raise why from None

    async def join(self, match: str, user: int, name: str, *, click: int = 0) -> Info:
        """Take a place in a lobby: a free one, else that of the last computer."""

        def edit(held: Match) -> Edit:
            info = _lobby(held)
            if info.seat_of(user) is not None:
                raise Refused("You have already joined.")
            seats = info.seats if len(info.seats) < held.game.seats[-1] else _without_computer(info.seats)
            if len(seats) >= held.game.seats[-1]:
                raise Refused(f"All {held.game.seats[-1]} places are taken. You are welcome to watch.")
            return self._edit(held, "join", user, seats=(*seats, Seat(user, name)))

        return await self._change(match, edit, click)

    async def add_computers(self, match: str, user: int, level: str, *, click: int = 0) -> Info:
        """The host has the computer sit down: at as many seats as it takes to start, or at one more where it does."""
        if not (await self.server((await self.look(match)).info.place.guild)).computers:
            raise Refused(NO_COMPUTERS)

        def edit(held: Match) -> Edit:
            info = hosted(_lobby(held), user)
            free = held.game.seats[-1] - len(info.seats)
            if not free:
                raise Refused(f"All {held.game.seats[-1]} places are taken.")
            taken = {seat.name for seat in info.seats}
            names = [name for name in COMPUTERS if name not in taken][: max(1, held.game.seats[0] - len(info.seats))]
            return self._edit(
                held, "computers", user, seats=(*info.seats, *(Seat(0, name, level=level) for name in names))
            )

        return await self._change(match, edit, click)

    async def remove_computer(self, match: str, user: int, *, click: int = 0) -> Info:
        """The host has the computer that sat down last get up."""

        def edit(held: Match) -> Edit:
            info = hosted(_lobby(held), user)
            seats = _without_computer(info.seats)
            if seats == info.seats:
                raise Refused("No computer sits at this table.")
            return self._edit(held, "computers", user, seats=seats)

        return await self._change(match, edit, click)

    async def hand_over(self, match: str, user: int, to: int, *, click: int = 0) -> Info:
        """The host makes somebody else at the table the host."""
        guild = (await self.look(match)).info.place.guild
        limits = self.limits.within(await self.server(guild))
        going = [info for info in await self._store.find(guild=guild) if info.host == to and info.id != match]
        own = [info for info in going if info.status is Status.LOBBY]
        full = len(own) >= limits.person
        if limits.own_tables is not None and len(going) >= limits.own_tables:
            own, full = going, True

        def edit(held: Match) -> Edit:
            live(held.info)
            hosted(held.info, user)
            if held.info.seat_of(to) is None:
                raise Refused("Only somebody at the table can be the host.")
            if to == user:
                raise Refused("You are the host already.")
            if full and held.info.status is Status.LOBBY:
                raise Refused(f"They are host of {len(own)} open tables here already, and nobody may have more.")
            return self._edit(held, "hand over", user, host=to)

        return await self._change(match, edit, click)

    async def choose(self, match: str, user: int, option: str, value: str, *, click: int = 0) -> Info:
        """The host changes one of the options."""

        def edit(held: Match) -> Edit:
            hosted(_lobby(held), user)
            try:
                options, house = changed(held.game, held.options, held.info.house, option, value)
            except ValueError as error:
                raise Refused(str(error)) from None
            if (options, house) == (held.options, held.info.house):
                raise Refused("The options are like that already.")
            text = held.game.settings.dump_json(options).decode()
            made = self._edit(held, "options", user, options=text, house=house, chosen=self._clock())
            return replace(made, options=options)

        return await self._change(match, edit, click)

    async def cancel(self, match: str, user: int, *, click: int = 0) -> Info:
        """The host closes the lobby."""

        def edit(held: Match) -> Edit:
            hosted(_lobby(held), user)
            return self._edit(held, "cancel", user, status=Status.CANCELLED)

        return await self._change(match, edit, click)

    async def expire(self, match: str) -> Info:
        """Close a lobby that is a day old."""

        def edit(held: Match) -> Edit:
            if self._clock() < _lobby(held).created + LOBBY_SECONDS:
                raise Refused("This lobby is still young.")
            return self._edit(held, "expire", 0, status=Status.EXPIRED)

        return await self._change(match, edit)

    async def lose(self, match: str) -> Info:
        """Close a lobby whose channel is gone, so that nobody can join or start it any more."""

        def edit(held: Match) -> Edit:
            _lobby(held)
            return self._edit(held, "cancel", 0, status=Status.CANCELLED, reason="Its channel was deleted.")

        return await self._change(match, edit)

    async def start(self, match: str, user: int, sure: str = "", *, click: int = 0) -> Info:
        """The host starts the game with those who have joined. Raises Hasty unless `sure` is the options' stamp where
        they were changed within ten seconds and other people have joined, or where it is that of others.
        """

        def edit(held: Match) -> Edit:
            info = hosted(_lobby(held), user)
            if len(info.seats) < held.game.seats[0]:
                raise Refused(f"{held.game.title} needs at least {held.game.seats[0]} players; {_count(info)} so far.")
            others = any(seat.here and seat.user != user for seat in info.seats)  # who may not have seen a change
            fresh = others and bool(info.chosen) and self._clock() <= info.chosen + FRESH_SECONDS
            if (fresh or sure) and sure != stamp(info):
                raise Hasty
            chance = self._seed()
            seed = chance.seed
            try:
                state = held.game.start(len(info.seats), held.options, chance)
            except ValueError as error:
                raise Refused(str(error)) from None
            text = held.game.checkpoints.dump_json(state).decode()
            change = Change(
                held.after(self._clock(), status=Status.RUNNING),
                "start",
                user,
                checkpoint=text,
                base=text,
                seed=seed,
            )
            return Edit(change, state)

        return await self._change(match, edit, click)

    # Inside

    async def _lobbies(self, guild: int) -> list[Info]:
        return await self._store.find(statuses=frozenset({Status.LOBBY}), guild=guild)

    async def _too_many(self, info: Info, crowded: Crowded) -> TooManyLobbies:
        """Why that lobby is not opened."""
        going = crowded.going
        found = await self._store.find(guild=info.place.guild) if going else await self._lobbies(info.place.guild)
        if crowded.person:
            own = [other for other in found if other.host == info.host]
            said = f"You are host of {_tables(own, going)} in this server, and nobody may have more at once."
            do = "Play one of them to its end first" if going else "Start one of them first"
            return TooManyLobbies(f"{said} {do}, or cancel it under ⋯.", own)
        are = "is" if len(found) == 1 else "are"
        said = f"There {are} {_tables(found, going)} in this server, and there may not be more at once."
        do = "wait until a match is over" if going else "have its host start or cancel it first"
        return TooManyLobbies(f"{said} Join one of them, or {do}.", found)


def stamp(info: Info) -> str:
    """A short word for the options of a match: what somebody who confirms them has read."""
    return blake2b(info.options.encode() + HOUSE.dump_json(info.house), digest_size=4).hexdigest()


def _lobby(held: Match) -> Info:
    if held.info.status is not Status.LOBBY:
        running = held.info.status in (Status.RUNNING, Status.PAUSED)
        raise Refused("The match has already started." if running else standing(held.info), names=True)
    return held.info


def _without_computer(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Without the computer that sat down last, where there is one."""
    last = max((number for number, seat in enumerate(seats) if not seat.user), default=None)
    return seats if last is None else (*seats[:last], *seats[last + 1 :])


def _tables(found: list[Info], going: bool) -> str:
    """`1 open table`, `2 tables, with the matches that go on,`."""
    tables = "table" if len(found) == 1 else "tables"
    return f"{len(found)} {tables}, with the matches that go on," if going else f"{len(found)} open {tables}"


def _count(info: Info) -> str:
    return "1 has joined" if len(info.seats) == 1 else f"{len(info.seats)} have joined"
