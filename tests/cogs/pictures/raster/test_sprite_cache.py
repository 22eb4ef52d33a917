"""What was drawn beforehand is what would be drawn now, and only the code that drew it finds it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from bench.bot.pictures import pictures
from bench.kit.entries import entry_of
from cogs.games import FRONTS
from cogs.pictures import card_faces, emblems, table_pieces
from cogs.pictures.raster import letters, palette, sprite_cache
from cogs.pictures.raster.sprites import built, made, packed
from cogs.pictures.studio import Studio
from tests.cogs.pictures.make_stock import MATCHES, Seen, records, seen
from tests.games import ROOT

CACHES = (
    sprite_cache._file,
    sprite_cache._code,
    sprite_cache._digest,
    sprite_cache._imports,
    sprite_cache._source,
    sprite_cache._typeface,
)
SHARE = 0.9  # of what the bench's pictures show, the least that is kept


@pytest.fixture
def fresh() -> Iterator[None]:
    """Nothing that a test changes is remembered after it."""
    for known in CACHES:
        known.cache_clear()
    yield
    for known in CACHES:
        known.cache_clear()


def test_what_is_kept_is_what_would_be_drawn() -> None:
    """Where this fails, what draws was changed: `make stock` makes the file anew."""
    wanted = records(seen(MATCHES if os.environ.get("MOTLEY_SOAK") else 2))
    kept = {name: content for name in wanted if (content := sprite_cache.record(name)) is not None}
    assert len(kept) >= SHARE * len(wanted), f"of {len(wanted)} no more than {len(kept)} are kept: make stock"
    assert not [name for name, content in kept.items() if content != wanted[name]], "another look: make stock"


@pytest.mark.parametrize("key", FRONTS)
def test_nearly_all_that_pictures_show_is_kept(key: str) -> None:
    front, shown = FRONTS[key], Seen()
    for spec in pictures(front, entry_of(front.game)).values():
        Studio([front.layouts]).lay(spec, shown.start)
    kept = [drawing for drawing in shown.drawings if sprite_cache.found(packed, drawing[0], *drawing[1])]
    assert len(kept) >= SHARE * len(shown.drawings)
    assert all(sprite_cache.found(letters.drawn, round(size * 0.9)) for size in shown.sizes)
    assert all(sprite_cache.found(palette.between, *colours) for colours in shown.inks)


@pytest.mark.parametrize(
    ("draw", "arguments"),
    [
        (card_faces.card, ("10H", 1.28)),
        (card_faces.card, ("back", 0.72)),
        (table_pieces.token, (2, 40, False)),
        (table_pieces.panel, (237, 146, True)),
    ],
)
def test_a_sprite_out_of_the_stock_is_the_one_that_is_drawn(
    draw: sprite_cache.Maker, arguments: tuple[object, ...]
) -> None:
    kept, drawn = built(draw, *arguments), made(draw(*arguments))
    assert (kept.image.size, kept.image.tobytes()) == (drawn.image.size, drawn.image.tobytes())
    assert (kept.mask and kept.mask.tobytes()) == (drawn.mask and drawn.mask.tobytes())


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("module", [card_faces, emblems, palette])
def test_who_changes_what_draws_finds_nothing_any_more(
    module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a drawer's own source, something that it imports, or what every sprite needs."""
    assert module.__file__
    changed = tmp_path / "changed.py"
    changed.write_text(Path(module.__file__).read_text(encoding="utf-8") + "# another look\n", encoding="utf-8")
    assert sprite_cache.found(packed, card_faces.card, "10H", 1.28)
    monkeypatch.setattr(module, "__file__", str(changed))
    for known in CACHES:
        known.cache_clear()
    assert sprite_cache.found(packed, card_faces.card, "10H", 1.28) is None


def test_of_all_that_draws_it_is_kept_on_which_modules_it_depends() -> None:
    """To look for what they import takes longer than to read them."""
    for front in FRONTS.values():
        shown = Seen()
        for spec in pictures(front, entry_of(front.game)).values():
            Studio([front.layouts]).lay(spec, shown.start)
        for draw, _ in shown.drawings:
            kept = sprite_cache.record(sprite_cache.modules_key(draw.__module__))
            assert kept is not None
            assert kept.decode().split() == sprite_cache.reached(draw.__module__)


@pytest.mark.usefixtures("fresh")
def test_line_ends_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert card_faces.__file__
    changed = tmp_path / "faces.py"
    changed.write_bytes(Path(card_faces.__file__).read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    monkeypatch.setattr(card_faces, "__file__", str(changed))
    assert sprite_cache.found(packed, card_faces.card, "10H", 1.28)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("content", [None, b""])
def test_without_the_file_all_is_drawn(content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "stock.bin"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setattr(sprite_cache, "FILE", str(file))
    assert sprite_cache.found(packed, card_faces.card, "10H", 1.28) is None
    assert built(card_faces.card, "10H", 1.28).image.size == made(card_faces.card("10H", 1.28)).image.size


def test_what_is_no_function_of_a_module_is_drawn() -> None:
    assert sprite_cache.found(len) is None
    assert sprite_cache.key(partial(card_faces.card, "10H")) is None


def test_a_process_that_draws_first_takes_all_letters_from_the_stock() -> None:
    """To parse the typeface takes longer than many a picture."""
    script = (
        "from cogs.pictures import letters, pen; letters.cover('round 3 of 20', 32); letters.breadth('+30 −5', 60);"
        "print(pen.font.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "0"
