"""Jest: the worlds that a search supposes, and what it makes of where a round ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from statistics import fmean

import pytest

from bench.players.ladder import make_chooser
from bench.players.seer import Seer
from engines.jest import JEST, deck
from engines.jest.model import State
from engines.kit.chance import Chance
from players import Budget, search
from players.jest import PLAYER_MODEL, worlds
from players.jest.forecast import evaluate_standing, expected_points
from players.jest.known import knowledge_from_state
from players.jest.numbers import load_weights
from players.jest.worlds import hidden_choices, jests_known_at
from tests.engines.jest.positions import parse_position, play_lines

ACE = deck.parse_card("AS")


def test_worlds_are_such_that_the_offers_make_sense() -> None:
    """Before the last round few show the 2 of diamonds and hide the ace of spades, which the first taker wants."""
    state = parse_position("4D|3H / 2D|AH / 4H|3D / 3C|2C", "2S")
    view, rng = JEST.view(state, 0), Random(1)
    draw, plain = PLAYER_MODEL.world_sampler(view, rng), JEST.sampler(view)
    odd = sum(draw().down[1] == ACE for _ in range(1600))
    uniform = sum(plain(Chance(f"{seed:032x}")).down[1] == ACE for seed in range(1600))
    assert odd < 2 / 3 * uniform
    assert JEST.view(draw(), 0) == view


def test_worlds_are_such_that_earlier_offers_made_sense(monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody hid a round ago, and nobody has seen since, was hidden for a reason, too."""
    state = parse_position("4D|3H / 2D|AH / 4H|3D / 3C|2C", "2S")
    play_lines(state, "A take D up", "D take B down", "B take C up", "C take A down")
    view, rng = JEST.view(state, 0), Random(1)
    draw = PLAYER_MODEL.world_sampler(view, rng)
    odd = sum(draw().past[0].down[1] == ACE for _ in range(1600))
    _explain_nothing(monkeypatch, "offers")
    draw = PLAYER_MODEL.world_sampler(view, rng)
    assert 0 < odd < 2 / 3 * sum(draw().past[0].down[1] == ACE for _ in range(1600))


def _explain_nothing(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let all such choices be equally likely, whatever somebody knows."""
    known = load_weights()
    whims = {name: getattr(known, name).model_copy(update={"whim": 1.0}) for name in names}
    monkeypatch.setattr(worlds, "load_weights", lambda: known.model_copy(update=whims))


def test_worlds_go_by_what_each_seat_knew_when_it_made_its_offer() -> None:
    """Without the offers a hidden card is guessed in three cases of ten."""
    assert _right_guesses(6) > 0.4


def test_the_takes_of_others_tell_more_than_their_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    share = _right_guesses(16)
    _explain_nothing(monkeypatch, "takes")
    assert share > _right_guesses(16) + 0.02


def _right_guesses(matches: int) -> float:
    """Return how often worlds have the right card face down, in the last round."""
    drawn: list[bool] = []
    for state, seat in _last_take_positions(matches):
        view = JEST.view(state, seat)
        draw = PLAYER_MODEL.world_sampler(view, Random(1))
        hidden = [other for other, card in enumerate(view.down) if card is None]
        drawn += [world.down[other] == state.down[other] for world in [draw() for _ in range(30)] for other in hidden]
    return fmean(drawn)


def test_a_seat_knew_then_what_it_knows_when_it_makes_its_offer() -> None:
    state, rng = JEST.start(4, JEST.options(), Chance("0e" * 16)), Random(1)
    known: dict[tuple[int, int], tuple[int, ...]] = {}
    while state.phase != "over":
        if state.phase == "offer":
            known |= {(state.round - 1, seat): tuple(knowledge_from_state(state, seat).jests) for seat in range(4)}
        else:
            view, old_rounds = JEST.view(state, 0), [[*row.up, *row.down] for row in state.past]
        seat = state.waiting[0]
        JEST.play(state, seat, rng.choice(JEST.moves(state, seat)))
    assert {
        (number, seat): jests_known_at(view, old_rounds, number, seat) for number in range(3) for seat in range(4)
    } == known


def test_a_choice_of_the_policy_is_its_likeliest_from_what_the_seat_knew_then() -> None:
    rng, count = Random(1), 0
    for seed in range(80):
        state, seat = JEST.start(3 + seed % 2, JEST.options(), Chance(f"{seed:032x}")), seed % 3
        for _ in range(rng.randrange(8, 18)):
            due = state.waiting[0]
            JEST.play(state, due, PLAYER_MODEL.choose_in_playout(state, due, rng))
        rounds = [*[(*row.up, *row.down) for row in state.past], (*state.up, *state.down)]
        for choice in hidden_choices(JEST.view(state, seat)):
            assert choice.seat != seat
            assert choice.chance(rounds) > 0.2
            count += 1
    assert count > 500


@pytest.mark.parametrize(("seats", "seed"), [(3, 1), (3, 2), (3, 8), (4, 0), (4, 5), (4, 9)])
def test_worlds_that_explain_everything_equally_well_are_equally_likely(
    seats: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _explain_nothing(monkeypatch, "offers", "takes")
    rng = Random(seed)
    state = JEST.start(seats, JEST.options(), Chance(f"{seed:032x}"))
    for _ in range(rng.randrange(2 * seats + 1, 4 * seats)):
        JEST.play(state, state.waiting[0], rng.choice(JEST.moves(state, state.waiting[0])))
    view = JEST.view(state, state.waiting[0])
    draw, plain = PLAYER_MODEL.world_sampler(view, Random(1)), JEST.sampler(view)
    walked = Counter(place for _ in range(3000) for place in _laid_cards(draw()))
    dealt = Counter(place for seed in range(3000) for place in _laid_cards(plain(Chance(f"{seed:032x}"))))
    assert max(abs(walked[place] - dealt[place]) for place in {*walked, *dealt}) < 0.08 * 3000


def _laid_cards(state: State) -> Iterator[tuple[int, int, int]]:
    """Return the cards of all rounds: the round, the place, and the card."""
    rows = [
        *[(*old_round.up, *old_round.down) for old_round in state.past],
        (*state.up, *state.down),
        sum(state.dealt, ()),
    ]
    for number, row in enumerate(rows):
        yield from [(number, place, card) for place, card in enumerate(row)]


def _last_take_positions(matches: int) -> Iterator[tuple[State, int]]:
    """Positions of the last round in which a card is to be taken, by the policy's play."""
    for seed in range(matches):
        state = JEST.start(4, JEST.options(), Chance(f"{seed:032x}"))
        while state.phase != "over":
            seat = state.waiting[0]
            if state.phase == "take" and not state.deck and len(state.complete) > 1:
                yield JEST.copy(state), seat
            JEST.play(state, seat, PLAYER_MODEL.choose_in_playout(state, seat, Random(1)))


def test_at_the_end_a_seat_stands_as_the_points_say() -> None:
    state = parse_position("4D|3H / 2D|AH / 4H|3D", "2S 3S", "", "4S 2C AS/4C 3C AD/joker AC 2H")
    play_lines(state, "A take C up", "C take B up", "B take A up")
    outcome = JEST.outcome(state)
    assert outcome is not None
    for seat, points in enumerate(outcome.points):
        ahead = points - (sum(outcome.points) - points) / 2
        win = load_weights().forecast.win * (seat in outcome.winners) / len(outcome.winners)
        assert evaluate_standing(state, seat) == pytest.approx(ahead + win)


def test_a_trophy_that_is_as_good_as_won_is_expected() -> None:
    """The ace of clubs goes to the highest spade, which A has: that says less for A only if it hurts."""
    jests = "4S/2S/3H/4H"
    worth = expected_points(parse_position("4D 3D / 2D AH / 2H 3S / 3C 2C", "AC", jests=jests))
    without = expected_points(parse_position("4D 3D / 2D AH / 2H 3S / 3C 2C", "AH", jests=jests))
    assert worth[0] - without[0] > 1 > abs(worth[2] - without[2])


def test_a_round_is_played_to_its_end_and_no_further() -> None:
    state = parse_position("4D|3H / 2D|AH / 4H|3D / 3C|2C", "2S")
    PLAYER_MODEL.evaluate_by_playout(state, 0, Random(1))
    assert (state.round, state.phase, len(state.waiting)) == (2, "offer", 4)


def test_a_seer_knows_all_cards_but_not_the_deck() -> None:
    state = next(state for state, _ in _last_take_positions(1))
    start = JEST.start(4, JEST.options(), Chance("0e" * 16))
    for truth in (start, state):
        seer = make_chooser(JEST, "seer")
        assert isinstance(seer, Seer)
        seer.truth = truth
        draw = seer.world_sampler(JEST.view(truth, 0), Random(1))
        found = [draw() for _ in range(4)]
        assert {(*world.dealt, *world.down) for world in found} == {(*truth.dealt, *truth.down)}
        assert len({tuple(world.deck) for world in found}) == (4 if truth is start else 1)
        assert all(sorted(world.deck) == sorted(truth.deck) for world in found)


def test_a_search_finds_what_is_beyond_doubt() -> None:
    state = parse_position("4D|3H / AS|AH / 4H|3D / 3C|2C", "2S")
    found = search(PLAYER_MODEL, JEST.view(state, 0), JEST.moves(state, 0), Random(1), Budget(300))
    assert JEST.format_move(found.move) == "take B up"
    assert found.gain > 0
