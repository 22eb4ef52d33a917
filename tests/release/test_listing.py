"""What a listing asks for: texts that are short enough, pictures of the right sizes, every permission explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from cogs.table.channels.channel_access import REQUIRED_PERMISSIONS, THREAD_PERMISSIONS
from engines import GAMES
from release.listing import SIZES, TARGET, make_pictures

PAGE = (TARGET / "README.md").read_text(encoding="utf-8")


def text_of(part: str) -> str:
    """The text to copy in a part of the page."""
    (text,) = re.findall(r"```text\n(.*?)\n```", PAGE.partition(f"\n## {part}\n")[2].partition("\n## ")[0], re.DOTALL)
    return str(text)


@pytest.mark.parametrize(("part", "longest"), [("Summary", 200), ("Description", 400)])
def test_a_text_is_one_paragraph_that_fits(part: str, longest: int) -> None:
    text = text_of(part)
    assert longest // 2 < len(text) <= longest
    assert "\n" not in text


def test_the_description_names_every_game_and_says_that_the_bot_is_unofficial() -> None:
    text = text_of("Description")
    assert not [game.title for game in GAMES.values() if game.title.partition(",")[0] not in text]
    assert "Unofficial" in text


def test_there_are_five_tags() -> None:
    tags = text_of("Tags").splitlines()
    assert len({*tags}) == len(tags) == 5
    assert all(re.fullmatch(r"[a-z-]{2,20}", tag) for tag in tags)


def test_pictures_have_the_sizes_that_the_page_names() -> None:
    assert {path.name for path in TARGET.glob("*.png")} == {*SIZES}
    for name, size in SIZES.items():
        with Image.open(TARGET / name) as picture:
            assert picture.size == size, name
        assert (TARGET / name).stat().st_size < 2**20, "too large for a repository"
        (row,) = [line for line in PAGE.splitlines() if f"({name})" in line]
        assert f"{size[0]} × {size[1]}" in row


def test_they_can_be_made_again(tmp_path: Path) -> None:
    for path in make_pictures(tmp_path):
        with Image.open(path) as drawn, Image.open(TARGET / path.name) as stored:
            assert drawn.convert("RGB").tobytes() == stored.convert("RGB").tobytes(), f"{path.name}: make it again"


def test_every_permission_is_explained_and_no_other() -> None:
    rows = re.findall(r"^\| ([A-Z][\w ]+) \| ", PAGE.partition("\n## Permissions\n")[2], re.MULTILINE)
    assert rows == [*{**REQUIRED_PERMISSIONS, **THREAD_PERMISSIONS}.values()]
