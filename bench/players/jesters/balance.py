"""Shows how balanced Jesters is among equal players: who wins, by turn order and by first Gift, and what is performed.

`python -m bench.players.jesters.balance --seats 4 --matches 200 --first 60001` plays matches of *hard* alone and prints
shares with 95% intervals. The fair share of wins is one divided by the seats; a shared win counts in parts.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean, pvariance
from typing import NamedTuple

from engines.jesters import JESTERS, effects, turn
from engines.jesters.components import catalogue
from engines.jesters.events import AttemptFailed, TaskCompleted
from engines.jesters.model import FAVORITE_TARGET, PERFORMANCES, ROUNDS, Pass
from engines.jesters.rounds import HAND_SIZE
from engines.kit.chance import Chance
from players.jesters import learned
from players.jesters.seat_knowledge import knowledge_from_state

PROGRESS = 25  # matches


class Attempt(NamedTuple):
    """An attempt: its target, the number of rolled dice, and whether it succeeded."""

    target: int
    dice: int
    is_success: bool


class MatchFacts(NamedTuple):
    """A match: in turn order the shares of the win and the first Gifts; all attempts; the cards kept by who passes.

    `kept` has the round and the number of Jest cards in hand of each pass.
    """

    shares: Sequence[float]
    gifts: Sequence[int]
    attempts: Sequence[Attempt]
    kept: Sequence[tuple[int, int]]
    fame: float  # mean of the seats


def play_match(seats: int, seed: int) -> MatchFacts:
    """Play a match of *hard* alone."""
    state = JESTERS.start(seats, JESTERS.options(), Chance(f"{seed:032x}"))
    order = [(state.first + step) % seats for step in range(seats)]
    gifts, attempts, hand_sizes = [state.gifts[seat][0] for seat in order], list[Attempt](), list[tuple[int, int]]()
    while state.final is None:
        seat = state.turn
        move = learned.choose_move(knowledge_from_state(state, seat))
        if isinstance(move, Pass):
            hand_sizes.append((state.round, len(state.hands[seat])))
        for event in turn.play(state, seat, move):
            match event:
                case TaskCompleted() | AttemptFailed():
                    attempts.append(Attempt(event.target, len(event.dice), isinstance(event, TaskCompleted)))
    outcome = JESTERS.outcome(state)
    assert outcome is not None
    shares = [(seat in outcome.winners) / len(outcome.winners) for seat in order]
    return MatchFacts(shares, gifts, attempts, hand_sizes, fmean(outcome.points))


def format_share(shares: Sequence[float]) -> str:
    """Return the mean in per cent with its 95% interval."""
    mean, half = fmean(shares), 1.96 * sqrt(pvariance(shares) / len(shares))
    return f"{100 * mean:.1f}% ({100 * (mean - half):.1f} to {100 * (mean + half):.1f}), {len(shares)} times"


def gift_kind(gift: int) -> str:
    """Return what a Gift does, without its colour or symbol."""
    return type(effects.gift_effect(gift)).__name__


def requirement_kind(target: int) -> str:
    """Return the form of a Performance's requirement, and how many coloured dice it asks for."""
    requirement = catalogue.performance(target).requirement
    return f"{type(requirement.form).__name__}, {sum(requirement.colours)} coloured"


def print_balance(found: Sequence[MatchFacts]) -> None:
    """Print the tables."""
    for place in range(len(found[0].shares)):
        print(f"turn {place + 1}: {format_share([match.shares[place] for match in found])}")
    by_kind, by_gift = defaultdict[str, list[float]](list), defaultdict[int, list[float]](list)
    for match in found:
        for gift, share in zip(match.gifts, match.shares, strict=True):
            by_kind[gift_kind(gift)].append(share)
            by_gift[gift].append(share)
    for kind, shares in sorted(by_kind.items()):
        print(f"first Gift {kind}: {format_share(shares)}")
    fair = 1 / len(found[0].shares)
    off = sum((fmean(shares) - fair) ** 2 / (fair * (1 - fair) / len(shares)) for shares in by_gift.values())
    print(f"single Gifts: {off:.1f} off the fair share in chi-square, {len(by_gift)} if only by chance")
    attempts = [attempt for match in found for attempt in match.attempts]
    _print_attempts(attempts, len(found) * len(found[0].shares))

    for number in range(1, ROUNDS + 1):
        cards = [size for match in found for when, size in match.kept if when == number]
        print(f"round {number}: passes with {HAND_SIZE} cards or more {format_share([c >= HAND_SIZE for c in cards])}")
    print(f"Fame a seat: {fmean([match.fame for match in found]):.1f}")


def _print_attempts(attempts: Iterable[Attempt], seats: int) -> None:
    """Print how often Performances of each kind are attempted, against their number in the box."""
    favorites = [attempt for attempt in attempts if attempt.target == FAVORITE_TARGET]
    others = [attempt for attempt in attempts if attempt.target != FAVORITE_TARGET]
    for name, some in (("Favorites", favorites), ("Performances", others)):
        successes = fmean([attempt.is_success for attempt in some])
        print(f"{name}: {len(some) / seats:.2f} attempts a seat, {100 * successes:.0f}% succeed")
    for number in sorted({attempt.dice for attempt in others}):
        print(f"rolled with {number} dice: {format_share([attempt.dice == number for attempt in others])}")
    coloured = {target: sum(catalogue.performance(target).requirement.colours) for target in PERFORMANCES}
    for number in sorted({*coloured.values()}):
        chosen = [coloured[attempt.target] == number for attempt in others]
        count = [*coloured.values()].count(number)
        print(f"{number} coloured dice: {count} of {len(coloured)} Performances, {format_share(chosen)}")
    kinds = [requirement_kind(target) for target in PERFORMANCES]
    for kind in sorted({*kinds}):
        chosen = [requirement_kind(attempt.target) == kind for attempt in others]
        print(f"{kind}: {kinds.count(kind)} of {len(kinds)} Performances, {format_share(chosen)}")


def main() -> None:
    """Run the command line (see the module)."""
    parser = argparse.ArgumentParser(prog="python -m bench.players.jesters.balance", description="Show the balance.")
    parser.add_argument("--seats", type=int, choices=JESTERS.seats, required=True)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--first", type=int, default=60001, help="the seed of the first match")
    arguments = parser.parse_args()
    found: list[MatchFacts] = []
    for seed in range(arguments.first, arguments.first + arguments.matches):
        found.append(play_match(arguments.seats, seed))
        if len(found) % PROGRESS == 0 or len(found) == arguments.matches:
            print(f"--- {len(found)} matches", flush=True)
            print_balance(found)


if __name__ == "__main__":
    main()
