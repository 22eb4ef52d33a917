"""Whole games of Wizard against a second reading of the rules that sees cards by name and events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, permutations
from random import Random
from typing import Any

import pytest

from engines.kit import cards
from engines.kit.chance import Chance
from engines.kit.contract import Decision, Event
from engines.wizard import WIZARD, deck, model
from engines.wizard.deck import DECK
from engines.wizard.deck import WIZARD as WIZARD_CARD
from engines.wizard.model import SPECIAL_NAMES, BidChange, Options, Score, State, Swap, Trick
from engines.wizard.view import View
from tests.engines.wizard.helper import card_suit, shown_voids
from tests.engines.wizard.positions import all_cards, legal_notations, parse_position, seat_to_act

ROUNDS = {3: 20, 4: 15, 5: 12, 6: 10}
PUBLISHED = [(seats, Options(), seed) for seats in ROUNDS for seed in (1, 2)]
PUBLISHED += [(seats, Options(rounds=4), 3) for seats in ROUNDS]
RULE_MIXTURES = [(seats, Options(hook=1), 4) for seats in ROUNDS] + [(3, Options(rounds=6, hook=5), 5)]
RULE_MIXTURES += [(seats, Options(hands="quick", hook=3), 6) for seats in ROUNDS]
RULE_MIXTURES += [(seats, Options(hands="by twos", hook=4), 37) for seats in ROUNDS]
RULE_MIXTURES += [(2, Options(4, "by twos", dummy=True), 38), (3, Options(5, "by twos", bids="late"), 39)]
RULE_MIXTURES += [(seats, Options(hands="descending"), 7) for seats in ROUNDS] + [(3, Options(5, "descending", 2), 8)]
RULE_MIXTURES += [(seats, Options(hands="all cards", hook=10), 9) for seats in ROUNDS] + [
    (4, Options(2, "all cards"), 10)
]
RULE_MIXTURES += [(seats, Options(bids="hidden"), 11) for seats in ROUNDS] + [
    (3, Options(hands="quick", bids="hidden"), 12)
]
RULE_MIXTURES += [(seats, Options(bids="late"), 13) for seats in ROUNDS] + [
    (5, Options(hands="all cards", bids="late"), 14)
]
RULE_MIXTURES += [(seats, Options(blind=True), 15) for seats in ROUNDS] + [(4, Options(6, "quick", 1, blind=True), 16)]
RULE_MIXTURES += [(3, Options(bids="hidden", blind=True), 17), (6, Options(bids="late", blind=True), 18)]
RULE_MIXTURES += [(2, Options(dummy=True), seed) for seed in (19, 20)] + [
    (2, Options(None, "quick", 1, dummy=True), 21)
]
RULE_MIXTURES += [(2, Options(hands="all cards", bids="hidden", dummy=True), 22), (4, Options(6, dummy=True), 23)]
RULE_MIXTURES += [(2, Options(hands="descending", bids="late", blind=True, dummy=True), seed) for seed in (24, 25)]
ALL_SPECIALS: dict[str, Any] = dict.fromkeys(SPECIAL_NAMES, True)
SPECIAL = [(seats, Options(**ALL_SPECIALS), 26) for seats in ROUNDS]
SPECIAL += [(seats, Options(hands="all cards", hook=1, **ALL_SPECIALS), 27) for seats in ROUNDS]
SPECIAL += [(4, Options(hands="quick", bids="hidden", **ALL_SPECIALS), seed) for seed in (28, 29)]
SPECIAL += [(3, Options(bids="late", blind=True, **ALL_SPECIALS), seed) for seed in (30, 31)]
SPECIAL += [(2, Options(dummy=True, **ALL_SPECIALS), seed) for seed in (32, 33)]
SPECIAL += [(2, Options(hands="descending", bids="late", blind=True, dummy=True, **ALL_SPECIALS), 34)]
SPECIAL += [(5, Options(elephant=True, chameleon=True), 35), (3, Options(mouse=True, carousel=True), 36)]
GAMES = PUBLISHED + RULE_MIXTURES + SPECIAL
WEAK = ("jester", "mouse", "trapdoor", "chameleon", "carousel", "weathervane")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("trump C", "trump D", "trump H", "trump S")


# --- The rules, read again


def suit_to_follow(trick: list[str]) -> str | None:
    """W6, W8: the letter of the suit to follow."""
    deciding = [name for name in trick if name not in WEAK]
    return deciding[0][-1] if deciding and deciding[0] not in ("wizard", "elephant") else None


def allowed_cards(hand: list[str], trick: list[str]) -> set[str]:
    """W7: what may be played."""
    suit = suit_to_follow(trick)
    free = {name for name in hand if name in (*WEAK, "wizard", "elephant")}
    of_suit = {name for name in hand if name not in free and name[-1] == suit}
    return of_suit | free if of_suit else set(hand)


def trick_taker(trick: list[str], trump: str | None) -> int:
    """W9, W20, W21: whose card takes the trick, counted from the one led."""
    if "elephant" in trick:
        return trick.index("mouse" if "mouse" in trick else "elephant")
    if "wizard" in trick:
        return trick.index("wizard")
    for suit in (trump, suit_to_follow(trick)):
        ranks = [RANKS.index(name[:-1]) if name not in WEAK and name[-1] == suit else -1 for name in trick]
        if max(ranks) >= 0:
            return ranks.index(max(ranks))
    return 1 if trick[0] == "mouse" else 0


def dealt_sizes(seats: int, options: Options) -> list[int]:
    """W2, W13, W14, W15: the cards that each seat is dealt, by round. W19: two players deal as three do."""
    seats = max(seats, 3)
    every = {
        "growing": [*range(1, 60 // seats + 1)],
        "by twos": [*range(60 // seats, 0, -2)][::-1],
        "quick": [*range(1, 60 // seats + 1, 2)],
        "descending": [*range(60 // seats, 0, -1)],
        "all cards": [60 // seats] * 5,
    }[options.hands]
    return every[-(options.rounds or 60) :] if options.hands == "descending" else every[: options.rounds]


@dataclass
class EventWitness:
    """Somebody at the table (`seat` None: beside it) who has seen its start, and from then on is told events alone."""

    seat: int | None
    rounds: int
    dealer: int
    turned: int | None
    hand: list[int]
    scores: list[int]
    options: Options
    trump: int | None = None
    trick_count: int = 0
    round: int = 1
    phase: str = ""
    turn: int = -1
    leader: int = -1
    hand_sizes: list[int] = field(default_factory=list)
    bids: list[int | None] = field(default_factory=list)
    has_bid: list[bool] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    trick: list[int] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    last: Trick | None = None
    sheet: list[tuple[Score, ...]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    swap: Swap | None = None
    bid_change: BidChange | None = None
    has_passed: list[bool] = field(default_factory=list)
    passed: int | None = None
    received: int | None = None

    @property
    def specials(self) -> tuple[int, ...]:
        """W20 to W25: the special cards in the pack."""
        return tuple(54 + place for place, name in enumerate(SPECIAL_NAMES) if getattr(self.options, name))

    @classmethod
    def from_view(cls, view: View, options: Options) -> EventWitness:
        rounds = len(dealt_sizes(view.seats, options))
        witness = cls(view.seat, rounds, view.dealer, view.turned, list(view.hand), [0] * view.seats, options)
        witness.numbers = [0] * view.seats
        turned_card = view.turned if view.swap is None else view.swap.card
        witness.take_deal(view.dealer, turned_card, 1)
        if view.swap is not None:
            witness.take_swap(view.swap.seat, view.swap.card)
            witness.hand = list(view.hand)
        return witness

    @property
    def places(self) -> int:
        """W19: two players have a dummy hand at their left."""
        return max(len(self.scores), 3)

    @property
    def is_blind(self) -> bool:
        """W18: whether the bids of this round are made before the cards are seen."""
        return self.options.blind and self.round in (3, 6, 9, 12, 15, 18)

    def take_deal(self, dealer: int, turned_card: int | None, number: int) -> None:
        """W2, W3, W13, W14, W15."""
        seats = len(self.scores)
        self.trick_count = size = dealt_sizes(seats, self.options)[number - 1]
        self.round, self.dealer, self.turned = number, dealer, turned_card
        is_all_dealt = size * self.places == 60 and not self.specials
        assert (turned_card is None) == (is_all_dealt or self.options.hands == "all cards")
        self.trump = turned_card // 13 if turned_card is not None and turned_card < 52 else None
        if self.options.hands == "all cards":
            self.trump = number - 1 if number < 5 else None
        self.phase = "trump" if turned_card == WIZARD_CARD else "bid"
        self.turn = dealer if self.phase == "trump" else self.next_seat(dealer)
        self.bids, self.has_bid = [None] * seats, [False] * seats
        self.taken, self.hand_sizes = [0] * self.places, [size] * self.places
        self.trick, self.tricks = [], []
        self.swap = self.bid_change = self.passed = self.received = None
        self.has_passed = []
        if self.is_blind:
            self.hand = []

    def next_seat(self, seat: int) -> int:
        return (seat + 1) % len(self.scores)

    def take_event(self, event: Event) -> None:
        """Take in what happened; it has to be what the rules say happens."""
        assert event.is_visible_to(self.seat)
        match event:
            case model.RoundDealt():
                assert self.phase == "scored"
                assert (event.round, event.dealer) == (self.round + 1, self.next_seat(self.dealer))
                self.take_deal(event.dealer, event.turned, event.round)
                assert event.trump == self.trump
            case model.HandDealt():
                assert event.seat == self.seat, "a hand was told to somebody else"
                assert self.phase == "play" or not self.is_blind, "a hand was told before the bids"
                assert len(event.cards) == self.trick_count
                self.hand = list(event.cards)
            case model.TurnedCardSwapped():
                self.take_swap(event.seat, event.card)
            case model.TrickVanished():
                self.take_trick(event.seat, vanishes=True)
            case model.BidAdjusted():
                self.take_adjustment(event.seat, event.tricks)
            case model.BidAdjustedSecretly():
                assert self.options.bids == "late"
                if event.seat != self.seat:
                    self.take_adjustment(event.seat, None)
            case model.PassChosen():
                self.take_choice(event.seat)
            case model.CardPassed():
                self.take_passed_card(event)
            case model.TrumpNamed():
                assert (self.phase, event.seat) == ("trump", self.swap.seat if self.swap else self.dealer)
                assert self.swap or event.suit is not None
                self.trump, self.phase, self.turn = event.suit, "bid", self.next_seat(self.dealer)
                self.numbers[event.seat] += 1
            case model.BidMade():
                self.take_bid(event.seat, event.tricks)
            case model.BidPlaced():
                assert self.options.bids != "open"
                self.count_bid(event.seat)
            case model.BidsRevealed():
                self.take_bids(event.bids)
            case model.CardPlayed():
                self.take_card(event.seat, event.card)
            case model.TrickTaken():
                self.take_trick(event.seat)
            case model.RoundScored():
                self.take_score(event)
            case _:
                raise AssertionError(f"what is {event}?")

    def take_swap(self, seat: int, card: int) -> None:
        """W23: the Chameleon lies in the place of the turned card."""
        assert (self.turned, self.swap) == (card, None)
        self.turned, self.trump, self.swap = deck.CHAMELEON, None, Swap(seat, card)
        self.phase, self.turn = "trump", seat
        if seat == self.seat and not self.is_blind and deck.CHAMELEON in self.hand:
            self.hand.remove(deck.CHAMELEON)
            self.hand.append(card)

    def take_adjustment(self, seat: int, tricks: int | None) -> None:
        """W25: by one, up or down; W17: how is told only to its own seat."""
        assert (self.phase, self.turn) == ("adjust", seat)
        bid = self.bids[seat]
        by = None if tricks is None or bid is None else tricks - bid
        assert by in ((None,) if tricks is None else (1, -1))
        assert tricks is None or 0 <= tricks <= self.trick_count
        self.bids[seat], self.bid_change = tricks, BidChange(seat, by)
        self.numbers[seat] += 1
        self.leave_trick()

    def leave_trick(self) -> None:
        """W24: everybody passes a card, if the Carousel lies in the trick and cards are left."""
        self.phase = "play"
        if deck.CAROUSEL in self.tricks[-1].cards and any(self.hand_sizes):
            self.phase, self.has_passed = "pass", [False] * len(self.scores)

    def take_choice(self, seat: int) -> None:
        """W24: nobody else sees it before all have chosen."""
        assert self.phase == "pass"
        assert not self.has_passed[seat]
        self.has_passed[seat] = True
        self.numbers[seat] += 1
        if all(self.has_passed):
            self.phase = "play"

    def take_passed_card(self, event: model.CardPassed) -> None:
        """W24: to the left, and seen by two."""
        assert self.phase == "play"
        assert event.receiver == self.next_seat(event.seat)
        assert self.seat in (event.seat, event.receiver)
        if event.seat == self.seat:
            self.hand.remove(event.card)
            self.passed = event.card
        if event.receiver == self.seat:
            self.hand.append(event.card)
            self.received = event.card

    def take_bid(self, seat: int, tricks: int) -> None:
        """W4. W16, W17: a hidden bid is told only to its own seat."""
        assert self.bids[seat] is None
        assert 0 <= tricks <= self.trick_count
        if self.options.bids != "open":
            assert seat == self.seat, "a hidden bid was told to somebody else"
            self.bids[seat] = tricks
            return
        assert (self.phase, self.turn) == ("bid", seat)
        hook = self.options.hook
        if hook is not None and self.trick_count >= hook and seat == self.dealer:  # W12
            assert tricks + sum(bid or 0 for bid in self.bids) != self.trick_count
        self.bids[seat] = tricks
        self.turn = self.next_seat(seat)
        self.count_bid(seat)
        assert self.phase == "bid" or seat == self.dealer

    def count_bid(self, seat: int) -> None:
        """W5: after the last bid, the place to the dealer's left leads."""
        assert (self.phase, self.has_bid[seat]) == ("bid", False)
        self.has_bid[seat] = True
        self.numbers[seat] += 1
        if all(self.has_bid):
            self.phase = "play"
            self.turn = self.leader = (self.dealer + 1) % self.places

    def take_bids(self, bids: tuple[int, ...]) -> None:
        """W16: when all bids are in; W17: when the last trick is taken."""
        assert all(self.has_bid)
        assert self.options.bids != "open"
        assert sum(self.hand_sizes) == (len(self.taken) * self.trick_count if self.options.bids == "hidden" else 0)
        assert all(own in (None, bid) for own, bid in zip(self.bids, bids, strict=True))
        self.bids = list(bids)

    def take_card(self, seat: int, card: int) -> None:
        """W5 to W7."""
        assert (self.phase, self.turn) == ("play", seat)
        if seat == self.seat:
            self.hand.remove(card)
        self.trick.append(card)
        self.hand_sizes[seat] -= 1
        if seat < len(self.scores):  # W19: a dummy makes no moves
            self.numbers[seat] += 1
        self.turn = (seat + 1) % self.places

    def take_trick(self, seat: int, vanishes: bool = False) -> None:
        """W9, W22."""
        seats = self.places
        assert len(self.trick) == seats
        trump = None if self.trump is None else cards.SUITS[self.trump]
        assert seat == (self.leader + trick_taker(list(map(deck.card_name, self.trick)), trump)) % seats
        self.last = Trick(self.leader, tuple(self.trick), seat)
        self.tricks.append(self.last)
        assert vanishes == (deck.TRAPDOOR in self.trick)
        self.taken[seat] += not vanishes
        changes = deck.WEATHERVANE in self.trick and not vanishes and seat < len(self.scores)  # W25
        self.trick, self.turn, self.leader = [], seat, seat
        if changes:
            self.phase = "adjust"
        else:
            self.leave_trick()

    def take_score(self, event: model.RoundScored) -> None:
        """W10, W11."""
        vanished = len([trick for trick in self.tricks if deck.TRAPDOOR in trick.cards])
        assert (sum(self.taken) + vanished, event.round) == (self.trick_count, self.round)
        assert set(self.hand_sizes) == {0}
        row = []
        for seat, (bid, taken) in enumerate(zip(self.bids, self.taken, strict=False)):  # W19: a dummy scores nothing
            assert bid is not None
            points = 20 + 10 * taken if bid == taken else -10 * abs(bid - taken)
            row.append(Score(bid, taken, points))
            self.scores[seat] += points
        assert event.scores == tuple(row)
        assert event.totals == tuple(self.scores)
        self.sheet.append(tuple(row))
        self.phase = "over" if self.round == self.rounds else "scored"

    def check_view(self, view: View) -> None:
        fields = {name: getattr(view, name) for name in View.__slots__ if name not in ("draws", "seats")}
        assert (fields.pop("hand_plan"), fields.pop("hook")) == (self.options.hands, self.options.hook)
        assert (fields.pop("bidding"), fields.pop("blind")) == (self.options.bids, self.options.blind)
        given = {name: getattr(self, name) for name in fields}
        known = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
        known["hand"] = tuple(sorted(self.hand))
        if self.phase == "pass":  # its own choice, which nobody has to tell it
            known["passed"] = fields["passed"]
            own = self.seat is not None and self.has_passed[self.seat]
            assert fields["passed"] in (self.hand if own else [None])
        if self.phase in ("trump", "bid"):  # nobody leads before the bids are made
            del fields["leader"], known["leader"]
        if view.seats_to_act != (self.turn,):  # all bid at once, or nobody has anything left to do
            del fields["turn"], known["turn"]
        assert fields == known
        assert view.seats == len(self.scores)


def random_game(seats: int, options: Options, seed: int) -> Iterator[tuple[State, list[Event]]]:
    """The start of a random game, then the state after every move, with what happened."""
    random = Random(seed)
    state = WIZARD.start(seats, options, Chance(f"{seed:032x}"))
    yield state, []
    while WIZARD.decisions(state):
        seat = random.choice([*WIZARD.decisions(state)])
        move = random.choice(WIZARD.moves(state, seat))
        WIZARD.check(state, seat, move)
        yield state, WIZARD.play(state, seat, move)


# --- Whole games


@pytest.mark.parametrize(("seats", "options", "seed"), GAMES, ids=str)
def test_w1_to_w25_everybody_who_is_told_the_events_knows_what_the_views_show_and_what_may_be_done(
    seats: int, options: Options, seed: int
) -> None:
    played = random_game(seats, options, seed)
    state, _ = next(played)
    witnesses = [EventWitness.from_view(WIZARD.view(state, seat), options) for seat in (None, *range(seats))]
    check_choices(state, witnesses)
    for after, events in played:
        for witness in witnesses:
            for event in events:
                if event.is_visible_to(witness.seat):
                    witness.take_event(event)
            witness.check_view(WIZARD.view(after, witness.seat))
        check_choices(after, witnesses)
    assert witnesses[0].phase == "over"
    assert len(witnesses[0].sheet) == len(dealt_sizes(seats, options))


def check_choices(state: State, witnesses: list[EventWitness]) -> None:
    """W3, W4, W5, W7, W12: one seat at a time is waited for, its decisions are counted, and it may do what is legal.

    W16, W17, W24: all who have not bid or passed a card are waited for at once.
    """
    table = witnesses[0]
    if table.phase == "over":
        assert WIZARD.decisions(state) == {}
        return
    bids = {f"bid {tricks}" for tricks in range(table.trick_count + 1)}
    if table.phase == "bid" and table.options.bids != "open":
        waiting = [seat for seat, has_bid in enumerate(table.has_bid) if not has_bid]
        assert WIZARD.decisions(state) == {seat: Decision("bid", table.numbers[seat]) for seat in waiting}
        for seat in range(len(table.scores)):
            listed = [WIZARD.format_move(move) for move in WIZARD.moves(state, seat)]
            assert (set(listed), len(listed)) == ((bids, len(bids)) if seat in waiting else (set(), 0))
        return
    if table.phase == "pass":
        waiting = [seat for seat, has_passed in enumerate(table.has_passed) if not has_passed]
        assert WIZARD.decisions(state) == {seat: Decision("pass", table.numbers[seat]) for seat in waiting}
        for seat in range(len(table.scores)):
            passes = {f"pass {deck.card_name(card)}" for card in witnesses[1 + seat].hand}
            assert {*map(WIZARD.format_move, WIZARD.moves(state, seat))} == (passes if seat in waiting else set())
        return
    assert WIZARD.decisions(state) == {table.turn: Decision(table.phase, table.numbers[table.turn], due=True)}
    if table.options.hook and table.trick_count >= table.options.hook and table.turn == table.dealer:
        bids.discard(f"bid {table.trick_count - sum(bid or 0 for bid in table.bids)}")
    own = witnesses[1 + table.turn].bids[table.turn] or 0
    changes = {text for text, is_possible in (("raise", own < table.trick_count), ("lower", own > 0)) if is_possible}
    trumps = {*SUITS, "trump none"} if table.swap else set(SUITS)
    expected = {"bid": bids, "trump": trumps, "adjust": changes}.get(table.phase)
    if expected is None:
        hand = list(map(deck.card_name, witnesses[1 + table.turn].hand))
        expected = {f"play {name}" for name in allowed_cards(hand, list(map(deck.card_name, table.trick)))}
    listed = legal_notations(state)
    assert (set(listed), len(listed)) == (expected, len(expected))


@pytest.mark.parametrize("seats", ROUNDS)
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_w11_places_go_by_totals(seats: int, rounds: int) -> None:
    shared = 0
    for seed in range(40):
        *_, (last, _) = random_game(seats, Options(rounds), seed)
        outcome, view = WIZARD.outcome(last), WIZARD.view(last, None)
        assert outcome is not None
        assert outcome.points == view.scores == tuple(sum(row[s].points for row in view.sheet) for s in range(seats))
        best_first = sorted(view.scores, reverse=True)
        assert outcome.places == tuple(best_first.index(total) + 1 for total in view.scores)
        assert outcome.winners == tuple(seat for seat in range(seats) if view.scores[seat] == best_first[0])
        shared += len(outcome.winners) > 1
    assert shared > 0, "no win was shared: the test has seen too little"


def test_games_like_these_have_seen_everything() -> None:
    counts: Counter[str] = Counter()
    for seats, options, seed in [*PUBLISHED, *((seats, Options(), seed) for seats in ROUNDS for seed in (7, 8))]:
        for state, events in random_game(seats, options, seed):
            view = WIZARD.view(state, None)
            counts["a turned Jester"] += any(
                isinstance(e, model.RoundDealt) and e.turned == deck.JESTER for e in events
            )
            counts["a named trump"] += any(isinstance(event, model.TrumpNamed) for event in events)
            counts["a negative score"] += min(view.scores) < 0
            if any(isinstance(event, model.TrickTaken) for event in events) and view.last is not None:
                trick = list(map(deck.card_name, view.last.cards))
                counts["two Wizards in a trick"] += trick.count("wizard") > 1
                counts["a Wizard after Jesters"] += trick[:2] == ["jester", "wizard"]
                counts["a Jester led, then a suit"] += trick[0] == "jester" and suit_to_follow(trick) is not None
                counts["another suit than asked for"] += (
                    len({n[-1] for n in trick if n not in ("jester", "wizard")}) > 1
                )
    assert len(counts) == 7
    assert all(counts.values()), counts


# --- Other worlds that look alike


def sampled_hands(after: str) -> tuple[int, list[set[int]]]:
    """Five seats after the start of a trick: the seat to act, and by seat all cards that it can be dealt then."""
    state = parse_position(f"players: 5 | trump: H | trick: {after} | hand: 2C 3C 4C 5C 6C")
    own = seat_to_act(state)
    dealt: list[set[int]] = [set() for _ in range(5)]
    for seed in range(60):
        other = WIZARD.sample(WIZARD.view(state, own), Chance(f"{seed:032x}"))
        assert all_cards(other) == Counter(DECK)
        for found, hand in zip(dealt, other.hands, strict=True):
            found |= set(hand)
    return own, dealt


@pytest.mark.parametrize("trick", ["KD 5S", "jester KD 5S", "KD wizard 5S", "KD jester 5S"])
def test_w7_a_seat_that_did_not_follow_is_never_dealt_that_suit(trick: str) -> None:
    own, dealt = sampled_hands(trick)
    void = len(trick.split()) - 1
    assert set(map(deck.card_name, dealt[own])) == {"2C", "3C", "4C", "5C", "6C"}
    diamonds = [sum(card // 13 == 1 for card in hand) for hand in dealt]
    assert [seat for seat in range(5) if not diamonds[seat]] == [void, own]
    assert all(diamonds[seat] > 6 for seat in range(5) if seat not in (void, own))
    assert len(dealt[void]) > 20


@pytest.mark.parametrize("after", ["jester 5S", "wizard 5S 6H", "jester wizard 5S 6H", "KD jester", "KD wizard"])
def test_w7_a_seat_that_was_free_to_play_anything_may_hold_anything(after: str) -> None:
    _, dealt = sampled_hands(after)
    assert {card // 13 for card in dealt[len(after.split()) - 1] if card < 52} == {0, 1, 2, 3}


@pytest.mark.parametrize("seats", ROUNDS)
def test_every_sampled_world_agrees_with_the_earlier_tricks(seats: int) -> None:
    for number, (state, _) in enumerate(random_game(seats, Options(6), 11)):
        if number % 5 == 0:
            other = WIZARD.sample(WIZARD.view(state, number % seats), Chance(f"{number:032x}"))
            assert all_cards(other) == Counter(DECK)
            for void, hand in zip(shown_voids(state), other.hands, strict=True):
                assert not void & set(map(card_suit, hand))


@pytest.mark.parametrize(("seats", "number", "seed"), [(4, 15, 0), (4, 15, 9), (3, 19, 6), (3, 19, 9), (3, 19, 8)])
def test_each_deal_that_fits_is_sampled_equally_often_if_few_are_left(seats: int, number: int, seed: int) -> None:
    state = nearly_ended_state(seats, number, seed)
    view = WIZARD.view(state, seat_to_act(state))
    deals = possible_deals(state, view)
    sampler, chance, drawn = WIZARD.sampler(view), Chance("2a"), 4000
    found = Counter(tuple(map(tuple, sampler(chance).hands)) for _ in range(drawn))
    assert found.keys() <= deals.keys()
    expected = {deal: drawn * count / deals.total() for deal, count in deals.items()}
    off = sum((found[deal] - mean) ** 2 / mean for deal, mean in expected.items())
    assert off < len(deals) + 4 * (2 * len(deals)) ** 0.5  # chi squared: its mean, and four deviations


def nearly_ended_state(seats: int, number: int, seed: int) -> State:
    """A round of random play at the second card of a trick, with hands of two or three cards left."""
    state, rng = WIZARD.start(seats, Options(), Chance(f"{seed:032x}")), Random(seed)
    while (state.round, state.phase, len(state.trick)) != (number, "play", 1) or min(map(len, state.hands)) > 2:
        WIZARD.play(state, state.turn, rng.choice(WIZARD.moves(state, state.turn)))
    return state


def possible_deals(state: State, view: View) -> Counter[tuple[tuple[int, ...], ...]]:
    """All hands there can be, and how often each: told apart, of the Wizards and Jesters, only here."""
    turned_cards = [] if view.turned is None else [view.turned]
    visible = Counter(
        [*view.hand, *view.trick, *turned_cards, *(card for trick in view.tricks for card in trick.cards)]
    )
    voids, deals = shown_voids(state), Counter[tuple[tuple[int, ...], ...]]()
    for cards_ in permutations((Counter(DECK) - visible).elements()):
        pile, hands = iter(cards_), []
        for seat, size in enumerate(view.hand_sizes):
            hands.append(view.hand if seat == view.seat else tuple(sorted(islice(pile, size))))
        if not any(void & set(map(card_suit, hand)) for void, hand in zip(voids, hands, strict=True)):
            deals[tuple(hands)] += 1
    return deals
