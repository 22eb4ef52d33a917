"""Wizard's part in the laws, written from its rules (W1–W19)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from types import MappingProxyType
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.wizard import WIZARD, deck
from engines.wizard.model import Bid, Move, NameTrump, Options, Play, State
from engines.wizard.view import View
from tests.contract.helper import GameHelper, MatchPlan, MatchStart, card_pattern

JESTER, WIZARD_CARD = 52, 53
DUMMY = 2  # the place of a dummy hand, after two players
LATE = f"{20:032x}"
BLIND_WIZARD = 19
"""A seed with which a Wizard is turned up in the third round, which is blind."""
SWAPS = 300


class WizardHelper(GameHelper):
    """Sixty cards, one seat at a time, hidden hands."""

    minute_rules = ("W2", "W4", "W7", "W9", "W10", "W11")
    brief_options = MappingProxyType({"rounds": 1})
    rule_mixtures = (
        {},
        {"bids": "hidden"},
        {"bids": "late", "blind": True, "rounds": 3},
        {"dummy": True, "hook": 1},
        {"dummy": True, "bids": "late", "blind": True, "rounds": 3},
    )

    game: AnyGame = WIZARD

    @property
    def short_options(self) -> Mapping[str, Any]:
        """With a trick that somebody leads to who has taken one before."""
        return {"rounds": 2}

    def starts(self) -> Sequence[MatchStart]:
        """Full games, where the last round has no trump, shorter ones, the last rounds of the longest, house rules."""
        return [
            MatchStart(3, Options(rounds=7), f"{31:032x}"),
            MatchStart(4, Options(rounds=5), f"{41:032x}"),
            MatchStart(5, Options(rounds=4), f"{51:032x}"),
            MatchStart(6, Options(), f"{61:032x}"),
            MatchStart(3, Options(), LATE),
            MatchStart(4, Options(rounds=5, hook=1), f"{42:032x}"),
            MatchStart(5, Options(hands="quick", rounds=3), f"{52:032x}"),
            MatchStart(3, Options(hands="descending", rounds=5, hook=2), f"{32:032x}"),
            MatchStart(6, Options(hands="all cards", rounds=2, hook=10), f"{62:032x}"),
            MatchStart(4, Options(rounds=3, bids="hidden"), f"{43:032x}"),
            MatchStart(3, Options(rounds=4, bids="late"), f"{33:032x}"),
            MatchStart(5, Options(hands="descending", rounds=3, bids="hidden", blind=True), f"{53:032x}"),
            MatchStart(3, Options(hands="quick", rounds=3, bids="late", blind=True), f"{BLIND_WIZARD:032x}"),
            MatchStart(4, Options(rounds=4, hook=2, blind=True), f"{44:032x}"),
            MatchStart(2, Options(rounds=6, dummy=True), f"{21:032x}"),
            MatchStart(2, Options(rounds=3, hook=1, bids="open", blind=True, dummy=True), f"{22:032x}"),
            MatchStart(2, Options(hands="all cards", rounds=1, bids="late", dummy=True), f"{23:032x}"),
        ]

    def start_state(self, start: MatchStart) -> State:
        """The state at the first decision; of the late start, in the last round but one, of nineteen cards."""
        state: State = super().start_state(start)
        rng = Random(start.seed)
        while start.seed == LATE and state.round < 19:
            WIZARD.play(state, state.turn, rng.choice(WIZARD.moves(state, state.turn)))
        return state

    def golden_plans(self) -> Mapping[str, MatchPlan]:
        options = {
            "four-rounds": MatchPlan(4, {"rounds": 4}),
            "more-rounds-than-there-are": MatchPlan(6, {"rounds": 20}),
            "as-published": MatchPlan(5, {"rounds": 6}),
            "hook": MatchPlan(3, {"rounds": 9, "hook": 1}),
            "quick": MatchPlan(4, {"hands": "quick"}),
            "descending": MatchPlan(6, {"hands": "descending", "hook": 3}),
            "all-cards": MatchPlan(5, {"hands": "all cards"}),
            "hidden-bids": MatchPlan(4, {"rounds": 6, "bids": "hidden"}),
            "late-bids": MatchPlan(5, {"rounds": 5, "bids": "late"}),
            "blind": MatchPlan(3, {"rounds": 9, "blind": True}),
            "blind-and-late": MatchPlan(6, {"hands": "quick", "bids": "late", "blind": True}),
            "dummy": MatchPlan(2, {"rounds": 8, "dummy": True, "hook": 2}),
            "dummy-hidden-and-blind": MatchPlan(
                2, {"hands": "all cards", "bids": "hidden", "blind": True, "dummy": True}
            ),
        }
        return {**super().golden_plans(), **options}

    def move_vocabulary(self, seats: int) -> Sequence[Move]:
        plays = [Play(card) for card in range(-1, 55)]
        return [*plays, *(Bid(tricks) for tricks in range(-1, 22)), *(NameTrump(suit) for suit in range(-1, 5))]

    def held_names(self, view: View) -> Sequence[str]:
        return list(map(deck.card_name, view.hand))

    def names_lacking(self, state: State, seat: int, move: Move) -> bool:
        match move:
            case Play(card):
                return card not in state.hands[seat]
            case NameTrump(suit):
                return suit not in range(4)
        return False

    def box_pieces(self, seats: int) -> Counter[int]:
        """Fifty-two cards, four Jesters and four Wizards (W1)."""
        return Counter([*range(52), *[JESTER] * 4, *[WIZARD_CARD] * 4])

    def state_pieces(self, state: State) -> Counter[int]:
        turned = () if state.turned is None else (state.turned,)
        return Counter(chain(*state.hands, state.stock, turned, state.trick, state.fallen))

    def scramble_hidden(self, state: State, seat: int | None, rng: Random) -> State:
        """The same match with hidden cards swapped, as long as nobody gets a suit that they have shown not to hold."""
        other = WIZARD.copy(state)
        other.chance = Chance(f"{rng.getrandbits(128):032x}", rng.randrange(1000))
        own = None if is_bidding_blind(state) else seat
        places = [
            (hand, void)
            for who, (hand, void) in enumerate(zip(other.hands, shown_voids(state), strict=True))
            if hand and who != own
        ]
        if other.stock:
            places.append((other.stock, set()))
        for _ in range(SWAPS + rng.randrange(2) if len(places) > 1 else 0):
            (a, a_void), (b, b_void) = rng.sample(places, 2)
            i, j = rng.randrange(len(a)), rng.randrange(len(b))
            if card_suit(a[i]) not in b_void and card_suit(b[j]) not in a_void:
                a[i], b[j] = b[j], a[i]
        for hand in other.hands[: len(state.scores)]:
            hand.sort()
        if len(other.hands) > len(state.scores):
            rng.shuffle(other.hands[-1])  # W19: the dummy's cards lie face down
        if (state.phase, state.bidding) in (("bid", "hidden"), ("bid", "late"), ("play", "late")):
            other.bids = [
                bid if bid is None or who == seat else rng.randrange(state.trick_count + 1)
                for who, bid in enumerate(state.bids)
            ]
        return other

    def is_revealing(self, state: State, seat: int | None, actor: int, move: Move) -> bool:
        """The last hidden bid shows all of them (W16), and the last card of a round the late ones (W17). The last blind
        bid shows the hands (W18). A dummy's card may be turned up (W19)."""
        if turns_up_dummy_card(state, seat, actor, move):
            return True
        match move:
            case Bid() if state.bids.count(None) == 1:
                others = len(state.bids) - 1 - (seat not in (None, actor))
                return (state.bidding == "hidden" and others > 0) or (seat is not None and is_bidding_blind(state))
            case Play():
                return state.bidding == "late" and sum(map(len, state.hands[: len(state.scores)])) == 1
        return False

    def secret_patterns(self, state: State, seat: int | None) -> Iterator[str]:
        """The cards that have not lain open, and are not in the seat's own hand. Jesters and Wizards are all alike."""
        view = self.game.view(state, seat)
        seen = {*view.trick, *view.hand, *(card for trick in view.tricks for card in trick.cards)}
        seen |= {*(view.last.cards if view.last else ()), *([] if view.turned is None else [view.turned])}
        seen |= {card for row in view.draws for card in row} if view.round == 1 else set()  # W1: drawn for the deal
        for card in set(range(JESTER)) - seen:
            yield card_pattern(deck.card_name(card))


def card_suit(card: int) -> int | None:
    """Clubs to spades as 0 to 3; Wizards and Jesters have none."""
    return card // 13 if card < JESTER else None


def shown_voids(state: State) -> list[set[int | None]]:
    """By seat, the suits that it did not follow this round (W7). A dummy hand follows no suit (W19)."""
    seats = len(state.hands)
    shown: list[set[int | None]] = [set() for _ in range(seats)]
    tricks = [state.fallen[at : at + seats] for at in range(0, len(state.fallen), seats)] + [state.trick]
    leaders = [(state.dealer + 1) % seats, *state.takers]
    for leader, trick in zip(leaders, tricks, strict=True):
        asked: int | None = None
        open_to_all = False  # a Wizard fell before any suit (W6)
        for i, card in enumerate(trick):
            if asked is not None and card_suit(card) not in (asked, None):
                shown[(leader + i) % seats].add(asked)
            if asked is None and card > JESTER:
                open_to_all = True
            if asked is None and not open_to_all:
                asked = card_suit(card)
    return [*shown[: len(state.scores)], *(set[int | None]() for _ in range(seats - len(state.scores)))]


def is_bidding_blind(state: State) -> bool:
    """Whether this is a third round in which the bids are not all made (W18)."""
    return state.blind and state.round in range(3, 21, 3) and state.phase in ("trump", "bid")


def turns_up_dummy_card(state: State, seat: int | None, actor: int, move: Move) -> bool:
    """Whether the dummy's next card follows this move (W19), and that seat does not know by itself which one it is."""
    if len(state.hands) == len(state.scores):
        return False
    match move:
        case Bid():
            follows = state.bids.count(None) == 1 and state.dealer == DUMMY - 1
        case Play(card):
            trick = [*state.trick, card]
            next_place = (state.leader + len(trick)) % 3
            if len(trick) == 3:
                next_place = (state.leader + deck.winning_index(trick, state.trump)) % 3
            follows = next_place == DUMMY and (len(trick) < 3 or len(state.hands[actor]) > 1)
        case NameTrump():
            follows = False
    return follows and len(possible_dummy_cards(state, seat, actor, move)) > 1


def possible_dummy_cards(state: State, seat: int | None, actor: int, move: Move) -> set[int]:
    """The cards that may be the dummy's next one, for all that a seat knows when it sees the move."""
    hidden = [who for who in range(DUMMY) if who != seat or is_bidding_blind(state)]
    unseen = Counter(chain(state.stock, state.hands[DUMMY], *(state.hands[who] for who in hidden)))
    room = {who: len(state.hands[who]) for who in hidden}
    if isinstance(move, Play) and actor in hidden:
        unseen[move.card] -= 1
        room[actor] -= 1
    voids, found = shown_voids(state), set[int]()
    for card in +unseen:
        left = list((unseen - Counter([card])).elements())
        groups = [[who] for who in hidden] + [hidden]
        if all(
            sum(any(card_suit(each) not in voids[who] for who in group) for each in left)
            >= sum(room[who] for who in group)
            for group in groups
        ):
            found.add(card)
    return found


HELPER = WizardHelper()
