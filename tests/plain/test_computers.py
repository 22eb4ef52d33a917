"""Whole matches of every game that one person plays alone with computers; and computers in the seats of others."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from math import ceil
from random import Random
from typing import Any, NoReturn

import pytest

from cogs.screens.words import COMPUTER
from cogs.table.commands.component_router import NO_WAY_BACK
from cogs.table.scheduling.computer_turns import PAUSE, Computers
from cogs.table.wording import narration
from engines.hosting.match import Look, Refused, Stale
from engines.store.match_store import Info, Status
from players import Player, levels, player
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.fronts import SCREENS
from tests.messages import Message
from tests.plain.inn import PEOPLE, TIME, Plain, plain
from tests.thinking.at_once import AtOnce
from worker_pool.pool import GaveUp, Thinkers

SEED = "0c" * 16
MOST = 4000  # moves
MOVES = 12  # in the midst of a match
EVERY = list(HELPERS.values())
CASES = [(helper, seats) for helper in EVERY for seats in {helper.game.seats[0], helper.game.seats[-1]}]
NAMES = [f"{helper.game.key}-{seats}" for helper, seats in CASES]


async def with_computers(inn: Plain, helper: Helper, seats: int, level: str = "normal") -> str:
    """A match of one person with computers in all other seats, begun by clicks alone; its id."""
    ada = PEOPLE[0]
    await inn.slash(ada, f"{helper.game.key} new", **helper.short)
    (info,) = await inn.matches.find()
    lobby = await inn.surface(info.id, "lobby")
    await inn.click(ada, lobby, f"t:{info.id}:computers")
    while len((await inn.look(info.id)).info.seats) < seats:
        await inn.click(ada, lobby, f"t:{info.id}:computer-{level}")
    await inn.click(ada, lobby, f"t:{info.id}:start")
    return info.id


async def play_alone(inn: Plain, match: str, rng: Random) -> None:
    """Play one's own seat by clicks, until the match is over; whatever is a computer's, computers do."""
    for _ in range(MOST):
        look = await inn.look(match)
        if look.info.status is not Status.RUNNING:
            return
        if 0 in look.due():
            await click_any(inn, look, rng)
        else:
            await inn.later(PAUSE)
        assert (await inn.look(match)).info.revision > look.info.revision, "the match stands still"
    raise AssertionError("the match has no end")


async def test_where_people_alone_play_nobody_looks_for_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    play = Computers._play

    async def noted(computers: Computers, match: str) -> None:
        looked.append(match)
        await play(computers, match)

    monkeypatch.setattr(Computers, "_play", noted)
    async with plain(SEED) as inn:
        alone = await with_computers(inn, EVERY[0], EVERY[0].game.seats[0])
        assert {*looked} == {alone}
        helper = EVERY[0]
        match = await inn.seat(helper.game, PEOPLE[: helper.game.seats[0]], helper.short)
        look = await inn.look(match)
        await inn.play(look, look.due()[0], look.moves(look.due()[0])[0])
        await inn.catch_up(match)
        await inn.wake_computers(match)
        assert {*looked} == {alone}


@pytest.mark.parametrize(("helper", "seats"), CASES, ids=NAMES)
async def test_a_whole_match_alone_with_computers(helper: Helper, seats: int, caplog: pytest.LogCaptureFixture) -> None:
    async with plain(SEED) as inn:
        match = await with_computers(inn, helper, seats)
        await play_alone(inn, match, Random(SEED))
        look = await inn.look(match)
        assert look.info.status is Status.OVER
        saved = await inn.store.load(match)
        assert saved is not None
        assert {(move.seat == 0, bool(move.user), move.level) for move in saved.moves} == {
            (True, True, ""),
            (False, False, "normal"),
        }
        table = str(await inn.surface(match, "table"))
        assert all(seat.name in table for seat in look.info.seats)
        record = await inn.matches.record(match)
        assert record.count("(computer, normal)") == seats - 1
        assert [surface for surface in await inn.bot.shown.of(match) if surface.kind == "hand" and surface.seat] == []
        since = len(inn.wire.sent)
        await inn.click(PEOPLE[0], await inn.surface(match, "table"), f"t:{match}:again")
        said = [sent.said for sent in inn.wire.sent[since:]]
        assert any("A new table is set" in each for each in said)
        assert not [each for each in said if "<@" in each], "computers are called"
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_who_plays_alone_is_told_that_leaving_ends_the_match() -> None:
    async with plain(SEED) as inn:
        match = await with_computers(inn, HELPERS["wizard"], 3)
        since = len(inn.wire.sent)
        await inn.click(PEOPLE[0], await inn.surface(match, "table"), f"t:{match}:leave-ask")
        asked = str([sent.said for sent in inn.wire.sent[since:]])
        assert "so it ends without a result" in asked
        assert "leave-on" not in asked
        await inn.click(PEOPLE[0], await inn.surface(match, "table"), f"t:{match}:leave")
        assert (await inn.look(match)).info.status is Status.ENDED


async def test_who_plays_alone_is_asked_before_their_one_vote_ends_the_match() -> None:
    async with plain(SEED) as inn:
        ada, match = PEOPLE[0], await with_computers(inn, HELPERS["wizard"], 3)
        since = len(inn.wire.sent)
        await inn.click(ada, await inn.surface(match, "table"), f"t:{match}:more")
        menu = str([sent.said for sent in inn.wire.sent[since:]])
        assert f"t:{match}:stop-ask" in menu
        assert f"t:{match}:stop'" not in menu
        since = len(inn.wire.sent)
        await inn.click(ada, await inn.surface(match, "table"), f"t:{match}:stop-ask")
        assert "Nobody else plays" in str([sent.said for sent in inn.wire.sent[since:]])
        assert (await inn.look(match)).info.status is Status.RUNNING
        await inn.click(ada, await inn.surface(match, "table"), f"t:{match}:stop")
        assert (await inn.look(match)).info.status is Status.ENDED


async def test_where_somebody_else_plays_by_then_it_is_a_vote() -> None:
    async with plain(SEED) as inn:
        ada, match = PEOPLE[0], await inn.seat(HELPERS["wizard"].game, PEOPLE[:3], {})
        await inn.click(ada, await inn.surface(match, "table"), f"t:{match}:stop-ask")
        info = (await inn.look(match)).info
        assert (info.status, len(info.votes)) == (Status.RUNNING, 1)


async def test_who_played_alone_plays_again_with_the_same_computers_and_nobody_is_called() -> None:
    helper = HELPERS["jokers"]
    async with plain(SEED) as inn:
        match = await with_computers(inn, helper, 2)
        await play_alone(inn, match, Random(SEED))
        answer = await inn.click(PEOPLE[0], await inn.surface(match, "table"), f"t:{match}:again")
        assert "A new table is set" in str(answer.answer)
        assert "called" not in str(answer.answer)
        assert "<@0>" not in str(inn.wire.channels)
        (again,) = await inn.matches.find()
        assert [seat.name for seat in again.seats] == [seat.name for seat in (await inn.look(match)).info.seats]


@pytest.mark.parametrize("helper", EVERY, ids=[helper.game.key for helper in EVERY])
async def test_after_the_same_pause_computers_move_each_once_and_it_is_shown_once(helper: Helper) -> None:
    async with plain(SEED) as inn:
        match = await with_computers(inn, helper, helper.game.seats[-1])
        rng, turns = Random(SEED), []
        for _ in range(MOVES):
            look = await inn.look(match)
            if not look.due():
                break
            if 0 in look.due():
                await click_any(inn, look, rng)
                continue
            await inn.later(PAUSE - 0.1)
            assert (await inn.look(match)).info.moves == look.info.moves, "too soon"
            since = len(inn.wire.requests)
            await inn.later(0.1)
            asked = Counter(inn.wire.requests[since:])
            assert max(asked.values()) == 1, "a message is shown twice"
            after = await inn.look(match)
            seats = [seat for seat, _ in groupby(after.movers[look.info.moves :])]
            assert len(set(seats)) == len(seats) > 0, "a computer moves again without a pause"
            assert not after.due() or 0 in after.due() or after.due()[0] in seats, "a computer waits without need"
            turns.append(len(seats))
        assert max(turns) > 1 or helper.game.seats[-1] == 2


@pytest.mark.parametrize("helper", EVERY, ids=[helper.game.key for helper in EVERY])
async def test_the_table_tells_what_computers_did_since_a_person_moved(helper: Helper) -> None:
    async with plain(SEED) as inn:
        match = await with_computers(inn, helper, helper.game.seats[-1])
        rng, told = Random(SEED), 0
        for _ in range(MOVES):
            look = await inn.look(match)
            if not look.due():
                break
            if 0 in look.due():
                await click_any(inn, look, rng)
                continue
            await inn.later(PAUSE)
            look, screen = await inn.look(match), SCREENS[helper.game.key]
            first = max((n for n, seat in enumerate(look.movers, 1) if seat == 0), default=0)
            events = [each.event for each in look.told if each.move > first and each.event.seen_by(None)]
            said = [line for event in events if (line := screen.tell(event, narration.context(look)))]
            news = list(narration.news(look, screen, None))
            assert news[len(news) - len(said) :] == said
            told = max(told, len(said))
        assert told > 1


async def somebody_left(inn: Plain, helper: Helper) -> tuple[str, Message]:
    """A match in which the computer plays on for the second seat, and what its holder has in place of the hand."""
    match = await inn.seat(helper.game, PEOPLE[: helper.game.seats[0]], helper.short)
    table, hand = await inn.surface(match, "table"), await inn.surface(match, "hand", 1)
    await inn.click(PEOPLE[1], table, f"t:{match}:leave-on")
    await inn.quiet()
    farewell = inn.newest(hand)
    assert f"t:{match}:seat" in str(farewell), "their own message has the way back"
    return match, farewell


@pytest.mark.parametrize("helper", EVERY, ids=[helper.game.key for helper in EVERY])
async def test_the_computer_plays_on_for_whoever_leaves_until_they_come_back(helper: Helper) -> None:
    async with plain(SEED) as inn:
        match, farewell = await somebody_left(inn, helper)
        table, look = await inn.surface(match, "table"), await inn.look(match)
        back = f"t:{match}:seat"
        assert [sent for sent in inn.wire.sent if "plays on in that seat" in sent.said and back in sent.said]
        assert "to take a seat" in str((await inn.click(PEOPLE[1], table, f"t:{match}:hand")).answer)
        assert (look.info.status, look.info.seats[1].gone, look.info.seats[1].level) == (
            Status.RUNNING,
            "left",
            "normal",
        )
        while 1 not in look.due():
            seat, move = look.due()[0], look.moves(look.due()[0])[0]
            hand = await inn.surface(match, "hand", seat)
            custom_id = f"m:{match}:{look.decisions()[seat].number}:{look.game.write(move)}"
            await inn.click(PEOPLE[seat], hand, custom_id)
            look = await inn.look(match)
        assert COMPUTER in str(await inn.surface(match, "table"))
        await inn.later(PAUSE)
        assert (await inn.look(match)).movers[-1] == 1
        await inn.click(PEOPLE[1], farewell, back)
        await inn.quiet()
        look = await inn.look(match)
        assert back not in str(inn.newest(farewell)), "what is past has no button"
        assert (look.info.seats[1].here, look.info.seats[1].level) == (True, "")
        moves = look.info.moves
        if look.due() == (1,):
            await inn.later(10 * PAUSE)
            assert (await inn.look(match)).info.moves == moves, "a computer played for somebody who is there"


@pytest.mark.parametrize("why", ["taken", "over"])
async def test_a_farewell_whose_way_back_is_past_says_so_when_it_is_tried(why: str) -> None:
    async with plain(SEED) as inn:
        match, farewell = await somebody_left(inn, HELPERS["jest"])
        back = f"t:{match}:seat"
        if why == "taken":
            await inn.click(PEOPLE[3], await inn.surface(match, "table"), back)
        else:
            await inn.matches.reset(match, 1)
        await inn.quiet()
        await inn.click(PEOPLE[1], farewell, back)
        said = str(inn.newest(farewell)["components"])
        assert back not in said
        assert NO_WAY_BACK in said


async def test_a_way_back_that_fails_for_now_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    async with plain(SEED) as inn:
        match, farewell = await somebody_left(inn, HELPERS["jest"])
        with monkeypatch.context() as patched:
            patched.setattr(inn.matches, "take_seat", _refused)
            answer = (await inn.click(PEOPLE[1], farewell, f"t:{match}:seat")).answer
        assert "Not now." in str(answer)
        assert f"t:{match}:seat" in str(inn.newest(farewell)["components"])


async def test_a_hand_from_which_a_seat_is_asked_for_stays_a_hand() -> None:
    async with plain(SEED) as inn:
        match = await inn.seat(HELPERS["jest"].game, PEOPLE[:3], {})
        hand = await inn.surface(match, "hand", 1)
        before, other = str(hand["components"]), await inn.seat(HELPERS["jest"].game, PEOPLE[3:6], {})
        for asked in (match, other):
            await inn.click(PEOPLE[1], hand, f"t:{asked}:seat")
            assert str(inn.newest(hand)["components"]) == before


async def _refused(*_: object, **more: object) -> NoReturn:
    raise Refused("Not now.")


async def until_a_computer_is_due(inn: Plain, match: str) -> Look:
    """Make one's own moves."""
    while 0 in (look := await inn.look(match)).due():
        await click_any(inn, look, Random(SEED))
    return look


class Lost(Thinkers):
    """Nothing comes of it."""

    async def run(self, *asked: Any, **more: Any) -> NoReturn:
        raise GaveUp("2 workers were lost.")


class Slow(AtOnce):
    """Takes so long."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    async def run(self, function: Callable[..., Any], *args: Any, seconds: float) -> Any:
        """What the function says, later."""
        await TIME.get().sleep(self.seconds)
        return await super().run(function, *args, seconds=seconds)


@pytest.mark.parametrize("takes", [0.0, 0.1, PAUSE * 0.45, PAUSE * 0.6, PAUSE * 1.4])
async def test_moves_that_are_searched_are_shown_after_whole_pauses_also_where_there_is_no_choice(takes: float) -> None:
    choices = set[bool]()
    async with plain(SEED, thinkers=Slow(takes)) as inn:
        match = await with_computers(inn, HELPERS["wizard"], 3, "hard")
        while len(choices) < 2:
            look, pauses = await until_a_computer_is_due(inn, match), 0
            choices.add(len(look.moves(look.due()[0])) > 1)
            while (made := (await inn.look(match)).info.moves - look.info.moves) == 0:
                await inn.later(PAUSE - 0.01)
                assert (await inn.look(match)).info.moves == look.info.moves, "between two pauses"
                await inn.later(0.01)
                pauses += 1
            assert pauses == max(1, ceil(made * takes / PAUSE)), f"{made} moves"


async def test_who_moves_beside_computers_has_them_wait_no_longer_and_what_is_open_is_done() -> None:
    helper = HELPERS["jest"]
    async with plain(SEED, thinkers=Slow(PAUSE * 1.2)) as inn:
        match = await with_computers(inn, helper, 3, "hard")
        look = await inn.look(match)
        assert look.due() == (0, 1, 2)
        await inn.later(PAUSE)
        await click_any(inn, look, Random(SEED))
        await inn.later(PAUSE)
        assert (await inn.look(match)).info.moves == look.info.moves + 1, "two think twice as long"
        await inn.later(PAUSE)
        assert (await inn.look(match)).info.moves == look.info.moves + 3


@pytest.mark.parametrize("thinkers", [AtOnce, Lost])
async def test_who_searches_does_so_among_the_thinkers_else_the_policy_moves(
    thinkers: type[Thinkers], caplog: pytest.LogCaptureFixture
) -> None:
    helper = next(each for each in EVERY if levels(each.game)[-1] == "hard" and each.game.seats[0] > 2)
    async with plain(SEED, thinkers=thinkers()) as inn:
        match = await with_computers(inn, helper, helper.game.seats[0], "hard")
        look = await until_a_computer_is_due(inn, match)
        seat, (who, moves) = look.due()[0], (player(look.game, "hard"), look.moves(look.due()[0]))
        seed = f"{await inn.bot.computers._key()} {match} {seat} {look.decisions()[seat].number}"
        choose = who.decide if thinkers is AtOnce else who.offhand
        await inn.later(PAUSE)
        saved = await inn.store.load(match)
        assert saved is not None
        made = saved.moves[look.info.moves]
        assert (made.seat, made.level) == (seat, "hard")
        assert made.notation == look.game.write(choose(look.view(seat), moves, seed))
    assert ("plays without thinking" in caplog.text) == (thinkers is Lost)


async def click_any(inn: Plain, look: Look, rng: Random) -> None:
    """Make a move at one's own seat, the first."""
    custom_id = f"m:{look.info.id}:{look.decisions()[0].number}:{look.game.write(rng.choice(look.moves(0)))}"
    await inn.click(PEOPLE[0], await inn.surface(look.info.id, "hand", 0), custom_id)


def _stumbles(player: Player, view: object, moves: Sequence[object], seed: str) -> object:
    raise RuntimeError("out of wits")


def _cheats(player: Player, view: object, moves: Sequence[object], seed: str) -> object:
    return player.mind.game.read(CHEATS[player.mind.game.key])


CHEATS = {EVERY[0].game.key: "trump H"}
"""A move that nobody may make then."""


@pytest.mark.parametrize(("decide", "said"), [(_stumbles, "RuntimeError"), (_cheats, "illegal move")])
async def test_whatever_a_player_stumbles_over_the_match_goes_on_and_it_is_logged(
    decide: Callable[..., object], said: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    helper = EVERY[0]
    monkeypatch.setattr(Player, "decide", decide)
    async with plain(SEED) as inn:
        match = await with_computers(inn, helper, helper.game.seats[0])
        look = await until_a_computer_is_due(inn, match)
        await inn.later(PAUSE)
        moved = (await inn.look(match)).info.moves - look.info.moves
    assert moved > 0
    logged = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(logged) == moved
    assert said in caplog.text


async def test_a_move_that_comes_too_late_keeps_no_other_computer_from_moving(monkeypatch: pytest.MonkeyPatch) -> None:
    helper = EVERY[0]
    async with plain(SEED) as inn:
        match = await with_computers(inn, helper, helper.game.seats[0])
        look = await until_a_computer_is_due(inn, match)
        real, late = inn.matches.play_for, [Refused("A person plays there."), Stale()]

        async def play_for(*move: Any) -> Info:
            if late:
                raise late.pop(0)
            return await real(*move)

        monkeypatch.setattr(inn.matches, "play_for", play_for)
        await inn.later(2 * PAUSE)
        assert not late
        assert (await inn.look(match)).info.moves == look.info.moves
        await inn.later(PAUSE)
        assert (await inn.look(match)).info.moves > look.info.moves


async def test_when_the_last_person_leaves_the_match_ends_and_no_computer_is_said_to_play_on() -> None:
    helper = EVERY[0]
    async with plain(SEED) as inn:
        match = await with_computers(inn, helper, helper.game.seats[0])
        since = len(inn.wire.sent)
        await inn.click(PEOPLE[0], await inn.surface(match, "table"), f"t:{match}:leave-on")
        assert (await inn.look(match)).info.status is Status.ENDED
        said = [sent.said for sent in inn.wire.sent[since:]]
        assert any("You have left the match." in each for each in said)
        assert not [each for each in said if "plays on" in each]
        moves = (await inn.look(match)).info.moves
        await inn.later(10 * PAUSE)
        assert (await inn.look(match)).info.moves == moves


async def test_after_a_restart_the_computer_plays_on() -> None:
    helper = EVERY[0]
    async with plain(SEED) as inn:
        match = await with_computers(inn, helper, helper.game.seats[-1])
        look = await inn.look(match)
        told, inn.matches.changed = inn.matches.changed, lambda match: None
        while 0 in look.due():
            await inn.play(look, 0, look.moves(0)[0])
            look = await inn.look(match)
        inn.bot.tasks.stop(f"computers {match}")
        inn.matches.changed = told
        moves = look.info.moves
        await inn.later(10 * PAUSE)  # all of it is shown, and that is kept
        assert await inn.bot.shown.behind() == []
        assert (await inn.look(match)).info.moves == moves
        await inn._do(lambda: inn.bot.tasks.start("resume", inn.bot._resume, inn.bot.part))
        await inn.later(PAUSE)
        assert (await inn.look(match)).info.moves == moves + helper.game.seats[-1] - 1


async def test_who_is_not_the_host_has_nobody_sit_down() -> None:
    helper = EVERY[0]
    async with plain(SEED) as inn:
        await inn.slash(PEOPLE[0], f"{helper.game.key} new", **helper.short)
        (info,) = await inn.matches.find()
        lobby = await inn.surface(info.id, "lobby")
        await inn.click(PEOPLE[1], lobby, f"t:{info.id}:join")
        for action in ("computers", "computer-normal", "computer-hard", "computer-best", "no-computer"):
            since = len(inn.wire.sent)
            await inn.click(PEOPLE[1], lobby, f"t:{info.id}:{action}")
            assert any(sent.path.endswith("/callback") for sent in inn.wire.sent[since:]), action
        assert len((await inn.look(info.id)).info.seats) == 2


async def test_whoever_joins_a_full_table_takes_a_computers_place() -> None:
    helper = EVERY[0]
    most = helper.game.seats[-1]
    async with plain(SEED) as inn:
        await inn.slash(PEOPLE[0], f"{helper.game.key} new", **helper.short)
        (info,) = await inn.matches.find()
        lobby = await inn.surface(info.id, "lobby")
        while len((await inn.look(info.id)).info.seats) < most:
            await inn.click(PEOPLE[0], lobby, f"t:{info.id}:computer-easy")
        await inn.click(PEOPLE[0], lobby, f"t:{info.id}:computer-easy")  # none too many
        await inn.click(PEOPLE[1], lobby, f"t:{info.id}:join")
        seats = (await inn.look(info.id)).info.seats
        assert [seat.here for seat in seats] == [True, *[False] * (most - 2), True]
        await inn.click(PEOPLE[0], lobby, f"t:{info.id}:no-computer")
        assert len((await inn.look(info.id)).info.seats) == most - 1
