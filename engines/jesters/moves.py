"""Jesters' legal moves, as lazy lists because dice allow thousands of choices, and their notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engines.jesters import effects
from engines.jesters.components.catalogue import Extra, FameForColour, FameForSymbol, Opposite, Recolour
from engines.jesters.components.catalogue import Reroll as RerollGift
from engines.jesters.model import (
    FAVORITE_TARGET,
    JEST_CARDS,
    TECHNIQUE_COUNT,
    Finish,
    Keep,
    Learn,
    Mark,
    Move,
    Paint,
    Pass,
    Perform,
    Reroll,
    Roll,
    Spend,
    State,
    Unmark,
    UseGift,
)
from engines.jesters.requirements.evaluation import COLOURS
from engines.kit.lazy_moves import LazyMoves, Segment, as_segment
from engines.kit.notation import NUMBER, Notation, PartFormat, RepeatedPart, Verb, Words, parse_number, verb

PASS, FINISH, ROLL, PAINT = Pass(), Finish(), Roll(), Paint()
MARK_MOVES = tuple(map(Mark, range(TECHNIQUE_COUNT + 1)))
UNMARK_MOVES = tuple(map(Unmark, range(TECHNIQUE_COUNT + 1)))
REROLL_MOVES = tuple(map(Reroll, range(len(JEST_CARDS) + 1)))


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    """Return the legal moves at this moment of the turn. Each choice of dice appears once, whatever its order."""
    if seat != state.turn:
        return ()
    match state.phase:
        case "turn":
            return _turn_moves(state, seat)
        case "attempt":
            return _attempt_moves(state, seat)
        case "mark":
            return _marking_moves(state)
        case "keep":
            return tuple(map(Keep, state.drawn))
        case "over":
            return ()


def _turn_moves(state: State, seat: int) -> Sequence[Move]:
    """S5: return moves that learn with any card, perform anything with any of one's dice, or pass."""
    middle, owned = tuple(state.middle), tuple(state.dice[seat])
    options = [(card, colours) for card in state.hands[seat] for colours in effects.learnable_colours(card, middle)]
    targets = tuple(state.board) if seat in state.done else (*state.board, FAVORITE_TARGET)
    return LazyMoves(_moves_from_values(Learn, options), _perform_moves(targets, owned), as_segment((PASS,)))


def _attempt_moves(state: State, seat: int) -> Sequence[Move]:
    """Return all moves on the dice: every Jest card as its bottom half and as a reroll, the Gifts, and finishing."""
    hand = state.hands[seat]
    options = [
        (card, die, face)
        for card in hand
        for die, (colour, shows) in enumerate(zip(state.colours, state.faces, strict=True), 1)
        for face in effects.reachable_faces(card, colour, shows)
    ]
    others: list[Move] = [REROLL_MOVES[card] for card in hand]
    for gift in state.gifts[seat]:
        if gift not in state.used:
            others += gift_moves(gift, state.colours, state.middle)
    return LazyMoves(_moves_from_values(Spend, options), as_segment([*others, FINISH]))


def gift_moves(number: int, colours: Sequence[int], middle: Sequence[int]) -> list[Move]:
    """Return the ways to use a Gift in an attempt with dice of these colours (S22)."""
    match effects.gift_effect(number):
        case FameForColour() | FameForSymbol():
            return []
        case Opposite(turned_colour):
            return [UseGift(number, die=die) for die, colour in enumerate(colours, 1) if colour == turned_colour]
        case Recolour(paint):
            return [UseGift(number)] if any(colour != paint for colour in colours) else []
        case Extra():
            return [UseGift(number, colour=colour) for colour, count in enumerate(middle) if count]
        case RerollGift():
            return [UseGift(number)]


def _marking_moves(state: State) -> Sequence[Move]:
    """Return moves that mark or unmark each die and, once a die is marked, go on."""
    paint = effects.paint_colour(state.marking)
    found: list[Move] = [
        UNMARK_MOVES[die] if die in state.marked else MARK_MOVES[die]
        for die, colour in enumerate(state.colours, 1)
        if colour != paint
    ]
    if state.marked:
        found.append(ROLL if paint is None else PAINT)
    return found


def _moves_from_values(make: Callable[..., Move], values: Sequence[tuple[Any, ...]]) -> Segment[Move]:
    """Return moves of one kind, each made from its values."""
    return partial(_move_from_values, make, values), len(values)


def _move_from_values(make: Callable[..., Move], values: Sequence[tuple[Any, ...]], place: int) -> Move:
    return make(*values[place])


def _perform_moves(targets: Sequence[int], owned: Sequence[int]) -> Segment[Move]:
    """Return, for each target, every choice of one or more dice. The last colour's number changes first."""
    red, blue, green, purple = owned
    dice_choices = (red + 1) * (blue + 1) * (green + 1) * (purple + 1) - 1
    return partial(_perform_move, targets, owned, dice_choices), dice_choices * len(targets)


def _perform_move(targets: Sequence[int], owned: Sequence[int], dice_choices: int, place: int) -> Perform:
    """Return the move at an index of targets and dice choices. The choice without any die is left out."""
    target, place = divmod(place, dice_choices)
    rest, purple = divmod(place + 1, owned[3] + 1)
    rest, green = divmod(rest, owned[2] + 1)
    red, blue = divmod(rest, owned[1] + 1)
    return Perform(targets[target], (red, blue, green, purple))


def _parse_colour(word: str) -> int:
    colour = word.lower()
    if colour not in COLOURS:
        raise ValueError(f"“{colour[:20]}” is not a colour. Write {', '.join(COLOURS[:-1])} or {COLOURS[-1]}.")
    return COLOURS.index(colour)


COLOUR = PartFormat(_parse_colour, COLOURS.__getitem__)


def _parse_perform(words: Words) -> Perform:
    """Parse a target and dice by colour, with a number if there are several."""
    what = words[0].lower() if words else ""
    target = FAVORITE_TARGET if what == "favorite" else parse_number(what)
    if target is None or (target == FAVORITE_TARGET and what != "favorite"):
        raise ValueError(PERFORM_HINT)
    dice, times = [0, 0, 0, 0], None
    for word in words[1:]:
        found = parse_number(word)
        if found is None:
            dice[_parse_colour(word)] += 1 if times is None else times
        elif times is not None or not found:
            raise ValueError(PERFORM_HINT)
        times = found
    if times is not None or not any(dice):
        raise ValueError(PERFORM_HINT)
    return Perform(target, tuple(dice))


def _format_perform(move: Perform) -> list[str]:
    """Format `7 2 red blue`. Numbers appear only if needed, so that twenty dice fit in a control's id."""
    pairs = zip(move.dice, COLOURS, strict=True)
    dice = [name if number == 1 else f"{number} {name}" for number, name in pairs if number]
    return ["favorite" if move.target == FAVORITE_TARGET else str(move.target), *dice]


def _parse_gift(words: Words) -> UseGift:
    """Parse a Gift, and the die or the colour that it needs."""
    gift = parse_number(words[0]) if words else None
    if gift is None or len(words) > 2:
        raise ValueError(GIFT_HINT)
    if len(words) == 1:
        return UseGift(gift)
    die = parse_number(words[1])
    return UseGift(gift, colour=_parse_colour(words[1])) if die is None else UseGift(gift, die=die)


def _format_gift(move: UseGift) -> list[str]:
    colour = [] if move.colour is None else [COLOURS[move.colour]]
    die = [] if move.die is None else [str(move.die)]
    return [str(move.gift), *colour, *die]


LEARN_HINT = "Name the Jest card by its number, and the colours for any: learn 12 red."
PERFORM_HINT = "Name what to perform, then your dice: perform 7 2 red blue, or perform favorite red."
SPEND_HINT = "Name the Jest card, the die and its new face: spend 12 3 5."
GIFT_HINT = "Name the Gift by its number, and the die or the colour that it needs: gift 5, gift 5 3 or gift 5 red."
NOTATION = Notation[Move](
    "Jesters",
    verb("learn", Learn, NUMBER, RepeatedPart(COLOUR, is_sorted=True), usage=LEARN_HINT),
    Verb("perform", Perform, _parse_perform, _format_perform),
    verb("pass", Pass),
    verb("spend", Spend, NUMBER, NUMBER, NUMBER, usage=SPEND_HINT),
    verb("reroll", Reroll, NUMBER, usage="Name the Jest card by its number: reroll 12."),
    Verb("gift", UseGift, _parse_gift, _format_gift),
    verb("mark", Mark, NUMBER, usage="Name the die by its number: mark 3."),
    verb("unmark", Unmark, NUMBER, usage="Name the die by its number: unmark 3."),
    verb("roll", Roll),
    verb("paint", Paint),
    verb("finish", Finish),
    verb("keep", Keep, NUMBER, usage="Name the Gift by its number: keep 14."),
)
