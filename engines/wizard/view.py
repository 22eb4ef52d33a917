"""What a seat sees of Wizard, built field by field, and its text board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.kit import text_board
from engines.kit.cards import SUITS
from engines.kit.seats import letter
from engines.wizard import deck
from engines.wizard.house_rules import are_bids_hidden, are_hands_hidden
from engines.wizard.model import BidChange, Bidding, HandPlan, Phase, Score, State, Swap, Trick
from engines.wizard.turn import completed_trick


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows. A spectator has `seat` None and an empty hand. Fields are as in State; `last` is the newest
    trick.

    `hand` is empty while the seat may not see it (W18). `bids` are those that the seat knows, and `has_bid` says who
    has bid (W16, W17). `seats` counts the players, and `places` also the dummy (W19).
    `has_passed` says by seat who has chosen a card to pass (W24), and is empty before; `passed` is the card that this
    seat passes, and `received` the one that it got.
    """

    seat: int | None
    seats: int
    rounds: int
    draws: tuple[tuple[int, ...], ...]
    dealer: int
    round: int
    phase: Phase
    turn: int
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    turned: int | None
    trump: int | None
    bids: tuple[int | None, ...]
    taken: tuple[int, ...]
    leader: int
    trick: tuple[int, ...]
    tricks: tuple[Trick, ...]
    last: Trick | None
    scores: tuple[int, ...]
    sheet: tuple[tuple[Score, ...], ...]
    numbers: tuple[int, ...]
    trick_count: int
    hand_plan: HandPlan
    hook: int | None
    bidding: Bidding
    blind: bool
    has_bid: tuple[bool, ...]
    specials: tuple[int, ...]
    swap: Swap | None
    bid_change: BidChange | None
    has_passed: tuple[bool, ...]
    passed: int | None
    received: int | None

    @property
    def places(self) -> int:
        """The number of hands that were dealt: one more than the seats if there is a dummy hand (W19)."""
        return len(self.taken)

    @property
    def is_hand_hidden(self) -> bool:
        """Whether players do not see their own cards now (W18)."""
        return are_hands_hidden(self.blind, self.round, self.phase)

    @property
    def seats_to_act(self) -> tuple[int, ...]:
        """The seats that the match waits for."""
        if self.phase == "bid" and self.bidding != "open":
            return tuple(seat for seat, has_bid in enumerate(self.has_bid) if not has_bid)
        if self.phase == "pass":
            return tuple(seat for seat, has_passed in enumerate(self.has_passed) if not has_passed)
        return () if self.phase == "over" else (self.turn,)

    def __str__(self) -> str:
        return board(self)


def view(state: State, seat: int | None) -> View:
    """Return everything except the other hands, the cards that were not dealt, and what house rules hide."""
    no_hand = seat is None or are_hands_hidden(state.blind, state.round, state.phase)
    no_bids = are_bids_hidden(state.bidding, state.phase)
    tricks = tuple(completed_trick(state, number) for number in range(len(state.takers)))
    change = state.bid_change
    if change is not None and state.bidding == "late" and change.seat != seat:
        change = BidChange(change.seat, None)  # W25
    passed = received = None
    if state.passes and seat is not None:
        passed = state.passes[seat]
        received = None if state.phase == "pass" else state.passes[seat - 1]
    return View(
        seat=seat,
        seats=len(state.scores),
        rounds=state.rounds,
        draws=tuple(state.draws),
        dealer=state.dealer,
        round=state.round,
        phase=state.phase,
        turn=state.turn,
        hand=() if seat is None or no_hand else tuple(state.hands[seat]),
        hand_sizes=tuple(len(hand) for hand in state.hands),
        turned=state.turned,
        trump=state.trump,
        bids=tuple(None if no_bids and other != seat else bid for other, bid in enumerate(state.bids)),
        taken=tuple(state.taken),
        leader=state.leader,
        trick=tuple(state.trick),
        tricks=tricks,
        last=tricks[-1] if tricks else state.last,
        scores=tuple(state.scores),
        sheet=tuple(state.sheet),
        numbers=tuple(state.numbers),
        trick_count=state.trick_count,
        hand_plan=state.hand_plan,
        hook=state.hook,
        bidding=state.bidding,
        blind=state.blind,
        has_bid=tuple(bid is not None for bid in state.bids),
        specials=state.specials,
        swap=state.swap,
        bid_change=change,
        has_passed=tuple([card is not None for card in state.passes]),
        passed=passed,
        received=received,
    )


PHASE_NAMES = {
    "trump": "naming trump",
    "bid": "bidding",
    "play": "playing",
    "adjust": "changing a bid",
    "pass": "passing cards",
    "over": "over",
}


def board(view: View) -> str:
    """Return the board: the round, the bids and tricks, the score sheet, and the hand."""
    rows = [
        [_bid_text(view, seat), str(view.taken[seat]), str(view.hand_sizes[seat]), str(points)]
        for seat, points in enumerate(view.scores)
    ]
    return text_board.board(
        text_board.title_line(
            "Wizard", f"round {view.round} of {view.rounds}", PHASE_NAMES[view.phase], seat=view.seat
        ),
        text_board.labeled_line("house rules", rules, between=", ") if (rules := _house_rules(view)) else (),
        text_board.labeled_line("drawn for the deal", map(_draw_text, view.draws), between="; "),
        f"dealer {letter(view.dealer)}, turned {_card_text(view.turned)}, trump {_suit_text(view.trump)}",
        text_board.labeled_line("special cards", specials, between="; ") if (specials := _special_texts(view)) else (),
        text_board.seat_table(("bid", "taken", "cards", "points"), rows, view.seats_to_act),
        f"dummy: taken {view.taken[-1]}, cards {view.hand_sizes[-1]}" if view.places > view.seats else (),
        _sheet_lines(view.sheet),
        () if view.last is None or view.tricks else _trick_lines("last trick of the round before", view.last, view),
        *(_trick_lines(f"trick {number}", trick, view) for number, trick in enumerate(view.tricks, 1)),
        text_board.labeled_line("on the table", _trick_texts(view.leader, view.trick, view), between=", "),
        () if view.seat is None else text_board.labeled_line("hand", _hand_texts(view, view.seat)),
    )


def _special_texts(view: View) -> list[str]:
    """Return what special cards did in this round: `A took 5H for the chameleon`, `A raised the bid`."""
    texts = []
    if view.swap is not None:
        texts.append(f"{letter(view.swap.seat)} took {deck.card_name(view.swap.card)} for the chameleon")
    if view.bid_change is not None:
        did = {1: "raised", -1: "lowered", None: "changed"}[view.bid_change.by]
        texts.append(f"{letter(view.bid_change.seat)} {did} the bid")
    if view.passed is not None:
        texts.append(f"you passed {deck.card_name(view.passed)}")
    if view.received is not None:
        texts.append(f"you received {deck.card_name(view.received)}")
    return texts


def _house_rules(view: View) -> list[str]:
    """Return what differs from the published rules: `hands by twos, hook from 2 cards`."""
    hands = {"growing": "", "by twos": "hands by twos", "all cards": "all cards"}.get(
        view.hand_plan, f"{view.hand_plan} hands"
    )
    hook = "" if view.hook is None else f"hook from {view.hook} card{'' if view.hook == 1 else 's'}"
    bids = "" if view.bidding == "open" else f"{view.bidding} bids"
    specials = map(deck.card_name, view.specials)
    return [rule for rule in (hands, hook, bids, "blind third rounds" if view.blind else "", *specials) if rule]


def _bid_text(view: View, seat: int) -> str:
    known = view.bids[seat]
    return text_board.UNKNOWN if known is None and view.has_bid[seat] else text_board.text_or_dash(known)


def _hand_texts(view: View, seat: int) -> list[str]:
    if view.is_hand_hidden:
        return [text_board.UNKNOWN] * view.hand_sizes[seat]
    return list(map(deck.card_name, view.hand))


def _card_text(card: int | None) -> str:
    return text_board.NOTHING if card is None else deck.card_name(card)


def _suit_text(suit: int | None) -> str:
    return text_board.NOTHING if suit is None else SUITS[suit]


def _draw_text(row: Sequence[int]) -> str:
    return ", ".join(f"{letter(seat)} {deck.card_name(card)}" for seat, card in enumerate(row) if card >= 0)


def _place_text(view: View, place: int) -> str:
    return letter(place) if place < view.seats else "dummy"


def _trick_texts(leader: int, cards: Sequence[int], view: View) -> list[str]:
    """Return the cards of a trick with their seats: `B 10H`, `C wizard`."""
    return [f"{_place_text(view, (leader + at) % view.places)} {deck.card_name(card)}" for at, card in enumerate(cards)]


def _trick_lines(label: str, trick: Trick, view: View) -> list[str]:
    taker = _place_text(view, trick.winner)
    taker = f"vanished, {taker} leads" if trick.has_vanished else f"taken by {taker}"
    return text_board.labeled_line(label, [*_trick_texts(trick.leader, trick.cards, view), taker], between=", ")


def _sheet_lines(sheet: Sequence[Sequence[Score]]) -> list[str]:
    """Return one row per round: each seat's bid, tricks and points."""
    rows = [
        [str(number), *(f"{score.bid}/{score.taken} {score.points}" for score in row)]
        for number, row in enumerate(sheet, 1)
    ]
    heads = [f"{letter(seat)} bid/took" for seat in range(len(sheet[0]))] if sheet else []
    return text_board.table(("round", *heads), rows) if rows else []
