"""News in sentences: clauses such as `Ada plays Q♣`, joined as somebody at the table would tell them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cogs.screens.control_widths import NARRATION_WIDTH, estimate_width, fits_narration
from cogs.screens.truncation import truncate
from cogs.screens.words import capitalize, join_with_and

MAX_PREDICATES = 4  # things that one sentence says of a person
REPEATED_VERBS = frozenset({"rerolls", "turns"})
"""Verbs that are said once of what a person does several times: `Ada turns a 4 into a 5 and a 1 into a 2.`"""
SHARED_VERBS = frozenset({"plays", "bids"})
"""Verbs that are said once for several people: `Ada plays Q♣, Bela 3♣ and Chidi K♣.`"""
MAX_SHARED_WORDS = 3  # of a predicate whose verb is shared, as in `plays a Wizard`


def join_newest(clauses: Sequence[str], names: Sequence[str] = ()) -> str:
    """Return the newest news in sentences, as many as two lines hold; see `join_clauses`."""
    text = ""
    for first in reversed(range(len(clauses))):
        longer = " ".join(join_clauses(clauses[first:], names))
        if not fits_narration(longer):
            break
        text = longer
    if text or not clauses:
        return text
    return truncate(capitalize(clauses[-1]), NARRATION_WIDTH, lambda part: math.ceil(estimate_width(part)))


def join_clauses(clauses: Iterable[str], names: Sequence[str] = ()) -> list[str]:
    """Return all clauses in sentences: what one person does is one sentence, and so is what several do alike.

    `names` are those that clauses can begin with. A clause that ends with a full stop is a sentence of its own.
    """
    acts = [_Act(name, (predicate,)) for name, predicate in (_split_clause(each, names) for each in clauses)]
    return [_sentence(group) for group in _group_people(_group_acts(acts))]


class _Act(NamedTuple):
    """What somebody does in a row. `name` is empty if a clause begins with no name."""

    name: str
    predicates: tuple[str, ...]

    @property
    def verb(self) -> str:
        """The verb, if it is the only one."""
        return self.predicates[0].partition(" ")[0] if self.name and len(self.predicates) == 1 else ""


def _split_clause(clause: str, names: Sequence[str]) -> tuple[str, str]:
    """Return the name at the beginning and the rest. A sentence of its own has no name."""
    if clause.endswith("."):
        return "", clause.removesuffix(".")
    name = max((name for name in (*names, "You") if clause.startswith(f"{name} ")), key=len, default="")
    return name, clause.removeprefix(f"{name} ") if name else clause


def _group_acts(acts: Iterable[_Act]) -> list[_Act]:
    """Join what the same person does in a row."""
    found: list[_Act] = []
    for act in acts:
        before = found[-1] if found else None
        if before is not None and act.name == before.name != "" and len(before.predicates) < MAX_PREDICATES:
            found[-1] = _Act(act.name, before.predicates + act.predicates)
        else:
            found.append(act)
    return found


def _group_people(acts: Iterable[_Act]) -> list[list[_Act]]:
    """Join what different people do alike in a row."""
    found: list[list[_Act]] = []
    for act in acts:
        if found and _are_alike(found[-1][-1], act):
            found[-1].append(act)
        else:
            found.append([act])
    return found


def _are_alike(one: _Act, other: _Act) -> bool:
    """Whether two people do the same thing, or have done exactly the same."""
    if one.name == other.name or one.verb != other.verb:
        return False
    if one.verb == "has":
        return one.predicates == other.predicates
    return one.verb in SHARED_VERBS and all(_is_short(act.predicates[0]) for act in (one, other))


def _is_short(predicate: str) -> bool:
    """Whether a predicate is a verb and an object, so that its verb can be left out after another one like it."""
    return "," not in predicate and len(predicate.split()) <= MAX_SHARED_WORDS


def _sentence(acts: Sequence[_Act]) -> str:
    """Return what one person does, or what several do alike, as a sentence."""
    first = acts[0]
    if not first.name:
        return f"{capitalize(first.predicates[0])}."
    if len(acts) == 1:
        return f"{first.name} {_join_predicates(first.predicates)}."
    if first.verb == "has":
        return f"{join_with_and([act.name for act in acts])} have{first.predicates[0].removeprefix('has')}."
    others = [f"{act.name}{act.predicates[0].removeprefix(act.verb)}" for act in acts[1:]]
    return f"{join_with_and([f'{first.name} {first.predicates[0]}', *others])}."


def _join_predicates(predicates: Sequence[str]) -> str:
    """Join what one person does. A comma stands before the last one if one has a comma, or another one an “and”."""
    verbs = [predicate.partition(" ")[0] for predicate in predicates]
    parts = [
        predicate.removeprefix(f"{verb} ") if before == verb in REPEATED_VERBS else predicate
        for predicate, verb, before in zip(predicates, verbs, ["", *verbs], strict=False)
    ]
    if len(parts) > 1 and any(" and " in part or "," in part for part in parts):
        return f"{', '.join(parts[:-1])}, and {parts[-1]}"
    return join_with_and(parts)
