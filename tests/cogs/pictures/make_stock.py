"""Makes what pictures are drawn of beforehand: `make stock`, after a change of what draws it.

That is whatever is drawn in some random matches of every game, the letters at the sizes that are written there, and
what the palette needs. A sprite that is in no such match is drawn when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from cogs.games import FRONTS
from cogs.pictures.raster import letters, palette, sprite_cache
from cogs.pictures.raster.pen import Drawer
from cogs.pictures.raster.sprites import packed
from cogs.pictures.raster.theme import LEAST_TYPE, NAME_TYPE, PIXELS, Colour
from cogs.pictures.studio import Studio
from cogs.screens.screen import Context, Picture, Steps
from cogs.table.game_ui import Front
from engines.kit.chance import Chance

MATCHES = 12  # of each game; sprites that fewer than LEAST of their moments show are left out
LEAST = 3
MOST = 40  # moments of a match
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay")
Drawing = tuple[Drawer, tuple[Hashable, ...]]


class Seen:
    """A surface on which nothing is drawn: it counts what would be, and notes in which sizes and colours is written."""

    def __init__(self) -> None:
        self.drawings: dict[Drawing, int] = {}
        self.sizes = set(range(LEAST_TYPE, NAME_TYPE + 1))  # names shrink until they fit
        self.inks: set[tuple[Colour, Colour]] = set()  # with their grounds

    def start(self, ground: Drawer, height: int) -> Seen:
        """One more picture."""
        self.paste(0, 0, ground, height)
        return self

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        """A sprite."""
        self.drawings[draw, arguments] = self.drawings.get((draw, arguments), 0) + 1

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """Words."""
        self.sizes.add(size)
        self.inks.add((ground, ink))


def main() -> None:
    """Put a new file in the place of the old one, of which a bot may be reading."""
    new = Path(sprite_cache.FILE).with_suffix(".new")
    new.write_bytes(sprite_cache.packed(records(seen())))
    new.replace(sprite_cache.FILE)


def seen(matches: int = MATCHES) -> Seen:
    """What random matches of every game draw."""
    studio, found = Studio(front.layouts for front in FRONTS.values()), Seen()
    for front in FRONTS.values():
        for number in range(matches):
            for picture in pictures(front, number):
                studio.lay(picture.spec, found.start)
    return found


def records(found: Seen, least: int = LEAST) -> dict[bytes, bytes]:
    """All that is kept, by its keys."""
    kept = {_key(make): make() for make in (palette.mixed, palette.dimmed)}
    for size in {round(size * PIXELS) for size in found.sizes}:
        kept[_key(letters.drawn, size)] = letters.drawn(size)
    for ground, ink in found.inks:
        kept[_key(palette.between, ground, ink)] = palette.between(ground, ink)
    for module in {
        make.__module__ for make in (packed, letters.drawn, palette.mixed, *(one for one, _ in found.drawings))
    }:
        kept[sprite_cache.modules_key(module)] = "\n".join(sprite_cache.reached(module)).encode()
    for (draw, arguments), count in found.drawings.items():
        if count >= least:
            kept[_key(packed, draw, *arguments)], name, outline = packed(draw, *arguments)
            if outline:
                kept[name] = outline
    return kept


def pictures(front: Front, number: int) -> Iterator[Picture]:
    """Some of the pictures of a random match, whoever they are for."""
    game, screen, rng = front.game, front.screen, Random(number)
    seats = game.seats[number % len(game.seats)]
    options = game.fitting(seats, game.settings.validate_python({}))
    context = Context(NAMES[:seats], options, plates=NAMES[:seats], short=NAMES[:seats])
    state = game.start(seats, options, Chance(f"{number:032x}"))
    moments = 0
    while due := [seat for seat, decision in game.decisions(state).items() if decision.due]:
        moves = game.moves(state, due[0])
        if rng.random() < MOST / (MOST + moments):
            moments += 1
            yield from _moment(front, context, state, due[0], moves)
        game.play(state, due[0], moves[rng.randrange(len(moves))])
    outcome = game.outcome(state)
    over = outcome and screen.result(game.view(state, None), outcome, context).picture
    yield from (picture for picture in (over, front.primer.picture(game, screen)) if picture)


def _moment(front: Front, context: Context, state: Any, seat: int, moves: Any) -> Iterator[Picture]:
    game, screen = front.game, front.screen
    view = game.view(state, seat)
    hand = screen.hand(view, game.decisions(state)[seat], moves, context)
    public = screen.table(game.view(state, None), context)
    yield from (each.picture for each in (public, hand, screen.sheet(view, context)) if each and each.picture)
    yield from _steps(hand.controls)


def _steps(controls: Any) -> Iterator[Picture]:
    """The pictures that choosing first brings."""
    for steps in controls:
        for step in steps.steps if isinstance(steps, Steps) else ():
            yield from (picture for picture in (step.picture,) if picture)
            yield from _steps(step.controls)


def _key(make: sprite_cache.Maker, *arguments: Hashable) -> bytes:
    key = sprite_cache.key(make, *arguments)
    assert key is not None, f"{make} is no function of a module"
    return key


if __name__ == "__main__":
    main()
