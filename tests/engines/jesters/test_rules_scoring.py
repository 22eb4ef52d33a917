"""Jesters by the book: the final scoring (S16–S19)."""

from __future__ import annotations

import pytest

from engines.jesters import JESTERS
from engines.jesters.components import catalogue as parts
from engines.jesters.model import FinalScoring, Majority, State
from engines.jesters.scoring import count_symbols, majority_fame, matching_symbols
from engines.jesters.view import View
from engines.kit.contract import Outcome
from tests.engines.jesters.positions import (
    parse_position,
    play_moves,
)


def table_view(state: State) -> View:
    """What everybody sees."""
    return JESTERS.view(state, None)


def final_of(state: State) -> FinalScoring:
    """The final scoring."""
    scored = table_view(state).final
    assert scored is not None
    return scored


# --- S16: majorities


@pytest.mark.parametrize(
    ("counts", "most", "second", "fame"),
    [
        ((3, 2, 1), 6, 3, (6, 3, 0)),
        ((1, 2, 3), 5, 2, (0, 2, 5)),
        ((0, 4, 0), 6, 3, (0, 6, 0)),  # nobody scores without a matching symbol
        ((0, 0, 0), 6, 3, (0, 0, 0)),
        ((2, 2, 1), 6, 3, (4, 4, 0)),  # (6 + 3) / 2, and no second
        ((2, 2, 2), 6, 3, (3, 3, 3)),
        ((2, 2, 2), 5, 2, (2, 2, 2)),  # 7 / 3
        ((1, 1, 1, 1), 4, 1, (1, 1, 1, 1)),  # 5 / 4
        ((3, 1, 1), 6, 3, (6, 1, 1)),  # 3 / 2
        ((3, 1, 1, 1), 5, 2, (5, 0, 0, 0)),  # 2 / 3
        ((0, 2, 2, 5), 4, 1, (0, 0, 0, 4)),
        ((2, 5), 4, 1, (1, 4)),
        ((1, 1), 4, 1, (2, 2)),
    ],
)
def test_s16_most_second_and_ties(counts: tuple[int, ...], most: int, second: int, fame: tuple[int, ...]) -> None:
    assert majority_fame(counts, most, second) == fame


def test_s16_symbols_on_completed_performances_and_on_gifts_that_match_either_symbol_of_the_favorite() -> None:
    all_parts = parts.all_components()
    for number in range(1, 6):
        wanted = parts.favorite(number).symbols
        for own in ([each] for each in range(1, 39)):
            count = sum(symbol in wanted for symbol in parts.performance(own[0]).symbols)
            assert matching_symbols(number, [count_symbols(own, []), count_symbols([], [])]) == (count, 0)
        for gift in all_parts.gifts:
            assert matching_symbols(number, [count_symbols([], []), count_symbols([], [gift.id])]) == (
                0,
                int(gift.symbol in wanted),
            )
        everything = sum(symbol in wanted for each in all_parts.performances for symbol in each.symbols)
        gifts = sum(gift.symbol in wanted for gift in all_parts.gifts)
        assert matching_symbols(number, [count_symbols(range(1, 39), range(1, 26))]) == (everything + gifts,)


def test_s16_the_dealt_gift_counts_too_and_used_gifts_do() -> None:
    wanted = parts.favorite(3).symbols
    gift = next(each.id for each in parts.all_components().gifts if each.symbol in wanted)
    state = end_match(f"gifts: / {gift} | used: {gift}", favorites=(3, 1, 2))
    assert final_of(state).majorities[0] == Majority(3, 6, 3, (0, 1, 0), (0, 6, 0))


def end_match(text: str, favorites: tuple[int, int, int] = (1, 2, 3)) -> State:
    """A match at its end."""
    one, two, three = favorites
    state = parse_position(f"{text} | round: 3 | placed: {one} {two} | favorite: {three} | passed: 1 2")
    play_moves(state, "pass")
    return state


def test_s16_the_places_score_6_and_3_then_5_and_2_then_4_and_1() -> None:
    places = final_of(end_match("", favorites=(4, 2, 5))).majorities
    assert [(place.favorite, place.most, place.second) for place in places] == [(4, 6, 3), (2, 5, 2), (5, 4, 1)]


# --- S17, S18: the other parts


def test_s17_the_failure_track() -> None:
    state = parse_position("seats: 4 | round: 3 | placed: 1 2 | favorite: 3 | failures: 0 1 2 3 | passed: 1 2")
    play_moves(state, "pass")
    assert final_of(state).track == (5, 2, -2, -5)


def test_s17_three_fame_for_the_first_player_card() -> None:
    assert final_of(end_match("first: 1")).first == (0, 3, 0)


def test_s18_the_fame_of_completed_performances_and_of_gifts() -> None:
    state = end_match("completed: 7 13 / 38 | fame: 4 0 2")
    fame = [parts.performance(number).fame for number in (7, 13, 38)]
    assert final_of(state).performances == (fame[0] + fame[1], fame[2], 0)
    assert final_of(state).gifts == (4, 0, 2)


def test_s18_the_total_is_the_sum_of_all_parts() -> None:
    state = end_match("completed: 7 13 30 / 38 / 21 | gifts: 1 2 / 12 / 7 | fame: 4 0 2 | failures: 1 2")
    scored = final_of(state)
    for seat in range(3):
        places = sum(place.fame[seat] for place in scored.majorities)
        rest = (scored.track, scored.first, scored.performances, scored.gifts)
        assert scored.totals[seat] == places + sum(part[seat] for part in rest)
    assert sum(place.fame[0] for place in scored.majorities) > 0
    outcome = JESTERS.outcome(state)
    assert outcome is not None
    assert outcome.points == scored.totals


def test_s16_who_is_out_is_scored_with_all_they_have() -> None:
    symbol = parts.performance(13).symbols[0]
    favorite = next(each.id for each in parts.all_components().favorites if symbol in each.symbols)
    others = [number for number in range(1, 6) if number != favorite]
    places = f"round: 3 | placed: {favorite} {others[0]} | favorite: {others[1]}"
    state = parse_position(f"{places} | completed: 13 | failures: 3 | passed: 1 | turn: 2")
    play_moves(state, "pass")
    assert final_of(state).majorities[0].fame[0] == 6


# --- S19: the winner


def outcome_of(text: str) -> Outcome:
    """How a match ends where nobody has a Performance; seat 0 is out and has none of the Gifts' symbols scored."""
    found = JESTERS.outcome(end_match(text))
    assert found is not None
    return found


def unmatched_gifts() -> list[int]:
    """Gifts with a symbol that none of the Favorites 1, 2 and 3 bears."""
    scored = {symbol for number in (1, 2, 3) for symbol in parts.favorite(number).symbols}
    return [each.id for each in parts.all_components().gifts if each.symbol not in scored]


def test_s19_the_highest_total_wins() -> None:
    assert outcome_of("fame: 1 5 3 | first: 1") == Outcome((3, 1, 2), (6, 13, 8))


def test_s19_a_tie_goes_to_the_most_gifts() -> None:
    one, two, three = unmatched_gifts()[:3]
    found = outcome_of(f"first: 2 | fame: 3 3 0 | gifts: {one} / {two} {three} | hands: 1 2 3")
    assert found == Outcome((2, 1, 3), (8, 8, 8))


def test_s19_then_to_the_most_jest_cards_in_hand() -> None:
    one, two = unmatched_gifts()[:2]
    found = outcome_of(f"first: 2 | fame: 3 3 0 | gifts: {one} / {two} | hands: 1 2 / 3 / 4 5 6")
    assert found == Outcome((1, 2, 3), (8, 8, 8))


def test_s19_who_is_still_tied_shares_the_win() -> None:
    found = outcome_of("first: 2 | fame: 3 3 | hands: 1 / 2")
    assert found == Outcome((1, 1, 3), (8, 8, 8))
    assert found.winners == (0, 1)


def test_s19_gifts_part_ties_only() -> None:
    one, two = unmatched_gifts()[:2]
    assert outcome_of(f"first: 2 | fame: 3 4 | gifts: {one} {two}") == Outcome((2, 1, 3), (8, 9, 8))
