"""`/motley server`: who may, what is kept, where tables may be opened, and what is said where they may not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from cogs.table.pages import custom_ids
from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from engines.store.table_options import CLOCK_SECONDS
from tests.end_to_end.players import THREE
from tests.end_to_end.test_admin import make_admin
from tests.end_to_end.test_calls import DAY, MINUTE, count_hand_calls, request_count, start_untimed, thread_mentions
from tests.end_to_end.world import SimulatedServer, reply_text
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
    await w["Ada"].select(w._message_handle(await open_menu(w)), list(channels), custom_id="h:channels")
    return w.newest_private()


async def set_settings(w: SimulatedServer, **settings: Any) -> None:
    await w.bot.matches.lobbies.change_server_settings(w.guild.id, lambda old: replace(old, **settings))
    await w.env.settle()


async def test_whoever_may_not_manage_the_server_sees_and_changes_nothing(inn: SimulatedServer) -> None:
    channel, people = inn.add_guild("The Other Inn", "Emil", "Ada")
    other = {guild.id for guild in inn.bot.guilds} - {inn.guild.id}
    match = await inn.seat_and_start()
    for answer in (
        await inn["Bela"].slash(inn.table, "motley server"),
        await inn.forge_click("Bela", await inn.find_table(match), "h:calls=off"),
        await inn.forge_click("Bela", await inn.find_table(match), "h:channels", [str(inn.table.id)]),
        await inn.forge_click("Ada", inn.find_hand("Ada", match), "h:calls=off"),  # direct messages are no server
        await inn["Ada"].user.slash("motley server"),
        await people["Ada"].slash(channel, "motley server"),
    ):
        assert "Manage Server" in reply_text(answer) or "in a server that you manage" in reply_text(answer)
        assert answer.ephemeral
        assert "Server settings" not in reply_text(answer)
    make_admin(inn, "Bela")
    await inn.press_button("Bela", await open_menu(inn, "Bela"), "Allow no computers")
    inn.env.backend.edit_member(inn.guild.id, inn["Bela"].id, {"role_ids": []})
    refused = await inn.press_button("Bela", inn.newest_private("Bela"), "Allow computers")
    assert "Manage Server" in reply_text(refused), "the right is asked for with every click"
    assert await stored_settings(inn) == ServerSettings(computers=False)
    assert {await inn.bot.matches.lobbies.server_settings(guild) for guild in other} == {DEFAULT_SERVER_SETTINGS}


OFFERED: list[tuple[str, str, Any]] = [
    *((name, "off", False) for name in ("threads", "calls", "computers")),
    *(("clock", each, each) for each in CLOCK_SECONDS if each != "24 hours"),
    *(("clock", "none", None), ("own_lobbies", "2", 2)),
    *(("lobbies", "10", 10), ("own_tables", "1", 1), ("tables", "100", 100)),
]
AS_BEFORE = {"off": "on", **dict.fromkeys(("none", *CLOCK_SECONDS), "24 hours")}


async def test_every_setting_is_offered_chosen_and_taken_back(inn: SimulatedServer) -> None:
    await open_menu(inn)
    for name, value, wanted in OFFERED:
        before = AS_BEFORE.get(value, "most")
        for choice, then in ((value, ServerSettings(**{name: wanted})), (before, DEFAULT_SERVER_SETTINGS)):
            if choice in ("on", "off"):
                await inn.press_button("Ada", inn.newest_private(), f"h:{name}={choice}")
            else:
                await inn.choose_options("Ada", inn.newest_private(), f"h:{name}", choice)
                components = walk_components(inn.newest_private()["components"])
                (menu,) = [c for c in components if c.get("custom_id") == f"h:{name}"]
                assert [line["value"] for line in menu["options"] if line.get("default")] == [choice]
            assert await stored_settings(inn) == then


async def test_what_is_not_offered_changes_nothing(inn: SimulatedServer) -> None:
    channel, _ = inn.add_guild("The Other Inn", "Emil")
    menu, match = await open_menu(inn), await inn.seat_and_start()
    here, there, thread = str(inn.table.id), str(channel.id), str(inn.thread.id)
    channels = (["everywhere", "x"], ["²"], ["4611686018427387000"], ["9" * 4000], [here, there], [thread])
    forged: list[tuple[str, list[str] | None]] = [
        *[(f"h:{each}", None) for each in ("calls=maybe", "nothing=on", "channels=everything", "lobbies=0")],
        *[("h:clock", ["7 minutes"]), ("h:tables", ["7"]), ("h:tables", ["1", "2"])],
        *[("h:channels", each) for each in channels],
        *[("h:rules_wizard", ["quickest"]), ("h:rules_wizard", ["hook", "quick"]), ("h:rules_chess", ["quick"])],
    ]
    for custom_id, values in forged:
        said = reply_text(await inn.forge_click("Ada", menu, custom_id, values))
        assert "/motley server" in said, (custom_id, values)
    assert await stored_settings(inn) == DEFAULT_SERVER_SETTINGS
    answer = await inn.forge_click("Ada", await inn.find_table(match), custom_ids.server_setting_id("threads", "off"))
    assert answer.ephemeral
    assert "Server settings" not in await inn.table_text(match), "on another message it leaves that alone"


async def test_all_of_it_holds_after_a_restart_and_a_telephone_shows_it(inn: SimulatedServer) -> None:
    many = [inn.guild.create_text_channel(f"table-{number}") for number in range(25)]
    for channel in many:
        inn.grant_permissions(channel, embed_links=False, attach_files=False)
    presets = tuple(sorted((game.key, [*game.presets][-1]) for game in GAMES.values() if game.presets))
    wanted = ServerSettings(frozenset(each.id for each in many), False, False, False, None, 2, 10, 1, 100, presets)
    await set_settings(inn, **{name: getattr(wanted, name) for name in wanted.__dataclass_fields__})
    await inn.restart(killed=True)
    assert await stored_settings(inn) == wanted
    menu = await open_menu(inn)
    components = list(walk_components(menu["components"]))
    (channels,) = [c for c in components if c["type"] == CHANNELS]
    assert [str(each["id"]) for each in channels["default_values"]] == [str(each.id) for each in many]
    assert message_text(menu).count("⚠") == 5
    assert len([c for c in components if c["type"] == SELECT]) == 5 + sum(bool(game.presets) for game in GAMES.values())


async def test_a_table_is_opened_in_the_chosen_channels_and_their_threads_alone(inn: SimulatedServer) -> None:
    lounge = inn.guild.create_text_channel("board-games")
    match = await inn.seat_and_start()  # which leaves a thread
    menu = await pick_channels(inn, inn.table)
    assert f"in <#{inn.table.id}>, and in threads there" in message_text(menu)
    refused = await inn["Bela"].slash(lounge, "wizard new")
    assert reply_text(refused) == f"Tables cannot be opened in this channel. Open yours in <#{inn.table.id}>."
    assert refused.ephemeral
    assert [info.id for info in await inn.bot.matches.lookup.find()] == [match]
    await inn.open_lobby("Chidi", inn.thread, game="jest")
    assert reply_text(await inn["Bela"].slash(lounge, "motley check")) == reply_text(refused)
    assert "every permission" in reply_text(await inn["Bela"].slash(inn.table, "motley check"))
    await pick_channels(inn)
    assert await stored_settings(inn) == DEFAULT_SERVER_SETTINGS
    await inn.open_lobby("Dora", lounge)


async def test_a_refusal_names_channels_that_one_sees_and_what_is_wrong_there(inn: SimulatedServer) -> None:
    lounge, cellar = inn.guild.create_text_channel("lounge"), inn.guild.create_text_channel("cellar")
    hidden = discord.Permissions(view_channel=True).value
    inn.env.backend.set_overwrite(cellar.id, Overwrite(inn["Bela"].id, OverwriteType.MEMBER, 0, hidden))
    await pick_channels(inn, cellar)
    assert "only in some that you cannot see" in reply_text(await inn["Bela"].slash(lounge, "wizard new"))
    assert f"<#{cellar.id}>" in reply_text(await inn["Chidi"].slash(lounge, "wizard new"))
    inn.grant_permissions(lounge, embed_links=False)
    menu = await pick_channels(inn, lounge, cellar)
    assert f"⚠ In <#{lounge.id}> I lack **Embed Links**" in message_text(menu)
    refused = f"Tables cannot be opened in this channel, only in <#{lounge.id}>. I lack permissions there: "
    assert reply_text(await inn["Bela"].slash(inn.table, "wizard new")) == f"{refused}use `/motley check`."
    assert "**Embed Links**" in reply_text(await inn["Bela"].slash(lounge, "wizard new"))
    inn.delete_channel(cellar)
    assert "⚠ One of the chosen channels is gone." in message_text(await open_menu(inn))
    inn.delete_channel(lounge)
    gone = reply_text(await inn["Bela"].slash(inn.table, "wizard new"))
    assert "the chosen channels are gone" in gone
    assert "`/motley server`" in gone
    menu = await open_menu(inn)
    assert "opened** nowhere" in message_text(menu)
    await inn.press_button("Ada", menu, "Allow every channel")
    await inn.open_lobby("Bela")


async def test_playing_again_keeps_to_the_channels_and_to_who_may_be_called(inn: SimulatedServer) -> None:
    lounge = inn.guild.create_text_channel("lounge")
    match = await inn.play_out_unseen("jokers", ("Ada", "Bela"), rounds=1)
    await set_settings(inn, channels=frozenset({lounge.id}), calls=False)
    answer = await inn.press_button("Bela", await inn.find_table(match), "Play again")
    assert f"Open yours in <#{lounge.id}>" in reply_text(answer)
    await set_settings(inn, channels=frozenset({inn.table.id}))
    answer = await inn.press_button("Bela", await inn.find_table(match), "Play again")
    assert "you are its host" in reply_text(answer)
    assert "does not let me ping anyone" in reply_text(answer)
    assert not any(f"<@{inn['Ada'].id}>" in message_text(message) for message in inn.public_messages(inn.thread))


async def test_limits_are_said_with_what_is_in_the_way(inn: SimulatedServer) -> None:
    await set_settings(inn, own_lobbies=1, tables=2)
    first = await inn.open_lobby()
    assert "host 1 open table in" in reply_text(await inn["Ada"].slash(inn.table, "wizard new"))
    await inn.join_lobby(first, "Bela", "Chidi")
    await inn.press_button("Ada", await inn.find_lobby(first), "Start")
    await inn.open_lobby()
    refused = reply_text(await inn["Dora"].slash(inn.table, "wizard new"))
    assert "2 tables (counting running matches)" in refused
    assert refused.count("https://discord.com/channels/") == 2
    await set_settings(inn, own_lobbies=None, own_tables=1, tables=None)
    assert "host 2 tables" in reply_text(await inn["Ada"].slash(inn.table, "wizard new"))
    await inn.open_lobby("Dora")


async def test_open_lobbies_show_at_once_that_no_computers_sit_down(inn: SimulatedServer) -> None:
    match, other = await inn.open_lobby(), await inn.open_lobby("Bela", game="jest")
    await inn.forge_click("Bela", await inn.find_lobby(other), f"t:{other}:computer-easy")
    await inn.press_button("Ada", await open_menu(inn), "Allow no computers")
    assert "Add computer" not in button_labels(await inn.find_lobby(match))
    assert "Computers" in button_labels(await inn.find_lobby(other)), "those who sit there can still be sent away"
    for action in ("computers", "computer-easy"):
        refused = await inn.forge_click("Ada", await inn.find_lobby(match), f"t:{match}:{action}")
        assert "cannot join tables" in reply_text(refused)
    await inn.press_button("Bela", await inn.find_lobby(other), "Computers")
    assert button_labels(inn.newest_private("Bela")) == ["Start", "Remove one"]
    for _ in range(2):
        await inn.press_button("Bela", inn.newest_private("Bela"), "Remove one")
    assert "cannot join tables" in message_text(inn.newest_private("Bela"))
    assert "Computers" not in button_labels(await inn.find_lobby(other))
    await inn.press_button("Ada", await open_menu(inn), "Allow computers")
    assert "Add computer" in button_labels(await inn.find_lobby(match))


async def test_nobody_is_called_where_calls_are_off_and_nothing_of_then_is_called_later(inn: SimulatedServer) -> None:
    await inn.press_button("Ada", await open_menu(inn), "Ping nobody")
    before = request_count(inn)
    match = await start_untimed(inn, "Chidi", clock="24 hours")
    await inn.env.advance_time(10 * MINUTE)
    await inn.restart()
    await inn.env.advance_time(DAY - HOUR)
    assert await inn.move_count(match) == 0, "the clock runs as ever"
    await inn.press_button("Ada", await open_menu(inn), "Ping players who are awaited")
    await inn.restart()
    await inn.env.advance_time(10 * MINUTE)
    assert thread_mentions(inn) == []
    assert count_hand_calls(inn, before) == dict.fromkeys(THREE, 1), "the hand with which one comes in is no call"


async def test_calls_that_are_turned_off_are_off_in_running_matches_and_a_mention_goes(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, *THREE)
    (mention,) = thread_mentions(inn)
    assert f"<@{inn[await inn.due_name_now(match)].id}>" in message_text(mention)
    await inn.press_button("Ada", await open_menu(inn), "Ping nobody")
    await inn["Ada"].slash(inn.thread, "wizard status", match=match)
    assert thread_mentions(inn) == []


async def test_rules_that_are_fixed_hold_for_new_tables_and_rematches_and_after_a_restart(inn: SimulatedServer) -> None:
    match = await inn.play_out_unseen("jokers", ("Ada", "Bela"), rounds=1)
    running = await inn.seat_and_start()
    await open_menu(inn)
    for game, preset in (("wizard", "hook"), ("jokers", "quick")):
        await inn.choose_options("Ada", inn.newest_private(), f"h:rules_{game}", preset)
        components = walk_components(inn.newest_private()["components"])
        (menu,) = [c for c in components if c.get("custom_id") == f"h:rules_{game}"]
        assert [line["value"] for line in menu["options"] if line.get("default")] == [preset]
    assert (await stored_settings(inn)).presets == (("jokers", "quick"), ("wizard", "hook"))
    assert (await inn.load_snapshot(running)).options.hook is None
    await inn.restart(killed=True)
    lobby = await inn.open_lobby("Bela")
    assert "This server plays the *hook* rules." in await inn.lobby_text(lobby)
    await inn.press_button("Bela", await inn.find_lobby(lobby), "Options")
    menus = [c["custom_id"] for c in walk_components(inn.newest_private("Bela")["components"]) if c["type"] == SELECT]
    assert f"v:{lobby}:rounds" in menus
    assert not {f"v:{lobby}:{name}" for name in ("rules", "hands", "hook")} & {*menus}
    said = "Tables of Wizard in this server play the *hook* rules."
    forged = await inn.forge_click("Bela", await inn.find_lobby(lobby), f"v:{lobby}:rules", ["quick"])
    typed = await inn["Bela"].slash(inn.table, "motley options", option="hook", value="none", match=lobby)
    opened = await inn["Chidi"].slash(inn.table, "wizard new", rules="quick")
    for answer in (forged, typed, opened, await inn["Chidi"].slash(inn.table, "wizard new", hands="quick")):
        assert said in reply_text(answer)
        assert answer.ephemeral
    assert (await inn.load_snapshot(lobby)).options.hook == 2
    assert {info.id for info in await inn.bot.matches.lookup.find()} == {running, lobby}
    await inn.open_lobby("Chidi", rules="hook", rounds=3)
    await inn.press_button("Ada", await inn.find_table(match), "Play again")
    (again,) = [info for info in await inn.bot.matches.lookup.find() if info.follows == match]
    assert again.options == '{"rounds":3}'
    await open_menu(inn)
    await inn.choose_options("Ada", inn.newest_private(), "h:rules_wizard", "the host decides")
    assert "This server plays" not in await inn.lobby_text(lobby)
