"""A moment that shows what a game looks like to somebody who has never seen it: for the first part of its rules."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.screens.screen import Context, GameScreen, Picture
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.seats import parse_seat


@dataclass(frozen=True, slots=True)
class Primer:
    """A match as far as it goes, and whose hand is looked at. It is played anew, so its picture is always of today."""

    names: tuple[str, ...]
    seed: str
    moves: str  # with commas between them: the seat's letter, and the move as it is written
    seat: str  # the letter of whose hand it is
    caption: str  # what there is to be seen, in a sentence

    def picture(self, game: AnyGame, screen: GameScreen) -> Picture:
        """The hand at that moment, as its screen draws it."""
        options = game.options()
        state = game.start(len(self.names), options, Chance(self.seed))
        for made in self.moves.split(", "):
            mover, _, notation = made.partition(" ")
            move, seat = game.parse_move(notation), parse_seat(mover)
            game.check(state, seat, move)
            game.play(state, seat, move)
        seat, around = (
            parse_seat(self.seat),
            Context(self.names, options, plate_names=self.names, short_names=self.names),
        )
        drawn = screen.hand(game.view(state, seat), game.decisions(state).get(seat), game.moves(state, seat), around)
        assert drawn.picture is not None, f"{game.title}: a hand without a picture"
        return drawn.picture
