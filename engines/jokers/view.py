"""What a seat sees of Jokers, built field by field, and its text board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.jokers import deck
from engines.jokers.model import Phase, RoundResult, Score, State
from engines.kit import text_board
from engines.kit.seats import letter


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows. A spectator has `seat` None and an empty hand. Fields are as in State, except:

    `safety` has, by seat, None for a face-down card and the card itself for a used one. `draw` is the size of the draw
    pile. `known` has the cards publicly known to be in each hand: cards taken openly and not laid down since, and all
    of a declared hand.
    """

    seat: int | None
    rounds: int
    starter: int
    round: int
    phase: Phase
    turn: int
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    draw: int
    discard: tuple[int, ...]
    safety: tuple[tuple[int | None, ...], ...]
    turned: int | None
    trades: int
    idle: bool
    still: int
    declared: int | None
    scores: tuple[int, ...]
    sheet: tuple[tuple[Score, ...], ...]
    last: RoundResult | None
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        return board(self)


def view(state: State, seat: int | None) -> View:
    """Return everything except the other hand, the cards of the draw pile and the face-down safety cards."""
    return View(
        seat=seat,
        rounds=state.rounds,
        starter=state.starter,
        round=state.round,
        phase=state.phase,
        turn=state.turn,
        hand=() if seat is None else deck.hand_cards(state.hands[seat]),
        hand_sizes=tuple(map(deck.hand_size, state.hands)),
        known=tuple(map(deck.hand_cards, state.known)),
        draw=len(state.draw),
        discard=tuple(state.discard),
        safety=tuple(map(_used_safety_cards, state.safety, state.down)),
        turned=state.turned,
        trades=state.trades,
        idle=state.idle,
        still=state.still,
        declared=state.declared,
        scores=tuple(state.scores),
        sheet=tuple(tuple(row) for row in state.sheet),
        last=state.last,
        numbers=tuple(state.numbers),
    )


def _used_safety_cards(cards: list[int], down: list[bool]) -> tuple[int | None, ...]:
    """Return the used safety cards, with None for those that nobody may see."""
    return tuple(None if is_down else card for card, is_down in zip(cards, down, strict=True))


PHASE_NAMES = {"turn": "trading", "safety": "safety card turned up", "discard": "discarding", "over": "over"}
ENDING_TEXTS = {
    "declared": "a full hand was declared",
    "empty": "the draw pile was empty",
    "stall": "nobody did anything",
}


def board(view: View) -> str:
    """Return the board: the piles, the safety cards, what is known of the hands, the scored rounds, and the hand."""
    due = () if view.phase == "over" else (view.turn,)
    rows = [
        [str(view.hand_sizes[seat]), _safety_text(view, seat), str(view.scores[seat])]
        for seat in range(len(view.scores))
    ]
    return text_board.board(
        text_board.title_line(
            "Jokers", f"round {view.round} of {view.rounds}", PHASE_NAMES[view.phase], seat=view.seat
        ),
        f"begun by {letter(view.starter)}, trades left {view.trades}, {_idle_text(view)}",
        text_board.seat_table(("cards", "safety cards 1, 2", "points"), rows, due),
        () if view.declared is None else f"declared by {letter(view.declared)}",
        *(_known_lines(seat, cards) for seat, cards in enumerate(view.known)),
        f"draw pile: {view.draw} cards",
        text_board.labeled_line("discard pile, the top first", map(deck.card_name, reversed(view.discard))),
        () if view.turned is None else f"turned up: {deck.card_name(view.turned)}",
        *(_round_lines(number, scores) for number, scores in enumerate(view.sheet, 1)),
        () if view.last is None else _last_round_lines(view.last),
        () if view.seat is None else text_board.labeled_line("hand", map(deck.card_name, view.hand)),
    )


def _idle_text(view: View) -> str:
    """Return how many consecutive turns were idle (K11), and whether this one is so far."""
    return f"idle turns in a row {view.still}, this one {'idle so far' if view.idle else 'not idle'}"


def _safety_text(view: View, seat: int) -> str:
    """Return the safety cards: face down, just turned up, or used."""
    cards = ("down" if card is None else deck.card_name(card) for card in view.safety[seat])
    return ", ".join(cards)


def _known_lines(seat: int, cards: Sequence[int]) -> list[str]:
    """Return the cards publicly known to be in a hand."""
    return text_board.labeled_line(f"known of {letter(seat)}'s hand", map(deck.card_name, cards)) if cards else []


def _round_lines(number: int, scores: Sequence[Score]) -> list[str]:
    """Return the points of a round, with their parts."""
    return text_board.labeled_line(f"round {number}", text_board.label_by_seat(map(_score_text, scores)), between="; ")


def _score_text(score: Score) -> str:
    parts = {
        "win": score.win,
        "melds": score.melds,
        "extras": score.extras,
        "colour": score.colour,
        "jokers": score.jokers,
    }
    text = ", ".join(f"{name} {points}" for name, points in parts.items() if points)
    return f"{score.points} ({text or 'nothing'})"


def _last_round_lines(result: RoundResult) -> list[str]:
    """Return how the round before ended, and with which hands."""
    how = ENDING_TEXTS[result.ending] + ("" if result.declared is None else f" by {letter(result.declared)}")
    hands = text_board.label_by_seat(" ".join(map(deck.card_name, hand)) for hand in result.hands)
    return text_board.labeled_line(f"round {result.round} ended, {how}", hands, between="; ")
