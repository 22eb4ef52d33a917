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
from tests.plain.test_calls import MINUTE, count_calls, is_step, shown_content
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
        interaction = await (by or self.plain_bot).press(self.name, self.match, "hand")
        assert interaction.answer is not None
        return (by or self.plain_bot).current_message(interaction.answer)

    async def tap(self) -> Message:
        """Tap what leads to the move, but for the move itself; the hand as it stands then."""
        messages = [await self.hand()]

        async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
            if not is_step(custom_id, values):
                raise Enough
            await (self.other or self.plain_bot).click_control(self.name, message, custom_id, values)
            messages.append(self.plain_bot.current_message(message))
            return messages[-1]

        with suppress(Enough):
            await make_move(click, messages[0], await self.plain_bot.load_snapshot(self.match), self.step)
        assert (choices(messages[-1]) != choices(messages[0])) == (self.helper in STEP_HELPERS.values())
        return messages[-1]

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
        pick_match = PickMatch(living, helper, plain_bot, match, plan[0], closed=closed)
        await until_taps(pick_match, plan, first=first)
        if closed:
            pick_match.copies.append(await pick_match.on_demand())
        yield pick_match


async def until_taps(pick_match: PickMatch, plan: Sequence[PlannedMove], *, first: bool = False) -> None:
    """Play until a move takes several taps, or comes after the first ones in a game in which none does."""
    several, snapshot_before = (
        pick_match.helper in STEP_HELPERS.values(),
        await pick_match.plain_bot.load_snapshot(pick_match.match),
    )
    for number, step in enumerate(plan):
        snapshot = await pick_match.plain_bot.load_snapshot(pick_match.match)
        decision = snapshot.decisions()[step.seat]
        is_called = snapshot_before.decisions().get(step.seat) == decision
        if decision.due and (taps(snapshot, step) if several else number) and is_called <= first:
            pick_match.step = step
            return
        await pick_match.plain_bot.play_undrawn(snapshot, step.seat, step.move)
        await pick_match.plain_bot.show_match(pick_match.match)
    raise AssertionError("no move of this match takes several taps")


def taps(snapshot: MatchSnapshot, step: PlannedMove) -> int:
    way = hand_path_to(snapshot, step.seat, snapshot.game.format_move(step.move))
    return len(way.step_keys) + (way.picks is not None and (len(way.tokens) if way.picks.ordered else 1))


# What shows a hand anew


async def wait_for_call(pick_match: PickMatch) -> Message:
    before, start = await pick_match.hand(), len(pick_match.plain_bot.wire.sent_requests)
    await pick_match.plain_bot.pass_time(MINUTE + 1)  # after the last tap
    assert count_calls(pick_match.plain_bot, start, pick_match.step.seat) == 1
    assert (await pick_match.hand())["id"] != before["id"], "nobody was called"
    return await pick_match.hand()


async def wait_for_reminder(pick_match: PickMatch) -> Message:
    before = await wait_for_call(pick_match)
    await pick_match.plain_bot.pass_time(DAY * 3 // 4)
    assert (await pick_match.hand())["id"] != before["id"], "nobody was reminded"
    return await pick_match.hand()


async def redraw_hand(pick_match: PickMatch) -> Message:
    await pick_match.plain_bot.bot.reconciler.redraw_surface(pick_match.match, "hand", pick_match.step.seat)
    await pick_match.plain_bot.show_match(pick_match.match)
    return await pick_match.hand()


async def show_on_demand(pick_match: PickMatch) -> Message:
    return await pick_match.on_demand()


async def show_by_command(pick_match: PickMatch) -> Message:
    interaction = await pick_match.plain_bot.run_command(
        pick_match.name, f"{pick_match.helper.game.key} hand", match=pick_match.match
    )
    assert interaction.answer is not None
    return pick_match.plain_bot.current_message(interaction.answer)


async def change_setting(pick_match: PickMatch) -> Message:
    before = await pick_match.hand()
    await pick_match.plain_bot.run_command(pick_match.name, "motley settings")
    await pick_match.plain_bot.click_control(pick_match.name, before, "y:words=on")
    await pick_match.plain_bot.show_match(pick_match.match)
    return await pick_match.hand()


async def click_outdated_control(pick_match: PickMatch) -> Message:
    hand = await pick_match.hand()
    await pick_match.plain_bot.click_control(pick_match.name, hand, f"m:{pick_match.match}:{NEVER_DUE}:nothing")
    return pick_match.plain_bot.current_message(hand)


async def delete_hand(pick_match: PickMatch) -> Message:
    hand = await pick_match.hand()
    pick_match.plain_bot.wire.remove_message(hand)
    return await redraw_hand(pick_match)


async def close_and_open_messages(pick_match: PickMatch) -> Message:
    user = pick_match.plain_bot.wire.people[pick_match.name]
    pick_match.plain_bot.wire.closed_inboxes.add(user)
    await pick_match.plain_bot.pass_time(MINUTE + 1)  # a call that cannot be sent
    assert await pick_match.plain_bot.bot.surfaces.find_surface(pick_match.match, "hand", pick_match.step.seat) is None
    pick_match.plain_bot.wire.closed_inboxes.discard(user)
    await pick_match.plain_bot.run_command(
        pick_match.name, f"{pick_match.helper.game.key} status", match=pick_match.match
    )
    return await pick_match.hand()


async def pause_match(pick_match: PickMatch) -> None:
    await pick_match.plain_bot.press(PEOPLE[0 if pick_match.step.seat else 1], pick_match.match, "leave")
    assert (await pick_match.plain_bot.load_snapshot(pick_match.match)).info.status is Status.PAUSED


async def resume_match(pick_match: PickMatch) -> Message:
    await pick_match.plain_bot.press("Greta", pick_match.match, "seat")
    assert (await pick_match.plain_bot.load_snapshot(pick_match.match)).info.status is Status.RUNNING
    return await pick_match.hand()


async def pause_and_resume(pick_match: PickMatch) -> Message:
    await pause_match(pick_match)
    return await resume_match(pick_match)


async def pause_and_resume_later(pick_match: PickMatch) -> Message:
    await pause_match(pick_match)
    await pick_match.restart()
    return await resume_match(pick_match)


def restart_first(show_again: Callable[[PickMatch], Awaitable[Message]]) -> Callable[[PickMatch], Awaitable[Message]]:
    async def act(pick_match: PickMatch) -> Message:
        await pick_match.restart()
        return await show_again(pick_match)

    return act


Again = Callable[[PickMatch], Awaitable[Message]]
AT_ONCE = (
    wait_for_call,
    wait_for_reminder,
    redraw_hand,
    show_on_demand,
    show_by_command,
    change_setting,
    click_outdated_control,
)
LATER: dict[str, Again] = {f"{each.__name__} after a restart": restart_first(each) for each in AT_ONCE}
EXACTLY = wait_for_call, LATER["wait_for_call after a restart"]  # what shows the very same, pictures and all
AGAIN: Mapping[str, Again] = LATER | {
    each.__name__: each
    for each in (*AT_ONCE, delete_hand, close_and_open_messages, pause_and_resume, pause_and_resume_later)
}
ON_DEMAND = (redraw_hand, show_on_demand, show_by_command, change_setting, click_outdated_control, pause_and_resume)
LATER_ON_DEMAND = (LATER["show_on_demand after a restart"], LATER["show_by_command after a restart"])
every_game = pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
several_taps = pytest.mark.parametrize("helper", STEP_HELPERS.values(), ids=list(STEP_HELPERS))


async def check_picks_shown(pick_match: PickMatch, show_again: Again, tapped: Message) -> None:
    message = await show_again(pick_match)
    assert choices(message) == choices(tapped), "what was picked is gone"
    assert LOST not in message_text(message), "it is not gone"
    assert show_again not in EXACTLY or shown_content(message) == shown_content(tapped)


async def check_picks_stand(pick_match: PickMatch, show_again: Again) -> None:
    await check_picks_shown(pick_match, show_again, await pick_match.tap())


@several_taps
async def test_somebody_who_has_gone_back_to_the_hand_is_called_there(helper: GameHelper) -> None:
    async with start_pick_match(helper) as pick_match:
        first_hand = await pick_match.hand()
        await pick_match.plain_bot.click_control(pick_match.name, await pick_match.tap(), f"t:{pick_match.match}:back")
        assert shown_content(await wait_for_call(pick_match)) == shown_content(first_hand)


@pytest.mark.sampled
@every_game
@pytest.mark.parametrize("show_again", AGAIN.values(), ids=list(AGAIN))
async def test_picks_stand(helper: GameHelper, show_again: Again) -> None:
    async with start_pick_match(helper) as pick_match:
        await check_picks_stand(pick_match, show_again)


@pytest.mark.sampled
@every_game
@pytest.mark.parametrize("show_again", [*ON_DEMAND, *LATER_ON_DEMAND])
async def test_picks_stand_in_a_hand_for_one_person_alone(helper: GameHelper, show_again: Again) -> None:
    async with start_pick_match(helper, closed=True, shared=False) as pick_match:
        await check_picks_stand(pick_match, show_again)


@pytest.mark.sampled
@every_game
@pytest.mark.parametrize("show_again", [redraw_hand, show_on_demand])
async def test_picks_after_the_call_stand_after_a_restart(helper: GameHelper, show_again: Again) -> None:
    async with start_pick_match(helper, first=True) as pick_match:
        await check_picks_stand(pick_match, restart_first(show_again))


@pytest.mark.sampled
@every_game
@pytest.mark.parametrize("show_again", [wait_for_call, wait_for_reminder, redraw_hand, show_on_demand])
async def test_picks_stand_though_another_process_answers(helper: GameHelper, show_again: Again) -> None:
    seats = helper.game.seats[0]
    start, plan = short_match(helper, seats)
    async with start_bot_group(start.seed) as bots, AsyncExitStack() as living:
        holder, other = bots.plain_bots
        match = await holder.seat_match(helper.game, PEOPLE[:seats], helper.short_options)
        pick_match = PickMatch(living, helper, holder, match, plan[0])
        await until_taps(pick_match, plan)
        await settle_bot_group(bots)
        first_choices, tapped = choices(await pick_match.hand()), await pick_match.tap()
        pick_match.other = other
        if choices(tapped) != first_choices:
            await other.click_control(pick_match.name, tapped, f"t:{match}:back")
            await settle_bot_group(bots)
            assert choices(await redraw_hand(pick_match)) == first_choices, "what was taken back stands"
            tapped = await pick_match.tap()
        await settle_bot_group(bots)
        await check_picks_shown(pick_match, show_again, tapped)
        assert choices(await pick_match.on_demand(other)) == choices(tapped)


@every_game
async def test_a_question_leads_back_to_where_it_was_asked(helper: GameHelper) -> None:
    async with start_pick_match(helper) as pick_match:
        tapped, number = (
            await pick_match.tap(),
            (await pick_match.plain_bot.load_snapshot(pick_match.match)).decisions()[pick_match.step.seat].number,
        )
        question = f"c:{pick_match.match}:{number}:{helper.game.format_move(pick_match.step.move)}"
        await pick_match.plain_bot.click_control(pick_match.name, tapped, question)
        confirmation = pick_match.plain_bot.current_message(tapped)
        assert choices(confirmation) != choices(tapped)
        await pick_match.plain_bot.click_control(pick_match.name, confirmation, f"t:{pick_match.match}:return")
        assert choices(pick_match.plain_bot.current_message(tapped)) == choices(tapped)


# What the store was not told before a crash


@pytest.mark.sampled
@every_game
@pytest.mark.parametrize(
    "show_again",
    [
        wait_for_call,
        wait_for_reminder,
        redraw_hand,
        show_on_demand,
        show_by_command,
        change_setting,
        click_outdated_control,
    ],
)
async def test_picks_that_nobody_knows_after_a_crash_are_said_to_be_lost(helper: GameHelper, show_again: Again) -> None:
    async with start_pick_match(helper, shared=False) as pick_match:
        first_choices, tapped = choices(await pick_match.hand()), choices(await pick_match.tap())
        await pick_match.restart()
        message = await show_again(pick_match)
        assert choices(message) == first_choices
        assert (LOST in message_text(message)) == (tapped != first_choices)


@several_taps
async def test_lost_picks_are_mentioned_until_something_is_picked_again(helper: GameHelper) -> None:
    async with start_pick_match(helper, shared=False) as pick_match:
        await pick_match.tap()
        await pick_match.restart()
        assert LOST in message_text(await wait_for_call(pick_match))
        await pick_match.plain_bot.pass_time(DAY * 3 // 4)
        assert LOST in message_text(await pick_match.hand()), "a reminder says no more that it is lost"
        assert LOST not in message_text(await pick_match.tap())
        assert LOST not in message_text(await redraw_hand(pick_match))
        hand = await pick_match.hand()
        await pick_match.plain_bot.click_control(pick_match.name, hand, f"t:{pick_match.match}:back")
        assert LOST not in message_text(await redraw_hand(pick_match))


@pytest.mark.sampled
@every_game
@pytest.mark.parametrize("show_again", [wait_for_call, redraw_hand, show_on_demand])
async def test_nothing_is_said_to_be_lost_if_nothing_was_picked(helper: GameHelper, show_again: Again) -> None:
    async with start_pick_match(helper, shared=False) as pick_match:
        first_choices, tapped = choices(await pick_match.hand()), await pick_match.tap()
        if choices(tapped) != first_choices:
            await pick_match.plain_bot.matches.activity.save_activity()
            await pick_match.plain_bot.click_control(
                pick_match.name, tapped, f"t:{pick_match.match}:back"
            )  # of which the store does not know
        await pick_match.restart()
        message = await show_again(pick_match)
        assert choices(message) == first_choices
        assert LOST not in message_text(message)


@several_taps
async def test_after_a_crash_a_question_tells_whether_more_was_picked_than_is_known(helper: GameHelper) -> None:
    for known in (False, True):
        async with start_pick_match(helper, shared=False) as pick_match:
            tapped = await pick_match.tap()
            if known:
                await pick_match.plain_bot.matches.activity.save_activity()
            offers = [each[2:] for each in control_ids(tapped) if each.startswith("c:")]
            if not offers:
                return
            await pick_match.plain_bot.click_control(pick_match.name, tapped, f"c:{offers[0]}")
            await pick_match.restart()
            message = await wait_for_call(pick_match)
            assert (LOST in message_text(message)) != known
            assert (choices(message) == choices(tapped)) == known


@several_taps
async def test_somebody_who_takes_the_seat_is_not_told_what_was_lost_there_nor_what_was_picked(
    helper: GameHelper,
) -> None:
    for killed in (False, True):
        async with start_pick_match(helper, shared=not killed) as pick_match:
            first_choices, tapped = choices(await pick_match.hand()), await pick_match.tap()
            await pick_match.restart()
            assert (LOST in message_text(await redraw_hand(pick_match))) == killed
            await pick_match.plain_bot.click_control(pick_match.name, tapped, f"t:{pick_match.match}:leave")
            message = await resume_match(pick_match)
            assert choices(message) == first_choices
            assert LOST not in message_text(message)


@several_taps
async def test_a_pick_that_leads_nowhere_in_a_newer_version_is_said_to_be_lost(helper: GameHelper) -> None:
    async with start_pick_match(helper) as pick_match:
        first_choices = choices(await pick_match.hand())
        await pick_match.tap()
        for key, (decision, _) in pick_match.plain_bot.store.went.items():
            pick_match.plain_bot.store.went[key] = decision, f"{decision}:g:a step of long ago"
        await pick_match.restart()
        message = await wait_for_call(pick_match)
        assert choices(message) == first_choices
        assert LOST in message_text(message)


@several_taps
async def test_a_restart_reads_only_messages_that_are_sent_again(helper: GameHelper) -> None:
    async with start_pick_match(helper, clock="none") as pick_match:
        await pick_match.tap()
        await pick_match.plain_bot.pass_time(10)  # until it is kept that all is shown
        await pick_match.restart()
        await pick_match.plain_bot.show_match(pick_match.match)
        assert pick_match.plain_bot.wire.fetched == 0
        for _ in range(3):
            await redraw_hand(pick_match)
        assert pick_match.plain_bot.wire.fetched == 1


# Bots that forget


async def at_the_beginning(
    self: MoveSteps, snapshot: MatchSnapshot, seat: int, setting: Any, reader: Any, hand: Page, shown_steps: Any
) -> Page:
    return hand


async def untold(self: MemoryStore, match: str) -> dict[int, str]:
    return {}


async def unseen(self: MoveSteps, shown_steps: object) -> list[str]:
    return []


@pytest.mark.long
@pytest.mark.parametrize(
    ("owner", "name", "broken", "show_again", "options"),
    [
        *(
            (MoveSteps, "hand_at_step", at_the_beginning, show_again, {})
            for show_again in (wait_for_call, wait_for_reminder, show_on_demand)
        ),
        *(
            (MoveSteps, "hand_at_step", at_the_beginning, show_again, {})
            for show_again in (change_setting, click_outdated_control)
        ),
        (MemoryStore, "load_move_steps", untold, restart_first(show_on_demand), {"closed": True}),
        (memory_store, "stays", lambda info, kind, seat: False, pause_and_resume_later, {}),
        (MoveSteps, "_controls", unseen, restart_first(wait_for_call), {"shared": False}),
    ],
)
@several_taps
async def test_a_bot_that_forgets_is_seen(
    helper: GameHelper,
    owner: Any,
    name: str,
    broken: Any,
    show_again: Again,
    options: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(owner, name, broken)
    async with start_pick_match(helper, **options) as pick_match:
        with pytest.raises(AssertionError):
            await stands_or_says_so(pick_match, show_again)


async def stands_or_says_so(pick_match: PickMatch, show_again: Again) -> None:
    tapped = await pick_match.tap()
    message = await show_again(pick_match)
    assert (choices(message) == choices(tapped)) != (LOST in message_text(message)), "it is gone without a word"
