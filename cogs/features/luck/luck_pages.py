"""The page that shows how luck was spread in the matches of a server. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, sqrt

from cogs.features.luck.luck_chart import LuckChart, LuckColumn, LuckPanel
from cogs.screens.screen import Picture
from cogs.screens.words import join_with_and, pluralize
from cogs.table.pages.page import Page, text_blocks
from engines.features.luck import Luck
from engines.kit.contract import AnyGame

DEVIATIONS = 1.96  # standard deviations on either side: 19 of 20 values lie between
OUTSIDE = 1 / 20  # the probability of the others
LEAST_EXPECTED = 5  # below it, whole numbers are too coarse for a range


def luck_page(game: AnyGame, luck: Luck) -> Page:
    """Return the luck chart of a game, and what to make of it; or only words if there are too few matches."""
    panels = [panel for thing in dict.fromkeys(thing for thing, _ in luck.sums) if (panel := _panel(luck, thing))]
    played = f"The latest {luck.matches} finished matches" if luck.matches > 1 else "The only finished match"
    heading = f"## Luck in {game.title}\n-# {played} on this server."
    missing = [thing for thing in dict.fromkeys(thing for thing, _ in luck.sums) if not _panel(luck, thing)]
    if not panels:
        few = "There are too few matches so far to tell luck from chance. Play a few more."
        return Page(text_blocks((heading, few)))
    left_out = f"Not enough data yet for: {join_with_and(missing)}." if missing else ""
    chart = LuckChart(tuple(panels))
    picture = Picture(chart, f"luck-{game.key}.png", _alt_text(game, luck, panels))
    explanation = (
        "Each mark shows how often something came up. Its bar shows the range in which chance puts 19 of 20 marks. The "
        "number and the range are below it."
    )
    return Page(
        (
            *text_blocks((heading,)),
            picture,
            *text_blocks((f"{_verdict(game, panels)}\n-# {explanation} {left_out}".strip(),)),
        )
    )


def _panel(luck: Luck, thing: str) -> LuckPanel | None:
    """Return the panel of a thing; None if there is too little of it."""
    columns = {
        column: sums for (each, column), sums in luck.sums.items() if each == thing and sums[1] >= LEAST_EXPECTED
    }
    if not columns:
        return None
    return LuckPanel(thing, tuple(_column(label, *columns[label]) for label in sorted(columns)))


def _column(label: str, count: int, mean: float, variance: float) -> LuckColumn:
    spread = DEVIATIONS * sqrt(variance)
    low, high = round(max(0.0, mean - spread), 3), round(mean + spread, 3)
    return LuckColumn(label, count, low, high, round((count - mean) / spread, 3))


def _verdict(game: AnyGame, panels: Iterable[LuckPanel]) -> str:
    """Return how many marks of a game lie outside of their bars, and how often chance alone would do that."""
    columns = [column for panel in panels for column in panel.columns]
    unusual = sum(column.is_unusual for column in columns)
    outside = f"{unusual or 'None'} of the {pluralize(len(columns), 'mark')} in {game.title}"
    found = f"**{outside} {'is outside its bar' if unusual < 2 else 'are outside their bars'}.**"
    least = max(1, unusual)
    many = "one or more" if least == 1 else f"{least} or more"
    return f"{found} By chance alone, {many} would be outside {_cases_text(_chance_of(least, len(columns)))}."


def _chance_of(least: int, columns: int) -> float:
    """Return the probability that chance puts that many marks, or more, outside of their bars."""
    fewer = sum(
        comb(columns, number) * OUTSIDE**number * (1 - OUTSIDE) ** (columns - number) for number in range(least)
    )
    return 1 - fewer


def _cases_text(chance: float) -> str:
    if chance > 0.55:
        return "most of the time"
    return "less than once in a thousand times" if chance < 0.001 else f"about one time in {round(1 / chance)}"


def _alt_text(game: AnyGame, luck: Luck, panels: Iterable[LuckPanel]) -> str:
    """Return everything that the chart shows, in words."""
    sentences = [f"Luck in {game.title}, {luck.matches} match{'' if luck.matches == 1 else 'es'}."]
    for panel in panels:
        columns = (
            f"{each.label} {each.count} ({each.range}{', outside' if each.is_unusual else ''})"
            for each in panel.columns
        )
        sentences.append(f"{panel.title}: {', '.join(columns)}.")
    return " ".join(sentences)
