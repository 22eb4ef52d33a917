"""How a match is played: what differs from the published game and from a usual table, in phrases."""

from __future__ import annotations

from typing import Any

from cogs.screens.screen import GameScreen
from cogs.screens.words import join_with_and
from engines.hosting.match import MatchSnapshot
from engines.kit.contract import AnyGame
from engines.kit.options import differing_options
from engines.store.table_options import differing_table_options

AS_PUBLISHED = "by the published rules"


def how_played_text(snapshot: MatchSnapshot, screen: GameScreen, most: int | None = None) -> str:
    """Return how such a match is played: `3 of 20 rounds, hidden bids and no hints`, or that nothing is unusual.

    At most so many differences are named; the others are counted.
    """
    found = differences(snapshot, screen)
    if most is not None and len(found) > most:
        found = [*found[: most - 1], f"{len(found) - most + 1} more"]
    return join_with_and(found) or AS_PUBLISHED


def differences(snapshot: MatchSnapshot, screen: GameScreen) -> list[str]:
    """Return what differs from the published game and the defaults of a table, each in a phrase; often nothing.

    In a lobby that is as the match would be with the players who have joined, but at least the fewest that it needs.
    """
    game = snapshot.game
    own = game_differences(game, screen, snapshot.options, seats_to_play(snapshot))
    return [*own, *differing_table_options(game, snapshot.info.table_options)]


def game_differences(game: AnyGame, screen: GameScreen, options: Any, seats: int) -> list[str]:
    """Return what differs from the published game with so many players. Groups that differ as a whole have one name."""
    names = differing_options(game, options, seats)
    texts, phrases = screen.option_texts(options, seats), screen.option_phrases(options, seats)
    whole = [group for group, every in game.option_groups.items() if {*every} <= {*names}]
    grouped = {name for group in whole for name in game.option_groups[group]}
    single = [phrases.get(name) or f"{name} {texts[name]}" for name in names if name not in grouped]
    return [*single, *(f"all {group.replace('_', ' ')}" for group in whole)]


def seats_to_play(snapshot: MatchSnapshot, options: Any = None) -> int:
    """Return how many would play: all who have joined, but at least the fewest that can start with these options."""
    fewest = snapshot.game.seats_with(snapshot.options if options is None else options)[0]
    return max(fewest, len(snapshot.info.seats))
