"""Taking moves back in the whole bot: requests and answers, stale controls, and whole matches in undo mode."""

from __future__ import annotations

import os
import re

import pytest

from cogs.features.takebacks.feature_ui import TakeBackActions
from cogs.table.pages import custom_ids
from engines.features.takebacks.rules import TakeBackLimits
from engines.features.takebacks.taking_back import view_stamp
from engines.hosting.match import MatchSnapshot
from engines.hosting.records.record import parse_record
from engines.kit.errors import IllegalMove
from engines.store.surface_storage import Preferences
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.games import GAMES
from tests.messages import Message, alt_texts, button_labels, control_ids, kind_of, message_text
from tests.plain.plain_bot import NOW, PEOPLE, PlainBot, start_plain_bot
from tests.playing import short_match

ALL_SEATS = os.environ.get("MOTLEY_STARTS") == "all"
CASES = [
    (helper, seats)
    for helper in HELPERS.values()
    for seats in (helper.game.seats if ALL_SEATS else helper.game.seats[:1])
]
NAMES = [f"{helper.game.key}-{seats}" for helper, seats in CASES]
BIDDERS = PEOPLE[:3]
GAME_CONTROLS = frozenset({*"mcspofng", "plans"})  # kinds of controls that are about one decision


async def seat_in_turn(plain_bot: PlainBot, match: str) -> int:
    return (await plain_bot.load_snapshot(match)).due_seats()[0]


async def ask(plain_bot: PlainBot, match: str, seat: int) -> Message:
    """Press More and then Take back, as a menu offers it that was opened before something spoke against it; the menu
    after it."""
    menu = (await plain_bot.press(PEOPLE[seat], match, "more", seat)).answer
    assert menu is not None
    custom_id = custom_ids.feature_id(
        "takebacks", match, "take", view_stamp(await plain_bot.load_snapshot(match), seat)
    )
    await plain_bot.click_control(PEOPLE[seat], menu, custom_id)
    return (
        plain_bot.current_message(menu) if int(menu["id"]) in plain_bot.wire.channels[int(menu["channel_id"])] else menu
    )


async def bid(plain_bot: PlainBot, match: str) -> int:
    """Make the first bid by a click; the seat."""
    snapshot = await plain_bot.load_snapshot(match)
    seat = snapshot.due_seats()[0]
    await plain_bot.click_move(snapshot, seat)
    return seat


async def answer(plain_bot: PlainBot, match: str, seat: int, action: str, kind: str = "hand") -> str:
    """Press an answer on the own hand or at the table; what is said to the person alone."""
    message = await plain_bot.surface_message(match, kind, seat if kind == "hand" else -1)  # type: ignore[arg-type]
    (custom_id,) = [each for each in control_ids(message) if f":{action}:" in each]
    interaction = await plain_bot.click_control(PEOPLE[seat], message, custom_id)
    return message_text(interaction.answer) if interaction.answer else ""


# Requests


async def test_a_mistaken_move_is_taken_back_by_consent() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], BIDDERS, {})
        before = (await plain_bot.load_snapshot(match)).state
        seat = await bid(plain_bot, match)
        await ask(plain_bot, match, seat)
        others = [each for each in range(3) if each != seat]
        table = message_text(await plain_bot.surface_message(match, "table"))
        assert f"{PEOPLE[seat]} wants to take back “{PEOPLE[seat]} bids" in table
        assert "Waiting for" in table
        for other in others:
            hand = await plain_bot.surface_message(match, "hand", other)
            assert f"{PEOPLE[seat]} wants to take back" in message_text(hand)
            assert {"Yes", "No"} <= {*button_labels(hand)}
        own = await plain_bot.surface_message(match, "hand", seat)
        assert "You asked to take your move back" in message_text(own)
        assert "Yes" not in button_labels(own)
        menu = (await plain_bot.press(PEOPLE[seat], match, "more", seat)).answer
        assert menu is not None
        assert "Take back" not in button_labels(menu)
        await answer(plain_bot, match, others[0], "agree")
        assert "You agreed. Others still have to answer" not in message_text(own)
        answer_text = await answer(plain_bot, match, others[1], "agree", "table")
        assert answer_text == "You agreed, and the move is taken back."
        after = await plain_bot.load_snapshot(match)
        assert after.state == before
        for kind, each in (("table", -1), *(("hand", number) for number in range(3))):
            text = message_text(await plain_bot.surface_message(match, kind, each))  # type: ignore[arg-type]
            assert f"{PEOPLE[seat]} takes a move back (bids" in text, text
            assert "wants to take" not in text


async def test_the_news_are_as_before_and_say_what_was_taken_back() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], BIDDERS, {"rounds": 2})
        await bid(plain_bot, match)
        for _ in range(5):
            seat = await seat_in_turn(plain_bot, match)
            before = message_text(await plain_bot.surface_message(match, "hand", seat))
            await plain_bot.click_move(await plain_bot.load_snapshot(match), seat)
            if await take_back_somehow(plain_bot, match, seat):
                after = message_text(await plain_bot.surface_message(match, "hand", seat))
                assert "takes a move back" in after
                assert without_notices(after) == without_notices(before)
                await plain_bot.click_move(await plain_bot.load_snapshot(match), seat)


def without_notices(text: str) -> list[str]:
    """The lines of a page, without what was taken back."""
    notice = (
        r" and takes a move back \([^)]*\)|\w+ takes a move back \([^)]*\)\.|(?<=\w) takes a move back \([^)]*\) and"
    )
    return [line.strip() for line in re.sub(notice, "", text).split("\n") if line.strip()]


async def test_one_no_is_told_to_the_one_who_asked() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], BIDDERS, {})
        seat = await bid(plain_bot, match)
        await ask(plain_bot, match, seat)
        other = (seat + 1) % 3
        assert await answer(plain_bot, match, other, "refuse", "table") == "You said no, so the move stands."
        own = message_text(await plain_bot.surface_message(match, "hand", seat))
        assert f"{PEOPLE[other]} said no, so your move stands." in own
        assert (await plain_bot.load_snapshot(match)).info.moves == 1


async def test_a_request_pings_those_who_answer_and_lapses() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], BIDDERS, {"clock": "1 hour"})
        seat = await bid(plain_bot, match)
        await plain_bot.pass_time(1)
        before = {other: (await plain_bot.surface_message(match, "hand", other))["id"] for other in range(3)}
        await ask(plain_bot, match, seat)
        await plain_bot.pass_time(12)
        for other in range(3):
            is_new = (await plain_bot.surface_message(match, "hand", other))["id"] != before[other]
            assert is_new == (other != seat), "the hand comes again as a ping, as for a turn"
        await plain_bot.pass_time(60)
        own = message_text(await plain_bot.surface_message(match, "hand", seat))
        assert "Nobody answered in time, so your move stands." in own
        for other in range(3):
            assert "Yes" not in button_labels(await plain_bot.surface_message(match, "hand", other))


async def test_nothing_moves_by_itself_while_a_request_is_open() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], BIDDERS[:2], {"clock": "1 hour"}, ["easy"])
        while True:
            await plain_bot.pass_time(5)
            snapshot = await plain_bot.load_snapshot(match)
            seat = snapshot.due_seats()[0]
            following = (seat + 1) % 3
            await plain_bot.click_move(snapshot, seat)
            if snapshot.info.seats[following].level:
                break
        moves = (await plain_bot.load_snapshot(match)).info.moves
        await ask(plain_bot, match, seat)
        await plain_bot.pass_time(30)
        assert (await plain_bot.load_snapshot(match)).info.moves == moves
        await plain_bot.pass_time(60)
        assert (await plain_bot.load_snapshot(match)).info.moves > moves


async def test_somebody_who_wants_no_requests_gets_none_and_the_one_who_asks_is_told() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], BIDDERS, {})
        seat = await bid(plain_bot, match)
        other = (seat + 1) % 3
        settings = (await plain_bot.run_command(PEOPLE[other], "motley settings")).answer
        assert settings is not None
        await plain_bot.click_control(PEOPLE[other], settings, "takebacks::allow:off")
        user = (await plain_bot.load_snapshot(match)).info.seats[other].user
        assert await plain_bot.bot.surfaces.preferences(user) == Preferences(requests=False)
        menu = await ask(plain_bot, match, seat)
        assert f"{PEOPLE[other]} does not want to be asked about taking moves back." in message_text(menu)
        assert (await plain_bot.load_snapshot(match)).info.undoing.request is None


async def test_revealed_cards_are_named() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        game = GAMES["jokers"]
        match = await plain_bot.seat_match(game, PEOPLE[: game.seats[0]], {})
        snapshot = await plain_bot.load_snapshot(match)
        seat = snapshot.due_seats()[0]
        move = next(move for move in snapshot.moves(seat) if game.reveals(snapshot.state, seat, move))
        hand = await plain_bot.surface_message(match, "hand", seat)
        number = snapshot.decisions()[seat].number
        await plain_bot.click_control(PEOPLE[seat], hand, custom_ids.move_id(match, number, game.format_move(move)))
        menu = await ask(plain_bot, match, seat)
        assert "it revealed something. You drew" in message_text(menu)


async def test_alone_against_computers_the_match_becomes_practice_after_a_question() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], BIDDERS[:1], {}, ["easy", "easy"])
        await plain_bot.pass_time(10)
        snapshot = await plain_bot.load_snapshot(match)
        await plain_bot.click_move(snapshot, 0)
        await plain_bot.pass_time(10)
        assert (await plain_bot.load_snapshot(match)).info.moves > snapshot.info.moves + 1
        menu = await ask(plain_bot, match, 0)
        assert "it will become a practice match and no longer count" in message_text(menu)
        assert not (await plain_bot.load_snapshot(match)).info.practice
        (sure,) = [each for each in control_ids(menu) if ":practice:" in each]
        await plain_bot.click_control("Ada", menu, sure)
        after = await plain_bot.load_snapshot(match)
        assert after.info.practice
        assert after.state == snapshot.state
        assert "(practice)" in message_text(await plain_bot.surface_message(match, "table"))


# Stale controls


@pytest.mark.parametrize("key", GAMES)
async def test_nothing_shown_before_a_take_back_is_valid_after_it(key: str) -> None:
    helper = HELPERS[key]
    async with start_plain_bot("ab" * 16) as plain_bot:
        game, names = helper.game, PEOPLE[: helper.game.seats[0]]
        match = await plain_bot.seat_match(game, names, {"hints": "true"})
        controls: dict[str, tuple[str, Message]] = {}
        for _ in range(12):
            await collect_controls(plain_bot, match, names, controls)
            snapshot = await plain_bot.load_snapshot(match)
            seat = snapshot.due_seats()[0]
            await plain_bot.click_move(snapshot, seat)
            await collect_controls(plain_bot, match, names, controls)
            if await take_back_agreed(plain_bot, match, seat, controls):
                break
        else:
            pytest.fail("no move could be taken back")
        before = await plain_bot.load_snapshot(match)
        open_seats = {each.seat for each in before.info.undoing.kept}  # whose choice has stayed open all the time
        shown_controls = {
            each
            for number in range(len(names))
            if number not in open_seats
            for each in control_ids(await plain_bot.surface_message(match, "hand", number))
        }
        own = {PEOPLE[each] for each in open_seats}
        stale = {each: source for each, source in controls.items() if kind_of(each) in {*GAME_CONTROLS, "takebacks"}}
        stale = {each: at for each, at in stale.items() if kind_of(each) == "takebacks" or at[0] not in own}
        assert len(stale) > 2
        assert not {*stale} & shown_controls, "a control that was shown before is shown again"
        for custom_id, (name, message) in stale.items():
            values = ["="] if kind_of(custom_id) in {*"sf"} else None
            menus = [c for c in message.get("components", []) if c.get("custom_id") == custom_id]
            values = [menus[0]["options"][0]["value"]] if menus and "options" in menus[0] else values
            await plain_bot.click_control(name, message, custom_id, values)
            after = await plain_bot.load_snapshot(match)
            assert (after.info.moves, after.state) == (before.info.moves, before.state), custom_id
            assert after.info.undoing == before.info.undoing, custom_id


async def collect_controls(
    plain_bot: PlainBot, match: str, names: tuple[str, ...], controls: dict[str, tuple[str, Message]]
) -> None:
    """Note every control of the table, the hands and the menus."""
    for seat, name in enumerate(names):
        menu = (await plain_bot.press(name, match, "more", seat)).answer
        messages = [
            await plain_bot.surface_message(match, "hand", seat),
            await plain_bot.surface_message(match, "table"),
        ]
        for message in (*messages, *([menu] if menu else [])):
            controls |= dict.fromkeys(control_ids(message), (name, message))


async def take_back_agreed(
    plain_bot: PlainBot, match: str, seat: int, controls: dict[str, tuple[str, Message]]
) -> bool:
    offset = (await plain_bot.load_snapshot(match)).info.decision_offset
    await ask(plain_bot, match, seat)
    snapshot = await plain_bot.load_snapshot(match)
    if (request := snapshot.info.undoing.open_request) is not None:
        await collect_controls(plain_bot, match, PEOPLE[: len(snapshot.info.seats)], controls)
        for other in request.seats:
            await answer(plain_bot, match, other, "agree")
    return (await plain_bot.load_snapshot(match)).info.decision_offset > offset


# Whole matches


@pytest.mark.parametrize(("helper", "seats"), CASES, ids=NAMES)
async def test_a_whole_match_is_played_in_undo_mode(helper: GameHelper, seats: int) -> None:
    """Each move that may be taken back is played, taken back and played again: all ends as in a plain match."""
    start, plan = short_match(helper, seats)
    names, ends = PEOPLE[:seats], []
    for undoes in (False, True):
        async with start_plain_bot(start.seed) as plain_bot:
            plain_bot.bot.actions.service(TakeBackActions).taking_back.limits = TakeBackLimits(999, 999)
            match = await plain_bot.seat_match(helper.game, names, helper.short_options)
            undone = 0
            for step in plan:
                snapshot = await plain_bot.load_snapshot(match)
                assert snapshot.state == step.state
                await plain_bot.play_step(match, step)
                if undoes and await take_back_somehow(plain_bot, match, step.seat):
                    undone += 1
                    current = await plain_bot.load_snapshot(match)
                    assert current.state == step.state
                    assert decision_controls(current, await plain_bot.surface_message(match, "hand", step.seat))
                    await plain_bot.play_step(match, step)
            ends.append(await final_state(plain_bot, match, seats))
            assert (undone > 0) == undoes
    plain, other = ends
    assert plain == other


async def take_back_somehow(plain_bot: PlainBot, match: str, seat: int) -> bool:
    """Take a move back, with the consent of the others if needed; whether that was possible."""
    snapshot = await plain_bot.load_snapshot(match)
    before = snapshot.info
    hand = await plain_bot.surface_message(match, "hand", seat)
    await plain_bot.click_control(PEOPLE[seat], hand, f"takebacks:{match}:take:{view_stamp(snapshot, seat)}")
    request = (await plain_bot.load_snapshot(match)).info.undoing.open_request
    for other in request.seats if request else ():
        await answer(plain_bot, match, other, "agree")
    return (await plain_bot.load_snapshot(match)).info.decision_offset > before.decision_offset


def decision_controls(snapshot: MatchSnapshot, hand: Message) -> list[str]:
    """The decision's controls on a hand, which are there again."""
    return [each for each in control_ids(hand) if kind_of(each) in GAME_CONTROLS and f":{snapshot.info.id}:" in each]


async def final_state(plain_bot: PlainBot, match: str, seats: int) -> list[object]:
    """How a match has ended: state, events, every page in words and pictures, and the record without take-backs."""
    snapshot = await plain_bot.load_snapshot(match)
    messages = [await plain_bot.surface_message(match, "table"), await plain_bot.surface_message(match, "lobby")]
    messages += [await plain_bot.surface_message(match, "hand", seat) for seat in range(seats)]
    pages = [(re.sub(match, "match", message_text(each)), alt_texts(each), button_labels(each)) for each in messages]
    record = parse_record(await plain_bot.matches.records.build_record(match))
    return [
        snapshot.state,
        snapshot.outcome(),
        [match_event.event for match_event in snapshot.events],
        pages,
        record.in_force(),
    ]


@pytest.mark.parametrize("text", ["undo 1", "undo only 1"])
@pytest.mark.parametrize("key", GAMES)
def test_no_game_has_a_move_that_reads_like_a_take_back(key: str, text: str) -> None:
    with pytest.raises(IllegalMove):
        GAMES[key].parse_move(text)


# Time


@pytest.mark.parametrize("agrees", [True, False])
async def test_no_time_runs_out_while_somebody_asks(agrees: bool) -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], BIDDERS, {"clock": "60 seconds"})
        seat = await bid(plain_bot, match)
        await plain_bot.pass_time(30)
        first = await seat_in_turn(plain_bot, match)
        assert "⏳" in message_text(await plain_bot.surface_message(match, "hand", first))
        await ask(plain_bot, match, seat)
        assert "⏳" not in message_text(await plain_bot.surface_message(match, "hand", first)), "no countdown runs"
        await plain_bot.pass_time(20)
        await answer(plain_bot, match, first, "agree")
        await plain_bot.pass_time(30)  # more than was left when the question came
        snapshot = await plain_bot.load_snapshot(match)
        assert snapshot.info.moves == 1
        assert snapshot.info.undoing.open_request is not None
        await answer(plain_bot, match, 3 - seat - first, "agree" if agrees else "refuse")
        snapshot, now = await plain_bot.load_snapshot(match), NOW + int(plain_bot.time.seconds)
        if agrees:
            assert (snapshot.due_seats(), snapshot.deadline(seat)) == ((seat,), now + 60)
            return
        assert (snapshot.due_seats(), snapshot.deadline(first)) == ((first,), now + 30)
        await plain_bot.pass_time(28)
        assert (await plain_bot.load_snapshot(match)).info.moves == 1
        await plain_bot.pass_time(10)
        assert (await plain_bot.load_snapshot(match)).info.moves > 1, "after that, their time is out as usual"


async def test_a_request_does_not_lapse_while_people_cannot_reach_the_bot() -> None:
    async with start_plain_bot("5eed" * 8) as plain_bot:
        match = await plain_bot.seat_match(GAMES["wizard"], BIDDERS, {"clock": "60 seconds"})
        seat = await bid(plain_bot, match)
        await ask(plain_bot, match, seat)
        await plain_bot.pass_time(20)
        await plain_bot._do_and_wait(lambda: plain_bot.bot.downtime.mark_unreachable("gateway"))
        await plain_bot.pass_time(100)
        assert (await plain_bot.load_snapshot(match)).info.undoing.open_request is not None
        await plain_bot._do_and_wait(lambda: plain_bot.bot.downtime.mark_reachable("gateway"))
        end = f"⏳ <t:{NOW + int(plain_bot.time.seconds) + 40}:R>"
        for kind, each in (("table", -1), *(("hand", number) for number in range(3))):
            text = message_text(await plain_bot.surface_message(match, kind, each))  # type: ignore[arg-type]
            assert (end in text) == (kind == "table" or each == seat), "the countdown shows the new end"
        assert (await plain_bot.load_snapshot(match)).lapse == await plain_bot.store.load_lapse(match)
        await plain_bot.pass_time(35)
        assert (await plain_bot.load_snapshot(match)).info.undoing.open_request is not None, "forty seconds were left"
        await plain_bot.pass_time(30)
        own = message_text(await plain_bot.surface_message(match, "hand", seat))
        assert "Nobody answered in time, so your move stands." in own
        assert (await plain_bot.load_snapshot(match)).info.moves == 1, "and nobody has lost the time of their turn"
