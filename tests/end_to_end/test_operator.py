"""What the owner sets for people to see: contact and web pages, and other names for commands."""

from __future__ import annotations

import re
from functools import partial

import pytest

from cogs.table.channels.bot_settings import BotSettings
from cogs.table.wording.command_names import CommandNames
from cogs.table.wording.operator_info import OperatorInfo
from engines.store.owner_storage import Block
from tests.end_to_end import simulated_server
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.games import GAMES
from tests.messages import client_text

OPERATOR = OperatorInfo(
    "ada@example.org",
    "https://e.example/help",
    "https://e.example/terms",
    "https://e.example/privacy",
    "https://e.example/src",
)
RENAMED = "wizard=oracle, jest=jests, motley=cards, admin=house"
GONE = re.compile(r"(?<!\w)/(wizard|jest|motley|admin)\b(?!-)")


@pytest.fixture
async def named(server: SimulatedServer, monkeypatch: pytest.MonkeyPatch) -> SimulatedServer:
    """The bot, restarted by an owner who has set everything."""
    names = CommandNames.parse(RENAMED, GAMES)
    monkeypatch.setattr(simulated_server, "BotSettings", partial(BotSettings, operator=OPERATOR, command_names=names))
    await server.restart()
    return server


async def test_people_are_told_whom_to_ask_and_where_to_read(named: SimulatedServer) -> None:
    about = reply_text(await named["Ada"].slash(named.table, "cards about"))
    assert "Contact: ada@example.org" in about
    for label, address in (("Support", "help"), ("Terms", "terms"), ("Privacy", "privacy"), ("Source", "src")):
        assert f"[{label}](https://e.example/{address})" in about
    privacy = reply_text(await named["Ada"].slash(named.table, "cards privacy"))
    assert "[The whole privacy notice](https://e.example/privacy) · Contact: ada@example.org" in privacy
    await named["Ada"].slash(named.table, "cards help")
    answer = await named.forge_click("Ada", named.newest_private("Ada"), "i:pick", ["help"])
    assert "-# Contact: ada@example.org · [Support](https://e.example/help)" in reply_text(answer)
    await named.bot.owner_requests.put_block(Block(0, named["Bela"].id))
    refused = reply_text(await named["Bela"].slash(named.table, "cards help"))
    assert refused.endswith("You can reach them here: ada@example.org")


async def test_nothing_is_said_of_what_is_not_set(server: SimulatedServer) -> None:
    for command in ("about", "privacy"):
        reply = reply_text(await server["Ada"].slash(server.table, f"motley {command}"))
        assert "Contact" not in reply
        assert "](" not in reply


async def test_commands_have_their_new_names_and_all_texts_follow(named: SimulatedServer) -> None:
    await named["Ada"].slash(named.table, "oracle new")
    (info,) = await named.bot.matches.lookup.find()
    assert f"{info.game}=oracle" in RENAMED
    for name, command in (
        ("Ada", "cards privacy"),
        ("Ada", "cards forget-me"),
        ("Ada", "cards help"),
        ("Ada", "cards matches"),
        ("Ada", "cards server"),
        ("Greta", "oracle hand"),
        ("Greta", "jests hand"),
    ):
        await named[name].slash(named.table, command)
    refused = await named.forge_click("Ada", named.public_messages(named.table)[-1], "nonsense")
    assert "Use `/cards matches`" in reply_text(refused)
    await named.forge_click("Ada", named.public_messages(named.table)[-1], "i:pick", ["help"])
    texts = [client_text(seen_message.message) for seen_message in named.seen_messages]
    assert any("/cards matches" in text for text in texts)
    assert any("/oracle new" in text for text in texts)
    assert not [text for text in texts if GONE.search(text)]
