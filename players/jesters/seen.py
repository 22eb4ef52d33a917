"""What the players of Jesters read: a seat's view, or in a playout what that view would say, without making it."""

from __future__ import annotations

from typing import NamedTuple

from engines.jesters.model import FAVORITE, State, View

Numbers = tuple[int, ...]


class Seen(NamedTuple):
    """What a seat knows and its rules of thumb look at. Of the dice, `dice` are its own by colour.

    `target` to `marked` are those of the attempt under way, whoever began it; a `target` of None means that there is
    none. `drawn` is for the seat that chooses.
    """

    seat: int
    round: int
    phase: str
    dice: Numbers
    middle: Numbers
    hand: Numbers
    hand_sizes: Numbers
    board: Numbers
    favorite: int
    placed: Numbers
    completed: tuple[Numbers, ...]
    gift_pile: int
    gifts: tuple[Numbers, ...]
    used: Numbers
    drawn: tuple[int | None, ...]
    failures: Numbers
    passed: Numbers
    done: Numbers
    target: int | None
    own: Numbers
    colours: Numbers
    faces: Numbers
    marking: int | None
    marked: Numbers

    @property
    def targets(self) -> Numbers:
        """What may be performed."""
        return self.board if self.seat in self.done else (*self.board, FAVORITE)

    @property
    def rolled(self) -> tuple[tuple[int, int], ...]:
        """The dice of the attempt, as requirements take them."""
        return tuple(zip(self.colours, self.faces, strict=True))


def from_view(view: View) -> Seen:
    """What the seat of a view sees. ValueError: a spectator's."""
    seat, attempt = view.seat, view.attempt
    if seat is None:
        raise ValueError("A spectator has nothing to choose.")
    dice = attempt.dice if attempt else ()
    return Seen(
        seat,
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
        view.passed,
        view.done,
        attempt.target if attempt else None,
        tuple([die.own for die in dice]),
        tuple([die.colour for die in dice]),
        tuple([die.face for die in dice]),
        attempt.marking if attempt else None,
        attempt.marked if attempt else (),
    )


def from_state(state: State, seat: int) -> Seen:
    """The same of a whole state, in which that seat is to move: it reads no more than the view has."""
    return Seen(
        seat,
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
        tuple(state.passed),
        tuple(state.done),
        state.target,
        tuple(state.own),
        tuple(state.colours),
        tuple(state.faces),
        state.marking,
        tuple(state.marked),
    )
