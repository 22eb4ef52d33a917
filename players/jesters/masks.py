"""All outcomes of a roll of a few dice as the bits of one number, so that sets of outcomes are handled together.

Die i, from 0, contributes its face minus 1 times 6 ** i; the sum is the index of the roll's bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from engines.jesters.components.catalogue import ANY
from engines.jesters.requirements.evaluation import Requirement, machine_for
from engines.jesters.requirements.machine import MET_STATE

MAX_DICE = 4  # dice; more have too many rolls
OPPOSITE_SIDE = 0  # stands for an amount: turn to the opposite side

DieTool = tuple[int, int]
"""A certain change of a die: by up to an amount, or TURN; of a colour, or ANY."""


def roll_index(faces: Sequence[int]) -> int:
    """Return the index of a roll's bit."""
    number = 0
    for face in reversed(faces):
        number = 6 * number + face - 1
    return number


@lru_cache(1 << 12)
def success_rolls(requirement: Requirement, colours: tuple[int, ...]) -> int:
    """Return the rolls of dice of these colours that meet a requirement."""
    roll = machine_for(requirement)
    states = [roll.start_state]
    for colour in reversed(colours):  # the last die is the most significant one
        start = 6 * roll.kind_of(colour)
        states = [roll.step(state, start + face) for state in states for face in range(6)]
    return sum([1 << number for number, state in enumerate(states) if state == MET_STATE])


def mendable_rolls(tool: DieTool, mask: int, colours: tuple[int, ...]) -> int:
    """Return the rolls that the tool can change into one of `mask`."""
    amount, colour = tool
    number, found = len(colours), 0
    for die, own in enumerate(colours):
        if colour in (own, ANY):
            step = 6**die
            if amount == OPPOSITE_SIDE:
                for face in range(1, 7):
                    away = (7 - 2 * face) * step
                    found |= (mask >> away if away > 0 else mask << -away) & face_mask(number, die, face)
            else:
                for by in range(1, amount + 1):
                    found |= (mask >> by * step) & max_face_mask(number, die, 6 - by)
                    found |= (mask << by * step) & ~max_face_mask(number, die, by) & all_rolls_mask(number)
    return found


@cache
def all_rolls_mask(number: int) -> int:
    """Return all rolls of this many dice."""
    rolls: int = 6**number
    return (1 << rolls) - 1


@cache
def face_mask(number: int, die: int, face: int) -> int:
    """Return the rolls in which that die shows that face."""
    step: int = 6**die
    return sum([1 << roll for roll in range(6**number) if roll // step % 6 == face - 1])


@cache
def max_face_mask(number: int, die: int, face: int) -> int:
    """Return the rolls in which that die shows at most that face."""
    return sum([face_mask(number, die, each) for each in range(1, face + 1)])


@lru_cache(1 << 14)
def reroll_mask(faces: tuple[int, ...], rerolled: tuple[int, ...]) -> int:
    """Return the rolls that rerolling those dice (by number from 0) can make of these faces."""
    found = all_rolls_mask(len(faces))
    for die, face in enumerate(faces):
        if die not in rerolled:
            found &= face_mask(len(faces), die, face)
    return found
