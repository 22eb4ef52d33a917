"""Jest: moves beyond doubt, and what a seat knows."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engines.jest import JEST, deck, scoring
from engines.kit.chance import Chance
from players.jest import PLAYER_MODEL
from players.jest.chances import DECIDING_CARDS, trophy_chance
from players.jest.known import ALL_CARDS, SeatKnowledge, knowledge_from_state, knowledge_from_view
from tests.engines.jest.positions import parse_cards, parse_position, play_lines

LAST = ""  # no stock: the last round


def policy_move(text: str, trophies: str, stock: str | None = None, jests: str = "") -> str:
    """What the policy does in the place of the seat that is first to act."""
    state = parse_position(text, trophies, stock, jests)
    seat = state.waiting[0]
    move = PLAYER_MODEL.choose_move(JEST.view(state, seat), JEST.moves(state, seat), Random(1))
    assert move == PLAYER_MODEL.choose_in_playout(state, seat, Random(1))
    JEST.check(state, seat, move)
    return JEST.format_move(move)


TROPHY_JESTS = "2C 3H/4S AS/2S 3C/AH 2H", "2C AC/4S AS/2S AH/2H 3H"
ENDING_JESTS = "4C AC 3S/joker 2H AH/4H 3H 2D"
CHOICES = {
    "the other half of a pair is taken": ("4D|3H / 3C|AH / 4H|2D", "2H 4C", None, "3S/2C/2S", "take B up"),
    "an ace alone is worth more than a four": ("4D|3H / AS|AH / 4H|3D / 3C|2C", "2S", None, "", "take B up"),
    "an ace is no five beside its suit": ("4D|3H / AS|AH / 4H|3D / 3C|2C", "2S", None, "4S 3S///", "take D up"),
    "no joker for hearts": ("4D|3S / joker|AD / 2C|3D / 2D|4S", "2S", LAST, "4H 3H/2H/AH/AC", "take C up"),
    "a joker without hearts": ("4D|3S / joker|AD / 2D|3D / AH|4S", "AC", LAST, "3C 4C/2H/3H/4H", "take B up"),
    "the card of a trophy": ("4D|3D / 3S|AD / 4H|4C / 2D|joker", "AC", LAST, TROPHY_JESTS[0], "take B up"),
    "the card of another": ("4D|3S / 3D|AD / 4H|4C / 2D|joker", "3C", LAST, TROPHY_JESTS[1], "take C up"),
    "a high card is shown to take early": ("4D 2D / 3H 3C / 2S 3D / 2C joker", "AD", None, "", "offer 2D"),
    "the better of two that others want": ("4S 2S / AD 3D / 2C 4D", "3C AS", LAST, ENDING_JESTS, "offer 4S"),
    "the worse of two that nobody wants": ("4D AD / 3C 2S / 2C 3D", "4S AS", LAST, ENDING_JESTS, "offer AD"),
}


@pytest.mark.parametrize("case", CHOICES)
def test_computers_make_moves_that_are_beyond_doubt(case: str) -> None:
    text, trophies, stock, jests, best = CHOICES[case]
    assert policy_move(text, trophies, stock, jests) == best


def test_harmful_and_useless_cards_are_not_taken() -> None:
    assert policy_move("4H|3H / 4D|AH / 3D|2C", "2H AC").endswith("down")
    assert policy_move("4D|3S / joker|AD / 2S|3D / 2D|4S", "AH", LAST, "3C 4C/2H/3H/4H") != "take B up"


def test_the_better_card_of_ones_own_offer_is_taken() -> None:
    state = parse_position("4S|4D / 3H|AH / 2S|2D / AC|AD", "joker")
    play_lines(state, "A take B down", "B take C up", "C take D up")
    assert state.complete == [0]
    assert PLAYER_MODEL.choose_in_playout(state, 3, Random(1)) == JEST.parse_move("take A up")
    state = parse_position("2D|3S / 3H|AH / 4C|2S / AC|AD", "joker")
    play_lines(state, "C take B up", "B take D up", "D take C up")
    assert state.waiting == [0]
    assert PLAYER_MODEL.choose_in_playout(state, 0, Random(1)) == JEST.parse_move("take A down")


@pytest.mark.parametrize("hand", ["4S 2D", "AC 2H", "4C AD", "AS AH"])
def test_the_others_wishes_are_shown_because_the_owner_of_the_first_offer_takes_next(hand: str) -> None:
    hidden = hand.split()[1]
    assert policy_move(f"{hand} / 3H 3C / 2S 3D / 2C joker", "4D") == f"offer {hidden}"


def test_a_seat_knows_what_it_saw() -> None:
    """B, whose 2D was taken, and who saw the 4S go, knows that its own 3S and two others are somewhere."""
    state = parse_position("4S|4D / 3S|2D / 4H|2S", "AH AC", stock="AS 2C 3C")
    play_lines(state, "A take C up", "C take B down", "B take A up")
    known = knowledge_from_state(state, 1)
    assert [deck.jest_cards(jest) for jest in known.jests] == [(deck.parse_card(card),) for card in ("4H", "4S", "2D")]
    assert set(deck.jest_cards(known.hidden_leftovers)) == {deck.parse_card("3S")} - set(known.hand)
    assert not set(deck.jest_cards(known.unseen)) & {*parse_cards("4S 3S 4H 2D AH AC"), *known.hand}


def test_in_the_last_round_what_is_left_over_counts_for_its_owner() -> None:
    state = parse_position("4S|4D / 3S|2D / 4H|2S", "AH AC", LAST, "AS 2C 3C/4C AD 2H/3H joker 3D")
    play_lines(state, "A take C down")
    assert deck.parse_card("4H") in deck.jest_cards(knowledge_from_state(state, 1).jests[2])
    assert deck.parse_card("4H") in deck.jest_cards(knowledge_from_state(state, 0).jests[2])


def test_states_and_views_tell_the_policy_the_same() -> None:
    rng = Random(1)
    for seed in range(20):
        state = JEST.start(3 + seed % 2, JEST.options(), Chance(f"{seed:032x}"))
        while decisions := JEST.decisions(state):
            for seat in decisions:
                assert _as_lists(knowledge_from_state(state, seat)) == _as_lists(
                    knowledge_from_view(JEST.view(state, seat))
                )
            seat = rng.choice(list(decisions))
            JEST.play(state, seat, rng.choice(JEST.moves(state, seat)))


def _as_lists(known: SeatKnowledge) -> list[object]:
    return [list(part) if isinstance(part, list | tuple) else part for part in known]


def test_chances_are_certain_if_all_is_known() -> None:
    rng = Random(1)
    for _ in range(300):
        cards = rng.sample(deck.DECK, 17)
        jests = [deck.make_jest(cards[seat * 4 : seat * 4 + 4]) for seat in range(4)]
        (trophy,) = cards[16:]
        if DECIDING_CARDS[trophy] != ALL_CARDS:
            winner = scoring.trophy_winner(trophy, jests)
            assert [trophy_chance(trophy, jests, seat, 0, 0.25) for seat in range(4)] == [
                seat == winner for seat in range(4)
            ]


def test_chances_of_what_is_free_are_shared() -> None:
    highest, threes = parse_cards("AS 2S")  # what they ask for as trophies: clubs, and threes
    clubs = [*map(deck.make_jest, (parse_cards("3C"), parse_cards("2C"), ()))]
    assert trophy_chance(highest, clubs, 0, free=0, take_chance=0.3) == 1
    assert trophy_chance(highest, clubs, 0, deck.make_jest(parse_cards("4C")), 0.3) == 0.3
    red = [*map(deck.make_jest, (parse_cards("3H"), parse_cards("3D"), ()))]
    assert trophy_chance(threes, red, 0, deck.make_jest(parse_cards("3S")), 0.3) == pytest.approx(0.3)


def blunders(text: str, trophies: str, stock: str | None = None, jests: str = "") -> Counter[str]:
    """What somebody new does in the place of the seat that is first to act, by many chances."""
    state = parse_position(text, trophies, stock, jests)
    seat = state.waiting[0]
    view, moves = JEST.view(state, seat), JEST.moves(state, seat)
    chosen = [PLAYER_MODEL.choose_with_blunders(view, moves, Random(number)) for number in range(200)]
    assert {*chosen} <= {*moves}
    return Counter(map(JEST.format_move, chosen))


def test_somebody_new_is_curious_unless_a_visible_card_is_clearly_good() -> None:
    assert {*blunders("4H|3H / 2D|AH / 3D|2C", "2H AC")} == {"take B up", "take B down", "take C down"}
    assert {*blunders("4D|3H / AS|AH / 4H|3D / 3C|2C", "2S")} == {"take B up", "take D up"}


def test_somebody_new_shows_any_card_and_hides_more_often_what_they_like() -> None:
    liked, other = "4D 2D / 3H 3C / 2S 3D / 2C joker", "4S 2D / 3H 3C / 2S 3D / 2C joker"
    assert (policy_move(liked, "AD"), policy_move(other, "4D")) == ("offer 2D", "offer 2D")
    assert blunders(liked, "AD")["offer 4D"] > blunders(other, "4D")["offer 4S"] + 20 > 40
