"""What may be taken back without asking the others, and lists in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from engines.court import COURT
from engines.features.takebacks.rules import is_free
from engines.jest import JEST
from engines.jokers import JOKERS
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.phrases import join_phrases
from engines.kit.seats import parse_seat
from engines.wizard import WIZARD
from engines.wizard.model import Options
from tests.engines.court import positions as court_positions
from tests.engines.jest import positions as jest_positions
from tests.engines.jokers import positions as jokers_positions
from tests.engines.wizard import positions as wizard_positions


def can_take_back(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a move, with the letter of its seat, is free; it is made."""
    seat, move = parse_seat(line[0]), game.parse_move(line[2:])
    game.check(state, seat, move)
    before, learners = game.copy(state), game.reveals(state, seat, move)
    game.play(state, seat, move)
    return is_free(game, before, move, state, seat, learners)


def test_a_move_is_free_while_the_same_turn_goes_on_and_nothing_was_revealed() -> None:
    state = jokers_positions.parse_position(
        f"hand: {jokers_positions.PLAIN} | other: {jokers_positions.PLAIN2} | pile: 4D | safety: 6H KD / AS joker"
    )
    game = JOKERS
    assert not can_take_back(game, state, "A safety 1")  # it shows the card
    assert can_take_back(game, state, "A keep")
    assert not can_take_back(game, state, "A discard AC")  # the other has seen the card
    assert not can_take_back(game, state, "A done")  # it is the other's turn


def test_a_card_that_the_others_see_is_not_free_in_the_same_turn_either() -> None:
    state = court_positions.parse_position("   K L\n9 A B\nhands: 2C QH AS / 3D")
    assert not can_take_back(COURT, state, "A move 2C")
    assert not can_take_back(COURT, state, "A discard AS")


def test_the_last_move_of_a_match_is_not_free() -> None:
    state = wizard_positions.parse_position("rounds: 1 | trump: H | hands: 2C / 9H / AH")
    wizard_positions.play_moves(state, "play 2C", "play 9H")
    assert not can_take_back(WIZARD, state, "C play AH")


def test_a_sealed_offer_is_free_until_the_last_one_is_in() -> None:
    state = jest_positions.parse_position("AS 2H / 3D 4C / 2S joker")
    assert can_take_back(JEST, state, "A offer 2H")
    assert can_take_back(JEST, state, "B offer 4C")
    assert can_take_back(JEST, state, "B offer 3D")  # a change of mind
    assert not can_take_back(JEST, state, "C offer joker")


@pytest.mark.parametrize(("bids", "is_sealed"), [("open", False), ("hidden", True), ("late", True)])
def test_a_bid_is_free_if_it_is_sealed(bids: Any, is_sealed: bool) -> None:
    state = WIZARD.start(3, Options(bids=bids), Chance("5" * 32))
    first, last = state.turn, (state.turn + 2) % 3
    assert can_take_back(WIZARD, state, f"{'ABC'[first]} bid 1") is is_sealed
    if is_sealed:
        assert can_take_back(WIZARD, state, f"{'ABC'[(first + 1) % 3]} bid 0")
        assert not can_take_back(WIZARD, state, f"{'ABC'[last]} bid 1")


def test_an_open_choice_that_others_make_at_the_same_time_is_not_sealed() -> None:
    class OpenPasses(type(WIZARD)):  # type: ignore[misc]  # everybody sees the cards that are being passed
        def view(self, state: Any, seat: int | None) -> Any:
            return super().view(state, seat), tuple(state.passes)

    state = wizard_positions.parse_position(
        "trump: H | specials: carousel | hands: carousel 2C 3C / 9H 2D 3D / AH 2S 3S"
    )
    wizard_positions.play_moves(state, "play carousel", "play 9H", "play AH")
    assert can_take_back(WIZARD, WIZARD.copy(state), "B pass 2D")
    assert not can_take_back(OpenPasses(), state, "B pass 2D")


@pytest.mark.parametrize(
    ("phrases", "text"), [(["a joker"], "a joker"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_phrases_are_joined_as_in_a_sentence(phrases: list[str], text: str) -> None:
    assert join_phrases(phrases) == join_phrases(iter(phrases)) == text
