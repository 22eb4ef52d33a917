"""Whole matches of Jest: what always holds, what a seat may suppose, counts of positions, and records that replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engines.hosting.records import record
from engines.jest import JEST, deck, model
from engines.jest.model import Options, Round, State, TakenCard
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from tests.engines.jest.positions import parse_cards, parse_position, play_lines
from tests.golden.records import records_in

GAMES: dict[str, AnyGame] = {"jest": JEST}
GOLDEN = Path(__file__).with_name("golden") / "meant"  # beside the random ones


def random_match(seats: int, seed: int) -> Iterator[State]:
    """Every state of a random match, in which minds are changed now and then."""
    rng = Random(seed)
    state = JEST.start(seats, Options(), Chance(f"{seed:032x}"))
    yield state
    while decisions := JEST.decisions(state):
        seat = rng.choice(list(decisions))
        move = rng.choice(JEST.moves(state, seat))
        JEST.check(state, seat, move)
        JEST.play(state, seat, move)
        yield state


def cards_in_play(state: State) -> list[int]:
    """The cards of the round that lie on the table or in a hand, without those already taken."""
    taken = {(state.up if take.up else state.down)[take.source] for take in state.takes}
    return [card for hand in state.dealt for card in hand if card not in taken]


def leftover_cards(old_round: Round) -> list[int]:
    taken = {take.source: take.up for take in old_round.takes}
    return [old_round.down[seat] if taken[seat] else old_round.up[seat] for seat in range(len(old_round.up))]


@pytest.mark.parametrize("seats", [3, 4])
def test_no_card_is_lost_and_every_round_gives_everybody_one(seats: int) -> None:
    own = 0
    for seed in range(60):
        for state in random_match(seats, seed):
            jest_cards = [card for jest in state.jests for card in deck.jest_cards(jest)]
            assert sorted([*state.trophies, *state.deck, *jest_cards, *cards_in_play(state)]) == list(deck.DECK)
            sizes = [jest.bit_count() for jest in state.jests]
            takes = [sum(take.seat == seat for take in state.takes) for seat in range(seats)]
            is_over = state.phase == "over"
            assert sizes == [len(state.past) + takes[seat] + is_over for seat in range(seats)]
            assert len(state.deck) == {3: 9, 4: 8}[seats] - seats * (state.round - 1)
        assert len(state.past) == {3: 4, 4: 3}[seats]
        check_next_deal(state)
        for old_round in state.past:
            check_take_order(old_round)
            own += sum(take.seat == take.source for take in old_round.takes)
    assert own > 10, "too seldom the last player is left with the own offer"


def check_next_deal(state: State) -> None:
    """J3: what was left is in the next deal; everything else in that deal is new."""
    dealt_before = set(state.trophies)
    leftover: list[int] = []
    for old_round in state.past:
        cards = {*old_round.up, *old_round.down}
        assert len(cards) == 2 * len(old_round.up)
        assert set(leftover) <= cards
        assert not (cards - set(leftover)) & dealt_before
        dealt_before |= cards
        leftover = leftover_cards(old_round)


def check_take_order(old_round: Round) -> None:
    """J5–J7: who took, from whom, in turn; the loser of a card takes next, if they have not taken yet."""
    seats = range(len(old_round.up))
    strength = [card_rank(card) for card in old_round.up]
    assert (
        sorted(take.seat for take in old_round.takes) == sorted(take.source for take in old_round.takes) == list(seats)
    )
    waiting = set(seats)
    due = max(waiting, key=strength.__getitem__)
    complete = set(seats)
    for take in old_round.takes:
        assert take.seat == due
        assert take.source in complete
        assert take.source != take.seat or complete == {take.seat}  # J6
        complete.remove(take.source)
        waiting.remove(take.seat)
        if waiting:
            due = take.source if take.source in waiting else max(waiting, key=strength.__getitem__)
            assert waiting - {due} <= complete, "only the next one's offer may have lost a card"


def card_rank(card: int) -> tuple[int, int]:
    """J5: the face value, an Ace as 1; then the suit."""
    name = deck.card_name(card)
    return (0, 0) if name == "joker" else ("A234".index(name[0]) + 1, "HDCS".index(name[1]))


@pytest.mark.parametrize("seats", [3, 4])
def test_a_spectator_who_only_hears_the_events_knows_what_the_view_shows(seats: int) -> None:
    for seed in range(20):
        rng = Random(seed)
        state = JEST.start(seats, Options(), Chance(f"{seed:032x}"))
        chosen: set[int] = set()
        up: tuple[int, ...] = ()
        takes: list[TakenCard] = []
        size = len(state.deck)
        while decisions := JEST.decisions(state):
            seat = rng.choice(list(decisions))
            for event in JEST.play(state, seat, rng.choice(JEST.moves(state, seat))):
                if not event.is_visible_to(None):
                    continue
                match event:
                    case model.RoundDealt(deck=size):
                        chosen, up, takes = set(), (), []
                    case model.OfferChosen(seat=actor):
                        assert actor not in chosen
                        chosen.add(actor)
                    case model.OffersRevealed(up=up):
                        pass
                    case model.CardTaken(seat=actor, source=source, card=card):
                        takes.append(TakenCard(actor, source, card is not None))
                        assert card is None or card == up[source]
                    case model.JestsRevealed(jests=jests):
                        chosen, up, takes = set(), (), []
                        assert [deck.make_jest(cards) for cards in jests] == state.jests
            view = JEST.view(state, None)
            assert (view.deck, view.up, list(view.takes)) == (size, up, takes)
            if view.phase == "offer":
                assert set(view.waiting) == set(range(seats)) - chosen


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(12))
def test_sampled_states_could_have_happened_and_fit_all_that_was_seen(seats: int, seed: int) -> None:
    for number, state in enumerate(random_match(seats, seed)):
        for seat in (None, *range(seats)):
            view = JEST.view(state, seat)
            sampled = JEST.sample(view, Chance(f"{number + 1000 * seed:032x}"))
            assert JEST.view(sampled, seat) == view
            jest_cards = [card for jest in sampled.jests for card in deck.jest_cards(jest)]
            assert sorted([*sampled.trophies, *sampled.deck, *jest_cards, *cards_in_play(sampled)]) == list(deck.DECK)
            while sampled.waiting:
                JEST.play(sampled, sampled.waiting[0], JEST.moves(sampled, sampled.waiting[0])[0])
            check_next_deal(sampled)


def second_round(text: str, takes: str, hands: str) -> State:
    """A first round with its takes, and the hands of the second one, the rest of the cards being in the deck."""
    state = parse_position(text, trophies="3S 3C")
    play_lines(state, *takes.split(", "))
    state.dealt = [(low, high) for low, high in (sorted(parse_cards(hand)) for hand in hands.split("/"))]
    visible = {
        *state.trophies,
        *(card for hand in state.dealt for card in hand),
        *state.past[0].up,
        *state.past[0].down,
    }
    state.deck = [card for card in deck.DECK if card not in visible]
    return state


def test_a_card_left_in_sight_is_sampled_in_every_possible_place_and_no_other() -> None:
    takes = "B take A down, A take C down, C take B down"  # AS, 3D and 2S stay in sight, and are dealt again
    state = second_round("AS|2H / 3D|4C / 2S|joker", takes, "3D AH / AS 2D / 2S 3H")
    places: Counter[tuple[str, int]] = Counter()
    for seed in range(600):
        sampled = JEST.sample(JEST.view(state, 0), Chance(f"{seed:032x}"))
        for name in ("AS", "2S"):
            places[name, [deck.parse_card(name) in hand for hand in sampled.dealt].index(True)] += 1
    assert set(places) == {("AS", 1), ("AS", 2), ("2S", 1), ("2S", 2)}
    assert all(250 < count < 350 for count in places.values())


def test_a_card_dealt_now_is_supposed_to_have_been_left_face_down_as_often_as_it_was() -> None:
    takes = "B take A up, A take C up, C take B up"  # 2H, 4C and the Joker stay, face down
    state = second_round("AS|2H / 3D|4C / 2S|joker", takes, "4C AH / 2H joker / AD 2D")
    views = [JEST.view(state, 0)] * 1000
    samples = [JEST.sample(view, Chance(f"{seed:032x}")) for seed, view in enumerate(views)]
    left_before = sum(deck.parse_card("4C") in sampled.past[0].down for sampled in samples)
    # Two cards that seat 0 does not know were left. They are now among five: its own two, and three of the four others
    # (the fourth is 2H, which it knows).
    assert 350 < left_before < 450
    assert all(deck.parse_card("2H") in (*sampled.dealt[1], *sampled.dealt[2]) for sampled in samples)


def test_a_card_that_comes_back_into_sight_was_left_hidden_in_between() -> None:
    """2S was left in sight in round 1, was face down with somebody in round 2, and is face up in round 3."""
    found = 0
    for seed in range(200):
        for state in random_match(3, seed):
            if state.phase != "take" or len(state.past) < 2:
                continue
            first, second = state.past[-2:]
            back = [
                card for card in leftover_cards(first) if card in first.up and card in second.down and card in state.up
            ]
            for card in back:
                found += 1
                for number in range(5):
                    sampled = JEST.sample(JEST.view(state, None), Chance(f"{number:032x}"))
                    assert card in sampled.past[-1].down
                    assert card in leftover_cards(sampled.past[-1])
    assert found > 20


# --- Records


def test_there_are_golden_records_with_changes_of_mind_ties_and_a_trophy_for_nobody() -> None:
    records = [record.parse_record(path.read_text(encoding="utf-8")) for path in records_in(GOLDEN)]
    assert {each.seats for each in records} == {3, 4}
    assert all(len(each.moves) > 24 for each in records)
    assert any(each.result is not None and len(each.result.winners) > 1 for each in records)
    every_event = [event for each in records for events in record.replay(each, GAMES).events for event in events]
    assert any(isinstance(event, model.TrophyAwarded) and event.seat is None for event in every_event)
