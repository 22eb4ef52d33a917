"""What a clip shows: a round, or the moments that mattered in a match, as a sequence of pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from cogs.pictures.spec import Spec
from cogs.screens.screen import Context, GameScreen

HOLD_MILLISECONDS = 700  # a picture that people read
MOTION_MILLISECONDS = 100  # a picture within a motion

ALWAYS, USUAL, DETAIL, UNSEEN = 3, 2, 1, 0
"""How much an event matters in a clip: in a clip of the whole match, in a clip of its round, in a clip of its round if
there is room, or only together with other events of its move."""


@dataclass(frozen=True, slots=True)
class ClipStep:
    """A picture of a clip, and how long it is shown. If it is `silent`, its caption would tell what comes next."""

    spec: Spec
    milliseconds: int = HOLD_MILLISECONDS
    silent: bool = False

    @property
    def is_motion(self) -> bool:
        """Whether it only leads to the next picture, so that a clip without room can leave it out."""
        return self.milliseconds < HOLD_MILLISECONDS


@runtime_checkable
class WeighsEvents(Protocol):
    """What a game's screen implements if not all of its events matter as usual."""

    def clip_weight(self, event: Any) -> int:
        """Return how much an event matters in a clip: ALWAYS, USUAL, DETAIL or UNSEEN."""


@runtime_checkable
class TellsStandings(Protocol):
    """What a game's screen implements if everybody can see how the match stands before it ends."""

    def standings(self, view: Any) -> Sequence[float]:
        """Return how far each seat has got, in what decides the match, from the spectator's view. More is better."""


@runtime_checkable
class ShowsMotion(Protocol):
    """What a game's screen implements if a move is more than the table after it."""

    def clip_steps(self, before: Any, events: Sequence[Any], after: Any, context: Context) -> Sequence[ClipStep]:
        """Return the pictures of a move in a clip, from the spectator's views around it, and the public events."""


def event_weights(screen: GameScreen) -> Callable[[Any], int]:
    """Return a function that says how much an event of the game matters."""
    return screen.clip_weight if isinstance(screen, WeighsEvents) else lambda event: USUAL


def move_steps(
    screen: GameScreen, before: Any, events: Sequence[Any], after: Any, context: Context
) -> tuple[ClipStep, ...]:
    """Return the pictures of a move, from the spectator's views around it, and the public events."""
    if isinstance(screen, ShowsMotion):
        return tuple(screen.clip_steps(before, events, after, context))
    return table_steps(screen, after, context)


def table_steps(screen: GameScreen, view: Any, context: Context) -> tuple[ClipStep, ...]:
    """Return the picture of the table, if there is one."""
    picture = screen.table(view, context).picture
    return () if picture is None else (ClipStep(picture.spec),)
