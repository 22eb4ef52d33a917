"""Whole matches of every game that one person plays alone with computers; and computers in the seats of others."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil
from random import Random
from typing import Any, NoReturn

import pytest

from cogs.screens.words import COMPUTER_MARK
from cogs.table.commands.component_router import NO_WAY_BACK
from cogs.table.scheduling import computer_turns
from cogs.table.scheduling.computer_turns import MOVE_PAUSE, ComputerPlayers
from cogs.table.wording import narration
from engines.hosting.match import MatchSnapshot, RequestRefused, StaleDecision
from engines.store.characters import CHARACTERS
from engines.store.match_store import MatchInfo, Status
from players import Player, available_levels, make_player
from players.pauses import LONGEST_PAUSE
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.game_uis import SCREENS
from tests.manual_time import ManualTime
from tests.messages import Message
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot
from tests.worker_pool.immediate_pool import ImmediatePool
from worker_pool.pool import JobFailed, WorkerPool

SEED = "0c" * 16
MOST = 4000  # moves
MOVES = 12  # in the midst of a match
EVERY = list(HELPERS.values())
CASES = [
    pytest.param(helper, seats, id=f"{helper.game.key}-{seats}", marks=[pytest.mark.long] if more else [])
    for helper in EVERY
    for more, seats in enumerate(sorted({helper.game.seats[0], helper.game.seats[-1]}))
]


async def start_with_computers(plain_bot: PlainBot, helper: GameHelper, seats: int, level: str = "normal") -> str:
    """A match of one person with computers in all other seats, begun by clicks alone; its id."""
    ada = PEOPLE[0]
    match, lobby = await plain_bot.open_lobby(ada, helper.game, **helper.short_options)
    await plain_bot.click_control(ada, lobby, f"t:{match}:computers")
    while len((await plain_bot.load_snapshot(match)).info.seats) < seats:
        await plain_bot.click_control(ada, lobby, f"t:{match}:computer-{level}")
    await plain_bot.click_control(ada, lobby, f"t:{match}:start")
    return match


async def play_alone(plain_bot: PlainBot, match: str, rng: Random) -> None:
    for _ in range(MOST):
        snapshot = await plain_bot.load_snapshot(match)
        if snapshot.info.status is not Status.RUNNING:
            return
        if 0 in snapshot.due_seats():
            await plain_bot.click_move(snapshot, 0, rng)
        else:
            await plain_bot.pass_pause(match)
        assert (await plain_bot.load_snapshot(match)).info.revision > snapshot.info.revision, "the match stands still"
    raise AssertionError("the match has no end")


async def test_nothing_looks_for_computers_if_only_people_play(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    play = ComputerPlayers._play_match

    async def noted(computers: ComputerPlayers, match: str) -> None:
        looked.append(match)
        await play(computers, match)

    monkeypatch.setattr(ComputerPlayers, "_play_match", noted)
    async with start_plain_bot(SEED) as plain_bot:
        alone = await start_with_computers(plain_bot, EVERY[0], EVERY[0].game.seats[0])
        assert {*looked} == {alone}
        helper = EVERY[0]
        match = await plain_bot.seat_match(helper.game, PEOPLE[: helper.game.seats[0]], helper.short_options)
        snapshot = await plain_bot.load_snapshot(match)
        await plain_bot.play_undrawn(snapshot, snapshot.due_seats()[0], snapshot.moves(snapshot.due_seats()[0])[0])
        await plain_bot.show_match(match)
        await plain_bot.wake_computers(match)
        assert {*looked} == {alone}


@pytest.mark.parametrize(("helper", "seats"), CASES)
async def test_one_person_plays_a_whole_match_alone_with_computers(
    helper: GameHelper, seats: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_with_computers(plain_bot, helper, seats)
        await play_alone(plain_bot, match, Random(SEED))
        snapshot = await plain_bot.load_snapshot(match)
        assert snapshot.info.status is Status.OVER
        saved = await plain_bot.store.load(match)
        assert saved is not None
        kinds = {(move.seat == 0, bool(move.user), move.level) for move in saved.moves}
        assert kinds == {(True, True, ""), (False, False, "normal")}
        table = str(await plain_bot.surface_message(match, "table"))
        assert all(seat.name in table for seat in snapshot.info.seats)
        record = await plain_bot.matches.records.build_record(match)
        assert record.count("(computer, normal)") == seats - 1
        assert not [1 for each in await plain_bot.bot.surfaces.surfaces_of(match) if each.kind == "hand" and each.seat]
        texts = [sent.body_text for sent in await plain_bot.sent_by(plain_bot.press(PEOPLE[0], match, "again"))]
        assert any("A new table is open" in each for each in texts)
        assert not [each for each in texts if "<@" in each or "called" in each], "computers are called"
        (rematch,) = await plain_bot.matches.lookup.find()
        assert [seat.name for seat in rematch.seats] == [seat.name for seat in snapshot.info.seats]
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_somebody_who_plays_alone_is_told_that_leaving_ends_the_match() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_with_computers(plain_bot, HELPERS["wizard"], 3)
        question = str(
            [sent.body_text for sent in await plain_bot.sent_by(plain_bot.press(PEOPLE[0], match, "leave-ask"))]
        )
        assert "so it ends without a result" in question
        assert "leave-on" not in question
        await plain_bot.press(PEOPLE[0], match, "leave")
        assert (await plain_bot.load_snapshot(match)).info.status is Status.ENDED


async def test_somebody_who_plays_alone_is_asked_before_their_one_vote_ends_the_match() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        ada, match = PEOPLE[0], await start_with_computers(plain_bot, HELPERS["wizard"], 3)
        menu = str([sent.body_text for sent in await plain_bot.sent_by(plain_bot.press(ada, match, "more"))])
        assert f"t:{match}:stop-ask" in menu
        assert f"t:{match}:stop'" not in menu
        sent = await plain_bot.sent_by(plain_bot.press(ada, match, "stop-ask"))
        assert "You are its only player" in str([sent.body_text for sent in sent])
        assert (await plain_bot.load_snapshot(match)).info.status is Status.RUNNING
        await plain_bot.press(ada, match, "stop")
        assert (await plain_bot.load_snapshot(match)).info.status is Status.ENDED


async def test_it_is_a_vote_if_somebody_else_plays_by_then() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        ada, match = PEOPLE[0], await plain_bot.seat_match(HELPERS["wizard"].game, PEOPLE[:3], {})
        await plain_bot.press(ada, match, "stop-ask")
        info = (await plain_bot.load_snapshot(match)).info
        assert (info.status, len(info.votes)) == (Status.RUNNING, 1)


@pytest.mark.parametrize("helper", EVERY, ids=[helper.game.key for helper in EVERY])
async def test_after_one_pause_computers_move_each_once_and_it_is_shown_once_and_told(helper: GameHelper) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_with_computers(plain_bot, helper, helper.game.seats[-1])
        rng, screen, turns, longest = Random(SEED), SCREENS[helper.game.key], [], 0
        for _ in range(MOVES):
            snapshot = await plain_bot.load_snapshot(match)
            if not snapshot.due_seats():
                break
            if 0 in snapshot.due_seats():
                await plain_bot.click_move(snapshot, 0, rng)
                continue
            pause = await plain_bot.bot.computers.next_pause(snapshot)
            await plain_bot.pass_time(pause - 0.125)
            assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves, "too soon"
            start = len(plain_bot.wire.requests)
            await plain_bot.pass_time(0.125)
            counts = Counter(plain_bot.wire.requests[start:])
            assert max(counts.values()) == 1, "a message is shown twice"
            after = await plain_bot.load_snapshot(match)
            seats = [seat for seat, _ in groupby(after.movers[snapshot.info.moves :])]
            assert len(set(seats)) == len(seats) > 0, "a computer moves again without a pause"
            due = after.due_seats()
            assert not due or 0 in due or due[0] in seats, "a computer waits without need"
            turns.append(len(seats))
            first = max((n for n, seat in enumerate(after.movers, 1) if seat == 0), default=0)
            events = [each.event for each in after.events if each.move > first and each.event.is_visible_to(None)]
            sentences = [line for event in events if (line := screen.narrate(event, narration.screen_context(after)))]
            narration_lines = list(narration.narrate(after, screen, None))
            assert narration_lines[len(narration_lines) - len(sentences) :] == sentences, (
                "the table does not tell what computers did since a person"
            )
            longest = max(longest, len(sentences))
        assert max(turns) > 1 or helper.game.seats[-1] == 2
        assert longest > 1


async def test_the_pause_is_the_same_after_a_restart_and_shows_the_character() -> None:
    helper, paces = HELPERS["wizard"], []
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_with_computers(plain_bot, helper, 3)
        snapshot = await play_until_computer(plain_bot, match)
        pause = await plain_bot.bot.computers.next_pause(snapshot)
        async with start_plain_bot(SEED, after=plain_bot) as other:
            assert await other.bot.computers.next_pause(snapshot) == pause
        seats = snapshot.info.seats
        for character in CHARACTERS[:1], CHARACTERS[-1:]:
            with_names = tuple(replace(seat, name=character[0].name) if not seat.user else seat for seat in seats)
            paces.append(
                await plain_bot.bot.computers.next_pause(
                    replace(snapshot, info=replace(snapshot.info, seats=with_names))
                )
            )
        assert paces[0] < pause or pause < paces[1]
        assert paces[0] < 0.75 * paces[1]


async def leave_to_computer(plain_bot: PlainBot, helper: GameHelper) -> tuple[str, Message]:
    """A match in which the computer plays on for the second seat, and what its holder has in place of the hand."""
    match = await plain_bot.seat_match(helper.game, PEOPLE[: helper.game.seats[0]], helper.short_options)
    table, hand = await plain_bot.surface_message(match, "table"), await plain_bot.surface_message(match, "hand", 1)
    await plain_bot.click_control(PEOPLE[1], table, f"t:{match}:leave-on")
    await plain_bot.wait_quiet()
    farewell = plain_bot.current_message(hand)
    assert f"t:{match}:seat" in str(farewell), "their own message has the way back"
    return match, farewell


@pytest.mark.parametrize("helper", EVERY, ids=[helper.game.key for helper in EVERY])
async def test_the_computer_plays_on_for_a_player_who_leaves_until_they_come_back(helper: GameHelper) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match, farewell = await leave_to_computer(plain_bot, helper)
        table, snapshot = await plain_bot.surface_message(match, "table"), await plain_bot.load_snapshot(match)
        back = f"t:{match}:seat"
        texts = [sent.body_text for sent in plain_bot.wire.sent_requests]
        assert [each for each in texts if "plays on with your hand" in each and back in each]
        assert "to take a seat" in str((await plain_bot.click_control(PEOPLE[1], table, f"t:{match}:hand")).answer)
        left = snapshot.info.seats[1]
        assert (snapshot.info.status, left.gone, left.level) == (Status.RUNNING, "left", "normal")
        while 1 not in snapshot.due_seats():
            await plain_bot.click_move(snapshot, snapshot.due_seats()[0])
            snapshot = await plain_bot.load_snapshot(match)
        assert COMPUTER_MARK in str(await plain_bot.surface_message(match, "table"))
        await plain_bot.pass_pause(match)
        assert (await plain_bot.load_snapshot(match)).movers[-1] == 1
        await plain_bot.click_control(PEOPLE[1], farewell, back)
        await plain_bot.wait_quiet()
        snapshot = await plain_bot.load_snapshot(match)
        assert back not in str(plain_bot.current_message(farewell)), "what is past has no button"
        assert (snapshot.info.seats[1].has_owner, snapshot.info.seats[1].level) == (True, "")
        moves = snapshot.info.moves
        if snapshot.due_seats() == (1,):
            await plain_bot.pass_time(10 * MOVE_PAUSE)
            assert (await plain_bot.load_snapshot(match)).info.moves == moves, (
                "a computer played for somebody who is there"
            )


@pytest.mark.parametrize("why", ["taken", "over"])
async def test_a_farewell_whose_way_back_is_past_says_so_when_it_is_tried(why: str) -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match, farewell = await leave_to_computer(plain_bot, HELPERS["jest"])
        back = f"t:{match}:seat"
        if why == "taken":
            await plain_bot.click_control(PEOPLE[3], await plain_bot.surface_message(match, "table"), back)
        else:
            await plain_bot.matches.seating.reset_match(match, 1)
        await plain_bot.wait_quiet()
        await plain_bot.click_control(PEOPLE[1], farewell, back)
        components = str(plain_bot.current_message(farewell)["components"])
        assert back not in components
        assert NO_WAY_BACK in components


async def test_a_way_back_that_fails_for_now_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object, **more: object) -> NoReturn:
        raise RequestRefused("Not now.")

    async with start_plain_bot(SEED) as plain_bot:
        match, farewell = await leave_to_computer(plain_bot, HELPERS["jest"])
        with monkeypatch.context() as patched:
            patched.setattr(plain_bot.matches.seating, "take_seat", refuse)
            answer = (await plain_bot.click_control(PEOPLE[1], farewell, f"t:{match}:seat")).answer
        assert "Not now." in str(answer)
        assert f"t:{match}:seat" in str(plain_bot.current_message(farewell)["components"])


async def test_a_hand_from_which_a_seat_is_asked_for_stays_a_hand() -> None:
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(HELPERS["jest"].game, PEOPLE[:3], {})
        hand = await plain_bot.surface_message(match, "hand", 1)
        before, other = str(hand["components"]), await plain_bot.seat_match(HELPERS["jest"].game, PEOPLE[3:6], {})
        for match_id in (match, other):
            await plain_bot.click_control(PEOPLE[1], hand, f"t:{match_id}:seat")
            assert str(plain_bot.current_message(hand)["components"]) == before


async def play_until_computer(plain_bot: PlainBot, match: str) -> MatchSnapshot:
    while 0 in (snapshot := await plain_bot.load_snapshot(match)).due_seats():
        await plain_bot.click_move(snapshot, 0, Random(SEED))
    return snapshot


class SlowPool(ImmediatePool):
    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds
        self.clock = ManualTime()

    async def run(self, *arguments: Any, **more: Any) -> Any:
        await self.clock.sleep(self.seconds)
        return await super().run(*arguments, **more)


@pytest.mark.parametrize("takes", [0.0, 0.1, MOVE_PAUSE * 0.45, MOVE_PAUSE * 0.6, MOVE_PAUSE * 1.4])
async def test_moves_that_are_searched_are_shown_after_whole_pauses_also_if_there_is_no_choice(takes: float) -> None:
    choices = set[bool]()
    async with start_plain_bot(SEED, worker_pool=(pool := SlowPool(takes))) as plain_bot:
        pool.clock = plain_bot.time
        match = await start_with_computers(plain_bot, HELPERS["wizard"], 3, "hard")
        while len(choices) < 2:
            snapshot, pauses = await play_until_computer(plain_bot, match), 0
            pause = await plain_bot.bot.computers.next_pause(snapshot)
            choices.add(len(snapshot.moves(snapshot.due_seats()[0])) > 1)
            while (move_count := (await plain_bot.load_snapshot(match)).info.moves - snapshot.info.moves) == 0:
                await plain_bot.pass_time(pause - 0.0625)
                assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves, "between two pauses"
                await plain_bot.pass_time(0.0625)
                pauses += 1
            assert pauses == max(1, ceil(move_count * takes / pause)), f"{move_count} moves"


async def test_somebody_who_moves_beside_computers_has_them_wait_no_longer_and_what_is_open_is_done() -> None:
    helper = HELPERS["jest"]
    async with start_plain_bot(SEED, worker_pool=(pool := SlowPool(LONGEST_PAUSE))) as plain_bot:
        pool.clock = plain_bot.time
        match = await start_with_computers(plain_bot, helper, 3, "hard")
        snapshot = await plain_bot.load_snapshot(match)
        assert snapshot.due_seats() == (0, 1, 2)
        pause = await plain_bot.bot.computers.next_pause(snapshot)
        await plain_bot.pass_time(pause)
        await plain_bot.click_move(snapshot, 0, Random(SEED))
        await plain_bot.pass_time((ceil(2 * LONGEST_PAUSE / pause) - 2) * pause)
        assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves + 1, "two think twice as long"
        await plain_bot.pass_time(pause)
        assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves + 3


class LostPool(WorkerPool):
    async def run(self, *arguments: Any, **more: Any) -> NoReturn:
        raise JobFailed("2 workers were lost.")


@pytest.mark.parametrize("worker_pool", [ImmediatePool, LostPool])
async def test_searches_run_in_the_pool_or_the_policy_moves(
    worker_pool: type[WorkerPool], caplog: pytest.LogCaptureFixture
) -> None:
    helper = next(each for each in EVERY if available_levels(each.game)[-1] == "hard" and each.game.seats[0] > 2)
    async with start_plain_bot(SEED, worker_pool=worker_pool()) as plain_bot:
        match = await start_with_computers(plain_bot, helper, helper.game.seats[0], "hard")
        snapshot = await play_until_computer(plain_bot, match)
        seat, (player, moves) = (
            snapshot.due_seats()[0],
            (make_player(snapshot.game, "hard"), snapshot.moves(snapshot.due_seats()[0])),
        )
        seed = (
            f"{await plain_bot.bot.computers._installation_secret()} {match} {seat} {snapshot.decisions()[seat].number}"
        )
        choose = player.choose_with_seed if worker_pool is ImmediatePool else player.policy_move
        await plain_bot.pass_pause(match)
        saved = await plain_bot.store.load(match)
        assert saved is not None
        move = saved.moves[snapshot.info.moves]
        assert (move.seat, move.level) == (seat, "hard")
        assert move.notation == snapshot.game.format_move(choose(snapshot.view(seat), moves, seed))
    assert ("plays without a search" in caplog.text) == (worker_pool is LostPool)


async def test_a_pause_that_cannot_be_found_is_logged_and_holds_nothing_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> NoReturn:
        raise RuntimeError("no world to be found")

    monkeypatch.setattr(computer_turns, "pause_before", fail)
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_with_computers(plain_bot, HELPERS["wizard"], 3)
        snapshot = await play_until_computer(plain_bot, match)
        await plain_bot.pass_time(MOVE_PAUSE)
        assert (await plain_bot.load_snapshot(match)).info.moves > snapshot.info.moves
    assert "no world to be found" in caplog.text


@pytest.mark.parametrize("error", ["RuntimeError", "illegal move"])
async def test_a_broken_player_is_logged(
    error: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def decide(player: Player, view: object, moves: Sequence[object], seed: str) -> object:
        if error == "RuntimeError":
            raise RuntimeError("out of wits")
        return HELPERS["wizard"].game.parse_move("trump H")  # which nobody may make then

    monkeypatch.setattr(Player, "choose_with_seed", decide)
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_with_computers(plain_bot, HELPERS["wizard"], 3)
        snapshot = await play_until_computer(plain_bot, match)
        await plain_bot.pass_pause(match)
        moved = (await plain_bot.load_snapshot(match)).info.moves - snapshot.info.moves
    assert moved > 0
    assert len([record for record in caplog.records if record.levelno >= logging.ERROR]) == moved
    assert error in caplog.text


async def test_a_move_that_comes_too_late_keeps_no_other_computer_from_moving(monkeypatch: pytest.MonkeyPatch) -> None:
    helper = EVERY[0]
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_with_computers(plain_bot, helper, helper.game.seats[0])
        snapshot = await play_until_computer(plain_bot, match)
        real, late = (
            plain_bot.matches.moves.play_computer_move,
            [RequestRefused("A person plays at that seat."), StaleDecision()],
        )

        async def play_for(*move: Any) -> MatchInfo:
            if late:
                raise late.pop(0)
            return await real(*move)

        monkeypatch.setattr(plain_bot.matches.moves, "play_computer_move", play_for)
        for _ in range(2):
            await plain_bot.pass_pause(match)
        assert not late
        assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves
        await plain_bot.pass_pause(match)
        assert (await plain_bot.load_snapshot(match)).info.moves > snapshot.info.moves


async def test_when_the_last_person_leaves_the_match_ends_and_no_computer_is_said_to_play_on() -> None:
    helper = EVERY[0]
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_with_computers(plain_bot, helper, helper.game.seats[0])
        start = len(plain_bot.wire.sent_requests)
        await plain_bot.press(PEOPLE[0], match, "leave-on")
        assert (await plain_bot.load_snapshot(match)).info.status is Status.ENDED
        texts = [sent.body_text for sent in plain_bot.wire.sent_requests[start:]]
        assert any("You have left the match." in each for each in texts)
        assert not [each for each in texts if "plays on" in each]
        moves = (await plain_bot.load_snapshot(match)).info.moves
        await plain_bot.pass_time(10 * MOVE_PAUSE)
        assert (await plain_bot.load_snapshot(match)).info.moves == moves


async def test_after_a_restart_the_computer_plays_on() -> None:
    helper = EVERY[0]
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_with_computers(plain_bot, helper, helper.game.seats[-1])
        snapshot = await plain_bot.load_snapshot(match)
        callbacks = [*plain_bot.matches.editor.on_changed]
        plain_bot.matches.editor.on_changed.clear()
        while 0 in snapshot.due_seats():
            await plain_bot.play_undrawn(snapshot, 0, snapshot.moves(0)[0])
            snapshot = await plain_bot.load_snapshot(match)
        plain_bot.bot.tasks.stop(f"computers {match}")
        plain_bot.matches.editor.on_changed[:] = callbacks
        moves = snapshot.info.moves
        await plain_bot.pass_time(10 * MOVE_PAUSE)  # all of it is shown, and that is kept
        assert await plain_bot.bot.surfaces.store.stale_matches() == []
        assert (await plain_bot.load_snapshot(match)).info.moves == moves
        await plain_bot._do_and_wait(
            lambda: plain_bot.bot.tasks.start("resume", plain_bot.bot._resume_partition, plain_bot.bot.partition)
        )
        await plain_bot.pass_pause(match)
        assert (await plain_bot.load_snapshot(match)).info.moves == moves + helper.game.seats[-1] - 1


async def test_only_the_host_seats_others() -> None:
    helper = EVERY[0]
    async with start_plain_bot(SEED) as plain_bot:
        match, lobby = await plain_bot.open_lobby(PEOPLE[0], helper.game, **helper.short_options)
        await plain_bot.click_control(PEOPLE[1], lobby, f"t:{match}:join")
        for action in ("computers", "computer-normal", "computer-hard", "computer-best", "no-computer"):
            sent = await plain_bot.sent_by(plain_bot.click_control(PEOPLE[1], lobby, f"t:{match}:{action}"))
            assert any(sent.path.endswith("/callback") for sent in sent), action
        assert len((await plain_bot.load_snapshot(match)).info.seats) == 2


async def test_somebody_who_joins_a_full_table_takes_a_computers_place() -> None:
    helper = EVERY[0]
    most = helper.game.seats[-1]
    async with start_plain_bot(SEED) as plain_bot:
        match, lobby = await plain_bot.open_lobby(PEOPLE[0], helper.game, **helper.short_options)
        for _ in range(most):  # one more than there is room for
            await plain_bot.click_control(PEOPLE[0], lobby, f"t:{match}:computer-easy")
        assert len((await plain_bot.load_snapshot(match)).info.seats) == most
        await plain_bot.click_control(PEOPLE[1], lobby, f"t:{match}:join")
        seats = (await plain_bot.load_snapshot(match)).info.seats
        assert [seat.has_owner for seat in seats] == [True, *[False] * (most - 2), True]
        await plain_bot.click_control(PEOPLE[0], lobby, f"t:{match}:no-computer")
        assert len((await plain_bot.load_snapshot(match)).info.seats) == most - 1
