"""Taking moves back in the whole bot: requests and answers, stale controls, and whole matches in undo mode."""

from __future__ import annotations

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
from tests.plain.inn import NOW, PEOPLE, PlainBot, start_plain_bot
from tests.playing import short_match

CASES = [(helper, seats) for helper in HELPERS.values() for seats in helper.game.seats]
NAMES = [f"{helper.game.key}-{seats}" for helper, seats in CASES]
BIDDERS = PEOPLE[:3]
GAME_CONTROLS = frozenset({*"mcspofng", "plans"})  # kinds of controls that are about one decision


async def seat_in_turn(inn: PlainBot, match: str) -> int:
    return (await inn.load_snapshot(match)).due_seats()[0]


async def ask(inn: PlainBot, match: str, seat: int) -> Message:
    """Press ⋯ and then Take back; the menu after it."""
    menu = (await inn.press(PEOPLE[seat], match, "more", seat)).answer
    assert menu is not None
    (custom_id,) = [each for each in control_ids(menu) if ":take:" in each]
    await inn.click_control(PEOPLE[seat], menu, custom_id)
    return inn.current_message(menu) if int(menu["id"]) in inn.wire.channels[int(menu["channel_id"])] else menu


async def bid(inn: PlainBot, match: str) -> int:
    """Make the first bid by a click; the seat."""
    look = await inn.load_snapshot(match)
    seat = look.due_seats()[0]
    await inn.click_move(look, seat)
    return seat


async def answer(inn: PlainBot, match: str, seat: int, action: str, kind: str = "hand") -> str:
    """Press an answer on the own hand or at the table; what is said to the person alone."""
    shown = await inn.surface_message(match, kind, seat if kind == "hand" else -1)  # type: ignore[arg-type]
    (custom_id,) = [each for each in control_ids(shown) if f":{action}:" in each]
    asked = await inn.click_control(PEOPLE[seat], shown, custom_id)
    return message_text(asked.answer) if asked.answer else ""


# Requests


async def test_a_slip_is_taken_back_by_consent() -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        match = await inn.seat_match(GAMES["wizard"], BIDDERS, {})
        before = (await inn.load_snapshot(match)).state
        seat = await bid(inn, match)
        await ask(inn, match, seat)
        others = [each for each in range(3) if each != seat]
        table = message_text(await inn.surface_message(match, "table"))
        assert f"May {PEOPLE[seat]} take back “{PEOPLE[seat]} bids" in table
        assert "Waiting for" in table
        for other in others:
            shown = await inn.surface_message(match, "hand", other)
            assert f"May {PEOPLE[seat]} take back" in message_text(shown)
            assert {"Yes", "No"} <= {*button_labels(shown)}
        own = await inn.surface_message(match, "hand", seat)
        assert "You asked to take your move back" in message_text(own)
        assert "Yes" not in button_labels(own)
        menu = (await inn.press(PEOPLE[seat], match, "more", seat)).answer
        assert menu is not None
        assert "Waiting for answers" in button_labels(menu)
        await answer(inn, match, others[0], "agree")
        assert "You agreed. Others still have to answer" not in message_text(own)
        said = await answer(inn, match, others[1], "agree", "table")
        assert said == "You agreed, and the move is taken back."
        after = await inn.load_snapshot(match)
        assert after.state == before
        for kind, each in (("table", -1), *(("hand", number) for number in range(3))):
            text = message_text(await inn.surface_message(match, kind, each))  # type: ignore[arg-type]
            assert f"Taken back: {PEOPLE[seat]} bids" in text, text
            assert "May " not in text


async def test_the_news_are_as_before_and_say_what_was_taken_back() -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        match = await inn.seat_match(GAMES["wizard"], BIDDERS, {"rounds": 2})
        await bid(inn, match)
        for _ in range(5):
            seat = await seat_in_turn(inn, match)
            before = message_text(await inn.surface_message(match, "hand", seat))
            await inn.click_move(await inn.load_snapshot(match), seat)
            if await take_back_somehow(inn, match, seat):
                after = message_text(await inn.surface_message(match, "hand", seat))
                assert "Taken back" in after
                assert without_notices(after) == without_notices(before)
                await inn.click_move(await inn.load_snapshot(match), seat)


def without_notices(text: str) -> list[str]:
    """The lines and news of a page, without what was taken back."""
    return [each for each in re.split(r"\n|\s·\s", text) if not each.startswith("Taken back")]


async def test_one_no_is_told_to_the_one_who_asked() -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        match = await inn.seat_match(GAMES["wizard"], BIDDERS, {})
        seat = await bid(inn, match)
        await ask(inn, match, seat)
        other = (seat + 1) % 3
        assert await answer(inn, match, other, "refuse", "table") == "You said no, so the move stands."
        own = message_text(await inn.surface_message(match, "hand", seat))
        assert f"{PEOPLE[other]} said no, so your move stands." in own
        assert (await inn.load_snapshot(match)).info.moves == 1


async def test_a_request_pings_those_who_answer_and_lapses() -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        match = await inn.seat_match(GAMES["wizard"], BIDDERS, {"clock": "1 hour"})
        seat = await bid(inn, match)
        await inn.pass_time(1)
        before = {other: (await inn.surface_message(match, "hand", other))["id"] for other in range(3)}
        await ask(inn, match, seat)
        await inn.pass_time(12)
        for other in range(3):
            is_new = (await inn.surface_message(match, "hand", other))["id"] != before[other]
            assert is_new == (other != seat), "the hand comes again as a ping, as for a turn"
        await inn.pass_time(60)
        own = message_text(await inn.surface_message(match, "hand", seat))
        assert "Nobody answered in time, so your move stands." in own
        for other in range(3):
            assert "Yes" not in button_labels(await inn.surface_message(match, "hand", other))


async def test_nothing_moves_by_itself_while_a_request_is_open() -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        match = await inn.seat_match(GAMES["wizard"], BIDDERS[:2], {"clock": "1 hour"}, ["easy"])
        while True:
            await inn.pass_time(5)
            look = await inn.load_snapshot(match)
            seat = look.due_seats()[0]
            following = (seat + 1) % 3
            await inn.click_move(look, seat)
            if look.info.seats[following].level:
                break
        moves = (await inn.load_snapshot(match)).info.moves
        await ask(inn, match, seat)
        await inn.pass_time(30)
        assert (await inn.load_snapshot(match)).info.moves == moves
        await inn.pass_time(60)
        assert (await inn.load_snapshot(match)).info.moves > moves


async def test_whoever_wants_no_requests_gets_none_and_the_one_who_asks_is_told() -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        match = await inn.seat_match(GAMES["wizard"], BIDDERS, {})
        seat = await bid(inn, match)
        other = (seat + 1) % 3
        shown = (await inn.run_command(PEOPLE[other], "motley settings")).answer
        assert shown is not None
        await inn.click_control(PEOPLE[other], shown, "takebacks::allow:off")
        user = (await inn.load_snapshot(match)).info.seats[other].user
        assert await inn.bot.surfaces.preferences(user) == Preferences(requests=False)
        menu = await ask(inn, match, seat)
        assert f"{PEOPLE[other]} does not want to be asked about taking moves back." in message_text(menu)
        assert (await inn.load_snapshot(match)).info.undoing.request is None


async def test_what_was_revealed_is_said() -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        game = GAMES["jokers"]
        match = await inn.seat_match(game, PEOPLE[: game.seats[0]], {})
        look = await inn.load_snapshot(match)
        seat = look.due_seats()[0]
        move = next(move for move in look.moves(seat) if game.reveals(look.state, seat, move))
        hand = await inn.surface_message(match, "hand", seat)
        number = look.decisions()[seat].number
        await inn.click_control(PEOPLE[seat], hand, custom_ids.move_id(match, number, game.format_move(move)))
        menu = await ask(inn, match, seat)
        assert "something hidden came to light. You drew" in message_text(menu)


async def test_alone_against_computers_the_match_becomes_practice_after_a_question() -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        match = await inn.seat_match(GAMES["wizard"], BIDDERS[:1], {}, ["easy", "easy"])
        await inn.pass_time(10)
        look = await inn.load_snapshot(match)
        await inn.click_move(look, 0)
        await inn.pass_time(10)
        assert (await inn.load_snapshot(match)).info.moves > look.info.moves + 1
        menu = await ask(inn, match, 0)
        assert "it becomes practice: it does not count" in message_text(menu)
        assert not (await inn.load_snapshot(match)).info.practice
        (sure,) = [each for each in control_ids(menu) if ":practice:" in each]
        await inn.click_control("Ada", menu, sure)
        after = await inn.load_snapshot(match)
        assert after.info.practice
        assert after.state == look.state
        assert "(practice)" in message_text(await inn.surface_message(match, "table"))


# Stale controls


@pytest.mark.parametrize("key", GAMES)
async def test_nothing_shown_before_a_take_back_is_valid_after_it(key: str) -> None:
    helper = HELPERS[key]
    async with start_plain_bot("ab" * 16) as inn:
        game, names = helper.game, PEOPLE[: helper.game.seats[0]]
        match = await inn.seat_match(game, names, {"hints": "true"})
        seen: dict[str, tuple[str, Message]] = {}
        for _ in range(12):
            await collect_controls(inn, match, names, seen)
            look = await inn.load_snapshot(match)
            seat = look.due_seats()[0]
            await inn.click_move(look, seat)
            await collect_controls(inn, match, names, seen)
            if await take_back_agreed(inn, match, seat, seen):
                break
        else:
            pytest.fail("no move could be taken back")
        before = await inn.load_snapshot(match)
        kept = {each.seat for each in before.info.undoing.kept}  # whose choice has stayed open all the time
        shown = {
            each
            for number in range(len(names))
            if number not in kept
            for each in control_ids(await inn.surface_message(match, "hand", number))
        }
        own = {PEOPLE[each] for each in kept}
        stale = {each: where for each, where in seen.items() if kind_of(each) in {*GAME_CONTROLS, "takebacks"}}
        stale = {each: at for each, at in stale.items() if kind_of(each) == "takebacks" or at[0] not in own}
        assert len(stale) > 2
        assert not {*stale} & shown, "a control that was shown before is shown again"
        for custom_id, (name, message) in stale.items():
            values = ["="] if kind_of(custom_id) in {*"sf"} else None
            menus = [c for c in message.get("components", []) if c.get("custom_id") == custom_id]
            values = [menus[0]["options"][0]["value"]] if menus and "options" in menus[0] else values
            await inn.click_control(name, message, custom_id, values)
            after = await inn.load_snapshot(match)
            assert (after.info.moves, after.state) == (before.info.moves, before.state), custom_id
            assert after.info.undoing == before.info.undoing, custom_id


async def collect_controls(
    inn: PlainBot, match: str, names: tuple[str, ...], seen: dict[str, tuple[str, Message]]
) -> None:
    """Note every control of the table, the hands and the menus."""
    for seat, name in enumerate(names):
        menu = (await inn.press(name, match, "more", seat)).answer
        messages = [await inn.surface_message(match, "hand", seat), await inn.surface_message(match, "table")]
        for message in (*messages, *([menu] if menu else [])):
            seen |= dict.fromkeys(control_ids(message), (name, message))


async def take_back_agreed(inn: PlainBot, match: str, seat: int, seen: dict[str, tuple[str, Message]]) -> bool:
    offset = (await inn.load_snapshot(match)).info.decision_offset
    await ask(inn, match, seat)
    look = await inn.load_snapshot(match)
    if (request := look.info.undoing.open_request) is not None:
        await collect_controls(inn, match, PEOPLE[: len(look.info.seats)], seen)
        for other in request.seats:
            await answer(inn, match, other, "agree")
    return (await inn.load_snapshot(match)).info.decision_offset > offset


# Whole matches


@pytest.mark.parametrize(("helper", "seats"), CASES, ids=NAMES)
async def test_a_whole_match_in_undo_mode(helper: GameHelper, seats: int) -> None:
    """Each move that may be taken back is played, taken back and played again: all ends as in a plain match."""
    start, plan = short_match(helper, seats)
    names, ends = PEOPLE[:seats], []
    for undoes in (False, True):
        async with start_plain_bot(start.seed) as inn:
            inn.bot.actions.service(TakeBackActions).taking_back.limits = TakeBackLimits(999, 999)
            match = await inn.seat_match(helper.game, names, helper.short_options)
            undone = 0
            for step in plan:
                look = await inn.load_snapshot(match)
                assert look.state == step.state
                await inn.play_step(match, step)
                if undoes and await take_back_somehow(inn, match, step.seat):
                    undone += 1
                    again = await inn.load_snapshot(match)
                    assert again.state == step.state
                    assert hand_without_news(again, await inn.surface_message(match, "hand", step.seat))
                    await inn.play_step(match, step)
            ends.append(await ending(inn, match, seats))
            assert (undone > 0) == undoes
    plain, other = ends
    assert plain == other


async def take_back_somehow(inn: PlainBot, match: str, seat: int) -> bool:
    """Take a move back, with the consent of the others if need be; whether that was possible."""
    look = await inn.load_snapshot(match)
    before = look.info
    hand = await inn.surface_message(match, "hand", seat)
    await inn.click_control(PEOPLE[seat], hand, f"takebacks:{match}:take:{view_stamp(look, seat)}")
    request = (await inn.load_snapshot(match)).info.undoing.open_request
    for other in request.seats if request else ():
        await answer(inn, match, other, "agree")
    return (await inn.load_snapshot(match)).info.decision_offset > before.decision_offset


def hand_without_news(look: MatchSnapshot, hand: Message) -> list[str]:
    """The decision's controls on a hand, which are there again."""
    return [each for each in control_ids(hand) if kind_of(each) in GAME_CONTROLS and f":{look.info.id}:" in each]


async def ending(inn: PlainBot, match: str, seats: int) -> list[object]:
    """How a match has ended: state, events, every page in words and pictures, and the record without take-backs."""
    look = await inn.load_snapshot(match)
    shown = [await inn.surface_message(match, "table"), await inn.surface_message(match, "lobby")]
    shown += [await inn.surface_message(match, "hand", seat) for seat in range(seats)]
    pages = [(re.sub(match, "match", message_text(each)), alt_texts(each), button_labels(each)) for each in shown]
    record = parse_record(await inn.matches.records.build_record(match))
    return [look.state, look.outcome(), [told.event for told in look.events], pages, record.in_force()]


@pytest.mark.parametrize("text", ["undo 1", "undo only 1"])
@pytest.mark.parametrize("key", GAMES)
def test_no_game_has_a_move_that_reads_like_a_take_back(key: str, text: str) -> None:
    with pytest.raises(IllegalMove):
        GAMES[key].parse_move(text)


# Time


@pytest.mark.parametrize("agrees", [True, False])
async def test_no_time_runs_out_while_somebody_asks(agrees: bool) -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        match = await inn.seat_match(GAMES["wizard"], BIDDERS, {"clock": "60 seconds"})
        seat = await bid(inn, match)
        await inn.pass_time(30)
        first = await seat_in_turn(inn, match)
        assert "⏳" in message_text(await inn.surface_message(match, "hand", first))
        await ask(inn, match, seat)
        assert "⏳" not in message_text(await inn.surface_message(match, "hand", first)), "no countdown runs"
        await inn.pass_time(20)
        await answer(inn, match, first, "agree")
        await inn.pass_time(30)  # more than was left when the question came
        look = await inn.load_snapshot(match)
        assert look.info.moves == 1
        assert look.info.undoing.open_request is not None
        await answer(inn, match, 3 - seat - first, "agree" if agrees else "refuse")
        look, now = await inn.load_snapshot(match), NOW + int(inn.time.seconds)
        if agrees:
            assert (look.due_seats(), look.deadline(seat)) == ((seat,), now + 60)
            return
        assert (look.due_seats(), look.deadline(first)) == ((first,), now + 30)
        await inn.pass_time(28)
        assert (await inn.load_snapshot(match)).info.moves == 1
        await inn.pass_time(10)
        assert (await inn.load_snapshot(match)).info.moves > 1, "after that, their time is out as usual"


async def test_a_request_does_not_lapse_while_people_cannot_reach_the_bot() -> None:
    async with start_plain_bot("5eed" * 8) as inn:
        match = await inn.seat_match(GAMES["wizard"], BIDDERS, {"clock": "60 seconds"})
        seat = await bid(inn, match)
        await ask(inn, match, seat)
        await inn.pass_time(20)
        await inn._do_and_wait(lambda: inn.bot.downtime.mark_unreachable("gateway"))
        await inn.pass_time(100)
        assert (await inn.load_snapshot(match)).info.undoing.open_request is not None
        await inn._do_and_wait(lambda: inn.bot.downtime.mark_reachable("gateway"))
        end = f"⏳ <t:{NOW + int(inn.time.seconds) + 40}:R>"
        for kind, each in (("table", -1), *(("hand", number) for number in range(3))):
            text = message_text(await inn.surface_message(match, kind, each))  # type: ignore[arg-type]
            assert (end in text) == (kind == "table" or each == seat), "the countdown shows the new end"
        assert (await inn.load_snapshot(match)).lapse == await inn.store.load_lapse(match)
        await inn.pass_time(35)
        assert (await inn.load_snapshot(match)).info.undoing.open_request is not None, "forty seconds were left"
        await inn.pass_time(30)
        own = message_text(await inn.surface_message(match, "hand", seat))
        assert "Nobody answered in time, so your move stands." in own
        assert (await inn.load_snapshot(match)).info.moves == 1, "and nobody has lost the time of their turn"
