"""Take-backs: what may be taken back, who is asked, what comes of it, and that nothing old becomes valid again."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engines.features.breaks import LIMIT, end_break, take_break
from engines.features.guesses.guessing import CAN_GUESS, closed_questions, open_question, question_answers
from engines.features.takebacks.rules import TAKEBACKS, TakeBackLimits, is_surely_refused, plan_take_back
from engines.features.takebacks.taking_back import PracticeFirst, TakingBack, request_stamp
from engines.hosting.match import MatchSnapshot, RequestRefused, StaleDecision
from engines.hosting.matches import Matches
from engines.hosting.records.record import parse_record, replay
from engines.hosting.timing.due_times import ask_number
from engines.kit.contract import AnyGame
from engines.store.match_store import MatchInfo, Place, Seat, Status
from engines.store.table_options import TableOptions
from tests.engines.memory_matches import (
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
from tests.server_time import SetServerTime

JEST = GAMES["jest"]
ASKING = TableOptions("1 hour", autoplay=False)
BANKS = TableOptions("2 minutes plus 15 seconds a move", autoplay=False)


async def start_solo(matches: Matches, game: AnyGame = WIZARD) -> str:
    computers = (Seat(0, "Feste", level="easy"), Seat(0, "Yorick", level="easy"))
    info = await matches.lobbies.open_lobby(
        game, game.options(), Place(1, 2), Seat(ADA, "Ada"), table_options=TIMELESS, computers=computers
    )
    await matches.lobbies.start_match(info.id, ADA)
    return info.id


async def state_text(matches: Matches, match: str) -> str:
    snapshot = await matches.cache.get_snapshot(match)
    return snapshot.game.checkpoint_adapter.dump_json(snapshot.state).decode()


async def let_computers_play(matches: Matches, match: str) -> None:
    while True:
        snapshot = await matches.cache.get_snapshot(match)
        due = snapshot.due_seats()
        if snapshot.info.status is not Status.RUNNING or not due or not snapshot.info.seats[due[0]].level:
            return
        notation = snapshot.game.format_move(snapshot.moves(due[0])[0])
        await matches.moves.play_computer_move(match, due[0], snapshot.decisions()[due[0]].number, notation)


async def user_in_turn(matches: Matches, match: str) -> int:
    snapshot = await matches.cache.get_snapshot(match)
    return snapshot.info.seats[snapshot.due_seats()[0]].user


async def bid_once(matches: Matches, match: str) -> int:
    """Make the first bid, and return who made it."""
    user = await user_in_turn(matches, match)
    await play_first_legal(matches, match)
    return user


def other_users(info: MatchInfo, user: int) -> list[int]:
    return [seat.user for seat in info.seats if seat.user != user]


# Who is asked


async def test_the_others_are_asked_and_the_last_who_agrees_takes_the_move_back(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches)
    before = await state_text(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    first, before_events = snapshot.decisions(), snapshot.events
    user = await bid_once(matches, match)
    info, outcome = await TakingBack(matches.editor).take_back(match, user)
    assert outcome == "asked"
    request = info.undoing.open_request
    assert request is not None
    assert {info.seats[seat].user for seat in request.waiting} == {*other_users(info, user)}
    one, two = other_users(info, user)
    assert (await TakingBack(matches.editor).answer_take_back(match, one, 1, agrees=True)).outcome == "waiting"
    assert (await TakingBack(matches.editor).answer_take_back(match, two, 1, agrees=True)).outcome == "taken back"
    after = await matches.cache.get_snapshot(match)
    assert await state_text(matches, match) == before
    assert store.saved[match].moves[-1].notation == "undo 1"
    assert (after.info.moves, after.info.decision_offset, after.events) == (2, 2, before_events)
    assert {*after.decisions()} == {*first}
    (seat,) = after.due_seats()
    assert after.decisions()[seat].number > first[seat].number
    assert after.info.undoing.request is None
    assert [each.action for each in await store.load_history(match)][-3:] == [
        *("ask take back", "agree take back", "agree take back")
    ]
    assert await state_text(make_matches(store, clock), match) == before, "it is replayed as well"


async def test_one_no_ends_the_request_and_its_asker_sees_that_until_the_next_move(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info, _ = await TakingBack(matches.editor).take_back(match, user)
    one, two = other_users(info, user)
    assert (await TakingBack(matches.editor).answer_take_back(match, one, 1, agrees=False)).outcome == "refused"
    with pytest.raises(RequestRefused, match="no longer open"):
        await TakingBack(matches.editor).answer_take_back(match, two, 1, agrees=True)
    request = (await matches.cache.get_snapshot(match)).info.undoing.request
    assert request is not None
    assert (request.ended, info.seats[request.ended_by].user) == ("refused", one)
    info = await play_first_legal(matches, match)
    assert info.undoing.request is None


@pytest.mark.parametrize(("clock_name", "seconds"), [("1 hour", 60), ("24 hours", 86_400), (None, 86_400)])
async def test_a_request_lapses(matches: Matches, clock: Clock, clock_name: str | None, seconds: int) -> None:
    match = await start_match(matches, table_options=TableOptions(clock_name, autoplay=False))  # type: ignore[arg-type]
    user = await bid_once(matches, match)
    await TakingBack(matches.editor).take_back(match, user)
    due, _ = await matches.due_times.load_due()
    assert "take back" not in [each.kind for each in due]
    clock.now += seconds - 1
    with pytest.raises(RequestRefused):
        await matches.requests.lapse_request(match, 1)
    clock.now += 1
    (lapse,) = [each for each in (await matches.due_times.load_due())[0] if each.kind == "take back"]
    assert (lapse.decision, lapse.seat) == (1, -1)
    info = await matches.requests.lapse_request(match, 1)
    assert info.undoing.open_request is None
    assert info.undoing.request is not None
    assert info.undoing.request.ended == "lapsed"
    assert not [each for each in (await matches.due_times.load_due())[0] if each.kind in ("take back", "ask")]


async def test_a_request_lapses_with_the_next_move(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info, _ = await TakingBack(matches.editor).take_back(match, user)
    await play_first_legal(matches, match)
    with pytest.raises(RequestRefused, match="no longer open"):
        await TakingBack(matches.editor).answer_take_back(match, other_users(info, user)[0], 1, agrees=True)
    with pytest.raises(RequestRefused, match="has moved since"):
        await TakingBack(matches.editor).take_back(match, user)


async def test_those_who_have_to_answer_get_a_ping(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, table_options=ASKING)
    user = await bid_once(matches, match)
    info, _ = await TakingBack(matches.editor).take_back(match, user)
    clock.now += 10
    asks = [each for each in (await matches.due_times.load_due())[0] if each.kind == "ask"]
    assert {info.seats[each.seat].user for each in asks} == {*other_users(info, user)}
    assert {each.decision for each in asks} == {ask_number(1)}
    await TakingBack(matches.editor).answer_take_back(match, other_users(info, user)[0], 1, agrees=True)
    assert len([each for each in (await matches.due_times.load_due())[0] if each.kind == "ask"]) == 1


async def test_requests_are_limited(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    for number in (1, 2):
        info, _ = await TakingBack(matches.editor).take_back(match, user)
        with pytest.raises(RequestRefused, match="already asked"):
            await TakingBack(matches.editor).take_back(match, user)
        move = info.moves
        await TakingBack(matches.editor).answer_take_back(match, other_users(info, user)[0], move, agrees=False)
        with pytest.raises(RequestRefused, match="already asked about that move"):
            await TakingBack(matches.editor).take_back(match, user)
        while await user_in_turn(matches, match) != user:
            await play_first_legal(matches, match)
        await play_first_legal(matches, match)
        if await user_in_turn(matches, match) == user:
            pytest.fail(f"{number}: the move has to pass the turn")
    with pytest.raises(RequestRefused, match="only twice per match"):
        await TakingBack(matches.editor).take_back(match, user)
    more = TakingBack(matches.editor, TakeBackLimits(per_match=3))
    assert (await more.take_back(match, user)).outcome == "asked"


async def test_an_answer_is_for_the_request_that_was_shown(matches: Matches) -> None:
    match = await start_match(matches)
    user, asking = await bid_once(matches, match), TakingBack(matches.editor, TakeBackLimits(per_decision=2))
    info, _ = await asking.take_back(match, user)
    old, other = request_stamp(info), other_users(info, user)[0]
    await asking.answer_take_back(match, other, 1, old, agrees=False)
    info, _ = await asking.take_back(match, user)
    for agrees in (True, False):
        with pytest.raises(RequestRefused, match="no longer open"):
            await asking.answer_take_back(match, other, 1, old, agrees=agrees)
    await asking.answer_take_back(match, other, 1, request_stamp(info), agrees=True)


async def test_people_who_turned_requests_off_are_not_asked(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info = (await matches.cache.get_snapshot(match)).info
    with pytest.raises(RequestRefused, match="does not want to be asked"):
        await TakingBack(matches.editor).take_back(match, user, unwilling={other_users(info, user)[1]})
    assert (await matches.cache.get_snapshot(match)).info == info


async def test_a_host_may_allow_free_ones_only_or_none(matches: Matches) -> None:
    free = await start_match(matches, table_options=TIMELESS.set_option(TAKEBACKS, "free only"))
    never = await start_match(
        matches, DORA, BELA, table_options=TIMELESS.set_option(TAKEBACKS, "never"), game=GAMES["jokers"]
    )
    for match, refusal in ((free, "still your turn"), (never, "Moves cannot be taken back")):
        user = await user_in_turn(matches, match)
        snapshot = await matches.cache.get_snapshot(match)
        while await user_in_turn(matches, match) == user:
            await play_first_legal(matches, match)
        with pytest.raises(RequestRefused, match=refusal):
            await TakingBack(matches.editor).take_back(match, user)
        assert (await matches.cache.get_snapshot(match)).info.decision_offset == snapshot.info.decision_offset == 0


async def test_away_people_need_not_agree(matches: Matches) -> None:
    match = await start_match(matches)
    user = await user_in_turn(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    for seat, each in enumerate(snapshot.info.seats):
        if each.user != user:
            await matches.seating.give_seat_to_computer(match, seat, "easy", 99)
    await play_first_legal(matches, match)
    info, outcome = await TakingBack(matches.editor).take_back(match, user)
    assert (outcome, info.practice) == ("taken back", False)


async def test_a_seat_change_ends_the_request(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info, _ = await TakingBack(matches.editor).take_back(match, user)
    info = await matches.seating.leave_match(match, other_users(info, user)[0], "easy")
    assert info.undoing.request is None


# What may be taken back


async def test_a_sealed_choice_is_free_until_the_last_one_is_in(matches: Matches, store: MemoryStore) -> None:
    match = await start_match(matches, game=JEST)
    snapshot = await matches.cache.get_snapshot(match)
    seats = snapshot.due_seats()
    users = [snapshot.info.seats[seat].user for seat in seats]
    await matches.moves.play_move(match, users[0], None, snapshot.game.format_move(snapshot.moves(seats[0])[0]))
    await matches.moves.play_move(match, users[1], None, snapshot.game.format_move(snapshot.moves(seats[1])[1]))
    assert (await TakingBack(matches.editor).take_back(match, users[0])).outcome == "taken back"
    assert store.saved[match].moves[-1].notation == "undo only 1"
    after = await matches.cache.get_snapshot(match)
    assert after.due_seats() == (seats[0], seats[2])
    await matches.moves.play_move(match, users[0], None, snapshot.game.format_move(snapshot.moves(seats[0])[1]))
    await matches.moves.play_move(match, users[2], None, snapshot.game.format_move(snapshot.moves(seats[2])[0]))
    with pytest.raises(RequestRefused, match="The offers were turned up"):
        await TakingBack(matches.editor).take_back(match, users[2])
    with pytest.raises(RequestRefused, match="has moved since"):
        await TakingBack(matches.editor).take_back(match, users[0])


async def test_a_move_that_revealed_something_hidden_stays(matches: Matches) -> None:
    match = await start_match(matches, DORA, BELA, game=GAMES["jokers"])
    user = await user_in_turn(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    draw = next(move for move in snapshot.moves(seat) if snapshot.game.reveals(snapshot.state, seat, move))
    await matches.moves.play_move(match, user, None, snapshot.game.format_move(draw))
    with pytest.raises(RequestRefused, match="it revealed something"):
        await TakingBack(matches.editor).take_back(match, user)


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
    assert (await matches.cache.get_snapshot(match)).state.round > 1, "a deal is among them"
    with pytest.raises(PracticeFirst):
        await TakingBack(matches.editor).take_back(match, ADA)
    assert not (await matches.cache.get_snapshot(match)).info.practice
    for number, state in enumerate(reversed(states)):
        info, _ = await TakingBack(matches.editor).take_back(match, ADA, accepts_practice=number == 0)
        assert info.practice
        assert await state_text(matches, match) == state
        assert await state_text(make_matches(store, clock), match) == state
        in_force = {move.number for move in store.saved[match].in_force()}
        for each in (matches, make_matches(store, clock)):
            assert (await each.cache.get_snapshot(match)).undone_moves == {*range(1, info.moves + 1)} - in_force
    with pytest.raises(RequestRefused, match="no move"):
        await TakingBack(matches.editor).take_back(match, ADA)
    while (await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
        await let_computers_play(matches, match)
        if (await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
            await play_first_legal(matches, match)
    text = await matches.records.build_record(match)
    assert text.startswith("motley-record: 2\n")
    record = parse_record(text)
    assert (
        replay(record, GAMES).state
        == replay(record.in_force(), GAMES).state
        == (await matches.cache.get_snapshot(match)).state
    )
    with pytest.raises(RequestRefused, match="over"):
        await TakingBack(matches.editor).take_back(match, ADA)


async def test_only_the_player_who_moved_can_take_it_back(matches: Matches) -> None:
    match = await start_match(matches)
    user = await bid_once(matches, match)
    info = (await matches.cache.get_snapshot(match)).info
    for other in (*other_users(info, user), DORA):
        with pytest.raises(RequestRefused):
            await TakingBack(matches.editor).take_back(match, other)
    with pytest.raises(StaleDecision):
        await TakingBack(matches.editor).take_back(match, user, "00000000")
    assert (await matches.cache.get_snapshot(match)).info == info


@pytest.mark.parametrize("are_changed", [False, True], ids=["", "changed in secret"])
@pytest.mark.parametrize("key", GAMES)
async def test_what_seems_impossible_would_be_refused(key: str, are_changed: bool) -> None:
    """The other way round, too, unless somebody has changed a choice in secret."""
    store = MemoryStore()
    matches, game, chance, limits = make_matches(store, Clock()), GAMES[key], Random(7), TakeBackLimits()
    match = await start_match(matches, *(ADA, BELA, CHIDI, DORA)[: game.seats_with(game.options())[0]], game=game)
    found = set()
    for _ in range(60):
        look = await matches.cache.get_snapshot(match)
        if look.info.status is not Status.RUNNING:
            break
        seat = chance.choice(look.due_seats() if not are_changed else [*look.decisions()])
        notation = game.format_move(chance.choice(look.moves(seat)))
        await matches.moves.play_move(match, look.info.seats[seat].user, None, notation)
        saved = store.saved[match]
        for each in saved.info.seats if saved.info.status is Status.RUNNING else ():
            seems_refused = is_surely_refused(game, saved.info, saved, each.user, (), limits)
            with suppress(RequestRefused) if seems_refused or are_changed else nullcontext():
                plan_take_back(game, saved.info, saved, each.user)
                assert not seems_refused
            found.add(seems_refused)
    assert found == {True, False}


@pytest.mark.parametrize("limits", [TakeBackLimits(per_decision=0), TakeBackLimits(per_match=0)])
async def test_it_seems_impossible_to_ask_too_often_or_those_who_do_not_want_it(
    matches: Matches, store: MemoryStore, limits: TakeBackLimits
) -> None:
    match = await start_match(matches, ADA, BELA, CHIDI)
    user, saved = await bid_once(matches, match), store.saved[match]
    other = other_users(saved.info, user)[0]
    assert not is_surely_refused(WIZARD, saved.info, saved, user, (), TakeBackLimits())
    assert is_surely_refused(WIZARD, saved.info, saved, user, (), limits)
    assert is_surely_refused(WIZARD, saved.info, saved, user, (other,), TakeBackLimits())
    free_only = replace(saved.info, table_options=saved.info.table_options.set_values({TAKEBACKS.name: "free only"}))
    assert is_surely_refused(WIZARD, free_only, saved, user, (), TakeBackLimits())


# What must stay right


@pytest.mark.parametrize("key", GAMES)
async def test_every_free_take_back_leads_to_the_state_before(key: str) -> None:
    """In undo mode, a match ends as in plain mode; no number of a decision comes up twice for a seat."""
    store, clock = MemoryStore(), Clock()
    matches, game, chance = make_matches(store, clock), GAMES[key], Random(7)
    users = (ADA, BELA, CHIDI, DORA)[: game.seats_with(game.options())[0]]
    plain = await start_match(matches, *users, game=game)
    undone = await start_match(matches, *users, game=game)
    earlier: dict[int, set[int]] = {}
    taken = 0
    for _ in range(150):
        snapshot = await matches.cache.get_snapshot(plain)
        if snapshot.info.status is not Status.RUNNING:
            break
        seat = chance.choice(snapshot.due_seats())
        user, notation = snapshot.info.seats[seat].user, snapshot.game.format_move(chance.choice(snapshot.moves(seat)))
        await matches.moves.play_move(plain, user, None, notation)
        before = await matches.cache.get_snapshot(undone)
        text = await state_text(matches, undone)
        number = before.decisions()[seat].number
        assert number not in earlier.setdefault(seat, set())
        await matches.moves.play_move(undone, user, number, notation)
        late = await matches.cache.get_snapshot(undone)
        try:
            result = await TakingBack(matches.editor, TakeBackLimits(per_match=1000)).take_back(undone, user)
        except RequestRefused:
            earlier[seat].add(number)
            continue
        if result.outcome == "asked":
            for each in other_users(result.info, user):
                with pytest.raises(StaleDecision):
                    await matches.moves.play_move(undone, user, number, notation)
                result = await TakingBack(matches.editor).answer_take_back(undone, each, result.info.moves, agrees=True)
        taken += 1
        assert await state_text(matches, undone) == text
        after = await matches.cache.get_snapshot(undone)
        numbers = {each: {decision.number} for each, decision in before.decisions().items()}
        for each, decision in after.decisions().items():
            if decision != late.decisions().get(each):  # it has not stayed open
                assert decision.number > max(earlier.get(each, {0}) | numbers.get(each, {0})), (
                    "every number is a new one"
                )
        with pytest.raises(StaleDecision):
            await matches.moves.play_move(undone, user, number, notation)
        earlier[seat] |= {number, after.decisions()[seat].number}
        await matches.moves.play_move(undone, user, None, notation)
    assert taken
    assert await state_text(matches, plain) == await state_text(matches, undone)
    looks = [await matches.cache.get_snapshot(match) for match in (plain, undone)]
    assert [match_event.event for match_event in looks[0].events] == [
        match_event.event for match_event in looks[1].events
    ]
    assert [
        match_event.event for match_event in (await make_matches(store, clock).cache.get_snapshot(undone)).events
    ] == [match_event.event for match_event in looks[0].events]


async def test_a_deadline_restarts_once(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await start_match(matches, DORA, BELA, table_options=ASKING, game=GAMES["jokers"])
    user = await user_in_turn(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    notation = next(
        snapshot.game.format_move(move)
        for move in snapshot.moves(seat)
        if not snapshot.game.reveals(snapshot.state, seat, move)
    )
    for wait, left in ((600, 3600), (100, 3500), (50, 3450)):
        clock.now += wait
        await matches.moves.play_move(match, user, None, notation)
        clock.now += 5  # these seconds are nobody's
        await take_back_agreed(matches, match, user)
        after = await matches.cache.get_snapshot(match)
        assert after.deadline(seat) == clock.now + left
    assert (await make_matches(store, clock).cache.get_snapshot(match)).deadline(seat) == after.deadline(seat)


async def test_a_decision_that_stays_open_keeps_its_deadline(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, table_options=ASKING, game=JEST)
    snapshot = await matches.cache.get_snapshot(match)
    seats, deadline = snapshot.due_seats(), snapshot.deadline()
    for _ in range(2):
        clock.now += 60
        user = snapshot.info.seats[seats[0]].user
        await matches.moves.play_move(match, user, None, snapshot.game.format_move(snapshot.moves(seats[0])[0]))
        await TakingBack(matches.editor).take_back(match, user)
        after = await matches.cache.get_snapshot(match)
        assert {after.deadline(seat) for seat in seats[1:]} == {deadline}


async def take_back_agreed(matches: Matches, match: str, user: int) -> MatchInfo:
    asking = TakingBack(matches.editor, TakeBackLimits(per_match=1000))
    info, outcome = await asking.take_back(match, user)
    if outcome == "asked":
        request = info.undoing.open_request
        assert request is not None
        for seat in request.waiting:
            info, _ = await asking.answer_take_back(match, info.seats[seat].user, request.move, agrees=True)
    return info


async def test_nobody_gains_time_in_a_bank(matches: Matches, clock: Clock) -> None:
    table_options = TableOptions("2 minutes plus 15 seconds a move", autoplay=False)
    match = await start_match(matches, table_options=table_options)
    user = await user_in_turn(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    left = 120
    for _ in range(4):
        clock.now += 10
        left -= 10
        await play_first_legal(matches, match)
        await take_back_agreed(matches, match, user)
        after = await matches.cache.get_snapshot(match)
        assert (after.info.banks[seat], after.deadline(seat)) == (left, clock.now + left)


async def test_a_question_that_was_answered_stays_closed(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    """Spectators who have seen the answer cannot guess it after the move is taken back."""
    match = await start_match(matches, table_options=TIMELESS.set_option(CAN_GUESS, True), game=GAMES["court"])
    chance = Random(3)
    while True:
        snapshot = await matches.cache.get_snapshot(match)
        (seat,) = snapshot.due_seats()
        move = chance.choice(snapshot.moves(seat))
        await matches.moves.play_move(match, snapshot.info.seats[seat].user, None, snapshot.game.format_move(move))
        question, answers = open_question(snapshot), question_answers(await matches.cache.get_snapshot(match))
        shows = snapshot.game.reveals(snapshot.state, seat, move)
        if question is not None and question.number in answers and not shows:
            break
    await take_back_agreed(matches, match, snapshot.info.seats[seat].user)
    closed = await closed_questions(matches.editor, match)
    assert question.number in closed
    for each in (matches, make_matches(store, clock)):
        after = await each.cache.get_snapshot(match)
        assert question.number not in question_answers(after)
        assert open_question(after, closed) is None


def keeping_moves(snapshot: MatchSnapshot) -> list[Any]:
    """The moves of the first seat that show nothing hidden, after which the match waits for nobody who did not have to
    choose before."""
    seat, game = snapshot.due_seats()[0], snapshot.game
    quiet = [move for move in snapshot.moves(seat) if not game.reveals(snapshot.state, seat, move)]
    return [
        move
        for move in quiet
        if {*game.decisions(game.state_after(snapshot.state, seat, move))} <= {*snapshot.due_seats()}
    ]


async def left_after_a_take_back(matches: Matches, clock: Clock, key: str, thought: int) -> tuple[int, int]:
    """Move with three seconds left, take it back after some seconds: what is left in the bank, and on the clock."""
    users = (DORA, BELA, CHIDI)[: GAMES[key].seats[0]]
    match = await start_match(matches, *users, table_options=BANKS, game=GAMES[key])
    while not (found := keeping_moves(snapshot := await matches.cache.get_snapshot(match))):
        await play_first_legal(matches, match)
    free, seat = found[0], snapshot.due_seats()[0]
    user = snapshot.info.seats[seat].user
    clock.now = snapshot.deadlines[seat].at - 3
    await matches.moves.play_move(match, user, None, snapshot.game.format_move(free))
    clock.now += thought
    await take_back_agreed(matches, match, user)
    after = await matches.cache.get_snapshot(match)
    return after.info.banks[seat], after.deadlines[seat].at - clock.now


@pytest.mark.parametrize(("thought", "left"), [(0, 3), (2, 3), (4, 3), (15, 3), (16, 2), (17, 1)])
async def test_a_take_back_restores_what_was_left_before_the_move(
    matches: Matches, clock: Clock, thought: int, left: int
) -> None:
    """It is still the same player's turn, and their next clock runs. The seconds of the move pay for that."""
    assert await left_after_a_take_back(matches, clock, "jokers", thought) == (left, left)


@pytest.mark.parametrize("thought", [0, 3, 60])
async def test_a_sealed_choice_is_taken_back_to_what_was_left_before_it(
    matches: Matches, clock: Clock, thought: int
) -> None:
    assert await left_after_a_take_back(matches, clock, "jest", thought) == (3, 3)


async def test_a_take_back_costs_nobody_else_their_bank(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, table_options=BANKS)
    snapshot = await matches.cache.get_snapshot(match)
    user = await bid_once(matches, match)
    clock.now += 40  # the next player thinks about a move that is taken back
    info = await take_back_agreed(matches, match, user)
    assert info.banks == snapshot.info.banks


async def test_a_clock_that_starts_with_a_take_back_has_the_seconds_of_a_move(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, table_options=BANKS, game=JEST)
    snapshot = await matches.cache.get_snapshot(match)
    first, *others = snapshot.due_seats()
    user = snapshot.info.seats[first].user
    await matches.moves.play_move(match, user, None, snapshot.game.format_move(snapshot.moves(first)[0]))
    clock.now = snapshot.deadlines[others[0]].at - 2
    await TakingBack(matches.editor).take_back(match, user)
    after = await matches.cache.get_snapshot(match)
    assert [after.deadlines[seat].at - clock.now for seat in others] == [2, 2], "they keep their clocks"
    assert after.deadlines[first].at - clock.now == 120


@pytest.mark.parametrize("is_asked", [False, True])
async def test_a_take_back_during_a_break_keeps_the_rest(matches: Matches, clock: Clock, is_asked: bool) -> None:
    game = WIZARD if is_asked else GAMES["jokers"]
    users = (ADA, BELA, CHIDI) if is_asked else (DORA, BELA)
    table_options = TableOptions("24 hours", autoplay=False).set_option(LIMIT, "3 days")
    match = await start_match(matches, *users, table_options=table_options, game=game)
    user = await user_in_turn(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    free = next(move for move in snapshot.moves(seat) if not snapshot.game.reveals(snapshot.state, seat, move))
    clock.now += 3600
    until = await take_break(matches.rests, user, "1 day")
    await matches.moves.play_move(match, user, None, snapshot.game.format_move(free))
    for _ in range(2):
        clock.now += 60
        await take_back_agreed(matches, match, user)
        after = await matches.cache.get_snapshot(match)
        assert after.rests_until(seat) == until
        assert after.deadlines[seat].at == until + 86_400
        await matches.moves.play_move(match, user, None, snapshot.game.format_move(free))
    await take_back_agreed(matches, match, user)
    clock.now += 60
    await end_break(matches.rests, user)
    after = await matches.cache.get_snapshot(match)
    assert after.deadlines[seat].at == clock.now + 86_400, "its clock starts when the break ends"


async def test_a_restarted_clock_rests_with_what_it_has(matches: Matches, clock: Clock) -> None:
    """A break neither ends with a take-back nor fills up a clock that was used before."""
    match = await start_match(
        matches, DORA, BELA, table_options=TableOptions("24 hours", autoplay=False), game=GAMES["jokers"]
    )
    user = await user_in_turn(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    notation = next(
        snapshot.game.format_move(move)
        for move in snapshot.moves(seat)
        if not snapshot.game.reveals(snapshot.state, seat, move)
    )
    for _ in range(2):
        await matches.moves.play_move(match, user, None, notation)
        await take_back_agreed(matches, match, user)
        clock.now += 3600
    await matches.moves.play_move(match, user, None, notation)
    until = await take_break(matches.rests, user, "8 hours")
    await take_back_agreed(matches, match, user)
    after = await matches.cache.get_snapshot(match)
    assert (after.rests_until(seat), after.deadlines[seat].at) == (until, until + 22 * 3600)
    clock.now += 60
    await end_break(matches.rests, user)
    after = await matches.cache.get_snapshot(match)
    assert (await make_matches(matches.editor.store, clock).cache.get_snapshot(match)).deadlines == after.deadlines  # type: ignore[arg-type]
    assert after.deadlines[seat].at == clock.now + 22 * 3600


@pytest.mark.parametrize("clock_name", ["24 hours", "2 minutes plus 15 seconds a move"])
async def test_a_take_back_while_time_rests_leaves_what_was_left_before(
    matches: Matches, clock: Clock, clock_name: Any
) -> None:
    """Nobody can be reached for a week, but one player's clicks arrive. Their clock stopped when time began to rest."""
    table_options = TableOptions(clock_name, autoplay=False)
    match = await start_match(matches, DORA, BELA, table_options=table_options, game=GAMES["jokers"])
    while not (found := keeping_moves(snapshot := await matches.cache.get_snapshot(match))):
        await play_first_legal(matches, match)
    seat = snapshot.due_seats()[0]
    user, notation = snapshot.info.seats[seat].user, snapshot.game.format_move(found[0])
    clock.now = snapshot.deadlines[seat].at - 10  # it has ten seconds left
    await matches.moves.play_move(match, user, None, notation)
    await take_back_agreed(matches, match, user)
    before = (await matches.cache.get_snapshot(match)).deadlines[seat].at - clock.now
    await matches.moves.play_move(match, user, None, notation)
    matches.editor.follow_time(SetServerTime(clock.now))
    clock.now += 7 * 86_400
    await take_back_agreed(matches, match, user)
    assert (await matches.cache.get_snapshot(match)).deadlines[seat].at - clock.now == before
    clock.now += 7 * 86_400
    await matches.moves.play_move(match, user, None, notation)
    await take_back_agreed(matches, match, user)
    assert (await matches.cache.get_snapshot(match)).deadlines[seat].at - clock.now == before
