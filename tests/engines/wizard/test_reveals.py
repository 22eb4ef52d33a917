"""Which moves of Wizard show something hidden, to whom, and what is said of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.kit.chance import Chance
from engines.wizard import WIZARD, deck
from engines.wizard.model import Options, State
from tests.engines.wizard.positions import TOOLS, parse_position, play_moves

CARDS = "players: 3 | trump: H | hands: 2C 3C / 9H 2D / AH 2S"
LAST_CARDS = "trump: H | hands: 2C / 9H / AH"


def play_to(state: State, number: int, phase: str, waiting: int = 0) -> State:
    """The state, once that phase of that round has begun, and so many seats are still to decide."""
    rng = Random(1)
    while (state.round, state.phase) != (number, phase) or (waiting and len(WIZARD.decisions(state)) != waiting):
        seat = rng.choice([*WIZARD.decisions(state)])
        WIZARD.play(state, seat, rng.choice(WIZARD.moves(state, seat)))
    return state


def start_match(seats: int, **options: Any) -> State:
    return WIZARD.start(seats, Options(**options), Chance(f"{5:032x}"))


def test_bids_and_cards_show_nothing_hidden() -> None:
    assert TOOLS.describe_reveals(start_match(3), "bid 1") == "nobody"
    state = parse_position(CARDS)
    for text in ("play 2C", "play 9H", "play AH"):
        assert TOOLS.describe_reveals(state, text) == "nobody"
        play_moves(state, text)


def test_w2_the_last_card_of_a_round_shows_everybody_the_next_deal() -> None:
    state = parse_position(f"rounds: 2 | {LAST_CARDS}")
    play_moves(state, "play 2C", "play 9H")
    assert TOOLS.describe_reveals(state, "play AH") == "ABC: A new round was dealt."


def test_w11_the_last_card_of_the_match_shows_nothing_hidden() -> None:
    state = parse_position(f"rounds: 1 | {LAST_CARDS}")
    play_moves(state, "play 2C", "play 9H")
    assert TOOLS.describe_reveals(state, "play AH") == "nobody"


@pytest.mark.parametrize(("players", "reveal"), [(2, "{mover}"), (3, "ABC"), (4, "ABCD")])
def test_w16_the_last_hidden_bid_shows_those_of_third_players(players: int, reveal: str) -> None:
    state = play_to(start_match(players, bids="hidden", dummy=True), 2, "bid")
    while len(WIZARD.decisions(state)) > 1:
        seat = next(iter(WIZARD.decisions(state)))
        assert TOOLS.describe_reveals(state, "bid 1", seat) == "nobody"
        WIZARD.play(state, seat, WIZARD.parse_move("bid 1"))
    state.stock += state.hands.pop() if players == 2 else []  # without what the dummy would show
    (mover,) = WIZARD.decisions(state)
    letters = reveal.format(mover="ABCD"[mover])
    assert TOOLS.describe_reveals(state, "bid 1") == f"{letters}: The bids were revealed."


def test_w17_late_bids_come_to_light_at_the_end_of_the_round() -> None:
    state = play_to(start_match(3, bids="late", rounds=1), 1, "bid", waiting=1)
    assert TOOLS.describe_reveals(state, "bid 1") == "nobody"
    play_moves(state, "bid 1")
    while len(WIZARD.moves(state, state.turn)) and sum(map(len, state.hands)) > 1:
        text = WIZARD.format_move(WIZARD.moves(state, state.turn)[0])
        assert TOOLS.describe_reveals(state, text) == "nobody"
        play_moves(state, text)
    (last,) = WIZARD.moves(state, state.turn)
    assert TOOLS.describe_reveals(state, WIZARD.format_move(last)) == "ABC: The bids were revealed."


def test_w18_the_last_blind_bid_shows_everybody_their_hand() -> None:
    state = play_to(start_match(3, blind=True), 3, "bid")
    play_moves(state, "bid 1")
    assert TOOLS.describe_reveals(state, "bid 1") == "nobody"
    play_moves(state, "bid 1")
    assert TOOLS.describe_reveals(state, "bid 1") == "ABC: Everybody has seen their cards."


def test_w19_a_card_that_the_dummy_turns_up_is_shown_to_both() -> None:
    state = play_to(start_match(2, dummy=True), 4, "play")
    while state.turn != 1 or (state.turn - state.leader) % 3 != len(state.trick) or len(state.trick) == 2:
        play_moves(state, WIZARD.format_move(WIZARD.moves(state, state.turn)[0]))
    card = deck.CARD_NAMES.card_phrase(state.hands[2][-1])
    text = WIZARD.format_move(WIZARD.moves(state, 1)[0])
    assert TOOLS.describe_reveals(state, text) == f"AB: The dummy hand turned up {card}."
    state.stock = [state.hands[2][-1]] * len(state.stock)
    state.hands[2] = [state.hands[2][-1]] * len(state.hands[2])
    state.hands[0] = [state.hands[2][-1]] * len(state.hands[0])
    assert TOOLS.describe_reveals(state, text) == f"A: The dummy hand turned up {card}."  # B can name it


def test_w24_the_last_card_to_be_passed_shows_everybody_what_they_get_but_for_the_movers_own() -> None:
    state = parse_position("trump: H | specials: carousel | hands: carousel 2C 3C / 9H 2D 3D / AH 2S 3S")
    play_moves(state, "play carousel", "play 9H", "play AH")
    for seat, text in ((2, "pass 2S"), (0, "pass 2C")):
        assert TOOLS.describe_reveals(state, text, seat) == "nobody"
        WIZARD.play(state, seat, WIZARD.parse_move(text))
    assert TOOLS.describe_reveals(state, "pass 2D", 1) == (  # C gets it
        "A: The cards were passed, and you got the 2 of spades. B: The cards were passed, and you got the 2 of clubs."
    )
    sentence = WIZARD.describe_reveal(state, 1, WIZARD.parse_move("pass 2D"), 2)
    assert sentence == "The cards were passed, and you got the 2 of diamonds."


@pytest.mark.parametrize("text", ["raise", "lower"])
def test_w25_a_changed_bid_shows_nothing_within_the_round(text: str) -> None:
    state = parse_position("trump: H | specials: weathervane | bids: 1 1 1 | hands: weathervane 2C / 9H 2D / AH 2S")
    play_moves(state, "play weathervane", "play 9H", "play AH")
    assert TOOLS.describe_reveals(state, text) == "nobody"


def test_w25_a_bid_changed_after_the_last_trick_brings_the_next_deal() -> None:
    state = parse_position("rounds: 2 | trump: H | specials: weathervane | bids: 1 1 1 | hands: weathervane / 9H / AH")
    play_moves(state, "play weathervane", "play 9H", "play AH")
    assert TOOLS.describe_reveals(state, "lower") == "ABC: A new round was dealt."
