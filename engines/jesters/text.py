"""A view of Jesters as a text board. What a Jest card or a Gift does is written as in components.toml."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import COLOURS, SYMBOLS
from engines.kit import text_board
from engines.kit.seats import letter

if TYPE_CHECKING:
    from engines.jesters.model import Attempt, Die, Final, View

PHASES = {"turn": "turn", "attempt": "attempt", "mark": "marking dice", "keep": "keeping a Gift", "over": "over"}
ANY_COLOUR = (*COLOURS, "any")


def board(view: View) -> str:
    """The open tasks, every seat's dice, Gifts and successes, the attempt, the piles, and the hand."""
    due = () if view.phase == "over" else (view.turn,)
    return text_board.board(
        text_board.title("Jesters", f"round {view.round} of 3", PHASES[view.phase], seat=view.seat),
        _favorite("Favorite", view.favorite),
        *(_performance(number) for number in view.board),
        text_board.seats(
            ("cards", "failures", "Fame of Gifts", "Techniques"), [_row(view, s) for s in range(view.seats)], due
        ),
        f"Techniques in the middle: {_counted(view.middle)}",
        text_board.line("first player card", [letter(view.first)]),
        text_board.line("passed", map(letter, view.passed)),
        text_board.line("completed this Favorite", map(letter, view.done)),
        *(_gift(view, seat, gift) for seat, gifts in enumerate(view.gifts) for gift in gifts),
        *(_completed(seat, number) for seat, numbers in enumerate(view.completed) for number in numbers),
        *(_favorite(f"majority place {place}", number) for place, number in enumerate(view.placed, 1)),
        () if view.attempt is None else _attempt(view.turn, view.attempt),
        () if not view.drawn else text_board.line("Gifts to keep one of", map(_known_gift, view.drawn), between=", "),
        _piles(view),
        () if view.final is None else _final(view.final),
        () if view.seat is None else _hand(view.hand),
    )


def _row(view: View, seat: int) -> list[str]:
    return [str(view.hand_sizes[seat]), str(view.failures[seat]), str(view.fame[seat]), _counted(view.dice[seat])]


def _counted(dice: Sequence[int]) -> str:
    """`2 red, 1 blue`: Techniques by colour."""
    return ", ".join(f"{n} {name}" for n, name in zip(dice, COLOURS, strict=True) if n) or text_board.NOTHING


def _symbols(symbols: Iterable[int]) -> str:
    return " and ".join(SYMBOLS[symbol] for symbol in symbols)


def _favorite(label: str, number: int) -> list[str]:
    favorite = catalogue.favorite(number)
    asks = [f"“{favorite.name}”", str(favorite.requirement), _symbols(favorite.symbols)]
    return text_board.line(label, asks, between="; ")


def _performance(number: int) -> list[str]:
    one = catalogue.performance(number)
    asks = [f"“{one.name}”", str(one.requirement), f"{one.fame} Fame", _symbols(one.symbols)]
    return text_board.line(f"Performance {number}", asks, between="; ")


def _completed(seat: int, number: int) -> list[str]:
    one = catalogue.performance(number)
    brings = [f"“{one.name}”", f"{one.fame} Fame", _symbols(one.symbols)]
    return text_board.line(f"{letter(seat)} completed {number}", brings, between="; ")


def _gift(view: View, seat: int, number: int) -> str:
    used = ", used in this round" if number in view.used else ""
    return f"{letter(seat)} has Gift {_known_gift(number)}{used}"


def _known_gift(number: int | None) -> str:
    """A Gift by its number, with what it does and its symbol."""
    if number is None:
        return text_board.UNKNOWN
    gift = catalogue.gift(number)
    return f"{number} ({_effect(gift.effect)}; {SYMBOLS[gift.symbol]})"


def _effect(effect: catalogue.Effect) -> str:
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


def _attempt(seat: int, attempt: Attempt) -> list[str]:
    """The rolled dice by their numbers."""
    what = f"Performance {attempt.target}" if attempt.target else "the Favorite"
    dice = [f"{n} {_die(die)}{' marked' if n in attempt.marked else ''}" for n, die in enumerate(attempt.dice, 1)]
    why = (
        ""
        if attempt.marking is None
        else f", marking for {f'Gift {attempt.marking}' if attempt.marking else 'a reroll'}"
    )
    return text_board.line(f"dice of {letter(seat)} for {what}{why}", dice, between=", ")


def _die(die: Die) -> str:
    """`red 5`, and its true colour where that is another one."""
    changed = "" if die.own == die.colour else f" (in truth {COLOURS[die.own]})"
    return f"{COLOURS[die.colour]} {die.face}{changed}"


def _piles(view: View) -> list[str]:
    """How much they hold, and what is known of them."""
    sizes = [
        f"{view.draw} Jest cards",
        f"{view.pile} Performances",
        f"{view.favorites} Favorites",
        f"{view.gift_pile} Gifts",
    ]
    under = [text_board.UNKNOWN if gift is None else str(gift) for gift in view.under]
    return [
        *text_board.line("piles", sizes, between=", "),
        *(text_board.line("put under the Gifts, the lowest first", under) if under else ()),
        *text_board.line("discarded Jest cards", map(str, view.discard)),
        *(_refilled(view) if view.refills else ()),
    ]


def _refilled(view: View) -> list[str]:
    """Which cards went into which refill of the pile, and how many of each refill are in the hands."""
    rows = [f"refills of the Jest cards: {view.refills}"]
    for refill in range(view.refills + 1):
        cards = [str(card) for card, pack in enumerate(view.packs, 1) if pack == refill]
        rows += text_board.line(f"last in refill {refill}" if refill else "in no refill yet", cards)
        held = text_board.by_seat(str(packs.count(refill)) for packs in view.hand_packs)
        rows += text_board.line("  of them in hands", held, between=", ")
    return rows


def _final(final: Final) -> list[str]:
    """Everything that was scored, by seat."""
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


def _hand(cards: Iterable[int]) -> list[str]:
    """The Jest cards by number, with both halves."""
    words = []
    for number in cards:
        card = catalogue.jest_card(number)
        top = " ".join(ANY_COLOUR[colour] for colour in card.top)
        words.append(f"{number} ({top}; {_bottom(card.bottom)})")
    return text_board.line("hand", words, between=", ")


def _bottom(bottom: catalogue.Bottom) -> str:
    match bottom:
        case catalogue.Adjust(amount, colour):
            return f"±{amount} {ANY_COLOUR[colour]}"
        case catalogue.Turn(colour):
            return f"turn {ANY_COLOUR[colour]}"
