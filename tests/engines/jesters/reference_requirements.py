"""Whether dice meet a requirement of Jesters, by the words of S20: plain, slow, sharing no code with the game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

COLOURS = ("red", "blue", "green", "purple")
NUMBERS = {"one": 1, "two": 2, "three": 3}

Die = tuple[int, int]  # colour and face


def meets_requirement(text: str, dice: Sequence[Die]) -> bool:
    """Whether some of the dice show what is asked, and have the colours asked for; of a sum of all dice it is all."""
    form, *clauses = text.split(", ")
    if form.startswith("sum"):
        return sum(face for _, face in dice) >= int(form.split()[-1]) and _has_colours(clauses, dice)
    return any(
        _has_colours(clauses, some) and _has_form(form, [face for _, face in some])
        for some in combinations(dice, form_size(form))
    )


def form_size(form: str) -> int:
    if form.startswith("each"):
        return len(form.split()) - 1
    if form.startswith("run of"):
        return int(form.split()[-1])
    groups = [2 if group == "pair" else int(group.split()[0]) for group in form.split(" and ")]
    return sum(groups)


def hit_share(text: str, dice: Sequence[Die], marked: Sequence[int]) -> Fraction:
    """How many of all ways to roll the marked dice again meet it."""
    hits = 0
    for faces in product(range(1, 7), repeat=len(marked)):
        rolled = dict(zip(marked, faces, strict=True))
        hits += meets_requirement(
            text, [(colour, rolled.get(place, face)) for place, (colour, face) in enumerate(dice)]
        )
    return Fraction(hits, 6 ** len(marked))


def faces_that_help(text: str, dice: Sequence[Die]) -> set[int]:
    """The faces of a further die, of whatever colour, that would do."""
    return {face for colour in range(4) for face in range(1, 7) if meets_requirement(text, [*dice, (colour, face)])}


def _has_colours(clauses: Sequence[str], dice: Sequence[Die]) -> bool:
    for clause in clauses:
        number, colour = clause.split()
        if sum(own == COLOURS.index(colour) for own, _ in dice) < NUMBERS[number]:
            return False
    return True


def _has_form(form: str, faces: Sequence[int]) -> bool:
    """Whether exactly these faces are what is asked for."""
    words = form.split()
    if form.startswith("each"):
        return any(
            all(str(face) in slot.split("/") for face, slot in zip(order, words[1:], strict=True))
            for order in permutations(faces)
        )
    if form.startswith("run"):
        return sorted(faces) == list(range(min(faces), min(faces) + len(faces)))
    if form.endswith("different"):
        return len(set(faces)) == len(faces)
    if "sum" in form:
        return sum(faces) <= int(words[-1])
    if ">=" in form:
        return all(face >= int(words[-1]) for face in faces)
    assert re.fullmatch(r"(pair|\d alike)( and (pair|\d alike))?", form), form
    first = form_size(form.split(" and ")[0])
    return any(
        len({faces[place] for place in group}) == 1
        and len({face for place, face in enumerate(faces) if place not in group}) <= 1
        for group in combinations(range(len(faces)), first)
    )
