"""The result of a match of Jest in words: who got each trophy and why, and the value of each Jest."""

from __future__ import annotations

from cogs.jest.words import card_text, condition_text, sort_hand, the_card, value_lines
from cogs.screens import words
from cogs.screens.screen import Context
from engines.jest import deck
from engines.jest.model import FinalScoring
from engines.jest.scoring import TrophyAward


def award_lines(final: FinalScoring, context: Context) -> list[str]:
    """Return each trophy's condition, its winner, and what was compared (J10, J11)."""
    return ["### Trophies", *(_award_line(award, context) for award in final.awards)]


def jest_paragraphs(final: FinalScoring, context: Context) -> list[str]:
    """Return a paragraph per seat: its Jest with the trophies, line by line (J13)."""
    return [_jest_paragraph(final, context, seat) for seat in range(len(final.jests))]


def jest_with_trophies(final: FinalScoring, seat: int) -> list[int]:
    """Return the cards of a Jest in order, with its trophies."""
    return sort_hand([*final.jests[seat], *won_trophies(final, seat)])


def won_trophies(final: FinalScoring, seat: int) -> list[int]:
    """Return the trophies that a seat won."""
    return [award.trophy for award in final.awards if award.seat == seat]


def _award_line(award: TrophyAward, context: Context) -> str:
    award_text = f"{card_text(award.trophy).capitalize()}, for {condition_text(award.condition)}"
    if award.seat is None:
        return f"{award_text}: **nobody**, because the Joker is in no Jest"
    compared = ", ".join(
        f"{words.short_seat_label(context, seat)} {_measure_text(award, seat)}" for seat in range(len(award.measures))
    )
    return f"{award_text}: **{words.seat_label(context, award.seat)}** ({compared}{_tie_text(award, context)})"


def _measure_text(award: TrophyAward, seat: int) -> str:
    """What was compared in the seat's Jest: a face value, a number of cards, or a value."""
    measure = award.measures[seat]
    match award.condition.test:
        case "joker":
            return "none" if measure is None else "has it"
        case "best without joker":
            return "has the Joker" if measure is None else words.plain_number(measure)
        case "highest" | "lowest":
            alone = " (an ace alone)" if measure == 5 else ""
            return "none" if measure is None else f"{measure}{alone}"
        case "majority" | "best":
            return "none" if measure is None else words.plain_number(measure)


def _tie_text(award: TrophyAward, context: Context) -> str:
    """What broke a tie (J11)."""
    if not award.tied or award.card is None or award.seat is None:
        return ""
    tied = words.join_with_and([words.short_seat_label(context, seat) for seat in award.tied])
    decider = "strongest suit" if award.condition.test == "majority" else "highest card"
    return f"; of {tied}, {words.short_seat_label(context, award.seat)} has the {decider}, {the_card(award.card)}"


def _jest_paragraph(final: FinalScoring, context: Context, seat: int) -> str:
    worth, trophies = final.breakdowns[seat], won_trophies(final, seat)
    head = f"**{words.seat_label(context, seat)}**: {words.pluralize(worth.points, 'point')}"
    lines = value_lines(worth.lines, deck.make_jest(jest_with_trophies(final, seat)), trophies)
    return "\n".join([head, *lines])
