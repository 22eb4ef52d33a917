"""What a clip shows: a round, or the moments that mattered in a match, as a sequence of pictures."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import Spec

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
