"""Hints from the click to the move, and the costliest decisions of a match that is over, for every game."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest

from cogs.table.actions import hint_actions
from players import Advice, advised, legal
from players.review import costs, faced
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.plain.inn import PEOPLE, WATCHER, Plain, plain
from tests.plain.wire import Sent
from tests.thinking.at_once import AtOnce
from worker_pool.pool import GaveUp

SEED = "0d" * 16
EVERY = pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
ANY = HELPERS["wizard"]


async def begun(inn: Plain, helper: Helper, **options: Any) -> str:
    """A match of as few as may play it."""
    return await inn.seat(helper.game, PEOPLE[: helper.game.seats[0]], dict(helper.short) | options)


async def hinted(inn: Plain, match: str, seat: int) -> tuple[Any, list[Sent]]:
    """The menu in which somebody has pressed Hint behind ⋯ on their hand, and all that was sent for it."""
    menu = await inn.click(PEOPLE[seat], await inn.surface(match, "hand", seat), f"t:{match}:more")
    since = len(inn.wire.sent)
    await inn.click(PEOPLE[seat], menu.answer, f"t:{match}:hint")  # type: ignore[arg-type]
    return menu.answer, inn.wire.sent[since:]


def stands(inn: Plain, message: Any) -> bool:
    """Whether a message is still there."""
    return int(message["id"]) in inn.wire.channels[int(message["channel_id"])]


def said(sent: Sent) -> str:
    """All words of a message."""
    return "\n".join(part["content"] for part in _parts(json.loads(sent.said)) if part.get("content"))


def presses(sent: Sent) -> list[str]:
    """The custom_ids of a message's buttons."""
    return [part["custom_id"] for part in _parts(json.loads(sent.said)) if "custom_id" in part]


def _parts(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [part for each in value for part in _parts(each)]
    return [value, *_parts(list(value.values()))] if isinstance(value, dict) else []


async def played(inn: Plain, match: str, rng: Random, most: int = 4000) -> None:
    """Play on at random by messages, to the end or so many moves."""
    for _ in range(most):
        look = await inn.look(match)
        if not look.due():
            return
        seat = look.due()[0]
        hand = await inn.surface(match, "hand", seat)
        move = look.game.write(rng.choice(look.moves(seat)))
        await inn.click(PEOPLE[seat], hand, f"m:{match}:{look.decisions()[seat].number}:{move}")


@EVERY
async def test_a_hint_takes_the_menus_place_and_its_button_makes_the_move(helper: Helper) -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, helper)
        for _ in range(10):
            look = await inn.look(match)
            if not look.due():
                break
            seat = look.due()[0]
            menu, sent = await hinted(inn, match, seat)
            assert [each.by for each in sent] == [seat + 1], "somebody else is told of it"
            notation = presses(sent[0])[0].split(":", 3)[3]
            move = look.game.read(notation)
            look.game.check(look.state, seat, move)
            assert said(sent[0]).startswith("**Hint: ")
            decision = look.decisions()[seat].number
            await inn.click(PEOPLE[seat], menu, f"m:{match}:{decision}:{notation}")
            after = await inn.look(match)
            assert (after.info.moves, after.movers[-1]) == (look.info.moves + 1, seat)
            assert not stands(inn, menu), "a second hand stands below the hand"
            assert stands(inn, await inn.surface(match, "hand", seat))


async def test_back_to_the_hand_takes_the_menu_away_where_the_hand_stands_and_a_copy_stays() -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        seat = (await inn.look(match)).due()[0]
        menu, _ = await hinted(inn, match, seat)
        await inn.click(PEOPLE[seat], menu, f"t:{match}:return")
        assert not stands(inn, menu)
        copy = (await inn.click(PEOPLE[seat], await inn.surface(match, "table"), f"t:{match}:hand")).answer
        assert copy is not None
        beside = (await inn.click(PEOPLE[seat], copy, f"t:{match}:more")).answer
        assert beside is not None
        for message in (copy, beside):
            await inn.click(PEOPLE[seat], message, f"t:{match}:return")
            assert stands(inn, message)


async def test_a_decision_is_thought_about_once_however_often_a_hint_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Callable[..., Any]] = []
    run = AtOnce.run

    async def counted(self: AtOnce, function: Any, *args: Any, seconds: float) -> Any:
        asked.append(function)
        return await run(self, function, *args, seconds=seconds)

    monkeypatch.setattr(AtOnce, "run", counted)
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        seat = (await inn.look(match)).due()[0]
        one, other = [(await hinted(inn, match, seat))[1][0] for _ in range(2)]
        assert said(one) == said(other)
        assert asked == [advised]


async def test_a_hint_by_command() -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        seat = (await inn.look(match)).due()[0]
        since = len(inn.wire.sent)
        await inn.slash(PEOPLE[seat], "motley hint", match=match)
        (sent,) = inn.wire.sent[since:]
        assert (sent.by, said(sent)[:7]) == (seat + 1, "**Hint:")


async def test_a_hint_goes_with_the_move_wherever_that_is_made() -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        for typed, command in product((False, True), repeat=2):
            look = await inn.look(match)
            seat = look.due()[0]
            if command:
                hint = (await inn.slash(PEOPLE[seat], "motley hint", match=match)).answer
            else:
                hint, _ = await hinted(inn, match, seat)
            assert hint is not None
            assert stands(inn, hint)
            move = look.game.write(look.moves(seat)[0])
            if typed:
                await inn.slash(PEOPLE[seat], f"{ANY.game.key} move", match=match, move=move)
            else:
                number, hand = look.decisions()[seat].number, await inn.surface(match, "hand", seat)
                await inn.click(PEOPLE[seat], hand, f"m:{match}:{number}:{move}")
            assert (await inn.look(match)).info.moves == look.info.moves + 1
            assert not stands(inn, hint), "its button is past"
            assert stands(inn, await inn.surface(match, "hand", seat))


async def test_a_hint_that_became_a_hand_stays_as_such() -> None:
    async with plain(SEED) as inn:
        inn.wire.closed |= {1, 2, 3}  # so that no hand stands elsewhere
        match = await begun(inn, ANY)
        look = await inn.look(match)
        seat = look.due()[0]
        hint = (await inn.slash(PEOPLE[seat], "motley hint", match=match)).answer
        assert hint is not None
        await inn.click(PEOPLE[seat], hint, f"t:{match}:return")
        move = look.game.write(look.moves(seat)[0])
        await inn.slash(PEOPLE[seat], f"{ANY.game.key} move", match=match, move=move)
        assert (await inn.look(match)).info.moves == look.info.moves + 1
        assert stands(inn, hint)


def think_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every thought take a moment of real time."""
    run = AtOnce.run

    async def slow(self: AtOnce, function: Any, *args: Any, seconds: float) -> Any:
        await asyncio.sleep(0.01)
        return await run(self, function, *args, seconds=seconds)

    monkeypatch.setattr(AtOnce, "run", slow)


async def test_while_a_hint_is_worked_out_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    think_slowly(monkeypatch)
    monkeypatch.setattr(hint_actions, "A_MOMENT", 0.001)
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        seat = (await inn.look(match)).due()[0]
        _, sent = await hinted(inn, match, seat)
        assert [said(each).partition(" ")[0] for each in sent] == ["I", "**Hint:"]
        assert presses(sent[0]) == [], "it is asked for once"
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        seat, since = (await inn.look(match)).due()[0], len(inn.wire.sent)
        await inn.slash(PEOPLE[seat], "motley hint", match=match)
        assert [said(each).partition(" ")[0] for each in inn.wire.sent[since:]] == ["I", "**Hint:"]
        assert {each.by for each in inn.wire.sent[since:]} == {seat + 1}


async def test_a_hint_that_comes_after_the_decision_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        look = await inn.look(match)
        seat = look.due()[0]

        async def late(self: AtOnce, function: Any, *args: Any, seconds: float) -> Any:
            await inn.play(look, seat, look.moves(seat)[0])
            return function(*args)

        monkeypatch.setattr(AtOnce, "run", late)
        _, sent = await hinted(inn, match, seat)
        told = "\n".join(said(each) for each in sent if each.by == seat + 1)
        assert "nothing for you to decide just now" in told
        assert "Hint:" not in told


async def test_where_the_pool_gives_up_the_rules_of_thumb_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(self: AtOnce, function: Any, *args: Any, seconds: float) -> Any:
        raise GaveUp("2 workers were lost.")

    monkeypatch.setattr(AtOnce, "run", none)
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        seat = (await inn.look(match)).due()[0]
        _, (sent,) = await hinted(inn, match, seat)
        assert said(sent).startswith("**Hint: ")
        assert "By rules of thumb, not thought through." in said(sent)


async def test_who_is_not_asked_or_does_not_sit_there_gets_none() -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        seat = (await inn.look(match)).due()[0]
        waits = next(each for each in range(3) if each != seat)
        table = await inn.surface(match, "table")
        for name, why in ((PEOPLE[waits], "nothing for you to decide"), (WATCHER, "not sitting at this table")):
            since = len(inn.wire.sent)
            menu = await inn.click(name, table, f"t:{match}:more")
            assert f"t:{match}:hint" not in presses(inn.wire.sent[since])
            await inn.click(name, menu.answer, f"t:{match}:hint")  # type: ignore[arg-type]
            assert why in said(inn.wire.sent[-1])


async def test_a_table_without_hints_offers_none_and_gives_none() -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY, hints="false")
        seat = (await inn.look(match)).due()[0]
        since = len(inn.wire.sent)
        menu = await inn.click(PEOPLE[seat], await inn.surface(match, "hand", seat), f"t:{match}:more")
        assert f"t:{match}:hint" not in presses(inn.wire.sent[since])
        await inn.click(PEOPLE[seat], menu.answer, f"t:{match}:hint")  # type: ignore[arg-type]
        assert "no hints at this table" in said(inn.wire.sent[-1])


@EVERY
async def test_everybody_may_see_what_has_cost_them_most(helper: Helper, caplog: pytest.LogCaptureFixture) -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, helper)
        await played(inn, match, Random(SEED))
        table = await inn.surface(match, "table")
        assert f"t:{match}:review" in str(table)
        since = len(inn.wire.sent)
        await inn.click(PEOPLE[1], table, f"t:{match}:review")
        first, last = inn.wire.sent[since:]
        assert {first.by, last.by} == {2}, "somebody else is told of it"
        assert said(first).startswith("I am looking at your ")
        assert said(last).startswith("### Your costliest moves")
        assert "Judged from what you knew then" in said(last)
        since = len(inn.wire.sent)
        await inn.click(PEOPLE[1], table, f"t:{match}:review")
        assert [said(each) for each in inn.wire.sent[since:]] == [said(last)], "it is worked out once"
        await inn.click(WATCHER, table, f"t:{match}:review")
        assert "You have made no move in this match" in said(inn.wire.sent[-1])
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_the_three_that_have_cost_most_after_a_closer_look_the_worst_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, looked = AtOnce.run, []

    async def told(self: AtOnce, function: Any, *args: Any, seconds: float) -> Any:
        if function is not costs:
            return await run(self, function, *args, seconds=seconds)
        game, each, _, share = args
        looked.append((each.number, share))
        gain = 1000.0 - each.number if share == 1 else float(each.number)
        return Advice(legal(game, each.view)[0], game.read(each.notation), gain)

    async with plain(SEED) as inn:
        match = await begun(inn, ANY, rounds=6)
        await played(inn, match, Random(SEED))
        monkeypatch.setattr(AtOnce, "run", told)
        monkeypatch.setattr("cogs.table.actions.hint_actions.SPENT", 1.0)
        await inn.click(PEOPLE[0], await inn.surface(match, "table"), f"t:{match}:review")
        text = said(inn.wire.sent[-1])
    quick = [number for number, share in looked if share < 1]
    closer = [number for number, share in looked if share == 1]
    assert closer == sorted(quick, reverse=True)[:9], "the costliest at first sight are looked at again"
    worst = [1000 - number for number in sorted(closer)[:3]]
    assert [f"{number} points more" in text for number in worst] == [True] * 3
    assert text.count("Better: ") == 3
    assert text.index(str(worst[0])) < text.index(str(worst[1])) < text.index(str(worst[2]))


async def test_what_the_computer_did_when_time_had_run_out_is_nobodys_decision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, own = AtOnce.run, list[int]()

    async def seen(self: AtOnce, function: Any, *args: Any, seconds: float) -> Any:
        found = await run(self, function, *args, seconds=seconds)
        if function is faced:
            own.extend(each.number for each in found)
        return found

    async with plain(SEED) as inn:
        match = await begun(inn, ANY, clock="5 minutes")
        late = (await inn.look(match)).due()[0]
        while (await inn.look(match)).info.moves == 0:
            await inn.later(60)
        await played(inn, match, Random(SEED))
        saved = await inn.matches.moves(match)
        assert saved.moves[0].level
        assert saved.moves[0].user == late + 1
        monkeypatch.setattr(AtOnce, "run", seen)
        await inn.click(PEOPLE[late], await inn.surface(match, "table"), f"t:{match}:review")
    assert own
    assert {saved.moves[number - 1].level for number in own} == {""}


async def test_whoever_waits_long_is_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        await played(inn, match, Random(SEED))
        think_slowly(monkeypatch)
        monkeypatch.setattr(hint_actions, "SAID_AGAIN", 0.001)
        since = len(inn.wire.sent)
        await inn.click(PEOPLE[1], await inn.surface(match, "table"), f"t:{match}:review")
        told = [said(each) for each in inn.wire.sent[since:]]
    assert told[0].startswith("I am looking at your ")
    assert told[-1].startswith("### Your costliest moves")
    done = [int(found[1]) for each in told[1:-1] if (found := re.search(r"(\d+) of \d+ are done", each))]
    assert len(set(done)) > 1
    assert done == sorted(done)


async def test_who_asks_second_is_told_that_somebody_else_is_first(monkeypatch: pytest.MonkeyPatch) -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        await played(inn, match, Random(SEED))
        think_slowly(monkeypatch)
        monkeypatch.setattr(hint_actions, "SAID_AGAIN", 0.001)
        table, since = await inn.surface(match, "table"), len(inn.wire.sent)
        data = {"component_type": 2, "custom_id": f"t:{match}:review"}
        asking = [inn.wire.ask(seat + 1, int(table["channel_id"]), 3, data, table) for seat in (0, 1)]
        await inn.at_once(*(told for _, told in asking))
        told = {by: [said(each) for each in inn.wire.sent[since:] if each.by == by] for by in (1, 2)}
    waited = [
        by for by, lines in told.items() if any("after those of whoever asked before you" in one for one in lines)
    ]
    assert len(waited) == 1
    assert all(lines[-1].startswith("### Your costliest moves") for lines in told.values())


async def test_while_the_bot_ends_nobody_is_told_and_nothing_goes_wrong(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        await played(inn, match, Random(SEED))

        async def ended(self: AtOnce, function: Any, *args: Any, seconds: float) -> Any:
            if function is not costs:
                return function(*args)
            monkeypatch.setattr(inn.bot, "is_closed", lambda: True)
            raise GaveUp("The workers have ended.")

        monkeypatch.setattr(AtOnce, "run", ended)
        since = len(inn.wire.sent)
        await inn.click(PEOPLE[1], await inn.surface(match, "table"), f"t:{match}:review")
        assert [said(each)[:12] for each in inn.wire.sent[since:]] == ["I am looking"]
        monkeypatch.undo()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_what_could_not_be_looked_at_is_not_counted_and_of_nothing_at_all_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, failing = AtOnce.run, {2, 5}

    async def failed(self: AtOnce, function: Any, *args: Any, seconds: float) -> Any:
        if function is costs and (not failing or args[1].number % 7 in failing):
            raise GaveUp("2 workers were lost.")
        return await run(self, function, *args, seconds=seconds)

    async with plain(SEED) as inn:
        match = await begun(inn, ANY, rounds=6)
        await played(inn, match, Random(SEED))
        monkeypatch.setattr(AtOnce, "run", failed)
        table = await inn.surface(match, "table")
        await inn.click(PEOPLE[0], table, f"t:{match}:review")
        assert re.search(r"\d+ of \d+ decisions", said(inn.wire.sent[-1]))
        failing.clear()
        await inn.click(PEOPLE[1], table, f"t:{match}:review")
        assert "I could not look at this match again" in inn.wire.sent[-1].said


async def test_of_a_match_that_goes_on_nothing_is_looked_back_at() -> None:
    async with plain(SEED) as inn:
        match = await begun(inn, ANY)
        await inn.click(PEOPLE[0], await inn.surface(match, "table"), f"t:{match}:review")
        assert "once the match is over" in said(inn.wire.sent[-1])
