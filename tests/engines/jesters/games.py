"""Games of Jesters between equally sensible players, and what is counted in them (S24).

They are played in parts, so that tests can share them; the figures are on record, and the tests play the games again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, fields
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from engines.jesters import JESTERS
from engines.jesters import events as event_types
from engines.jesters.components import catalogue
from engines.jesters.model import FAVORITE_TARGET, Learn, Options, Pass, Perform, State
from engines.jesters.requirements.evaluation import is_met
from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.engines.jesters.policy import choose_move

SEATS = 4
PART_COUNT = 40
GAMES_PER_PART = 50  # in each
RECORD_FILE = Path(__file__).with_name("games.jsonl")


@dataclass
class Attempts:
    number: int = 0
    dice: int = 0
    at_once: int = 0  # met as they were rolled
    met: int = 0
    bottoms: int = 0  # Jest cards spent for their bottom halves
    rerolls: int = 0  # Jest cards spent for rerolls
    gifts: int = 0

    def __add__(self, other: Attempts) -> Attempts:
        return Attempts(*map(add, astuple(self), astuple(other)))


@dataclass
class Figures:
    games: int = 0
    wins: list[float] = field(default_factory=lambda: [0.0] * SEATS)  # by seat; a shared win in parts
    turns: list[float] = field(default_factory=lambda: [0.0] * SEATS)  # the same from the first player of a game on
    completed: Counter[int] = field(default_factory=Counter)  # seats by how many Performances they completed
    failures: Counter[int] = field(default_factory=Counter)  # seats by failures
    fame: Counter[str] = field(default_factory=Counter)  # by where it comes from
    by_fame: dict[int, Attempts] = field(default_factory=dict)  # attempts, by Fame; 0 are Favorites
    tried: Counter[int] = field(default_factory=Counter)  # attempts, by Performance; Favorites less than 0
    done: Counter[int] = field(default_factory=Counter)  # those of them that succeeded
    by_round: Counter[int] = field(default_factory=Counter)  # attempts
    actions: Counter[str] = field(default_factory=Counter)  # turns, by what is done in them
    cards: Counter[str] = field(default_factory=Counter)  # Jest cards, by what became of them
    owned: Counter[str] = field(default_factory=Counter)  # Gifts at the end, by what they do
    used: Counter[str] = field(default_factory=Counter)  # uses of Gifts

    @property
    def mean_completed(self) -> float:
        return sum(number * seats for number, seats in self.completed.items()) / self.completed.total()


def play_part(part: int) -> Figures:
    figures = Figures()
    for number in range(GAMES_PER_PART * part, GAMES_PER_PART * (part + 1)):
        _play_game(figures, Chance(f"{number:032x}"))
    return figures


def load_figures() -> list[Figures]:
    return [_FIGURES.validate_json(line) for line in RECORD_FILE.read_text(encoding="utf-8").splitlines()]


def record_all() -> None:
    lines = [_FIGURES.dump_json(play_part(part)) for part in range(PART_COUNT)]
    RECORD_FILE.write_bytes(b"".join([line + b"\n" for line in lines]))


def sum_figures(parts: Iterable[Figures]) -> Figures:
    return reduce(_add_figures, parts)


def _add_figures(one: Figures, other: Figures) -> Figures:
    return Figures(*(_add_values(getattr(one, each.name), getattr(other, each.name)) for each in fields(Figures)))


def _add_values(one: Any, other: Any) -> Any:
    """The sum of two numbers, or of two lists or mappings, entry by entry."""
    match one:
        case list():
            return [a + b for a, b in zip(one, other, strict=True)]
        case Counter():
            return Counter({key: one[key] + other[key] for key in {**one, **other}})
        case dict():
            return {key: one.get(key, Attempts()) + other.get(key, Attempts()) for key in sorted({**one, **other})}
    return one + other


def _play_game(figures: Figures, chance: Chance) -> None:
    state = JESTERS.start(SEATS, Options(), chance)
    first = state.first
    while decisions := JESTERS.decisions(state):
        (seat,) = decisions
        move = choose_move(JESTERS.view(state, seat))
        JESTERS.check(state, seat, move)
        if isinstance(move, Learn | Perform | Pass):
            figures.actions[type(move).__name__] += 1
        task = state.favorite, state.target, state.round
        for event in JESTERS.play(state, seat, move):
            _count_event(figures, event, *task)
    _count_end(figures, state, first)


def _count_event(figures: Figures, event: Event, favorite: int, target: int | None, number: int) -> None:
    """Count an event in the attempt at that task, if there is one, of that round."""
    match event:
        case event_types.TechniquesLearned():
            figures.cards["learn"] += 1
        case event_types.AttemptStarted():
            task = catalogue.performance(event.target) if event.target else catalogue.favorite(favorite)
            attempts = _attempts_at(figures, event.target)
            attempts.number += 1
            attempts.dice += len(event.dice)
            attempts.at_once += is_met(task.requirement, [(die.colour, die.face) for die in event.dice])
            figures.tried[event.target or -favorite] += 1
            figures.by_round[number] += 1
        case event_types.TaskCompleted():
            _attempts_at(figures, event.target).met += 1
            figures.done[event.target or -favorite] += 1
        case event_types.CardSpent():
            _attempts_at(figures, target).bottoms += 1
            figures.cards["bottom"] += 1
        case event_types.RerollBought():
            _attempts_at(figures, target).rerolls += 1
            figures.cards["reroll"] += 1
        case event_types.DieTurned() | event_types.TechniqueAdded() | event_types.GiftUsed():
            _attempts_at(figures, target).gifts += 1
            figures.used[effect_word(event.gift)] += 1
        case event_types.FameGained():
            figures.used[effect_word(event.gift)] += 1


def _attempts_at(figures: Figures, target: int | None) -> Attempts:
    return figures.by_fame.setdefault(catalogue.performance(target).fame if target else FAVORITE_TARGET, Attempts())


def effect_word(gift: int) -> str:
    return type(catalogue.gift(gift).effect).__name__


def _count_end(figures: Figures, state: State, first: int) -> None:
    """Count how a game ended that this seat began."""
    outcome, final = JESTERS.outcome(state), state.final
    assert outcome is not None
    assert final is not None
    figures.games += 1
    for seat in outcome.winners:
        figures.wins[seat] += 1 / len(outcome.winners)
        figures.turns[(seat - first) % SEATS] += 1 / len(outcome.winners)
    figures.completed.update(map(len, state.completed))
    figures.failures.update(state.failures)
    figures.cards["left"] += sum(map(len, state.hands))
    figures.owned.update(effect_word(gift) for own in state.gifts for gift in own)
    figures.fame["Performances"] += sum(final.performances)
    figures.fame["majorities"] += sum(sum(place.fame) for place in final.majorities)
    figures.fame["failure track"] += sum(final.track)
    figures.fame["first player card"] += sum(final.first)
    figures.fame["Gifts"] += sum(final.gifts)


_FIGURES = TypeAdapter(Figures)
