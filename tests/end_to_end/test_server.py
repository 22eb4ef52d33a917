"""`/motley server`: who may, what is kept, where tables may be opened, and what is said where they may not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cogs.table.pages import custom_ids, options_pages
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import CLOCK_SECONDS
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.end_to_end.test_calls import DAY, MINUTE, count_hand_calls, request_count, start_untimed, thread_mentions
from tests.games import GAMES
from tests.messages import SELECT, Message, button_labels, message_text, walk_components

HOUR = 60 * 60
CHANNELS = 8


async def stored_settings(w: SimulatedServer) -> ServerSettings:
    return await w.bot.matches.lobbies.server_settings(w.guild.id)


async def open_menu(w: SimulatedServer, name: str = "Ada") -> Message:
    answer = await w[name].slash(w.table, "motley server")
    assert answer.ephemeral
    return w.newest_private(name)


async def pick_channels(w: SimulatedServer, *channels: Any) -> Message:
    """Choose in which channels tables may be opened; the menu then."""
    await w["Ada"].select(await open_menu(w), list(channels), custom_id="h:channels")
    return w.newest_private()


async def set_settings(w: SimulatedServer, **settings: Any) -> None:
    await w.bot.matches.lobbies.change_server_settings(w.guild.id, lambda old: replace(old, **settings))
    await w.env.settle()


async def test_somebody_who_may_not_manage_the_server_sees_and_changes_nothing(server: SimulatedServer) -> None:
    channel, people = server.add_guild("The Other Inn", "Emil", "Ada")
    other = {guild.id for guild in server.bot.guilds} - {server.guild.id}
    match = await server.seat_and_start()
    for answer in (
        await server["Bela"].slash(server.table, "motley server"),
        await server.forge_click("Bela", await server.find_table(match), "h:calls=off"),
        await server.forge_click("Bela", await server.find_table(match), "h:channels", [str(server.table.id)]),
        await server.forge_click("Ada", server.find_hand("Ada", match), "h:calls=off"),  # direct messages are no server
        await server["Ada"].user.slash("motley server"),
        await people["Ada"].slash(channel, "motley server"),
    ):
        assert "Manage Server" in reply_text(answer) or "in a server that you manage" in reply_text(answer)
        assert answer.ephemeral
        assert "Server settings" not in reply_text(answer)
    server.make_manager("Bela")
    await server.press_button("Bela", await open_menu(server, "Bela"), "Do not allow computers")
    server.take_roles("Bela")
    refused = await server.press_button("Bela", server.newest_private("Bela"), "Allow computers")
    assert "Manage Server" in reply_text(refused), "the right is asked for with every click"
    assert await stored_settings(server) == ServerSettings(computers=False)
    assert {await server.bot.matches.lobbies.server_settings(guild) for guild in other} == {DEFAULT_SERVER_SETTINGS}


OFFERED: list[tuple[str, str, Any]] = [
    *((name, "off", False) for name in ("threads", "calls", "computers")),
    *(("clock", each, each) for each in CLOCK_SECONDS if each != "24 hours"),
    *(("clock", "none", None), ("own_lobbies", "2", 2)),
    *(("lobbies", "10", 10), ("own_tables", "1", 1), ("tables", "100", 100)),
]
AS_BEFORE = {"off": "on", **dict.fromkeys(("none", *CLOCK_SECONDS), "24 hours")}


async def test_every_setting_is_offered_chosen_and_taken_back(server: SimulatedServer) -> None:
    await open_menu(server)
    for name, value, wanted in OFFERED:
        before = AS_BEFORE.get(value, "most")
        for choice, then in ((value, ServerSettings(**{name: wanted})), (before, DEFAULT_SERVER_SETTINGS)):
            if choice in ("on", "off"):
                await server.press_button("Ada", server.newest_private(), f"h:{name}={choice}")
            else:
                await server.choose_options("Ada", server.newest_private(), f"h:{name}", choice)
                components = walk_components(server.newest_private()["components"])
                (menu,) = [c for c in components if c.get("custom_id") == f"h:{name}"]
                assert [line["value"] for line in menu["options"] if line.get("default")] == [choice]
            assert await stored_settings(server) == then


async def test_a_setting_that_is_not_offered_changes_nothing(server: SimulatedServer) -> None:
    channel, _ = server.add_guild("The Other Inn", "Emil")
    menu, match = await open_menu(server), await server.seat_and_start()
    table_id, channel_id, thread = str(server.table.id), str(channel.id), str(server.thread.id)
    channels = (["everywhere", "x"], ["²"], ["4611686018427387000"], ["9" * 4000], [table_id, channel_id], [thread])
    forged: list[tuple[str, list[str] | None]] = [
        *[(f"h:{each}", None) for each in ("calls=maybe", "nothing=on", "channels=everything", "lobbies=0")],
        *[("h:clock", ["7 minutes"]), ("h:tables", ["7"]), ("h:tables", ["1", "2"])],
        *[("h:channels", each) for each in channels],
        *[("h:rules_wizard", ["quickest"]), ("h:rules_wizard", ["hook", "quick"]), ("h:rules_chess", ["quick"])],
    ]
    for custom_id, values in forged:
        reply = reply_text(await server.forge_click("Ada", menu, custom_id, values))
        assert "/motley server" in reply, (custom_id, values)
    assert await stored_settings(server) == DEFAULT_SERVER_SETTINGS
    answer = await server.forge_click(
        "Ada", await server.find_table(match), custom_ids.server_setting_id("threads", "off")
    )
    assert answer.ephemeral
    assert "Server settings" not in await server.table_text(match), "on another message it leaves that alone"


async def test_all_of_it_holds_after_a_restart_and_a_telephone_shows_it(server: SimulatedServer) -> None:
    many = [server.guild.create_text_channel(f"table-{number}") for number in range(25)]
    for channel in many:
        server.grant_permissions(channel, embed_links=False, attach_files=False)
    presets = tuple(sorted((game.key, [*game.presets][-1]) for game in GAMES.values() if game.presets))
    wanted = ServerSettings(frozenset(each.id for each in many), False, False, False, None, 2, 10, 1, 100, presets)
    await set_settings(server, **{name: getattr(wanted, name) for name in wanted.__dataclass_fields__})
    await server.restart(killed=True)
    assert await stored_settings(server) == wanted
    menu = await open_menu(server)
    components = list(walk_components(menu["components"]))
    (channels,) = [c for c in components if c["type"] == CHANNELS]
    assert [str(each["id"]) for each in channels["default_values"]] == [str(each.id) for each in many]
    assert message_text(menu).count("⚠") == 5
    assert len([c for c in components if c["type"] == SELECT]) == 5 + sum(bool(game.presets) for game in GAMES.values())


async def test_a_table_is_opened_in_the_chosen_channels_and_their_threads_alone(server: SimulatedServer) -> None:
    lounge = server.guild.create_text_channel("board-games")
    match = await server.seat_and_start()  # which leaves a thread
    menu = await pick_channels(server, server.table)
    assert f"in <#{server.table.id}>, and in threads there" in message_text(menu)
    refused = await server["Bela"].slash(lounge, "wizard new")
    assert reply_text(refused) == f"Tables cannot be opened in this channel. Open yours in <#{server.table.id}>."
    assert refused.ephemeral
    assert [info.id for info in await server.bot.matches.lookup.find()] == [match]
    await server.open_lobby("Chidi", server.thread, game="jest")
    assert reply_text(await server["Bela"].slash(lounge, "motley check")) == reply_text(refused)
    assert "every permission" in reply_text(await server["Bela"].slash(server.table, "motley check"))
    await pick_channels(server)
    assert await stored_settings(server) == DEFAULT_SERVER_SETTINGS
    await server.open_lobby("Dora", lounge)


async def test_a_refusal_names_channels_that_one_sees_and_what_is_wrong_there(server: SimulatedServer) -> None:
    lounge, cellar = server.guild.create_text_channel("lounge"), server.guild.create_text_channel("cellar")
    server.hide_channel(cellar, "Bela")
    await pick_channels(server, cellar)
    assert "only in channels that you cannot see" in reply_text(await server["Bela"].slash(lounge, "wizard new"))
    assert f"<#{cellar.id}>" in reply_text(await server["Chidi"].slash(lounge, "wizard new"))
    server.grant_permissions(lounge, embed_links=False)
    menu = await pick_channels(server, lounge, cellar)
    assert f"⚠ In <#{lounge.id}> I lack **Embed Links**" in message_text(menu)
    refused = f"Tables cannot be opened in this channel, only in <#{lounge.id}>, but I lack permissions there: "
    assert reply_text(await server["Bela"].slash(server.table, "wizard new")) == f"{refused}use `/motley check`."
    assert "**Embed Links**" in reply_text(await server["Bela"].slash(lounge, "wizard new"))
    server.delete_channel(cellar)
    assert "⚠ One of the chosen channels is gone." in message_text(await open_menu(server))
    server.delete_channel(lounge)
    refusal_text = reply_text(await server["Bela"].slash(server.table, "wizard new"))
    assert "the chosen channels are gone" in refusal_text
    assert "`/motley server`" in refusal_text
    menu = await open_menu(server)
    assert "opened** nowhere" in message_text(menu)
    await server.press_button("Ada", menu, "Allow every channel")
    await server.open_lobby("Bela")


async def test_playing_again_keeps_to_the_channels_and_to_who_may_be_called(server: SimulatedServer) -> None:
    lounge = server.guild.create_text_channel("lounge")
    match = await server.play_out_unseen("jokers", ("Ada", "Bela"), rounds=1)
    await set_settings(server, channels=frozenset({lounge.id}), calls=False)
    answer = await server.press_button("Bela", await server.find_table(match), "Play again")
    assert f"Open yours in <#{lounge.id}>" in reply_text(answer)
    await set_settings(server, channels=frozenset({server.table.id}))
    answer = await server.press_button("Bela", await server.find_table(match), "Play again")
    assert "you are its host" in reply_text(answer)
    assert "Pings are turned off on this server" in reply_text(answer)
    assert not any(
        f"<@{server['Ada'].id}>" in message_text(message) for message in server.public_messages(server.thread)
    )


async def test_limits_are_said_with_what_is_in_the_way(server: SimulatedServer) -> None:
    await set_settings(server, own_lobbies=1, tables=2)
    first = await server.open_lobby()
    assert "host 1 open table on" in reply_text(await server["Ada"].slash(server.table, "wizard new"))
    await server.join_lobby(first, "Bela", "Chidi")
    await server.press_button("Ada", await server.find_lobby(first), "Start")
    await server.open_lobby()
    refused = reply_text(await server["Dora"].slash(server.table, "wizard new"))
    assert "2 tables (counting running matches)" in refused
    assert refused.count("https://discord.com/channels/") == 2
    await set_settings(server, own_lobbies=None, own_tables=1, tables=None)
    assert "host 2 tables" in reply_text(await server["Ada"].slash(server.table, "wizard new"))
    await server.open_lobby("Dora")


async def disabled_labels(w: SimulatedServer, match: str) -> list[str]:
    """The buttons of a lobby that are off."""
    components = walk_components((await w.find_lobby(match))["components"])
    return [each["label"] for each in components if each.get("disabled")]


async def test_open_lobbies_show_at_once_that_no_computers_sit_down(server: SimulatedServer) -> None:
    match, other = await server.open_lobby(), await server.open_lobby("Bela", game="jest")
    await server.forge_click("Bela", await server.find_lobby(other), f"t:{other}:computer-easy")
    await server.press_button("Ada", await open_menu(server), "Do not allow computers")
    assert await disabled_labels(server, match) == ["Add computer"]
    assert await disabled_labels(server, other) == [], "those who sit there can still be sent away"
    for action in ("computers", "computer-easy"):
        refused = await server.forge_click("Ada", await server.find_lobby(match), f"t:{match}:{action}")
        assert "cannot join tables" in reply_text(refused)
    await server.press_button("Bela", await server.find_lobby(other), "Add computer")
    assert button_labels(server.newest_private("Bela")) == ["Start", "Remove one"]
    for _ in range(2):
        await server.press_button("Bela", server.newest_private("Bela"), "Remove one")
    assert "cannot join tables" in message_text(server.newest_private("Bela"))
    assert await disabled_labels(server, other) == ["Add computer"]
    await server.press_button("Ada", await open_menu(server), "Allow computers")
    assert await disabled_labels(server, match) == []


async def test_nobody_is_called_if_calls_are_off_and_nothing_of_then_is_called_later(
    server: SimulatedServer,
) -> None:
    await server.press_button("Ada", await open_menu(server), "Ping nobody")
    before = request_count(server)
    match = await start_untimed(server, "Chidi", clock="24 hours")
    await server.env.advance_time(10 * MINUTE)
    await server.restart()
    await server.env.advance_time(DAY - HOUR)
    assert await server.move_count(match) == 0, "the clock runs as ever"
    await server.press_button("Ada", await open_menu(server), "Ping players whose turn it is")
    await server.restart()
    await server.env.advance_time(10 * MINUTE)
    assert thread_mentions(server) == []
    assert count_hand_calls(server, before) == dict.fromkeys(THREE, 1), "the hand with which one comes in is no call"


async def test_calls_that_are_turned_off_are_off_in_running_matches_and_a_mention_goes(server: SimulatedServer) -> None:
    match = await start_untimed(server, *THREE)
    (mention,) = thread_mentions(server)
    assert f"<@{server[await server.due_name_now(match)].id}>" in message_text(mention)
    await server.press_button("Ada", await open_menu(server), "Ping nobody")
    await server["Ada"].slash(server.thread, "wizard status", match=match)
    assert thread_mentions(server) == []


async def test_rules_that_are_fixed_hold_for_new_tables_and_rematches_and_after_a_restart(
    server: SimulatedServer,
) -> None:
    match = await server.play_out_unseen("jokers", ("Ada", "Bela"), rounds=1)
    running = await server.seat_and_start()
    await open_menu(server)
    for game, preset in (("wizard", "hook"), ("jokers", "quick")):
        await server.choose_options("Ada", server.newest_private(), f"h:rules_{game}", preset)
        components = walk_components(server.newest_private()["components"])
        (menu,) = [c for c in components if c.get("custom_id") == f"h:rules_{game}"]
        assert [line["value"] for line in menu["options"] if line.get("default")] == [preset]
    assert (await stored_settings(server)).presets == (("jokers", "quick"), ("wizard", "hook"))
    assert (await server.load_snapshot(running)).options.hook is None
    await server.restart(killed=True)
    lobby = await server.open_lobby("Bela")
    assert "the hook from 2 cards on" in await server.lobby_text(lobby)
    await server.press_in_menu("Bela", lobby, "Options")
    assert "This server plays the *hook* rules." in message_text(server.newest_private("Bela"))
    number = options_pages.options_page_of(await server.load_snapshot(lobby), "rounds")
    await server.forge_click("Bela", server.newest_private("Bela"), f"t:{lobby}:options-{number}")
    menus = [
        c["custom_id"] for c in walk_components(server.newest_private("Bela")["components"]) if c["type"] == SELECT
    ]
    assert f"v:{lobby}:rounds" in menus
    assert not {f"v:{lobby}:{name}" for name in ("rules", "hands", "hook")} & {*menus}
    expected_text = "Wizard tables on this server play the *hook* rules."
    forged = await server.forge_click("Bela", await server.find_lobby(lobby), f"v:{lobby}:rules", ["quick hands"])
    typed = await server["Bela"].slash(server.table, "motley options", option="hook", value="none", match=lobby)
    opened = await server["Chidi"].slash(server.table, "wizard new", rules="quick hands")
    for answer in (forged, typed, opened, await server["Chidi"].slash(server.table, "wizard new", hands="by twos")):
        assert expected_text in reply_text(answer)
        assert answer.ephemeral
    assert (await server.load_snapshot(lobby)).options.hook == 2
    assert {info.id for info in await server.bot.matches.lookup.find()} == {running, lobby}
    await server.open_lobby("Chidi", rules="hook", rounds=3)
    await server.press_button("Ada", await server.find_table(match), "Play again")
    (next_match,) = [info for info in await server.bot.matches.lookup.find() if info.follows == match]
    assert next_match.options == '{"rounds":3}'
    await open_menu(server)
    await server.choose_options("Ada", server.newest_private(), "h:rules_wizard", "the host decides")
    await server.press_in_menu("Bela", lobby, "Options")
    assert "This server plays" not in message_text(server.newest_private("Bela"))
