"""Where commands can be used: declared where Discord honours it, refused with a sentence where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.end_to_end.world import SimulatedServer, reply_text
from tests.games import GAMES

SERVER, DIRECT = 0, 1  # contexts, and of installations 0 as well
DECLARATIONS = {"allowed_contexts": None, "allowed_installs": None, "guild_only": False, "default_permissions": None}


def registered_commands(w: SimulatedServer) -> dict[str, dict[str, Any]]:
    """The commands as they were sent to Discord, by name."""
    (request,) = [each for each in w.env.http_requests if each.method == "PUT" and each.path.endswith("/commands")]
    sent: list[dict[str, Any]] = request.json or []
    return {command["name"]: command for command in sent}


async def test_every_command_says_that_it_is_for_servers_and_where_it_can_be_used(inn: SimulatedServer) -> None:
    commands = registered_commands(inn)
    assert set(commands) == {*GAMES, "motley", "admin"}
    for name, command in commands.items():
        assert command["integration_types"] == [SERVER], name
        assert command["contexts"] == ([SERVER] if name == "admin" else [SERVER, DIRECT]), name


async def test_no_subcommand_declares_what_discord_ignores_there(inn: SimulatedServer) -> None:
    subcommands = [each for each in inn.bot.tree.walk_commands() if each.parent is not None]
    assert len(subcommands) > 50
    declared = [
        (each.qualified_name, field)
        for each in subcommands
        for field, none in DECLARATIONS.items()
        if getattr(each, field, none) != none
    ]
    assert declared == []


@pytest.mark.parametrize("command", [*(f"{key} new" for key in GAMES), "motley check"])
async def test_what_needs_a_server_is_refused_in_direct_messages_with_a_sentence(
    inn: SimulatedServer, command: str
) -> None:
    assert command in inn["Ada"].user.available_commands()  # Discord knows contexts of whole groups only
    answer = await inn["Ada"].user.slash(command)
    assert "server" in reply_text(answer)
    assert await inn.bot.matches.find() == []


async def test_nothing_of_admin_is_offered_in_direct_messages(inn: SimulatedServer) -> None:
    assert not [command for command in inn["Ada"].user.available_commands() if command.startswith("admin")]


@pytest.mark.parametrize("command", ["matches", "show", "reset"])
async def test_what_admins_do_is_refused_in_direct_messages_all_the_same(inn: SimulatedServer, command: str) -> None:
    answer = await inn.forge_command("Ada", inn["Ada"].user.dm_channel, f"admin {command}", match="x")
    assert len(reply_text(answer)) > 10
    assert "went wrong" not in reply_text(answer)
