"""Cached sprites equal what would be drawn now, and only the code that drew them finds them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from bench.bot.pictures import match_pictures
from bench.kit.entries import load_entry
from cogs.games import GAME_UIS
from cogs.pictures import card_faces, emblems, table_pieces
from cogs.pictures.raster import letters, palette, sprite_cache
from cogs.pictures.raster.sprites import build_sprite, make_sprite, pack_sprite
from cogs.pictures.studio import Studio
from tests.cogs.pictures.make_stock import MATCH_COUNT, CountingSurface, count_drawings, stock_records
from tests.games import ROOT

CACHES = (
    *(sprite_cache._cache_file, sprite_cache._function_digest, sprite_cache._module_digest),
    *(sprite_cache._direct_imports, sprite_cache._source_digest, sprite_cache._typeface_digest),
)
SHARE = 0.9  # the minimum share of the bench's drawings that is cached


@pytest.fixture
def empty_caches() -> Iterator[None]:
    """Clear all caches after each test."""
    for known in CACHES:
        known.cache_clear()
    yield
    for known in CACHES:
        known.cache_clear()


def test_a_cached_drawing_equals_a_new_one() -> None:
    """If this fails, drawing code was changed: run `make stock`."""
    wanted = stock_records(count_drawings(MATCH_COUNT if os.environ.get("MOTLEY_SOAK") else 2))
    cached = {name: content for name in wanted if (content := sprite_cache.read_record(name)) is not None}
    assert len(cached) >= SHARE * len(wanted), f"only {len(cached)} of {len(wanted)} are cached: make stock"
    changed = [name for name, content in cached.items() if content != wanted[name]]
    assert not changed, "the drawing has changed: make stock"


@pytest.mark.parametrize("key", GAME_UIS)
def test_nearly_all_that_pictures_show_is_kept(key: str) -> None:
    game_ui, surface = GAME_UIS[key], CountingSurface()
    for spec in match_pictures(game_ui, load_entry(game_ui.game)).values():
        Studio([game_ui.layouts]).lay_out(spec, surface.start_picture)
    cached = [drawing for drawing in surface.drawings if sprite_cache.load_cached(pack_sprite, drawing[0], *drawing[1])]
    assert len(cached) >= SHARE * len(surface.drawings)
    assert all(sprite_cache.load_cached(letters.pack_letters, round(size * 0.9)) for size in surface.sizes)
    assert all(sprite_cache.load_cached(palette.compute_shade_indices, *colours) for colours in surface.inks)
    for module in {draw.__module__ for draw, _ in surface.drawings}:  # finding imports takes longer than reading them
        imported = sprite_cache.read_record(sprite_cache.modules_key(module))
        assert imported is not None
        assert imported.decode().split() == sprite_cache.imported_modules(module)


@pytest.mark.parametrize(
    ("draw", "arguments"),
    [
        (card_faces.card, ("10H", 1.28)),
        (card_faces.card, ("back", 0.72)),
        (table_pieces.seat_token, (2, 40, False)),
        (table_pieces.panel, (237, 146, True)),
    ],
)
def test_a_cached_sprite_is_what_is_drawn(draw: sprite_cache.MakeFunction, arguments: tuple[object, ...]) -> None:
    cached, drawn = build_sprite(draw, *arguments), make_sprite(draw(*arguments))
    assert (cached.image.size, cached.image.tobytes()) == (drawn.image.size, drawn.image.tobytes())
    assert (cached.mask and cached.mask.tobytes()) == (drawn.mask and drawn.mask.tobytes())


@pytest.mark.usefixtures("empty_caches")
@pytest.mark.parametrize("module", [card_faces, emblems, palette])
def test_changed_drawing_finds_nothing(module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The changed module is the drawing's own source, an import of it, or a module that every sprite needs."""
    assert module.__file__
    changed = tmp_path / "changed.py"
    changed.write_text(Path(module.__file__).read_text(encoding="utf-8") + "# another look\n", encoding="utf-8")
    assert sprite_cache.load_cached(pack_sprite, card_faces.card, "10H", 1.28)
    monkeypatch.setattr(module, "__file__", str(changed))
    for known in CACHES:
        known.cache_clear()
    assert sprite_cache.load_cached(pack_sprite, card_faces.card, "10H", 1.28) is None


@pytest.mark.usefixtures("empty_caches")
def test_line_ends_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert card_faces.__file__
    changed = tmp_path / "faces.py"
    changed.write_bytes(Path(card_faces.__file__).read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    monkeypatch.setattr(card_faces, "__file__", str(changed))
    assert sprite_cache.load_cached(pack_sprite, card_faces.card, "10H", 1.28)


@pytest.mark.usefixtures("empty_caches")
@pytest.mark.parametrize("content", [None, b""])
def test_without_the_file_all_is_drawn(content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "stock.bin"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setattr(sprite_cache, "CACHE_FILE", str(file))
    assert sprite_cache.load_cached(pack_sprite, card_faces.card, "10H", 1.28) is None
    assert build_sprite(card_faces.card, "10H", 1.28).image.size == make_sprite(card_faces.card("10H", 1.28)).image.size


def test_a_value_that_is_no_module_function_is_drawn() -> None:
    assert sprite_cache.load_cached(len) is None
    assert sprite_cache.cache_key(partial(card_faces.card, "10H")) is None


def test_a_process_that_draws_first_takes_all_letters_from_the_stock() -> None:
    """Parsing the typeface takes longer than drawing many pictures."""
    script = (
        "from cogs.pictures.raster import letters, pen\n"
        "letters.text_coverage('round 3 of 20', 32); letters.text_width('+30 −5', 60)\n"
        "print(pen.font.cache_info().currsize)"
    )
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    assert result.stdout.strip() == "0"
