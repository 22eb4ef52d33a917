"""What is hidden in a match from whoever reads, as its game's helper names it, and matches to look for it in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from engines.hosting.match import Look
from engines.kit.chance import Chance
from tests.contract.helper import Helper, Start
from tests.contract.walk import choose

BEGINS = r"(?<!\w)"
OWN = re.compile(r"\*\*Your hand\*\*")  # what no spectator is ever shown


class Step(NamedTuple):
    """A move of a match that is to be played, the state before it, and whether everything is looked at then."""

    state: Any
    seat: int
    move: Any
    looked: bool


def planned(helper: Helper, start: Start, positions: int, *, dealt: bool = False) -> list[Step]:
    """A random match; looked at where a kind of decision is first open, and at so many moments besides.

    It begins as the helper has it, or as it is `dealt` from the seed.
    """
    rng, game = Random(f"{start.seed} plan"), helper.game
    state = game.start(start.seats, start.options, Chance(start.seed)) if dealt else helper.begin(start)
    made: list[tuple[Any, int, Any]] = []
    first: dict[str, int] = {}
    while decisions := helper.game.decisions(state):
        for decision in decisions.values():
            first.setdefault(decision.kind, len(made))
        before = helper.game.copy(state)
        seat, move = choose(helper, state, rng)
        made.append((before, seat, move))
        helper.game.play(state, seat, move)
    looked = {*first.values(), *rng.sample(range(len(made)), min(positions, len(made)))}
    return [Step(*each, looked=number in looked) for number, each in enumerate(made)]


class Secrets:
    """The names of what is hidden in a match of which every state before its end is known."""

    def __init__(self, helper: Helper, states: Sequence[Any]) -> None:
        self._helper = helper
        self._states = states
        self._known: dict[tuple[int, int | None], frozenset[str]] = {}

    def given_away(self, look: Look, reader: int | None, text: str, asked: str = "") -> list[str]:
        """What of that which is hidden from a reader a text names; nothing, it should be, but what they asked about."""
        hidden = self._hidden(look, reader)
        if asked:
            hidden = tuple(each for each in hidden if re.search(each, asked) is None)
        found = named(hidden, self._helper.harmless(plainly(text)))
        return found + (["a hand"] if reader is None and OWN.search(text) else [])

    def _hidden(self, look: Look, reader: int | None) -> tuple[str, ...]:
        """What is hidden now and was so all the time that news tell of: what lay open may be shuffled in again."""
        public = (told.move for told in reversed(look.told) if told.event.seen_by(None))
        first = max(0, (next(public, 0) if reader is None else look.last_move(reader)) - 1)
        hidden = frozenset.intersection(*(self._at(number, reader) for number in range(first, look.info.moves + 1)))
        shown = (
            self._helper.shows(told.event) for told in look.told if told.move > first and told.event.seen_by(reader)
        )
        return tuple(sorted(hidden.difference(*shown)))

    def _at(self, moment: int, reader: int | None) -> frozenset[str]:
        if (moment, reader) not in self._known:
            self._known[moment, reader] = frozenset(self._helper.secrets(self._states[moment], reader))
        return self._known[moment, reader]


def plainly(text: str) -> str:
    """A text with all its spaces alike."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def named(patterns: tuple[str, ...], text: str) -> list[str]:
    """Where a text fits one of the patterns, with some of the words around."""
    return list(_named(patterns, text))


@lru_cache(maxsize=1024)  # much is told to several, and again at the next look
def _named(patterns: tuple[str, ...], text: str) -> tuple[str, ...]:
    if _any(patterns).search(text) is None:
        return ()
    found = [found for each in patterns if (found := re.search(each, text))]
    return tuple(text[max(0, each.start() - 60) : each.end() + 20] for each in found)


@lru_cache(maxsize=256)
def _any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """What fits any of them. Those that begin where a word does are tried there alone, all at once."""
    words = [each for each in patterns if each.startswith(BEGINS) and "|" not in _outside(each)]
    others = [each for each in patterns if each not in words]
    if words:
        others.append(f"{BEGINS}(?:{'|'.join(each.removeprefix(BEGINS) for each in words)})")
    return re.compile("|".join(others) or "(?!)")


def _outside(pattern: str) -> str:
    """What of a pattern stands in no brackets."""
    while (left := re.sub(r"\((?:[^()\\]|\\.)*\)", "", pattern)) != pattern:
        pattern = left
    return pattern
