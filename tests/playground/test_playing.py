"""A discord.py bot and people on the real server."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from typing import Any

import pytest
import pytest_asyncio

from playground.page.client import Player, PlaygroundClient, RequestRejected
from playground.page.visible_message import SeenMessage
from playground.world import ids
from playground.world.messages import walk_components
from tests.playground.discord_rest import COMMANDS_PATH, RestClient
from tests.playground.jester_bot import JesterBot
from tests.playground.manual_clock import ManualClock


@pytest_asyncio.fixture
async def ada(visitor: PlaygroundClient) -> Player:
    return visitor.player("Ada")


@pytest_asyncio.fixture
async def table(ada: Player) -> SeenMessage:
    return (await ada.run_command("plain new", rounds=1)).reply


async def test_a_command_with_options_is_offered_and_answered(bot: JesterBot, ada: Player) -> None:
    assert await ada.autocomplete("plain new", "mood", "g", rounds=1) == [{"name": "grim", "value": "grim"}]
    outcome = await ada.run_command("plain new", "games", rounds=3, mood="grim")
    assert bot.heard == ["new 3 grim"]
    assert (outcome.responded, outcome.response_type) == (True, 4)
    assert outcome.reply.text == "# The table\nCounted 0."
    assert outcome.reply.data["interaction_metadata"]["user"]["global_name"] == "Ada"


async def test_a_button_edits_its_message_for_everybody(visitor: PlaygroundClient, table: SeenMessage) -> None:
    ada, bela = visitor.player("Ada"), visitor.player("Bela")
    await bela.click(table, "Count 0")
    assert (await ada.wait_message_change(table)).text == "# The table\nCounted 1."
    with pytest.raises(RequestRejected, match="no longer has that control"):
        await ada.click(table, "Count 0")


async def test_a_select_is_deferred_and_followed_up(visitor: PlaygroundClient, table: SeenMessage) -> None:
    bela = visitor.player("Bela")
    assert table.selects[0].values == ["red", "blue"]
    chosen = await bela.select(table, "pick", "blue")
    assert chosen.response_type == 6
    assert (await bela.wait_message("games", lambda message: message.is_ephemeral)).text == "You took blue."
    with pytest.raises(RequestRejected, match="not among"):
        await bela.select(table, "pick", "green")
    assert (await bela.forge_click(table, "pick", "green")).responded


async def test_a_select_of_channels_offers_those_of_its_types_and_tells_which(ada: Player, table: SeenMessage) -> None:
    (rooms,) = [each for each in walk_components(table.data["components"]) if each.get("custom_id") == "rooms"]
    assert rooms["default_values"] == [{"id": str(ids.GAMES_CHANNEL), "type": "channel"}], "ids are told as text"
    chosen = await ada.select(table, "rooms", str(ids.LOUNGE_CHANNEL), str(ids.GAMES_CHANNEL))
    assert chosen.reply.text == "You took lounge text, games text."
    for wrong in (ids.NEWS_CHANNEL, ids.BELA, ids.ADMIN_ROLE, 1):
        with pytest.raises(RequestRejected, match="not among"):
            await ada.select(table, "rooms", str(wrong))
    assert (await ada.select(table, "rooms")).reply.text == "You took ."


async def test_ephemeral_messages_are_for_one(visitor: PlaygroundClient, table: SeenMessage) -> None:
    ada, bela = visitor.player("Ada"), visitor.player("Bela")
    secret = (await ada.click(table, "Secret")).reply
    assert secret.is_ephemeral
    await ada.wait_message("games", lambda message: message.text == "This too.")
    assert [m.text for m in ada.visible_messages()][1:] == ["Only you see this.", "This too."]
    assert [m.text for m in bela.visible_messages()][1:] == []
    thinking = await ada.click(table, "Think")
    assert thinking.response_type == 5
    assert (await ada.wait_reply(thinking)).text == "Thought."


async def test_a_form_is_filled(visitor: PlaygroundClient, bot: JesterBot, ada: Player, table: SeenMessage) -> None:
    form = await ada.click(table, "Form")
    assert form.response_type == 9
    with pytest.raises(RequestRejected, match="no such form"):
        await visitor.player("Bela").submit_form(form, word="mine", which=["One"])
    for word, sentence in (("x" * 21, "0 to 20 characters"), ("", "required")):
        with pytest.raises(RequestRejected, match=sentence):
            await ada.submit_form(form, word=word, which=["Two"])
    outcome = await ada.submit_form(form, word="hello", which=["Two"])
    assert outcome.reply.text == "Noted."
    assert "'value': 'hello'" in bot.heard[-1]
    assert "'values': ['Two']" in bot.heard[-1]


async def test_a_direct_message_reaches_people_whose_direct_messages_are_open(visitor: PlaygroundClient) -> None:
    ada, emil = visitor.player("Ada"), visitor.player("Emil")
    assert (await ada.wait_reply(await ada.run_command("plain letter"))).text == "sent One dark pixel"
    letter = ada.newest_message("dm")
    assert letter is not None
    assert letter.alt_texts == ["One dark pixel"]
    assert (await visitor.fetch_file(letter.attachments[0]["url"])).startswith(b"\x89PNG")
    assert (await emil.wait_reply(await emil.run_command("plain letter"))).text == "closed 50007"
    await emil.act("dms", closed=False)
    assert (await emil.wait_reply(await emil.run_command("plain letter"))).text == "sent One dark pixel"


async def test_commands_work_in_direct_messages(ada: Player) -> None:
    await ada.wait_reply(await ada.run_command("plain letter"))
    await ada.run_command("plain new", "dm", rounds=1)
    table = await ada.wait_message("dm", lambda message: "Counted 0" in message.text)
    assert "Counted 1" in (await ada.click(table, "Count 0")).reply.text


async def test_a_command_can_be_used_where_it_says_alone(rest: RestClient, ada: Player) -> None:
    await ada.wait_reply(await ada.run_command("plain letter"))
    own = COMMANDS_PATH.replace("/commands", f"/guilds/{ids.GUILD}/commands")
    declared: list[tuple[str, str, dict[str, Any], set[str]]] = [
        ("anywhere", COMMANDS_PATH, {"contexts": None, "integration_types": None}, {"games", "dm"}),
        ("server", COMMANDS_PATH, {"contexts": [0]}, {"games"}),
        ("direct", COMMANDS_PATH, {"contexts": [1], "integration_types": [0]}, {"dm"}),
        ("others", COMMANDS_PATH, {"contexts": [2], "integration_types": [0, 1]}, set()),
        ("persons", COMMANDS_PATH, {"contexts": [0, 1, 2], "integration_types": [1]}, set()),
        ("guilds", own, {}, {"games"}),
    ]
    for name, scope, fields, _ in declared:
        assert (await rest.send_request("POST", scope, {"name": name, "description": "Tries", **fields})).status == 201
    for name, _, _, places in declared:
        for place in ("games", "dm"):
            allowed = place in places
            with nullcontext() if allowed else pytest.raises(RequestRejected, match=f"/{name} cannot be used here"):
                await ada.act("command", channel_id=ada.channel_id(place), name=name, options=[])


async def test_a_thread_is_started_written_to_and_archived(visitor: PlaygroundClient, ada: Player) -> None:
    reply = await ada.wait_reply(await ada.run_command("plain thread", "games", name="Match one"))
    thread = visitor.channels[reply.text.removeprefix("thread ")]
    assert thread["thread_metadata"]["archived"]
    assert [m.text for m in ada.visible_messages("Match one")] == ["Welcome."]
    outcome = await ada.wait_reply(await ada.run_command("plain thread", "no-bots", name="x"))
    assert outcome.text == "no thread 50013"
    await ada.send_message("We go on", str(thread["id"]))
    assert not visitor.channels[thread["id"]]["thread_metadata"]["archived"]
    await ada.act("archive", channel_id=thread["id"])
    await visitor.wait_until(lambda: visitor.channels[thread["id"]]["thread_metadata"]["archived"], "its end")


async def test_silence_fails_late(bot: JesterBot, clock: ManualClock, ada: Player, table: SeenMessage) -> None:
    silence = asyncio.create_task(bot.wait_for("interaction", timeout=60))
    clicking = asyncio.create_task(ada.click(table, "Silence"))
    await silence
    clock.advance(3)
    outcome = await clicking
    assert not outcome.responded


async def test_options_are_checked_as_discord_checks_them(visitor: PlaygroundClient) -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = ({}, "'rounds' is required"), ({"rounds": "three"}, "be 'three'")
    for options, sentence in wrong:
        with pytest.raises(RequestRejected, match=sentence):
            await visitor.player("Bela").run_command("plain new", "games", **options)


async def test_the_bot_resumes_or_identifies_again(visitor: PlaygroundClient, bot: JesterBot, ada: Player) -> None:
    table = (await ada.run_command("plain new", rounds=1)).reply
    await visitor.cause_fault("drop_gateway")
    await visitor.wait_until(lambda: visitor.bot_status == "offline", "the bot's fall")
    clicked = await ada.click(table, "Count 0")
    assert clicked.responded
    assert bot.resumed.is_set()
    before = len([e for e in await visitor.fetch_request_log() if e["method"] == "READY"])
    await visitor.cause_fault("invalidate_session")
    await visitor.wait_until(lambda: visitor.bot_status == "offline", "the bot's fall")
    await visitor.wait_bot_ready()
    assert len([e for e in await visitor.fetch_request_log() if e["method"] == "READY"]) == before + 1


async def test_rate_limits_and_broken_servers_on_demand_only_delay(visitor: PlaygroundClient, ada: Player) -> None:
    await visitor.cause_fault("rate_limit", count=1)
    await ada.run_command("plain new", rounds=1)
    assert [e["status"] for e in await visitor.fetch_request_log() if e["direction"] == "bot→server"][-2:] == [429, 200]
    assert visitor.faults == {}
    await visitor.cause_fault("server_errors", count=1, status=502, path="callback$")
    assert (await ada.run_command("plain new", rounds=1)).responded
    statuses = [e["status"] for e in await visitor.fetch_request_log() if e["path"].endswith("callback")]
    assert statuses == [429, 200, 502, 200]
    await visitor.cause_fault("slow", ms=50)
    await visitor.cause_fault("clear")


async def test_people_talk_leave_and_return(visitor: PlaygroundClient, rest: RestClient) -> None:
    bela = visitor.player("Bela")
    await bela.send_message("Good evening", "lounge")
    assert [m.text for m in bela.visible_messages("lounge")] == ["Good evening"]
    await bela.act("leave_guild")
    with pytest.raises(RequestRejected, match="does not see"):
        await bela.send_message("Hello?", "lounge")
    answer = await rest.send_request("GET", f"/guilds/{ids.GUILD}/members/{ids.BELA}")
    assert answer.status_and_code == (404, 10007)
    await bela.act("join_guild")
    await bela.send_message("I am back", "lounge")


async def test_admins_delete_what_others_may_not(visitor: PlaygroundClient, bot: JesterBot, table: SeenMessage) -> None:
    ada, bela = visitor.player("Ada"), visitor.player("Bela")
    with pytest.raises(RequestRejected, match="may not"):
        await bela.act("delete_message", channel_id=table.channel_id, message_id=table.id)
    await ada.act("delete_message", channel_id=table.channel_id, message_id=table.id)
    await ada.wait_message_deleted(table)
    await ada.act("delete_channel", channel_id=ada.channel_id("lounge"))
    await visitor.wait_until(lambda: bot.get_channel(ids.LOUNGE_CHANNEL) is None, "the channel's end")


async def test_the_bot_is_put_out_and_let_in(bot: JesterBot, ada: Player) -> None:
    await bot.wait_until_ready()
    removal = asyncio.create_task(bot.wait_for("guild_remove", timeout=60))
    await ada.act("remove_bot")
    assert (await removal).id == ids.GUILD
    with pytest.raises(RequestRejected, match="not on this server"):
        await ada.run_command("plain new", "games", rounds=1)
    arrival = asyncio.create_task(bot.wait_for("guild_join", timeout=60))
    await ada.act("add_bot")
    assert (await arrival).id == ids.GUILD
    assert (await ada.run_command("plain new", "games", rounds=1)).responded
