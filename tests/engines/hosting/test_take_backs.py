"""Take-backs: what may be taken back, who is asked, what comes of it, and that nothing old becomes valid again."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engines.hosting.guessing import open_question, question_answers
from engines.hosting.match import RequestRefused, StaleDecision
from engines.hosting.matches import Matches
from engines.hosting.records.record import parse_record, replay
from engines.hosting.take_back_rules import TakeBackLimits
from engines.hosting.take_backs import PracticeFirst
from engines.hosting.timing.due_times import ask_number
from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, Place, Seat, Status
from engines.store.table_options import TableOptions
from tests.engines.at_tables import (
    ADA,
    BELA,
    CHIDI,
    DORA,
    TIMELESS,
    WIZARD,
    Clock,
    make_matches,
    play_first_legal,
    start_match,
)
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES

JEST = GAMES["jest"]
ASKING = TableOptions("1 hour", autoplay=False)


async def start_solo(matches: Matches, game: AnyGame = WIZARD) -> str:
    computers = (Seat(0, "Feste", level="easy"), Seat(0, "Yorick", level="easy"))
    info = await matches.open_lobby(
        game, game.options(), Place(1, 2), Seat(ADA, "Ada"), table_options=TIMELESS, computers=computers
    )
    await matches.start_match(info.id, ADA)
    return info.id


async def state_text(matches: Matches, match: str) -> str:
    look = await matches.get_snapshot(match)
    return look.game.checkpoint_adapter.dump_json(look.state).decode()


async def let_computers_play(matches: Matches, match: str) -> None:
    while True:
        look = await matches.get_snapshot(match)
        due = look.due_seats()
        if look.info.status is not Status.RUNNING or not due or not look.info.seats[due[0]].level:
            return
        notation = look.game.format_move(look.moves(due[0])[0])
        await matches.play_computer_move(match, due[0], look.decisions()[due[0]].number, notation)


async def user_in_turn(matches: Matches, match: str) -> int:
    look = await matches.get_snapshot(match)
    return look.info.seats[look.due_seats()[0]].user


async def bid_once(matches: Matches, match: str) -> int:
    """Make the first bid, and return who made it."""
    user = await user_in_turn(matches, match)
    await play_first_legal(matches, match)
    return user


def others_of(info: MatchInfo, user: int) -> list[int]:
    return [seat.user for seat in info.seats if seat.user != user]


# Who is asked


async def test_the_others_are_asked_and_the_last_who_agrees_takes_the_move_back(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches)
    before = await state_text(matches, match)
    look = await matches.get_snapshot(match)
    first, before_events = look.decisions(), look.events
    user = await bid_once(matches, match)
    info, outcome = await matches.take_back(match, user, 1)
    assert outcome == "asked"
    request = info.take_backs.open_request
    assert request is not None
    assert {info.seats[seat].user for seat in request.waiting} == {*others_of(info, user)}
    one, two = others_of(info, user)
    assert (await matches.answer_take_back(match, one, 1, agrees=True)).outcome == "waiting"
    assert (await matches.answer_take_back(match, two, 1, agrees=True)).outcome == "taken back"
    after = await matches.get_snapshot(match)
    assert await state_text(matches, match) == before
    assert store.saved[match].moves[-1].notation == "undo 1"
    assert (after.info.moves, after.info.decision_offset, after.events) == (2, 2, before_events)
    assert {*after.decisions()} == {*first}
    (seat,) = after.due_seats()
    assert after.decisions()[seat].number > first[seat].number
    assert after.info.take_backs.request is None
    assert [each.action for each in await store.load_history(match)][-3:] == [
        *("ask take back", "agree take back", "agree take back")
    ]
    assert await state_text(make_matches(store, clock), match) == before, "it is replayed as well"


async def test_one_no_ends_the_request_and_its_asker_sees_that_until_the_next_move(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info, _ = await matches.take_back(match, user)
    one, two = others_of(info, user)
    assert (await matches.answer_take_back(match, one, 1, agrees=False)).outcome == "refused"
    with pytest.raises(RequestRefused, match="no longer open"):
        await matches.answer_take_back(match, two, 1, agrees=True)
    request = (await matches.get_snapshot(match)).info.take_backs.request
    assert request is not None
    assert (request.ended, info.seats[request.ended_by].user) == ("refused", one)
    info = await play_first_legal(matches, match)
    assert info.take_backs.request is None


@pytest.mark.parametrize(("clock_name", "seconds"), [("1 hour", 60), ("24 hours", 86_400), (None, 86_400)])
async def test_a_request_lapses(matches: Matches, clock: Clock, clock_name: str | None, seconds: int) -> None:
    match = await start_match(matches, house=TableOptions(clock_name, autoplay=False))  # type: ignore[arg-type]
    user = await bid_once(matches, match)
    await matches.take_back(match, user)
    due, _ = await matches.load_due()
    assert "take back" not in [each.kind for each in due]
    clock.now += seconds - 1
    with pytest.raises(RequestRefused):
        await matches.lapse_take_back(match, 1)
    clock.now += 1
    (lapse,) = [each for each in (await matches.load_due())[0] if each.kind == "take back"]
    assert (lapse.decision, lapse.seat) == (1, -1)
    info = await matches.lapse_take_back(match, 1)
    assert info.take_backs.open_request is None
    assert info.take_backs.request is not None
    assert info.take_backs.request.ended == "lapsed"
    assert not [each for each in (await matches.load_due())[0] if each.kind in ("take back", "ask")]


async def test_a_request_lapses_with_the_next_move(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info, _ = await matches.take_back(match, user)
    await play_first_legal(matches, match)
    with pytest.raises(RequestRefused, match="no longer open"):
        await matches.answer_take_back(match, others_of(info, user)[0], 1, agrees=True)
    with pytest.raises(RequestRefused, match="has moved since"):
        await matches.take_back(match, user)


async def test_those_who_have_to_answer_get_a_ping(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, house=ASKING)
    user = await bid_once(matches, match)
    info, _ = await matches.take_back(match, user)
    clock.now += 10
    asks = [each for each in (await matches.load_due())[0] if each.kind == "ask"]
    assert {info.seats[each.seat].user for each in asks} == {*others_of(info, user)}
    assert {each.decision for each in asks} == {ask_number(1)}
    await matches.answer_take_back(match, others_of(info, user)[0], 1, agrees=True)
    assert len([each for each in (await matches.load_due())[0] if each.kind == "ask"]) == 1


async def test_requests_are_limited(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    for number in (1, 2):
        info, _ = await matches.take_back(match, user)
        with pytest.raises(RequestRefused, match="already asked"):
            await matches.take_back(match, user)
        move = info.moves
        await matches.answer_take_back(match, others_of(info, user)[0], move, agrees=False)
        with pytest.raises(RequestRefused, match="that move before"):
            await matches.take_back(match, user)
        while await user_in_turn(matches, match) != user:
            await play_first_legal(matches, match)
        await play_first_legal(matches, match)
        if await user_in_turn(matches, match) == user:
            pytest.fail(f"{number}: the move has to pass the turn")
    with pytest.raises(RequestRefused, match="twice in a match"):
        await matches.take_back(match, user)
    matches.take_back_limits = TakeBackLimits(per_match=3)
    assert (await matches.take_back(match, user)).outcome == "asked"


async def test_whoever_turned_requests_off_is_not_asked(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info = (await matches.get_snapshot(match)).info
    with pytest.raises(RequestRefused, match="does not want to be asked"):
        await matches.take_back(match, user, unwilling={others_of(info, user)[1]})
    assert (await matches.get_snapshot(match)).info == info


async def test_a_host_may_allow_free_ones_only_or_none(matches: Matches) -> None:
    free = await start_match(matches, house=replace(TIMELESS, takebacks="free only"))
    never = await start_match(matches, DORA, BELA, house=replace(TIMELESS, takebacks="never"), game=GAMES["jokers"])
    for match, said in ((free, "still your turn"), (never, "Nobody takes moves back")):
        user = await user_in_turn(matches, match)
        look = await matches.get_snapshot(match)
        while await user_in_turn(matches, match) == user:
            await play_first_legal(matches, match)
        with pytest.raises(RequestRefused, match=said):
            await matches.take_back(match, user)
        assert (await matches.get_snapshot(match)).info.decision_offset == look.info.decision_offset == 0


async def test_away_people_need_not_agree(matches: Matches) -> None:
    match = await start_match(matches)
    user = await user_in_turn(matches, match)
    look = await matches.get_snapshot(match)
    for seat, each in enumerate(look.info.seats):
        if each.user != user:
            await matches.give_seat_to_computer(match, seat, "easy", 99)
    await play_first_legal(matches, match)
    info, outcome = await matches.take_back(match, user)
    assert (outcome, info.practice) == ("taken back", False)


async def test_a_seat_change_ends_the_request(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info, _ = await matches.take_back(match, user)
    info = await matches.leave_match(match, others_of(info, user)[0], "easy")
    assert info.take_backs.request is None


# What may be taken back


async def test_a_sealed_choice_is_free_until_the_last_one_is_in(matches: Matches, store: MemoryStore) -> None:
    match = await start_match(matches, game=JEST)
    look = await matches.get_snapshot(match)
    seats = look.due_seats()
    users = [look.info.seats[seat].user for seat in seats]
    await matches.play_move(match, users[0], None, look.game.format_move(look.moves(seats[0])[0]))
    await matches.play_move(match, users[1], None, look.game.format_move(look.moves(seats[1])[1]))
    assert (await matches.take_back(match, users[0])).outcome == "taken back"
    assert store.saved[match].moves[-1].notation == "undo only 1"
    after = await matches.get_snapshot(match)
    assert after.due_seats() == (seats[0], seats[2])
    await matches.play_move(match, users[0], None, look.game.format_move(look.moves(seats[0])[1]))
    await matches.play_move(match, users[2], None, look.game.format_move(look.moves(seats[2])[0]))
    with pytest.raises(RequestRefused, match="The offers were turned up"):
        await matches.take_back(match, users[2])
    with pytest.raises(RequestRefused, match="has moved since"):
        await matches.take_back(match, users[0])


async def test_what_came_to_light_stays(matches: Matches) -> None:
    match = await start_match(matches, DORA, BELA, game=GAMES["jokers"])
    user = await user_in_turn(matches, match)
    look = await matches.get_snapshot(match)
    (seat,) = look.due_seats()
    draw = next(move for move in look.moves(seat) if look.game.reveals(look.state, seat, move))
    await matches.play_move(match, user, None, look.game.format_move(draw))
    with pytest.raises(RequestRefused, match="something hidden came to light"):
        await matches.take_back(match, user)


async def test_alone_against_computers_everything_goes_but_the_match_is_practice(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_solo(matches)
    await let_computers_play(matches, match)
    states = []
    for _ in range(6):
        states.append(await state_text(matches, match))
        await play_first_legal(matches, match)
        await let_computers_play(matches, match)
    assert (await matches.get_snapshot(match)).state.round > 1, "a deal is among them"
    with pytest.raises(PracticeFirst):
        await matches.take_back(match, ADA)
    assert not (await matches.get_snapshot(match)).info.practice
    for number, state in enumerate(reversed(states)):
        info, _ = await matches.take_back(match, ADA, accepts_practice=number == 0)
        assert info.practice
        assert await state_text(matches, match) == state
        assert await state_text(make_matches(store, clock), match) == state
        in_force = {move.number for move in store.saved[match].in_force()}
        for each in (matches, make_matches(store, clock)):
            assert (await each.get_snapshot(match)).undone_moves == {*range(1, info.moves + 1)} - in_force
    with pytest.raises(RequestRefused, match="no move"):
        await matches.take_back(match, ADA)
    while (await matches.get_snapshot(match)).info.status is Status.RUNNING:
        await let_computers_play(matches, match)
        if (await matches.get_snapshot(match)).info.status is Status.RUNNING:
            await play_first_legal(matches, match)
    text = await matches.build_record(match)
    assert text.startswith("motley-record: 2\n")
    record = parse_record(text)
    assert (
        replay(record, GAMES).state
        == replay(record.in_force(), GAMES).state
        == (await matches.get_snapshot(match)).state
    )
    with pytest.raises(RequestRefused, match="over"):
        await matches.take_back(match, ADA)


async def test_only_the_player_who_moved_can_take_it_back(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info = (await matches.get_snapshot(match)).info
    for other in (*others_of(info, user), DORA):
        with pytest.raises(RequestRefused):
            await matches.take_back(match, other)
    with pytest.raises(StaleDecision):
        await matches.take_back(match, user, 0)
    assert (await matches.get_snapshot(match)).info == info


# What must stay right


@pytest.mark.parametrize("key", GAMES)
async def test_every_free_take_back_leads_to_the_state_before(key: str) -> None:
    """In undo mode, a match ends as in plain mode; no number of a decision comes up twice for a seat."""
    store, clock = MemoryStore(), Clock()
    matches, game, chance = make_matches(store, clock), GAMES[key], Random(7)
    users = (ADA, BELA, CHIDI, DORA)[: game.seats_with(game.options())[0]]
    plain = await start_match(matches, *users, game=game)
    undone = await start_match(matches, *users, game=game)
    seen: dict[int, set[int]] = {}
    taken = 0
    for _ in range(150):
        look = await matches.get_snapshot(plain)
        if look.info.status is not Status.RUNNING:
            break
        seat = chance.choice(look.due_seats())
        user, notation = look.info.seats[seat].user, look.game.format_move(chance.choice(look.moves(seat)))
        await matches.play_move(plain, user, None, notation)
        before = await matches.get_snapshot(undone)
        text = await state_text(matches, undone)
        number = before.decisions()[seat].number
        assert number not in seen.setdefault(seat, set())
        await matches.play_move(undone, user, number, notation)
        try:
            result = await matches.take_back(undone, user)
        except RequestRefused:
            seen[seat].add(number)
            continue
        if result.outcome == "asked":
            for each in others_of(result.info, user):
                with pytest.raises(StaleDecision):
                    await matches.play_move(undone, user, number, notation)
                result = await matches.answer_take_back(undone, each, result.info.moves, agrees=True)
            matches.take_back_limits = TakeBackLimits(per_match=1000)
        taken += 1
        assert await state_text(matches, undone) == text
        after = await matches.get_snapshot(undone)
        shown = {each: {decision.number} for each, decision in before.decisions().items()}
        for each, decision in after.decisions().items():
            assert decision.number > max(seen.get(each, {0}) | shown.get(each, {0})), "every number is a new one"
        with pytest.raises(StaleDecision):
            await matches.play_move(undone, user, number, notation)
        seen[seat] |= {number, after.decisions()[seat].number}
        await matches.play_move(undone, user, None, notation)
    assert taken
    assert await state_text(matches, plain) == await state_text(matches, undone)
    looks = [await matches.get_snapshot(match) for match in (plain, undone)]
    assert [told.event for told in looks[0].events] == [told.event for told in looks[1].events]
    assert [told.event for told in (await make_matches(store, clock).get_snapshot(undone)).events] == [
        told.event for told in looks[0].events
    ]


async def test_a_deadline_restarts_once(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await start_match(matches, DORA, BELA, house=ASKING, game=GAMES["jokers"])
    user = await user_in_turn(matches, match)
    look = await matches.get_snapshot(match)
    (seat,) = look.due_seats()
    notation = next(
        look.game.format_move(move) for move in look.moves(seat) if not look.game.reveals(look.state, seat, move)
    )
    for wait, left in ((600, 3600), (100, 3500), (50, 3450)):
        clock.now += wait
        await matches.play_move(match, user, None, notation)
        clock.now += 5  # these seconds are nobody's
        await take_back_agreed(matches, match, user)
        after = await matches.get_snapshot(match)
        assert after.deadline(seat) == clock.now + left
    assert (await make_matches(store, clock).get_snapshot(match)).deadline(seat) == after.deadline(seat)


async def test_a_decision_that_stays_open_keeps_its_deadline(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, house=ASKING, game=JEST)
    look = await matches.get_snapshot(match)
    seats, deadline = look.due_seats(), look.deadline()
    for _ in range(2):
        clock.now += 60
        user = look.info.seats[seats[0]].user
        await matches.play_move(match, user, None, look.game.format_move(look.moves(seats[0])[0]))
        await matches.take_back(match, user)
        after = await matches.get_snapshot(match)
        assert {after.deadline(seat) for seat in seats[1:]} == {deadline}


async def take_back_agreed(matches: Matches, match: str, user: int) -> MatchInfo:
    matches.take_back_limits = TakeBackLimits(per_match=1000)
    info, outcome = await matches.take_back(match, user)
    if outcome == "asked":
        request = info.take_backs.open_request
        assert request is not None
        for seat in request.waiting:
            info, _ = await matches.answer_take_back(match, info.seats[seat].user, request.move, agrees=True)
    return info


async def test_nobody_gains_time_in_a_bank(matches: Matches, clock: Clock) -> None:
    house = TableOptions("2 minutes plus 15 seconds a move", autoplay=False)
    match = await start_match(matches, house=house)
    user = await user_in_turn(matches, match)
    look = await matches.get_snapshot(match)
    (seat,) = look.due_seats()
    left = 120
    for _ in range(4):
        clock.now += 10
        left -= 10
        await play_first_legal(matches, match)
        await take_back_agreed(matches, match, user)
        after = await matches.get_snapshot(match)
        assert (after.info.banks[seat], after.deadline(seat)) == (left, clock.now + left)


async def test_a_question_that_was_answered_stays_closed(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    """Spectators who have seen the answer cannot guess it after the move is taken back."""
    match = await start_match(matches, house=replace(TIMELESS, guesses=True), game=GAMES["court"])
    chance = Random(3)
    while True:
        look = await matches.get_snapshot(match)
        (seat,) = look.due_seats()
        move = chance.choice(look.moves(seat))
        await matches.play_move(match, look.info.seats[seat].user, None, look.game.format_move(move))
        question, answers = open_question(look), question_answers(await matches.get_snapshot(match))
        shows = look.game.reveals(look.state, seat, move)
        if question is not None and question.number in answers and not shows:
            break
    info = await take_back_agreed(matches, match, look.info.seats[seat].user)
    assert question.number in info.take_backs.closed
    for each in (matches, make_matches(store, clock)):
        after = await each.get_snapshot(match)
        assert question.number not in question_answers(after)
        assert open_question(after) is None
