"""A sample position that shows newcomers what a game looks like, for the first page of its rules."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.screens.screen import Context, GameScreen, Picture
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.seats import parse_seat


@dataclass(frozen=True, slots=True)
class ExamplePosition:
    """A sample match up to one position, and the seat whose hand is shown.

    The match is replayed each time, so its picture always has the current look.
    """

    names: tuple[str, ...]
    seed: str
    moves: str  # separated by commas: the seat's letter and the move's notation
    seat: str  # the letter of the seat whose hand is shown
    caption: str  # a sentence that explains the picture

    def picture(self, game: AnyGame, screen: GameScreen) -> Picture:
        """Return the picture of the hand in that position."""
        options = game.options()
        state = game.start(len(self.names), options, Chance(self.seed))
        for move_text in self.moves.split(", "):
            mover, _, notation = move_text.partition(" ")
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
