"""Wizard's part in the laws, written from its rules (W1–W25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from types import MappingProxyType
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame, Event
from engines.wizard import WIZARD, deck
from engines.wizard.model import (
    SPECIAL_NAMES,
    Bid,
    BidChange,
    LowerBid,
    Move,
    NameTrump,
    Options,
    PassCard,
    Play,
    RaiseBid,
    RoundDealt,
    State,
    TurnedCardSwapped,
)
from engines.wizard.view import View
from tests.contract.helper import GameHelper, MatchPlan, MatchStart, card_pattern

JESTER, WIZARD_CARD = 52, 53
ELEPHANT, MOUSE, TRAPDOOR, CHAMELEON, CAROUSEL, WEATHERVANE = SPECIALS = range(54, 60)
ALL_SPECIALS: Mapping[str, Any] = MappingProxyType(dict.fromkeys(SPECIAL_NAMES, True))
DUMMY = 2  # the place of a dummy hand, after two players
LATE = f"{20:032x}"
BLIND_WIZARD = 19
"""A seed with which a Wizard is turned up in the third round, which is blind."""
CAUGHT = 100
"""A seed with which the Mouse catches the Elephant."""
SWAPS = 300


class WizardHelper(GameHelper):
    """Sixty cards, one seat at a time, hidden hands."""

    minute_rules = ("W2", "W4", "W7", "W9", "W10", "W11")
    constant_answers = MappingProxyType({"due": "The match waits for everybody who may act."})
    pack_options = SPECIAL_NAMES
    brief_options = MappingProxyType({"rounds": 1})
    rule_mixtures = (
        {},
        {"bids": "hidden"},
        {"bids": "late", "blind": True, "rounds": 3},
        {"dummy": True, "hook": 1},
        {"dummy": True, "bids": "late", "blind": True, "rounds": 3},
        {"hands": "all cards", "rounds": 1, **ALL_SPECIALS},
        {"hands": "descending", "rounds": 5, "bids": "late", "dummy": True, **ALL_SPECIALS},
    )

    game: AnyGame = WIZARD

    @property
    def short_options(self) -> Mapping[str, Any]:
        """With a trick that somebody leads to who has taken one before."""
        return {"rounds": 2}

    def corrected_claims(self, events: Sequence[Event]) -> Collection[str]:
        """What a card says of the trump whose place the Chameleon takes."""
        swap = next((index for index, event in enumerate(events) if isinstance(event, TurnedCardSwapped)), 0)
        return ("turned up: ",) if any(isinstance(event, RoundDealt) for event in events[:swap]) else ()

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
            MatchStart(3, Options(hands="by twos", rounds=3, hook=4), f"{34:032x}"),
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
            *self.special_starts(),
        ]

    def special_starts(self) -> Sequence[MatchStart]:
        """Starts with special cards, with seeds in which they do all that they can do."""
        few: Mapping[str, Any] = {"chameleon": True, "carousel": True, "weathervane": True}
        hooked: Mapping[str, Any] = {"trapdoor": True, "chameleon": True, "weathervane": True}
        return [
            MatchStart(4, Options(rounds=5, **ALL_SPECIALS), f"{146:032x}"),
            MatchStart(3, Options(rounds=6, hook=2, **hooked), f"{290:032x}"),
            MatchStart(5, Options(hands="quick", rounds=3, bids="hidden", **ALL_SPECIALS), f"{320:032x}"),
            MatchStart(3, Options(6, "descending", bids="late", blind=True, **ALL_SPECIALS), f"{473:032x}"),
            MatchStart(2, Options(rounds=7, dummy=True, **ALL_SPECIALS), f"{220:032x}"),
            MatchStart(2, Options(4, "descending", bids="late", dummy=True, **few), f"{210:032x}"),
            MatchStart(6, Options(hands="all cards", rounds=1, **ALL_SPECIALS), f"{CAUGHT:032x}"),
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
            "by-twos": MatchPlan(5, {"hands": "by twos"}),
            "by-twos-with-the-hook": MatchPlan(3, {"rounds": 4, "hands": "by twos", "hook": 4}),
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
            "special-cards": MatchPlan(4, {**ALL_SPECIALS}),
            "party": MatchPlan(5, {"hands": "quick", "bids": "hidden", **ALL_SPECIALS}),
            "carnival": MatchPlan(6, {"hands": "by twos", "bids": "hidden", **ALL_SPECIALS}),
            "special-cards-all-dealt": MatchPlan(3, {"hands": "all cards", "hook": 3, **ALL_SPECIALS}),
            "special-cards-late-and-blind": MatchPlan(6, {"bids": "late", "blind": True, **ALL_SPECIALS}),
            "special-cards-and-dummy": MatchPlan(2, {"rounds": 12, "dummy": True, **ALL_SPECIALS}),
        }
        return {**super().golden_plans(), **options}

    def move_vocabulary(self, seats: int) -> Sequence[Move]:
        cards = range(-1, 61)
        trumps = [*(NameTrump(suit) for suit in range(-1, 5)), NameTrump(None)]
        bids = [Bid(tricks) for tricks in range(-1, 22)]
        return [*map(Play, cards), *map(PassCard, cards), *bids, RaiseBid(), LowerBid(), *trumps]

    def hand_names(self, view: View) -> Sequence[str]:
        return list(map(deck.card_name, view.hand))

    def names_lacking(self, state: State, seat: int, move: Move) -> bool:
        match move:
            case Play(card) | PassCard(card):
                return card not in state.hands[seat]
            case NameTrump(suit):
                return suit not in (*range(4), None)
        return False

    def box_pieces(self, seats: int) -> Counter[int]:
        """Fifty-two cards, four Jesters and four Wizards (W1), and six special cards (W20–W25)."""
        return Counter([*range(52), *[JESTER] * 4, *[WIZARD_CARD] * 4, *SPECIALS])

    def state_pieces(self, state: State) -> Counter[int]:
        """The cards of the pack, and the special ones that stay in the box."""
        turned_card = () if state.turned is None else (state.turned,)
        unused = set(SPECIALS).difference(state.specials)
        return Counter(chain(*state.hands, state.stock, turned_card, state.trick, state.fallen, unused))

    def scramble_hidden(self, state: State, seat: int | None, rng: Random, other: int | None = None) -> State:
        """The same match with hidden cards swapped, as long as nobody gets a suit that they have shown not to hold."""
        new = WIZARD.copy(state)
        new.chance = Chance(f"{rng.getrandbits(128):032x}", rng.randrange(1000))
        know = {seat, other}
        own = set() if is_bidding_blind(state) else know
        places = [
            (hand, void)
            for owner, (hand, void) in enumerate(zip(new.hands, shown_voids(state), strict=True))
            if hand and owner not in own
        ]
        if new.stock:
            places.append((new.stock, set()))
        if state.specials and len(places) > 1:
            scramble_with_specials(new, [hand for hand, _ in places], know, rng)
            places = []
        for _ in range(SWAPS + rng.randrange(2) if len(places) > 1 else 0):
            (a, a_void), (b, b_void) = rng.sample(places, 2)
            i, j = rng.randrange(len(a)), rng.randrange(len(b))
            if card_suit(a[i]) not in b_void and card_suit(b[j]) not in a_void:
                a[i], b[j] = b[j], a[i]
        for hand in new.hands[: len(state.scores)]:
            hand.sort()
        if len(new.hands) > len(state.scores):
            rng.shuffle(new.hands[-1])  # W19: the dummy's cards lie face down
        if (state.phase, state.bidding) in (("bid", "hidden"), *((phase, "late") for phase in PHASES_WITH_LATE_BIDS)):
            new.bids = [
                bid if bid is None or owner in know else rng.randrange(state.trick_count + 1)
                for owner, bid in enumerate(state.bids)
            ]
            if state.bid_change is not None and state.bid_change.seat not in know:  # W17, W25
                changed = new.bids[state.bid_change.seat]
                changes = [by for by in (1, -1) if changed is not None and 0 <= changed - by <= state.trick_count]
                new.bid_change = BidChange(state.bid_change.seat, rng.choice(changes))
        return new

    def is_revealing(self, state: State, seat: int | None, actor: int, move: Move) -> bool:
        """The last hidden bid shows all of them (W16), and the last card of a round the late ones (W17). The last blind
        bid shows the hands (W18). A dummy's card may be turned up (W19). The last passed card shows everybody what they
        get (W24)."""
        if turns_up_dummy_card(state, self.game.state_after(state, actor, move)):
            learners = self.game.reveals(state, actor, move)
            if bool(learners) if seat is None else seat in learners:
                return True
        match move:
            case Bid() if state.bids.count(None) == 1:
                others = len(state.bids) - 1 - (seat not in (None, actor))
                return (state.bidding == "hidden" and others > 0) or (seat is not None and is_bidding_blind(state))
            case Play(card):
                is_last = sum(map(len, state.hands[: len(state.scores)])) == 1
                return state.bidding == "late" and is_last and not changes_bid(state, card)
            case RaiseBid() | LowerBid():
                return state.bidding == "late" and not any(state.hands)
            case PassCard() if state.passes.count(None) == 1:
                return seat is not None and (seat - 1) % len(state.scores) != actor
        return False

    def secret_patterns(self, state: State, seat: int | None) -> Iterator[str]:
        """The cards that have not lain open, and are not in the seat's own hand.

        Jesters and Wizards are all alike, and rules and options name the special cards. Worlds in which others have
        those show that nothing tells who does.
        """
        view = self.game.view(state, seat)
        visible = {*view.trick, *view.hand, *(card for trick in view.tricks for card in trick.cards)}
        visible |= {*(view.last.cards if view.last else ()), *([] if view.turned is None else [view.turned])}
        visible |= {card for row in view.draws for card in row} if view.round == 1 else set()  # W1: drawn for the deal
        visible |= {view.passed} | ({view.swap.card} if view.swap else set())
        for card in set(range(JESTER)) - visible:
            yield card_pattern(deck.card_name(card))


PHASES_WITH_LATE_BIDS = ("bid", "play", "adjust", "pass")


def scramble_with_specials(
    state: State, places: Sequence[list[int]], know: Collection[int | None], rng: Random
) -> None:
    """Swap hidden cards, and choose other cards for those that were passed, as long as the round can have come so."""
    seats = len(state.scores)
    for _ in range(SWAPS + rng.randrange(2)):
        before = [hand.copy() for hand in places], state.passes.copy()
        if state.passes and rng.random() < 0.3:
            giver = rng.randrange(seats)
            receiver = (giver + 1) % seats
            if (
                state.passes[giver] is not None
                and giver not in know
                and (receiver not in know or state.phase == "pass")
            ):
                had = state.hands[giver] if state.phase == "pass" else cards_since_pass(state, receiver)
                state.passes[giver] = rng.choice(had)
        else:
            a, b = rng.sample(places, 2)
            i, j = rng.randrange(len(a)), rng.randrange(len(b))
            a[i], b[j] = b[j], a[i]
        if not can_have_come(state):
            for hand, cards in zip(places, before[0], strict=True):
                hand[:] = cards
            state.passes = before[1]


def can_have_come(state: State) -> bool:
    """Whether these hands and passed cards agree with all that was played, and with the Chameleon (W7, W23, W24)."""
    seats, is_done = len(state.scores), bool(state.passes) and state.phase != "pass"
    was_dealt = state.swap is None and state.turned not in (None, CHAMELEON) and CHAMELEON in state.specials
    if was_dealt and any(CHAMELEON in hand for hand in state.hands[:seats]):
        return False
    early, late = tricks_around_pass(state)
    voids, later_voids = voids_in(state, early), voids_in(state, late)
    for seat in range(seats):
        hand, later_hand = state.hands[seat], state.hands[seat]
        if is_done:
            got, gave = state.passes[seat - 1], state.passes[seat]
            later_hand = cards_since_pass(state, seat)
            assert got is not None
            assert gave is not None
            if got not in later_hand:
                return False
            later_hand.remove(got)
            later_hand.append(gave)
        elif state.passes and state.passes[seat] is not None and state.passes[seat] not in hand:
            return False
        if any(card_suit(card) in voids[seat] for card in later_hand) or any(
            card_suit(card) in later_voids[seat] for card in hand
        ):
            return False
        if state.swap is not None and state.swap.seat == seat:
            held_before = [*later_hand, *cards_of(state, seat, early)]
            if state.swap.card not in held_before:
                return False
    return True


def tricks_around_pass(state: State) -> tuple[list[tuple[int, list[int]]], list[tuple[int, list[int]]]]:
    """This round's tricks with their leaders, up to the pass of cards (W24) and after it."""
    places = len(state.hands)
    tricks = [state.fallen[at : at + places] for at in range(0, len(state.fallen), places)] + [state.trick]
    leaders = [(state.dealer + 1) % places, *state.takers]
    laid = list(zip(leaders, tricks, strict=True))
    if not state.passes or state.phase == "pass":
        return laid, []
    cut = next(number for number, trick in enumerate(tricks, 1) if CAROUSEL in trick)
    return laid[:cut], laid[cut:]


def cards_of(state: State, seat: int, tricks: Sequence[tuple[int, list[int]]]) -> list[int]:
    """The cards that a place has laid in these tricks."""
    places = len(state.hands)
    return [trick[(seat - leader) % places] for leader, trick in tricks if (seat - leader) % places < len(trick)]


def cards_since_pass(state: State, seat: int) -> list[int]:
    """The cards that a seat has had since cards were passed: those in its hand, and those played after it."""
    return [*state.hands[seat], *cards_of(state, seat, tricks_around_pass(state)[1])]


def changes_bid(state: State, card: int) -> bool:
    """Whether a player takes the Weathervane with this card, which completes a trick (W25)."""
    trick = [*state.trick, card]
    taker = (state.leader + deck.winning_index(trick, state.trump)) % len(state.hands)
    return WEATHERVANE in trick and TRAPDOOR not in trick and taker < len(state.scores)


def card_suit(card: int) -> int | None:
    """Clubs to spades as 0 to 3; Wizards and Jesters have none."""
    return card // 13 if card < JESTER else None


def shown_voids(state: State) -> list[set[int | None]]:
    """By seat, the suits that it did not follow this round (W7). A dummy hand follows no suit (W19)."""
    return voids_in(state, [trick for tricks in tricks_around_pass(state) for trick in tricks])


def voids_in(state: State, tricks: Sequence[tuple[int, list[int]]]) -> list[set[int | None]]:
    """By place, the suits that it did not follow in these tricks."""
    seats = len(state.hands)
    voids: list[set[int | None]] = [set() for _ in range(seats)]
    for leader, trick in tricks:
        suit: int | None = None
        open_to_all = False  # a Wizard or the Elephant fell before any suit (W6, W20)
        for i, card in enumerate(trick):
            if suit is not None and card_suit(card) not in (suit, None):
                voids[(leader + i) % seats].add(suit)
            if suit is None and card in (WIZARD_CARD, ELEPHANT):
                open_to_all = True
            if suit is None and not open_to_all:
                suit = card_suit(card)
    return [*voids[: len(state.scores)], *(set[int | None]() for _ in range(seats - len(state.scores)))]


def is_bidding_blind(state: State) -> bool:
    """Whether this is a third round in which the bids are not all made (W18)."""
    return state.blind and state.round in range(3, 21, 3) and state.phase in ("trump", "bid")


def turns_up_dummy_card(state: State, after: State) -> bool:
    """Whether the dummy's next card has followed a move (W19)."""
    if len(state.hands) == len(state.scores) or after.round > state.round:
        return False
    return len(after.hands[DUMMY]) < len(state.hands[DUMMY])


HELPER = WizardHelper()
