"""Options in the lobby: changed by the host alone, told to those who have joined, confirmed before a hasty start."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cogs.table.pages import options_pages
from cogs.table.pages.page import Page
from cogs.table.wording.how_played import differences
from engines.features.hints import CAN_ASK
from engines.features.registry import TABLE_OPTIONS
from engines.kit.contract import AnyGame
from engines.kit.options import format_value, game_options
from engines.store.match_store import Status
from engines.store.table_options import TableOptions
from tests.contract.shown import page_buttons, page_menus
from tests.end_to_end.simulated_server import PendingClick, SimulatedServer, reply_text, response_of
from tests.game_uis import SCREENS
from tests.games import GAMES
from tests.messages import SELECT, Message, button_labels, control_ids, message_text, walk_components

WITH = [game for game in GAMES.values() if game_options(game)]
WITHOUT = [game for game in GAMES.values() if not game_options(game)]


def each_game(games: list[AnyGame]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", games, ids=[game.key for game in games])


async def open_full_lobby(w: SimulatedServer, game: AnyGame, seats: int | None = None, **options: Any) -> str:
    """A lobby with just enough people, or with so many; its id."""
    match = await w.open_lobby(game=game.key, **options)
    await w.join_lobby(match, *list(w.people)[1 : seats or game.seats[0]])
    return match


async def open_options(w: SimulatedServer, match: str) -> Message:
    await w.press_in_menu("Ada", match, "Options")
    return newest_private(w)


async def choose(w: SimulatedServer, match: str, option: str, value: str) -> None:
    """Have the host turn to the page with that option, and choose."""
    shown_page = await turn_to(w, match, option)
    if f"v:{match}:{option}" in control_ids(shown_page):
        await w.choose_options("Ada", shown_page, f"v:{match}:{option}", value)
    else:
        await w.forge_click("Ada", shown_page, f"v:{match}:{option}={value}")


async def turn_to(w: SimulatedServer, match: str, option: str) -> Message:
    """Have the host turn the newest page of options to that option."""
    shown_page = newest_private(w)
    if not any(each.startswith(f"v:{match}:{option}") for each in control_ids(shown_page)):
        page = options_pages.options_page_of(await w.load_snapshot(match), option)
        await w.forge_click("Ada", shown_page, f"t:{match}:options-{page}")  # it may be the page that is shown
    return newest_private(w)


def page_controls(page: Page) -> list[str]:
    return [*(press.to for press in page_buttons(page)), *(menu.to for menu in page_menus(page))]


async def open_wizard(w: SimulatedServer, rounds: str = "") -> str:
    """A full lobby of Wizard whose host has the options open, and has perhaps chosen so many rounds; its id."""
    match = await open_full_lobby(w, GAMES["wizard"], 3)
    await open_options(w, match)
    if rounds:
        await choose(w, match, "rounds", rounds)
    return match


def newest_private(w: SimulatedServer) -> Message:
    """The newest message with controls that the host alone sees."""
    return [message for message in w.private_messages("Ada") if control_ids(message)][-1]


def menu_lines(message: Message) -> dict[str, list[dict[str, Any]]]:
    return {c["custom_id"]: c["options"] for c in walk_components(message["components"]) if c["type"] == SELECT}


def option_notices(w: SimulatedServer) -> list[Message]:
    return [message for message in w.public_messages(w.table) if "The options of " in message_text(message)]


async def current_options(w: SimulatedServer, match: str) -> Any:
    return (await w.load_snapshot(match)).options


@each_game(WITH)
async def test_the_host_chooses_every_value_that_is_offered(server: SimulatedServer, game: AnyGame) -> None:
    match = await open_full_lobby(server, game)
    await open_options(server, match)
    for option in game_options(game):
        lines = menu_lines(await turn_to(server, match, option.name)).get(f"v:{match}:{option.name}")
        values = [line["value"] for line in lines] if lines else ["true", "false"]
        assert 2 <= len(values) <= 25
        for value in values:
            was = await current_options(server, match)
            await choose(server, match, option.name, value)
            snapshot = await server.load_snapshot(match)
            assert format_value(getattr(snapshot.options, option.name)) == value
            assert (snapshot.options == was) == (format_value(getattr(was, option.name)) == value)
            shown_page = newest_private(server)
            if f"v:{match}:{option.name}" in control_ids(shown_page):
                lines = menu_lines(shown_page)[f"v:{match}:{option.name}"]
                assert [each["value"] for each in lines if each.get("default")] == [value]
            for difference in differences(snapshot, SCREENS[game.key]):
                assert difference in await server.lobby_text(match)
                assert difference in message_text(server.newest_in_inbox("Bela"))
                assert snapshot.options == was or difference in message_text(option_notices(server)[-1])
        await choose(server, match, option.name, format_value(option.default))  # not all go together
    now = await current_options(server, match)
    await server.env.advance_time(11)  # seconds: later starts are not asked about
    await server.start_match(match)
    assert await server.status(match) is Status.RUNNING
    assert (await server.load_snapshot(match)).options == now


@each_game(WITH)
async def test_nobody_else_changes_anything(server: SimulatedServer, game: AnyGame) -> None:
    match = await open_full_lobby(server, game)
    before, message = (await server.load_snapshot(match)).info, await server.find_lobby(match)
    for name in ("Bela", "Greta"):
        answer = await server.forge_click(name, message, f"t:{match}:options")
        assert "Only the host, Ada, can change the options" in reply_text(answer)
        assert answer.ephemeral
        assert control_ids({"components": response_of(answer).components}) == []
        for option in game_options(game):
            value = format_value(option.values[1])
            given = {"option": option.name, "value": value, "match": match}
            for forged in (
                await server.forge_click(name, message, f"v:{match}:{option.name}", [value]),
                await server.forge_click(name, message, f"v:{match}:{option.name}={value}"),
                await server[name].slash(server.table, "motley options", **given),
            ):
                assert "Only the host can do that. The host is Ada" in reply_text(forged)
    assert (await server.load_snapshot(match)).info == before
    assert option_notices(server) == []


@each_game(WITH)
@pytest.mark.parametrize("value", ["0", "-1", "99999", "x", "None!", "", "2.5"])
async def test_a_number_out_of_range_changes_nothing(server: SimulatedServer, game: AnyGame, value: str) -> None:
    match = await open_full_lobby(server, game)
    before, message = (await server.load_snapshot(match)).info, await server.find_lobby(match)
    for option in game_options(game):
        refusal_text = f"{option.name.capitalize()} can be {option.allowed_text()}. Nothing has changed."
        assert refusal_text in reply_text(await server.forge_click("Ada", message, f"v:{match}:{option.name}", [value]))
        if value:
            given = {"option": option.name, "value": value, "match": match}
            assert refusal_text in reply_text(
                await server.forge_command("Ada", server.table, "motley options", **given)
            )
    assert "no such option" in reply_text(await server.forge_click("Ada", message, f"v:{match}:luck", ["1"]))
    for values in ([], ["2", "3"]):
        assert reply_text(await server.forge_click("Ada", message, f"v:{match}:{game_options(game)[0].name}", values))
    assert (await server.load_snapshot(match)).info == before


@each_game(WITHOUT)
async def test_a_game_without_options_of_its_own_offers_the_table_options(
    server: SimulatedServer, game: AnyGame
) -> None:
    match = await open_full_lobby(server, game)
    await open_options(server, match)
    for option in TABLE_OPTIONS:
        offered = {each.partition("=")[0] for each in control_ids(await turn_to(server, match, option.name))}
        assert f"v:{match}:{option.name}" in offered
    before = (await server.load_snapshot(match)).info
    forged = await server.forge_click("Ada", await server.find_lobby(match), f"v:{match}:rounds", ["3"])
    assert "has no such option. Its options are: clock, hints, breaks, autoplay, guesses, takebacks." in reply_text(
        forged
    )
    assert (await server.load_snapshot(match)).info == before
    assert "How it is played: by the published rules." in message_text(server.newest_in_inbox("Bela"))


@each_game(list(GAMES.values()))
async def test_the_table_options_are_chosen_in_every_game_told_and_kept(server: SimulatedServer, game: AnyGame) -> None:
    match = await open_full_lobby(server, game, hints="false")
    assert (await server.load_snapshot(match)).info.table_options == TableOptions().set_option(CAN_ASK, False)
    await open_options(server, match)
    await choose(server, match, "clock", "3 days")
    assert "How it is played now: 3 days a move and no hints." in message_text(option_notices(server)[-1])
    assert "How it is played: 3 days a move and no hints" in await server.lobby_text(match)
    assert "3 days a move" in message_text(server.newest_in_inbox("Bela"))
    await server.start_match(match)
    assert "3 days a move" in message_text(newest_private(server))  # it is asked about, as with the game's own
    await server.restart()
    await server.press_button("Ada", newest_private(server), "Start with these")
    info = (await server.load_snapshot(match)).info
    assert (info.status, info.table_options) == (Status.RUNNING, TableOptions("3 days").set_option(CAN_ASK, False))


@each_game(WITH)
async def test_the_controls_of_the_options_survive_a_restart(server: SimulatedServer, game: AnyGame) -> None:
    match = await open_full_lobby(server, game)
    await open_options(server, match)
    option = game_options(game)[0]
    shown_page = await turn_to(server, match, option.name)
    await server.restart()
    value = next(
        line["value"] for line in menu_lines(shown_page)[f"v:{match}:{option.name}"] if not line.get("default")
    )
    await server.forge_click("Ada", shown_page, f"v:{match}:{option.name}", [value])
    assert format_value(getattr(await current_options(server, match), option.name)) == value
    assert len(option_notices(server)) == 1
    await server.restart()
    assert len(option_notices(server)) == 1


@each_game(WITH)
async def test_the_command_shows_the_options_and_changes_one(server: SimulatedServer, game: AnyGame) -> None:
    match, command = await open_full_lobby(server, game), "motley options"
    option = game_options(game)[-1]
    answer = await server["Ada"].slash(server.table, command)
    assert answer.ephemeral
    assert f"v:{match}:pace=together" in control_ids({"components": response_of(answer).components})
    names = await server["Ada"].autocomplete(server.table, command, "option", "p")
    assert {"pace", "preset"} & {choice["value"] for choice in names} == {"pace", *(["preset"] if game.presets else [])}
    paces = await server["Ada"].autocomplete(server.table, command, "value", "", option="pace")
    assert [choice["value"] for choice in paces] == ["over-days", "together", "to-learn"]
    offered = await server["Ada"].autocomplete(server.table, command, "value", "", option=option.name)
    assert format_value(option.default) in [choice["value"] for choice in offered]
    highest = format_value([value for value in option.values if value != option.default][-1])
    answer = await server["Ada"].slash(server.table, command, option=option.name, value=highest)
    assert "The options have changed. How it is played now: " in reply_text(answer)
    assert format_value(getattr(await current_options(server, match), option.name)) == highest
    assert "its new value" in reply_text(await server["Ada"].slash(server.table, command, option=option.name))


async def test_a_preset_is_chosen_in_the_lobby_told_kept_and_played(server: SimulatedServer) -> None:
    match = await open_wizard(server, "3")
    await choose(server, match, "preset", "hook")
    assert await current_options(server, match) == replace(GAMES["wizard"].options(), hook=2)
    assert "How it is played: the hook from 2 cards on" in await server.lobby_text(match)
    assert "How it is played now: the hook from 2 cards on." in message_text(option_notices(server)[-1])
    refused = await server.forge_click("Ada", await server.find_lobby(match), f"v:{match}:preset=wild")
    assert "Preset can be as published, or hook, or quick hands, or carnival. Nothing has changed." in reply_text(
        refused
    )
    await server.restart()
    assert "✓ Hook" in button_labels(newest_private(server))
    await choose(server, match, "pace", "together")
    assert "How it is played: the hook from 2 cards on and 60 seconds a move" in await server.lobby_text(match)
    await server.env.advance_time(11)  # seconds
    await server.start_match(match)
    state = (await server.load_snapshot(match)).state
    assert (state.rounds, state.hand_plan, state.hook) == (20, "growing", 2)


async def test_three_taps_lead_to_quick_hands_without_hints(server: SimulatedServer) -> None:
    match = await open_wizard(server)
    for label in ("Quick hands", "Table", "Hints: on"):
        await server.press_button("Ada", newest_private(server), label)
    assert "How it is played: hands by twos and no hints" in await server.lobby_text(match)


async def test_the_list_of_rules_and_its_command_leave_the_number_of_rounds_alone(server: SimulatedServer) -> None:
    """Messages of 1.0.0 have that list, and servers fix what is in it."""
    match = await open_wizard(server, "3")
    await server.forge_click("Ada", newest_private(server), f"v:{match}:rules", ["hook"])
    assert "How it is played: 3 of 20 rounds and the hook from 2 cards on" in await server.lobby_text(match)
    answer = await server["Ada"].slash(server.table, "motley options", option="rules", value="quick hands")
    assert "How it is played now: 3 of 10 rounds and hands by twos." in reply_text(answer)
    refused = await server.forge_click("Ada", await server.find_lobby(match), f"v:{match}:rules", ["wild"])
    assert "Rules can be as published, or hook, or quick hands, or carnival. Nothing has changed." in reply_text(
        refused
    )


async def test_a_list_of_switches_sets_all_of_them_and_one_tap_sets_a_switch(server: SimulatedServer) -> None:
    match = await open_wizard(server)
    shown_page = await turn_to(server, match, "special_cards")
    await server.choose_options("Ada", shown_page, f"v:{match}:special_cards", "mouse", "elephant")
    options = await current_options(server, match)
    assert (options.elephant, options.mouse, options.trapdoor) == (True, True, False)
    await server.forge_click("Ada", newest_private(server), f"v:{match}:special_cards", [])
    assert await current_options(server, match) == GAMES["wizard"].options()
    await turn_to(server, match, "hints")
    await server.press_button("Ada", newest_private(server), "Hints: on")
    assert "Hints: off" in button_labels(newest_private(server))
    assert not (await server.load_snapshot(match)).info.table_options.of(CAN_ASK)


async def test_options_that_do_not_go_together_are_refused_in_a_sentence_and_every_preset_still_works(
    server: SimulatedServer,
) -> None:
    match = await open_wizard(server)
    await choose(server, match, "hook", "1")
    for bids in ("hidden", "late"):
        shown_page = await turn_to(server, match, "bids")
        refused = await server.choose_options("Ada", shown_page, f"v:{match}:bids", bids)
        assert f"The hook needs a player who bids last, but with {bids} bids everybody bids at once." in reply_text(
            refused
        )
    assert (await current_options(server, match)).bids == "open"
    await choose(server, match, "hook", "none")
    await choose(server, match, "bids", "late")
    assert "How it is played: late bids" in await server.lobby_text(match)
    refused = await server.choose_options("Ada", await turn_to(server, match, "hook"), f"v:{match}:hook", "2")
    assert "Turn one of the two off." in reply_text(refused)
    await choose(server, match, "preset", "hook")
    assert "How it is played: the hook from 2 cards on" in await server.lobby_text(match)
    refused = await server.forge_command("Ada", server.table, "wizard new", hook="1", bids="late")
    assert "The hook needs a player who bids last" in reply_text(refused)


async def test_the_pages_of_options_lead_to_each_other_and_survive_a_restart(server: SimulatedServer) -> None:
    match = await open_wizard(server)
    snapshot = await server.load_snapshot(match)
    await server.restart()
    for number in (5, 4, 3, 2, 1, 4):  # 1.0.0 had up to five pages
        shown_page = newest_private(server)
        await server.forge_click("Ada", shown_page, f"t:{match}:options-{number}")
        page = options_pages.options_page(snapshot, SCREENS["wizard"], page=number)
        assert {*page_controls(page)} == {*control_ids(newest_private(server))}
        assert newest_private(server)["id"] == shown_page["id"], "a page is a message of its own"
    refused = await server.forge_click("Bela", await server.find_lobby(match), f"t:{match}:options-2")
    assert "Only the host, Ada, can change the options" in reply_text(refused)


async def test_w19_two_people_start_with_a_dummy_hand_and_play_to_the_end(server: SimulatedServer) -> None:
    match = await open_full_lobby(server, GAMES["wizard"], 2, rounds=2)
    answer = await server.press_button("Ada", await server.find_lobby(match), "Start")
    assert "Wizard needs at least 3 players; 2 have joined so far." in reply_text(answer)
    await open_options(server, match)
    await choose(server, match, "dummy", "true")
    assert "Enough players to start; four more can join." in await server.lobby_text(match)
    await server.env.advance_time(11)  # seconds: the start is not asked about
    await server.start_match(match)
    await server.restart()
    await server.play_out(match)
    assert await server.status(match) is Status.OVER
    assert '"dummy":true' in await server.bot.matches.records.build_record(match)


async def test_a_table_is_opened_with_a_preset_and_an_option_that_counts_more(server: SimulatedServer) -> None:
    match = await server.open_lobby(game="wizard", rules="quick hands", hook="1")
    options = (await server.load_snapshot(match)).options
    assert (options.rounds, options.hands, options.hook) == (None, "by twos", 1)
    refused = await server.forge_command("Ada", server.table, "wizard new", rules="wild")
    assert "Rules can be as published, or hook, or quick hands, or carnival." in reply_text(refused)


async def test_a_change_is_told_in_one_message_that_pings_nobody(server: SimulatedServer) -> None:
    match = await open_wizard(server)
    told_by = set()
    for rounds in ("3", "5", "7"):
        await choose(server, match, "rounds", rounds)
        told_by |= {message["id"] for message in option_notices(server)}
    assert len(told_by) == 1  # edited, not posted again and again
    (message,) = option_notices(server)
    assert "7 of 20 rounds" in message_text(message)
    assert message["mentions"] == []
    assert "<@" not in message_text(message)
    await server.env.advance_time(90)
    await choose(server, match, "rounds", "9")
    (later,) = option_notices(server)
    assert later["id"] != message["id"]
    assert "9 of 20 rounds" in message_text(later)
    await server.restart()
    await server.env.advance_time(1)
    assert [each["id"] for each in option_notices(server)] == [later["id"]]
    server.delete_message(later)
    await choose(server, match, "rounds", "4")
    assert "4 of 20 rounds" in message_text(option_notices(server)[0])


async def test_while_nobody_has_joined_nothing_is_told_and_to_who_is_alone_with_computers(
    server: SimulatedServer,
) -> None:
    match = await server.open_lobby()
    await open_options(server, match)
    await choose(server, match, "rounds", "3")
    await server.join_lobby(match, "Bela")
    assert option_notices(server) == []
    assert "3 of 20 rounds" in message_text(server.newest_in_inbox("Bela"))
    await choose(server, match, "rounds", "4")
    assert len(option_notices(server)) == 1
    alone = await server.open_lobby(game="wizard")
    await server.press_button("Ada", await server.find_lobby(alone), "Add computer")
    await server.press_button("Ada", newest_private(server), "Easy")
    await open_options(server, alone)
    await choose(server, alone, "rounds", "3")
    assert len(option_notices(server)) == 1
    await server.press_button("Ada", await server.find_lobby(alone), "Start")
    assert await server.status(alone) is Status.RUNNING


@pytest.mark.parametrize(("status", "code", "later"), [(403, 50013, 0), (503, 0, 1)])
async def test_a_notice_that_cannot_be_sent_is_sent_later(
    server: SimulatedServer, status: int, code: int, later: int
) -> None:
    match = await open_wizard(server)
    server.env.inject_error("POST", rf"/channels/{server.table.id}/messages", status=status, code=code, times=1)
    await choose(server, match, "rounds", "3")
    assert option_notices(server) == []
    assert "3 of 20 rounds" in await server.lobby_text(match)
    assert "3 of 20 rounds" in message_text(server.newest_in_inbox("Bela"))
    await server.env.advance_time(10)
    assert len(option_notices(server)) == later


async def test_a_start_within_ten_seconds_of_a_change_is_asked_about_and_names_the_options(
    server: SimulatedServer,
) -> None:
    match = await open_wizard(server, "3")
    await server.start_match(match)
    await server.press_button("Ada", newest_private(server), "Options")
    assert f"v:{match}:preset=quick hands" in control_ids(newest_private(server))
    await server.start_match(match)
    question = newest_private(server)
    assert "have just changed" in message_text(question)
    assert "3 of 20 rounds" in message_text(question)
    assert await server.status(match) is Status.LOBBY
    await server.restart()
    confirm = next(c for c in control_ids(question) if c.startswith("b:"))
    await server.forge_click("Bela", await server.find_lobby(match), confirm)
    assert await server.status(match) is Status.LOBBY
    answer = await server.press_button("Ada", question, "Start with these")
    assert "The match has started" in reply_text(answer)
    before, message = await server.load_snapshot(match), await server.find_lobby(match)
    assert before.state.rounds == 3
    assert "Show my hand" in button_labels(message)
    assert "How it is played: 3 of 20 rounds." in reply_text(
        await server.forge_click("Ada", message, f"t:{match}:options")
    )
    assert "already started" in reply_text(await server.forge_click("Ada", message, f"v:{match}:rounds", ["4"]))
    assert (await server.load_snapshot(match)).info == before.info


async def test_somebody_who_confirms_what_has_changed_since_is_asked_again_and_not_trapped(
    server: SimulatedServer,
) -> None:
    match = await open_wizard(server)
    await choose(server, match, "rounds", "3")
    options = newest_private(server)
    await server.start_match(match)
    old = newest_private(server)
    await server.choose_options("Ada", options, f"v:{match}:rounds", "4")
    await server.env.advance_time(60)
    answer = await server.press_button("Ada", old, "Start with these")
    assert "4 of 20 rounds" in reply_text(answer)
    assert await server.status(match) is Status.LOBBY
    await server.press_button("Ada", newest_private(server), "Start with these")
    assert (await server.load_snapshot(match)).state.rounds == 4


async def test_a_change_and_a_start_at_once_leave_a_match_with_one_of_both(server: SimulatedServer) -> None:
    match = await open_full_lobby(server, GAMES["court"], 4)
    await open_options(server, match)
    options, lobby = await turn_to(server, match, "banners"), await server.find_lobby(match)
    clicks = ((options, f"v:{match}:banners=3"), (lobby, f"t:{match}:start"))
    await server.click_at_once(*(PendingClick("Ada", message, custom_id) for message, custom_id in clicks))
    now = await server.load_snapshot(match)
    assert (now.info.status, now.options.banners) in [(Status.LOBBY, 3), (Status.RUNNING, 4)]
    if now.info.status is Status.RUNNING:
        assert now.view(None).banners is not None


async def test_four_at_the_court_are_told_what_to_expect(server: SimulatedServer) -> None:
    for label, changed in (("3 banners", (3, None)), ("At most 120 turns", (4, 120))):
        match = await open_full_lobby(server, GAMES["court"], 3)
        assert "about 35 min" in await server.lobby_text(match)
        await server.join_lobby(match, "Dora")
        assert "about 3 h" in await server.lobby_text(match)
        await open_options(server, match)
        shown_page = await turn_to(server, match, "banners")
        assert "340 to 2,000 or more turns" in message_text(shown_page)
        assert "55 to 95" in message_text(shown_page)
        assert {"3 banners", "At most 120 turns"} < set(button_labels(shown_page))
        await server.press_button("Ada", shown_page, label)
        now = await current_options(server, match)
        assert (now.banners, now.turns) == changed
        assert "about 3 h" not in await server.lobby_text(match)
        assert label not in button_labels(newest_private(server))
        assert len(option_notices(server)) == 1
        await server.bot.matches.lobbies.cancel_lobby(match, server["Ada"].id)
        server.delete_message(option_notices(server)[0])


async def test_the_rounds_that_are_offered_are_those_that_so_many_players_have_cards_for(
    server: SimulatedServer,
) -> None:
    match = await open_full_lobby(server, GAMES["wizard"], 3, rounds=18)
    for seats, full in ((3, 20), (4, 15), (5, 12), (6, 10)):
        await server.join_lobby(
            match, *list(server.people)[len((await server.load_snapshot(match)).info.seats) : seats]
        )
        await open_options(server, match)
        lines = menu_lines(await turn_to(server, match, "rounds"))[f"v:{match}:rounds"]
        numbers = [int(line["value"]) for line in lines if line["value"] not in ("none", "18")]
        assert max(numbers) == full - 1
        assert lines[0]["label"] == f"{full} (the full game)"
        assert [line["value"] for line in lines if line.get("default")] == ["18"]
    assert "How it is played: by the published rules" in await server.lobby_text(match)
    await server.start_match(match)
    assert (await server.load_snapshot(match)).state.rounds == 10
