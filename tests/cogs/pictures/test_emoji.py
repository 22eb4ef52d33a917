"""Emoji: their pictures, their names on Discord, and what an upload does."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image

from cogs.pictures.emoji import EmojiDrawing, crest, emoji_digest, emoji_png, playing_card, shared_emoji, suit_tile
from cogs.pictures.emoji_names import EmojiId, all_emoji, current_emoji, emoji_name, plan_sync
from cogs.screens.emoji import MORE_EMOJI, Emoji, crest_emoji, playing_card_emoji, suit_emoji
from tests.game_uis import GAME_UIS

DRAWINGS = all_emoji(game_ui.emoji for game_ui in GAME_UIS.values())
SMALL = {"ace": EmojiDrawing(playing_card, ("A", "S")), "hearts": EmojiDrawing(suit_tile, ("H",))}
OTHERS = EmojiId("motley_king", 1), EmojiId("party_blob", 2), EmojiId("motley_ace_xyz123", 3)


def test_every_emoji_is_an_image_that_discord_takes_with_transparent_corners() -> None:
    for key, drawing in DRAWINGS.items():
        png = emoji_png(drawing)
        image = Image.open(BytesIO(png))
        assert (image.format, image.mode, image.size) == ("PNG", "RGBA", (128, 128)), key
        assert len(png) < 256 * 1024, key
        alphas = image.getchannel("A")
        assert alphas.getpixel((0, 0)) == 0, key
        assert alphas.getpixel((64, 64)) == 255, key


def test_no_two_emoji_look_alike_and_their_names_are_names_on_discord() -> None:
    names = {emoji_name(key, DRAWINGS) for key in DRAWINGS}
    assert len({emoji_digest(drawing) for drawing in DRAWINGS.values()}) == len(names) == len(DRAWINGS)
    assert not [name for name in names if not re.fullmatch(r"[A-Za-z0-9_]{2,32}", name)]


def test_names_that_all_screens_use_are_shared() -> None:
    shared = [*map(playing_card_emoji, range(52)), *map(suit_emoji, range(4)), *map(crest_emoji, range(6))]
    assert {one.key for one in shared} | {"joker", MORE_EMOJI.key} == set(shared_emoji())
    assert playing_card_emoji(38) == Emoji("king_of_hearts")
    assert suit_emoji(3) == Emoji("spades", "♠️")
    assert shared_emoji()["moon_crest"] == EmojiDrawing(crest, (4,))


def test_a_digest_tells_drawings_apart_and_is_the_same_at_every_start() -> None:
    assert emoji_digest(EmojiDrawing(playing_card, ("A", "S"))) == emoji_digest(SMALL["ace"])
    assert re.fullmatch("[0-9a-f]{6}", emoji_digest(SMALL["ace"]))
    assert emoji_digest(SMALL["ace"]) != emoji_digest(EmojiDrawing(playing_card, ("A", "C")))


@pytest.mark.parametrize("key", ["joker", "king_of_hearts"])
def test_a_key_has_one_drawing(key: str) -> None:
    with pytest.raises(ValueError, match=f"Two emoji have the key {key}"):
        all_emoji([{key: SMALL["ace"]}])
    with pytest.raises(ValueError, match="Two emoji"):
        all_emoji([{"mine": SMALL["ace"]}, {"mine": SMALL["ace"]}])


@pytest.mark.parametrize("key", ["", "Joker", "a-b", "x" * 19])
def test_a_key_must_fit_a_name(key: str) -> None:
    with pytest.raises(ValueError, match="An emoji's key has"):
        all_emoji([{key: SMALL["ace"]}])


def test_an_upload_adds_replaces_and_deletes_ours_alone() -> None:
    ace, hearts = (emoji_name(key, SMALL) for key in ("ace", "hearts"))
    plan = plan_sync(SMALL, OTHERS)
    assert (plan.new, plan.changed, plan.outdated, plan.unknown) == (("ace", "hearts"), (), (), ())
    old, unknown = EmojiId("motley_hearts_000000", 8), EmojiId("motley_king_of_cups_00ff00", 9)
    plan = plan_sync(SMALL, (*OTHERS, EmojiId(ace, 7), old, unknown))
    assert (plan.new, plan.changed, plan.current) == ((), ("hearts",), ("ace",))
    assert (plan.outdated, plan.unknown) == ((old,), (unknown,))
    plan = plan_sync(SMALL, (EmojiId(ace, 7), old, EmojiId(hearts, 10)))
    assert (plan.new, plan.changed, plan.unknown) == ((), (), (old,)), "as after an upload that was interrupted"


def test_only_emoji_with_a_current_drawing_are_shown() -> None:
    ace = EmojiId(emoji_name("ace", SMALL), 7)
    found = (*OTHERS, EmojiId("motley_hearts_000000", 8), EmojiId("motley_ace_000000", 6), ace)
    assert current_emoji(SMALL, found) == {"ace": ace}
    assert current_emoji(SMALL, reversed(found)) == {"ace": ace}
