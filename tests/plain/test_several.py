"""Several bots on one store: any of them answers, one alone posts, calls, times and plays, also while that changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from random import Random
from typing import Any

import pytest

from cogs.table.surfaces.stale_tracking import SAVE_DELAY
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import NotLeaseHolder, Status, StoreFailure
from players.pauses import LONGEST_PAUSE
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.games import GAMES
from tests.plain.bot_group import (
    ANSWER_PATHS,
    HOLD_SECONDS,
    BotGroup,
    check_all_right,
    find_wrong,
    requests_since,
    settle_bot_group,
    start_bot_group,
)
from tests.plain.fake_discord import EPHEMERAL_FLAG
from tests.plain.payloads import CHANNEL, GUILD
from tests.plain.plain_bot import COMPONENT_KIND, PEOPLE, PlainBot

SEED = "0d" * 16
GAME = next(iter(GAMES.values()))
NAMES = PEOPLE[: max(GAME.seats[0], 3)]
BUSY = 200  # turns of the loop, in which a bot is done with whatever it does of itself
Play = Callable[[BotGroup, Callable[[], None]], Awaitable[str]]


async def make_move(plain_bot: PlainBot, match: str, seat: int | None = None) -> None:
    snapshot = await plain_bot.matches.cache.get_fresh_snapshot(match)
    await plain_bot.click_move(snapshot, snapshot.due_seats()[0] if seat is None else seat)


@asynccontextmanager
async def match_in_bot_group(
    game: Any = None, **options: Any
) -> AsyncIterator[tuple[BotGroup, PlainBot, PlainBot, str]]:
    """Two bots, the first of which holds all parts, and a match, of GAME or of that one with as few as may be."""
    async with start_bot_group(SEED) as group:
        first, second = group.plain_bots
        names = PEOPLE[: game.seats[0]] if game else NAMES
        yield group, first, second, await first.seat_match(game or GAME, names, options)


async def test_any_process_answers_a_click_and_the_holder_alone_posts() -> None:
    async with match_in_bot_group() as (group, first, second, match):
        await check_all_right(group, match)
        for _ in range(4):
            start, moves = len(first.wire.requests_by_bot), first.store.infos[match].moves
            await make_move(second, match)
            assert first.store.infos[match].moves == moves + 1
            assert requests_since(group, start, "1") == [], "who only answers has posted something"
            assert requests_since(group, start, "0"), "the holder has shown nothing of it"
            await check_all_right(group, match)
        assert group.refused_writes == 0


async def test_a_change_that_nobody_was_told_of_is_found_by_a_sweep() -> None:
    async with match_in_bot_group() as (group, first, second, match):
        group.is_telling = False
        await make_move(second, match)
        table = await first.surface_message(match, "table")
        await settle_bot_group(group)
        assert first.current_message(table) != table
        await check_all_right(group, match)


async def test_changes_are_found_though_the_store_fails_during_a_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    async with match_in_bot_group() as (group, first, second, match):
        group.is_telling = False
        table, start = await first.surface_message(match, "table"), len(first.wire.requests_by_bot)
        await second.bot.surfaces.doubt(match, "table")

        async def away(match: str) -> bool:
            raise StoreFailure("away")

        with monkeypatch.context() as patched:
            patched.setattr(first.matches.cache, "drop_if_outdated", away)
            await settle_bot_group(group)
        assert requests_since(group, start, "0") == []
        await settle_bot_group(group)
        edits = [request for request in requests_since(group, start, "0") if request.endswith(str(table["id"]))]
        assert edits, "it is not shown again"


@pytest.mark.parametrize("stage", range(3))
async def test_a_part_that_changes_hands_in_the_midst_of_a_pass_is_gone_on_with_by_the_next(stage: int) -> None:
    async with match_in_bot_group() as (group, first, _, match):
        requests, lost = 0, None

        async def gate(name: str, request: str) -> None:
            nonlocal requests, lost
            if name == "0" and not any(part in request for part in ANSWER_PATHS):
                if requests == stage:
                    group.give_partition(0, group.bots[1])  # its request is under way, and is carried out
                    lost = len(first.wire.requests_by_bot)
                requests += 1
            await asyncio.sleep(0)

        first.wire.gate = gate
        await make_move(first, match)
        first.wire.gate = None
        assert lost is not None, "nothing was in the midst"
        assert requests_since(group, lost, "0") == [], "who has lost a part asks for something more"
        assert requests_since(group, lost, "1"), "the next one does nothing"
        await check_all_right(group, match)
        for plain_bot in group.plain_bots:
            await make_move(plain_bot, match)
            await check_all_right(group, match)
        assert requests_since(group, lost, "0") == []


async def test_a_match_seen_before_a_partition_is_gained_is_read_again() -> None:
    async with match_in_bot_group() as (group, first, second, match):
        await make_move(second, match)
        group.is_telling = False
        for _ in range(3):
            await make_move(first, match)
        group.give_partition(0, group.bots[1])
        await second.wait_quiet()
        await check_all_right(group, match)
        await make_move(second, match)
        group.give_partition(0, group.bots[0])
        await first.wait_quiet()
        await check_all_right(group, match)


async def test_computers_of_a_part_are_played_by_its_holder() -> None:
    async with start_bot_group(SEED) as group:
        first = group.plain_bots[0]
        helper = HELPERS[GAME.key]
        match = await first.seat_match(GAME, NAMES[:1], helper.short_options, computers=["easy"] * (GAME.seats[0] - 1))
        played = {"0": 0, "1": 0}
        for name, plain_bot in zip(played, group.plain_bots, strict=True):
            play_for = plain_bot.matches.moves.play_computer_move

            async def counted(*args: object, name: str = name, play_for: object = play_for) -> object:
                played[name] += 1
                return await play_for(*args)  # type: ignore[operator]  # as Matches has it

            plain_bot.matches.moves.play_computer_move = counted  # type: ignore[method-assign, assignment]
        for holder in (0, 1, 0):
            group.give_partition(0, group.bots[holder])
            before = dict(played)
            for _ in range(6):
                snapshot = await first.matches.cache.get_fresh_snapshot(match)
                if snapshot.info.status is not Status.RUNNING:
                    return
                if 0 in snapshot.due_seats():
                    await make_move(group.plain_bots[1 - holder], match, 0)
                await first.pass_time(LONGEST_PAUSE)
            assert played[str(1 - holder)] == before[str(1 - holder)], "another one than the holder plays"
            assert played[str(holder)] > before[str(holder)], "the computers stand still"
            await check_all_right(group, match)


async def test_a_due_player_is_called_once_by_the_holder_alone() -> None:
    async with match_in_bot_group(clock="1 hour") as (group, first, second, match):
        await make_move(second, match)
        start = len(first.wire.requests_by_bot)
        await first.pass_time(30)
        group.give_partition(0, group.bots[1])
        await first.pass_time(100)
        calls = [
            request
            for request in requests_since(group, start, "1")
            if request.startswith("POST") and "/messages" in request
        ]
        snapshot = await first.matches.cache.get_fresh_snapshot(match)
        assert len(calls) == len(snapshot.due_seats())
        assert requests_since(group, start, "0") == []
        group.give_partition(0, group.bots[0])
        await first.pass_time(200)
        repeated_calls = [request for request in requests_since(group, start, "0") if request.startswith("POST")]
        assert repeated_calls == [], "they are called again"
        moves = snapshot.info.moves
        await first.pass_time(3700)
        late = (await first.matches.cache.get_fresh_snapshot(match)).info
        assert late.moves > moves, "nobody's time runs out"
        await settle_bot_group(group)
        await check_all_right(group, match)


@pytest.mark.parametrize("is_told", [True, False])
@pytest.mark.parametrize("clock", ["30 seconds", "2 minutes plus 15 seconds a move"])
async def test_on_a_live_clock_the_holder_moves_in_time_even_if_another_process_answered(
    clock: str, is_told: bool
) -> None:
    async with match_in_bot_group(clock=clock) as (group, first, second, match):
        group.is_telling = is_told
        for holder in (0, 1, 0):
            group.give_partition(0, group.bots[holder])
            await group.plain_bots[holder].wait_quiet()
            await make_move(group.plain_bots[1 - holder], match)
            snapshot = await second.matches.cache.get_fresh_snapshot(match)
            await first.pass_time((snapshot.deadline() or 0) - first.bot.clock.now() - 1)
            assert (await first.matches.cache.get_fresh_snapshot(match)).info.moves == snapshot.info.moves
            await first.pass_time(4)
            late = await first.matches.cache.get_fresh_snapshot(match)
            assert max(late.timeout_moves, default=0) == late.info.moves == snapshot.info.moves + 1
            for plain_bot in group.plain_bots:
                assert (await plain_bot.matches.cache.get_fresh_snapshot(match)).info.banks == late.info.banks
            if late.info.banks:
                assert late.info.banks[snapshot.due_seats()[0]] == 15
        group.is_telling = True
        await settle_bot_group(group)
        await check_all_right(group, match)


@pytest.mark.parametrize("telling", [True, False])
async def test_a_break_that_another_process_was_told_of_rests_the_holders_clock_and_pings(telling: bool) -> None:
    async with match_in_bot_group(clock="1 hour") as (group, first, second, match):
        group.is_telling = telling
        snapshot = await first.load_snapshot(match)
        seat = snapshot.due_seats()[0]
        name = snapshot.info.seats[seat].name
        for each in snapshot.due_seats()[1:]:
            await make_move(second, match, each)
        await settle_bot_group(group)
        moves = (await first.matches.cache.get_fresh_snapshot(match)).info.moves
        await second.run_command(name, "motley break", length="2 hours")
        await settle_bot_group(group)
        assert f"{name} (back <t:" in str(await first.surface_message(match, "table"))
        await check_all_right(group, match)
        start = len(first.wire.requests_by_bot)
        await first.pass_time(2 * 3600 - 100)
        assert [request for request in requests_since(group, start, "0") if request.startswith("POST")] == []
        await second.run_command(name, "motley break", length="8 hours")
        await second.run_command(name, "motley break", length="back")
        await settle_bot_group(group)
        assert "(back <t:" not in str(await first.surface_message(match, "table"))
        await first.pass_time(3500)
        assert first.store.infos[match].moves == moves
        await first.pass_time(200)
        assert first.store.infos[match].moves > moves, "the holder has not learned of the new due time"
        await check_all_right(group, match)


async def test_the_answers_of_a_dead_process_are_shown_again_seconds_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async with match_in_bot_group() as (group, first, second, match):
        seat = (await first.load_snapshot(match)).due_seats()[0]
        hand = await first.surface_message(match, "hand", seat)

        async def dead(*args: object) -> None:
            raise asyncio.CancelledError

        with monkeypatch.context() as patched:
            patched.setattr(second.bot.reconciler.surface_sync, "note_surface", dead)
            patched.setattr(second.bot.surfaces, "doubt", dead)
            edits = second.bot.reconciler.surface_sync._interrupted_edits
            patched.setattr(edits, "expect_late_edit", lambda *message: None)
            start = len(first.wire.requests_by_bot)
            await make_move(second, match, seat)
        touched = [request for request in requests_since(group, start, "0") if request.endswith(str(hand["id"]))]
        assert touched == [], "the holder has not left it alone"
        await first.pass_time(HOLD_SECONDS + 0.1)
        touched = [request for request in requests_since(group, start, "0") if request.endswith(str(hand["id"]))]
        assert len(touched) == 1
        assert group.holds == {}
        await check_all_right(group, match)


async def test_a_table_is_opened_filled_and_played_again_by_those_who_hold_nothing() -> None:
    async with start_bot_group(SEED) as group:
        first, second = group.plain_bots
        match = await second.seat_match(GAME, NAMES, {})
        await settle_bot_group(group)
        await settle_bot_group(group)
        await check_all_right(group, match)
        inboxes = [seat for seat in range(len(NAMES)) if await first.bot.surfaces.find_surface(match, "hand", seat)]
        assert inboxes == list(range(len(NAMES))), "somebody has no hand"


async def test_buttons_of_an_announcement_go_once_nothing_can_be_done() -> None:
    async with match_in_bot_group() as (group, first, second, match):
        table = await first.surface_message(match, "table")

        async def press(plain_bot: PlainBot, name: str, action: str) -> None:
            await plain_bot.click_control(name, table, f"t:{match}:{action}")

        def live_buttons() -> list[str]:
            messages = first.wire.channels[int(table["channel_id"])].values()
            announcements = [each for each in messages if each.get("content") and each["components"]]
            return [
                each["content"].split(" has ")[0] for each in announcements if " has left the match" in each["content"]
            ]

        await press(second, NAMES[0], "leave")
        await press(first, NAMES[0], "seat")
        await press(first, NAMES[0], "leave")
        await press(second, NAMES[1], "leave")
        assert live_buttons() == list(NAMES[:2])
        for name in NAMES[:2]:
            await press(first, name, "seat")
        await settle_bot_group(group)
        assert live_buttons() == []


async def test_a_match_has_its_thread_though_its_holder_is_not_told_of_the_server() -> None:
    async with start_bot_group(SEED) as group:
        first, second = group.plain_bots
        guild = first.bot.get_guild(GUILD)
        assert guild is not None
        first.bot._connection._remove_guild(guild)
        match = await second.seat_match(GAME, NAMES, {})
        await settle_bot_group(group)
        thread = group.store.infos[match].place.thread
        assert thread in first.wire.threads
        await check_all_right(group, match)


@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_whole_turns_of_every_game_are_played_while_partitions_change_hands(helper: GameHelper) -> None:
    rng = Random(SEED)
    async with match_in_bot_group(helper.game) as (group, _first, _second, match):
        for _ in range(12):
            if rng.random() < 0.4:
                group.give_partition(0, rng.choice([*group.bots, None]))
            group.is_telling = rng.random() < 0.7
            plain_bot = rng.choice(group.plain_bots)
            snapshot: MatchSnapshot = await plain_bot.matches.cache.get_fresh_snapshot(match)
            seat = rng.choice(snapshot.due_seats())
            await plain_bot.click_move(snapshot, seat, rng)
            assert plain_bot.store.infos[match].moves == snapshot.info.moves + 1
        if not group.holders:
            group.give_partition(0, group.bots[1])
        await settle_bot_group(group)
        await check_all_right(group, match)


async def test_a_lobby_with_which_a_command_is_being_answered_is_not_posted_by_the_holder() -> None:
    async with start_bot_group(SEED) as group:
        first, second = group.plain_bots

        async def slow(name: str, request: str) -> None:
            if name == "1" and request.endswith("/callback"):
                for _ in range(2):
                    for _ in range(50):  # whatever the holder does meanwhile
                        await asyncio.sleep(0)
                    first.time.advance_to(first.time.seconds + 1)

        first.wire.gate = slow
        await second.run_command("Ada", f"{GAME.key} new")
        first.wire.gate = None
        ((match, _),) = group.store.infos.items()
        for _ in range(3):
            await settle_bot_group(group)
        assert len(first.wire.channels[CHANNEL]) == 1, "there are two lobbies"
        await check_all_right(group, match)


async def test_changes_while_nobody_had_a_partition_are_shown_by_the_process_that_gains_it() -> None:
    async with match_in_bot_group() as (group, first, second, match):
        group.give_partition(0, None)
        start = len(first.wire.requests_by_bot)
        for plain_bot in (first, second, second):
            await make_move(plain_bot, match)
        assert requests_since(group, start, "0") == requests_since(group, start, "1") == [], "nobody may post anything"
        group.give_partition(0, group.bots[1])
        await second.wait_quiet()
        assert not (found := await find_wrong(second, match)), found
        assert requests_since(group, start, "1"), "nothing is shown"


async def play_with_each_handover(play: Play, settled: Callable[[BotGroup, str], None]) -> int:
    """Play it again for each step that the holder makes from when it is told to, and have the part change hands there.

    A step is a request, or something asked of the store or written; before it is gone on with, the next holder does
    whatever it will. How many steps there were.
    """
    for stage in count():
        async with start_bot_group(SEED) as group:
            steps = 0

            async def step(name: str, request: str = "", group: BotGroup = group, stage: int = stage) -> None:
                nonlocal steps
                if name != "0":
                    return
                steps += 1
                if steps == stage + 1:
                    group.give_partition(0, group.bots[1])
                    for _ in range(BUSY):
                        await asyncio.sleep(0)
                elif steps <= stage:
                    surfaces = group.plain_bots[0].bot.surfaces
                    surfaces.invalidate_all()  # as if others had written: it is read anew, which is a step

            def begin(group: BotGroup = group, step: Any = step) -> None:
                group.on_step = group.plain_bots[0].wire.gate = step

            match = await play(group, begin)
            group.on_step = group.plain_bots[0].wire.gate = None
            if steps <= stage:
                return stage
            for _ in range(2):
                await settle_bot_group(group)
            await check_all_right(group, match)
            settled(group, match)
    raise AssertionError


def check_nothing_twice(group: BotGroup, match: str) -> None:
    """No message of the match is there twice: each channel has one that leads to it. Nobody was told of a failure."""
    assert not [
        sent.body_text for sent in group.plain_bots[0].wire.sent_requests if str(NotLeaseHolder()) in sent.body_text
    ]
    for channel, messages in group.plain_bots[0].wire.channels.items():
        found = [number for number, each in messages.items() if f":{match}:" in str(each["components"])]
        assert len(found) <= 1, f"in {channel} there are {found}"


async def test_somebody_who_comes_in_while_the_part_changes_hands_has_one_hand() -> None:
    async def play(group: BotGroup, begin: Callable[[], None]) -> str:
        first = group.plain_bots[0]
        await first.seat_match(GAME, NAMES, {})  # by which all inboxes are known: the next holder may post at once
        match, lobby = await first.open_lobby(NAMES[0], GAME)
        begin()
        await first.click_control(NAMES[1], lobby, f"t:{match}:join")
        return match

    assert await play_with_each_handover(play, check_nothing_twice) > 10


async def test_somebody_who_plays_again_while_the_part_changes_hands_has_one_lobby() -> None:
    async def play(group: BotGroup, begin: Callable[[], None]) -> str:
        first, helper = group.plain_bots[0], HELPERS[GAME.key]
        match = await first.seat_match(GAME, NAMES, helper.short_options)
        while (snapshot := await first.load_snapshot(match)).info.status is Status.RUNNING:
            seat = snapshot.due_seats()[0]
            await first.play_undrawn(snapshot, seat, snapshot.moves(seat)[0])
        await first.show_match(match)
        known = {*group.store.infos}
        begin()
        await first.press(NAMES[1], match, "again")
        (rematch,) = group.store.infos.keys() - known
        return rematch

    assert await play_with_each_handover(play, check_nothing_twice) > 10


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("change", ["begins", "ends", "is left", "is gone on with"])
async def test_a_new_holder_sees_which_other_hands_must_name_their_match(change: str, number: int) -> None:
    async with match_in_bot_group() as (group, first, _, match):
        other, lobby = await first.open_lobby(NAMES[0], GAME)
        for name in NAMES[1:]:
            await first.click_control(name, lobby, f"t:{other}:join")
        before = {"ends": ["start", "leave", "stop"], "is left": ["start"], "is gone on with": ["start", "leave"]}
        people = {"start": NAMES[0], "leave": NAMES[0], "stop": NAMES[1]}
        for action in before.get(change, []):
            await first.click_control(people[action], lobby, f"t:{other}:{action}")
            if action == "start":
                await make_move(first, other)
        await first.pass_time(3 * SAVE_DELAY)
        assert group.shown.marked_matches == set(), "not all is said to be shown"
        group.give_partition(0, group.bots[1])
        for plain_bot in group.plain_bots:
            await plain_bot.wait_quiet()
        actions = {"begins": (NAMES[0], "start"), "ends": (NAMES[2], "stop"), "is left": (NAMES[1], "leave")}
        person, action = actions.get(change, (PEOPLE[0], "seat"))
        await group.plain_bots[number].click_control(person, lobby, f"t:{other}:{action}")
        if change == "ends":
            assert group.store.infos[other].status is Status.ENDED
        await settle_bot_group(group)
        assert not (found := await find_wrong(group.plain_bots[1], match)), found


async def test_a_menu_that_knows_an_older_match_refuses_nothing_that_is_allowed_now() -> None:
    async with match_in_bot_group() as (group, first, second, match):
        group.is_telling = False
        host, other = (first.wire.people[name] for name in PEOPLE[:2])
        lobbies = first.matches.lobbies
        await lobbies.hand_over_host(match, host, other)
        await second.matches.cache.get_fresh_snapshot(match)
        await lobbies.hand_over_host(match, other, host)  # which the second bot does not know
        menu = {
            "id": "1",
            "channel_id": str(CHANNEL),
            "type": 0,
            "content": "",
            "components": [],
            "flags": EPHEMERAL_FLAG,
        }
        second.wire.place_message(menu, host)
        pressed = {"custom_id": f"t:{match}:host", "component_type": 3, "values": [str(other)]}
        await second._dispatch(PEOPLE[0], CHANNEL, COMPONENT_KIND, pressed, menu)
        assert (await first.matches.cache.get_fresh_snapshot(match)).info.host == other
