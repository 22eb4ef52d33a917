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
from collections.abc import Iterable
from random import Random

import pytest

from engines.jokers import JOKERS, deck
from engines.jokers.melds import best
from engines.jokers.model import Declare, Move, Options, State, Trade
from engines.kit.chance import Chance
from engines.kit.contract import Event, IllegalMove

SEED = "c0ffee00" * 4
KEYS = {"hand", "other", "safety", "pile", "top", "draw", "rounds", "scores"}
FULL = "5D 6D 7D 8D 9D JS QS KS"
PLAIN = "AC 3D 5H 7S 9C JD KH 2S"  # no meld in it, nor half of one
PLAIN2 = "AH 3S 5C 7C 9H JC KC 2D"


def position(text: str = "") -> State:
    """The state behind such a line. Raises ValueError where it makes no sense."""
    facts = {key.strip(): value.strip() for key, _, value in (part.partition(":") for part in text.split("|") if part)}
    if not facts.keys() <= KEYS:
        raise ValueError(f"{facts.keys() - KEYS} say nothing of a position")
    state = JOKERS.start(2, Options(rounds=int(facts.get("rounds", "2"))), Chance(SEED))
    state.starter = state.turn = 0
    given = {key: named(facts.get(key, "")) for key in ("hand", "other", "pile", "top")}
    safety = [named(row) for row in facts["safety"].split("/")] if "safety" in facts else [[], []]
    rest = list((Counter(deck.DECK) - Counter(_all(*given.values(), *safety))).elements())
    Random(5).shuffle(rest)
    state.hands = [deck.hand(_filled(given[key], 8, rest)) for key in ("hand", "other")]
    state.safety = [_filled(row, 2, rest) for row in safety]
    number = int(facts.get("draw", len(rest) + len(given["top"])))
    state.draw = _filled(given["top"], number, rest)[::-1]
    state.discard = [*rest, *given["pile"]]
    state.scores = [int(score) for score in facts.get("scores", "0 0").split()]
    if all_cards(state) != Counter(deck.DECK):
        raise ValueError("more cards of a kind than the deck has")
    return state


def named(text: str) -> list[int]:
    """The cards of a list of names: `10H joker 3S`."""
    return [deck.card(name) for name in text.split()]


def names(cards: Iterable[int]) -> str:
    """The names of cards, in their order."""
    return " ".join(map(deck.name, cards))


def hand(state: State, seat: int) -> str:
    """A seat's cards by name, sorted."""
    return names(JOKERS.view(state, seat).hand)


def pile(state: State) -> str:
    """The discard pile by name, its top last."""
    return names(JOKERS.view(state, None).discard)


def turn(state: State) -> int:
    """The one seat that may act."""
    (seat,) = JOKERS.decisions(state)
    return seat


def legal(state: State) -> list[str]:
    """The notation of all that the seat to act may do, but for trades."""
    return [JOKERS.write(move) for move in JOKERS.moves(state, turn(state)) if not isinstance(move, Trade)]


def trades(state: State) -> list[Trade]:
    """The trades that are listed for the seat to act."""
    return [move for move in JOKERS.moves(state, turn(state)) if isinstance(move, Trade)]


def play(state: State, *texts: str) -> list[Event]:
    """Make these moves, each by the seat whose turn it is by then, as a match would; all that happened."""
    events: list[Event] = []
    for text in texts:
        seat, move = turn(state), JOKERS.read(text)
        JOKERS.check(state, seat, move)
        events += JOKERS.play(state, seat, move)
    return events


def refused(state: State, move: str | Move, seat: int | None = None) -> IllegalMove:
    """Try a move (of the seat to act, unless told) that is to be refused; C3: with a sentence, and without a change."""
    before = JOKERS.checkpoints.dump_json(state)
    acting = turn(state) if seat is None else seat
    with pytest.raises(IllegalMove) as caught:
        JOKERS.check(state, acting, JOKERS.read(move) if isinstance(move, str) else move)
    assert JOKERS.checkpoints.dump_json(state) == before, "a refused move changed the state"
    assert caught.value.reason.endswith("."), f"not a sentence: {caught.value.reason}"
    assert caught.value.reason[0].isupper(), f"not a sentence: {caught.value.reason}"
    return caught.value


def all_cards(state: State) -> Counter[int]:
    """Every card of the round, wherever it is."""
    down = [card for row, flags in zip(state.safety, state.down, strict=True) for card in _where(row, flags)]
    found = Counter([*state.draw, *state.discard, *down])
    for held in state.hands:
        found += Counter(deck.held(held))
    return found if state.turned is None else found + Counter([state.turned])


def choose(state: State, rng: Random, purpose: float) -> Move:
    """A move of one who, as often as `purpose` says, works towards a full hand; else any, few trades among them."""
    moves = JOKERS.moves(state, state.turn)
    if rng.random() < purpose and state.phase == "turn":
        if Declare() in tuple(moves[-2:]):
            return Declare()
        extras = best(state.hands[state.turn]).extras
        if state.trades and 0 < len(extras) <= len(state.draw):
            return Trade(tuple(rng.sample(extras, len(extras))))
    if len(moves) > 20 and rng.random() < 0.5:
        return moves[-rng.randint(1, 3)]
    return rng.choice(moves)


def _where(cards: list[int], flags: list[bool]) -> list[int]:
    return [card for card, flag in zip(cards, flags, strict=True) if flag]


def _all(*groups: list[int]) -> list[int]:
    return [card for group in groups for card in group]


def _filled(cards: list[int], number: int, rest: list[int]) -> list[int]:
    """So many cards: those, then some of the rest, which are taken from it."""
    missing = number - len(cards)
    if missing < 0 or missing > len(rest):
        raise ValueError(f"{len(cards)} cards where {number} belong")
    added = rest[:missing]
    del rest[:missing]
    return [*cards, *added]
