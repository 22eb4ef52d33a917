"""Reads clicks on hands outside a match, where everything stands in the custom id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from cogs.table.pages import custom_ids
from cogs.table.pages.custom_ids import Control, only_value
from cogs.table.surfaces.move_steps import MoveStep
from engines.hosting.match import RequestRefused
from engines.hosting.replayed_position import LEARNER


@dataclass(frozen=True, slots=True)
class HandClick:
    """What a click asks for: the hand, a move, the question before it, or the choices that remain at a step."""

    kind: Literal["show", "move", "question", "step"]
    notation: str = ""
    step: MoveStep = field(default_factory=lambda: MoveStep(LEARNER, 0))


def parse_hand_click(control: Control, values: Sequence[str]) -> HandClick:
    """Return what a click asks for. Raises RequestRefused for a control that such a hand does not have."""
    match control.kind, control.rest:
        case "t", "show" | "back" | "return":
            return HandClick("show")
        case "m", notation:
            return HandClick("move", notation)
        case "s", _:
            return HandClick("move", only_value(values))
        case "f", _ if notation := custom_ids.instant_move(only_value(values)):
            return HandClick("move", notation)
        case "c", notation:
            return HandClick("question", notation)
        case "f", _:
            return HandClick("step", step=MoveStep(LEARNER, 0, only_value(values)))
        case "n" | "g", path:
            return HandClick("step", step=MoveStep(LEARNER, 0, path))
        case "p", verb:
            return HandClick("step", step=MoveStep(LEARNER, 0, picked=" ".join((verb, *custom_ids.picked(values)))))
        case "o", picked:
            return HandClick("step", step=MoveStep(LEARNER, 0, picked=picked))
        case _:
            raise RequestRefused("This button belongs to another version of me. Use `/motley help` to start again.")
