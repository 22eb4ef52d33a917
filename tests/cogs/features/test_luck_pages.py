"""The luck of a server as a page: what is shown, what is left out, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from cogs.features.luck.feature_ui import LuckUI
from cogs.features.luck.luck_chart import LuckChart
from cogs.features.luck.luck_pages import luck_page
from cogs.pictures.studio import Studio
from cogs.table.pages.page import Page, Text
from engines.features.luck import add_up
from engines.kit.chance import LuckCount, count_dealt, count_dice, count_picks
from tests.contract.helpers import HELPERS
from tests.games import GAMES

GAME = GAMES["wizard"]


def page_text(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks if isinstance(block, Text))


def dice(faces: list[int], matches: int = 1) -> list[list[LuckCount]]:
    return [count_dice(faces) for _ in range(matches)]


def columns_of(page: Page) -> dict[str, tuple[int, str, bool]]:
    assert page.picture is not None
    assert isinstance(page.picture.spec, LuckChart)
    return {
        f"{panel.title} {each.label}": (each.count, each.range, each.is_unusual)
        for panel in page.picture.spec.panels
        for each in panel.columns
    }


def test_counts_are_added_up_and_stand_beside_the_range_of_chance() -> None:
    page = luck_page(GAME, add_up(dice([1, 2, 3, 4, 5, 6] * 5, 4)))  # 120 dice: 20 ± 1.96 × √(120 × 5/36)
    assert columns_of(page) == {f"Dice {face}": (20, "12–28", False) for face in range(1, 7)}
    assert "None of the 6 marks in Wizard is outside its bar.** By chance alone, one or more would be" in page_text(
        page
    )
    assert "latest 4 finished matches" in page_text(page)


def test_unusual_counts_are_shown_and_marked_not_by_colour_alone() -> None:
    page = luck_page(GAME, add_up(dice([6] * 30 + [1, 2, 3, 4, 5] * 18)))
    found = columns_of(page)
    assert found["Dice 6"] == (30, "12–28", True)
    assert "1 of the 6 marks in Wizard is outside its bar" in page_text(page)
    assert page.picture is not None
    assert "6 30 (12–28, outside)" in page.picture.alt


@pytest.mark.parametrize(
    ("counts", "cases"),
    [
        ((60, 60, 60, 60, 60, 60), "one or more would be outside about one time in 4."),  # 1 - 0.95 ** 6
        (
            (80, 80, 50, 50, 50, 50),
            "2 or more would be outside about one time in 31.",
        ),  # the rest of a binomial distribution
        ((80, 80, 40, 40, 60, 60), "4 or more would be outside less than once in a thousand times."),
    ],
)
def test_it_says_how_often_chance_alone_does_that(counts: Sequence[int], cases: str) -> None:
    faces = [face for face, count in enumerate(counts, 1) for _ in range(count)]
    assert cases in page_text(luck_page(GAME, add_up(dice(faces))))


@pytest.mark.parametrize(("dice_rolled", "is_shown"), [(29, False), (30, True)])
def test_too_few_say_nothing(dice_rolled: int, is_shown: bool) -> None:
    page = luck_page(GAME, add_up([count_dice([1] * dice_rolled)]))
    assert (page.picture is not None) == is_shown
    assert ("too few matches so far" in page_text(page)) != is_shown


def test_rare_events_are_left_out_and_named() -> None:
    counts = [*count_dice(range(1, 7)), *count_picks("First turn", "AB", "A")]
    page = luck_page(GAME, add_up([counts] * 6))
    assert {title.rpartition(" ")[0] for title in columns_of(page)} == {"Dice"}
    assert "Not enough data yet for: First turn." in page_text(page)
    page = luck_page(GAME, add_up([counts] * 10))
    assert {title.rpartition(" ")[0] for title in columns_of(page)} == {"Dice", "First turn"}


def test_the_variance_of_dealt_cards_is_that_of_drawing_without_putting_back() -> None:
    whole = count_dealt("Wizards dealt", "A", 4, 60, 4, 60)
    assert (whole.mean, whole.variance) == (4, 0), "who has all cards has all Wizards"
    half = count_dealt("Wizards dealt", "A", 2, 30, 4, 60)
    assert half.variance == pytest.approx(30 * 1 / 15 * 14 / 15 * 30 / 59)


def test_nineteen_of_twenty_marks_lie_in_their_bars() -> None:
    rng = Random(8)
    outside = marks = 0
    for _ in range(60):
        found = columns_of(luck_page(GAME, add_up(dice([rng.randint(1, 6) for _ in range(300)]))))
        outside += sum(unusual for _, _, unusual in found.values())
        marks += len(found)
    assert 0.02 < outside / marks < 0.09


@pytest.mark.parametrize("key", HELPERS)
def test_the_largest_chart_can_be_drawn_and_told(key: str) -> None:
    columns = [LuckCount(thing, f"{name}"[:8], 123, 120.0, 60.0) for thing in "ABCD" for name in "uvwxyz"]
    longest = [LuckCount("x" * 18 if each.thing == "A" else each.thing * 18, each.column * 8, 123, 120.0, 60.0)
             for each in columns]  # fmt: skip
    page = luck_page(GAMES[key], add_up([longest]))
    assert page.picture is not None
    assert len(page.picture.alt) < 1024, "it is cut short"
    assert Studio([LuckUI.layouts]).render(page.picture.spec).startswith(b"\x89PNG")
