"""Positions of Jokers from a line of text, and how tests move on from there.

`hand: 4C 9D … | other: … | pile: 3C 4D | top: 5C` is an open moment of seat 0's turn in the first round: its hand, the
other's, the discard pile from the bottom up, the draw pile from the top down. Cards left out are filled in. The keys:

- `hand`, `other`: eight cards of seat 0 and of seat 1, or the first of them
- `safety`: `5H KD / AS joker`, of seat 0 and of seat 1
- `pile`: the discard pile, its top last (none)
- `top`: the cards of the draw pile that come first
- `draw`: how many cards the draw pile has (all that are left); what is left then lies at the bottom of the discard pile
- `rounds` (2), `scores` (0 0)
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from random import Random

from engines.jokers import JOKERS, deck
from engines.jokers.melds import best_split
from engines.jokers.model import Declare, Move, Options, State, Trade
from engines.jokers.view import View
from engines.kit.chance import Chance
from tests.engines.position_tools import PositionTools, parse_facts

SEED = "c0ffee00" * 4
TOOLS = PositionTools(JOKERS, deck)
parse_cards, card_names = TOOLS.parse_cards, TOOLS.card_names
hand_names, pile_names = TOOLS.hand_names, TOOLS.pile_names
seat_to_act, play_moves, expect_refusal = TOOLS.seat_to_act, TOOLS.play_moves, TOOLS.expect_refusal
FACT_KEYS = {"hand", "other", "safety", "pile", "top", "draw", "rounds", "scores"}
FULL = "5D 6D 7D 8D 9D JS QS KS"
PLAIN = "AC 3D 5H 7S 9C JD KH 2S"  # no meld in it, nor half of one
PLAIN2 = "AH 3S 5C 7C 9H JC KC 2D"


def parse_position(text: str = "") -> State:
    """The state behind such a line. Raises ValueError if it makes no sense."""
    facts = parse_facts(text.split("|"), FACT_KEYS)
    state = JOKERS.start(2, Options(rounds=int(facts.get("rounds", "2"))), Chance(SEED))
    state.starter = state.turn = 0
    given = {key: parse_cards(facts.get(key, "")) for key in ("hand", "other", "pile", "top")}
    safety = [parse_cards(row) for row in facts["safety"].split("/")] if "safety" in facts else [[], []]
    rest = list((Counter(deck.DECK) - Counter(chain(*given.values(), *safety))).elements())
    Random(5).shuffle(rest)
    state.hands = [deck.make_hand(_fill_cards(given[key], 8, rest)) for key in ("hand", "other")]
    state.safety = [_fill_cards(row, 2, rest) for row in safety]
    number = int(facts.get("draw", len(rest) + len(given["top"])))
    state.draw = _fill_cards(given["top"], number, rest)[::-1]
    state.discard = [*rest, *given["pile"]]
    state.scores = [int(score) for score in facts.get("scores", "0 0").split()]
    if all_cards(state) != Counter(deck.DECK):
        raise ValueError("more cards of a kind than the deck has")
    return state


def legal_notations(state: State) -> list[str]:
    """The notation of all that the seat to act may do, but for trades."""
    return [text for text in TOOLS.legal_notations(state) if not text.startswith("trade")]


def legal_trades(state: State) -> list[Trade]:
    return [move for move in JOKERS.moves(state, seat_to_act(state)) if isinstance(move, Trade)]


def all_cards(state: State) -> Counter[int]:
    sides = zip(state.safety, state.down, strict=True)
    down = [card for row, flags in sides for card, flag in zip(row, flags, strict=True) if flag]
    found = Counter([*state.draw, *state.discard, *down])
    for hand in state.hands:
        found += Counter(deck.hand_cards(hand))
    return found if state.turned is None else found + Counter([state.turned])


def table_view(state: State) -> View:
    return JOKERS.view(state, None)


def choose_purposeful(state: State, rng: Random, purpose: float) -> Move:
    """A move of one who, as often as `purpose` says, works towards a full hand; else any, few trades among them."""
    moves = JOKERS.moves(state, state.turn)
    if rng.random() < purpose and state.phase == "turn":
        if Declare() in tuple(moves[-2:]):
            return Declare()
        extras = best_split(state.hands[state.turn]).extras
        if state.trades and 0 < len(extras) <= len(state.draw):
            return Trade(tuple(rng.sample(extras, len(extras))))
    if len(moves) > 20 and rng.random() < 0.5:
        return moves[-rng.randint(1, 3)]
    return rng.choice(moves)


def _fill_cards(cards: list[int], number: int, rest: list[int]) -> list[int]:
    """So many cards: those, then some of the rest, which are taken from it."""
    missing = number - len(cards)
    if missing < 0 or missing > len(rest):
        raise ValueError(f"{len(cards)} cards where {number} belong")
    added = rest[:missing]
    del rest[:missing]
    return [*cards, *added]
