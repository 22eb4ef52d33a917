"""Wizard's rules (docs/rules/wizard.md), W1–W11."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from engines import cards
from engines.chance import Chance
from engines.game import BadNotation, Decision, Event, Game, IllegalMove, Outcome
from engines.wizard import deck
from engines.wizard.deck import DECK, JESTER, KINDS, STRENGTH, WIZARD
from engines.wizard.model import (
    AnyEvent,
    Bid,
    BidMade,
    CardPlayed,
    HandDealt,
    Move,
    NameTrump,
    Options,
    Play,
    RoundDealt,
    RoundScored,
    Score,
    State,
    Trick,
    TrickTaken,
    TrumpNamed,
    View,
)
from engines.wizard.sample import sample

PLAYS = tuple(Play(card) for card in range(KINDS))
BIDS = tuple(Bid(tricks) for tricks in range(21))
TRUMPS = tuple(NameTrump(suit) for suit in range(4))


class WizardGame(Game[State, Move, View, Options]):
    """Bid how many tricks you will take, then take exactly that many."""

    key: ClassVar[str] = "wizard"
    title: ClassVar[str] = "Wizard"
    seats: ClassVar[range] = range(3, 7)
    version: ClassVar[int] = 1
    options = Options
    state = State
    event = AnyEvent

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Draw for the deal, and deal the first round."""
        if seats not in self.seats:
            raise ValueError("Wizard is for 3 to 6 players.")
        draws, dealer = _draw_for_deal(seats, chance)
        rounds = length(seats, options)
        state = State(chance, rounds, draws, dealer - 1, scores=[0] * seats, numbers=[0] * seats)
        _deal(state)
        return state

    def copy(self, state: State) -> State:
        """An equal state that shares nothing mutable with this one."""
        return State(
            state.chance.copy(),
            state.rounds,
            [row.copy() for row in state.draws],
            state.dealer,
            state.round,
            state.phase,
            state.turn,
            [hand.copy() for hand in state.hands],
            state.stock.copy(),
            state.turned,
            state.trump,
            state.bids.copy(),
            state.taken.copy(),
            state.leader,
            state.trick.copy(),
            state.tricks.copy(),
            state.last,
            state.scores.copy(),
            [row.copy() for row in state.sheet],
            state.numbers.copy(),
        )

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """One seat at a time."""
        if state.phase == "over":
            return {}
        return {state.turn: Decision(state.phase, state.numbers[state.turn])}

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        """Bids from 0 up, suits in order, or the cards of the hand that may be played, each kind once."""
        if seat != state.turn or state.phase == "over":
            return ()
        if state.phase == "play":
            return [PLAYS[card] for card in playable(state.hands[seat], state.trick)]
        return TRUMPS if state.phase == "trump" else BIDS[: state.round + 1]

    def check(self, state: State, seat: int, move: Move) -> None:
        """Refuse what is out of turn, out of phase or against W3, W4 and W7."""
        if seat != state.turn or state.phase == "over":
            raise IllegalMove("W5", "The game is over." if state.phase == "over" else "It is not your turn.")
        if isinstance(move, Play):
            _check_play(state, seat, move.card)
        elif isinstance(move, Bid):
            _check_bid(state, move.tricks)
        else:
            _check_trump(state, move.suit)

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        """Make the move; the end of a trick, of a round and the next deal follow by themselves."""
        state.numbers[seat] += 1
        if isinstance(move, Play):
            return _play(state, seat, move.card)
        if isinstance(move, Bid):
            return _bid(state, seat, move.tricks)
        state.trump = move.suit
        state.phase = "bid"
        state.turn = _left(state, state.dealer)
        return [TrumpNamed(seat=seat, suit=move.suit)]

    def outcome(self, state: State) -> Outcome | None:
        """W11: the highest total wins; ties share (C4)."""
        return Outcome.by_points(state.scores) if state.phase == "over" else None

    def view(self, state: State, seat: int | None) -> View:
        """Everything but the other hands and the cards that were not dealt."""
        return View(
            seat=seat,
            seats=len(state.hands),
            rounds=state.rounds,
            draws=tuple(tuple(row) for row in state.draws),
            dealer=state.dealer,
            round=state.round,
            phase=state.phase,
            turn=state.turn,
            hand=() if seat is None else tuple(state.hands[seat]),
            hand_sizes=tuple(len(hand) for hand in state.hands),
            turned=state.turned,
            trump=state.trump,
            bids=tuple(state.bids),
            taken=tuple(state.taken),
            leader=state.leader,
            trick=tuple(state.trick),
            tricks=tuple(state.tricks),
            last=state.last,
            scores=tuple(state.scores),
            sheet=tuple(tuple(row) for row in state.sheet),
            numbers=tuple(state.numbers),
        )

    def sample(self, view: View, chance: Chance) -> State:
        """Deal the unseen cards out again, with respect to the suits that seats have shown not to hold."""
        return sample(view, chance)

    def write(self, move: Move) -> str:
        """`trump H`, `bid 2`, `play 10H`, `play wizard`."""
        match move:
            case Play(card):
                return f"play {deck.name(card)}"
            case Bid(tricks):
                return f"bid {tricks}"
            case NameTrump(suit):
                return f"trump {cards.SUITS[suit]}"

    def read(self, text: str) -> Move:
        """The move behind a notation. Raises BadNotation."""
        verb, _, rest = text.strip().partition(" ")
        try:
            return _READERS[verb.lower()](rest)
        except KeyError:
            raise BadNotation(f"“{text.strip()[:40]}” is no move of Wizard.") from None
        except ValueError as error:
            raise BadNotation(str(error)) from None


def length(seats: int, options: Options) -> int:
    """How many rounds are played: as many as the sixty cards allow, or fewer where so agreed (W2)."""
    full = len(DECK) // seats
    return min(options.rounds or full, full)


def playable(hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """The cards of a sorted hand that may be played to the trick, each kind once (W5–W7)."""
    suit = deck.suit_to_follow(trick)
    if suit is not None:
        low, high = suit * 13, suit * 13 + 13
        following = [card for card in hand if low <= card < high]
        if following:
            following += [card for card in (JESTER, WIZARD) if card in hand]
            return following
    return list(dict.fromkeys(hand))


def points(bid: int, taken: int) -> int:
    """W10: 20 and 10 a trick for a bid met, else −10 for each trick over or under."""
    return 20 + 10 * taken if bid == taken else -10 * abs(bid - taken)


def _left(state: State, seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % len(state.scores)


def _draw_for_deal(seats: int, chance: Chance) -> tuple[list[list[int]], int]:
    """W1: a card each, the highest deals; those tied draw again from a full deck. Every draw, and the dealer."""
    draws: list[list[int]] = []
    tied = list(range(seats))
    while len(tied) > 1:
        pile = chance.shuffled(DECK)
        row = [pile[tied.index(seat)] if seat in tied else -1 for seat in range(seats)]
        best = max(STRENGTH[row[seat]] for seat in tied)
        tied = [seat for seat in tied if STRENGTH[row[seat]] == best]
        draws.append(row)
    return draws, tied[0]


def _deal(state: State) -> list[Event]:
    """W2, W3: the next round's hands, from all sixty cards, and its trump."""
    seats = len(state.scores)
    state.round += 1
    state.dealer = (state.dealer + 1) % seats
    pile = state.chance.shuffled(DECK)
    used = seats * state.round
    state.hands = [sorted(pile[seat:used:seats]) for seat in range(seats)]
    state.turned = pile[used] if used < len(pile) else None  # W3: nothing is left in the full-deal round
    state.stock = pile[used + 1 :]
    state.trump = None if state.turned is None else deck.SUIT[state.turned]
    state.bids = [None] * seats
    state.taken = [0] * seats
    state.tricks = []
    names_trump = state.turned == WIZARD  # W3: the dealer looks at the hand and names it
    state.phase = "trump" if names_trump else "bid"
    state.turn = state.dealer if names_trump else _left(state, state.dealer)
    hands = [HandDealt(seat=seat, cards=tuple(hand), to=(seat,)) for seat, hand in enumerate(state.hands)]
    return [RoundDealt(round=state.round, dealer=state.dealer, turned=state.turned, trump=state.trump), *hands]


def _check_trump(state: State, suit: int) -> None:
    if state.phase != "trump":
        raise IllegalMove("W3", "There is no trump to name now.")
    if not 0 <= suit < 4:
        raise IllegalMove("W3", "The trump is clubs, diamonds, hearts or spades.")


def _check_bid(state: State, tricks: int) -> None:
    if state.phase == "trump":
        raise IllegalMove("W3", "Name the trump suit first; the bids come after.")
    if state.phase != "bid":
        raise IllegalMove("W4", "The bids of this round are made. Play a card.")
    if not 0 <= tricks <= state.round:
        raise IllegalMove("W4", f"A bid in this round is a number from 0 to {state.round}.")


def _check_play(state: State, seat: int, card: int) -> None:
    if state.phase != "play":
        wanted = "Name the trump suit" if state.phase == "trump" else "Make your bid"
        raise IllegalMove("W4", f"No card is played yet. {wanted} first.")
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalMove("W7", f"You do not hold {deck.spoken(card)}." if 0 <= card < KINDS else "No such card.")
    suit = deck.suit_to_follow(state.trick)
    if suit is None or card >= JESTER or deck.SUIT[card] == suit:
        return
    if any(deck.SUIT[other] == suit for other in hand):
        raise IllegalMove("W7", f"You must follow {cards.SUIT_WORDS[suit]}, or play a Wizard or a Jester.")


def _bid(state: State, seat: int, tricks: int) -> list[Event]:
    state.bids[seat] = tricks
    state.turn = _left(state, seat)
    if seat == state.dealer:  # W4: the dealer is last; W5: the dealer's left leads
        state.phase = "play"
        state.leader = state.turn
    return [BidMade(seat=seat, tricks=tricks)]


def _play(state: State, seat: int, card: int) -> list[Event]:
    state.hands[seat].remove(card)
    trick = state.trick
    trick.append(card)
    played = CardPlayed(seat=seat, card=card)
    if len(trick) < len(state.scores):
        state.turn = _left(state, seat)
        return [played]
    return [played, *_end_trick(state)]


def _end_trick(state: State) -> list[Event]:
    """W9: the trick is taken, and its winner leads next."""
    fallen = tuple(state.trick)
    taker = (state.leader + deck.winner(fallen, state.trump)) % len(state.scores)
    state.last = Trick(state.leader, fallen, taker)
    state.tricks.append(state.last)
    state.taken[taker] += 1
    state.trick = []
    state.leader = state.turn = taker
    taken = TrickTaken(seat=taker, cards=fallen)
    return [taken] if state.hands[taker] else [taken, *_end_round(state)]


def _end_round(state: State) -> list[Event]:
    """W10: score the round; W1: the deal passes to the left, or (W11) the game is over."""
    row = [
        Score(bid, taken, points(bid, taken))
        for bid, taken in zip(state.bids, state.taken, strict=True)
        if bid is not None
    ]
    state.sheet.append(row)
    state.scores = [total + score.points for total, score in zip(state.scores, row, strict=True)]
    scored = RoundScored(round=state.round, scores=tuple(row), totals=tuple(state.scores))
    if state.round < state.rounds:
        return [scored, *_deal(state)]
    state.phase = "over"
    return [scored]


def _read_bid(text: str) -> Move:
    number = text.strip()
    if not (number.isascii() and number.isdigit() and len(number) <= 2):
        raise ValueError("A bid is a whole number, 0 or more.")
    return Bid(int(number))


_READERS: Mapping[str, Callable[[str], Move]] = {
    "play": lambda text: Play(deck.card(text)),
    "bid": _read_bid,
    "trump": lambda text: NameTrump(cards.suit(text)),
}

WIZARD_GAME = WizardGame()
