"""What a seat sees of Jesters, and its text board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import COLOURS, SYMBOLS
from engines.jesters.model import Attempt, Die, FinalScoring, Phase, State
from engines.kit import text_board
from engines.kit.seats import letter


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows. A spectator has `seat` None and an empty hand. Fields are as in State, except:

    `draw`, `favorites`, `pile` and `gift_pile` are the sizes of the piles. `under` has the Gifts that were put under
    their pile, lowest first, and `drawn` those drawn to choose from: None for each that the seat does not know.
    `hand_packs` has, by seat, the `packs` of its Jest cards, sorted. Everybody knows them: the pile is refilled only
    when it is empty, so a card comes from the last refill before it was drawn.
    """

    seat: int | None
    seats: int
    first: int
    turn: int
    round: int
    phase: Phase
    dice: tuple[tuple[int, ...], ...]
    middle: tuple[int, ...]
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    hand_packs: tuple[tuple[int, ...], ...]
    draw: int
    discard: tuple[int, ...]
    packs: tuple[int, ...]
    refills: int
    favorites: int
    favorite: int
    placed: tuple[int, ...]
    pile: int
    board: tuple[int, ...]
    completed: tuple[tuple[int, ...], ...]
    gift_pile: int
    under: tuple[int | None, ...]
    gifts: tuple[tuple[int, ...], ...]
    used: tuple[int, ...]
    drawn: tuple[int | None, ...]
    failures: tuple[int, ...]
    fame: tuple[int, ...]
    passed: tuple[int, ...]
    done: tuple[int, ...]
    attempt: Attempt | None
    final: FinalScoring | None
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        return board(self)


def view(state: State, seat: int | None) -> View:
    """Return everything except the other hands, the piles, and Gifts that only others have seen."""
    return View(
        seat=seat,
        seats=len(state.hands),
        first=state.first,
        turn=state.turn,
        round=state.round,
        phase=state.phase,
        dice=tuple(map(tuple, state.dice)),
        middle=tuple(state.middle),
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(map(len, state.hands)),
        hand_packs=tuple(tuple(sorted(state.packs[card - 1] for card in hand)) for hand in state.hands),
        draw=len(state.draw),
        discard=tuple(state.discard),
        packs=tuple(state.packs),
        refills=state.refills,
        favorites=len(state.favorites),
        favorite=state.favorite,
        placed=tuple(state.placed),
        pile=len(state.pile),
        board=tuple(state.board),
        completed=tuple(map(tuple, state.completed)),
        gift_pile=len(state.gift_pile),
        under=_known_gifts(state.gift_pile, state.under, seat),
        gifts=tuple(map(tuple, state.gifts)),
        used=tuple(state.used),
        drawn=tuple(state.drawn) if seat == state.turn else _known_gifts(state.drawn, state.drawn_known, seat),
        failures=tuple(state.failures),
        fame=tuple(state.fame),
        passed=tuple(state.passed),
        done=tuple(state.done),
        attempt=_attempt_view(state),
        final=state.final,
        numbers=tuple(state.numbers),
    )


def rolled_dice(state: State) -> tuple[Die, ...]:
    """Return the dice of the attempt."""
    return tuple(map(Die, state.own, state.colours, state.faces))


def _attempt_view(state: State) -> Attempt | None:
    if state.target is None:
        return None
    return Attempt(state.target, rolled_dice(state), state.marking, tuple(state.marked))


def _known_gifts(gifts: Sequence[int], known_by: Sequence[Sequence[int]], seat: int | None) -> tuple[int | None, ...]:
    """Return the Gifts that a seat knows, with None for others. There may be more Gifts than known places."""
    return tuple(gift if seat in knowers else None for gift, knowers in zip(gifts, known_by, strict=False))


PHASE_NAMES = {"turn": "turn", "attempt": "attempt", "mark": "marking dice", "keep": "keeping a Gift", "over": "over"}
COLOUR_WORDS = (*COLOURS, "any")


def board(view: View) -> str:
    """Return the board: open tasks, every seat's dice, Gifts and successes, the attempt, the piles, and the hand."""
    due = () if view.phase == "over" else (view.turn,)
    return text_board.board(
        text_board.title_line("Jesters", f"round {view.round} of 3", PHASE_NAMES[view.phase], seat=view.seat),
        _favorite_lines("Favorite", view.favorite),
        *(_performance_lines(number) for number in view.board),
        text_board.seat_table(
            ("cards", "failures", "Fame of Gifts", "Techniques"), [_seat_row(view, s) for s in range(view.seats)], due
        ),
        f"Techniques in the middle: {_techniques_text(view.middle)}",
        text_board.labeled_line("first player card", [letter(view.first)]),
        text_board.labeled_line("passed", map(letter, view.passed)),
        text_board.labeled_line("completed this Favorite", map(letter, view.done)),
        *(_gift_line(view, seat, gift) for seat, gifts in enumerate(view.gifts) for gift in gifts),
        *(_completed_lines(seat, number) for seat, numbers in enumerate(view.completed) for number in numbers),
        *(_favorite_lines(f"majority place {place}", number) for place, number in enumerate(view.placed, 1)),
        () if view.attempt is None else _attempt_lines(view.turn, view.attempt),
        ()
        if not view.drawn
        else text_board.labeled_line("Gifts to keep one of", map(_gift_text, view.drawn), between=", "),
        _pile_lines(view),
        () if view.final is None else _final_lines(view.final),
        () if view.seat is None else _hand_lines(view.hand),
    )


def _seat_row(view: View, seat: int) -> list[str]:
    return [
        str(view.hand_sizes[seat]),
        str(view.failures[seat]),
        str(view.fame[seat]),
        _techniques_text(view.dice[seat]),
    ]


def _techniques_text(dice: Sequence[int]) -> str:
    """Return `2 red, 1 blue`: Techniques by colour."""
    return ", ".join(f"{n} {name}" for n, name in zip(dice, COLOURS, strict=True) if n) or text_board.NOTHING


def _symbols_text(symbols: Iterable[int]) -> str:
    return " and ".join(SYMBOLS[symbol] for symbol in symbols)


def _favorite_lines(label: str, number: int) -> list[str]:
    favorite = catalogue.favorite(number)
    asks = [f"“{favorite.name}”", str(favorite.requirement), _symbols_text(favorite.symbols)]
    return text_board.labeled_line(label, asks, between="; ")


def _performance_lines(number: int) -> list[str]:
    one = catalogue.performance(number)
    asks = [f"“{one.name}”", str(one.requirement), f"{one.fame} Fame", _symbols_text(one.symbols)]
    return text_board.labeled_line(f"Performance {number}", asks, between="; ")


def _completed_lines(seat: int, number: int) -> list[str]:
    one = catalogue.performance(number)
    brings = [f"“{one.name}”", f"{one.fame} Fame", _symbols_text(one.symbols)]
    return text_board.labeled_line(f"{letter(seat)} completed {number}", brings, between="; ")


def _gift_line(view: View, seat: int, number: int) -> str:
    used = ", used in this round" if number in view.used else ""
    return f"{letter(seat)} has Gift {_gift_text(number)}{used}"


def _gift_text(number: int | None) -> str:
    """Return a Gift's number, effect and symbol."""
    if number is None:
        return text_board.UNKNOWN
    gift = catalogue.gift(number)
    return f"{number} ({_effect_text(gift.effect)}; {SYMBOLS[gift.symbol]})"


def _effect_text(effect: catalogue.Effect) -> str:
    match effect:
        case catalogue.Opposite(colour):
            return f"opposite {COLOURS[colour]}"
        case catalogue.Recolour(colour):
            return f"recolour {COLOURS[colour]}"
        case catalogue.FameForSymbol(symbol):
            return f"fame {SYMBOLS[symbol]}"
        case catalogue.FameForColour(colour):
            return f"fame {COLOURS[colour]}"
        case catalogue.Extra():
            return "extra"
        case catalogue.Reroll():
            return "reroll"


def _attempt_lines(seat: int, attempt: Attempt) -> list[str]:
    """Return the rolled dice by their numbers."""
    what = f"Performance {attempt.target}" if attempt.target else "the Favorite"
    dice = [f"{n} {_die_text(die)}{' marked' if n in attempt.marked else ''}" for n, die in enumerate(attempt.dice, 1)]
    why = (
        ""
        if attempt.marking is None
        else f", marking for {f'Gift {attempt.marking}' if attempt.marking else 'a reroll'}"
    )
    return text_board.labeled_line(f"dice of {letter(seat)} for {what}{why}", dice, between=", ")


def _die_text(die: Die) -> str:
    """Return `red 5`, and the die's true colour if it differs."""
    changed = "" if die.own == die.colour else f" (in truth {COLOURS[die.own]})"
    return f"{COLOURS[die.colour]} {die.face}{changed}"


def _pile_lines(view: View) -> list[str]:
    """Return the sizes of the piles, and what is known of them."""
    sizes = [
        f"{view.draw} Jest cards",
        f"{view.pile} Performances",
        f"{view.favorites} Favorites",
        f"{view.gift_pile} Gifts",
    ]
    under = [text_board.UNKNOWN if gift is None else str(gift) for gift in view.under]
    return [
        *text_board.labeled_line("piles", sizes, between=", "),
        *(text_board.labeled_line("put under the Gifts, the lowest first", under) if under else ()),
        *text_board.labeled_line("discarded Jest cards", map(str, view.discard)),
        *(_refill_lines(view) if view.refills else ()),
    ]


def _refill_lines(view: View) -> list[str]:
    """Return which cards went into which refill of the pile, and how many of each refill are in the hands."""
    rows = [f"refills of the Jest cards: {view.refills}"]
    for refill in range(view.refills + 1):
        cards = [str(card) for card, pack in enumerate(view.packs, 1) if pack == refill]
        rows += text_board.labeled_line(f"last in refill {refill}" if refill else "in no refill yet", cards)
        in_hands = text_board.label_by_seat(str(packs.count(refill)) for packs in view.hand_packs)
        rows += text_board.labeled_line("  of them in hands", in_hands, between=", ")
    return rows


def _final_lines(final: FinalScoring) -> list[str]:
    """Return the complete scoring, by seat."""
    parts = {
        "majorities": [sum(fame) for fame in zip(*(each.fame for each in final.majorities), strict=True)],
        "failures": final.track,
        "first": final.first,
        "Performances": final.performances,
        "Gifts": final.gifts,
        "Fame": final.totals,
    }
    rows = [[letter(seat), *map(str, scored)] for seat, scored in enumerate(zip(*parts.values(), strict=True))]
    return text_board.table(("", *parts), rows)


def _hand_lines(cards: Iterable[int]) -> list[str]:
    """Return the Jest cards by number, with both halves."""
    words = []
    for number in cards:
        card = catalogue.jest_card(number)
        top = " ".join(COLOUR_WORDS[colour] for colour in card.top)
        words.append(f"{number} ({top}; {_bottom_text(card.bottom)})")
    return text_board.labeled_line("hand", words, between=", ")


def _bottom_text(bottom: catalogue.Bottom) -> str:
    match bottom:
        case catalogue.Adjust(amount, colour):
            return f"±{amount} {COLOUR_WORDS[colour]}"
        case catalogue.TurnOver(colour):
            return f"turn {COLOUR_WORDS[colour]}"
