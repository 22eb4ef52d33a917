"""Matches of all games on a bot that dies all the time, and a book of what it has acknowledged, called, and shown.

Whatever people do follows from what the database says of their table, so that it goes on after any death.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from cogs.table.pages import custom_ids
from cogs.table.pages.page import Page
from engines.hosting.match import MatchSnapshot
from engines.hosting.timing.due_times import BRIEF_ABSENCE_SECONDS, RETURN_SECONDS
from engines.store.match_store import LIVE, DueTime
from playground.page.client import Outcome, Player, PlaygroundClient, RequestRejected, SeenMessage
from playground.world.ids import BOT
from playground.world.messages import walk_components
from playground.world.world import EPHEMERAL, Json
from tests.processes.forked_bots import CLOCK_SPEED, ForkedBots
from tests.processes.killable_bot import STEPS, Step
from tests.processes.tables import MOVING_KINDS, GameTables, differ_only_in_time, hand_of, offered_controls

SILENT_FLAG = 4096
PRIVATE_PATH = re.compile(r"(?<=/webhooks/)\d+/([^/]+)/messages/@original$")
CONTENT_PATTERN = re.compile(r'"content": "([^"]*)')
CALLBACK_PATH = re.compile(r"(?<=/interactions/)(\d+)/[^/]+/callback$")
DEFERRED_UPDATE, UPDATE = 6, 7  # what Discord is answered first: that the clicked message will be redrawn, or is
ANSWER_SECONDS = 10.0  # seconds for which an answer that was put off is waited for
LATE_SECONDS = 5 * CLOCK_SPEED  # by the bot's clock: what is due by then has happened

SEVERAL_SQL = """
SELECT match, seat FROM seats WHERE user IN (
    SELECT user FROM seats JOIN matches USING (match) WHERE status = 'running' AND user > 0
    GROUP BY user HAVING COUNT(*) > 1
)
"""  # the seats of those who sit at several tables

PEOPLE = {"wizard": ("Ada", "Bela"), "jest": ("Bela", "Chidi"), "jokers": ("Chidi", "Ada"), "court": ("Dora", "Ada")}
PEOPLE["jesters"] = ("Dora", "Emil")  # Emil's direct messages are closed
SEATS = {"wizard": 3, "jest": 3, "court": 3}  # with computers; elsewhere people are by themselves
NEW_OPTIONS: dict[str, dict[str, Any]] = {
    "wizard": {"clock": "5 minutes", "rounds": 4},
    "jest": {"clock": "1 hour"},
    "jokers": {"clock": "5 minutes"},
    "court": {"clock": "24 hours", "banners": 2},
    "jesters": {"clock": "5 minutes"},
}


class AnyBot(Protocol):
    """One process, or several, as those see it who look at what it keeps."""

    @property
    def is_dead(self) -> bool: ...

    def now(self) -> int: ...

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]: ...


class RequestedMove(NamedTuple):
    match: str
    user: int
    decision: int
    notation: str


class HeardCall(NamedTuple):
    """A hand that was heard: it calls somebody to a decision."""

    channel: str
    match: str
    decision: int


class OpenDeadline(NamedTuple):
    """Time that runs out: of a seat's decision, at that second of the bot's clock."""

    match: str
    seat: int
    decision: int
    at: int


class CallWitness(PlaygroundClient):
    """Hears what makes itself heard, and counts how often each message is changed."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.heard: Counter[HeardCall] = Counter()
        self.again: Counter[HeardCall] = Counter()  # where a hand was there before: nothing but a call is heard then
        self.first: dict[str, str] = {}  # by the number of an interaction: what Discord was answered first
        self.answered: dict[str, str] = {}  # by the token of an interaction: what its message became in the end
        self.edits: dict[str, list[str]] = {}  # what messages were changed to since the bot was last started

    def count_saying(self, words: str) -> int:
        every = (message for messages in self.messages.values() for message in messages.values())
        return sum(words in SeenMessage(message).text for message in every)

    def _apply_frame(self, frame: Json) -> None:
        if frame["type"] == "message_create" and not frame["message"]["flags"] & (SILENT_FLAG | EPHEMERAL):
            self._count_call(frame["message"])
        if frame["type"] == "request" and frame["log"]["status"] in (200, 204):
            self.first |= dict.fromkeys(CALLBACK_PATH.findall(frame["log"]["path"]), frame["log"]["body"])
        if frame["type"] == "request" and frame["log"]["method"] == "PATCH" and frame["log"]["status"] == 200:
            path, body = frame["log"]["path"], frame["log"]["body"]
            if answer := PRIVATE_PATH.search(path):
                self.answered[answer[1]] = body
            self.edits.setdefault(path.rpartition("/")[2], []).append(body)
        super()._apply_frame(frame)

    def _count_call(self, message: Json) -> None:
        channel = message["channel_id"]
        names = [each.get("custom_id") or "" for each in walk_components(message["components"])]
        controls = map(custom_ids.parse_control, names)
        decisions = {(c.match, c.decision) for c in controls if c is not None and c.kind in MOVING_KINDS}
        for match, decision in decisions:
            known = any(f":{match}:" in str(each["components"]) for each in self.messages.get(channel, {}).values())
            self.heard[HeardCall(channel, match, decision)] += 1
            self.again[HeardCall(channel, match, decision)] += known


@dataclass
class CrashTables(GameTables):
    """Five tables, one a game, at which a new match is begun when one is over."""

    bot: AnyBot = field(kw_only=True)
    witness: CallWitness = field(kw_only=True)
    requested: Counter[RequestedMove] = field(default_factory=Counter)
    acknowledged: Counter[RequestedMove] = field(default_factory=Counter)
    sleeping_matches: set[str] = field(default_factory=set)  # the games at which nobody moves just now
    shown_states: dict[str, tuple[int, int]] = field(default_factory=dict)  # what was shown as the bot was started
    seats_at_several: set[tuple[str, int]] = field(default_factory=set)  # of those who sat at several tables then
    reminded_matches: set[str] = field(default_factory=set)  # matches where people are called once more, to be reminded
    past_deadlines: list[list[OpenDeadline]] = field(default_factory=list)  # those of each death

    # What people do

    async def play_tables(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> None:
        matches, self.matches = self.matches, dict.fromkeys(PEOPLE, ())  # tasks are by the game, here
        await super().play_tables(seconds, enough)
        self.matches = matches

    def running_matches(self) -> dict[str, str]:
        return dict(self.bot.query("SELECT match, game FROM matches WHERE status = 'running'"))

    async def press_something(self, match: str, game: str) -> None:
        with suppress(RequestRejected, TimeoutError, KeyError):
            await self._try_move(match, [self.client.player(name) for name in PEOPLE[game]])

    async def _play_forever(self, match: str) -> None:
        while True:
            with suppress(RequestRejected, TimeoutError, KeyError):  # redrawn in between; the bot is out; not there yet
                await self._play_next(match)
            await asyncio.sleep(0.02)

    def channel_of(self, game: str) -> str:
        return "games"

    async def _play_next(self, game: str) -> None:
        names = PEOPLE[game]
        newest = "SELECT match, status FROM matches WHERE game = ? ORDER BY created DESC, match LIMIT 1"
        found = self.bot.query(newest, game)
        if not found or found[0][1] not in LIVE:
            await self.client.player(names[0]).run_command(f"{game} new", self.channel_of(game), **NEW_OPTIONS[game])
        elif found[0][1] == "lobby":
            await self._gather_players(game, found[0][0])
        elif game not in self.sleeping_matches:
            await self._try_move(found[0][0], [self.client.player(name) for name in names])

    async def _gather_players(self, game: str, match: str) -> None:
        host, *others = map(self.client.player, PEOPLE[game])
        lobby = self._find_message(match, "lobby")
        seated = [user for (user,) in self.bot.query("SELECT user FROM seats WHERE match = ?", match)]
        missing = [player for player in others if int(player.id) not in seated]
        if missing:
            await missing[0].forge_click(lobby, custom_ids.table_action_id(match, "join"))
        elif len(seated) < SEATS.get(game, 0):
            await host.forge_click(lobby, custom_ids.table_action_id(match, "computer-easy"))
        else:
            await host.forge_click(lobby, custom_ids.table_action_id(match, "start"))

    async def _try_move(self, match: str, players: Sequence[Player]) -> None:
        offers = []
        for player in players:
            hand = await self._find_hand(player, match)
            offers += [(player, hand, one) for one in (offered_controls(hand) if hand else ())]
        if offers:
            player, hand, (custom_id, values) = self.chance.choice(offers)
            assert hand is not None
            await self._click_move(player, hand, custom_id, values)

    async def _find_hand(self, player: Player, match: str) -> SeenMessage | None:
        """Their hand; on demand, if direct messages are closed."""
        user = self.playground.simulation.world.users[int(player.id)]
        if not user.dms_closed:
            return hand_of(player, match)
        if self.chance.random() < 0.8:  # mostly they let their time run out
            return None
        reply = await player.forge_click(self._find_message(match, "table"), custom_ids.table_action_id(match, "hand"))
        return reply.message

    async def _click_move(self, player: Player, hand: SeenMessage, custom_id: str, values: tuple[str, ...]) -> None:
        wanted, outcome = await self._click(player, hand, custom_id, values)
        if wanted is not None and await self._is_acknowledged(outcome):
            self.acknowledged[wanted] += 1

    async def _click(
        self, player: Player, hand: SeenMessage, custom_id: str, values: tuple[str, ...]
    ) -> tuple[RequestedMove | None, Outcome]:
        wanted = move_of_click(int(player.id), custom_id, values)
        if wanted is not None:
            self.requested[wanted] += 1
        outcome = await (player.select(hand, custom_id, *values) if values else player.click(hand, custom_id))
        self.clicks += 1
        return wanted, outcome

    async def _is_acknowledged(self, outcome: Outcome) -> bool:
        """Whether the answer to a click on a move says that it was made: at once, or when it comes."""
        if outcome.responded and outcome.response_type == UPDATE:
            first, number = self.witness.first, outcome.interaction_id  # the message itself may show what came after it
            with suppress(TimeoutError):
                await self.client.wait_until(lambda: number in first, "the answer in the log", ANSWER_SECONDS)
            return number in first and not _top_text(first[number]).startswith("**")
        interaction = self.playground.simulation.interactions.find_interaction(int(outcome.interaction_id))
        if interaction is None or outcome.response_type != DEFERRED_UPDATE:
            return False
        answered, token = self.witness.answered, interaction.token
        with suppress(TimeoutError):
            await self.client.wait_until(
                lambda: token in answered or self.bot.is_dead, "an answer that was put off", ANSWER_SECONDS
            )
        return _top_text(answered.get(token, "")).startswith("-# ")

    def _find_message(self, match: str, kind: str) -> SeenMessage:
        """A message of the bot's. Raises KeyError if there is none yet."""
        sql = "SELECT channel, message FROM surfaces WHERE match = ? AND kind = ?"
        ((channel, message),) = self.bot.query(sql, match, kind) or [(0, 0)]
        return SeenMessage(self.client.messages[str(channel)][str(message)])

    # What must hold after each death

    def find_losses(self) -> list[str]:
        """What has been lost or doubled, in words; the bot does not run."""
        sql = "SELECT match, seat, decision, notation, user, level, at FROM moves ORDER BY match, number"
        moves = self.bot.query(sql)
        made_moves = Counter(RequestedMove(m, user, d, n) for m, _, d, n, user, level, _ in moves if user and not level)
        found = [f"acknowledged and lost: {each}" for each in self.acknowledged - made_moves]
        found += [f"made more often than it was asked for: {each}" for each in made_moves - self.requested]
        instead = [(m, seat, d, at) for m, seat, d, _, user, level, at in moves if user and level]
        found += [f"made twice by the clock: {e}" for e, n in Counter(e[:3] for e in instead).items() if n > 1]
        known = {each[:3]: each.at for death in self.past_deadlines for each in death}  # the latest of each
        found += [f"made too soon by the clock: {e}" for e in instead if e[3] < known.get(e[:3], 0)]
        self.reminded_matches |= {match for (match,) in self.bot.query("SELECT match FROM due WHERE kind = 'reminder'")}
        repeated = {each: n for each, n in self.witness.again.items() if n > 1 + (each.match in self.reminded_matches)}
        return [*found, *(f"called {n} times: {each}" for each, n in repeated.items())]

    def record_deadlines(self) -> None:
        """Take down when time runs out."""
        self.past_deadlines.append(self.open_deadlines())

    def open_deadlines(self) -> list[OpenDeadline]:
        sql = "SELECT match, seat, decision, at FROM due WHERE kind = 'clock' AND at IS NOT NULL"
        return [OpenDeadline(*row) for row in self.bot.query(sql)]

    def moved_deadlines(self, before: Sequence[OpenDeadline], alive: int) -> list[str]:
        """Deadlines that came nearer, or were put off by more than the bot can have been away.

        What was about to run out leaves its player a few seconds after an absence.
        """
        open_now, now = {each[:3]: each.at for each in self.open_deadlines()}, self.bot.now()
        latest = {each: max(each.at + now - alive, now + RETURN_SECONDS) for each in before if each[:3] in open_now}
        moved = [each for each, most in latest.items() if not each.at <= open_now[each[:3]] <= most]
        return [f"{each} has become {open_now[each[:3]]}; away for {now - alive} s" for each in moved]

    def count_expired_moves(self) -> int:
        ((found,),) = self.bot.query("SELECT COUNT(*) FROM moves WHERE user > 0 AND level <> ''")
        return int(found)

    def last_alive(self) -> int:
        found = self.bot.query("SELECT value FROM notes WHERE key = 'alive'")
        return int(found[0][0]) if found else 0

    # What must hold when all is shown

    async def find_wrong(self, database: Path, copy: Path) -> list[str]:
        self.matches |= self._live_matches()
        found = await super().find_wrong(database, copy)
        return [*found, *self._find_overdue(), *self._find_strays()]

    def is_excused(self, stored: Sequence[object], wanted: Sequence[object]) -> bool:
        """Deadlines that a short absence puts off are not told again."""
        return differ_only_in_time(stored, wanted)

    def is_earlier_digest(self, digest: str, snapshot: MatchSnapshot, draw: Callable[[MatchSnapshot], Page]) -> bool:
        """Whether it is of the page with the deadlines from before an absence that was too short to show.

        Not only the time may differ from the page then: a hand that stands at a step keeps the digest of its page. This
        lasts only if the bot has nothing left to show or to store.
        """
        open_now = {(seat, due.decision) for seat, due in snapshot.deadlines.items()}
        for death in self.past_deadlines:
            earlier = [each for each in death if each.match == snapshot.info.id]
            if {(each.seat, each.decision) for each in earlier} == open_now:
                deadlines = {each.seat: DueTime("clock", *each) for each in earlier}
                if draw(replace(snapshot, deadlines=deadlines)).digest == digest:
                    return not self.bot.query("SELECT 1 FROM behind WHERE match = ?", snapshot.info.id)
        return False

    def forget_ended(self) -> None:
        self.matches = self._live_matches()

    def _live_matches(self) -> dict[str, tuple[str, ...]]:
        rows = self.bot.query("SELECT match FROM matches WHERE status IN ('lobby', 'running', 'paused')")
        return {match: () for (match,) in rows}

    def start_counting(self) -> None:
        self.shown_states, self.seats_at_several = self._match_states(), set(self.bot.query(SEVERAL_SQL))
        self.witness.edits.clear()

    def find_redrawn(self) -> list[str]:
        """Messages that were changed more often since the start than there was something new to show."""
        now, found, several = self._match_states(), [], self.seats_at_several.union(self.bot.query(SEVERAL_SQL))
        for message, match, kind, seat in self.bot.query("SELECT message, match, kind, seat FROM surfaces"):
            (revision, table), (before, old_table) = now[match], self.shown_states.get(match, (0, 0))
            edits = self.witness.edits.get(str(message), [])
            more = kind == "hand" and (match, seat) in several  # by its other tables, it says to which it belongs
            if len(edits) > 1 + revision - before + (table != old_table) + more:
                found.append(f"{kind} {seat} of {match}, from revision {before} to {revision}, was changed to {edits}")
        return found

    def _match_states(self) -> dict[str, tuple[int, int]]:
        """By match: its revision, and where its table is."""
        tables = dict(self.bot.query("SELECT match, message FROM surfaces WHERE kind = 'table'"))
        matches = self.bot.query("SELECT match, revision FROM matches")
        return {match: (revision, tables.get(match, 0)) for match, revision in matches}

    def _find_overdue(self) -> Iterator[str]:
        """Calls and deadlines that should have come by now; calls that are noted and were not heard."""
        now, columns = self.bot.now(), "match, kind, seat, decision, at, done, user"
        sql = f"SELECT {columns} FROM due JOIN seats USING (match, seat) WHERE decision >= 0"
        for match, kind, seat, decision, at, was_done, user in self.bot.query(sql):
            if at is not None and at < now - LATE_SECONDS:
                yield f"{match}: the {kind} of {seat} for decision {decision} is late by {now - at} s"
            if kind == "call" and was_done and not self.playground.simulation.world.users[user].dms_closed:
                name = self.playground.simulation.world.users[user].name
                called = HeardCall(self.client.player(name).channel_id("dm"), match, decision)
                if not self.witness.heard[called]:
                    yield f"{match}: {seat} was to be called to {decision} and was not"

    def _find_strays(self) -> Iterator[str]:
        """Messages of the bot's with controls for a move, or with a mention, that nothing in the database knows."""
        rows = self.bot.query("SELECT message FROM surfaces UNION SELECT message FROM mentions")
        known = {str(message) for (message,) in rows}
        for messages in self.playground.simulation.world.messages.values():
            for message in messages.values():
                if message.author_id != BOT or message.visible_to is not None or str(message.id) in known:
                    continue
                message_ = SeenMessage(message.data)
                if offered_controls(message_) or "your turn" in message_.content or message_.content == "…":
                    yield f"nobody knows of message {message.id}: {message_.text[:200]}"


def _top_text(body: str) -> str:
    """What stands on top of a page that was sent: a refusal, in bold, or what it is of."""
    found = CONTENT_PATTERN.search(body)
    return found[1] if found else ""


def move_of_click(user: int, custom_id: str, values: tuple[str, ...]) -> RequestedMove | None:
    control = custom_ids.parse_control(custom_id)
    if control is None:
        return None
    chosen = {"m": control.rest, "s": "".join(values[:1])}
    notation = custom_ids.instant_move(values[0]) if control.kind == "f" else chosen.get(control.kind)
    return RequestedMove(control.match, user, control.decision, notation) if notation else None


DEATH_STEPS: tuple[Step, ...] = ("", *STEPS)
PATIENCE_SECONDS = 60.0  # seconds that something may take on a busy machine
LAST_SECONDS = 0.1  # seconds in which what a bot sent with its last breath arrives
LONG_ABSENCE_SECONDS = (BRIEF_ABSENCE_SECONDS + 20) / CLOCK_SPEED  # after it, hours of thinking time are put off, too
LIFE_SECONDS = 1.5  # seconds for which a bot is played on at most
SLEEP_SECONDS = 6  # kills for which a table's people do nothing
LONG_SECONDS = 15.0  # seconds in which a clock of five minutes runs out, if nobody dies


class BotLives:
    def __init__(self, tables: CrashTables, bot: ForkedBots, folder: Path) -> None:
        self.tables, self.bot, self.chance, self._copy = tables, bot, tables.chance, folder / "copy.db"
        self.deaths: Counter[str] = Counter()
        self.right: list[float] = []

    async def live_once(self, number: int) -> None:
        step, games = self.chance.choice(DEATH_STEPS) if number else "", list(PEOPLE)
        self.tables.sleeping_matches = {asleep := games[number // SLEEP_SECONDS % len(games)]}
        runs_out = number % SLEEP_SECONDS == SLEEP_SECONDS - 1 and NEW_OPTIONS[asleep]["clock"] == "5 minutes"
        if runs_out and self.chance.random() < 0.5:  # the next commits are the deadlines'
            self.tables.sleeping_matches = set(games)
        if await self.starts_well(step):
            late, seconds = self.tables.count_expired_moves(), LONG_SECONDS
            if not runs_out:
                seconds = LIFE_SECONDS if step else self.chance.uniform(0.2, LIFE_SECONDS)

            def enough() -> bool:
                return self.bot.is_dead or (runs_out and self.tables.count_expired_moves() > late)

            await self.tables.play_tables(seconds, enough)
            step = step if self.bot.is_dead else ""  # it has not come to that step
        self.deaths[step or "at random"] += 1
        await self.bot.kill_bot()
        visitor = self.tables.client
        await visitor.wait_until(lambda: visitor.bot_status != "online", "the playground to notice", PATIENCE_SECONDS)
        await asyncio.sleep(LONG_ABSENCE_SECONDS if self.chance.random() < 0.2 else LAST_SECONDS)
        assert not (found := self.tables.find_losses()), found
        self.tables.record_deadlines()

    async def starts_well(self, step: Step = "") -> bool:
        """Whether a bot lives until everything is right, for which nobody has to do anything."""
        before, alive = self.tables.open_deadlines(), self.tables.last_alive()
        self.tables.start_counting()
        moves = self.chance.random() < 0.5
        often = 4 if moves or step in ("answer", "redraw") else 12  # messages and other transactions are many
        await self.bot.start_bot(step, self.chance.randrange(1, often), moves)
        visitor = self.tables.client
        online = visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", PATIENCE_SECONDS)
        waits = {asyncio.create_task(online), asyncio.create_task(self.bot.dies_within(PATIENCE_SECONDS))}
        finished, left = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        for task in finished:
            task.result()
        if not await self.comes_right():
            return False
        assert not (found := [*self.tables.find_redrawn(), *self.tables.moved_deadlines(before, alive)]), found
        return True

    async def comes_right(self) -> bool:
        """Whether everything comes right, for which nobody has to do anything, before the bot dies."""
        start, looks = time.monotonic(), dict[str, float]()
        while found := await self.tables.find_wrong(self.bot.database, self._copy):
            seconds = time.monotonic() - start
            looks.setdefault("\n".join(found), seconds)
            assert self.bot.is_dead or seconds < PATIENCE_SECONDS, "\n".join(
                f"After {at:.1f} s: {wrong}" for wrong, at in looks.items()
            )
            if await self.bot.dies_within(0.1):
                return False
        self.right.append(time.monotonic() - start)
        self.tables.forget_ended()
        return True

    def summary_text(self) -> str:
        ((moves,),) = self.bot.query("SELECT COUNT(*) FROM moves")
        ((match_count, over_count),) = self.bot.query("SELECT COUNT(*), SUM(status = 'over') FROM matches")
        right = sorted(self.right)
        return (
            f"{dict(self.deaths)}; {match_count} matches, {over_count} over; {moves} moves, "
            f"{self.tables.acknowledged.total()} acknowledged, {self.tables.count_expired_moves()} by the clock, "
            f"{self.tables.witness.again.total()} calls; all right "
            f"{len(right)} times, after {right[len(right) // 2]:.1f} s, at most {right[-1]:.1f} s"
        )
