"""Many rounds of Wizard at once: they are played as one by one, in worlds that explain what the others did."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import fmean
from typing import Any

import pytest

from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.deals import laid_tricks
from engines.wizard.deck import suit_to_follow
from engines.wizard.model import Bid, Options, Play, State
from engines.wizard.sample import make_dealer
from engines.wizard.view import View
from players import PlayerModel
from players.wizard import PLAYER_MODEL, batch_search
from players.wizard.learned import LearnedPolicy, networks_for
from players.wizard.numbers import load_weights

POLICY = LearnedPolicy(load_weights())


def searched_views(seats: int, options: Options, share: float, seed: int = 7) -> Iterator[View]:
    """Some of the views of a match of *normal* in which a search plays many rounds at once."""
    state, rng = WIZARD.start(seats, options, Chance(f"{seed:032x}")), Random(seed)
    while WIZARD.decisions(state):
        seat = next(iter(WIZARD.decisions(state)))
        view, moves = WIZARD.view(state, seat), WIZARD.moves(state, seat)
        if len(moves) > 1 and rng.random() < share and networks_for(view) is not None:
            yield view
        WIZARD.play(state, seat, PLAYER_MODEL.choose_move(view, moves, rng))


def moves_of(view: View) -> list[Any]:
    return list(WIZARD.moves(WIZARD.sample(view, Chance(f"{1:032x}")), view.seat or 0))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (3, Options()),
        (4, Options(rounds=10, hook=1)),
        (3, Options(6, "by twos", 4)),
        (5, Options(hands="all cards")),
        (6, Options()),
        (2, Options(rounds=12, dummy=True)),
        (4, Options(rounds=9, bids="hidden")),
        (3, Options(rounds=9, blind=True)),
    ],
)
def test_worlds_end_at_once_as_they_end_one_by_one(seats: int, options: Options) -> None:
    same: list[bool] = []
    for view in searched_views(seats, options, 0.15 if options.rounds else 0.04):
        draw = PLAYER_MODEL.world_sampler(view, Random(1))
        worlds = [(draw(), 0) for _ in range(3)]
        moves = PLAYER_MODEL.candidate_moves(view, moves_of(view), Random(1))[:3]
        at_once = PLAYER_MODEL.evaluate_moves(view, moves, worlds)
        one_by_one: Any = PlayerModel.evaluate_moves(PLAYER_MODEL, view, moves, worlds)
        pairs = zip(at_once, one_by_one, strict=True)
        same += [value == pytest.approx(expected) for both in pairs for value, expected in zip(*both, strict=True)]
    assert len(same) > 50
    assert fmean(same) > 0.85, "rounding changes a choice now and then"


def test_w12_in_worlds_the_last_bidder_leaves_out_the_bid_that_the_hook_forbids() -> None:
    same: list[bool] = []
    for view in searched_views(3, Options(rounds=8, hook=1), 1.0):
        if view.phase == "bid" and view.bids.count(None) == 2:
            draw = PLAYER_MODEL.world_sampler(view, Random(1))
            worlds, moves = [(draw(), 0) for _ in range(12)], moves_of(view)
            at_once = PLAYER_MODEL.evaluate_moves(view, moves, worlds)
            one_by_one: Any = PlayerModel.evaluate_moves(PLAYER_MODEL, view, moves, worlds)
            pairs = zip(at_once, one_by_one, strict=True)
            same += [value == pytest.approx(expected) for both in pairs for value, expected in zip(*both, strict=True)]
    assert fmean(same) > 0.9


def test_trumps_are_tried_with_the_bids_that_follow() -> None:
    views = [view for seed in range(1, 6) for view in searched_views(4, Options(), 1.0, seed) if view.phase == "trump"]
    view = views[-1]
    draw = PLAYER_MODEL.world_sampler(view, Random(1))
    worlds = [(draw(), 0) for _ in range(20)]
    at_once = PLAYER_MODEL.evaluate_moves(view, moves_of(view), worlds)
    one_by_one: Any = PlayerModel.evaluate_moves(PLAYER_MODEL, view, moves_of(view), worlds)
    assert len(at_once) == 4
    pairs = zip(at_once, one_by_one, strict=True)
    assert (
        fmean(value == pytest.approx(expected) for both in pairs for value, expected in zip(*both, strict=True)) > 0.7
    )


def explained_bids(view: View, world: State) -> list[bool]:
    """Which of the others' bids the networks make with the hands of this world."""
    state, found = WIZARD.copy(world), []
    for leader, trick in laid_tricks(view):
        for number, card in enumerate(trick):
            state.hands[(leader + number) % view.places].append(card)
    state.phase = "bid"
    for place in range(view.seats):
        seat = (view.dealer + 1 + place) % view.seats
        if view.bids[seat] is None or seat == view.seat:
            continue
        state.bids = [
            bid if (each - view.dealer - 1) % view.seats < place else None for each, bid in enumerate(view.bids)
        ]
        state.turn = seat
        found.append(POLICY.rank_moves(state, seat, sorted(state.hands[seat]))[0].move == Bid(view.bids[seat] or 0))
    return found


def explains_newest_card(world: State) -> bool:
    """Whether the networks play the newest card of the trick with its seat's hand in this world."""
    state = WIZARD.copy(world)
    card, seat = state.trick.pop(), (world.turn - 1) % len(world.scores)
    state.hands[seat] = sorted([*state.hands[seat], card])
    state.turn, state.follow = seat, suit_to_follow(state.trick)
    return POLICY.rank_moves(state, seat, state.hands[seat])[0].move == Play(card)


@pytest.mark.parametrize("seats", [3, 6])
def test_worlds_explain_bids_and_cards_better_than_any_deals(seats: int) -> None:
    bids: tuple[list[bool], list[bool]] = ([], [])
    cards: tuple[list[bool], list[bool]] = ([], [])
    for view in searched_views(seats, Options(), 0.05):
        samplers = PLAYER_MODEL.world_sampler(view, Random(1)), PlayerModel.world_sampler(PLAYER_MODEL, view, Random(1))
        for each, draw in enumerate(samplers):
            worlds = [draw() for _ in range(8)]
            assert all(WIZARD.view(world, view.seat) == view for world in worlds)
            bids[each].extend(fits for world in worlds for fits in explained_bids(view, world))
            if view.trick and len(view.hand) < view.trick_count:
                cards[each].extend(map(explains_newest_card, worlds))
    for weighed, dealt in (bids, cards):
        assert len(weighed) > 50
        assert fmean(weighed) > fmean(dealt) + 0.05


@pytest.mark.parametrize("seats", WIZARD.seats)
def test_weights_are_worth_enough_deals(seats: int) -> None:
    rare = []
    for view in searched_views(seats, Options(), 0.05):
        deal, chance = make_dealer(view), Chance(f"{seats:032x}")
        deals = [deal(chance) for _ in range(200)]
        for weigh in (batch_search.weigh_by_bids, batch_search.weigh_by_cards):
            found = weigh(view, deals, 96, Random(1))
            assert len(found.deals) == 96
            assert batch_search.LEAST_EFFECTIVE <= found.effective < 201
            rare.append(found.effective < 100)
    assert any(rare)
    assert not all(rare)


@pytest.mark.parametrize(("seats", "searches"), [(5, True), (6, False)])
def test_hard_searches_with_fewer_than_six_seats(seats: int, searches: bool) -> None:
    views = [*searched_views(seats, Options(rounds=4), 1.0)]
    assert {view.phase for view in views} >= {"bid", "play"}
    assert all(PLAYER_MODEL.is_worth_searching(view) == searches for view in views)
