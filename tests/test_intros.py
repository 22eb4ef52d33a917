"""What newcomers read of the games is true, the same everywhere, and tells them where to begin."""

from __future__ import annotations

import re

import pytest

import cogs.games
from bench.players.match_length import measure
from cogs.motley_commands import begin_with, first_steps
from cogs.screens.intro import Intro
from cogs.table.commands.game_commands import GameCog
from engines.wizard import WIZARD
from tests.fronts import GAME_UIS
from tests.games import game_root

SOME = 5  # matches, of the 21 that are measured for the texts
every_game = pytest.mark.parametrize("key", GAME_UIS)


@every_game
def test_a_match_takes_about_as_long_as_is_said(key: str) -> None:
    front = GAME_UIS[key]
    for seats, minutes in front.intro.minutes.items():
        measured = measure(front.game, seats, SOME).minutes
        assert measured / 2 <= minutes <= 2 * measured + 5, f"{measured:.0f} minutes with {seats}"


@every_game
def test_the_readme_says_the_same(key: str) -> None:
    readme, front = (game_root(key) / "README.md").read_text(encoding="utf-8"), GAME_UIS[key]
    (row,) = re.findall(rf"(?m)^\| \[.*\(docs/rules/{key}\.md\).*$", readme)
    _, _, like, span, length, learning, *_ = (cell.strip() for cell in row.split("|"))
    intro = front.intro
    assert (like, span, length, learning) == (intro.like, intro.players, intro.length, intro.learning)
    assert ("start here" in row) == intro.start_here


@every_game
def test_help_says_of_every_game_what_it_is_like_and_how_to_open_a_table(key: str) -> None:
    said, front = "\n".join(first_steps(GAME_UIS)), GAME_UIS[key]
    for part in (front.game.title, front.intro.like, front.intro.length, front.intro.learning, f"`/{key} new`"):
        assert part in said
    assert said.index("New here?") < said.index(front.intro.like) < said.index("To start:")


def test_newcomers_are_told_one_game_to_begin_with_for_any_number_of_players() -> None:
    games = cogs.games.GAME_UIS.values()
    first = [seats for front in games if front.intro.start_here for seats in front.game.seats]
    assert sorted(first) == sorted({seats for front in games for seats in front.game.seats})
    assert begin_with(cogs.games.GAME_UIS) == [
        "**New here?** Start with **Wizard** (3–6 players) or **Jokers** (2 players)."
    ]
    assert begin_with({}) == []


def test_a_game_without_an_intro_is_refused() -> None:
    with pytest.raises(AttributeError, match="intro"):

        class Silent(GameCog):
            game = WIZARD
            verbs = ()


@pytest.mark.parametrize(
    ("minutes", "said"),
    [({2: 30}, "30 min"), ({2: 5, 3: 5}, "5 min"), ({3: 95, 6: 45}, "45–95 min"), ({2: 15, 4: 190}, "15 min–3 h")],
)
def test_how_long_a_match_takes_is_said_in_a_few_signs(minutes: dict[int, int], said: str) -> None:
    assert Intro("Play.", minutes, "easy").length == said
