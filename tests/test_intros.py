"""What newcomers read of the games is true, the same everywhere, and tells them where to begin."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

import cogs.games
from bench.players.match_length import measure
from cogs.features.registry import FURTHER_HELP
from cogs.table.actions.first_steps import HELP, begin_with, games_page, help_page
from cogs.table.commands.game_commands import GameCog
from cogs.table.pages.page import Menu, Row, Section, Text
from engines.wizard import WIZARD
from tests.cogs.pictures.make_stock import SIGNS_FOLDER
from tests.contract.laws.pages import page_problems
from tests.game_uis import GAME_UIS, STUDIO
from tests.games import GAMES, game_root

SOME = 5  # matches, of the 21 that are measured for the texts
INTRODUCTIONS = [(game_ui.game, game_ui.intro) for game_ui in GAME_UIS.values()]
every_game = pytest.mark.parametrize("key", GAME_UIS)


@every_game
def test_a_match_takes_about_as_long_as_is_said(key: str) -> None:
    game_ui = GAME_UIS[key]
    for seats, minutes in game_ui.intro.minutes.items():
        measured = measure(game_ui.game, seats, SOME).minutes
        assert measured / 2 <= minutes <= 2 * measured + 5, f"{measured:.0f} minutes with {seats}"


@every_game
def test_the_readme_says_the_same(key: str) -> None:
    readme, game_ui = (game_root(key) / "README.md").read_text(encoding="utf-8"), GAME_UIS[key]
    (row,) = re.findall(rf"(?m)^\| \[.*\(docs/rules/{key}\.md\).*$", readme)
    _, _, like, span, length, learning, *_ = (cell.strip() for cell in row.split("|"))
    intro = game_ui.intro
    assert (like, span, length, learning) == (intro.like, intro.players, intro.length, intro.learning)
    assert ("start here" in row) == intro.start_here


@every_game
def test_the_first_screen_says_what_a_game_is_like_and_shows_its_sign(key: str) -> None:
    intro, page = GAME_UIS[key].intro, games_page(INTRODUCTIONS)
    (section,) = [block for block in page.blocks if isinstance(block, Section) and block.picture == intro.picture]
    assert section.text == f"**{GAME_UIS[key].game.title}**\n{intro.like}\n-# {intro.facts}"
    assert intro.picture in page.pictures
    in_words = games_page(INTRODUCTIONS, has_pictures=False)
    assert Text(section.text) in in_words.blocks
    assert in_words.pictures == ()


def test_the_first_screen_has_a_list_of_all_games_and_of_how_it_works() -> None:
    row = games_page(INTRODUCTIONS).blocks[-1]
    assert isinstance(row, Row)
    assert isinstance(row.items, Menu)
    assert [line.value for line in row.items.lines] == [*GAME_UIS, HELP]
    assert HELP not in GAMES
    assert [line.description for line in row.items.lines[:-1]] == [intro.facts for _, intro in INTRODUCTIONS]


def test_the_first_screen_has_nothing_that_discord_would_refuse() -> None:
    for page in (
        games_page(INTRODUCTIONS),
        games_page(INTRODUCTIONS, has_pictures=False),
        *(help_page(INTRODUCTIONS, further=text) for text in ("", FURTHER_HELP)),
    ):
        assert page_problems(page) == []


def test_newcomers_are_told_one_game_to_begin_with_for_any_number_of_players() -> None:
    games = cogs.games.GAME_UIS.values()
    first = [seats for game_ui in games if game_ui.intro.start_here for seats in game_ui.game.seats]
    assert sorted(first) == sorted({seats for game_ui in games for seats in game_ui.game.seats})
    assert begin_with([(game_ui.game, game_ui.intro) for game_ui in games]) == ["**Start with Wizard or Jokers.**"]
    assert begin_with([]) == []


def test_a_game_without_an_intro_is_refused() -> None:
    with pytest.raises(AttributeError, match="intro"):

        class Silent(GameCog):
            game = WIZARD
            verbs = ()


@pytest.mark.parametrize(
    ("minutes", "text"),
    [({2: 30}, "30 min"), ({2: 5, 3: 5}, "5 min"), ({3: 95, 6: 45}, "45–95 min"), ({2: 15, 4: 190}, "15 min–3 h")],
)
def test_the_length_of_a_match_is_told_in_a_few_characters(minutes: dict[int, int], text: str) -> None:
    assert replace(GAME_UIS["wizard"].intro, minutes=minutes).length == text


@pytest.mark.parametrize("key", cogs.games.GAME_UIS)
def test_the_signs_of_the_playground_are_those_of_the_bot(key: str) -> None:
    picture = GAME_UIS[key].intro.picture
    file, drawn = SIGNS_FOLDER / picture.name, BytesIO(STUDIO.render(picture.spec))
    assert Image.open(file).convert("RGB").tobytes() == Image.open(drawn).convert("RGB").tobytes(), "run `make stock`"
