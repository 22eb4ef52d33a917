"""The end of a match of Jest in words: where every trophy went and why, and every Jest's value worked out."""

from __future__ import annotations

from cogs.jest.words import card, condition, in_order, the, value_lines
from cogs.screens import words
from cogs.screens.screen import Context
from engines.jest import deck
from engines.jest.model import Final
from engines.jest.scoring import Award


def award_lines(final: Final, context: Context) -> list[str]:
    """J10, J11: what each trophy asked for, who got it, and what was compared."""
    return ["### Trophies", *(_award(award, context) for award in final.awards)]


def jest_parts(final: Final, context: Context) -> list[str]:
    """J13: a paragraph a seat: its Jest with the trophies, line by line."""
    return [_jest(final, context, seat) for seat in range(len(final.jests))]


def with_trophies(final: Final, seat: int) -> list[int]:
    """The cards of a Jest in order, with the trophies it got."""
    return in_order([*final.jests[seat], *won(final, seat)])


def won(final: Final, seat: int) -> list[int]:
    """The trophies that a seat got."""
    return [award.trophy for award in final.awards if award.seat == seat]


def _award(award: Award, context: Context) -> str:
    asked = f"{card(award.trophy).capitalize()}, for {condition(award.condition)}"
    if award.seat is None:
        return f"{asked}: **nobody**, no Jest has that"
    compared = ", ".join(f"{words.brief(context, seat)} {_measure(award, seat)}" for seat in range(len(award.measures)))
    return f"{asked}: **{words.seat(context, award.seat)}** ({compared}{_tie(award, context)})"


def _measure(award: Award, seat: int) -> str:
    """What of that seat's Jest was compared: a face value, a number of cards, a value."""
    measure = award.measures[seat]
    match award.condition.test:
        case "joker":
            return "none" if measure is None else "has it"
        case "best without joker":
            return "has the Joker" if measure is None else words.plain(measure)
        case "highest" | "lowest":
            alone = " (an ace alone)" if measure == 5 else ""
            return "none" if measure is None else f"{measure}{alone}"
        case "majority" | "best":
            return "none" if measure is None else words.plain(measure)


def _tie(award: Award, context: Context) -> str:
    """J11: what decided where several were equal."""
    if not award.tied or award.card is None or award.seat is None:
        return ""
    tied = words.listed([words.brief(context, seat) for seat in award.tied])
    decider = "strongest suit" if award.condition.test == "majority" else "highest card"
    return f"; of {tied}, {words.brief(context, award.seat)} has the {decider}, {the(award.card)}"


def _jest(final: Final, context: Context, seat: int) -> str:
    worth, trophies = final.worths[seat], won(final, seat)
    head = f"**{words.seat(context, seat)}**: {words.counted(worth.points, 'point')}"
    lines = value_lines(worth.lines, deck.jest(with_trophies(final, seat)), trophies)
    return "\n".join([head, *lines])
