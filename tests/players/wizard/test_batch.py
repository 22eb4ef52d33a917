"""Many rounds of Wizard at once: they are played as one by one, in worlds that explain what the others did."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import fmean
from typing import Any

import pytest

from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.model import Bid, Options, Play
from engines.wizard.sample import build_state, make_dealer
from engines.wizard.view import View
from players import PlayerModel, search
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


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (3, Options()),
        (4, Options(hook=1)),
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
        same += [here == pytest.approx(there) for both in pairs for here, there in zip(*both, strict=True)]
    assert len(same) > 50
    assert fmean(same) > 0.85, "rounding changes a choice now and then"


def test_trumps_are_tried_with_the_bids_that_follow() -> None:
    views = [view for seed in range(1, 6) for view in searched_views(4, Options(), 1.0, seed) if view.phase == "trump"]
    view = views[-1]
    draw = PLAYER_MODEL.world_sampler(view, Random(1))
    worlds = [(draw(), 0) for _ in range(20)]
    at_once = PLAYER_MODEL.evaluate_moves(view, moves_of(view), worlds)
    one_by_one: Any = PlayerModel.evaluate_moves(PLAYER_MODEL, view, moves_of(view), worlds)
    assert len(at_once) == 4
    pairs = zip(at_once, one_by_one, strict=True)
    assert fmean(here == pytest.approx(there) for both in pairs for here, there in zip(*both, strict=True)) > 0.7


def explained(view: View, places: list[list[int]]) -> float:
    """The share of the others' choices that the networks make with these hands: their bids, and the newest card."""
    state = build_state(view, [place.copy() for place in places], view.bids, Chance(f"{1:032x}"))
    found = []
    played: list[list[int]] = [[] for _ in range(view.places)]
    for trick in view.tricks:
        for number, card in enumerate(trick.cards):
            played[(trick.leader + number) % view.places].append(card)
    for number, card in enumerate(view.trick):
        played[(view.leader + number) % view.places].append(card)
    for place in range(view.seats):
        seat = (view.dealer + 1 + place) % view.seats
        if view.bids[seat] is None or seat == view.seat:
            continue
        state.bids = [
            bid if (each - view.dealer - 1) % view.seats < place else None for each, bid in enumerate(view.bids)
        ]
        state.phase, state.turn = "bid", seat
        ranked = POLICY.rank_moves(state, seat, sorted([*state.hands[seat], *played[seat]]))
        found.append(ranked[0].move == Bid(view.bids[seat] or 0))
    return fmean(found)


@pytest.mark.parametrize("seats", [3, 6])
def test_worlds_explain_the_bids_better_than_any_deals(seats: int) -> None:
    weighed, dealt = [], []
    for view in searched_views(seats, Options(), 0.02):
        if all(bid is None for seat, bid in enumerate(view.bids) if seat != view.seat):
            continue
        draw, deal, chance = PLAYER_MODEL.world_sampler(view, Random(1)), make_dealer(view), Chance(f"{1:032x}")
        for _ in range(10):
            world = draw()
            assert WIZARD.view(world, view.seat) == view
            weighed.append(explained(view, [*world.hands, world.stock]))
            dealt.append(explained(view, deal(chance)))
    assert fmean(weighed) > fmean(dealt) + 0.1


def test_worlds_explain_the_cards_too() -> None:
    """In the trick before, seat 1 discarded low although it needs a trick: it has no Wizard left for that."""
    lost = 0.0
    for view in searched_views(4, Options(), 0.02):
        if view.tricks:
            deals = [make_dealer(view)(Chance(f"{seed:032x}")) for seed in range(64)]
            found = batch_search.weigh_by_cards(view, deals, 64, Random(1))
            assert batch_search.LEAST_EFFECTIVE <= found.effective <= 64
            lost += 64 - len({str(each) for each in found.deals})
    assert lost


@pytest.mark.parametrize("seats", WIZARD.seats)
def test_weights_are_worth_enough_deals(seats: int) -> None:
    for view in searched_views(seats, Options(), 0.05):
        deals = [make_dealer(view)(Chance(f"{seed:032x}")) for seed in range(200)]
        bids, cards = (
            weigh(view, deals, 96, Random(1)) for weigh in (batch_search.weigh_by_bids, batch_search.weigh_by_cards)
        )
        for found in (bids, cards):
            assert len(found.deals) == 96
            assert batch_search.LEAST_EFFECTIVE <= found.effective <= 200.001


def test_a_search_loads_numpy_and_nothing_else_does() -> None:
    view = next(view for view in searched_views(4, Options(), 1.0) if view.phase == "play")
    assert isinstance(search(PLAYER_MODEL, view, moves_of(view), Random(1), PLAYER_MODEL.budget).move, Play)  # type: ignore[arg-type]
