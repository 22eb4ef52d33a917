"""The budget of first contacts: many people join, Discord lets the bot write to few, and all get their hands."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from cogs.table.channels.contact_budget import ContactLimits
from cogs.table.channels.direct_messages import DirectMessages
from engines.hosting.match import MatchSnapshot
from engines.store.partition import GUILD_SHIFT, Partition
from engines.store.surface_storage import Inbox
from motley.metrics import Metrics
from tests.engines.memory_store import MemoryStore
from tests.engines.memory_surfaces import MemoryShown
from tests.games import GAMES
from tests.messages import walk_components
from tests.plain.bot_group import start_bot_group
from tests.plain.payloads import CHANNEL
from tests.plain.plain_bot import BUTTON, COMPONENT_KIND, PlainBot, start_plain_bot

SEED = "5a" * 16
GAME = GAMES["wizard"]
SEATS = 5
JOINERS = [f"Guest {number}" for number in range(1, 51)]
OPENING = "POST /users/@me/channels"
TEN_MINUTES, HOUR, DAY = 600, 3600, 86400
MANY = ContactLimits(1000, 1000)
OTHER_CHANNEL, OTHER_GUILD = 9102, 1 << GUILD_SHIFT  # in the second partition of two
QUARANTINED, TOO_FAST, CLOSED = 20026, 40003, 50007
WAITING_WORDS = "I may start only a few new conversations at a time"
PASSING_WORDS = "does not let me send you direct messages right now"
CLOSED_WORDS = "I cannot send you direct messages"


@dataclass
class Quarantine:
    """Refuses everybody from the given first contact on, as long as it lasts."""

    first_refused: int
    contacted: list[int] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)  # when
    lasts: bool = True
    plain_bot: PlainBot | None = None

    def __call__(self, user: int) -> int:
        if user not in self.contacted:
            self.contacted.append(user)
        if not self.lasts or self.contacted.index(user) + 1 < self.first_refused:
            return 0
        assert self.plain_bot is not None
        self.refused.append(self.plain_bot.time.seconds)
        return QUARANTINED


def impose(plain_bot: PlainBot, quarantine: Quarantine, at: str) -> None:
    quarantine.plain_bot = plain_bot
    if at == "opening":
        plain_bot.wire.opening_refusal = quarantine
    else:
        plain_bot.wire.first_refusal = quarantine


def direct_messages(plain_bot: PlainBot) -> DirectMessages:
    return plain_bot.bot.reconciler.surface_sync.direct_messages


def count_openings(plain_bot: PlainBot) -> int:
    return plain_bot.wire.requests.count(OPENING)


def answer_texts(plain_bot: PlainBot, name: str) -> str:
    """All that was said to somebody alone in answer to what they did, but for what is in direct messages."""
    user = plain_bot.wire.people[name]
    own_requests = (
        each for each in plain_bot.wire.sent_requests if each.reader == user and "/channels/" not in each.path
    )
    return "\n".join(each.body_text for each in own_requests)


def inbox_messages(plain_bot: PlainBot, name: str) -> Sequence[Mapping[str, object]]:
    return [*plain_bot.wire.channels.get(plain_bot.wire.inbox_of(plain_bot.wire.people[name]), {}).values()]


async def join_tables(plain_bot: PlainBot, *, start: bool = True, names: Sequence[str] = ()) -> list[str]:
    """Have the joiners sit down at tables of five, and start them; the matches."""
    names, matches = names or JOINERS, []
    for first in range(0, len(names), SEATS):
        match, lobby = await plain_bot.open_lobby(names[first], GAME, rounds=1)
        for name in names[first + 1 : first + SEATS]:
            await plain_bot.click_control(name, lobby, f"t:{match}:join")
        if start:
            await plain_bot.click_control(names[first], lobby, f"t:{match}:start")
        matches.append(match)
    return matches


async def check_delivered(plain_bot: PlainBot, matches: Sequence[str]) -> None:
    """Everybody has one message in their direct messages: their own hand, of their own match."""
    for match in matches:
        snapshot = await plain_bot.load_snapshot(match)
        for seat, holder in enumerate(snapshot.info.seats):
            name = next(name for name, user in plain_bot.wire.people.items() if user == holder.user)
            hand = await plain_bot.surface_message(match, "hand", seat)
            assert [each["id"] for each in inbox_messages(plain_bot, name)] == [hand["id"]], name
            assert match in json.dumps(hand["components"])
            inbox = await plain_bot.bot.surfaces.inbox(holder.user)
            assert inbox == Inbox(plain_bot.wire.inbox_of(holder.user), closed=False, reached=True)


async def metric_values(plain_bot: PlainBot) -> tuple[float | None, float | None]:
    """Whether the metrics say that the bot is quarantined, and how many people wait."""
    metrics = Metrics(GAMES)
    metrics.bot = plain_bot.bot
    await metrics.render_page()
    value = metrics.registry.get_sample_value
    return value("motley_first_contacts_quarantined"), value("motley_first_contacts_waiting")


async def count_delivered(plain_bot: PlainBot) -> int:
    return sum(bool(inbox_messages(plain_bot, name)) for name in JOINERS)


def log_lines(caplog: pytest.LogCaptureFixture, level: str) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelname == level]


@pytest.mark.parametrize("at", ["opening", "sending"])
async def test_fifty_join_and_discord_quarantines_the_bot_from_the_thirtieth_on(
    at: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        direct_messages(plain_bot).budget.limits = MANY
        impose(plain_bot, quarantine := Quarantine(30), at)
        matches = await join_tables(plain_bot)
        assert len(quarantine.refused) == 1, "then first contacts stop at once"
        assert await count_delivered(plain_bot) == 29
        (error,) = log_lines(caplog, "ERROR")
        assert "20026" in error
        assert "Appeal" in error
        for name in JOINERS[29:]:
            assert WAITING_WORDS in answer_texts(plain_bot, name), name
        late = JOINERS[-1]  # plays by the button at the table, with no direct message at all
        interaction = await plain_bot.press(late, matches[-1], "hand")
        assert interaction.answer is not None
        assert any("custom_id" in each for each in walk_components(interaction.answer["components"]))
        await plain_bot.pass_time(HOUR - 60)
        assert len(quarantine.refused) == 1, "nobody new is written to for an hour"
        checked = await plain_bot.run_command(JOINERS[0], "motley check")
        assert "Discord does not let me write to new people until <t:" in str(checked.answer)
        assert await metric_values(plain_bot) == (1, 21)
        quarantine.lasts = False
        await plain_bot.pass_time(5 * 60)
        await check_delivered(plain_bot, matches)
        assert await metric_values(plain_bot) == (0, 0)
        assert len(log_lines(caplog, "ERROR")) == 1


async def test_a_longer_quarantine_is_tried_once_an_hour_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        direct_messages(plain_bot).budget.limits = MANY
        impose(plain_bot, quarantine := Quarantine(30), "opening")
        matches = await join_tables(plain_bot)
        await plain_bot.pass_time(4 * HOUR + 5 * 60)
        assert len(quarantine.refused) == 5
        pauses = [later - sooner for sooner, later in zip(quarantine.refused, quarantine.refused[1:], strict=False)]
        assert all(HOUR <= pause <= HOUR + 60 for pause in pauses)
        assert len(log_lines(caplog, "ERROR")) == 1
        quarantine.lasts = False
        await plain_bot.pass_time(HOUR + 5 * 60)
        await check_delivered(plain_bot, matches)


async def test_the_default_budget_serves_fifty_within_half_an_hour() -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        matches = await join_tables(plain_bot)
        assert (await count_delivered(plain_bot), count_openings(plain_bot)) == (20, 20)
        waiting = [WAITING_WORDS in answer_texts(plain_bot, name) for name in JOINERS]
        assert waiting == [False] * 20 + [True] * 30
        counts = []
        for _ in range(30):
            await plain_bot.pass_time(60)
            counts.append(count_openings(plain_bot))
        assert all(later - sooner <= 20 for sooner, later in zip(counts, counts[9:], strict=False))
        assert count_openings(plain_bot) == 50
        await check_delivered(plain_bot, matches)


async def test_no_more_than_the_day_allows() -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        direct_messages(plain_bot).budget.limits = ContactLimits(20, 30)
        matches = await join_tables(plain_bot)
        await plain_bot.pass_time(DAY - 60)
        assert count_openings(plain_bot) == 30
        await plain_bot.pass_time(TEN_MINUTES + 120)
        assert count_openings(plain_bot) == 50
        await check_delivered(plain_bot, matches)


async def test_hands_of_those_who_are_due_come_first_and_lobbies_last() -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        direct_messages(plain_bot).budget.limits = ContactLimits(5, 1000)
        await join_tables(plain_bot, names=JOINERS[:5])
        await join_tables(plain_bot, start=False, names=JOINERS[5:10])  # they have waited longest
        (match,) = await join_tables(plain_bot, names=JOINERS[10:15])
        snapshot = await plain_bot.load_snapshot(match)
        (due,) = snapshot.due_seats()
        await plain_bot.pass_time(TEN_MINUTES + 1)
        contacted = [name for name in JOINERS[5:] if inbox_messages(plain_bot, name)]
        assert contacted == [JOINERS[10 + due]], "somebody who has to act is first"
        await plain_bot.pass_time(30)
        assert [name for name in JOINERS[5:] if inbox_messages(plain_bot, name)] == JOINERS[10:15]
        await plain_bot.pass_time(2 * TEN_MINUTES)
        assert all(inbox_messages(plain_bot, name) for name in JOINERS[5:10])


async def test_a_due_player_without_a_hand_is_mentioned_at_the_table() -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        direct_messages(plain_bot).budget.limits = ContactLimits(1, 1)
        (match,) = await join_tables(plain_bot, names=JOINERS[:5])
        snapshot = await plain_bot.load_snapshot(match)
        (due,) = snapshot.due_seats()
        assert due != 0, "the host alone was written to"
        await plain_bot.pass_time(61)
        (mention,) = await plain_bot.bot.surfaces.mentions(match)
        assert (mention.seat, mention.state) == (due, "sent")


async def test_a_restart_forgets_neither_the_budget_nor_those_who_wait() -> None:
    stores = MemoryStore(), MemoryShown()
    async with start_plain_bot(SEED, people=JOINERS, stores=stores) as plain_bot:
        matches = await join_tables(plain_bot)
        assert count_openings(plain_bot) == 20
        await plain_bot.pass_time(30)
    async with start_plain_bot(SEED, people=JOINERS, stores=stores, after=plain_bot) as restarted:
        restarted.bot.resume_matches()
        await restarted.pass_time(30)
        assert count_openings(plain_bot) == 20
        await restarted.pass_time(25 * 60)
        assert count_openings(plain_bot) == 50
        await check_delivered(restarted, matches)


async def test_a_restart_in_the_quarantine_contacts_nobody() -> None:
    stores = MemoryStore(), MemoryShown()
    async with start_plain_bot(SEED, people=JOINERS, stores=stores) as plain_bot:
        impose(plain_bot, quarantine := Quarantine(3), "sending")
        matches = await join_tables(plain_bot, names=JOINERS[:5])
    async with start_plain_bot(SEED, people=JOINERS, stores=stores, after=plain_bot) as restarted:
        restarted.bot.resume_matches()
        await restarted.pass_time(HOUR - 120)
        assert (count_openings(plain_bot), len(quarantine.refused)) == (3, 1)
        quarantine.lasts = False
        await restarted.pass_time(10 * 60)
        await check_delivered(restarted, matches)


async def test_a_redraw_during_a_refused_first_message_does_not_write_to_that_person_again() -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        match, lobby = await plain_bot.open_lobby(JOINERS[0], GAME, rounds=1)
        impose(plain_bot, quarantine := Quarantine(1), "sending")
        first_message = f"POST /channels/{plain_bot.wire.inbox_of(2)}/messages"
        paused_requests: list[str] = []

        async def redraw(bot: str, request: str) -> None:
            if request == first_message and not paused_requests:
                paused_requests.append(request)
                plain_bot.bot.reconciler.wake(match)
                await asyncio.sleep(0.2)  # the redraw gets as far as it can

        plain_bot.wire.gate = redraw
        await plain_bot.click_control(JOINERS[1], lobby, f"t:{match}:join")
        assert paused_requests
        assert len(quarantine.refused) == 1
        quarantine.lasts = False
        await plain_bot.pass_time(HOUR + 60)
        assert len(inbox_messages(plain_bot, JOINERS[1])) == 1


async def test_somebody_who_leaves_the_lobby_in_the_quarantine_gets_no_message() -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        impose(plain_bot, Quarantine(3), "sending")
        (match,) = await join_tables(plain_bot, start=False, names=JOINERS[:5])
        lobby = await plain_bot.surface_message(match, "lobby")
        for name in JOINERS[2:5]:
            await plain_bot.click_control(name, lobby, f"t:{match}:leave")
        start = len(plain_bot.wire.requests)
        await plain_bot.pass_time(HOUR + TEN_MINUTES)
        assert OPENING not in plain_bot.wire.requests[start:]
        assert not any(inbox_messages(plain_bot, name) for name in JOINERS[2:5])
        assert len(direct_messages(plain_bot).waiting) == 0


@pytest.mark.parametrize(
    ("code", "refusal", "kept_from"), [(CLOSED, CLOSED_WORDS, PASSING_WORDS), (TOO_FAST, PASSING_WORDS, CLOSED_WORDS)]
)
async def test_a_final_refusal_is_told_apart_from_a_passing_one(
    code: int, refusal: str, kept_from: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        await join_tables(plain_bot, start=False, names=JOINERS[:1])
        plain_bot.wire.opening_refusal = lambda user: code if user == 2 else 0
        (match,) = await join_tables(plain_bot, names=JOINERS[1:6])
        assert refusal in answer_texts(plain_bot, JOINERS[1])
        assert kept_from not in answer_texts(plain_bot, JOINERS[1])
        before = count_openings(plain_bot)
        await plain_bot.pass_time(TEN_MINUTES)
        assert (count_openings(plain_bot) == before) == (code == CLOSED), "a final refusal is not tried again"
        plain_bot.wire.opening_refusal = lambda user: 0
        await plain_bot.pass_time(TEN_MINUTES)
        if code == TOO_FAST:
            await check_delivered(plain_bot, [match])
        assert not [line for line in caplog.messages if "table in its channel" in line]


async def test_a_log_line_about_a_hand_does_not_speak_of_the_table(caplog: pytest.LogCaptureFixture) -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        plain_bot.wire.first_refusal = lambda user: 50001 if user == 2 else 0
        await join_tables(plain_bot, names=JOINERS[:5])
        (line,) = {line for line in log_lines(caplog, "WARNING") if "gave up" in line}
        assert line.endswith("gave up on its hand: I cannot send this hand by direct message (Discord says 50001).")


async def test_known_people_and_those_who_use_the_bot_in_private_are_no_first_contacts() -> None:
    surfaces = MemoryShown()
    async with start_plain_bot(SEED, people=JOINERS, stores=(MemoryStore(), surfaces)) as plain_bot:
        direct_messages(plain_bot).budget.limits = ContactLimits(1, 1)
        surfaces.inboxes[2] = Inbox(plain_bot.wire.inbox_of(2), closed=False, reached=True)  # as 1.0.0 left it
        plain_bot.rooms[JOINERS[2]] = plain_bot.wire.inbox_of(3)
        await plain_bot.run_command(JOINERS[2], "motley help")
        (match,) = await join_tables(plain_bot, names=JOINERS[:5])
        assert count_openings(plain_bot) == 1, "the host's"
        assert all(inbox_messages(plain_bot, name) for name in JOINERS[:3])
        assert not any(inbox_messages(plain_bot, name) for name in JOINERS[3:5])
        plain_bot.rooms[JOINERS[3]] = plain_bot.wire.inbox_of(4)  # asks for help in private while the hand is awaited
        await plain_bot.run_command(JOINERS[3], "motley help")
        assert match in json.dumps((await plain_bot.surface_message(match, "hand", 3))["components"])
        assert count_openings(plain_bot) == 1


async def test_two_processes_share_the_budget() -> None:
    async with start_bot_group(SEED) as group:
        for plain_bot in group.plain_bots:
            direct_messages(plain_bot).budget.limits = ContactLimits(2, 1000)
        first, second = group.plain_bots
        contacted = set[int]()  # both may ask for the channel of one person at once, who gets one and counts once

        def note_contact(user: int) -> int:
            contacted.add(user)
            return 0

        first.wire.opening_refusal = note_contact
        match, lobby = await first.open_lobby("Ada", GAME, rounds=1)
        await second.click_control("Bela", lobby, f"t:{match}:join")
        await second.click_control("Chidi", lobby, f"t:{match}:join")
        await first.click_control("Dora", lobby, f"t:{match}:join")
        assert len(contacted) == 2, "they have one wire"
        await first.click_control("Ada", lobby, f"t:{match}:start")
        await first.pass_time(2 * TEN_MINUTES)
        assert len(contacted) == 4
        for seat in range(4):
            assert match in json.dumps((await first.surface_message(match, "hand", seat))["components"])


async def test_somebody_who_closed_their_messages_is_tried_again_without_another_first_contact() -> None:
    """Otherwise a few presses of *Status* at their table would spend the budget of everybody else."""
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        direct_messages(plain_bot).budget.limits = ContactLimits(6, 6)
        plain_bot.wire.closed_inboxes = {2}
        (match,) = await join_tables(plain_bot, names=JOINERS[:5])
        assert CLOSED_WORDS in answer_texts(plain_bot, JOINERS[1])
        for _ in range(10):
            await plain_bot.press(JOINERS[0], match, "status")
            await plain_bot.pass_time(60)
        await join_tables(plain_bot, start=False, names=JOINERS[5:6])
        assert inbox_messages(plain_bot, JOINERS[5]), "the last first contact of the day is still there"
        plain_bot.wire.closed_inboxes = set()
        await plain_bot.press(JOINERS[0], match, "status")
        await plain_bot.pass_time(60)
        await check_delivered(plain_bot, [match])


async def test_somebody_who_is_refused_for_the_moment_over_and_over_is_one_first_contact() -> None:
    """Otherwise some hours of refusals that pass would spend everybody's budget of the day."""
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        direct_messages(plain_bot).budget.limits = ContactLimits(6, 6)
        plain_bot.wire.opening_refusal = lambda user: TOO_FAST if user == 2 else 0
        (match,) = await join_tables(plain_bot, names=JOINERS[:5])
        await plain_bot.pass_time(HOUR)
        assert count_openings(plain_bot) > 30
        plain_bot.wire.opening_refusal = lambda user: 0
        await join_tables(plain_bot, start=False, names=JOINERS[5:6])
        await plain_bot.pass_time(120)
        await check_delivered(plain_bot, [match])
        assert inbox_messages(plain_bot, JOINERS[5]), "the last first contact of the day is still there"


async def test_after_a_restart_a_person_is_still_the_same_first_contact() -> None:
    stores = MemoryStore(), MemoryShown()
    async with start_plain_bot(SEED, people=JOINERS, stores=stores) as plain_bot:
        direct_messages(plain_bot).budget.limits = ContactLimits(6, 6)
        plain_bot.wire.closed_inboxes = {2}
        plain_bot.wire.opening_refusal = lambda user: TOO_FAST if user == 3 else 0
        (match,) = await join_tables(plain_bot, names=JOINERS[:5])
    for _ in range(3):
        async with start_plain_bot(SEED, people=JOINERS, stores=stores, after=plain_bot) as restarted:
            direct_messages(restarted).budget.limits = ContactLimits(6, 6)
            restarted.bot.resume_matches()
            await restarted.press(JOINERS[0], match, "status")
            await restarted.pass_time(120)
    plain_bot.wire.closed_inboxes, plain_bot.wire.opening_refusal = set(), lambda user: 0
    async with start_plain_bot(SEED, people=JOINERS, stores=stores, after=plain_bot) as restarted:
        direct_messages(restarted).budget.limits = ContactLimits(6, 6)
        await join_tables(restarted, start=False, names=JOINERS[5:6])
        restarted.bot.resume_matches()
        await restarted.press(JOINERS[0], match, "status")
        await restarted.pass_time(120)
        await check_delivered(restarted, [match])
        assert inbox_messages(restarted, JOINERS[5]), "the last first contact of the day is still there"


async def test_for_two_processes_a_person_is_the_same_first_contact() -> None:
    async with start_bot_group(SEED, other_servers={OTHER_CHANNEL: OTHER_GUILD}) as group:
        first, second = group.plain_bots
        group.give_partition(Partition.all_of(2).number_of(OTHER_GUILD), group.bots[1])
        for plain_bot in group.plain_bots:
            direct_messages(plain_bot).budget.limits = ContactLimits(2, 2)
        first.wire.closed_inboxes = {1}  # Ada
        second.rooms["Ada"] = OTHER_CHANNEL
        await first.open_lobby("Ada", GAME)
        await second.open_lobby("Ada", GAME)
        assert count_openings(first) == 2, "they have one wire"
        match, lobby = await first.open_lobby("Ada", GAME)
        await first.click_control("Bela", lobby, f"t:{match}:join")
        assert first.wire.channels.get(first.wire.inbox_of(2)), "the last first contact of the day is still there"


async def test_a_person_who_joins_is_placed_without_a_look_at_everybody_who_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        direct_messages(plain_bot).budget.limits = ContactLimits(1, 1)
        matches_read, counts, get_snapshot = list[str](), list[int](), plain_bot.matches.cache.get_snapshot

        async def count_snapshot(match: str) -> MatchSnapshot:
            matches_read.append(match)
            return await get_snapshot(match)

        monkeypatch.setattr(plain_bot.matches.cache, "get_snapshot", count_snapshot)
        names = JOINERS[:20]  # a server has no room for more lobbies
        for name in names:
            start = len(matches_read)
            await plain_bot.open_lobby(name, GAME)
            counts.append(len(matches_read) - start)
        assert len(direct_messages(plain_bot).waiting) == len(names) - 1
        assert max(counts[2:]) == min(counts[2:]), counts


async def test_each_request_that_is_under_way_when_the_quarantine_begins_is_no_final_refusal(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        (match,) = await join_tables(plain_bot, names=JOINERS[:1], start=False)
        lobby = await plain_bot.surface_message(match, "lobby")
        join = {"custom_id": f"t:{match}:join", "component_type": BUTTON}
        under_way: list[str] = []
        answered = asyncio.Event()

        async def hold(bot: str, request: str) -> None:
            if request == OPENING:
                under_way.append(request)
                if len(under_way) == SEATS - 1:
                    answered.set()
                await answered.wait()

        plain_bot.wire.gate = hold
        plain_bot.wire.opening_refusal = lambda user: QUARANTINED
        clicks = [
            plain_bot.wire.start_interaction(plain_bot.wire.people[name], CHANNEL, COMPONENT_KIND, join, lobby)[1]
            for name in JOINERS[1:SEATS]
        ]
        await plain_bot.dispatch_at_once(*clicks)
        plain_bot.wire.gate = None
        assert len(under_way) == SEATS - 1
        assert len(log_lines(caplog, "ERROR")) == 1
        for name in JOINERS[1:SEATS]:
            assert CLOSED_WORDS not in answer_texts(plain_bot, name)
            inbox = await plain_bot.bot.surfaces.inbox(plain_bot.wire.people[name])
            assert inbox is not None
            assert not inbox.closed
        plain_bot.wire.opening_refusal = lambda user: 0
        await plain_bot.click_control(JOINERS[0], lobby, f"t:{match}:start")
        await plain_bot.pass_time(HOUR + 60)
        await check_delivered(plain_bot, [match])


async def test_a_guest_who_joins_and_leaves_over_and_over_is_one_first_contact() -> None:
    async with start_plain_bot(SEED, people=JOINERS) as plain_bot:
        direct_messages(plain_bot).budget.limits = ContactLimits(3, 3)
        plain_bot.wire.closed_inboxes = {2}
        match, lobby = await plain_bot.open_lobby(JOINERS[0], GAME, rounds=1)
        for _ in range(5):
            await plain_bot.click_control(JOINERS[1], lobby, f"t:{match}:join")
            await plain_bot.click_control(JOINERS[1], lobby, f"t:{match}:leave")
        await plain_bot.click_control(JOINERS[2], lobby, f"t:{match}:join")
        assert inbox_messages(plain_bot, JOINERS[2])
