"""What Jesters' players know: a seat's view or, in a playout, the same read directly from the state."""

from __future__ import annotations

from typing import NamedTuple

from engines.jesters.model import FAVORITE_TARGET, State
from engines.jesters.view import View

Ints = tuple[int, ...]


class SeatKnowledge(NamedTuple):
    """What a seat knows and its policy uses. `dice` are its own by colour.

    `target` to `marked` belong to the current attempt, no matter who began it; a `target` of None means that there is
    none.
    `drawn` is for the seat that chooses.
    """

    seat: int
    first: int
    round: int
    phase: str
    dice: Ints
    middle: Ints
    hand: Ints
    hand_sizes: Ints
    board: Ints
    favorite: int
    placed: Ints
    completed: tuple[Ints, ...]
    gift_pile: int
    gifts: tuple[Ints, ...]
    used: Ints
    drawn: tuple[int | None, ...]
    failures: Ints
    fame: Ints
    passed: Ints
    done: Ints
    target: int | None
    own: Ints
    colours: Ints
    faces: Ints
    marking: int | None
    marked: Ints

    @property
    def targets(self) -> Ints:
        """The tasks that may be performed."""
        return self.board if self.seat in self.done else (*self.board, FAVORITE_TARGET)

    @property
    def rolled_dice(self) -> tuple[tuple[int, int], ...]:
        """The dice of the attempt, as requirements take them."""
        return tuple(zip(self.colours, self.faces, strict=True))


def knowledge_from_view(view: View) -> SeatKnowledge:
    """Return what the view's seat knows. Raises ValueError for a spectator's view."""
    seat, attempt = view.seat, view.attempt
    if seat is None:
        raise ValueError("A spectator has no decisions.")
    dice = attempt.dice if attempt else ()
    return SeatKnowledge(
        seat,
        view.first,
        view.round,
        view.phase,
        view.dice[seat],
        view.middle,
        view.hand,
        view.hand_sizes,
        view.board,
        view.favorite,
        view.placed,
        view.completed,
        view.gift_pile,
        view.gifts,
        view.used,
        view.drawn,
        view.failures,
        view.fame,
        view.passed,
        view.done,
        attempt.target if attempt else None,
        tuple([die.own for die in dice]),
        tuple([die.colour for die in dice]),
        tuple([die.face for die in dice]),
        attempt.marking if attempt else None,
        attempt.marked if attempt else (),
    )


def knowledge_from_state(state: State, seat: int) -> SeatKnowledge:
    """Return the same from a whole state in which that seat is to move. It reads no more than the view shows."""
    return SeatKnowledge(
        seat,
        state.first,
        state.round,
        state.phase,
        tuple(state.dice[seat]),
        tuple(state.middle),
        tuple(state.hands[seat]),
        tuple(map(len, state.hands)),
        tuple(state.board),
        state.favorite,
        tuple(state.placed),
        tuple(map(tuple, state.completed)),
        len(state.gift_pile),
        tuple(map(tuple, state.gifts)),
        tuple(state.used),
        tuple(state.drawn),
        tuple(state.failures),
        tuple(state.fame),
        tuple(state.passed),
        tuple(state.done),
        state.target,
        tuple(state.own),
        tuple(state.colours),
        tuple(state.faces),
        state.marking,
        tuple(state.marked),
    )
