"""Opens, fills, configures, starts and closes lobbies."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from engines.hosting.feature import table_options_of
from engines.hosting.match import Match, MatchEdit, RequestRefused, status_sentence
from engines.hosting.match_changes import (
    NOT_WRITTEN,
    UNCERTAIN_TRIES,
    EditSummary,
    MatchEditor,
    require_host,
    require_live,
)
from engines.hosting.matches.rests import with_rest
from engines.hosting.records import deal
from engines.hosting.timing.due_times import LOBBY_SECONDS, lobby_due_rules
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.options import PRESET, has_preset, preset_option_names
from engines.store.characters import characters_for
from engines.store.match_store import (
    NO_LAST_CUT_YET,
    Change,
    MatchInfo,
    Place,
    Seat,
    Status,
    StoreFailure,
    TableLimitReached,
    TableLimits,
    UncertainWrite,
    WriteConflict,
)
from engines.store.server_settings import ServerSettings
from engines.store.table_options import (
    DEFAULT_TABLE_OPTIONS,
    TableOptions,
    change_any_option,
    format_table_options,
    validate_table_options,
)

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
NO_COMPUTERS = "Computers cannot join tables on this server. The people who manage it have turned them off."
FIXED_RULES = (
    "{title} tables on this server play the *{preset}* rules. The people who manage it have chosen them, so these "
    "options cannot be changed: {names}."
)
NEWER_CLOCK = (
    "I am being updated, and have not loaded this server's settings yet. Please try again in a few "
    "minutes, or choose a clock yourself."
)
NOT_BEGUN = (
    "This practice match could not start from the chosen move. Go back to that move in the replay and "
    "press **Play from here**."
)
NO_GUESTS = "This is a practice match of one person against computers, so nobody can join."
CONFIRM_SECONDS = 10  # seconds during which players may not have noticed a change of the options


def new_match_id() -> str:
    """Return a new match id: eight letters and digits that are hard to confuse."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(8))


@dataclass(frozen=True, slots=True)
class MatchSources:
    """Where new matches have their secrets, ids and chance from. A `new_chance` takes the place of sealed deals."""

    new_secret: Callable[[], str] = deal.new_secret
    new_id: Callable[[], str] = new_match_id
    new_chance: Callable[[], Chance] | None = None


class TooManyLobbies(RequestRefused):
    """Too many lobbies are open there. `lobbies` are the ones in the way, newest first."""

    def __init__(self, sentence: str, lobbies: list[MatchInfo]) -> None:
        super().__init__(sentence)
        self.lobbies = lobbies


class ChannelNotAllowed(RequestRefused):
    """Tables may not be opened in this channel. `channels` are the ones where they may."""

    def __init__(self, channels: frozenset[int]) -> None:
        super().__init__("You cannot open tables in this channel.")
        self.channels = channels


class UnconfirmedStart(RequestRefused):
    """The options changed so recently that the host must confirm the start. `stamp` identifies the current options."""

    def __init__(self) -> None:
        super().__init__("The options have just changed. Look at them, and press Start again.")


class Lobbies:
    """Handles everything that happens to a match before it starts."""

    def __init__(
        self,
        editor: MatchEditor,
        limits: TableLimits,
        sources: MatchSources,
    ) -> None:
        self._editor = editor
        self.table_options = table_options_of(editor.features)
        self.limits = limits  # the bot's own limits; a server may set lower ones
        self._sources = sources

    async def server_settings(self, guild: int) -> ServerSettings:
        """Return the settings of a server for its tables."""
        return await self._editor.store.server_settings(guild)

    async def change_server_settings(
        self, guild: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change the settings of a server and return the new ones. The server's lobbies are updated too."""
        server = await self._editor.store.change_server_settings(guild, change)
        for info in await self._server_lobbies(guild):
            self._editor.on_changed(info.id)
        return server

    async def open_lobby(
        self,
        game: AnyGame,
        options: Any,
        place: Place,
        host: Seat,
        *,
        table_options: TableOptions = DEFAULT_TABLE_OPTIONS,
        computers: tuple[Seat, ...] = (),
        follows: str = "",
        practice: bool = False,
        parent_channel: int = 0,
        click: int = 0,
    ) -> MatchInfo:
        """Open a lobby with its host in the first seat, and with these computers if the server allows them.

        With `practice`, nobody else can join. Its deal is not sealed and its rules are not the server's, because its
        cards and rules are those of another match.
        The place may be a thread in `parent_channel`. Raises RequestRefused, ChannelNotAllowed and TooManyLobbies.
        """
        host = await with_rest(self._editor, host)
        server = await self.server_settings(place.guild)
        if server.is_newer and table_options.clock == server.clock:
            raise RequestRefused(NEWER_CLOCK)
        try:
            options = game.validate_options(options)
            table_options = validate_table_options(replace(table_options, known=self.table_options))
        except ValueError as error:
            raise RequestRefused(str(error)) from None
        if not server.allows_channel(place.channel, parent_channel):
            raise ChannelNotAllowed(server.channels)
        fixed = None if practice else server.fixed_preset(game)
        if fixed is not None and not has_preset(game, options, fixed):
            raise fixed_rules_refusal(game, fixed)
        now, match = self._editor.clock(), self._sources.new_id()
        secret = self._sources.new_secret() if self._sources.new_chance is None and not practice else ""
        info = MatchInfo(
            id=match,
            game=game.key,
            rules=game.version,
            options=game.options_adapter.dump_json(options).decode(),
            status=Status.LOBBY,
            host=host.user,
            place=place,
            seats=(replace(host, cut=_first_cut(click)) if secret else host, *(computers if server.computers else ())),
            created=now,
            changed=now,
            follows=follows,
            table_options=table_options,
            seal=deal.seal_of(secret, match, game.key) if secret else "",
            practice=practice,
        )
        try:
            due = await self._insert_lobby(info, self.limits.for_server(server), click, secret)
        except TableLimitReached as crowded:
            raise await self._limit_refusal(info, crowded) from None
        except WriteConflict:
            if click and (
                opened_match := await self._editor.store.match_opened_by(click)
            ):  # Discord delivered the click twice
                return (await self._editor.cache.get_snapshot(opened_match)).info
            raise
        current = Match(game, info, options)
        current.clicks.append(click)
        self._editor.cache.put(current)
        self._editor.on_edited(EditSummary("new", None, info, game.seats_with(options)[0]))
        if due is not None:
            self._editor.on_due(due)
        self._editor.on_changed(info.id)
        return info

    async def _insert_lobby(self, info: MatchInfo, limits: TableLimits, click: int, secret: str) -> int | None:
        """Insert a new lobby. Retry if the result is uncertain and nothing was written."""
        for _ in range(UNCERTAIN_TRIES):
            try:
                return await self._editor.store.insert(info, info.host, limits, lobby_due_rules(info), click, secret)
            except UncertainWrite as why:
                if await self._is_inserted(info.id, why):
                    return 0
        raise StoreFailure(NOT_WRITTEN)

    async def _is_inserted(self, match: str, error: UncertainWrite) -> bool:
        """Whether a lobby was inserted, after an uncertain result. Raises UncertainWrite if that cannot be read."""
        try:
            return await self._editor.store.revision(match) is not None
        except StoreFailure:
            self._editor.on_changed(match)  # callers retry until there is an answer
            raise error from None

    async def join(self, match: str, user: int, name: str, *, click: int = 0) -> MatchInfo:
        """Take a seat in a lobby: a free one, or else that of the last computer."""
        new = await with_rest(self._editor, Seat(user, name))

        def edit(current: Match) -> MatchEdit:
            info = require_lobby(current)
            if info.seat_of(user) is not None:
                raise RequestRefused("You have already joined.")
            if info.practice:
                raise RequestRefused(NO_GUESTS)
            seats = info.seats if len(info.seats) < current.game.seats[-1] else _remove_last_computer(info.seats)
            if len(seats) >= current.game.seats[-1]:
                raise RequestRefused(f"All {current.game.seats[-1]} seats are taken. You are welcome to watch.")
            seated = replace(new, cut=_first_cut(click)) if info.seal else new
            return self._editor.edit_info(current, "join", user, seats=(*reopen_last_cut(seats), seated))

        return await self._editor.change_match(match, edit, click)

    async def require_computers(self, guild: int) -> None:
        """Raise RequestRefused if a server (0: direct messages) has computers turned off."""
        if guild and not (await self.server_settings(guild)).computers:
            raise RequestRefused(NO_COMPUTERS)

    async def add_computers(self, match: str, user: int, level: str, *, click: int = 0) -> MatchInfo:
        """Add computers for the host: as many as the game needs to start, or one more if it has enough players."""
        await self.require_computers((await self._editor.cache.get_snapshot(match)).info.place.guild)

        def edit(current: Match) -> MatchEdit:
            info = require_host(require_lobby(current), user)
            free = current.game.seats[-1] - len(info.seats)
            if not free:
                raise RequestRefused(f"All {current.game.seats[-1]} seats are taken.")
            missing = current.game.seats_with(current.options)[0] - len(info.seats)
            joining = characters_for(info.id, frozenset(seat.name for seat in info.seats))[: max(1, missing)]
            added = (Seat(0, character.name, level=level) for character in joining)
            return self._editor.edit_info(current, "computers", user, seats=(*reopen_last_cut(info.seats), *added))

        return await self._editor.change_match(match, edit, click)

    async def remove_computer(self, match: str, user: int, *, click: int = 0) -> MatchInfo:
        """Remove the computer that joined last, for the host."""

        def edit(current: Match) -> MatchEdit:
            info = require_host(require_lobby(current), user)
            seats = _remove_last_computer(info.seats)
            if seats == info.seats:
                raise RequestRefused("There is no computer at this table.")
            return self._editor.edit_info(current, "computers", user, seats=reopen_last_cut(seats))

        return await self._editor.change_match(match, edit, click)

    async def hand_over_host(self, match: str, user: int, to: int, *, click: int = 0) -> MatchInfo:
        """Make another player at the table the host."""
        guild = (await self._editor.cache.get_snapshot(match)).info.place.guild
        limits = self.limits.for_server(await self.server_settings(guild))
        hosted = [info for info in await self._editor.store.find(user=to) if info.host == to and info.id != match]
        going = [info for info in hosted if info.place.guild == guild]
        own = [info for info in going if info.status is Status.LOBBY]
        full = len(own) >= limits.per_person
        if limits.tables_per_person is not None and len(going) >= limits.tables_per_person:
            own, full = going, True
        if len(hosted) >= limits.matches_per_person:
            own, full = hosted, True

        def edit(current: Match) -> MatchEdit:
            require_live(current.info)
            require_host(current.info, user)
            if current.info.seat_of(to) is None:
                raise RequestRefused("Only a player at this table can be the host.")
            if to == user:
                raise RequestRefused("You are already the host.")
            if full and current.info.status is Status.LOBBY:
                tables, place = _tables_text(own, False), "" if own is hosted else " here"
                raise RequestRefused(f"They already host {tables}{place}, which is the most anyone may host.")
            return self._editor.edit_info(current, "hand over", user, host=to)

        return await self._editor.change_match(match, edit, click)

    async def change_option(self, match: str, user: int, option: str, value: str, *, click: int = 0) -> MatchInfo:
        """Change one of the options, for the host. If the server fixes a preset, those of its options lead there."""
        snapshot = await self._editor.cache.get_snapshot(match)
        fixed = (await self.server_settings(snapshot.info.place.guild)).fixed_preset(snapshot.game)

        def edit(current: Match) -> MatchEdit:
            require_host(require_lobby(current), user)
            try:
                options, table_options = change_any_option(
                    current.game, current.options, current.info.table_options, option, value
                )
            except ValueError as error:
                raise RequestRefused(str(error)) from None
            if (options, table_options) == (current.options, current.info.table_options):
                raise RequestRefused("The options are already set that way.")
            if fixed is not None and not has_preset(current.game, options, fixed):
                names = preset_option_names(current.game)
                if any(getattr(options, each) != getattr(current.options, each) for each in names):
                    raise fixed_rules_refusal(current.game, fixed)
            text = current.game.options_adapter.dump_json(options).decode()
            edit = self._editor.edit_info(
                current, "options", user, options=text, table_options=table_options, chosen=self._editor.clock()
            )
            return replace(edit, options=options)

        return await self._editor.change_match(match, edit, click)

    async def cancel_lobby(self, match: str, user: int, *, click: int = 0) -> MatchInfo:
        """Close the lobby, for the host."""

        def edit(current: Match) -> MatchEdit:
            require_host(require_lobby(current), user)
            return self._editor.edit_info(current, "cancel", user, status=Status.CANCELLED)

        return await self._editor.change_match(match, edit, click)

    async def expire_lobby(self, match: str) -> MatchInfo:
        """Close a lobby that is a day old."""

        def edit(current: Match) -> MatchEdit:
            self._editor.require_running_time(current)
            if self._editor.clock() < require_lobby(current).created + LOBBY_SECONDS:
                raise RequestRefused("This lobby is not old enough to expire.")
            return self._editor.edit_info(current, "expire", 0, status=Status.EXPIRED)

        return await self._editor.change_match(match, edit)

    async def close_lost_lobby(self, match: str) -> MatchInfo:
        """Close a lobby whose channel was deleted, because nobody can join or start it any more."""

        def edit(current: Match) -> MatchEdit:
            require_lobby(current)
            return self._editor.edit_info(
                current, "cancel", 0, status=Status.CANCELLED, reason="Its channel was deleted."
            )

        return await self._editor.change_match(match, edit)

    async def set_thread(self, match: str, thread: int) -> MatchInfo:
        """Store the thread of a match."""

        def edit(current: Match) -> MatchEdit:
            return self._editor.edit_info(current, "settle", 0, place=replace(current.info.place, thread=thread))

        return await self._editor.change_match(match, edit)

    async def start_match(self, match: str, user: int, confirmed_stamp: str = "", *, click: int = 0) -> MatchInfo:
        """Start the game with the players who have joined.

        Raises UnconfirmedStart if `confirmed_stamp` is the stamp of other options, or if it is missing, other people
        have joined, and the options changed within the last ten seconds.
        """
        new_chance = self._sources.new_chance
        saved = None if new_chance else await self._editor.store.load_deal(match)

        def edit(current: Match) -> MatchEdit:
            info = require_host(require_lobby(current), user)
            if info.practice:
                raise RequestRefused(NOT_BEGUN)
            fewest = current.game.seats_with(current.options)[0]
            if len(info.seats) < fewest:
                raise RequestRefused(
                    f"{current.game.title} needs at least {fewest} players; {_joined_text(info)} so far."
                )
            # Other people may not have seen a change.
            others = any(seat.has_owner and seat.user != user for seat in info.seats)
            fresh = others and bool(info.chosen) and self._editor.clock() <= info.chosen + CONFIRM_SECONDS
            if (fresh or confirmed_stamp) and confirmed_stamp != options_stamp(info):
                raise UnconfirmedStart
            if (waiting := waits_for_last_cut(info)) is not None:
                raise RequestRefused(
                    f"{waiting.name} cuts last, but has not cut since the last change at the table. They "
                    "need to press “Cut”, "
                    "or you can press “More” and then “Cancel ‘cut last’”.",
                    has_names=True,
                )
            cuts = deal.cuts_of(info.seats, info.host, click or next(reversed(current.clicks), 0)) if saved else ""
            if saved is not None:
                chance = Chance(deal.seed_of(saved.secret, cuts))
            else:  # an older version opened it, so it is not sealed
                chance = new_chance() if new_chance else Chance.with_new_seed()
            seed = chance.seed
            try:
                state = current.game.start(len(info.seats), current.options, chance)
            except ValueError as error:
                raise RequestRefused(str(error)) from None
            text = current.game.checkpoint_adapter.dump_json(state).decode()
            change = Change(
                current.next_info(self._editor.clock(), status=Status.RUNNING),
                "start",
                user,
                checkpoint=text,
                base=text,
                seed=seed,
                cuts=cuts,
            )
            return MatchEdit(change, state)

        return await self._editor.change_match(match, edit, click)

    # Internal

    async def _server_lobbies(self, guild: int) -> list[MatchInfo]:
        return await self._editor.store.find(statuses=frozenset({Status.LOBBY}), guild=guild)

    async def _limit_refusal(self, info: MatchInfo, limit: TableLimitReached) -> TooManyLobbies:
        """Return the reason why the lobby cannot be opened."""
        if limit.is_everywhere:
            own = [other for other in await self._editor.store.find(user=info.host) if other.host == info.host]
            return TooManyLobbies(
                f"You host {_tables_text(own, True)} across all servers, which is the most anyone may host. "
                "Finish one of your matches first, or leave or cancel one under “More”.",
                own,
            )
        going = limit.counts_running
        found = (
            await self._editor.store.find(guild=info.place.guild)
            if going
            else await self._server_lobbies(info.place.guild)
        )
        if limit.is_host_limit:
            own = [other for other in found if other.host == info.host]
            start = f"You host {_tables_text(own, going)} on this server, which is the most anyone may host at once."
            one = "it" if len(own) == 1 else "one of them"
            do = "Finish one of your matches first" if going else f"Start {one} first"
            return TooManyLobbies(f"{start} {do}, or cancel it under “More”.", own)
        are = "is" if len(found) == 1 else "are"
        start = f"There {are} {_tables_text(found, going)} on this server, which is the most it may have at once."
        do = "wait until a match is over" if going else "ask its host to start or cancel it"
        return TooManyLobbies(f"{start} Join one of them, or {do}.", found)


def fixed_rules_refusal(game: AnyGame, preset: str) -> RequestRefused:
    """Return the refusal of options that contradict the preset that a server fixes."""
    names = ", ".join((PRESET, *preset_option_names(game)))
    return RequestRefused(FIXED_RULES.format(title=game.title, preset=preset, names=names))


def options_stamp(info: MatchInfo) -> str:
    """Return a short stamp of a match's options. A host who confirms them sends it back."""
    return blake2b((info.options + format_table_options(info.table_options)).encode(), digest_size=4).hexdigest()


def require_lobby(current: Match) -> MatchInfo:
    if current.info.status is not Status.LOBBY:
        running = current.info.status in (Status.RUNNING, Status.PAUSED)
        raise RequestRefused(
            "The match has already started." if running else status_sentence(current.info), has_names=True
        )
    return current.info


def _first_cut(click: int) -> str:
    """Return the cut of a player until they choose another."""
    return str(click) if click else ""


def reopen_last_cut(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats after their cuts have changed: a player who cuts last has to cut again."""
    return tuple(replace(seat, last_cut=NO_LAST_CUT_YET) if seat.last_cut else seat for seat in seats)


def waits_for_last_cut(info: MatchInfo) -> Seat | None:
    """Return the seat of the player who cuts last, if they still have to do that before the start."""
    return next((seat for seat in info.seats if seat.last_cut == NO_LAST_CUT_YET), None)


def _remove_last_computer(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Remove the computer that joined last, if there is one."""
    last = max((number for number, seat in enumerate(seats) if not seat.user), default=None)
    return seats if last is None else (*seats[:last], *seats[last + 1 :])


def _tables_text(found: list[MatchInfo], with_running: bool) -> str:
    """Return `1 open table` or `2 tables (counting running matches)`."""
    tables = "table" if len(found) == 1 else "tables"
    return f"{len(found)} {tables} (counting running matches)" if with_running else f"{len(found)} open {tables}"


def _joined_text(info: MatchInfo) -> str:
    return "1 has joined" if len(info.seats) == 1 else f"{len(info.seats)} have joined"
