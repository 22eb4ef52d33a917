"""The laws of intros: a newcomer reads what each game is like, how long it takes, how hard it is, and sees its sign."""

from __future__ import annotations

from io import BytesIO
from typing import get_args

from PIL import Image

from cogs.screens.control_widths import count_lines
from cogs.screens.intro import Learning
from tests.contract.helper import GameHelper, MatchStart
from tests.game_uis import GAME_UIS, STUDIO

MAX_FACTS = 36  # characters in small type beside the sign on a telephone
MAX_SIGN_BYTES = 8 * 1024
SIGN_PIXELS = 3 * 85  # Discord shows it on 85 pixels, of which a telephone draws each on three by three
COMMAND = 100  # characters that Discord takes of what is said of a command


def newcomers_read_what_awaits_them(helper: GameHelper, start: MatchStart) -> None:
    """The intro of a game has everything, and fits where it stands: in a list of commands, and on a telephone."""
    intro, game = helper.intro, helper.game
    assert intro.like.endswith((".", "!")), f"no sentence: {intro.like}"
    assert count_lines(f"{game.title}: {intro.like}") <= 2, f"more than two lines: {intro.like}"
    assert list(intro.minutes) == list(game.seats), f"minutes for {list(intro.minutes)} players"
    for minutes in intro.minutes.values():
        assert minutes > 0, "a match takes time"
        assert minutes % 5 == 0, f"{minutes} minutes are more exact than anybody knows"
    assert intro.learning in get_args(Learning), f"{intro.learning} is none of {get_args(Learning)}"
    assert not intro.advice or intro.learning == "easy", "newcomers begin with what is easy"
    assert len(intro.facts) <= MAX_FACTS, f"more than a line beside its sign: {intro.facts}"
    description = intro.description
    assert len(description) <= COMMAND, f"Discord takes {COMMAND} characters: {description}"


def every_game_has_a_sign(helper: GameHelper, start: MatchStart) -> None:
    """A small square picture, as sharp as a telephone, on a cloth, with an alt text that begins with the title."""
    picture, title = helper.intro.picture, helper.game.title
    assert picture.name == f"{helper.game.key}.png", f"a file of another game: {picture.name}"
    assert picture.alt.startswith(f"{title.partition(',')[0]}: "), f"it does not say which game this is: {picture.alt}"
    assert picture.alt.endswith("."), f"no sentence: {picture.alt}"
    png = helper.studio.render(picture.spec)
    image = Image.open(BytesIO(png))
    assert image.width == image.height, f"{image.width} × {image.height} pixels are not square"
    assert abs(image.width - SIGN_PIXELS) <= SIGN_PIXELS // 50, f"{image.width} pixels wide"
    assert len(png) <= MAX_SIGN_BYTES, f"{len(png)} bytes"
    others = [game_ui.intro.picture for key, game_ui in GAME_UIS.items() if key != helper.game.key]
    assert png not in [STUDIO.render(other.spec) for other in others], "the sign of another game"
