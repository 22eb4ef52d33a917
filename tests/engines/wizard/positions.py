"""Positions of Wizard from a line of text, and how tests move on from there.

`trick: 2S wizard | hand: 10H 3H jester | trump: H` is the first trick of a round of three cards: seat 0 led the 2 of
spades, seat 1 played a Wizard, and seat 2 holds those three cards. What is left out is filled in. The keys:

- `players` (3), `rounds` (as many as there are), `dealer` (the last seat), `phase` (`play`; or `bid`, `trump`)
- `hand`: of the seat to act; or `hands`: of every seat, `2H 3H / AS jester / …`; with what is in the trick taken out
- `trick`: the cards played, from the dealer's left on
- `trump`: a suit or `none`; or `turned`: the card turned up, or `none`
- `bids`, `scores`: by seat (0); a bid of `-` is not made yet

Positions are views made whole by the engine itself, moved on by its own moves: how it keeps a state is its own affair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from engines.kit import cards
from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.kit.errors import IllegalMove
from engines.wizard import WIZARD, deck
from engines.wizard.model import Move, Options, Phase, Play, State
from engines.wizard.turn import round_count
from engines.wizard.view import View

PHASES: dict[str, Phase] = {"trump": "trump", "bid": "bid", "play": "play"}
FACT_KEYS = {"players", "rounds", "dealer", "phase", "hand", "hands", "trick", "trump", "turned", "bids", "scores"}
SEED = "c0ffee00" * 4


def parse_position(text: str) -> State:
    """The state behind such a line. Raises ValueError where it makes no sense."""
    facts = _parse_facts(text)
    seats = int(facts.get("players", "3"))
    dealer = int(facts.get("dealer", str(seats - 1)))
    left = (dealer + 1) % seats
    phase = PHASES[facts.get("phase", "play")]
    trick = parse_cards(facts.get("trick", ""))
    bids = _parse_bids(facts, seats, phase)
    acting = _acting_seat(phase, dealer, seats, len(trick) if phase == "play" else seats - bids.count(None))
    given = {seat: parse_cards(hand) for seat, hand in enumerate(facts.get("hands", "").split("/")) if hand.strip()}
    if "hand" in facts:
        given[acting] = parse_cards(facts["hand"])
    turned = _turned_card(facts, [*trick, *[card for hand in given.values() for card in hand]])
    hands = _fill_hands(seats, given, {(left + i) % seats: card for i, card in enumerate(trick)}, turned)
    view = _make_view(facts, seats, dealer, phase, turned, hands)
    state = _state_of(replace(view, turn=left if phase == "play" else acting, bids=tuple(bids)), hands)
    play_moves(state, *(f"play {deck.card_name(card)}" for card in trick))
    return state


def parse_cards(text: str) -> list[int]:
    """The cards of a list of names: `10H jester 3S`."""
    return [deck.parse_card(name) for name in text.split()]


def hand_names(state: State, seat: int) -> str:
    """A seat's cards by name, sorted."""
    return " ".join(map(deck.card_name, WIZARD.view(state, seat).hand))


def seat_to_act(state: State) -> int:
    """The one seat that may act."""
    (seat,) = WIZARD.decisions(state)
    return seat


def legal_notations(state: State) -> list[str]:
    """The notation of all that the seat to act may do."""
    seat = seat_to_act(state)
    return [WIZARD.format_move(move) for move in WIZARD.moves(state, seat)]


def playable_names(state: State) -> list[str]:
    """The names of the cards that the seat to act may play."""
    return [deck.card_name(move.card) for move in WIZARD.moves(state, seat_to_act(state)) if isinstance(move, Play)]


def play_moves(state: State, *texts: str) -> list[Event]:
    """Make these moves, each by the seat whose turn it is by then, as a match would; all that happened."""
    events: list[Event] = []
    for text in texts:
        seat, move = seat_to_act(state), WIZARD.parse_move(text)
        WIZARD.check(state, seat, move)
        events += WIZARD.play(state, seat, move)
    return events


def play_random(state: State, seed: int = 0, until_round: int | None = None) -> list[Event]:
    """Make random moves up to the start of that round, or to the end of the match; all that happened."""
    random, events = Random(seed), list[Event]()
    while WIZARD.decisions(state) and WIZARD.view(state, None).round != until_round:
        seat = seat_to_act(state)
        events += WIZARD.play(state, seat, random.choice(WIZARD.moves(state, seat)))
    return events


def expect_refusal(state: State, move: str | Move, seat: int | None = None) -> IllegalMove:
    """Try a move (of the seat to act, unless told) that is to be refused; C3: with a sentence, and without a change."""
    before = WIZARD.checkpoint_adapter.dump_json(state)
    with pytest.raises(IllegalMove) as caught:
        _check_move(state, seat_to_act(state) if seat is None else seat, move)
    assert WIZARD.checkpoint_adapter.dump_json(state) == before, "a refused move changed the state"
    reason = caught.value.reason
    assert reason[0] in "“ABCDEFGHIJKLMNOPQRSTUVWXYZ", f"not a sentence: {reason}"
    assert reason.endswith("."), f"not a sentence: {reason}"
    assert str(caught.value) == reason
    return caught.value


def all_cards(state: State) -> Counter[int]:
    """Every card of the round, wherever it is: in a hand, in the trick, in a trick taken, turned up, not dealt."""
    view = WIZARD.view(state, None)
    found = Counter(state.stock) + Counter(view.trick)
    for seat in range(view.seats):
        found += Counter(WIZARD.view(state, seat).hand)
    for trick in view.tricks:
        found += Counter(trick.cards)
    return found if view.turned is None else found + Counter([view.turned])


def _check_move(state: State, seat: int, move: str | Move) -> None:
    WIZARD.check(state, seat, WIZARD.parse_move(move) if isinstance(move, str) else move)


def _parse_facts(text: str) -> dict[str, str]:
    facts: dict[str, str] = {}
    for part in filter(str.strip, text.split("|")):
        key, colon, value = part.partition(":")
        if not colon or key.strip() not in FACT_KEYS or key.strip() in facts:
            raise ValueError(f"“{part.strip()}” says nothing of a position")
        facts[key.strip()] = value.strip()
    return facts


def _parse_bids(facts: dict[str, str], seats: int, phase: Phase) -> list[int | None]:
    """By seat; unless told, none is made before the play, and all are 0 in it."""
    if "bids" not in facts:
        return [0 if phase == "play" else None] * seats
    return [None if bid == "-" else int(bid) for bid in facts["bids"].split()]


def _acting_seat(phase: Phase, dealer: int, seats: int, before: int) -> int:
    """Whose turn it is after so many bids, or so many cards in the trick."""
    return dealer if phase == "trump" else (dealer + 1 + before) % seats


def _make_view(
    facts: dict[str, str], seats: int, dealer: int, phase: Phase, turned: int | None, hands: list[tuple[int, ...]]
) -> View:
    """What a spectator sees before the first trick of a round; turn and bids are still to be set."""
    suit = facts.get("trump", "none")
    return View(
        seat=None,
        seats=seats,
        rounds=int(facts.get("rounds", str(round_count(seats, Options())))),
        draws=(tuple(2 if seat == dealer else 1 for seat in range(seats)),),
        dealer=dealer,
        round=len(hands[0]),
        phase=phase,
        turn=dealer,
        hand=(),
        hand_sizes=tuple(map(len, hands)),
        turned=turned,
        trump=cards.parse_suit(suit) if suit != "none" else None if turned is None else deck.SUIT[turned],
        bids=(),
        taken=(0,) * seats,
        leader=(dealer + 1) % seats,
        trick=(),
        tricks=(),
        last=None,
        scores=tuple(map(int, facts.get("scores", "0 " * seats).split())),
        sheet=(),
        numbers=(0,) * seats,
    )


def _turned_card(facts: dict[str, str], used: Sequence[int]) -> int | None:
    """The card turned up: the one told, or one that makes the trump what it is told to be."""
    if "turned" in facts:
        return None if facts["turned"] == "none" else deck.parse_card(facts["turned"])
    free = Counter[int](deck.DECK) - Counter[int](used)
    if "trump" not in facts or facts["trump"] == "none":
        return deck.JESTER if free[deck.JESTER] else None
    return next(card for card in free if deck.SUIT[card] == cards.parse_suit(facts["trump"]))


def _fill_hands(
    seats: int, given: dict[int, list[int]], played: dict[int, int], turned: int | None
) -> list[tuple[int, ...]]:
    """Every hand as it was before the trick; those not given from the other cards, of the trick's suits last."""
    hands = [[*given.get(seat, ()), *([played[seat]] if seat in played else ())] for seat in range(seats)]
    size = max(map(len, hands))
    free = Counter(deck.DECK) - Counter(card for hand in hands for card in hand)
    free -= Counter([] if turned is None else [turned])
    asked = {deck.SUIT[card] for card in played.values()}
    rest = sorted(free.elements(), key=lambda card: (deck.SUIT[card] in asked, card))
    for seat, hand in enumerate(hands):
        while seat not in given and len(hand) < size:
            hand.append(rest.pop(0))
    if {len(hand) for hand in hands} != {size} or not 1 <= size <= round_count(seats, Options()):
        raise ValueError(f"hands of different sizes, or of {size} cards")
    return [tuple(sorted(hand)) for hand in hands]


def _state_of(view: View, hands: Sequence[tuple[int, ...]]) -> State:
    """The state behind a view where all hands are known: each is taken over from what its owner's view leads to."""
    state = WIZARD.sample(view, Chance(SEED))
    for seat, hand in enumerate(hands):
        state.hands[seat] = WIZARD.sample(replace(view, seat=seat, hand=hand), Chance(SEED)).hands[seat]
    known = Counter(card for hand in hands for card in hand) + Counter([] if view.turned is None else [view.turned])
    state.stock = list((Counter(deck.DECK) - known).elements())
    if all_cards(state) != Counter(deck.DECK):
        raise ValueError("more cards of a kind than the deck has")
    return state
