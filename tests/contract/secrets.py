"""What is hidden in a match from a reader, as its game's helper names it, and matches to look for it in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from engines.hosting.match import MatchSnapshot
from engines.kit.chance import Chance
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.walk import choose_move
from tests.until_over import until_over

WORD_START = r"(?<!\w)"
OWN_HAND_PATTERN = re.compile(r"\*\*Your hand\*\*")  # what no spectator is ever shown


class PlannedMove(NamedTuple):
    """A move of a match that is to be played, the state before it, and whether everything is looked at then."""

    state: Any
    seat: int
    move: Any
    is_searched: bool


def plan_match(helper: GameHelper, start: MatchStart, positions: int, *, from_deal: bool = False) -> list[PlannedMove]:
    """A random match; looked at where a kind of decision is first open, and at so many moments besides.

    It begins as the helper has it, or as it is `dealt` from the seed.
    """
    rng, game = Random(f"{start.seed} plan"), helper.game
    state = game.start(start.seats, start.options, Chance(start.seed)) if from_deal else helper.start_state(start)
    moments: list[tuple[Any, int, Any]] = []
    first: dict[str, int] = {}
    for decisions in until_over(game, state):
        for decision in decisions.values():
            first.setdefault(decision.kind, len(moments))
        before = helper.game.copy(state)
        seat, move = choose_move(helper, state, rng)
        moments.append((before, seat, move))
        helper.game.play(state, seat, move)
    looked = {*first.values(), *rng.sample(range(len(moments)), min(positions, len(moments)))}
    return [PlannedMove(*each, is_searched=number in looked) for number, each in enumerate(moments)]


class MatchSecrets:
    """The names of what is hidden in a match of which every state before its end is known."""

    def __init__(self, helper: GameHelper, states: Sequence[Any]) -> None:
        self._helper = helper
        self._states = states
        self._secrets_at: dict[tuple[int, int | None], frozenset[str]] = {}

    def find_given_away(self, snapshot: MatchSnapshot, reader: int | None, text: str, own_text: str = "") -> list[str]:
        """What of that which is hidden from a reader a text names; nothing, it should be, but what they asked about."""
        hidden = self._hidden_patterns(snapshot, reader)
        if own_text:
            hidden = tuple(each for each in hidden if re.search(each, own_text) is None)
        found = find_matches(hidden, self._helper.strip_harmless(normalise_spaces(text)))
        return found + (["a hand"] if reader is None and OWN_HAND_PATTERN.search(text) else [])

    def _hidden_patterns(self, snapshot: MatchSnapshot, reader: int | None) -> tuple[str, ...]:
        """What is hidden now and was so all the time that news tell of: what lay open may be shuffled in again."""
        public = (
            match_event.move for match_event in reversed(snapshot.events) if match_event.event.is_visible_to(None)
        )
        first = max(0, (next(public, 0) if reader is None else snapshot.last_move_number(reader)) - 1)
        hidden = frozenset.intersection(
            *(self._secrets_of(number, reader) for number in range(first, snapshot.info.moves + 1))
        )
        visible = (
            self._helper.shown_secrets(match_event.event)
            for match_event in snapshot.events
            if match_event.move > first and match_event.event.is_visible_to(reader)
        )
        return tuple(sorted(hidden.difference(*visible)))

    def _secrets_of(self, moment: int, reader: int | None) -> frozenset[str]:
        if (moment, reader) not in self._secrets_at:
            self._secrets_at[moment, reader] = frozenset(self._helper.secret_patterns(self._states[moment], reader))
        return self._secrets_at[moment, reader]


def normalise_spaces(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def find_matches(patterns: tuple[str, ...], text: str) -> list[str]:
    """Where a text fits one of the patterns, with some of the words around."""
    return list(_find_matches(patterns, text))


@lru_cache(maxsize=1024)  # much is told to several, and again at the next look
def _find_matches(patterns: tuple[str, ...], text: str) -> tuple[str, ...]:
    if _any_pattern(patterns).search(text) is None:
        return ()
    found = [found for each in patterns if (found := re.search(each, text))]
    return tuple(text[max(0, each.start() - 60) : each.end() + 20] for each in found)


@lru_cache(maxsize=256)
def _any_pattern(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """What fits any of them. Those that begin where a word does are tried there alone, all at once."""
    words = [each for each in patterns if each.startswith(WORD_START) and "|" not in _without_brackets(each)]
    others = [each for each in patterns if each not in words]
    if words:
        others.append(f"{WORD_START}(?:{'|'.join(each.removeprefix(WORD_START) for each in words)})")
    return re.compile("|".join(others) or "(?!)")


def _without_brackets(pattern: str) -> str:
    """What of a pattern stands in no brackets."""
    while (left := re.sub(r"\((?:[^()\\]|\\.)*\)", "", pattern)) != pattern:
        pattern = left
    return pattern
