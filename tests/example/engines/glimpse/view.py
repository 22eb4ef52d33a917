"""What a seat sees of Glimpse, built field by field, and its text board."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engines.kit import text_board
from engines.kit.seats import letter
from tests.example.engines.glimpse.deck import kind_name
from tests.example.engines.glimpse.model import Phase, State, TurnedCard


@dataclass(frozen=True, slots=True)
class View:
    """What one seat sees. A spectator has `seat` None, no hand and no glimpse. Fields as in State.

    `laid` is the card face down, if this seat laid it. `guessed` says who has guessed; `guess` is this seat's guess.
    """

    seat: int | None
    seats: int
    deals: int
    deal: int
    phase: Phase
    turn: int
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    glimpse: int | None
    laid: int | None
    guessed: tuple[bool, ...]
    guess: bool | None
    turned: tuple[TurnedCard, ...]
    scores: tuple[int, ...]
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        return board(self)


def view(state: State, seat: int | None) -> View:
    """Return the seat's own hand, glimpse, guess and card face down, and everything public."""
    return View(
        seat=seat,
        seats=len(state.hands),
        deals=state.deals,
        deal=state.deal,
        phase=state.phase,
        turn=state.turn,
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(len(hand) for hand in state.hands),
        glimpse=None if seat is None else state.glimpses[seat],
        laid=state.laid if seat == state.turn else None,
        guessed=tuple(guess is not None for guess in state.guesses),
        guess=None if seat is None else state.guesses[seat],
        turned=tuple(state.turned),
        scores=tuple(state.scores),
        numbers=tuple(state.numbers),
    )


PHASE_NAMES = {"lay": "laying", "guess": "guessing", "over": "over"}


def board(view: View) -> str:
    """Return a text board: all points, cards and guesses, the cards turned up, and the own glimpse and hand."""
    return text_board.board(
        text_board.title_line("Glimpse", f"deal {view.deal} of {view.deals}", PHASE_NAMES[view.phase], seat=view.seat),
        text_board.seat_table(
            ("cards", "points", "lies", "guess"),
            [
                [
                    str(view.hand_sizes[seat]),
                    str(view.scores[seat]),
                    _laid_card_text(view, seat),
                    _guess_text(view, seat),
                ]
                for seat in range(view.seats)
            ],
            seats_to_act(view),
        ),
        text_board.labeled_line("turned up", map(_turned_text, view.turned), between="; "),
        () if view.seat is None else f"glimpsed in the hand of {letter((view.seat + 1) % view.seats)}: {view.glimpse}",
        () if view.seat is None else text_board.labeled_line("hand", map(str, view.hand)),
    )


def seats_to_act(view: View) -> Collection[int]:
    """Return the seats that the match waits for."""
    if view.phase == "guess":
        return [seat for seat, guessed in enumerate(view.guessed) if not guessed and seat != view.turn]
    return () if view.phase == "over" else (view.turn,)


def _laid_card_text(view: View, seat: int) -> str:
    """The card face down before a seat. Only its owner sees it."""
    if view.phase != "guess" or seat != view.turn:
        return text_board.NOTHING
    return text_board.UNKNOWN if view.laid is None else str(view.laid)


def _guess_text(view: View, seat: int) -> str:
    if not view.guessed[seat]:
        return text_board.NOTHING
    return text_board.UNKNOWN if seat != view.seat or view.guess is None else kind_name(view.guess)


def _turned_text(turned_card: TurnedCard) -> str:
    """The owner with the card, then the guesses: `A 9, B fool, C wizard`."""
    guesses = [
        f"{letter(seat)} {kind_name(guess)}" for seat, guess in enumerate(turned_card.guesses) if guess is not None
    ]
    return ", ".join((f"{letter(turned_card.seat)} {turned_card.card}", *guesses))
