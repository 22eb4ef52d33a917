"""The errors for illegal moves of Jesters (C3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.jesters import effects
from engines.jesters.components.catalogue import (
    ANY,
    Effect,
    Extra,
    FameForColour,
    FameForSymbol,
    Opposite,
    Recolour,
    all_components,
    jest_card,
)
from engines.jesters.model import (
    FAVORITE_TARGET,
    Finish,
    Keep,
    Learn,
    Mark,
    Move,
    Paint,
    Pass,
    Perform,
    Phase,
    Reroll,
    Roll,
    Spend,
    State,
    Unmark,
    UseGift,
)
from engines.jesters.requirements.evaluation import COLOURS
from engines.kit.errors import IllegalMove
from engines.kit.turns import out_of_turn_error


def check(state: State, seat: int, move: Move) -> None:
    """Raise IllegalMove for a move out of turn, out of phase or against S6–S13."""
    if seat != state.turn or state.phase == "over":
        raise out_of_turn_error(state)
    phase, rest = _CHECKS[type(move)]
    if state.phase != phase:
        raise _wrong_phase(state)
    rest(state, seat, move)


def _wrong_phase(state: State) -> IllegalMove:
    """Return the error for a move at the wrong moment of the turn."""
    match state.phase:
        case "turn":
            return IllegalMove("S5", "You have not rolled any dice. Learn, perform or pass first.")
        case "attempt":
            return IllegalMove("S7", "You have rolled your dice. Change them, or finish the attempt.")
        case "mark" if effects.paint_colour(state.marking) is not None:
            return IllegalMove("S22", "Mark the dice whose colour should change, then paint them.")
        case "mark":
            return IllegalMove("S7", "Mark the dice to reroll, then roll them.")
        case _:
            return IllegalMove("S10", "Keep one of the two Gifts first.")


def _check_card(state: State, seat: int, card: int) -> None:
    if card not in state.hands[seat]:
        raise IllegalMove(None, f"You do not have Jest card {card}.")


def _check_learn(state: State, seat: int, move: Learn) -> None:
    """S6: take as many of the card's Techniques as there are, and at least one."""
    _check_card(state, seat, move.card)
    options = effects.learnable_colours(move.card, tuple(state.middle))
    if tuple(sorted(move.colours)) in options:
        return
    if not options:
        raise IllegalMove("S6", "None of this card's Techniques is in the middle.")
    if options == ((),):
        raise IllegalMove("S6", "This card lets you choose no colour, so do not name one.")
    number = len(options[0])
    which = "one colour" if number == 1 else f"{number} colours"
    raise IllegalMove("S6", f"Name {which} for “any”. The Techniques must be in the middle.")


def _check_perform(state: State, seat: int, move: Perform) -> None:
    """S7: an open Performance or the Favorite, with at least one die; S10: the Favorite once per round."""
    if len(move.dice) != len(COLOURS):
        raise IllegalMove(None, "For each of the four colours, say how many of your Techniques to roll.")
    if move.target == FAVORITE_TARGET:
        if seat in state.done:
            raise IllegalMove("S10", "You have already completed this round's Favorite.")
    elif move.target not in state.board:
        if not 1 <= move.target <= len(all_components().performances):
            raise IllegalMove(None, f"There is no Performance {move.target}.")
        raise IllegalMove("S7", f"Performance {move.target} is not open on the board.")
    if not any(move.dice):
        raise IllegalMove("S7", "Choose at least one of your Techniques.")
    for number, owned, name in zip(move.dice, state.dice[seat], COLOURS, strict=True):
        if not 0 <= number <= owned:
            raise IllegalMove(None, f"You have {owned or 'no'} {name} {'Technique' if owned == 1 else 'Techniques'}.")


def _check_die(state: State, die: int) -> None:
    if not 1 <= die <= len(state.faces):
        number = len(state.faces)
        raise IllegalMove(None, "There is only die 1." if number == 1 else f"There are dice 1 to {number}.")


def _check_spend(state: State, seat: int, move: Spend) -> None:
    """S7, S8: the die must match the card, and change within its range, from 1 to 6."""
    _check_card(state, seat, move.card)
    _check_die(state, move.die)
    _check_colour(state, move.die, jest_card(move.card).bottom.colour, "S7")
    face = state.faces[move.die - 1]
    to = effects.reachable_faces(move.card, state.colours[move.die - 1], face)
    if move.face not in to:
        can = " or ".join(map(str, to))
        raise IllegalMove("S8", f"Die {move.die} shows {face}. With this card you can make it show {can}.")


def _check_colour(state: State, die: int, colour: int, rule: str) -> None:
    """S7, S22: cards and Gifts act on a die by its colour in this attempt."""
    if colour not in (ANY, state.colours[die - 1]):
        own = COLOURS[state.colours[die - 1]]
        raise IllegalMove(rule, f"Die {die} is {own}, but this only works on {COLOURS[colour]} dice.")


def _check_gift(state: State, seat: int, move: UseGift) -> None:
    """S13: the seat's own Gift, once per round; S22: with what it needs."""
    if move.gift not in state.gifts[seat]:
        raise IllegalMove(None, f"You do not have Gift {move.gift}.")
    effect = effects.gift_effect(move.gift)
    if isinstance(effect, FameForColour | FameForSymbol):
        raise IllegalMove("S22", "This Gift gives its Fame automatically.")
    if move.gift in state.used:
        raise IllegalMove("S13", "You have already used this Gift in this round.")
    _check_gift_target(state, move, effect)
    if isinstance(effect, Recolour) and all(colour == effect.colour for colour in state.colours):
        raise IllegalMove("S22", f"All your dice are already {COLOURS[effect.colour]}.")


def _check_gift_target(state: State, move: UseGift, effect: Effect) -> None:
    """S22: one Gift needs a die to turn, one a colour for the extra Technique, and the others nothing."""
    if move.die is not None and not isinstance(effect, Opposite):
        raise IllegalMove(None, "This Gift needs no die, so do not name one.")
    if move.colour is not None and not isinstance(effect, Extra):
        raise IllegalMove(None, "This Gift needs no colour, so do not name one.")
    if isinstance(effect, Opposite):
        if move.die is None:
            raise IllegalMove(None, "Name the die to turn.")
        _check_die(state, move.die)
        _check_colour(state, move.die, effect.colour, "S22")
    if isinstance(effect, Extra):
        if move.colour is None:
            raise IllegalMove(None, "Name the colour of the extra Technique.")
        if move.colour not in range(len(COLOURS)):
            raise IllegalMove(None, f"There is no such colour. Name {', '.join(COLOURS[:-1])} or {COLOURS[-1]}.")
        if not state.middle[move.colour]:
            raise IllegalMove("S22", f"There is no {COLOURS[move.colour]} Technique in the middle.")


def _check_mark(state: State, seat: int, move: Mark) -> None:
    _check_die(state, move.die)
    if move.die in state.marked:
        raise IllegalMove(None, f"Die {move.die} is already marked.")
    colour = effects.paint_colour(state.marking)
    if colour is not None and state.colours[move.die - 1] == colour:
        raise IllegalMove("S22", f"Die {move.die} is {COLOURS[colour]} already.")


def _check_unmark(state: State, seat: int, move: Unmark) -> None:
    if move.die not in state.marked:
        raise IllegalMove(None, f"Die {move.die} is not marked.")


def _check_marking_end(state: State, seat: int, move: Roll | Paint) -> None:
    """`roll` ends marking for a reroll, `paint` marking for a change of colour."""
    painting = effects.paint_colour(state.marking) is not None
    if isinstance(move, Paint) != painting:
        raise _wrong_phase(state)
    if not state.marked:
        raise IllegalMove("S22" if painting else "S7", "Mark at least one die.")


def _check_keep(state: State, seat: int, move: Keep) -> None:
    if move.gift not in state.drawn:
        one, other = state.drawn
        raise IllegalMove(None, f"Keep Gift {one} or Gift {other}.")


def _check_nothing(state: State, seat: int, move: Move) -> None:
    """Accept any move of this kind at this moment."""


_CHECKS: Mapping[type[Move], tuple[Phase, Callable[[State, int, Any], None]]] = {
    Learn: ("turn", _check_learn),
    Perform: ("turn", _check_perform),
    Pass: ("turn", _check_nothing),
    Spend: ("attempt", _check_spend),
    Reroll: ("attempt", lambda state, seat, move: _check_card(state, seat, move.card)),
    UseGift: ("attempt", _check_gift),
    Finish: ("attempt", _check_nothing),
    Mark: ("mark", _check_mark),
    Unmark: ("mark", _check_unmark),
    Roll: ("mark", _check_marking_end),
    Paint: ("mark", _check_marking_end),
    Keep: ("keep", _check_keep),
}
"""By kind of move: when it may be made, and its further check."""
