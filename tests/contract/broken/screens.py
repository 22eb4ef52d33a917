"""Screens, what they say for moves, and what helpers say of them, that break a law each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from cogs.features.clips.steps import UNSEEN, ClipStep
from cogs.jest.screen import JestScreen
from cogs.jokers.screen import JokersScreen
from cogs.pictures import table_pieces
from cogs.pictures.raster.canvas import DrawingSurface, S, SurfaceFactory
from cogs.pictures.raster.pen import Drawing, Pen
from cogs.pictures.raster.theme import CREAM, FELT, FELT_DARK, IVORY, SHADE, Colour
from cogs.pictures.spec import ResultBanner, ScoreSheet
from cogs.pictures.studio import Studio
from cogs.screens.emoji import Emoji
from cogs.screens.screen import Button, Buttons, Context, Control, Option, Picks, Picture, Screen, Select, Step, Steps
from cogs.screens.truncation import ELLIPSIS
from cogs.wizard.drawing.spec import WizardPicture
from cogs.wizard.screen import WizardScreen
from engines.kit.contract import Decision, Event, Outcome
from engines.wizard.model import Bid, BidMade, CardPlayed, Move, TrickTaken
from tests.engines.jokers.helper import JokersHelper
from tests.engines.wizard.helper import WizardHelper
from tests.game_uis import GAME_UIS


def _change_picture(drawn: Screen, change: Callable[[Picture], dict[str, Any]]) -> Screen:
    assert drawn.picture is not None
    return replace(drawn, picture=replace(drawn.picture, **change(drawn.picture)))


class _OtherHand(WizardScreen):
    """Anyone who is to choose gets another hand than that of Wizard."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        return self.change_hand(drawn, moves) if decision else drawn

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        raise NotImplementedError


def _with_controls(*controls: Control, is_beside: bool = False) -> type[WizardScreen]:
    """That hand has other controls, or these beside those of Wizard."""

    class OtherControls(_OtherHand):
        def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
            return replace(drawn, controls=(*(drawn.controls if is_beside else ()), *controls))

    return OtherControls


def _with_button(label: str, move: str = "bid 0") -> type[WizardScreen]:
    return _with_controls(Buttons((Button(label, move),)), is_beside=True)


IllegalControl = _with_button("Bid a lot", "bid 99")  # beside the legal moves there is one that is not
NamelessButton = _with_button("")  # a button with nothing on it, which Discord refuses
EmptyBox = _with_button("Bid \U0010fffd")  # a button with a character on it that no font has
EndlessButtons = _with_controls(Buttons(tuple(Button(f"Bid {i}", f"bid {i}") for i in range(40))))  # for one message
WideButton = _with_controls(Buttons((Button("Bid nothing at all, and hope for Jesters", "bid 0"),)))  # too wide
CutLine = _with_controls(Select("Bid", (Option(f"Nothing at a{ELLIPSIS}", "bid 0"),)))  # cut, without a name
LinesAlike = _with_controls(Select("Bid", (Option("A few", "bid 1"), Option("A few", "bid 2"))))  # called alike


EmojiOfNobody = _with_controls(Buttons((Button("Bid 0", "bid 0", emoji=Emoji("king_of_cups")),)), is_beside=True)
HighlightedAmongMoves = _with_controls(Buttons((Button("Bid 0", "bid 0", highlighted=True), Button("Bid 1", "bid 1"))))
HighlightedBesideList = _with_controls(
    Buttons((Button("Bid 0", "bid 0", highlighted=True),)), Select("Bid", (Option("Bid 1", "bid 1"),))
)
EmojiWithoutWords = _with_controls(Select("Bid", (Option(" ", "bid 0", emoji=Emoji("wizard")),)))  # nothing to read


class MissingControl(_OtherHand):  # the last move has no control
    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        first, *rest = drawn.controls
        shorter = replace(first, buttons=first.buttons[:-1]) if isinstance(first, Buttons) else first
        return replace(drawn, controls=(shorter, *rest) if len(moves) > 1 else drawn.controls)


class LoopOfSteps(_OtherHand):
    """A step leads nowhere else: its key is two keys for those who read the custom_id."""

    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(Steps("What?", (Step("All", "all/of/it", drawn.controls),)),))


class LongWay(_OtherHand):  # what one could do at once stands behind a list
    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, controls=(Steps("What?", (Step("Go on", "on", drawn.controls),)),))


class ControlsForAll(WizardScreen):  # who may not act is offered something as well
    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        return drawn if decision else replace(drawn, controls=(Buttons((Button("Bid", "bid 0"),)),))


class FewerPicks(JokersScreen):  # of as many cards as may be traded one less can be picked
    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        fewer = [replace(c, most=max(c.most - 1, c.least)) if isinstance(c, Picks) else c for c in drawn.controls]
        return replace(drawn, controls=tuple(fewer))


class RuleOfAnother(_OtherHand):  # the rule that belongs to the decision is one of another game's
    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, rule="J6")


class NoRule(_OtherHand):  # no rule belongs to the decision
    def change_hand(self, drawn: Screen, moves: Sequence[Any]) -> Screen:
        return replace(drawn, rule="")


class CalledAlike(WizardScreen):  # two cards of a rank are called alike
    def choice_label(self, view: Any, move: Any, context: Context) -> str:
        return super().choice_label(view, move, context).partition(" of ")[0]


class Unwritten(WizardScreen):  # one bid is called what another one is written as
    def choice_label(self, view: Any, move: Any, context: Context) -> str:
        return super().choice_label(view, move, context).replace("Bid 1", "Bid 0")


class StillClip(WizardScreen):  # a clip shows the table before the first move, and nothing after it
    def clip_steps(self, before: Any, events: Sequence[Any], after: Any, context: Context) -> Sequence[ClipStep]:
        return ()


class EndlessClip(WizardScreen):  # a picture of a clip stays for a minute
    def clip_steps(self, before: Any, events: Sequence[Any], after: Any, context: Context) -> Sequence[ClipStep]:
        return [replace(step, milliseconds=60_000) for step in super().clip_steps(before, events, after, context)]


class WordlessClip(WizardScreen):  # nothing is said of a card that is played
    def narrate(self, event: Any, context: Context) -> str | None:
        return None if isinstance(event, CardPlayed) else super().narrate(event, context)

    def narrate_briefly(self, event: Any, context: Context) -> str | None:
        return None if isinstance(event, CardPlayed) else super().narrate_briefly(event, context)


class HalfStanding(WizardScreen):  # one seat's points are missing among those that everybody sees
    def standings(self, view: Any) -> Sequence[float]:
        return super().standings(view)[1:]


class UnweighedMatch(WizardScreen):  # nothing of a match is seen but its end, so its clip begins before the first move
    def clip_weight(self, event: Any) -> int:
        return UNSEEN


class HeavyEvent(WizardScreen):  # a trick matters more than clips know
    def clip_weight(self, event: Any) -> int:
        return 9 if isinstance(event, TrickTaken) else super().clip_weight(event)


class SectionsByPhase(WizardScreen):  # a match comes back to bidding in every round
    def section_title(self, view: Any) -> str:
        return f"Time to {view.phase}"


class Untitled(WizardScreen):  # the first round has no title
    def section_title(self, view: Any) -> str:
        return super().section_title(view) if view.round > 1 else ""


class CountedHand(WizardScreen):  # all hands open are so many cards
    def hand_text(self, view: Any) -> str:
        return f"{len(view.hand)} cards"


class SilentHand(WizardScreen):  # all hands open, and nothing is said of them
    def hand_text(self, view: Any) -> str:
        return ""


class EndlessHand(WizardScreen):  # all hands open are more than Discord takes
    def hand_text(self, view: Any) -> str:
        return f"{super().hand_text(view)} " * 300


class Garrulous(WizardScreen):  # the table says the news again and again
    def table(self, view: Any, context: Context) -> Screen:
        drawn = super().table(view, context)
        return replace(drawn, below=tuple(drawn.below) * 9)


class StillWaiting(WizardScreen):
    """A hand says whom it waits for in the middle of a line, where it is not found while the match is paused."""

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        return replace(drawn, above=tuple(f"Now: {part}" for part in (*drawn.above, "Waiting for Ana.")))


class EndlessSheet(WizardScreen):  # the sheet says the names a hundred times
    def sheet(self, view: Any, context: Context) -> Screen:
        return replace(super().sheet(view, context), below=(" ".join(context.names * 100),))


class TableAsSheet(WizardScreen):  # the score sheet has the picture of the table
    def sheet(self, view: Any, context: Context) -> Screen:
        return replace(super().sheet(view, context), picture=self.table(view, context).picture)


class TallResult(WizardScreen):  # the result draws every round forty times, and has no banner, which would shorten it
    def result(self, view: Any, outcome: Outcome, context: Context) -> Screen:
        def taller(picture: Picture) -> dict[str, Any]:
            assert isinstance(picture.spec, ScoreSheet)
            return {"spec": replace(picture.spec, rows=picture.spec.rows * 40, banner=None)}

        return _change_picture(super().result(view, outcome, context), taller)


class NamedPicture(WizardScreen):  # the table's picture says who deals
    def table(self, view: Any, context: Context) -> Screen:
        def change_name(picture: Picture) -> dict[str, Any]:
            assert isinstance(picture.spec, WizardPicture)
            return {"spec": replace(picture.spec, counts=("dealt by", context.names[view.dealer]))}

        return _change_picture(super().table(view, context), change_name)


class ShortPlates(WizardScreen):  # the table has the first letters of names, as if they were all
    def table(self, view: Any, context: Context) -> Screen:
        return super().table(view, replace(context, plate_names=tuple(name[:3] for name in context.plate_names)))


class EarlyEllipsis(WizardScreen):  # the table cuts names before they differ
    def table(self, view: Any, context: Context) -> Screen:
        return super().table(view, replace(context, plate_names=tuple(f"{name[:5]}…" for name in context.plate_names)))


class TellingFile(WizardScreen):  # the file with the picture of a hand is called after what is in it
    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        return _change_picture(drawn, lambda picture: {"name": f"hand-of-{len(view.hand)}.png"})


class ShortAlt(WizardScreen):  # the alt text of a hand does not say what may be played
    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        drawn = super().hand(view, decision, moves, context)
        return _change_picture(drawn, lambda picture: {"alt": picture.alt.partition(" You may play ")[0]})


class NoFaces(WizardScreen):  # a hand shows the seats of computers as if people played there
    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        return super().hand(view, decision, moves, replace(context, computers=()))


class BlindTable(JestScreen):  # the alt text of the table has no trophies
    def table(self, view: Any, context: Context) -> Screen:
        def blind(picture: Picture) -> dict[str, Any]:
            before, _, after = picture.alt.partition(" Trophies: ")
            return {"alt": f"{before} {after.partition('. Deck')[2]}"}

        return _change_picture(super().table(view, context), blind)


class ForgottenEvent(WizardScreen):  # that a trick was taken is told to nobody
    def narrate(self, event: Any, context: Context) -> str | None:
        return None if isinstance(event, TrickTaken) else super().narrate(event, context)


class RawEventNames(WizardScreen):  # an event is told by what Python calls it
    def narrate(self, event: Any, context: Context) -> str | None:
        return f"{event}." if isinstance(event, CardPlayed) else super().narrate(event, context)


class MisnamedPlans(WizardScreen):  # cards that can be played ahead have other names than on their buttons
    def plan_label(self, move: Any) -> str:
        return self.move_label(move)


class ShuffledPlans(WizardScreen):  # cards that can be played ahead stand in another order than their buttons
    def plan_order(self, moves: Sequence[Any]) -> Sequence[Any]:
        return moves


class Telegraphic(WizardScreen):  # news have no verbs
    def narrate_briefly(self, event: Any, context: Context) -> str | None:
        clause = super().narrate_briefly(event, context)
        return clause and clause.replace(" plays ", ": ")


class Breathless(WizardScreen):  # news of a card do not fit two lines
    def narrate_briefly(self, event: Any, context: Context) -> str | None:
        clause = super().narrate_briefly(event, context)
        return clause and clause.replace(" plays ", f" thinks {'and thinks ' * 6}and plays ")


class Premature(WizardScreen):  # a deal says what is trump before the Chameleon takes the card's place
    def narrate(self, event: Any, context: Context) -> str | None:
        return super().narrate(event, replace(context, options=replace(context.options, chameleon=False)))


class Gossip(WizardScreen):  # the table says what was last told to somebody alone
    last_private = ""

    def narrate(self, event: Any, context: Context) -> str | None:
        sentence = super().narrate(event, context)
        self.last_private = sentence or "" if event.to else self.last_private
        return sentence

    def table(self, view: Any, context: Context) -> Screen:
        drawn = super().table(view, context)
        return replace(drawn, above=(*drawn.above, self.last_private))


class NeedlesslyUntold(WizardHelper):  # it says that bids need no telling, and they are told
    untold_events = (BidMade,)


class NothingRare(JokersHelper):  # it has no sample of an event that random players do not come to
    def rare_events(self) -> Sequence[Event]:
        return ()


class NotRare(WizardHelper):  # its sample is of what happens all the time
    def rare_events(self) -> Sequence[Event]:
        return [BidMade(seat=0, tricks=0)]


def _with_scribbles(scribble_on: Callable[[DrawingSurface], None]) -> type[WizardHelper]:
    """A helper whose pictures all have something more on them."""

    class ScribbledHelper(WizardHelper):
        @property
        def studio(self) -> Studio:
            layouts = GAME_UIS[self.game.key].layouts
            return Studio([{kind: partial(_lay_and_scribble, lay, scribble_on) for kind, lay in layouts.items()}])

    return ScribbledHelper


def _lay_and_scribble(
    lay: Callable[[Any, SurfaceFactory[S]], S],
    scribble_on: Callable[[DrawingSurface], None],
    spec: Any,
    start: SurfaceFactory[S],
) -> S:
    surface = lay(spec, start)
    scribble_on(surface)
    return surface


def _write_note(note: str, size: int, surface: DrawingSurface) -> None:
    surface.text(500, 20, note, size, IVORY, FELT)


def _write_on_the_wood(surface: DrawingSurface) -> None:
    surface.text(500, 18, "high", 32, IVORY, FELT)


def _write_wide_name(surface: DrawingSurface) -> None:
    surface.paste(20, 20, table_pieces.panel, 120, 90, False)
    surface.text(30, 60, "WWWWWWWW", 32, IVORY, FELT, "l")


FinePrint = _with_scribbles(
    partial(_write_note, "as far as it is known", 28)
)  # a note that nobody reads on a telephone
StrangeNote = _with_scribbles(partial(_write_note, "⏳ soon", 36))  # with a character that our typeface does not have
StrangeThing = _with_scribbles(
    lambda surface: surface.paste(20, 20, _sprite, "🃏", 40)
)  # a thing with such a character
PaleNote = _with_scribbles(
    lambda surface: surface.text(500, 20, "hardly seen", 36, FELT_DARK, FELT)
)  # its ink is like its ground
PaleRank = _with_scribbles(
    lambda surface: surface.paste(20, 20, _sprite, "7", 36, CREAM)
)  # a thing with a rank like it
WideName = _with_scribbles(_write_wide_name)  # a name that leaves its plate
TinyRank = _with_scribbles(
    lambda surface: surface.paste(20, 20, _sprite, "7", 18)
)  # a thing with its rank on it, so small
OnTheWood = _with_scribbles(_write_on_the_wood)  # a word on the frame of the table
Scratched = _with_scribbles(
    lambda surface: surface.paste(200, 90, table_pieces.card_glow, 1)
)  # across what is kept whole


class PlainResult(WizardScreen):  # its result is the bare score sheet
    def result(self, view: Any, outcome: Outcome, context: Context) -> Screen:
        return _with_banner(super().result(view, outcome, context), None)


class OtherWinner(WizardScreen):  # its banner shows the crest of the same seat, no matter who won
    def result(self, view: Any, outcome: Outcome, context: Context) -> Screen:
        drawn = super().result(view, outcome, context)
        return _with_banner(drawn, ResultBanner((view.seats,), "Ada wins", "with ease"))


def _with_banner(drawn: Screen, banner: ResultBanner | None) -> Screen:
    assert drawn.picture is not None
    spec: Any = drawn.picture.spec
    return replace(drawn, picture=replace(drawn.picture, spec=replace(spec, banner=banner)))


def _sprite(text: str, height: int, ground: Colour = SHADE) -> Drawing:
    pen = Pen(60, 60, ground=ground)
    pen.text(30, 30, text, height, IVORY)
    return pen.finish(covers_all=True)


class LongReason(WizardScreen):  # it has more to say than a telephone shows
    def move_reason(self, view: Any, move: Move, context: Context) -> str:
        return (
            f"{super().move_reason(view, move, context)} {super().move_reason(view, move, context)} And so on, and on."
        )


class TwoReasons(WizardScreen):  # a reason is two sentences
    def move_reason(self, view: Any, move: Move, context: Context) -> str:
        return "You need it. It is high."


class Telegram(WizardScreen):  # a reason is what somebody would note rather than say
    def move_reason(self, view: Any, move: Move, context: Context) -> str:
        return "Two tricks needed; high card."


class ReasonInLines(WizardScreen):  # a reason takes a line of its own for each thought
    def move_reason(self, view: Any, move: Move, context: Context) -> str:
        return "You need it,\nand it is high."


class HalfReason(WizardScreen):  # what it says has no end
    def move_reason(self, view: Any, move: Move, context: Context) -> str:
        return super().move_reason(view, move, context).rstrip(".")


class SomeReasons(WizardScreen):  # nobody has thought of bids
    def move_reason(self, view: Any, move: Move, context: Context) -> Any:
        return None if isinstance(move, Bid) else super().move_reason(view, move, context)


class FickleReason(WizardScreen):  # it remembers what it has said, and says another thing the next time
    def __init__(self) -> None:
        self.reason_count = 0

    def move_reason(self, view: Any, move: Move, context: Context) -> str:
        self.reason_count += 1
        return f"This is reason {self.reason_count} for it."
