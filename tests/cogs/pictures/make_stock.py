"""Build the sprite cache: run `make stock` after a change of drawing code.

The cache has the sprites that some random matches of every game draw, also in clips, the letters at the sizes used
there, the tables of the palette, and the digests of all emoji. Other sprites are drawn when they are first needed. The
signs of the games are written as files.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from cogs.features.clips.steps import move_steps
from cogs.games import GAME_UIS
from cogs.pictures.emoji import pack_emoji_digest
from cogs.pictures.emoji_names import all_emoji
from cogs.pictures.raster import letters, palette, sprite_cache
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.sprites import pack_sprite
from cogs.pictures.raster.theme import CLOTHS, MIN_TYPE_SIZE, NAME_TYPE_SIZE, PIXELS_PER_UNIT, Colour
from cogs.pictures.studio import Studio
from cogs.screens.screen import Context, Picture, Steps
from cogs.table.game_ui import GameUI
from cogs.table.pages.lobby_invitation import lobby_picture
from engines.hosting.match import MatchSnapshot
from engines.kit.chance import Chance
from engines.store.match_store import MatchInfo, Place, Seat, Status
from tests.until_over import until_over

MATCH_COUNT = 12  # matches of each game; sprites in fewer than MIN_USES of their pictures are left out
MIN_USES = 3
MAX_PICTURES = 40  # snapshots of a match
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay")
SIGNS_FOLDER = Path(__file__).parents[3] / "docs" / "pictures" / "signs"
Drawing = tuple[DrawFunction, tuple[Hashable, ...]]


class CountingSurface:
    """A surface that draws nothing: it counts the sprites, and notes the sizes and colours of texts."""

    def __init__(self) -> None:
        self.drawings: dict[Drawing, int] = {}
        self.sizes = set(range(MIN_TYPE_SIZE, NAME_TYPE_SIZE + 1))  # names shrink until they fit
        self.inks: set[tuple[Colour, Colour]] = set()  # with their grounds

    def start_picture(self, ground: DrawFunction, height: int, cloth: str = "green") -> CountingSurface:
        self.paste(0, 0, ground, height)
        return self

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        self.drawings[draw, arguments] = self.drawings.get((draw, arguments), 0) + 1

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        ink: Colour,
        ground: Colour,
        anchor: str = "m",
        stretch: float = 1,
    ) -> None:
        self.sizes.add(size)
        self.inks.add((ground, ink))


def main() -> None:
    """Replace the old file atomically, because a bot may be reading it. Nothing is taken from the old one."""
    new = Path(sprite_cache.CACHE_FILE).with_suffix(".new")
    with patch.object(sprite_cache, "read_record", return_value=None):
        new.write_bytes(sprite_cache.pack_records(stock_records(count_drawings())))
    new.replace(sprite_cache.CACHE_FILE)
    save_signs(SIGNS_FOLDER)


def save_signs(folder: Path) -> None:
    """Write each game's sign as a file, for the playground's first screen."""
    folder.mkdir(exist_ok=True)
    for game_ui in GAME_UIS.values():
        (folder / game_ui.intro.picture.name).write_bytes(Studio([game_ui.layouts]).render(game_ui.intro.picture.spec))


def count_drawings(matches: int = MATCH_COUNT) -> CountingSurface:
    studio, found = Studio(game_ui.layouts for game_ui in GAME_UIS.values()), CountingSurface()
    for game_ui in GAME_UIS.values():
        for number in range(matches):
            for picture in (*match_pictures(game_ui, number), *lobby_pictures(game_ui)):
                studio.lay_out(picture.spec, found.start_picture)
    return found


def lobby_pictures(game_ui: GameUI) -> Iterator[Picture]:
    """The pictures of lobbies with every number of players, of people and of computers."""
    game, adapter = game_ui.game, game_ui.game.options_adapter
    for count in range(1, game.seats[-1] + 1):
        for people in {1, count}:
            seats = tuple(
                Seat(i + 1, NAMES[i]) if i < people else Seat(0, NAMES[i], level="easy") for i in range(count)
            )
            options = adapter.dump_json(game.options()).decode()
            info = MatchInfo("abcd2345", game.key, game.version, options, Status.LOBBY, 1, Place(1, 2), seats)
            yield lobby_picture(MatchSnapshot(info, game, game.options(), None), game_ui.screen)


def stock_records(surface: CountingSurface, min_uses: int = MIN_USES) -> dict[bytes, bytes]:
    """Return all records of the sprite cache, by key."""
    records = {_stock_key(palette.compute_faded_indices): palette.compute_faded_indices()}
    records |= {_stock_key(palette.mix_palette, cloth): palette.mix_palette(cloth) for cloth in CLOTHS}
    for size in {round(size * PIXELS_PER_UNIT) for size in surface.sizes}:
        records[_stock_key(letters.pack_letters, size)] = letters.pack_letters(size)
    for ground, ink in surface.inks:
        records[_stock_key(palette.compute_shade_indices, ground, ink)] = palette.compute_shade_indices(ground, ink)
    emoji = [
        (draw, arguments) for draw, arguments in all_emoji(game_ui.emoji for game_ui in GAME_UIS.values()).values()
    ]
    for draw, arguments in emoji:
        records[_stock_key(pack_emoji_digest, draw, *arguments)] = pack_emoji_digest(draw, *arguments)
    functions = {one for draw, arguments in emoji for one in (draw, *filter(callable, arguments))}
    functions |= {pack_emoji_digest, pack_sprite, letters.pack_letters, palette.mix_palette}
    for module in {make.__module__ for make in (*functions, *(one for one, _ in surface.drawings))}:
        records[sprite_cache.modules_key(module)] = "\n".join(sprite_cache.imported_modules(module)).encode()
    for (draw, arguments), count in surface.drawings.items():
        if count >= min_uses:
            records[_stock_key(pack_sprite, draw, *arguments)], name, outline = pack_sprite(draw, *arguments)
            if outline:
                records[name] = outline
    return records


def match_pictures(game_ui: GameUI, number: int) -> Iterator[Picture]:
    game, screen, rng = game_ui.game, game_ui.screen, Random(number)
    seats = game.seats[number % len(game.seats)]
    options = game.validate_setup(seats, game.options_adapter.validate_python({}))
    context = Context(NAMES[:seats], options, plate_names=NAMES[:seats], short_names=NAMES[:seats])
    state = game.start(seats, options, Chance(f"{number:032x}"))
    moments = 0
    for decisions in until_over(game, state):
        due = [seat for seat, decision in decisions.items() if decision.due]
        moves = game.moves(state, due[0])
        if rng.random() < MAX_PICTURES / (MAX_PICTURES + moments):
            moments += 1
            yield from _moment_pictures(game_ui, context, state, due[0], moves)
        before = game.view(state, None)
        events = game.play(state, due[0], moves[rng.randrange(len(moves))])
        public = [event for event in events if event.is_visible_to(None)]
        steps = move_steps(screen, before, public, game.view(state, None), context)
        yield from (Picture(step.spec, "clip.gif", "") for step in steps if step.is_motion)
    outcome = game.outcome(state)
    last_picture = outcome and screen.result(game.view(state, None), outcome, context).picture
    yield from (picture for picture in (last_picture, game_ui.example_position.picture(game, screen)) if picture)


def _moment_pictures(game_ui: GameUI, context: Context, state: Any, seat: int, moves: Any) -> Iterator[Picture]:
    game, screen = game_ui.game, game_ui.screen
    view = game.view(state, seat)
    hand = screen.hand(view, game.decisions(state)[seat], moves, context)
    public = screen.table(game.view(state, None), context)
    yield from (each.picture for each in (public, hand, screen.sheet(view, context)) if each and each.picture)
    yield from _step_pictures(hand.controls)


def _step_pictures(controls: Any) -> Iterator[Picture]:
    for steps in controls:
        for step in steps.steps if isinstance(steps, Steps) else ():
            yield from (picture for picture in (step.picture,) if picture)
            yield from _step_pictures(step.controls)


def _stock_key(make: sprite_cache.MakeFunction, *arguments: Hashable) -> bytes:
    key = sprite_cache.cache_key(make, *arguments)
    assert key is not None, f"{make} is not a module-level function, or a source is missing"
    return key


if __name__ == "__main__":
    main()
