"""A run with hostile and clumsy people: live matches of every game, and what is held of each request.

After each: nothing has changed but what the rules and the seats allow; there was one first answer, in time; nothing
was logged as an error; nobody's name or words became a mention, a link or markup; Discord takes whatever was sent.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from cogs.table.scheduling.computer_turns import awaited_seat
from cogs.table.transport.interaction_response import ACKNOWLEDGE_AFTER
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.store.match_store import FORCED, LIVE, MatchInfo, SavedMatch
from engines.store.owner_storage import Block
from playground.limits import Request
from tests.contract.helpers import HELPERS
from tests.engines import model, take_back_model
from tests.engines.model import MadeMove, TableModel, Tables
from tests.games import GAMES
from tests.log_checks import collect_log
from tests.manual_time import ManualTime
from tests.messages import TEXT, message_text, walk_components
from tests.plain.expected_changes import NEW_PREFIX, Act, Blocks, Servers, Verdicts, after_block
from tests.plain.fake_discord import (
    CHOICES,
    DEFERRED_MESSAGE,
    DEFERRED_UPDATE,
    FORM,
    MESSAGE,
    UPDATE,
    PendingInteraction,
)
from tests.plain.hostile_crowd import NASTY_NAMES, OTHER_CHANNELS, HostileCrowd
from tests.plain.payloads import CHANNEL, GUILD
from tests.plain.plain_bot import COMMAND_KIND, COMPONENT_KIND, TYPING_KIND, PlainBot, start_plain_bot
from tests.processes.tables import SUIT_EMOJI

MOST_PEOPLE, MOST_SEATED = 7, 5
REPORT = re.compile("Report [0-9a-f]{6} about match ")  # what people send to the owner goes to the log
FORM_WORDS = ("note", "wrong", "reports", "cut")  # of controls and commands that may open a form
LATE_SECONDS = 3.0  # seconds, after which Discord takes no first answer
THREAD = 9202  # one that is no match's
ALLOWED_ANSWERS = {TYPING_KIND: {CHOICES}, 2: {MESSAGE, DEFERRED_MESSAGE}}
CLICK_ANSWERS = {MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE}
ESCAPED_PATTERN = re.compile(r"\\[^A-Za-z0-9\s]")
LIVE_MARKUP = re.compile(
    rf"@(everyone|here)|<@&|<#(?!({CHANNEL}|9102)>)\d|<@!|</\w|<t:0|discord\.gg/|https?://(?!discord\.com/channels/)|\]\((?!https://discord\.com/)"
    r"|[*_~|`](?<!\*\*)zq|zq(?!\*\*)[*_~|`]|^(?:\s*- )?(?:#|>|1\.) zq|^\s*- - zq|[\u202a-\u202e\u2060\x00]",
    re.IGNORECASE | re.MULTILINE,
)
MENTION_PATTERN = re.compile(r"<@(\d+)>")


class SlowWrites(asyncio.Event):
    """What every write has to wait for: longer than anybody may wait for an answer."""

    def __init__(self, time: ManualTime) -> None:
        super().__init__()
        self._time = time

    async def wait(self) -> Literal[True]:
        await self._time.sleep(2.5)
        return True


def _without_quote(text: str) -> str:
    """A paragraph that the bot quotes as a whole, without the signs of the quote."""
    lines = text.split("\n")
    return "\n".join(line[2:] for line in lines) if all(line.startswith("> ") for line in lines) else text


@dataclass
class HostileRun:
    """One bot, and the plain model of all that is played there."""

    plain_bot: PlainBot
    rng: Random
    seed: str
    log: list[str]
    tables: Tables = field(default_factory=dict)
    servers: Servers = field(default_factory=dict)
    blocks: Blocks = frozenset()
    suspended: set[str] = field(default_factory=set)  # the matches that rest because their server is blocked
    last_seen: dict[str, tuple[MatchInfo, SavedMatch | None]] = field(default_factory=dict)
    deadlines: dict[tuple[str, int, int], int] = field(default_factory=dict)  # as time began to pass
    planned: set[tuple[str, int, str]] = field(default_factory=set)  # a match, a person, and a move that they planned
    counts: Counter[str] = field(default_factory=Counter)
    wrong_requests: list[str] = field(default_factory=list)

    async def start_matches(self) -> None:
        def check_request(request: Request) -> None:
            body = request.payload
            data = (body.get("data") or {}) if isinstance(body, dict) and request.path.endswith("/callback") else body
            if isinstance(data, dict) and request.method in ("POST", "PATCH"):
                found = self._request_texts(data)
                self.wrong_requests += [f"{request.method} {request.path}: {each}" for each in found]

        self.plain_bot.wire.on_request = check_request
        self.plain_bot.wire.add_thread(THREAD, "chatter")
        names = [*self.plain_bot.wire.people]
        for helper in HELPERS.values():
            game, rng = helper.game, self.rng
            options = {**helper.short_options, **rng.choice(helper.rule_mixtures)}
            allowed = game.seats_with(game.options(**options))
            many = rng.choice([each for each in allowed if each <= MOST_SEATED])
            humans = rng.randint(1, many)
            host, *others = rng.sample(names, humans)
            match, lobby = await self.plain_bot.open_lobby(host, game, **options, autoplay="true")
            for other in others:
                await self.plain_bot.click_control(other, lobby, f"t:{match}:join")
            while len(self.plain_bot.store.infos[match].seats) < many:
                await self.plain_bot.click_control(host, lobby, f"t:{match}:computer-{rng.choice(('easy', 'normal'))}")
            await self.plain_bot.click_control(host, lobby, f"t:{match}:start")
        await self.plain_bot.run_command(names[0], f"{next(iter(GAMES))} new")  # a lobby that still waits
        self.tables = dict(self._changed_tables())
        self._check_nothing_wrong("the beginning")

    async def act_once(self, crowd: HostileCrowd) -> int:
        """What is asked next, and what is held of it; how many interactions that was."""
        crowd.tables = self.tables
        acts = await crowd.next_acts()
        slow = len(acts) == 1 and self.rng.random() < 0.12
        if slow:
            live = [await self.plain_bot.load_snapshot(m) for m, table in self.tables.items() if table.status in LIVE]
            slow = all(awaited_seat(snapshot) is None for snapshot in live)
        now, refusals = (
            self.plain_bot.bot.clock.now(),
            [Verdicts(0, "", blocks=self.blocks).refusal_text(act) for act in acts],
        )
        self.planned |= {planned for act in acts for planned in _planned_moves(act)}
        interactions = await self._send_slowly(acts) if slow else await self._send_acts(acts)
        description = f"{[(act.user, act.guild, act.data) for act in acts]}"
        for act, each, refused in zip(acts, interactions, refusals, strict=True):
            allowed = ALLOWED_ANSWERS.get(act.kind, CLICK_ANSWERS)
            if act.kind in (COMMAND_KIND, COMPONENT_KIND) and any(word in str(act.data) for word in FORM_WORDS):
                allowed = allowed | {FORM}
            assert len(each.first_answer_kinds) == 1, f"{len(each.first_answer_kinds)} first answers to {description}"
            (kind,) = each.first_answer_kinds
            assert kind in allowed, f"a first answer of kind {kind} to {description}"
            if refused and len(acts) == 1:
                self._check_refused(each, refused, description)
        await self._check_acts(acts, now, description)
        self._check_nothing_wrong(description)
        if self.rng.random() < 0.04:
            await self._block_or_unblock()
            self._check_nothing_wrong("the owner's request")
        if self.rng.random() < 0.1:
            self.deadlines = await self._open_deadlines()
            await self.plain_bot.pass_time(self.rng.choice((0.5, 2.0, 2.0, 4.0, 30.0)))
            self._check_computers()
            self._check_nothing_wrong("as time passed")
        return len(acts)

    # Asking

    async def _send_acts(self, acts: Sequence[Act]) -> list[PendingInteraction]:
        start = self.plain_bot.wire.start_interaction
        pairs = [start(a.user, a.channel, a.kind, a.data, a.source, str(a.rights), str(a.own)) for a in acts]
        await self.plain_bot.dispatch_at_once(*(payload for _, payload in pairs))
        return [interaction for interaction, _ in pairs]

    async def _send_slowly(self, acts: Sequence[Act]) -> list[PendingInteraction]:
        self.plain_bot.store.gate = SlowWrites(self.plain_bot.time)
        interactions = await self._send_acts(acts)
        await self.plain_bot.pass_time(ACKNOWLEDGE_AFTER + 0.1)
        for act, each in zip(acts, interactions, strict=True):
            assert len(each.first_answer_kinds) == 1, f"no answer within {LATE_SECONDS} seconds to {act.data}"
        self.plain_bot.store.gate = None
        await self.plain_bot.pass_time(1.0)
        self.counts["slow"] += 1
        return interactions

    # What has become of it

    async def _check_acts(self, acts: Sequence[Act], now: int, description: str) -> None:
        """The matches are as the rules and seats have it, in some order of what was asked."""
        changed = dict(self._changed_tables())
        new = [match for match in changed if match not in self.tables]
        wire, allowed, blocked = (
            self.plain_bot.wire,
            self.plain_bot.store.servers,
            await self.plain_bot.bot.owner_requests._storage.blocks(),
        )
        inside = {thread: int(thread_data["parent_id"]) for thread, thread_data in wire.threads.items()}
        judge = Verdicts(now, self.seed, self.servers, wire.servers, inside, self.blocks)
        for after, servers, blocks in judge.possible_outcomes(self.tables, acts):
            new_names = dict(zip((match for match in after if match.startswith(NEW_PREFIX)), new, strict=False))
            found = {new_names.get(match, match): table for match, table in after.items()} if new_names else after
            if (servers, blocks) == (allowed, blocked) and self._matches_expected(found, changed):
                break
        else:
            differing = {match: (self.tables.get(match), table) for match, table in changed.items()}
            arranged = (self.servers, allowed) if self.servers != allowed else (self.blocks, blocked)
            raise AssertionError(
                f"the rules and seats do not allow what became of {description}: {differing} {arranged}"
            )
        if blocks != self.blocks:
            self.counts["blocks"] += 1
        if found is not self.tables or servers != self.servers:
            self.counts.update(_act_kinds(acts) if len(acts) == 1 else ("burst",))
        self.tables, self.servers, self.blocks = found, servers, blocks

    def _check_refused(self, interaction: PendingInteraction, refused: str, description: str) -> None:
        """Somebody who is shut out got that sentence, and what they type is completed by nothing."""
        self.counts["refused"] += 1
        if interaction.first_answer_kinds == [CHOICES]:
            assert interaction.choices == [], f"choices for somebody who is shut out: {description}"
        else:
            text = "" if interaction.answer is None else message_text(interaction.answer)
            assert refused in text, f"“{text}” is said to somebody who is shut out: {description}"

    async def _block_or_unblock(self) -> None:
        """The owner blocks somebody or the server, or lets them in again; it counts from the next look on."""
        storage, before = self.plain_bot.bot.owner_requests._storage, self.blocks
        if owned := sorted(block for block in before if not (block.guild and block.user)):
            await storage.drop_block(owned[0])
        else:
            person = self.rng.choice([*self.plain_bot.wire.people.values()])
            await storage.put_block(self.rng.choice((Block(0, person), Block(0, person), Block(GUILD, 0))))
        self.blocks = await storage.blocks()
        await self.plain_bot.look_for_requests()
        expected = self.tables
        for block in self.blocks - before:
            expected = after_block(expected, block)
            if not block.user:
                self.suspended = {each for each, table in expected.items() if table is not self.tables[each]}
        if any(not block.user for block in before - self.blocks):
            resumed = {each: model.resume(expected[each]) or expected[each] for each in self.suspended}
            expected, self.suspended = {**expected, **resumed}, set()
        changed = dict(self._changed_tables())
        assert self._matches_expected(expected, changed), f"{before ^ self.blocks}: {changed}"
        self.tables = expected

    def _matches_expected(self, expected: Tables, changed: Tables) -> bool:
        if expected.keys() - self.tables.keys() != changed.keys() - self.tables.keys():
            return False
        other = {match for match, table in expected.items() if table is not self.tables.get(match)}
        return all(expected[match] == changed.get(match, self.tables.get(match)) for match in other | changed.keys())

    def _check_computers(self) -> None:
        """As time passed, computers have made legal moves where they play, forced moves were made, and nothing else."""
        for match, table in self._changed_tables():
            now = self.tables[match]
            asks = now.request is not None and not now.request.ended  # nothing moves by itself until it has lapsed
            if asks and (table.moves != now.moves or (table.request and table.request.ended)):
                now = take_back_model.lapse(now) or now
            for move in table.moves[len(now.moves) :]:
                after = self._moved_by_itself(match, now, move)
                assert after is not None, f"no computer may move like that in {match}: {move}"
                now = after
            assert now == table, f"as time passed, {match} has changed: {now} {table}"
            self.counts["computers"] += len(table.moves) - len(self.tables[match].moves)
            self.tables = {**self.tables, match: now}

    def _moved_by_itself(self, match: str, now: TableModel, move: MadeMove) -> TableModel | None:
        """What a move leads to that nobody has just asked for; None if nothing allows it."""
        which = move.seat, move.decision
        if move.level == FORCED:
            return model.play_forced(now, *which)
        if not move.level and (match, move.user, move.notation) in self.planned:
            return model.play_planned(now, *which, move.notation)
        if self.deadlines.get((match, *which), math.inf) <= self.plain_bot.bot.clock.now():
            return model.play_expired(now, *which, move.notation, move.level)
        return model.play_for(now, *which, move.notation)

    async def _open_deadlines(self) -> dict[tuple[str, int, int], int]:
        """When the clocks of all open decisions run out, by match, seat and decision."""
        live = [
            await self.plain_bot.load_snapshot(match) for match, table in self.tables.items() if table.status in LIVE
        ]
        return {
            (snapshot.info.id, seat, due.decision): due.at
            for snapshot in live
            for seat, due in snapshot.deadlines.items()
        }

    def _changed_tables(self) -> Iterator[tuple[str, TableModel]]:
        store = self.plain_bot.store
        for match, info in store.infos.items():
            stored = info, store.saved.get(match)
            if (was := self.last_seen.get(match)) is None or was[0] is not stored[0] or was[1] is not stored[1]:
                self.last_seen[match] = stored
                yield match, model.table_from_store(GAMES[info.game], *stored)

    # What was sent and logged

    def _check_nothing_wrong(self, description: str) -> None:
        found = [line for line in self.log if not REPORT.match(line)]
        assert not found, f"logged after {description}: {found}"
        self.wrong_requests += self.plain_bot.wire.broken_limits
        assert not self.wrong_requests, f"sent after {description}: {self.wrong_requests}"

    def _request_texts(self, data: dict[str, Any]) -> Iterator[str]:
        texts = [data.get("content") or ""]
        texts += [each["content"] for each in walk_components(data.get("components") or []) if each["type"] == TEXT]
        for text in map(_without_quote, texts):
            plainly = ESCAPED_PATTERN.sub("\x1a", SUIT_EMOJI.sub("", text))
            if alive := LIVE_MARKUP.search(plainly):
                yield f"“{alive[0]!r}” gets through in {text!r}"
            people = {
                str(seat.user) for info in self.plain_bot.store.infos.values() for seat in info.seats if seat.has_owner
            }
            if strangers := {*MENTION_PATTERN.findall(plainly)} - people:
                yield f"calls {strangers}: {text!r}"
        allowed = data.get("allowed_mentions")
        if any(texts) and (allowed is None or allowed.get("parse") or allowed.get("roles")):
            yield f"may notify {allowed}"


def _planned_moves(act: Act) -> Iterator[tuple[str, int, str]]:
    """The moves that an act may mark ahead."""
    kind, _, rest = str(act.data.get("custom_id", "")).partition(":")
    if kind == "plans":
        yield from ((rest.partition(":")[0], act.user, str(value)) for value in act.data.get("values") or ())


def _act_kinds(acts: Sequence[Act]) -> Iterator[str]:
    for act in acts:
        if "custom_id" in act.data:
            kind, _, rest = str(act.data["custom_id"]).partition(":")
            yield f"t:{rest.partition(':')[2]}" if kind == "t" else kind
        else:
            yield "/" + " ".join(each["name"] for each in (act.data, *act.data["options"]))


async def play_hostile_run(seed: int, interaction_count: int) -> Counter[str]:
    """So many interactions of one run; what has happened, by kind. A failure tells the seed."""
    rng = Random(seed)
    dealt = f"{seed:032x}"
    async with start_plain_bot(
        dealt, people=rng.sample(NASTY_NAMES, MOST_PEOPLE), other_servers=OTHER_CHANNELS
    ) as plain_bot:
        with collect_log(lambda record: True, logging.WARNING) as log:
            run = HostileRun(plain_bot, rng, dealt, log)
            await run.start_matches()
            crowd = HostileCrowd(plain_bot, rng, run.tables)
            count = 0
            while count < interaction_count:
                count += await run.act_once(crowd)
            fresh = Matches(plain_bot.store, GAMES, plain_bot.bot.clock.now, features=FEATURES)
            for match in (match for match, table in run.tables.items() if table.status in LIVE):
                read, known = await fresh.cache.get_snapshot(match), await plain_bot.load_snapshot(match)
                assert (read.info, read.state) == (known.info, known.state), match
            run._check_nothing_wrong("the end")
    return run.counts + Counter(asked=count)
