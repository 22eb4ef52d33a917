"""Jesters' score sheet and final scoring in words."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.words import fame, gift, halves, majority, majority_lines, round_line, symbols
from cogs.screens import words
from cogs.screens.screen import Context
from engines.jesters import scoring
from engines.jesters.components import catalogue
from engines.jesters.model import Final, Majority, View
from engines.jesters.scoring import FIRST_PLAYER, PLACES, TRACK


def sheet_lines(view: View, context: Context, brief: bool = False) -> list[str]:
    """Everything completed, the Gifts and the majorities as they stand; at the end the final scoring, too.

    Brief, it has no symbols, and Jest cards by their numbers alone.
    """
    lines = (
        [] if view.final is not None else [f"{round_line(view)}. Majorities and the failure track count at the end."]
    )
    for seat in range(view.seats):
        lines.append(f"**{words.seat(context, seat, view.seat)}**: {fame(view, seat)} Fame of Performances and Gifts")
        lines.append(f"-# Completed: {_completed(view, seat, brief)}")
        lines.append(f"-# Gifts: {'; '.join(_gift(number, brief) for number in view.gifts[seat]) or 'none'}")
    if view.final is not None:
        return [*scoring_lines(view, view.final, context), *lines]
    return [*lines, *majority_lines(view, context), _discards(view, brief)]


def _completed(view: View, seat: int, brief: bool) -> str:
    done = [catalogue.performance(number) for number in view.completed[seat]]
    of = [f"{one.fame}" if brief else f"{one.fame}, {symbols(one.symbols)}" for one in done]
    return "; ".join(f"{one.name} ({what})" for one, what in zip(done, of, strict=True)) or "nothing"


def _gift(number: int, brief: bool) -> str:
    """What it does, and its symbol, which counts for majorities: `one more die (Mime)`."""
    return gift(number) if brief else f"{gift(number)} ({symbols([catalogue.gift(number).symbol])})"


def _discards(view: View, brief: bool) -> str:
    cards = "; ".join(map(str if brief else halves, sorted(view.discard)))
    return f"**Discarded Jest cards**: {cards or 'none'}"


def scoring_lines(view: View, final: Final, context: Context) -> list[str]:
    """S16–S18, line by line: what each thing brings every seat."""
    lines = [_majority(place, context) for place in final.majorities]
    lines.append(f"**Failure track**: {_by_seat(context, final.track)}")
    lines.append(f"**First player card**: {_by_seat(context, final.first)}")
    lines.append(f"**Performances**: {_by_seat(context, final.performances, tuple(map(len, view.completed)))}")
    lines.append(f"**Fame of Gifts**: {_by_seat(context, final.gifts)}")
    totals = ", ".join(f"{words.brief(context, seat)} {words.plain(total)}" for seat, total in enumerate(final.totals))
    return ["-# In brackets: how many.", *lines, f"**Total**: {totals}", *_tied(final, context)]


def so_far(view: View) -> Final:
    """What would be scored if it ended now, with the majorities that are revealed."""
    counts = list(map(scoring.symbols, view.completed, view.gifts))
    favorites = [found[0] for place in range(len(PLACES)) if (found := majority(view, place))]
    places = [_place(favorite, PLACES[i], counts) for i, favorite in enumerate(favorites)]
    track = tuple(TRACK[failures] for failures in view.failures)
    first = tuple(FIRST_PLAYER if seat == view.first else 0 for seat in range(view.seats))
    performances = tuple(sum(catalogue.performance(number).fame for number in own) for own in view.completed)
    parts = [*(place.fame for place in places), track, first, performances, view.fame]
    totals = tuple(map(sum, zip(*parts, strict=True)))
    gifts = tuple(map(len, view.gifts))
    return Final(tuple(places), track, first, performances, view.fame, totals, gifts, view.hand_sizes)


def _place(favorite: int, numbers: tuple[int, int], counts: Sequence[Sequence[int]]) -> Majority:
    matches = scoring.matching(favorite, counts)
    return Majority(favorite, *numbers, matches, scoring.majority(matches, *numbers))


def _majority(place: Majority, context: Context) -> str:
    shown = symbols(catalogue.favorite(place.favorite).symbols)
    return f"**Majority {place.most}/{place.second}**, {shown}: {_by_seat(context, place.fame, place.counts)}"


def _by_seat(context: Context, gained: Sequence[int], numbers: Sequence[int] | None = None) -> str:
    """`A +6 (4), B 0 (1)`."""
    said = [
        f"{words.brief(context, seat)} {words.signed(one)}" + ("" if numbers is None else f" ({numbers[seat]})")
        for seat, one in enumerate(gained)
    ]
    return ", ".join(said)


def _tied(final: Final, context: Context) -> list[str]:
    """S19: what parts the best, where their totals are equal."""
    best = max(final.totals)
    tied = [seat for seat, total in enumerate(final.totals) if total == best]
    if len(tied) == 1:
        return []
    called = words.listed([words.brief(context, seat) for seat in tied])
    own = [f"{words.brief(context, seat)} {final.gift_counts[seat]} and {final.cards[seat]}" for seat in tied]
    return [f"{called} are level: most Gifts, then most Jest cards count: {', '.join(own)}"]
