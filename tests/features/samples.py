"""The largest rows of each feature, with nasty texts. Each table that names people or matches has person 5 and m1."""

from __future__ import annotations

from typing import Any

from cogs.features.notes.note_pages import MAX_NOTE_LENGTH
from cogs.table.wording.player_names import MAX_NAME_LENGTH
from engines.features.guesses.guessing import ClosedQuestion, Guess
from engines.features.lessons import OfferedLesson
from engines.features.notes import PlayerNote
from engines.features.plans.planned_moves import PlannedMove
from engines.features.reports import Report
from engines.hosting.reactions import LateReaction
from engines.store.rows import Second
from tests.features.sketches import NASTY
from tests.features.sketches import SAMPLES as SKETCH_SAMPLES

HUGE = 2**62
SAMPLES: dict[str, tuple[Any, ...]] = {
    "late_reactions": (
        LateReaction("m1", 9, "guesses", "take back", 8, HUGE, "running", "over", 3, Second(1_000), Second(9_000)),
    ),
    "guesses": (
        Guess("m1", 1, 5, NASTY, (0, 2)),
        Guess("m1", 2, 5, "🃏" * MAX_NAME_LENGTH, tuple(range(-1, 6))),
        Guess("m2", 1, 7, "Dora", ()),
    ),
    "closed_questions": (ClosedQuestion("m1", 1), ClosedQuestion("m2", 999_999)),
    "lessons_offered": (OfferedLesson(5, "wizard"), OfferedLesson(5, NASTY), OfferedLesson(HUGE, "x" * 20)),
    "player_notes": (PlayerNote("m1", 5, NASTY), PlayerNote("m1", 6, "x" * MAX_NOTE_LENGTH)),
    "planned_moves": (
        PlannedMove("m1", 5, HUGE, NASTY, NASTY, NASTY, NASTY, HUGE),
        PlannedMove("m1", 6, 0, "play 10H", "need", "play 3 H", "enough", -1),
        PlannedMove("m2", HUGE, 7, "x" * 100, "C", ""),
    ),
    "reports": (
        Report(1, "m1", 5, NASTY, Second(1_000)),
        Report(HUGE, "m1", 5, "x" * 100_000, Second(2_000), Second(5_000)),
        Report(7, "m2", 7, "", Second(1_500), Second(1_500)),
    ),
    **SKETCH_SAMPLES,
}
OLD_IDS = {
    "breaks": ("y:break", "y:break=back"),
    "deals": ("k:abcd2345", *(f"k:abcd2345:{word}" for word in ("cut", "last", "free", "check"))),
    "guesses": ("t:abcd2345:guess", "e:abcd2345:1", "e:abcd2345:999999"),
    "hints": ("t:abcd2345:hint", "t:abcd2345:review"),
    "lessons": ("t:abcd2345:learn",),
    "notes": ("t:abcd2345:note", "w:abcd2345"),
    "plans": ("d:abcd2345:0:move", "d:abcd2345:12:if H", "d:abcd2345:999999:none"),
    "reports": ("t:abcd2345:wrong", "w:abcd2345:wrong", f"w:abcd2345:send.{HUGE}", "w:abcd2345:drop.7"),
    "replays": (
        *("t:abcd2345:replay", "t:abcd2345:replay=12", "x:abcd2345:n0ty37", "x:abcd2345:m0tw37:4a2"),
        *("x:abcd2345:o0ty37", "x:abcd2345:t0ty37", "x:abcd2345:p0ty37"),
        *("z:abcd2345:4f:n0ty37", "z:abcd2345:4f:m0tw37:4a2", "z:abcd2345:4f:o0ty37"),
    ),
    "takebacks": (
        *(f"t:abcd2345:{word}{n}" for word in ("take-back", "practice") for n in ("", "=1", "=123456", "=0123abcd")),
        *(f"t:abcd2345:{word}{n}" for word in ("agree", "refuse") for n in ("", "=1", "=123456", "=0123abcd")),
        *("y:take_backs=on", "y:take_backs=off"),
    ),
    "clips": ("j:abcd2345:open", "j:abcd2345:pick", "j:abcd2345:post=0", "j:abcd2345:post=24"),
}
"""Custom ids of released versions, by the feature that answers them today."""
