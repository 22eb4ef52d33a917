"""Creates, finds, plays and resumes matches. Nothing else changes one."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from engines import record
from engines.chance import Chance
from engines.game import AnyGame, Event
from engines.loading import Loading
from engines.match import Look, Match, Refused, Told, standing
from engines.store import LIVE, Change, Conflict, Gone, Info, Place, Seat, Status, Store

T = TypeVar("T")
ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
LOBBY_SECONDS = 24 * 60 * 60


def fresh_id() -> str:
    """A new match id: eight letters and digits that are not mistaken for one another."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(8))


@dataclass(frozen=True, slots=True)
class Edit:
    """What an edit of a match comes to: the change to commit and, where the game moved on, its state and events."""

    change: Change
    state: Any = None
    events: tuple[Event, ...] = ()


class Matches:
    """All matches of one store. Edits of one match come one after the other; of different ones, side by side.

    A change counts when it is committed: a failing store leaves the match as it was. `changed` is called with the id
    after every commit. Raises Refused, Stale, IllegalMove (the asker's to read) and StoreFailure (nothing was written).
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        clock: Callable[[], int],
        *,
        seed: Callable[[], Chance] = Chance.fresh,
        new_id: Callable[[], str] = fresh_id,
    ) -> None:
        self._store = store
        self._loading = Loading(store, games, clock)
        self._clock = clock
        self._seed = seed
        self._new_id = new_id
        self._held: dict[str, Match] = {}
        self.changed: Callable[[str], None] = lambda match: None

    # Finding

    async def look(self, match: str) -> Look:
        """The match as it is now. Raises Refused where there is none."""
        held = await self._get(match)
        if held.info.status not in LIVE:
            self.forget(match)  # nothing more will happen in it
        return held.look()

    async def find(
        self, *, statuses: frozenset[Status] = LIVE, guild: int | None = None, user: int | None = None
    ) -> list[Info]:
        """The matches with one of the statuses, newest first: of a guild, of a user who holds a seat, or all."""
        return await self._store.find(statuses=statuses, guild=guild, user=user)

    async def resume(self) -> list[Info]:
        """Load every live match, as after a restart; a damaged one is reported and set aside, the others run."""
        live = await self._store.find(statuses=LIVE)
        return [(await self._get(info.id)).info for info in live]

    async def record(self, match: str) -> str:
        """The readable record of a match that was played to its end; of no other, since it tells the seed.

        Empty for a match whose rules changed on the way: no one set of rules replays it.
        """
        saved = await self._store.load(match)
        if saved is None or saved.info.status is not Status.OVER:
            raise Refused("There is a record once the match is over.")
        if saved.base_moves:
            return ""
        info = saved.info
        return record.write(
            record.Record(
                info.game,
                info.rules,
                len(info.seats),
                info.options,
                saved.seed,
                tuple(record.Made(move.seat, move.notation) for move in saved.moves),
                (await self.look(match)).outcome(),
                tuple(seat.name for seat in info.seats),
            )
        )

    # The lobby

    async def open(self, game: AnyGame, options: Any, place: Place, host: Seat) -> Info:
        """A new lobby with its host in the first seat. Raises Refused for options that cannot be."""
        try:
            options = game.valid(options)
        except ValueError as error:
            raise Refused(str(error)) from None
        now = self._clock()
        info = Info(
            id=self._new_id(),
            game=game.key,
            rules=game.version,
            options=game.settings.dump_json(options).decode(),
            status=Status.LOBBY,
            host=host.user,
            place=place,
            seats=(host,),
            created=now,
            changed=now,
        )
        await self._store.insert(info, host.user)
        self._held[info.id] = Match(game, info, options)
        self.changed(info.id)
        return info

    async def join(self, match: str, user: int, name: str) -> Info:
        """Take a place in a lobby."""

        def edit(held: Match) -> Edit:
            info = _lobby(held)
            if info.seat_of(user) is not None:
                raise Refused("You have already joined.")
            if len(info.seats) >= held.game.seats[-1]:
                raise Refused(f"All {held.game.seats[-1]} places are taken. You are welcome to watch.")
            return self._edit(held, "join", user, seats=(*info.seats, Seat(user, name)))

        return await self._change(match, edit)

    async def leave(self, match: str, user: int) -> Info:
        """Leave: a lobby frees the place, a running match is paused. The host's part passes to the next one there."""

        def edit(held: Match) -> Edit:
            seat = _seated(held.info, user)
            if held.info.status is not Status.LOBBY:
                return self._vacate(held, seat, "left", user)
            rest = tuple(other for other in held.info.seats if other.user != user)
            if not rest:
                return self._edit(held, "cancel", user, status=Status.CANCELLED, reason="Everybody has left.")
            host = held.info.host if held.info.host != user else rest[0].user
            return self._edit(held, "leave", user, seats=rest, host=host)

        return await self._change(match, edit)

    async def hand_over(self, match: str, user: int, to: int) -> Info:
        """The host makes somebody else at the table the host."""

        def edit(held: Match) -> Edit:
            _live(held.info)
            _host(held.info, user)
            if held.info.seat_of(to) is None:
                raise Refused("Only somebody at the table can be the host.")
            return self._edit(held, "hand over", user, host=to)

        return await self._change(match, edit)

    async def cancel(self, match: str, user: int) -> Info:
        """The host closes the lobby."""

        def edit(held: Match) -> Edit:
            _host(_lobby(held), user)
            return self._edit(held, "cancel", user, status=Status.CANCELLED)

        return await self._change(match, edit)

    async def expire(self, match: str) -> Info:
        """Close a lobby that is a day old."""

        def edit(held: Match) -> Edit:
            if self._clock() < _lobby(held).created + LOBBY_SECONDS:
                raise Refused("This lobby is still young.")
            return self._edit(held, "expire", 0, status=Status.EXPIRED)

        return await self._change(match, edit)

    async def start(self, match: str, user: int) -> Info:
        """The host starts the game with those who have joined."""

        def edit(held: Match) -> Edit:
            info = _host(_lobby(held), user)
            if len(info.seats) < held.game.seats[0]:
                raise Refused(f"{held.game.title} needs at least {held.game.seats[0]} players; {_count(info)} so far.")
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

        return await self._change(match, edit)

    async def settle(self, match: str, thread: int) -> Info:
        """Note the thread that the match has got."""

        def edit(held: Match) -> Edit:
            return self._edit(held, "settle", 0, place=replace(held.info.place, thread=thread))

        return await self._change(match, edit)

    # The game

    async def play(self, match: str, user: int, decision: int | None, notation: str) -> Info:
        """Make a move for the user's seat. `decision` is the number it answers; None: whichever is open."""

        def edit(held: Match) -> Edit:
            change, state, events = held.draft(user, decision, notation, self._clock())
            return Edit(change, state, tuple(events))

        return await self._change(match, edit)

    # Leaving, ending, coming in

    async def take_seat(self, match: str, user: int, name: str) -> Info:
        """Take the first empty seat of a paused match, and its hand; with none left empty it goes on."""

        def edit(held: Match) -> Edit:
            info = held.info
            if info.status is not Status.PAUSED:
                raise Refused("There is no empty seat at this table." if info.status in LIVE else standing(info))
            if info.seat_of(user) is not None:
                raise Refused("You already sit at this table.")
            if any(seat.user == user and seat.gone == "removed" for seat in info.seats):
                raise Refused("An admin has removed you from this match, so you cannot come back to it.")
            own = [i for i, seat in enumerate(info.seats) if seat.gone and seat.user == user]
            empty = own[0] if own else next(i for i, seat in enumerate(info.seats) if seat.gone)
            seats = _with_seat(info, empty, Seat(user, name))
            gone = [seat for seat in seats if seat.gone]
            status = Status.PAUSED if gone else Status.RUNNING
            return self._edit(held, "take seat", user, seats=seats, status=status, reason=_missing(gone), votes=())

        return await self._change(match, edit)

    async def vote_end(self, match: str, user: int) -> Info:
        """Vote for ending the match without a result; more than half of those still there decide."""

        def edit(held: Match) -> Edit:
            info = held.info
            _seated(info, user)
            if info.status is Status.LOBBY:
                raise Refused("The match has not started yet; its host can cancel it.")
            if user in info.votes:
                raise Refused("You have already voted to end this match.")
            votes = (*info.votes, user)
            here = [seat for seat in info.seats if not seat.gone]
            if 2 * len(votes) <= len(here):
                return self._edit(held, "vote end", user, votes=votes)
            return self._edit(held, "end", user, votes=votes, status=Status.ENDED, reason=_by_vote(votes, here))

        return await self._change(match, edit)

    async def remove(self, match: str, user: int, by: int) -> Info:
        """An admin takes somebody out: of a lobby, or of a running match, which is paused then."""

        def edit(held: Match) -> Edit:
            _live(held.info)
            seat = held.info.seat_of(user)
            if seat is None:
                raise Refused("That person does not sit at this table.")
            if held.info.status is not Status.LOBBY:
                return self._vacate(held, seat, "removed", by)
            rest = tuple(other for other in held.info.seats if other.user != user)
            if not rest:
                return self._edit(held, "remove", by, status=Status.CANCELLED, reason="An admin removed its host.")
            return self._edit(held, "remove", by, seats=rest, host=rest[0].user)

        return await self._change(match, edit)

    async def reset(self, match: str, by: int) -> Info:
        """An admin ends a match, whatever it is at."""

        def edit(held: Match) -> Edit:
            if held.info.status not in LIVE | {Status.ASIDE}:
                raise Refused(standing(held.info))
            return self._edit(held, "reset", by, status=Status.RESET)

        return await self._change(match, edit)

    def forget(self, match: str) -> None:
        """Keep a match no longer in memory, unless somebody is about to change it."""
        held = self._held.get(match)
        if held is not None and not held.lock.locked():
            del self._held[match]

    # Inside

    def _edit(self, held: Match, action: str, by: int, **changes: Any) -> Edit:
        """An edit of the header alone."""
        return Edit(Change(held.after(self._clock(), **changes), action, by))

    def _vacate(self, held: Match, seat: int, gone: Gone, by: int) -> Edit:
        """Empty a seat of a started match: paused, or ended where nobody is left."""
        info = held.info
        seats = _with_seat(info, seat, replace(info.seats[seat], gone=gone))
        here = [other for other in seats if not other.gone]
        action = "leave" if gone == "left" else "remove"
        if not here:
            reason = "Everybody has left."
            return self._edit(held, action, by, seats=seats, status=Status.ENDED, reason=reason, votes=())
        host = info.host if any(other.user == info.host for other in here) else here[0].user
        reason = _missing([other for other in seats if other.gone])
        return self._edit(held, action, by, seats=seats, host=host, status=Status.PAUSED, reason=reason, votes=())

    async def _change(self, match: str, edit: Callable[[Match], Edit]) -> Info:
        """Edit a match under its lock: worked out, committed, then true."""
        try:
            info = await self._edit_once(match, edit)
        except Conflict:
            info = await self._edit_once(match, edit)  # somebody else wrote: it was let go, and is read anew
        self.changed(match)
        return info

    async def _edit_once(self, match: str, edit: Callable[[Match], Edit]) -> Info:
        held = await self._get(match)
        async with held.lock:
            if self._held.get(match) is not held:
                raise Conflict("The match was read anew meanwhile.")
            done = edit(held)
            await self._safely(match, self._store.commit(done.change))
            held.info = done.change.info
            if done.state is not None:
                held.state = done.state
                held.told += [Told(held.info.moves, event) for event in done.events]
            if done.change.move is not None:
                held.movers.append(done.change.move.seat)
            return held.info

    async def _safely(self, match: str, commit: Awaitable[T]) -> T:
        """Await a commit; where it is not certain what was written, let the match go, so that it is read anew."""
        done = False
        try:
            result = await commit
            done = True
        finally:
            if not done:
                self._held.pop(match, None)
        return result

    async def _get(self, match: str) -> Match:
        """The match, from memory or from the store."""
        held = self._held.get(match)
        if held is None:
            loaded = await self._loading.load(match)
            held = self._held.setdefault(match, loaded)  # whoever was first keeps the lock that counts
        return held


def _lobby(held: Match) -> Info:
    if held.info.status is not Status.LOBBY:
        running = held.info.status in (Status.RUNNING, Status.PAUSED)
        raise Refused("The match has already started." if running else standing(held.info))
    return held.info


def _live(info: Info) -> Info:
    if info.status not in LIVE:
        raise Refused(standing(info))
    return info


def _seated(info: Info, user: int) -> int:
    _live(info)
    seat = info.seat_of(user)
    if seat is None:
        raise Refused("You are not sitting at this table.")
    return seat


def _host(info: Info, user: int) -> Info:
    if info.host != user:
        name = next((seat.name for seat in info.seats if seat.user == info.host), "somebody else")
        raise Refused(f"Only the host can do that; the host is {name}.")
    return info


def _count(info: Info) -> str:
    return "1 has joined" if len(info.seats) == 1 else f"{len(info.seats)} have joined"


def _with_seat(info: Info, number: int, seat: Seat) -> tuple[Seat, ...]:
    return (*info.seats[:number], seat, *info.seats[number + 1 :])


def _missing(gone: list[Seat]) -> str:
    """Why a match waits, by who is missing."""
    return " ".join(f"{seat.name} {'left' if seat.gone == 'left' else 'was removed by an admin'}." for seat in gone)


def _by_vote(votes: tuple[int, ...], here: list[Seat]) -> str:
    return f"{len(votes)} of {len(here)} players voted for that."
