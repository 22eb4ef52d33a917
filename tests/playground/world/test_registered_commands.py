"""The commands that a bot has registered, by the guild in which somebody looks for them."""

from __future__ import annotations

import pytest

from playground.world import ids
from playground.world.errors import ApiRefusal
from playground.world.registered_commands import CommandRegistry
from playground.world.starting_guilds import create_starting_world
from playground.world.world import Guild
from tests.playground.manual_clock import ManualClock

LATER = 77


def test_a_guild_that_comes_later_has_commands_as_well() -> None:
    world = create_starting_world(ManualClock(), 1, "Bot")
    registry = CommandRegistry(world)
    registry.replace_commands(None, [{"name": "play"}])
    with pytest.raises(ApiRefusal):
        registry.replace_commands(LATER, [{"name": "own"}])
    world.guilds[LATER] = Guild(LATER, "Later", ids.ADA, 0, 0)
    assert [command["name"] for command in registry.visible_commands(LATER)] == ["play"]
    registry.replace_commands(LATER, [{"name": "own"}])
    assert [command["name"] for command in registry.visible_commands(LATER)] == ["play", "own"]
    assert [command["name"] for command in registry.visible_commands(ids.GUILD)] == ["play"]
