"""Whole random matches of Wizard: what holds at every move, worked out here once more from the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chance import Chance
from engines.game import Event
from engines.wizard import WIZARD
from engines.wizard.deck import DECK
from engines.wizard.model import BidMade, CardPlayed, Move, Options, Play, RoundDealt, RoundScored, State, TrickTaken
from engines.wizard.model import TrumpNamed as Named
from tests.engines.positions import all_cards, turn

FULL = {3: 20, 4: 15, 5: 12, 6: 10}
matches = given(seats=st.integers(3, 6), rounds=st.integers(1, 8), seed=st.integers(0, 1 << 30))
few = settings(max_examples=15, deadline=None)


def match(seats: int, rounds: int | None, seed: int) -> Iterator[tuple[State, int, Move, list[Event]]]:
    """A random match: the state after every move, who made which move, and what happened."""
    rng = Random(seed)
    state = WIZARD.start(seats, Options(rounds), Chance(f"{seed:032x}"))
    while WIZARD.decisions(state):
        seat = turn(state)
        move = rng.choice(WIZARD.moves(state, seat))
        WIZARD.check(state, seat, move)
        yield state, seat, move, WIZARD.play(state, seat, move)


@few
@matches
def test_w2_sixty_cards_are_there_at_every_move(seats: int, rounds: int, seed: int) -> None:
    for state, _, _, _ in match(seats, rounds, seed):
        assert all_cards(state) == Counter(DECK)


@few
@matches
def test_w9_the_tricks_of_a_round_are_as_many_as_its_cards(seats: int, rounds: int, seed: int) -> None:
    taken: Counter[int] = Counter()
    for _, _, _, events in match(seats, rounds, seed):
        for event in events:
            if isinstance(event, TrickTaken):
                taken[event.seat] += 1
            elif isinstance(event, RoundScored):
                assert taken.total() == event.round
                assert [score.taken for score in event.scores] == [taken[seat] for seat in range(seats)]
                taken.clear()


@few
@matches
def test_w10_every_score_follows_from_the_bids_and_tricks_that_were_told(seats: int, rounds: int, seed: int) -> None:
    bids: dict[int, int] = {}
    taken: Counter[int] = Counter()
    totals = [0] * seats
    last = None
    for state, _, _, events in match(seats, rounds, seed):
        last = state
        for event in events:
            match event:
                case BidMade(seat=seat, tricks=tricks):
                    bids[seat] = tricks
                case TrickTaken(seat=seat):
                    taken[seat] += 1
                case RoundScored():
                    for seat in range(seats):
                        missed = abs(bids[seat] - taken[seat])
                        totals[seat] += -10 * missed if missed else 20 + 10 * bids[seat]
                    assert list(event.totals) == totals
                    bids, taken = {}, Counter()
    assert last is not None
    outcome = WIZARD.outcome(last)
    assert outcome is not None
    assert list(outcome.points) == totals
    assert {seat for seat in range(seats) if totals[seat] == max(totals)} == set(outcome.winners)


@few
@matches
def test_a_match_has_a_bid_and_its_cards_for_everybody_in_every_round(seats: int, rounds: int, seed: int) -> None:
    wizards = 0
    moves: Counter[type[Move]] = Counter()
    state = WIZARD.start(seats, Options(rounds), Chance(f"{seed:032x}"))
    wizards += WIZARD.view(state, None).phase == "trump"
    for state, _, move, events in match(seats, rounds, seed):  # noqa: B007
        moves[type(move)] += 1
        wizards += sum(isinstance(event, RoundDealt) and event.turned == 53 for event in events)
    assert moves.total() == seats * sum(1 + cards for cards in range(1, rounds + 1)) + wizards
    assert sum(WIZARD.view(state, None).numbers) == moves.total()


@few
@matches
def test_what_happened_can_be_retold_from_the_events(seats: int, rounds: int, seed: int) -> None:
    for state, seat, move, events in match(seats, rounds, seed):
        first = events[0]
        assert isinstance(first, CardPlayed | BidMade | Named)
        assert first.seat == seat
        assert not isinstance(move, Play) or (isinstance(first, CardPlayed) and first.card == move.card)
        view = WIZARD.view(state, None)
        if any(isinstance(event, TrickTaken) for event in events):
            assert view.last is not None
            assert len(view.last.cards) == seats
            assert not view.trick


@pytest.mark.parametrize("seats", FULL)
def test_w2_a_full_game_is_played_to_its_last_round(seats: int) -> None:
    scored = [
        event.round for *_, events in match(seats, None, seats) for event in events if isinstance(event, RoundScored)
    ]
    assert scored == list(range(1, FULL[seats] + 1))
