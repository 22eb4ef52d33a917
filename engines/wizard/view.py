"""What a seat sees of Wizard, built field by field, and its text board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.kit import text_board
from engines.kit.cards import SUITS
from engines.kit.seats import letter
from engines.wizard import deck
from engines.wizard.model import HandPlan, Phase, Score, State, Trick
from engines.wizard.turn import completed_trick


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows. A spectator has `seat` None and an empty hand. Fields are as in State; `last` is the newest
    trick."""

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

    def __str__(self) -> str:
        return board(self)


def view(state: State, seat: int | None) -> View:
    """Return everything except the other hands and the cards that were not dealt."""
    tricks = tuple(completed_trick(state, number) for number in range(len(state.takers)))
    return View(
        seat=seat,
        seats=len(state.hands),
        rounds=state.rounds,
        draws=tuple(state.draws),
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
        tricks=tricks,
        last=tricks[-1] if tricks else state.last,
        scores=tuple(state.scores),
        sheet=tuple(state.sheet),
        numbers=tuple(state.numbers),
        trick_count=state.trick_count,
        hand_plan=state.hand_plan,
        hook=state.hook,
    )


PHASE_NAMES = {"trump": "naming trump", "bid": "bidding", "play": "playing", "over": "over"}


def board(view: View) -> str:
    """Return the board: the round, the bids and tricks, the score sheet, and the hand."""
    due = () if view.phase == "over" else (view.turn,)
    rows = [
        [text_board.text_or_dash(bid), str(taken), str(size), str(points)]
        for bid, taken, size, points in zip(view.bids, view.taken, view.hand_sizes, view.scores, strict=True)
    ]
    return text_board.board(
        text_board.title_line(
            "Wizard", f"round {view.round} of {view.rounds}", PHASE_NAMES[view.phase], seat=view.seat
        ),
        text_board.labeled_line("house rules", house, between=", ") if (house := _house_rules(view)) else (),
        text_board.labeled_line("drawn for the deal", map(_draw_text, view.draws), between="; "),
        f"dealer {letter(view.dealer)}, turned {_card_text(view.turned)}, trump {_suit_text(view.trump)}",
        text_board.seat_table(("bid", "taken", "cards", "points"), rows, due),
        _sheet_lines(view.sheet),
        ()
        if view.last is None or view.tricks
        else _trick_lines("last trick of the round before", view.last, view.seats),
        *(_trick_lines(f"trick {number}", trick, view.seats) for number, trick in enumerate(view.tricks, 1)),
        text_board.labeled_line("on the table", _trick_texts(view.leader, view.trick, view.seats), between=", "),
        () if view.seat is None else text_board.labeled_line("hand", map(deck.card_name, view.hand)),
    )


def _house_rules(view: View) -> list[str]:
    """Return what differs from the published rules: `quick hands, hook from 2 cards`."""
    hands = [] if view.hand_plan == "growing" else [f"{view.hand_plan} hands".replace("cards hands", "cards")]
    return hands if view.hook is None else [*hands, f"hook from {view.hook} card{'' if view.hook == 1 else 's'}"]


def _card_text(card: int | None) -> str:
    return text_board.NOTHING if card is None else deck.card_name(card)


def _suit_text(suit: int | None) -> str:
    return text_board.NOTHING if suit is None else SUITS[suit]


def _draw_text(row: Sequence[int]) -> str:
    return ", ".join(f"{letter(seat)} {deck.card_name(card)}" for seat, card in enumerate(row) if card >= 0)


def _trick_texts(leader: int, cards: Sequence[int], seats: int) -> list[str]:
    """Return the cards of a trick with their seats: `B 10H`, `C wizard`."""
    return [f"{letter((leader + place) % seats)} {deck.card_name(card)}" for place, card in enumerate(cards)]


def _trick_lines(label: str, trick: Trick, seats: int) -> list[str]:
    return text_board.labeled_line(
        label, [*_trick_texts(trick.leader, trick.cards, seats), f"taken by {letter(trick.winner)}"], between=", "
    )


def _sheet_lines(sheet: Sequence[Sequence[Score]]) -> list[str]:
    """Return one row per round: each seat's bid, tricks and points."""
    rows = [
        [str(number), *(f"{score.bid}/{score.taken} {score.points}" for score in row)]
        for number, row in enumerate(sheet, 1)
    ]
    heads = [f"{letter(seat)} bid/took" for seat in range(len(sheet[0]))] if sheet else []
    return text_board.table(("round", *heads), rows) if rows else []
