"""What a seat may know of a match of Jest, built field by field, and its text board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engines.jest import deck, scoring
from engines.jest.model import FinalScoring, KnownRound, Phase, Round, State, TakenCard
from engines.kit import text_board
from engines.kit.seats import letter


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows. A spectator has `seat` None and no hand, Jest or number. Other fields are as in State.

    `rounds` is the total number of rounds, `deck` the number of cards in it. `turn` is None unless a card is to be
    taken. `hand` has the two cards dealt this round, even after they were offered. `down` shows the seat's own card and
    the ones it took. `final` is set when the game is over; then nothing is hidden.
    """

    seat: int | None
    seats: int
    rounds: int
    round: int
    phase: Phase
    turn: int | None
    trophies: tuple[int, ...]
    deck: int
    hand: tuple[int, ...]
    up: tuple[int, ...]
    down: tuple[int | None, ...]
    waiting: tuple[int, ...]
    complete: tuple[bool, ...]
    takes: tuple[TakenCard, ...]
    past: tuple[KnownRound, ...]
    jest: tuple[int, ...]
    jest_sizes: tuple[int, ...]
    number: int | None
    final: FinalScoring | None

    def __str__(self) -> str:
        return board(self)


def view(state: State, seat: int | None) -> View:
    """Return everything that this seat may know, and nothing else. None is a spectator."""
    seats, is_over = len(state.jests), state.phase == "over"
    return View(
        seat=seat,
        seats=seats,
        rounds=round_count(seats),
        round=state.round,
        phase=state.phase,
        turn=state.waiting[0] if state.phase == "take" else None,
        trophies=state.trophies,
        deck=len(state.deck),
        hand=() if seat is None or is_over else state.dealt[seat],
        up=tuple(state.up) if state.phase == "take" else (),
        down=tuple(card if card >= 0 else None for card in _known_face_down(seat, state.down, state.takes)),
        waiting=tuple(state.waiting),
        complete=tuple(other in state.complete for other in range(seats)),
        takes=tuple(state.takes),
        past=tuple(_known_round(seat, past, is_over) for past in state.past),
        jest=() if seat is None else deck.jest_cards(state.jests[seat]),
        jest_sizes=tuple(jest.bit_count() for jest in state.jests),
        number=None if seat is None else state.numbers[seat],
        final=_final_scoring(state) if is_over else None,
    )


def round_count(seats: int) -> int:
    """Return the number of rounds (J3)."""
    return 4 if seats == 3 else 3


def _known_face_down(seat: int | None, down: Sequence[int], takes: Sequence[TakenCard]) -> list[int]:
    """Return the face-down cards that the seat knows, by offer: its own, and what it took (J8). −1 for the others."""
    taken = {take.source for take in takes if take.seat == seat and not take.up}
    return [card if source == seat or source in taken else -1 for source, card in enumerate(down)]


def _known_round(seat: int | None, past: Round, is_over: bool) -> KnownRound:
    known = past.down if is_over else _known_face_down(seat, past.down, past.takes)
    return KnownRound(past.up, tuple(card if card >= 0 else None for card in known), past.takes)


def _final_scoring(state: State) -> FinalScoring:
    settlement = scoring.settle_trophies(state.trophies, state.jests)
    return FinalScoring(
        jests=tuple(map(deck.jest_cards, state.jests)),
        values=tuple(map(scoring.jest_value, state.jests)),
        awards=tuple(scoring.trophy_award(trophy, state.jests) for trophy in state.trophies),
        breakdowns=tuple(map(scoring.value_breakdown, settlement.jests)),
    )


PHASE_NAMES = {"offer": "offering", "take": "taking", "over": "over"}


def board(view: View) -> str:
    """Return the board: the trophies, the offers, the cards taken, the earlier rounds, and the seat's own cards."""
    return text_board.board(
        text_board.title_line("Jest", f"round {view.round} of {view.rounds}", PHASE_NAMES[view.phase], seat=view.seat),
        text_board.labeled_line("trophies", map(deck.card_name, view.trophies)),
        f"draw pile: {view.deck} cards",
        text_board.seat_table(
            ("up", "down", "in the Jest"), [_seat_row(view, seat) for seat in range(view.seats)], _seats_to_act(view)
        ),
        text_board.labeled_line("still to take", map(letter, view.waiting)) if view.phase == "take" else (),
        text_board.labeled_line("taken", _take_texts(view.takes, view.up, view.down), between=", ")
        if view.phase != "offer"
        else (),
        *(_round_lines(number, past) for number, past in enumerate(view.past, 1)),
        () if view.final is None else _final_lines(view.final),
        () if view.seat is None else text_board.labeled_line("hand", map(deck.card_name, view.hand)),
        () if view.seat is None else text_board.labeled_line("Jest", map(deck.card_name, view.jest)),
    )


def _seats_to_act(view: View) -> Sequence[int]:
    return view.waiting if view.phase == "offer" else view.waiting[:1]


def _seat_row(view: View, seat: int) -> list[str]:
    """Return what lies face up and face down in the offer, and the number of cards in the Jest."""
    taken = {take.up for take in view.takes if take.source == seat}
    lies = view.phase == "take" or (view.phase == "offer" and seat not in view.waiting)
    up = deck.card_name(view.up[seat]) if view.up and True not in taken else text_board.NOTHING
    if view.phase == "offer" and lies and seat == view.seat:
        up = next(deck.card_name(card) for card in view.hand if card != view.down[seat])
    elif view.phase == "offer" and lies:
        up = text_board.UNKNOWN
    down = _card_or_unknown(view.down[seat]) if lies and False not in taken else text_board.NOTHING
    return [up, down, str(view.jest_sizes[seat])]


def _card_or_unknown(card: int | None) -> str:
    return text_board.UNKNOWN if card is None else deck.card_name(card)


def _take_texts(takes: Iterable[TakenCard], up: Sequence[int], down: Sequence[int | None]) -> list[str]:
    """Return `A takes B up 3S`, as in the notation, with the card."""
    return [
        f"{letter(take.seat)} takes {letter(take.source)} {'up' if take.up else 'down'} "
        f"{_card_or_unknown((up if take.up else down)[take.source])}"
        for take in takes
    ]


def _round_lines(number: int, past: KnownRound) -> list[str]:
    """Return the offers of a finished round, and the cards taken."""
    offers = text_board.label_by_seat(
        f"{deck.card_name(up)} {_card_or_unknown(down)}" for up, down in zip(past.up, past.down, strict=True)
    )
    taken = _take_texts(past.takes, past.up, past.down)
    return text_board.labeled_line(f"round {number}, offered up and down", [*offers, *taken], between=", ")


def _final_lines(final: FinalScoring) -> list[str]:
    """Return everybody's Jest with its value, the trophies, and the values with trophies."""
    rows = [
        [letter(seat), str(value), str(worth.points), " ".join(map(deck.card_name, jest))]
        for seat, (jest, value, worth) in enumerate(zip(final.jests, final.values, final.breakdowns, strict=True))
    ]
    return [
        *text_board.table(("", "without trophies", "points", "Jest"), rows),
        *text_board.labeled_line(
            "trophies", (f"{deck.card_name(a.trophy)} to {_seat_or_nobody(a.seat)}" for a in final.awards), between=", "
        ),
    ]


def _seat_or_nobody(seat: int | None) -> str:
    return "nobody" if seat is None else letter(seat)
