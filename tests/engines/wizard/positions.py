"""Positions of Wizard from a line of text, and how tests move on from there.

`trick: 2S wizard | hand: 10H 3H jester | trump: H` is the first trick of a round of three cards: seat 0 led the 2 of
spades, seat 1 played a Wizard, and seat 2 holds those three cards. What is left out is filled in. The keys:

- `players` (3), `rounds` (as many as there are), `dealer` (the last seat), `phase` (`play`; or `bid`, `trump`)
- `hand`: of the seat to act; or `hands`: of every seat, `2H 3H / AS jester / …`; with what is in the trick taken out
- `trick`: the cards played, from the dealer's left on
- `trump`: a suit or `none`; or `turned`: the card turned up, or `none`
- `bids`, `scores`: by seat (0); a bid of `-` is not made yet
- `hook`: the smallest hand with the hook (none)
- `specials`: the special cards in the pack (none)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from random import Random

from engines.kit import cards
from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.wizard import WIZARD, deck
from engines.wizard.house_rules import round_count
from engines.wizard.model import Options, Phase, Play, State
from tests.engines.position_tools import PositionTools, parse_facts

PHASES: dict[str, Phase] = {"trump": "trump", "bid": "bid", "play": "play"}
FACT_KEYS = {"players", "rounds", "dealer", "phase", "hand", "hands", "trick", "trump", "turned", "bids", "scores"}
FACT_KEYS |= {"hook", "specials"}
SEED = "c0ffee00" * 4
TOOLS = PositionTools(WIZARD, deck)
parse_cards = TOOLS.parse_cards
seat_to_act, legal_notations = TOOLS.seat_to_act, TOOLS.legal_notations
play_moves, expect_refusal = TOOLS.play_moves, TOOLS.expect_refusal


def parse_position(text: str) -> State:
    """The state behind such a line. Raises ValueError if it makes no sense."""
    facts = parse_facts(text.split("|"), FACT_KEYS)
    seats = int(facts.get("players", "3"))
    state = WIZARD.start(seats, Options(), Chance(SEED))
    state.rounds = int(facts.get("rounds", state.rounds))
    state.dealer = dealer = int(facts.get("dealer", seats - 1))
    state.leader = left = (dealer + 1) % seats
    state.draws = [tuple(2 if seat == dealer else 1 for seat in range(seats))]
    state.phase = phase = PHASES[facts.get("phase", "play")]
    state.bids = _parse_bids(facts, seats, phase)
    state.scores = list(map(int, facts.get("scores", "0 " * seats).split()))
    trick = parse_cards(facts.get("trick", ""))
    before = len(trick) if phase == "play" else seats - state.bids.count(None)
    acting = dealer if phase == "trump" else (left + before) % seats
    given = {seat: parse_cards(hand) for seat, hand in enumerate(facts.get("hands", "").split("/")) if hand.strip()}
    if "hand" in facts:
        given[acting] = parse_cards(facts["hand"])
    state.specials = tuple(sorted(parse_cards(facts.get("specials", ""))))
    pack = deck.pack(state.specials)
    state.turned = turned_card = _turned_card(facts, [*trick, *chain(*given.values())])
    suit = facts.get("trump", "none")
    state.trump = cards.parse_suit(suit) if suit != "none" else None if turned_card is None else deck.SUIT[turned_card]
    state.hands = _fill_hands(seats, given, {(left + i) % seats: card for i, card in enumerate(trick)}, turned_card)
    state.round = state.trick_count = len(state.hands[0])
    state.hook = int(facts["hook"]) if "hook" in facts else None
    known = Counter(chain(*state.hands, [] if turned_card is None else [turned_card]))
    state.stock = list((Counter(pack) - known).elements())
    if all_cards(state) != Counter(pack):
        raise ValueError("more cards of a kind than the deck has")
    state.turn = left if phase == "play" else acting
    play_moves(state, *(f"play {deck.card_name(card)}" for card in trick))
    return state


def playable_names(state: State) -> list[str]:
    return [deck.card_name(move.card) for move in WIZARD.moves(state, seat_to_act(state)) if isinstance(move, Play)]


def play_random(state: State, seed: int = 0, until_round: int | None = None) -> list[Event]:
    """Make random moves up to the start of that round, or to the end of the match; all that happened."""
    random, events = Random(seed), list[Event]()
    while WIZARD.decisions(state) and WIZARD.view(state, None).round != until_round:
        seat = seat_to_act(state)
        events += WIZARD.play(state, seat, random.choice(WIZARD.moves(state, seat)))
    return events


def all_cards(state: State) -> Counter[int]:
    """Every card of the round, in any place: in a hand, in the trick, in a trick taken, turned up, not dealt."""
    view = WIZARD.view(state, None)
    found = Counter(state.stock) + Counter(view.trick)
    for seat in range(view.seats):
        found += Counter(WIZARD.view(state, seat).hand)
    for trick in view.tricks:
        found += Counter(trick.cards)
    return found if view.turned is None else found + Counter([view.turned])


def _parse_bids(facts: dict[str, str], seats: int, phase: Phase) -> list[int | None]:
    """By seat; unless told, none is made before the play, and all are 0 in it."""
    if "bids" not in facts:
        return [0 if phase == "play" else None] * seats
    return [None if bid == "-" else int(bid) for bid in facts["bids"].split()]


def _turned_card(facts: dict[str, str], used: Sequence[int]) -> int | None:
    """The card turned up: the one told, or one that makes the trump what it is told to be."""
    if "turned" in facts:
        return None if facts["turned"] == "none" else deck.parse_card(facts["turned"])
    free = Counter[int](deck.DECK) - Counter[int](used)
    if "trump" not in facts or facts["trump"] == "none":
        return deck.JESTER if free[deck.JESTER] else None
    return next(card for card in free if deck.SUIT[card] == cards.parse_suit(facts["trump"]))


def _fill_hands(
    seats: int, given: dict[int, list[int]], played: dict[int, int], turned_card: int | None
) -> list[list[int]]:
    """Every hand as it was before the trick; those not given from the other cards, of the trick's suits last."""
    hands = [[*given.get(seat, ()), *([played[seat]] if seat in played else ())] for seat in range(seats)]
    size = max(map(len, hands))
    free = Counter(deck.DECK) - Counter(card for hand in hands for card in hand)
    free -= Counter([] if turned_card is None else [turned_card])
    suits = {deck.SUIT[card] for card in played.values()}
    rest = sorted(free.elements(), key=lambda card: (deck.SUIT[card] in suits, card))
    for seat, hand in enumerate(hands):
        while seat not in given and len(hand) < size:
            hand.append(rest.pop(0))
    if {len(hand) for hand in hands} != {size} or not 1 <= size <= round_count(seats, Options()):
        raise ValueError(f"hands of different sizes, or of {size} cards")
    return [sorted(hand) for hand in hands]
