"""Options in the lobby: changed by the host alone, told to those who have joined, confirmed before a hasty start."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.results import InteractionResult

from cogs.screens.control_widths import MAX_OPTION
from engines.kit.contract import AnyGame
from engines.kit.options import format_value, game_options
from engines.store.match_store import Status
from engines.store.table_options import TableOptions, list_table_options
from tests.end_to_end.players import find_lobby, join_lobby, load_snapshot, open_lobby, seat_and_start, start_match
from tests.end_to_end.world import (
    SELECT,
    Message,
    PendingClick,
    SimulatedServer,
    button_labels,
    control_ids,
    message_text,
    reply_text,
    walk_components,
)
from tests.fronts import SCREENS
from tests.games import GAMES

WITH = [game for game in GAMES.values() if game_options(game)]
WITHOUT = [game for game in GAMES.values() if not game_options(game)]


def each_game(games: list[AnyGame]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", games, ids=[game.key for game in games])


async def open_full_lobby(w: SimulatedServer, game: AnyGame, seats: int | None = None, **options: Any) -> str:
    """A lobby with just enough people, or with so many; its id."""
    match = await open_lobby(w, game=game.key, **options)
    await join_lobby(w, match, *list(w.people)[1 : seats or game.seats[0]])
    return match


def answered_message(answer: InteractionResult) -> Message:
    """The message that somebody was answered with, as the client that got it has it."""
    assert answer.response is not None
    return {"components": answer.response.components, "content": answer.response.content}


async def open_options(w: SimulatedServer, match: str, host: str = "Ada") -> Message:
    """The options, as the host is shown them."""
    await w.press_button(host, await find_lobby(w, match), "Options")
    return newest_private(w, host)


def newest_private(w: SimulatedServer, name: str) -> Message:
    """The newest message with controls that this person alone sees."""
    return [seen.message for seen in w.ephemeral_messages() if seen.viewer == w[name].id and control_ids(seen.message)][
        -1
    ]


def menu_lines(message: Message) -> dict[str, list[dict[str, Any]]]:
    """The lines of every list, by its custom_id."""
    return {c["custom_id"]: c["options"] for c in walk_components(message["components"]) if c["type"] == SELECT}


def option_notices(w: SimulatedServer) -> list[Message]:
    """The messages in the channel that tell a change of options."""
    return [message for message in w.public_messages(w.table) if "options have changed at" in message_text(message)]


async def current_options(w: SimulatedServer, match: str) -> Any:
    return (await load_snapshot(w, match)).options


# Every game


@each_game(WITH)
async def test_the_host_chooses_every_value_that_is_offered(inn: SimulatedServer, game: AnyGame) -> None:
    match = await open_full_lobby(inn, game)
    assert "Options" in button_labels(await find_lobby(inn, match))
    await open_options(inn, match)
    for option in game_options(game):
        custom_id = f"v:{match}:{option.name}"
        lines = menu_lines(newest_private(inn, "Ada"))[custom_id]
        assert 2 <= len(lines) <= 25
        assert len({line["label"] for line in lines}) == len(lines)
        for line in lines:
            assert len(line["label"]) <= MAX_OPTION
            was = await current_options(inn, match)
            await inn.choose_options("Ada", newest_private(inn, "Ada"), custom_id, line["value"])
            now = await current_options(inn, match)
            assert format_value(getattr(now, option.name)) == line["value"]
            assert (now == was) == (format_value(getattr(was, option.name)) == line["value"])
            chosen = [
                each["value"] for each in menu_lines(newest_private(inn, "Ada"))[custom_id] if each.get("default")
            ]
            assert chosen == [line["value"]]
            said = SCREENS[game.key].option_texts(now, game.seats[0])[option.name]
            assert said in message_text(await find_lobby(inn, match))
            assert said in message_text(inn.newest_in_inbox("Bela"))
            assert now == was or said in message_text(option_notices(inn)[-1])
    await inn.env.advance_time(11)
    await start_match(inn, match)
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING
    assert (await load_snapshot(inn, match)).options == now


@each_game(WITH)
async def test_nobody_else_changes_anything(inn: SimulatedServer, game: AnyGame) -> None:
    match = await open_full_lobby(inn, game)
    before = (await load_snapshot(inn, match)).info
    message = await find_lobby(inn, match)
    for name in ("Bela", "Greta"):
        answer = await inn.press_button(name, message, "Options")
        assert "Only the host, Ada, can change the options" in reply_text(answer)
        assert answer.response is not None
        assert answer.response.ephemeral
        assert control_ids(answered_message(answer)) == []
        for option in game_options(game):
            value = format_value(option.values[1])
            for forged in (
                await inn.forge_click(name, message, f"v:{match}:{option.name}", [value]),
                await inn.forge_click(name, message, f"v:{match}:{option.name}={value}"),
                await inn["Bela" if name == "Bela" else "Greta"].slash(
                    inn.table, "motley options", option=option.name, value=value, match=match
                ),
            ):
                assert "Only the host can do that. The host is Ada" in reply_text(forged)
    assert (await load_snapshot(inn, match)).info == before
    assert option_notices(inn) == []


@each_game(WITH)
@pytest.mark.parametrize("value", ["0", "-1", "99999", "x", "None!", "", "2.5"])
async def test_what_is_out_of_range_is_refused_and_changes_nothing(
    inn: SimulatedServer, game: AnyGame, value: str
) -> None:
    match = await open_full_lobby(inn, game)
    before = (await load_snapshot(inn, match)).info
    message = await find_lobby(inn, match)
    for option in game_options(game):
        said = f"{option.name.capitalize()} can be {option.allowed_text()}. Nothing has changed."
        assert said in reply_text(await inn.forge_click("Ada", message, f"v:{match}:{option.name}", [value]))
        if value:
            by_command = await inn.forge_command(
                "Ada", inn.table, "motley options", option=option.name, value=value, match=match
            )
            assert said in reply_text(by_command)
    assert "no such option" in reply_text(await inn.forge_click("Ada", message, f"v:{match}:luck", ["1"]))
    for values in ([], ["2", "3"]):
        assert reply_text(await inn.forge_click("Ada", message, f"v:{match}:{game_options(game)[0].name}", values))
    assert (await load_snapshot(inn, match)).info == before


async def test_whoever_is_alone_with_computers_is_told_nothing_and_asked_nothing(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, game="wizard")
    await inn.press_button("Ada", await find_lobby(inn, match), "Add computer")
    await inn.press_button("Ada", newest_private(inn, "Ada"), "Easy")
    await open_options(inn, match)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "3")
    assert option_notices(inn) == []
    await inn.press_button("Ada", await find_lobby(inn, match), "Start")
    assert (await load_snapshot(inn, match)).info.status is Status.RUNNING


@each_game(WITHOUT)
async def test_a_game_without_options_of_its_own_offers_those_of_the_house(inn: SimulatedServer, game: AnyGame) -> None:
    match = await open_full_lobby(inn, game)
    assert set(menu_lines(await open_options(inn, match))) == {
        f"v:{match}:{option.name}" for option in list_table_options()
    }
    before = (await load_snapshot(inn, match)).info
    forged = await inn.forge_click("Ada", await find_lobby(inn, match), f"v:{match}:rounds", ["3"])
    assert "has no such option. Its options are: clock, hints." in reply_text(forged)
    assert (await load_snapshot(inn, match)).info == before
    assert "clock: 24 hours" in message_text(inn.newest_in_inbox("Bela"))


@each_game(list(GAMES.values()))
async def test_the_options_of_the_house_are_chosen_in_every_game_told_and_kept(
    inn: SimulatedServer, game: AnyGame
) -> None:
    match = await open_full_lobby(inn, game, hints="false")
    assert (await load_snapshot(inn, match)).info.house == TableOptions(hints=False)
    await open_options(inn, match)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:clock", "3 days")
    assert "clock: 3 days · hints: off" in message_text(option_notices(inn)[-1])
    assert "Clock: 3 days · Hints: off" in message_text(await find_lobby(inn, match))
    assert "clock: 3 days" in message_text(inn.newest_in_inbox("Bela"))
    await start_match(inn, match)
    assert "Clock: 3 days" in message_text(newest_private(inn, "Ada"))  # it is asked about, as with the game's own
    await inn.restart()
    await inn.press_button("Ada", newest_private(inn, "Ada"), "Start with these")
    info = (await load_snapshot(inn, match)).info
    assert (info.status, info.house) == (Status.RUNNING, TableOptions("3 days", hints=False))


@each_game(WITH)
async def test_the_controls_of_the_options_survive_a_restart(inn: SimulatedServer, game: AnyGame) -> None:
    match = await open_full_lobby(inn, game)
    shown = await open_options(inn, match)
    await inn.restart()
    option = game_options(game)[0]
    value = next(line["value"] for line in menu_lines(shown)[f"v:{match}:{option.name}"] if not line.get("default"))
    await inn.forge_click("Ada", shown, f"v:{match}:{option.name}", [value])
    assert format_value(getattr(await current_options(inn, match), option.name)) == value
    assert len(option_notices(inn)) == 1
    await inn.restart()
    assert len(option_notices(inn)) == 1


@each_game(WITH)
async def test_the_command_shows_the_options_and_changes_one(inn: SimulatedServer, game: AnyGame) -> None:
    match = await open_full_lobby(inn, game)
    option = game_options(game)[-1]
    answer = await inn["Ada"].slash(inn.table, "motley options")
    assert answer.response is not None
    assert answer.response.ephemeral
    assert f"v:{match}:{option.name}" in control_ids(answered_message(answer))
    command = "motley options"
    offered = await inn["Ada"].autocomplete(inn.table, command, "value", "", option=option.name)
    assert format_value(option.default) in [choice["value"] for choice in offered]
    high = str(option.high)
    answer = await inn["Ada"].slash(inn.table, "motley options", option=option.name, value=high)
    assert "The options are now: " in reply_text(answer)
    assert format_value(getattr(await current_options(inn, match), option.name)) == high
    alone = reply_text(await inn["Ada"].slash(inn.table, "motley options", option=option.name))
    assert "its new value" in alone


# What is told


async def test_a_change_is_told_in_one_message_that_pings_nobody(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["wizard"], 3)
    await open_options(inn, match)
    told_by = set()
    for rounds in ("3", "5", "7"):
        await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", rounds)
        told_by |= {message["id"] for message in option_notices(inn)}
    assert len(told_by) == 1  # edited, not posted again and again
    (message,) = option_notices(inn)
    assert "rounds: 7 (the full game has 20)" in message_text(message)
    assert message["mentions"] == []
    assert "<@" not in message_text(message)
    await inn.env.advance_time(90)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "9")
    (later,) = option_notices(inn)
    assert later["id"] != message["id"]
    assert "rounds: 9" in message_text(later)
    await inn.restart()
    await inn.env.advance_time(1)
    assert [each["id"] for each in option_notices(inn)] == [later["id"]]


async def test_while_nobody_has_joined_nothing_is_told(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await open_options(inn, match)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "3")
    await join_lobby(inn, match, "Bela")
    assert option_notices(inn) == []
    assert "rounds: 3" in message_text(inn.newest_in_inbox("Bela"))
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "4")
    assert len(option_notices(inn)) == 1


async def test_a_message_of_changes_that_was_deleted_is_posted_anew(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["wizard"], 3)
    await open_options(inn, match)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "3")
    inn.delete_message(option_notices(inn)[0])
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "4")
    assert "rounds: 4" in message_text(option_notices(inn)[0])


async def test_a_change_that_cannot_be_told_is_no_loss(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["wizard"], 3)
    await open_options(inn, match)
    inn.env.inject_error("POST", rf"/channels/{inn.table.id}/messages", status=403, code=50013, times=1)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "3")
    assert option_notices(inn) == []
    assert "Rounds: 3" in message_text(await find_lobby(inn, match))
    assert "rounds: 3" in message_text(inn.newest_in_inbox("Bela"))


async def test_a_change_that_discord_did_not_take_is_told_later(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["wizard"], 3)
    await open_options(inn, match)
    inn.env.inject_error("POST", rf"/channels/{inn.table.id}/messages", status=503, times=1)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "3")
    await inn.env.advance_time(10)
    assert len(option_notices(inn)) == 1


# A hasty start


async def test_a_start_within_ten_seconds_of_a_change_is_asked_about_and_names_the_options(
    inn: SimulatedServer,
) -> None:
    match = await open_full_lobby(inn, GAMES["wizard"], 3)
    await open_options(inn, match)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "3")
    await start_match(inn, match)
    asked = newest_private(inn, "Ada")
    assert "have just changed" in message_text(asked)
    assert "Rounds: 3 (the full game has 20)" in message_text(asked)
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY
    await inn.restart()
    await inn.forge_click("Bela", asked, next(c for c in control_ids(asked) if c.startswith("b:")))
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY
    answer = await inn.press_button("Ada", asked, "Start with these")
    assert "The match has started" in reply_text(answer)
    assert (await load_snapshot(inn, match)).state.rounds == 3
    assert "Show my hand" in button_labels(await find_lobby(inn, match))


async def test_who_confirms_what_has_changed_since_is_asked_again_and_not_trapped(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["wizard"], 3)
    options = await open_options(inn, match)
    await inn.choose_options("Ada", options, f"v:{match}:rounds", "3")
    await start_match(inn, match)
    old = newest_private(inn, "Ada")
    await inn.choose_options("Ada", options, f"v:{match}:rounds", "4")
    await inn.env.advance_time(60)
    answer = await inn.press_button("Ada", old, "Start with these")
    assert "Rounds: 4" in reply_text(answer)
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY
    await inn.press_button("Ada", newest_private(inn, "Ada"), "Start with these")
    assert (await load_snapshot(inn, match)).state.rounds == 4


async def test_from_the_question_one_gets_back_to_the_options(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["wizard"], 3)
    await open_options(inn, match)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "3")
    await start_match(inn, match)
    await inn.press_button("Ada", newest_private(inn, "Ada"), "Options")
    assert f"v:{match}:rounds" in menu_lines(newest_private(inn, "Ada"))


async def test_after_ten_seconds_the_start_is_not_asked_about(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["wizard"], 3)
    await open_options(inn, match)
    await inn.choose_options("Ada", newest_private(inn, "Ada"), f"v:{match}:rounds", "3")
    await inn.env.advance_time(11)
    await start_match(inn, match)
    assert (await load_snapshot(inn, match)).state.rounds == 3


async def test_a_change_and_a_start_at_once_leave_a_match_with_one_of_both(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["court"], 4)
    message = await find_lobby(inn, match)
    await inn.click_at_once(
        PendingClick("Ada", message, f"v:{match}:banners=3"), PendingClick("Ada", message, f"t:{match}:start")
    )
    now = await load_snapshot(inn, match)
    assert (now.info.status, now.options.banners) in [(Status.LOBBY, 3), (Status.RUNNING, 4)]
    if now.info.status is Status.RUNNING:
        assert now.view(None).banners is not None


async def test_after_the_start_the_options_are_told_and_stay(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn)
    before = (await load_snapshot(inn, match)).info
    message = await find_lobby(inn, match)
    assert "This match uses: rounds: 1" in reply_text(await inn.forge_click("Ada", message, f"t:{match}:options"))
    assert "already started" in reply_text(await inn.forge_click("Ada", message, f"v:{match}:rounds", ["3"]))
    assert (await load_snapshot(inn, match)).info == before


# What to expect


async def test_four_at_the_court_are_told_what_to_expect_and_the_host_shortens_it_by_a_click(
    inn: SimulatedServer,
) -> None:
    for label, changed in (("3 banners", (3, None)), ("At most 120 turns", (4, 120))):
        match = await open_full_lobby(inn, GAMES["court"], 3)
        assert "very long match" not in message_text(await find_lobby(inn, match))
        await join_lobby(inn, match, "Dora")
        message = await find_lobby(inn, match)
        assert "340 to over 2,000 turns" in message_text(message)
        assert "55 to 95" in message_text(message)
        assert {"3 banners", "At most 120 turns"} < set(button_labels(message))
        assert "Only the host" in reply_text(await inn.press_button("Dora", message, label))
        assert await current_options(inn, match) == GAMES["court"].options()
        assert "340 to over 2,000 turns" in message_text(await open_options(inn, match))
        await inn.press_button("Ada", message, label)
        now = await current_options(inn, match)
        assert (now.banners, now.turns) == changed
        assert "very long match" not in message_text(await find_lobby(inn, match))
        assert label not in button_labels(await find_lobby(inn, match))
        assert len(option_notices(inn)) == 1
        await inn.bot.matches.cancel_lobby(match, inn["Ada"].id)
        inn.delete_message(option_notices(inn)[0])


async def test_when_a_fourth_leaves_the_court_there_is_nothing_to_say(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["court"], 4)
    await inn.press_button("Dora", await find_lobby(inn, match), "Leave")
    assert "very long match" not in message_text(await find_lobby(inn, match))


async def test_the_rounds_that_are_offered_are_those_that_so_many_players_have_cards_for(inn: SimulatedServer) -> None:
    match = await open_full_lobby(inn, GAMES["wizard"], 3, rounds=18)
    for seats, full in ((3, 20), (4, 15), (5, 12), (6, 10)):
        await join_lobby(inn, match, *list(inn.people)[len((await load_snapshot(inn, match)).info.seats) : seats])
        lines = menu_lines(await open_options(inn, match))[f"v:{match}:rounds"]
        numbers = [int(line["value"]) for line in lines if line["value"] not in ("none", "18")]
        assert max(numbers) == full - 1
        assert lines[0]["label"] == f"{full} (the full game)"
        assert [line["value"] for line in lines if line.get("default")] == ["18"]
    assert "6 players cannot play 18" in message_text(await find_lobby(inn, match))
    await start_match(inn, match)
    assert (await load_snapshot(inn, match)).state.rounds == 10
