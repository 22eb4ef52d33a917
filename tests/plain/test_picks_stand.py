"""Whatever shows a hand again, in any game: what was picked stands there, or the hand says that it is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from cogs.table.pages.page import Page
from cogs.table.surfaces.move_steps import LOST, MoveSteps
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import Status
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS, STEP_HELPERS
from tests.contract.secrets import PlannedMove
from tests.engines import memory_store
from tests.engines.memory_store import MemoryStore
from tests.engines.memory_surfaces import MemoryShown
from tests.messages import Message, control_ids, kind_of, message_text, walk_components
from tests.plain.bot_group import settle_bot_group, start_bot_group
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot
from tests.plain.test_calls import MINUTE, count_calls, leads_on, shown_content
from tests.playing import hand_path_to, make_move, short_match

DAY = 24 * 60 * 60
CHOOSES = frozenset("mcspofng")
NEVER_DUE = 10_000  # a decision that no match comes to


@dataclass
class PickMatch:
    """A match whose next move takes as many taps as any, before the first of them."""

    living: AsyncExitStack
    helper: GameHelper
    plain_bot: PlainBot  # which looks after the match
    match: str
    step: PlannedMove
    other: PlainBot | None = None  # which answers clicks instead
    closed: bool = False  # whether the one who moves takes no direct messages
    copies: list[Message] = field(default_factory=list)  # of the hand, as they were shown

    @property
    def name(self) -> str:
        return PEOPLE[self.step.seat]

    async def hand(self) -> Message:
        if self.closed:
            return self.plain_bot.current_message(self.copies[-1])
        return await self.plain_bot.surface_message(self.match, "hand", self.step.seat)

    async def on_demand(self, by: PlainBot | None = None) -> Message:
        asked = await (by or self.plain_bot).press(self.name, self.match, "hand")
        assert asked.answer is not None
        return (by or self.plain_bot).current_message(asked.answer)

    async def tap(self) -> Message:
        """Tap what leads to the move, but for the move itself; the hand as it stands then."""
        stands = [await self.hand()]

        async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
            if not leads_on(custom_id, values):
                raise Enough
            await (self.other or self.plain_bot).click_control(self.name, message, custom_id, values)
            stands.append(self.plain_bot.current_message(message))
            return stands[-1]

        with suppress(Enough):
            await make_move(click, stands[0], await self.plain_bot.load_snapshot(self.match), self.step)
        assert (choices(stands[-1]) != choices(stands[0])) == (self.helper in STEP_HELPERS.values())
        return stands[-1]

    async def restart(self) -> None:
        """The bot dies, and another process goes on with what the store knows."""
        before = self.plain_bot
        await self.living.aclose()
        stores = before.store, before.bot.surfaces.store
        self.plain_bot = await self.living.enter_async_context(
            start_plain_bot(before.seed, after=before, stores=stores)
        )
        await self.plain_bot.bot.on_ready()
        await self.plain_bot.wait_quiet()


class Enough(Exception):
    """The next tap would make the move."""


def choices(message: Message) -> list[object]:
    """What a hand offers for its decision: the controls, their lines, and which are chosen."""
    return [
        (each["custom_id"], each["disabled"], [(line["value"], line["default"]) for line in each.get("options", ())])
        for each in walk_components(message["components"])
        if kind_of(each.get("custom_id", "-")) in CHOOSES
    ]


@asynccontextmanager
async def start_pick_match(
    helper: GameHelper, *, first: bool = False, closed: bool = False, shared: bool = True, clock: str = "24 hours"
) -> AsyncIterator[PickMatch]:
    """The bot and a match at a decision that takes several taps; `first`: they were called to it by the start."""
    seats = helper.game.seats[0]
    start, plan = short_match(helper, seats)
    async with AsyncExitStack() as living:
        stores = MemoryStore(is_shared=shared), MemoryShown()
        plain_bot = await living.enter_async_context(start_plain_bot(start.seed, stores=stores))
        if closed:
            plain_bot.wire.closed_inboxes |= {plain_bot.wire.people[name] for name in PEOPLE}
        match = await plain_bot.seat_match(helper.game, PEOPLE[:seats], {**helper.short_options, "clock": clock})
        made = PickMatch(living, helper, plain_bot, match, plan[0], closed=closed)
        await until_taps(made, plan, first=first)
        if closed:
            made.copies.append(await made.on_demand())
        yield made


async def until_taps(made: PickMatch, plan: Sequence[PlannedMove], *, first: bool = False) -> None:
    """Play until a move takes several taps, or comes after the first ones in a game in which none does."""
    several, begun = made.helper in STEP_HELPERS.values(), await made.plain_bot.load_snapshot(made.match)
    for number, step in enumerate(plan):
        look = await made.plain_bot.load_snapshot(made.match)
        decision = look.decisions()[step.seat]
        called = begun.decisions().get(step.seat) == decision
        if decision.due and (taps(look, step) if several else number) and called <= first:
            made.step = step
            return
        await made.plain_bot.play_undrawn(look, step.seat, step.move)
        await made.plain_bot.show_match(made.match)
    raise AssertionError("no move of this match takes several taps")


def taps(look: MatchSnapshot, step: PlannedMove) -> int:
    way = hand_path_to(look, step.seat, look.game.format_move(step.move))
    return len(way.step_keys) + (way.picks is not None and (len(way.tokens) if way.picks.ordered else 1))


# What shows a hand anew


async def called(made: PickMatch) -> Message:
    before, since = await made.hand(), len(made.plain_bot.wire.sent_requests)
    await made.plain_bot.pass_time(MINUTE + 1)  # after the last tap
    assert count_calls(made.plain_bot, since, made.step.seat) == 1
    assert (await made.hand())["id"] != before["id"], "nobody was called"
    return await made.hand()


async def reminded(made: PickMatch) -> Message:
    before = await called(made)
    await made.plain_bot.pass_time(DAY * 3 // 4)
    assert (await made.hand())["id"] != before["id"], "nobody was reminded"
    return await made.hand()


async def edited(made: PickMatch) -> Message:
    await made.plain_bot.bot.reconciler.redraw_surface(made.match, "hand", made.step.seat)
    await made.plain_bot.show_match(made.match)
    return await made.hand()


async def asked_for(made: PickMatch) -> Message:
    return await made.on_demand()


async def by_command(made: PickMatch) -> Message:
    asked = await made.plain_bot.run_command(made.name, f"{made.helper.game.key} hand", match=made.match)
    assert asked.answer is not None
    return made.plain_bot.current_message(asked.answer)


async def set_otherwise(made: PickMatch) -> Message:
    before = await made.hand()
    await made.plain_bot.run_command(made.name, "motley settings")
    await made.plain_bot.click_control(made.name, before, "y:words=on")
    await made.plain_bot.show_match(made.match)
    return await made.hand()


async def out_of_date(made: PickMatch) -> Message:
    hand = await made.hand()
    await made.plain_bot.click_control(made.name, hand, f"m:{made.match}:{NEVER_DUE}:nothing")
    return made.plain_bot.current_message(hand)


async def deleted(made: PickMatch) -> Message:
    hand = await made.hand()
    made.plain_bot.wire.remove_message(hand)
    return await edited(made)


async def closed_and_opened(made: PickMatch) -> Message:
    user = made.plain_bot.wire.people[made.name]
    made.plain_bot.wire.closed_inboxes.add(user)
    await made.plain_bot.pass_time(MINUTE + 1)  # a call that cannot be sent
    assert await made.plain_bot.bot.surfaces.find_surface(made.match, "hand", made.step.seat) is None
    made.plain_bot.wire.closed_inboxes.discard(user)
    await made.plain_bot.run_command(made.name, f"{made.helper.game.key} status", match=made.match)
    return await made.hand()


async def paused(made: PickMatch) -> None:
    await made.plain_bot.press(PEOPLE[0 if made.step.seat else 1], made.match, "leave")
    assert (await made.plain_bot.load_snapshot(made.match)).info.status is Status.PAUSED


async def resumed(made: PickMatch) -> Message:
    await made.plain_bot.press("Greta", made.match, "seat")
    assert (await made.plain_bot.load_snapshot(made.match)).info.status is Status.RUNNING
    return await made.hand()


async def paused_and_resumed(made: PickMatch) -> Message:
    await paused(made)
    return await resumed(made)


async def paused_and_resumed_later(made: PickMatch) -> Message:
    await paused(made)
    await made.restart()
    return await resumed(made)


def after_a_restart(again: Callable[[PickMatch], Awaitable[Message]]) -> Callable[[PickMatch], Awaitable[Message]]:
    async def act(made: PickMatch) -> Message:
        await made.restart()
        return await again(made)

    return act


Again = Callable[[PickMatch], Awaitable[Message]]
AT_ONCE = (called, reminded, edited, asked_for, by_command, set_otherwise, out_of_date)
LATER: dict[str, Again] = {f"{each.__name__} after a restart": after_a_restart(each) for each in AT_ONCE}
EXACTLY = called, LATER["called after a restart"]  # what shows the very same, pictures and all
AGAIN: Mapping[str, Again] = LATER | {
    each.__name__: each for each in (*AT_ONCE, deleted, closed_and_opened, paused_and_resumed, paused_and_resumed_later)
}
ON_DEMAND = (edited, asked_for, by_command, set_otherwise, out_of_date, paused_and_resumed)
LATER_ON_DEMAND = (LATER["asked_for after a restart"], LATER["by_command after a restart"])
every_game = pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
several_taps = pytest.mark.parametrize("helper", STEP_HELPERS.values(), ids=list(STEP_HELPERS))


async def shows(made: PickMatch, again: Again, tapped: Message) -> None:
    shown = await again(made)
    assert choices(shown) == choices(tapped), "what was picked is gone"
    assert LOST not in message_text(shown), "it is not gone"
    assert again not in EXACTLY or shown_content(shown) == shown_content(tapped)


async def stands(made: PickMatch, again: Again) -> None:
    await shows(made, again, await made.tap())


@several_taps
async def test_somebody_who_has_gone_back_to_the_hand_is_called_there(helper: GameHelper) -> None:
    async with start_pick_match(helper) as made:
        begun = await made.hand()
        await made.plain_bot.click_control(made.name, await made.tap(), f"t:{made.match}:back")
        assert shown_content(await called(made)) == shown_content(begun)


@every_game
@pytest.mark.parametrize("again", AGAIN.values(), ids=list(AGAIN))
async def test_picks_stand(helper: GameHelper, again: Again) -> None:
    async with start_pick_match(helper) as made:
        await stands(made, again)


@every_game
@pytest.mark.parametrize("again", [*ON_DEMAND, *LATER_ON_DEMAND])
async def test_picks_stand_in_a_hand_for_one_person_alone(helper: GameHelper, again: Again) -> None:
    async with start_pick_match(helper, closed=True, shared=False) as made:
        await stands(made, again)


@every_game
@pytest.mark.parametrize("again", [edited, asked_for])
async def test_picks_after_the_call_stand_after_a_restart(helper: GameHelper, again: Again) -> None:
    async with start_pick_match(helper, first=True) as made:
        await stands(made, after_a_restart(again))


@every_game
@pytest.mark.parametrize("again", [called, reminded, edited, asked_for])
async def test_picks_stand_though_another_process_answers(helper: GameHelper, again: Again) -> None:
    seats = helper.game.seats[0]
    start, plan = short_match(helper, seats)
    async with start_bot_group(start.seed) as bots, AsyncExitStack() as living:
        holder, other = bots.plain_bots
        match = await holder.seat_match(helper.game, PEOPLE[:seats], helper.short_options)
        made = PickMatch(living, helper, holder, match, plan[0])
        await until_taps(made, plan)
        await settle_bot_group(bots)
        begun, tapped = choices(await made.hand()), await made.tap()
        made.other = other
        if choices(tapped) != begun:
            await other.click_control(made.name, tapped, f"t:{match}:back")
            await settle_bot_group(bots)
            assert choices(await edited(made)) == begun, "what was taken back stands"
            tapped = await made.tap()
        await settle_bot_group(bots)
        await shows(made, again, tapped)
        assert choices(await made.on_demand(other)) == choices(tapped)


@every_game
async def test_a_question_leads_back_to_where_it_was_asked(helper: GameHelper) -> None:
    async with start_pick_match(helper) as made:
        tapped, number = (
            await made.tap(),
            (await made.plain_bot.load_snapshot(made.match)).decisions()[made.step.seat].number,
        )
        question = f"c:{made.match}:{number}:{helper.game.format_move(made.step.move)}"
        await made.plain_bot.click_control(made.name, tapped, question)
        asked = made.plain_bot.current_message(tapped)
        assert choices(asked) != choices(tapped)
        await made.plain_bot.click_control(made.name, asked, f"t:{made.match}:return")
        assert choices(made.plain_bot.current_message(tapped)) == choices(tapped)


# What the store was not told before a crash


@every_game
@pytest.mark.parametrize("again", [called, reminded, edited, asked_for, by_command, set_otherwise, out_of_date])
async def test_picks_that_nobody_knows_after_a_crash_are_said_to_be_lost(helper: GameHelper, again: Again) -> None:
    async with start_pick_match(helper, shared=False) as made:
        begun, tapped = choices(await made.hand()), choices(await made.tap())
        await made.restart()
        shown = await again(made)
        assert choices(shown) == begun
        assert (LOST in message_text(shown)) == (tapped != begun)


@several_taps
async def test_lost_picks_are_mentioned_until_something_is_picked_again(helper: GameHelper) -> None:
    async with start_pick_match(helper, shared=False) as made:
        await made.tap()
        await made.restart()
        assert LOST in message_text(await called(made))
        await made.plain_bot.pass_time(DAY * 3 // 4)
        assert LOST in message_text(await made.hand()), "a reminder says no more that it is lost"
        assert LOST not in message_text(await made.tap())
        assert LOST not in message_text(await edited(made))
        hand = await made.hand()
        await made.plain_bot.click_control(made.name, hand, f"t:{made.match}:back")
        assert LOST not in message_text(await edited(made))


@every_game
@pytest.mark.parametrize("again", [called, edited, asked_for])
async def test_nothing_is_said_to_be_lost_if_nothing_was_picked(helper: GameHelper, again: Again) -> None:
    async with start_pick_match(helper, shared=False) as made:
        begun, tapped = choices(await made.hand()), await made.tap()
        if choices(tapped) != begun:
            await made.plain_bot.matches.activity.save_activity()
            await made.plain_bot.click_control(
                made.name, tapped, f"t:{made.match}:back"
            )  # of which the store does not know
        await made.restart()
        shown = await again(made)
        assert choices(shown) == begun
        assert LOST not in message_text(shown)


@several_taps
async def test_after_a_crash_a_question_tells_whether_more_was_picked_than_is_known(helper: GameHelper) -> None:
    for known in (False, True):
        async with start_pick_match(helper, shared=False) as made:
            tapped = await made.tap()
            if known:
                await made.plain_bot.matches.activity.save_activity()
            offers = [each[2:] for each in control_ids(tapped) if each.startswith("c:")]
            if not offers:
                return
            await made.plain_bot.click_control(made.name, tapped, f"c:{offers[0]}")
            await made.restart()
            shown = await called(made)
            assert (LOST in message_text(shown)) != known
            assert (choices(shown) == choices(tapped)) == known


@several_taps
async def test_somebody_who_takes_the_seat_is_not_told_what_was_lost_there_nor_what_was_picked(
    helper: GameHelper,
) -> None:
    for killed in (False, True):
        async with start_pick_match(helper, shared=not killed) as made:
            begun, tapped = choices(await made.hand()), await made.tap()
            await made.restart()
            assert (LOST in message_text(await edited(made))) == killed
            await made.plain_bot.click_control(made.name, tapped, f"t:{made.match}:leave")
            shown = await resumed(made)
            assert choices(shown) == begun
            assert LOST not in message_text(shown)


@several_taps
async def test_a_pick_that_leads_nowhere_in_a_newer_version_is_said_to_be_lost(helper: GameHelper) -> None:
    async with start_pick_match(helper) as made:
        begun = choices(await made.hand())
        await made.tap()
        for key, (decision, _) in made.plain_bot.store.went.items():
            made.plain_bot.store.went[key] = decision, f"{decision}:g:a step of long ago"
        await made.restart()
        shown = await called(made)
        assert choices(shown) == begun
        assert LOST in message_text(shown)


@several_taps
async def test_a_restart_reads_only_messages_that_are_sent_again(helper: GameHelper) -> None:
    async with start_pick_match(helper, clock="none") as made:
        await made.tap()
        await made.plain_bot.pass_time(10)  # until it is kept that all is shown
        await made.restart()
        await made.plain_bot.show_match(made.match)
        assert made.plain_bot.wire.fetched == 0
        for _ in range(3):
            await edited(made)
        assert made.plain_bot.wire.fetched == 1


# Bots that forget


async def at_the_beginning(
    self: MoveSteps, look: MatchSnapshot, seat: int, setting: Any, reader: Any, hand: Page, shown: Any
) -> Page:
    return hand


async def untold(self: MemoryStore, match: str) -> dict[int, str]:
    return {}


async def unseen(self: MoveSteps, shown: object) -> list[str]:
    return []


@pytest.mark.parametrize(
    ("where", "name", "broken", "again", "how"),
    [
        *((MoveSteps, "hand_at_step", at_the_beginning, again, {}) for again in (called, reminded, asked_for)),
        *((MoveSteps, "hand_at_step", at_the_beginning, again, {}) for again in (set_otherwise, out_of_date)),
        (MemoryStore, "load_move_steps", untold, after_a_restart(asked_for), {"closed": True}),
        (memory_store, "stays", lambda info, kind, seat: False, paused_and_resumed_later, {}),
        (MoveSteps, "_controls", unseen, after_a_restart(called), {"shared": False}),
    ],
)
@several_taps
async def test_a_bot_that_forgets_is_seen(
    helper: GameHelper, where: Any, name: str, broken: Any, again: Again, how: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, broken)
    async with start_pick_match(helper, **how) as made:
        with pytest.raises(AssertionError):
            await stands_or_says_so(made, again)


async def stands_or_says_so(made: PickMatch, again: Again) -> None:
    tapped = await made.tap()
    shown = await again(made)
    assert (choices(shown) == choices(tapped)) != (LOST in message_text(shown)), "it is gone without a word"
