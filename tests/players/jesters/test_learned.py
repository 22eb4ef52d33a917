"""Jesters' network, what it is told, and the policy that uses it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from itertools import combinations
from random import Random
from statistics import fmean

import pytest

import players.jesters
from engines.jesters import JESTERS
from engines.jesters.components.catalogue import Effect, FameForColour, Recolour
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import FAVORITE_TARGET, GIFTS, Finish, Keep, Move, State
from engines.kit.chance import Chance
from players.jesters import PLAYER_MODEL, learned
from players.jesters.aftermath import after_keeping, after_success
from players.jesters.features import certain_fame, describe
from players.jesters.networks import FIRST_UNITS, INPUTS, SECOND_UNITS, WEIGHT_COUNT, Network, load_network
from players.jesters.plans import ranked_plans, task_values
from players.jesters.seat_knowledge import SeatKnowledge, knowledge_from_state, knowledge_from_view
from players.networks import INPUT_BITS, LANE, MOST, WEIGHT_BITS, read_weights
from players.search import search
from tests.engines.jesters.positions import favorite_with, gift_with, parse_position, performance_with, play_moves

GREATEST_INPUT = 8
MATCH = "42705a37"
"""The digest of the moves of a match. It changes with the weights."""
PAIR = performance_with("pair, one blue")


class PlainNetwork:
    """The same network in floating-point numbers, one weight at a time."""

    def __init__(self, weights: Sequence[int]) -> None:
        self.layers: list[list[tuple[float, ...]]] = []
        rest = [weight / 2**WEIGHT_BITS for weight in weights]
        for before, after in ((INPUTS, FIRST_UNITS), (FIRST_UNITS, SECOND_UNITS), (SECOND_UNITS + INPUTS, 1)):
            rows = [rest[after * row : after * (row + 1)] for row in range(before + 1)]
            self.layers.append([*zip(*rows, strict=True)])
            rest = rest[after * (before + 1) :]
        assert not rest

    def value(self, inputs: Sequence[float]) -> float:
        units = inputs
        for layer in self.layers[:2]:
            sums = [sum(weight * each for weight, each in zip(unit, (*units, 1.0), strict=True)) for unit in layer]
            units = [max(0.0, each) for each in sums]
        (last,) = self.layers[2]
        return sum(weight * each for weight, each in zip(last, (*units, *inputs, 1.0), strict=True))


def knowledge_of(text: str, *moves: str) -> SeatKnowledge:
    state = parse_position(text)
    play_moves(state, *moves)
    return knowledge_from_state(state, state.turn)


def learned_move(text: str, *moves: str) -> str:
    state = parse_position(text)
    play_moves(state, *moves)
    move = learned.choose_move(knowledge_from_state(state, state.turn))
    JESTERS.check(state, state.turn, move)
    return JESTERS.format_move(move)


def test_integers_give_what_the_network_gives_in_plain_numbers() -> None:
    rng = Random(1)
    weights = [round(rng.gauss(0, 150)) for _ in range(WEIGHT_COUNT)]
    packed, plain = Network(weights), PlainNetwork(weights)
    for _ in range(6):
        features = [rng.uniform(-1, 1.5) for _ in range(INPUTS)]
        assert packed.value(features) == pytest.approx(plain.value(features), abs=0.05)


def test_no_sum_of_the_network_overflows_its_lane() -> None:
    weights = read_weights(files(players.jesters).joinpath("weights.bin"), WEIGHT_COUNT)
    first, second, _ = PlainNetwork(weights).layers
    for layer, most in ((first, GREATEST_INPUT << INPUT_BITS), (second, MOST)):
        assert all(sum(map(abs, unit)) * 2**WEIGHT_BITS * most < LANE for unit in layer)


def play_learned_match(seats: int, seed: int) -> tuple[State, list[str]]:
    """A match of learned players, and its moves. All that the network is told stays below the greatest input."""
    state, moves = JESTERS.start(seats, JESTERS.options(), Chance(f"{seed:032x}")), []
    while state.final is None:
        knowledge = knowledge_from_state(state, state.turn)
        assert max(map(abs, describe(knowledge))) < GREATEST_INPUT
        move = learned.choose_move(knowledge)
        JESTERS.check(state, state.turn, move)
        moves.append(JESTERS.format_move(move))
        JESTERS.play(state, state.turn, move)
    return state, moves


def test_choices_are_the_same_on_every_machine() -> None:
    _, moves = play_learned_match(3, 1)
    assert sha256("\n".join(moves).encode()).hexdigest()[:8] == MATCH


def without_unseen(knowledge: SeatKnowledge) -> SeatKnowledge:
    """The same without what the seat learns only after its turn, and how many Gifts are in the pile."""
    return knowledge._replace(hand=(), board=(), gift_pile=0, phase="turn")


@pytest.mark.parametrize("seats", [2, 4])
def test_a_seat_knows_after_its_turn_what_the_match_shows_then(seats: int) -> None:
    state, ends = JESTERS.start(seats, JESTERS.options(), Chance(f"{seats:032x}")), 0
    while state.final is None:
        seat, number = state.turn, state.round
        knowledge = knowledge_from_state(state, seat)
        move = PLAYER_MODEL.choose_in_playout(state, seat, Random(0))
        after = learned.knowledge_after_turn(knowledge, move)
        JESTERS.play(state, seat, move)
        ended = state.turn != seat or state.round > number or state.final is not None
        if state.phase != "keep" and after is not None and ended and state.round == number and not state.final:
            now = knowledge_from_state(state, seat)
            drawn = now.hand_sizes[seat] - len(after.hand)
            assert drawn == after.hand_sizes[seat] - len(after.hand)
            assert {*after.hand} <= {*now.hand}
            assert {*after.board} <= {*now.board}
            assert without_unseen(after) == without_unseen(now)
            ends += 1
        elif after is None:
            assert not ended
    assert ends > 10 * seats


@pytest.mark.parametrize(
    ("gift", "dice", "gained"),
    [(FameForColour(1), "B4 R4", 2), (FameForColour(0), "B4 R4", 0), (None, "B4 R4", 0), (RerollGift(), "B4 B4", 0)],
)
def test_the_fame_of_a_gift_is_certain_after_a_success(gift: Effect | None, dice: str, gained: int) -> None:
    given = "" if gift is None else f"| gifts: {gift_with(gift)}"
    knowledge = knowledge_of(f"board: {PAIR} 1 2 3 {given} | perform: {PAIR} {dice}")
    after = learned.knowledge_after_turn(knowledge, Finish())
    assert after is not None
    assert certain_fame(after)[0] - certain_fame(knowledge)[0] == 4 + gained


def test_a_painted_die_brings_its_fame() -> None:
    red = gift_with(Recolour(0))
    knowledge = knowledge_of(
        f"gifts: {red} | board: {PAIR} 1 2 3 | perform: {PAIR} B4 B4", f"gift {red}", "mark 1", "paint"
    )
    after = learned.knowledge_after_turn(knowledge, Finish())
    assert after is not None
    assert certain_fame(after)[0] - certain_fame(knowledge)[0] == 4 + 1


def test_each_of_these_is_worth_something() -> None:
    plain, *others = (
        learned.position_value(knowledge_of(text))
        for text in (
            "hands: 5 | dice: red",
            "hands: 5 | dice: red | completed: 1",
            "hands: 5 6 | dice: red",
            "hands: 5 | dice: red | gifts: 25",
            "hands: 5 | dice: red blue",
            "hands: 5 | dice: red | failures: 2",
        )
    )
    assert [other > plain for other in others] == [True, True, True, True, False]


def test_plans_of_a_task_are_the_best_of_all_plans() -> None:
    knowledge = knowledge_of("dice: red blue | hands: 5 6 27 | board: 14 8 6 35")
    values = task_values(knowledge)
    assert {*values} == {14, 8, 6, 35, 0}
    assert max(value.any_plan for value in values.values()) == ranked_plans(knowledge)[0].value
    assert all(value.any_plan >= value.at_once >= 0 for value in values.values())
    assert values[35].any_plan > values[35].at_once == 0


def candidate_moves(state: State) -> list[Move]:
    view, moves = JESTERS.view(state, state.turn), JESTERS.moves(state, state.turn)
    found = list(PLAYER_MODEL.candidate_moves(view, moves, Random(1)))
    assert found[0] == learned.choose_move(knowledge_from_view(view))
    assert len(set(found)) == len(found) < 40
    for move in found:
        JESTERS.check(state, state.turn, move)
    return found


def test_a_few_moves_of_thousands_are_looked_at() -> None:
    state = parse_position("seats: 4 | dice: 4 red 4 blue 4 green 4 purple | hands: 5 6 13 14 9")
    assert len(JESTERS.moves(state, 0)) > 3000
    assert 1 < len(candidate_moves(state)) < 40


def test_finished_performances_are_marked_and_gifts_are_compared() -> None:
    state = parse_position("board: 14 1 2 3 | perform: 14 R4 B4")
    assert candidate_moves(state) == [Finish()]
    state = parse_position("favorite: 4 | gift pile: 1 25 3 | perform: favorite R4 B4")
    play_moves(state, "finish")
    assert {*candidate_moves(state)} <= {Keep(1), Keep(25)}


@pytest.mark.parametrize("dice", ["R1 " * 5 + "B2 " * 4, "R1 R2 R3 R4 R5 B1 B2 B3 B4 B5"])
def test_dice_left_by_others_are_no_trouble(dice: str) -> None:
    text = f"seats: 4 | gifts: {gift_with(Recolour(0))} | hands: 1 2 5 | board: 31 36 2 3 4 | perform: 36 {dice}"
    assert learned_move(text)
    assert learned_move(text, "reroll 5")
    assert learned_move(text, f"gift {gift_with(Recolour(0))}").startswith("mark")


def test_a_move_is_worth_what_the_network_sees_at_the_end_of_the_turn() -> None:
    state = parse_position("hands: 5 6 27 | board: 14 8 6 36")
    knowledge, move = knowledge_from_state(state, 0), JESTERS.parse_move("learn 5 red")
    after = learned.knowledge_after_turn(knowledge, move)
    assert after is not None
    assert PLAYER_MODEL.evaluate_move(JESTERS.copy(state), 0, move, Random(1)) == learned.position_value(after)


def test_the_last_move_of_a_match_is_worth_the_final_fame() -> None:
    state = parse_position("round: 3 | placed: 2 3 | completed: 36 38 / 1 | failures: 0 2 3 | passed: 1")
    value = PLAYER_MODEL.evaluate_move(state, 0, JESTERS.parse_move("pass"), Random(1))
    assert state.final is not None
    assert value == learned.final_value(state.final.totals, 0)
    own, *others = state.final.totals
    assert value == own - learned.OTHERS_WEIGHT * fmean(others)


def test_an_attempt_is_worth_about_what_its_odds_promise() -> None:
    state = parse_position(f"dice: 2 blue red | hands: 5 6 | board: {PAIR} 1 2 3 | favorite: {favorite_with('pair')}")
    knowledge = knowledge_from_state(state, 0)
    promised = next(
        each for each in learned.rank_moves(knowledge) if JESTERS.format_move(each.move).startswith(f"perform {PAIR}")
    )
    found = []
    for number in range(60):
        world = JESTERS.copy(state)
        world.chance = Chance(f"{number:032x}")
        found.append(PLAYER_MODEL.evaluate_move(world, 0, promised.move, Random(1)))
    assert fmean(found) == pytest.approx(promised.value, abs=1.0)


def test_a_favorite_brings_the_better_of_two_gifts() -> None:
    knowledge = knowledge_of("favorite: 4 | hands: 5 6 | perform: favorite R4 B4")
    finish = learned.rank_moves(knowledge)[0]
    assert finish.move == Finish()
    after = learned.knowledge_after_turn(knowledge, Finish())
    assert after is not None
    after_favorite = after_success(knowledge, FAVORITE_TARGET, ())  # Gifts are compared as if the dice stayed
    unseen = [gift for gift in GIFTS if all(gift not in gifts for gifts in knowledge.gifts)]
    worth = {gift: learned.position_value(after_keeping(after_favorite, gift)) for gift in unseen}
    better = fmean(max(worth[one], worth[other]) for one, other in combinations(unseen, 2))
    gain = better - learned.position_value(after_favorite)
    assert gain > 1
    assert finish.value == pytest.approx(learned.position_value(after) + gain)


def test_hard_takes_the_first_candidate_without_playing_on() -> None:
    state = parse_position("hands: 5 6 27 | board: 14 8 6 36")
    view, moves = JESTERS.view(state, 0), JESTERS.moves(state, 0)
    found = search(PLAYER_MODEL, view, moves, Random(1), PLAYER_MODEL.budget)
    assert found.move == learned.choose_move(knowledge_from_view(view))
    assert found.next_best is None


def test_the_weights_are_those_of_the_network() -> None:
    assert load_network() is load_network()
    with pytest.raises(ValueError, match="weights"):
        read_weights(files(players.jesters).joinpath("weights.bin"), WEIGHT_COUNT + 1)
