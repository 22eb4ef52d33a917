"""What newcomers read of the games is true, the same everywhere, and tells them where to begin."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

import cogs.games
from bench.players.match_length import measure
from cogs.features.lessons.feature_ui import LessonsUI
from cogs.features.registry import FURTHER_HELP
from cogs.pictures.sign_strip import GAP, SIDE, strip_size
from cogs.table.actions.first_steps import GAMES as ALL_GAMES
from cogs.table.actions.first_steps import HELP, OPEN, PICK, game_page, games_page, help_page
from cogs.table.commands.game_commands import GameCog
from cogs.table.pages.page import Menu, PressSection, Row, Section, Text
from engines.features.lessons import LESSONS_OFFERED
from engines.store.rows import Rows
from engines.wizard import WIZARD
from tests.cogs.pictures.make_stock import SIGNS_FOLDER
from tests.contract.laws.pages import page_problems
from tests.game_uis import GAME_UIS, STUDIO
from tests.games import GAMES, game_root

SOME = 5  # matches, of the 21 that are measured for the texts
INTRODUCTIONS = [(game_ui.game, game_ui.intro) for game_ui in GAME_UIS.values()]
LEARN = {key: next(iter(LessonsUI().game_presses(key, Rows(((LESSONS_OFFERED, ()),))))) for key in GAME_UIS}
PRESSES = {key: (press,) for key, press in LEARN.items()}
MAX_STRIP_BYTES = 24 * 1024
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
    assert re.findall(r"\((start here|for two)\)", row) == [intro.advice] * bool(intro.advice)


@every_game
def test_the_first_screen_says_what_a_game_is_like_and_teaches_it(key: str) -> None:
    game, intro = GAME_UIS[key].game, GAME_UIS[key].intro
    advice = f" · {intro.advice}" if intro.advice else ""
    text = f"**{game.title}**{advice}\n{intro.like}\n-# {intro.facts}"
    assert PressSection(text, replace(LEARN[key], style="secondary")) in games_page(INTRODUCTIONS, PRESSES).blocks
    assert Text(text) in games_page(INTRODUCTIONS, {}).blocks
    assert games_page(INTRODUCTIONS, PRESSES, has_pictures=False).pictures == ()
    chosen = game_page(game, intro, PRESSES[key])
    assert chosen.blocks[0] == Section(text, intro.picture)
    assert chosen.pictures == (intro.picture,)
    assert game_page(game, intro, PRESSES[key], has_picture=False).blocks[0] == Text(text)


def test_the_first_screen_has_a_list_of_all_games_and_of_how_it_works() -> None:
    row = games_page(INTRODUCTIONS, PRESSES).blocks[-1]
    assert isinstance(row, Row)
    assert isinstance(row.items, Menu)
    assert [line.value for line in row.items.lines] == [*GAME_UIS, HELP]
    assert {PICK, HELP, ALL_GAMES, OPEN}.isdisjoint(GAMES)
    assert [line.description for line in row.items.lines[:-1]] == [intro.facts for _, intro in INTRODUCTIONS]


def test_a_chosen_game_is_learnt_or_opened_and_what_a_newcomer_needs_is_highlighted() -> None:
    game, intro = INTRODUCTIONS[0]
    known = replace(LEARN[game.key], style="secondary")
    for press, is_in_server, expected in (
        (LEARN[game.key], True, {"Learn it": "primary", "Open a table": "secondary", "All games": "secondary"}),
        (known, True, {"Learn it": "secondary", "Open a table": "primary", "All games": "secondary"}),
        (LEARN[game.key], False, {"Learn it": "primary", "All games": "secondary"}),
    ):
        page = game_page(game, intro, (press,), is_in_server=is_in_server)
        (row,) = [block.items for block in page.blocks if isinstance(block, Row)]
        assert isinstance(row, tuple)
        assert {press.label: press.style for press in row} == expected
        assert ("a server channel" in str(page)) != is_in_server


def test_the_first_screen_has_nothing_that_discord_would_refuse() -> None:
    for page in (
        games_page(INTRODUCTIONS, PRESSES),
        games_page(INTRODUCTIONS, PRESSES, has_pictures=False),
        *(game_page(game, intro, PRESSES[game.key]) for game, intro in INTRODUCTIONS),
        *(help_page(INTRODUCTIONS, further=text) for text in ("", FURTHER_HELP)),
    ):
        assert page_problems(page) == []


def test_the_signs_stand_side_by_side() -> None:
    (strip,) = games_page(INTRODUCTIONS, PRESSES).pictures
    png = STUDIO.render(strip.spec)
    image = Image.open(BytesIO(png)).convert("RGBA")
    assert image.size == strip_size(len(GAME_UIS))
    for number in range(len(GAME_UIS)):
        left = number * (SIDE + GAP)
        assert image.getpixel((left + SIDE // 2, SIDE // 2))[3] == 255  # type: ignore[index]
        assert number == 0 or image.getpixel((left - GAP // 2, SIDE // 2))[3] == 0  # type: ignore[index]
    assert len(png) <= MAX_STRIP_BYTES


def test_one_game_says_start_here_and_another_one_for_two_players() -> None:
    games = cogs.games.GAME_UIS.values()
    advised = [game_ui for game_ui in games if game_ui.intro.advice]
    assert {game_ui.intro.advice: game_ui.game.title for game_ui in advised} == {
        "start here": "Wizard",
        "for two": "Jokers",
    }
    assert len(advised) == 2
    seats = [number for game_ui in advised for number in game_ui.game.seats]
    assert sorted(seats) == sorted({number for game_ui in games for number in game_ui.game.seats})


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
