"""What no match can be started with is refused in a sentence, however the options came about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from typing import Any

import pytest
from pydantic import ValidationError

from engines.jest import JEST
from engines.jest.model import Options as JestOptions
from engines.jokers import JOKERS
from engines.jokers.model import Options as JokersOptions
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.wizard import WIZARD
from engines.wizard.model import Options as WizardOptions
from tests.games import GAMES

SEED = "57a7" * 8
ODD = (-1, 0, 1, 10**6, "many", "")

games = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def start_refused(game: AnyGame, seats: int, options: Any) -> str:
    """What is said; nothing is drawn."""
    chance = Chance(SEED)
    with pytest.raises(ValueError, match=r"^[A-Z].*\.$") as refusal:
        game.start(seats, options, chance)
    assert not isinstance(refusal.value, ValidationError), "no sentence"
    assert chance.count == 0
    return str(refusal.value)


def odd_options(game: AnyGame) -> Iterator[Any]:
    """Options built in code that the game's settings do not take."""
    plain = game.options()
    for field in fields(plain):
        for value in ODD:
            options = replace(plain, **{field.name: value})
            try:
                game.options_adapter.validate_python(asdict(options))
            except ValidationError:
                yield options


@games
def test_options_that_the_settings_do_not_take_are_refused_at_the_start(game: AnyGame) -> None:
    found = list(odd_options(game))
    assert bool(found) == bool(fields(game.options))
    for options in found:
        assert start_refused(game, game.seats[0], options).startswith(f"You cannot play {game.title} like that. ")


@games
def test_a_start_for_too_few_or_too_many_is_refused(game: AnyGame) -> None:
    for seats in (0, game.seats[0] - 1, game.seats[-1] + 1):
        assert start_refused(game, seats, game.options()).startswith(f"{game.title} is for {game.seats[0]}")


@games
def test_options_of_another_game_are_refused(game: AnyGame) -> None:
    for other in GAMES.values():
        if other is not game:
            assert start_refused(game, game.seats[0], other.options()) == f"These options are not for {game.title}."


def test_the_message_names_the_option_and_its_fault() -> None:
    assert "rounds" in start_refused(WIZARD, 4, WizardOptions(rounds=21))
    assert "rounds" in start_refused(JOKERS, 2, JokersOptions(rounds=13))
    assert start_refused(JOKERS, 3, JokersOptions()) == "Jokers is for 2 players."
    assert start_refused(JEST, 5, JestOptions()) == "Jest is for 3 or 4 players."


def test_a_number_in_another_shape_is_the_number() -> None:
    """So that it is stored and read back as what it was."""
    state = JOKERS.start(2, JokersOptions(rounds="3"), Chance(SEED))  # type: ignore[arg-type]
    assert (type(state.rounds), state.rounds) == (int, 3)


@pytest.mark.parametrize(
    ("key", "fewest", "most"), [("wizard", 3, 6), ("jest", 3, 4), ("jokers", 2, 2), ("court", 2, 4), ("jesters", 2, 4)]
)
def test_a_game_is_for_as_many_as_its_box_says(key: str, fewest: int, most: int) -> None:
    assert [*GAMES[key].seats] == [*range(fewest, most + 1)]
