"""Jesters' score sheet and final scoring in words."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.words import (
    current_fame,
    gift_text,
    majority_favorite,
    majority_lines,
    numbered_card_text,
    round_line,
    symbol_names,
)
from cogs.screens import words
from cogs.screens.screen import Context
from engines.jesters import scoring
from engines.jesters.components import catalogue
from engines.jesters.model import FinalScoring, Majority
from engines.jesters.scoring import FAILURE_TRACK, FIRST_PLAYER_FAME, MAJORITY_PLACES
from engines.jesters.view import View


def sheet_lines(view: View, context: Context, is_brief: bool = False) -> list[str]:
    """Return completed Performances, Gifts and majorities; at the end, also the final scoring.

    The brief form has no symbols, and only the numbers of Jest cards.
    """
    lines = (
        [] if view.final is not None else [f"{round_line(view)}. Majorities and the failure track count at the end."]
    )
    for seat in range(view.seats):
        lines.append(
            f"**{words.seat_label(context, seat, view.seat)}**: {current_fame(view, seat)} Fame from "
            "Performances and Gifts"
        )
        lines.append(f"-# Completed: {_completed_text(view, seat, is_brief)}")
        lines.append(f"-# Gifts: {'; '.join(_gift_entry(number, is_brief) for number in view.gifts[seat]) or 'none'}")
    if view.final is not None:
        return [*scoring_lines(view, view.final, context), *lines]
    return [*lines, *majority_lines(view, context), _discard_line(view, is_brief)]


def _completed_text(view: View, seat: int, is_brief: bool) -> str:
    done = [catalogue.performance(number) for number in view.completed[seat]]
    of = [f"{one.fame}" if is_brief else f"{one.fame}, {symbol_names(one.symbols)}" for one in done]
    return "; ".join(f"{one.name} ({what})" for one, what in zip(done, of, strict=True)) or "nothing"


def _gift_entry(number: int, is_brief: bool) -> str:
    """What a Gift does, and its symbol: `one more die (Mime)`."""
    return gift_text(number) if is_brief else f"{gift_text(number)} ({symbol_names([catalogue.gift(number).symbol])})"


def _discard_line(view: View, is_brief: bool) -> str:
    cards = "; ".join(map(str if is_brief else numbered_card_text, sorted(view.discard)))
    return f"**Discarded Jest cards**: {cards or 'none'}"


def scoring_lines(view: View, final: FinalScoring, context: Context) -> list[str]:
    """Return the final scoring line by line (S16–S18)."""
    lines = [_majority_line(place, context) for place in final.majorities]
    lines.append(f"**Failure track**: {_seat_values_text(context, final.track)}")
    lines.append(f"**First player card**: {_seat_values_text(context, final.first)}")
    lines.append(f"**Performances**: {_seat_values_text(context, final.performances, tuple(map(len, view.completed)))}")
    lines.append(f"**Fame from Gifts**: {_seat_values_text(context, final.gifts)}")
    totals = ", ".join(
        f"{words.short_seat_label(context, seat)} {words.plain_number(total)}"
        for seat, total in enumerate(final.totals)
    )
    return ["-# The numbers in brackets are counts.", *lines, f"**Total**: {totals}", *_tie_lines(final, context)]


def scoring_so_far(view: View) -> FinalScoring:
    """Return the scoring if the match ended now, with the revealed majorities."""
    counts = list(map(scoring.count_symbols, view.completed, view.gifts))
    favorites = [found[0] for place in range(len(MAJORITY_PLACES)) if (found := majority_favorite(view, place))]
    places = [_score_majority(favorite, MAJORITY_PLACES[i], counts) for i, favorite in enumerate(favorites)]
    track = tuple(FAILURE_TRACK[failures] for failures in view.failures)
    first = tuple(FIRST_PLAYER_FAME if seat == view.first else 0 for seat in range(view.seats))
    performances = tuple(sum(catalogue.performance(number).fame for number in own) for own in view.completed)
    parts = [*(place.fame for place in places), track, first, performances, view.fame]
    totals = tuple(map(sum, zip(*parts, strict=True)))
    gifts = tuple(map(len, view.gifts))
    return FinalScoring(tuple(places), track, first, performances, view.fame, totals, gifts, view.hand_sizes)


def _score_majority(favorite: int, numbers: tuple[int, int], counts: Sequence[Sequence[int]]) -> Majority:
    matches = scoring.matching_symbols(favorite, counts)
    return Majority(favorite, *numbers, matches, scoring.majority_fame(matches, *numbers))


def _majority_line(place: Majority, context: Context) -> str:
    symbols = symbol_names(catalogue.favorite(place.favorite).symbols)
    return (
        f"**Majority {place.most}/{place.second}**, {symbols}: {_seat_values_text(context, place.fame, place.counts)}"
    )


def _seat_values_text(context: Context, gained: Sequence[int], numbers: Sequence[int] | None = None) -> str:
    """`A +6 (4), B 0 (1)`."""
    texts = [
        f"{words.short_seat_label(context, seat)} {words.signed_number(one)}"
        + ("" if numbers is None else f" ({numbers[seat]})")
        for seat, one in enumerate(gained)
    ]
    return ", ".join(texts)


def _tie_lines(final: FinalScoring, context: Context) -> list[str]:
    """How a tie for first place is broken (S19)."""
    best = max(final.totals)
    tied = [seat for seat, total in enumerate(final.totals) if total == best]
    if len(tied) == 1:
        return []
    called = words.join_with_and([words.short_seat_label(context, seat) for seat in tied])
    first, *others = [
        (words.short_seat_label(context, seat), final.gift_counts[seat], final.cards[seat]) for seat in tied
    ]
    own = [
        f"{first[0]} has {words.pluralize(first[1], 'Gift')} and {words.pluralize(first[2], 'card')}",
        *(f"{label} {gifts} and {cards}" for label, gifts, cards in others),
    ]
    return [f"{called} are tied. More Gifts win, then more Jest cards: {', '.join(own)}."]
