"""Screens, and what helpers say of them, that break a law each. All are those of a game, but for one thing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from cogs.jest.screen import JestScreen
from cogs.jokers.screen import JokersScreen
from cogs.pictures import table_pieces
from cogs.pictures.raster.canvas import DrawingSurface, S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing, Pen
from cogs.pictures.raster.theme import FELT, IVORY
from cogs.pictures.spec import ScoreSheet
from cogs.pictures.studio import Studio
from cogs.screens.screen import Button, Buttons, Context, Option, Picks, Screen, Select, Step, Steps
from cogs.screens.truncation import ELLIPSIS
from cogs.wizard.drawing.spec import WizardPicture
from cogs.wizard.screen import WizardScreen
from engines.kit.contract import Decision, Event, Outcome
from engines.wizard.model import BidMade, CardPlayed, TrickTaken
from tests.engines.jokers.helper import JokersHelper
from tests.engines.wizard.helper import WizardHelper
from tests.fronts import GAME_UIS


class _OtherHand(WizardScreen):
    """Whoever is to choose gets another hand than that of Wizard."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        return self.change_hand(drawn, moves) if decision else drawn

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        """That hand."""
        raise NotImplementedError


class MissingControl(_OtherHand):
    """The last move has no control."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        first, *rest = drawn.controls
        kept = replace(first, buttons=first.buttons[:-1]) if isinstance(first, Buttons) else first
        return replace(drawn, controls=(kept, *rest) if len(moves) > 1 else drawn.controls)


class IllegalControl(_OtherHand):
    """Beside the legal moves there is one that is not."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(*drawn.controls, Buttons((Button("Bid a lot", "bid 99"),))))


class LoopOfSteps(_OtherHand):
    """A step leads where there is nothing else: its key is two keys for those who read the custom_id."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(Steps("What?", (Step("All", "all/of/it", drawn.controls),)),))


class LongWay(_OtherHand):
    """What one could do at once stands behind a list."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(Steps("What?", (Step("Go on", "on", drawn.controls),)),))


class ControlsForAll(WizardScreen):
    """Who may not act is offered something as well."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        return drawn if decision else replace(drawn, controls=(Buttons((Button("Bid", "bid 0"),)),))


class FewerPicks(JokersScreen):
    """Of as many cards as may be traded one less can be picked."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        fewer = [replace(c, most=max(c.most - 1, c.least)) if isinstance(c, Picks) else c for c in drawn.controls]
        return replace(drawn, controls=tuple(fewer))


class NamelessButton(_OtherHand):
    """A button with nothing on it, which Discord refuses."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(*drawn.controls, Buttons((Button("", "bid 0"),))))


class EmptyBox(_OtherHand):
    """A button with a character on it that no font has."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(*drawn.controls, Buttons((Button("Bid \U0010fffd", "bid 0"),))))


class EndlessButtons(_OtherHand):
    """More buttons than a message may have."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(Buttons(tuple(Button(f"Bid {i}", f"bid {i}") for i in range(40))),))


class WideButton(_OtherHand):
    """A telephone cuts what stands on a button."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(Buttons((Button("Bid nothing at all, and hope for Jesters", "bid 0"),)),))


class CutLine(_OtherHand):
    """A line of a list is cut though no name stands in it."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(Select("Bid", (Option(f"Nothing at a{ELLIPSIS}", "bid 0"),)),))


class LinesAlike(_OtherHand):
    """Two lines of a list are called alike."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(Select("Bid", (Option("A few", "bid 1"), Option("A few", "bid 2"))),))


class RuleOfAnother(_OtherHand):
    """The rule that belongs to the decision is one of another game's."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, rule="J6")


class NoRule(_OtherHand):
    """No rule belongs to the decision."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, rule="")


class CalledAlike(WizardScreen):
    """Two cards of a rank are called alike."""

    def choice_label(self, view: Any, move: Any, context: Context) -> str:
        return super().choice_label(view, move, context).partition(" of ")[0]


class Unwritten(WizardScreen):
    """One bid is called what another one is written as."""

    def choice_label(self, view: Any, move: Any, context: Context) -> str:
        return super().choice_label(view, move, context).replace("Bid 1", "Bid 0")


class Garrulous(WizardScreen):
    """The table says the news again and again."""

    def table(self, view: Any, context: Context) -> Screen:
        drawn = super().table(view, context)
        return replace(drawn, below=tuple(drawn.below) * 9)


class StillWaiting(WizardScreen):
    """A hand says whom it waits for in the middle of a line, where it is not found while the match is paused."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        return replace(drawn, above=tuple(f"Now: {part}" for part in (*drawn.above, "Waiting for Ana.")))


class EndlessSheet(WizardScreen):
    """The sheet says the names a hundred times."""

    def sheet(self, view: Any, context: Context) -> Screen:
        return replace(super().sheet(view, context), below=(" ".join(context.names * 100),))


class TallResult(WizardScreen):
    """The score sheet is drawn with every round forty times."""

    def result(self, view: Any, outcome: Outcome, context: Context) -> Screen:
        drawn = super().result(view, outcome, context)
        assert drawn.picture is not None
        assert isinstance(drawn.picture.spec, ScoreSheet)
        spec = replace(drawn.picture.spec, rows=drawn.picture.spec.rows * 40)
        return replace(drawn, picture=replace(drawn.picture, spec=spec))


class NamedPicture(WizardScreen):
    """The table's picture says who deals."""

    def table(self, view: Any, context: Context) -> Screen:
        drawn = super().table(view, context)
        assert drawn.picture is not None
        assert isinstance(drawn.picture.spec, WizardPicture)
        spec = replace(drawn.picture.spec, counts=("dealt by", context.names[view.dealer]))
        return replace(drawn, picture=replace(drawn.picture, spec=spec))


class ShortPlates(WizardScreen):
    """The table has the first letters of names, as if they were all."""

    def table(self, view: Any, context: Context) -> Screen:
        return super().table(view, replace(context, plate_names=tuple(name[:3] for name in context.plate_names)))


class TellingFile(WizardScreen):
    """The file with the picture of a hand is called after what is in it."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        assert drawn.picture is not None
        return replace(drawn, picture=replace(drawn.picture, name=f"hand-of-{len(view.hand)}.png"))


class ShortAlt(WizardScreen):
    """The alt text of a hand does not say what may be played."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        assert drawn.picture is not None
        alt = drawn.picture.alt.partition(" You may play ")[0]
        return replace(drawn, picture=replace(drawn.picture, alt=alt))


class NoFaces(WizardScreen):
    """A hand shows the seats of computers as if people played there."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        return super().hand(view, decision, moves, replace(context, computers=()))


class BlindTable(JestScreen):
    """The alt text of the table has no trophies."""

    def table(self, view: Any, context: Context) -> Screen:
        drawn = super().table(view, context)
        assert drawn.picture is not None
        before, _, after = drawn.picture.alt.partition(" Trophies: ")
        return replace(drawn, picture=replace(drawn.picture, alt=f"{before} {after.partition('. Deck')[2]}"))


class ForgottenEvent(WizardScreen):
    """That a trick was taken is told to nobody."""

    def narrate(self, event: Any, context: Context) -> str | None:
        return None if isinstance(event, TrickTaken) else super().narrate(event, context)


class ShortNews(WizardScreen):
    """An event is told by what Python calls it."""

    def narrate(self, event: Any, context: Context) -> str | None:
        return f"{event}." if isinstance(event, CardPlayed) else super().narrate(event, context)


class Gossip(WizardScreen):
    """The table says what was last told to somebody alone."""

    last_private = ""

    def narrate(self, event: Any, context: Context) -> str | None:
        said = super().narrate(event, context)
        self.last_private = said or "" if event.to else self.last_private
        return said

    def table(self, view: Any, context: Context) -> Screen:
        drawn = super().table(view, context)
        return replace(drawn, above=(*drawn.above, self.last_private))


class NeedlesslyUntold(WizardHelper):
    """It says that bids need no telling, and they are told."""

    untold_events = (BidMade,)


class NothingRare(JokersHelper):
    """It has no sample of an event that random players do not come to."""

    def rare_events(self) -> Sequence[Event]:
        return ()


class NotRare(WizardHelper):
    """Its sample is of what happens all the time."""

    def rare_events(self) -> Sequence[Event]:
        return [BidMade(seat=0, tricks=0)]


class _ScribbledHelper(WizardHelper):
    """All its pictures have something more on them."""

    @property
    def studio(self) -> Studio:
        return Studio(
            [{kind: partial(self._lay_and_scribble, lay) for kind, lay in GAME_UIS[self.game.key].layouts.items()}]
        )

    def _lay_and_scribble(self, lay: Callable[[Any, SurfaceFactory[S]], S], spec: Any, start: SurfaceFactory[S]) -> S:
        surface = lay(spec, start)
        self.scribble_on(surface)
        return surface

    def scribble_on(self, surface: DrawingSurface) -> None:
        """What more there is."""
        raise NotImplementedError


class FinePrint(_ScribbledHelper):
    """A note that nobody reads on a telephone."""

    def scribble_on(self, surface: DrawingSurface) -> None:
        surface.text(500, 20, "as far as it is known", 28, IVORY, FELT)


class StrangeNote(_ScribbledHelper):
    """A note with a character that our typeface does not have."""

    def scribble_on(self, surface: DrawingSurface) -> None:
        surface.text(500, 20, "⏳ soon", 36, IVORY, FELT)


class StrangeThing(_ScribbledHelper):
    """A thing with such a character on it."""

    def scribble_on(self, surface: DrawingSurface) -> None:
        surface.paste(20, 20, _strange)


class WideName(_ScribbledHelper):
    """A name that leaves its plate."""

    def scribble_on(self, surface: DrawingSurface) -> None:
        surface.paste(20, 20, table_pieces.panel, 120, 90, False)
        surface.text(30, 60, "WWWWWWWW", 32, IVORY, FELT, "l")


class TinyRank(_ScribbledHelper):
    """A thing with its rank on it, as small as that."""

    def scribble_on(self, surface: DrawingSurface) -> None:
        surface.paste(20, 20, _tiny_sprite)


class Scratched(_ScribbledHelper):
    """A thing across parts that are kept as a whole."""

    def scribble_on(self, surface: DrawingSurface) -> None:
        surface.paste(200, 90, table_pieces.card_glow, 1)


def _strange() -> Drawing:
    pen = Pen(60, 60)
    pen.text(30, 30, "🃏", 40, IVORY)
    return pen.finish(covers_all=True)


def _tiny_sprite() -> Drawing:
    pen = Pen(60, 60)
    pen.text(30, 30, "7", 18, IVORY)
    return pen.finish(covers_all=True)
